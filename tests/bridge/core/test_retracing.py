"""What the board has shown, read once more from start to end."""

import random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.inference import beam
from bridge.core.inference.ahead import NO_ANSWER
from bridge.core.inference.beam import (
    A_MOVE,
    AWAY,
    BEGUN_EARLY,
    HELD,
    IN_HAND,
    LIES_BESIDE,
    MOST_UNNAMED,
    RESTING,
    SEEN_AFTER_ALL,
    STRANGER,
    UNMOVED,
    UNSEEN_EXCHANGE,
)
from bridge.core.inference.branch import AT_THE_END, Reading
from bridge.core.inference.clock import Heard
from bridge.core.inference.hypotheses import OUT_OF_ORDER, UNSEEN_CAPTURE, Node
from bridge.core.inference.noise import MISREAD
from bridge.core.inference.placement import changes_of, shown_by
from bridge.core.inference.position import Position
from bridge.core.inference.retracing import (
    LONGEST,
    MOST_PLACEMENTS,
    NO_PRESS,
    TAKEN_OFF,
    Retracing,
)
from bridge.core.inference.sight import MOST_KEPT, Sight
from bridge.core.model import Sensing
from drivers.events import EMPTY, UNNAMED

QUICK = 0.01
"""So short that what is shown meanwhile costs next to nothing (s)."""
LITTLE = 0.3
"""What it costs in all."""
MEN = "PNBRQKpnbrqk"


class Trace:
    """What a board shows, from a position on."""

    def __init__(
        self,
        fen: str = chess.STARTING_FEN,
        *,
        sensing: Sensing = "identity",
        chess960: bool = False,
    ) -> None:
        self.board = chess.Board(fen, chess960=chess960)
        self.sensing = sensing
        self.start = Node(None, None, Position(self.board.copy(), sensing))
        self.shown = self.start.position.shown
        self.now = 100.0
        self.parts = 1
        self.placements: list[tuple[float, str]] = []
        self.presses: list[Heard] = []

    def shows(self, changes: str, seconds: float = 1.0) -> "Trace":
        """Let squares show something else for *seconds*: ``e2 e4P`` empties e2 and fills e4."""
        letters = list(self.shown)
        for change in changes.split():
            letters[chess.parse_square(change[:2])] = shown_by(change[2:] or EMPTY, self.sensing)
        return self.shows_all("".join(letters), seconds)

    def shows_all(self, shown: str, seconds: float = 1.0) -> "Trace":
        """Let the whole board show *shown*."""
        self.shown = shown
        self.placements.append((self.now, shown))
        self.now += seconds
        return self

    def plays(self, *moves: str) -> "Trace":
        """Let moves be made in SAN."""
        for san in moves:
            self.makes(self.board.parse_san(san))
        return self

    def makes(self, move: chess.Move, seconds: float = 1.0) -> None:
        """Let a man be lifted, what it takes be taken off, and the man be put down."""
        steps = [f"{chess.square_name(at)}{letter}" for at, letter in changes_of(self.board, move)]
        if self.board.is_capture(move):
            steps.insert(1, chess.square_name(move.to_square))
        self.board.push(move)
        for step in steps:
            self.shows(step.rstrip(EMPTY), QUICK)
        self.now += seconds

    def hears(self, *presses: chess.Color | None, counted: bool = False) -> "Trace":
        """Let players press; None: the clock is stopped. *counted*: its times tell of them all."""
        following = range(len(presses))[::-1] if counted else [0] * len(presses)
        heard = zip(presses, following, strict=True)
        self.presses += [Heard(self.now, colour, later) for colour, later in heard]
        return self

    def readings(self) -> list[Reading]:
        retracing = Retracing(self.start, self.placements, self.now, self.presses)
        while not retracing.go_on():
            self.parts += 1
        return retracing.readings()

    def best(self) -> str:
        return line(self.readings()[0])


def line(reading: Reading) -> str:
    moves, node = [], reading.node
    while node.parent is not None and node.move is not None:
        moves.append(node.move.uci())
        node = node.parent
    return " ".join(reversed(moves))


# --- play ----------------------------------------------------------------------------------------


def test_what_the_link_tells_late_had_stood_though_it_is_shown_for_no_time() -> None:
    """The rook gives check from b7 and the king steps aside, before the pawn comes to b5.

    All but the pawn's move and what follows is told at one time, so that a shorter line which
    leads there costs about as much.
    """
    trace = Trace("8/p3R3/1k6/2p5/1PP5/2K5/8/8 w - - 0 1")
    for changes in ("e7", "c8R", "c8", "b7R", "b6", "a6k"):
        trace.shows(changes, 0.0)
    trace.now += 0.15
    for changes in ("b7", "a6", "b5P", "a5k", "b4"):
        trace.shows(changes, 0.0)
    best, *others = trace.shows("a7R").readings()
    assert line(best) == "e7b7 b6a6 b4b5 a6a5 b7a7"
    shorter = next(each for each in others if line(each) == "b4b5 b6a5 e7a7")
    assert shorter.cost > best.cost + 1.0


def test_quiet_play_is_read_as_it_was_played() -> None:
    trace = Trace().plays("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6")
    best, other, *_ = trace.readings()
    assert line(best) == "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6"
    assert best.node.position.board == trace.board
    assert best.cost == pytest.approx(8 * A_MOVE, abs=LITTLE)
    assert other.cost > best.cost + 1.5


@settings(max_examples=60)
@given(st.integers(0), st.sampled_from([False, True]), st.integers(0, 60))
def test_any_play_seen_man_by_man_is_read_as_it_was_played(
    seed: int, chess960: bool, plies: int
) -> None:
    rng = random.Random(seed)
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    while board.ply() < plies and any(board.legal_moves):
        board.push(rng.choice([*board.legal_moves]))
    trace = Trace(board.fen(), chess960=chess960)
    played: list[str] = []
    while len(played) < 10 and any(trace.board.legal_moves):
        move = rng.choice([*trace.board.legal_moves])
        played.append(move.uci())
        trace.makes(move, 6.0)
    assert trace.best() == " ".join(played)


@pytest.mark.parametrize("first", ["e1 g1K h1 f1R", "h1 f1R e1 g1K", "e1 h1 f1R g1K"])
def test_castling_in_any_order(first: str) -> None:
    trace = Trace("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for change in first.split():
        trace.shows(change, 0.3)
    assert trace.shows("a8", QUICK).shows("b8r").best() == "e1g1 a8b8"


def test_castling_takes_a_rook_of_ones_own() -> None:
    trace = Trace("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert trace.shows("e1 g1K h1 f1r", 3.0).best() == ""


def test_castling_where_king_and_rook_change_places() -> None:
    trace = Trace("5k2/8/8/8/8/8/8/5KR1 w G - 0 1", chess960=True)
    assert trace.shows("f1 g1", QUICK).shows("g1K", QUICK).shows("f1R").best() == "f1g1"


def test_castling_where_the_king_stays() -> None:
    trace = Trace("4k3/8/8/8/8/8/8/6KR w H - 0 1", chess960=True)
    assert trace.shows("h1", QUICK).shows("f1R").shows("e8 e7k").best() == "g1h1 e8e7"


def test_a_man_that_moved_may_be_read_as_one_of_the_other_colour() -> None:
    trace = Trace().shows("d2", QUICK).shows("d4n").plays()
    trace.board.push_san("d4")
    best = trace.plays("Nf6", "Nf3", "e6").readings()[0]
    assert line(best) == "d2d4 g8f6 g1f3 e7e6"


def test_the_victim_is_not_taken_for_its_taker_misread() -> None:
    assert Trace("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").shows("e4", 3.0).best() == ""


def test_moves_there_and_back_are_told_from_no_moves() -> None:
    trace = Trace().plays("Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6")
    assert trace.best() == "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6"


def test_each_ply_is_known_to_be_complete_when_its_man_came() -> None:
    trace = Trace().plays("e4", "e5")
    node = trace.readings()[0].node
    assert node.since == pytest.approx(trace.placements[-1][0])
    assert node.parent is not None
    assert node.parent.since == pytest.approx(trace.placements[1][0])


def test_nothing_shown_is_nothing_played() -> None:
    trace = Trace()
    assert trace.readings() == [Reading(trace.start, 0.0)]


def test_what_had_to_be_believed_before_is_not_forgotten() -> None:
    trace = Trace().plays("e4")
    trace.start.cost = 7.0
    assert trace.readings()[0].cost == pytest.approx(7.0 + A_MOVE, abs=LITTLE)


def test_the_latest_placements_are_gone_through() -> None:
    flicker = ("h7", "h7p") * (MOST_PLACEMENTS // 2)
    trace = Trace()
    for change in ("e2 e4P", *flicker):
        trace.shows(change, QUICK)
    assert trace.best() == "e2e4"  # it is still shown
    taken_back = Trace()
    for change in ("e2 e4P", "e7 e5p", "e4 e2P e5 e7p", *flicker[1:]):
        taken_back.shows(change, 0.1)
    assert [reading.node for reading in taken_back.readings()] == [taken_back.start]


def test_a_position_that_comes_again_is_another_ply_of_the_game() -> None:
    trace = Trace().plays("Nf3", "Nf6", "Ng1", "Ng8", "e4")
    best = trace.readings()[0]
    assert line(best) == "g1f3 g8f6 f3g1 f6g8 e2e4"
    assert best.node.position.board == trace.board
    assert best.node.parent is not None
    trace.board.pop()
    assert best.node.parent.position.board == trace.board


# --- rests, misreadings, missed scans ------------------------------------------------------------


def test_a_rest_on_the_way_costs_what_it_rested() -> None:
    trace = Trace().shows("e2 e3P", 3.0).shows("e3 e4P").shows("e7 e5p").shows("g1 f3N")
    best = trace.readings()[0]
    assert line(best) == "e2e4 e7e5 g1f3"
    assert best.cost == pytest.approx(3 * A_MOVE + 3.0 * (IN_HAND + RESTING))


def test_a_long_rest_says_no_more_than_some_seconds_of_it() -> None:
    costs = [
        Trace().shows("e2 e3P", seconds).shows("e3 e4P").readings()[0].cost
        for seconds in (LONGEST, 600.0)
    ]
    assert costs[0] == costs[1]


def test_a_man_in_hand_costs_less_than_others_that_are_away() -> None:
    costs = {
        changes: Trace().shows(changes, 2.0).readings()[0].cost
        for changes in ("e2", "e7", "e2 d2", "e2 e7", "e5P")
    }
    assert costs == {
        "e2": pytest.approx(2 * IN_HAND + AT_THE_END),
        "e7": pytest.approx(2 * AWAY + AT_THE_END),
        "e2 d2": pytest.approx(2 * (IN_HAND + AWAY) + 2 * AT_THE_END),
        "e2 e7": pytest.approx(2 * (IN_HAND + AWAY) + 2 * AT_THE_END),
        "e5P": pytest.approx(2 * STRANGER + AT_THE_END),
    }


def test_a_man_put_back_is_no_move() -> None:
    trace = Trace().shows("e2 e4P", 0.5).shows("e4 e2P").shows("d2 d4P").shows("d7 d5p")
    assert trace.best() == "d2d4 d7d5"


def test_a_dead_square_hides_no_play() -> None:
    trace = Trace().shows("h1", 5.0).plays("e4", "e5", "Nf3")
    assert trace.best() == "e2e4 e7e5 g1f3"


@pytest.mark.parametrize("plies", [2, 3, 4])
def test_plies_of_a_missed_scan(plies: int) -> None:
    """What is too much for one placement is found with the next."""
    changes, moves = ["e2 e4P", "e7 e5p", "g1 f3N", "b8 c6n"], ["e2e4", "e7e5", "g1f3", "b8c6"]
    trace = Trace().shows(" ".join(changes[:plies]), QUICK).shows("h2", QUICK).shows("h2P")
    assert sorted(trace.best().split()) == sorted(moves[:plies])


@pytest.mark.parametrize(
    ("turn", "move", "same", "other"), [("w", "d1a4", "B", "b"), ("b", "d8a5", "b", "B")]
)
def test_a_man_read_as_another_one(turn: str, move: str, same: str, other: str) -> None:
    answer = "e8f8" if turn == "w" else "e1f1"
    king = "k" if turn == "w" else "K"

    def reading(letter: str) -> Reading:
        trace = Trace(f"3qk3/8/8/8/8/8/8/3QK3 {turn} - - 0 1")
        trace.shows(f"{move[:2]} {move[2:]}{letter}", QUICK)
        return trace.shows(f"{answer[:2]} {answer[2:]}{king}", 3.0).readings()[0]

    best = reading(same)
    assert line(best) == f"{move} {answer}"
    explained = 2 * A_MOVE + MISREAD + 3 * LIES_BESIDE + AT_THE_END
    assert best.cost == pytest.approx(explained, abs=LITTLE)
    assert line(reading(UNNAMED)) == line(best)
    assert reading(other).cost == best.cost


def test_what_a_pawn_becomes_is_not_misread() -> None:
    fen = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1"
    assert Trace(fen).shows("a7 a8N", 9.0).best() == "a7a8n"
    assert Trace(fen).shows("a7 a8P", 9.0).best() == ""


def test_a_pawn_is_taken_in_passing() -> None:
    trace = Trace("4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1").plays("b4", "cxb3")
    assert trace.best() == "b2b4 c4b3"


# --- exchanges -----------------------------------------------------------------------------------


@pytest.mark.parametrize("sensing", ["identity", "occupancy", "colour"])
def test_a_man_that_took_and_was_taken_unseen(sensing: Sensing) -> None:
    trace = Trace("4k3/8/2n5/4p3/8/5N2/8/4K3 w - - 0 1", sensing=sensing)
    best = trace.shows("f3 c6 e5n", QUICK).shows("e1 e2K").readings()[0]
    assert line(best) == "f3e5 c6e5 e1e2"
    if sensing == "identity":
        assert best.cost == pytest.approx(3 * A_MOVE + UNSEEN_EXCHANGE, abs=LITTLE)


@pytest.mark.parametrize(
    ("fen", "shown"),
    [
        ("4k3/8/1n6/4p3/8/5N2/8/4K3 w - - 0 1", "f3 b6 e5n"),  # it could not take back
        ("4k3/8/2n5/4p3/8/5N2/8/4K3 w - - 0 1", "f3 c6 e5b"),  # another man stands there
        ("4k3/8/2n5/4p3/8/6N1/8/4K3 w - - 0 1", "g3 c6 e5n"),  # it could not take
        ("4k3/8/8/4p3/8/2n2N2/8/4K3 w - - 0 1", "f3 e5n"),  # nobody took back
        ("4k3/8/8/4n3/2P5/5N2/1p6/B3K3 w - - 0 1", "f3 b2 e5p"),  # a pawn does not go there
    ],
)
def test_no_exchange_is_made_of_men_that_cannot_take(fen: str, shown: str) -> None:
    assert Trace(fen).shows(shown).best() == ""


def test_a_pawn_takes_back_and_becomes_a_queen() -> None:
    trace = Trace("4k3/8/8/6B1/8/8/1p6/2r1K3 w - - 0 1").shows("g5 b2 c1q", QUICK)
    assert trace.shows("e1 e2K").best() == "g5c1 b2c1q e1e2"


# --- occupancy -----------------------------------------------------------------------------------


def test_a_capture_whose_victim_was_never_away_asks_more_to_believe() -> None:
    fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
    seen = Trace(fen, sensing="occupancy").plays("exd5").readings()[0]
    assert line(seen) == "e4d5"
    assert seen.cost == pytest.approx(A_MOVE, abs=LITTLE)
    unseen = Trace(fen, sensing="occupancy").shows("e4", QUICK).readings()
    captures = [reading for reading in unseen if line(reading) == "e4d5"]
    assert len(captures) == 1
    assert captures[0].cost >= A_MOVE + UNSEEN_CAPTURE


def test_the_victim_is_the_man_whose_square_was_seen_empty() -> None:
    fen = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
    for victim in ("d5", "f5"):
        trace = Trace(fen, sensing="occupancy").plays(f"ex{victim}", "Kd8", "Ke2")
        assert trace.best() == f"e4{victim} e8d8 e1e2"


def test_what_a_pawn_became_is_a_queen_first() -> None:
    readings = Trace("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", sensing="occupancy").plays("a8=N").readings()
    assert [line(reading) for reading in readings[:2]] == ["a7a8q", "a7a8n"]


# --- bounds --------------------------------------------------------------------------------------


@pytest.mark.parametrize("sensing", ["identity", "occupancy", "colour"])
def test_garbage_is_given_up(sensing: Sensing) -> None:
    rng = random.Random(1)
    trace = Trace(sensing=sensing)
    for _ in range(MOST_PLACEMENTS):
        cells = "".join(rng.choice(MEN + EMPTY * 12) for _ in range(64))
        trace.shows_all(shown_by(cells, sensing))
    assert trace.readings() == [Reading(trace.start, 0.0)]


@settings(max_examples=30)
@given(st.integers(0), st.sampled_from(["identity", "occupancy", "colour"]))
def test_whatever_is_shown_the_readings_are_legal_and_in_order(seed: int, sensing: Sensing) -> None:
    rng = random.Random(seed)
    trace = Trace(sensing=sensing)
    for _ in range(20):
        if any(trace.board.legal_moves) and rng.random() < 0.6:
            trace.makes(rng.choice([*trace.board.legal_moves]))
        letter = rng.choice(MEN + EMPTY * 6)
        trace.shows(f"{rng.choice(chess.SQUARE_NAMES)}{letter}", rng.choice([QUICK, 1.0]))
    readings = trace.readings()
    assert 1 <= len(readings) <= MOST_UNNAMED
    assert [reading.cost for reading in readings] == sorted(reading.cost for reading in readings)
    places = {(reading.node.position.board.epd(), reading.node.ply) for reading in readings}
    assert len(places) == len(readings)
    for reading in readings:
        board = trace.start.position.board.copy()
        for uci in line(reading).split():
            board.push(board.parse_uci(uci))
        assert reading.node.position.board == board


@pytest.mark.parametrize(
    ("presses", "unmoved"),
    [
        ((chess.WHITE,), 0),
        ((chess.WHITE, chess.BLACK), 1),
        ((chess.WHITE, chess.BLACK, chess.WHITE), 2),
        ((chess.WHITE, None, chess.WHITE), 0),  # an arbiter starts the clock again
    ],
)
def test_presses_after_which_nothing_was_moved_cost(
    presses: tuple[chess.Color | None, ...], unmoved: int
) -> None:
    trace = Trace().plays("e4")
    quiet = trace.readings()[0].cost
    assert trace.hears(*presses).readings()[0].cost == pytest.approx(quiet + unmoved * UNMOVED)


@pytest.mark.parametrize(("counted", "unmoved"), [(3, 0), (5, 1), (7, 3)])
def test_presses_that_are_counted_together_are_those_of_as_many_plies(
    counted: int, unmoved: int
) -> None:
    """One by one the first of them would be a press of who is to move.

    One may be that of the ply from which it begins.
    """
    trace = Trace().plays("e4", "e5", "Nf3")
    quiet = trace.readings()[0].cost
    presses = [(chess.WHITE, chess.BLACK)[number % 2] for number in range(counted)]
    best = trace.hears(*presses, counted=True).readings()[0]
    assert best.cost == pytest.approx(quiet + unmoved * UNMOVED)


def test_a_long_way_is_gone_in_parts() -> None:
    trace = Trace(sensing="occupancy").plays(
        *("e4", "d5", "exd5", "Qxd5", "Nc3", "Qa5", "d4", "c6", "Nf3", "Bg4"),
        *("Be2", "Bxf3", "Bxf3", "Nd7", "Bd2", "Qf5", "Qe2", "e6", "O-O-O"),
    )
    assert trace.best().split()[-2:] == ["e7e6", "e1c1"]
    assert trace.parts > 1


def test_plies_are_not_doubted_since_which_more_was_shown_than_is_gone_through() -> None:
    """From an older ply, what was shown would be read as if the moves since had not been made."""
    whole, part = "x" * 64, "x" * 63 + EMPTY
    sight = Sight(whole)
    for number in range(MOST_PLACEMENTS):
        sight.take(part if number % 2 else whole, float(number))
    assert sight.kept_since(-1.0, most=MOST_PLACEMENTS)
    for number in range(MOST_PLACEMENTS, 2 * MOST_KEPT):
        sight.take(part if number % 2 else whole, float(number))
    last = 2 * MOST_KEPT - 1
    assert sight.kept_since(last - MOST_PLACEMENTS, most=MOST_PLACEMENTS)
    assert not sight.kept_since(last - MOST_PLACEMENTS - 1, most=MOST_PLACEMENTS)


def test_a_man_lifted_and_put_back_did_not_stand_unseen_meanwhile() -> None:
    trace = Trace("4k3/5p2/8/8/8/8/3P4/2Q1K3 w - - 0 1")
    trace.shows("f7", 0.4).shows("f6p", 0.4).shows("c1", 0.1).hears(chess.WHITE)
    trace.shows("c1", 0.1).shows("c1Q", 2.0)
    assert "c1a3" not in trace.best()


def test_men_take_each_other_on_a_square_that_sees_nothing() -> None:
    trace = Trace("4k3/3p4/4p3/8/2P5/8/8/4K3 b - - 0 1")
    trace.shows("d7").hears(chess.BLACK)
    trace.shows("c4").hears(chess.WHITE)
    trace.shows("e6").hears(chess.BLACK)
    trace.shows("e1", QUICK).shows("e2K").hears(chess.WHITE)
    assert trace.best() == "d7d5 c4d5 e6d5 e1e2"


def test_a_man_who_stands_unseen_takes_another_and_only_the_press_tells() -> None:
    trace = Trace("4k3/3p4/8/8/3p4/8/8/4K1N1 w - - 0 1", sensing="occupancy")
    trace.shows("g1").hears(chess.WHITE)
    trace.shows("d7", QUICK).shows("d6p").hears(chess.BLACK)
    trace.hears(chess.WHITE).shows("e8", QUICK).shows("e7k").hears(chess.BLACK)
    assert trace.best() == "g1f3 d7d6 f3d4 e8e7"


def test_a_man_who_stood_unseen_came_by_the_way_on_which_he_is_shown() -> None:
    """From d7 he takes on h7 as well, but not over h6."""
    trace = Trace("1k6/7P/8/3r4/3p4/8/8/7K b - - 0 1")
    trace.shows("d5", 1.5).hears(chess.BLACK)
    trace.shows("h1 g1K", 3.0).hears(chess.WHITE)
    trace.shows("h6r", 0.3).shows("h7", 0.2).shows("h7r h6", 1.0).hears(chess.BLACK)
    assert trace.best() == "d5h5 h1g1 h5h7"


def test_another_man_of_his_kind_who_flickers_is_not_he() -> None:
    """The rook on a8 was shown on no way."""
    costs = []
    for flickers in (False, True):
        trace = Trace("rk6/7P/8/3r4/3p4/8/8/7K b - - 0 1")
        trace.shows("d5", 1.5).hears(chess.BLACK)
        trace.shows("h1 g1K", 3.0).hears(chess.WHITE)
        if flickers:
            trace.shows("a8", QUICK).shows("a8r", QUICK)
        trace.shows("h7", 0.2).shows("h7r", 1.0).hears(chess.BLACK)
        costs.append({line(each): each.cost for each in trace.readings()}["d5d7 h1g1 d7h7"])
    assert costs[1] == pytest.approx(costs[0], abs=LITTLE)


def test_a_man_shown_for_a_moment_did_not_stand_unseen_off_his_way() -> None:
    """The queen came by f4, where the king's move was made meanwhile, and not by c3."""
    trace = Trace("k7/8/8/8/8/8/7K/2q5 b - - 0 1")
    trace.shows("c1 d2q", 0.2).shows("d2 f4q h2", 0.2).shows("f4 g1K", 0.9).shows("d4q", 3.0)
    assert trace.best() == "c1f4 h2g1 f4d4"


def test_a_square_may_cease_to_show_the_man_who_came_there() -> None:
    """He is missed for long; but on the other squares he was not seen at all."""
    trace = Trace("3n2k1/p7/8/8/8/8/P3B3/6K1 b - - 0 1")
    trace.shows("d8", 0.4).shows("e6n", 0.7).shows("e6", 3.6).shows("e2", 0.6).shows("h5B", 9.0)
    trace.shows("a7", 0.4).shows("a6p", 17.0).shows("a2", 0.5).shows("a3P", 9.0)
    trace.shows("a6", 0.4).shows("a5p", 3.0)
    assert trace.best() == "d8e6 e2h5 a7a6 a2a3 a6a5"
    assert trace.readings()[0].unseen == chess.BB_E6


def test_who_left_his_square_before_his_player_pressed_stands_elsewhere() -> None:
    trace = Trace("3n2k1/p7/8/8/8/8/P3B3/6K1 b - - 0 1")
    trace.shows("d8", 0.4).shows("e6n", 0.7).shows("e6", 0.7).hears(chess.BLACK)
    trace.shows("", 1.0).shows("e2", 0.6).shows("h5B", 1.0).hears(chess.WHITE).shows("", 3.0)
    assert trace.readings()[0].unseen != chess.BB_E6


@pytest.mark.parametrize("stood", [1.0, 0.3])
def test_who_moved_last_and_is_taken_off_costs_little_if_he_had_stood(stood: float) -> None:
    """He is about to be taken; else he only passed."""
    costs = []
    for held in (1.0, 3.0):
        trace = Trace("6k1/8/8/1p6/P7/1P6/8/6K1 b - - 0 1", sensing="occupancy")
        trace.shows("a4", 0.4).shows("b5", 0.3).shows("a4p", stood).shows("a4", held)
        trace.shows("b3", 0.3).shows("a4P", 3.0)
        costs.append({line(each): each.cost for each in trace.readings()}["b5a4 b3a4"])
    rate = TAKEN_OFF if stood >= NO_ANSWER else AWAY
    assert costs[1] - costs[0] == pytest.approx(2.0 * rate)


def test_a_man_who_was_knocked_over_was_in_the_hand_in_one_turn_only() -> None:
    """He costs no more in the next one."""
    trace = Trace("1n2k3/8/7p/8/8/8/8/1N2K3 b - - 0 1")
    trace.shows("h6", 0.2).shows("b8", 0.1).shows("d7n", 1.0).shows("e1", 0.3).shows("e2K", 0.3)
    before = trace.readings()[0]
    trace.shows("d7", 0.3).shows("c5n", 1.0)
    after = trace.readings()[0]
    assert (line(before), line(after)) == ("b8d7 e1e2", "b8d7 e1e2 d7c5")
    assert after.cost - before.cost < A_MOVE + HELD


def test_who_stood_unseen_was_not_moved_while_another_was_in_the_hand_either() -> None:
    costs = []
    for held in ("", "h6"):
        trace = Trace("1n2k3/8/7p/8/8/8/8/1N2K3 b - - 0 1")
        trace.shows(held, 0.2).shows("b8", 2.0).hears(chess.BLACK)
        trace.shows("e1", 0.3).shows("e2K", 0.3)
        costs.append(next(each.cost for each in trace.readings() if line(each) == "b8c6 e1e2"))
    assert costs[1] - costs[0] > HELD


def test_a_capture_never_seen_is_told_by_the_squares_on_its_way() -> None:
    """The rook may have gone to d8, where White's queen takes it; but it glided down the file."""
    fen = "4rk2/p1p3q1/2B2pp1/8/3Q4/2PP2P1/PP2PP1P/R4RK1 b - - 0 1"
    ahead = []
    for way in (("e7p", "e7 e6p", "e6 e4p", "e4"), ("", "", "", "")):
        trace = Trace(fen, sensing="occupancy").shows("e8", QUICK)
        for changes in way:
            trace.shows(changes, QUICK)
        trace.shows("", 5.0).shows("d4", 0.5).shows("d8Q", 2.0)
        costs = {line(each): each.cost for each in trace.readings()}
        assert trace.best() == "e8e2 d4d8"
        ahead.append(min(costs[each] for each in costs if "e8d8" in each) - costs["e8e2 d4d8"])
    assert ahead[0] - ahead[1] > 1.0


def test_who_has_lost_his_king_against_the_rules_castles_no_more() -> None:
    trace = Trace("r3k3/8/8/8/4R3/8/8/4K3 w q - 0 1", sensing="occupancy")
    trace.shows("e4").shows("a8").shows("d8r")
    assert trace.readings()


def test_who_castles_puts_the_king_where_the_board_sees_nothing() -> None:
    """The rook alone would have gone with the king in the other hand."""
    trace = Trace("r3k3/p7/8/8/8/8/7P/4K3 b q - 0 1")
    trace.shows("e8", 0.9).shows("a8", 0.2).shows("d8r", 1.5).hears(chess.BLACK)
    trace.shows("h2", 0.3).shows("h4P", 0.8)
    assert trace.best() == "e8c8 h2h4"


def test_nobody_played_for_whom_nobody_pressed_by_the_times_of_the_clock() -> None:
    """Who rests a man and goes on has made one move, though one of the opponent's has gone."""
    costs = []
    for known in (False, True):
        trace = Trace("1k6/7p/2n5/8/8/8/8/K3R3 b - - 0 1").plays("Ka8")
        trace.presses.append(Heard(trace.now, chess.BLACK, known=known))
        trace.shows("e1", 0.4).shows("e6R", 1.0).shows("h7", 1.0).shows("e6", 0.2)
        trace.shows("e7R", 0.5).presses.append(Heard(trace.now, chess.WHITE, known=known))
        trace.shows("c6", 0.2).shows("e7n", 4.0)
        costs.append({line(each): each.cost for each in trace.readings()})
    three = "b8a8 e1e6 h7h6 e6e7 c6e7"
    assert costs[0][three] + 2 * NO_PRESS == pytest.approx(costs[1][three])
    assert costs[0]["b8a8 e1e7 c6e7"] == costs[1]["b8a8 e1e7 c6e7"]


def test_who_is_shown_on_his_own_square_does_not_stand_unseen_elsewhere() -> None:
    """He was adjusted; where he is taken to stand unseen he costs more as long as he is shown."""
    costs = []
    for shown in (1.0, 3.0):
        trace = Trace("1n2k3/8/8/8/8/8/8/1N2K3 b - - 0 1")
        trace.shows("b8", 2.0).hears(chess.BLACK).shows("e1", 0.3).shows("e2K", 0.3)
        trace.shows("b8n", shown)
        costs.append(next(each.cost for each in trace.readings() if line(each) == "b8c6 e1e2"))
    assert costs[1] - costs[0] == pytest.approx(2.0 * (STRANGER + SEEN_AFTER_ALL))


def test_what_was_seen_a_little_before_what_it_follows_costs_a_little() -> None:
    """White's king stood before the man who moves first did."""
    costs = []
    for later in (QUICK, 0.15, 0.3):
        trace = Trace("1n2k3/8/8/8/8/8/8/1N2K3 b - - 0 1").shows("b8", 0.3)
        trace.shows("e1 e2K", later).shows("c6n", 3.0)
        costs.append(next(each.cost for each in trace.readings() if line(each) == "b8c6 e1e2"))
    all_of_it = OUT_OF_ORDER + BEGUN_EARLY
    assert costs[1] - costs[0] == pytest.approx(all_of_it / 2, abs=LITTLE)
    assert costs[2] - costs[0] == pytest.approx(all_of_it, abs=2 * LITTLE)


@pytest.mark.parametrize(("early", "share"), [(0.0, 0.0), (0.15, 0.5), (0.3, 1.0), (0.6, 1.0)])
def test_an_answer_that_was_begun_before_the_move_was_complete_costs_a_little(
    monkeypatch: pytest.MonkeyPatch, early: float, share: float
) -> None:
    """White's king was taken up while Black's man was in the air."""
    costs = []
    for cost in (0.0, BEGUN_EARLY):
        monkeypatch.setattr(beam, "BEGUN_EARLY", cost)
        trace = Trace("1n2k3/8/8/8/8/8/8/1N2K3 b - - 0 1").shows("b8", 1.0 - early)
        trace.shows("e1" if early else "", early).shows("c6n", 0.3).shows("e1", 0.3)
        trace.shows("e2K", 3.0)
        costs.append(next(each.cost for each in trace.readings() if line(each) == "b8c6 e1e2"))
    assert costs[1] - costs[0] == pytest.approx(BEGUN_EARLY * share)


def test_men_who_go_on_in_turn_have_moved_twice_each() -> None:
    """Where each of them only passed, the queen was taken up while the king was on his way."""
    trace = Trace("8/1Q4k1/8/8/8/8/8/6K1 b - - 0 1").shows("g7", 0.4).shows("f6k", 0.4)
    trace.shows("b7", 0.4).shows("f6 g6k f3Q", 1.0).shows("f3", 0.2).shows("e4Q", 0.6)
    trace.shows("g6", 0.2).shows("f6k", 3.0)
    assert trace.best() == "g7f6 b7f3 f6g6 f3e4 g6f6"
