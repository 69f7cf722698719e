"""Messages are numbered, kept for a while, and never wait for anybody."""

import asyncio
from collections.abc import Callable
from itertools import count

import pytest

from bridge.web import channel
from bridge.web.channel import Channel, Follower, Message


def say(one: Channel, table: str = "1") -> int:
    seq = one.next_seq()
    one.tell(Message.of(seq, table, b"{}"))
    return seq


def seqs(messages: list[Message] | None) -> list[int] | None:
    return None if messages is None else [message.seq for message in messages]


def test_who_comes_back_is_told_what_he_missed() -> None:
    one = Channel(count(100))
    start = one.seq
    told = [say(one) for _ in range(3)]
    assert seqs(one.since(start)) == told
    assert seqs(one.since(told[0])) == told[1:]
    assert seqs(one.since(told[2])) == []


def test_numbers_of_others_are_not_known() -> None:
    numbers = count(100)
    one, other = Channel(numbers), Channel(numbers)
    told = say(other)
    say(one)
    assert one.since(told) is None
    assert one.since(other.seq) is None
    assert one.since(1) is None
    assert one.since(2**50) is None


def test_what_is_too_old_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "KEPT", 2)
    one = Channel(count(100))
    start = one.seq
    first = say(one)
    say(one)
    assert seqs(one.since(start)) == [first, one.seq]
    say(one)
    assert one.since(start) is None
    assert seqs(one.since(first)) == [first + 1, first + 2]
    say(one)
    assert one.since(first) is None


def test_after_a_new_beginning_only_its_number_counts() -> None:
    one = Channel(count(100))
    before = say(one)
    one.begin_anew()
    assert one.since(before) is None
    assert one.since(one.seq) == []


def followed(act: Callable[[Channel, Follower], list[int] | None], table: str | None) -> object:
    """What a follower is given after *act*."""

    async def main() -> object:
        one, follower = Channel(count(100)), Follower(table)
        one.join(follower)
        act(one, follower)
        async with asyncio.timeout(10):
            taken = await follower.take()
        return None if taken is None else [message.table for message in taken]

    return asyncio.run(main())


def test_a_follower_of_one_table_hears_of_no_other() -> None:
    def act(one: Channel, _: Follower) -> None:
        for table in ("1", "2", "1"):
            say(one, table)

    assert followed(act, "1") == ["1", "1"]
    assert followed(act, None) == ["1", "2", "1"]


def test_a_slow_follower_loses_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "QUEUE_SIZE", 2)

    def act(one: Channel, _: Follower) -> None:
        for table in "1234":
            say(one, table)

    assert followed(act, None) is None


def test_a_follower_that_lost_its_place_goes_on() -> None:
    async def main() -> list[int]:
        one, follower = Channel(count(100)), Follower()
        one.join(follower)
        say(one)
        one.begin_anew()
        assert await follower.take() is None
        said = say(one)
        one.leave(follower)
        say(one)
        taken = await follower.take()
        assert seqs(taken) == [said]
        return [said]

    assert asyncio.run(main())
