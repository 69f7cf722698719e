"""Subscribers of a WebSocket server that cost little, in a process of their own.

``python -m benchmarks.watchers PLAN`` connects as the plan says, prints ``ready`` once all have had
their first frame, and on the end of its input prints what they saw. They speak as much of RFC 6455
as a server that neither fragments nor compresses makes necessary.
"""

import asyncio
import re
import resource
import struct
import sys
import time
from collections import Counter
from pathlib import Path
from typing import cast

import msgspec

from benchmarks.report import cpu_seconds

_AT_ONCE = 50
"""Connections that are opened together: servers let 128 wait."""
_SPARE_FILES = 64
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_KEY = "dGhlIHNhbXBsZSBub25jZQ=="


class Watching(msgspec.Struct, frozen=True):
    """A subscriber of a table, at ``path``.

    Each of its ``calls`` has an answer, behind which the first frame of what it follows comes.
    """

    table: str
    path: str
    calls: list[str]


class Plan(msgspec.Struct, frozen=True):
    """Whom to ask for what, and how a move is seen in a frame.

    ``moves``: a pattern with a group ``table`` where frames name it, and either a group ``ply`` or
    a group ``sans`` with all moves so far.
    """

    port: int
    moves: str
    watchers: list[Watching]


class Seen(msgspec.Struct):
    """When the last subscriber saw a ply of a table, by the monotonic clock, and how many did."""

    table: str
    ply: int
    last: float
    count: int


class Watched(msgspec.Struct):
    """What all subscribers saw."""

    frames: int
    cpu_seconds: float
    seen: list[Seen]


class _Notes:
    """What the subscribers of this process see."""

    def __init__(self, moves: str) -> None:
        self.frames = 0
        self.moves = re.compile(moves.encode())
        self.last: dict[tuple[str, int], float] = {}
        self.count = Counter[tuple[str, int]]()

    def take(self, frame: bytes, table: str, at: float) -> None:
        self.frames += 1
        found = self.moves.search(frame)
        if found is None:
            return
        groups = found.groupdict()
        sans = groups.get("sans")
        ply = int(groups["ply"]) if sans is None else sans.count(b'"') // 2
        key = groups["table"].decode() if "table" in groups else table, ply
        self.last[key] = at
        self.count[key] += 1


class _Watcher(asyncio.Protocol):
    """One subscriber; ``begun`` is done when its first frame of text has come."""

    def __init__(self, plan: Plan, watching: Watching, notes: _Notes) -> None:
        self._plan, self._watching, self._notes = plan, watching, notes
        self._data = b""
        self._upgraded = False
        self._waits = len(watching.calls)
        self.begun = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(
            f"GET {self._watching.path} HTTP/1.1\r\nHost: 127.0.0.1:{self._plan.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {_KEY}\r\n\r\n".encode()
        )

    def connection_lost(self, error: Exception | None) -> None:
        if not self.begun.done():
            self.begun.set_exception(error or ConnectionError(self._data[:200].decode("latin-1")))

    def data_received(self, data: bytes) -> None:
        at = time.monotonic()
        self._data += data
        if not self._upgraded:
            head, end, rest = self._data.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                self._transport.abort()
                return
            self._upgraded, self._data = True, rest
            for call in self._watching.calls:
                self._send(_TEXT, call.encode())
        self._take_frames(at)

    def _take_frames(self, at: float) -> None:
        data, start = self._data, 0
        while len(data) - start >= 2:
            length, begin = data[start + 1], start + 2
            if length == 126:
                begin, length = begin + 2, int.from_bytes(data[begin : begin + 2], "big")
            elif length == 127:
                begin, length = begin + 8, int.from_bytes(data[begin : begin + 8], "big")
            if len(data) < begin + length:
                break
            self._take(data[start] & 0x0F, data[begin : begin + length], at)
            start = begin + length
        self._data = data[start:]

    def _take(self, kind: int, payload: bytes, at: float) -> None:
        if kind == _TEXT:
            self._notes.take(payload, self._watching.table, at)
            self._waits -= 1
            if self._waits < 0 and not self.begun.done():
                self.begun.set_result(None)
        elif kind == _PING:
            self._send(_PONG, payload)
        elif kind == _CLOSE:
            self._transport.close()

    def _send(self, kind: int, payload: bytes) -> None:
        """Send a frame with a mask of zeros, which changes nothing."""
        size = len(payload)
        head = struct.pack("!BB", 0x80 | kind, 0x80 | size)
        if size > 125:
            head = struct.pack("!BBH", 0x80 | kind, 0x80 | 126, size)
        self._transport.write(head + bytes(4) + payload)


async def _watch(plan: Plan) -> Watched:
    loop, notes = asyncio.get_running_loop(), _Notes(plan.moves)
    for first in range(0, len(plan.watchers), _AT_ONCE):
        made = [
            loop.create_connection(
                lambda each=each: _Watcher(plan, each, notes),  # type: ignore[misc]
                "127.0.0.1",
                plan.port,
            )
            for each in plan.watchers[first : first + _AT_ONCE]
        ]
        pairs = await asyncio.gather(*made)
        await asyncio.gather(*(watcher.begun for _, watcher in pairs))
    before, frames = cpu_seconds(), notes.frames
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await loop.run_in_executor(None, sys.stdin.read)
    return Watched(
        frames=notes.frames - frames,
        cpu_seconds=cpu_seconds() - before,
        seen=[
            Seen(table, ply, last, notes.count[table, ply])
            for (table, ply), last in notes.last.items()
        ],
    )


def main() -> None:
    """Watch as the file says that is named."""
    plan = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Plan)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(plan.watchers) + _SPARE_FILES, hard))
    sys.stdout.buffer.write(msgspec.json.encode(asyncio.run(_watch(plan))))


if __name__ == "__main__":
    main()
