"""The board's memory: tags, hysteresis, ring."""

from drivers.simulated.dgt_log import RING, START, BoardLog


def written(log: BoardLog) -> str:
    """Return what was written since power-up, without filling and end."""
    return log.payload().lstrip(b"\x7f")[:-1].hex(" ")


def test_a_fresh_log_is_filled_up_and_ends_with_eof() -> None:
    log = BoardLog()
    log.power_up()
    payload = log.payload()
    assert len(payload) == RING
    assert payload.endswith(bytes.fromhex("7f 7f 7f 6a 6b"))


def test_changes_are_marked_quick_when_they_follow_closely() -> None:
    log = BoardLog()
    log.change(0x34, 0, at=10.0)
    log.change(0x24, 1, at=10.2)
    log.change(0x0C, 0, at=10.5)
    assert written(log) == "40 34 51 24 40 0c"


def test_clock_times_of_both_sides() -> None:
    log = BoardLog()
    log.clock("left", 5395)
    log.clock("right", 3600)
    assert written(log) == "71 29 55 61 00 00"


def position(*changed: int) -> list[int]:
    squares = list(START)
    for index in changed:
        squares[index] = 0
    return squares


def test_start_positions_are_tagged_in_both_seats() -> None:
    log = BoardLog()
    log.position(START)
    log.position([0] * 64)
    log.position(START[::-1])
    assert written(log) == "6f 6d 7a"


def test_four_full_rows_that_are_no_start_position_are_tagged() -> None:
    shuffled = list(START)
    shuffled[0], shuffled[1] = shuffled[1], shuffled[0]
    log = BoardLog()
    log.position(shuffled)
    assert written(log) == "6c"


def test_a_tag_is_written_again_only_after_more_than_two_pieces_left() -> None:
    log = BoardLog()
    log.position(START)
    log.position(position(52, 51))
    log.position(START)
    assert written(log) == "6f"
    log.position(position(52, 51, 50))
    log.position(START)
    assert written(log) == "6f 6f"


def test_the_ring_forgets_the_oldest() -> None:
    log = BoardLog()
    log.downloaded()
    for n in range(RING):
        log.change(n % 64, 1, at=float(n))
    payload = log.payload()
    assert len(payload) == RING
    assert 0x6E not in payload
    assert payload[-3:].hex(" ") == "41 3f 6b"
