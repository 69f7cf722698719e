"""Every benchmark runs, and measures what it says it measures."""

import os
import re
from collections import defaultdict
from functools import partial
from pathlib import Path
from random import Random

import chess
import pytest

from benchmarks import codec, core, hall, journal
from benchmarks.__main__ import main
from benchmarks.report import YARD_OBJECT, Report, Spread, spread, yardstick
from benchmarks.wire import recorded_game, simulated_game, wandering_game, whole_messages
from bridge.core.model import MoveSettled
from drivers.simulated import games
from tests.shared import shared

YARD = 2e-6


def column(report: Report, number: int) -> dict[str, str]:
    return {row[0]: row[number] for row in report.rows}


def test_a_spread_names_samples() -> None:
    assert spread([3.0, 1.0, 2.0]) == Spread(3, 2.0, 3.0, 3.0)
    assert spread(range(1, 1001)) == Spread(1000, 500.5, 990, 1000)
    with pytest.raises(ValueError, match="measured nothing"):
        spread([])


def test_the_yardstick_is_as_long_as_it_says() -> None:
    assert len(YARD_OBJECT) == 100
    assert yardstick(rounds=1, repeats=10) > 0


def test_damaged_streams_are_refused() -> None:
    assert whole_messages(bytes.fromhex("8e00050304 9300050001")) == [
        bytes.fromhex("8e00050304"),
        bytes.fromhex("9300050001"),
    ]
    for damaged in ("8e000003", "8e00050304 9300", "8e000503"):
        with pytest.raises((ValueError, IndexError)):
            whole_messages(bytes.fromhex(damaged))


def test_a_wandering_game_goes_on_without_its_kings() -> None:
    game = wandering_game(60, Random(1))
    board = game.board()
    for move in game.mainline_moves():
        if board.piece_type_at(move.from_square) == chess.KING:
            assert all(
                board.piece_type_at(other.from_square) == chess.KING for other in board.legal_moves
            )
        assert board.is_legal(move)
        board.push(move)
        assert any(board.legal_moves)
    assert board.ply() == 60


def test_codec_counts_the_same_messages_in_every_way() -> None:
    stream = b"".join(message for _, message in simulated_game("opera", seed=1))
    messages = whole_messages(stream)
    assert codec.boundaries(stream) == len(messages)
    assert codec.decode(messages) == codec.decode([bytes([byte]) for byte in stream])
    report = codec.measure(yard=YARD, passes=1, rounds=1)
    assert column(report, 2)["plain loop over the bytes"] == "1"


def test_codec_takes_the_recorded_game_where_there_is_one() -> None:
    shared("protocols/captures/dgt_usb_game1_normal.hex")
    assert len(recorded_game() or []) == 455
    assert "recorded" in codec.measure(yard=YARD, passes=1, rounds=1).title


def test_codec_simulates_where_nothing_was_recorded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("benchmarks.wire.RECORDED", tmp_path / "missing.hex")
    assert "a simulated game" in codec.measure(yard=YARD, passes=1, rounds=1).title


def test_core_follows_the_game_it_measures() -> None:
    samples: core.Samples = defaultdict(list)
    facts = core.follow(simulated_game("opera", seed=1), samples)
    moves = [fact.uci for fact in facts if isinstance(fact, MoveSettled)]
    assert moves == [move.uci() for move in games.load("opera").mainline_moves()]
    report = core.measure(yard=YARD, names=("opera",), seeds=1)
    counts = column(report, 1)
    assert int(counts[core.SETTLES]) > 0
    assert int(counts[core.CHANGE]) > int(counts[core.SETTLES])


def test_journal(tmp_path: Path) -> None:
    rates, caller, durable = journal.measure(tmp_path, yard=YARD, many=500, paced=50, lone=3)
    assert column(rates, 1) == {"as fast as taken": "500", "each alone, as a yardstick": "3"}
    assert list(column(caller, 1).values()) == ["500", "50"]
    assert list(column(durable, 1).values()) == ["3", "50", "3"]


def test_hall_follows_every_board_and_loses_nothing(tmp_path: Path) -> None:
    report = hall.measure(tmp_path, yard=YARD, boards=2, seconds=3.0, quiet=0.5)
    measured = column(report, 1)
    assert measured["lost"] == "0 bytes, 0 updates, 0 readings, 0 games"
    assert float(measured["changes a second"]) > 0


def test_hall_says_where_the_logs_are_when_a_process_fails(tmp_path: Path) -> None:
    (tmp_path / "dev").touch()
    with pytest.raises(RuntimeError, match=re.escape(f"see the logs in {tmp_path}")):
        hall.measure(tmp_path, yard=YARD, boards=1, seconds=1.0)


def test_the_command_prints_plain_tables(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codec, "measure", partial(codec.measure, passes=1, rounds=1))
    assert main(["codec", "--folder", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert f"{os.cpu_count()} cores" in output
    assert "codec, whole messages" in output
    assert not list(tmp_path.iterdir())


def test_the_command_names_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["speed"])
    assert "no benchmark 'speed'; there are codec, core, journal, hall" in capsys.readouterr().err
