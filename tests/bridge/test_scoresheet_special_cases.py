"""Every special case of the PGN writer, read back by python-chess, pgn-extract and our reader."""

import io
import re
import shutil
import subprocess
from pathlib import Path

import chess
import chess.pgn
import msgspec
import pytest

from bridge.core.model import Fact, Result, TableSetup
from bridge.core.scoresheet.pgn import to_pgn
from bridge.core.scoresheet.reading import read_games
from bridge.core.scoresheet.record import GameRecord
from tests.bridge.scoresheets import (
    adopted,
    ended,
    line,
    record_of,
    resumed,
    settled,
    stands,
    started,
    timed,
)

BLACK_TO_MOVE = "4k3/8/8/8/8/8/4p3/2K5 b - - 0 31"
SHUFFLED = chess.Board.from_chess960_pos(100).fen()
KINGS_ON_F = "r4k2/p2p3p/8/8/8/8/P6P/R4K1R w KQq - 0 1"
ODD = TableSetup(
    event='A "quoted" \\ name',
    site="{braces} [%clk 0:00:01] ; %",
    white="Żółć\u2028, 山田",
    black="",
    tags={"Section": "%escaped", "Empty": " "},
)


def standing(*, first: bool) -> GameRecord:
    """Return a game in which an illegal move stands, as the first ply or as the second."""
    board = chess.Board()
    facts: list[Fact] = [started(setup=TableSetup(time_control="600+5"))]
    if not first:
        facts += [settled(board, board.parse_san("e4"), 1), timed(1, 600_000)]
    uci, san, ply = ("g1e3", "Ne3", 1) if first else ("g8e6", "Ne6", 2)
    facts += [stands(board, uci, san, ply), timed(ply, 61_000)]
    move = next(iter(board.legal_moves))
    return record_of(*facts, settled(board, move, ply + 1), ended("1-0", "arbiter"))


def twice() -> GameRecord:
    """Return a game in which an illegal move of either side stands."""
    board = chess.Board()
    facts: list[Fact] = [started(), settled(board, board.parse_san("e4"), 1)]
    facts += [stands(board, "g8e6", "Ne6", 2), settled(board, board.parse_san("Nf3"), 3)]
    facts += [stands(board, "a8a4", "Ra4", 4), settled(board, board.parse_san("Nc3"), 5)]
    return record_of(*facts, ended("1/2-1/2", "agreement"))


def left_on_the_last_rank() -> GameRecord:
    """Return a game in which a pawn was not replaced, which stands under A.5."""
    board = chess.Board("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    facts: list[Fact] = [started(fen=board.fen()), stands(board, "a7a8", "a8", 1)]
    return record_of(*facts, settled(board, board.parse_san("Kd7"), 2))


def offered(record: GameRecord) -> GameRecord:
    record.plies = [msgspec.structs.replace(ply, draw_offer=True) for ply in record.plies]
    return record


def resulted(result: Result, by: str = "arbiter") -> GameRecord:
    return record_of(*line("e4 e5"), ended(result, by))


CASES = {
    "no moves": record_of(*line("")),
    "no moves, a result": record_of(*line(""), ended("1-0", "arbiter")),
    "Black begins": record_of(*line("e1=Q+ Kc2", fen=BLACK_TO_MOVE)),
    "Black's first move has a comment": offered(record_of(*line("e1=Q+ Kc2", fen=BLACK_TO_MOVE))),
    "Chess960": record_of(*line("e4 e5", fen=SHUFFLED, setup=TableSetup(chess960=True))),
    "Chess960 from the usual start": record_of(*line("e4", setup=TableSetup(chess960=True))),
    "Chess960 castling": record_of(
        *line("O-O-O O-O-O", fen=KINGS_ON_F, setup=TableSetup(chess960=True))
    ),
    "en passant and promotion": record_of(
        *line("e4 a6 e5 d5 exd6 a5 dxc7 a4 cxb8=N a3"), ended("0-1", "flag")
    ),
    "times": record_of(
        *line("e4 e5 Nf3", setup=TableSetup(time_control="40/5400+30:1800+30"), clocks=(9, 8, 7)),
        timed(2, 3_600_000, estimated=True),
    ),
    "draw offers": offered(record_of(*line("e4 e5", clocks=(60, 59)))),
    "mate": record_of(*line("f3 e5 g4 Qh4#"), ended("0-1", "checkmate")),
    "forfeits": resulted("0-1", "infraction"),
    "resumed": record_of(*line("e4 e5"), ended("1-0", "kings"), resumed()),
    "abandoned": resulted("*", "abandoned"),
    "odd texts": record_of(*line("e4", setup=ODD)),
    "an illegal move stands": standing(first=False),
    "the first move is illegal and stands": standing(first=True),
    "two illegal moves stand": twice(),
    "a pawn is left on its last rank": left_on_the_last_rank(),
    "stalemate": record_of(
        *line("Qf7", fen="7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), ended("1/2-1/2", "stalemate")
    ),
    "a dead position": record_of(
        *line("Kxb2", fen="7k/8/8/8/8/8/1n6/K7 w - - 0 1"), ended("1/2-1/2", "dead")
    ),
    "a claim": record_of(*line("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"), ended("1/2-1/2", "claim")),
    "moves are missing": record_of(*line("e4 e5"), adopted(2, BLACK_TO_MOVE, "{[%clk 1] (x)}")),
    "moves are missing from the start": record_of(*line(""), adopted(0, BLACK_TO_MOVE)),
    **{result: resulted(result) for result in ("0-0", "1/2-0", "0-1/2")},
    **{
        f"{result} of a broken game": record_of(
            *line("e4 e5"), adopted(2, BLACK_TO_MOVE), ended(result, "arbiter")
        )
        for result in ("0-0", "1/2-0", "0-1/2")
    },
}


def main_line(record: GameRecord) -> list[str]:
    """Return the moves before the first one that is illegal or comes after missing ones."""
    breaks = [index for index, ply in enumerate(record.plies) if ply.stands]
    breaks += [adoption.ply for adoption in record.adoptions]
    return [ply.uci for ply in record.plies[: min(breaks, default=None)]]


@pytest.mark.parametrize("case", CASES)
def test_python_chess_reads_it(case: str) -> None:
    stream = io.StringIO(to_pgn(CASES[case]))
    game = chess.pgn.read_game(stream)
    assert game is not None
    assert (game.errors, chess.pgn.read_game(stream)) == ([], None)
    assert [node.uci() for node in game.mainline()] == main_line(CASES[case])
    assert game.headers["Result"] in {CASES[case].result, "*"}


@pytest.mark.parametrize("case", CASES)
def test_it_is_written_again_as_it_was(case: str) -> None:
    written = to_pgn(CASES[case])
    (found,) = read_games(written)
    assert to_pgn(found) == written
    assert found.result == CASES[case].result
    assert [ply.uci for ply in found.plies] == [ply.uci for ply in CASES[case].plies]
    assert [ply.draw_offer for ply in found.plies] == [p.draw_offer for p in CASES[case].plies]


@pytest.mark.parametrize("case", CASES)
def test_pgn_extract_has_nothing_to_say(case: str, tmp_path: Path) -> None:
    program = shutil.which("pgn-extract", path="/usr/bin:/usr/games:/usr/local/bin")
    if program is None:
        pytest.skip("pgn-extract is not installed")
    file = tmp_path / "game.pgn"
    file.write_text(to_pgn(CASES[case]), encoding="utf-8")
    run = subprocess.run(
        [program, "--quiet", "-C", "-Wuci", str(file)], capture_output=True, text=True, check=True
    )
    assert run.stderr.strip() == ""
    moves = re.findall(r"(?:^| )([a-h][1-8][a-h][1-8][NBRQ]?)(?= )", run.stdout, re.MULTILINE)
    assert len(moves) == len(main_line(CASES[case]))
