"""Which boards sit in the hall: a simulated board of every driver that follows games."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Literal, get_args

from drivers.catalogue import driver
from drivers.simulated.ble_chess import ChessPeripheralBoard
from drivers.simulated.certabo import CertaboBoard, SentioBoard
from drivers.simulated.chessnut import ChessnutBoard
from drivers.simulated.chessup import ChessUpBoard
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt import DgtBoard, Passport
from drivers.simulated.exhibition import Board
from drivers.simulated.ichessone import IChessOneBoard
from drivers.simulated.millennium import MillenniumBoard
from drivers.simulated.novag import CitrineUnit
from drivers.simulated.pegasus import PegasusBoard
from drivers.simulated.squareoff import SquareOffNeoBoard, SquareOffProBoard
from testbed.fake_ble import Service, services_of

Wiring = Literal["serial", "row", "usb", "radio"]
WIRINGS: tuple[Wiring, ...] = get_args(Wiring)

FIRST_ADDRESS = 1024
CONTROL = TimeControl(base=5400, increment=30)


@dataclass(frozen=True, kw_only=True)
class Family:
    """Boards of one driver.

    ``share`` of sixty boards are of this family. ``make`` returns the board with a number;
    ``stands`` is said of its table in the configuration.
    """

    driver: str
    wiring: Wiring
    share: int
    make: Callable[[int], Board]
    stands: str = ""

    @property
    def service(self) -> Service:
        """What a board of this family shows on the radio."""
        return services_of(driver(self.driver).info)


def dgt(number: int) -> DgtBoard:
    """Return a DGT board with a clock; the clock is pressed by hands."""
    address = FIRST_ADDRESS + number
    passport = Passport(
        serial=f"{30_000 + number}", long_serial=f"{3_000_000_000 + number}", bus_address=address
    )
    return DgtBoard(passport, clock=Clock(CONTROL), seed=number)


FAMILIES = (
    Family(driver="dgt", wiring="serial", share=10, make=dgt),
    Family(
        driver="chessnut",
        wiring="usb",
        share=8,
        make=lambda number: ChessnutBoard(wire="usb", seed=number),
    ),
    Family(
        driver="cpp",
        wiring="radio",
        share=4,
        make=lambda number: ChessPeripheralBoard(seed=number),
    ),
    Family(
        driver="millennium",
        wiring="serial",
        share=6,
        make=lambda number: MillenniumBoard(seed=number),
    ),
    Family(
        driver="certabo",
        wiring="serial",
        share=6,
        make=lambda number: CertaboBoard(men=number % 100, seed=number),
    ),
    Family(
        driver="chessup", wiring="radio", share=3, make=lambda number: ChessUpBoard(seed=number)
    ),
    Family(
        driver="ichessone",
        wiring="radio",
        share=3,
        make=lambda number: IChessOneBoard(seed=number),
    ),
    Family(driver="sentio", wiring="serial", share=4, make=lambda number: SentioBoard(seed=number)),
    Family(driver="novag", wiring="serial", share=2, make=lambda number: CitrineUnit(seed=number)),
    Family(
        driver="squareoff",
        wiring="radio",
        share=3,
        make=lambda number: SquareOffProBoard(seed=number),
    ),
    Family(
        driver="pegasus",
        wiring="radio",
        share=3,
        make=lambda number: PegasusBoard(seed=number),
        stands="orientation: normal",
    ),
    Family(
        driver="squareoff_neo",
        wiring="radio",
        share=2,
        make=lambda number: SquareOffNeoBoard(seed=number),
    ),
    Family(
        driver="chessnut_move",
        wiring="radio",
        share=2,
        make=lambda number: ChessnutBoard("move", wire="ble", seed=number),
    ),
    Family(driver="dgt_bus", wiring="row", share=4, make=dgt),
)


def drawn(boards: int, wirings: Collection[Wiring] = WIRINGS) -> Iterator[Family]:
    """Yield the families of *boards* boards: each in turn, as often as its share allows.

    Only those that are connected in one of *wirings*.
    """
    families = [family for family in FAMILIES if family.wiring in wirings]
    rounds = count()
    given = 0
    while given < boards:
        turn = next(rounds) % max(family.share for family in families)
        for family in families:
            if given < boards and turn < family.share:
                given += 1
                yield family
