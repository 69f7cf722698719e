"""The measuring tool of alerts: what counts as true, what as false and what as missed."""

import math
from collections.abc import Sequence
from pathlib import Path

import chess
import msgspec
import pytest

from benchmarks.alerts import examine, main, overview
from benchmarks.alerts_judge import ILLEGAL_MOVE, AlertTally, judge_alerts
from benchmarks.alerts_truth import OVER, Happened, Shown, read_shown
from benchmarks.inference import Played
from benchmarks.inference_tables import Group
from benchmarks.judge import TrueGame, TrueIllegal, TrueMove, Truth
from bridge.core.model import (
    AlertRaised,
    Fact,
    GameStarted,
    MovesCorrected,
    MoveSettled,
    Severity,
    TableSetup,
)

OPENING = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
NOTHING = Shown([], [], [])


def game(
    *ucis: str,
    how: dict[int, tuple[str, ...]] | None = None,
    illegal: tuple[TrueIllegal, ...] = (),
    variant: str = "standard",
    start_fen: str = chess.STARTING_FEN,
    result: str = "*",
) -> TrueGame:
    """Return a game that began at 10 s, with a ply every 10 s from 20 s on."""
    moves = tuple(
        TrueMove(uci=uci, rest=10.0 + 10 * ply, how=(how or {}).get(ply, ()))
        for ply, uci in enumerate(ucis, start=1)
    )
    return TrueGame(moves, 10.0, 15.0 + 10 * len(ucis), variant, start_fen, "?", result, illegal)


def alert(code: str, at: float, severity: Severity = "warning") -> AlertRaised:
    return AlertRaised(
        table="1", game=1, at=at, wall=at, evidence=(1, 1), code=code, severity=severity, text="-"
    )


def settled(at: float, ply: int = 1) -> MoveSettled:
    return MoveSettled(
        table="1", game=1, at=at, wall=at, evidence=(1, 1), ply=ply, uci="e2e4", san="e4",
        colour="white", fen=chess.STARTING_FEN, basis="press",
    )  # fmt: skip


def is_true(
    code: str, at: float, of: TrueGame, shown: Shown = NOTHING, facts: Sequence[Fact] = ()
) -> bool:
    return Happened(of, shown, facts).says(alert(code, at))


def judged(of: TrueGame, *alerts: AlertRaised, shown: Shown = NOTHING) -> AlertTally:
    return judge_alerts(Truth("s", "club", "identity", (of,)), shown, alerts)


WRONG = TrueIllegal(ply=3, press=36.0, uci="g1g3", reason="ILLEGAL_MOVE")


# -- what is shown ---------------------------------------------------------------------------------


def test_a_stream_shows_turns_stops_and_losses() -> None:
    lines = [
        '{"t":0,"kind":"meta","board":"identity","clock":true,"games":[]}',
        '{"t":1,"kind":"clock","left":300,"right":300,"turn":"left","run":false}',
        '{"t":2,"kind":"clock","left":300,"right":300,"turn":"left","run":true}',
        '{"t":5,"kind":"clock","left":297,"right":300,"turn":"right","run":true}',
        '{"t":6,"kind":"link","state":"down"}',
        '{"t":8,"kind":"link","state":"up"}',
        '{"t":9,"kind":"clock","left":297,"right":296,"turn":"right","run":false}',
        '{"t":20,"kind":"clock","left":297,"right":296,"turn":"right","run":true}',
        '{"t":30,"kind":"clock","left":297,"right":286,"turn":"right","run":false}',
    ]
    assert read_shown(lines) == Shown([1, 5], [(9, 20), (30, math.inf)], [6])


def test_a_running_clock_that_is_heard_no_more_is_silent_unless_the_link_is_lost() -> None:
    ticks = [
        '{{"t":{},"kind":"clock","turn":"left","run":{}}}'.format(*each)
        for each in ((1, "true"), (20, "true"), (22, "false"), (60, "true"), (90, "true"))
    ]
    lost = '{"t":61,"kind":"link","state":"down"}', '{"t":80,"kind":"link","state":"up"}'
    shown = read_shown([*ticks[:4], *lost, ticks[4]])
    assert shown.silent == [1, 90]
    of = game(*OPENING)
    assert [is_true("CLOCK_FAULT", at, of, shown) for at in (17.0, 80.0, 107.0)] == [
        True,
        False,
        True,
    ]


# -- what is true ----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["ILLEGAL_MOVE", "POSITION_UNRESOLVED", "PIECES_DISPLACED"])
def test_an_illegal_move_is_told_from_its_press_to_the_next_move(code: str) -> None:
    of = game(*OPENING, illegal=(WRONG,))
    assert [is_true(code, at, of) for at in (35.0, 36.0, 41.0, 41.1)] == [False, True, True, False]


def test_what_never_happens_is_false_whenever_it_is_told() -> None:
    assert not is_true("FLAG_FALL", 40.0, game(*OPENING, illegal=(WRONG,)))


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("CLOCK_PRESSED_BEFORE_MOVE", "early press"),
        ("PIECES_DISPLACED", "knock"),
        ("POSITION_UNRESOLVED", "knock"),
        ("POSITION_UNRESOLVED", "link loss"),
    ],
)
def test_what_hands_and_link_did_near_by_makes_it_true(code: str, how: str) -> None:
    of = game(*OPENING, how={3: (how,)})
    assert [is_true(code, at, of) for at in (25.0, 35.0, 55.0, 65.0)] == [False, True, True, False]


def test_after_an_illegal_move_that_stands_nothing_explains_the_men() -> None:
    of = game(*OPENING, illegal=(TrueIllegal(3, 36.0, "g1g3", "ILLEGAL_MOVE", stands=True),))
    assert not is_true("POSITION_UNRESOLVED", 30.0, of)
    assert is_true("POSITION_UNRESOLVED", 75.0, of)


def test_an_illegal_move_that_stands_may_be_told_late_for_the_position_before_it() -> None:
    stands = TrueIllegal(3, 36.0, "g1g3", "ILLEGAL_MOVE", stands=True)
    of = game("e2e4", "e7e5", "g1g3", "b8c6", "f1c4", illegal=(stands,))
    before = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    for restore, is_right in ((before, True), (chess.STARTING_FEN, False)):
        late = msgspec.structs.replace(alert("ILLEGAL_MOVE", 60.0), restore=restore)
        assert Happened(of, NOTHING, ()).says(late) is is_right


def test_a_lost_link_is_told_at_once() -> None:
    shown = Shown([], [], [30.0])
    found = [is_true("BOARD_DISCONNECTED", at, game(*OPENING), shown) for at in (29, 30, 31, 32)]
    assert found == [False, True, True, False]


def test_a_gap_is_a_move_that_the_record_lacks() -> None:
    of = game(*OPENING)
    begun = GameStarted(
        table="1", game=1, at=0.0, wall=0.0, evidence=(1, 1), setup=TableSetup(),
        fen=chess.STARTING_FEN, rotated=False,
    )  # fmt: skip
    facts: list[Fact] = [begun, settled(21.0), settled(31.0, 2)]
    assert not is_true("SCORESHEET_GAP", 45.0, of, facts=facts)
    assert is_true("SCORESHEET_GAP", 55.0, of, facts=facts)
    taken_back = MovesCorrected(
        table="1", game=1, at=32.0, wall=0.0, evidence=(1, 1), ply=2, count=1, reason="-"
    )
    assert is_true("SCORESHEET_GAP", 45.0, of, facts=[*facts, taken_back])


def test_a_stop_is_a_call_in_play_or_with_a_draw_to_be_claimed() -> None:
    shown = Shown([], [(32.0, 50.0), (80.0, math.inf)], [])
    of = game(*OPENING)
    assert is_true("CLOCK_STOPPED_BY_PLAYER", 40.0, of, shown)
    assert not is_true("CLOCK_STOPPED_BY_PLAYER", 85.0, of, shown)
    assert not is_true("CLOCK_STOPPED_BY_PLAYER", 20.0, of, NOTHING)
    repeated = game(*SHUFFLE * 2)
    assert is_true("CLOCK_STOPPED_BY_PLAYER", 93.0, repeated, Shown([], [(92.0, math.inf)], []))


@pytest.mark.parametrize(
    ("code", "of", "at"),
    [
        ("FIVEFOLD", game(*SHUFFLE * 4), 170.0),
        ("SEVENTY_FIVE", game("e1d1", start_fen="4k3/8/8/8/8/8/7R/4K3 w - - 149 99"), 20.0),
        ("DEAD_POSITION", game("e1d2", start_fen="4k3/8/8/8/8/8/3p4/4K3 w - - 0 1"), 20.0),
    ],
)
def test_what_ends_a_game_by_itself(code: str, of: TrueGame, at: float) -> None:
    assert not is_true(code, at - 0.1, of)
    assert is_true(code, at, of)
    assert judged(of).missed == {code: 1}
    assert judged(of, alert(code, at + 1)).true == {code: 1}


def test_moves_after_the_end_are_told_of_games_that_ended_by_themselves() -> None:
    of = game("e1d2", "e8d8", start_fen="4k3/8/8/8/8/8/3p4/4K3 w - - 0 1")
    assert [is_true("MOVE_AFTER_GAME_END", at, of) for at in (19.0, 31.0)] == [False, True]


def test_a_position_of_chess960_is_played_by_its_rules() -> None:
    start = chess.Board.from_chess960_pos(100).fen()
    assert not judged(game("e2e4", variant="chess960", start_fen=start)).missed


# -- causes ----------------------------------------------------------------------------------------


def test_a_cause_names_the_phase_or_what_touched_the_moves() -> None:
    open_end = game(*OPENING, how={2: ("slide",), 3: ("adjust", "slide")})
    shown = Shown([], [(72.0, math.inf)], [])
    happened = Happened(open_end, shown, ())
    assert happened.causes(19.9) == ["before the first move"]
    assert happened.causes(35.0) == ["adjust", "slide"]
    assert happened.causes(65.0) == ["undisturbed"]
    assert happened.causes(73.0) == [OVER]
    assert happened.causes(75.0) == [OVER]
    assert Happened(game(*OPENING, result="1-0"), shown, ()).causes(75.0) == ["after the end"]


# -- counting --------------------------------------------------------------------------------------


def test_alerts_are_counted_and_timed() -> None:
    of = game(*OPENING, illegal=(WRONG,))
    found = judged(
        of,
        alert("BOARD_BUMPED", 12.0, "notice"),
        alert("ILLEGAL_MOVE", 38.0, "critical"),
        alert("WRONG_SIDE_MOVED", 60.0, "critical"),
        shown=Shown([36.5], [], []),
    )
    assert (found.games, found.plies, found.illegal, found.spoilt) == (1, 6, 1, 1)
    assert (found.true, found.false) == ({"ILLEGAL_MOVE": 1}, {"WRONG_SIDE_MOVED": 1})
    assert (list(found.after_press), list(found.after_report)) == ([2.0], [1.5])
    assert found.causes == {("WRONG_SIDE_MOVED", "undisturbed"): 1}
    assert [(each.what, each.ply, each.t) for each in found.failures] == [("false alert", 5, 60.0)]


def test_an_alert_before_the_report_has_no_delay_from_it() -> None:
    of = game(*OPENING, illegal=(WRONG,))
    found = judged(of, alert("ILLEGAL_MOVE", 38.0), shown=Shown([39.0], [], []))
    assert (list(found.after_press), list(found.after_report)) == ([2.0], [])


def test_what_no_alert_tells_is_missed() -> None:
    found = judged(game(*OPENING, illegal=(WRONG,)))
    assert (found.missed, found.spoilt) == ({ILLEGAL_MOVE: 1}, 0)
    assert found.failures[0].expected == "g1g3 ILLEGAL_MOVE"


def test_alerts_belong_to_the_game_that_was_on() -> None:
    first, second = game(*OPENING), game(*SHUFFLE * 4)
    second.started, second.ended = 200.0, 400.0
    for move in second.moves:
        move.rest += 200.0
    truth = Truth("s", "club", "identity", (first, second))
    found = judge_alerts(truth, NOTHING, [alert("FIVEFOLD", 371.0, "critical")])
    assert (found.games, found.true, found.missed) == (2, {"FIVEFOLD": 1}, {})


# -- the tool --------------------------------------------------------------------------------------


def test_a_real_session_is_judged() -> None:
    group, tally = examine(Played("club", "identity", 1))
    assert group == Group("club", "identity")
    assert (tally.streams, tally.failed, tally.plies > 20) == (1, 0, True)


def test_a_table_that_raises_is_a_failed_stream(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> list[Fact]:
        raise ZeroDivisionError("no such luck")

    monkeypatch.setattr("benchmarks.alerts.fold", broken)
    group, tally = examine(Played("club", "identity", 1))
    assert (tally.failed, tally.games) == (1, 0)
    assert tally.failures[0].got == "ZeroDivisionError: no such luck"
    assert "Traceback" in capsys.readouterr().err
    assert ["false alerts in so many games", "0.00 in 100"] in [
        list(row) for row in overview({group: tally}).rows
    ]


def test_the_tables_are_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ["--profiles", "chaos", "--boards", "identity", "--count", "1", "--jobs", "1"]
    assert main([*arguments, "--worst", "3", "--rules", "blitz_b3"]) == 0
    said = capsys.readouterr().out
    assert "python -m benchmarks.alerts --profiles chaos" in said
    for title in ("Alerts that call", "True / false / missed", "by what went on", "Failures"):
        assert title in said
    assert main(arguments) == 0
    assert "Failures" not in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--folder", str(tmp_path)])
