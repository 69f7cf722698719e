"""Who leads, and what the one who takes over knows of what was sent."""

import asyncio
import contextlib
import signal
import time
from collections.abc import Collection
from pathlib import Path
from threading import Event
from unittest.mock import AsyncMock, Mock

import msgspec
import pytest
from nats.js.errors import NotFoundError

from bridge.scale import adoption as adoptions
from bridge.scale import lease as leases
from bridge.scale.adoption import Adoption
from bridge.scale.connection import FAILURES, BehindError
from bridge.scale.lease import Lease
from bridge.scale.shared_outbox import Copies, SharedOutbox, adopt
from bridge.scale.streams import KEPT_SECONDS
from bridge.scale.watching import Kept
from bridge.store.errors import OutboxError
from bridge.store.outbox import Entry, Outbox
from tests.brokers import NAMES, PATIENCE, Broker, connected, doing, eventually, followed

NESTED = b'{"a":' * 2000


async def _leads(folder: Path) -> None:
    lost: list[str] = []
    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        stream = connection.stream
        first, second = (Lease(name, NAMES.lease, replicas=1) for name in ("a", "b"))
        await first.acquire(stream)
        assert (first.is_held, first.epoch) == (True, 1)
        assert (await second.holder(stream)).hub == "a"
        async with doing(second.acquire(stream)) as waiting:
            async with doing(first.keep(stream, lost=lambda: lost.append("a"))):
                await asyncio.sleep(leases.TAKE_AFTER + 1.0)
                assert first.is_held
                assert not waiting.done(), "as long as it is renewed"
            began = time.monotonic()
            await waiting
            assert not first.is_held, "it knew before the other one took it"
            assert time.monotonic() - began > leases.FENCE - leases.RENEW
        assert second.is_held
        assert second.epoch > first.epoch
        await first.keep(stream, lost=lambda: lost.append("a"))
        assert lost == ["a"]
        await second.release(stream)
        assert not second.is_held
        third = Lease("c", NAMES.lease, replicas=1)
        can_lead = asyncio.Event()
        async with doing(third.acquire(stream, can_lead)) as waiting:
            await asyncio.sleep(0.5)
            assert not waiting.done(), "not before it can"
            can_lead.set()
            async with asyncio.timeout(leases.FENCE):
                await waiting
        assert third.epoch > second.epoch


def test_one_leads_and_another_takes_over_when_it_is_gone(tmp_path: Path) -> None:
    asyncio.run(_leads(tmp_path))


async def _goes_on(folder: Path) -> None:
    lost: list[str] = []
    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        stream = connection.stream
        first, second = (Lease(name, NAMES.lease, replicas=1) for name in ("a", "b"))
        await first.acquire(stream)
        async with (
            doing(first.keep(stream, lost=lambda: lost.append("a"))),
            doing(second.acquire(stream)) as waiting,
        ):
            await asyncio.sleep(0.5)
            broker.tell(signal.SIGSTOP)
            await asyncio.sleep(leases.TAKE_AFTER + 1.0)
            assert not first.is_held
            assert "not renewed" in first.trouble
            broker.tell(signal.SIGCONT)
            await eventually(lambda: first.is_held and not first.trouble)
            await asyncio.sleep(leases.FIRST_CHANCE)
            assert not waiting.done(), "it has seen that the lease was renewed"
    assert lost == []


def test_who_leads_goes_on_when_brokers_answer_again(tmp_path: Path) -> None:
    asyncio.run(_goes_on(tmp_path))


async def _is_taken_up(folder: Path) -> None:
    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        stream = connection.stream
        first, again = (Lease("a", NAMES.lease, replicas=1, home="x") for _ in range(2))
        await first.acquire(stream)
        async with asyncio.timeout(leases.TAKE_AFTER):
            await again.acquire(stream)
        assert again.epoch > first.epoch
        other = Lease("b", NAMES.lease, replicas=1, home="y")
        values = await stream.key_value(NAMES.lease)
        for unread in (b'{"home":"\xff"}', NESTED):
            await values.put(leases.KEY, unread)
            assert await other.holder(stream) == leases.UNKNOWN
        for spoil in (values.put(leases.KEY, b"{"), values.delete(leases.KEY)):
            await spoil
            assert await other.holder(stream) == leases.UNKNOWN
            before = time.monotonic()
            await other.acquire(stream)
            assert time.monotonic() - before > leases.TAKE_AFTER, "somebody may still lead"
            other = Lease("c", NAMES.lease, replicas=1)


def test_a_lease_is_taken_at_once_where_its_holder_is_known_to_be_gone(tmp_path: Path) -> None:
    asyncio.run(_is_taken_up(tmp_path))


async def _copied(folder: Path) -> None:
    held = False
    async with (
        Broker(folder / "broker") as broker,
        connected(broker) as connection,
        followed(connection, lambda: held) as copies,
    ):
        assert await copies.all() == []
        with SharedOutbox(folder / "first", copies) as first, Outbox(folder / "second") as second:
            put = {"a": b"1", "b": b"2"}
            putting = asyncio.to_thread(first.put, "hook", put, notes={"far": "2"})
            async with doing(putting) as writing:
                await asyncio.sleep(0.2)
                assert not writing.done(), "nothing is written by who does not lead for certain"
                held = True
                await writing
            held = False
            waiting = asyncio.create_task(asyncio.to_thread(first.waiting, "hook"))
            await asyncio.sleep(0.2)
            assert not waiting.done(), "nothing is sent by who does not lead for certain"
            held = True
            entries = await waiting
            assert entries == [Entry("a", b"1"), Entry("b", b"2")]
            await asyncio.to_thread(first.delivered, "hook", entries[:1])
            await asyncio.to_thread(first.put, "hook", {"c": b"3"})
            await asyncio.to_thread(first.forget, "hook", ["b"])
            second.put("hook", {"old": b"0"}, notes={"far": "1"})
            second.put("other", {"kept": b"0"})
            adopt(second, await copies.all())
            assert second.waiting("hook") == [Entry("c", b"3")]
            assert second.notes("hook") == {"far": "2"}
            second.put("hook", {"a": b"1"})
            assert second.count("hook") == 1, "it knows what was delivered"
            assert second.count("other") == 1
            values = await connection.stream.key_value(NAMES.sent)
            await values.put("e.later", msgspec.json.encode(Kept(v=9, output="hook", key="z")))
            await values.put("e.spoilt", b'{"output":"\xff"}')
            await values.put("e.nested", NESTED)
            adopt(second, await copies.all())
            assert second.count("hook") == 1
            assert "3 entries of what is sent cannot be read" in copies.trouble
            for unread in ("e.later", "e.spoilt", "e.nested"):
                await values.delete(unread)
            await asyncio.to_thread(first.put, "hook", {"d": b"4"})
            assert await asyncio.to_thread(first.trim, "hook", 1) == ["c"]
            adopt(second, await copies.all())
            assert second.waiting("hook") == [Entry("d", b"4")]
            assert copies.trouble == ""
            held = False
            copies.close()
            with pytest.raises(OutboxError, match="leads no longer"):
                await asyncio.to_thread(first.waiting, "hook")


def test_another_hub_knows_what_waits_and_what_was_sent(tmp_path: Path) -> None:
    asyncio.run(_copied(tmp_path))


async def _disk_refuses(folder: Path, leads: Event) -> None:
    second = folder / "second"
    second.mkdir()  # so that no outbox can be opened there

    async def take_up() -> None:
        pass

    async with (
        Broker(folder / "broker") as broker,
        connected(broker) as connection,
        followed(connection) as copies,
    ):
        adopting = asyncio.create_task(Adoption(second, copies).until(leads.is_set, take_up))
        await asyncio.sleep(0.5)
        assert not adopting.done()
        second.rmdir()
        await eventually(second.is_file)
        leads.set()
        await adopting


def test_a_hub_that_stands_by_outlives_a_disk_that_takes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(adoptions, "TAKE_UP_SECONDS", 0.05)
    asyncio.run(_disk_refuses(tmp_path, Event()))
    (told,) = [each.message for each in caplog.records if "cannot be kept here" in each.message]
    assert str(tmp_path / "second") in told


async def _late(folder: Path) -> None:
    answers = iter([True])

    def held() -> bool:
        """For long enough that a write is begun, which the other hub precedes."""
        return next(answers, False)

    async with (
        Broker(folder / "broker") as broker,
        connected(broker) as connection,
        followed(connection) as second,
    ):
        async with followed(connection, held) as first:  # until it leads
            await first.all()
        with SharedOutbox(folder / "second", second) as outbox:
            await asyncio.to_thread(outbox.put, "hook", {}, notes={"far": "2"})
            await asyncio.to_thread(outbox.put, "hook", {}, notes={"far": "3"})
            late = Kept(output="hook", key="far", note="1")
            keeping = asyncio.create_task(asyncio.to_thread(first.keep, [late]))
            await eventually(lambda: next(answers, None) is None)
            await asyncio.sleep(0.5)
            assert not keeping.done(), "what would be sent after it is not sent"
            assert [kept.note for kept in await second.all()] == ["3"]
            first.close()
            with pytest.raises(OutboxError, match="leads no longer"):
                await keeping
            await asyncio.to_thread(outbox.put, "hook", {}, notes={"far": "4"})
            assert [kept.note for kept in await second.all()] == ["4"]


def test_a_hub_that_was_deposed_writes_over_nothing(tmp_path: Path) -> None:
    asyncio.run(_late(tmp_path))


async def _answer_lost(folder: Path) -> None:
    async with (
        Broker(folder / "broker") as broker,
        connected(broker) as connection,
        followed(connection) as copies,
    ):
        await copies.all()
        with SharedOutbox(folder / "outbox", copies) as outbox:
            await asyncio.to_thread(outbox.put, "hook", {"a": b"1", "b": b"1"})
            values = await connection.stream.key_value(NAMES.sent)
            for key in await values.keys():
                await values.put(key, b"{}")  # what was written, and not answered, looks the same
            await asyncio.to_thread(outbox.put, "hook", {"a": b"2"})
            await asyncio.to_thread(outbox.forget, "hook", ["b"])
            assert {kept.content for kept in await copies.all()} == {b"2"}


def test_who_leads_writes_over_what_it_did_not_expect(tmp_path: Path) -> None:
    asyncio.run(_answer_lost(tmp_path))


async def _lacks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with (
        Broker(folder / "broker") as broker,
        connected(broker) as connection,
        followed(connection) as copies,
    ):
        adoption = Adoption(folder / "second", copies)
        with SharedOutbox(folder / "first", copies) as first, Outbox(folder / "second") as second:
            await asyncio.to_thread(first.put, "hook", {"a": b"1"})
            await adoption.now()
            assert second.waiting("hook") == [Entry("a", b"1")]
            await asyncio.to_thread(first.forget, "hook", ["a"])
            # A broker that has come back has none of it; all that it tells is that there is none.
            last = await connection.stream.get_last_msg(f"KV_{NAMES.sent}", f"$KV.{NAMES.sent}.>")
            await connection.stream.purge_stream(f"KV_{NAMES.sent}")
            async with followed(connection) as lacking:
                monkeypatch.setattr(connection.stream, "get_last_msg", AsyncMock(return_value=last))
                with pytest.raises(BehindError, match="not all"):
                    await lacking.all()
                with pytest.raises(BehindError, match="not all"):
                    await Adoption(folder / "second", lacking).now()
            assert second.waiting("hook") == [Entry("a", b"1")], "it is not believed"


def test_a_broker_that_lacks_what_was_sent_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(_lacks(tmp_path, monkeypatch))


async def _skipped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        writing = Copies(connection.stream, NAMES.sent, replicas=1, held=lambda: True)
        with SharedOutbox(folder / "first", writing) as first:
            async with followed(connection) as copies:
                await asyncio.to_thread(first.put, "hook", {"a": b"1", "b": b"2"})
                assert len(await copies.all()) == 2
                with monkeypatch.context() as skipping:
                    skipping.setattr(copies._watching._follower, "_take", Mock())
                    await asyncio.to_thread(first.forget, "hook", ["a"])
                    await asyncio.sleep(0.5)
                await asyncio.to_thread(first.put, "hook", {"c": b"3"})
                assert [kept.content for kept in await copies.all()] == [b"2", b"3"]


def test_a_mark_that_a_broker_skips_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(_skipped(tmp_path, monkeypatch))


async def _low(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Broker(folder / "broker") as broker, connected(broker) as connection:
        writing = Copies(connection.stream, NAMES.sent, replicas=1, held=lambda: True)
        with SharedOutbox(folder / "first", writing) as first:
            await asyncio.to_thread(first.put, "hook", {"a": b"1"})
            there = (await connection.stream.stream_info(f"KV_{NAMES.sent}")).config
            assert there.max_age == KEPT_SECONDS
            none = AsyncMock(side_effect=NotFoundError)
            monkeypatch.setattr(connection.stream, "get_last_msg", none)
            async with followed(connection) as copies:
                assert [kept.content for kept in await copies.all()] == [b"1"]
                await asyncio.to_thread(first.put, "hook", {"b": b"2"})
                assert [kept.content for kept in await copies.all()] == [b"1", b"2"]
            await connection.stream.purge_stream(f"KV_{NAMES.sent}")
            async with followed(connection) as copies:
                assert await copies.all() == [], "the last one was taken out"


def test_a_broker_that_knows_of_no_last_entry_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(_low(tmp_path, monkeypatch))


async def _another(folder: Path) -> None:
    async with (
        Broker(folder / "broker") as broker,
        connected(broker) as connection,
        followed(connection) as copies,
    ):
        for contents in ({"a": b"1", "b": b"1"}, {"c": b"1"}):
            writing = Copies(connection.stream, NAMES.sent, replicas=1, held=lambda: True)
            with SharedOutbox(folder / "outbox", writing) as outbox:
                await asyncio.to_thread(outbox.put, "hook", contents)
            await eventually_kept(copies, contents.keys())
            await connection.stream.delete_key_value(NAMES.sent)


async def eventually_kept(copies: Copies, keys: Collection[str]) -> None:
    """Return when that is kept, and nothing else."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with contextlib.suppress(*FAILURES):
                if {kept.key for kept in await copies.all()} == keys:
                    return
            await asyncio.sleep(0.1)


def test_of_a_copy_that_was_deleted_nothing_is_kept(tmp_path: Path) -> None:
    asyncio.run(_another(tmp_path))
