"""Men who come to where they begin a game: it is put up again, and nothing is played any more."""

import chess

from bridge.core.inference.course import Course
from bridge.core.inference.placement import BIT, occupied
from drivers.cells import cells_of

PUT_UP = 4
"""So many men that came where they begin a game tell that it is put up again, ..."""
ALL_PUT_UP = 6
"""... and so many that whatever is shown beside them is no play either."""
_HOME = chess.BB_RANK_1 | chess.BB_RANK_2 | chess.BB_RANK_7 | chess.BB_RANK_8
_KINGS = chess.BB_E1 | chess.BB_E8
_ARRAY = cells_of(chess.BaseBoard())


def may_be_put_up(course: Course) -> bool:
    """Whether men come to the squares on which they begin a game: they make no moves."""
    runs = course.clock.state == "runs"
    if runs and not course.named:
        return False
    home = come_home(course)
    # Play hardly ever brings both kings there at once.
    kings = course.named and not runs and not _KINGS & ~home
    return kings or home.bit_count() >= PUT_UP


def is_put_up(course: Course) -> bool:
    """Whether so many men came to where they begin a game that nothing is played any more.

    Nobody pressed since the first of them came, and all were watched.
    """
    home = come_home(course)
    if course.chain.missed or home.bit_count() < ALL_PUT_UP:
        return False
    return course.clock.pressed_at < course.sight.first_change(home)


def come_home(course: Course) -> int:
    """Return the squares to which the men came that begin there, or any if none has a name."""
    shown, empty = course.sight.shown, ~course.position.board.occupied
    came = course.chain.differs & _HOME & empty & occupied(shown)
    if not course.named:
        return came
    at_home = (square for square in chess.scan_forward(came) if shown[square] == _ARRAY[square])
    return sum(BIT[square] for square in at_home)
