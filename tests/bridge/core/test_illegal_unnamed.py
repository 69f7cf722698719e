"""Illegal moves of men without names: the order in which they leave and come tells whose."""

import chess
import pytest

from bridge.core.model import (
    AlertRaised,
    GameEnded,
    MoveSettled,
    Sensing,
    TableSetup,
)
from tests.bridge.core.accusing import accused, grave, loud, unresolved
from tests.bridge.core.dialogue import TableTalk


@pytest.mark.parametrize(
    ("sensing", "runs", "replied", "not_by", "by"),
    [
        ("identity", True, False, 16.0, 22.0),
        ("occupancy", True, False, 32.0, 40.0),
        ("occupancy", True, True, 22.5, 24.0),
        ("occupancy", False, False, 16.0, 22.0),
    ],
)
def test_a_reply_is_waited_for_where_men_have_no_names(
    sensing: Sensing, runs: bool, replied: bool, not_by: float, by: float
) -> None:
    table = TableTalk.ready(TableSetup(sensing=sensing))
    table.shows(4.0, "8/8/8/3k4/8/8/5K2/8").clock(5.0, 299, 300, "right").ticks(8.0)
    if not runs:
        table.clock(9.0, 299, 297, "right", run=False)
    if replied:
        table.clock(20.0, 299, 290, "left")
    table.ticks(not_by)
    assert unresolved(table) == ["notice"]
    table.ticks(by)
    assert unresolved(table) == ["notice", "warning"]


def test_the_order_of_two_moves_tells_an_illegal_one_where_men_have_no_names_and_no_clock_is() -> (
    None
):
    table = TableTalk.ready(TableSetup(sensing="occupancy", has_clock=False), clock=False)
    at = table.plays(4.0, "e4", "e5")
    table.sees(at, without="d2").sees(at + 0.4, white_pawn="d5").ticks(at + 6.0)
    assert not unresolved(table)
    table.sees(at + 7.0, without="b8").sees(at + 7.4, black_knight="c6").ticks(at + 9.0)
    (alert,) = accused(table)
    assert alert.san_tried == "d5"
    table.ticks(at + 13.0)
    table.sees(at + 14.0, without="g1").sees(at + 14.3, white_knight="f3").ticks(at + 19.0)
    sans = [f.san for f in table.told(MoveSettled) if isinstance(f, MoveSettled)]
    assert sans == ["e4", "e5", "d5", "Nc6", "Nf3"]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (("e1", "white_king", "g1"), ("b8", "black_knight", "c6")),  # the rook comes later
        (("e4", "white_pawn", "e2"), ("e5", "black_pawn", "e7")),  # the men are put up again
    ],
)
def test_no_order_of_men_without_names_tells_of_what_may_be_no_whole_move(
    mine: tuple[str, str, str], theirs: tuple[str, str, str]
) -> None:
    table = TableTalk.ready(TableSetup(sensing="occupancy", has_clock=False), clock=False)
    at = table.plays(4.0, "e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5")
    for left, man, came in (mine, theirs):
        table.sees(at + 1.0, without=left).sees(at + 1.4, **{man: came}).ticks(at + 3.0)
        at += 3.0
    table.ticks(at + 6.0)
    assert not accused(table)


@pytest.mark.parametrize("lifted", ["", "f1"])
def test_who_stood_there_before_is_not_the_man_that_is_taken_up_later(lifted: str) -> None:
    """Without names, a knight on d1 is not Black's bishop, nor White's rook that goes up then."""
    setup = TableSetup(start_fen="4k3/8/8/8/4n3/8/3B4/5RK1 b - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup, clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="e4").sees(4.4, black_knight="d1").clock(5.0, 300, 297, "left")
    if lifted:
        table.sees(6.1, without=lifted).sees(7.7, white_rook=lifted)
    table.ticks(14.0)
    assert [(alert.code, alert.san_tried) for alert in accused(table)] == [("ILLEGAL_MOVE", "Nd1")]
    assert not table.told(MoveSettled)


def test_a_king_without_a_name_pushed_by_his_rook_has_not_castled() -> None:
    """The rook goes from h1 to c1 and pushes the king from b1 to a1 as the board looks."""
    fen = "4k3/7p/8/8/8/8/8/1K5R w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"))
    table.clock(1.0, 300, 300, "left").sees(2.0, without="h1")
    table.sees(2.6, without="b1", white_king="a1", white_rook="c1").clock(3.0, 298, 300, "right")
    table.ticks(4.3).sees(4.4, without="a1").sees(5.5, white_king="b1").ticks(9.0)
    assert (grave(table), table.moves) == ([], "Rc1")


UNNAMED_ILLEGAL = [
    pytest.param(  # the board scans g5 just before a5; it is no ghost beside an unseen capture
        "8/7r/1Q2p1kp/r2p4/4p3/N6P/P4K1P/8 b - - 0 45",
        "0.0 +g5 0.04 -a5",
        ("ILLEGAL_MOVE", "Rg5"),
        id="who came as a man left is that man",
    ),
    pytest.param(  # the queen on b6 might have gone to g1, but it is there still
        "r4rk1/p3b1pp/1qp1b3/1p2Pp2/4p3/1P3P2/PBP1B1PP/R2Q1R1K b - - 2 16",
        "0.0 -f1 0.3 +g1",
        ("WRONG_SIDE_MOVED", "Rg1"),
        id="who came from elsewhere is not who has not left",
    ),
    pytest.param(  # f2 was only touched: it stood there again before the rook left
        "r1b1k3/pp5p/n3p2n/1Np5/P1B1p2q/2P5/1B3rPP/Q4RK1 w q - 0 18",
        "0.0 -f2 0.5 +f2 2.2 -f1 2.7 +h1",
        ("ILLEGAL_MOVE", "Rh1"),
        id="who is back before a man left was not taken by him",
    ),
    pytest.param(  # b3 was emptied for the rook; he is not on a8, which shows nothing
        "1rbq1rk1/ppp4p/n2p2pn/5p2/2P1PP2/1Pb1B2N/P3PKPP/R2Q1B1R b - - 1 13",
        "0.0 -b8 0.2 -b3 0.4 +b3",
        ("ILLEGAL_MOVE", "Rxb3"),
        id="a man seen nowhere took where a square was filled again",
    ),
    pytest.param(  # as before, and the press is heard 2.5 s later
        "r2qkb1r/p3p3/n1p1bnpp/1N1p1p2/1P1P1P2/P3P1PN/2PB3P/2RQKB1R b Kkq - 0 12",
        "0.0 -h8 0.2 -h3 0.6 +h3 2.6",
        ("ILLEGAL_MOVE", "Rxh3"),
        id="though the press is heard late",
    ),
    pytest.param(  # a slow board shows the king on e2 a third of a second before d2 is empty
        "N2k2nr/n7/2p2pp1/p2P3p/b5q1/8/R2K4/1R6 w - - 0 32",
        "0.0 +e2 0.35 -d2",
        ("KING_LEFT_IN_CHECK", "Ke2"),
        id="a man on his way to the next square is on both",
    ),
    pytest.param(  # a3 has shown nothing for long when the rook goes to d8
        "2q3kr/6n1/1p2p3/1Np3P1/8/PR4Q1/8/BR4K1 b - - 3 28",
        "0.0 -a3 8.0 -h8 8.7 +d8",
        ("ILLEGAL_MOVE", "Rd8"),
        id="a man who has long been gone does not hide it",
    ),
    pytest.param(  # two men are away together: which one the knight took is not known
        "r1bq1kr1/1p1p4/p7/2p1pn2/PnPb4/5BP1/1P1N1P2/R1B1QR1K b - - 2 19",
        "0.0 -f5 1.0 -f3 1.0 -f2 3.0 +f3 3.0 +f2",
        ("POSITION_UNRESOLVED", None),
        id="of two men away together none is accused to be taken",
    ),
    pytest.param(  # his own man on g3 was taken off for the pawn, who is seen nowhere else
        "rn2k2r/ppp2ppp/4pn2/5b2/2BP3q/6NP/PPP2PP1/R1BQ1RK1 w kq - 0 11",
        "0.0 -g3 0.6 -f2 0.9 +g3",
        ("ILLEGAL_MOVE", "fxg3"),
        id="a man took one of his own side",
    ),
    pytest.param(  # a scan shows that the rook is gone from a8 and that a7 is filled
        "r3r1k1/pp1qbppp/3pnn2/2pNp3/2P1P2N/1P1P2P1/PB2QP1P/R4RK1 b - - 0 14",
        "0.0 -a7 0.6 -a8 +a7",
        ("ILLEGAL_MOVE", "Rxa7"),
        id="a man took one of his own side within one scan",
    ),
    pytest.param(  # the knight on g3 was adjusted before the pawn was taken up
        "rn2k2r/ppp2ppp/4pn2/5b2/2BP3q/6NP/PPP2PP1/R1BQ1RK1 w kq - 0 11",
        "0.0 -g3 0.3 +g3 0.9 -f2",
        ("POSITION_UNRESOLVED", None),
        id="a man adjusted before another one left was not taken by him",
    ),
]


@pytest.mark.parametrize(("fen", "steps", "told"), UNNAMED_ILLEGAL)
def test_illegal_moves_of_men_without_names(
    fen: str, steps: str, told: tuple[str, str | None]
) -> None:
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"), clock=False)
    white = chess.Board(fen).turn
    table.clock(1.0, 300, 300, "left" if white else "right").ticks(4.0)
    at = 0.0
    for step in steps.split():
        if step[0] == "+":
            table.sees(4.0 + at, white_pawn=step[1:])
        elif step[0] == "-":
            table.sees(4.0 + at, without=step[1:])
        else:
            at = float(step)
    table.clock(4.5 + at, 300, 300, "right" if white else "left").ticks(9.0 + at)
    alerts = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [(alert.code, alert.san_tried) for alert in alerts] == [told]
    assert not table.told(MoveSettled)


def test_an_illegal_move_of_a_man_without_a_name_is_told_though_the_reply_is_made_soon() -> None:
    """What is done after the press is not his, and the press is not waited on any longer."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.plays(4.0, "e4", "e5")
    table.sees(10.0, without="b1").sees(10.3, white_knight="d3").clock(10.6, 299, 300, "right")
    table.sees(11.2, without="g7").sees(11.4, black_pawn="g6").ticks(13.0)
    alerts = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [(alert.code, alert.san_tried) for alert in alerts] == [("ILLEGAL_MOVE", "Nd3")]
    table.clock(13.5, 299, 298, "left").ticks(15.0)
    assert table.moves == "e4 e5 Nd3 g6"


def test_what_a_reply_that_was_begun_before_the_press_was_told_changes_is_none_of_it() -> None:
    """The knight on c3 is taken up 0.1 s before the clock tells the press, and stands on b1 soon.

    The order in which the men went tells whose the squares are.
    """
    fen = "rnb2rk1/ppp1qp1p/5npQ/4p3/2P5/2N2N2/PP2PPPP/3RKB1R b K - 3 10"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"), clock=False)
    table.clock(1.0, 300, 300, "right").sees(4.0, without="b8").sees(4.5, black_knight="c5")
    table.sees(9.3, without="c3").clock(9.4, 300, 297, "left").sees(9.9, white_knight="b1")
    table.clock(10.4, 300, 297, "right").ticks(12.5)
    alerts = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [(alert.code, alert.san_tried) for alert in alerts] == [("ILLEGAL_MOVE", "Nc5")]


@pytest.mark.parametrize(
    ("told_after", "code"), [(0.02, "WRONG_SIDE_MOVED"), (0.5, "POSITION_UNRESOLVED")]
)
def test_a_man_told_to_have_gone_together_with_the_press_had_gone_before_it(
    told_after: float, code: str
) -> None:
    """White moved Black's queen, which a slow board tells a moment after the press.

    Later she is Black's own move, in his time, and White's is missing.
    """
    fen = "r1bqr1k1/1p3ppp/4pn2/p1b1R3/2Pp4/PP1P2P1/1B3PBP/RN1Q2K1 w - - 1 15"
    table = TableTalk.ready(TableSetup(start_fen=fen, sensing="occupancy"), clock=False)
    table.clock(1.0, 300, 300, "left").sees(3.0, without="h2").sees(3.4, white_pawn="h3")
    table.clock(4.0, 299, 300, "right").sees(7.0, without="d8").sees(7.4, black_queen="d6")
    table.clock(8.0, 299, 297, "left").ticks(10.0).clock(15.0, 293, 297, "right")
    table.sees(15.0 + told_after, without="d6", white_pawn="c6").ticks(20.0)
    alerts = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [alert.code for alert in alerts] == [code]


def test_a_reply_of_a_man_without_a_name_is_his_players_however_quick() -> None:
    """The bishop is taken up 0.15 s after the move that he answers stands."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.plays(4.0, "e4", "e5")
    table.sees(10.0, without="g1").sees(10.3, white_knight="f3").sees(10.45, without="f8")
    table.sees(10.8, black_bishop="g6").clock(10.7, 299, 300, "right").ticks(11.5)
    table.clock(11.6, 299, 299, "left").ticks(14.0)
    alerts = [fact for fact in table.told(AlertRaised) if isinstance(fact, AlertRaised)]
    assert [(alert.code, alert.san_tried) for alert in alerts] == [("ILLEGAL_MOVE", "Bg6")]


@pytest.mark.parametrize(("sensing", "pressed"), [("occupancy", 4.8), ("identity", 4.2)])
def test_who_has_no_name_or_came_after_the_press_may_be_put_right_as_long(
    sensing: Sensing, pressed: float
) -> None:
    """The knight comes to g3 at 4.9 s and is taken to f3 3.5 s later, within the time he has."""
    table = TableTalk.ready(TableSetup(sensing=sensing))
    table.sees(4.0, without="g1").clock(pressed, 299, 300, "right")
    table.sees(4.9, white_knight="g3").ticks(8.3).expects()
    table.sees(8.4, without="g3").sees(8.5, white_knight="f3").ticks(10.0)
    assert table.moves == "Nf3"
    assert grave(table) == []


def opened() -> TableTalk:
    """A game on a board without names after two plies; White is to move."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.plays(4.0, "e4", "e5")
    return table


@pytest.mark.parametrize("first", ["pawn", "knight"])
def test_two_men_without_names_who_went_to_legal_squares_in_one_turn_were_both_moved(
    first: str,
) -> None:
    """One of them only went to the next square; he was lifted, as nobody is who is pushed."""
    table = opened()
    moves = [("a2", "white_pawn", "a3"), ("g1", "white_knight", "f3")]
    order = moves if first == "pawn" else moves[::-1]
    for at, (left, man, came) in zip((10.0, 11.2), order, strict=True):
        table.sees(at, without=left).sees(at + 0.5, **{man: came})
    table.clock(11.8, 299, 300, "left").clock(12.5, 299, 300, "right").ticks(18.0)
    assert (grave(table), table.moves) == ([("ILLEGAL_MOVE", "critical")], "e4 e5")


def put_right(table: TableTalk) -> TableTalk:
    """White has pressed; his pawn is put from a3 on a2 again, and Black replies."""
    table.clock(11.8, 299, 300, "left").clock(12.5, 299, 300, "right").ticks(17.0)
    table.sees(17.0, without="a3").sees(17.4, white_pawn="a2").ticks(20.0)
    table.sees(20.0, without="b8").sees(20.4, black_knight="c6").clock(21.0, 299, 295, "left")
    return table.ticks(24.0)


@pytest.mark.parametrize("later", [0.1, 0.5, 0.8])
def test_a_man_without_a_name_who_was_pushed_to_the_next_square_was_not_moved(
    later: float,
) -> None:
    table = opened().sees(10.0, without="g1").sees(10.5, white_knight="f3")
    table = put_right(table.sees(10.5 + later, without="a2", white_pawn="a3"))
    assert (grave(table), table.moves) == ([], "e4 e5 Nf3 Nc6")


def test_a_slow_board_shows_one_lifted_who_was_pushed() -> None:
    """It was seen to look every 0.5 s, and shows the pawn on its next square a look later."""
    table = opened().sees(8.0, without="b2").sees(8.5, white_pawn="b2")
    table.sees(9.0, without="g1").sees(9.5, white_knight="f3").sees(10.0, without="a2")
    table = put_right(table.sees(10.5, white_pawn="a3"))
    assert (grave(table), table.moves) == ([], "e4 e5 Nf3 Nc6")


def set_aside(square: str, until: float) -> TableTalk:
    """The pawn takes the knight unseen, who is put on *square*; Black has pressed."""
    setup = TableSetup(start_fen="4k3/8/8/4p3/3N4/8/P7/4K3 b - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup).clock(1.0, 300, 300, "right")
    table.sees(3.0, without="e5").sees(3.8, white_knight=square).clock(4.3, 300, 299, "left")
    return table.ticks(until)


@pytest.mark.parametrize("square", ["h2", "g3"])
def test_a_victim_without_a_name_who_is_set_aside_makes_no_illegal_move(square: str) -> None:
    table = set_aside(square, 7.2)
    assert grave(table) == []
    table.sees(7.2, without=square).ticks(9.0)
    table.sees(10.0, without="a2").sees(10.4, white_pawn="a3").clock(11.0, 298, 299, "right")
    assert (grave(table.ticks(13.0)), table.moves) == ([], "exd4 a3")


def test_a_man_without_a_name_who_stays_where_he_may_not_go_went_there() -> None:
    assert ("ILLEGAL_MOVE", "critical") in grave(set_aside("h2", 9.0))


@pytest.mark.parametrize("square", ["c4", "c2"])
def test_a_man_without_a_name_beside_his_square_may_be_put_right_after_the_press(
    square: str,
) -> None:
    """On b4 the pawn is beside c4; back on c2 it was no slip, and the press is kept."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.sees(4.0, without="c2").sees(4.5, white_pawn="b4").clock(6.0, 298, 300, "right")
    table.ticks(6.5).sees(6.5, without="b4").sees(6.6, white_pawn=square).ticks(9.0)
    assert bool(loud(table)) == (square == "c2")
    assert table.moves == ("" if square == "c2" else "c4")


@pytest.mark.parametrize("stopped", [True, False])
def test_who_stops_the_clock_or_turns_it_back_calls_it_no_victim(*, stopped: bool) -> None:
    table = set_aside("g3", 5.0)
    table.clock(5.2, 299, 299, "left" if stopped else "right", run=not stopped).ticks(5.8)
    assert ("ILLEGAL_MOVE", "critical") in grave(table)


@pytest.mark.parametrize("stopped", [True, False])
def test_without_names_too_what_is_called_off_at_once_was_completed(*, stopped: bool) -> None:
    """Black moves a pawn of White's, who turns the clock back and puts it where it was."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.plays(4.0, "e4")
    table.clock(7.0, 300, 298, "right").sees(7.0, without="g2").sees(7.3, white_pawn="g4")
    table.clock(8.4, 300, 297, "right").clock(8.6, 300, 297, "left")
    table.clock(9.1, 300, 297, "left" if stopped else "right", run=not stopped)
    table.sees(9.4, without="g4").sees(9.6, white_pawn="g2").ticks(12.0)
    assert ("WRONG_SIDE_MOVED", "critical") in grave(table)
    assert table.moves == "e4"


def test_without_names_too_a_move_of_the_wrong_colour_is_told_though_it_is_put_back() -> None:
    """He is taken up before it can be judged, and is away when that would be."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    table.plays(4.0, "e4")
    table.sees(7.0, without="g2").sees(7.3, white_pawn="g4").clock(8.4, 300, 297, "left")
    table.sees(9.2, without="g4").ticks(10.5).sees(10.6, white_pawn="g2").ticks(14.0)
    assert ("WRONG_SIDE_MOVED", "critical") in grave(table)
    assert table.moves == "e4"


def test_without_names_a_move_of_the_wrong_colour_is_told_that_began_before_the_last_was_sure() -> (
    None
):
    setup = TableSetup(start_fen="4k2r/8/2b5/8/8/8/1P6/4K3 b - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup, clock=False).clock(1.0, 300, 300, "right")
    table.sees(4.0, without="h8").sees(4.4, black_rook="h3").clock(4.5, 300, 299, "left")
    table.sees(4.9, without="c6").sees(5.7, black_bishop="a8").clock(6.4, 298, 299, "right")
    table.ticks(10.0)
    assert table.moves == "Rh3"
    assert ("WRONG_SIDE_MOVED", "critical") in grave(table)


@pytest.mark.parametrize("touched", [True, False])
def test_without_names_who_was_taken_amiss_is_told_when_he_is_put_back(touched: bool) -> None:
    """The queen takes on d7 over her pawn; she may take nobody, so that only d1 shows it."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at, without="d1").clock(at + 1.0, 290, 290, "right").ticks(at + 6.0)
    assert grave(table) == [("POSITION_UNRESOLVED", "notice")]
    table.sees(at + 6.5, without="d7" if touched else "")
    table.sees(at + 7.0, white_queen="d1", black_pawn="d7").ticks(at + 9.0)
    assert grave(table)[1:] == [("ILLEGAL_MOVE", "critical")] * touched
    assert table.moves == "e4 e5"


def test_without_names_who_was_taken_amiss_is_told_once() -> None:
    """The victim was taken off first, so that the capture is told while it stands."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    at = table.plays(4.0, "e4", "e5") + 3.0
    table.sees(at, without="d7").sees(at + 0.3, without="d1").sees(at + 0.8, white_queen="d7")
    table.clock(at + 1.5, 290, 290, "right").ticks(at + 6.0)
    table.sees(at + 6.5, without="d7").sees(at + 7.0, white_queen="d1", black_pawn="d7")
    table.ticks(at + 9.0)
    assert grave(table) == [("ILLEGAL_MOVE", "critical")]


def test_without_names_a_man_who_comes_long_after_the_press_is_being_put_right() -> None:
    """The knight of d6 was knocked over with the pawn, who is put on d7 and then where he went."""
    setup = TableSetup(start_fen="6k1/8/2PN3p/8/8/8/8/3N2K1 w - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup, clock=False).clock(1.0, 300, 300, "left")
    table.sees(4.0, without="c6").sees(4.3, without="d6").clock(4.4, 300, 300, "right").ticks(7.6)
    table.sees(7.7, white_knight="d6").sees(8.0, white_pawn="d7").ticks(10.2)
    table.sees(10.25, without="d7").sees(10.7, white_pawn="c7").ticks(14.0)
    assert table.moves == "c7"
    assert not accused(table)


@pytest.mark.parametrize(
    ("lifted", "touched"),
    [
        ("white_king e1", "black_king e8"),
        ("white_pawn a2", "black_rook h8"),
        ("white_queen d1", "black_pawn a7"),
    ],
)
def test_without_names_nobody_took_whom_he_may_not_reach(lifted: str, touched: str) -> None:
    """As when a king is lifted to resign, and the other one then."""
    table = TableTalk.ready(TableSetup(sensing="occupancy"))
    at = table.plays(4.0, "e4", "e5", "Nf3", "Nc6") + 3.0
    (man, home), (other, square) = lifted.split(), touched.split()
    table.sees(at, without=home).clock(at + 0.5, 290, 290, "right").ticks(at + 2.0)
    table.sees(at + 2.5, without=square).sees(at + 3.0, **{man: home})
    table.sees(at + 3.5, **{other: square}).ticks(at + 6.0)
    assert not accused(table)


def test_a_king_without_a_name_for_whom_his_player_presses_shows_no_result() -> None:
    setup = TableSetup(start_fen="8/8/8/4k3/2K5/8/P6p/8 w - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup).sees(4.0, without="c4").sees(4.3, white_king="d5")
    table.clock(5.0, 300, 300, "right").ticks(12.0)
    assert grave(table) == [("KING_LEFT_IN_CHECK", "critical")]
    assert not table.told(GameEnded)


def test_without_names_who_was_seen_to_be_taken_is_no_other_for_a_move_to_be_legal() -> None:
    """The rook took on h3, which was seen; on f2 he would not give the check that the king met."""
    setup = TableSetup(start_fen="6k1/8/8/8/8/5r1P/5R2/6K1 b - - 0 1", sensing="occupancy")
    table = TableTalk.ready(setup).clock(1.0, 300, 300, "right")
    table.sees(3.0, without="h3").sees(3.4, without="f3").sees(3.9, black_rook="h3")
    table.clock(4.5, 300, 299, "left").sees(6.0, without="g1").sees(6.5, white_king="h1")
    table.clock(7.2, 297, 299, "right").ticks(11.0)
    assert ("KING_LEFT_IN_CHECK", "critical") in grave(table)
    assert table.moves == "Rxh3"
