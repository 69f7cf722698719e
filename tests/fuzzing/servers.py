"""What clients send: frames to the port of LiveChess, bodies to the web server, lines of UCI."""

import asyncio
import contextlib
import json
from typing import Any

import chess
import msgspec
from aiohttp import web
from aiohttp.web import WebSocketResponse

from bridge.core.model import CorrectMoves, Reading, Ruling, SetClocks, SetResult, TableSetup
from bridge.core.table import Table
from bridge.outputs.line import Line
from bridge.outputs.livechess.connection import Connection
from bridge.outputs.livechess.hub import Hub
from bridge.outputs.uci import Conversation, Seat
from bridge.web.desk import OrderRequest
from bridge.web.entrance import Login
from bridge.web.messages import decoded
from drivers.cells import cells_of
from drivers.events import ClockReading, Event, Snapshot
from tests.fuzzing.target import Target
from tests.livechess import Play, Stage

FEED = {"feed": "eboardevent", "id": 1, "param": {"serialnr": "1"}}
START = {"fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}
CALLS: tuple[tuple[str, object], ...] = (
    ("eboards", None),
    ("subscribe", FEED),
    ("call", {"id": 1, "method": "flip", "param": {"flip": True}}),
    ("call", {"id": 1, "method": "setup", "param": START}),
    ("unsubscribe", {"id": 1}),
)
ORDERS = (
    OrderRequest(order=SetResult(result="1-0"), reason="seen", game=1),
    OrderRequest(order=CorrectMoves(first=1, count=1, moves=("e4", "e5")), reason="seen"),
    OrderRequest(order=SetClocks(white_ms=1000, black_ms=2000), reason="seen"),
)
UCI = b"uci\nisready\nucinewgame\nposition startpos moves e2e4\ngo wtime 1 btime 1\nstop\nquit"


def targets() -> dict[str, Target]:
    """Return a target for what each server reads."""
    calls = [{"call": call, "id": n, "param": param} for n, (call, param) in enumerate(CALLS)]
    return {
        "livechess": Target(_call, lambda: ["\n".join(map(json.dumps, calls)).encode()]),
        "login": Target(_log_in, lambda: [b'{"name": "Anna", "password": "four words"}']),
        "orders": Target(_order, lambda: [msgspec.json.encode(order) for order in ORDERS]),
        "uci": Target(_talk, lambda: [UCI]),
    }


class _Wire(asyncio.Transport):
    """A connection that takes everything."""

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0

    def write(self, data: Any) -> None:
        assert data[:1] == b"\x81"


def _call(data: bytes) -> None:
    """Let a client call, a frame a line, while a game goes on."""
    stage, play = Stage(), Play("1")
    hub = Hub(stage.config.tables, stage.feed, stage.tables.__getitem__)
    for fact in (*play.start(), *play.plays("e4", "e5")):
        stage.publish(fact)
    hub._rebuild()
    socket = WebSocketResponse()
    connection = Connection(socket, hub, Line(socket, _Wire(), "made up"))
    for frame in data.split(b"\n"):
        connection.take(frame.decode(errors="replace"))


def _log_in(data: bytes) -> None:
    with contextlib.suppress(web.HTTPBadRequest):
        decoded(data, Login)


def _order(data: bytes) -> None:
    """Give an order at a table at which a move was made."""
    with contextlib.suppress(web.HTTPBadRequest):
        asked = decoded(data, OrderRequest)
        guards = {key: getattr(asked, key) for key in ("game", "ply", "fen", "reason")}
        table, board = Table("1"), chess.Board()
        clock = ClockReading(at=0.0, left_ms=300_000, right_ms=300_000, running=True, turn="left")
        payloads: list[Event | TableSetup | Ruling] = [
            TableSetup(time_control="5400+30"),
            Snapshot(at=1.0, cells=cells_of(board)),
            clock,
        ]
        board.push_san("e4")
        payloads += [
            Snapshot(at=4.0, cells=cells_of(board)),
            msgspec.structs.replace(clock, at=5.0, turn="right"),
            Ruling(by="Anna", order=asked.order, **guards),
            Ruling(by="Anna", order=asked.order, reason="again"),
        ]
        for seq, payload in enumerate(payloads, start=1):
            at = 2.0 * seq
            table.apply(Reading(table="1", link="1", seq=seq, at=at, wall=at, payload=payload))
            table.tick(at + 1.0)


def _talk(data: bytes) -> None:
    talk = Conversation("made up", Seat("identity", orientation="auto"))
    talk.take(Snapshot(at=0.0, cells=cells_of(chess.Board())), at=0.0)
    for at, line in enumerate(data.split(b"\n"), start=1):
        talk.hear(line.decode(errors="replace"), at=float(at))
        talk.tick(at=at + 0.5)
