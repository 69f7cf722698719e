"""The benchmark of subscribers runs, and every subscriber sees every move."""

import asyncio

import pytest

from benchmarks.live import SERVERS, Situation, main, run
from tests.livechess import free_port


@pytest.mark.parametrize("server", SERVERS)
def test_every_subscriber_sees_every_move_of_its_board(server: str) -> None:
    situation = Situation("few", boards=3, subscribers=6, looked_at=2)
    found = asyncio.run(
        run(SERVERS[server], situation, seconds=2.0, ply_every=0.8, port=free_port())
    )
    assert found.delays
    assert found.missing == 0
    assert all(delay > 0 for delay in found.delays)
    assert found.watched.frames >= 3 * len(found.delays)
    assert found.ended.cpu_seconds > found.begun.cpu_seconds >= found.idle.cpu_seconds


def test_it_runs_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--boards", "2", "--subscribers", "4", "--seconds", "2", "--ply-every", "0.8"]
    assert main(["livechess", *few, "--port", str(free_port())]) == 0
    assert "all at one board" in capsys.readouterr().out


def test_an_unknown_server_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["telegraph"])
    assert "no server 'telegraph'" in capsys.readouterr().err
