"""What thousands of boards would take is what few take, multiplied."""

import pytest

from benchmarks.scale_plan import EDGE_VIEWERS, TIMES, Units, compared, needs, plan

UNITS = Units(node=50.0, broker=20.0, hub=100.0, frame=20.0, viewer=16.0)


def test_needs_grow_with_boards_and_viewers() -> None:
    few, many = needs(1000, 10_000, UNITS), needs(10_000, 100_000, UNITS)
    assert many.readings == pytest.approx(12_000)
    assert many.hub_cores == pytest.approx(1.2)
    assert many.broker_cores == pytest.approx(0.24)
    assert (few.hubs, many.hubs) == (1, 3)
    assert many.edges == 100_000 // EDGE_VIEWERS
    assert many.megabytes == pytest.approx(5.04)
    assert many.gigabytes == pytest.approx(145.152)
    assert many.edge_cores == pytest.approx(10 * few.edge_cores)
    assert needs(1, 1, UNITS).hubs == needs(1, 1, UNITS).edges == 1


def test_the_plan_names_each_part() -> None:
    rows = plan(10_000, 100_000, UNITS).rows
    assert [row[:3] for row in rows] == [
        ("nodes", "one a hall", "0.60"),
        ("brokers", "3", "0.24"),
        ("hubs that lead", "3", "1.20"),
        ("edge servers", "50", "0.07"),
    ]


def test_what_was_seen_stands_beside_what_was_foretold() -> None:
    assert compared([1.0], [2.0 * TIMES], ["hub"]) == [["hub", "1", "4", "8", "2.00"]]
