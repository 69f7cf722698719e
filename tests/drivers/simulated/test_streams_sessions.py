"""Whole sessions: what the truth says was played must be what the stream shows."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import chess
import chess.pgn
import pytest

from drivers.simulated import games
from drivers.simulated.streams import CHAOS, CLEAN, CLUB, PROFILES, Profile, play_session
from drivers.simulated.streams.__main__ import choose, main, own_games, read_games
from drivers.simulated.streams.illegal import after
from tests.shared import shared

Kind = Literal["identity", "occupancy"]
KINDS: tuple[Kind, ...] = ("identity", "occupancy")
SEEDS = range(6)
CHESS960 = """[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]

9. g3 g6 *
"""


@cache
def session(profile: str, kind: Kind, seed: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    chosen = choose(own_games(), PROFILES[profile], seed)
    lines, truth = play_session(chosen, PROFILES[profile], board=kind, seed=seed)
    return [json.loads(line) for line in lines], truth


EVERY = [(profile, kind, seed) for profile in PROFILES for kind in KINDS for seed in SEEDS]


def boards(game: dict[str, Any]) -> Iterator[chess.Board]:
    """Yield the position after each move that the truth names; each must be legal, or stand."""
    board = chess.Board(game["start_fen"], chess960=game["variant"] == "chess960")
    standing = {wrong["ply"]: wrong["uci"] for wrong in game["illegal"] if wrong["stands"]}
    for ply, told in enumerate(game["moves"], 1):
        move = chess.Move.from_uci(told["uci"])
        if ply in standing:
            assert standing[ply] == told["uci"]
            assert move not in board.legal_moves
            board = after(board, move)
        else:
            assert move in board.legal_moves, (ply, told, board.fen())
            board.push(move)
        yield board


class Screen:
    """What the stream shows, line by line."""

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self._lines = iter(lines)
        self._next = next(self._lines, None)
        self.cells: dict[str, str] = {}

    def until(self, at: float) -> Iterator[tuple[float, dict[str, str]]]:
        while self._next is not None and self._next["t"] <= at:
            line, self._next = self._next, next(self._lines, None)
            if line["kind"] == "field":
                self.cells.pop(line["square"], None)
                if line["piece"]:
                    self.cells[line["square"]] = line["piece"]
            elif line["kind"] == "snapshot":
                self.cells = cells_of(line["board"])
            yield line["t"], self.cells


def cells_of(placement: str) -> dict[str, str]:
    cells = {}
    for rank, row in zip("87654321", placement.split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                cells["abcdefgh"[file] + rank] = letter
                file += 1
        assert file == 8
    return cells


def shown(board: chess.Board, *, rotated: bool, kind: Kind) -> dict[str, str]:
    return {
        chess.square_name(63 - square if rotated else square): (
            piece.symbol() if kind == "identity" else "x"
        )
        for square, piece in board.piece_map().items()
    }


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(("profile", "kind", "seed"), EVERY)
def test_truth_and_stream_agree(profile: str, kind: Kind, seed: int) -> None:
    lines, truth = session(profile, kind, seed)
    assert lines[0]["kind"] == "meta"
    assert lines[1]["kind"] == "snapshot"
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)
    assert len(lines[0]["games"]) == len(truth["games"])
    screen = Screen(lines)
    for game in truth["games"]:
        moves, ends = game["moves"], [move["rest"] for move in game["moves"][1:]]
        for told, end, board in zip(moves, [*ends, game["ended"]], boards(game), strict=True):
            wanted = shown(board, rotated=game["rotated"], kind=kind)
            stood = [t for t, cells in screen.until(end) if cells == wanted]
            assert stood or profile != "clean"
            if told["reported"] is not None:
                assert told["press"] <= told["reported"]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_clean_board_shows_each_press_within_little_more_than_a_second(
    kind: Kind, seed: int
) -> None:
    _, truth = session("clean", kind, seed)
    for game in truth["games"]:
        for move in game["moves"]:
            assert move["press"] > move["rest"]
            if move["reported"] is not None:
                assert move["reported"] - move["press"] <= 1.1
            if move["reply"] is not None:
                assert move["reply"] > move["press"]
        assert sum(move["reported"] is None for move in game["moves"]) <= 2
        assert not game["illegal"]


def test_a_clean_identity_board_can_be_known() -> None:
    for seed in SEEDS:
        assert all(game["determinable"] for game in session("clean", "identity", seed)[1]["games"])


@pytest.mark.parametrize("profile", list(PROFILES))
def test_both_kinds_of_boards_watch_the_same_hands(profile: str) -> None:
    (_, one), (_, other) = (session(profile, kind, 1) for kind in KINDS)
    for game, same in zip(one["games"], other["games"], strict=True):
        assert game["illegal"] == same["illegal"]
        for move, like in zip(game["moves"], same["moves"], strict=True):
            assert [move[key] for key in ("uci", "rest", "press")] == [
                like[key] for key in ("uci", "rest", "press")
            ]


def test_the_same_seed_plays_the_same_and_another_one_differently() -> None:
    chosen = [games.load("opera")]
    first, again, other = (play_session(chosen, CHAOS, board="identity", seed=s) for s in (3, 3, 4))
    assert first == again
    assert first[0] != other[0]


def everything_often() -> Profile:
    """Every disturbance so often that a few sessions show each."""
    return replace(
        CHAOS,
        name="everything",
        proceedings=replace(CHAOS.proceedings, wrong_setup=0.5, packed=1.0, gesture=1.0),
        sensing=replace(CHAOS.sensing, link_loss=3.0, dead=0.5, dead_while=3.0),
        mishaps=replace(CHAOS.mishaps, illegal=3.0, stands=0.3, forgotten_press=0.05),
    )


def test_every_disturbance_comes_to_pass_and_stays_true() -> None:
    profile = everything_often()
    seen: Counter[str] = Counter()
    reasons: Counter[tuple[str, bool]] = Counter()
    endings: Counter[str | None] = Counter()
    for seed in range(8):
        lines, truth = play_session(
            [games.load("special"), games.load("evergreen")],
            profile,
            board=KINDS[seed % 2],
            seed=seed,
        )
        assert any('"state":"down"' in line for line in lines)
        for game in truth["games"]:
            assert len(list(boards(game))) == len(game["moves"])
            seen.update(game["phenomena"])
            reasons.update((wrong["reason"], wrong["stands"]) for wrong in game["illegal"])
            endings[game["by"]] += 1
    assert set(seen) >= {
        *("slide", "swap capture", "victim first", "attacker first", "carry off", "exchange"),
        *("hesitation", "adjust", "touch", "take back", "slip", "wobble", "knock", "illegal"),
        *("overlap", "early reply", "fast reply", "early press", "late press", "forgotten press"),
        *("flicker", "misread", "dead square", "missed scan", "link loss"),
        *("rook first", "both lifted", "late pawn"),
    }
    assert {stands for _, stands in reasons} == {True, False}
    assert {"ILLEGAL_MOVE", "KING_LEFT_IN_CHECK"} <= {reason for reason, _ in reasons}
    assert {"kings", "checkmate"} <= set(endings)


def test_after_the_last_game_the_pieces_may_go_into_the_box() -> None:
    profile = replace(CLUB, proceedings=replace(CLUB.proceedings, packed=1.0))
    lines, _ = play_session([games.load("opera")], profile, board="identity", seed=2)
    screen = Screen([json.loads(line) for line in lines])
    for _ in screen.until(1e9):
        pass
    assert screen.cells == {}


def test_chess960_is_told_and_its_moves_can_be_known_from_occupancy(tmp_path: Path) -> None:
    path = tmp_path / "960.pgn"
    path.write_text(CHESS960 + '\n[Event "empty"]\n\n*\n', encoding="utf-8")
    found = read_games(path)
    assert len(found) == 1
    for kind in KINDS:
        lines, truth = play_session(found, CLEAN, board=kind, seed=1)
        assert json.loads(lines[0])["games"] == [{"variant": "chess960"}]
        assert truth["games"][0]["determinable"]


def test_a_set_up_position_is_told() -> None:
    game = chess.pgn.Game.from_board(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    game.add_variation(chess.Move.from_uci("e1g1"))
    lines, truth = play_session([game], CLEAN, board="identity", seed=1)
    told = json.loads(lines[0])["games"][0]
    assert told == {"variant": "from_position", "start_fen": truth["games"][0]["start_fen"]}


def test_a_session_without_a_move_is_refused() -> None:
    for nothing in ([], [chess.pgn.Game()]):
        with pytest.raises(ValueError, match="needs a game"):
            play_session(nothing, CLEAN, board="identity", seed=1)


def test_the_command_writes_streams_and_truths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--folder", str(tmp_path / "out"), "--count", "2", "--seed", "7"]
    monkeypatch.setattr("sys.argv", ["streams", *where, "--profile", "club"])
    main()
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [
        f"club-identity-{seed}.{kind}" for seed in (7, 8) for kind in ("jsonl", "truth.json")
    ]
    assert json.loads((tmp_path / "out" / names[1]).read_text())["stream"] == "club-identity-7"
    empty = tmp_path / "empty.pgn"
    empty.write_text("", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["streams", *where, "--games", str(empty)])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "no game" in capsys.readouterr().err


@pytest.mark.usefixtures("unmeasured")
def test_real_games_can_be_played() -> None:
    pool = read_games(shared("data/games-sample.pgn"))
    assert len(pool) > 300
    for seed in range(4):
        _, truth = play_session(choose(pool, CHAOS, seed), CHAOS, board="identity", seed=seed)
        for game in truth["games"]:
            assert list(boards(game))
