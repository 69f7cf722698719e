"""The 39 situations come out exactly: moves, illegal moves and results, whenever they happen."""

import json
from itertools import pairwise
from typing import Any

import chess
import pytest

from bridge.core.stream import OutputWriter, infer
from tests.bridge.core.outcome import Outcome, as_text, engine_lines, is_shifted, outcome
from tests.bridge.core.scenes import Sensing
from tests.bridge.core.situations import SITUATIONS, Situation

LATER = 2**17
"""Seconds; a power of two, so that times on the grid stay exact."""

ON_OCCUPANCY = [situation for situation in SITUATIONS if situation.occupancy]


def named(situation: Situation) -> str:
    return situation.name


def follow(situation: Situation, board: Sensing) -> tuple[Outcome, str]:
    stream = situation.build().lines(board)
    lines = engine_lines(stream)
    return outcome(lines), as_text(stream, lines)


def check(situation: Situation, told: Outcome, text: str) -> None:
    games = [(" ".join(game.moves), game.result, game.by) for game in told.games]
    expected = [(game.moves, game.result, game.by) for game in situation.games]
    assert games == expected, f"{text}\nexpected {expected}\ntold     {games}"
    assert tuple(told.illegal) == situation.illegal, f"{text}\n{told.illegal}"
    assert situation.told <= told.codes, f"{text}\n{told.codes}"
    other = {code for code in told.warnings if not code.startswith(("CLOCK_", "FLAG_"))}
    assert other <= situation.told | situation.may_tell, f"{text}\n{other}"
    put_right = {*situation.illegal} if situation.put_right else set()
    assert put_right <= {*told.cleared}, f"{text}\nnever cleared"


def test_there_are_39_situations() -> None:
    assert len(SITUATIONS) == 39
    assert len({situation.name for situation in SITUATIONS}) == 39
    assert len({situation.title for situation in SITUATIONS}) == 39
    assert all(situation.description.endswith(".") for situation in SITUATIONS)


# -- the streams show what they are named for --------------------------------------------------


def messages(name: str, kind: str) -> list[dict[str, Any]]:
    (situation,) = (each for each in SITUATIONS if each.name == name)
    read = [json.loads(line) for line in situation.build().lines()]
    return [message for message in read if message["kind"] == kind]


def fields(name: str) -> list[tuple[str, str | None]]:
    return [(field["square"], field["piece"]) for field in messages(name, "field")]


def test_a_fast_slide_is_seen_on_the_way() -> None:
    assert fields("slide_fast")[:4] == [("e2", None), ("e3", "P"), ("e3", None), ("e4", "P")]


def test_a_swap_never_shows_the_square_empty() -> None:
    seen = fields("capture_swap")
    taken = seen.index(("d5", "P"))
    assert seen[taken - 1] == ("e4", None)


def test_the_rook_is_on_two_squares_in_one_scan() -> None:
    first, second = messages("on_two_squares", "field")[:2]
    assert (first["square"], first["piece"]) == ("a7", "R")
    assert (second["square"], second["piece"]) == ("a1", None)
    assert second["t"] - first["t"] < 0.2


@pytest.mark.parametrize(
    ("name", "played", "unseen"),
    [
        ("two_plies_at_once", "e4 e5", "Nf3 Nc6"),
        ("three_plies_at_once", "", "e4 e5 Bc4"),
        ("recapture_at_once", "e4 d5", "exd5 Qxd5"),
    ],
)
def test_plies_are_seen_at_once(name: str, played: str, unseen: str) -> None:
    board = chess.Board()
    for san in played.split():
        board.push_san(san)
    before = board.board_fen()
    for san in unseen.split():
        board.push_san(san)
    shown = [snapshot["board"] for snapshot in messages(name, "snapshot")]
    assert (before, board.board_fen()) in pairwise(shown)


def test_most_presses_of_a_very_fast_game_are_never_heard() -> None:
    turns = [clock["turn"] for clock in messages("blitz_300", "clock") if clock["run"]]
    assert sum(before != after for before, after in pairwise(turns)) <= 4


def test_nothing_is_heard_while_the_link_is_down() -> None:
    down, up = (link["t"] for link in messages("link_lost", "link"))
    heard = messages("link_lost", "field") + messages("link_lost", "clock")
    assert not [message for message in heard if down < message["t"] < up]


# -- and come out right ------------------------------------------------------------------------


@pytest.mark.parametrize("situation", SITUATIONS, ids=named)
def test_a_situation_is_exactly_right(situation: Situation) -> None:
    told, text = follow(situation, "identity")
    check(situation, told, text)
    assert told.retracted == 0, f"{text}\na wrong move was told"


@pytest.mark.parametrize("situation", SITUATIONS, ids=named)
def test_a_situation_is_the_same_at_any_time(situation: Situation) -> None:
    scene = situation.build()
    now, then = engine_lines(scene.lines()), engine_lines(scene.lines(later=LATER))
    assert now
    assert is_shifted(now, then, LATER), f"{as_text(scene.lines(), now)}\nlater: {then}"


@pytest.mark.parametrize("situation", ON_OCCUPANCY, ids=named)
def test_a_situation_is_right_where_only_squares_are_seen(situation: Situation) -> None:
    told, text = follow(situation, "occupancy")
    check(situation, told, text)


def test_an_illegal_move_that_stands_is_entered_as_such() -> None:
    (situation,) = (each for each in SITUATIONS if each.name == "illegal_stands")
    lines = infer(situation.build().lines(), name="s", writer=OutputWriter(explain=True))
    told = [json.loads(line) for line in lines]
    basis = {line["move"]: line["because"]["basis"] for line in told if "move" in line}
    assert basis["g1g3"] == "stands"
    assert basis["b8c6"] != "stands"
    first = next(line for line in told if line.get("alert") == "ILLEGAL_MOVE")
    assert first["illegal"]
    assert not any(line.get("cleared") == "ILLEGAL_MOVE" for line in told), "it can be put right"
