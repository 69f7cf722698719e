"""What is sent of facts, how it is signed, and what is old after a restart."""

import base64
import hashlib
import hmac
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    ClockUpdated,
    Fact,
    MoveProvisional,
    Severity,
    SquaresMarked,
)
from bridge.outputs.webhook.messages import (
    body_of,
    fact_in,
    is_wanted,
    key_of,
    message_id,
    push_of,
    signature,
)
from bridge.outputs.webhook.progress import Place, Progress, note_of
from tests.bridge.scoresheets import WALL, line

WHERE: dict[str, Any] = {"table": "7", "game": 1, "at": 1.0, "wall": WALL, "evidence": (1, 1)}


def alert(severity: Severity = "critical", **fields: Any) -> AlertRaised:
    return AlertRaised(
        **{**WHERE, "code": "FLAG_FALL", "severity": severity, "text": "flag", **fields}
    )


OVER = AlertCleared(**WHERE, code="FLAG_FALL")
CLOCK = ClockUpdated(**WHERE, white_ms=1, black_ms=1, running=True, turn="white")
STANDING = MoveProvisional(**WHERE, ply=1, uci="e2e4", san="e4")


def test_programs_are_told_what_is_true_for_longer_than_a_moment() -> None:
    facts: list[Fact] = [*line("e4"), alert(), OVER]
    assert all(is_wanted(fact, "json") for fact in facts)
    marked = SquaresMarked(**WHERE, squares=("e4",))
    passing: list[Fact] = [CLOCK, STANDING, marked, alert("silent"), over_silent()]
    assert not [fact for fact in passing if is_wanted(fact, "json")]


def test_phones_are_told_alerts() -> None:
    facts: list[Fact] = [*line("e4"), alert(), OVER, alert("silent"), over_silent()]
    assert [fact for fact in facts if is_wanted(fact, "ntfy")] == [alert(), OVER]


def over_silent() -> AlertCleared:
    return AlertCleared(**WHERE, code="THREEFOLD_CLAIMABLE")


def test_a_message_says_what_and_when() -> None:
    body = json.loads(body_of(alert()))
    assert (body["type"], body["timestamp"]) == ("AlertRaised", "2026-09-21T14:13:20.000+00:00")
    assert body["data"]["fact"] == "AlertRaised"
    assert fact_in(body_of(alert())) == alert()


def test_ids_are_the_same_again_and_never_those_of_another_fact() -> None:
    first, *moves = line("e4 e5")
    names = {message_id(fact, number) for fact in (first, *moves) for number in (0, 1)}
    assert len(names) == 6
    assert message_id(first, 0) in names


def test_the_signature_is_that_of_standard_webhooks() -> None:
    key = key_of("whsec_" + base64.b64encode(b"a key").decode())
    signed = hmac.new(b"a key", b'msg_1.1700000000.{"a":1}', hashlib.sha256).digest()
    expected = f"v1,{base64.b64encode(signed).decode()}"
    assert signature(key, "msg_1", 1_700_000_000, b'{"a":1}') == expected
    assert key_of("plain words") == b"plain words"
    with pytest.raises(ValueError, match="no base64"):
        key_of("whsec_???")


def test_the_receiver_of_the_documentation_knows_what_is_genuine() -> None:
    page = (Path(__file__).parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")
    found = re.search(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert found is not None
    scope: dict[str, Any] = {}
    exec(found[1], scope)  # noqa: S102 - the page is ours
    now = int(time.time())

    def headers(sent: int, secret: str) -> dict[str, str]:
        signed = signature(key_of(secret), "msg_1", sent, b"{}")
        times = {"webhook-id": "msg_1", "webhook-timestamp": str(sent)}
        return {**times, "webhook-signature": signed}

    is_genuine = scope["is_genuine"]
    assert is_genuine(headers(now, "a word"), b"{}", "a word")
    assert not is_genuine(headers(now, "another"), b"{}", "a word")
    assert not is_genuine(headers(now, "a word"), b"{ }", "a word")
    assert not is_genuine(headers(now - 3600, "a word"), b"{}", "a word")


@pytest.mark.parametrize(
    ("severity", "priority", "tags"),
    [
        ("critical", 5, ["rotating_light"]),
        ("warning", 4, ["warning"]),
        ("tech", 3, ["wrench"]),
        ("notice", 3, None),
    ],
)
def test_what_a_phone_shows(severity: Severity, priority: int, tags: list[str] | None) -> None:
    push = json.loads(push_of(alert(severity, remedy="stop the clock"), "hall", ""))
    assert push == {
        "topic": "hall",
        "title": "Table 7: flag fall",
        "message": "flag\nstop the clock",
        "priority": priority,
    } | ({"tags": tags} if tags else {})


def test_an_operators_call_is_loud() -> None:
    call = alert("notice", code="ARBITER_NEEDED", visibility="O")
    assert json.loads(push_of(call, "hall", ""))["priority"] == 4


def test_that_something_is_over_is_shown_quietly() -> None:
    push = json.loads(push_of(OVER, "hall", "https://hall.example/"))
    assert (push["title"], push["message"]) == ("Table 7: over", "FLAG_FALL: no longer so")
    assert (push["priority"], push["click"]) == (2, "https://hall.example/")


# --- how far it came ------------------------------------------------------------------------------


def facts_at(*times: float) -> list[Fact]:
    return [alert(at=at, wall=WALL + at, text=str(n)) for n, at in enumerate(times)]


@settings(deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=12), st.data())
def test_after_a_restart_what_was_noted_is_old_and_nothing_else(
    steps: list[float], data: st.DataObject
) -> None:
    times = [sum(steps[: n + 1]) for n in range(len(steps))]
    facts = facts_at(*times)
    cut = data.draw(st.integers(0, len(facts)))
    first = Progress({})
    places = [first.take(fact) for fact in facts[:cut]]
    assert None not in places
    assert len(set(places)) == cut
    again = Progress(first.notes())
    assert [again.take(fact) is not None for fact in facts] == [n >= cut for n in range(len(facts))]


def test_a_time_that_goes_back_a_little_at_a_table_is_in_order_all_the_same() -> None:
    progress = Progress({})
    places = [progress.take(fact) for fact in facts_at(2.0, 1.9, 2.0, 3.0)]
    assert [(place.at, place.number) for place in places if place] == [
        (2.0, 0),
        (2.0, 1),
        (2.0, 2),
        (3.0, 0),
    ]


def test_a_new_journal_begins_its_time_anew_and_a_clock_may_be_set_back() -> None:
    noted = {"7": note_of(Place(500.0, 0, WALL))}
    assert Progress(noted).take(alert(at=1.0, wall=WALL + 9)) is not None
    assert Progress(noted).take(alert(at=501.0, wall=WALL - 9)) is not None
    assert Progress(noted).take(alert(at=499.0, wall=WALL - 9)) is None
    assert Progress(noted).take(alert(at=500.0, wall=WALL + 1e-6)) is None, "rounded otherwise"
    assert Progress(noted).take(alert(table="8", at=1.0, wall=WALL - 9)) is not None
