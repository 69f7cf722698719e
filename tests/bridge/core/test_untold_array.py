"""Chess960 on boards that name no men, from a position that nobody gave: play tells of it."""

import random
from collections.abc import Iterator, Sequence

import chess
import pytest
from msgspec.structs import replace

from bridge.core.inference.placement import shown_by, turned
from bridge.core.inference.untold_array import Begun, arrays_with, back_ranks, goers
from bridge.core.model import (
    Fact,
    GameEnded,
    GameStarted,
    MovesCorrected,
    Payload,
    Reading,
    RestorePosition,
    ResultOrder,
    Ruling,
    StartFound,
    StateExplained,
    TableSetup,
)
from bridge.core.scoresheet.record import GameRecord, Scorebook
from bridge.core.table import Table
from bridge.core.table.kept_back import KEPT_AT_MOST
from drivers.cells import cells_of
from drivers.events import EMPTY, ClockReading, Snapshot

UNTOLD = TableSetup(sensing="occupancy", chess960=True)
EACH = 0.3
"""Seconds between two squares that a hand changes."""


class Hall:
    """A table that hears what a board shows on which men of array *number* are moved."""

    def __init__(
        self, men: str, setup: TableSetup = UNTOLD, *, clock: bool = False, rotated: bool = False
    ) -> None:
        self.board = chess.Board.from_chess960_pos(back_ranks().index(men))
        self.table, self.facts, self.book = Table("t"), list[Fact](), Scorebook()
        self.at, self._seq, self._clock, self._rotated = 0.0, 0, clock, rotated
        self._cells = cells_of(self.board)
        self.hears(setup)
        self._show()
        self.runs("left")

    def plays(self, *sans: str, then: float = 5.0) -> "Hall":
        """Make moves, after each of which the board rests for *then* seconds; men are lifted."""
        for san in sans:
            self.makes(self.board.parse_san(san), then=then)
        return self

    def makes(self, move: chess.Move, *, then: float = 5.0) -> None:
        mover, after = self.board.turn, self.board.copy(stack=False)
        after.push(move)
        cells = cells_of(after)
        changed = [at for at in chess.SQUARES if cells[at] != self._cells[at]]
        for square in sorted(changed, key=lambda at: self.board.color_at(at) is mover):
            if self._cells[square] != EMPTY:
                self.shows(square, EMPTY)
        for square in changed:
            if cells[square] != EMPTY:
                self.shows(square, cells[square])
        self.board = after
        self.runs("right" if mover else "left")
        self.waits(then)

    def shows(self, square: chess.Square, man: str) -> None:
        self.at += EACH
        self._cells = self._cells[:square] + man + self._cells[square + 1 :]
        self._show()

    def puts_up(self, men: str) -> "Hall":
        """Put all men up for the next game, the last one a moment ago."""
        self.board = chess.Board.from_chess960_pos(back_ranks().index(men))
        cells = cells_of(self.board)
        changed = [at for at in chess.SQUARES if cells[at] != self._cells[at]]
        for square in [chess.A7, *changed, chess.A7]:
            self.shows(square, EMPTY if self._cells[square] == "p" else cells[square])
        return self

    def waits(self, seconds: float) -> "Hall":
        self.at += seconds
        self._note(self.table.tick(self.at))
        return self

    def _show(self) -> None:
        cells = shown_by(self._cells, "occupancy")
        self.hears(Snapshot(at=self.at, cells=turned(cells) if self._rotated else cells))

    def runs(self, turn: str) -> None:
        if self._clock:
            self.at += EACH
            times = {"left_ms": 300_000, "right_ms": 300_000, "running": True}
            self.hears(ClockReading(at=self.at, turn=turn, **times))  # type: ignore[arg-type]

    def hears(self, payload: Payload) -> None:
        self._seq += 1
        reading = Reading(
            table="t", link="b", seq=self._seq, at=self.at, wall=self.at, payload=payload
        )
        self._note(self.table.apply(reading))

    def _note(self, facts: Sequence[Fact]) -> None:
        self.facts += facts
        for fact in facts:
            self.book.apply(fact)

    @property
    def record(self) -> GameRecord:
        record = self.book.record("t", self.table.game)
        assert record is not None
        return record

    @property
    def moves(self) -> str:
        return " ".join(ply.san for ply in self.record.plies)

    @property
    def ucis(self) -> list[str]:
        return [ply.uci for ply in self.record.plies]

    def found(self) -> list[str]:
        """The back ranks from which the game was found to have begun, one after the other."""
        fens = [fact.fen for fact in self.facts if isinstance(fact, StartFound)]
        return [fen.split()[0].rsplit("/", 1)[1] for fen in fens]


def fen_of(men: str) -> str:
    return chess.Board.from_chess960_pos(back_ranks().index(men)).fen()


# -- who a man may be ---------------------------------------------------------------------------


def squares(move: str) -> tuple[chess.Square, chess.Square]:
    return chess.parse_square(move[:2]), chess.parse_square(move[2:])


@pytest.mark.parametrize(
    ("move", "men"),
    [("g1f3", "N"), ("f1c4", "BQ"), ("a1a5", "RQ"), ("e1e2", "KRQ"), ("e1d2", "KBQ"), ("a1c4", "")],
)
def test_a_man_shows_by_how_he_goes_who_he_may_be(move: str, men: str) -> None:
    origin, target = squares(move)
    assert goers(origin, chess.BB_SQUARES[target]) == set(men)


def begun(*moves: str) -> Begun:
    return Begun(map(chess.Move.from_uci, moves))


def arrays_of(game: Begun) -> set[str]:
    return {men for number, men in enumerate(back_ranks()) if game.arrays >> number & 1}


def test_every_array_may_have_stood_before_a_man_of_the_back_rank_has_moved() -> None:
    assert len(arrays_of(begun("e2e4", "e7e5"))) == 960


def test_men_of_both_players_tell_of_the_same_file() -> None:
    """Together they show a queen: one of them went straight, and the other one slanted."""
    after = arrays_of(begun("d2d4", "e7e5", "d1d3", "d8h4"))
    assert after == {men for men in back_ranks() if men[3] == "Q"}


def test_men_who_castle_are_king_and_rook_and_are_followed_where_they_stand() -> None:
    after = arrays_of(begun("g2g3", "g7g6", "e1g1", "a7a6", "f1f2", "a6a5", "g1h2"))
    assert after == {men for men in back_ranks() if men[4] + men[6] == "KR"}


def test_who_was_taken_on_his_square_is_followed_no_more() -> None:
    after = arrays_of(begun("b1c3", "a7a6", "c3d5", "a6a5", "d5c7", "a5a4", "c7e8", "d8e8"))
    assert after == {men for men in back_ranks() if men[1] == "N" and men[3] in "KRQ"}


def test_arrays_are_those_of_the_laws() -> None:
    assert back_ranks()[518] == "RNBQKBNR"
    assert len({*back_ranks()}) == 960
    assert arrays_with(0, frozenset("KQRBN")).bit_count() == 960
    assert arrays_with(0, frozenset("K")) == 0, "a rook stands on each side of the king"


# -- games --------------------------------------------------------------------------------------


def test_the_game_begins_with_the_men_of_normal_chess_and_says_so() -> None:
    hall = Hall("NRKBRNBQ")
    started = [fact for fact in hall.facts if isinstance(fact, GameStarted)]
    assert [fact.fen for fact in started] == [chess.Board.from_chess960_pos(518).fen()]
    said = [fact.text for fact in hall.facts if isinstance(fact, StateExplained)]
    assert len(said) == 1
    assert said[0].startswith("nobody gave the start position of Chess960")


def test_a_man_who_goes_as_another_one_is_called_by_his_name_from_the_start() -> None:
    hall = Hall("NRKBRNBQ").plays("f4", "Nb6", "Nb3", "f6", "e4", "e5", "f5", "d5")
    assert hall.moves == "f4 Nb6 Nb3 f6 e4 e5 f5 d5"
    assert hall.found() == ["NRBQKBNR"]
    assert hall.record.fen == fen_of("NRBQKBNR")


def test_plies_that_were_told_before_get_their_right_names() -> None:
    """A queen was taken for a bishop until she went straight."""
    hall = Hall("RNBNKQRB").plays("g3", "a6", "Qh3", "a5")
    assert hall.moves == "g3 a6 Bh3 a5"
    hall.plays("Qh5")
    assert hall.moves == "g3 a6 Qh3 a5 Qh5"
    assert not any(isinstance(fact, MovesCorrected) for fact in hall.facts)


def test_a_capture_tells_who_took_where_a_man_was_lifted() -> None:
    """By the array of normal chess the man on b1 is a knight, who cannot take there."""
    hall = Hall("NBBRKNRQ").plays("d4", "d5", "c3", "Nb6", "e4", "dxe4", "Bxe4")
    assert hall.record.plies[-1].uci == "b1e4"


def test_an_illegal_move_by_no_array_is_told() -> None:
    hall = Hall("NRKBRNBQ", clock=True).plays("f4", "Nb6")
    hall.shows(chess.A1, EMPTY)
    hall.shows(chess.F5, "N")
    hall.waits(0.5)
    hall.runs("right")
    hall.waits(10.0)
    assert hall.table.in_dispute
    assert hall.found() == ["NRBQKBNR"]


# -- castling -----------------------------------------------------------------------------------


def test_castling_where_the_king_stays_on_his_square() -> None:
    hall = Hall("NRKNBBQR").plays("a3", "a6", "Ne3", "Ne6", "O-O-O", "O-O-O")
    assert hall.ucis[-2:] == ["c1b1", "c8b8"]
    assert hall.found()[-1][1:3] == "RK"


def test_castling_in_which_the_king_takes_the_square_of_the_rook() -> None:
    """Looked at before and after it is one step of the king; but the rook was lifted."""
    hall = Hall("NBBRKNRQ").plays("a3", "a6", "Ne3", "Ne6", "O-O", "O-O")
    assert hall.ucis[-2:] == ["e1g1", "e8g8"]
    assert not any(isinstance(fact, MovesCorrected) for fact in hall.facts)


# -- ends ---------------------------------------------------------------------------------------


def test_kings_who_never_moved_show_the_result() -> None:
    hall = Hall("RKBQRNNB").plays("e4", "e5", "Ng3", "Ng6")
    for square, man in ((chess.B1, EMPTY), (chess.D4, "K"), (chess.B8, EMPTY), (chess.D5, "k")):
        hall.shows(square, man)
    hall.waits(10.0)
    assert [(f.result, f.by) for f in hall.facts if isinstance(f, GameEnded)] == [
        ("1/2-1/2", "kings")
    ]
    assert hall.found()[-1][1] == "K"


def test_a_mate_is_no_end_while_the_king_may_be_another_man() -> None:
    """By the array of normal chess 2.g4 Qh4 is mate; here a knight stands on e1."""
    hall = Hall("BBNQNRKR").plays("f3", "e5", "g4", "Qh4")
    assert not any(isinstance(fact, GameEnded) for fact in hall.facts)
    hall.waits(200.0)
    assert not any(isinstance(fact, GameEnded) for fact in hall.facts)
    hall.plays("a3", "a6")
    assert hall.moves == "f3 e5 g4 Qh4 a3 a6"


def test_a_mate_that_the_guess_shows_counts_once_the_men_are_put_up_again() -> None:
    hall = Hall("RNBQKBNR").plays("f3", "e5", "g4", "Qh4#").waits(10.0)
    hall.puts_up("RNBQKBNR").waits(10.0)
    assert [(f.result, f.by) for f in hall.facts if isinstance(f, GameEnded)] == [
        ("0-1", "checkmate")
    ]


# -- what people do -----------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [False, True])
@pytest.mark.parametrize("sans", ["Nb3 Nb6 e4 e5", "Ng3 e5 e4 Nb6 a3"])
def test_the_board_is_turned_also_by_a_move_that_normal_chess_does_not_know(
    sans: str, clock: bool
) -> None:
    hall = Hall("NRKBRNBQ", clock=clock, rotated=True).plays(*sans.split())
    assert hall.moves == sans
    assert hall.table.rotated


def test_the_array_is_found_though_the_arbiter_took_moves_back() -> None:
    hall = Hall("NRKBRNBQ").plays("f4", "f6", "e4")
    hall.hears(Ruling(by="arbiter", order=RestorePosition(ply=2)))
    hall.shows(chess.E4, EMPTY)
    hall.shows(chess.E2, "P")
    hall.waits(5.0)
    hall.board.pop()
    hall.plays("Nb3", "Nb6")
    assert hall.moves == "f4 f6 Nb3 Nb6"
    assert hall.found() == ["NRBQKBNR"]


def test_the_position_may_be_given_while_the_game_is_on() -> None:
    hall = Hall("NRKBRNBQ").plays("f4", "f6")
    hall.hears(replace(UNTOLD, start_fen=fen_of("NRKBRNBQ")))
    hall.plays("Nb3", "Nb6")
    assert (hall.moves, hall.found()) == ("f4 f6 Nb3 Nb6", ["NRKBRNBQ"])
    assert hall.record.setup.start_fen == fen_of("NRKBRNBQ")


def test_a_position_from_which_the_moves_are_not_legal_is_not_taken() -> None:
    hall = Hall("NRKBRNBQ").plays("f4", "Nb6")
    hall.hears(replace(UNTOLD, start_fen=fen_of("RNBQKBNR")))
    said = [fact.text for fact in hall.facts if isinstance(fact, StateExplained)]
    assert said[-1].endswith("its moves are not legal")
    assert (hall.record.setup.start_fen, hall.found()) == (None, ["NRBQKBNR"])


@pytest.mark.parametrize("clock", [False, True])
@pytest.mark.parametrize("moves", ["e2e4 c8d6 c1d3 e7e5", "c1d3 e7e5 e2e4 c8d6"])
def test_a_game_that_begins_as_soon_as_the_last_man_is_put_up_is_followed(
    moves: str, clock: bool
) -> None:
    hall = Hall("NRKBRNBQ", clock=clock).plays("f4", "Nb6")
    hall.hears(ResultOrder(result="1-0", by="arbiter"))
    hall.puts_up("BNNRKQRB").runs("left")
    for move in moves.split():
        hall.makes(chess.Move.from_uci(move), then=6.0)
    assert (hall.table.game, hall.ucis) == (2, moves.split())


# -- whole games --------------------------------------------------------------------------------


def walk(number: int, seed: int, plies: int) -> Iterator[chess.Move]:
    """Yield legal moves from array *number*, and no end of the game."""
    rng, board = random.Random(seed), chess.Board.from_chess960_pos(number)
    for _ in range(plies):
        legal = sorted(board.legal_moves, key=chess.Move.uci)
        calm = [move for move in legal if not move.promotion and _is_seen(board, move)]
        if not calm:
            return
        castlings = [move for move in calm if board.is_castling(move)]
        move = rng.choice(castlings or calm)
        yield move
        board.push(move)


def _is_seen(board: chess.Board, move: chess.Move) -> bool:
    """Whether the game goes on after *move*, and other squares are occupied or emptied.

    King and rook who exchange their squares leave a board that looks the same.
    """
    after = board.copy(stack=False)
    after.push(move)
    return any(after.legal_moves) and after.occupied != board.occupied


@pytest.mark.parametrize("seed", range(12))
def test_a_game_of_any_moves_is_followed_square_by_square(seed: int) -> None:
    """Who may be meant stays open for long where men are moved without a plan."""
    number = random.Random(seed).randrange(960)
    hall = Hall(back_ranks()[number])
    for move in walk(number, seed, 30):
        hall.makes(move)
    hall.waits(KEPT_AT_MOST)
    assert hall.ucis == [move.uci() for move in walk(number, seed, 30)]
    board = chess.Board(hall.record.fen, chess960=True)
    for ply in hall.record.plies:
        assert board.san(chess.Move.from_uci(ply.uci)) == ply.san
        board.push_uci(ply.uci)


KING_TAKES = """
    a2a4 f7f6 f1e3 b7b6 g2g4 c8a6 h2h3 d8b8 f2f4 h7h5 a4a5 d7d6 f4f5 a8f3 e1f1 c7c5 b2b4 f3e4 f1f2
    f8d7 f2f4 e4d5 g4g5 f6g5 f4g4 d5b3 h3h4 d7f6 h1a8 f6h7 h4g5 c5c4 a8e4 g8h6 g5h6 g7h6 g4f4 h5h4
    f5f6 h6h5 f6e7 a6b7 e7d8q c8d8 a1h8 h4h3
"""


def test_no_reading_fails_in_which_a_king_was_taken() -> None:
    """Men without names may be read so for a while; a king who is gone cannot castle."""
    men = back_ranks()[883]
    hall = Hall(men, replace(UNTOLD, start_fen=fen_of(men)), clock=True)
    for move in KING_TAKES.split():
        hall.makes(chess.Move.from_uci(move))
    assert hall.ucis == KING_TAKES.split()
