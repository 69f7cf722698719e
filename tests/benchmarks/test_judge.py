"""Judging: hand-made output against hand-made truth, counted by hand."""

import json
import math
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.judge import (
    UNDISTURBED,
    Failure,
    Tally,
    Told,
    Touched,
    TrueGame,
    TrueIllegal,
    TrueMove,
    Truth,
    aligned,
    first_shown,
    judge,
    pair,
    read_told,
    read_truth,
    records,
)

OPENING = ("e2e4", "e7e5", "g1f3", "b8c6")


def move(uci: str, rest: float, *how: str, reported: float | None = None) -> TrueMove:
    return TrueMove(uci=uci, rest=rest, reported=reported, how=how)


def game(*ucis: str, started: float = 0.0, **keys: Any) -> TrueGame:
    """A game whose moves come to rest 10, 20, … seconds after its start, and are seen pressed."""
    moves = [
        move(uci, started + 10.0 * ply, reported=started + 10.0 * ply + 1)
        for ply, uci in enumerate(ucis, start=1)
    ]
    ended = started + 10.0 * len(moves) + 5
    return TrueGame(moves=tuple(moves), started=started, ended=ended, **keys)


def truth(*games: TrueGame) -> Truth:
    return Truth(stream="s1", profile="club", board="identity", games=games)


def settled(*ucis: str, start: float = 1.5) -> list[Told]:
    """The moves, each told 1.5 s after the rest that :func:`game` gives it."""
    return [Told(t=start + 10.0 * ply, move=uci, ply=ply) for ply, uci in enumerate(ucis, start=1)]


def whats(tally: Tally) -> list[tuple[str, int, int, str, str]]:
    return [(each.what, each.game, each.ply, each.expected, each.got) for each in tally.failures]


def test_a_game_that_is_right() -> None:
    tally = judge(truth(game(*OPENING)), settled(*OPENING))
    assert (tally.streams, tally.games, tally.exact, tally.determinable_exact) == (1, 1, 1, 1)
    assert (tally.plies, tally.standing, tally.matched) == (4, 4, 4)
    assert (tally.settled, tally.settled_wrong) == (4, 0)
    assert list(tally.after_rest) == pytest.approx([1.5] * 4)
    assert tally.determinable_after_rest == tally.after_rest
    assert list(tally.after_evidence) == pytest.approx([0.5] * 4)
    assert tally.touched == {UNDISTURBED: Touched(plies=4)}
    assert tally.failures == []


def test_a_wrong_move_is_wrong_once() -> None:
    tally = judge(truth(game(*OPENING)), settled("e2e4", "e7e6", "g1f3", "b8c6"))
    assert (tally.exact, tally.matched, tally.standing, tally.settled_wrong) == (0, 3, 4, 1)
    assert (tally.determinable_plies, tally.determinable_wrong) == (4, 1)
    assert whats(tally) == [("move", 1, 2, "e7e5", "e7e6")]
    assert tally.failures[0].t == 20.0


def test_a_missing_move_shifts_what_is_published_but_not_what_is_matched() -> None:
    tally = judge(truth(game(*OPENING)), settled("e2e4", "g1f3", "b8c6"))
    assert (tally.matched, tally.standing, tally.settled_wrong) == (3, 3, 2)
    assert whats(tally) == [("move", 1, 2, "e7e5", "g1f3")]


def test_a_record_that_ends_early_or_late() -> None:
    assert whats(judge(truth(game(*OPENING)), settled(*OPENING[:3]))) == [
        ("move", 1, 4, "b8c6", "-")
    ]
    late = judge(truth(game(*OPENING[:3])), settled(*OPENING))
    assert whats(late) == [("move", 1, 4, "-", "b8c6")]
    assert (late.failures[0].t, late.settled_wrong, late.exact) == (35.0, 1, 0)


def test_nothing_was_told() -> None:
    tally = judge(truth(game(*OPENING, result="1-0")), [])
    assert (tally.exact, tally.matched, tally.standing) == (0, 0, 0)
    assert tally.touched[UNDISTURBED] == Touched(plies=4, bad=4, first=1)
    assert whats(tally) == [("move", 1, 1, "e2e4", "-"), ("result", 1, 0, "1-0", "-")]


def test_what_cannot_be_determined_is_counted_apart() -> None:
    tally = judge(truth(game(*OPENING, determinable=False)), settled("e2e4"))
    assert (tally.games, tally.determinable, tally.determinable_exact) == (1, 0, 0)
    assert (len(tally.after_rest), len(tally.determinable_after_rest)) == (1, 0)
    assert (tally.determinable_plies, tally.determinable_wrong) == (0, 0)
    assert whats(tally) == [("open move", 1, 2, "e7e5", "-")]


@pytest.mark.parametrize("determinable", [True, False])
def test_results_and_illegal_moves_of_determinable_games_are_counted_apart(
    determinable: bool,
) -> None:
    illegal = TrueIllegal(ply=2, press=12.0, uci="e7e4", reason="geometry")
    played = game(*OPENING, result="1-0", determinable=determinable, illegal=(illegal,))
    told = [*settled(*OPENING), Told(t=13.0, alert="ILLEGAL_MOVE", illegal=True)]
    tally = judge(truth(played), sorted([*told, Told(t=44.0, result="1-0")], key=lambda x: x.t))
    assert (tally.illegal_found, tally.results_right) == (1, 1)
    assert (tally.determinable_illegal, tally.determinable_illegal_found) == (determinable,) * 2
    assert (tally.determinable_results, tally.determinable_results_right) == (determinable,) * 2


def test_a_corrected_move_was_published_wrong_all_the_same() -> None:
    told = [
        Told(t=11, move="e2e3", ply=1),
        Told(t=12, retract=1),
        *settled(*OPENING, start=3.0),
    ]
    tally = judge(truth(game(*OPENING)), told)
    assert (tally.exact, tally.settled, tally.settled_wrong) == (1, 5, 1)
    assert list(tally.after_rest) == pytest.approx([3.0] * 4)
    assert whats(tally) == [("corrected", 1, 1, "e2e4", "e2e3")]


def test_several_moves_are_withdrawn_from_the_end() -> None:
    told = [*settled("e2e4", "e7e6", "g1f3"), Told(t=40, retract=2)]
    assert records(told)[0].moves == ["e2e4"]


def test_phenomena_show_where_it_began() -> None:
    moves = (
        move("e2e4", 10, "slide"),
        move("e7e5", 20, "slide", "flicker", "slide"),
        move("g1f3", 30, "slide"),
    )
    tally = judge(truth(TrueGame(moves=moves, started=0, ended=40)), settled("e2e4"))
    assert tally.touched == {"slide": Touched(3, 2, 1), "flicker": Touched(1, 1, 1)}
    assert tally.failures[0].how == "slide, flicker, slide; before: slide; after: slide"


# --- several games -------------------------------------------------------------------------------


def test_games_are_split_and_compared_in_order() -> None:
    told = [
        *settled(*OPENING),
        Told(t=44, result="1-0"),
        Told(t=99, new_game=True),
        *settled("d2d4", "d7d5", start=101.5),
    ]
    games = game(*OPENING, result="1-0"), game("d2d4", "d7d5", started=100.0)
    tally = judge(truth(*games), told)
    assert (tally.games, tally.exact, tally.results_right, tally.failures) == (2, 2, 1, [])


def test_a_game_that_was_not_noticed_does_not_spoil_the_next() -> None:
    told = [Told(t=99, new_game=True), *settled("d2d4", "d7d5", start=101.5)]
    tally = judge(truth(game(*OPENING), game("d2d4", "d7d5", started=100.0)), told)
    assert (tally.exact, tally.matched) == (1, 2)
    assert whats(tally) == [("move", 1, 1, "e2e4", "-")]


def test_a_game_cut_in_two_is_not_right() -> None:
    told = [
        *settled("e2e4"),
        Told(t=15, new_game=True),
        *settled("e2e4", "e7e5", "g1f3", "b8c6", start=6.5),
    ]
    true = truth(game(*OPENING))
    ((_, its),) = pair(true, told)
    assert [len(record.standing) for record in its] == [4, 1]
    tally = judge(true, told)
    assert (tally.exact, tally.matched, tally.standing, tally.settled_wrong) == (0, 4, 5, 0)
    assert whats(tally) == [("move", 1, 5, "-", "1 more of another game")]


def test_output_before_the_first_game_belongs_to_it() -> None:
    tally = judge(truth(game(*OPENING, started=100.0)), settled("a2a3"))
    assert (tally.settled_wrong, tally.standing) == (1, 1)


def test_a_truth_has_a_game() -> None:
    text = json.dumps({"stream": "s", "profile": "club", "board": "identity", "games": []})
    with pytest.raises(msgspec.ValidationError, match="games"):
        read_truth(text)


# --- results -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "told", "right", "wrong", "missing"),
    [
        ("1-0", ["1-0"], 1, 0, 0),
        ("1-0", ["0-1"], 0, 1, 0),
        ("1-0", ["0-1", "1-0"], 0, 1, 0),
        ("1-0", [], 0, 0, 1),
        ("*", [], 0, 0, 0),
        ("*", ["1-0"], 0, 1, 0),
    ],
)
def test_results(result: str, told: list[str], right: int, wrong: int, missing: int) -> None:
    shown = [Told(t=50, result=each) for each in told]
    tally = judge(truth(game(*OPENING, result=result)), [*settled(*OPENING), *shown])
    assert tally.exact == 1
    assert tally.results == (result != "*")
    found = (tally.results_right, tally.results_wrong, tally.results_missing)
    assert found == (right, wrong, missing)


# --- delays --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reported", "reply", "decided"),
    [(11.0, 12.0, 11.0), (12.0, 11.0, 11.0), (9.0, None, 10.0), (None, 13.0, 13.0)],
)
def test_the_first_evidence_decides_but_not_before_the_rest(
    reported: float | None, reply: float | None, decided: float
) -> None:
    assert TrueMove("e2e4", 10.0, reported=reported, reply=reply).decided == decided


def test_without_evidence_there_is_no_delay_after_it() -> None:
    true = truth(TrueGame(moves=(move("e2e4", 10.0),), started=0, ended=20))
    tally = judge(true, settled("e2e4"))
    assert (len(tally.after_rest), len(tally.after_evidence)) == (1, 0)


def shown(*lines: tuple[float, str | None]) -> list[Told]:
    return [Told(t=t, provisional=uci) for t, uci in lines]


@pytest.mark.parametrize(
    ("told", "at"),
    [
        (shown((10.3, "e2e4")), 10.3),
        (shown((9.0, "e2e4")), 10.0),
        (shown((9.0, "e2e4"), (9.5, None), (10.4, "e2e4")), 10.4),
        (shown((9.0, "e2e4"), (9.5, "e2e3")), math.inf),
        ([*shown((9.0, "e2e4")), Told(t=9.5, move="d7d5", ply=2)], 10.0),
        ([Told(t=10.7, move="e2e4", ply=1)], 10.7),
        ([Told(t=9.7, move="e2e4", ply=1)], math.inf),
        (shown((10.1, None)), math.inf),
    ],
)
def test_when_a_move_was_first_shown(told: list[Told], at: float) -> None:
    assert first_shown(told, "e2e4", 10.0) == at


def test_what_settled_before_the_rest_was_known_at_the_rest() -> None:
    tally = judge(truth(game("e2e4")), [Told(t=9.0, move="e2e4", ply=1)])
    assert list(tally.provisional_after_rest) == [0.0]
    assert list(tally.after_rest) == [-1.0]


# --- illegal moves -------------------------------------------------------------------------------


def illegal(ply: int, press: float, *, stands: bool = False) -> TrueIllegal:
    return TrueIllegal(ply, press, "e8e7", "KING_LEFT_IN_CHECK", stands)


def alert(t: float) -> Told:
    return Told(t=t, alert="KING_LEFT_IN_CHECK", illegal=True, san_tried="Ke7")


@pytest.mark.parametrize(
    ("tried", "told", "found"),
    [
        (illegal(2, 14.0), [14.0], 1),
        (illegal(2, 14.0), [13.9], 0),
        (illegal(2, 14.0), [20.0], 1),  # the right move came to rest at 20
        (illegal(2, 14.0), [20.1], 0),
        (illegal(2, 17.0), [22.0], 1),  # 5 s after the press
        (illegal(2, 17.0), [22.1], 0),
        (illegal(2, 20.5, stands=True), [29.0], 1),  # the next move is the third
        (illegal(2, 20.5, stands=True), [30.1], 0),
        (illegal(3, 22.0), [27.5], 0),  # the last: there is no next move, the game ended at 25
        (illegal(3, 22.0), [26.9], 1),
        (illegal(2, 14.0), [15.0, 16.0], 1),
    ],
)
def test_an_alert_comes_after_the_press_and_before_the_next_move(
    tried: TrueIllegal, told: list[float], found: int
) -> None:
    ucis = OPENING[:2] if tried.ply == 3 else OPENING
    tally = judge(truth(game(*ucis, illegal=(tried,))), [alert(t) for t in told])
    assert (tally.illegal, tally.alerts, tally.illegal_found) == (1, len(told), found)
    kinds = [each.what for each in tally.failures]
    assert kinds.count("illegal missed") == 1 - found
    assert kinds.count("false alert") == len(told) - found


def test_a_missed_and_a_false_alert_are_named() -> None:
    told = [*settled(*OPENING), alert(23.0), Told(t=24.0, alert="SCORESHEET_GAP")]
    told.sort(key=lambda line: line.t)
    tally = judge(truth(game(*OPENING, illegal=(illegal(4, 33.0),))), told)
    assert whats(tally) == [
        ("illegal missed", 1, 4, "e8e7 KING_LEFT_IN_CHECK", "-"),
        ("false alert", 1, 2, "-", "KING_LEFT_IN_CHECK Ke7"),
    ]


def test_a_false_alert_before_the_first_game() -> None:
    tally = judge(truth(game(*OPENING, started=100.0)), [alert(3.0)])
    assert whats(tally)[-1] == ("false alert", 1, 0, "-", "KING_LEFT_IN_CHECK Ke7")


# --- reading and adding --------------------------------------------------------------------------


def test_truth_and_output_are_read_as_they_are_written() -> None:
    one = {
        "uci": "e2e4",
        "rest": 3.2,
        "press": None,
        "reported": 4.3,
        "reply": None,
        "how": ["slide"],
    }
    whole = {
        "format": "board-truth/1",
        "stream": "s",
        "profile": "club",
        "board": "identity",
        "seed": 17,
        "games": [{"variant": "standard", "started": 0.0, "ended": 6.0, "moves": [one]}],
    }
    read = read_truth(json.dumps(whole))
    assert read.games[0].moves == (TrueMove("e2e4", 3.2, None, 4.3, None, ("slide",)),)
    told = read_told(
        ['{"t":1,"provisional":null}', '{"t":2,"cleared":"X"}', '{"t":3,"new_game":true}']
    )
    assert [line.provisional is None for line in told] == [True, False, False]
    assert told[2].new_game


def test_tallies_add_up() -> None:
    one = judge(truth(game(*OPENING)), settled(*OPENING))
    other = judge(truth(game(*OPENING)), settled("e2e4", "e7e6", "g1f3", "b8c6"))
    total = Tally()
    total.add(one)
    total.add(other)
    assert (total.streams, total.games, total.exact, total.plies, total.matched) == (2, 2, 1, 8, 7)
    assert len(total.after_rest) == 7
    assert total.touched == {UNDISTURBED: Touched(8, 1, 1)}
    assert [type(each) for each in total.failures] == [Failure]
    assert one.touched == {UNDISTURBED: Touched(4, 0, 0)}


sequences = st.lists(st.sampled_from("abc"), max_size=9)


def longest(one: list[str], other: list[str]) -> int:
    if not one or not other:
        return 0
    if one[0] == other[0]:
        return 1 + longest(one[1:], other[1:])
    return max(longest(one[1:], other), longest(one, other[1:]))


@given(sequences, sequences)
def test_alignment_is_a_longest_common_subsequence(one: list[str], other: list[str]) -> None:
    pairs = list(aligned(one, other).items())
    assert all(one[i] == other[j] for i, j in pairs)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))
    assert len(pairs) == longest(one, other)
