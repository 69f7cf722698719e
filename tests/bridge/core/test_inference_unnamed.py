"""What boards without names leave open: victims, the record's certainty, kings in the centre."""

from unittest.mock import Mock

import chess
import pytest

from bridge.core.inference.engine import Engine
from bridge.core.inference.exchange import taken_by_force, won_by
from bridge.core.inference.findings import (
    Finding,
    ResultShown,
    Settled,
    Unexplained,
    Withdrawn,
)
from bridge.core.inference.placement import shown_by
from bridge.core.inference.plausible import captures_of, loses
from bridge.core.inference.position import Position
from bridge.core.model import Result
from drivers.cells import cells_of


class Board:
    """An engine that watches a board of occupancy, and what it found."""

    def __init__(self, fen: str) -> None:
        self.board = chess.Board(fen)
        self.engine = Engine(self.board.copy(), sensing="occupancy")
        self.cells = list(shown_by(cells_of(self.board), "occupancy"))
        self.found: list[Finding] = []
        self.at = 0.0
        self.engine.clock(runs=True, at=0.0, turn=self.board.turn)

    def changes(self, squares: str, *, after: float = 0.5, together: bool = False) -> "Board":
        """Squares change, one after the other: who stood there is gone, or somebody came."""
        for names in [squares] if together else squares.split():
            self._wait(after)
            for square in map(chess.parse_square, names.split()):
                self.cells[square] = "?" if self.cells[square] == "." else "."
            self.found += self.engine.sees("".join(self.cells), at=self.at)
        return self

    def presses(self, colour: chess.Color, *, after: float = 0.5, rest: float = 2.0) -> "Board":
        """A player presses *after* some seconds, and a *rest* passes."""
        self._wait(after)
        self.found += self.engine.press(colour, at=self.at)
        self._wait(rest)
        return self

    def runs_for(self, colour: chess.Color | None, *, after: float) -> "Board":
        """The clock is read: it runs for a player, or stands."""
        self._wait(after)
        self.found += self.engine.clock(runs=colour is not None, at=self.at, turn=colour)
        return self

    def unseen(self, squares: str, *, seconds: float) -> "Board":
        """Squares change while the link is lost."""
        self.found += self.engine.lose_sight(at=self.at)
        return self.changes(squares, after=seconds, together=True)

    def _wait(self, seconds: float) -> None:
        until = self.at + seconds
        while self.engine.wake_at <= until:
            self.at = max(self.at, self.engine.wake_at)
            self.found += self.engine.tick(at=self.at)
        self.at = until

    @property
    def moves(self) -> str:
        """The settled moves."""
        return " ".join(each.move.uci() for each in self.found if isinstance(each, Settled))

    def told(self, kind: type[Finding]) -> list[Finding]:
        """The findings of one kind."""
        return [each for each in self.found if isinstance(each, kind)]


@pytest.mark.parametrize(
    ("fen", "uci", "won"),
    [
        ("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", 1.0),  # nobody takes back
        ("4k3/8/4p3/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", -2.0),
        ("4k3/8/4p3/3p4/8/4N3/8/3RK3 w - - 0 1", "e3d5", -1.0),  # a rook behind it takes too
        ("3rk3/8/8/3n4/8/4N3/8/3QK3 w - - 0 1", "e3d5", 3.0),  # the rook would be lost for it
        ("8/8/2k5/3p4/8/4N3/8/3QK3 w - - 0 1", "e3d5", 1.0),  # the king may not take back
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 1.0),
        ("4k3/8/4p3/8/8/4N3/8/4K3 w - - 0 1", "e3d5", -3.0),  # nobody stands there to be taken
        ("4k3/8/8/8/8/4N3/8/4K3 w - - 0 1", "e3d5", 0.0),
    ],
)
def test_what_a_move_wins(fen: str, uci: str, won: float) -> None:
    assert won_by(chess.Board(fen), chess.Move.from_uci(uci)) == won


@pytest.mark.parametrize(
    ("fen", "chess960", "uci", "lost"),
    [
        ("4k3/8/4p3/8/8/4N3/8/4K3 w - - 0 1", False, "e3d5", True),
        ("4k3/8/4p3/8/8/4N3/8/4K3 w - - 0 1", False, "e3f5", True),
        ("4k3/8/4p3/8/8/4N3/8/4K3 w - - 0 1", False, "e3g4", False),
        ("4k2r/8/8/8/8/8/8/4K2R w H - 0 1", True, "e1h1", False),  # its rook stands there
    ],
)
def test_what_people_lose_by_a_move_they_seldom_make(
    fen: str, chess960: bool, uci: str, lost: bool
) -> None:
    board = chess.Board(fen, chess960=chess960)
    assert (loses(board, chess.Move.from_uci(uci)) > 0) == lost


def unlikely(board: chess.Board, *captures: str) -> list[float]:
    position = Position(board, "occupancy")
    return [position.implausible(chess.Move.from_uci(uci)) for uci in captures]


def test_a_capture_that_wins_more_is_likelier_and_one_that_gives_a_man_away_hardly_made() -> None:
    board = chess.Board("2b3kq/3n4/8/8/r2Q4/8/8/4K3 w - - 0 1")
    hanging, even, lost = unlikely(board, "d4a4", "d4h8", "d4d7")
    assert hanging < even < lost


def test_of_captures_that_win_the_same_the_one_that_leaves_nothing_hanging_is_likelier() -> None:
    board = chess.Board("4k3/8/4p3/1p1B4/3N4/8/8/4K3 w - - 0 1")
    saves, leaves = unlikely(board, "d4e6", "d4b5")
    assert saves < leaves
    board.remove_piece_at(chess.D5)
    saves, leaves = unlikely(board, "d4e6", "d4b5")
    assert saves == leaves


def test_captures_are_weighed_once_for_all_readings_that_come_to_a_position(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weighed = Mock(wraps=captures_of)
    monkeypatch.setattr("bridge.core.inference.position.captures_of", weighed)
    board = chess.Board("4k3/8/3p4/2p1p3/3B4/8/8/4K3 w - - 0 1")
    assert unlikely(board, "d4c5") == unlikely(board.copy(), "d4c5")
    assert weighed.call_count == 1
    unlikely(board.mirror(), "d5c4")
    assert weighed.call_count == 2


@pytest.mark.parametrize(
    ("fen", "won"),
    [
        ("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", 1.0),
        ("4k3/8/4p3/3p4/8/4N3/8/4K3 w - - 0 1", 0.0),  # who would lose by it takes nothing
        ("3rk3/8/8/3n4/8/4N3/8/3QK3 w - - 0 1", 3.0),  # it is taken back, and the rook as well
        ("4k3/8/8/1n1p3r/2P5/8/8/4K2R w K - 0 1", 5.0),  # the rook, and one of the others is lost
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0.0),
    ],
)
def test_what_is_taken_by_force(fen: str, won: float) -> None:
    board = chess.Board(fen)
    assert taken_by_force(board) == pytest.approx(won)
    assert board.fen() == fen


def test_the_man_whom_a_pawn_became_is_no_other_one_because_he_is_taken() -> None:
    """As a bishop he would have been a little likelier to take, and to be taken back."""
    board = Board("3Q4/3n1p1P/3k4/5b2/5b2/8/4r1P1/K7 w - - 0 60")
    board.changes("h7 h8").presses(chess.WHITE).changes("f4 e5").presses(chess.BLACK)
    board.changes("h8").presses(chess.WHITE).changes("e5 e2 e5").presses(chess.BLACK)
    assert board.moves == "h7h8q f4e5 h8e5 e2e5"


def test_what_rested_is_told_soon_after_the_press_where_the_record_is_certain() -> None:
    board = Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    board.changes("a1 b3").presses(chess.WHITE, after=1.2, rest=0.3)
    assert board.told(Unexplained)


def test_of_two_victims_the_one_that_hangs_was_taken() -> None:
    board = Board("4k3/p6p/8/2r1q3/8/3N4/P7/4K3 w - - 0 1")
    assert board.changes("d3").presses(chess.WHITE).moves == "d3e5"


SHOVED = "6k1/8/8/3p1n2/4P3/8/1P6/6K1 w - - 0 1"
PARKED = "6k1/8/8/6p1/5P1R/8/8/6K1 b - - 0 1"


@pytest.mark.parametrize(
    ("fen", "steps", "taken"),
    [
        (SHOVED, ["e4", "e4 d5", "d5", "e4"], "e4d5"),  # the victim is pushed off his square
        (PARKED, ["g5", "f4", "g5", "f4", "g5"], "g5f4"),
        (SHOVED, ["e4", "e4 d5", "d5", "", "", "", "e4"], "e4f5"),  # both were adjusted
    ],
)
def test_a_victim_put_down_where_his_taker_came_from_was_taken(
    fen: str, steps: list[str], taken: str
) -> None:
    """Another one hangs as well, and his square is never empty."""
    board = Board(fen)
    for squares in steps:
        board.changes(squares, after=0.4, together=True)
    assert board.presses(board.board.turn).moves == taken


def test_a_king_who_moved_out_of_the_centre_shows_no_result_with_a_man_who_stands_there() -> None:
    """The other king steps there next, into check, so that nothing else explains the board."""
    board = Board("8/8/8/3pk3/6P1/PP2K3/4P3/5R2 b - - 0 44")
    board.changes("e5 d6").changes("e3", after=0.2).changes("e4", after=0.4)
    board.presses(chess.BLACK, after=0.4, rest=0.5).presses(chess.WHITE, rest=20.0)
    assert board.moves == "e5d6"
    assert not board.told(ResultShown)
    assert board.told(Unexplained)


FORK = "4k3/p6p/2p1p3/8/3N4/8/P7/4K3 w - - 0 1"
"""The knight may take either pawn, and nothing tells which one."""


@pytest.mark.parametrize(("fen", "first", "sure"), [(FORK, "d4", False), (FORK, "a2 a3", True)])
def test_nobody_is_accused_while_the_record_is_in_doubt(fen: str, first: str, sure: bool) -> None:
    board = Board(fen)
    board.changes(first).presses(chess.WHITE)
    board.changes("h7 f5").presses(chess.BLACK)
    (unexplained,) = board.told(Unexplained)
    assert isinstance(unexplained, Unexplained)
    assert unexplained.sure == sure


def test_moves_made_unseen_leave_no_doubt_where_nothing_else_explains_the_game_as_well() -> None:
    board = Board("4k3/p7/8/8/8/8/P7/N3K3 w - - 0 1").presses(chess.BLACK)
    board.unseen("a2 a3 a7 a6", seconds=5.0).presses(chess.BLACK, after=3.0)
    board.unseen("a3 a4 a6 a5", seconds=5.0).presses(chess.BLACK, after=3.0)
    board.changes("a1 b2").presses(chess.WHITE)
    (unexplained,) = board.told(Unexplained)
    assert isinstance(unexplained, Unexplained)
    assert unexplained.sure
    assert board.moves == "a2a3 a7a6 a3a4 a6a5"


def test_a_man_that_came_where_he_may_not_go_has_taken_nobody_far_from_there() -> None:
    """The king might have taken a man whose square was never empty."""
    board = Board("4kr2/8/8/8/8/8/8/3nK3 w - - 0 1")
    board.changes("e1 f2").presses(chess.WHITE)
    assert board.told(Unexplained)
    assert not board.moves


@pytest.mark.parametrize("across", [True, False])
def test_beside_a_man_he_may_have_taken_he_lies_across_the_edge_or_went_there(across: bool) -> None:
    """That he is shown on f2 soon ends if he took on e2 beside it."""
    board = Board("4kr2/8/8/8/8/8/4p3/4K3 w - - 0 1")
    board.changes("e1 f2").presses(chess.WHITE)
    assert not board.told(Unexplained)
    board.changes("f2" if across else "", after=0.3).presses(chess.BLACK)
    assert bool(board.told(Unexplained)) != across
    assert board.moves == ("e1e2" if across else "")


def test_who_lay_on_a_square_before_a_man_left_is_not_that_man() -> None:
    """Black's pawn lies on g8 when his knight, who might have gone there, takes on d5."""
    board = Board("4k3/8/5n2/3p4/8/2N5/8/4K3 w - - 0 1")
    board.changes("c3").changes("d5", after=0.2).changes("d5", after=0.2).changes("g8", after=0.4)
    board.presses(chess.WHITE, after=0.1, rest=0.3).changes("f6").changes("d5", after=0.4)
    board.changes("d5", after=0.2).presses(chess.BLACK, after=0.3, rest=0.1)
    board.changes("g8", after=0.1).runs_for(chess.WHITE, after=3.0)
    assert board.moves == "c3d5 f6d5"
    assert not board.told(Withdrawn)


@pytest.mark.parametrize(("stood", "moves"), [(8.0, "c3d5"), (3.0, "")])
def test_a_capture_that_stood_alone_counts_though_a_man_was_adjusted_since(
    stood: float, moves: str
) -> None:
    """It shows nothing but that its man has gone, so it is looked at anew."""
    board = Board("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1").changes("c3", after=2.0)
    board.changes("e8", after=stood).changes("e8").changes("e8", after=2.5).changes("a8", after=1.0)
    board.found += board.engine.settle_standing(at=board.at, least=4.0, because="", alone=True)
    assert board.moves == moves


def test_the_kings_are_followed_to_the_centre_when_more_men_came_there() -> None:
    board = Board("7k/8/8/3b4/8/8/8/K7 w - - 0 1")
    board.engine.clock(runs=False, at=1.0)
    board.changes("d5 e5").changes("a1 d4 h8 d5").presses(chess.WHITE)
    board.changes("h1", after=8.0)
    assert board.told(ResultShown) == [ResultShown("1/2-1/2")]


def test_a_man_that_flickered_before_the_king_left_is_no_king() -> None:
    board = Board("8/8/8/4p3/3k4/8/4K3/7R w - - 0 1")
    board.changes("e5", after=0.6).changes("e5").changes("e2", after=8.0).changes("h8", after=8.0)
    assert not board.told(ResultShown)


def test_a_king_in_the_centre_and_a_pawn_show_no_result_while_the_other_is_elsewhere() -> None:
    board = Board("8/8/6k1/3P4/4K3/8/8/8 b - - 0 1")
    board.changes("g6", after=0.4).changes("h3", after=8.0).changes("a8", after=8.0)
    assert not board.told(ResultShown)


@pytest.mark.parametrize(
    ("clock", "shown"), [([], []), ([True], []), ([True, False], ["1-0"])]
)  # analysed only once the clock is stopped
def test_kings_are_not_believed_in_the_centre_while_men_are_moved_all_over(
    clock: list[bool], shown: list[Result]
) -> None:
    board = Board("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1")
    for at, runs in enumerate(clock, 1):
        board.engine.clock(runs=runs, at=float(at))
    board.changes("a7 b7 c7 a2 b2 e1 e4 e8 d5", after=0.5).changes("h1", after=8.0)
    assert board.told(ResultShown) == [ResultShown(result) for result in shown]


@pytest.mark.parametrize(
    ("runs", "stood", "shown"), [(False, 12.0, ["0-1"]), (False, 8.0, []), (True, 12.0, [])]
)
def test_a_king_in_the_place_of_a_man_shows_the_result_also_where_he_came_last(
    runs: bool, stood: float, shown: list[Result]
) -> None:
    """White's king comes to d4 before Black's is put down instead of the pawn on e5.

    He may be in a hand for as long as a result must be shown.
    """
    board = Board("6k1/8/8/4p3/8/8/8/6K1 w - - 0 1")
    board.engine.clock(runs=runs, at=1.0)
    board.changes("g1 d4 g8", after=1.5).changes("h1", after=stood)
    assert board.told(ResultShown) == [ResultShown(result) for result in shown]


def test_the_last_capture_is_told_though_nobody_pressed_when_the_kings_show_the_result() -> None:
    """The pawn on f3 shows a man all the time; who holds a man puts it down before the kings."""
    board = Board("6k1/8/8/8/4p3/5P2/8/4K3 b - - 0 1")
    board.changes("e4").changes("e1 e5", after=5.0).changes("g8 d4").changes("h1", after=8.0)
    assert board.moves == "e4f3"
    assert board.told(ResultShown) == [ResultShown("0-1")]


def test_a_man_taken_up_just_before_the_kings_show_the_result_took_nobody() -> None:
    board = Board("6k1/8/8/8/4p3/5P2/8/4K3 b - - 0 1")
    board.changes("e4").changes("e1 e5", after=1.0).changes("g8 d4").changes("h1", after=8.0)
    assert board.moves == ""


@pytest.mark.parametrize(
    ("changes", "moves"),
    [("c6 d5 d5", "c6d5"), ("g8 d5 d5", "")],  # the pawn was taken, or the king put there
)
def test_a_man_that_came_into_the_centre_is_no_king_whose_king_still_stood(
    changes: str, moves: str
) -> None:
    board = Board("6k1/8/2p5/3P4/8/8/8/6K1 b - - 0 1")
    board.changes(changes)
    board.changes("g8" if moves else "c6", after=3.0).changes("d4").changes("d5", after=1.0)
    board.changes("g1 d5").changes("h1", after=8.0)
    assert board.moves == moves


def test_castling_begun_before_the_press_is_heard_is_the_opponents_work() -> None:
    """Black's king is on g8 when White's press is told; the rook follows later."""
    board = Board("4k2r/8/8/8/8/8/8/2B1K3 w k - 0 1")
    board.changes("c1 f4").changes("e8 g8", after=0.3).presses(chess.WHITE, after=0.2, rest=3.0)
    board.changes("h8 f8").presses(chess.BLACK)
    assert board.moves == "c1f4 e8g8"


def test_fast_play_behind_a_capture_that_looks_like_a_man_taken_up_is_followed() -> None:
    """Both pawns are taken on e4, which shows a man all the time; nothing rests for long."""
    board = Board("3qk3/4p3/8/3p4/4P3/3P4/2P5/3QK3 b - - 0 1")
    board.changes("d5", after=0.4).changes("d3", after=0.4)
    board.changes("d8 d6 c2 c3 e7 e6 d1 e2", after=0.3)
    assert board.moves.startswith("d5e4 d3e4 d8d6")


def test_a_man_taken_up_as_the_clock_is_pressed_has_taken_nobody_yet() -> None:
    """Its victim was removed before; the queen lands on its square after an early press."""
    board = Board("4k3/8/3r4/8/7p/6Q1/8/4K3 w - - 0 1")
    board.changes("d6 g3", after=0.7).presses(chess.WHITE, after=0.8, rest=0.15)
    board.changes("d6", after=0.02).presses(chess.BLACK, after=6.0)
    assert board.moves == "g3d6"


def test_play_goes_on_from_moves_that_were_not_understood_when_the_link_was_back() -> None:
    """Four plies were made unseen, and the next one was begun before the board had rested."""
    board = Board(chess.STARTING_FEN)
    board.changes("e2 e4").presses(chess.WHITE).changes("e7 e5").presses(chess.BLACK)
    board.unseen("g1 f3 b8 c6 f1 c4 a7 a6", seconds=40.0)
    for squares, colour in (("d2 d3", chess.WHITE), ("d7 d6", chess.BLACK), ("h2 h3", chess.WHITE)):
        board.changes(squares, after=0.2).presses(colour, after=0.1, rest=0.1)
    board.changes("h7 h6", after=0.2).presses(chess.BLACK)
    assert board.moves.split()[-3:] == ["d7d6", "h2h3", "h7h6"]
    assert len(board.moves.split()) == 10
    assert board.engine.explains


def test_a_capture_in_answer_is_no_disturbance_of_the_move_before() -> None:
    board = Board("8/4k3/8/8/6n1/4N3/8/4K3 b - - 0 1").changes("e7").changes("d8 g4", together=True)
    board.changes("e3").changes("g4", after=0.8)
    assert board.presses(chess.WHITE).moves == "e7d8 e3g4"


def test_a_capture_is_told_when_the_clock_turned_though_its_press_was_taken_for_another() -> None:
    board = Board("1r4k1/8/8/8/1P6/8/8/6K1 b - - 0 1").changes("b8")
    board.runs_for(chess.WHITE, after=0.1)
    assert not board.moves
    assert board.runs_for(chess.WHITE, after=3.1).moves == "b8b4"


def test_a_man_taken_up_while_the_clock_runs_for_the_other_player_took_nobody() -> None:
    board = Board("1r4k1/8/8/8/1P6/8/8/6K1 b - - 0 1").runs_for(chess.WHITE, after=0.1)
    assert not board.changes("b8").runs_for(chess.WHITE, after=3.1).moves


def test_what_was_shown_until_the_clock_was_stopped_is_told_as_no_more_is_coming() -> None:
    board = Board("1r1q1rk1/1b1nbppp/3p1n2/pp2p3/3PP3/2NQ1N1P/BPP2PP1/R1B1R1K1 w - - 2 13")
    board.changes("d4 d6").presses(chess.WHITE, after=0.1, rest=0.6)
    board.changes("d3 b5 b5", after=0.2).changes("f6", after=0.1).changes("c3", after=0.7)
    board.presses(chess.BLACK, after=0.1, rest=0.1).changes("e4 e4 b7", after=0.2)
    board.changes("d3 d3", after=0.2).changes("b5 e2", after=0.3)
    board.presses(chess.WHITE, after=0.4, rest=7.0).runs_for(None, after=0.0)
    board.changes("e4", after=0.1).changes("g8 e4 g1 d5", after=1.0).runs_for(None, after=6.0)
    (result,) = board.told(ResultShown)
    assert result == ResultShown("1-0")
    assert board.moves == "d4e5 d6e5 d3b5 f6e4 c3e4 b7e4 b5e2"


def test_an_illegal_move_is_told_no_later_because_the_clock_was_stopped_for_it() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    board = Board(fen).changes("a1 b3").presses(chess.WHITE, rest=0.3)
    assert board.runs_for(None, after=0.0).runs_for(None, after=1.5).told(Unexplained)


def test_men_of_both_who_are_gone_took_each_other_rather_than_stand_unseen() -> None:
    """Nobody presses; each victim is pushed off over the square before the taker came by."""
    board = Board(chess.STARTING_FEN)
    board.engine.lose_clock(at=0.0)
    board.changes("e2", after=6.5).changes("e4", after=0.2).changes("c7", after=2.7)
    board.changes("c5", after=0.1).changes("g1", after=2.3).changes("f3", after=0.3)
    board.changes("e7", after=2.7).changes("e6", after=0.2).changes("f7 f7", after=0.4)
    board.changes("d2", after=1.9).changes("d4", after=0.1).changes("c5", after=3.4)
    board.changes("c4", after=0.03).changes("c4", after=0.4).changes("f3", after=1.0)
    board.changes("c3 c3", after=0.2).changes("g8", after=2.1).changes("f6", after=0.4)
    board.changes("f1", after=3.1).changes("d3", after=0.2)
    assert board.moves == "e2e4 c7c5 g1f3 e7e6 d2d4 c5d4 f3d4"


def test_a_victim_on_the_next_square_when_the_clock_is_pressed_is_no_man_who_went_there() -> None:
    board = Board("3qk3/8/8/8/8/8/8/3QK3 w - - 0 1").changes("d1").changes("d7", after=0.8)
    board.presses(chess.WHITE, after=0.25, rest=0.7).changes("d7", after=0.0)
    board.changes("d8", after=1.6).changes("e8 d8", after=0.2).presses(chess.BLACK)
    assert board.moves == "d1d8 e8d8"


def test_who_came_just_before_the_press_may_be_seen_on_the_next_square_as_well() -> None:
    board = Board("7r/k7/8/8/8/8/8/K7 b - - 0 1").changes("h8 e8", together=True)
    board.presses(chess.BLACK, after=0.17, rest=0.2)
    board.changes("e8 d8", after=0.03, together=True).changes("a1 a2", after=1.0)
    assert board.presses(chess.WHITE).moves == "h8d8 a1a2"


def test_a_man_whose_victim_was_lifted_before_took_nobody_else() -> None:
    """The knight stands where the rook was, which is seen late only."""
    board = Board("4k3/2R5/4n3/2P5/8/8/8/4K3 b - - 0 1").changes("c7").changes("e6", after=0.8)
    board.presses(chess.BLACK, after=1.0, rest=2.3).changes("c7", after=0.1)
    assert board.changes("e1 e2", after=3.0).presses(chess.WHITE).moves == "e6c7 e1e2"


def test_a_king_who_goes_the_way_of_castling_while_the_rook_is_gone_castles() -> None:
    """He is not seen where he stands for a while."""
    board = Board("4k2r/8/8/8/8/8/8/2B1K3 b k - 0 1").changes("e8 g8 h8 g8", after=0.4)
    board.changes("f8", after=0.2).presses(chess.BLACK, after=0.45, rest=2.5)
    assert board.changes("g8", after=0.2).changes("c1 f4", after=2.0).moves.startswith("e8g8")


@pytest.mark.parametrize("seconds", [0.5, 1.4])
def test_a_king_may_follow_his_rook_after_the_reply(seconds: float) -> None:
    board = Board("4k2r/8/8/8/8/P7/8/4K3 b k - 0 1").changes("h8", after=0.5)
    board.changes("f8", after=0.2).changes("e8", after=0.4).changes("a3 a4", after=0.2)
    board.changes("g8", after=seconds).presses(chess.BLACK, after=0.1, rest=0.4)
    assert board.presses(chess.WHITE).moves == "e8g8 a3a4"
    assert not board.told(Withdrawn)


def test_who_is_put_down_while_the_man_who_took_him_stands_on_his_square_did_not_move() -> None:
    """The knight is laid on g6, where the bishop might have gone, before it takes him on e4."""
    board = Board("4k3/8/8/5b2/4N3/8/8/4K3 b - - 0 1").changes("e4", after=0.5)
    board.changes("g6", after=0.3).changes("f5", after=0.2).changes("e4", after=0.4)
    board.presses(chess.BLACK, after=0.4, rest=2.5)
    assert board.moves == ""
    assert board.changes("g6", after=0.1).presses(chess.WHITE, after=2.0).moves == "f5e4"


def test_a_victim_who_stood_there_before_the_other_man_left_may_stay_for_long() -> None:
    board = Board("4k3/8/8/8/3n4/2P5/8/4K3 w - - 0 1").changes("d4", after=0.5)
    board.changes("c4", after=0.8).changes("c3", after=0.5).changes("d4", after=0.1)
    board.presses(chess.WHITE, after=1.0, rest=6.0)
    assert board.moves == ""
    assert board.changes("c4", after=0.5).changes("e8 e7").moves.startswith("c3d4")


def test_who_was_put_back_before_the_other_man_left_was_not_taken() -> None:
    board = Board("4k3/8/8/5b2/4N3/8/8/4K3 b - - 0 1").changes("e4 e4", after=0.5)
    board.changes("f5 g6", after=0.5).presses(chess.BLACK, after=0.5, rest=0.1)
    assert board.moves == "f5g6"


@pytest.mark.parametrize(("stood", "told"), [(1.2, 1), (0.5, 0)])
def test_a_pressed_move_that_is_put_back_at_once_was_illegal_if_its_man_had_stood(
    stood: float, told: int
) -> None:
    board = Board("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1").changes("a1", after=0.5)
    board.changes("b3", after=0.3).runs_for(chess.BLACK, after=stood)
    board.presses(chess.WHITE, after=0.0, rest=0.05)
    assert not board.told(Unexplained)
    board.changes("b3", after=0.02).changes("a1", after=0.3).runs_for(chess.WHITE, after=1.0)
    assert len(board.told(Unexplained)) == told
    assert board.changes("a1 a3").presses(chess.WHITE).moves == "a1a3"


def into_check() -> Board:
    """A bishop is seen to take d2 with check; the queen goes to c1, as if a3 had been taken."""
    board = Board("4k3/8/8/8/1b6/P7/1P1N4/3QK3 b - - 0 1").changes("b4 d2 d2", after=0.3)
    board.presses(chess.BLACK).changes("d1 c1").presses(chess.WHITE, rest=3.0)
    assert board.moves == "b4d2"
    return board


def test_a_move_that_only_a_far_fetched_capture_makes_legal_is_told_as_illegal() -> None:
    board = into_check()
    (told,) = board.told(Unexplained)
    assert isinstance(told, Unexplained)
    assert told.sure
    board.changes("c1 d1", after=1.0).changes("d1 d2 d2", after=3.0).presses(chess.WHITE)
    assert board.moves == "b4d2 d1d2"


def test_a_bad_capture_is_no_far_fetched_one_if_its_man_can_take_nobody_else() -> None:
    """The knight is given up for a pawn, whose square nobody saw empty."""
    board = Board("4k3/8/5n2/8/4P3/3P4/8/4K3 b - - 0 1").changes("f6")
    assert board.presses(chess.BLACK).moves == "f6e4"
    assert not board.told(Unexplained)


def test_a_far_fetched_capture_is_believed_when_play_goes_on_from_it() -> None:
    board = into_check().changes("e8 e7", after=1.0).presses(chess.BLACK)
    assert board.moves == "b4d2 b4a3 d1c1 e8e7"


def test_a_man_out_of_reach_who_is_put_right_before_a_recapture_is_not_taken() -> None:
    """The pawn is put right on g7; the way there is blocked by the knight, whom b2 takes."""
    board = Board("4k3/6p1/8/8/4n3/2P5/1B6/4K3 b - - 0 1").changes("c3 e4 c3", after=0.3)
    board.presses(chess.BLACK).changes("g7", after=2.0).changes("g7", after=0.4)
    board.changes("b2", after=0.14).presses(chess.WHITE, after=0.8, rest=3.0)
    assert board.told(Unexplained) == []
    assert board.moves == "e4c3 b2c3"


def test_a_scan_may_show_a_king_in_the_centre_as_soon_as_it_shows_that_he_left() -> None:
    board = Board("8/5k2/8/8/4P3/8/6K1/R7 b - - 0 1").runs_for(None, after=5.0)
    board.changes("e5 g2", after=0.4, together=True).changes("f7 d4").changes("h8", after=8.0)
    assert board.told(ResultShown) == [ResultShown("0-1")]


@pytest.mark.parametrize(("between", "shown"), [("", ["0-1"]), ("b8 b5 ", [])])
def test_men_in_the_centre_are_no_kings_of_a_lost_record_if_others_were_moved_between(
    between: str, shown: list[Result]
) -> None:
    board = Board("1n2k3/pppppp2/8/8/8/8/PPPPPP2/4K3 w - - 0 1").runs_for(None, after=5.0)
    board.changes("a7 b7 c7 d7 f7 a2 b2 c2 d2 f2 e2 e7 e1 e5 " + between + "e8 d4", after=0.5)
    board.changes("h1", after=8.0)
    assert board.told(ResultShown) == [ResultShown(result) for result in shown]


@pytest.mark.parametrize(("put", "shown"), [("a7 a6 b7 b6 ", ["1-0"]), ("a7 a6 b7 b6 c7 c6 ", [])])
def test_kings_in_the_centre_are_no_result_once_the_game_is_looked_into(
    put: str, shown: list[Result]
) -> None:
    """Two men are put aside, or three about, after the clock was stopped; then the kings slide."""
    board = Board("4k3/ppp5/8/8/8/8/8/4K3 w - - 0 1").runs_for(None, after=5.0)
    board.changes(put, after=0.8).changes("e1 e2 e2 e3 e3 e4 e8 e7 e7 e6 e6 d5", after=0.3)
    board.changes("h1", after=8.0)
    assert board.told(ResultShown) == [ResultShown(result) for result in shown]


def test_kings_put_in_the_centre_at_last_show_the_result_of_a_game_that_was_looked_into() -> None:
    """Nothing but both kings moved since the first of them was taken up."""
    board = Board("4k3/ppp5/8/8/8/8/8/4K3 w - - 0 1").runs_for(None, after=5.0)
    board.changes("a7 a6 b7 b5 c7 c4", after=0.8)
    board.changes("e1 e4 e8 d5", after=0.6).changes("h1", after=8.0)
    assert board.told(ResultShown) == [ResultShown("1-0")]


@pytest.mark.parametrize(("stood", "moves"), [(3.5, "c6b5"), (1.0, "")])
def test_a_king_who_moved_and_shows_the_result_then_has_made_his_move(
    stood: float, moves: str
) -> None:
    """From c6, where he started, he might have gone to d5 by one move as well."""
    board = Board("8/8/2k5/8/8/8/4K3/8 b - - 0 1")
    board.found += board.engine.lose_clock(at=0.0)
    board.changes("c6 b5").changes("e2", after=stood).changes("b5 d4 d5", after=0.3)
    board.changes("h1", after=8.0)
    assert board.told(ResultShown) == [ResultShown("1/2-1/2")]
    assert board.moves == moves


def test_a_capture_nobody_saw_is_told_as_soon_as_both_players_have_pressed() -> None:
    board = Board("4k3/8/5p1p/6P1/8/8/8/4K3 w - - 0 1").changes("g5")
    board.presses(chess.WHITE, after=0.8, rest=0.1).changes("f6 f5", after=0.1)
    assert board.presses(chess.BLACK, after=0.1, rest=0.0).moves == "g5h6"


def test_a_capture_that_was_pressed_but_not_seen_is_told_as_soon_as_its_reply_has_stood() -> None:
    board = Board("4k3/8/5p1p/6P1/8/8/8/4K3 w - - 0 1").changes("g5")
    board.presses(chess.WHITE, after=0.8, rest=0.1).changes("f6 f5", after=0.1)
    assert board.runs_for(chess.BLACK, after=0.7).moves == "g5h6"


def test_the_reply_tells_who_was_taken_before_it_is_told() -> None:
    board = Board("4k3/3b4/2Q5/1p6/8/8/8/4K3 w - - 0 1").changes("c6")
    board.presses(chess.WHITE, after=0.8, rest=0.0).changes("d7 b5 b5", after=0.12)
    assert board.presses(chess.BLACK, after=0.1).moves == "c6b5 d7b5"
    assert not board.told(Withdrawn)


def test_a_man_who_came_back_before_another_one_left_was_not_taken_by_him() -> None:
    board = Board("4k3/5p1p/8/6N1/8/8/8/4K3 w - - 0 1").changes("h7 h7", after=1.0)
    board.changes("g5").changes("f7 f7", after=0.4).presses(chess.WHITE)
    assert board.moves == "g5f7"


def test_who_is_taken_back_tells_what_had_been_taken_unseen() -> None:
    board = Board("4k3/8/6pr/6Rp/8/8/8/4K3 w - - 0 1").changes("g5")
    board.presses(chess.WHITE, after=0.8, rest=0.3).changes("h5 h6 h5", after=0.3)
    assert board.presses(chess.BLACK).moves == "g5h5 h6h5"


def test_a_man_knocked_over_after_a_capture_was_not_taken() -> None:
    board = Board("4k3/8/p7/Qp6/8/8/8/4K3 w - - 0 1").changes("a6 a5 a6")
    assert board.changes("b5 b5", after=1.0).presses(chess.WHITE).moves == "a5a6"


def test_a_victim_that_is_just_being_taken_off_is_waited_for_after_an_early_press() -> None:
    board = Board("4k3/2p1p3/3P4/8/8/8/8/4K3 w - - 0 1").changes("d6")
    board.presses(chess.WHITE, after=0.03, rest=0.0).changes("e7", after=0.3)
    assert board.changes("e7", after=0.35).presses(chess.BLACK, after=3.0).moves == "d6e7"
    assert not board.told(Withdrawn)


def test_who_stands_where_his_man_may_have_gone_took_nobody_elsewhere() -> None:
    board = Board("4k3/8/2p3p1/7p/8/8/4B3/4K3 w - - 0 1").changes("e2 c6", after=0.35)
    board.changes("c4", after=0.13).changes("c5", after=0.2).runs_for(chess.WHITE, after=0.2)
    assert board.presses(chess.BLACK, after=2.0).moves == "e2c4 c6c5"
    assert not board.told(Withdrawn)


def test_who_lay_beside_a_square_for_a_moment_was_taken_there() -> None:
    board = Board("4k3/8/8/8/8/8/4p3/4R2K w - - 0 1").changes("e1").changes("f1", after=0.6)
    board.presses(chess.WHITE, after=0.2, rest=0.0).changes("f1", after=0.4)
    assert board.changes("e8 d7", after=0.8).presses(chess.BLACK).moves == "e1e2 e8d7"
    assert not board.told(Withdrawn)


def test_a_man_of_the_reply_seen_on_two_squares_does_not_undo_the_capture_before() -> None:
    board = Board("4k3/8/8/8/3q4/8/2P4K/R7 b - - 0 1").changes("d4 a1 a1", after=0.2)
    board.changes("c3", after=1.0).presses(chess.BLACK, after=0.02, rest=0.0)
    assert board.changes("c2", after=0.28).presses(chess.WHITE).moves == "d4a1 c2c3"
    assert not board.told(Withdrawn)


def test_a_man_who_is_not_seen_all_the_time_where_he_stands_took_nobody_behind() -> None:
    board = Board("3qk3/8/8/8/8/8/3P4/4K3 b - - 0 1").changes("d8").changes("d3", after=0.6)
    board.presses(chess.BLACK, after=0.3, rest=0.1).changes("d3 d3", after=0.2)
    board.changes("d3", after=0.4).changes("d3", after=0.6)
    assert board.runs_for(chess.WHITE, after=2.0).moves == "d8d3"
    assert not board.told(Withdrawn)


@pytest.mark.parametrize("away", [0.3, 0.1])
def test_a_man_out_of_reach_who_was_taken_off_rather_than_flickered_was_taken(away: float) -> None:
    """The bishop may take on g5, but not on h4 behind it."""
    board = Board("4k3/8/5b2/6N1/7P/8/8/4K3 b - - 0 1").changes("f6 h4", after=0.3)
    board.changes("h4", after=away).presses(chess.BLACK, after=0.3, rest=2.5)
    told = [each for each in board.told(Unexplained) if isinstance(each, Unexplained)]
    assert (board.moves, [each.sure for each in told]) == (
        ("", [True]) if away > 0.2 else ("f6g5", [])
    )


def test_a_victim_taken_off_before_a_man_slides_to_his_square_made_no_reply() -> None:
    """They look like a step of both towards each other."""
    board = Board("r5k1/8/8/8/8/8/R7/4K3 w - - 0 1").changes("a8").changes("a3", after=0.3)
    board.changes("a2", after=0.06).changes("a5", after=0.32).changes("a3", after=0.12)
    board.changes("a7", after=0.26).changes("a5", after=0.12).changes("a8", after=0.32)
    assert board.changes("a7", after=0.06).presses(chess.WHITE).moves == "a2a8"
    assert not board.told(Withdrawn)


def test_a_press_that_comes_late_does_not_make_a_reply_of_a_victim_taken_off() -> None:
    board = Board("3r2k1/8/8/8/8/8/8/3Q3K b - - 0 1").changes("d1").changes("d8", after=0.6)
    board.changes("d4", after=0.24).changes("d3", after=0.06).changes("d4", after=0.44)
    board.changes("d3", after=0.06).presses(chess.WHITE, after=0.06, rest=0.0)
    assert board.changes("d1", after=0.06).presses(chess.BLACK, after=0.9).moves == "d8d1"
    assert not board.told(Withdrawn)


def test_somebody_pushed_while_a_man_slides_by_made_no_reply() -> None:
    board = Board("4k3/4p3/8/7r/8/8/8/3Q2K1 w - - 0 1").changes("e2").changes("d1", after=0.03)
    board.changes("g5", after=0.14).changes("h5", after=0.01).changes("e2", after=0.08)
    board.changes("g4", after=0.2).changes("g5", after=1.0).changes("h5", after=0.25)
    assert board.presses(chess.WHITE, after=3.0).moves == "d1g4"
    assert not board.told(Withdrawn)


def test_of_several_victims_taken_unseen_none_is_told_before_play_tells_which() -> None:
    board = Board(FORK).unseen("d4 a7 a6", seconds=40.0).presses(chess.BLACK, after=3.0)
    assert board.moves == ""
    board.changes("a2 a3").presses(chess.WHITE).changes("e6 e5").presses(chess.BLACK)
    assert board.moves == "d4c6 a7a6 a2a3 e6e5"
    assert not board.told(Withdrawn)


def test_a_man_taken_up_while_another_rests_is_no_reply_before_the_press() -> None:
    """The queen rests on b6, where she may stay; then the knight is taken off, and by her."""
    board = Board("4k3/8/8/q7/4p3/8/3N4/4K3 b - - 0 1").changes("a5 b6")
    board.changes("d2", after=2.5).changes("b6", after=1.4).changes("d2").presses(chess.BLACK)
    assert board.moves == "a5d2"


def test_men_who_took_each_other_unseen_are_not_just_away() -> None:
    """Both pawns left in one scan, and d5 was never seen empty; a move made after that is later."""
    board = Board("rnbqk2r/pp1p1ppp/4pn2/8/2PN4/P7/1P1QPPPP/RN2KB1R b KQkq - 0 7")
    board.changes("d7 d5").presses(chess.BLACK)
    board.changes("c4 e6", after=6.0, together=True).changes("b1", after=6.0)
    board.presses(chess.WHITE, after=0.2, rest=0.3).changes("c3", after=0.0)
    board.runs_for(chess.BLACK, after=5.0)
    assert board.moves == "d7d5 c4d5 e6d5 b1c3"


def test_men_who_are_cleared_away_take_nobody() -> None:
    """The knight was taken up first, and might have taken on d4; nobody presses: no clock."""
    board = Board("4k3/8/1ppp4/2p1p3/2PpP3/5N2/8/4K3 w - - 0 1").runs_for(None, after=0.1)
    board.found += board.engine.lose_clock(at=board.at)
    board.changes("f3", after=10.0).changes("c5 c4 d4 e4 e5 c6 d6", after=0.2)
    board.changes("b6", after=4.0)
    assert board.moves == ""


def test_a_victim_who_is_put_down_beside_his_square_for_more_than_a_second_has_not_come() -> None:
    """The rook takes on d7 and pushes the man there to d6, from where he is taken off later."""
    board = Board("7k/p2p4/8/8/8/8/8/3RK3 w - - 0 1")
    board.changes("d1 d6").presses(chess.WHITE, rest=1.2).changes("d6", after=0.1)
    board.changes("a7", after=1.2).changes("a6", after=0.3).presses(chess.BLACK)
    assert board.moves == "d1d7 a7a6"
    assert not board.told(Withdrawn)


@pytest.mark.parametrize(("king", "settled"), [("h8", ""), ("e8", "d1d6")])
def test_who_came_beside_a_man_whom_he_would_take_badly_is_no_victim(
    king: str, settled: str
) -> None:
    """The queen went to d6, or she took on d7, which loses her if the king protects it."""
    board = chess.Board("8/p2p4/8/8/8/8/8/3QK3 w - - 0 1")
    board.set_piece_at(chess.parse_square(king), chess.Piece.from_symbol("k"))
    watched = Board(board.fen()).changes("d1 d6").presses(chess.WHITE, after=0.8, rest=0.1)
    assert watched.moves == settled


@pytest.mark.parametrize(("square", "settled"), [("a7", ""), ("e7", "d1d6")])
def test_a_man_who_is_gone_is_being_taken_if_who_was_taken_up_may_take_him(
    square: str, settled: str
) -> None:
    board = Board("7k/p2pp3/8/8/8/8/8/3RK3 w - - 0 1")
    board.changes("d1 d6").presses(chess.WHITE, rest=0.1).changes(square, after=0.1)
    board.changes("d6", after=0.3).runs_for(chess.BLACK, after=0.5)
    assert board.moves == settled


def test_a_pawn_who_is_gone_may_be_being_taken_in_passing() -> None:
    board = Board("4k3/2p5/8/8/4p3/8/P2P4/4K3 w - - 0 1")
    board.changes("d2 d4").changes("d4", after=1.3).presses(chess.WHITE, after=0.1, rest=0.1)
    board.changes("e4", after=0.1).runs_for(chess.BLACK, after=0.8)
    assert board.moves == "d2d4"


@pytest.mark.parametrize("aside", ["b1", "h5"])
def test_a_victim_laid_beside_his_square_is_waited_for_longer_than_one_laid_anywhere(
    aside: str,
) -> None:
    """The rook takes on a2; nobody else may go there, and no rook from a7 to where he is laid."""
    board = Board("4k3/r7/8/8/8/8/N7/4K3 b - - 0 1")
    board.changes(f"a7 {aside}").presses(chess.BLACK, rest=0.0)
    board.runs_for(chess.WHITE, after=0.0).changes(aside, after=5.0)._wait(1.0)
    assert bool(board.told(Unexplained)) == (aside == "h5")
    if aside == "b1":
        assert board.changes("e1 f1", after=2.0).presses(chess.WHITE).moves == "a7a2 e1f1"


def test_who_is_taken_up_for_long_after_he_took_somebody_is_being_taken() -> None:
    """No clock runs; the knight that moved before might have taken on f2, and his victim on d5."""
    board = Board("4k3/8/8/3p4/4n3/2N5/1P3P2/4K3 b - - 0 1").runs_for(None, after=0.1)
    board.found += board.engine.lose_clock(at=board.at)
    board.changes("e4").changes("c3", after=6.0).changes("b2", after=17.0).changes("c3")
    assert board.changes("e8 e7", after=3.0).changes("e1", after=8.0).moves == "e4c3 b2c3 e8e7"
    assert not board.told(Withdrawn)


def test_who_was_away_for_half_a_minute_where_no_clock_runs_has_taken_somebody() -> None:
    """As the last test begins, but the knight on c3 took, and the one on e4 had gone to f2."""
    board = Board("4k3/8/8/3p4/4n3/2N5/1P3P2/4K3 b - - 0 1").runs_for(None, after=0.1)
    board.found += board.engine.lose_clock(at=board.at)
    board.changes("e4").changes("c3", after=6.0)._wait(30.0)
    assert board.moves.endswith("e4f2 c3d5")


def test_a_king_who_stood_in_the_centre_and_shows_the_result_from_elsewhere_had_moved() -> None:
    """No clock runs. He stood on d4 for longer than a move must, and goes to e4 for the signal."""
    board = Board("8/8/2K5/1R2k2r/8/8/1p6/8 b - - 0 1").runs_for(None, after=0.1)
    board.found += board.engine.lose_clock(at=board.at)
    board.changes("e5 d4", after=0.3).changes("c6", after=5.1).changes("d5", after=0.9)
    board.changes("d4", after=0.3).changes("e4", after=0.8)._wait(8.0)
    assert board.moves == "e5d4"
    assert board.told(ResultShown) == [ResultShown("1-0")]


@pytest.mark.parametrize(
    ("man", "others", "stood", "left"),
    [
        ("d8", "b8 c8 a2 f2 g1", 5.0, "d8c8"),
        ("d8", "b8 c8 a2 f2 g1", 2.0, None),
        ("b8", "d8 c8 a2 f2 g1", 5.0, None),  # he laid his king down
    ],
)
def test_a_man_who_was_away_for_long_before_the_board_was_cleared_had_taken_somebody(
    man: str, others: str, stood: float, left: str | None
) -> None:
    board = Board("1k1r4/8/8/2R5/8/8/P4P2/6K1 w - - 0 1").runs_for(None, after=0.1)
    board.found += board.engine.lose_clock(at=board.at)
    board.changes("c5 c8", after=1.0)._wait(6.0)
    board.changes(man, after=1.0).changes(others, after=stood, together=True)
    board._wait(1.0)
    found = board.engine.left
    assert (found and found.uci()) == left


def test_a_king_who_was_laid_down_took_nobody_however_long_he_is_away() -> None:
    """Who moved last won: the king on b3 might take the pawn on a3."""
    board = Board("8/8/8/8/2p2n2/pK6/8/2k5 b - - 0 1").runs_for(None, after=0.1)
    board.found += board.engine.lose_clock(at=board.at)
    board.changes("f4 d5", after=1.0)._wait(6.0)
    board.changes("b3", after=1.0)._wait(60.0)
    assert board.moves == "f4d5"


def test_a_move_that_stood_before_men_were_set_aside_for_the_kings_is_the_last_one() -> None:
    """The bishop on e6 took on b3; the one on d4, set aside, stands where he might have gone."""
    board = Board("6k1/8/4b3/8/3N4/1P6/8/6K1 b - - 0 1").runs_for(None, after=0.1)
    board.found += board.engine.lose_clock(at=board.at)
    board.changes("b3", after=1.0).changes("e6", after=0.5).changes("b3", after=0.5)._wait(3.6)
    board.changes("d4").changes("c4", after=0.4).changes("g8", after=0.6).changes("d4", after=0.4)
    board.changes("g1", after=3.0).changes("e5", after=0.5)._wait(8.0)
    assert board.moves == "e6b3"
    assert board.told(ResultShown) == [ResultShown("0-1")]


def test_a_man_who_is_put_back_slowly_from_where_he_might_not_go_took_nobody() -> None:
    """He had stood on f4 as his player pressed; he might take on f3 from where he came."""
    board = Board("4k3/8/8/8/8/5q2/6P1/4K3 w - - 0 1").changes("g2 f4", after=0.2)
    board.presses(chess.WHITE, after=1.2, rest=0.6).runs_for(chess.WHITE, after=0.0)
    board.changes("f4", after=1.0).changes("g2", after=0.8)._wait(2.0)
    assert board.moves == ""
    assert len(board.told(Unexplained)) == 1


@pytest.mark.parametrize("pawn", ["g7", "a7"])
def test_a_pawn_that_may_take_beside_its_last_rank_is_promoted_after_an_early_press(
    pawn: str,
) -> None:
    rook = "f8" if pawn == "g7" else "b8"
    board = chess.Board("8/8/8/8/8/7k/8/4K3 w - - 0 1")
    board.set_piece_at(chess.parse_square(pawn), chess.Piece.from_symbol("P"))
    board.set_piece_at(chess.parse_square(rook), chess.Piece.from_symbol("r"))
    last = pawn[0] + "8"
    table = Board(board.fen()).changes(f"{pawn} {last}", after=0.4)
    table.presses(chess.WHITE, after=0.4, rest=0.2).changes(f"{last} {last}")._wait(2.0)
    assert table.moves == f"{pawn}{last}q"


def test_who_gives_a_move_back_by_pressing_has_not_moved() -> None:
    """Black moved White's queen, who had just taken on e4: she is not put where she went."""
    fen = "r3k2r/ppq1n1pp/2pbbp2/8/2PPp2Q/8/PP3PPP/R3K2R w KQkq - 0 1"
    board = Board(fen).changes("h4 e4 e4", after=0.3).presses(chess.WHITE, rest=1.0)
    board.runs_for(chess.BLACK, after=0.0).changes("e4 f4").presses(chess.BLACK, rest=0.0)
    board.runs_for(chess.WHITE, after=0.0)._wait(2.5)
    board.presses(chess.WHITE, rest=0.0).runs_for(chess.BLACK, after=0.0)
    board.changes("f4", after=0.8).changes("e4").changes("e6 f5", after=6.0)
    assert board.presses(chess.BLACK).moves == "h4e4 e6f5"
    assert len(board.told(Unexplained)) == 1
    assert not board.told(Withdrawn)


def test_who_is_taken_up_well_after_a_press_was_not_pressed_for() -> None:
    """A clock that was read late told it; the knight might take on d5, and goes to b5."""
    board = Board("4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1").presses(chess.WHITE, rest=0.0)
    board.changes("c3", after=0.9).changes("b5", after=0.5).presses(chess.WHITE)
    assert board.moves == "c3b5"
    assert not board.told(Withdrawn)


def test_a_victim_laid_where_his_taker_might_have_gone_is_known_when_he_is_taken_off() -> None:
    """The queen took on f4 and pushed the rook to e5; she was taken there, and he stays awhile."""
    board = Board("4k3/p7/1p6/5q2/5R2/1P6/P2Q4/6K1 b - - 0 1")

    def presses(colour: chess.Color, rest: float) -> None:
        board.presses(colour, after=0.4, rest=0.0).runs_for(not colour, after=0.0)._wait(rest)

    board.changes("f5").changes("e5", after=0.7)
    presses(chess.BLACK, 2.0)
    board.changes("d2")
    presses(chess.WHITE, 5.5)
    board.changes("e5")._wait(2.5)
    board.changes("a7 a6")
    presses(chess.BLACK, 1.2)
    assert board.moves == "f5e5 f5f4 d2f4 a7a6"
    assert len(board.told(Withdrawn)) == 1


def test_who_pressed_for_another_man_did_not_move_the_one_that_is_gone() -> None:
    """The rook took on a7, and his victim lay on b8 until Black moved: it is not gone to d8."""
    board = Board("3rr1k1/pR3p1p/6p1/2QNb1q1/4P3/5B1b/P4PPP/5RK1 w - - 8 25")
    board.changes("b7").changes("b8", after=0.4).presses(chess.WHITE, after=0.3, rest=1.59)
    board.runs_for(chess.BLACK, after=0.0).changes("e5 b8", together=True, after=0.0)
    board.presses(chess.BLACK, after=0.44, rest=0.0).runs_for(chess.WHITE, after=0.0)
    board.changes("d6", after=0.14).changes("c5", after=2.95).changes("c3", after=0.37)
    board.presses(chess.WHITE, after=0.23, rest=0.0).runs_for(chess.BLACK, after=0.0)
    board.changes("d6", after=0.25).presses(chess.BLACK, after=0.18, rest=0.0)
    board.runs_for(chess.WHITE, after=0.0).changes("e5", after=0.1)._wait(5.0)
    assert board.moves.endswith("e5d6 c5c3 d6e5")
    assert not board.told(Withdrawn)
