"""A correction of the moves is looked at before it is ordered: it shows what the order will do."""

from pathlib import Path
from typing import Any

import pytest

from bridge.web import passwords
from tests.court import TABLE, Court, Person, heard

GAME = f"/api/v1/games/{TABLE}/1/correction"


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "COST", (4, 8, 1))


def plays(court: Court, *sans: str) -> None:
    court.talk.plays(2.0, *sans)
    court.catch_up()


def sans(answer: dict[str, Any]) -> list[str]:
    return [ply["san"] for ply in answer["plies"]]


def test_what_is_tried_is_what_the_order_makes_of_the_game(tmp_path: Path) -> None:
    async def act(court: Court, anna: Person) -> None:
        plays(court, "e4", "e5", "Nf3", "Nc6")
        tried = await anna.json(f"{GAME}?first=2&count=1&moves=e7e6")
        assert (sans(tried), tried["moves"]) == (["e4", "e6", "Nf3", "Nc6"], ["e6"])
        assert (tried["destinations"]["g1"], tried["breaks"]) == (["h3", "f3", "e2"], None)
        assert tried["fen"] == tried["plies"][1]["fen"]
        fields = {"kind": "CorrectMoves", "first": 2, "count": 1, "moves": ["e7e6"]}
        assert sans(await anna.json(f"/api/v1/games/{TABLE}")) == ["e4", "e5", "Nf3", "Nc6"]
        await anna.orders({"order": fields, "reason": "both scoresheets"})
        game = await anna.json(f"/api/v1/games/{TABLE}")
        assert [ply["fen"] for ply in game["plies"]] == [ply["fen"] for ply in tried["plies"]]

    heard(act, Court(tmp_path), "Anna")


def test_a_move_that_is_not_legal_any_more_is_named(tmp_path: Path) -> None:
    async def act(court: Court, anna: Person) -> None:
        plays(court, "e4", "e5", "Nf3", "Nc6", "Nxe5")
        tried = await anna.json(f"{GAME}?first=3&count=1&moves=Nc3")
        assert tried["breaks"] == {"ply": 5, "san": "Nxe5"}
        assert sans(tried) == ["e4", "e5", "Nc3", "Nc6"]
        dropped = await anna.json(f"{GAME}?first=3&moves=Nc3+Nf6&rest=drop")
        assert (dropped["breaks"], sans(dropped)) == (None, ["e4", "e5", "Nc3", "Nf6"])
        fresh = await anna.json(f"{GAME}?first=1&rest=drop")
        assert (fresh["plies"], fresh["destinations"]["e2"]) == ([], ["e3", "e4"])
        refused = await anna.json(f"{GAME}?first=3&count=1&moves=Ke3", 409)
        assert refused["error"].startswith("ply 3, Ke3: not legal in ")
        assert "there is no ply 9" in (await anna.json(f"{GAME}?first=10", 409))["error"]

    heard(act, Court(tmp_path), "Anna")


def test_missing_moves_and_illegal_ones_that_stand_keep_their_places(tmp_path: Path) -> None:
    async def act(court: Court, anna: Person) -> None:
        court.plays_illegally()
        await anna.orders({"order": {"kind": "LetStand"}, "reason": "nobody minds"})
        before = await anna.json(f"/api/v1/games/{TABLE}")
        assert before["ply"] == 1
        stands = before["fen"].replace(" b ", " w ")
        after = {"order": {"kind": "LetStand", "stands": stands}, "reason": "as it is"}
        await anna.orders(after)
        tried = await anna.json(f"{GAME}?first=2")
        now = await anna.json(f"/api/v1/games/{TABLE}")
        assert [ply["fen"] for ply in tried["plies"]] == [ply["fen"] for ply in now["plies"]]
        assert tried["fen"] == now["fen"] == stands

    heard(act, Court(tmp_path, fen="4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1"), "Anna")


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?first=-1", 400),
        ("?first=x", 400),
        ("?count=1000000", 400),
        ("?rest=burn", 400),
        ("?moves=" + "e4+" * 1001, 400),
        ("?moves=abcdefghijk", 400),
    ],
)
def test_what_is_no_correction(tmp_path: Path, query: str, status: int) -> None:
    async def act(court: Court, anna: Person, olga: Person) -> None:
        plays(court, "e4")
        assert "error" in await anna.json(GAME + query, status)
        await olga.json(GAME, 403)
        await anna.json(GAME.replace("/1/", "/9/"), 404)

    heard(act, Court(tmp_path), "Anna", "Olga")
