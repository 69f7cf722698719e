"""The measuring tool runs the real engine on streams, and tells what it found in tables."""

import json
from pathlib import Path
from typing import Any

import chess
import pytest

from benchmarks.__main__ import main as benchmarks_main
from benchmarks.inference import (
    Beside,
    Costs,
    Played,
    examine,
    examine_all,
    fold_times,
    in_folder,
    main,
    measure,
    simulated,
)
from benchmarks.inference_tables import (
    Group,
    failures,
    figures,
    overview,
    phenomena,
    quantile,
)
from benchmarks.judge import Failure, Tally, Touched
from benchmarks.report import Report

START = chess.STARTING_BOARD_FEN
OPENING = ("e2e4", "e7e5", "g1f3", "b8c6")


def played(*ucis: str) -> tuple[list[str], dict[str, Any]]:
    """Play a game of ordinary moves, one in ten seconds; return its stream and its truth."""
    lines: list[str] = []

    def add(t: float, kind: str, **keys: Any) -> None:
        lines.append(json.dumps({"t": t, "kind": kind, **keys}))

    add(0.0, "meta", board="identity", clock=True, games=[{"variant": "standard"}])
    add(0.0, "snapshot", board=START)
    add(4.0, "clock", left=300, right=300, turn="left", run=True)
    board, moves = chess.Board(), []
    for ply, uci in enumerate(ucis, start=1):
        move, t = chess.Move.from_uci(uci), 10.0 * ply
        man = board.piece_at(move.from_square)
        assert man is not None
        add(t - 1, "field", square=uci[:2], piece=None)
        add(t, "field", square=uci[2:], piece=man.symbol())
        board.push(move)
        turn = "left" if board.turn else "right"
        add(t + 1, "clock", left=300, right=300, turn=turn, run=True)
        reported = {"press": t + 0.5, "reported": t + 1, "reply": None}
        moves.append({"uci": uci, "rest": t, **reported, "how": ["slide"]})
    truth = {"started": 0.0, "ended": 10.0 * len(ucis) + 5, "moves": moves}
    return lines, truth


def write(
    folder: Path, name: str, lines: list[str], game: dict[str, Any], profile: str = "club"
) -> Beside:
    truth = {"stream": name, "profile": profile, "board": "identity", "games": [game]}
    (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    file = folder / f"{name}.truth.json"
    file.write_text(json.dumps(truth))
    return Beside(file)


def test_a_stream_is_followed_and_timed(tmp_path: Path) -> None:
    lines, game = played(*OPENING)
    group, tally = examine(write(tmp_path, "s1", lines, game))
    assert group == Group("club", "identity")
    assert (tally.exact, tally.plies, tally.failed, tally.failures) == (1, 4, 0, [])
    assert list(tally.after_evidence) == pytest.approx([0.0] * 4)
    assert max(tally.provisional_after_rest) < 1.0
    assert len(tally.line_us) == len(lines)
    assert len(tally.settling_us) == 4
    assert len(tally.settling_us) + len(tally.other_us) > len(lines)  # there are deadlines


def test_the_games_of_a_stream_are_timed_as_they_are_set_up() -> None:
    lines, _ = played("f2f3", "e7e5", "g2g4", "d8h4")
    costs = fold_times(lines, "s1")
    before = len(costs.settling_us)
    assert before + len(costs.other_us) > len(lines)
    meta = json.loads(lines[0])
    ending = {"variant": "from_position", "start_fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}
    meta["games"] += [ending]
    more = (
        {"t": 90.0, "kind": "snapshot", "board": "4k3/8/8/8/8/8/4P3/4K3"},
        {"t": 95.0, "kind": "clock", "left": 300, "right": 300, "turn": "left", "run": True},
        {"t": 97.0, "kind": "field", "square": "e2", "piece": None},
        {"t": 98.0, "kind": "field", "square": "e4", "piece": "P"},
        {"t": 99.0, "kind": "clock", "left": 300, "right": 300, "turn": "right", "run": True},
    )
    both = fold_times([json.dumps(meta), *lines[1:], *map(json.dumps, more)], "s1")
    assert len(both.settling_us) == 5
    assert before in (3, 4)  # mate may settle only after the end of the stream


def test_a_stream_without_lines_costs_nothing() -> None:
    assert fold_times([], "s1") == Costs()


def test_slow_readings_are_named() -> None:
    lines, _ = played(*OPENING)
    assert fold_times(lines, "s1", slow_us=1e9).slow == []
    slow = fold_times(lines, "s1", slow_us=-1.0).slow
    assert {json.loads(line)["t"] for line in lines} <= {each.t for each in slow}
    assert {(each.stream, each.what) for each in slow} == {("s1", "slow")}


def test_a_malformed_stream_fails_and_keeps_what_was_told(tmp_path: Path) -> None:
    lines, game = played(*OPENING)
    source = write(tmp_path, "s1", [*lines[:6], "nonsense", *lines[6:]], game)
    _, tally = examine(source)
    assert (tally.streams, tally.failed, tally.exact, tally.matched) == (1, 1, 0, 1)
    assert (tally.failures[0].what, len(tally.line_us)) == ("stream", 0)
    assert tally.failures[0].got.startswith("s1:7: ")


def test_an_engine_that_raises_is_a_failed_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> list[str]:
        raise ZeroDivisionError("no such luck")

    monkeypatch.setattr("benchmarks.inference.infer", broken)
    _, tally = examine(write(tmp_path, "s1", *played(*OPENING)))
    assert tally.failed == 1
    assert tally.failures[0].got == "ZeroDivisionError: no such luck"
    assert "Traceback" in capsys.readouterr().err


def test_a_truth_that_is_none_is_named(tmp_path: Path) -> None:
    source = write(tmp_path, "s1", *played(*OPENING))
    source.truth.write_text('{"stream": 1}')
    with pytest.raises(ValueError, match=r"s1\.truth\.json: "):
        source.load()


def test_many_streams_are_counted_by_group_in_a_fixed_order(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    lines, game = played(*OPENING)
    write(tmp_path, "a", lines, game, "own")
    write(tmp_path, "b", lines, game, "chaos")
    write(tmp_path / "more", "c", lines, game, "clean")
    write(tmp_path / "more", "d", lines, game, "chaos")
    sources = in_folder(tmp_path)
    assert [source.truth.name[0] for source in sources] == ["a", "b", "c", "d"]
    tallies = examine_all(sources, jobs=2)
    assert [group.profile for group in tallies] == ["clean", "chaos", "own"]
    assert [tally.streams for tally in tallies.values()] == [1, 2, 1]


# --- tables --------------------------------------------------------------------------------------


def row(report: Report, what: str) -> list[str]:
    (found,) = [row for row in report.rows if row[0] == what]
    return list(found[1:])


def test_a_quantile_is_a_sample() -> None:
    assert quantile(range(1, 101), 0.95) == 95
    assert quantile([3.0, 1.0, 2.0], 0.95) == 3.0
    assert quantile([7.0], 0.0) == 7.0
    assert quantile([], 0.5) is None


def test_the_overview_says_shares_and_nothing_where_nothing_was_counted() -> None:
    one = Tally(streams=3, games=4, exact=3, determinable=3, determinable_exact=3)
    one.plies, one.standing, one.matched, one.settled_wrong = 200, 160, 150, 1
    report = overview({Group("club", "identity"): one, Group("chaos", "identity"): Tally()})
    assert report.columns == ("what", "club identity", "chaos identity")
    assert row(report, "games exactly right") == ["3 = 75.0%", "0 = -"]
    assert row(report, "… of those that are determinable") == ["3/3 = 100.0%", "0/0 = -"]
    assert row(report, "ply precision / recall") == ["93.750% / 75.000%", "- / -"]
    assert row(report, "wrong moves ever published, per 1,000 plies") == ["1 = 5.00", "0 = -"]
    one.determinable_wrong, one.determinable_plies = 1, 100
    report = overview({Group("club", "identity"): one})
    assert row(report, "… in determinable games") == ["1 = 10.00"]


def test_delays_and_results_stand_in_the_overview() -> None:
    one = Tally(results=4, results_right=2, results_wrong=1, results_missing=1)
    one.illegal, one.alerts, one.illegal_found = 4, 5, 3
    one.after_rest.extend([0.5, 1.0, 2.0])
    one.determinable_after_rest.extend([0.5, 1.0])
    report = overview({Group("club", "identity"): one, Group("chaos", "identity"): Tally()})
    delays = row(report, "published after rest, median / p95 / p99 (s)")
    assert delays == ["1.00 / 2.00 / 2.00", "- / - / -"]
    told = row(report, "… in determinable games, median / p95 (s)")
    assert told == ["0.75 / 1.00", "- / -"]
    assert row(report, "illegal moves found (recall)") == ["75.0% of 4", "- of 0"]
    assert row(report, "illegal alerts right (precision)") == ["60.0% of 5", "- of 0"]
    assert row(report, "results right / wrong / missing") == ["2 / 1 / 1", "0 / 0 / 0"]
    one.determinable_illegal, one.determinable_illegal_found = 2, 1
    one.determinable_results, one.determinable_results_right = 4, 1
    report = overview({Group("club", "identity"): one})
    assert row(report, "… found in determinable games") == ["50.0% of 2"]
    assert row(report, "… right in determinable games") == ["25.0% of 4"]


def test_phenomena_stand_by_the_harm_they_do() -> None:
    one = Tally(touched={"slide": Touched(10, 2, 0), "flicker": Touched(4, 1, 1)})
    other = Tally(touched={"slide": Touched(5, 0, 0), "wobble": Touched(5, 1, 0)})
    report = phenomena({Group("club", "identity"): one, Group("chaos", "identity"): other})
    assert report.rows == [
        ("flicker", "1/4 = 25.0% (1)", "-"),
        ("slide", "2/10 = 20.0% (0)", "0/5 = 0.0% (0)"),
        ("wobble", "-", "1/5 = 20.0% (0)"),
    ]


def test_the_gravest_failures_come_first() -> None:
    late = Failure("b", 2, "corrected", 3, 9.25, "e2e4", "e2e3", "slide")
    grave = Failure("a", 1, "move", 7, 1.0, "e2e4", "-", "")
    report = failures({Group("club", "identity"): Tally(failures=[late, grave])}, most=1)
    assert report.title == "Failures: 1 of 2"
    assert report.rows == [("club identity", "a", "1", "move", "7", "1.00", "e2e4", "-", "")]


def test_the_command_prints_tables_and_writes_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines, game = played(*OPENING)
    write(tmp_path, "right", lines, game)
    game["moves"][1]["uci"] = "e7e6"
    write(tmp_path, "wrong", lines, game)
    file = tmp_path / "figures.json"
    told = ["--folder", str(tmp_path), "--jobs", "1", "--worst", "5", "--json", str(file)]
    assert main(told) == 0
    output = capsys.readouterr().out
    assert "club identity" in output
    assert "1 = 50.0%" in output
    (group,) = json.loads(file.read_text())
    # On a machine that is busy a reading may be slow as well, which is a failure of its own.
    wrong = [failure for failure in group["failures"] if failure["what"] != "slow"]
    assert f"Failures: {len(group['failures'])} of" in output
    assert (group["profile"], group["figures"]["exact share"]) == ("club", 0.5)
    assert group["phenomena"]["slide"] == {"plies": 8, "bad": 1, "first": 1}
    assert [failure["expected"] for failure in wrong] == ["e7e6"]
    assert set(group["figures"]) == set(figures(Tally()))


def test_a_folder_without_truth_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--folder", str(tmp_path)])
    assert "no NAME.truth.json" in capsys.readouterr().err


# --- simulated sessions --------------------------------------------------------------------------


def test_sessions_are_played_where_they_are_judged() -> None:
    session = Played("clean", "identity", 3)
    lines, truth = session.load()
    assert session.load() == (lines, truth)
    assert (truth.profile, truth.board) == ("clean", "identity")
    assert json.loads(lines[0])["kind"] == "meta"
    assert truth.games[0].moves[0].rest > truth.games[0].started


def test_sessions_are_played_from_a_file_of_games(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text('[Event "?"]\n\n1. d4 d5 2. c4 *\n')
    _, truth = Played("clean", "identity", 3, file).load()
    assert {tuple(move.uci for move in game.moves) for game in truth.games} == {
        ("d2d4", "d7d5", "c2c4")
    }


def test_each_profile_plays_on_each_board() -> None:
    sessions = simulated(2, seed=7)
    assert len(sessions) == len(set(sessions)) == 12
    assert {session.seed for session in sessions} == {7, 8}


@pytest.mark.usefixtures("unmeasured")
def test_the_standard_tables() -> None:
    first, second = measure(jobs=1, count=1)
    assert row(first, "streams") == ["1"] * 6
    assert first.columns[1:] == second.columns[1:]
    assert first.columns[1:3] == ("clean identity", "clean occupancy")


@pytest.mark.usefixtures("unmeasured")
def test_the_commands_play_by_default(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = ["--profiles", "clean", "--boards", "identity", "--count", "2", "--seed", "5"]
    assert main(told) == 0
    assert f"python -m benchmarks.inference {' '.join(told)}" in capsys.readouterr().out
    monkeypatch.setattr("benchmarks.inference.COUNT", 1)
    assert benchmarks_main(["inference", "--folder", str(tmp_path)]) == 0
    assert "chaos occupancy" in capsys.readouterr().out
