"""What is told of a game that has changed, for one who knows what it was."""

from collections.abc import Callable, Sequence
from typing import Any

import chess
import msgspec
import pytest

from bridge.core.model import (
    Fact,
    GameAdjourned,
    GameEnded,
    GameResumed,
    MoveTimed,
    PositionAdopted,
    SetupCorrected,
    StartFound,
    TableSetup,
)
from bridge.core.scoresheet.record import GameRecord, Scorebook
from bridge.web.games import Game, awaited, brief, changes, game_of, present
from tests.livechess import START, Play

ANNA = TableSetup(
    round="1",
    white="Kramer, Anna",
    black="Okafor, Ben",
    time_control="5400+30",
    tags={"WhiteTitle": "WIM", "WhiteElo": "2301", "WhiteFed": "NED", "BlackElo": "about 2000"},
)


def records(*facts: Fact) -> list[GameRecord]:
    book = Scorebook()
    for fact in facts:
        book.apply(fact)
    return book.records()


def shown(*facts: Fact) -> Game:
    return game_of(records(*facts)[-1])


def told(before: Sequence[Fact], after: Sequence[Fact]) -> list[dict[str, Any]]:
    """What is told where *after* follows on *before*."""
    return changes(shown(*before), shown(*before, *after))


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    return [message["type"] for message in messages]


def test_players_are_described_as_far_as_they_are_known() -> None:
    game = awaited("5", ANNA)
    assert msgspec.to_builtins(game.white) == {
        "name": "Kramer, Anna",
        "title": "WIM",
        "rating": 2301,
        "federation": "NED",
        "team": "",
    }
    assert game.black.rating is None
    assert (game.time_control, game.last_san) == ("5400+30", None)
    assert (game.game, game.state, game.fen, game.started) == (0, "waiting", START, None)


def test_moves_have_their_times_and_positions() -> None:
    play = Play()
    facts = [
        *play.start(),
        *play.plays("e4"),
        play.fact(MoveTimed, ply=1, clk_ms=9, estimated=True),
    ]
    (move,) = shown(*facts).plies
    assert (move.san, move.clock_ms, move.estimated) == ("e4", 9, True)
    assert move.fen == play.board.fen()
    assert (shown(*facts).last_uci, shown(*facts).last_san) == ("", "e4")
    assert shown(*facts).started == "2026-09-21T14:13:20Z"


def test_play_goes_on_from_a_position_that_was_adopted() -> None:
    play = Play()
    fen = "rnbqkbnr/1ppppppp/p7/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    facts = [*play.start(), *play.plays("e4")]
    game = shown(*facts, play.fact(PositionAdopted, ply=1, fen=fen, reason="gap"))
    assert (game.fen, game.plies[0].fen) == (fen, fen)
    assert kinds(changes(shown(*facts), game)) == ["game"]


def test_each_new_move_is_told_and_a_time_that_comes_late() -> None:
    play = Play()
    begun = play.start()
    moves = play.plays("e4", "e5")
    messages = told(begun, moves)
    assert [(each["ply"], each["san"]) for each in messages] == [(1, "e4"), (2, "e5")]
    late = told([*begun, *moves], [play.fact(MoveTimed, ply=2, clk_ms=5)])
    assert [(each["ply"], each["clock_ms"]) for each in late] == [(2, 5)]
    assert kinds(told([*begun, *moves], [play.fact(MoveTimed, ply=1, clk_ms=5)])) == ["game"]


def test_moves_that_were_taken_back_are_a_new_whole() -> None:
    play = Play()
    before = [*play.start(), *play.plays("e4", "e5")]
    back = play.takes_back(1)
    assert kinds(told(before, [back])) == ["game"]
    assert kinds(told(before, [back, *play.plays("c5")])) == ["game"]


def test_the_end_is_told_and_a_game_that_goes_on_is_a_new_whole() -> None:
    play = Play()
    before = [*play.start(), *play.plays("e4"), play.clock(60, 50, "black")]
    end = play.fact(GameEnded, result="1-0", by="arbiter")
    (message,) = told(before, [end])
    assert (message["type"], message["result"]) == ("end", "1-0")
    assert message["clocks"].running is None
    assert kinds(told([*before, end], [play.fact(GameResumed)])) == ["game"]
    assert kinds(told([*before, end], [play.fact(GameEnded, result="0-1", by="flag")])) == ["game"]


@pytest.mark.parametrize(
    ("kind", "fields", "state"),
    [
        (GameAdjourned, {}, "adjourned"),
        (SetupCorrected, {"setup": ANNA}, "playing"),
    ],
)
def test_what_is_said_of_the_whole_game(
    kind: Callable[..., Fact], fields: dict[str, object], state: str
) -> None:
    play = Play()
    before = [*play.start(), *play.plays("e4")]
    (message,) = told(before, [play.fact(kind, **fields)])
    assert (message["type"], message["game"].state) == ("game", state)


def test_the_start_position_that_play_shows_is_a_new_whole() -> None:
    play, drawn = Play(), chess.Board.from_chess960_pos(0)
    before = play.start()
    (message,) = told(before, [play.fact(StartFound, fen=drawn.fen())])
    assert (message["type"], message["game"].fen) == ("game", drawn.fen())


def test_an_adjourned_game_goes_on() -> None:
    play = Play()
    facts = [*play.start(), *play.plays("e4"), play.fact(GameAdjourned)]
    assert shown(*facts, play.fact(GameResumed)).state == "playing"


def clocks(play: Play, at: float, white: float, black: float, turn: str | None) -> Fact:
    play.at = at
    return play.clock(white, black, turn)


@pytest.mark.parametrize(
    ("later", "turn", "is_told"),
    [
        ((10, 90, 80), "white", False),
        ((10, 91, 80), "white", False),
        ((10, 95, 80), "white", True),
        ((10, 90, 78), "white", True),
        ((10, 90, 80), "black", True),
        ((10, 90, 80), None, True),
    ],
)
def test_a_clock_is_told_where_a_page_could_not_know(
    later: tuple[float, float, float], turn: str | None, is_told: bool
) -> None:
    play = Play()
    before = [*play.start(), clocks(play, 0, 100, 80, "white")]
    messages = told(before, [clocks(play, *later, turn)])
    assert kinds(messages) == (["clock"] if is_told else [])


def test_a_first_clock_is_told() -> None:
    play = Play()
    assert kinds(told(play.start(), [play.clock(9, 9, None)])) == ["clock"]


def test_a_brief_game_has_everything_but_its_moves() -> None:
    game = shown(*Play().start())
    assert set(brief(game)) == set(msgspec.structs.asdict(game)) - {"plies"}


# --- which game of a table ------------------------------------------------------------------------


def test_a_game_stays_until_the_next_one_has_a_move() -> None:
    play = Play()
    facts = [*play.start(), *play.plays("e4"), play.fact(GameEnded, result="1-0", by="arbiter")]
    facts += play.start()
    found = present(records(*facts))
    assert found is not None
    assert found.game == 1
    found = present(records(*facts, *play.plays("d4")))
    assert found is not None
    assert found.game == 2


def test_another_round_is_shown_at_once() -> None:
    play = Play()
    facts = [*play.start(), *play.plays("e4"), *play.start()]
    facts.append(play.fact(SetupCorrected, setup=ANNA))
    found = present(records(*facts))
    assert found is not None
    assert found.game == 2


def test_a_table_without_a_game_shows_none() -> None:
    assert present([]) is None
