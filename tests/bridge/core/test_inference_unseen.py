"""Men that are not seen: put down where the board sees nothing, or in a hand when it is back."""

import chess
import pytest

from bridge.core.inference.branch import Reading
from bridge.core.inference.course import Course
from bridge.core.inference.elsewhere import went_elsewhere
from bridge.core.inference.engine import Engine
from bridge.core.inference.findings import Ambiguous, Finding, Settled, Withdrawn
from bridge.core.inference.hypotheses import plies_of
from bridge.core.inference.in_common import take_common
from bridge.core.inference.lines import lines_to
from bridge.core.inference.placement import BIT, shown_by, with_changes
from bridge.core.inference.position import Position
from bridge.core.inference.sight import MOST_KEPT
from bridge.core.inference.taking import take
from bridge.core.inference.timing import Timing
from bridge.core.model import Sensing, TableSetup
from drivers.cells import cells_of
from tests.bridge.core.dialogue import TableTalk
from tests.bridge.core.watching import Watched


def test_a_man_that_was_only_on_its_way_is_not_believed_there_when_the_reply_is_made() -> None:
    board = chess.Board("r1bqkbnr/1pp2ppp/p1p5/4p3/4P3/3P1N2/PPP2PPP/RNBQK2R b KQkq - 0 5")
    engine, cells = Engine(board.copy()), list(cells_of(board))
    engine.clock(runs=True, at=0.0, turn=chess.BLACK)
    found: list[Finding] = []

    def shows(at: float, square: str, letter: str) -> None:
        cells[chess.parse_square(square)] = letter
        found.extend(engine.sees("".join(cells), at=at))

    shows(1.0, "e7", "b")
    shows(1.1, "f8", ".")
    shows(1.6, "e7", ".")  # it went on to d6, which sees nothing
    found += engine.press(chess.BLACK, at=2.5)
    shows(2.52, "c1", ".")
    shows(2.64, "e3", "B")
    found += engine.tick(at=2.7)
    (settled,) = (each for each in found if isinstance(each, Settled))
    (ambiguous,) = (each for each in found if isinstance(each, Ambiguous))
    seen_by_nobody = {chess.Move.from_uci(uci) for uci in ("f8d6", "f8c5", "f8b4", "f8a3")}
    assert settled.move in seen_by_nobody
    assert seen_by_nobody <= {*ambiguous.moves}


def test_a_knight_who_slid_over_a_square_is_taken_to_stand_beyond_it() -> None:
    """From f3 he was shown on e3 for a moment: that is on the way to d4, not to h4 or e1."""
    board = Watched("6k1/5ppp/8/8/8/5N2/1r3PPP/6K1 w - - 0 1")
    board.waits(1.0).shows("f3").waits(0.15).shows("e3N").waits(0.1).shows("e3").waits(0.8)
    board.presses(chess.WHITE).waits(8.0).shows("g7").waits(0.3).shows("g6p").waits(0.5)
    board.presses(chess.BLACK).waits(3.0)
    assert board.moves == "f3d4 g7g6"


def test_a_man_who_rested_until_the_press_stands_there_though_he_is_seen_no_more() -> None:
    board = Watched("r1bqkbnr/1pp2ppp/p1p5/4p3/4P3/3P1N2/PPP2PPP/RNBQK2R b KQkq - 0 5")
    board.waits(1.0).shows("f8").waits(0.4).shows("c5b").waits(0.5).shows("c5").waits(0.1)
    board.presses(chess.BLACK).waits(0.3).shows("c1").waits(0.3).shows("e3B").waits(4.0)
    assert board.moves == "f8c5"


def test_a_man_who_is_seen_nowhere_was_put_down_before_the_opponent_answered_and_pressed() -> None:
    """The hand is not waited for any longer: play goes on before it could come to stand."""
    board = Watched("r1bqk1nr/pppp1ppp/2n5/4p3/1bB1P3/2P2N2/P2P1PPP/RNBQK2R b KQkq - 0 5")
    board.waits(2.0).shows("b4").waits(0.5).presses(chess.BLACK).runs_for(chess.WHITE)
    board.waits(0.2).shows("d2").waits(0.1).shows("d4P").waits(0.6)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(1.6)
    for square in ("e5", "d4"):
        board.shows(square).waits(0.3)
    board.shows("d4p").waits(1.0).presses(chess.BLACK).runs_for(chess.WHITE).waits(20.0)
    bishop, *others = board.moves.split()
    assert bishop.startswith("b4")
    assert others == ["d2d4", "e5d4"]


def test_after_a_lost_link_the_hand_is_waited_for_though_men_of_the_opponent_came() -> None:
    """The knight came by a ply that nobody saw; it answers nothing."""
    board = Watched("4k1n1/3p4/8/8/8/8/4P3/4K1N1 w - - 0 1")
    board.waits(2.0).misses("d7 d5p g8 f6n e1", seconds=5.0).waits(0.4)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(0.8)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(1.5)
    assert not [each for each in board.found if isinstance(each, Ambiguous)]


def test_a_press_that_is_given_back_answers_no_man_who_is_seen_nowhere() -> None:
    board = Watched("r1bqk1nr/pppp1ppp/2n5/4p3/1bB1P3/2P2N2/P2P1PPP/RNBQK2R b KQkq - 0 5")
    board.waits(2.0).shows("b4").waits(0.5).presses(chess.BLACK).runs_for(chess.WHITE)
    board.waits(1.0).presses(chess.WHITE).runs_for(chess.BLACK).waits(1.5)
    board.shows("a5b").waits(1.0).presses(chess.BLACK).runs_for(chess.WHITE).waits(1.0)
    assert board.moves == "b4a5"
    assert not [each for each in board.found if isinstance(each, Ambiguous | Withdrawn)]


def test_no_man_stands_unseen_where_another_one_of_his_player_is_shown() -> None:
    """The pawn was taken to be on d3, where a rook was put against the rules: it is on d4."""
    board = Watched("rnb1kb1r/p1pp1ppp/5n1q/1B6/4Pp2/5N2/PPPP2PP/RNBQ1K1R w kq - 3 7")
    board.waits(2.0).shows("d2").waits(0.5).presses(chess.WHITE).runs_for(chess.BLACK)
    board.waits(4.0).shows("f6").waits(0.3).shows("h5n").waits(0.5)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(4.0)
    assert board.moves == "d2d3 f6h5"
    board.shows("h1").waits(0.5).shows("d3R").waits(0.5).presses(chess.WHITE)
    board.runs_for(chess.BLACK).waits(1.0)
    assert board.moves == "d2d4 f6h5"


def test_victim_and_taker_in_the_hand_are_no_plies_that_were_made_unseen() -> None:
    board = chess.Board("6k1/3q4/1P6/8/P7/8/8/3Q3K b - - 0 1")
    engine, cells = Engine(board.copy()), list(cells_of(board))
    engine.clock(runs=True, at=0.0, turn=chess.BLACK)
    cells[chess.A4] = "."
    told: list[Finding] = engine.sees("".join(cells), at=5.0)
    cells[chess.D7] = "."
    told += engine.sees("".join(cells), at=5.4)
    while engine.wake_at < 12.0:  # d7-d8, a4-a5, d8xb6 and a5xb6 would leave the same
        told += engine.tick(at=engine.wake_at)
    cells[chess.A4] = "q"
    told += engine.sees("".join(cells), at=12.2)
    told += engine.press(chess.BLACK, at=12.8)
    while engine.wake_at < 16.0:
        told += engine.tick(at=engine.wake_at)
    settled = [each.move for each in told if isinstance(each, Settled)]
    assert settled == [chess.Move.from_uci("d7a4")]
    assert not [each for each in told if isinstance(each, Ambiguous | Withdrawn)]


@pytest.mark.parametrize(
    ("sensing", "fen", "before", "back", "then", "moves"),
    [
        pytest.param(
            "occupancy",
            "5rnk/1pq3p1/p2p2bp/2pPp3/2P1P3/1RP2BPP/P3Q2K/4B3 b - - 5 28",
            ("g8", "f6n"),
            "h2 g2K f8",
            ("f7r",),
            "g8f6 h2g2 f8f7",
            id="it might have taken unseen",
        ),
        pytest.param(
            "identity",
            "4r1k1/pp4p1/3p1q2/3P1p2/7P/P7/1P3Q1P/3R1K2 b - - 1 27",
            ("e8", "e4r"),
            "d1 e1R e4",
            ("h4", "h4r"),
            "e8e4 d1e1 e4h4",
            id="it might have been taken",
        ),
        pytest.param(
            "identity",
            "4k3/8/8/3p4/8/4P3/8/R3K3 w - - 0 1",
            (),
            "e3 e4P d5",
            ("e4p",),
            "e3e4 d5e4",
            id="it takes what came unseen",
        ),
    ],
)
def test_a_man_in_a_hand_when_the_link_is_back_has_not_moved_yet(
    sensing: Sensing,
    fen: str,
    before: tuple[str, ...],
    back: str,
    then: tuple[str, ...],
    moves: str,
) -> None:
    scene = Scene(fen, sensing)
    scene.wait(1.0)
    for change in before:
        scene.shows(change)
        scene.wait(1.2)
    scene.loses_sight()
    scene.wait(5.0)
    scene.shows(back)
    for change in then:
        scene.wait(0.9)
        scene.shows(change)
    scene.wait(8.0)
    assert scene.moves == moves


@pytest.mark.parametrize(
    ("sensing", "fen", "before", "back", "then", "moves"),
    [
        pytest.param(
            "identity",
            "rnb1k2r/1Rp1q3/2Pp2pn/pQ5p/p2p4/B1N1P1pB/2PP1P1P/4K2R b Kkq - 0 1",
            "h6 g4n",
            "h3 g2B",
            ((0.01, "b8"), (0.9, "c6"), (0.3, "c6n")),
            "h6g4 h3g2 b8c6",
            id="after a move unseen",
        ),
        pytest.param(
            "occupancy",
            "r4rk1/pp2ppbp/1qn1bnp1/2ppN3/5P2/2PP2P1/PP2PNBP/R1BQK2R w KQ - 0 1",
            "e5 c6",
            "c6N",
            ((0.2, "c6"), (0.3, "b7"), (0.45, "c6p")),
            "e5c6 b7c6",
            id="two men",
        ),
    ],
)
def test_men_that_are_lifted_when_the_link_is_just_back_did_not_leave_unseen(
    sensing: Sensing,
    fen: str,
    before: str,
    back: str,
    then: tuple[tuple[float, str], ...],
    moves: str,
) -> None:
    scene = Scene(fen, sensing)
    scene.wait(1.0)
    scene.shows(before)
    scene.wait(0.8 if sensing == "identity" else 0.2)
    scene.loses_sight()
    scene.wait(3.0)
    scene.shows(back)
    for pause, change in then:
        scene.wait(pause)
        scene.shows(change)
    scene.wait(8.0)
    assert scene.moves == moves


def test_a_reply_that_stands_where_the_man_came_from_is_one() -> None:
    scene = Scene("4k3/8/8/8/4p3/4B3/5P2/6K1 w - - 0 1", "identity")
    scene.wait(1.0)
    scene.shows("e3")
    scene.wait(0.3)
    scene.shows("c5B")
    scene.wait(1.0)
    scene.loses_sight()
    scene.wait(5.0)
    scene.shows("e4 e3p")
    scene.wait(0.2)
    scene.shows("f2")
    scene.wait(0.3)
    scene.shows("f4P")
    scene.wait(2.0)
    scene.shows("e8")
    scene.wait(0.3)
    scene.shows("d7k")
    scene.wait(2.0)
    assert scene.moves == "e3c5 e4e3 f2f4"


class Scene:
    """An engine that is shown a board without a clock."""

    def __init__(self, fen: str, sensing: Sensing) -> None:
        board = chess.Board(fen)
        self._engine = Engine(board.copy(), sensing=sensing)
        self._sensing = sensing
        self._cells = list(cells_of(board))
        self._at = 0.0
        self._found: list[Finding] = []
        self.shows("")

    def shows(self, changes: str) -> None:
        """Let squares show something else, all at once: ``e2 e4P``."""
        for change in changes.split():
            self._cells[chess.parse_square(change[:2])] = change[2:] or "."
        cells = shown_by("".join(self._cells), self._sensing)
        self._found += self._engine.sees(cells, at=self._at)

    def wait(self, seconds: float) -> None:
        until = self._at + seconds
        while self._engine.wake_at <= until:
            self._at = self._engine.wake_at
            self._found += self._engine.tick(at=self._at)
        self._at = until

    def loses_sight(self) -> None:
        self._found += self._engine.lose_sight(at=self._at)

    @property
    def moves(self) -> str:
        """The settled moves."""
        return " ".join(each.move.uci() for each in self._found if isinstance(each, Settled))


class Board:
    """A board of which one square shows nothing, and the engine that reads it."""

    def __init__(self, fen: str, dead: str, sensing: Sensing = "identity") -> None:
        self.engine = Engine(chess.Board(fen), sensing=sensing)
        self.sensing: Sensing = sensing
        self.dead = chess.parse_square(dead)
        self.cells = list(cells_of(chess.Board(fen)))
        self.at = 0.0
        self.moves: list[chess.Move] = []
        self.ambiguous: list[Ambiguous] = []
        self.withdrawn = 0
        self._take(self.engine.clock(runs=True, at=0.0, turn=chess.Board(fen).turn))
        self._show()

    def makes(self, uci: str, man: str, *, presses: bool = True) -> None:
        """Lift a man, put it down, and press."""
        turn = chess.BLACK if man.islower() else chess.WHITE
        for square, letter in ((uci[:2], "."), (uci[2:4], man)):
            self.cells[chess.parse_square(square)] = letter
            self._show()
            self.waits(0.4)
        if presses:
            self._take(self.engine.press(turn, at=self.at))
            self.waits(2.0)

    def lifts(self, square: str) -> None:
        """Take up a man and keep him."""
        self.cells[chess.parse_square(square)] = "."
        self._show()

    def _show(self) -> None:
        cells = self.cells.copy()
        cells[self.dead] = "."
        shown = shown_by("".join(cells), self.sensing)
        self._take(self.engine.sees(shown, at=self.at))

    def waits(self, seconds: float) -> None:
        until = self.at + seconds
        while self.engine.wake_at <= until:
            self.at = self.engine.wake_at
            self._take(self.engine.tick(at=self.at))
        self.at = until

    def _take(self, found: list[Finding]) -> None:
        for each in found:
            if isinstance(each, Settled):
                self.moves.append(each.move)
            elif isinstance(each, Withdrawn):
                del self.moves[-each.plies :]
                self.withdrawn += 1
            elif isinstance(each, Ambiguous):
                self.ambiguous.append(each)

    @property
    def line(self) -> str:
        """The moves told and not taken back."""
        return " ".join(move.uci() for move in self.moves)


@pytest.mark.parametrize("steps", [("d7d6", "d6e5"), ("d7d5", "d5e4")])
def test_a_man_put_down_unseen_goes_on_from_where_it_stands(steps: tuple[str, str]) -> None:
    first, second = steps
    board = Board("4k3/3p4/8/4P3/4P3/8/8/4K3 b - - 0 1", dead=first[2:])
    board.makes(first, "p")
    board.makes("e1e2", "K")
    assert {move.uci() for move in board.ambiguous[0].moves} == {"d7d6", "d7d5"}
    board.makes(second, "p")
    assert board.line == f"{first} e1e2 {second}"


@pytest.mark.parametrize("dead", ["h6", "h7"])
def test_where_a_man_was_thought_to_stand_another_one_does(dead: str) -> None:
    board = Board("5bkr/8/6b1/7p/8/8/8/4K3 b - - 0 1", dead=dead)
    other = {"h6": "g6h7", "h7": "f8h6"}[dead]
    board.makes(f"h8{dead}", "r")
    board.makes("e1e2", "K")
    assert {move.uci() for move in board.ambiguous[0].moves} == {"h8h6", "h8h7"}
    board.makes(other, "b")
    assert board.line == f"h8{dead} e1e2 {other}"


def test_a_man_who_is_taken_unseen_stood_where_he_could_be_taken() -> None:
    """The pawn was thought to stand on d6; men that go there and are not seen tell more."""
    board = Board("4k3/3p4/4p3/8/2P5/8/8/4K3 b - - 0 1", dead="d5", sensing="occupancy")
    board.makes("d7d5", "p")
    board.makes("e1e2", "K")
    board.makes("e8e7", "k")
    board.makes("c4d5", "P")
    board.waits(4.0)
    board.makes("e6d5", "p")
    board.waits(4.0)
    assert board.line == "d7d5 e1e2 e8e7 c4d5 e6d5"


def test_a_man_without_a_name_is_told_where_he_stands_after_the_reply() -> None:
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.plays(4.0, "e4", "e5")
    table.sees(12.0, without="b1").clock(13.0, 297, 300, "right")
    table.sees(13.7, without="d7").sees(13.8, black_pawn="d6").sees(14.0, without="d6")
    table.sees(14.1, black_pawn="d5").clock(14.9, 297, 298, "left")
    table.sees(15.1, white_knight="a3").clock(16.0, 296, 298, "left").ticks(20.0)
    assert table.moves == "e4 e5 Na3 d5"


def test_a_guess_that_explains_what_is_shown_as_well_as_another_is_left_alone() -> None:
    """Wherever the knight stands, it may have taken a pawn, and so the other knight."""
    board = Board("7n/8/6P1/p7/1p6/8/8/N3K2k w - - 0 1", dead="b3", sensing="occupancy")
    board.makes("a1b3", "N")
    board.makes("h1h2", "k")
    board.lifts("h8")
    board.waits(6.0)
    assert {move.uci() for move in board.ambiguous[0].moves} == {"a1b3", "a1c2"}
    assert board.withdrawn == 0


def test_play_tells_that_a_man_nobody_pressed_for_stands_unseen() -> None:
    board = Board("4k3/7p/8/2n5/1P6/8/8/4K3 w - - 0 1", dead="b5")
    board.makes("b4b5", "P", presses=False)
    board.makes("c5a6", "n", presses=False)
    board.makes("b5a6", "P")
    assert board.line == "b4b5 c5a6 b5a6"


def test_a_square_that_flickers_does_not_hide_that_a_man_stands_unseen() -> None:
    board = Board("4k3/7p/8/2n5/1P6/8/8/4K3 w - - 0 1", dead="b5")
    board.engine.lose_clock(at=0.0)
    board.makes("b4b5", "P", presses=False)
    for _ in range(MOST_KEPT):
        board.makes("h7h7", "p", presses=False)
    board.makes("c5a6", "n", presses=False)
    board.waits(20.0)
    assert board.line == "b4b5 c5a6"


def test_an_illegal_move_stands_when_its_answer_went_where_nothing_is_seen() -> None:
    board = Board("5nk1/3p4/8/8/8/5P2/8/6K1 b - - 0 1", dead="d7")
    board.engine.excuse()
    board.makes("d7d5", "p")
    board.makes("f3e3", "P")
    board.waits(8.0)
    board.engine.may_stand(chess.Move.from_uci("f3e3"))
    board.makes("f8d7", "n")
    board.waits(4.0)
    assert board.line == "d7d5 f3e3 f8d7"


def test_what_all_readings_have_is_told_though_they_part_then() -> None:
    course = Course(chess.Board(), Timing(), "identity")
    start = node = course.story.head
    for san in ("d4", "g6", "Nc3"):
        node = node.then(node.position.board.parse_san(san))
    readings = []
    for number, san in enumerate(("Bg7", "Bh6")):
        answer = node.then(node.position.board.parse_san(san))
        last = answer.then(answer.position.board.parse_san("Nf3"))
        readings.append(Reading(last, 5.0 + 0.1 * number))
    course.sees(readings[0].node.position.shown, 2.0)
    take_common(course, readings, start, 3.0)
    told = [each.move.uci() for each in course.story.take() if isinstance(each, Settled)]
    assert told == ["d2d4", "g7g6", "b1c3"]


def test_moves_that_may_have_been_are_moves_of_the_position_they_are_told_of() -> None:
    """Another reading may have come to the same ply by another way."""
    course = Course(chess.Board(), Timing(), "identity")
    start = course.story.head
    readings = []
    for line in ("Nc3 e5 Nd5 d6", "d4 e5 d5 d6"):
        node = start
        for san in line.split():
            node = node.then(node.position.board.parse_san(san))
        readings.append(Reading(node, 5.0, BIT[chess.D5]))
    course.sees(readings[0].node.position.shown, 2.0)
    assert take(course, readings, start, 3.0)
    told = course.story.take()
    assert [each.move.uci() for each in told if isinstance(each, Settled)][-1] == "c3d5"
    assert not any(isinstance(each, Ambiguous) for each in told)


def test_a_man_said_to_stand_unseen_went_where_one_like_him_is_seen() -> None:
    """His square was read wrongly at first; nothing but an illegal move brings him there."""
    board = chess.Board("6k1/8/8/8/2P5/8/8/6K1 w - - 0 1")
    course = Course(board, Timing(), "identity")
    start = course.story.head
    last = start.then(chess.Move.from_uci("c4c5")).then(chess.Move.from_uci("g8h8"))
    shown = with_changes(last.position.shown, [(chess.C5, "."), (chess.C6, "P")])
    course.sees(shown, 2.0)
    went = went_elsewhere(course, Reading(last, 1.0, BIT[chess.C5]), start)
    assert went is not None
    assert [(ply.move.uci(), ply.basis) for ply in plies_of(went.node, start) if ply.move] == [
        ("c4c6", "stands"),
        ("g8h8", "gap"),
    ]
    course.sees(with_changes(shown, [(chess.A6, "P")]), 3.0)
    assert went_elsewhere(course, Reading(last, 1.0, BIT[chess.C5]), start) is None


def test_nobody_went_before_the_answer_to_where_he_is_seen_only_after_it() -> None:
    board = chess.Board("6k1/8/8/8/2P5/8/8/6K1 w - - 0 1")
    course = Course(board, Timing(), "identity")
    start = course.story.head
    last = start.then(chess.Move.from_uci("c4c5")).then(chess.Move.from_uci("g8h8"))
    last.since = 1.0
    course.sees(with_changes(last.position.shown, [(chess.C5, "."), (chess.C6, "P")]), 2.0)
    assert went_elsewhere(course, Reading(last, 1.0, BIT[chess.C5]), start) is None


@pytest.mark.parametrize(("seen", "went"), [(0.0, "c4c5"), (1.9, "c4c6")])
def test_a_man_said_to_stand_unseen_is_not_who_was_seen_elsewhere_before_he_left(
    seen: float, went: str
) -> None:
    """While the pawn stood on c4, the one that c6 showed for long was another one."""
    board = chess.Board("6k1/8/8/8/2P5/8/8/6K1 w - - 0 1")
    course = Course(board, Timing(), "identity")
    start = course.story.head
    start.since = -1.0
    last = start.then(chess.Move.from_uci("c4c5")).then(chess.Move.from_uci("g8h8"))
    home = start.position.shown
    course.sees(with_changes(home, [(chess.C6, "P")]), seen)
    course.sees(with_changes(home, [(chess.C6, "P"), (chess.C4, ".")]), 2.0)
    course.sees(with_changes(last.position.shown, [(chess.C5, "."), (chess.C6, "P")]), 3.0)
    reading = went_elsewhere(course, Reading(last, 1.0, BIT[chess.C5]), start)
    assert reading is not None
    (made, _) = plies_of(reading.node, start)
    assert made.move == chess.Move.from_uci(went)


def test_a_promoted_man_that_was_taken_unseen_was_a_queen() -> None:
    board = chess.Board("7r/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    after = chess.Board("r7/4k3/8/8/8/8/8/4K3 w - - 0 2")
    sensings: tuple[Sensing, ...] = ("occupancy", "identity")
    for sensing in sensings:
        shown = shown_by(cells_of(after), sensing)
        lines = lines_to(Position(board, sensing), shown, 2)
        assert [[move.uci() for move in line] for line in lines] == [["a7a8q", "h8a8"]]


def test_a_man_that_is_not_recognised_where_it_stands_is_not_his_who_moves() -> None:
    board = chess.Board("4k3/8/2n5/8/8/8/4P3/4K3 w - - 0 1")
    engine, cells = Engine(board.copy()), list(cells_of(board))
    engine.clock(runs=True, at=0.0, turn=chess.WHITE)
    found = engine.sees("".join(cells), at=0.5)
    for at, square, letter in ((1.0, chess.E2, "."), (1.5, chess.E4, "P"), (2.95, chess.C6, "?")):
        cells[square] = letter
        found += engine.sees("".join(cells), at=at)
        found += engine.tick(at=at + 0.02)
    found += engine.press(chess.WHITE, at=3.0)
    assert [each.move.uci() for each in found if isinstance(each, Settled)] == ["e2e4"]


def test_a_man_stands_unseen_though_the_opponents_man_came_to_stand_since() -> None:
    """The bishop went to d3, which sees nothing; the king's reply is no place where it stands."""
    board = chess.Board("4k3/8/6b1/8/8/8/8/5K2 b - - 0 1")
    engine, cells = Engine(board), list(cells_of(board))
    found: list[Finding] = []
    engine.clock(runs=True, at=0.0, turn=chess.BLACK)
    for at, square, letter in ((1.0, "g6", "."), (4.4, "f1", "."), (5.4, "e1", "K")):
        cells[chess.parse_square(square)] = letter
        found += engine.sees("".join(cells), at=at)
        if at == 1.0:
            found += engine.press(chess.BLACK, at=2.5)
    found += engine.press(chess.WHITE, at=6.0)
    while engine.wake_at < 12.0:
        found += engine.tick(at=engine.wake_at)
    settled = [each.move for each in found if isinstance(each, Settled)]
    assert [move.from_square for move in settled] == [chess.G6, chess.F1]
    assert any(isinstance(each, Ambiguous) for each in found)


def test_who_was_thought_to_be_taken_unseen_shows_up_elsewhere() -> None:
    """The knight stands where the board sees nothing; the king went where he might have been."""
    table = TableTalk.ready(TableSetup(start_fen="5k2/p7/2N5/8/8/8/6K1/8 w - - 0 1"))
    table.sees(4.0, without="c6").clock(4.8, 300, 300, "right")
    table.sees(5.5, without="f8").sees(5.52, black_king="e7").ticks(14.0)
    table.sees(14.0, without="g2").sees(14.3, white_king="f3").clock(14.6, 300, 292, "left")
    table.clock(15.6, 298, 292, "right").ticks(17.0)
    table.sees(18.0, without="e7").sees(18.3, black_king="e6").clock(18.8, 298, 290, "left")
    assert table.ticks(20.0).moves == "Ne7 Kxe7 Kf3 Ke6"
    assert table.sees(21.0, white_knight="b4").ticks(25.0).moves == "Nb4 Ke7 Kf3 Ke6"


def test_who_takes_back_where_a_man_was_taken_unseen_tells_nothing_against_that() -> None:
    setup = TableSetup(start_fen="1n5k/8/5n2/8/8/2N5/4P3/7K w - - 0 1")
    table = TableTalk.ready(setup).sees(4.0, without="e2").clock(4.8, 300, 300, "right")
    table.sees(5.5, without="f6").sees(5.7, black_knight="e4").clock(6.3, 300, 298, "left")
    table.sees(8.0, without="c3").sees(8.3, without="e4").sees(8.6, white_knight="e4")
    table.clock(9.1, 297, 298, "right").ticks(16.0)
    table.sees(16.0, without="b8").ticks(18.0).sees(18.0, black_knight="c6")
    assert table.clock(18.6, 297, 288, "left").ticks(30.0).moves == "e4 Nxe4 Nxe4 Nc6"


def test_a_man_went_on_from_the_square_that_came_to_see_him() -> None:
    """He was told to stand on another one, from which he may go on as well."""
    board = Watched("1k6/7P/8/3q4/8/8/8/7K b - - 0 1")
    board.waits(1.0).shows("d5").waits(0.5).presses(chess.BLACK).runs_for(chess.WHITE)
    board.waits(4.0).shows("h1 g1K").waits(1.0).presses(chess.WHITE).runs_for(chess.BLACK)
    board.waits(1.0).shows("h5q").waits(6.0).shows("h5 h6q").waits(0.3).shows("h7").waits(0.1)
    board.shows("h6 h7q").waits(1.0).presses(chess.BLACK).runs_for(chess.WHITE).waits(2.0)
    assert board.moves == "d5h5 h1g1 h5h7"


def test_a_man_put_down_unseen_rather_stands_where_he_cannot_be_taken() -> None:
    """Pawns would take the knight where he goes on."""
    board = Watched("6k1/3p2pp/8/8/4N3/3P4/8/6K1 w - - 0 1")
    board.waits(1.0).shows("e4").waits(0.5).presses(chess.WHITE).runs_for(chess.BLACK).waits(4.0)
    board.shows("g8 h8k").waits(1.0).presses(chess.BLACK).runs_for(chess.WHITE).waits(2.0)
    assert board.moves.split()[0] != "e4f6"


def test_a_man_put_down_unseen_stands_on_the_line_on_which_he_was_shown() -> None:
    board = Watched("6k1/7p/8/8/8/8/1Q6/6K1 w - - 0 1")
    board.waits(1.0).shows("b2").waits(0.1).shows("c2Q").waits(0.2).shows("c2").waits(0.5)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(4.0).shows("h7 h6p").waits(1.0)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(2.0)
    assert board.moves.split()[0][2:] in ("d2", "e2", "f2", "g2", "h2")


def test_a_man_put_down_unseen_is_shown_there_until_the_reply_is_made() -> None:
    """It follows from no other square of his, and he is taken up again at once."""
    board = Watched("1r5k/8/8/8/Q7/8/8/7K w - - 0 1")
    board.waits(1.0).shows("a4").waits(0.5).presses(chess.WHITE).runs_for(chess.BLACK).waits(6.0)
    board.shows("a5Q").waits(0.1).shows("b8 b7r").waits(0.6)
    board.shows("a5").waits(0.4).shows("b6Q").waits(0.3)
    board.presses(chess.BLACK).presses(chess.WHITE).runs_for(chess.BLACK).waits(3.0)
    assert board.moves == "a4a5 b8b7 a5b6"


def test_a_man_who_had_left_before_his_player_was_to_move_was_not_put_down_unseen() -> None:
    board = Watched("1n4k1/3p4/8/8/8/8/8/4K2R w - - 0 1")
    board.waits(1.0).shows("b8").waits(8.0).shows("h1").waits(0.2).shows("h4R").waits(1.0)
    board.presses(chess.WHITE).runs_for(chess.BLACK).waits(6.0)
    board.presses(chess.BLACK).runs_for(chess.WHITE).waits(8.0)
    assert board.moves == "h1h4"
    assert not any(isinstance(each, Ambiguous) for each in board.found)
