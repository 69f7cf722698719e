"""Facts on their way to a real HTTP server that is slow, away, refuses or lies."""

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web

from bridge.config.webhooks import SECRET_VARIABLE, WebhookSettings
from bridge.core.model import AlertRaised, Fact
from bridge.outputs.webhook import sender
from bridge.outputs.webhook.sender import PostingPatience, Webhook
from bridge.store.errors import OutboxError
from bridge.store.outbox import Entry, Outbox
from tests.bridge.scoresheets import line
from tests.livechess import free_port
from tests.receiver import PATIENCE, SECRET, Receiver, receiving, self_signed

SOON = PostingPatience(answer=5.0, first=0.05, longest=0.2, at_end=5.0)
IMPATIENT = PostingPatience(answer=0.3, first=0.05, longest=0.2, at_end=0.1)
FACTS = list(line("e4 e5 Nf3 Nc6 Bb5"))


@pytest.fixture
def outbox(tmp_path: Path) -> Iterator[Outbox]:
    with closing(Outbox(tmp_path / "outbox.sqlite3")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET_VARIABLE, SECRET)


def settings(url: str, **others: Any) -> WebhookSettings:
    return WebhookSettings(name="test", url=url, **others)


def at_table(table: str, facts: list[Fact] = FACTS) -> list[Fact]:
    return [msgspec.structs.replace(fact, table=table) for fact in facts]


def tell(hook: Webhook, *facts: Fact) -> None:
    for fact in facts:
        hook.take(fact)


def names(facts: list[Fact]) -> list[str]:
    return [str(msgspec.to_builtins(fact).get("san")) for fact in facts]


def sans(receiver: Receiver, table: str = "1") -> list[str]:
    return [str(fact.get("san")) for fact in receiver.facts if fact["table"] == table]


def test_facts_arrive_signed_and_in_order_before_it_ends(outbox: Outbox) -> None:
    async def main() -> None:
        async with receiving() as receiver:
            async with Webhook(settings(receiver.url), outbox, patience=SOON) as hook:
                tell(hook, *FACTS, *at_table("2"))
            assert sans(receiver) == sans(receiver, "2") == names(FACTS)
            assert len({name for name, _ in receiver.came}) == len(receiver.came) == 2 * len(FACTS)
            assert receiver.headers[0]["Content-Type"] == "application/json"

    asyncio.run(main())
    assert outbox.waiting("webhook test") == []


async def refused(hook: Webhook, *, times: int) -> None:
    """Wait until nobody has taken what *hook* sent, so often."""
    async with asyncio.timeout(PATIENCE):
        while hook.tally.failed < times:  # noqa: ASYNC110 - what is waited for is a refusal
            await asyncio.sleep(0.02)


def test_what_was_sent_and_failed_is_counted(outbox: Outbox) -> None:
    port = free_port()

    async def main() -> None:
        hook = Webhook(settings(f"http://127.0.0.1:{port}/"), outbox, patience=SOON)
        async with hook:
            tell(hook, *FACTS)
            await refused(hook, times=2)
            assert hook.tally.trouble == "Connection refused"
            assert (hook.tally.delivered, await hook.waiting()) == (0, len(FACTS))
            async with receiving(port) as receiver:
                await receiver.until(lambda: len(receiver.came) == len(FACTS))
        assert (hook.tally.delivered, hook.tally.trouble) == (len(FACTS), "")
        assert await hook.waiting() == 0

    asyncio.run(main())


def test_what_is_taken_after_trouble_is_forgotten_before_it_ends(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is slow to forget the first fact: it must not be sent once more by the next run."""
    forget, slow = Outbox.forget, [0.5]

    def forget_late(self: Outbox, output: str, keys: Iterable[str]) -> None:
        time.sleep(slow.pop() if slow else 0.0)
        forget(self, output, keys)

    monkeypatch.setattr(Outbox, "forget", forget_late)
    port = free_port()

    async def main() -> None:
        hook = Webhook(settings(f"http://127.0.0.1:{port}/"), outbox, patience=SOON)
        async with hook:
            tell(hook, *FACTS)
            await refused(hook, times=1)
            async with receiving(port) as receiver:
                await receiver.until(lambda: len(receiver.came) == len(FACTS))
        assert await hook.waiting() == 0

    asyncio.run(main())


def test_a_table_waits_for_no_other_and_is_in_order(outbox: Outbox) -> None:
    tables = [str(n) for n in range(6)]

    async def main() -> None:
        async with receiving() as receiver:
            receiver.seconds = 0.05
            async with Webhook(settings(receiver.url), outbox, patience=SOON) as hook:
                began = time.monotonic()
                for fact in FACTS:
                    tell(hook, *(msgspec.structs.replace(fact, table=table) for table in tables))
                assert time.monotonic() - began < 1.0, "who tells waits for nobody"
                await receiver.until(lambda: len(receiver.came) == 6 * len(FACTS))
            for table in tables:
                assert sans(receiver, table) == names(FACTS)

    asyncio.run(main())


class SlowDisk(Outbox):
    """Counts how often the disk was waited for to forget something."""

    forgets = 0

    def forget(self, output: str, keys: Iterable[str]) -> None:
        self.forgets += 1
        time.sleep(0.2)
        super().forget(output, keys)


def test_the_disk_is_waited_for_once_for_many_messages(tmp_path: Path) -> None:
    tables = [f"{number}" for number in range(30)]

    async def main(outbox: Outbox) -> None:
        async with receiving() as receiver:
            async with Webhook(settings(receiver.url), outbox, patience=SOON) as hook:
                for table in tables:
                    tell(hook, *at_table(table))
                await receiver.until(lambda: len(receiver.came) == len(tables) * len(FACTS))
            assert all(sans(receiver, table) == names(FACTS) for table in tables)

    with closing(SlowDisk(tmp_path / "outbox.sqlite3")) as outbox:
        asyncio.run(main(outbox))
        assert outbox.waiting("webhook test") == []
    assert 0 < outbox.forgets < len(tables) * len(FACTS) / 2


class NotedElsewhere(Outbox):
    """One whose notes another machine may go on from; they take until ``may`` is set."""

    notes_each = True

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.may = threading.Event()

    def forget(self, output: str, keys: Iterable[str]) -> None:
        self.may.wait(PATIENCE)
        super().forget(output, keys)


def test_of_each_table_one_message_is_under_way_where_another_machine_may_go_on(
    tmp_path: Path,
) -> None:
    async def main(outbox: NotedElsewhere) -> None:
        async with (
            receiving() as receiver,
            Webhook(settings(receiver.url), outbox, patience=SOON) as hook,
        ):
            tell(hook, *FACTS, *at_table("2"))
            await receiver.until(lambda: len(receiver.came) == 2)
            await asyncio.sleep(0.3)
            assert len(sans(receiver)) == len(sans(receiver, "2")) == 1, "it is not noted yet"
            outbox.may.set()
            await receiver.until(lambda: len(receiver.came) == 2 * len(FACTS))

    with closing(NotedElsewhere(tmp_path / "outbox.sqlite3")) as outbox:
        asyncio.run(main(outbox))
        assert outbox.waiting("webhook test") == []


class Shared(Outbox):
    """One from which another machine may send, until ``may`` is set."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.may = threading.Event()

    def may_send(self) -> bool:
        return self.may.is_set()


def test_whether_it_may_send_is_asked_when_all_else_is_done(tmp_path: Path) -> None:
    async def main(outbox: Shared) -> None:
        async with (
            receiving() as receiver,
            Webhook(settings(receiver.url), outbox, patience=SOON) as hook,
        ):
            tell(hook, *FACTS)
            await until(lambda: len(outbox.waiting("webhook test")) == len(FACTS))
            await asyncio.sleep(0.3)
            assert receiver.headers == [], "another machine may send it now"
            outbox.may.set()
            await receiver.until(lambda: len(receiver.came) == len(FACTS))

    with closing(Shared(tmp_path / "outbox.sqlite3")) as outbox:
        asyncio.run(main(outbox))


class RefusesOnce(Outbox):
    """One whose notes another machine may go on from; the disk refuses the first of table 1."""

    notes_each = True
    refused = False

    def forget(self, output: str, keys: Iterable[str]) -> None:
        # Which of two tables is noted first is up to chance.
        if not self.refused and any(key.endswith(" 1") for key in keys):
            self.refused = True
            raise OutboxError("disk is full")
        super().forget(output, keys)


def test_a_disk_that_refuses_a_note_of_one_table_repeats_no_message_of_another(
    tmp_path: Path,
) -> None:
    async def main(outbox: RefusesOnce) -> None:
        def slow() -> None:
            receiver.seconds = 0.5

        async with receiving() as receiver:
            receiver.took = slow
            async with Webhook(settings(receiver.url), outbox, patience=SOON) as hook:
                tell(hook, *FACTS[:1], *at_table("2", FACTS[:3]))
                await receiver.until(lambda: len(sans(receiver, "2")) == 3)
            came = [body["data"]["table"] for _, body in receiver.came]
            assert came.count("2") == 3, "it was under way, not lost"

    with closing(RefusesOnce(tmp_path / "outbox.sqlite3")) as outbox:
        asyncio.run(main(outbox))
        assert outbox.waiting("webhook test") == []


class ReadLate(Outbox):
    """One that says what waits when something else was queued meanwhile, once."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.reads = threading.Event()
        self.may = threading.Event()

    def waiting(self, output: str, limit: int = 100) -> list[Entry]:
        found = super().waiting(output, limit)
        if not self.reads.is_set():
            self.reads.set()
            self.may.wait(PATIENCE)
        return found


def test_what_is_queued_while_the_outbox_is_read_is_sent_before_it_ends(tmp_path: Path) -> None:
    async def main(outbox: ReadLate) -> None:
        async with receiving() as receiver:
            receiver.seconds = 0.2
            async with Webhook(settings(receiver.url), outbox, patience=SOON) as hook:
                await until(outbox.reads.is_set)
                tell(hook, *FACTS)
                await until(lambda: outbox.count("webhook test") == len(FACTS))
                await until(lambda: not hook._waiting)
                outbox.may.set()
                await asyncio.sleep(0.1)
            assert sans(receiver) == names(FACTS)

    with closing(ReadLate(tmp_path / "outbox.sqlite3")) as outbox:
        asyncio.run(main(outbox))
        assert outbox.waiting("webhook test") == []


def test_an_outage_is_waited_for_and_said_once(
    outbox: Outbox, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    port = free_port()
    url = f"http://127.0.0.1:{port}/secret-path"

    async def main() -> None:
        async with Webhook(settings(url), outbox, patience=SOON) as hook:
            tell(hook, *FACTS)
            await asyncio.sleep(0.6)
            async with receiving(port) as receiver:
                receiver.answers = [web.Response(status=503), web.Response(status=429)]
                await receiver.until(lambda: len(receiver.came) == len(FACTS))
                assert sans(receiver) == names(FACTS)
                assert receiver.refused == 2
                tell(hook, *at_table("2"))

    asyncio.run(main())
    said = [each.getMessage() for each in caplog.records if each.name == sender.__name__]
    assert said[0] == "webhook test: 127.0.0.1: Connection refused; next try in 0 s"
    assert said[1:] == ["webhook test: facts are taken again"]
    assert "secret" not in "".join(said)


def test_of_too_much_for_a_dead_receiver_the_oldest_goes(
    outbox: Outbox, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(sender, "MOST_KEPT", 4)
    port = free_port()

    async def main() -> None:
        hook = Webhook(settings(f"http://127.0.0.1:{port}/"), outbox, patience=SOON)
        async with hook:
            tell(hook, *FACTS)
            await until(lambda: hook.troubles() == [dropped(len(FACTS) - 4)])
            tell(hook, *at_table("2"))
            await until(lambda: hook.troubles() == [dropped(2 * len(FACTS) - 4)])
            assert outbox.count("webhook test") == 4
            async with receiving(port) as receiver:
                await until(lambda: not outbox.waiting("webhook test"))
                await until(lambda: hook.troubles() == [])
                assert sans(receiver, "2")[-4:] == names(FACTS)[-4:]

    asyncio.run(main())
    assert caplog.text.count("more than 4 facts wait; from now on the oldest are dropped") == 1
    assert f"facts are taken again; {2 * len(FACTS) - 4} were dropped" in caplog.text


def dropped(count: int) -> str:
    return f"webhook test: nothing is taken; the oldest {count} facts were dropped"


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - other tasks work meanwhile
            await asyncio.sleep(0.01)


def test_what_did_not_arrive_is_sent_by_the_next_run(outbox: Outbox) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/"

    async def main() -> None:
        async with Webhook(settings(url), outbox, patience=SOON) as hook:
            tell(hook, *FACTS[:4])
        again = Webhook(settings(url), outbox, patience=SOON)
        tell(again, *FACTS[:5])  # from the journal, one of them not queued before
        async with receiving(port) as receiver, again:
            tell(again, *FACTS[5:])
            await receiver.until(lambda: len(receiver.came) == len(FACTS))
            assert sans(receiver) == names(FACTS)
            assert len(receiver.came) == len(FACTS), "nothing came twice"

    asyncio.run(main())


def test_what_another_hub_has_queued_and_not_noted_is_sent_once(outbox: Outbox) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}/"

    async def main() -> None:
        async with Webhook(settings(url), outbox, patience=IMPATIENT) as first:
            tell(first, *FACTS[:2])
        noted = outbox.notes("webhook test")
        async with Webhook(settings(url), outbox, patience=IMPATIENT) as first:
            tell(first, *FACTS[:4])
        outbox.put("webhook test", {}, notes=noted)  # as if it had ended before it noted more
        again = Webhook(settings(url), outbox, patience=SOON)
        tell(again, *FACTS)
        await again.take_up()
        assert outbox.count("webhook test") == 2
        async with receiving(port) as receiver, again:
            await receiver.until(lambda: len(receiver.came) >= len(FACTS))
        assert [name for name, _ in receiver.came] == list(dict(receiver.came))
        assert sans(receiver) == names(FACTS)

    asyncio.run(main())


def test_a_new_receiver_is_told_what_happens_from_now_on(outbox: Outbox) -> None:
    async def main() -> None:
        async with receiving() as receiver:
            hook = Webhook(settings(receiver.url), outbox, patience=SOON)
            tell(hook, *FACTS[:4])
            async with hook:
                tell(hook, *FACTS[4:])
            assert sans(receiver) == names(FACTS[4:])

    asyncio.run(main())


def test_a_message_that_never_will_be_taken_keeps_no_other_back(
    outbox: Outbox, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with receiving() as receiver:
            receiver.answers = [web.Response(), web.Response(status=422)]
            async with Webhook(settings(receiver.url), outbox, patience=SOON) as hook:
                tell(hook, *FACTS)
            assert sans(receiver) == [names(FACTS)[0], *names(FACTS)[2:]]

    asyncio.run(main())
    assert "webhook test: table 1: msg_" in caplog.text
    assert "is refused (422)" in caplog.text


def test_a_receiver_says_how_long_to_wait_and_is_not_followed_elsewhere(outbox: Outbox) -> None:
    async def main() -> None:
        async with receiving() as receiver:
            receiver.answers = [
                web.Response(status=302, headers={"Location": f"http://127.0.0.1:{free_port()}/"}),
                web.Response(status=429, headers={"Retry-After": "1"}),
            ]
            patience = PostingPatience(first=0.01, longest=5.0, at_end=0.1)
            async with Webhook(settings(receiver.url), outbox, patience=patience) as hook:
                tell(hook, FACTS[0])
                await receiver.until(lambda: receiver.refused == 2)
                refused = time.monotonic()
                await receiver.until(lambda: receiver.came != [])
                assert time.monotonic() - refused > 0.9

    asyncio.run(main())


def test_a_receiver_that_answers_too_late(outbox: Outbox, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with receiving() as receiver:
            receiver.seconds = 2.0
            async with Webhook(settings(receiver.url), outbox, patience=IMPATIENT) as hook:
                tell(hook, FACTS[0])
                await receiver.until(lambda: "does not answer in time" in caplog.text)
            assert len(outbox.waiting("webhook test")) == 1

    asyncio.run(main())


def test_a_server_that_hangs_up(outbox: Outbox, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        port = free_port()
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", port)
        made = settings(f"http://127.0.0.1:{port}/")
        async with server, Webhook(made, outbox, patience=SOON) as hook, asyncio.timeout(PATIENCE):
            tell(hook, FACTS[0])
            while "Disconnected" not in caplog.text:  # noqa: ASYNC110 - a log calls nobody
                await asyncio.sleep(0.01)

    asyncio.run(main())


def test_a_host_that_nobody_knows(outbox: Outbox, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        made = settings("https://nowhere.invalid/")
        async with Webhook(made, outbox, patience=SOON) as hook, asyncio.timeout(PATIENCE):
            tell(hook, FACTS[0])
            while "nowhere.invalid: its name is not known" not in caplog.text:  # noqa: ASYNC110 - a log calls nobody
                await asyncio.sleep(0.01)

    asyncio.run(main())


def test_a_certificate_that_nobody_vouches_for(
    outbox: Outbox, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    async def main() -> None:
        async with receiving(tls=self_signed(tmp_path)) as receiver:
            made = settings(f"https://localhost:{receiver.port}/")
            async with Webhook(made, outbox, patience=SOON) as hook:
                tell(hook, FACTS[0])
                await receiver.until(lambda: "certificate is not to be trusted" in caplog.text)
            assert receiver.came == []

    asyncio.run(main())


# --- secrets --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "No such file or directory"),
        (b"\xff\xfe", "is no text"),
        (b" \n", "there is no secret"),
        (b"whsec_???", "the secret cannot be used: what stands behind whsec_ is no base64"),
        (b"one\ntwo", "the secret has more than one line"),
    ],
)
def test_a_secret_can_be_put_right_while_it_runs(
    content: bytes | None,
    why: str,
    outbox: Outbox,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    file = tmp_path / "hook.secret"
    if content is not None:
        file.write_bytes(content)

    async def main() -> None:
        async with receiving() as receiver:
            made = settings(receiver.url, secret_file=file)
            async with Webhook(made, outbox, patience=SOON) as hook:
                tell(hook, FACTS[0])
                await receiver.until(lambda: why in caplog.text)
                file.write_text(f"{SECRET}\n", encoding="utf-8")
                await receiver.until(lambda: receiver.came != [])

    asyncio.run(main())


def test_without_a_file_and_a_variable_it_says_what_is_missing(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv(SECRET_VARIABLE)

    async def main() -> None:
        made = settings("http://127.0.0.1:9/")
        async with Webhook(made, outbox, patience=IMPATIENT) as hook:
            tell(hook, FACTS[0])
            while "set WEBHOOK_SECRET or name 'secret_file'" not in caplog.text:  # noqa: ASYNC110 - a log calls nobody
                await asyncio.sleep(0.01)

    asyncio.run(main())


def test_no_secret_is_told_to_anybody(
    outbox: Outbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    made = settings(f"http://127.0.0.1:{free_port()}/secret-path")

    async def main() -> None:
        async with Webhook(made, outbox, patience=IMPATIENT) as hook:
            tell(hook, *FACTS)
            await asyncio.sleep(0.5)

    asyncio.run(main())
    assert "secret" not in caplog.text
    assert "secret-path" not in repr(made)
    outbox.close()
    with closing(sqlite3.connect(outbox.path)) as file:
        assert not [text for text in file.iterdump() if SECRET in text or "secret-path" in text]


# --- phones ---------------------------------------------------------------------------------------


def alert(text: str, *, age: float = 0.0) -> AlertRaised:
    now = time.time() - age
    where: dict[str, Any] = {"table": "7", "game": 1, "at": now, "wall": now, "evidence": (1, 1)}
    return AlertRaised(**where, code="FLAG_FALL", severity="critical", text=text)


def test_phones_are_told_alerts_that_are_news(outbox: Outbox, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("tk_1\n", encoding="utf-8")

    async def main() -> None:
        async with receiving() as receiver:
            url = f"http://127.0.0.1:{receiver.port}/hall-7f3a"
            made = settings(url, kind="ntfy", audience="arbiter", secret_file=token)
            async with Webhook(made, outbox, patience=SOON) as hook:
                tell(hook, *FACTS, alert("an hour ago", age=3600), alert("now"))
            ((_, push),) = receiver.came
            assert (push["topic"], push["message"], push["priority"]) == ("hall-7f3a", "now", 5)
            assert receiver.headers[0]["Authorization"] == "Bearer tk_1"

    asyncio.run(main())


def test_what_was_queued_in_an_unknown_form_keeps_no_alert_back(
    outbox: Outbox, caplog: pytest.LogCaptureFixture
) -> None:
    strange = {"msg_1 1": b"?", "msg_2 1": b'{"data": "\xff"}', "msg_3 1": b'{"x":' * 3000}
    outbox.put("webhook test", strange)

    async def main() -> None:
        async with receiving() as receiver:
            made = settings(f"http://127.0.0.1:{receiver.port}/hall", kind="ntfy")
            async with Webhook(made, outbox, patience=SOON) as hook:
                tell(hook, alert("now"))
            assert [push["message"] for _, push in receiver.came] == ["now"]

    asyncio.run(main())
    assert caplog.text.count("was queued by another version and cannot be read") == len(strange)


def test_a_topic_that_anybody_may_write_to_needs_no_token(outbox: Outbox) -> None:
    async def main() -> None:
        async with receiving() as receiver:
            made = settings(f"{receiver.url}/topic", kind="ntfy", audience="arbiter")
            async with Webhook(made, outbox, patience=SOON) as hook:
                tell(hook, alert("now"))
                outbox.put("webhook test", {"msg_old 7": b'{"type":"Older"}'})
            assert "Authorization" not in receiver.headers[0]

    asyncio.run(main())


# --- the disk -------------------------------------------------------------------------------------


@pytest.mark.parametrize("doing", ["INSERT", "DELETE"])
def test_a_disk_that_refuses_is_waited_for(
    doing: str, outbox: Outbox, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with receiving() as receiver:
            async with Webhook(settings(receiver.url), outbox, patience=SOON) as hook:
                with closing(sqlite3.connect(outbox.path)) as other:
                    refuse = "BEGIN SELECT RAISE(FAIL, 'disk is full'); END"
                    other.execute(f"CREATE TRIGGER full BEFORE {doing} ON entries {refuse}")
                    tell(hook, *FACTS)
                    await receiver.until(lambda: "disk is full" in caplog.text)
                    other.execute("DROP TRIGGER full")
            assert sans(receiver) == names(FACTS)

    asyncio.run(main())


def test_what_is_too_much_for_memory_is_left_to_the_next_run(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sender, "MOST_WAITING", 3)
    full = "too much waits for the disk; restart when it writes"

    async def main() -> None:
        async with receiving() as receiver:
            async with Webhook(settings(receiver.url), outbox, patience=SOON) as hook:
                tell(hook, *FACTS)
                assert hook.troubles() == [f"webhook test: {full}"]
            assert sans(receiver) == names(FACTS[:3])
            again = Webhook(settings(receiver.url), outbox, patience=SOON)
            tell(again, *FACTS[:5])
            async with again:
                tell(again, FACTS[5])
            assert sans(receiver) == names(FACTS)

    asyncio.run(main())
    assert full in caplog.text
