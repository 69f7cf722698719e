"""Short games with captures, castling and promotion, as boards of every kind tell them."""

from collections.abc import Iterable, Sequence

import chess
import pytest

from bridge.core.inference.placement import shown_by, turned
from bridge.core.model import (
    AlertRaised,
    Fact,
    GameEnded,
    GameStarted,
    LinkChange,
    MovesCorrected,
    MoveSettled,
    Payload,
    Reading,
    ResultOrder,
    Sensing,
    StateExplained,
    TableSetup,
)
from bridge.core.table import Table
from bridge.core.table.senses import LEARN_AFTER, SCANS
from drivers.cells import cells_of
from drivers.events import (
    EMPTY,
    Battery,
    BoardMove,
    ClockReading,
    Lift,
    Place,
    RawTags,
    Side,
    Snapshot,
    SquareChange,
)
from tests.bridge.core.dialogue import TIMING, TableTalk

GAMES = {
    "short castling": "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 Re1 d5 exd5 Nxd5 Nxe5 O-O Bxd5 Qxd5 Nxc6 bxc6",
    "promotion": "e4 d5 exd5 c6 dxc6 Nf6 cxb7 Bd7 bxa8=Q Bc6 Qxa7",
    "long castling": "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O",
    "en passant": "e4 a6 e5 d5 exd6 exd6",
}
SEATS = pytest.mark.parametrize("rotated", [False, True], ids=["normal", "rotated"])
RESTS = TIMING.rest + TIMING.gesture + 1.0
"""So long a move rests where no clock is heard of, also one that may be half done."""
SCAN = 0.1
START = cells_of(chess.Board())


class Board:
    """A board that names men; the others below tell less, or in another way."""

    sensing: Sensing = "identity"

    def __init__(self, *, rotated: bool = False) -> None:
        self.rotated = rotated
        self.cells = turned(START) if rotated else START

    def stands(self) -> list[Payload]:
        """Return what it says while the men stand to begin."""
        return [self.whole()]

    def whole(self) -> Payload:
        return Snapshot(at=0.0, cells=shown_by(self.cells, self.sensing))

    def changes(self, square: chess.Square, letter: str) -> list[Payload]:
        """Return what it says when a man is lifted or put on White's *square*."""
        square = 63 - square if self.rotated else square
        before, self.cells = self.cells, f"{self.cells[:square]}{letter}{self.cells[square + 1 :]}"
        return self.tells(square, before[square], letter)

    def tells(self, square: chess.Square, gone: str, letter: str) -> list[Payload]:
        cells = shown_by(self.cells, self.sensing)
        return [SquareChange(at=0.0, square=square, piece=cells[square], cells=cells)]


class Occupancy(Board):
    sensing: Sensing = "occupancy"


class Colour(Board):
    sensing: Sensing = "colour"


class LiftsAndPlaces(Board):
    """Tells what is lifted and placed, and nothing else."""

    sensing: Sensing = "occupancy"

    def stands(self) -> list[Payload]:
        return []

    def tells(self, square: chess.Square, gone: str, letter: str) -> list[Payload]:
        return [Lift(at=0.0, square=square) if letter == EMPTY else Place(at=0.0, square=square)]


class Tags(Board):
    """Reads numbers; at first the spare queens stand on d3 and d6."""

    def __init__(self, *, rotated: bool = False) -> None:
        super().__init__(rotated=rotated)
        self.off: dict[str, list[str]] = {}
        self.tags: list[str | None] = [
            None if man == EMPTY else f"{square:08x}" for square, man in enumerate(self.cells)
        ]

    def stands(self) -> list[Payload]:
        spare = {man: (f"spare {man}", chess.D3 if man == "Q" else chess.D6) for man in "Qq"}
        before = [*self.tags]
        for man, (tag, square) in spare.items():
            self.tags[63 - square if self.rotated else square] = tag
            self.off[man] = [tag]
        scans = self.scans(SCANS + LEARN_AFTER)
        self.tags = before
        return [*scans, *self.scans(SCANS)]

    def scans(self, count: int) -> list[Payload]:
        return [RawTags(at=0.0, tags=tuple(self.tags))] * count

    def tells(self, square: chess.Square, gone: str, letter: str) -> list[Payload]:
        tag = self.tags[square]
        if tag is not None:
            self.off.setdefault(gone, []).append(tag)
        self.tags[square] = None if letter == EMPTY else self.off[letter].pop()
        return self.scans(SCANS)


KINDS = [Board, Tags, Occupancy, Colour, LiftsAndPlaces]


class TagsAlone(Tags):
    """No spare queens stand by, so nothing tells the seat."""

    def stands(self) -> list[Payload]:
        return self.scans(SCANS + LEARN_AFTER)


class Session:
    """A table and a board on which moves are made by hand, a square at a time."""

    def __init__(self, board: Board, setup: TableSetup | None = None) -> None:
        self.board = board
        self.table = Table("7")
        self.facts: list[Fact] = []
        self.t = 0.0
        self._seq = 0
        self.hear(setup or TableSetup(sensing=board.sensing, has_clock=False))

    def hear(self, *payloads: Payload, every: float = SCAN) -> None:
        for payload in payloads:
            self.t += every
            self._seq += 1
            reading = Reading(
                table="7", link="b", seq=self._seq, at=self.t, wall=self.t, payload=payload
            )
            self.facts += self.table.apply(reading)

    def rest(self, seconds: float) -> None:
        self.t += seconds
        self.facts += self.table.tick(self.t)

    def begin(self) -> None:
        self.hear(*self.board.stands())
        self.rest(1.0)

    def start_clock(self, turn: Side, *, run: bool = True) -> None:
        self.hear(reading(turn, run=run))

    def move(self, position: chess.Board, san: str) -> chess.Move:
        """Make a move by hand; the position follows."""
        move = position.parse_san(san)
        for square, letter in by_hand(position, move):
            self.hear(*self.board.changes(square, letter))
            self.rest(0.4)
        position.push(move)
        return move

    def play(self, sans: str, position: chess.Board | None = None) -> chess.Board:
        """Play moves that rest, as where there is no clock."""
        position = position or chess.Board()
        for san in sans.split():
            self.move(position, san)
            self.rest(RESTS)
        return position

    @property
    def moves(self) -> str:
        sans: list[str] = []
        for fact in self.facts:
            if isinstance(fact, GameStarted):
                sans.clear()
            if isinstance(fact, MoveSettled):
                sans.append(fact.san)
            elif isinstance(fact, MovesCorrected):
                del sans[-fact.count :]
        return " ".join(sans)

    def told(self, kind: type[Fact]) -> list[Fact]:
        return [fact for fact in self.facts if isinstance(fact, kind)]

    @property
    def states(self) -> list[str]:
        return [fact.text for fact in self.facts if isinstance(fact, StateExplained)]


def reading(turn: Side, *, run: bool = True) -> ClockReading:
    return ClockReading(at=0.0, left_ms=300_000, right_ms=300_000, running=run, turn=turn)


def by_hand(position: chess.Board, move: chess.Move) -> Iterable[tuple[chess.Square, str]]:
    """Lift what goes, the victim first, then put down; a king castles before its rook."""
    after = position.copy(stack=False)
    after.push(move)
    old, new = cells_of(position), cells_of(after)
    if position.is_castling(move):
        rank = move.from_square & ~7
        short = position.is_kingside_castling(move)
        rook, to = (rank + 7, rank + 5) if short else (rank, rank + 3)
        return [
            (move.from_square, EMPTY),
            (move.to_square, old[move.from_square]),
            (rook, EMPTY),
            (to, old[rook]),
        ]
    victims = [s for s in chess.SQUARES if old[s] != EMPTY and old[s] != new[s]]
    victims.sort(key=lambda square: square == move.from_square)
    return [*((s, EMPTY) for s in victims), (move.to_square, new[move.to_square])]


@SEATS
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sans", GAMES.values(), ids=GAMES)
def test_a_short_game(kind: type[Board], sans: str, rotated: bool) -> None:
    session = Session(kind(rotated=rotated))
    session.begin()
    session.play(sans)
    assert session.moves == sans
    assert session.table.rotated == rotated


# -- men of which only that they are there is known ------------------------------------------------


@SEATS
@pytest.mark.parametrize("kind", [Occupancy, LiftsAndPlaces, Tags, TagsAlone])
@pytest.mark.parametrize("run", [True, False])
def test_the_seat_is_found_by_the_first_move_also_with_a_clock(
    kind: type[Board], rotated: bool, run: bool
) -> None:
    """White's clock is at his left hand; it runs from the start, or with the first press."""
    session = Session(kind(rotated=rotated), TableSetup(sensing=kind.sensing))
    session.begin()
    sides: tuple[Side, Side] = ("right", "left") if rotated else ("left", "right")
    session.start_clock(sides[0], run=run)
    position = chess.Board()
    for number, san in enumerate(GAMES["short castling"].split(), start=1):
        session.rest(2.0)
        session.move(position, san)
        session.hear(reading(sides[number % 2]))
        session.rest(2.0)
    assert session.moves == GAMES["short castling"]
    assert session.table.rotated == rotated
    assert session.table.clock.white_side == sides[0]
    assert all(fact.basis == "press" for fact in session.facts if isinstance(fact, MoveSettled))


def test_the_seat_is_found_also_where_a_square_is_dead() -> None:
    table = TableTalk(TableSetup(sensing="occupancy"))
    board = chess.Board()

    def shows(at: float) -> None:
        seen = [*turned(shown_by(cells_of(board), "occupancy"))]
        seen[chess.H1] = EMPTY
        table._hear("board", at, Snapshot(at=at, cells="".join(seen)))

    shows(0.0)
    table.clock(12.0, 300, 300, "right")  # the game begins with a man missing
    board.push_san("c4")
    shows(20.0)
    table.clock(21.0, 300, 299, "left").ticks(25.0)
    assert (table.moves, table.table.rotated) == ("c4", True)
    assert [fact.code for fact in table.facts if isinstance(fact, AlertRaised)] == [
        "BOARD_ORIENTATION_AUTO"
    ]


def test_a_configured_seat_is_not_guessed() -> None:
    setup = TableSetup(sensing="occupancy", has_clock=False, orientation="rotated")
    session = Session(Occupancy(rotated=False), setup)
    session.begin()
    session.play("e4")
    assert session.moves == ""
    assert session.table.rotated


# -- tags ------------------------------------------------------------------------------------------


def test_tags_that_are_known_tell_the_seat_of_the_next_game() -> None:
    session = Session(Tags())
    session.begin()
    position = session.play("e4 e5")
    session.hear(ResultOrder(result="1-0"))
    for square in (chess.E4, chess.E5):
        session.hear(*session.board.changes(square, EMPTY))
    assert isinstance(session.board, Tags)
    session.board.tags, session.board.cells = _array_from_the_other_seat(session.board)
    session.board.rotated = True
    session.hear(*session.board.scans(SCANS))
    session.rest(2.0)
    assert [fact.rotated for fact in session.facts if isinstance(fact, GameStarted)] == [
        False,
        True,
    ]
    session.play("d4 d5", position.root())
    assert session.moves == "d4 d5"
    assert not any("other seat" in text for text in session.states)


def _array_from_the_other_seat(board: Tags) -> tuple[list[str | None], str]:
    """Every man stands where it belongs, seen from the other side."""
    men = Tags(rotated=False)
    men_of = {tag: START[square] for square, tag in enumerate(men.tags) if tag}
    squares: dict[str, list[str]] = {}
    for tag, man in men_of.items():
        squares.setdefault(man, []).append(tag)
    cells = turned(START)
    return [None if man == EMPTY else squares[man].pop() for man in cells], cells


@SEATS
def test_new_men_for_the_second_game_leave_the_seat_open_again(rotated: bool) -> None:
    session = Session(Tags())
    session.begin()
    position = session.play("e4 e5")
    session.hear(ResultOrder(result="1-0"))
    session.board = TagsAlone(rotated=rotated)
    session.board.tags = [tag and f"new {tag}" for tag in session.board.tags]
    session.begin()
    session.rest(2.0)
    session.play("d4 d5", position.root())
    assert session.moves == "d4 d5"
    assert session.table.rotated == rotated
    assert session.table.game == 2


def test_tags_are_not_learned_while_a_game_is_on() -> None:
    """Strange men stay strangers."""
    session = Session(Tags())
    session.begin()
    session.play("e4")
    assert isinstance(session.board, Tags)
    session.board.tags[chess.D8] = "another queen"
    session.hear(*session.board.scans(SCANS + LEARN_AFTER))
    session.rest(5.0)
    said = "the board differs from the record: d8 shows a man that the board does not know"
    assert session.states[-1] == f"{said} instead of a black queen"


# -- lifts and places ------------------------------------------------------------------------------


def test_men_that_are_put_up_on_an_empty_board_begin_the_first_game() -> None:
    session = Session(LiftsAndPlaces())
    session.hear(*(Place(at=0.0, square=s) for s in chess.SQUARES if START[s] != EMPTY))
    assert len(session.told(GameStarted)) == 1
    session.play("e4 e5")
    assert session.moves == "e4 e5"


def test_a_man_lifted_where_none_is_in_the_array_begins_nothing() -> None:
    session = Session(LiftsAndPlaces())
    session.hear(Lift(at=0.0, square=chess.E4))
    assert session.told(GameStarted) == []


def test_lifts_begin_nothing_where_the_array_is_to_be_seen() -> None:
    setup = TableSetup(sensing="occupancy", has_clock=False, chess960=True)
    session = Session(LiftsAndPlaces(), setup)
    session.hear(Lift(at=0.0, square=chess.E2))
    assert session.told(GameStarted) == []


# -- boards that judge moves -----------------------------------------------------------------------


def verdict(uci: str, said: str = "legal") -> BoardMove:
    assert said in ("legal", "unjudged", "undone")
    return BoardMove(at=0.0, uci=uci, verdict=said)  # type: ignore[arg-type]  # asserted above


@SEATS
@pytest.mark.parametrize("late", [True, False], ids=["verdict last", "verdict first"])
@pytest.mark.parametrize("sans", GAMES.values(), ids=GAMES)
def test_a_verdict_settles_what_stands_without_long_rest(
    sans: str, rotated: bool, late: bool
) -> None:
    session = Session(Board(rotated=rotated))
    session.begin()
    position = chess.Board()
    for san in sans.split():
        move = position.parse_san(san)
        if late:
            session.move(position, san)
            session.hear(verdict(move.uci()[:4]))
        else:
            steps = [*by_hand(position, move)]
            for square, letter in steps[:-1]:
                session.hear(*session.board.changes(square, letter))
            session.hear(verdict(move.uci()))
            session.hear(*session.board.changes(*steps[-1]))
            position.push(move)
        session.rest(TIMING.gap)
    assert session.moves == sans
    assert {fact.basis for fact in session.facts if isinstance(fact, MoveSettled)} == {"press"}


@pytest.mark.parametrize(
    "said",
    [
        [verdict("e2e3")],
        [verdict("e2e4", "unjudged")],
        [verdict("e2e4"), verdict("", "undone")],
        [verdict("castles")],
    ],
    ids=["another move", "unjudged", "undone", "nonsense"],
)
def test_a_verdict_about_what_does_not_stand_settles_nothing(said: Sequence[BoardMove]) -> None:
    session = Session(Board())
    session.begin()
    session.hear(*session.board.changes(chess.E2, EMPTY), *said)
    session.hear(*session.board.changes(chess.E4, "P"))
    session.rest(1.0)
    assert session.moves == ""
    session.rest(TIMING.rest)
    assert session.moves == "e4"


def test_an_old_verdict_settles_nothing() -> None:
    session = Session(Board())
    session.begin()
    session.hear(*session.board.changes(chess.E2, EMPTY), verdict("e2e4"))
    session.rest(5.0)
    session.hear(*session.board.changes(chess.E4, "P"))
    session.rest(1.0)
    assert session.moves == ""


def test_verdicts_tell_the_order_of_moves_that_are_seen_together_after_a_lost_link() -> None:
    session = Session(Board())
    session.begin()
    position = session.play("e4 e5")
    played = "Nf3 Nc6 Bc4 Nf6 d3"
    moves = [str(position.push_san(san).uci()) for san in played.split()]
    session.hear(LinkChange(state="lost"), LinkChange(state="live"))
    session.hear(*map(verdict, moves), Snapshot(at=0.0, cells=cells_of(position)))
    session.rest(0.1)
    assert session.moves == f"e4 e5 {played}"


def test_of_moves_made_while_the_link_was_lost_those_told_are_believed_in_their_order() -> None:
    session = Session(Board())
    session.begin()
    position = session.play("e4 e5 d4 d6")
    first, *_ = moves = [position.push_san(san).uci() for san in ("Nf3", "Nf6", "Nc3", "Nc6")]
    session.hear(verdict(first), LinkChange(state="lost"), LinkChange(state="live"))
    session.hear(verdict(moves[3]), Snapshot(at=0.0, cells=cells_of(position)))
    session.rest(10.0)
    assert session.moves == "e4 e5 d4 d6 Nf3 Nf6 Nc3 Nc6"


def test_a_verdict_that_was_undone_is_none_of_the_moves_that_were_told() -> None:
    session = Session(Board())
    session.begin()
    position = session.play("e4")
    said = [verdict("e7e6"), verdict("", "undone"), verdict("e7e5"), verdict("g1f3")]
    for san in ("e5", "Nf3"):
        position.push_san(san)
    session.hear(LinkChange(state="lost"), LinkChange(state="live"))
    session.hear(*said, Snapshot(at=0.0, cells=cells_of(position)))
    session.rest(0.1)
    assert session.moves == "e4 e5 Nf3"


def test_while_a_clock_runs_the_press_completes_the_move() -> None:
    session = Session(Board(), TableSetup())
    session.begin()
    session.start_clock("left")
    session.move(chess.Board(), "e4")
    session.hear(verdict("e2e4"))
    session.rest(3.0)
    assert session.moves == ""
    session.hear(reading("right"))
    session.rest(TIMING.gap)
    assert session.moves == "e4"


def test_what_says_nothing_of_the_game_is_passed_over() -> None:
    session = Session(Board())
    session.hear(Battery(at=0.0, percent=50, charging=False))
    assert session.facts == []


def test_a_verdict_before_any_game_is_nothing() -> None:
    session = Session(Board())
    session.hear(verdict("e2e4"))
    assert session.facts == []


def test_a_mate_that_was_judged_ends_the_game_once() -> None:
    session = Session(Board())
    session.begin()
    position = session.play("f3 e5 g4")
    session.move(position, "Qh4#")
    session.hear(verdict("d8h4"), verdict("d8h4"))
    session.rest(5.0)
    assert session.moves == "f3 e5 g4 Qh4#"
    assert len(session.told(GameEnded)) == 1
