"""A real daemon in which outputs meet what nobody thought of: they say so and begin again."""

import asyncio
import os
from pathlib import Path

from bridge.config import load
from bridge.web import accounts
from bridge.web.accounts import Account
from tests.halls import Daemon, Seat, at, eventually, seated, write_config, written_moves
from tests.livechess import free_port
from tests.test_end_to_end_monitoring import Monitor
from tests.test_end_to_end_web import listening, person

PLIES = 4
MISTAKES = """\
from pathlib import Path

from bridge.outputs.livechess.hub import Hub
from bridge.outputs.pgn_files import PgnFolder
from bridge.web.showing import Showing


def mistaken(work):
    def works_or_not(*arguments):
        if Path({mark!r}).exists():
            raise ZeroDivisionError
        return work(*arguments)

    return works_or_not


PgnFolder.update = mistaken(PgnFolder.update)
Hub._apply = mistaken(Hub._apply)
Showing._take = mistaken(Showing._take)
"""
OUTPUTS = ("pgn", "livechess", "web")


def test_outputs_begin_again_after_a_mistake_of_ours(tmp_path: Path) -> None:
    asyncio.run(_mistaken(tmp_path))


async def _mistaken(folder: Path) -> None:
    mark, loaded = folder / "mistake", folder / "loaded at the start"
    loaded.mkdir()
    (loaded / "sitecustomize.py").write_text(MISTAKES.format(mark=str(mark)))
    places = os.pathsep.join([str(loaded), os.environ.get("PYTHONPATH", "")])
    seat, port = Seat(folder / "board", pace=0.1), free_port()
    others = [f"web: {{port: {port}}}", f"livechess: {{port: {free_port()}}}"]
    path = write_config(folder, [at(seat.port.path)], *others)
    file = load(path).accounts
    accounts.add(file, Account(name="Mona", role="monitor", password=""))
    daemon = Daemon(path, wrapper=["env", f"PYTHONPATH={places}"])
    async with seated([seat]), daemon, person(port) as looker:
        monitor = Monitor(looker, accounts.add_token(file, "Mona"))
        await listening(looker)
        await daemon.live()
        await monitor.health("ok")
        mark.touch()
        await seat.plays(PLIES)
        await monitor.health("failing", *(f"{name}: stopped by a mistake" for name in OUTPUTS))
        figures = await monitor.figures()
        assert all(figures[f"eboard_output_failed_total {name}"] >= 1 for name in OUTPUTS)
        assert not all(figures[f"eboard_output_up {name}"] for name in OUTPUTS)
        assert daemon.log("livechess: a mistake of ours; it begins again in")
        mark.unlink()
        await monitor.health("ok")
        settled = [*seat.moves[: PLIES - 1]]
        await eventually(
            lambda: written_moves(folder)[: PLIES - 1] == settled, "the moves are written"
        )
        assert await daemon.end() == 0
