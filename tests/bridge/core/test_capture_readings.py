"""Recorded bytes become the readings they were on the day."""

from dataclasses import replace

import pytest

from bridge.core.capture_readings import readings_of, units_of
from bridge.core.model import LinkChange, MoveSettled, TableSetup
from bridge.core.table import Table
from drivers.boards.dgt import Dgt, DgtBus
from drivers.capture import Capture, Record, parse
from drivers.events import Presence, Snapshot, SquareChange
from drivers.simulated import games
from tests.drivers.rows import Conversation, played_board
from tests.shared import shared

HEADER = "# Driver: dgt\n# Line: serial\n# Clock: none\n"
EMPTY_DUMP = "86 00 43" + " 00" * 64


def test_the_header_sets_the_table_up() -> None:
    fen = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"
    capture = parse(f"{HEADER}# Start: {fen}\n< 0.500 {EMPTY_DUMP}\n", name="c")
    first, second = readings_of(capture, Dgt, table="3")
    assert first.payload == TableSetup(start_fen=fen, has_clock=False)
    assert second.payload == Snapshot(at=0.5, cells="." * 64)
    assert (first.seq, second.seq, second.at, second.table, second.link) == (1, 2, 0.5, "3", "c")


class _Occupied(Dgt):
    """A board with a module that speaks like a DGT board and knows no letters."""

    info = replace(Dgt.info, sensing="occupancy")


def test_the_driver_says_what_its_board_knows_of_a_man() -> None:
    (first,) = readings_of(parse(f"{HEADER}> 0.000 42\n", name="c"), _Occupied, table="3")
    assert first.payload == TableSetup(has_clock=False, sensing="occupancy")


def test_half_a_message_is_not_inherited_by_the_next_link() -> None:
    """Had the half been kept, the whole dump behind it would not be one."""
    text = (
        f"{HEADER}> 0.000 42\n< 0.100 {EMPTY_DUMP[:30]}\n! 1.000 lost\n"
        f"! 2.000 opened\n! 2.000 unit 7\n< 2.100 {EMPTY_DUMP}\n"
    )
    payloads = [r.payload for r in readings_of(parse(text, name="c"), Dgt, table="1")]
    assert payloads[1:] == [
        LinkChange(state="lost", detail="the capture says so"),
        LinkChange(state="live"),
        Snapshot(at=2.1, cells="." * 64),
    ]


def test_a_recorded_game_is_followed() -> None:
    source = shared("protocols/captures/dgt_usb_game1_normal.hex").read_text().splitlines()
    messages = [line for line in source if line.strip() and not line.startswith("#")]
    records = [f"< {number * 0.4:.3f} {message}" for number, message in enumerate(messages)]
    header = "# Driver: dgt\n# Line: serial\n"
    capture = parse(header + "\n".join(records) + "\n", name="game1")
    table = Table("1")
    facts = [f for r in readings_of(capture, Dgt, table="1") for f in table.apply(r)]
    assert sum(isinstance(fact, MoveSettled) for fact in facts) >= 56


def a_row(*, lost: bool) -> Capture:
    """What went over the line of two boards that play; it may have been lost in the middle."""
    talk = Conversation([played_board(1025, "opera"), played_board(77, "special")])
    talk.goes_on(5.0)
    talk.begins()
    talk.goes_on(15.0)
    away = (talk.at, talk.at + 5.0)
    talk.until(lambda: talk.finished)
    talk.goes_on(3.0)
    records = [Record("<", at, data) for at, data in talk.said]
    if lost:
        notes = [
            Record("!", at, text=text) for at, text in zip(away, ("lost", "opened"), strict=True)
        ]
        records = sorted([*records, *notes], key=lambda record: record.t)
    return Capture("row", {"Driver": "dgt_bus"}, tuple(records))


@pytest.mark.parametrize("lost", [False, True])
def test_each_board_of_a_row_is_read_for_itself(*, lost: bool) -> None:
    capture = a_row(lost=lost)
    units = units_of(capture, DgtBus)
    assert sorted(map(str, units)) == ["1025", "77"]
    for unit, game in (("1025", "opera"), ("77", "special")):
        readings = list(readings_of(capture, DgtBus, table="1", unit=unit))
        assert not any(isinstance(reading.payload, Presence) for reading in readings)
        setup = readings[0].payload
        assert isinstance(setup, TableSetup)
        assert setup.board == int(unit)
        links = [r.payload.state for r in readings if isinstance(r.payload, LinkChange)]
        assert links == (["lost", "live"] if lost else [])
        table = Table("1")
        facts = [fact for reading in readings for fact in table.apply(reading)]
        moves = [fact.uci for fact in facts if isinstance(fact, MoveSettled)]
        assert moves == [move.uci() for move in games.load(game).mainline_moves()]


def test_what_a_board_kept_for_long_is_told_after_the_last_byte() -> None:
    talk = Conversation([played_board(1025, "opera")])
    talk.goes_on(5.0)
    said = [Record("<", at, data) for at, data in talk.said]
    tags = "40 34 41 24 40 0c 47 1c 40 3e 43 2d"
    data = bytes.fromhex("85 00 12 08 01" + tags)
    last = Record("<", talk.at, data + bytes([sum(data) & 0x7F]))
    capture = Capture("row", {"Driver": "dgt_bus"}, (*said, last))
    readings = list(readings_of(capture, DgtBus, table="1", unit="1025"))
    assert [reading.at for reading in readings] == sorted(reading.at for reading in readings)
    assert sum(isinstance(reading.payload, SquareChange) for reading in readings) == 6


def test_a_board_alone_has_no_name() -> None:
    assert units_of(parse(f"{HEADER}> 0.000 42\n", name="c"), Dgt) == [None]
