"""``uci``: a board as an engine, for programs that play or show games."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.cli.frame import DONE, CannotError, Commands

if TYPE_CHECKING:
    from bridge.cli.uci_talk import Player


def add_parser(commands: Commands) -> None:
    """Describe the command."""
    parser = commands.add(
        "uci",
        run,
        summary="let a chess program take moves from a board, as from an engine",
        description="Speaks UCI on standard input and output. Enter it in a chess program as an "
        "engine: what is played on the board is its move, and the program's moves have to be made "
        "on the board. A move counts when it has rested. No daemon may have the board meanwhile.",
        examples=[
            "uci --board /dev/ttyACM0",
            "uci --driver chessnut --board ble:AA:BB:CC:00:00:01",
            "uci --config hall.yaml --table 3",
        ],
    )
    parser.add_argument(
        "--board",
        default="auto",
        metavar="PORT",
        help="/dev/… or what discover shows; without it, any board of the driver",
    )
    parser.add_argument("--driver", default="dgt", help="driver of the board (default: dgt)")
    parser.add_argument(
        "--config", type=Path, metavar="CONFIG", help="take the board of a table from this file"
    )
    parser.add_argument("--table", metavar="NAME", help="the table, with --config")


def run(args: argparse.Namespace) -> int:
    """Play until the program has had enough."""
    import asyncio

    from bridge.cli.logs import set_up_log
    from bridge.cli.uci_talk import talk

    if (args.config is None) != (args.table is None):
        raise CannotError("--config and --table go together: name a configuration and its table")
    player = _by_hand(args) if args.config is None else _of_table(args.config, args.table)
    set_up_log("warning", quiet=False)
    asyncio.run(talk(player))
    return DONE


def _by_hand(args: argparse.Namespace) -> "Player":
    from bridge.cli.uci_talk import Player
    from bridge.outputs.uci import Seat
    from drivers.catalogue import driver

    found = driver(args.driver)
    return Player(found, args.board, Seat(found.info.cells_tell))


def _of_table(file: Path, name: str) -> "Player":
    from bridge.cli.uci_talk import Player
    from bridge.config import load
    from bridge.outputs.uci import Seat
    from drivers.catalogue import driver

    tables = {table.table: table for table in load(file).tables}
    if name not in tables:
        raise CannotError(f"{file} has no table {name!r}, only {', '.join(tables)}")
    table = tables[name]
    board = table.board
    if board.shares_its_line:
        raise CannotError(f"table {name} is one of a row: take a board with a line of its own")
    return Player(
        driver(board.driver),
        board.port,
        Seat(board.tells, orientation=table.orientation, tags=board.calibration),
        serial=board.serial,
        options=board.options,
    )
