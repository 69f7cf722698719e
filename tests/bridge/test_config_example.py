"""The example configuration and the schema cannot disagree."""

from pathlib import Path

import yaml

from bridge.config import Config, load
from bridge.config.example import comment, example
from bridge.config.schema import Either, Items, Section, Setting, settings_of

EXAMPLE = Path(__file__).parents[2] / "config" / "example.yaml"


def all_settings(cls: type) -> list[Setting]:
    """Return what the example explains; a section with an example of its own is not unfolded."""
    found = []
    for setting in settings_of(cls).values():
        found.append(setting)
        kind = setting.key.kind
        if isinstance(kind, Items):
            kind = kind.item
        if isinstance(kind, Either):
            kind = kind.section
        if isinstance(kind, Section) and not setting.key.example:
            found += all_settings(kind.cls)
    return found


def all_keys(value: object) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(all_keys, value.values()))
    if isinstance(value, list):
        return set().union(*map(all_keys, value))
    return set()


def test_the_example_is_the_one_the_schema_gives() -> None:
    assert EXAMPLE.read_text(encoding="utf-8") == example()


def test_the_example_loads() -> None:
    assert [table.table for table in load(EXAMPLE).tables] == ["1"]


def test_the_example_has_every_key() -> None:
    settings = all_settings(Config)
    assert {s.name for s in settings if not s.key.alone} <= all_keys(yaml.safe_load(example()))
    for setting in settings:
        if setting.key.alone:
            assert f"# {setting.name}: {setting.key.example}\n" in example()


def test_the_comments_are_the_sentences_of_the_schema() -> None:
    comments = [line.strip()[2:] for line in example().splitlines() if line.strip()[:1] == "#"]
    text = " ".join(comments)
    for setting in all_settings(Config):
        assert setting.key.says in text
        assert comment(setting) in text


def test_every_sentence_is_one() -> None:
    for setting in all_settings(Config):
        assert setting.key.says.endswith(".")
        assert ". " not in setting.key.says
