"""Who is told how links and outputs do."""

from pathlib import Path

import pytest

from bridge.links.pulse import LinkHealth
from bridge.outputs.tally import Report
from bridge.web import passwords
from drivers.events import Battery
from tests.court import TABLE, Court, Person, heard

BOARD = LinkHealth(
    table=TABLE,
    device="board",
    state="live",
    detail="",
    silent=0.5,
    noise=3,
    battery=Battery(at=1.0, percent=40, charging=False),
)


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "COST", (4, 8, 1))


def test_operators_and_arbiters_are_told_how_equipment_does(tmp_path: Path) -> None:
    async def act(court: Court, olga: Person, anna: Person, vera: Person) -> None:
        court.equipment = {
            "troubles": ["the disk is full"],
            "links": [BOARD],
            "outputs": [Report("lichess", 3, 1, 2, "no connection", 1.5)._asdict()],
        }
        told = await olga.json("/api/v1/equipment")
        assert told == await anna.json("/api/v1/equipment")
        assert told["troubles"] == ["the disk is full"]
        (link,), (output,) = told["links"], told["outputs"]
        assert (link["table"], link["silent"], link["noise"]) == (TABLE, 0.5, 3)
        assert link["battery"]["percent"] == 40
        assert output == {
            "name": "lichess",
            "delivered": 3,
            "failed": 1,
            "waiting": 2,
            "trouble": "no connection",
            "last": 1.5,
        }
        await vera.json("/api/v1/equipment", 403)
        await vera.session.delete("/api/v1/session", headers={"X-CSRF-Token": vera.csrf})
        await vera.json("/api/v1/equipment", 401)

    heard(act, Court(tmp_path), "Olga", "Anna", "Vera")
