"""Boards that are looked at seldom, as on a bus: men are told whole, or on their way."""

import pytest

from bridge.core.inference.scans import TOLD_WITH_IT
from bridge.core.model import MovesCorrected, Sensing, TableSetup
from tests.bridge.core.dialogue import TIMING, TableTalk

FEN = "4k1n1/p6p/8/8/4P3/8/P6P/R3K1N1 w Q - 0 1"
MADE = [
    ("g1", "f3", "knight"),
    ("g8", "f6", "knight"),
    ("h2", "h4", "pawn"),
    ("h7", "h5", "pawn"),
    ("a2", "a4", "pawn"),
    ("a7", "a5", "pawn"),
]


def seldom_seen(sensing: Sensing = "identity", *, whole: bool = True) -> TableTalk:
    """Two knights and two pawns have moved; the board told each *whole*, or not."""
    table = TableTalk.ready(TableSetup(start_fen=FEN, sensing=sensing))
    for ply, (left, came, man) in enumerate(MADE[:4]):
        at, colour = 2.0 + 3 * ply, "black" if ply % 2 else "white"
        table.sees(at, without=left).sees(at if whole else at + 0.4, **{f"{colour}_{man}": came})
        table.clock(at + 1.5, 300, 300, "left" if ply % 2 else "right").ticks(at + 2.0)
    assert table.moves == "Nf3 Nf6 h4 h5"
    return table


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
@pytest.mark.parametrize(("pressed", "looked"), [(14.7, 15.1), (15.3, 16.4)])
def test_a_man_told_whole_on_his_way_is_waited_for(
    sensing: Sensing, pressed: float, looked: float
) -> None:
    """The rook goes on from c1 though the press is known; nothing wrong is told meanwhile.

    However long he was shown there: what he did before the press is told by the next look.
    """
    table = seldom_seen(sensing)
    table.sees(14.0, without="a1", white_rook="c1").clock(pressed, 299, 300, "right")
    table.sees(looked, without="c1", white_rook="d1").ticks(20.0)
    assert table.moves == "Nf3 Nf6 h4 h5 Rd1"
    assert not table.told(MovesCorrected)


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
def test_a_press_that_came_first_does_not_shorten_the_wait(sensing: Sensing) -> None:
    table = seldom_seen(sensing)
    table.clock(13.9, 299, 300, "right").sees(14.0, without="a1", white_rook="c1").ticks(14.9)
    table.sees(15.1, without="c1", white_rook="d1").ticks(20.0)
    assert table.moves == "Nf3 Nf6 h4 h5 Rd1"
    assert not table.told(MovesCorrected)


@pytest.mark.parametrize(
    ("whole", "settled_at"),
    [(True, 14.0 + TIMING.reading + TOLD_WITH_IT), (False, 14.7 + TOLD_WITH_IT)],
)
def test_he_is_waited_for_only_where_the_board_is_looked_at_seldom(
    whole: bool, settled_at: float
) -> None:
    table = seldom_seen(whole=whole)
    table.sees(14.0, without="a1", white_rook="c1").clock(14.7, 299, 300, "right")
    table.ticks(settled_at - 0.01)
    assert table.moves.endswith("h5")
    assert table.ticks(settled_at + 0.01).moves.endswith("Rc1")


@pytest.mark.parametrize("later", [0.0, 0.01])
def test_without_names_what_is_told_with_the_press_was_done_before_it(later: float) -> None:
    """The pawn was held on a4 and put back by a square."""
    table = seldom_seen("occupancy", whole=False)
    table.sees(14.0, without="a2").sees(14.3, white_pawn="a4").clock(15.5, 299, 300, "right")
    table.sees(15.5 + later, without="a4", white_pawn="a3").ticks(20.0)
    assert table.moves == "Nf3 Nf6 h4 h5 a3"
    assert not table.told(MovesCorrected)


def test_a_man_who_cannot_have_gone_on_is_not_waited_for() -> None:
    table = seldom_seen()
    table.sees(14.0, without="f3", white_knight="d4").clock(14.7, 299, 300, "right").ticks(14.7)
    assert table.moves.endswith("Nd4")


def test_a_man_in_the_air_takes_nobody_until_the_board_was_surely_looked_at() -> None:
    """Without names the knight might have taken on e4; he is put down 0.9 s after his press."""
    table = seldom_seen("occupancy")
    table.sees(14.0, without="e1", white_king="f1").clock(15.0, 299, 300, "right").ticks(16.0)
    table.sees(17.0, without="f6").clock(17.2, 299, 299, "left")
    table.sees(18.1, black_knight="d7").ticks(22.0)
    assert table.moves == "Nf3 Nf6 h4 h5 Kf1 Nd7"
    assert not table.told(MovesCorrected)


def test_a_man_who_goes_astray_beside_a_move_that_stands_is_no_line_of_several_plies() -> None:
    """The king is shown on a3 for a moment: the rook has not gone and come back for that."""
    fen = "2r5/p2pkp2/4p2p/3bP1p1/2p5/1PR2P2/P5PP/1KR5 b - - 0 1"
    table = TableTalk.ready(TableSetup(start_fen=fen), clock=False)
    table.shows(4.0, "1r6/p2pkp2/4p2p/3bP1p1/2p5/1PR2P2/P5PP/1KR5").ticks(7.6)
    table.shows(7.7, "1r6/p2pkp2/4p2p/3bP1p1/2p5/KPR2P2/P5PP/2R5").ticks(9.7)
    table.shows(9.75, "1r6/p2pkp2/4p2p/3bP1p1/2p5/1PR2P2/PK4PP/2R5").ticks(16.0)
    assert table.moves == "Rb8 Kb2"
    assert not table.told(MovesCorrected)


EVERY = 1.4
"""How often the board below is looked at (s)."""


def looked_at_every(sensing: Sensing) -> TableTalk:
    """Each player has moved three times on a board that tells each man whole, every ``EVERY``."""
    table = TableTalk.ready(TableSetup(start_fen=FEN, sensing=sensing))
    for ply, (left, came, man) in enumerate(MADE):
        at, colour = 2.0 + (ply + ply // 2) * EVERY, "black" if ply % 2 else "white"
        table.sees(at, without=left, **{f"{colour}_{man}": came})
        table.clock(at + 1.3, 300, 300, "left" if ply % 2 else "right")
    assert table.ticks(14.0).moves == "Nf3 Nf6 h4 h5 a4 a5"
    return table


@pytest.mark.parametrize("sensing", ["identity", "occupancy"])
@pytest.mark.parametrize(
    ("left", "on_way", "came", "san"),
    [("f3", "g5", "d4", "Nd4"), ("e1", "e2", "f2", "Kf2"), ("a1", "c1", "d1", "Rd1")],
)
@pytest.mark.parametrize("pressed", [14.9, 15.3])
def test_any_man_is_looked_at_twice_by_a_board_known_to_be_looked_at_seldom(
    sensing: Sensing, left: str, on_way: str, came: str, san: str, pressed: float
) -> None:
    """He was on his way in the one look before the press; the next one tells where he went."""
    table = looked_at_every(sensing)
    man = {"f": "white_knight", "e": "white_king", "a": "white_rook"}[left[0]]
    table.sees(15.0, without=left, **{man: on_way}).clock(pressed, 299, 300, "right")
    table.ticks(16.39).sees(16.4, without=on_way, **{man: came}).ticks(20.0)
    assert table.moves == f"Nf3 Nf6 h4 h5 a4 a5 {san}"
    assert not table.told(MovesCorrected)


def test_who_is_answered_within_a_look_is_not_waited_for() -> None:
    """His answer is begun: the board has been looked at after it, and he stands where he stood."""
    table = looked_at_every("occupancy")
    table.sees(15.0, without="f3 f6", white_knight="d4").clock(15.2, 299, 300, "right").ticks(15.7)
    assert table.moves.endswith("Nd4")


def test_a_man_in_the_air_takes_nobody_until_a_board_known_to_be_slow_was_looked_at() -> None:
    """Without names the knight might have taken on e4; he is put down before the next look."""
    table = looked_at_every("occupancy")
    table.sees(15.0, without="e1", white_king="f1").clock(15.2, 299, 300, "right").ticks(17.0)
    table.sees(17.8, without="f6").clock(17.9, 299, 299, "left").ticks(19.15)
    table.sees(19.2, black_knight="d7").ticks(23.0)
    assert table.moves == "Nf3 Nf6 h4 h5 a4 a5 Kf1 Nd7"
    assert not table.told(MovesCorrected)


def test_what_is_read_out_when_the_link_is_back_does_not_tell_how_often_it_is_looked_at() -> None:
    table = looked_at_every("identity")
    table.link(14.2, "lost").link(14.4, "live")
    table.shows(14.5, "4k3/8/5n2/p6p/P2NP2P/8/8/R3K3")
    table.clock(14.7, 299, 300, "right").sees(15.0, without="f6", black_knight="d7")
    table.clock(16.3, 299, 300, "left").ticks(16.9)
    table.sees(17.8, without="d4", white_knight="c6").clock(18.1, 299, 299, "right").ticks(19.1)
    table.sees(19.2, without="c6", white_knight="b5").ticks(22.0)
    assert table.moves == "Nf3 Nf6 h4 h5 a4 a5 Nd4 Nd7 Nb5"
    assert not table.told(MovesCorrected)
