"""Two men of one player who go elsewhere in one turn: the second answers no reply."""

import chess
import msgspec
import pytest

from bridge.core.inference.hypotheses import OUT_OF_ORDER, Node
from bridge.core.inference.lines import leaves_of
from bridge.core.inference.placement import EMPTY
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from bridge.core.model import AlertRaised, TableSetup
from tests.bridge.core.dialogue import TableTalk

START = TableSetup(start_fen="4k3/pppp4/5n2/8/8/8/PPPP4/4K2N w - - 0 1")
"""White puts his rook's pawn to a3 and his knight to g3."""


def hands(
    table: TableTalk, at: float, *moves: tuple[str, str, str], takes: float, every: float
) -> float:
    """Take up and put down a man for each of *moves*; return when the next one would be."""
    for left, man, came in moves:
        table.sees(at, without=left).sees(at + takes, **{man: came})
        at += every
    return at


def put_back(table: TableTalk, at: float) -> TableTalk:
    """The king of Black, who had stepped to f8, is put back, and both men of White."""
    table.sees(at, without="f8").sees(at + 0.4, black_king="e8")
    table.sees(at + 3.0, without="a3").sees(at + 3.4, white_pawn="a2")
    return table.sees(at + 4.0, without="g3").sees(at + 4.4, white_knight="h1")


def test_the_second_is_told_and_is_no_move_when_the_first_is_answered() -> None:
    """The knight on g3 would be legal after the reply, but stood there seconds before it."""
    table = TableTalk.ready(START)
    table.sees(3.0, without="a2").sees(3.4, white_pawn="a3")
    table.sees(3.9, without="h1").sees(4.3, white_knight="g3").clock(4.8, 298, 300, "right")
    table.ticks(9.0).expects("alert ILLEGAL_MOVE EXTRA_CHANGE")
    table.sees(10.0, without="e8").sees(10.4, black_king="f8").clock(11.0, 298, 294, "right")
    table.ticks(13.0).expects()
    table.clock(13.5, 298, 292, "right", run=False)
    put_back(table, 16.0).ticks(25.0).expects("cleared ILLEGAL_MOVE")
    table.clock(26.0, 298, 292, "left")
    table.plays(28.0, "d4", "d6", clock=290)
    assert table.moves == "d4 d6"


def test_it_is_told_and_neither_is_a_move_when_the_reply_is_pressed() -> None:
    """The reply began soon, and all is put back only then."""
    table = TableTalk.ready(START)
    table.sees(3.0, without="a2").sees(3.4, white_pawn="a3").clock(3.7, 298, 300, "right")
    table.sees(3.72, without="h1").sees(4.1, white_knight="g3")
    table.sees(4.9, without="e8").sees(5.3, black_king="f8").clock(5.9, 298, 299, "left")
    table.ticks(9.5).expects("alert ILLEGAL_MOVE EXTRA_CHANGE")
    put_back(table, 11.0).ticks(19.0).expects("cleared ILLEGAL_MOVE")
    assert not table.moves


def test_it_is_told_though_the_first_man_is_put_back_when_the_clock_is_turned_back() -> None:
    """What was put back was not moved later than it was told to be: the record is right."""
    table = TableTalk.ready(START)
    table.sees(3.0, without="a2").sees(3.4, white_pawn="a3")
    table.sees(3.9, without="h1").sees(4.3, white_knight="g3").clock(4.8, 298, 300, "right")
    table.sees(7.0, without="a3").clock(7.2, 298, 298, "left").sees(7.5, white_pawn="a2")
    table.sees(8.0, without="g3").sees(8.6, white_knight="h1").ticks(12.0)
    table.expects("alert ILLEGAL_MOVE EXTRA_CHANGE", "cleared ILLEGAL_MOVE")
    assert not table.moves


def test_without_a_clock_neither_is_a_move_when_all_are_put_back() -> None:
    table = TableTalk.ready(START, clock=False)
    table.sees(3.0, without="a2").sees(3.4, white_pawn="a3")
    table.sees(3.9, without="h1").sees(4.3, white_knight="g3")
    table.sees(7.0, without="e8").sees(7.4, black_king="f8")
    table.sees(9.0, without="f8").sees(9.2, without="a3").sees(9.4, black_king="e8")
    table.sees(10.2, white_pawn="a2").sees(10.5, without="g3").sees(11.2, white_knight="h1")
    table.ticks(20.0)
    table.plays(22.0, "d4", "d6")
    assert table.moves == "d4 d6"


@pytest.mark.parametrize("clock", [True, False])
def test_who_moves_while_the_opponent_does_answers_him_in_a_hurry(clock: bool) -> None:
    """Hands overlap: who was put down just before the move that he answers has answered it."""
    table = TableTalk.ready(START, clock=clock)
    table.sees(3.0, without="a2").sees(3.4, white_pawn="a3")
    table.sees(3.9, without="f6").sees(4.0, without="h1").sees(4.3, white_knight="g3")
    table.sees(4.6, black_knight="g4")
    if clock:
        table.clock(5.0, 298, 299, "right")
    table.ticks(12.0)
    assert table.moves.startswith("a3 Ng4")


def test_who_was_in_the_hand_went_before_another_man_of_his_player() -> None:
    """All squares but his are told at once, when the link is back."""
    board = chess.Board("4k3/p6p/8/8/8/8/P4P2/4K3 b - - 0 1")
    start = Node(None, None, Position(board, "identity"))
    sight = Sight(start.position.shown)
    for at, changes in ((3.0, "a7"), (6.0, "f2 f3P a6p h7 h6p")):
        for change in changes.split():
            cells = list(sight.shown)
            cells[chess.parse_square(change[:2])] = change[2:] or EMPTY
            sight.take("".join(cells), at)
    a6, f3, h6 = (chess.Move.from_uci(move) for move in ("a7a6", "f2f3", "h7h6"))
    held, other = leaves_of(start, [(a6, f3, h6), (h6, f3, a6)], sight, 0.0)
    assert other.cost == held.cost + OUT_OF_ORDER


def test_men_who_go_to_and_fro_in_a_scramble_come_around() -> None:
    """The position comes about again, and nobody was seen to press: four plies were made."""
    table = TableTalk.ready(TableSetup(start_fen="3r2k1/8/8/8/8/8/q7/2R3K1 w - - 0 1"))
    table.sees(3.0, without="c1").sees(3.2, white_rook="c2").clock(3.5, 298, 300, "right")
    round_trip = (
        ("a2", "black_queen", "a1"),
        ("c2", "white_rook", "c1"),
        ("a1", "black_queen", "a2"),
        ("c1", "white_rook", "c2"),
    )
    at = hands(table, 4.0, *round_trip, round_trip[0], takes=0.4, every=0.8)
    table.clock(at, 298, 294, "left").ticks(at + 3.0)
    table.sees(12.0, without="g1").sees(12.4, white_king="g2").clock(13.0, 293, 294, "right")
    table.ticks(16.0)
    assert table.moves == "Rc2 Qa1+ Rc1 Qa2 Rc2 Qa1+ Kg2"


@pytest.mark.parametrize("clock", [True, False])
def test_who_castles_has_moved_once(clock: bool) -> None:
    """King and rook may each go there alone, but castling explains both."""
    setup = TableSetup(start_fen="4k3/p6p/8/8/8/8/P6P/4K2R w K - 0 1")
    table = TableTalk.ready(setup, clock=clock)
    table.sees(3.0, without="e1").sees(3.4, white_king="g1")
    table.sees(3.8, without="h1").sees(4.2, white_rook="f1")
    table.sees(6.0, without="a7").sees(6.4, black_pawn="a6").ticks(14.0)
    assert table.moves == ("O-O" if clock else "O-O a6")
    told = [fact for fact in table.facts if isinstance(fact, AlertRaised)]
    assert "ILLEGAL_MOVE" not in [alert.code for alert in told]


@pytest.mark.parametrize("early", [0.8, 2.0, 6.0])
def test_who_moved_too_early_has_answered_once_the_opponent_moves_again(early: float) -> None:
    """Black puts his pawn to a6 before White has moved; nobody minds, and both play on."""
    setup = TableSetup(start_fen="4k3/p6p/8/8/8/8/P6P/4K2R b - - 0 1")
    table = TableTalk.ready(setup, clock=False)
    table.sees(3.0, without="h7").sees(3.3, black_pawn="h6")
    table.sees(4.0, without="a7").sees(4.3, black_pawn="a6")
    at = hands(
        table,
        4.3 + early,
        ("a2", "white_pawn", "a3"),
        ("h2", "white_pawn", "h3"),
        ("e8", "black_king", "e7"),
        ("e1", "white_king", "e2"),
        takes=0.3,
        every=6.0,
    )
    table.ticks(at + 8.0)
    assert table.moves == "h6 a3 a6 h3 Ke7 Ke2"


def test_without_names_two_men_of_one_turn_are_told() -> None:
    table = TableTalk.ready(msgspec.structs.replace(START, sensing="occupancy"))
    table.sees(3.0, without="a2").sees(3.4, white_pawn="a3")
    table.sees(3.9, without="h1").sees(4.3, white_knight="g3").clock(4.5, 298, 300, "left")
    table.clock(4.8, 298, 300, "right").ticks(13.0).expects("alert ILLEGAL_MOVE EXTRA_CHANGE")
    (alert,) = (fact for fact in table.facts if isinstance(fact, AlertRaised))
    assert alert.san_tried == "Ng3 and a3"


def test_without_names_two_men_of_one_turn_are_told_once_the_clock_is_turned_back() -> None:
    """Nobody puts one of them right any more as if he had been knocked over."""
    table = TableTalk.ready(msgspec.structs.replace(START, sensing="occupancy"))
    table.sees(3.0, without="a2").sees(3.4, white_pawn="a3")
    table.sees(3.9, without="h1").sees(4.3, white_knight="g3").clock(4.5, 298, 300, "left")
    table.clock(4.8, 298, 300, "right").clock(6.8, 298, 298, "left").ticks(7.2)
    table.expects("alert ILLEGAL_MOVE EXTRA_CHANGE")
    table.sees(7.6, without="g3").sees(8.0, white_knight="h1").sees(8.5, without="a3")
    table.sees(8.9, white_pawn="a2").ticks(12.0).expects("cleared ILLEGAL_MOVE")
    assert not table.moves


def test_without_names_a_man_who_was_taken_to_be_away_may_be_the_second_one() -> None:
    """The knight's square was looked past beside the pawn's, until he came to stand."""
    table = TableTalk.ready(msgspec.structs.replace(START, sensing="occupancy"))
    table.sees(3.0, without="a2").sees(3.4, white_pawn="a3").sees(3.7, without="h1")
    table.sees(5.4, white_knight="g3").clock(5.6, 298, 300, "left").clock(6.0, 298, 300, "right")
    table.ticks(16.0).expects("alert ILLEGAL_MOVE EXTRA_CHANGE")


def test_without_names_who_left_once_the_other_had_come_was_not_knocked_over() -> None:
    start = "6k1/6b1/3p4/pP1nrP1p/1p5R/6R1/3N4/1QB3K1 b - - 0 42"
    table = TableTalk.ready(TableSetup(start_fen=start, sensing="occupancy"))
    table.clock(0.6, 300, 300, "right").ticks(2.5)
    table.sees(3.0, without="g8").sees(3.01, black_king="h7").sees(3.5, without="e5")
    table.sees(3.7, black_rook="e2").clock(4.4, 300, 298, "right")
    table.clock(5.4, 300, 298, "left").ticks(13.0)
    table.expects("alert ILLEGAL_MOVE EXTRA_CHANGE")
    assert not table.moves


def test_without_names_who_may_have_been_pushed_after_the_press_is_not_told_as_illegal() -> None:
    """The clock is asked once a second: it was pressed before the pawn left, or after."""
    start = "4k3/pppp4/5n2/8/8/8/PPPP1P2/4K2R w - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=start, sensing="occupancy"))
    table.sees(6.0, without="h1").sees(6.3, white_rook="g1").clock(6.6, 296, 300, "left")
    table.sees(7.3, without="f2").sees(7.5, white_pawn="f3").clock(7.6, 296, 300, "right")
    table.ticks(12.0)
    assert not any("ILLEGAL" in line for line in table.script)
