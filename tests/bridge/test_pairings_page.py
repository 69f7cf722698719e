"""The page about pairings says what is so."""

import re
from pathlib import Path

from bridge.config import load
from bridge.pairings import columns

PAGE = (Path(__file__).parents[2] / "docs" / "pairings.md").read_text(encoding="utf-8")


def test_the_columns_are_those_of_the_code() -> None:
    names = columns._SIDES | columns._PARTS | columns._PLACES
    listed = re.findall(r"^\| `(\w+)` \| ([^|]+) \|$", PAGE, re.MULTILINE)
    assert {field: re.findall(r"`(.+?)`", cell) for field, cell in listed} == {
        field: words.split() for field, words in names.items()
    }


def test_the_configurations_are_understood(tmp_path: Path) -> None:
    example, groups = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "hall.yaml").write_text(example, encoding="utf-8")
    (tmp_path / "round-5.pgn").write_text('[White "A"]\n[Black "B"]\n[Round "5.7"]\n')
    (tmp_path / "players.trf").write_text("001    1      B" + " " * 33 + "2100\n")
    config = load(tmp_path / "hall.yaml")
    assert [table.white.name for table in config.tables] == ["?", "?", "A"]
    assert config.tables[2].black.elo == 2100
    (tmp_path / "hall.yaml").write_text(groups, encoding="utf-8")
    for name, white, round_ in (("open-5", "A", 5), ("juniors-2", "C", 2)):
        text = f'[White "{white}"]\n[Black "B"]\n[Round "{round_}.1"]\n'
        (tmp_path / f"{name}.pgn").write_text(text)
    config = load(tmp_path / "hall.yaml")
    setups = [config.setup(table) for table in config.tables]
    assert [(each.section, each.round, each.white) for each in setups] == [
        ("", "5", "A"),
        ("Juniors", "2", "C"),
    ]
