"""What of a stream becomes readings, and what is dropped or parked."""

import math
from typing import Any

import msgspec
import pytest

from bridge.core.model import LinkChange, Reading
from bridge.scale.ledger import FUTURE, PEACE, TRIES, GapError, Ledger, Message
from bridge.scale.messages import Began, BoardsGiven, Change, RoundSet, Sent, encode
from bridge.scale.names import HUB, Names

NAMES = Names("open")
NODES: dict[str, str | None] = {"1": "north", "2": "south", "Hall B.7": "north"}


class Hub:
    """A ledger and what it lets through."""

    def __init__(self, **more: Any) -> None:
        self.seqs: dict[str, int] = {}
        self.ledger = Ledger(lambda link: self.seqs.get(link, 0), {}, dict(NODES), **more)
        self.position = 0
        self.kept_at = 100.0

    def hears(self, node: str, message: bytes, table: str = "1") -> Reading | None:
        self.position += 1
        subject = NAMES.reading(node, table)
        reading = self.ledger.take(Message(subject, message, self.position, self.kept_at))
        if reading is not None:
            self.seqs[reading.link] = reading.seq
        return reading


def sent(seq: int, *, table: str = "1", log: str = "a", epoch: int = 0, **more: Any) -> bytes:
    fields: dict[str, Any] = {"at": float(seq), "wall": 100.0}
    payload = LinkChange(state="live")
    reading = Reading(table=table, link="table", seq=seq, payload=payload, **(fields | more))
    return encode(Sent(log=log, epoch=epoch, reading=reading))


def test_a_reading_is_taken_once() -> None:
    hub = Hub()
    first = hub.hears("north", sent(1))
    assert first is not None
    assert first.link == "table @north-a"
    assert hub.hears("north", sent(1)) is None
    assert hub.hears("north", sent(2)) is not None
    assert hub.hears("north", sent(1)) is None
    assert hub.ledger.repeated == 2
    assert hub.ledger.troubles == {}


def test_another_journal_is_another_link() -> None:
    hub = Hub()
    assert hub.hears("north", sent(7)) is not None
    again = hub.hears("north", sent(1, log="b"))
    assert again is not None
    assert again.link == "table @north-b"


def test_what_is_missing_is_looked_for() -> None:
    hub = Hub()
    hub.hears("north", sent(1))
    with pytest.raises(GapError, match="node north: readings 2 to 3 of table are missing"):
        hub.hears("north", sent(4))
    assert hub.hears("north", sent(1)) is None
    for seq in (2, 3, 4):
        assert hub.hears("north", sent(seq)) is not None
    assert hub.ledger.troubles == {}


def test_a_gap_that_nothing_fills_is_taken_and_told() -> None:
    hub = Hub()
    hub.hears("north", sent(1))
    for _ in range(TRIES):
        with pytest.raises(GapError):
            hub.hears("north", sent(4))
    assert hub.hears("north", sent(4)) is not None
    assert hub.ledger.troubles == {"north": "readings 2 to 3 of table never came"}


def test_nobody_waits_again_and_again_for_a_node_that_makes_up_numbers() -> None:
    hub = Hub()
    hub.hears("north", sent(1))
    for _ in range(TRIES):
        with pytest.raises(GapError):
            hub.hears("north", sent(4))
    hub.hears("north", sent(4))
    assert hub.hears("north", sent(9)) is not None
    assert hub.ledger.troubles == {"north": "readings 5 to 8 of table never came"}
    hub.kept_at += PEACE + 1.0
    with pytest.raises(GapError, match="readings 10 to 11"):
        hub.hears("north", sent(12))
    for seq in (10, 11, 12):
        assert hub.hears("north", sent(seq)) is not None
    with pytest.raises(GapError, match="readings 13 to 13"):
        hub.hears("north", sent(14))


def test_what_was_parked_is_not_looked_for() -> None:
    hub = Hub()
    hub.hears("north", sent(1))
    assert hub.hears("north", sent(2, wall=100.0 + 2 * FUTURE)) is None
    assert hub.hears("north", sent(3)) is not None
    assert "from the future" in hub.ledger.troubles["north"]


def test_time_never_goes_back_at_a_table() -> None:
    hub = Hub()
    hub.hears("north", sent(1, at=50.0))
    back = hub.hears("north", sent(2, at=40.0))
    assert back is not None
    assert back.at == 50.0
    other = hub.hears("south", sent(1, table="2", at=40.0), "2")
    assert other is not None
    assert other.at == 40.0


def parked(message: bytes, node: str = "north", table: str = "1") -> str:
    hub = Hub()
    hub.position = 6
    assert hub.hears(node, message, table) is None
    assert hub.ledger.first_parked == 7
    return hub.ledger.troubles[node].removeprefix("a message is parked: ")


def test_what_must_not_be_taken_is_parked() -> None:
    assert parked(sent(1), "south") == "tells of table 1, which is not its own"
    assert parked(sent(1), "north", "2") == "tells of table 1 as if it were another"
    assert parked(sent(1, table="9"), "north", "9") == "table 9 is in no configuration here"
    late = sent(1, wall=100.0 + FUTURE + 1)
    assert parked(late) == "tells of table 1 from the future"
    assert parked(b"\xff{").startswith("cannot be read")
    assert parked(b"{}").startswith("cannot be read")
    assert parked(b'{"a":' * 2000).startswith("cannot be read")
    later = msgspec.json.encode(msgspec.json.decode(sent(1)) | {"v": 2})
    assert parked(later) == "has version 2, this eboard-bridge reads version 1"


def test_a_time_that_is_none_is_parked() -> None:
    # JSON knows no infinity; a number that is too large becomes one.
    endless = sent(1).replace(b'"at":1.0', b'"at":1e400')
    hub = Hub()
    assert hub.hears("north", endless) is None
    assert hub.ledger.first_parked == 1
    assert not math.isinf(hub.position)


def test_keys_that_are_not_known_are_passed_over() -> None:
    more = msgspec.json.encode(msgspec.json.decode(sent(1)) | {"colour": "red"})
    assert Hub().hears("north", more) is not None


def test_the_first_that_was_parked_is_where_to_go_on() -> None:
    hub = Hub()
    hub.hears("north", sent(1))
    hub.hears("south", sent(1))
    hub.hears("south", sent(2))
    assert hub.ledger.first_parked == 2


def test_a_hub_that_was_deposed_says_nothing_more() -> None:
    hub = Hub()
    assert hub.hears(HUB, sent(1, epoch=3)) is not None
    hub.hears(HUB, encode(Began(epoch=5, hub="b")))
    assert hub.ledger.epoch == 5
    assert hub.hears(HUB, sent(2, epoch=3)) is None
    said = hub.hears(HUB, sent(1, epoch=5))
    assert said is not None
    assert said.link == "table @hub-5"
    assert hub.ledger.first_parked is None


def test_only_a_hub_can_begin_to_lead() -> None:
    hub = Hub()
    hub.hears("north", encode(Began(epoch=9, hub="north")))
    assert hub.ledger.epoch == 0


def test_what_this_hub_said_comes_back_as_it_was_given() -> None:
    hub = Hub()
    payload = LinkChange(state="live")
    reading = Reading(table="1", link="arbiter", seq=1, at=1.0, wall=1.0, payload=payload)
    hub.ledger.expect(reading, "arbiter @hub-2")
    back = hub.hears(HUB, encode(Sent(log="", epoch=2, reading=reading)))
    assert back is not None
    assert back.payload is payload


def test_names_of_tables_are_tokens() -> None:
    assert NAMES.reading("north", "Hall B.7") == "eboard.open.readings.north.Hall_20_B_2e_7"
    assert Hub().hears("north", sent(1, table="Hall B.7"), "Hall B.7") is not None


def moved(table: str, before: str | None, after: str, *, epoch: int = 5) -> BoardsGiven:
    return BoardsGiven(epoch=epoch, boards={}, moved={table: (before, after)})


def test_a_table_that_moves_is_its_former_node_s_before_that_and_the_new_one_s_from_there() -> None:
    changes: list[tuple[Change, int]] = []
    hub = Hub(changed=lambda change, position: changes.append((change, position)))
    assert hub.hears("north", sent(1)) is not None
    assert hub.hears("south", sent(1)) is None, "not yet"
    change = moved("1", "north", "south")
    assert hub.hears(HUB, encode(change), HUB) is None
    assert changes == [(change, 3)]
    assert hub.hears("north", sent(2)) is None
    after = hub.hears("south", sent(1))
    assert after is not None
    assert after.link == "table @south-a"
    hub.position = 1  # the stream is read again
    assert hub.hears("north", sent(2)) is not None
    late = Hub(epoch=6)
    late.hears(HUB, encode(change), HUB)
    assert late.hears("south", sent(1)) is None, "another hub led by then"
    late.hears("south", encode(moved("2", "south", "south", epoch=9)), "2")
    assert late.hears("north", sent(1)) is not None, "nodes say nothing of that"
    unknown = Hub()
    unknown.hears(HUB, encode(moved("9", None, "south")), HUB)
    assert unknown.hears("south", sent(1, table="9"), "9") is None, "no table here"


def test_a_hub_that_begins_knows_where_tables_were() -> None:
    hub = Hub()
    hub.ledger.recall(moved("1", "south", "north"), 3)
    hub.ledger.recall(moved("1", "east", "south"), 2)
    hub.ledger.recall(RoundSet(epoch=1, group="", round="2", pairings=None, text=None), 1)
    assert hub.hears("east", sent(1)) is not None
    assert hub.hears(HUB, encode(moved("1", "east", "south")), HUB) is None
    assert hub.hears(HUB, encode(moved("1", "south", "north")), HUB) is None
    assert hub.hears("north", sent(1)) is not None, "as the configuration has it"
