"""A line between two machines that can be made slow: ``python -m tests.soak.slow_line FILE …``.

Each further argument is ``PORT=HOST:PORT``: what comes to the port of this machine goes there, as
many seconds later as stand in FILE.
"""

import asyncio
import contextlib
import sys
from functools import partial
from pathlib import Path

AT_ONCE = 65536


def seconds_in(delay: Path) -> float:
    return float(delay.read_text("utf-8") or "0")


async def carry(delay: Path, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(AT_ONCE):
            await asyncio.sleep(seconds_in(delay))
            writer.write(data)
            await writer.drain()
    writer.close()


async def connect(
    delay: Path,
    host: str,
    port: int,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    try:
        async with asyncio.timeout(3.0):
            far_reader, far_writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        writer.close()
        return
    await asyncio.gather(carry(delay, reader, far_writer), carry(delay, far_reader, writer))


async def main(file: str, *lines: str) -> None:
    for line in lines:
        here, _, there = line.partition("=")
        host, _, port = there.partition(":")
        await asyncio.start_server(
            partial(connect, Path(file), host, int(port)), "127.0.0.1", int(here)
        )
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
