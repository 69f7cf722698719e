"""What becomes durable at once is acted on in order, and others have their turn meanwhile."""

import asyncio
import threading
import time
from functools import partial
from pathlib import Path

from bridge.daemon.intake import TURN, Intake
from bridge.store.journal import Journal


def test_many_that_become_durable_at_once_let_others_have_their_turn(tmp_path: Path) -> None:
    async def main() -> list[str]:
        loop, done = asyncio.get_running_loop(), list[str]()
        all_done = asyncio.Event()

        def act(name: str) -> None:
            done.append(name)
            time.sleep(TURN)  # as a search for moves may
            loop.call_soon(done.append, "another")
            if name == "third":
                all_done.set()

        with Journal.open(tmp_path / "journal.sqlite3", window=1.0) as journal:
            intake = Intake(journal, time.monotonic)
            for name in ("first", "second", "third"):
                intake.after_write((), partial(act, name))
            await all_done.wait()
        return done

    done = asyncio.run(main())
    assert done[:4] == ["first", "another", "second", "another"]
    assert done[4] == "third"


def test_what_becomes_durable_while_another_is_acted_on_waits_for_the_others(
    tmp_path: Path,
) -> None:
    async def main() -> list[str]:
        loop, done = asyncio.get_running_loop(), list[str]()
        all_done = asyncio.Event()

        with Journal.open(tmp_path / "journal.sqlite3") as journal:
            intake = Intake(journal, time.monotonic)

            def first() -> None:
                done.append("first")
                durable = threading.Event()
                intake.after_write((), second)
                journal.submit((), durable.set)
                assert durable.wait(10)
                time.sleep(TURN)
                loop.call_soon(done.append, "another")

            def second() -> None:
                done.append("second")
                all_done.set()

            intake.after_write((), first)
            await all_done.wait()
        return done

    assert asyncio.run(main()) == ["first", "another", "second"]
