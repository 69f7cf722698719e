"""A scoresheet follows the facts, and says so when they cannot be followed."""

import chess
import msgspec
import pytest

from bridge.core.model import Fact, MovesCorrected, StartFound, StateExplained
from bridge.core.scoresheet.record import GameRecord, Scorebook, ScoresheetError
from tests.bridge.scoresheets import (
    WALL,
    adopted,
    book,
    ended,
    line,
    resumed,
    settled,
    stands,
    started,
    timed,
)


def corrected(ply: int, count: int) -> MovesCorrected:
    return MovesCorrected(
        table="1", game=1, at=9.0, wall=WALL, evidence=(1, 9), ply=ply, count=count, reason="seen"
    )


def only(sheets: Scorebook) -> GameRecord:
    (record,) = sheets.records()
    return record


def sans(record: GameRecord) -> list[str]:
    return [ply.san for ply in record.plies]


def test_moves_times_and_result_are_entered() -> None:
    record = only(book(*line("e4 e5 Nf3", clocks=(60, 58)), ended("1-0", "kings")))
    assert sans(record) == ["e4", "e5", "Nf3"]
    assert [ply.clk_ms for ply in record.plies] == [60_000, 58_000, None]
    assert [ply.uci for ply in record.plies] == ["e2e4", "e7e5", "g1f3"]
    assert [ply.wall for ply in record.plies] == [WALL + 1, WALL + 2, WALL + 3]
    assert chess.Board(record.plies[-1].fen_after).piece_at(chess.F3) is not None
    assert (record.result, record.ended_by, record.started) == ("1-0", "kings", WALL)


def test_a_game_that_goes_on_has_no_result() -> None:
    record = only(book(*line("e4 e5"), ended("1-0", "kings"), resumed()))
    assert (record.result, record.ended_by, sans(record)) == ("*", None, ["e4", "e5"])


def test_a_later_time_replaces_an_estimate() -> None:
    record = only(book(*line("e4"), timed(1, 61_000, estimated=True), timed(1, 60_000)))
    assert (record.plies[0].clk_ms, record.plies[0].estimated) == (60_000, False)


def found(men: str) -> StartFound:
    fen = f"{men.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{men} w KQkq - 0 1"
    return StartFound(table="1", game=1, at=9.0, wall=WALL, evidence=(1, 9), fen=fen)


def test_moves_get_their_names_from_the_start_position_that_play_shows() -> None:
    sheets = book(*line("e4 e5 Qf3 Nc6", clocks=(9, 8, 7, 6)))
    sheets.apply(found("RNQBKBNR"))
    record = only(sheets)
    assert sans(record) == ["e4", "e5", "Bf3", "Nc6"]
    assert record.fen == found("RNQBKBNR").fen
    assert [ply.clk_ms for ply in record.plies] == [9_000, 8_000, 7_000, 6_000]
    after = chess.Board(record.plies[-1].fen_after)
    assert (after.piece_at(chess.F3), after.piece_at(chess.C1)) == (
        chess.Piece.from_symbol("B"),
        chess.Piece.from_symbol("Q"),
    )


def test_a_start_position_from_which_the_moves_are_not_legal_is_refused() -> None:
    sheets = book(*line("e4 e5 Qf3 Nc6"))
    with pytest.raises(ScoresheetError, match=r"ply 4 \(b8c6\) is not legal"):
        sheets.apply(found("RBNQKBNR"))
    assert sans(only(sheets)) == ["e4", "e5", "Qf3", "Nc6"]


def test_withdrawn_moves_make_room_for_the_right_ones() -> None:
    sheets = book(*line("e4 e5 Nf3 Nc6", clocks=(9, 8, 7, 6)))
    sheets.apply(corrected(3, 2))
    assert sans(only(sheets)) == ["e4", "e5"]
    board = chess.Board(only(sheets).plies[-1].fen_after)
    sheets.apply(settled(board, chess.Move.from_uci("f1c4"), 3))
    assert sans(only(sheets)) == ["e4", "e5", "Bc4"]
    assert only(sheets).plies[2].clk_ms is None


def test_an_illegal_move_that_stands_is_marked_and_can_be_withdrawn() -> None:
    sheets = book(*line("e4 e5"))
    board = chess.Board(only(sheets).plies[-1].fen_after)
    sheets.apply(stands(board, "g1e3", "Ne3", 3))
    sheets.apply(settled(board, board.parse_san("Nc6"), 4))
    record = only(sheets)
    assert [ply.stands for ply in record.plies] == [False, False, True, False]
    assert [ply.numbered for ply in record.plies] == ["1. e4", "1... e5", "2. Ne3", "2... Nc6"]
    assert [ply.colour for ply in record.plies] == ["white", "black", "white", "black"]
    sheets.apply(corrected(3, 2))
    assert sans(record) == ["e4", "e5"]


def test_plies_count_on_from_an_adopted_position() -> None:
    found = "4k3/8/8/8/8/8/8/4K2R b K - 3 41"
    board = chess.Board(found)
    sheets = book(*line("e4"), adopted(1, found))
    sheets.apply(settled(board, board.parse_san("Kd7"), 2))
    record = only(sheets)
    assert [ply.numbered for ply in record.plies] == ["1. e4", "41... Kd7"]
    assert [(one.ply, one.fen) for one in record.adoptions] == [(1, found)]


def test_an_adopted_position_stays_while_its_ply_does() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R b K - 3 41")
    sheets = book(*line("e4 e5"), adopted(2, board.fen()))
    sheets.apply(settled(board, board.parse_san("Kd7"), 3))
    sheets.apply(corrected(3, 1))
    assert [one.ply for one in only(sheets).adoptions] == [2]
    before = only(sheets).copy()
    sheets.apply(adopted(2, chess.STARTING_FEN))
    assert [one.fen for one in only(sheets).adoptions] == [chess.STARTING_FEN]
    sheets.apply(corrected(2, 1))
    assert only(sheets).adoptions == []
    assert [one.ply for one in before.adoptions] == [2]


def test_a_game_that_starts_anew_has_an_empty_sheet() -> None:
    record = only(book(*line("e4"), adopted(1, ""), ended("1-0", "kings"), started()))
    assert (record.plies, record.result, record.ended_by) == ([], "*", None)
    assert record.adoptions == []


def test_a_copy_stays_as_it_was() -> None:
    sheets = book(*line("e4"))
    before = only(sheets).copy()
    board = chess.Board(before.plies[-1].fen_after)
    sheets.apply(settled(board, chess.Move.from_uci("c7c5"), 2))
    sheets.apply(timed(1, 5))
    assert (sans(before), before.plies[0].clk_ms) == (["e4"], None)
    assert sans(only(sheets)) == ["e4", "c5"]


def test_a_book_keeps_every_game_apart_and_tells_what_changed() -> None:
    sheets = Scorebook()
    changed = [sheets.apply(fact) for fact in [*line("e4"), *line("d4", "2"), *line("c4", "2", 2)]]
    assert [(r.table, r.game) for r in changed if r] == [
        ("1", 1),
        ("1", 1),
        ("2", 1),
        ("2", 1),
        ("2", 2),
        ("2", 2),
    ]
    assert [sans(record) for record in sheets.records()] == [["e4"], ["d4"], ["c4"]]


def test_a_book_begun_from_records_does_not_share_them() -> None:
    first = book(*line("e4"))
    second = Scorebook(first.records())
    second.apply(timed(1, 5000))
    assert only(first).plies[0].clk_ms is None
    assert only(second).plies[0].clk_ms == 5000


@pytest.mark.parametrize("before", [[], list(line("e4"))])
def test_facts_that_are_not_for_the_sheet_change_nothing(before: list[Fact]) -> None:
    fact = StateExplained(table="1", game=1, at=1.0, wall=WALL, evidence=(1, 1), text="waits")
    assert book(*before).apply(fact) is None


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        (settled(chess.Board(), chess.Move.from_uci("e2e4"), 3), "ply 3 .e4. settled.* 1 plies"),
        (timed(2, 1), "ply 2 timed.* 1 plies"),
        (timed(0, 1), "ply 0 timed"),
        (adopted(2, ""), "adopted after ply 2.* 1 plies"),
        (adopted(0, ""), "adopted after ply 0.* 1 plies"),
        (corrected(1, 2), "2 plies from ply 1 withdrawn.* 1 plies"),
        (corrected(0, 2), "from ply 0"),
        (ended("1-0", "kings", game=2), "table 1, game 2: GameEnded before the game started"),
        (timed(1, 1, table="7"), "table 7, game 1: MoveTimed before"),
        (
            msgspec.structs.replace(adopted(0, ""), game=2),
            "table 1, game 2: PositionAdopted before",
        ),
    ],
)
def test_facts_that_cannot_follow_are_refused(fact: Fact, said: str) -> None:
    sheets = book(*line("e4"))
    with pytest.raises(ScoresheetError, match=said):
        sheets.apply(fact)
    assert sans(only(sheets)) == ["e4"]


def test_a_record_takes_only_facts_of_its_game() -> None:
    record = only(book(*line("e4")))
    with pytest.raises(ScoresheetError, match="table 1, game 1: got a fact of table 2, game 1"):
        record.apply(timed(1, 1, table="2"))
