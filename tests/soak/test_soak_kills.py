"""A journal whose writer is killed again and again."""

from pathlib import Path

from tests.bridge.journal_kills import killed_again_and_again
from tests.soak.conftest import Tell

KILLS = 500


def test_a_journal_outlives_hundreds_of_kills(tmp_path: Path, figure: Tell) -> None:
    stored = killed_again_and_again(tmp_path / "journal.sqlite", kills=KILLS)
    figure(f"{KILLS} kills, {stored} readings, none lost")
