"""The tournament in which things go wrong: its plan, its judgement, and a short one."""

import argparse
import contextlib
import itertools
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import chess
import msgspec
import pytest

from benchmarks.tournament import plan
from benchmarks.tournament.__main__ import _wait_for_end, main
from benchmarks.tournament.daemon import TOLD, Told
from benchmarks.tournament.hall import HallPlayed, exchangeable
from benchmarks.tournament.plan import (
    HIDING,
    OF_ALL,
    OF_THE_HALL,
    OF_THE_RADIO,
    Fault,
    PlanError,
    Tables,
    drawn,
    read,
    with_kills,
)
from benchmarks.tournament.promises import Broken, judged, told_in
from benchmarks.tournament.seats import Played
from bridge.core.model import (
    AlertRaised,
    Fact,
    GameEnded,
    GameStarted,
    LinkChanged,
    MovesCorrected,
    MoveSettled,
    TableSetup,
)
from bridge.store.journal import Journal
from tests.bridge.readings import run

HALL = Tables(cabled=6, radio=2, exchangeable=exchangeable(6))
EVERYTHING = """\
- {at: 2, what: hub, tables: [1, 2], seconds: 2}
- {at: 3, what: storm, seconds: 6}
- {at: 6, what: noise, tables: [3], seconds: 15}
- {at: 8, what: hang, tables: [4], seconds: 8}
- {at: 9, what: silent clock, tables: [5], seconds: 9}
- {at: 9, what: still clock, tables: [6], seconds: 9}
- {at: 10, what: files, seconds: 5}
- {at: 12, what: no clock, tables: [1], seconds: 8}
- {at: 16, what: receiver, seconds: 5}
- {at: 18, what: bluetoothd, seconds: 2}
- {at: 20, what: exchange, tables: [5, 6], seconds: 3}
- {at: 22, what: outputs, seconds: 10}
- {at: 23, what: other clock, tables: [2]}
- {at: 26, what: unplug, tables: [4], seconds: 6}
- {at: 30, what: adapter, seconds: 8}
- {at: 42, what: kill, seconds: 2}
"""


@pytest.mark.timeout(180)
def test_promises_are_kept_while_everything_goes_wrong(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(EVERYTHING, "utf-8")
    assert {fault.what for fault in read(path, HALL)} == {*get_args(plan.Kind)}
    options = ["--boards", "6", "--radio", "2", "--minutes", "1.1", "--rate", "4"]
    assert main([*options, "--pace", "blitz", "--plan", str(path)]) == 0, capfd.readouterr().out
    said = capfd.readouterr().out
    assert "Faults: 16" in said
    assert "8, 8" in said


def test_a_plan_that_is_none_is_said_before_anybody_plays(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text("- {at: 1, what: storm}", "utf-8")
    assert main(["--boards", "2", "--plan", str(path)]) == 2
    assert "storm at 1: no table is on the radio" in capfd.readouterr().err


@pytest.mark.timeout(120)
@pytest.mark.parametrize("who", ["tournament", "everybody", "hall"])
def test_whoever_is_ended_leaves_nobody_behind(tmp_path: Path, who: str) -> None:
    """Time would stand still for a daemon without a hall, and it could not end."""
    options = ["--boards", "1", "--radio", "1", "--minutes", "60"]
    command = [sys.executable, "-m", "benchmarks.tournament", *options]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=environment, start_new_session=True) as tournament:
        try:
            while not [*tmp_path.glob("tournament-*/following")]:
                assert tournament.poll() is None
                time.sleep(0.1)
            of_all = _of_session(tournament.pid)
            assert len(of_all) == 4  # with the D-Bus of the radio
            match who:
                case "tournament":
                    tournament.terminate()
                case "everybody":  # as timeout(1) does
                    os.killpg(tournament.pid, signal.SIGTERM)
                case _:
                    (hall,) = (pid for pid, says in of_all.items() if "--role hall" in says)
                    os.kill(hall, signal.SIGTERM)
            assert tournament.wait() == (1 if who == "hall" else 128 + signal.SIGTERM)
            assert _of_session(tournament.pid) == {}
        finally:
            for pid in _of_session(tournament.pid):
                os.kill(pid, signal.SIGKILL)


def _of_session(session: int) -> dict[int, str]:
    """Return the processes of a session that run, and their commands."""
    found: dict[int, str] = {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            _, _, rest = (process / "stat").read_text("ascii").rpartition(") ")
            state, _parent, _group, its_session, *_ = rest.split()
            if int(its_session) == session and state != "Z":
                words = (process / "cmdline").read_bytes().decode("utf-8").split("\0")
                found[int(process.name)] = " ".join(words)
    return found


def test_a_daemon_that_ends_by_itself_is_told(tmp_path: Path) -> None:
    options = argparse.Namespace(folder=tmp_path, rate=1.0, since=0.0)
    with subprocess.Popen(["sleep", "600"]) as hall:
        try:
            for command, ends_well in ((["true"], False), (["sh", "-c", "kill -9 $$"], True)):
                with subprocess.Popen(command) as daemon:
                    daemon.wait()
                    expected = (
                        contextlib.nullcontext()
                        if ends_well
                        else pytest.raises(RuntimeError, match="ended by itself")
                    )
                    with expected:
                        _wait_for_end(options, hall, daemon)
        finally:
            hall.kill()


# --- the plan -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {at: 1, what: fire}", "Invalid enum value 'fire'"),
        ("- {at: 1, what: hang, table: 3}", "unknown field `table`"),
        ("- {at: 1, what: hang}", "hang at 1: which tables?"),
        ("- {at: 1, what: files, tables: [1]}", "files at 1: which tables?"),
        ("- {at: 1, what: storm, tables: [7]}", "storm at 1: which tables?"),
        ("- {at: 1, what: hang, tables: [7]}", "hang at 1: only tables 1 to 6 can have that"),
        ("- {at: 1, what: unplug, tables: [9]}", "unplug at 1: only tables 1 to 8 can have that"),
        ("- {at: 1, what: exchange, tables: [5]}", "exchange at 1: two boards are exchanged"),
        ("{", "expected the node content"),
        (
            "[{at: 1, what: hang, tables: [1], seconds: 9}, {at: 5, what: unplug, tables: [1]}]",
            "unplug at 5: another fault lasts until then",
        ),
        (
            "[{at: 1, what: adapter, seconds: 9}, {at: 5, what: unplug, tables: [7]}]",
            "unplug at 5: another fault lasts until then",
        ),
        (
            "[{at: 1, what: outputs, seconds: 9}, {at: 5, what: files}]",
            "files at 5: another fault lasts until then",
        ),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_said(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(PlanError, match=message):
        read(path, HALL)


def test_a_plan_is_drawn_for_all_tables_and_leaves_each_in_peace_between() -> None:
    hall = Tables(cabled=20, radio=4, exchangeable=exchangeable(20))
    faults = drawn(hall, seconds=36_000, every=600, seed=1)
    assert faults == drawn(hall, seconds=36_000, every=600, seed=1)
    assert {fault.what for fault in faults} == {*get_args(plan.Kind)} - {*OF_ALL}
    assert {table for fault in faults for table in fault.tables} == {*range(1, 25)}
    for fault in faults:
        assert (fault.tables == ()) == (fault.what in OF_THE_HALL + OF_THE_RADIO)
        assert fault.what not in OF_ALL
        assert fault.what != "exchange" or {*fault.tables} <= {*exchangeable(20)}
    for one, other in itertools.combinations(faults, 2):
        if {*hall.places(one)} & {*hall.places(other)}:
            assert one.ends + plan.REST <= other.at
    cabled = drawn(Tables(cabled=4), seconds=72_000, every=60_000, seed=1)
    assert not {fault.what for fault in cabled} & {*OF_THE_RADIO}
    assert any(fault.what in HIDING for fault in faults)


def test_nothing_else_goes_wrong_at_a_table_while_there_is_no_daemon() -> None:
    hall = Tables(cabled=6, radio=2, exchangeable=exchangeable(6))
    faults = drawn(hall, seconds=36_000, every=600, seed=1)
    both = with_kills(faults, 40, seconds=36_000, seed=1)
    kills = [fault for fault in both if fault.what == "kill"]
    others = [fault for fault in both if fault.what != "kill"]
    assert len(kills) == 40
    assert {*others} < {*faults}
    assert {fault.what for fault in others} == {fault.what for fault in faults}
    assert both == sorted(both, key=lambda fault: fault.at)
    for kill, fault in itertools.product(kills, others):
        apart = kill.ends + plan.REST <= fault.at or fault.ends + plan.REST <= kill.at
        assert apart or fault.what in OF_THE_HALL
    for one, other in itertools.pairwise(kills):
        assert one.ends + plan.REST <= other.at


# --- the judgement --------------------------------------------------------------------------------

GAME = ["e2e4", "e7e5", "g1f3"]


def judgement(
    folder: Path,
    facts: Sequence[Fact],
    *,
    received: Sequence[str] = (),
    faults: Sequence[Fault] = (),
    begun: str = "",
) -> Broken:
    """Judge what was told of one game; a second passes from fact to fact."""
    lines = [msgspec.json.encode(Told(float(now), fact)) for now, fact in enumerate(facts)]
    (folder / TOLD).write_bytes(b"".join(line + b"\n" for line in lines))
    games = {"1": [Played([*GAME], [1.0, 2.0, 3.0], ended=not begun, begun=begun)]}
    return judged(folder, HallPlayed(0.0, 100.0, games, [*faults], [*received], [2]))


def told(kind: type[Fact], **what: object) -> Fact:
    return msgspec.convert(
        {"fact": kind.__name__, "table": "1", "game": 1, "at": 0.0, "wall": 0.0, "evidence": (0, 0)}
        | what,
        kind,
    )


def settled(ply: int, uci: str) -> Fact:
    colour = "white" if ply % 2 else "black"
    return told(
        MoveSettled, ply=ply, uci=uci, san=uci, colour=colour, fen=chess.STARTING_FEN, basis="press"
    )


BEGUN = told(
    GameStarted, setup=msgspec.to_builtins(TableSetup()), fen=chess.STARTING_FEN, rotated=False
)
ENDED = told(GameEnded, result="1/2-1/2", by="kings")
MOVES = [settled(ply, uci) for ply, uci in enumerate(GAME, start=1)]


def test_a_game_as_it_was_played(tmp_path: Path) -> None:
    broken = judgement(tmp_path, [BEGUN, *MOVES, ENDED])
    assert (broken.words, broken.games, broken.exact, broken.longest_wrong) == ([], 1, 1, 0.0)


def test_a_wrong_move_that_stays(tmp_path: Path) -> None:
    broken = judgement(tmp_path, [BEGUN, MOVES[0], settled(2, "c7c5"), MOVES[2], ENDED])
    assert broken.words == ["table 1, game 1: 3 of 3 plies, not as played from ply 2 on"]


def test_a_wrong_move_that_is_corrected(tmp_path: Path) -> None:
    taken_back = told(MovesCorrected, ply=2, count=1, reason="seen again")
    facts = [BEGUN, MOVES[0], settled(2, "c7c5"), taken_back, *MOVES[1:], ENDED]
    broken = judgement(tmp_path, facts)
    assert (broken.words, broken.corrections, broken.longest_wrong) == ([], 1, 1.0)


def test_a_lost_end_a_false_accusation_and_an_alert_that_stays(tmp_path: Path) -> None:
    accused = told(AlertRaised, code="ILLEGAL_MOVE", severity="critical", text="no")
    away = told(AlertRaised, code="BOARD_DISCONNECTED", severity="warning", text="gone")
    broken = judgement(tmp_path, [BEGUN, *MOVES[:2], accused, away])
    assert broken.accusations.total() == 1
    assert broken.words == [
        "table 1, game 1: 2 of 3 plies, not as played from ply 3 on",
        "table 1, game 1: its end was not told",
        "table 1: BOARD_DISCONNECTED is still raised",
        "table 1: players were accused: ILLEGAL_MOVE",
    ]


def test_a_game_that_was_never_told(tmp_path: Path) -> None:
    (first, *_) = judgement(tmp_path, [BEGUN]).words
    assert first == "table 1, game 1: 0 of 3 plies, not as played from ply 1 on"


def test_a_move_that_was_begun_may_be_told_or_not(tmp_path: Path) -> None:
    for facts in ([BEGUN, *MOVES], [BEGUN, *MOVES, settled(4, "b8c6")]):
        assert judgement(tmp_path, facts, begun="b8c6").words == []
    other = judgement(tmp_path, [BEGUN, *MOVES, settled(4, "g8f6")], begun="b8c6")
    assert other.words == ["table 1, game 1: 4 of 3 plies, not as played from ply 4 on"]


ARRIVED = ["a MoveSettled", "b MoveSettled", "c MoveSettled"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the journal and the file of the game."""
    with Journal.open(tmp_path / "data" / "journal.sqlite3", window=0.0) as opened:
        opened.submit(run(range(1, 11)), lambda: None)
    write(tmp_path, "1. e4 e5 2. Nf3")
    return tmp_path


def write(folder: Path, moves: str) -> None:
    path = folder / "games" / "1" / "1-1.pgn"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'[Event "?"]\n[Result "*"]\n\n{moves} *\n\n')


def test_messages_that_never_come(folder: Path) -> None:
    down = [Fault(at=0, what="receiver")]
    broken = judgement(folder, [BEGUN, *MOVES, ENDED], received=ARRIVED[:1] * 2, faults=down)
    assert broken.words == ["3 moves were told, 1 came by webhook"]


@pytest.mark.parametrize(("moves", "plies"), [("", 0), ("1. e4 c5 2. Nf3", 3)])
def test_files_that_are_not_what_was_told(folder: Path, moves: str, plies: int) -> None:
    write(folder, moves)
    down = [Fault(at=0, what="files")]
    broken = judgement(folder, [BEGUN, *MOVES, ENDED], received=ARRIVED, faults=down)
    words = f"table 1, game 1: 3 plies were told, its file has {plies} or others"
    assert broken.words == [words]
    (folder / "games" / "1" / "1-1.pgn").unlink()
    missing = judgement(folder, [BEGUN, *MOVES, ENDED], received=ARRIVED, faults=down)
    assert missing.words == [words.replace(f"has {plies}", "has 0")]


def test_boards_that_are_away_in_silence(folder: Path) -> None:
    away = [Fault(at=2, what="hang", tables=(1,), seconds=10), Fault(at=2, what="storm")]
    lost = told(LinkChanged, state="stale", detail="silent")
    for facts, words in (
        ([BEGUN, lost, *MOVES, ENDED], ["table 1: nobody was told of hang at 2 s"]),
        ([BEGUN, *MOVES, lost, ENDED], []),
    ):
        assert judgement(folder, facts, received=ARRIVED, faults=away).words == words
    killed = [Fault(at=2, what="bluetoothd", seconds=20)]
    silent = judgement(folder, [BEGUN, *MOVES, ENDED], received=ARRIVED, faults=killed)
    assert silent.words == ["table 2: nobody was told of bluetoothd at 2 s"]


KILLED = [Fault(at=2, what="kill", seconds=1)]


def test_what_a_new_daemon_tells_again_is_told_once(folder: Path) -> None:
    facts = [BEGUN, MOVES[0], BEGUN, *MOVES, ENDED]
    assert judgement(folder, facts, received=ARRIVED, faults=KILLED).words == []
    with (folder / TOLD).open("ab") as file:
        file.write(b'{"now":9.0,"fact":{"fact":"MoveSett')
    assert len(told_in(folder)) == 5
    other = [BEGUN, MOVES[0], BEGUN, settled(1, "d2d4"), *MOVES[1:], ENDED]
    broken = judgement(folder, other, received=[*ARRIVED, "d MoveSettled"], faults=KILLED)
    assert broken.words[0] == "table 1, game 1: 3 of 3 plies, not as played from ply 1 on"


def test_a_journal_with_a_gap_or_a_damaged_one(folder: Path) -> None:
    journal = folder / "data" / "journal.sqlite3"
    with contextlib.closing(sqlite3.connect(journal)) as database:
        database.execute("DELETE FROM readings WHERE seq = 5")
        database.commit()
    journal.with_name("journal.sqlite3.damaged-1").touch()
    broken = judgement(folder, [BEGUN, *MOVES, ENDED], received=ARRIVED, faults=KILLED)
    assert broken.words == ["the journal was found damaged", "readings are missing on dgt-1"]
