"""What stands in cloud files: the forms that readers know, value by value."""

import io
import json
from typing import Any

import chess
import chess.pgn
import msgspec
import pytest

from bridge.core.model import ClockUpdated, Fact, Result, TableSetup
from bridge.core.scoresheet.pgn import to_pgn
from bridge.outputs.cloud.documents import game, index, moves, pairing, tournament
from bridge.outputs.cloud.files import round_number, runs_on
from tests.bridge import cloud_reader
from tests.bridge.scoresheets import (
    WALL,
    adopted,
    ended,
    line,
    random_game,
    record_of,
    resumed,
    settled,
    stands,
    started,
    timed,
)

NO_MOVE: dict[str, Any] = {"table": "1", "game": 1, "at": 0.0, "evidence": (1, 1)}


def clock(white_ms: int, black_ms: int, *, wall: float = WALL, **more: Any) -> ClockUpdated:
    """Return a reading; White's clock runs unless *more* says otherwise."""
    shown = {"running": True, "turn": "white", **more}
    return ClockUpdated(**NO_MOVE, wall=wall, white_ms=white_ms, black_ms=black_ms, **shown)


def document(*facts: Fact) -> dict[str, Any]:
    text = msgspec.json.encode(game(record_of(*facts), serial="45011"))
    result: dict[str, Any] = json.loads(text)
    return result


def read(*facts: Fact) -> cloud_reader.Game:
    return msgspec.convert(document(*facts), cloud_reader.Game)


# --- a game -------------------------------------------------------------------------------------


def test_a_game_that_goes_on() -> None:
    setup = TableSetup(time_control="5400+30")
    facts = line("d4 Nf6 c4", setup=setup, clocks=(5423, 5418, 5412))
    assert document(*facts, clock(5412_900, 5418_000, wall=WALL + 75.25, turn="black")) == {
        "live": True,
        "serialNr": "45011",
        "firstMove": 1790000001000,
        "chess960": 518,
        "result": None,
        "comment": None,
        "clock": {"white": 5412, "black": 5418, "run": True, "time": 1790000075250},
        "moves": ["d4 5423", "Nf6 5418", "c4 5412+41"],
    }


def test_a_game_without_a_move_and_without_a_clock() -> None:
    shown = document(started())
    assert (shown["firstMove"], shown["moves"], shown["clock"]) == (0, [], None)
    assert shown["live"] is True


def test_of_a_move_what_is_not_known_is_left_out() -> None:
    setup = TableSetup(time_control="5400+30")
    facts = list(line("d4 d5 c4 c6 Nf3 Nf6 Nc3", setup=setup))
    times = [timed(1, 5423_999), timed(3, 5412_000), timed(4, 5400_000), timed(5, 5442_000)]
    late = timed(7, 5400_000, estimated=True)
    assert moves(record_of(*facts, *times, late)) == [
        "d4 5423",
        "d5",
        "c4 5412+41",
        "c6 5400",
        "Nf3 5442",
        "Nf6",
        "Nc3 5400",
    ]


def test_moves_are_written_as_pgn_writes_them() -> None:
    sans = "e4 d5 exd5 c6 dxc6 Nf6 cxb7 Nbd7 bxa8=Q e6 Nf3 Bb4 Be2 O-O O-O Bxd2"
    assert read(*line(sans)).sans == sans.split()
    assert read(*line("f3 e5 g4 Qh4#")).sans[-1] == "Qh4#"
    assert read(*line("f3 e5 g4 Qh4#")).replayed().is_checkmate()


@pytest.mark.parametrize("seed", range(12))
def test_a_reader_gets_the_moves_and_clocks_of_the_pgn(seed: int) -> None:
    record = record_of(*random_game(seed))
    shown = msgspec.convert(
        msgspec.to_builtins(game(record, serial="1")), type=cloud_reader.Game, strict=True
    )
    pgn = chess.pgn.read_game(io.StringIO(to_pgn(record)))
    assert pgn is not None
    nodes = list(pgn.mainline())
    assert shown.sans == [node.san() for node in nodes]
    assert shown.replayed().fen() == pgn.end().board().fen()
    assert shown.clocks == [node.clock() for node in nodes]
    assert [used or None for used in shown.used] == [node.emt() or None for node in nodes]
    assert (shown.chess960 == 518) == (
        not record.setup.chess960 or record.fen == chess.STARTING_FEN
    )


@pytest.mark.parametrize(
    ("result", "outcome", "shown"),
    [
        ("1-0", "WHITEWIN", "1-0"),
        ("0-1", "BLACKWIN", "0-1"),
        ("1/2-1/2", "DRAW", "1/2-1/2"),
        ("*", None, "*"),
        ("0-0", None, "*"),
        ("1/2-0", None, "*"),
        ("0-1/2", None, "*"),
    ],
)
def test_results_have_one_name_in_the_game_and_another_in_the_index(
    result: Result, outcome: str | None, shown: str
) -> None:
    record = record_of(*line("e4 e5"), clock(1000, 1000), ended(result, "arbiter"))
    told = game(record, serial="1")
    assert (told.result, told.live, told.clock) == (outcome, False, None)
    decided = f"The arbiter decided {result}."
    assert told.comment == (decided if result != shown else None)
    entry = pairing(record.setup, record)
    assert (entry.result, entry.live) == (shown, False)


def test_a_game_that_was_ended_before_a_move_was_not_played() -> None:
    assert document(started(), ended("*", "arbiter"))["result"] == "NOTPLAYED"
    assert document(started(), ended("1-0", "forfeit"))["result"] == "WHITEWIN"


def test_a_game_that_goes_on_again_is_live_and_has_a_clock() -> None:
    shown = document(*line("e4"), clock(9000, 9000), ended("1-0", "kings"), resumed())
    assert (shown["live"], shown["result"], shown["clock"]["white"]) == (True, None, 9)


def test_the_number_of_the_start_position_is_that_of_chess960() -> None:
    board = chess.Board.from_chess960_pos(692)
    shown = read(started(fen=board.fen(), setup=TableSetup(chess960=True)))
    assert shown.chess960 == 692
    assert shown.board().fen().startswith("rbbqknnr/")
    usual = read(started(setup=TableSetup(chess960=True)))
    assert usual.chess960 == 518


def test_a_position_that_cannot_be_told_has_a_comment_and_no_moves() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    shown = document(*line("e4 Kd7", fen=fen))
    assert (shown["chess960"], shown["moves"]) == (518, [])
    assert shown["comment"] == f"Played from {fen}."


def test_an_illegal_move_that_stands_is_a_move_as_in_the_files_of_livechess() -> None:
    board = chess.Board()
    facts: list[Fact] = [started(), settled(board, chess.Move.from_uci("e2e4"), 1)]
    facts += [stands(board, "e7e4", "e4", 2), settled(board, chess.Move.from_uci("g1f3"), 3)]
    shown = document(*facts)
    assert shown["moves"] == ["e4", "e4", "Nf3"]
    assert shown["comment"] == "1... e4 is illegal and stands."


def test_nothing_follows_where_moves_are_missing() -> None:
    board = chess.Board("rnbqkbnr/pp2pppp/2p5/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3")
    facts = [*line("e4"), adopted(1, board.fen())]
    facts.append(settled(board, chess.Move.from_uci("b1c3"), 2))
    shown = document(*facts)
    assert shown["moves"] == ["e4"]
    assert shown["comment"] == "From here on moves are missing."


# --- a round ------------------------------------------------------------------------------------


def test_a_player_has_a_first_and_a_last_name_and_a_number_that_is_one() -> None:
    tags = {"WhiteTitle": "WIM", "WhiteFideId": "1234567", "BlackTitle": "-", "BlackFideId": "n/a"}
    tags["WhiteFed"] = "NED"
    setup = TableSetup(white="Kramer, Anna  Maria", black="Madonna", tags=tags)
    entry = pairing(setup, None)
    assert msgspec.to_builtins(entry) == {
        "white": {
            "fname": "Anna Maria",
            "mname": None,
            "lname": "Kramer",
            "title": "WIM",
            "federation": "NED",
            "gender": None,
            "fideid": 1234567,
        },
        "black": {
            "fname": None,
            "mname": None,
            "lname": "Madonna",
            "title": None,
            "federation": None,
            "gender": None,
            "fideid": None,
        },
        "result": "*",
        "live": True,
    }


@pytest.mark.parametrize("number", ["0", "-5", "1234567890", "١٢", "12a", " 7", ""])
def test_what_is_no_fide_number_is_none(number: str) -> None:
    entry = pairing(TableSetup(white="A", tags={"WhiteFideId": number}), None)
    assert entry.white is not None
    assert entry.white.fideid is None


@pytest.mark.parametrize("name", ["?", "", "-", " , "])
def test_a_player_nobody_knows_is_none(name: str) -> None:
    assert pairing(TableSetup(white=name, black="B"), None).white is None


def test_a_date_that_is_not_known_is_left_out() -> None:
    assert msgspec.to_builtins(index("2026.09.21", [])) == {"date": "2026-09-21", "pairings": []}
    assert msgspec.to_builtins(index("2026.09.??", [])) == {"pairings": []}


@pytest.mark.parametrize(
    ("name", "number"),
    [("1", 1), ("12", 12), ("3.2", 3), ("007", 7), ("?", 1), ("Final", 1), ("0", 1), ("9999", 1)],
)
def test_rounds_have_numbers_from_one(name: str, number: int) -> None:
    assert round_number(name) == number


def test_a_tournament() -> None:
    setup = TableSetup(event="Harbour\nOpen", site="Town Hall", time_control="5400+30")
    assert msgspec.to_builtins(tournament(setup, [0, 12], ["45011"])) == {
        "id": "Harbour Open",
        "name": "Harbour Open",
        "location": "Town Hall",
        "country": "",
        "website": None,
        "rules": "STANDARD",
        "chess960": "STANDARD",
        "timecontrol": "5400+30",
        "rounds": [{"count": 0, "live": 0}, {"count": 12, "live": 12}],
        "eboards": ["45011"],
    }


# --- a clock ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (clock(590_000, 600_000, wall=WALL + 10), True),
        (clock(591_900, 600_000, wall=WALL + 10), True),
        (clock(600_000, 600_000, wall=WALL + 10), False),
        (clock(590_000, 610_000, wall=WALL + 10), False),
        (clock(590_000, 600_000, wall=WALL + 10, turn="black"), False),
        (clock(590_000, 600_000, wall=WALL + 10, running=False), False),
    ],
)
def test_a_clock_that_only_goes_on_is_told_from_one_that_does_not(
    after: ClockUpdated, *, expected: bool
) -> None:
    assert runs_on(clock(600_000, 600_000), after) is expected


def test_a_clock_that_stands_shows_the_same_later() -> None:
    standing = clock(600_000, 500_000, running=False)
    assert runs_on(standing, clock(600_000, 500_000, running=False, wall=WALL + 900))
    thinking = clock(600_000, 500_000, turn="black")
    assert runs_on(thinking, clock(600_000, 480_000, turn="black", wall=WALL + 20))
