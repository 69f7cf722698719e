"""``doctor --live``: what a daemon says of itself, in words."""

import asyncio
import os
import socket
import tempfile
import time
from pathlib import Path

import msgspec
import pytest

from bridge.cli import living, main
from bridge.cli.findings import Finding
from bridge.cli.frame import CANNOT, DONE, NO
from bridge.config import Config, load
from bridge.daemon import status
from bridge.daemon.service import Service
from bridge.daemon.status import Status, StatusSocket
from bridge.links.pulse import LinkHealth
from bridge.outputs.tally import Report
from bridge.store.journal import Journal
from tests.bridge.test_daemon_status import WELL, well
from tests.halls import write_config
from tests.rights import unprivileged


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return write_config(tmp_path, ["port: /dev/absent"])


def replaced(**changes: object) -> dict[str, Finding]:
    changed: Status = msgspec.structs.replace(WELL, **changes)
    return {each.subject: each for each in living._findings(changed)}


def test_a_daemon_that_runs_is_asked(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service = Service(load(config))

    async def act() -> int:
        stop = asyncio.Event()
        task = asyncio.create_task(service.run(stop))
        while service.overview.tables["1"].link is None:  # noqa: ASYNC110 - a thread writes
            await asyncio.sleep(0.01)
        code = await asyncio.to_thread(main, ["doctor", "--config", str(config), "--live"])
        stop.set()
        await task
        return code

    assert asyncio.run(act()) == DONE
    said = capsys.readouterr().out
    assert f"runs as process {os.getpid()} since {time.strftime('%Y')}" in said
    for text in (
        "0 of 1 are live",
        "lost: /dev/absent: there is no such port",
        "0 readings wait",
        "0 to mend",
    ):
        assert text in said, said


def test_none_runs(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert main(["doctor", "--config", str(config), "--live"]) == NO
        assert "does not run on this configuration" in capsys.readouterr().out
    assert not (config.parent / "data").exists(), "nothing is changed"
    Journal.open(load(config).data.journal).close()
    assert main(["doctor", "--config", str(config), "--live"]) == NO


def test_one_that_restores_its_games_is_waited_for(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal.open(load(config).data.journal):
        assert main(["doctor", "--config", str(config), "--live"]) == DONE
    assert "ask again in a minute" in capsys.readouterr().out


def test_it_needs_to_know_which(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--live"]) == CANNOT
    assert "--config FILE" in capsys.readouterr().err


def asked(config: Config) -> Finding:
    (finding,) = living.living(config, Path("hall.yaml"))
    return finding


def test_one_of_another_user_is_not_known() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        path.chmod(0o755)
        config = load(write_config(path, ["port: /dev/absent"]))
        config.data.folder.mkdir(0o755)

        async def act() -> Finding:
            async with StatusSocket(config.data.folder, well):
                (config.data.folder / "status.sock").chmod(0)
                with unprivileged():
                    return asked(config)  # who may not come in is not kept waiting

        assert asyncio.run(act()).state == "unknown"


def test_one_that_stands_still_is_told(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "PATIENCE", 0.05)
    loaded = load(config)
    loaded.data.folder.mkdir()
    with socket.socket(socket.AF_UNIX) as deaf:
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(loaded.data.folder)
            deaf.bind("status.sock")
        deaf.listen()
        assert asked(loaded).state == "mend"


@pytest.mark.parametrize("answer", [b"", b'{"version": "9.0"}'])
def test_an_answer_that_cannot_be_read_is_told(config: Path, answer: bytes) -> None:
    loaded = load(config)
    loaded.data.folder.mkdir()

    async def tell(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        writer.close()

    async def act() -> Finding:
        with status._place(loaded.data.folder) as place:
            listening = status._bound(place)
        async with await asyncio.start_unix_server(tell, sock=listening):
            return await asyncio.to_thread(asked, loaded)

    finding = asyncio.run(act())
    assert (finding.state, finding.subject) == ("mend", "daemon")
    assert "can read" in finding.text


def test_all_is_well() -> None:
    said = replaced(troubles=[])
    assert {each.state for each in said.values()} == {"good"}
    assert said["pgn"].text == "5 delivered, 0 wait, 0 tries failed"
    assert said["links"].text == "1 of 1 are live"


def test_what_is_wrong_is_said() -> None:
    gone = LinkHealth(
        table="8", device="clock", state="lost", detail="away", silent=9.0, noise=0, battery=None
    )
    new = LinkHealth(
        table="9", device="board", state=None, detail="", silent=None, noise=0, battery=None
    )
    said = replaced(
        version="0.0.1",
        links=[gone, new],
        outputs=[Report("lichess", 5, 2, 1, "no route", 9.0)],
        lag=0.4,
        files=1000,
    )
    assert said["trouble"].text == "the disk is full"
    assert said["table 8 clock"].text == "lost: away"
    assert said["table 9"].text == "not opened yet"
    assert said["lichess"].text == "no route (5 delivered, 1 wait, 2 tries failed)"
    assert "late by 400 ms" in said["event loop"].text
    assert said["open files"].remedy == "LimitNOFILE=2048 in the service"
    states = {subject: each.state for subject, each in said.items()}
    assert states == {
        "daemon": "warn",
        "trouble": "mend",
        "links": "warn",
        "table 8 clock": "warn",
        "table 9": "warn",
        "journal": "good",
        "lichess": "mend",
        "event loop": "warn",
        "open files": "warn",
    }
