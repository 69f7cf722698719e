"""Boards that play for an audience: who plays what on which board, and a hall of ptys for them."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from drivers.simulated import games
from drivers.simulated.clock import TimeControl
from drivers.simulated.dgt import Mode, Passport
from drivers.simulated.hands import BLITZ, Style
from drivers.simulated.performance import Performance, stage
from drivers.simulated.pty import PtyPort

BEGIN_AFTER = 2.0
"""Play begins when a host has been listening to the board for this long (s)."""

LOOK_EVERY = 0.2
FIRST_SERIAL = 10001

BRISK = Style(think=(0.3, 1.9))
THOUGHTFUL = Style(think=(0.5, 2.5))


@dataclass(frozen=True, kw_only=True)
class Programme:
    """How one game of the demo is played; each takes less than two minutes."""

    style: Style
    control: TimeControl
    rotated: bool = False
    gesture: bool = False


PROGRAMMES = {
    "immortal": Programme(style=BRISK, control=TimeControl(base=300, increment=3)),
    "evergreen": Programme(style=BRISK, control=TimeControl(base=5400, increment=30), rotated=True),
    "opera": Programme(style=THOUGHTFUL, control=TimeControl(base=600, increment=5), gesture=True),
    "special": Programme(style=BLITZ, control=TimeControl(base=180, increment=2), rotated=True),
}


@dataclass(kw_only=True)
class DemoBoard:
    """A board of the demo: the name of its port, its game and the performance of it."""

    name: str
    serial: str
    game: str
    programme: Programme
    performance: Performance
    listened_to_since: float | None = None

    def look(self, *, at: float) -> bool:
        """Begin to play when a host has listened for a while; return whether that was now."""
        if self.performance.begun_at is not None:
            return False
        if self.performance.board.mode in (Mode.BUS, Mode.IDLE):
            self.listened_to_since = None
            return False
        if self.listened_to_since is None:
            self.listened_to_since = at
        if at - self.listened_to_since < BEGIN_AFTER:
            return False
        self.performance.begin(at=at)
        return True

    def report(self) -> dict[str, object]:
        """Return what was played, as it stands in ``truth.json``."""
        return {
            "name": self.name,
            "serial": self.serial,
            "game": self.game,
            "rotated": self.programme.rotated,
            "time_control": str(self.programme.control),
            **asdict(self.performance.truth()),
        }


def demo_boards(seed: int, games_played: Sequence[str] = tuple(PROGRAMMES)) -> list[DemoBoard]:
    """Return one board for each of *games_played*, called ``board-1``, ``board-2`` and so on.

    Raises:
        KeyError: a game that the demo does not have.
    """
    return [_demo_board(number, game, seed) for number, game in enumerate(games_played, 1)]


def _demo_board(number: int, game: str, seed: int) -> DemoBoard:
    programme = PROGRAMMES[game]
    serial = FIRST_SERIAL + number - 1
    performance = stage(
        games.load(game),
        passport=Passport(
            serial=f"{serial:05}", long_serial=f"{serial:010}", version=(3, 1), bus_address=serial
        ),
        control=programme.control,
        style=programme.style,
        seed=seed * 1000 + number,
        rotated=programme.rotated,
        gesture=programme.gesture,
    )
    return DemoBoard(
        name=f"board-{number}",
        serial=f"{serial:05}",
        game=game,
        programme=programme,
        performance=performance,
    )


async def perform(
    boards: Sequence[DemoBoard], folder: Path, *, stop: asyncio.Event, linger: bool = False
) -> None:
    """Run *boards* on ptys ``folder/dev/<name>`` and keep ``folder/truth.json`` true.

    Ends when all games have ended, with *linger* only when *stop* is set.
    """
    loop = asyncio.get_running_loop()
    ports = [PtyPort(folder / "dev" / board.name, board.performance) for board in boards]
    stopped = asyncio.create_task(stop.wait())
    written = ""
    try:
        for port in ports:
            port.plug()
        while not stopped.done():
            for board, port in zip(boards, ports, strict=True):
                if board.look(at=loop.time()):
                    port.wake()
            written = _write_truth(boards, folder / "truth.json", written)
            if not linger and all(board.performance.finished for board in boards):
                break
            await asyncio.wait({stopped}, timeout=LOOK_EVERY)
    finally:
        stopped.cancel()
        for port in ports:
            port.close()
        _write_truth(boards, folder / "truth.json", written)


def _write_truth(boards: Sequence[DemoBoard], path: Path, written: str) -> str:
    """Write the truth where it differs from what was *written* last; return what stands there."""
    text = json.dumps({"boards": [board.report() for board in boards]}, indent=1) + "\n"
    if text != written:
        fresh = path.with_name(f".{path.name}.new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    return text
