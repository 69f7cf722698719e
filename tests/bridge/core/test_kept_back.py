"""Settled moves that may still turn out to be others are told when play has decided."""

from collections.abc import Callable

import pytest

from bridge.core.model import (
    AddNote,
    AlertRaised,
    BoardChanged,
    Fact,
    MoveProvisional,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    StateExplained,
    TableSetup,
)
from bridge.core.table.kept_back import (
    KEPT_AT_MOST,
    KEPT_UNPRESSED,
    MOST_FOLLOWING,
    KeptBack,
    Moment,
)
from tests.bridge.core.arbiter import Arbiter

FORK = TableSetup(sensing="occupancy", start_fen="4k3/p6p/2p1p3/8/3N4/8/P7/4K3 w - - 0 1")
"""The knight may take either pawn, and nothing tells which one."""


def fork() -> Arbiter:
    """The knight is gone, and White has pressed."""
    table = Arbiter(FORK)
    table.shows(0.0).clock(0.5, 300, 300, "left")
    table.facts.clear()
    table.sees(4.0, without="d4").clock(4.5, 299, 300, "right").ticks(6.0)
    return table


def replied() -> Arbiter:
    """Black has moved the pawn that was thought to be taken."""
    table = fork()
    table.sees(8.0, without="e6", black_pawn="e5").clock(8.6, 299, 298, "left").ticks(10.0)
    return table


def kinds(table: Arbiter) -> list[type[Fact]]:
    shown = MoveSettled, MovesCorrected, AlertRaised
    return [type(fact) for fact in table.facts if isinstance(fact, shown)]


# -- at a table ------------------------------------------------------------------------------------


def test_a_capture_that_is_open_is_not_told_until_the_reply_tells() -> None:
    table = fork()
    assert table.moves == ""
    (said,) = table.told(StateExplained)
    assert isinstance(said, StateExplained)
    assert said.text == "Nxe6 is kept back: play will tell whether it was another move"


def test_that_a_move_is_kept_back_is_said_once_whatever_else_is_said_meanwhile() -> None:
    table = fork()
    table.sees(5.0, without="d4 h7").sees(5.5, without="d4 h7 a7").ticks(20.0)
    table.clock(20.5, 299, 280, "right").clock(21.5, 299, 279, "right")
    said = [fact.text for fact in table.facts if isinstance(fact, StateExplained)]
    assert any(text.startswith("the board differs") for text in said)
    assert len([text for text in said if "kept back" in text]) == 1


def test_what_the_reply_tells_comes_out_alone_and_with_its_time() -> None:
    table = replied()
    assert table.moves == "Nxc6 e5"
    assert kinds(table) == [MoveSettled, MoveSettled], "nothing is corrected, nobody is called"
    timed = [fact.clk_ms for fact in table.told(MoveTimed) if isinstance(fact, MoveTimed)]
    assert timed == [299_000, 298_000]


def test_what_may_be_a_victim_pushed_aside_decides_nothing_as_a_reply() -> None:
    """The king seems to step aside; but it takes the queen, whom it has pushed before it."""
    fen = "rbbq2nr/3k1ppp/1p1pp3/p5Q1/1p1P2P1/2P1PN2/1P3P1P/RNB2RKB w - - 0 1"
    table = Arbiter(TableSetup(sensing="occupancy", start_fen=fen))
    table.shows(0.0).clock(0.5, 300, 300, "left")
    table.facts.clear()
    table.sees(4.0, without="g5").clock(4.5, 299, 300, "right").ticks(8.0)
    assert table.moves == ""
    table.sees(10.0, without="g5 d7", black_king="c7").clock(10.1, 299, 296, "left").ticks(10.4)
    assert table.moves == ""
    table.sees(10.6, without="g5 d7 c7").ticks(14.0)
    assert table.moves == "Qxd8+ Kxd8"
    assert not table.told(MovesCorrected)


def test_a_move_that_play_does_not_decide_is_told_in_the_end() -> None:
    table = fork()
    assert table.ticks(4.5 + KEPT_AT_MOST - 1).moves == ""
    assert table.ticks(4.5 + KEPT_AT_MOST + 2).moves == "Nxe6"


def test_what_is_told_late_has_the_time_at_which_it_is_told() -> None:
    table = fork()
    table.ticks(4.5 + KEPT_AT_MOST + 2)
    (move,) = table.told(MoveSettled)
    assert 4.5 + KEPT_AT_MOST <= move.at <= 5.5 + KEPT_AT_MOST
    assert move.wall == pytest.approx(1000 + move.at)


def test_the_end_of_the_game_brings_what_was_kept_back() -> None:
    table = fork()
    table.orders(7.0, "1/2-1/2")
    assert table.moves == "Nxe6"


def test_an_arbiter_rules_on_all_moves() -> None:
    table = fork()
    table.rules(AddNote(text="a pawn fell"))
    assert table.moves == "Nxe6"


def test_a_call_to_the_arbiter_brings_the_moves_before_it() -> None:
    table = fork()
    table.sees(8.0, without="h7", black_pawn="f4").clock(8.6, 299, 298, "left").ticks(12.0)
    assert table.moves == "Nxe6"
    assert kinds(table)[0] is MoveSettled
    assert any(isinstance(fact, AlertRaised) and fact.illegal for fact in table.facts)


def test_nothing_is_kept_back_at_the_end_of_a_stream() -> None:
    table = fork()
    assert [type(fact) for fact in table.table.end(8.0)][:1] == [MoveSettled]


def test_a_move_whose_man_is_seen_nowhere_is_not_told_before_he_shows_up() -> None:
    """The pawn was only touched; scans are missed until another one has moved."""
    fen = "r1bq1rk1/pppn1pbp/3p1np1/4p3/2PPP1P1/2N1B2P/PP3P2/R2QKBNR w KQ - 0 8"
    table = Arbiter(TableSetup(start_fen=fen))
    table.shows(0.0).clock(0.5, 300, 300, "left")
    table.facts.clear()
    table.sees(4.6, without="g4").clock(6.8, 298, 300, "right").ticks(10.1)
    assert table.moves == ""
    table.sees(10.2, white_pawn="d5", without="d4").sees(10.2, white_pawn="g4").ticks(10.9)
    table.sees(11.0, without="d7", black_knight="c5").clock(11.1, 298, 296, "left").ticks(13.0)
    table.sees(13.4, without="f1", white_bishop="g2").clock(13.9, 296, 296, "right").ticks(16.0)
    assert table.moves == "d5 Nc5 Bg2"
    assert not table.told(MovesCorrected)


# -- the facts alone -------------------------------------------------------------------------------


def fact(kind: Callable[..., Fact], at: float = 0.0, **fields: object) -> Fact:
    return kind(table="7", game=1, at=at, wall=1000 + at, evidence=(1, 1), **fields)


def settled(ply: int, at: float = 0.0) -> Fact:
    words = {"uci": "e2e4", "san": "e4", "colour": "white", "fen": "", "because": ""}
    return fact(MoveSettled, at, ply=ply, basis="press", **words)


def corrected(ply: int, count: int) -> Fact:
    return fact(MovesCorrected, ply=ply, count=count, reason="")


def plies(facts: list[Fact]) -> list[str]:
    """Say facts in short: 3 is a move, t3 its time, p3 what stands, 3-1 a correction."""
    said = []
    for each in facts:
        match each:
            case MoveSettled():
                said.append(f"{each.ply}")
            case MoveTimed():
                said.append(f"t{each.ply}")
            case MoveProvisional():
                said.append(f"p{each.ply}")
            case MovesCorrected():
                said.append(f"{each.ply}-{each.count}")
            case _:
                said.append(type(each).__name__)
    return said


def of(*facts: Fact) -> KeptBack:
    kept = KeptBack()
    for each in facts:
        kept.put(each)
    return kept


NOW = Moment(at=10.0, wall=1010.0, seq=9)


def test_what_follows_a_move_waits_with_it_in_its_order() -> None:
    clocked = fact(MoveTimed, ply=1, clk_ms=1, estimated=False)
    standing = fact(MoveProvisional, ply=2, uci="e7e5", san="e5")
    kept = of(settled(1), clocked, standing, fact(BoardChanged, cells=""), settled(2))
    assert plies(kept.take()) == ["BoardChanged"]
    kept.release(lambda ply, _: ply == 2, NOW)
    assert plies(kept.take()) == ["1", "t1", "p2"]
    kept.release_all(NOW)
    assert plies(kept.take()) == ["2"]


def test_what_is_told_later_rests_on_what_was_heard_by_then() -> None:
    kept = of(settled(1))
    kept.release_all(NOW)
    (told,) = kept.take()
    assert (told.at, told.wall, told.evidence) == (10.0, 1010.0, (1, 9))


def test_a_move_that_was_withdrawn_while_it_was_kept_back_was_never_told() -> None:
    kept = of(settled(1), settled(2), corrected(2, 1), settled(2))
    kept.release_all(NOW)
    assert plies(kept.take()) == ["1", "2"]


def test_only_what_was_told_is_withdrawn() -> None:
    kept = of(settled(1), settled(2))
    kept.release(lambda ply, _: ply == 2, NOW)
    assert kept.has_told(1)
    assert not kept.has_told(2)
    kept.put(corrected(1, 2))
    assert plies(kept.take()) == ["1", "1-1"]


def test_a_move_waits_neither_for_ever_nor_for_many_plies() -> None:
    for last, at, unpressed, told in (
        (2, 1.0, False, False),
        (2, KEPT_AT_MOST, False, True),
        (1 + MOST_FOLLOWING, 1.0, False, True),
        (1 + MOST_FOLLOWING, KEPT_AT_MOST, True, False),
        (2, KEPT_UNPRESSED, True, True),
    ):
        kept = of(*(settled(ply) for ply in range(1, last + 1)))
        kept.release(lambda *_: True, NOW._replace(at=at), unpressed=unpressed)
        assert (plies(kept.take())[:1] == ["1"]) is told


def test_what_calls_nobody_waits_and_what_calls_somebody_does_not() -> None:
    quiet = fact(AlertRaised, code="MOVE_ASSUMED", severity="notice", text="")
    call = fact(AlertRaised, code="ILLEGAL_MOVE", severity="critical", text="")
    assert plies(of(settled(1), quiet).take()) == []
    assert plies(of(settled(1), quiet, call).take()) == ["1", "AlertRaised", "AlertRaised"]


def test_what_is_told_of_the_equipment_neither_waits_nor_brings_moves() -> None:
    battery = fact(AlertRaised, code="LOW_BATTERY", severity="tech", text="")
    assert plies(of(settled(1), battery).take()) == ["AlertRaised"]
