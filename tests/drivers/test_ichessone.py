"""iChessOne: every message, games on the simulated board, loss and return, and a real port."""

import asyncio
from pathlib import Path

import pytest

from bridge.core.model import LinkChange
from drivers.boards.ichessone import IChessOne, body_of, cells_of
from drivers.events import Battery, Identity, Noise, Snapshot
from drivers.simulated.ichessone import IChessOneBoard
from drivers.simulated.line import Faults
from tests.conversations import SPECIAL, Conversation, hands, ready
from tests.drivers.ports import play_on_port
from tests.following import follow, moves_of

START = "RNBQKBNRPPPPPPPP" + "." * 32 + "pppppppprnbqkbnr"
EXAMPLES = {
    f"3d 70 a8 9b c9 8a {'77 ' * 4} {'00 ' * 16} {'11 ' * 4} 42 35 63 24": START,
    f"3d 70 a8 9b c9 8a {'77 ' * 4} {'00 ' * 10} 10 {'00 ' * 5} 11 11 01 11 42 35 63 24": (
        START[:12] + "." + START[13:28] + "P" + START[29:]
    ),
    f"3d 70 42 36 53 24 {'11 ' * 4} {'00 ' * 16} {'77 ' * 4} a8 9c b9 8a": START[::-1],
}


@pytest.mark.parametrize(("data", "cells"), EXAMPLES.items())
def test_positions_are_those_of_the_examples(data: str, cells: str) -> None:
    assert IChessOne().receive(bytes.fromhex(data), at=1.0) == [Snapshot(at=1.0, cells=cells)]
    assert body_of(cells_of(bytes.fromhex(data)[2:])) == bytes.fromhex(data)[2:]


def test_batteries_and_texts_are_told() -> None:
    codec = IChessOne()
    assert codec.receive(b"=b\x01\x64=b\x00\x58=hrev 2\r\n", at=1.0) == [
        Battery(at=1.0, percent=100, charging=True),
        Battery(at=1.0, percent=88, charging=False),
    ]
    assert codec.receive(b"=", at=2.0) == [Identity(at=2.0, field="hardware", value="rev 2")]


DAMAGED = {
    "cut short by the next message": b"=p\x00\x00=b\x00\x10",
    "a square that is no man": b"=p" + b"\xdd" * 32,
    "no battery has this charge": b"=b\x02\x10",
    "a text that cannot be read": b"=h\x01\x02=",
    "no such message": b"=x",
    "no message begins here": b"hello",
}


@pytest.mark.parametrize(("why", "data"), DAMAGED.items())
def test_what_is_damaged_is_noise(why: str, data: bytes) -> None:
    noise = IChessOne().receive(data, at=1.0)[0]
    assert isinstance(noise, Noise)
    assert noise.why == why


def test_a_text_ends_where_it_is_too_long() -> None:
    (text, _) = IChessOne().receive(b"=h" + b"x" * 70, at=1.0)
    assert text == Identity(at=1.0, field="hardware", value="x" * 64)


def test_a_stranger_hears_nothing_but_one_question() -> None:
    codec = IChessOne()
    codec.greet(at=0.0)
    said = [codec.poll(at=n / 10).data for n in range(100)]
    assert set(said) == {b"", b"RP"}


@pytest.mark.parametrize("rotated", [False, True])
def test_a_game_is_followed_to_its_last_move(rotated: bool) -> None:
    link = Conversation(IChessOne(), ready(IChessOneBoard(rotated=rotated)))
    actions = hands(SPECIAL, seed=int(rotated))
    facts = follow(link.go_on(actions[-1].at + 5, actions), IChessOne)
    assert moves_of(facts) == list(SPECIAL)
    assert {b"RP", b"CPIRQ", b"RB", b"RH"} == set(link.sent)
    assert Battery(at=0, percent=88, charging=False) in [
        Battery(at=0, percent=e.percent, charging=e.charging)
        for e in link.events
        if isinstance(e, Battery)
    ]


def test_a_board_that_lost_its_power_reports_again() -> None:
    board = IChessOneBoard()
    ready(board)
    link = Conversation(IChessOne(), board)
    link.go_on(5.0)
    board.lose_power()
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6", "e1g1", "g8f6"]
    actions = hands(moves, begin=6.0)
    facts = follow(link.go_on(actions[-1].at + 5, actions), IChessOne)
    assert moves_of(facts) == moves
    assert link.sent.count(b"CPIRQ") > 1


def test_a_game_goes_on_after_the_link_was_lost() -> None:
    board = ready(IChessOneBoard())
    actions = hands(SPECIAL)
    lost, back = actions[20].at + 0.05, actions[20].at + 0.1
    first = Conversation(IChessOne(), board)
    events = first.go_on(lost, [a for a in actions if a.at <= lost])
    second = Conversation(IChessOne(), board, at=back)
    rest = second.go_on(actions[-1].at + 5, [a for a in actions if a.at > lost])
    changes = [LinkChange(state="lost"), LinkChange(state="live")]
    facts = follow([*events, *changes, *rest], IChessOne)
    assert moves_of(facts) == list(SPECIAL)


@pytest.mark.parametrize("seed", range(3))
def test_damaged_messages_cost_no_move(seed: int) -> None:
    faults = Faults(lose=0.03, insert=0.03, split=0.2, merge=0.05)
    link = Conversation(IChessOne(), ready(IChessOneBoard(faults=faults, seed=seed)))
    actions = hands(SPECIAL, seed=seed)
    events = link.go_on(actions[-1].at + 12, actions)
    assert any(isinstance(event, Noise) for event in events)
    assert moves_of(follow(events, IChessOne)) == list(SPECIAL)


def test_a_game_over_a_port(tmp_path: Path) -> None:
    asyncio.run(play_on_port(tmp_path, "ichessone", IChessOneBoard(), SPECIAL[:6]))
