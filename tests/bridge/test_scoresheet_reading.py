"""Scoresheets read back from their PGN."""

import re

import chess
import msgspec
import pytest

from bridge.core.model import Result, TableSetup
from bridge.core.scoresheet.pgn import to_pgn
from bridge.core.scoresheet.reading import PgnError, read_games
from bridge.core.scoresheet.record import GameRecord
from tests.bridge.scoresheets import (
    adopted,
    broken_game,
    ended,
    line,
    random_game,
    record_of,
    settled,
    stands,
    started,
    timed,
)


def read(text: str) -> GameRecord:
    (record,) = read_games(text)
    return record


@pytest.mark.parametrize("seed", range(40))
def test_a_game_that_is_read_is_written_as_it_was(seed: int) -> None:
    for facts in (random_game(seed), broken_game(seed)):
        written = record_of(*facts)
        text = to_pgn(written)
        found = read(text)
        assert to_pgn(found) == text
        assert [ply.uci for ply in found.plies] == [ply.uci for ply in written.plies]
        assert [ply.fen_after for ply in found.plies] == [ply.fen_after for ply in written.plies]
        assert [ply.stands for ply in found.plies] == [ply.stands for ply in written.plies]
        assert [(a.ply, a.fen) for a in found.adoptions] == [
            (a.ply, a.fen) for a in written.adoptions
        ]


def test_all_games_of_a_file_are_read() -> None:
    records = [record_of(*line(moves)) for moves in ("e4 e5", "", "d4")]
    text = "".join(map(to_pgn, records))
    assert [[ply.san for ply in found.plies] for found in read_games(text)] == [
        ["e4", "e5"],
        [],
        ["d4"],
    ]
    assert list(read_games("")) == []


def test_times_draw_offers_and_tags_are_read() -> None:
    text = """[Event "Open"]
[Board "7a"]
[WhiteElo "2301"]
[Result "1/2-1/2"]

1. e4 {[%clk 1:30:57.5] (=)} e5 {[%clk 1:29:00] [%clksrc estimated]} 1/2-1/2
"""
    found = read(text)
    assert [(p.clk_ms, p.estimated, p.draw_offer) for p in found.plies] == [
        (5_457_500, False, True),
        (5_340_000, True, False),
    ]
    assert found.setup.tags == {"Board": "7a", "WhiteElo": "2301"}
    assert (found.setup.board, found.setup.time_control, found.table) == (None, "?", "7a")
    assert (found.result, found.ended_by) == ("1/2-1/2", "normal")
    assert to_pgn(found).endswith(
        "1. e4 {[%clk 1:30:57] (=)} 1... e5 {[%clk 1:29:00] [%clksrc estimated]} 1/2-1/2\n\n"
    )


@pytest.mark.parametrize(
    ("by", "result", "found"),
    [("flag", "1-0", "flag"), ("kings", "1-0", "normal"), ("abandoned", "*", "abandoned")],
)
def test_how_the_game_ended(by: str, result: str, found: str) -> None:
    end = ended("1-0" if result == "1-0" else "*", by)
    assert read(to_pgn(record_of(*line("e4"), end))).ended_by == found
    assert read(to_pgn(record_of(*line("e4")))).ended_by is None


@pytest.mark.parametrize("result", ["0-0", "1/2-0", "0-1/2"])
@pytest.mark.parametrize("is_broken", [False, True])
@pytest.mark.parametrize("moves", ["", "e4", "e4 e5"])
def test_a_result_that_pgn_does_not_know_comes_back(
    moves: str, *, is_broken: bool, result: Result
) -> None:
    facts = [*line(moves), *([adopted(len(moves.split()), PROMOTING)] if is_broken else [])]
    text = to_pgn(record_of(*facts, ended(result, "arbiter")))
    found = read(text)
    assert (found.result, found.ended_by, to_pgn(found)) == (result, "normal", text)
    assert len(found.adoptions) == is_broken


def test_another_programs_result_of_both_players_is_read() -> None:
    assert read('[Result "0-0"]\n\n1. e4 *').result == "0-0"


PROMOTING = "7k/P7/8/8/8/8/8/K7 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "uci", "san", "placement"),
    [
        (chess.STARTING_FEN, "g1e3", "Ne3", None),
        (chess.STARTING_FEN, "e2e5", "e5", None),
        (chess.STARTING_FEN, "e7e5", "e5", None),
        (PROMOTING, "a7a8k", "a8=K", "K6k/8/8/8/8/8/8/K7"),
        # castling moved the rook too: the comment tells only that it was tried
        ("4k3/8/8/8/8/8/4r3/4K2R w - - 0 1", "e1g1", "Kg1", "4k3/8/8/8/8/8/4r3/5RK1"),
    ],
)
def test_the_attempt_is_found_from_both_positions(
    fen: str, uci: str, san: str, placement: str | None
) -> None:
    board = chess.Board(fen)
    fact = stands(board, uci[:4], san, 1)
    if placement is not None:
        board.set_board_fen(placement)
        fact = msgspec.structs.replace(fact, fen=board.fen(), uci=uci)
    found = read(to_pgn(record_of(started(fen=fen), fact)))
    assert [(p.uci, p.san, p.stands) for p in found.plies] == [(uci, san, True)]


def test_offers_and_times_of_what_stands_in_the_comment() -> None:
    board = chess.Board()
    record = record_of(
        started(),
        stands(board, "g1e3", "Ne3", 1),
        timed(1, 61_000),
        settled(board, chess.Move.from_uci("e7e5"), 2),
        timed(2, 5_000, estimated=True),
        adopted(2, chess.STARTING_FEN),
    )
    record.plies = [msgspec.structs.replace(ply, draw_offer=True) for ply in record.plies]
    text = to_pgn(record)
    assert "Ne3 (0:01:01) (=) is illegal" in " ".join(text.split())
    found = read(text)
    assert [(p.clk_ms, p.estimated, p.draw_offer, p.stands) for p in found.plies] == [
        (61_000, False, True, True),
        (5_000, True, True, False),
    ]
    assert [(a.ply, a.fen, a.reason) for a in found.adoptions] == [
        (2, chess.STARTING_FEN, "nothing legal leads there")
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1. e4 e5 2. Ke3 *", "game 1: illegal san: 'Ke3'"),
        ("1. e4 e5 2. Ke3 ) ? *", "game 1: illegal san: 'Ke3'"),
        ('1. e4 *\n\n[FEN "8 w - - 0 1"]\n\n*', "game 2: "),
        ('[Variant "Atomic"]\n\n1. e4 *', "the variant Atomic is not played here"),
        ("1. e4 {Not in the main line: 1... e5 and so on} *", "and so on is not understood"),
        ("1. e4 {Not in the main line: 1... Ke3} *", "game 1: illegal san"),
        (
            "1. e4 {Not in the main line: 1... e5 is illegal and stands. Play goes on from (8).} *",
            "expected",
        ),
    ],
)
def test_what_is_no_game_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(PgnError, match=re.escape(why)):
        list(read_games(text))


def test_an_attempt_that_changed_nothing_is_refused() -> None:
    board = chess.Board()
    told = f"1. e4 is illegal and stands. Play goes on from ({board.fen()})."
    with pytest.raises(PgnError, match="e4 does not lead to rnbqkbnr"):
        list(read_games(f"{{Not in the main line: {told}}} *"))


def test_chess960_is_read() -> None:
    fen = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1"
    text = to_pgn(record_of(*line("e4 e5", fen=fen, setup=TableSetup(chess960=True))))
    found = read(text)
    assert (found.setup.chess960, to_pgn(found)) == (True, text)
