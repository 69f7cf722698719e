"""The settings belong to a process, so the test has one of its own."""

import subprocess
import sys

SCRIPT = """
import gc, sys
from bridge.daemon.interpreter import sparing_what_is_there, suit_interpreter
suit_interpreter()
print(gc.isenabled(), gc.get_threshold(), round(sys.getswitchinterval(), 6))
with sparing_what_is_there() as spare_more:
    print(gc.get_freeze_count() > 1000, len(gc.get_objects()) < 1000)
    class Garbage: ...
    one = Garbage(); one.itself = one; del one
    print(gc.collect() > 0)
    more = [[] for _ in range(1000)]
    before = gc.get_freeze_count(); spare_more()
    print(gc.get_freeze_count() - before > 1000)
    young = [[] for _ in range(1000)]
    before = gc.get_freeze_count(); gc.collect(0); gc.collect(1)
    print(gc.get_freeze_count() - before > 1000)
print(gc.get_freeze_count())
"""

GIVING_BACK = """
import asyncio, resource
from pathlib import Path
from bridge.daemon import interpreter
interpreter.suit_interpreter()
interpreter.GIVE_BACK_EVERY = 0.05
kept = []

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 2**20

def work():
    many = [bytes(1000) for _ in range(50_000)]
    kept.append(many[::100])  # what stays keeps what is around it from being given back

async def main():
    for _ in range(2):
        await asyncio.to_thread(work)
    before = resident()
    giving = asyncio.create_task(interpreter.give_memory_back())
    async with asyncio.timeout(60):
        while resident() > before - 20:
            await asyncio.sleep(0.05)
    giving.cancel()
    print("given back")

asyncio.run(main())
"""


SPARED = """
import asyncio, gc, weakref
from bridge.daemon import interpreter
interpreter.QUIET = 0.05

class Held: ...

def needed_at_first():
    one = Held(); one.itself = one
    gc.collect()
    return weakref.ref(one)

async def main():
    readings = 1
    with interpreter.sparing_what_is_there():
        seen = needed_at_first()
        gc.collect()
        print(seen() is not None)
        quiet = asyncio.create_task(interpreter.look_through_all_in_quiet(lambda: readings))
        async with asyncio.timeout(60):
            while seen() is not None:
                await asyncio.sleep(0.05)
        quiet.cancel()
        print(gc.get_freeze_count() > 1000)

asyncio.run(main())
"""


def test_what_is_needed_once_is_looked_through_again_when_nobody_plays() -> None:
    done = subprocess.run([sys.executable, "-c", SPARED], capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == ["True", "True"]


def test_memory_that_is_free_is_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", GIVING_BACK], capture_output=True, check=True)
    assert done.stdout.decode() == "given back\n"


def test_the_writer_waits_briefly_and_new_garbage_is_collected() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == [
        "True (10000, 1, 0) 0.001",
        "True True",
        "True",
        "True",
        "True",
        "0",
    ]


ALONE = """
import gc
from bridge.daemon.interpreter import sparing_what_is_there
before = gc.get_threshold()
with sparing_what_is_there():
    print(gc.get_threshold())
print(gc.get_threshold() == before)
"""


def test_who_spares_what_is_there_collects_as_seldom_as_the_service() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, check=True)
    assert done.stdout.decode().splitlines() == ["(10000, 1, 0)", "True"]
