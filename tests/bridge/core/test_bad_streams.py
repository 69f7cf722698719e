"""Streams that cannot be true: they are explained, and no move is made of them."""

import json
from typing import Any

import chess
import pytest

from tests.bridge.core.outcome import Outcome, as_text, engine_lines, outcome

HOUR = 3600.0
EXPLAINS = {
    "POSITION_UNRESOLVED",
    "PIECES_DISPLACED",
    "UNKNOWN_PIECE",
    "SENSOR_FAULT",
    "WRONG_SETUP",
    "BOARD_BUMPED",
}
FOUR_PLIES = ("e4", "e5", "Nf3", "Nc6")
PLAYED = "e2e4 e7e5 g1f3 b8c6"


class Stream:
    """Lines of a board stream; moves are shown as whole placements."""

    def __init__(self) -> None:
        self.board = chess.Board()
        self.t = 0.0
        self.lines: list[str] = []
        self.running = True
        games = [{"variant": "standard"}]
        self.tell("meta", 0.0, format="board-stream/1", board="identity", clock=True, games=games)

    def tell(self, kind: str, after: float, **keys: Any) -> "Stream":
        self.t += after
        self.lines.append(json.dumps({"t": self.t, "kind": kind, **keys}))
        return self

    def shows(self, placement: str | None = None, *, after: float = 0.0) -> "Stream":
        return self.tell("snapshot", after, board=placement or self.board.board_fen())

    def field(self, square: str, piece: str | None, *, after: float = 0.5) -> "Stream":
        return self.tell("field", after, square=square, piece=piece)

    def clock(
        self,
        turn: str | None,
        *,
        after: float = 0.5,
        left: int = 300,
        right: int = 300,
        run: bool = True,
    ) -> "Stream":
        return self.tell("clock", after, left=left, right=right, turn=turn, run=run)

    def press(self, after: float = 0.5) -> "Stream":
        return self.clock("left" if self.board.turn else "right", after=after)

    def rests(self, seconds: int, *, turn: str = "left") -> "Stream":
        """Let the clock answer every ten seconds while the board says nothing."""
        for _ in range(seconds // 10):
            self.clock(turn, after=10.0)
        return self

    def play(self, *sans: str) -> "Stream":
        for san in sans:
            move = self.board.parse_san(san)
            self.field(chess.square_name(move.from_square), None, after=2.0)
            self.board.push(move)
            self.shows(after=0.4).press()
        return self

    def told(self) -> tuple[Outcome, str]:
        lines = engine_lines(self.lines)
        return outcome(lines), as_text(self.lines, lines)


def begun() -> Stream:
    """A game of four plies, White to move."""
    return Stream().shows().clock("left", after=1.0).play(*FOUR_PLIES)


def check(stream: Stream, moves: str, *, explained: bool = True) -> None:
    told, text = stream.told()
    assert [" ".join(game.moves) for game in told.games] == [moves], text
    assert told.illegal == [], f"{text}\n{told.illegal}"
    assert told.games[0].result == "*", text
    if explained:
        assert told.codes & EXPLAINS or told.states, f"{text}\nnothing was explained"


def without(placement: str, man: str) -> str:
    board = chess.BaseBoard(placement)
    for square, piece in board.piece_map().items():
        if piece.symbol() == man:
            board.remove_piece_at(square)
    return board.board_fen()


IMPOSSIBLE = {
    "no king": without(chess.STARTING_BOARD_FEN, "k"),
    "no kings": without(without(chess.STARTING_BOARD_FEN, "k"), "K"),
    "12 queens": "qqqqkqqr/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQR",
    "64 men": "/".join(["pppppppp"] * 8),
    "nothing": "8/8/8/8/8/8/8/8",
    "unnamed men": "xxxxxxxx/xxxxxxxx/8/8/8/8/xxxxxxxx/xxxxxxxx",
    "pawns on the last rank": "PPPPkPPP/8/8/8/8/8/8/ppppKppp",
}


@pytest.mark.parametrize("placement", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_stands_before_a_game_is_explained(placement: str) -> None:
    check(Stream().shows(placement).clock("left", after=1.0).rests(60), "")


@pytest.mark.parametrize("placement", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_game_begins_when_the_men_are_put_right(placement: str) -> None:
    stream = Stream().shows(placement).rests(30).shows(after=5.0).clock("left", after=5.0)
    check(stream.play(*FOUR_PLIES), PLAYED)


@pytest.mark.parametrize("placement", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_cannot_stand_in_a_game_is_explained(placement: str) -> None:
    check(begun().shows(placement, after=3.0).rests(60), PLAYED)


@pytest.mark.parametrize("placement", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_game_goes_on_when_the_board_agrees_again(placement: str) -> None:
    stream = begun().shows(placement, after=3.0).rests(60).shows(after=1.0)
    check(stream.play("Bb5", "a6"), f"{PLAYED} f1b5 a7a6")


def test_an_empty_board_for_an_hour() -> None:
    stream = begun()
    for _ in range(360):
        stream.shows(IMPOSSIBLE["nothing"], after=5.0).clock("left", after=5.0)
    check(stream.shows(after=1.0).play("Bb5"), f"{PLAYED} f1b5")


def test_an_empty_board_is_not_explained_again_and_again() -> None:
    stream = begun()
    for _ in range(360):
        stream.shows(IMPOSSIBLE["nothing"], after=5.0).clock("left", after=5.0)
    told, text = stream.told()
    assert 1 <= len(told.alerts) + len(told.states) <= 3, text


@pytest.mark.parametrize("jump", [10.0, HOUR, 1000 * HOUR])
def test_time_that_jumps_makes_no_move(jump: float) -> None:
    """A jump with a man in the air, and one with nothing going on."""
    stream = begun().field("f1", None, after=2.0)
    stream.shows(after=jump).clock("left").clock("left", after=jump)
    check(stream.play("Bb5"), f"{PLAYED} f1b5", explained=False)


@pytest.mark.parametrize("turn", ["left", "right", None])
@pytest.mark.parametrize("run", [True, False])
def test_a_clock_that_never_changes_sides_does_not_stop_the_game(
    turn: str | None, run: bool
) -> None:
    stream = Stream().shows()
    for san in (*FOUR_PLIES, "Bb5"):
        move = stream.board.parse_san(san)
        stream.field(chess.square_name(move.from_square), None, after=4.0)
        stream.board.push(move)
        stream.shows(after=0.4).clock(turn, run=run).clock(turn, run=run, after=1.0)
    told, text = stream.told()
    moves = told.games[0].moves
    assert " ".join(moves) in (PLAYED, f"{PLAYED} f1b5"), text  # nothing completed the last one
    assert told.illegal == [], text


def test_a_clock_that_is_pressed_like_mad_makes_no_move() -> None:
    stream = begun()
    for number in range(60):
        stream.clock(("right", "left")[number % 2], after=0.7)
    stream.clock("left", after=2.0)
    check(stream.play("Bb5"), f"{PLAYED} f1b5", explained=False)


def test_a_clock_whose_times_make_no_sense_is_no_reason_to_doubt_the_board() -> None:
    stream = Stream().shows().clock("left", left=0, right=35999, after=1.0)
    for san in FOUR_PLIES:
        move = stream.board.parse_san(san)
        stream.field(chess.square_name(move.from_square), None, after=2.0)
        stream.board.push(move)
        turn = "left" if stream.board.turn else "right"
        stream.shows(after=0.4).clock(turn, left=int(stream.t * 7) % 600, right=0)
    check(stream, PLAYED, explained=False)


def test_a_man_of_another_set_is_waited_for() -> None:
    """A spare knight without a chip that the board knows is used for the rest of the game."""
    stream = begun()
    for _ in range(3):
        stream.field("c6", "x", after=10.0).clock("left", after=1.0)
    check(stream.play("Bb5", "a6"), f"{PLAYED} f1b5 a7a6", explained=False)


def test_the_men_of_another_game_are_no_moves() -> None:
    """Somebody else's middlegame is set up in mid-game."""
    other = "r2q1rk1/pp1n1ppp/2pbpn2/3p4/2PP4/1PN1PN2/PB2QPPP/R4RK1"
    check(begun().shows(other, after=5.0).rests(60), PLAYED)


def test_a_board_that_flickers_everywhere_makes_no_move() -> None:
    stream = begun()
    for square in chess.SQUARE_NAMES:
        man = stream.board.piece_at(chess.parse_square(square))
        stream.field(square, None if man else "P", after=0.05)
        stream.field(square, man.symbol() if man else None, after=0.15)
    check(stream.clock("left", after=1.0).play("Bb5"), f"{PLAYED} f1b5", explained=False)
