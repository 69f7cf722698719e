"""The gate: in order, never too early, nothing that was withdrawn in time, everything at last."""

from collections.abc import Iterable, Sequence

import chess
import msgspec
from hypothesis import given
from hypothesis import strategies as st

from bridge.config.delays import NO_DELAY, Delay
from bridge.core.model import (
    BoardChanged,
    ClockUpdated,
    Fact,
    GameAdjourned,
    GameEnded,
    GameResumed,
    GameStarted,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    PositionAdopted,
    SetupCorrected,
    StartFound,
    TableSetup,
)
from bridge.core.scoresheet.record import GameRecord, Scorebook
from bridge.outputs.delay import Gate

WALL = 1_790_000_000.0
MINUTE = Delay(minutes=1)
TWO_MOVES = Delay(moves=2)


class Told:
    """A hall in which facts are told one after another; ``at`` is the time of the next."""

    def __init__(self, table: str = "1") -> None:
        self.table, self.game, self.at, self.plies = table, 1, 0.0, 0
        self.count = 0
        self.facts: list[Fact] = []

    def _tell(self, kind: type[Fact], **fields: object) -> Fact:
        self.count += 1
        where = {"table": self.table, "game": self.game, "at": self.at, "wall": WALL + self.at}
        fact = kind(**where, evidence=(self.count, self.count), **fields)  # type: ignore[arg-type]
        self.facts.append(fact)
        return fact

    def start(self) -> Fact:
        self.game += any(isinstance(fact, GameStarted) for fact in self.facts)
        self.plies = 0
        return self._tell(GameStarted, setup=TableSetup(), fen=chess.STARTING_FEN, rotated=False)

    def start_anew(self) -> Fact:
        self.game -= 1
        return self.start()

    def rename(self) -> Fact:
        return self._tell(SetupCorrected, setup=TableSetup(white="Ada"))

    def settle(self, san: str | None = None) -> Fact:
        self.plies += 1
        return self._tell(
            MoveSettled,
            ply=self.plies,
            uci="a1a2",
            san=san or f"N{self.count}",
            colour="white",
            fen=chess.STARTING_FEN,
            basis="press",
        )

    def time(self, ply: int | None = None) -> Fact:
        return self._tell(MoveTimed, ply=ply or self.plies, clk_ms=self.count)

    def adopt(self) -> Fact:
        return self._tell(PositionAdopted, ply=self.plies, fen=chess.STARTING_FEN, reason="seen")

    def find_start(self) -> Fact:
        return self._tell(StartFound, fen=chess.STARTING_FEN)

    def correct(self, count: int) -> Fact:
        self.plies -= count
        return self._tell(MovesCorrected, ply=self.plies + 1, count=count, reason="misread")

    def clock(self) -> Fact:
        return self._tell(ClockUpdated, white_ms=self.count, black_ms=5, running=True, turn="white")

    def shows(self) -> Fact:
        return self._tell(BoardChanged, cells="." * 64)

    def end(self) -> Fact:
        return self._tell(GameEnded, result="1-0", by="kings")

    def adjourn(self) -> Fact:
        return self._tell(GameAdjourned)

    def resume(self) -> Fact:
        return self._tell(GameResumed)


def put(gate: Gate, facts: Iterable[Fact]) -> list[Fact]:
    return [out for fact in facts for out in gate.put(fact)]


def records(facts: Iterable[Fact]) -> list[GameRecord]:
    """Return the scoresheets of facts, which have to follow from each other."""
    book = Scorebook()
    for fact in facts:
        book.apply(fact)
    return book.records()


def sans(facts: Iterable[Fact]) -> list[list[str]]:
    return [[ply.san for ply in record.plies] for record in records(facts)]


# --- by examples --------------------------------------------------------------------------------


def test_without_a_delay_all_comes_out_at_once() -> None:
    told, gate = Told(), Gate(NO_DELAY)
    facts = [told.start(), told.settle(), told.time(), told.clock(), told.correct(1), told.end()]
    assert [gate.put(fact) for fact in facts] == [[fact] for fact in facts]
    assert gate.wake_at == float("inf")


def test_a_fact_comes_out_when_its_time_has_passed() -> None:
    told, gate = Told(), Gate(MINUTE)
    begun = told.start()
    told.at = 10
    moved = told.settle()
    assert put(gate, told.facts) == []
    assert gate.wake_at == 60
    assert gate.due(59.9) == []
    assert gate.due(60) == [begun]
    assert gate.wake_at == 70
    assert gate.due(1000) == [moved]


def test_the_next_fact_of_a_table_lets_out_what_was_due_before_it() -> None:
    told, gate = Told(), Gate(MINUTE)
    begun = told.start()
    told.at = 60
    assert put(gate, told.facts) == []
    assert gate.put(told.settle()) == [begun]


def test_a_move_comes_out_when_enough_moves_have_followed() -> None:
    told, gate = Told(), Gate(TWO_MOVES)
    begun = told.start()
    assert gate.put(begun) == [begun], "that a game is played is no move of it"
    first = [told.settle(), told.time(), told.clock()]
    assert put(gate, first) == []
    assert put(gate, [told.settle(), told.settle(), told.settle()]) == []
    assert gate.put(told.settle()) == first[:2]
    assert gate.put(told.settle()) == [first[2], told.facts[4]], "the clock ran for that move"
    assert gate.wake_at == float("inf")


def test_what_stands_on_the_board_is_as_young_as_the_move_that_comes_of_it() -> None:
    told, gate = Told(), Gate(Delay(moves=1))
    put(gate, [told.start(), told.settle()])
    landed = told.shows()
    assert put(gate, [landed, told.settle(), told.settle()]) == [told.facts[1]]
    assert gate.put(told.settle()) == [landed, told.facts[3]]


def test_a_board_at_which_nobody_plays_has_no_moves_to_wait_for() -> None:
    told, gate = Told(), Gate(TWO_MOVES)
    told.game = 0
    seen = told.shows()
    assert gate.put(seen) == [seen]


def test_a_time_told_late_waits_for_moves_that_follow_it() -> None:
    told, gate = Told(), Gate(Delay(moves=1))
    put(gate, [told.start(), told.settle(), told.settle()])
    late = told.time(1)
    assert put(gate, [late, told.settle()]) == told.facts[1:2]
    assert gate.put(told.settle()) == [told.facts[2], late]


def test_of_time_and_moves_both_have_to_pass() -> None:
    told, gate = Told(), Gate(Delay(minutes=1, moves=1))
    put(gate, [told.start(), told.settle()])
    assert [type(each) for each in gate.due(100)] == [GameStarted]
    told.at = 110
    put(gate, [told.settle()])
    assert gate.due(1000) == []
    told.at = 120
    assert gate.put(told.settle()) == [told.facts[1]]
    told.at = 125
    assert put(gate, [told.settle()]) == []
    assert gate.wake_at == 170, "the second move was made at 110"


def test_the_end_of_a_game_stands_for_the_moves_that_do_not_follow() -> None:
    told, gate = Told(), Gate(Delay(minutes=1, moves=9))
    put(gate, [told.start(), told.settle()])
    told.at = 30
    assert put(gate, [told.end()]) == []
    assert [type(each) for each in gate.due(89)] == [GameStarted]
    assert gate.due(90) == told.facts[1:]


def test_so_does_the_next_game() -> None:
    told, gate = Told(), Gate(TWO_MOVES)
    put(gate, [told.start(), told.settle()])
    assert put(gate, [told.start()]) == told.facts[1:]


def test_a_game_can_be_shown_at_once_when_it_has_ended() -> None:
    told, gate = Told(), Gate(Delay(minutes=9, moves=9, all_at_end=True))
    assert put(gate, [told.start(), told.settle(), told.settle()]) == []
    told.at = 5
    assert put(gate, [told.end()]) == told.facts
    late = told.time()
    assert put(gate, [late]) == [late]
    put(gate, [told.resume(), told.settle()])
    assert gate.wake_at == float("inf")


def test_what_was_before_the_first_game_does_not_keep_it_back_when_it_has_ended() -> None:
    told, gate = Told(), Gate(Delay(minutes=9, all_at_end=True))
    told.game = 0
    seen = told.shows()
    told.game = 1
    assert put(gate, [seen, told.start(), told.settle()]) == []
    told.at = 5
    assert put(gate, [told.end()]) == told.facts


def test_the_start_position_that_play_shows_waits_like_the_move_before_it() -> None:
    """It gives the moves before it other names, and tells of the one that shows it."""
    hall, gate = Told(), Gate(TWO_MOVES)
    start, first, found = hall.start(), hall.settle(), hall.find_start()
    assert put(gate, [start, first, found]) == [start]
    assert put(gate, [hall.settle() for _ in range(3)]) == []
    assert gate.put(hall.settle()) == [first, found]


def test_what_is_withdrawn_in_time_was_never_there() -> None:
    told, gate = Told(), Gate(MINUTE)
    told.start(), told.settle("e4"), told.time(), told.settle("e5"), told.time(), told.adopt()
    told.correct(2)
    told.settle("d4"), told.time()
    put(gate, told.facts)
    out = gate.due(60)
    assert out == [told.facts[0], *told.facts[-2:]]


def test_what_is_withdrawn_too_late_is_corrected_as_far_as_it_was_seen() -> None:
    told, gate = Told(), Gate(MINUTE)
    put(gate, [told.start(), told.settle("e4"), told.settle("e5")])
    told.at = 30
    put(gate, [told.settle("Nf3"), told.time(1)])
    told.at = 70
    seen = gate.due(told.at)
    assert sans(seen) == [["e4", "e5"]]
    put(gate, [told.correct(2), told.settle("d5")])
    assert gate.due(129) == [told.facts[-3]], "the time of a move that stands"
    (correction, right) = gate.due(130)
    assert isinstance(correction, MovesCorrected)
    assert (correction.ply, correction.count, correction.reason) == (2, 1, "misread")
    assert right == told.facts[-1]


def test_a_correction_of_another_game_leaves_moves_alone() -> None:
    told, gate = Told(), Gate(MINUTE)
    put(gate, [told.start(), told.settle("e4"), told.start(), told.settle("d4")])
    put(gate, [told.correct(1)])
    assert sans(gate.due(60)) == [["e4"], []]


def test_a_game_that_begins_anew_is_not_corrected_with_moves_of_before() -> None:
    told, gate = Told(), Gate(MINUTE)
    put(gate, [told.start(), told.settle("e4"), told.settle("e5")])
    put(gate, [told.start_anew(), told.settle("d4"), told.correct(1), told.settle("c4")])
    out = gate.due(60)
    assert out == [*told.facts[:4], told.facts[-1]]
    assert sans(out) == [["c4"]]


def test_an_end_that_is_withdrawn_in_time_was_never_there() -> None:
    told, gate = Told(), Gate(MINUTE)
    put(gate, [told.start(), told.end(), told.resume(), told.settle()])
    assert [type(each) for each in gate.due(60)] == [GameStarted, MoveSettled]
    told.at = 61
    put(gate, [told.end()])
    told.at = 62
    gate.due(200)
    put(gate, [told.resume()])
    assert [type(each) for each in gate.due(200)] == [GameResumed]


def test_of_two_ends_the_last_comes_out() -> None:
    told, gate = Told(), Gate(MINUTE)
    put(gate, [told.start(), told.end(), told.end()])
    assert gate.due(60) == [told.facts[0], told.facts[2]]


def test_an_adjourned_game_is_seen_to_go_on() -> None:
    told, gate = Told(), Gate(MINUTE)
    put(gate, [told.start(), told.adjourn(), told.end(), told.resume()])
    shown = [type(each) for each in gate.due(60)]
    assert shown == [GameStarted, GameAdjourned, GameResumed]


def test_a_clock_is_shown_as_if_it_were_read_now() -> None:
    told, gate = Told(), Gate(MINUTE)
    put(gate, [told.start(), told.clock()])
    shown = gate.due(1000)[-1]
    assert shown == msgspec.structs.replace(told.facts[-1], wall=WALL + 60)


def test_tables_do_not_wait_for_each_other() -> None:
    first, second, gate = Told("1"), Told("2"), Gate(MINUTE)
    second.at = 30
    put(gate, [first.start(), second.start()])
    assert gate.due(60) == first.facts
    assert gate.due(90) == second.facts


def test_corrected_names_do_not_wait_for_moves() -> None:
    told, gate = Told(), Gate(TWO_MOVES)
    gate.put(told.start())
    named = told.rename()
    assert gate.put(named) == [named]


def test_a_fact_that_looks_back_does_not_come_out_before_others() -> None:
    told, gate = Told(), Gate(MINUTE)
    told.at = 10
    begun = told.start()
    told.at = 9
    moved = told.settle()
    put(gate, told.facts)
    assert gate.due(69) == []
    assert gate.due(70) == [begun, moved]


# --- for any course of a game -------------------------------------------------------------------

STEPS = st.tuples(st.sampled_from("ssssssstttcccxaoerjnb"), st.integers(0, 40), st.integers(1, 4))
"""What is told, how long after what was told before, and how much is withdrawn."""
DELAYS = st.builds(
    Delay,
    minutes=st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    moves=st.integers(0, 3),
    all_at_end=st.booleans(),
)
TIMES = st.builds(Delay, minutes=st.sampled_from([0.5, 1.0, 2.0]))
WITHDRAWS = MovesCorrected, GameResumed, GameEnded


def told_by(steps: Sequence[tuple[str, int, int]], told: Told) -> Told:
    """Tell what *steps* say, as far as it can be told."""
    plain = {"s": told.settle, "c": told.clock, "e": told.end, "r": told.resume}
    plain |= {"a": told.adopt, "j": told.adjourn, "n": told.start, "b": told.start_anew}
    for kind, pause, count in steps:
        told.at += pause
        if kind in plain:
            plain[kind]()
        elif told.plies and kind == "t":
            told.time()
        elif told.plies and kind in "xo":
            told.correct(min(count, told.plies))
    return told


@st.composite
def courses(draw: st.DrawFn) -> list[Fact]:
    told = Told()
    told.start()
    return told_by(draw(st.lists(STEPS, max_size=40)), told).facts


def unstamped(facts: Iterable[Fact]) -> list[tuple[object, ...]]:
    """What facts say, but for how much of a correction there was to see and when clocks show."""
    return [
        (type(fact), fact.game, fact.evidence, fact.at, getattr(fact, "san", None))
        for fact in facts
    ]


def is_part(some: Sequence[object], whole: Iterable[object]) -> bool:
    """Whether *some* are in *whole* in the same order."""
    rest = iter(whole)
    return all(each in rest for each in some)


def test_an_end_that_came_out_is_taken_back_though_another_one_did_not() -> None:
    told = Told()
    told.start()
    told.end()
    told.at += 60
    told.end()
    told.resume()
    gate = Gate(Delay(minutes=0.5))
    out = put(gate, told.facts) + gate.due(told.at + 60)
    assert [type(fact) for fact in out] == [GameStarted, GameEnded, GameResumed]


@given(courses(), DELAYS)
def test_order_is_kept_and_everything_comes_out_in_the_end(facts: list[Fact], delay: Delay) -> None:
    gate = Gate(delay)
    out = put(gate, facts)
    last = facts[-1]
    new = Told()
    new.game, new.at, new.facts = last.game, last.at, [*facts[:1]]
    out += gate.put(new.start()) + gate.due(last.at + delay.seconds)
    assert is_part(unstamped(out), unstamped([*facts, new.facts[-1]]))
    ours, theirs = records([*facts, new.facts[-1]]), records(out)
    for record in (*ours, *theirs):
        record.corrections, record.clock = [], None
    assert theirs == ours
    clocks = [fact.evidence for fact in facts if isinstance(fact, ClockUpdated)]
    assert [fact.evidence for fact in out if isinstance(fact, ClockUpdated)] == clocks
    assert gate.wake_at == float("inf")


@given(courses(), DELAYS, st.lists(st.floats(0, 2000), max_size=20))
def test_whenever_one_looks_the_facts_follow_from_each_other(
    facts: list[Fact], delay: Delay, looks: list[float]
) -> None:
    gate, out = Gate(delay), []
    looks.sort()
    for fact in facts:
        while looks and looks[0] < fact.at:
            out += gate.due(looks.pop(0))
            records(out)
        out += gate.put(fact)
        records(out)
    assert out == put(Gate(delay), facts), "looking changes nothing, nor does a restart"


@given(courses(), TIMES, st.floats(0, 800), st.lists(STEPS, max_size=20))
def test_nothing_younger_than_the_delay_is_told(
    facts: list[Fact], delay: Delay, now: float, others: list[tuple[str, int, int]]
) -> None:
    """Another continuation may leave out what was told before; it adds and changes nothing."""
    old = [fact for fact in facts if fact.at <= now - delay.seconds]
    told = Told()
    told.facts = old.copy() or [told.start()]
    told.game, told.at, told.count = told.facts[-1].game, max(now - delay.seconds, 0), len(old)
    told.plies = len(records(told.facts)[-1].plies)
    young = told_by(others, told).facts[len(old) :] if old else []
    young = [fact for fact in young if now - delay.seconds < fact.at <= now]
    alone, gate = Gate(delay), Gate(delay)
    expected = put(alone, old) + alone.due(now)
    out = put(gate, [*old, *young]) + gate.due(now)
    if not any(isinstance(fact, WITHDRAWS) for fact in young):
        assert msgspec.json.encode(out) == msgspec.json.encode(expected)
    assert is_part(unstamped(out), unstamped(expected))
    assert all(fact.at <= now - delay.seconds for fact in out)


@given(courses(), st.builds(Delay, moves=st.integers(1, 3)))
def test_moves_are_shown_exactly_when_enough_have_followed(facts: list[Fact], delay: Delay) -> None:
    """Where nothing is withdrawn and no game ends."""
    facts = [fact for fact in facts if not isinstance(fact, (*WITHDRAWS, GameStarted))]
    told = Told()
    begun, gate, plies, shown = told.start(), Gate(delay), 0, 0
    gate.put(begun)
    moves = [fact for fact in facts if isinstance(fact, MoveSettled)]
    for ply, fact in enumerate(moves, 1):
        plies = ply
        shown += len(gate.put(msgspec.structs.replace(fact, ply=ply, game=1)))
        assert shown == max(0, plies - delay.plies)
