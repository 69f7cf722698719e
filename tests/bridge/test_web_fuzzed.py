"""Requests that are made from the description, and go wrong in every way that it allows."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from bridge.web import accounts, passwords, pgn, throttle
from tests.court import ILLEGAL, Court, Person, heard

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)


async def fuzzed(court: Court, token: str, *, examples: int) -> tuple[int | None, str]:
    """Let the server be asked; return the exit code and what was found."""
    process = await asyncio.create_subprocess_exec(
        *(str(SCHEMATHESIS), "run", f"{court.url}/api/v1/openapi.yaml"),
        *("--header", f"Authorization: Bearer {token}", "--checks", ",".join(CHECKS)),
        *("--exclude-path-regex", "/(stream|events)$", "--phases", "coverage,fuzzing"),
        *("--max-examples", str(examples), "--seed", "1", "--continue-on-failure", "--no-color"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=court.config.data.folder.parent,
    )
    assert process.stdout is not None
    said = (await process.stdout.read()).decode()
    return await process.wait(), said


def asked_in_every_way(folder: Path, monkeypatch: pytest.MonkeyPatch, *, examples: int) -> str:
    """Let a server be asked so many times for each path and phase; return what is said of it."""
    monkeypatch.setattr(passwords, "COST", (4, 8, 1))
    monkeypatch.setattr(pgn, "LONGEST_WAIT", 0.01)
    monkeypatch.setattr(throttle, "FREE", 10**9)
    told = ""

    async def act(court: Court, _: Person) -> None:
        nonlocal told
        court.plays_illegally()
        await court.write_journal()
        token = accounts.add_token(court.config.accounts, "Anna")
        code, told = await fuzzed(court, token, examples=examples)
        assert code == 0, told

    heard(act, Court(folder, fen=ILLEGAL), "Anna")
    return told


def test_the_server_answers_as_it_is_described(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = asked_in_every_way(tmp_path, monkeypatch, examples=1)
    assert re.search(r"\d\d\d generated", told), told
