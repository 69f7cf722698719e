"""A board that speaks UCI, in simulated time: what a program hears of what hands do."""

from random import Random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.inference.placement import shown_by, turned
from bridge.core.model import LinkChange, Orientation, Sensing
from bridge.outputs.uci import Conversation, Seat
from drivers.cells import cells_of
from drivers.events import Battery, Event, Lift, Place, RawTags, Snapshot, SquareChange

EMPTY = "8/8/8/8/8/8/8/8"
CASTLING_960 = "rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1"
MATE = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"


class Program:
    """A program that plays against a board; all it hears is kept."""

    def __init__(
        self,
        sensing: Sensing = "identity",
        *,
        rotated: bool = False,
        orientation: Orientation = "auto",
    ) -> None:
        self.talk = Conversation("Test board", Seat(sensing, orientation=orientation))
        self.at = 0.0
        self._sensing: Sensing = sensing
        self._rotated = rotated

    def says(self, *lines: str) -> list[str]:
        return [answer for line in lines for answer in self.talk.hear(line, at=self.at)]

    def takes(self, event: Event | LinkChange) -> list[str]:
        return self.talk.take(event, at=self.at)

    def shows(self, board: chess.BaseBoard | str) -> list[str]:
        """Let the board show a position, or a FEN's placement."""
        cells = cells_of(chess.BaseBoard(board) if isinstance(board, str) else board)
        seen = shown_by(turned(cells) if self._rotated else cells, self._sensing)
        return self.takes(Snapshot(at=self.at, cells=seen))

    def waits(self, seconds: float) -> list[str]:
        end, said = self.at + seconds, list[str]()
        while self.talk.wake_at <= end:
            self.at = max(self.at, self.talk.wake_at)
            said += self.talk.tick(at=self.at)
        self.at = end
        return said


def after(*sans: str, fen: str = chess.STARTING_FEN) -> chess.Board:
    board = chess.Board(fen)
    for san in sans:
        board.push_san(san)
    return board


@pytest.fixture
def program() -> Program:
    return Program()


# --- manners --------------------------------------------------------------------------------------


def test_it_introduces_itself(program: Program) -> None:
    said = program.says("uci")
    assert said[0].startswith("id name eboard-bridge ")
    assert said[0].endswith("(Test board)")
    assert [line.split(" type ")[0] for line in said[2:]] == [
        "option name Rest",
        "option name Orientation",
        "option name Lamps",
        "option name UCI_Chess960",
        "uciok",
    ]


def test_it_is_always_ready_and_passes_over_what_uci_has_not(program: Program) -> None:
    assert (
        program.says("isready", "joho isready", "debug on", "", "setoption", "stop")
        == ["readyok"] * 2
    )
    assert not program.talk.ended
    program.says("quit")
    assert program.talk.ended


@pytest.mark.parametrize("option", ["name Hash value 16", "name Rest value 70000", "name Rest"])
def test_options_that_it_has_not(program: Program, option: str) -> None:
    assert program.says(f"setoption {option}") == [
        f"info string not understood: option {option.removeprefix('name ')}"
    ]


def test_a_position_that_is_none_is_not_waited_for(program: Program) -> None:
    (said,) = program.says("position startpos moves e2e5")
    assert said.startswith("info string not understood: illegal uci: 'e2e5'")
    assert program.says("go") == ["bestmove (none)"]
    assert program.says("position fen 8/8", "go")[-1] == "bestmove (none)"


def test_there_is_no_move_after_the_end(program: Program) -> None:
    assert program.says(f"position fen {MATE}", "go") == ["bestmove (none)"]


# --- moves ----------------------------------------------------------------------------------------


def test_a_move_that_rests_is_the_best_move(program: Program) -> None:
    program.shows(after())
    assert program.says("ucinewgame", "position startpos", "go wtime 1000 btime 1000") == []
    program.waits(2.0)
    program.shows(after("e3"))
    assert program.waits(0.1) == []
    program.shows(after("e4"))
    assert program.waits(1.4) == ["info depth 1 pv e2e4"]
    assert program.waits(0.2) == ["bestmove e2e4"]
    assert program.shows(after("d4")) == program.waits(10) == [], "nobody asks any more"


def test_the_programs_move_has_to_be_made_first(program: Program) -> None:
    program.shows(after("e4"))
    said = program.says("position startpos moves e2e4 e7e5", "go")
    assert said == ["info string make the move e5 on the board"]
    program.shows(after("e4", "c5"))
    (said_then,) = program.waits(1.5)
    assert said_then == (
        "info string the board differs from the position: c5 shows a black pawn; e5 is empty; "
        "c7 is empty; e7 shows a black pawn"
    )
    program.shows(after("e4", "d5"))
    program.waits(0.5)
    program.shows(after("e4", "c5"))
    assert program.waits(5) == [], "that was said"
    program.shows(after("e4", "e5"))
    assert program.waits(5) == []
    program.shows(after("e4", "e5", "Nf3"))
    assert program.waits(2) == ["info depth 1 pv g1f3", "bestmove g1f3"]


def test_who_replies_at_once_is_followed(program: Program) -> None:
    program.shows(after("e4"))
    program.says("position startpos moves e2e4 e7e5", "go")
    program.waits(0.3)
    program.shows(after("e4", "e5", "Nf3"))
    assert program.waits(2)[-1:] == ["bestmove g1f3"]


def test_a_board_that_repeats_itself_is_understood_all_the_same(program: Program) -> None:
    program.says("position startpos moves e2e4", "go")
    said = [line for _ in range(10) for line in (*program.shows(after()), *program.waits(0.3))]
    assert said == ["info string make the move e4 on the board"]
    said = [line for _ in range(20) for line in (*program.shows(after("d4")), *program.waits(0.3))]
    assert len(said) == 1
    program.shows(after("e4"))
    for _ in range(10):
        program.shows(after("e4", "e5"))
        said += program.waits(0.3)
    assert said[-1] == "bestmove e7e5"


def test_a_move_that_was_made_before_it_was_asked_for(program: Program) -> None:
    program.shows(after("e4"))
    assert program.says("position startpos", "go") == []
    assert program.waits(2)[-1] == "bestmove e2e4"


def test_a_shorter_rest_if_the_program_sets_one(program: Program) -> None:
    program.says("setoption name Rest value 200")
    program.shows(after())
    program.says("position startpos", "go")
    program.shows(after("e4"))
    assert program.waits(0.5)[-1] == "bestmove e2e4"


def test_a_take_back_is_put_right_on_the_board(program: Program) -> None:
    program.shows(after("e4", "e5"))
    (said,) = program.says("position startpos", "go")
    assert said == (
        "info string the board differs from the position: e2 is empty; e4 shows a white pawn; "
        "e5 shows a black pawn; e7 is empty"
    )
    program.shows(after())
    program.waits(0.5)
    program.shows(after("d4"))
    assert program.waits(2)[-1] == "bestmove d2d4"


def test_an_illegal_move_is_none(program: Program) -> None:
    program.shows(after())
    program.says("position startpos", "go")
    wrong = after()
    wrong.remove_piece_at(chess.E2)
    wrong.set_piece_at(chess.E5, chess.Piece.from_symbol("P"))
    program.shows(wrong)
    said = ["info string the board differs from the position: e2 is empty; e5 shows a white pawn"]
    assert program.waits(30) == said
    program.shows(after())
    assert program.waits(3) == []
    program.shows(wrong)
    assert program.waits(30) == said, "it is said each time"
    program.shows(after())
    program.shows(after("e4"))
    assert program.waits(3)[-1] == "bestmove e2e4"


def test_who_thinks_with_a_man_in_the_hand_is_left_in_peace(program: Program) -> None:
    program.shows(after())
    program.says("position startpos", "go")
    lifted = after()
    lifted.remove_piece_at(chess.E2)
    program.shows(lifted)
    assert program.waits(60) == []


def test_two_moves_of_both_players_are_no_answer(program: Program) -> None:
    """Somebody who plays on for the program has to go back."""
    program.shows(after())
    program.says("position startpos", "go")
    for moves in (("e4", "e5", "Nf3"), ("e4", "e5", "Nf3", "Nc6")):
        program.shows(after(*moves))
        said = program.waits(30)
        assert not any(line.startswith("bestmove") for line in said)
    program.shows(after())
    program.waits(5)
    program.shows(after("c4"))
    assert program.waits(3)[-1] == "bestmove c2c4"


def test_castling_and_promotion_in_the_words_of_the_program(program: Program) -> None:
    castling = "4k2r/P7/8/8/8/8/8/R3K3 w Qk - 0 1"
    program.shows(after(fen=castling))
    program.says(f"position fen {castling}", "go")
    program.shows(after("O-O-O", fen=castling))
    assert program.waits(2)[-1] == "bestmove e1c1"
    program.shows(after(fen=castling))
    program.says(f"position fen {castling}", "go")
    program.shows(after("a8=N", fen=castling))
    assert program.waits(2)[-1] == "bestmove a7a8n"


@pytest.mark.parametrize(("castling", "uci"), [("O-O", "b1h1"), ("O-O-O", "b1a1")])
def test_castling_in_chess960_is_the_king_that_takes_the_rook(
    program: Program, castling: str, uci: str
) -> None:
    program.says("setoption name UCI_Chess960 value true")
    board = chess.Board(CASTLING_960, chess960=True)
    program.shows(board)
    assert program.says(f"position fen {CASTLING_960}", "go") == []
    board.push_san(castling)
    program.shows(board)
    assert program.waits(3)[-1] == f"bestmove {uci}"
    assert program.says(f"position fen {CASTLING_960} moves {uci} h8g8", "go") == [
        "info string make the move Rg8 on the board"
    ]


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 959), st.integers(0, 2**32), st.booleans())
def test_every_legal_move_is_understood(number: int, seed: int, rotated: bool) -> None:
    rng = Random(seed)
    board = chess.Board.from_chess960_pos(number)
    for _ in range(rng.randrange(80)):
        moves = list(board.legal_moves)
        if len(moves) < 2:
            break
        board.push(rng.choice(moves))
    if not any(board.legal_moves):
        return
    program = Program(rotated=rotated)
    program.says("setoption name UCI_Chess960 value true")
    program.shows(board)
    program.says(f"position fen {board.fen()}", "go")
    move = rng.choice(list(board.legal_moves))
    after, lifted = board.copy(), board.copy()
    after.push(move)
    lifted.remove_piece_at(move.from_square)
    program.waits(1.0)
    program.shows(lifted)
    program.waits(0.4)
    program.shows(after)
    assert program.waits(5)[-1] == f"bestmove {board.uci(move)}"


# --- boards ---------------------------------------------------------------------------------------


def test_a_board_that_lies_the_other_way_round() -> None:
    program = Program(rotated=True)
    program.shows(after("e4"))
    program.says("position startpos moves e2e4 c7c5", "go")
    program.shows(after("e4", "c5"))
    program.waits(1)
    program.shows(after("e4", "c5", "Nf3"))
    assert program.waits(2)[-1] == "bestmove g1f3"


def test_an_orientation_that_is_set_is_believed() -> None:
    program = Program("occupancy", rotated=True, orientation="normal")
    program.says("setoption name Orientation value rotated")
    program.shows(after())
    program.says("position startpos", "go")
    program.shows(after("e4"))
    assert program.waits(4)[-1] == "bestmove e2e4"


def test_a_board_that_tells_only_where_something_stands() -> None:
    program = Program("occupancy")
    program.shows(after())
    program.says("position startpos", "go")
    program.shows(after("Nf3"))
    assert program.waits(4)[-1] == "bestmove g1f3"


def test_what_a_board_cannot_tell_of_a_pawn_is_a_queen() -> None:
    program, fen = Program("occupancy"), "8/P6k/8/8/8/8/8/4K3 w - - 0 1"
    program.shows(after(fen=fen))
    program.says(f"position fen {fen}", "go")
    program.shows(after("a8=N", fen=fen))
    assert program.waits(5)[-1] == "bestmove a7a8q"


def test_a_board_that_tells_only_what_is_lifted_and_placed() -> None:
    program = Program("occupancy")
    for event in (Lift(at=0.0, square=chess.H2), Place(at=0.0, square=chess.H3, piece="?")):
        program.takes(event)
    assert program.says("position startpos", "go") == [], "what nobody asked for is passed over"
    program.takes(Lift(at=0.0, square=chess.E2))
    program.waits(0.5)
    program.takes(Place(at=0.5, square=chess.E4, piece="?"))
    assert program.waits(5)[-1] == "bestmove e2e4"


def test_a_board_that_reads_tags_learns_its_men_from_the_start_position(program: Program) -> None:
    def scan(board: chess.Board, origin: str = "") -> list[str]:
        tags = [None if cell == "." else f"{n:02x}" for n, cell in enumerate(cells_of(board))]
        if origin:
            tags[chess.E4] = f"{chess.E2:02x}"
        program.at += 0.3
        return program.takes(RawTags(at=program.at, tags=tuple(tags)))

    program.says("position startpos", "go")
    for _ in range(12):
        scan(after())
    said = [line for _ in range(12) for line in scan(after("e4"), "e2")]
    assert [*said, *program.waits(3)][-1] == "bestmove e2e4"


def test_a_board_that_has_not_told_all_its_squares_yet(program: Program) -> None:
    program.says("position startpos", "go")
    cells = f"{'*' * 63}."
    assert program.takes(SquareChange(at=0.0, square=63, piece=".", cells=cells)) == []
    assert program.waits(10) == []
    program.shows(after("e4"))
    assert program.waits(3)[-1] == "bestmove e2e4"


def test_what_says_nothing_of_squares_changes_nothing(program: Program) -> None:
    program.says("position startpos", "go")
    assert program.takes(Battery(at=0.0, percent=50, charging=False)) == []
    assert program.waits(5) == [], "nothing is known of the board"


@pytest.mark.parametrize("rotated", [False, True])
def test_lamps_show_what_has_to_be_put_right(rotated: bool) -> None:
    program = Program(rotated=rotated)

    def lit() -> set[str]:
        seen = (63 - square if rotated else square for square in program.talk.lit)
        return {chess.square_name(square) for square in seen}

    program.shows(after())
    program.says("position startpos", "go")
    assert lit() == set()
    program.shows(after("e4"))
    program.waits(2)
    program.says("position startpos moves e2e4 e7e5", "go")
    assert lit() == {"e7", "e5"}
    program.says("setoption name Lamps value false")
    assert lit() == set()
    program.says("setoption name Lamps value true")
    lifted = after("e4")
    lifted.remove_piece_at(chess.E7)
    program.shows(lifted)
    assert lit() == {"e7", "e5"}, "until it is done"
    program.waits(2)
    assert lit() == {"e5"}
    program.shows(after("e4", "e5"))
    assert lit() == set()
    program.says("position startpos", "go")
    assert lit() == {"e2", "e4", "e7", "e5"}
    program.says("stop")
    assert lit() == set()


# --- links ----------------------------------------------------------------------------------------


def test_a_link_that_is_lost_and_comes_back(program: Program) -> None:
    program.shows(after())
    program.says("position startpos", "go")
    program.shows(after("e4"))
    program.waits(0.5)
    assert program.takes(LinkChange(state="lost", detail="pulled out")) == [
        "info string the link to the board is lost: pulled out"
    ]
    assert program.waits(5) == []
    assert program.takes(LinkChange(state="live")) == ["info string the link to the board is live"]
    program.shows(after("d4"))
    assert program.waits(3) == ["info depth 1 pv d2d4", "bestmove d2d4"]


# --- infinite, ponder, stop -----------------------------------------------------------------------


@pytest.mark.parametrize(("go", "then"), [("go infinite", "stop"), ("go ponder", "ponderhit")])
def test_a_move_is_kept_until_it_may_be_told(program: Program, go: str, then: str) -> None:
    program.shows(after())
    program.says("position startpos", go)
    program.shows(after("e4"))
    assert program.waits(5) == ["info depth 1 pv e2e4"]
    assert program.says(then) == ["bestmove e2e4"]
    assert program.says(then) == []


def test_stop_takes_the_move_that_stands(program: Program) -> None:
    program.shows(after())
    program.says("position startpos", "go")
    program.shows(after("e4"))
    program.waits(0.5)
    assert program.says("stop") == ["bestmove e2e4"]
    assert program.waits(5) == []


def test_stop_without_a_move(program: Program) -> None:
    program.shows(after())
    program.says("position startpos", "go")
    program.shows(after("e4"))
    program.waits(0.5)
    program.shows(after())
    program.waits(0.5)
    assert program.says("stop") == ["bestmove (none)"]
    assert program.says("stop", "ponderhit") == []
