"""The documents say what is so: names exist, samples work, tables are those of the code."""

import argparse
import ast
import contextlib
import importlib
import importlib.util
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from bridge.cli import COMMANDS, _commands, frame, main
from bridge.config import Delay, LichessSettings, UploadSettings, load
from bridge.core import model
from bridge.core.capture_readings import readings_of
from bridge.core.inference.timing import Timing
from bridge.core.laws.catalogue import CATALOGUE
from bridge.core.scoresheet.pgn import to_pgn
from bridge.core.scoresheet.record import Scorebook
from bridge.core.stream import AFTERTIME, OutputWriter, infer
from bridge.core.table import Table
from bridge.store import outbox
from bridge.store.journal import Journal
from bridge.store.schema import APPLICATION_ID, VERSION
from drivers.boards.dgt import Dgt
from drivers.capture import parse
from drivers.catalogue import all_drivers
from drivers.codec import DriverInfo
from drivers.events import Event
from drivers.simulated.streams import PROFILES
from tests.bridge.core.situations import SITUATIONS
from tests.said import Sayings, letters, templates
from tests.sources import syntax_tree

ROOT = Path(__file__).resolve().parents[1]
INFERENCE = "docs/inference.md"
INFERENCE_BOUNDS = "docs/inference-bounds.md"
INFERENCE_COSTS = "docs/inference-costs.md"
INFERENCE_SIMULATOR = "docs/inference-simulator.md"
READING_AGAIN = "docs/inference-reading-again.md"
INFERENCE_PAGES = tuple(f"docs/{p.name}" for p in sorted((ROOT / "docs").glob("inference*.md")))
BUILT = {"bridge/web/static"}
"""What is built by installing, if the packages of the pages can be had."""
DOCUMENTS = ("README.md", "CHANGELOG.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md")))
BOUND = re.compile(r"\A(?:MOST|PLIES|KEPT)_\w+\Z|\A\w+_BUDGET\Z")
CODE = re.compile(r"\A[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z|\A(?:GEOMETRY|MISSING|EXTRA)\Z")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEVER_DRAWN = ("hands", "early_reply")
"""Sessions draw it from the mishaps instead."""
PROMISE_CELLS = 4
"""A promise, its tests, the command that repeats them, and what came of the last run."""
NO_MESSAGE_KEYS = {"at", "unit"}
FACT_KEYS = {"table", "game", "at", "wall", "evidence"}


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, kind: str) -> list[str]:
    return [found[2] for found in FENCE.finditer(text_of(name)) if found[1] == kind]


def prose(name: str) -> str:
    return FENCE.sub("", text_of(name))


def section(name: str, title: str) -> str:
    found = re.search(
        rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", text_of(name), re.MULTILINE | re.DOTALL
    )
    assert found is not None, f"{name} has no section {title!r}"
    return found[1]


def whole_section(name: str, title: str) -> str:
    """Return a section of a document with the sections under it."""
    text = text_of(name)
    found = re.search(rf"^(#+) {re.escape(title)}\n", text, re.MULTILINE)
    assert found is not None, f"{name} has no section {title!r}"
    (rest, *_) = re.split(rf"^#{{1,{len(found[1])}}} ", text[found.end() :], flags=re.MULTILINE)
    return rest


def anchors_of(name: str) -> set[str]:
    """Return what a link may name behind ``#`` to lead to a heading of a document."""
    titles = re.findall(r"^#+ (.*)$", prose(name), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def rows(table: str) -> list[list[str]]:
    """Return the cells of the first table in a text, without its head."""
    found = re.search(r"(?:^\|.*\n)+", table, re.MULTILINE)
    assert found is not None
    return [cells(line) for line in found[0].splitlines()[2:]]


def tables_of(name: str) -> list[list[list[str]]]:
    """Return the rows of every table of a document."""
    return [rows(table) for table in re.findall(r"(?:^\|.*\n)+", prose(name), re.MULTILINE)]


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def code_spans(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


# --- form ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DOCUMENTS)
def test_tables_have_as_many_cells_in_every_row(name: str) -> None:
    for lines in re.findall(r"(?:^\|.*\n)+", prose(name), re.MULTILINE):
        table = lines.splitlines()
        assert re.fullmatch(r"\|(?:-+\|)+", table[1]), table[0]
        assert {len(cells(line)) for line in table} == {len(cells(table[0]))}, table[0]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_prose_fits_a_window(name: str) -> None:
    assert [line for line in prose(name).splitlines() if len(line) > 100 and line[0] != "|"] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", prose(name))
    assert [link for link in links if not ((ROOT / name).parent / link).exists()] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_to_a_heading(name: str) -> None:
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", prose(name))
    folder = (ROOT / name).parent
    wrong = [
        (page, anchor)
        for page, anchor in links
        if anchor not in anchors_of(str((folder / page).relative_to(ROOT)) if page else name)
    ]
    assert wrong == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_paths_and_functions_exist(name: str) -> None:
    paths = re.findall(
        r"`((?:bridge|drivers|tests|testbed|config|udev|docs|benchmarks)/[^`*]*)`", prose(name)
    )
    written = [path for path in paths if path.rstrip("/") not in BUILT]
    assert [path for path in written if not (ROOT / path).exists()] == []
    for module, dotted in re.findall(r"`((?:bridge|drivers)\.[\w.]+):([\w.]+)`", prose(name)):
        found: Any = importlib.import_module(module)
        for part in dotted.split("."):
            found = getattr(found, part)


@pytest.mark.parametrize("name", ["docs/security.md", "docs/reliability.md"])
def test_the_tests_that_a_page_names_exist(name: str) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)`: ((?:`\w+`(?:, )?)+)", text_of(name))
    assert len(named) > 15
    for file, tests in named:
        missing = [test for test in code_spans(tests) if f"def {test}(" not in text_of(file)]
        assert missing == [], file


def test_what_each_package_sees_is_said() -> None:
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    extras = project["optional-dependencies"].values()
    needed = [*project["dependencies"], *(need for extra in extras for need in extra)]
    table = rows(section("docs/security.md", "Packages, and what they see"))
    named = [name for row in table for name in code_spans(row[0])]
    assert sorted(named) == sorted(re.split("[<>=]", need)[0] for need in needed)


def test_every_promise_has_a_test_and_its_command_finds_one() -> None:
    in_rows = [row for table in tables_of("docs/reliability.md") for row in table]
    promises = [row for row in in_rows if len(row) == PROMISE_CELLS]
    assert len(promises) > 15
    assert [promise for promise, tests, *_ in promises if "`tests/" not in tests] == []
    targets = set(re.findall(r"^([\w-]+):", text_of("Makefile"), re.MULTILINE))
    soak = [path.read_text("utf-8") for path in (ROOT / "tests" / "soak").glob("test_soak_*.py")]
    for command in (command for row in promises for command in code_spans(row[2])):
        make, target, *chosen = shlex.split(command)
        assert (make, target in targets) == ("make", True), command
        if target == "soak":
            part = chosen[0].removeprefix("SOAK=-k ")
            assert any(re.search(rf"def test_\w*{part}", text) for text in soak), command


def test_the_data_path_names_the_whole_way() -> None:
    named = set(re.findall(r"`((?:bridge|drivers)\.[\w.]+):[\w.]+`", prose("docs/data-path.md")))
    layers = ("transports", "links", "boards", "daemon", "store", "core", "outputs")
    assert [layer for layer in layers if not any(f".{layer}" in name for name in named)] == []


# --- commands and messages ----------------------------------------------------------------------


def shell_lines(name: str) -> Iterator[list[str]]:
    for block in blocks(name, "sh"):
        for line in block.splitlines():
            yield shlex.split(line)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_are_understood(name: str) -> None:
    for words in shell_lines(name):
        if words[0].rpartition("/")[2] == "eboard-bridge":
            assert isinstance(_commands().parser.parse_args(words[1:]), argparse.Namespace)
        if "-m" in words[:2]:
            assert importlib.util.find_spec(words[2]) is not None, words
        if words[0] == "make":
            assert f"\n{words[1]}:" in text_of("Makefile")


def test_the_readme_lists_every_command() -> None:
    listed = [code_spans(row[0])[0].split() for row in rows(section("README.md", "Commands"))]
    names = {command.__name__.rpartition(".")[2].replace("_", "-") for command in COMMANDS}
    assert {words[1] for words in listed} == names
    for words in listed:
        assert isinstance(_commands().parser.parse_args(words[1:]), argparse.Namespace)


@pytest.mark.parametrize(
    ("name", "title"), [("README.md", "Commands"), ("docs/names.md", "Exit codes")]
)
def test_exit_codes_are_those_of_the_program(name: str, title: str) -> None:
    written = re.findall(r"^\| (\d+) \| (.*) \|$", section(name, title), re.MULTILINE)
    assert written == re.findall(r"^  (\d+) +(.*)$", frame.EXIT_CODES, re.MULTILINE)


@cache
def messages() -> Sayings:
    """Every text in the program that would be known again."""
    found = templates([*ROOT.glob("bridge/**/*.py"), *ROOT.glob("drivers/**/*.py")])
    return Sayings(template for template in found if letters(template) >= 12)


def quoted_messages() -> list[str]:
    quoted = "".join(blocks("docs/troubleshooting.md", "text"))
    return re.sub(r"\n +", " ", quoted).splitlines()


@pytest.mark.parametrize("message", quoted_messages())
def test_quoted_messages_are_the_programs(message: str) -> None:
    if message.startswith("hall.yaml:"):
        message = message.split(": ", 1)[1]
    assert is_said(message) or all(map(is_said, message.split("; ")))


def is_said(text: str) -> bool:
    return messages().have(text)


# --- configuration ------------------------------------------------------------------------------


def test_the_configurations_in_the_readme_have_no_problems(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, file = blocks("README.md", "yaml")
    path = tmp_path / "hall.yaml"
    path.write_text(first, encoding="utf-8")
    assert main(["check-config", str(path)]) == 0
    assert load(path).web is not None
    path.write_text(file, encoding="utf-8")
    assert main(["check-config", str(path)]) == 0
    assert "no problems" in capsys.readouterr().out
    config = load(path)
    assert len(config.tables) == 3
    assert config.pgn.folder.name == "games"
    assert config.data.journal == tmp_path / "data/journal.sqlite3"


def test_the_configuration_of_cloud_files_is_one(tmp_path: Path) -> None:
    (file,) = blocks("docs/cloud.md", "yaml")
    path = tmp_path / "hall.yaml"
    path.write_text(file, encoding="utf-8")
    config = load(path)
    assert config.cloud is not None
    assert (config.cloud.folder, config.cloud.delay.minutes) == (tmp_path / "cloud", 15)
    keys = {
        code_spans(row[0])[0].split(":")[0]
        for row in rows(section("docs/cloud.md", "Delay"))
        if "`" in row[0]
    }
    assert keys == set(Delay.__dataclass_fields__)


def test_the_configuration_of_a_broadcast_is_one(tmp_path: Path) -> None:
    (file,) = blocks("docs/lichess.md", "yaml")
    path = tmp_path / "hall.yaml"
    path.write_text(file, encoding="utf-8")
    config = load(path)
    assert config.lichess is not None
    assert config.lichess.tournament == "AbCd1234"
    keys = {code_spans(row[0])[0] for row in rows(section("docs/lichess.md", "Switch it on"))}
    assert keys == set(LichessSettings.__dataclass_fields__)


def test_the_configuration_of_uploads_is_one(tmp_path: Path) -> None:
    (file,) = blocks("docs/uploads.md", "yaml")
    path = tmp_path / "hall.yaml"
    path.write_text(file, encoding="utf-8")
    (upload,) = load(path).uploads
    assert (upload.host, upload.key_file) == ("www.example.org", tmp_path / "upload.key")
    table = rows(section("docs/uploads.md", "Switch it on"))
    keys = {key for row in table for key in code_spans(row[0])}
    assert keys == set(UploadSettings.__dataclass_fields__) - {"password_file"}


def test_the_configuration_of_webhooks_is_one(tmp_path: Path) -> None:
    (file,) = blocks("docs/programs.md", "yaml")
    path = tmp_path / "hall.yaml"
    path.write_text(file, encoding="utf-8")
    assert [(hook.name, hook.kind) for hook in load(path).webhooks] == [
        ("screens", "json"),
        ("phone", "ntfy"),
    ]


# --- the sample of the data path ----------------------------------------------------------------


def test_the_sample_gives_what_the_page_shows() -> None:
    (source,) = blocks("docs/data-path.md", "capture")
    table, book = Table("1"), Scorebook()
    readings = list(readings_of(parse(source, name="e4.capture"), Dgt, table="1"))
    facts = [fact for reading in readings for fact in table.apply(reading)]
    facts += table.tick(readings[-1].at + AFTERTIME)
    for fact in facts:
        book.apply(fact)
    given = [msgspec.to_builtins(each) for each in (*facts, *(r.payload for r in readings))]
    shown = [json.loads(block) for block in blocks("docs/data-path.md", "json")]
    assert len(shown) == 4
    assert [
        each for each in shown if json.loads(msgspec.json.encode(each)) not in as_json(given)
    ] == []
    (pgn,) = blocks("docs/data-path.md", "pgn")
    assert to_pgn(book.records()[0]).endswith(f"\n{pgn}\n")


def as_json(values: list[Any]) -> list[Any]:
    return [json.loads(msgspec.json.encode(value)) for value in values]


def test_the_thresholds_are_those_of_the_code() -> None:
    table = rows(section(INFERENCE_BOUNDS, "The thresholds"))
    assert {code_spans(row[0])[0]: float(row[1]) for row in table} == asdict(Timing())


def numbers_of_inference() -> set[tuple[str, float]]:
    """Every constant of inference that is a number, wherever it stands."""
    found = set()
    files = [*ROOT.glob("bridge/core/inference/**/*.py"), ROOT / "bridge/core/table/kept_back.py"]
    for file in files:
        for statement in syntax_tree(file).body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                    if isinstance(value, int | float):
                        found.add((name, float(value)))
    return found


def numbers_in(name: str, title: str) -> set[tuple[str, float]]:
    """The names and numbers of all tables in a section of a page, and in those under it."""
    text = whole_section(name, title)
    rows_of = re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", text, re.MULTILINE)
    return {(name, float(number)) for name, number in rows_of}


def test_the_bounds_are_those_of_the_code() -> None:
    bounds = {each for each in numbers_of_inference() if BOUND.match(each[0])}
    written = numbers_in(INFERENCE_BOUNDS, "The bounds")
    assert bounds <= written <= numbers_of_inference()


@pytest.mark.parametrize(
    ("name", "title"),
    [
        (INFERENCE_COSTS, "Costs of one placement"),
        (INFERENCE_COSTS, "Limits on these costs"),
        (READING_AGAIN, "Retracing"),
        (READING_AGAIN, "The second reading"),
    ],
)
def test_the_costs_are_those_of_the_code(name: str, title: str) -> None:
    assert numbers_in(name, title)
    assert numbers_in(name, title) <= numbers_of_inference()


def numbers_by_name() -> dict[str, set[float]]:
    """The numbers of the constants of the core, and of the thresholds, that have each name."""
    found: dict[str, set[float]] = {name: {value} for name, value in asdict(Timing()).items()}
    for file in ROOT.glob("bridge/core/**/*.py"):
        for statement in syntax_tree(file).body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    with contextlib.suppress(ValueError):
                        number = ast.literal_eval(value)
                        found.setdefault(name, set())
                        if isinstance(number, int | float):
                            found[name].add(abs(float(number)))
    return found


@pytest.mark.parametrize("name", INFERENCE_PAGES)
def test_numbers_in_the_prose_are_those_of_the_code(name: str) -> None:
    known = numbers_by_name()
    text = re.sub(r"\s+", " ", prose(name))
    named = re.findall(r"([\d.]+)(?: s)? \(`(\w+)`", text)
    assert [each for each in named if float(each[0]) not in known.get(each[1], ())] == []


@pytest.mark.parametrize("name", INFERENCE_PAGES)
def test_constants_that_are_named_exist(name: str) -> None:
    spans = code_spans(prose(name))
    named = {span for span in spans if re.fullmatch(r"[A-Z][A-Z0-9_]+", span)}
    files = ROOT.glob("bridge/core/**/*.py")
    names = set().union(
        *(set(re.findall(r"\b[A-Z][A-Z0-9_]+\b", f.read_text("utf-8"))) for f in files)
    )
    assert named - names == set()


def test_the_entrance_lists_every_page_about_inference() -> None:
    table = rows(section(INFERENCE, "Which page says what"))
    linked = [link for row in table for link in re.findall(r"\]\(([^)#]+)\)", row[1])]
    assert sorted(f"docs/{link}" for link in linked) == sorted({*INFERENCE_PAGES} - {INFERENCE})


def test_the_situations_are_those_that_are_tested() -> None:
    table = rows(section(INFERENCE, "The 39 situations"))
    assert table == [[each.title, each.description] for each in SITUATIONS]


def test_the_rates_are_those_of_the_profiles() -> None:
    parts = ("hands", "mishaps", "sensing", "clocks", "proceedings")
    rates: dict[str, list[float]] = {}
    for profile, part in product(PROFILES.values(), parts):
        for name, rate in asdict(getattr(profile, part)).items():
            if isinstance(rate, float) and (part, name) != NEVER_DRAWN:
                rates.setdefault(name, []).append(rate)
    assert list(PROFILES) == ["clean", "club", "chaos"]
    table = rows(section(INFERENCE_SIMULATOR, "Profiles and rates"))
    assert {code_spans(row[0])[0]: [float(cell) for cell in row[2:5]] for row in table} == rates


def test_the_measured_tables_have_a_place() -> None:
    assert text_of(INFERENCE).count("<!-- measured -->") == 1
    assert "<!-- measured -->" in section(INFERENCE, "What was measured")


def test_every_basis_is_explained() -> None:
    table = rows(section(INFERENCE, "What settles a move"))
    basis = model.MoveSettled.__annotations__["basis"]
    assert [code_spans(row[0])[0] for row in table] == list(get_args(basis))


# --- names --------------------------------------------------------------------------------------


def declared(classes: Any, without: set[str]) -> dict[str, list[str]]:
    return {
        cls.__name__: [name for name in cls.__struct_fields__ if name not in without]
        for cls in get_args(classes)
    }


def named(title: str) -> dict[str, list[str]]:
    table = rows(section("docs/names.md", title))
    return {code_spans(row[0])[0]: code_spans(row[1]) for row in table}


def test_events_are_named() -> None:
    assert named("Events") == declared(Event, NO_MESSAGE_KEYS)


def test_payloads_are_named() -> None:
    payloads = declared(model.Payload, set())
    events = {cls.__name__ for cls in get_args(Event)}
    assert named("Other payloads of readings") == {
        name: fields for name, fields in payloads.items() if name not in events
    }


def test_orders_are_named() -> None:
    assert named("Orders") == declared(model.Order, set())


def test_readings_are_named() -> None:
    assert list(named("Readings")) == list(model.Reading.__struct_fields__)


def test_facts_are_named() -> None:
    assert named("Facts") == declared(model.Fact, FACT_KEYS)


def codes_in_the_core() -> set[str]:
    found = set()
    for file in ROOT.glob("bridge/core/**/*.py"):
        for node in ast.walk(syntax_tree(file)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= set(CODE.findall(node.value))
    return found


def test_alert_codes_and_reasons_are_named() -> None:
    table = rows(section("docs/names.md", "Alerts"))
    written = {name for row in table for cell in (row[0], row[2]) for name in code_spans(cell)}
    kept = {name for name in code_spans(text_of("docs/alerts.md")) if CODE.match(name)}
    instead = {"ARBITER_NEEDED"}
    assert written | kept | instead == codes_in_the_core()


def test_every_alert_is_raised_by_something() -> None:
    files = ROOT.glob("bridge/core/table/**/*.py")
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    by_their_ends = {"CHECKMATE", "STALEMATE"}
    assert {code for code in CATALOGUE if f'"{code}"' not in text} == by_their_ends


STREAM = """\
{"t":0,"kind":"meta","board":"identity","clock":true,"games":[{"variant":"standard"}]}
{"t":0,"kind":"snapshot","board":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}
{"t":1,"kind":"clock","left":60,"right":60,"turn":"left","run":true}
{"t":2,"kind":"field","square":"e2","piece":null}
{"t":2.5,"kind":"field","square":"e4","piece":"P"}
{"t":4,"kind":"clock","left":58,"right":60,"turn":"right","run":true}
{"t":5,"kind":"field","square":"e7","piece":null}
{"t":5.5,"kind":"field","square":"e4","piece":"p"}
{"t":6,"kind":"clock","left":58,"right":58,"turn":"left","run":true}
{"t":9,"kind":"snapshot","board":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"}
"""


def test_keys_of_engine_output_are_named() -> None:
    writer = OutputWriter(provisional=True, explain=True)
    lines = [json.loads(line) for line in infer(STREAM.splitlines(), name="s", writer=writer)]
    table = rows(section("docs/names.md", "Engine output"))
    written = [set(code_spans(row[1])) for row in table]
    assert {"move", "alert", "cleared", "provisional"} <= {key for line in lines for key in line}
    for line in lines:
        assert any(line.keys() - {"because"} <= keys for keys in written), line
        if "because" in line:
            assert set(line["because"]) <= {"readings", "basis", "seen", "text"}


def test_the_journal_is_described(tmp_path: Path) -> None:
    page = section("docs/names.md", "The journal")
    assert f"schema version {VERSION}." in page
    assert f"{APPLICATION_ID:#x}" in page
    path = tmp_path / "journal.sqlite3"
    Journal.open(path).close()
    assert columns_of(path) == named("The journal")


def test_the_outbox_is_described(tmp_path: Path) -> None:
    assert f"schema version, {outbox.VERSION}." in section("docs/names.md", "The outbox")
    path = tmp_path / "outbox.sqlite3"
    outbox.Outbox(path).close()
    assert columns_of(path) == named("The outbox")


def columns_of(database: Path) -> dict[str, list[str]]:
    """The columns of each table in a database."""
    with contextlib.closing(sqlite3.connect(database)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {
            name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            for (name,) in names.fetchall()
        }


def test_header_keys_of_captures_are_named() -> None:
    sources = ("bridge/cli/recording.py", "bridge/links/capture_files.py", "drivers/capture.py")
    text = "".join(map(text_of, sources))
    keys = named("Capture files")
    assert [key for key in keys if f'"{key}"' not in text] == []
    assert set(re.findall(r'header(?:\.get\(|\[)"([\w-]+)"', text)) <= keys.keys()


def test_tags_of_a_game_are_named() -> None:
    setup = model.TableSetup(
        section="A", round="1", board=3, time_control="60", chess960=True, tags={"ECO": "B33"}
    )
    common: dict[str, Any] = {"table": "1", "game": 1, "at": 0.0, "wall": 0.0, "evidence": (1, 1)}
    book = Scorebook()
    fen = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w KQkq - 0 1"
    book.apply(model.GameStarted(setup=setup, fen=fen, rotated=False, **common))
    book.apply(model.GameEnded(result="1-0", by="kings", **common))
    tags = set(re.findall(r"^\[(\w+) ", to_pgn(book.records()[0]), re.MULTILINE))
    introduction = section("docs/names.md", "PGN").split("The configuration adds")[0]
    assert tags - {"ECO"} == set(code_spans(introduction))


# --- the driver of docs/writing-a-driver.md -----------------------------------------------------


def test_every_field_of_the_declaration_is_explained() -> None:
    table = rows(section("docs/writing-a-driver.md", "2. The declaration and the codec"))
    assert {code_spans(row[0])[0] for row in table} == set(DriverInfo.__dataclass_fields__)


def test_every_driver_and_option_is_in_the_page_of_boards() -> None:
    drivers = all_drivers()
    named = set(re.findall(r"`([a-z0-9_]+)`", prose("docs/boards.md")))
    assert drivers.keys() <= named
    options = {
        (name, option.name, option.about)
        for name, driver in drivers.items()
        for option in driver.info.options
    }
    table = rows(section("docs/boards.md", "Options"))
    assert {(*code_spans(" ".join(row[:2])), row[2]) for row in table} == options


def test_every_command_is_in_the_page_of_boards() -> None:
    table = rows(section("docs/boards.md", "Asking a board for something"))
    named = {(code_spans(row[0])[0], command) for row in table for command in code_spans(row[1])}
    known = {
        (name, command) for name, driver in all_drivers().items() for command in driver.commands
    }
    assert named == known


def test_the_boards_in_the_page_of_boards_can_be_configured(tmp_path: Path) -> None:
    path = tmp_path / "hall.yaml"
    tables = []
    for file in blocks("docs/boards.md", "yaml"):
        path.write_text(file, encoding="utf-8")
        tables.append(len(load(path).tables))
    assert tables == [4, 1]


@pytest.fixture
def acme(tmp_path: Path) -> Path:
    """A folder with what the page tells to write, as if it had been installed."""
    codec, board, port, test = blocks("docs/writing-a-driver.md", "python")
    (project,) = blocks("docs/writing-a-driver.md", "toml")
    (capture,) = blocks("docs/writing-a-driver.md", "capture")
    (tmp_path / "acme_board.py").write_text(f"{codec}\n\n{board}", encoding="utf-8")
    (tmp_path / "run_acme.py").write_text(port, encoding="utf-8")
    (tmp_path / "test_acme.py").write_text(test, encoding="utf-8")
    (tmp_path / "acme.capture").write_text(capture, encoding="utf-8")
    installed = tmp_path / "eboard_bridge_acme-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: eboard-bridge-acme\nVersion: 1.0\n"
    )
    entry_points = re.findall(
        r'^\[project\.entry-points\."(.*)"\]\n((?:\w.*\n)+)', project, re.MULTILINE
    )
    (installed / "entry_points.txt").write_text(
        "".join(f"[{group}]\n{entries.replace(chr(34), '')}" for group, entries in entry_points)
    )
    return tmp_path


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(folder)))}


def run(folder: Path, *module: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *module],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_example_decodes_its_bytes(acme: Path) -> None:
    result = run(acme, "bridge", "replay", "acme.capture", "--uci")
    assert (result.stderr, result.stdout, result.returncode) == ("", "e2e4 e7e5\n", 0)
    assert f"It prints `{result.stdout.strip()}`." in text_of("docs/writing-a-driver.md")


def test_the_tests_of_the_example_pass(acme: Path) -> None:
    options = ("-q", "-p", "no:cacheprovider", "--rootdir", str(acme))
    result = run(acme, "pytest", *options, "test_acme.py")
    assert result.returncode == 0, result.stdout
    assert "2 passed" in result.stdout


def test_the_example_keeps_what_every_driver_promises(acme: Path) -> None:
    (shown,) = blocks("docs/writing-a-driver.md", "text")
    result = run(acme, "bridge", "check-driver", "acme", "acme.capture")
    assert (result.stderr, result.stdout, result.returncode) == ("", shown, 0)


def test_the_example_board_is_discovered_on_a_port(acme: Path) -> None:
    port, everything = acme / "acme-port", environment(acme)
    with subprocess.Popen([sys.executable, "run_acme.py"], cwd=acme, env=everything) as board:
        try:
            while not port.is_symlink():
                assert board.poll() is None
                time.sleep(0.02)
            answer = run(acme, "bridge", "discover", str(port)).stdout
        finally:
            board.kill()
    head, row = answer.splitlines()
    assert head.split()[:2] == ["port", "driver"]
    assert row.split()[:2] == [f"serial:{port}", "acme"]
