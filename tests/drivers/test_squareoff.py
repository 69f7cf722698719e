"""Square Off: every message, the recorded game, games on the simulated boards, loss and return."""

import re
from fnmatch import fnmatchcase

import chess
import pytest

from bridge.core.model import LinkChange
from drivers.boards.squareoff import SquareOffNeo, SquareOffPro
from drivers.boards.squareoff.text import ARRAY, NEW_GAME, cells_of, digits_of
from drivers.codec import Codec
from drivers.errors import UnknownCommandError
from drivers.events import Event, Identity, Lift, Noise, Notice, Place, Snapshot
from drivers.simulated.model import BoardModel
from drivers.simulated.squareoff import ADDRESS, SquareOffNeoBoard, SquareOffProBoard
from tests.conversations import SPECIAL, Conversation, hands, ready, without_noise
from tests.following import follow, moves_of
from tests.shared import shared

GAME = (
    *("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5", "g1f3", "c8g4", "f1e2", "b8c6"),
    *("e1g1", "e8c8", "b2b4", "a5b4", "c1b2", "g4f3", "e2f3", "b4b2", "f3c6", "b7c6"),
)
"""Captures and castling both ways; which man was taken where is told by the lifts alone."""

START = "1100001111000011110000111100001111000011110000111100001111000011"
AFTER_E4 = "1100001111000011110000111100001110010011110000111100001111000011"
KINDS = {"pro": (SquareOffPro, SquareOffProBoard), "neo": (SquareOffNeo, SquareOffNeoBoard)}


def board_of(kind: str) -> tuple[type[Codec], BoardModel]:
    codec, model = KINDS[kind]
    return codec, ready(model())


@pytest.mark.parametrize(
    ("name", "driver"),
    [
        ("Squareoff-12", SquareOffPro),
        ("Square Off", SquareOffPro),
        ("Square Off Pro", SquareOffPro),
        ("Square Off Neo - 1a2", SquareOffNeo),
    ],
)
def test_each_board_is_known_by_its_name_alone(name: str, driver: type[Codec]) -> None:
    drivers = (SquareOffPro, SquareOffNeo)
    named = [d for d in drivers if any(fnmatchcase(name, n) for n in d.info.fingerprint.ble_names)]
    assert named == [driver]


def test_occupancy_goes_file_by_file() -> None:
    assert cells_of(START) == ARRAY
    cells = cells_of(AFTER_E4)
    assert [s for s in chess.SQUARES if cells[s] != ARRAY[s]] == [chess.E2, chess.E4]
    assert digits_of(cells) == AFTER_E4


def test_the_messages_of_the_pro() -> None:
    codec = SquareOffPro()
    said = f"0#e2u*0#e4d*14#GO*30#{AFTER_E4}*22#3.52*"
    assert codec.receive(said.encode(), at=1.0) == [
        Lift(at=1.0, square=chess.E2),
        Place(at=1.0, square=chess.E4),
        Snapshot(at=1.0, cells=cells_of(AFTER_E4)),
        Notice(at=1.0, text="the battery gives 3.52 V"),
    ]


def test_the_messages_of_the_neo() -> None:
    said = f"e2ue4dOK{AFTER_E4}1#AB:CD*4#3752.50*4#3750.00*{START}"
    assert SquareOffNeo().receive(said.encode(), at=1.0) == [
        Lift(at=1.0, square=chess.E2),
        Place(at=1.0, square=chess.E4),
        Snapshot(at=1.0, cells=cells_of(AFTER_E4)),
        Identity(at=1.0, field="serial", value="AB:CD"),
        Notice(at=1.0, text="the battery gives 3752.50 mV"),
        Snapshot(at=1.0, cells=ARRAY),
    ]


DAMAGED = {
    "pro": ("e2u*", "0#e9u*", "7#x*", "0#e2u0#e4d*", f"30#{START[1:]}*", f"30#{START}14#GO*"),
    "neo": ("e9u", "O4", "2#x*", START[1:] + "e2u", START[2:] + "1#AB:CD*", "4x", "1#*"),
}


@pytest.mark.parametrize(("kind", "text"), [(k, t) for k, texts in DAMAGED.items() for t in texts])
def test_what_is_damaged_is_noise_and_the_next_is_understood(kind: str, text: str) -> None:
    codec = KINDS[kind][0]()
    follows = "0#a1u*" if kind == "pro" else "a1u"
    events = codec.receive((text + follows).encode(), at=1.0)
    assert any(isinstance(event, Noise) for event in events)
    assert events[-1] == Lift(at=1.0, square=chess.A1)
    assert not any(isinstance(event, Snapshot) for event in events)


def test_digits_that_come_late_do_not_complete_an_occupancy() -> None:
    codec = SquareOffNeo()
    codec.receive(START[:-1].encode(), at=1.0)
    noise, snapshot = codec.receive(AFTER_E4.encode(), at=2.0)
    assert isinstance(noise, Noise)
    assert snapshot == Snapshot(at=2.0, cells=cells_of(AFTER_E4))


def test_only_the_battery_can_be_asked_for() -> None:
    codec = SquareOffPro()
    with pytest.raises(UnknownCommandError):
        codec.command("dance")
    codec.command("battery")
    assert codec.poll(at=1.0).data == b"4#*"


# --- the recorded game ----------------------------------------------------------------------------


def recorded() -> list[tuple[str, str]]:
    """Return channel and text of what the board said."""
    text = shared("protocols/captures/squareoff_neo_game.txt").read_text(encoding="utf-8")
    return re.findall(r"^\d+ < (\w) (.*)$", text, re.MULTILINE)


def decoded(gap: float) -> list[Event]:
    codec, events = SquareOffNeo(), list[Event]()
    for number, (_, said) in enumerate(recorded()):
        events += codec.receive(said.encode(), at=gap * number)
    return events


def test_every_message_of_the_recorded_game_is_understood() -> None:
    events = decoded(1.0)
    assert without_noise(events) == events
    told = [said for channel, said in recorded() if channel == "E" and said != "OK"]
    assert told == [
        f"{chess.square_name(e.square)}{'u' if isinstance(e, Lift) else 'd'}"
        for e in events
        if isinstance(e, Lift | Place)
    ]
    shown = [said for channel, said in recorded() if channel == "S"]
    assert shown == [digits_of(e.cells) for e in events if isinstance(e, Snapshot)]


def test_the_recorded_game_has_its_moves() -> None:
    """It carries no times; motor and hands are given six seconds between two messages."""
    text = shared("protocols/captures/squareoff_neo_game.txt").read_text(encoding="utf-8")
    (pgn,) = re.findall(r"^# PGN: (.*) 1-0$", text, re.MULTILINE)
    board = chess.Board()
    for san in re.sub(r"\d+\.", " ", pgn).split():
        board.push_san(san)
    found = moves_of(follow(decoded(6.0), SquareOffNeo))
    assert found == [move.uci() for move in board.move_stack]
    assert board.is_checkmate()


# --- with the simulated boards --------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_is_followed_to_its_last_move(kind: str) -> None:
    codec, board = board_of(kind)
    link = Conversation(codec(), board)
    actions = hands(GAME)
    facts = follow(link.go_on(actions[-1].at + 5, actions), codec)
    assert moves_of(facts) == list(GAME)
    assert link.sent.count(NEW_GAME) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_with_special_moves_is_followed(kind: str) -> None:
    codec, board = board_of(kind)
    actions = hands(SPECIAL)
    facts = follow(Conversation(codec(), board).go_on(actions[-1].at + 5, actions), codec)
    # What a pawn became is seen only where it moves on: here it was taken where it stood.
    assert [move[:4] for move in moves_of(facts)] == [move[:4] for move in SPECIAL]


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_goes_on_after_the_link_was_lost(kind: str) -> None:
    codec, board = board_of(kind)
    actions = hands(GAME)
    lost = actions[20].at + 0.05
    first = Conversation(codec(), board)
    events = first.go_on(lost, [a for a in actions if a.at <= lost])
    second = Conversation(codec(), board, at=lost)
    rest = second.go_on(actions[-1].at + 5, [a for a in actions if a.at > lost])
    changes = [LinkChange(state="lost"), LinkChange(state="live")]
    assert moves_of(follow([*events, *changes, *rest], codec)) == list(GAME)
    assert NEW_GAME not in second.sent


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_game_is_begun_when_the_men_stand_again(kind: str) -> None:
    codec, board = board_of(kind)
    link = Conversation(codec(), board)
    actions = hands(GAME[:4])
    link.go_on(actions[-1].at + 6, actions)
    board.set_up(chess.Board().piece_map(), at=link.at)
    link.go_on(link.at + 12)
    assert link.sent.count(NEW_GAME) == 2


def test_the_board_of_nobody_is_asked_what_stands() -> None:
    board = SquareOffProBoard()
    link = Conversation(SquareOffPro(), board)
    events = link.go_on(20.0)
    assert [e.cells for e in events if isinstance(e, Snapshot)] == [64 * "."] * 4
    link.codec.command("battery")
    assert any(isinstance(event, Notice) for event in link.go_on(21.0))


@pytest.mark.parametrize("kind", KINDS)
def test_a_simulated_board_passes_over_what_it_does_not_know(kind: str) -> None:
    _, board = board_of(kind)
    board.poll(at=10.0)
    board.receive(b"26#ISR*", at=10.0)
    assert board.poll(at=10.1).data == b""


def test_squares_beside_the_motors_way_cost_no_move() -> None:
    board = SquareOffNeoBoard()
    link = Conversation(SquareOffNeo(), ready(board))
    actions = hands(["g1f3"])
    link.go_on(actions[-1].at + 3, actions)
    board.blind = {chess.G7}
    board.motor(chess.G8, chess.F6, at=link.at)
    board.report_battery("3752.50", at=link.at)
    link.go_on(link.at + 8)
    rest = hands(["d2d4"], begin=link.at)
    link.go_on(rest[-1].at + 8, rest)
    assert moves_of(follow(link.events, SquareOffNeo)) == ["g1f3", "g8f6", "d2d4"]
    assert Identity(at=0, field="serial", value=ADDRESS) in [
        Identity(at=0, field=e.field, value=e.value) for e in link.events if isinstance(e, Identity)
    ]
