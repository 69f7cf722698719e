"""The arbiter's desk: what operators and arbiters see, and what arbiters order."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bridge.core.model import AlertCleared, AlertRaised, OffencesCounted
from bridge.web import orders, passwords
from bridge.web.archive import Archive
from tests.court import ILLEGAL, TABLE, Court, Person, heard

CODE = "KING_LEFT_IN_CHECK"


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "COST", (4, 8, 1))


GUARDS = {"game", "seen", "fen", "alert"}


def order(kind: str, reason: str = "seen", **fields: Any) -> dict[str, Any]:
    """An order to be sent; *seen* is the ply that its author saw."""
    guards = {name: fields[name] for name in GUARDS & fields.keys()}
    if "seen" in guards:
        guards["ply"] = guards.pop("seen")
    own = {name: value for name, value in fields.items() if name not in GUARDS}
    return {"order": {"kind": kind, **own}, "reason": reason, **guards}


async def open_alert(anna: Person) -> dict[str, Any]:
    alerts = (await anna.json("/api/v1/alerts"))["alerts"]
    (alert,) = (each for each in alerts if each["code"] == CODE)
    return dict(alert)


# --- what is seen ---------------------------------------------------------------------------------


def test_an_operator_is_told_of_boards_and_that_an_arbiter_is_needed(tmp_path: Path) -> None:
    async def act(court: Court, olga: Person) -> None:
        async with olga.stream() as stream:
            hello = await stream.next()
            assert [place["table"] for place in hello["places"]] == ["8", TABLE]
            assert hello["places"][1]["cells"] == court.talk.cells
            court.plays_illegally()
            messages = await stream.until(lambda each: each["type"] == "alert")
        assert {"board", "alert"} <= {each["type"] for each in messages}
        assert messages[-1]["code"] == "ARBITER_NEEDED"
        assert "id" not in messages[-1]
        (alert,) = (await olga.json("/api/v1/places"))["places"][1]["alerts"]
        assert alert["code"] == "ARBITER_NEEDED"
        for path in ("alerts", "alerts/7:1", "audit", f"games/{TABLE}/1/sheet.pdf"):
            assert "operator" in (await olga.json(f"/api/v1/{path}", 403))["error"]
        await olga.orders(order("AddNote", text="x"), 403)

    heard(act, Court(tmp_path, fen=ILLEGAL), "Olga")


def test_an_arbiter_is_told_of_everything_at_once(tmp_path: Path) -> None:
    async def act(court: Court, anna: Person, vera: Person) -> None:
        async with anna.stream() as stream, vera.stream() as delayed:
            assert (await delayed.next())["games"][1]["game"] == 0
            await stream.next()
            court.plays_illegally()
            messages = await stream.until(lambda each: each["type"] == "alert")
        assert (messages[-1]["code"], messages[-1]["id"]) == (CODE, "7:1")
        await vera.json("/api/v1/places", 403)
        await vera.json("/api/v1/alerts", 403)

    heard(act, Court(tmp_path, "delay: {minutes: 15}", fen=ILLEGAL), "Anna", "Vera")


def test_an_alert_comes_with_what_it_rests_on_and_what_may_be_done(tmp_path: Path) -> None:
    async def act(court: Court, anna: Person) -> None:
        court.plays_illegally()
        await court.write_journal()
        alert = await open_alert(anna)
        assert alert["title"]
        shown = await anna.json(f"/api/v1/alerts/{alert['id']}")
        assert shown["alert"] == alert
        assert shown["game"]["fen"] == ILLEGAL
        assert shown["seen"] == {"game": 1, "ply": 0, "fen": ILLEGAL}
        assert shown["differs"] == [8, 24], "a2 and a4"
        assert shown["place"]["cells"] == court.talk.cells
        assert shown["offences"] == {"white": 0, "black": 0}
        assert [each["order"]["kind"] for each in shown["measures"]] == [
            "ConfirmOffence",
            "RestorePosition",
            "LetStand",
            "AcceptAlert",
            "DismissAlert",
        ]
        kinds = [each["payload"]["kind"] for each in shown["evidence"]]
        assert kinds[0] == "TableSetup"
        assert "SquareChange" in kinds
        assert shown["offences_elsewhere"] == {"white": [], "black": []}
        assert await anna.json("/api/v1/alerts/7:9", 404)
        assert await anna.json("/api/v1/alerts/x", 404)

    heard(act, Court(tmp_path, fen=ILLEGAL), "Anna")


def test_without_a_journal_there_is_no_evidence(tmp_path: Path) -> None:
    async def act(court: Court, anna: Person) -> None:
        court.plays_illegally()
        assert (await anna.json("/api/v1/alerts/7:1"))["evidence"] is None

    heard(act, Court(tmp_path, fen=ILLEGAL), "Anna")


# --- what is ordered ------------------------------------------------------------------------------


def test_measures_can_be_ordered_as_they_are_offered(tmp_path: Path) -> None:
    async def act(court: Court, anna: Person) -> None:
        court.plays_illegally()
        alert = await open_alert(anna)
        offered = (await anna.json(f"/api/v1/alerts/{alert['id']}"))["measures"]
        made = await anna.orders({**offered[0], "reason": "seen", "alert": alert["id"]} | {}, 400)
        assert "unknown field" in made["error"]
        seen = (await anna.json(f"/api/v1/alerts/{alert['id']}"))["seen"]
        body = {"order": offered[0]["order"], "reason": "seen", "alert": alert["id"], **seen}
        made = await anna.orders(body)
        assert made["number"] == 1
        assert "illegal move 1 of white" in made["text"]
        assert "OffencesCounted" in {fact["fact"] for fact in made["facts"]}
        shown = await anna.json(f"/api/v1/alerts/{alert['id']}")
        assert shown["offences"] == {"white": 1, "black": 0}
        assert [ruling["ruling"]["by"] for ruling in shown["history"]["rulings"]] == ["Anna"]

    heard(act, Court(tmp_path, fen=ILLEGAL), "Anna")


def test_what_the_table_refuses_is_told_with_its_reason(tmp_path: Path) -> None:
    async def act(_: Court, anna: Person) -> None:
        refused = await anna.orders(order("Undo", ruling=9), 409)
        assert refused["error"] == "there is no ruling 9 that was carried out"
        assert refused["refused"]["number"] == 1
        refused = await anna.orders(order("SetResult", "", result="1-0"), 409)
        assert refused["error"] == "no reason is given"
        seen = order("SetResult", result="1-0", seen=5)
        assert "ply 5 is gone" in (await anna.orders(seen, 409))["error"]
        entries = (await anna.json("/api/v1/audit"))["entries"]
        assert [(each["number"], each["state"]) for each in entries] == [
            (3, "refused"),
            (2, "refused"),
            (1, "refused"),
        ]

    heard(act, Court(tmp_path), "Anna")


def test_an_order_can_be_undone(tmp_path: Path) -> None:
    async def act(court: Court, anna: Person) -> None:
        court.talk.plays(2.0, "e4", "e5")
        court.catch_up()
        ended = await anna.orders(order("SetResult", result="1-0", because="resignation"))
        async with anna.stream() as stream:
            assert (await stream.next())["games"][1]["result"] == "1-0"
            await anna.orders(order("Undo", ruling=ended["number"]))
            messages = await stream.until(lambda each: each["type"] == "game")
        assert {"ruling", "ruling_undone"} <= {each["type"] for each in messages}
        assert messages[-1]["game"]["result"] == "*"
        (undone,) = (e for e in (await anna.json("/api/v1/audit"))["entries"] if e["number"] == 1)
        assert (undone["state"], undone["undone_by"]) == ("undone", 2)

    heard(act, Court(tmp_path), "Anna")


def test_the_second_arbiter_is_told_what_the_first_did(tmp_path: Path) -> None:
    async def act(court: Court, anna: Person, ben: Person) -> None:
        court.plays_illegally()
        alert = (await open_alert(anna))["id"]
        confirm = order("ConfirmOffence", colour="white", ply=0, alert=alert)
        await anna.orders(confirm)
        told = await ben.orders(order("DismissAlert", code=CODE, alert=alert), 409)
        assert told["error"].startswith("Anna has dealt with it by ruling 1: illegal move 1")
        assert told["ruling"]["ruling"]["by"] == "Anna"
        await anna.orders(order("AcceptAlert", code=CODE, alert=alert))
        shown = await ben.json(f"/api/v1/alerts/{alert}")
        assert (shown["alert"]["open"], shown["measures"]) == (False, [])
        assert shown["alert"]["ruling"]["ruling"]["by"] == "Anna"
        assert "by ruling 2: alert" in (await ben.orders(confirm, 409))["error"]

    heard(act, Court(tmp_path, fen=ILLEGAL), "Anna", "Ben")


def test_two_at_the_same_moment_do_not_both_rule(tmp_path: Path) -> None:
    async def act(court: Court, anna: Person, ben: Person) -> None:
        court.plays_illegally()
        alert = (await open_alert(anna))["id"]
        court.written = False
        body = order("AcceptAlert", code=CODE, alert=alert)
        first = asyncio.create_task(anna.orders(body, 503))
        await court.asked.wait()
        assert "Anna is dealing with it" in (await ben.orders(body, 409))["error"]
        assert "the order waits" in (await first)["error"]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(orders, "PATIENCE", 0.5)
        heard(act, Court(tmp_path, fen=ILLEGAL), "Anna", "Ben")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"order": {"kind": "Abdicate"}}, 400),
        ({"order": {"kind": "SetResult", "result": "2-0"}}, 400),
        ({"order": {"kind": "CorrectMoves", "first": 1, "count": 1, "rests": "drop"}}, 400),
        ({"order": {"kind": "AddNote", "text": "x" * 1001}}, 400),
        ({"order": {"kind": "ScheduleStart", "starts": 1e300}}, 400),
        ({"order": {"kind": "SetClocks", "white_ms": 10**15, "black_ms": 1}}, 400),
        ({"order": {"kind": "CorrectMoves", "first": 1, "count": 0, "moves": ["e4"] * 1001}}, 400),
        ({"order": {"kind": "CorrectMoves", "first": 1, "count": 0, "moves": ["e" * 2000]}}, 400),
        ({"order": {"kind": "Adjourn"}, "by": "Ben"}, 400),
        ({"order": {"kind": "Adjourn"}, "reason": "x" * 1001}, 400),
        ({"order": {"kind": "Adjourn"}, "fen": "x" * 1001}, 400),
        ({"order": {"kind": "Adjourn"}, "alert": "7:9"}, 404),
        ([], 400),
    ],
)
def test_what_is_no_order(tmp_path: Path, body: object, status: int) -> None:
    async def act(_: Court, anna: Person) -> None:
        assert "error" in await anna.orders(body, status)
        assert (await anna.json("/api/v1/audit"))["entries"] == []

    heard(act, Court(tmp_path), "Anna")


def test_orders_need_a_table_a_token_and_an_account(tmp_path: Path) -> None:
    async def act(_: Court, anna: Person, vera: Person) -> None:
        note = order("AddNote", text="x")
        await anna.orders(note, 404, table="9")
        anna.csrf = "forged"
        assert "X-CSRF-Token" in (await anna.orders(note, 403))["error"]
        await vera.orders(note, 403)
        vera.session.cookie_jar.clear()
        await vera.orders(note, 401)

    heard(act, Court(tmp_path), "Anna", "Vera")


def test_markup_in_names_and_notes_stays_text(tmp_path: Path) -> None:
    markup = "<script>alert(1)</script>"

    async def act(court: Court, anna: Person) -> None:
        court.talk.plays(2.0, "e4")
        court.catch_up()
        await anna.orders(order("AddNote", text=markup))
        audit = await anna.get("/api/v1/audit")
        assert audit.headers["X-Content-Type-Options"] == "nosniff"
        assert (await audit.json())["entries"][0]["text"] == markup
        page = await anna.get(f"/api/v1/games/{TABLE}/1/sheet.html?language={markup}", 400)
        assert page.content_type == "application/json"

    heard(act, Court(tmp_path), "Anna")


def test_scoresheets_are_printed(tmp_path: Path) -> None:
    async def act(court: Court, anna: Person) -> None:
        path = f"/api/v1/games/{TABLE}/1/sheet"
        await anna.json(f"{path}.pdf", 404)
        court.talk.plays(2.0, "e4", "e5")
        court.catch_up()
        pdf = await anna.get(f"{path}.pdf")
        assert (pdf.content_type, (await pdf.read())[:5]) == ("application/pdf", b"%PDF-")
        page = await anna.get(f"{path}.html?language=de&form=long")
        assert "e2-e4" in await page.text()
        policy = page.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")
        await anna.json(f"{path}.html?language=xx", 400)
        await anna.json(f"/api/v1/games/{TABLE}/9/sheet.pdf", 404)

    heard(act, Court(tmp_path), "Anna")


# --- what is kept ---------------------------------------------------------------------------------


def fact(kind: Any, at: float, **fields: Any) -> Any:
    return kind(table="süd:1", game=1, at=at, wall=at, evidence=(1, 1), **fields)


def raised(at: float, code: str = CODE) -> AlertRaised:
    alert: AlertRaised = fact(AlertRaised, at, code=code, severity="critical", text="x")
    return alert


def test_an_alert_that_is_raised_anew_takes_the_place_of_the_old_one() -> None:
    archive = Archive()
    for each in (raised(1.0), raised(2.0), raised(3.0, "ILLEGAL_MOVE")):
        archive.tell(each)
    assert [(alert.id, alert.open) for alert in archive.alerts()] == [
        ("süd:1:1", False),
        ("süd:1:2", True),
        ("süd:1:3", True),
    ]
    over = fact(AlertCleared, 4.0, code=CODE)
    archive.tell(over)
    second = archive.alert("süd:1:2")
    assert second is not None
    assert (second.open, second.cleared, second.ruling) == (False, over, None)
    assert archive.of_fact(over) is second
    assert archive.of_fact(fact(AlertCleared, 9.0, code=CODE)) is None
    assert archive.alert("1") is None
    assert archive.alerts("nobody") == []


def test_offences_of_each_game_are_counted() -> None:
    archive = Archive()
    archive.tell(fact(OffencesCounted, 1.0, colour="white", count=1))
    assert archive.offences("süd:1", 1) == {"white": 1, "black": 0}
    assert archive.offences("süd:1", 2) == {"white": 0, "black": 0}
