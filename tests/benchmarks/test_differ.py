"""The strict program follows noisy games of every kind, and notices what would mislead it."""

import pytest

from benchmarks.differ import KINDS, Differ, MisledError, follow, main
from bridge.core.scoresheet.record import GameRecord
from drivers.simulated.streams.sensor import BoardKind
from tests.bridge.scoresheets import line, record_of

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.mark.parametrize(("profile", "board", "seed"), [(*kind, 2) for kind in KINDS.values()])
def test_each_frame_brings_one_move_and_none_is_lost(
    profile: str, board: BoardKind, seed: int
) -> None:
    found = follow(profile, board, seed)
    assert found.seen >= found.moves > 10
    assert (found.seen > found.moves) <= (found.corrections > 0)


def test_corrections_are_among_them() -> None:
    assert follow("chaos", "identity", 3).corrections


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([], ["e4", "e5"]),
        (["e4"], ["d4"]),
        (["e4"], ["d4", "d5"]),
        (["e4", "e5"], ["d4"]),
    ],
)
def test_what_would_mislead_a_program_is_noticed(before: list[str], after: list[str]) -> None:
    differ = Differ()
    for length in range(len(before) + 1):
        differ.take({"start": START, "san": before[:length]})
    with pytest.raises(MisledError):
        differ.take({"start": START, "san": after})


def test_another_start_begins_without_moves() -> None:
    with pytest.raises(MisledError, match="another start"):
        Differ().take({"start": START, "san": ["e4"]})


@pytest.mark.parametrize("played", ["e4 e5", "d4"])
def test_what_was_overlooked_is_noticed(played: str) -> None:
    differ, record = Differ(), record_of(*line(played))
    assert isinstance(record, GameRecord)
    differ.take({"start": START, "san": []})
    differ.take({"board": "of no matter"})
    differ.take({"start": START, "san": ["e4"]})
    with pytest.raises(MisledError, match="instead of"):
        differ.check(record)


def test_it_runs_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "1", "--kinds", "club identity"]) == 0
    assert "club identity" in capsys.readouterr().out
