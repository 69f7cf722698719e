"""The 39 situations: what hands, sensors and clocks do, and what must come of it.

Each is a short game in which one thing is out of the ordinary, played on by ordinary moves, so
that the thread must be found again. The positions are such that only one reading is right. The
table is :data:`SITUATIONS`; ``docs/inference.md`` lists its titles and descriptions.
"""

from collections.abc import Callable
from dataclasses import dataclass

import chess

from tests.bridge.core.scenes import Scene

CASTLING = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1"
PROMOTION = "8/p2P2k1/8/8/8/8/P5K1/8 w - - 0 1"
STEP = "1k6/8/8/8/8/4K3/8/7R w - - 0 1"


@dataclass(frozen=True)
class Played:
    """One game: its moves in UCI, as they must be recorded, and its result as it was shown."""

    moves: str
    result: str = "*"
    by: str = ""


@dataclass(frozen=True, kw_only=True)
class Situation:
    """``illegal``: codes of completed illegal moves; ``told``: other alerts that must be raised.

    ``may_tell``: alerts that are not wrong although nobody need be called to the board.
    ``occupancy`` is whether squares alone tell the moves, ``put_right`` whether the illegal moves
    are taken back.
    """

    title: str
    description: str
    build: Callable[[], Scene]
    games: tuple[Played, ...]
    illegal: tuple[str, ...] = ()
    told: frozenset[str] = frozenset()
    may_tell: frozenset[str] = frozenset()
    occupancy: bool = True
    put_right: bool = True

    @property
    def name(self) -> str:
        return self.build.__name__


SITUATIONS: list[Situation] = []


def situation(
    title: str,
    description: str,
    *games: Played | str,
    illegal: tuple[str, ...] = (),
    told: tuple[str, ...] = (),
    may_tell: tuple[str, ...] = (),
    occupancy: bool = True,
    put_right: bool = True,
) -> Callable[[Callable[[], Scene]], Callable[[], Scene]]:
    """Enter a scene into the table; a game given as text has moves and no result."""

    def enter(build: Callable[[], Scene]) -> Callable[[], Scene]:
        SITUATIONS.append(
            Situation(
                title=title,
                description=description,
                build=build,
                games=tuple(Played(game) if isinstance(game, str) else game for game in games),
                illegal=illegal,
                told=frozenset(told),
                may_tell=frozenset(may_tell),
                occupancy=occupancy,
                put_right=put_right,
            )
        )
        return build

    return enter


def from_position(fen: str) -> Scene:
    return Scene(fen, variant="from_position")


# -- slides ------------------------------------------------------------------------------------


@situation(
    "Fast slide",
    "A pawn slides from e2 to e4 and is seen on e3 by one scan.",
    "e2e4 e7e5 g1f3",
)
def slide_fast() -> Scene:
    scene = Scene().wait(3.0).lift(0.0, "e2").put(0.1, "Pe3").lift(0.25, "e3").put(0.1, "Pe4")
    return scene.moved("e4").press(0.5).play("e5", "Nf3")


@situation(
    "Slow slide",
    "A rook slides along the first rank and is seen on every square, half a second each.",
    "a1e1 g8f8 e1e7",
)
def slide_slow() -> Scene:
    scene = from_position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").wait(3.0)
    scene.shift(0.0, "a1", "b1", "c1", "d1", "e1", dwell=0.7)
    return scene.moved("Re1").press(0.6).play("Kf8", "Re7")


# -- captures ----------------------------------------------------------------------------------


def _before_a_capture() -> Scene:
    return Scene().play("e4", "d5").wait(2.0)


@situation(
    "Capture, victim first",
    "The taken pawn leaves the board before the capturing pawn is touched.",
    "e2e4 d7d5 e4d5 d8d5 b1c3",
)
def capture_victim_first() -> Scene:
    scene = _before_a_capture().lift(0.0, "d5").lift(0.5, "e4").put(0.5, "Pd5")
    return scene.moved("exd5").press(0.5).play("Qxd5", "Nc3")


@situation(
    "Capture, attacker first",
    "The capturing pawn is lifted, then its victim is taken off, then it is put down.",
    "e2e4 d7d5 e4d5 d8d5 b1c3",
)
def capture_attacker_first() -> Scene:
    scene = _before_a_capture().lift(0.0, "e4").lift(0.5, "d5").put(0.5, "Pd5")
    return scene.moved("exd5").press(0.5).play("Qxd5", "Nc3")


@situation(
    "Capture as a swap",
    "Between two scans the taken pawn gives way to the other: its square never reads empty.",
    "e2e4 d7d5 e4d5 d8d5 b1c3",
)
def capture_swap() -> Scene:
    scene = _before_a_capture().lift(0.0, "e4").wait(0.3).just_after_sampling("d5")
    scene.lift(0.02, "d5").put(0.12, "Pd5")
    return scene.moved("exd5").press(0.5).play("Qxd5", "Nc3")


# -- castling ----------------------------------------------------------------------------------


@situation(
    "Castling, king first",
    "The king goes to g1, then the rook to f1.",
    "e1g1 e8c8 a2a3",
)
def castling_king_first() -> Scene:
    scene = from_position(CASTLING).wait(3.0)
    scene.lift(0.0, "e1").put(0.4, "Kg1").lift(0.4, "h1").put(0.4, "Rf1")
    scene.moved("O-O").press(0.5).wait(2.0)
    scene.lift(0.0, "e8").put(0.4, "kc8").lift(0.4, "a8").put(0.4, "rd8")
    return scene.moved("O-O-O").press(0.5).play("a3")


@situation(
    "Castling, rook first",
    "The rook goes to f1, which is a legal move, then the king to g1.",
    "e1g1 a7a6 a2a3",
)
def castling_rook_first() -> Scene:
    scene = from_position(CASTLING).wait(3.0)
    scene.lift(0.0, "h1").put(0.4, "Rf1").lift(0.4, "e1").put(0.4, "Kg1")
    return scene.moved("O-O").press(0.5).play("a6", "a3")


@situation(
    "Castling, both lifted",
    "King and rook are in the air at once; queenside, as both sides do it.",
    "e1c1 e8c8 a2a3",
)
def castling_both_lifted() -> Scene:
    scene = from_position(CASTLING).wait(3.0)
    scene.lift(0.0, "e1", "a1").put(0.8, "Kc1").put(0.1, "Rd1")
    scene.moved("O-O-O").press(0.5).wait(2.0)
    scene.lift(0.0, "a8").lift(0.2, "e8").put(0.6, "rd8").put(0.3, "kc8")
    return scene.moved("O-O-O").press(0.5).play("a3")


@situation(
    "Castling, slowly",
    "The king stands on g1 for four seconds before the rook follows.",
    "e1g1 a7a6 a2a3",
)
def castling_slow() -> Scene:
    scene = from_position(CASTLING).wait(3.0)
    scene.lift(0.0, "e1").put(0.4, "Kg1").lift(4.0, "h1").put(0.6, "Rf1")
    return scene.moved("O-O").press(0.5).play("a6", "a3")


@situation(
    "Castling, rook long before the king",
    "The rook rests on f1 for three and a half seconds, then the king moves and the clock is "
    "pressed.",
    "e1g1 a7a6 a2a3",
)
def castling_rook_rests() -> Scene:
    scene = from_position(CASTLING).wait(3.0)
    scene.lift(0.0, "h1").put(0.4, "Rf1").lift(3.5, "e1").put(0.5, "Kg1")
    return scene.moved("O-O").press(0.5).play("a6", "a3")


# -- en passant --------------------------------------------------------------------------------

EN_PASSANT = "e2e4 a7a6 e4e5 d7d5 e5d6 c7d6 g1f3"


def _before_en_passant() -> Scene:
    return Scene().play("e4", "a6", "e5", "d5").wait(2.0)


@situation(
    "En passant, victim first",
    "The pawn on d5 is taken off before the pawn on e5 moves.",
    EN_PASSANT,
)
def en_passant_victim_first() -> Scene:
    scene = _before_en_passant().lift(0.0, "d5").lift(0.5, "e5").put(0.5, "Pd6")
    return scene.moved("exd6").press(0.5).play("cxd6", "Nf3")


@situation(
    "En passant, victim late",
    "The pawn stands on d6 for two seconds before the pawn on d5 is taken off.",
    EN_PASSANT,
)
def en_passant_victim_late() -> Scene:
    scene = _before_en_passant().lift(0.0, "e5").put(0.5, "Pd6").lift(2.0, "d5")
    return scene.moved("exd6").press(0.6).play("cxd6", "Nf3")


# -- promotions --------------------------------------------------------------------------------


@situation(
    "Promotion, exchanged late",
    "The pawn stands on d8 for four seconds before it is exchanged for a queen.",
    "d7d8q g7f7 d8h4 f7g6 h4h8",
)
def promotion_late() -> Scene:
    scene = from_position(PROMOTION).wait(3.0)
    scene.lift(0.0, "d7").put(0.4, "Pd8").lift(4.0, "d8").put(0.8, "Qd8")
    return scene.moved("d8=Q").press(0.5).play("Kf7", "Qh4", "Kg6", "Qh8")


@situation(
    "Under-promotion",
    "The pawn is taken off d7 and a knight is put on d8.",
    "d7d8n g7f6 d8c6 f6f5",
)
def promotion_to_knight() -> Scene:
    scene = from_position(PROMOTION).wait(3.0).lift(0.0, "d7").put(1.0, "Nd8")
    return scene.moved("d8=N").press(0.5).play("Kf6", "Nc6", "Kf5")


@situation(
    "Promotion, direct",
    "The pawn is taken off d7 and a queen is put on d8.",
    "d7d8q g7f7 d8h4 f7g6 h4h8",
)
def promotion_direct() -> Scene:
    scene = from_position(PROMOTION).wait(3.0).lift(0.0, "d7").put(0.5, "Qd8")
    return scene.moved("d8=Q").press(0.5).play("Kf7", "Qh4", "Kg6", "Qh8")


# -- speed -------------------------------------------------------------------------------------

SPANISH = ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6")
SPANISH_UCI = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6"


@situation(
    "0.6 seconds a ply",
    "Four moves of both sides, each ply in 0.6 seconds with its press.",
    SPANISH_UCI,
)
def blitz_600() -> Scene:
    return Scene().wait(2.0).play(*SPANISH, think=0.25, hand=0.2, reach=0.15)


@situation(
    "0.3 seconds a ply",
    "The same in 0.3 seconds: a scan shows parts of two moves, and most presses are never heard.",
    SPANISH_UCI,
)
def blitz_300() -> Scene:
    return Scene().wait(2.0).play(*SPANISH, think=0.11, hand=0.13, reach=0.06)


@situation(
    "Reply begun before the castling rook",
    "White's king stands on g1; Black's knight is in the air before White's rook is lifted.",
    "e1g1 f6g4 a2a3",
)
def reply_before_castling_rook() -> Scene:
    scene = from_position(CASTLING).wait(3.0)
    scene.lift(0.0, "e1").put(0.4, "Kg1").lift(0.3, "f6").lift(0.15, "h1").put(0.35, "Rf1")
    scene.moved("O-O").press(0.2).put(0.2, "ng4").moved("Ng4").press(0.4)
    return scene.play("a3")


@situation(
    "Overlapping recapture",
    "Black lifts the recapturing pawn before White's bishop stands, and takes before the press.",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 b1c3",
)
def overlapping_recapture() -> Scene:
    scene = Scene().play("e4", "e5", "Nf3", "Nc6", "Bb5", "a6").wait(2.0)
    scene.lift(0.0, "b5").lift(0.3, "c6").lift(0.25, "d7").put(0.1, "Bc6").moved("Bxc6")
    scene.lift(0.35, "c6").press(0.1).put(0.15, "pc6")
    return scene.moved("dxc6").press(0.5).play("Nc3")


# -- what a scan can and cannot show -----------------------------------------------------------


@situation(
    "One man on two squares",
    "A rook goes from a1 to a7 within one scan, which has sampled a1 before and a7 after.",
    "a1a7 g8f8 a7b7",
)
def on_two_squares() -> Scene:
    scene = from_position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").wait(3.0)
    scene.just_after_sampling("a1").lift(0.01, "a1").put(0.1, "Ra7")
    return scene.moved("Ra7").press(0.5).play("Kf8", "Rb7")


@situation(
    "Two plies in one snapshot",
    "A board that tells whole placements shows a move and its reply at once.",
    "e2e4 e7e5 g1f3 b8c6 d2d4",
)
def two_plies_at_once() -> Scene:
    scene = Scene(whole_boards=True).play("e4", "e5").misses(1.0, 2.4)
    return scene.play("Nf3", "Nc6", think=0.5, hand=0.3, reach=0.2).wait(0.4).play("d4")


@situation(
    "Three plies in one snapshot",
    "A pawn, its reply and the bishop that the pawn let out are seen at once.",
    "e2e4 e7e5 f1c4 g8f6",
)
def three_plies_at_once() -> Scene:
    scene = Scene(whole_boards=True).misses(1.5, 3.4)
    scene.play("e4", "e5", "Bc4", think=0.5, hand=0.3, reach=0.2)
    return scene.wait(1.0).play("Nf6")


@situation(
    "Capture and recapture in one snapshot",
    "A pawn takes and is taken by the queen between two placements.",
    "e2e4 d7d5 e4d5 d8d5 b1c3",
)
def recapture_at_once() -> Scene:
    scene = Scene(whole_boards=True).play("e4", "d5").misses(1.0, 2.6)
    return scene.play("exd5", "Qxd5", think=0.5, hand=0.3, reach=0.2).wait(0.4).play("Nc3")


# -- hands -------------------------------------------------------------------------------------


@situation(
    "Three men knocked over",
    "A knight's move knocks three pawns over; two are first put back wrongly, all before the "
    "press.",
    "g1f3 d7d5 d2d4",
)
def knocked_over() -> Scene:
    scene = Scene().wait(2.0).lift(0.0, "g1").put(0.5, "Nf3").lift(0.1, "f2", "g2", "h2")
    scene.put(1.2, "Ph3").put(0.6, "Pg3").put(0.6, "Pf2")
    scene.lift(0.9, "h3").put(0.4, "Ph2").lift(0.5, "g3").put(0.4, "Pg2")
    return scene.moved("Nf3").press(0.8).play("d5", "d4")


@situation(
    "J'adoube",
    "Men of both colours are lifted, adjusted and put back on their squares before the move.",
    "e2e4 e7e5",
)
def adjusted() -> Scene:
    scene = Scene().wait(2.0).lift(0.0, "g1").put(0.7, "Ng1").lift(0.5, "d8").put(0.6, "qd8")
    scene.lift(0.4, "a1").put(0.3, "Ra1")
    return scene.play("e4", "e5")


@situation(
    "Taken back after two seconds",
    "A pawn stands on e4 for two seconds and is put back; another move is played and pressed.",
    "d2d4 d7d5 c2c4",
)
def taken_back() -> Scene:
    scene = Scene().wait(2.0).lift(0.0, "e2").put(0.4, "Pe4").lift(2.0, "e4").put(0.4, "Pe2")
    return scene.play("d4", "d5", "c4")


@situation(
    "Hesitation on a legal square",
    "A bishop rests on d3 for two seconds and goes on to c4 before the press.",
    "e2e4 e7e5 f1c4 g8f6",
)
def hesitation() -> Scene:
    scene = Scene().play("e4", "e5").wait(2.0)
    scene.lift(0.0, "f1").put(0.4, "Bd3").lift(2.0, "d3").put(0.3, "Bc4")
    return scene.moved("Bc4").press(0.5).play("Nf6")


# -- illegal moves -----------------------------------------------------------------------------


def _in_check() -> Scene:
    """White stands in check from b4."""
    return Scene().play("e4", "e5", "d4", "Bb4+").wait(2.0)


@situation(
    "Illegal, put right before the press",
    "White in check moves another pawn, sees it after three seconds and blocks the check.",
    "e2e4 e7e5 d2d4 f8b4 c2c3 b4d6",
)
def illegal_put_right() -> Scene:
    scene = _in_check().lift(0.0, "a2").put(0.4, "Pa3").lift(3.0, "a3").put(0.4, "Pa2")
    return scene.play("c3", "Bd6")


@situation(
    "Illegal, completed and restored",
    "White in check moves another pawn and presses; the arbiter stops the clock, the pawn goes "
    "back and a legal move is made.",
    "e2e4 e7e5 d2d4 f8b4 c2c3 b4d6",
    illegal=("KING_LEFT_IN_CHECK",),
)
def illegal_restored() -> Scene:
    scene = _in_check().lift(0.0, "a2").put(0.4, "Pa3").runs(0.5, chess.BLACK)
    scene.stop(4.0).lift(3.0, "a3").put(0.5, "Pa2").runs(4.0, chess.WHITE)
    return scene.play("c3", "Bd6")


@situation(
    "Illegal, completed and played on",
    "A knight goes from g1 to g3 and the clock is pressed; nobody objects and play goes on.",
    "e2e4 e7e5 g1g3 b8c6 b1c3 g8f6",
    illegal=("ILLEGAL_MOVE",),
    put_right=False,
)
def illegal_stands() -> Scene:
    scene = Scene().play("e4", "e5").wait(2.0).lift(0.0, "g1").put(0.4, "Ng3")
    stands = chess.Board("rnbqkbnr/pppp1ppp/8/4p3/4P3/6N1/PPPP1PPP/RNBQKB1R b KQkq - 1 2")
    scene.board = stands
    return scene.press(0.5).wait(1.0).play("Nc6", "Nc3", "Nf6")


# -- sensors -----------------------------------------------------------------------------------


@situation(
    "Misread queen",
    "White's queen is read as a bishop for as long as it stands on h5.",
    "e2e4 e7e5 d1h5 b8c6 f1c4 g7g6 h5f3 g8f6",
    may_tell=("SENSOR_FAULT", "UNKNOWN_PIECE"),
    occupancy=False,
)
def misread_queen() -> Scene:
    scene = Scene().play("e4", "e5").reads(0.0, "h5", "B", 60.0, instead_of="Q")
    return scene.play("Qh5", "Nc6", "Bc4", "g6", "Qf3", "Nf6")


@situation(
    "Dead square",
    "The sensor of e4 fails under White's pawn and reads empty from then on.",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6",
    may_tell=("SENSOR_FAULT", "PIECES_DISPLACED"),
)
def dead_square() -> Scene:
    scene = Scene().play("e4", "e5").reads(1.0, "e4", ".", 600.0)
    return scene.play("Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6")


@situation(
    "Board the other way round",
    "White sits at the board's eighth rank, with the clock's right side.",
    "e2e4 e7e5 g1f3 b8c6 f1b5",
)
def rotated() -> Scene:
    return Scene(rotated=True).play("e4", "e5", "Nf3", "Nc6", "Bb5")


# -- ends and beginnings -----------------------------------------------------------------------


@situation(
    "Result by kings among the other men",
    "The clock is stopped; the kings are put on e4 and d5 and stand there for eight seconds.",
    Played("g1f3 g8f6 g2g3 g7g6", "1-0", "kings"),
)
def kings_among_men() -> Scene:
    scene = Scene().play("Nf3", "Nf6", "g3", "g6").stop(2.0)
    scene.lift(1.5, "e1").put(0.6, "Ke4").lift(1.0, "e8").put(0.6, "kd5")
    return scene.wait(8.0)


@situation(
    "Result by kings alone",
    "Only kings and a rook are left; the rook is taken off, and the first king's step would be "
    "a legal move.",
    Played("h1h7 b8a8", "1-0", "kings"),
)
def kings_alone() -> Scene:
    scene = from_position(STEP).play("Rh7", "Ka8").stop(2.0)
    scene.lift(1.0, "e3").put(0.6, "Ke4").lift(1.2, "a8").put(0.8, "kd5").lift(1.0, "h7")
    return scene.wait(8.0)


FOOLS_MATE = Played("f2f3 e7e5 g2g4 d8h4", "0-1", "checkmate")


def _mate() -> Scene:
    return Scene().play("f3", "e5", "g4", "Qh4#").stop(1.0)


@situation(
    "Analysis after the game",
    "After mate the players take moves back and try others; nothing of it is recorded.",
    FOOLS_MATE,
)
def analysis() -> Scene:
    scene = _mate().wait(4.0).shift(0.0, "h4", "d8").shift(2.0, "g4", "g2").shift(2.0, "d2", "d4")
    scene.shift(2.0, "e5", "e4").shift(3.0, "c1", "f4").shift(2.0, "g8", "f6")
    return scene.lift(2.0, "f3").lift(0.5, "e4").put(0.5, "Pe4").wait(10.0)


@situation(
    "New game",
    "After mate the men are set up again and another game is played.",
    FOOLS_MATE,
    "d2d4 g8f6 c2c4",
)
def new_game() -> Scene:
    scene = _mate().wait(5.0).new_game().wait(6.0)
    return scene.runs(0.0, chess.WHITE).play("d4", "Nf6", "c4")


@situation(
    "Two plies while the link is lost",
    "The link is away for 30 seconds; a move and its reply are made meanwhile.",
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
    told=("BOARD_DISCONNECTED",),
)
def link_lost() -> Scene:
    scene = Scene().play("e4", "e5").link_down(3.0, 30.0).wait(5.0).play("Nf3", "Nc6")
    return scene.wait(24.0).play("Bb5", "a6")


@situation(
    "Chess960 castling",
    "The king stands on g1 already: only the rook moves, lifted over the king to f1.",
    "f1g3 f8g6 g1h1 g8h8 d2d4",
    occupancy=False,
)
def chess960_castling() -> Scene:
    scene = Scene("rbbqnnkr/pppppppp/8/8/8/8/PPPPPPPP/RBBQNNKR w HAha - 0 1", variant="chess960")
    scene.play("Ng3", "Ng6").wait(2.0).lift(0.0, "h1").put(0.5, "Rf1").moved("O-O").press(0.5)
    scene.lift(2.0, "g8").lift(0.2, "h8").put(0.6, "kg8").put(0.4, "rf8").moved("O-O")
    return scene.press(0.5).play("d4")
