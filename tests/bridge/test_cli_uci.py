"""``uci`` as a chess program starts it: python-chess is the program, a pty carries the board."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import chess
import chess.engine
import pytest

from bridge.cli import main
from bridge.cli.frame import CANNOT, DONE, UNREAD
from drivers.simulated.dgt import DgtBoard, Passport
from drivers.simulated.millennium import MillenniumBoard
from drivers.simulated.pty import PtyPort

PATIENCE = 60.0
REST_MS = 400
COMMAND = [sys.executable, "-m", "bridge", "uci"]


class Player:
    """Whoever sits at the board: shows positions by moving the men that differ."""

    def __init__(self, folder: Path, board: DgtBoard | MillenniumBoard) -> None:
        self._board = board
        self.port = PtyPort(folder / "board", self._board)
        self._shown = chess.Board()
        self._board.set_up(self._shown.piece_map(), at=self._now())
        self.port.plug()

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()

    def set_up(self, board: chess.Board) -> None:
        self._shown = board.copy()
        self._board.set_up(board.piece_map(), at=self._now())
        self.port.wake()

    async def make(self, move: chess.Move) -> None:
        before = self._shown.piece_map()
        self._shown.push(move)
        after = self._shown.piece_map()
        for square in before.keys() - after.keys():
            self._board.lift(square, at=self._now())
        self.port.wake()
        await asyncio.sleep(0.3)
        for square, piece in after.items():
            if before.get(square) != piece:
                self._board.put(square, piece, at=self._now())
        self.port.wake()


@asynccontextmanager
async def playing(
    folder: Path, *arguments: str, board: DgtBoard | MillenniumBoard | None = None
) -> AsyncIterator[tuple[Player, chess.engine.UciProtocol]]:
    player = Player(folder, board or DgtBoard(Passport(serial="30123")))
    command = [*COMMAND, *(arguments or ("--board", str(player.port.path)))]
    transport, engine = await chess.engine.popen_uci(command, stderr=subprocess.DEVNULL)
    try:
        await engine.configure({"Rest": REST_MS})
        yield player, engine
        await asyncio.wait_for(engine.quit(), PATIENCE)
    finally:
        transport.close()
        player.port.close()


async def asked(
    engine: chess.engine.UciProtocol, board: chess.Board, player: Player, *moves: chess.Move
) -> chess.engine.PlayResult:
    """Ask for a move; meanwhile the player makes *moves*, one after the other."""
    play = asyncio.create_task(engine.play(board, chess.engine.Limit(), info=chess.engine.INFO_ALL))
    for move in moves:
        await asyncio.sleep(0.2)
        await player.make(move)
    return await asyncio.wait_for(play, PATIENCE)


def test_a_game_against_a_program(tmp_path: Path) -> None:
    async def main() -> None:
        async with playing(tmp_path) as (player, engine):
            board = chess.Board()
            for mine, reply in (("e4", "d5"), ("exd5", "Nf6"), ("Bb5+", None)):
                todo = [board.move_stack[-1]] if board.move_stack else []
                move = board.parse_san(mine)
                result = await asked(engine, board, player, *todo, move)
                assert result.move == move
                board.push(move)
                if reply:
                    board.push_san(reply)

    asyncio.run(main())


def test_a_board_with_lamps_lights_the_programs_move(tmp_path: Path) -> None:
    async def main() -> None:
        board = MillenniumBoard()
        arguments = "--board", str(tmp_path / "board"), "--driver", "millennium"
        async with playing(tmp_path, *arguments, board=board) as (player, engine):
            game = chess.Board()
            game.push_san("e4")
            play = asyncio.create_task(engine.play(game, chess.engine.Limit()))
            await lit(board, chess.E2, chess.E4)
            await player.make(chess.Move.from_uci("e2e4"))
            await lit(board)
            await player.make(chess.Move.from_uci("e7e5"))
            assert (await asyncio.wait_for(play, PATIENCE)).move == chess.Move.from_uci("e7e5")
            await engine.ping()
            again = asyncio.create_task(engine.play(chess.Board(), chess.engine.Limit()))
            await lit(board, chess.E2, chess.E4, chess.E5, chess.E7)
            again.cancel()
        await lit(board)

    asyncio.run(main())


async def lit(board: MillenniumBoard, *squares: chess.Square) -> None:
    async with asyncio.timeout(PATIENCE):
        while not (board.lit >= {*squares} and bool(board.lit) == bool(squares)):  # noqa: ASYNC110 - lamps call nobody
            await asyncio.sleep(0.02)


def test_chess960_and_a_table_of_a_configuration(tmp_path: Path) -> None:
    config = tmp_path / "hall.yaml"
    config.write_text(
        f"tables: [{{table: '7', board: {{port: {tmp_path / 'board'}}}, orientation: normal}}]\n"
    )
    fen = "rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1"

    async def main() -> None:
        arguments = "--config", str(config), "--table", "7"
        async with playing(tmp_path, *arguments) as (player, engine):
            board = chess.Board(fen, chess960=True)
            player.set_up(board)
            move = board.parse_san("O-O")
            assert (await asked(engine, board, player, move)).move == move

    asyncio.run(main())


def test_a_board_that_is_pulled_out_goes_on_when_it_is_back(tmp_path: Path) -> None:
    async def main() -> None:
        async with playing(tmp_path) as (player, engine):
            board = chess.Board()
            play = asyncio.create_task(engine.play(board, chess.engine.Limit()))
            await asyncio.sleep(1.0)
            player.port.unplug()
            await player.make(chess.Move.from_uci("g1f3"))
            player.port.plug()
            assert (await asyncio.wait_for(play, PATIENCE)).move == chess.Move.from_uci("g1f3")

    asyncio.run(main())


def test_analysis_shows_the_move_that_stands(tmp_path: Path) -> None:
    async def main() -> None:
        async with playing(tmp_path) as (player, engine):
            with await engine.analysis(chess.Board()) as analysis:
                await asyncio.sleep(0.5)
                await player.make(chess.Move.from_uci("d2d4"))
                async with asyncio.timeout(PATIENCE):
                    async for info in analysis:
                        if "pv" in info:
                            break
                assert info["pv"] == [chess.Move.from_uci("d2d4")]

    asyncio.run(main())


def run(*arguments: str, text: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *arguments], input=text, capture_output=True, text=True, check=False, timeout=60
    )


def test_a_program_that_goes_away_ends_it() -> None:
    done = run("--board", "/dev/absent", text="uci\nisready\n")
    assert (done.returncode, done.stdout.splitlines()[-2:]) == (DONE, ["uciok", "readyok"])


def test_a_program_that_reads_nothing_ends_it() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*COMMAND, "--board", "/dev/absent"],
            input=b"uci\n",
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    finally:
        os.close(writer)
    assert done.returncode == UNREAD
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--table", "1"), "--config and --table go together"),
        (("--config", "HALL", "--table", "9"), "has no table '9', only 1, 2"),
        (("--config", "HALL", "--table", "2"), "table 2 is one of a row"),
        (("--driver", "dgtt"), "did you mean 'dgt'?"),
    ],
)
def test_what_cannot_be_played_on(
    arguments: Sequence[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "hall.yaml"
    row = "{driver: dgt_bus, port: /dev/ttyUSB0, unit: '1025'}"
    config.write_text(
        f"tables:\n- {{table: '1', board: {{port: /dev/a}}}}\n- {{table: '2', board: {row}}}\n"
    )
    words = [str(config) if word == "HALL" else word for word in arguments]
    assert main(["uci", *words]) == CANNOT
    assert why in capsys.readouterr().err
