"""``lichess`` through the command line, with a fake Lichess in another thread."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, NO
from bridge.cli.lichess import _records
from bridge.config import load
from bridge.core.capture_readings import readings_of
from bridge.core.model import Reading, TableSetup
from bridge.outputs.lichess.games import round_games
from bridge.outputs.lichess.round_pusher import OUTPUT
from bridge.outputs.lichess.states import STATE_NOTE, BoardState, key_of
from bridge.store.journal import Journal
from bridge.store.outbox import Outbox
from drivers.boards.dgt import Dgt
from drivers.capture import parse
from testbed.fake_lichess import TOKEN, FakeLichess
from testbed.lichess_rounds import split
from tests.lichess import (
    Table,
    broadcast,
    eventually,
    expected,
    feed_of,
    one_move,
    shown,
)

CONFIG = """\
event: {{name: Harbour Open, site: Delft, round: {round}, time_control: 180+2}}
lichess: {{server: "{server}", token_file: token, {place}}}
tables:
  - {{table: "1", number: 1, white: "Ann, A", black: "Bob, B", board: {{port: /dev/a}}}}
  - {{table: "2", number: 2, white: "?", black: "Dag, D", board: {{port: /dev/b}}}}
"""


@contextmanager
def serving(lichess: FakeLichess) -> Iterator[str]:
    """Serve in a thread: a command has an event loop of its own."""
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()
    ready = threading.Event()

    async def serve() -> None:
        async with lichess.serving():
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        assert ready.wait(20)
        yield lichess.url
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


@pytest.fixture
def lichess() -> Iterator[FakeLichess]:
    fake = FakeLichess(tournaments={"Tour0001": ["AbCd1234"]})
    fake.add_round("AbCd1234")
    with serving(fake):
        yield fake


def hall(
    folder: Path,
    server: str = "https://lichess.org",
    place: str = "rounds: {1: AbCd1234}",
    round_: str = "1",
) -> str:
    token = folder / "token"
    token.write_text(f"{TOKEN}\n")
    token.chmod(0o600)
    file = folder / "hall.yaml"
    file.write_text(CONFIG.format(server=server, place=place, round=round_))
    return str(file)


def said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    out, err = capsys.readouterr()
    assert TOKEN not in out + err
    return [line.rstrip() for line in (out + err).splitlines()]


def test_what_would_be_pushed_is_shown_and_nothing_is_sent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = hall(tmp_path, "http://127.0.0.1:9")
    assert main(["lichess", "check", file]) == NO
    assert said(capsys) == [
        "round  board  table  white   black   plies  time control  on Lichess",
        "1      1      1      Ann, A  Bob, B  0      3+2           not yet",
        "1      2      2      ?       Dag, D  0      3+2           not yet",
        "round 1, table 2: White has no name, and Lichess shows no game without names",
        f"{file}: 1 problem",
    ]


def journal(folder: Path) -> None:
    """Play e4 at table 1, in the middle of the past."""
    setup = load(folder / "hall.yaml").setup(load(folder / "hall.yaml").tables[0])
    readings = list(readings_of(parse(one_move(), name="e4.capture"), Dgt, table="1"))
    first = Reading(table="1", link="setup", seq=1, at=0.0, wall=readings[0].wall, payload=setup)
    played = [each for each in readings if not isinstance(each.payload, TableSetup)]
    with Journal.open(folder / "data" / "journal.sqlite3") as there:
        asyncio.run(there.append([first, *played]))


def test_games_of_the_journal_and_what_lichess_has_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = hall(tmp_path)
    journal(tmp_path)
    assert main(["lichess", "check", file, "--pgn", str(tmp_path / "out.pgn")]) == NO
    assert "1      1      1      Ann, A  Bob, B  1      3+2           not yet" in said(capsys)
    (text,) = split((tmp_path / "out.pgn").read_text())
    assert text.endswith("1. e4 {[%clk 1:30:57]} *")
    config = load(Path(file))
    assert config.lichess is not None
    (game,) = round_games(_records(config))
    key = key_of(config.lichess, game)
    state = BoardState(round="1", table="1", plies=1, at=time.time(), trouble="all is well")
    with Outbox(config.data.outbox) as outbox:
        outbox.put(OUTPUT, {}, notes={f"{STATE_NOTE}{key}": msgspec.json.encode(state).decode()})
    assert main(["lichess", "check", file, "--pgn", "-"]) == NO
    lines = said(capsys)
    assert [line for line in lines if line.startswith("1      1 ") and "1 plies, " in line]
    assert '[GameId "' + game.game_id + '"]' in lines


def test_lichess_is_asked_about_token_and_rounds(
    tmp_path: Path, lichess: FakeLichess, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["lichess", "check", hall(tmp_path, lichess.url), "--ask"]
    main(asked)
    assert "round 1: AbCd1234 takes pushes" in said(capsys)
    lichess.contributor = False
    main(asked)
    assert "round 1: the token's account may not write to AbCd1234" in said(capsys)
    hall(tmp_path, lichess.url, "rounds: {1: Strange1}")
    main(asked)
    assert "round 1: the token's account takes no part in Strange1" in said(capsys)
    hall(tmp_path, lichess.url, "rounds: {1: AbCd1234}", "2")
    main(asked)
    assert "round 2 is not under 'lichess: rounds'" in said(capsys)
    hall(tmp_path, lichess.url, "tournament: Tour0001", "2")
    main(asked)
    assert "round 2: 'Round 2' will be created in Tour0001" in said(capsys)
    assert lichess.bodies == []
    assert len(lichess.rounds) == 1


def test_a_token_that_is_wrong_or_that_others_may_read(
    tmp_path: Path, lichess: FakeLichess, capsys: pytest.CaptureFixture[str]
) -> None:
    file = hall(tmp_path, lichess.url)
    (tmp_path / "token").chmod(0o644)
    main(["lichess", "check", file])
    token = tmp_path / "token"
    assert f"others may read {token}: chmod 600 {token}" in said(capsys)
    token.write_text("lip_wrong")
    assert main(["lichess", "check", file, "--ask"]) == CANNOT
    (line,) = [line for line in said(capsys) if "401" in line]
    assert line.endswith("it does not know the token, or the token may not write studies")
    token.write_text("two words")
    main(["lichess", "check", file])
    assert f"what stands in {token} is no token" in said(capsys)
    token.write_bytes(b"\xff\xfe")
    main(["lichess", "check", file])
    assert f"what stands in {token} is no token" in said(capsys)
    token.unlink()
    main(["lichess", "check", file])
    assert f"the token cannot be read: {token}: No such file or directory" in said(capsys)


def test_rounds_are_listed(
    tmp_path: Path, lichess: FakeLichess, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lichess", "rounds", hall(tmp_path, lichess.url)]) == DONE
    assert said(capsys) == [
        "round     name     broadcast  name          pushes",
        "AbCd1234  Round 1  Tour0001   Harbour Open  yes",
    ]
    lichess.tournaments.clear()
    assert main(["lichess", "rounds", hall(tmp_path, lichess.url)]) == NO


def test_a_broadcast_is_made_and_named(
    tmp_path: Path, lichess: FakeLichess, capsys: pytest.CaptureFixture[str]
) -> None:
    file = hall(tmp_path, lichess.url)
    assert main(["lichess", "create", file]) == DONE
    assert said(capsys) == [
        "lichess:",
        "  tournament: Tour0002",
        f"made: {lichess.url}/broadcast/-/Tour0002",
    ]
    assert lichess.forms == [{"name": "Harbour Open", "info.location": "Delft", "info.tc": "3+2"}]


def test_who_has_no_section_yet_can_make_a_broadcast(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hall.yaml"
    file.write_text("tables: [{table: 1, board: {port: /dev/a}}]")
    monkeypatch.delenv("LICHESS_TOKEN", raising=False)
    assert main(["lichess", "check", str(file)]) == CANNOT
    assert said(capsys) == [f"{file} has no section 'lichess'; docs/lichess.md tells what to write"]
    assert main(["lichess", "create", str(file)]) == CANNOT
    assert said(capsys) == [f"{file}: write the name of the event, under 'event: name'"]
    file.write_text("event: {name: Open}\ntables: [{table: 1, board: {port: /dev/a}}]")
    assert main(["lichess", "create", str(file)]) == CANNOT
    assert said(capsys) == ["there is no token in the environment variable LICHESS_TOKEN"]
    absent = str(tmp_path / "absent")
    assert main(["lichess", "create", str(file), "--token-file", absent]) == CANNOT
    assert absent in said(capsys)[0]


def test_an_outbox_that_is_none_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = hall(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "outbox.sqlite3").write_text("no database at all, " * 60)
    assert main(["lichess", "check", file]) == CANNOT
    assert "cannot be read: file is not a database" in said(capsys)[0]


def test_a_round_is_emptied_to_be_pushed_anew(
    tmp_path: Path, lichess: FakeLichess, capsys: pytest.CaptureFixture[str]
) -> None:
    file = hall(tmp_path, lichess.url)
    settings = load(Path(file)).lichess
    assert settings is not None
    round_ = lichess.rounds["AbCd1234"]
    outbox = tmp_path / "data"
    outbox.mkdir()

    async def play() -> None:
        feed = feed_of()
        table, other = Table(feed.tell, 1), Table(feed.tell, 2)
        async with broadcast(feed, replace(settings, interval=0.02), outbox) as output:
            table.starts()
            other.starts()
            table.plays("e4", "e5")
            await eventually(lambda: len(round_.chapters) == 2 and round_.chapters[0].live == 2)
            table.withdraws(1)
            table.ends("1-0")
            await eventually(lambda: round_.chapters[0].live == 1)
            assert round_.chapters[0].moves == ["e2e4", "e7e5"]
            await eventually(output.troubles)
            assert await asyncio.to_thread(main, ["lichess", "reset", file, "--round", "1"]) == DONE
            assert round_.chapters[0].initial
            output.seat((), replace(settings, interval=0.02))
            await eventually(lambda: shown(round_) == expected([table, other]))
            await eventually(lambda: not output.troubles())

    asyncio.run(play())
    (line,) = said(capsys)
    assert line.startswith("round 1: AbCd1234 is empty; start eboard-bridge again")


def test_a_round_to_be_emptied_has_to_be_named(
    tmp_path: Path, lichess: FakeLichess, capsys: pytest.CaptureFixture[str]
) -> None:
    file = hall(tmp_path, lichess.url)
    assert main(["lichess", "reset", file]) == CANNOT
    assert said(capsys) == ["reset needs --round: the round of the event whose games are deleted"]
    (tmp_path / "data").write_text("no folder")
    assert main(["lichess", "reset", file, "--round", "1"]) == CANNOT
    assert "outbox.sqlite3 cannot be opened" in said(capsys)[0]
    assert "POST /api/broadcast/round/AbCd1234/reset" not in lichess.calls
