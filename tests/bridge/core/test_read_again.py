"""Stretches of play that only a second reading tells, or that it must not tell otherwise."""

import json

import chess
import pytest

from bridge.core.inference.course import Course
from bridge.core.inference.hypotheses import Stage
from bridge.core.inference.placement import with_changes
from bridge.core.inference.timing import Timing
from bridge.core.model import AlertRaised, TableSetup
from bridge.core.stream import OutputWriter, infer
from tests.bridge.core.dialogue import TableTalk


def read(fen: str, script: str, *, clock: bool = True, named: bool = True) -> str:
    """Return the moves recorded from *fen*, of what a *script* says a board and a clock told.

    Each of its lines has a time, and what was told then: squares and who stands there since, none
    if they are empty; the seconds left, and on which side they run; a whole placement; the link.
    """
    game = {"variant": "from_position", "start_fen": fen}
    placement, mover, *_ = fen.split()
    if not named:
        placement = "".join("x" if each.isalpha() else each for each in placement)
    board = "identity" if named else "occupancy"
    meta = {"kind": "meta", "board": board, "clock": clock, "games": [game]}
    lines = [{"t": 0.0, "format": "board-stream/1", "stream": "s", "scan_hz": 5.0, **meta}]
    lines.append({"t": 0.0, "kind": "snapshot", "board": placement})
    if clock:
        turn = "left" if mover == "w" else "right"
        lines.append({"t": 0.5, "kind": "clock", "left": 1000, "right": 1000, **running(turn)})
    for line in script.strip().splitlines():
        at, *words = line.split()
        lines += [{"t": 5.0 + float(at), **told(word)} for word in words]
    moves: list[str] = []
    stream = (json.dumps(line) for line in lines)
    for out in map(json.loads, infer(stream, name="s", writer=OutputWriter())):
        if "retract" in out:
            del moves[-out["retract"] :]
        if "move" in out:
            moves.append(out["san"])
    return " ".join(moves)


def running(turn: str) -> dict[str, object]:
    return {"turn": turn, "run": True}


def told(word: str) -> dict[str, object]:
    if word in ("up", "down"):
        return {"kind": "link", "state": word}
    if word.startswith("="):
        return {"kind": "snapshot", "board": word[1:]}
    if word[-1] in "<>":
        left, right = map(int, word[:-1].split("-"))
        turn = "left" if word[-1] == "<" else "right"
        return {"kind": "clock", "left": left, "right": right, **running(turn)}
    return {"kind": "field", "square": word[:2], "piece": word[2:] or None}


def test_play_has_gone_on_though_a_man_of_it_is_away() -> None:
    """Four plies are told in one bunch; a pawn was knocked over, and g5 ceases to see its knight.

    The position without the knight is none to go on from.
    """
    moves = read(
        "2r1n2k/1pr5/6p1/q3p1N1/2b1P2P/8/1P3P2/4R1RK b - - 1 42",
        """
        0.37 995-996<
        0.7 c4
        1.43 c4b
        2.2 c7 c4
        7.77 g7r d1R e1 b1R d1
        7.78 b2 g5 c4b g6 g6p g1p c4 g1R a5 b4q a2P g2R g1 g2 g2R 1009-1006> c4b
        8.38 1008-1015<
        8.45 a2
        8.94 b2P
        10.19 c8 c4
        10.7 a8r
        12.39 1015-1015>
        12.45 c4b
        15.45 h5P h4
        16.37 1015-1021<
        17.19 c4
        17.93 c4b
        19.68 b4
        20.2 a4q
        23.69 c4
        25.18 c4b
        26.39 1015-1021>
        26.69 g2
        """,
    )
    assert moves == "Rg7 Rb1 Qb4 Rg2 Ra8 h5 Qa4"


def test_a_board_that_starts_anew_as_its_link_is_back_is_read_when_it_has_told_all() -> None:
    """Five plies were made meanwhile, and the next one soon after."""
    moves = read(
        "8/p3R1p1/1k1r1p2/2p5/2P1B1nP/P1K3P1/1P2r3/7R w - - 3 34",
        """
        0.53 b4P b2
        2.65 h6n g4
        3.7 h1
        4.23 h6
        10.94 f2n e7 c8R c8 b7R b6 a6k
        11.1 b7 a6 b5P a5k b4
        11.63 a7R
        12.16 h7p
        13.74 b6k a5
        15.18 down
        32.56 up =8/8/8/8/8/8/8/8
        32.57 g7p c7k a6R b6r f6p
        32.58 c5p c4P e4B
        32.59 h4P g3P c3K a3P e2r f2n h1R
        33.29 b6
        33.81 a6 b6R
        45.22 f2 e4n c3 d3K c4 c7 c4P b6k h6R
        """,
        clock=False,
    )
    unseen = "Ra6+ Kc7 b6+ Rxb6"
    assert moves.startswith(f"b4 Nf2 Rb7+ Ka6 b5+ Ka5 Rxa7+ Kb6 {unseen} Rxb6")


def test_who_was_taken_up_first_moved_first_though_he_came_last() -> None:
    """The knight of b1 wavered until the bishop had answered and the queen had moved as well."""
    moves = read(
        "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3",
        """
        0.18 b1
        0.38 f8
        0.58 b4b d1
        0.69 c2Q
        0.89 c3N
        0.91 62-62<
        1.05 e8
        1.34 g8k
        1.37 h8
        1.61 f8r
        1.77 g7
        1.93 62-62>
        1.94 c1
        2.18 g5B
        2.34 c7
        2.5 d4
        2.54 c5p
        2.75 d5P
        2.93 63-63<
        3.18 e6
        3.38 d5
        3.58 d5p
        3.78 c4
        """,
    )
    assert moves == "Nc3 Bb4 Qc2 O-O Bg5 c5 d5"


def test_a_move_that_was_put_back_is_given_back_though_the_opponent_adjusts_a_man() -> None:
    """His knight, which he puts back after his press, might have taken on f2."""
    moves = read(
        "r2q1r2/p4pkp/3p2p1/3N4/6P1/P1N5/2P2K1n/2n5 b - - 0 27",
        """
        0.86 908-915>
        11.78 h2
        12.13 g4n
        16.44 908-900<
        18.1 f2
        18.46 g1K
        18.47 906-900>
        23.73 f2K g1
        24.08 g4
        24.22 906-894<
        24.43 g4n
        25.13 f3K f2
        25.19 905-894>
        33.22 h7
        33.57 h5p
        35.16 905-884<
        40.25 d5
        40.6 f4N
        44.14 896-884>
        """,
    )
    assert moves == "Nxg4+ Kf3 h5 Nf4"


def test_who_put_a_man_back_that_was_given_back_takes_up_another_one() -> None:
    """He does not press for the one whom he put back, so that it was no move."""
    moves = read(
        "r1b1k1nr/p2pbq2/2n4p/2P1p1pP/p2pP1P1/BP5B/3P3R/RN1K2N1 b kq - 1 19",
        """
        0.07 931-953>
        0.42 c6n
        3.89 c6
        4.66 d8n
        4.8 931-950<
        7.15 a3
        7.9 b2B
        8.12 930-950>
        11.4 930-949<
        12.41 b2
        12.9 a3B
        14.66 b3
        15.14 a4
        16.13 a4P
        16.46 927-949>
        """,
    )
    assert moves == "Nd8 bxa4"


def test_what_is_told_late_after_men_were_knocked_over_is_play() -> None:
    """It took much to believe what went before; but all that is shown follows from the record."""
    moves = read(
        "r1b2rk1/1p2q1p1/p1pp1pPp/4p3/3PP3/1PN1Q2P/1PP3P1/3R1RK1 w - - 3 23",
        """
        0.1 e7q
        0.61 977-978<
        2.82 c3
        3.54 c3N
        4.58 c3
        5.27 d1 f1
        5.32 g1 c2 e2N g2
        5.63 972-978>
        7.03 f1P
        7.82 g2R
        8.8 c2P
        9.78 d1R
        10.29 g1K
        11.12 c8
        18.29 f1 d7b d7 g2 d7b g2P f1R e2 g3N a8 d8r 972-971<
        18.31 c2
        18.83 c3P
        22.85 d7 e8b
        25.54 g3
        25.6 f5N
        27.06 957-971>
        28.08 c6
        28.85 c5p
        """,
    )
    assert moves == "Ne2 Bd7 Ng3 Rad8 c3 Be8 Nf5"


def test_who_is_seen_where_he_was_did_not_go_where_nobody_is_seen() -> None:
    """One rook is knocked to the next square meanwhile, and the other one's is adjusted."""
    moves = read(
        "8/8/1R3kp1/2P1pp1p/7P/2r3P1/4KP2/8 b - - 7 42",
        """
        0 f7k f6
        0.53 c3 c5
        0.54 c6P
        0.67 974-916>
        0.7 a6R
        0.72 b6
        0.98 e6k
        1 f7
        1.54 c7P
        1.74 c3r c6
        2.17 e6
        2.55 d4k
        2.95 d4 d5k
        3.3 a6
        3.78 e5
        3.82 g6
        4.02 g6R
        4.15 c7
        4.55 c3 c5r
        4.69 973-912<
        4.75 c5 c7r
        4.79 e5p
        5.23 g5R g6
        5.57 d5
        5.78 e4k
        """,
    )
    assert moves == "Kf7 c6 Ke6 c7+ Kd5 Rxg6 Rxc7 Rg5"


@pytest.mark.parametrize("clock", [False, True])
def test_an_illegal_move_is_none_if_the_plies_are_legal_in_another_order(clock: bool) -> None:
    """The pawn on h4 lay across the edge, and was shown on h3 until the rook had moved as well.

    Where presses are heard in that order, the king was moved into check.
    """
    fen = "8/6p1/4k2p/p1R5/P1P5/4K2P/6P1/2r5 w - - 5 55"
    table = TableTalk(TableSetup(start_fen=fen, has_clock=clock)).shows(0.0)

    def presses(at: float, turn: str) -> None:
        if clock:
            table.clock(at, 300, 300, "left" if turn == "white" else "right")

    presses(0.5, "white")
    table.ticks(3.0).sees(4.4, without="h3").sees(4.56, white_pawn="h3")
    table.sees(5.1, without="e6").sees(5.25, without="c5", white_rook="d5", black_king="d6")
    presses(5.4, "black")
    presses(6.0, "white")
    table.sees(6.49, without="h3").sees(6.66, white_pawn="h4")
    presses(6.9, "black")
    table.sees(7.18, without="d6", black_king="c6")
    presses(7.4, "white")
    table.sees(7.62, without="e3", white_king="d4")
    presses(8.0, "black")
    table.sees(10.2, without="h6").sees(12.46, black_pawn="h6")
    table.sees(13.34, without="c1", black_rook="g1")
    presses(14.0, "white")
    table.ticks(30.0)
    first = "Rd5 Kd6 h4+" if clock else "h4 Kd6 Rd5+"
    assert table.moves == f"{first} Kc6 Kd4 Rg1"
    alerts = [fact.code for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert ("KING_LEFT_IN_CHECK" in alerts) == clock


@pytest.mark.parametrize(("left", "believed"), [(2.0, True), (4.0, False)])
def test_who_was_taken_to_be_misread_is_believed_if_he_left_by_the_record_that_is_read_again(
    left: float, believed: bool
) -> None:
    """The queen of e8 is shown on f8; a ghost that was there before she left is none."""
    board = chess.Board("4Q2k/8/8/8/8/8/8/K7 b - - 0 1")
    course, came = Course(board, Timing(), "identity"), 3.0
    shown = course.sight.shown
    changes = [(left, (chess.E8, ".")), (came, (chess.F8, "Q")), (5.0, (chess.H8, "."))]
    for at, change in [*sorted(changes), (5.2, (chess.H7, "k"))]:
        shown = with_changes(shown, [change])
        course.sees(shown, at)
    course.sight.excuse(chess.BB_F8)
    answered = course.story.head.then(chess.Move.from_uci("h8h7"))
    course.move_head(Stage([answered], 0, 5.2), "gap", "it was read again", 6.0)
    assert bool(course.sight.differs(answered.position.shown) & chess.BB_F8) is believed


def test_a_line_unseen_may_go_on_from_a_rival_of_what_was_shown_before() -> None:
    """Black's bishop takes b2 when White's knight has gone to d6, and not when he took that bishop.

    Without names both are open as the link is lost, and many plies are told at once after it.
    """
    moves = read(
        "r4r2/1q2p1k1/3pB1pn/nNpP3p/3bpP2/7P/PP2Q1PK/2B1RR2 w - - 0 24",
        """
        0.15 6-12<
        0.64 6-12>
        0.94 g8
        0.97 g7x
        1.54 6-12<
        1.99 c3
        2.3 b5x
        2.61 6-12>
        2.83 f5
        3.01 e4
        3.08 e4x
        3.46 b5
        3.49 6-12<
        3.67 d4
        3.7 down
        7.77 up =x4x2/1x2x1x1/3x2x1/x2x1x1x/3xxx2/7x/xx4xx/2x1xx2
        8.05 6-12>
        8.32 f7x
        8.34 f8
        8.39 f6x f7
        8.51 f6
        8.94 6-12<
        9.18 e4
        9.85 7-12>
        10.12 f5
        10.41 f6x
        10.79 7-12<
        """,
        named=False,
    )
    assert "Qxe4" in moves


def test_a_king_without_a_name_castled_to_a_square_that_shows_nothing() -> None:
    """His rook alone would have left him in the air for the rest of the game."""
    fen = "rnbqk2r/ppppppbp/5np1/8/8/3P1NP1/PPP1PPBP/RNBQ1RK1 b kq - 0 5"
    setup = TableSetup(start_fen=fen, sensing="occupancy", has_clock=False)
    table = TableTalk.ready(setup, clock=False)
    table.sees(8.0, without="e8").sees(9.1, without="h8").sees(9.3, black_rook="f8")
    table.sees(12.7, white_pawn="c3").sees(12.9, without="c2").ticks(17.0)
    table.sees(18.0, without="c7").sees(18.4, black_pawn="c5").ticks(24.0)
    table.sees(25.0, without="b1").sees(25.4, white_knight="d2").ticks(90.0)
    assert table.moves == "O-O c3 c5 Nbd2"
