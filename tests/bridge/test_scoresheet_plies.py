"""Games that are over take little room, and nobody who reads or corrects them notices."""

import gc
import tracemalloc

import pytest

from bridge.core.model import MoveSettled
from bridge.core.scoresheet.pgn import to_pgn
from bridge.core.scoresheet.plies import PackedPlies
from bridge.core.scoresheet.record import GameRecord, Scorebook
from tests.bridge.scoresheets import ended, line, random_game, record_of, timed, withdrawn

SANS = "e4 e5 Nf3 Nc6 Bb5 a6"


def packed(record: GameRecord) -> GameRecord:
    record.pack()
    assert isinstance(record.plies, PackedPlies)
    return record


def test_packed_plies_read_as_a_list_does() -> None:
    record, same = packed(record_of(*line(SANS))), record_of(*line(SANS))
    assert record == same
    assert (record.plies[0], record.plies[-1]) == (same.plies[0], same.plies[-1])
    assert [*record.plies[2:4]] == [*same.plies[2:4]]
    assert len(record.plies) == 6
    assert to_pgn(record) == to_pgn(same)
    assert record.position(6) == same.position(6)
    assert record.plies != same.plies[:5]
    with pytest.raises(IndexError):
        record.plies[6]


def test_equal_games_are_kept_once_and_games_that_differ_apart() -> None:
    one, same = packed(record_of(*line(SANS))), packed(record_of(*line(SANS)))
    assert one.plies is same.plies
    assert hash(one.plies) == hash(same.plies)
    other = packed(record_of(*line(f"{SANS} Ba4")))
    assert other.plies != one.plies
    before = one.plies
    one.pack()
    assert one.plies is before


def test_a_packed_game_can_be_corrected_and_its_copies_stay() -> None:
    record = packed(record_of(*line(SANS)))
    kept = record.copy()
    record.apply(withdrawn(6))
    assert [ply.san for ply in record.plies] == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
    record.apply(timed(5, 1000))
    assert record.plies[4].clk_ms == 1000
    assert [ply.san for ply in kept.plies] == SANS.split()


def test_all_but_the_last_game_of_a_table_are_packed() -> None:
    sheets = Scorebook()
    for number in (1, 2, 3):
        for fact in line(SANS, game=number):
            sheets.apply(fact)
    assert [isinstance(record.plies, PackedPlies) for record in sheets.records()] == [
        True,
        True,
        False,
    ]
    again = Scorebook(sheets.records())
    assert again.records() == sheets.records()
    assert isinstance(again.records()[0].plies, PackedPlies)
    assert again.apply(ended("1-0", "arbiter", game=1)) is again.record("1", 1)


def test_a_week_of_games_takes_little_memory() -> None:
    sheets = Scorebook()
    facts = [fact for game in range(1, 31) for fact in random_game(game, game=game)]
    tracemalloc.start()
    for fact in facts:
        sheets.apply(fact)
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    plies = sum(isinstance(fact, MoveSettled) for fact in facts)
    assert kept / plies < 150, "a list of plies takes 300 bytes each, and what they hold"
