"""Finding a game's beginning: the start position, in either orientation."""

from typing import NamedTuple

import chess

from bridge.core.inference.lines import lines_to
from bridge.core.inference.placement import EMPTY, difference, occupied, turned
from bridge.core.inference.position import Position
from bridge.core.inference.untold_array import Begun, back_ranks, numbers_of
from bridge.core.laws.drawn import MOST_NAMED, drawn_in_words, drawn_positions
from bridge.core.laws.exchanges import needed
from bridge.core.laws.setups import (
    Wrong,
    board_rotated,
    is_set_up,
    quarter_turned,
    wrong_array,
    wrong_drawn,
)
from bridge.core.model import TableSetup
from bridge.core.table.shown import from_seat
from drivers.cells import cells_of
from drivers.events import UNNAMED, UNREADABLE

MOST_PLIES = 4
"""A game is joined late up to here; with more, too much would have to be guessed."""
MOST_PLIES_UNNAMED = 2
"""The same on a board that cannot name men."""
MOST_BOARDS = 8
"""So many arrays are asked whether a game that nobody saw begin was begun from them."""
MOST_FAULTS = 2
"""So many squares of a start position may be read wrong for it to be taken for one."""
_INNER = slice(8, 56)


class Stand(NamedTuple):
    """A start position that stands on a board, perhaps turned round.

    ``seat_open``: it looks the same from the other seat, so ``rotated`` is only assumed.
    ``untold``: the board cannot tell which of the 960 stands, so ``board`` is only one of them.
    ``meant``: the right position, if ``board`` is a wrong set-up and the right one is known.
    """

    board: chess.Board
    rotated: bool
    seat_open: bool = False
    untold: bool = False
    meant: chess.Board | None = None


class Nearly(NamedTuple):
    """A start position of which ``faults`` are not seen right, squares of White's."""

    stand: Stand
    faults: tuple[chess.Square, ...]


class StartArray:
    """The position from which games at a table start.

    Chess960 without a given position: any of the 960. All methods take cells in the board's own
    numbering, with men shown as the board's sensing knows them.

    Raises:
        ValueError: the start position of *setup* is no position.
    """

    def __init__(self, setup: TableSetup) -> None:
        self._named = setup.sensing == "identity"
        any_stands = setup.chess960 and setup.start_fen is None
        self._drawn, self._untold = any_stands and self._named, any_stands and not self._named
        self._board = chess.Board(setup.start_fen or chess.STARTING_FEN, chess960=setup.chess960)
        if self._drawn:  # 30 ms once, here rather than while a reading waits
            drawn_positions()
        if self._untold:
            back_ranks()
        self._sensing = setup.sensing
        self._position = Position(self._board, setup.sensing)
        self._positions = {self._board.fen(): self._position}
        self._shown = self._position.shown
        self._seats = {"auto": (False, True), "normal": (False,), "rotated": (True,)}[
            setup.orientation
        ]

    def stands(self, cells: str) -> Stand | None:
        """Return what stands in *cells* if it is a start position.

        Which of the 960 stands is told only by a board that names men; else play must tell.
        """
        seats = [rotated for rotated in self._seats if self._is_start(from_seat(cells, rotated))]
        if not seats:
            return None
        return self._stand(from_seat(cells, seats[0]), seats)

    def _is_start(self, seen: str) -> bool:
        if self._drawn:
            return seen in drawn_positions()
        return seen == self._shown

    def _stand(self, array: str, seats: list[bool]) -> Stand:
        if self._drawn:
            board = chess.Board.from_chess960_pos(drawn_positions()[array])
        else:
            board = self._board.copy()
        return Stand(board, seats[0], seat_open=len(seats) > 1, untold=self._untold)

    def boards(self, stand: Stand, seen: str) -> list[chess.Board]:
        """Return the arrays that may have stood where *stand* does, from which *seen* was reached.

        That is the one that is known, or also some of those whose men may have gone as is seen.
        """
        if not stand.untold:
            return [stand.board]
        arrays = Begun(()).explaining(self._position, seen, 0)
        others = [chess.Board.from_chess960_pos(number) for number in numbers_of(arrays)]
        return [stand.board, *others[:MOST_BOARDS]]

    def position_of(self, board: chess.Board) -> Position:
        """Return the position of *board*, an array: the same for the same one, as searches ask."""
        fen = board.fen()
        if fen not in self._positions:
            if len(self._positions) > MOST_BOARDS:
                self._positions.clear()
            self._positions[fen] = Position(board, self._sensing)
        return self._positions[fen]

    def meant_by(self, wrong: chess.Board) -> chess.Board | None:
        """Return the right position for a *wrong* set-up of the same men, if there is only one."""
        men = sorted(self._position.cells)
        same = self._named and not self._drawn and sorted(cells_of(wrong)) == men
        return self._board if same else None

    def arrays(self) -> list[tuple[str, bool]]:
        """Return the men of the array in each seat that is possible, and whether it is rotated.

        None if which array stands is to be seen: of the 960 any may be.
        """
        if self._drawn or self._untold:
            return []
        return [(from_seat(self._position.cells, rotated), rotated) for rotated in self._seats]

    def nearly(self, cells: str, *, strangers: bool = False) -> Nearly | None:
        """Return the start position that stands but for one or two squares that are read wrong.

        Such a square reads empty or as another man; men that stand exchanged, or where none
        belong, are no fault of the board, but *strangers* may be, beside whom nobody is missing.
        A start position itself is not nearly one.
        """
        wrong = _misread_or_strange if strangers else _misread
        found = [
            (rotated, array, faults)
            for rotated in self._seats
            for array in self._arrays_near(from_seat(cells, rotated))
            if (faults := wrong(from_seat(cells, rotated), array))
        ]
        arrays = {array for _, array, _ in found}
        if len(arrays) != 1:  # two of the 960 may be equally near
            return None
        _, array, faults = found[0]
        return Nearly(self._stand(array, [rotated for rotated, _, _ in found]), faults)

    def _arrays_near(self, seen: str) -> list[str]:
        if not self._drawn:
            return [self._shown]
        if _unlike(seen[_INNER], self._shown[_INNER]) > MOST_FAULTS:
            return []
        return [
            array
            for array in drawn_positions()
            if _unlike(seen[:8], array[:8]) + _unlike(seen[56:], array[56:]) <= MOST_FAULTS
        ]

    def was_left(self, cells: str) -> Stand | None:
        """Return the start position from which a few plies lead to *cells*, if one does.

        That is up to four plies, where men cannot be named up to two and with all men on the
        board: a man more or less in a set-up looks like a capture there. None of the 960
        positions is looked for.
        """
        if (
            self._drawn
            or self._untold
            or not (self._named or cells.count(EMPTY) == self._shown.count(EMPTY))
        ):
            return None
        for plies in range(1, (MOST_PLIES if self._named else MOST_PLIES_UNNAMED) + 1):
            seats = [r for r in self._seats if lines_to(self._position, from_seat(cells, r), plies)]
            if seats:
                return self._stand(self._shown, seats)
        return None

    def wrong(self, cells: str) -> Wrong | None:
        """Return what is wrong with a set-up that looks done and is no start position.

        None: it is one, in either seat, or men are still being put up or out of reach of their
        squares. Two squares that :meth:`nearly` would forgive are wrong here: before the first
        move a man that is not seen cannot be told from one that is missing.
        """
        if UNREADABLE in cells or any(self._is_start(seen) for seen in (cells, turned(cells))):
            return None
        if quarter_turned(cells, self._is_start):
            return board_rotated()
        rotated = self._nearer_seat(cells)
        seen = from_seat(cells, rotated)
        if not is_set_up(seen, self._shown):
            return None
        if self._drawn:
            return wrong_drawn(seen, rotated=rotated)
        return wrong_array(seen, self._board, self._shown, rotated=rotated)

    def is_exchanged(self, cells: str) -> bool:
        """Whether men stand on all squares of the array and on no others."""
        return occupied(cells) == occupied(from_seat(self._shown, self._nearer_seat(cells)))

    def missing(self, cells: str) -> int:
        """Return by how many men *cells* have less than the array."""
        return occupied(self._shown).bit_count() - occupied(cells).bit_count()

    def _nearer_seat(self, cells: str) -> bool:
        """Return in which seat fewer squares differ."""
        array = self._shown
        return min(self._seats, key=lambda r: difference(from_seat(cells, r), array).bit_count())

    def wrong_squares(self, cells: str) -> chess.Bitboard:
        """Return the squares that keep *cells* from being the start position in the nearer seat.

        They are as the board numbers them. There are none where it stands the other way round, or
        where men have names and any of the 960 may be meant.
        """
        if self._drawn or self._is_start(turned(cells)):
            return 0
        return difference(cells, from_seat(self._shown, self._nearer_seat(cells)))

    def wanting(self, cells: str) -> str:
        """Say in words what keeps *cells* from being a start position, in the nearer seat.

        Squares are named as the board numbers them.
        """
        if self._is_start(turned(cells)):
            return "the start position stands the other way round than is configured"
        strangers = cells.count(UNNAMED) if self._named else 0
        if strangers > 1:
            return (
                f"{strangers} men are of a set that is not known: put all men up for some "
                "seconds, or calibrate them"
            )
        rotated = self._nearer_seat(cells)
        if self._drawn:
            return drawn_in_words(from_seat(cells, rotated))
        wanted = from_seat(self._shown, rotated)
        wrong = [s for s in chess.SQUARES if cells[s] != wanted[s]]
        if len(wrong) > MOST_NAMED:
            return f"{len(wrong)} squares differ"
        return ", ".join(needed(s, wanted[s], cells[s]) for s in wrong)


def _unlike(cells: str, other: str) -> int:
    return sum(one != two for one, two in zip(cells, other, strict=True))


def _misread_or_strange(seen: str, array: str) -> tuple[chess.Square, ...]:
    """Return the squares that :func:`_misread` does, or those where no man belongs, if one does."""
    wrong = [s for s in chess.SQUARES if seen[s] != array[s]]
    if len(wrong) <= MOST_FAULTS and all(array[s] == EMPTY for s in wrong):
        return tuple(wrong)
    return _misread(seen, array)


def _misread(seen: str, array: str) -> tuple[chess.Square, ...]:
    """Return the squares of *array* that *seen* misses or misreads; none if it is not only that."""
    wrong = [s for s in chess.SQUARES if seen[s] != array[s]]
    if len(wrong) > MOST_FAULTS or any(array[s] == EMPTY != seen[s] != UNREADABLE for s in wrong):
        return ()
    exchanged = len(wrong) > 1 and sorted(seen[s] for s in wrong) == sorted(array[s] for s in wrong)
    return () if exchanged else tuple(wrong)
