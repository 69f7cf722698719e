"""What boards make of pieces: the shapes that recorded streams have."""

import chess
import pytest

from drivers.simulated.streams.sensor import Electronics, Fault, Pause, sense
from drivers.simulated.streams.world import Change

PERIOD = 0.2
SCANNING = Electronics(kind="identity", scan_hz=5.0, offset=0.0, batched=False, latency=0.0)
PAWN = chess.Piece.from_symbol("P")
KNIGHT = chess.Piece.from_symbol("n")


def seen_of(
    changes: list[tuple[float, str, chess.Piece | None]],
    *,
    electronics: Electronics = SCANNING,
    faults: tuple[Fault, ...] = (),
    missed: tuple[Pause, ...] = (),
    found: str = "e2",
) -> list[tuple[float, str, str | None]]:
    _, seen = sense(
        {chess.parse_square(found): PAWN},
        [Change(at=at, square=chess.parse_square(s), piece=p) for at, s, p in changes],
        faults,
        missed,
        electronics,
    )
    return [(round(s.at, 3), chess.square_name(s.square), s.letter) for s in seen]


def order(seen: list[tuple[float, str, str | None]]) -> list[tuple[str, str | None]]:
    return [(square, letter) for _, square, letter in seen]


def test_a_scan_reads_the_upper_ranks_first() -> None:
    # e4 comes before e2 in a scan: within one, the new square is told before the old one.
    seen = seen_of([(1.001, "e2", None), (1.05, "e4", PAWN)])
    assert order(seen) == [("e4", "P"), ("e2", None)]
    assert 1.0 < seen[0][0] < seen[1][0] < 1.0 + PERIOD


def test_two_changes_of_a_square_within_a_scan_are_one() -> None:
    capture = [(1.01, "e2", None), (1.02, "e2", KNIGHT)]
    assert order(seen_of(capture)) == [("e2", "n")]
    assert order(seen_of([(1.01, "e2", None), (1.02, "e2", PAWN)])) == []


def test_an_event_driven_board_shows_both() -> None:
    board = Electronics(kind="identity", scan_hz=0.0, offset=0.0, batched=False, latency=0.0)
    seen = seen_of([(1.01, "e2", None), (1.06, "e2", KNIGHT)], electronics=board)
    assert order(seen) == [("e2", None), ("e2", "n")]


def test_a_batched_scan_has_one_time() -> None:
    board = Electronics(kind="identity", scan_hz=5.0, offset=0.0, batched=True, latency=0.05)
    seen = seen_of([(1.001, "e2", None), (1.05, "e4", PAWN)], electronics=board)
    assert order(seen) == [("e4", "P"), ("e2", None)]
    assert seen[0][0] == seen[1][0]


def test_occupancy_does_not_tell_pieces() -> None:
    board = Electronics(kind="occupancy", scan_hz=5.0, offset=0.0, batched=False, latency=0.0)
    first, seen = sense(
        {chess.E2: PAWN}, [Change(at=1.0, square=chess.E4, piece=KNIGHT)], (), (), board
    )
    assert first == {chess.E2: "x"}
    assert [s.letter for s in seen] == ["x"]


@pytest.mark.parametrize(("reads", "letters"), [(None, [None, "P"]), ("B", ["B", "P"])])
def test_a_faulty_square_shows_something_else_for_a_while(
    reads: str | None, letters: list[str | None]
) -> None:
    fault = Fault(name="misread", square=chess.E2, begin=1.0, end=3.0, reads=reads)
    assert [letter for _, _, letter in seen_of([], faults=(fault,))] == letters


def test_a_fault_on_an_empty_square_shows_nothing() -> None:
    fault = Fault(name="misread", square=chess.E4, begin=1.0, end=3.0, reads="B")
    assert seen_of([], faults=(fault,)) == []


def test_a_square_that_was_dead_from_the_start_never_shows_its_piece() -> None:
    fault = Fault(name="dead square", square=chess.E2, begin=-1.0, end=9.0, reads=None)
    first, _ = sense({chess.E2: PAWN}, [], (fault,), (), SCANNING)
    assert first == {}


def test_what_happens_in_a_pause_is_read_after_it() -> None:
    pause = Pause(begin=0.9, end=2.0)
    seen = seen_of([(1.0, "e2", None), (1.5, "e4", PAWN)], missed=(pause,))
    assert order(seen) == [("e4", "P"), ("e2", None)]
    assert all(2.0 <= at <= 2.0 + PERIOD for at, _, _ in seen)
