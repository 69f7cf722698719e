"""Recorded bytes become the readings they were on the day."""

from dataclasses import replace

from bridge.core.capture_readings import readings_of
from bridge.core.model import LinkChange, MoveSettled, TableSetup
from bridge.core.table import Table
from drivers.boards.dgt import Dgt
from drivers.capture import parse
from drivers.events import Snapshot
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
