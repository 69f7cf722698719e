"""A daemon that tells other programs, killed again and again: all of it arrives, in order."""

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bridge.cli import main
from bridge.cli.frame import DONE
from tests.livechess import free_port
from tests.receiver import SECRET, receiving

SAMPLE = (Path(__file__).parents[1] / "docs" / "data-path.md").read_text(encoding="utf-8")
HALL = """\
tables: [{{table: "1", board: {{port: /dev/absent}}}}]
webhooks:
  - {{name: all, url: "http://127.0.0.1:{all}/", audience: arbiter, secret_file: secret}}
  - {{name: late, url: "http://127.0.0.1:{late}/", delay: {{moves: 1}}, secret_file: secret}}
"""
KILLS = 2


def run(config: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "bridge", "run", str(config)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


def until_said(process: "subprocess.Popen[str]", words: str) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if words in line:
            return
    raise AssertionError(f"{words!r} was never said")


def recorded(folder: Path) -> None:
    """Write a journal in which White has played e4."""
    found = re.search(r"^```capture\n(.*?)^```$", SAMPLE, re.MULTILINE | re.DOTALL)
    assert found is not None
    capture = folder / "e4.capture"
    capture.write_text(found[1], encoding="utf-8")
    journal = folder / "data" / "journal.sqlite3"
    for file in (folder / "data").glob("journal.sqlite3*"):
        file.unlink()
    assert main(["replay", str(capture), "--journal", str(journal)]) == DONE


def told(facts: list[dict[str, Any]]) -> list[str]:
    return [fact["fact"] for fact in facts]


def test_everything_arrives_once_and_in_order_however_often_it_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ports = free_port(), free_port()
    config = tmp_path / "hall.yaml"
    config.write_text(HALL.format(all=ports[0], late=ports[1]), encoding="utf-8")
    (tmp_path / "secret").write_text(SECRET, encoding="utf-8")
    rng = random.Random(7)

    # A first run, so that the receivers are known; then games are played.
    with run(config) as process:
        until_said(process, "there is no such port")
        process.send_signal(signal.SIGKILL)
    recorded(tmp_path)
    with run(config) as process:  # while nobody answers
        until_said(process, "next try in")
        process.send_signal(signal.SIGKILL)

    async def main() -> None:
        async with receiving(ports[0]) as everything, receiving(ports[1]) as public:
            for _ in range(KILLS):
                everything.answers = [web.Response(status=500)]
                with run(config) as process:
                    await asyncio.sleep(rng.uniform(0.3, 1.2))
                    process.send_signal(signal.SIGKILL)
                    await asyncio.to_thread(process.communicate)
            with run(config) as process:
                await everything.until(lambda: "MoveTimed" in told(everything.facts))
                await public.until(lambda: public.came != [])
                process.send_signal(signal.SIGTERM)
                _, log = await asyncio.to_thread(process.communicate)
                assert process.returncode == DONE
                assert SECRET not in log
            facts = everything.facts
            names = [name for name, _ in everything.came]
            assert len({*names}) == len(facts)
            (move,) = (fact for fact in facts if fact["fact"] == "MoveSettled")
            assert (move["san"], bool(move["because"])) == ("e4", True)
            assert [fact["at"] for fact in facts] == sorted(fact["at"] for fact in facts)
            assert told(public.facts) == ["GameStarted"], "the move waits for its answer"

    asyncio.run(main())
