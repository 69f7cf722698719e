"""``forget``: a name goes, and the game stays."""

import sqlite3
from contextlib import closing
from pathlib import Path

import chess
import pytest

from bridge.cli import main
from bridge.cli.export import games_of
from bridge.cli.frame import CANNOT, DONE, NO
from bridge.core.model import AddNote, Payload, Reading, Ruling, SetResult, TableSetup
from bridge.core.scoresheet.record import GameRecord
from bridge.store.forgetting import Name
from bridge.store.journal import Journal
from bridge.store.outbox import Outbox
from bridge.store.rows import read_journal
from drivers.cells import cells_of
from drivers.events import ClockReading, Snapshot

SETUP = TableSetup(
    white="Kramer, Anna",
    black="Wang, Wei",
    round="1",
    tags={"WhiteElo": "2301", "WhiteFideId": "1234567", "WhiteTeam": "Delft", "BlackElo": "1900"},
)
CONFIG = """\
pgn: {{folder: games}}
cloud: {{folder: cloud}}
event: {{pairings: round1.csv}}
tables:
  - {{table: "1", white: {white}, board: {{port: /dev/absent}}}}
  - {{table: "9", board: {{port: /dev/away}}}}
"""


def payloads() -> list[Payload]:
    board = chess.Board()
    clock = ClockReading(at=0.0, left_ms=300_000, right_ms=300_000, running=True, turn="left")
    told: list[Payload] = [SETUP, Snapshot(at=0.0, cells=cells_of(board)), clock]
    board.push_san("e4")
    note = AddNote(text="Anna Kramer was late; KRAMER, ANNA knows")
    return [
        *told,
        Snapshot(at=0.0, cells=cells_of(board)),
        ClockReading(at=0.0, left_ms=299_000, right_ms=300_000, running=True, turn="right"),
        Ruling(by="Anna Kramer", order=note),
        Ruling(by="Okafor, Ben", order=SetResult(result="1-0"), reason="Wang, Wei resigned"),
    ]


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    """A configuration of the next round, with a journal of the last one."""
    (tmp_path / "round1.csv").write_text("board,white,black\n9,Okafor,Wang\n", "utf-8")
    (tmp_path / "data").mkdir()
    with Journal.open(tmp_path / "data" / "journal.sqlite3") as journal:
        readings = [
            Reading(table="1", link="b", seq=seq, at=4.0 * seq, wall=4.0 * seq, payload=payload)
            for seq, payload in enumerate(payloads(), start=1)
        ]
        journal.submit(readings, lambda: None)
    with Outbox(tmp_path / "data" / "outbox.sqlite3") as outbox:
        outbox.put("lichess", {"1": b'[White "Kramer, Anna"]', "2": b'[White "Okafor, Ben"]'})
    config = tmp_path / "hall.yaml"
    config.write_text(CONFIG.format(white='"Okafor, Ben"'), "utf-8")
    return config


def game(config: Path) -> GameRecord:
    (record,) = games_of(config.parent / "data" / "journal.sqlite3", "1")
    return record


def test_the_name_goes_and_the_game_stays(hall: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = game(hall)
    assert main(["forget", str(hall), "Kramer, Anna"]) == DONE
    assert "2 readings of the journal and 1 messages" in capsys.readouterr().out
    after = game(hall)
    assert (after.setup.white, after.setup.black) == ("?", "Wang, Wei")
    assert after.setup.tags == {"BlackElo": "1900"}
    assert [ply.uci for ply in after.plies] == [ply.uci for ply in before.plies] == ["e2e4"]
    assert (after.result, after.started) == (before.result, before.started)
    *_, note, result = (
        each.payload for _, each in read_journal(hall.parent / "data/journal.sqlite3")
    )
    assert note == Ruling(by="Anna Kramer", order=AddNote(text="? was late; ? knows"))
    assert result == payloads()[-1]


def test_no_byte_of_the_name_is_left(hall: Path) -> None:
    data = hall.parent / "data"
    with closing(sqlite3.connect(data / "journal.sqlite3")) as other, other:
        other.execute(
            "UPDATE readings SET payload = replace(payload, 'by\":\"Anna Kramer', 'by\":\"')"
        )
    main(["forget", str(hall), "anna kramer"])
    kept = b"".join(path.read_bytes() for path in data.iterdir())
    assert b"Wang, Wei" in kept
    for secret in (b"Kramer", b"KRAMER", b"1234567", b"2301"):
        assert secret not in kept


def test_what_waits_is_sent_without_it(hall: Path) -> None:
    main(["forget", str(hall), "Kramer, Anna"])
    with Outbox(hall.parent / "data" / "outbox.sqlite3") as outbox:
        assert [entry.content for entry in outbox.waiting("lichess")] == [
            b'[White "?"]',
            b'[White "Okafor, Ben"]',
        ]


def test_a_second_time_there_is_nothing(hall: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["forget", str(hall), "Kramer, Anna"])
    capsys.readouterr()
    assert main(["forget", str(hall), "Kramer, Anna"]) == DONE
    assert capsys.readouterr().out.startswith("0 readings of the journal and 0 messages")


def test_files_that_have_the_name_are_said(hall: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = hall.parent
    hall.write_text(CONFIG.format(white='"Kramer, Anna"'), "utf-8")
    for path, text in {
        "round1.csv": "board,white,black\n9,Anna Kramer,Wang\n",
        "games/1.pgn": '[White "Kramer, Anna"]',
        "games/2.pgn": '[White "Wang, Wei"]',
        "cloud/1.json": '{"fname":"Anna","mname":null,"lname":"Kramer","title":null}',
        "data/journal.sqlite3.before-20261122-050000": "",
        "data/accounts.json": '{"version": 1, "accounts": [{"name": "Anna Kramer"}]}',
    }.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    assert main(["forget", str(hall), "Kramer, Anna"]) == NO
    said = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()[1:]]
    assert [str(Path(line).relative_to(folder)) for line in said] == [
        "hall.yaml",
        "round1.csv",
        "data/accounts.json",
        "cloud/1.json",
        "games/1.pgn",
        "data/journal.sqlite3.before-20261122-050000",
    ]


def test_nothing_is_changed_under_a_daemon(hall: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Journal.open(hall.parent / "data" / "journal.sqlite3"):
        assert main(["forget", str(hall), "Kramer, Anna"]) == CANNOT
    assert "in use by another eboard-bridge" in capsys.readouterr().err
    assert game(hall).setup.white == "Kramer, Anna"


def test_where_nothing_was_recorded_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "round1.csv").write_text("board,white,black\n9,Okafor,Wang\n", "utf-8")
    config = tmp_path / "hall.yaml"
    config.write_text(CONFIG.format(white="Okafor"), "utf-8")
    assert main(["forget", str(config), "Kramer, Anna"]) == DONE
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(("kept", "why"), [("journal", "no journal"), ("outbox", "not a database")])
def test_what_is_damaged_is_said(
    hall: Path, capsys: pytest.CaptureFixture[str], kept: str, why: str
) -> None:
    path = hall.parent / "data" / f"{kept}.sqlite3"
    if kept == "journal":
        with closing(sqlite3.connect(path)) as other:
            other.execute("PRAGMA application_id = 1")
    else:
        path.write_bytes(b"x" * 5000)
    assert main(["forget", str(hall), "Kramer, Anna"]) == CANNOT
    assert why in capsys.readouterr().err


def test_a_word_is_no_name(hall: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["forget", str(hall), "e4"]) == CANNOT
    assert "the whole name" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("Kramer, Anna", "Anna  Kramer and Kramer,Anna", "? and ?"),
        ("Anna Kramer", "Kramer, Anna", "?"),
        ("Li, Wu", "Li, Wulf; Celi, Wu; Li, Wu", "Li, Wulf; Celi, Wu; ?"),
        ("Müller", "Müller-Lyer, MÜLLER.", "?-Lyer, ?."),
        ("van der Berg, J. (2)", "J. (2) van der Berg", "?"),
        ("Madonna", "Madonna, Ann", "?, Ann"),
    ],
)
def test_a_name_is_found_as_it_is_written(name: str, text: str, left: str) -> None:
    assert Name(name).is_in(text)
    assert Name(name).taken_out(text) == left
