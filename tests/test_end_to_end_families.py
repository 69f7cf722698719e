"""Millennium, Certabo and Tabutronic boards on real ptys, followed by a daemon of its own."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import chess

from bridge.config.calibration import calibration_text
from bridge.core.model import LinkChange
from drivers.events import Identity
from drivers.simulated.certabo import CertaboBoard, SentioBoard, men_of
from drivers.simulated.exhibition import Board
from drivers.simulated.hands import Style, play
from drivers.simulated.line import Faults
from drivers.simulated.millennium import EONE, EXCLUSIVE, SUPREME, MillenniumBoard
from drivers.simulated.pty import PtyPort
from tests.conversations import do
from tests.halls import Daemon, at, eventually, readings, write_config, written_moves

SPECIAL = "e4 a6 e5 d5 exd6 Nf6 dxc7 Nc6 cxd8=Q+ Nxd8 Nf3 e6 Be2 Be7 O-O O-O"
"""En passant, a promotion with capture, castling of both."""
QUICK = Style(think=(0.2, 0.3), travel=(0.15, 0.3), dwell=(0.05, 0.1))
SLOW = Style(think=(0.7, 0.75), travel=(0.15, 0.3), dwell=(0.05, 0.1))
"""Tags are read four times a second, and two of three readings count."""
STEADY = Style(think=(0.5, 0.6), travel=(0.15, 0.3), dwell=(0.05, 0.1))
"""Men without names are scanned five times a second, and noise may take a scan: a pawn that
passed d6 must be seen to rest on d5, or nothing tells a capture in passing from one on d6."""
NOISY = Faults(lose=0.01, insert=0.01, split=0.05)
CALIBRATED = "driver: certabo, calibration: men.json"
SET_UP = 3.0
"""A dozen scans, after which tags are learned."""


@dataclass(frozen=True)
class Seat:
    """A board, what the configuration says of it, and what is played on it, losses included."""

    board: Board
    config: str
    moves: Sequence[chess.Move]
    style: Style = QUICK
    loses: bool = False

    async def plays(self, port: PtyPort, back: Callable[[], Awaitable[None]]) -> None:
        """Play the moves; *back* waits until the daemon has the board again."""
        now = asyncio.get_running_loop().time
        self.board.set_up(chess.Board().piece_map(), at=now())
        port.plug()
        await back()
        begin = now() + SET_UP
        actions = play(chess.Board(), self.moves, self.style, Random(1))
        # Late in the game a quiet move is missed, which occupied squares tell as well; the capture
        # in passing after a quarter might be another one to who did not see the pawn arrive.
        unplugged = len(actions) * 3 // 4 if self.loses else -1
        for number, action in enumerate(actions):
            await asyncio.sleep(max(0.0, begin + action.at - now()))
            begin = max(begin, now() - action.at)  # on a busy machine nobody plays faster
            if number == unplugged:
                port.unplug()
            do(self.board, action, at=now())
            port.wake()
            if number == unplugged + 2 and self.loses:
                port.plug()
                await back()
                begin = now() - action.at


def line(plies: int | None = None) -> list[chess.Move]:
    position = chess.Board()
    return [position.push_san(san) for san in SPECIAL.split()[:plies]]


def test_boards_of_three_families_are_followed_at_once_through_losses_and_noise(
    tmp_path: Path,
) -> None:
    seats = [
        Seat(MillenniumBoard(EXCLUSIVE, faults=NOISY), "driver: millennium", line()),
        Seat(
            MillenniumBoard(SUPREME, rotated=True, seed=1), "driver: millennium", line(), loses=True
        ),
        Seat(MillenniumBoard(EONE), "driver: millennium, sensing: occupancy", line()),
        Seat(CertaboBoard(men=0, faults=NOISY), "driver: certabo", line(9), SLOW),
        Seat(CertaboBoard(men=1, rotated=True), CALIBRATED, line(9), SLOW, loses=True),
        Seat(SentioBoard(faults=NOISY), "driver: sentio", line(), STEADY, loses=True),
        Seat(SentioBoard(seed=1), "driver: sentio", line(), STEADY),
    ]

    letters = {tag.hex(): letter for letter, tags in men_of(1).items() for tag in tags}
    (tmp_path / "men.json").write_text(calibration_text(letters), "utf-8")

    def is_written(seat: Seat, table: int) -> bool:
        return written_moves(tmp_path, table) == [move.uci() for move in seat.moves]

    async def evening() -> None:
        paths = [tmp_path / "dev" / f"board-{number}" for number in range(len(seats))]
        ports = [PtyPort(path, seat.board) for path, seat in zip(paths, seats, strict=True)]
        boards = [f"{at(path)}, {s.config}" for path, s in zip(paths, seats, strict=True)]
        try:
            async with Daemon(write_config(tmp_path, boards)) as daemon:
                await asyncio.gather(
                    *(
                        seat.plays(port, partial(daemon.live, table))
                        for table, (seat, port) in enumerate(zip(seats, ports, strict=True), 1)
                    )
                )
                for table, seat in enumerate(seats, 1):
                    written = partial(is_written, seat, table)
                    await eventually(written, f"all moves of table {table}")
                assert await daemon.end() == 0
        finally:
            for port in ports:
                port.close()

    asyncio.run(evening())
    for number, seat in enumerate(seats, start=1):
        said = [reading.payload for reading in readings(tmp_path, number)]
        states = [payload.state for payload in said if isinstance(payload, LinkChange)]
        assert states.count("live") == 1 + seat.loses, f"table {number}: {states}"
    names = [
        {p.value for r in readings(tmp_path, n) if isinstance(p := r.payload, Identity)}
        for n in (1, 2, 3)
    ]
    assert names == [{"01.03", "perhaps an Exclusive"}, {"31.30", "55mm"}, {"02.00", "e-one"}]
