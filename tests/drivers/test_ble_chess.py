"""The Chess Peripheral Protocol: words, rounds, and games on the simulated board."""

from dataclasses import replace

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.core.model import LinkChange
from drivers.boards.ble_chess import ChessPeripheral
from drivers.boards.ble_chess.board import ALIVE_EVERY, DIFFERS, UNNAMED_MEN, UPDATE_NEEDED
from drivers.boards.ble_chess.protocol import (
    after_move,
    cells_of,
    placement_of,
)
from drivers.cells import START_CELLS, can_show
from drivers.events import BoardMove, Event, Noise, Notice, Snapshot
from drivers.simulated.ble_chess import ChessPeripheralBoard
from drivers.simulated.exhibits import cpp
from tests.conversations import SPECIAL, Conversation, hands, ready
from tests.following import follow, moves_of

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
BEGIN = f"begin {START} w"
GREETING = ["feature submove_state", "feature side", "side ?", "variant standard"]


class Occupancy(ChessPeripheral):
    info = replace(ChessPeripheral.info, sensing="occupancy")


class Colour(ChessPeripheral):
    info = replace(ChessPeripheral.info, sensing="colour")


class Talk:
    """A codec, and what it says in answer to a board's messages, at its own pace."""

    def __init__(self) -> None:
        self.codec = ChessPeripheral()
        self.at = 0.0
        self.codec.greet(at=0.0)

    def said(self, seconds: float = 1.0) -> list[str]:
        said, until = [], self.at + seconds
        while self.at <= until:
            data, wake_at = self.codec.poll(at=self.at)
            if data:
                said.append(data.decode())
            else:
                self.at = min(wake_at, until + 0.001)
        return said

    def hear(self, *messages: str) -> list[Event]:
        return [
            event
            for message in messages
            for event in self.codec.receive(message.encode(), at=self.at)
        ]

    def begin(self, *, streams: bool = True) -> None:
        """Get through the greeting to a round that stands at the start."""
        assert self.said() == ["feature submove_state"]
        if not streams:
            self.hear("nok")
            assert self.said() == ["feature state_stream"]
        self.hear("ok" if streams else "nok")
        self.said()
        self.hear("nok")
        self.said()
        self.hear("ok")
        assert self.said() == ["set_variant standard", BEGIN]
        self.hear(f"sync {START} w")


def notices(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Notice)]


def snapshots(events: list[Event]) -> list[str]:
    return [placement_of(event.cells) for event in events if isinstance(event, Snapshot)]


# --- positions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        START,
        E4,
        "????????/????????/8/8/8/8/????????/???????1",
        "uuuuuuuu/uuuuuuuu/8/8/8/8/UUUUUUUU/UUUUUUUU",
        "8/8/8/3qk3/8/8/8/8",
    ],
)
def test_positions_are_read_and_written(text: str) -> None:
    cells = cells_of(text)
    assert cells is not None
    assert placement_of(cells) == text
    assert cells_of(f"{text} w KQkq - 0 1") == cells, "what follows is left aside"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "8/8",
        START + "/8",
        START[:-1],
        "9/8/8/8/8/8/8/8",
        "8/8/8/8/8/8/8/7x",
        "8x/8/8/8/8/8/8/8",
    ],
)
def test_what_is_no_position(text: str) -> None:
    assert cells_of(text) is None


@pytest.mark.parametrize(
    ("told", "fits"),
    [
        (START, True),
        ("????????/????????/8/8/8/8/????????/????????", True),
        ("uuuuuuuu/uuuuuuuu/8/8/8/8/UUUUUUUU/UUUUUUUU", True),
        ("UUUUUUUU/uuuuuuuu/8/8/8/8/UUUUUUUU/UUUUUUUU", False),
        ("????????/????????/8/8/8/8/????????/???????1", False),
        ("????????/????????/8/8/8/?7/????????/????????", False),
        (E4, False),
    ],
)
def test_whether_the_start_may_stand_there(told: str, fits: bool) -> None:
    assert can_show(cells_of(told) or "", START_CELLS) is fits


def test_moves_take_along_what_belongs_to_them() -> None:
    board, cells = chess.Board(), START_CELLS
    for uci in SPECIAL:
        cells = after_move(cells, uci)
        board.push_uci(uci)
        assert placement_of(cells) == board.board_fen()


def test_a_promotion_without_a_letter_leaves_the_man_open() -> None:
    white = cells_of("8/P7/8/8/8/8/p7/8") or ""
    assert placement_of(after_move(white, "a7a8")) == "U7/8/8/8/8/8/p7/8"
    assert placement_of(after_move(white, "a2a1")) == "8/P7/8/8/8/8/8/u7"
    assert placement_of(after_move(white, "a2a1n")) == "8/P7/8/8/8/8/8/n7"
    assert placement_of(after_move(white, "h3h4")) == "8/P7/8/8/7?/8/p7/8"


# --- rounds -------------------------------------------------------------------------------------


def test_a_round_begins_at_the_start() -> None:
    talk = Talk()
    assert talk.said() == ["feature submove_state"]
    assert talk.hear("ok") == []
    assert talk.said() == ["feature side"]
    assert talk.hear("ok") == []
    assert talk.said() == ["side ?", "variant standard"]
    assert talk.hear("ok") == []
    assert talk.said() == ["set_variant standard", BEGIN]
    assert snapshots(talk.hear(f"sync {START} w")) == [START]


def test_an_older_board_streams_under_another_name() -> None:
    talk = Talk()
    talk.said()
    talk.hear("nok")
    assert talk.said() == ["feature state_stream"]
    talk.hear("ok")
    assert talk.said() == ["feature side"]
    talk.hear("nok")
    assert talk.said() == ["variant standard"], "which side is ours is not said to all boards"
    talk.hear("nok")
    assert talk.said() == [BEGIN]


def test_every_change_and_every_move_is_told_and_acknowledged() -> None:
    talk = Talk()
    talk.begin()
    lifted = E4.replace("4P3", "8")
    assert snapshots(talk.hear(f"state {lifted}", f"state {E4}")) == [lifted, E4]
    assert talk.hear("move e2e4") == [BoardMove(at=talk.at, uci="e2e4", verdict="unjudged")]
    assert talk.said() == ["ok"]
    assert talk.hear("move e4e6") == [BoardMove(at=talk.at, uci="e4e6", verdict="unjudged")]
    assert talk.said() == ["ok"], "what is illegal is recorded as well"


def test_a_board_that_tells_only_moves_is_followed_by_them() -> None:
    talk = Talk()
    talk.begin(streams=False)
    events = talk.hear("move e2e4")
    assert events[0] == BoardMove(at=talk.at, uci="e2e4", verdict="unjudged")
    assert snapshots(events) == [E4]
    knocked = E4.replace("RNBQKBNR", "RNBQKBN1")
    events = talk.hear(f"unsync {knocked}")
    assert snapshots(events) == [knocked]
    assert notices(events) == [DIFFERS]
    talk.hear(f"sync {E4}")
    after = E4.replace("pppppppp", "pppp1ppp").replace("8/8/4P3", "8/4p3/4P3")
    assert snapshots(talk.hear("move e7e5")) == [after]


def test_what_is_told_twice_happened_once() -> None:
    talk = Talk()
    talk.begin(streams=False)
    talk.hear("move e2e4")
    assert talk.said() == ["ok"]
    assert talk.hear("move e2e4") == []
    assert talk.said() == ["ok"], "it may have missed the first one"
    talk.hear(f"unsync {START}", f"sync {START}")
    talk.said()
    assert snapshots(talk.hear("move e2e4")) == [E4], "it was taken back and made again"


@pytest.mark.parametrize("word", ["unsync", "unsync_settable", "unsync_setible"])
def test_a_round_goes_on_where_the_board_stands(word: str) -> None:
    talk = Talk()
    for reply in ("ok", "nok", "ok"):
        talk.said()
        talk.hear(reply)
    assert talk.said()[-1] == BEGIN
    events = talk.hear(f"{word} {E4}")
    assert snapshots(events) == [E4]
    assert notices(events) == []
    assert talk.said() == [f"begin {E4}"]
    talk.hear(f"unsync {E4}")
    assert talk.said() == [], "it is offered once"
    talk.hear(f"state {START}")
    assert talk.said() == [BEGIN], "the next round"


def test_a_board_that_does_not_name_its_men_stays_out_of_step() -> None:
    talk = Talk()
    for reply in ("ok", "nok", "ok"):
        talk.said()
        talk.hear(reply)
    talk.said()
    told = "????????/????????/8/8/4?3/8/????1???/????????"
    events = talk.hear(f"unsync {told}")
    assert snapshots(events) == [told]
    assert notices(events) == [UNNAMED_MEN]
    assert talk.said() == []
    assert notices(talk.hear(f"state {told}")) == [], "it is told once"


def test_a_promotion_is_answered_with_a_queen() -> None:
    talk = Talk()
    talk.begin(streams=False)
    for uci in ("a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5"):
        talk.hear(f"move {uci}")
        assert talk.said() == ["ok"]
    events = talk.hear("move a7b8")
    assert talk.said() == ["promote a7b8q"]
    assert snapshots(events)[0].startswith("rUbqkbnr")
    talk.hear("move b8c8")
    assert talk.said() == ["ok"]


def test_a_question_is_asked_again() -> None:
    talk = Talk()
    assert talk.said(10.0) == ["feature submove_state"] * 4


def test_a_silent_board_is_asked_what_changes_nothing() -> None:
    talk = Talk()
    talk.begin()
    assert talk.said(ALIVE_EVERY + 1) == ["variant standard"]
    assert snapshots(talk.hear("ok")) == [START], "what it told still stands"
    assert talk.said(5.0) == []


def test_a_late_answer_to_something_else_begins_nothing() -> None:
    talk = Talk()
    for reply in ("ok", "nok", "ok", "ok"):
        talk.said()
        talk.hear(reply)
    assert notices(talk.hear(f"sync {START}")) == []
    assert talk.said() == []


# --- old boards, odd words ----------------------------------------------------------------------


@pytest.mark.parametrize("text", ["feature setboard=1", "telluser hello", f"fen {START}"])
def test_older_generations_are_told_to_update(text: str) -> None:
    talk = Talk()
    assert notices(talk.hear(text)) == [UPDATE_NEEDED]
    assert talk.hear(text) == [], "once"


def test_a_board_without_rounds_is_told_to_update() -> None:
    talk = Talk()
    for reply in ("nok", "nok", "nok", "nok"):
        talk.said()
        assert talk.hear(reply) == []
    assert talk.said() == [BEGIN]
    assert notices(talk.hear("nok")) == [UPDATE_NEEDED]
    assert talk.hear("move e2e4") == []
    assert "ok" not in talk.said(60.0)


def test_a_move_before_any_round_is_one_of_an_old_board() -> None:
    talk = Talk()
    talk.said()
    assert notices(talk.hear("move e2e4")) == [UPDATE_NEEDED]
    assert talk.said() == [], "some take every unknown word for a move"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("err unexpected", "the board says: unexpected"),
        ("msg hello world", "the board says: hello world"),
        ("resign", "the board says: resign"),
        ("draw_offer", "the board says: draw offer"),
        ("undo_offer", "the board says: undo offer"),
    ],
)
def test_what_it_says_to_people(text: str, told: str) -> None:
    talk = Talk()
    assert notices(talk.hear(text)) == [told]


def test_words_are_matched_whole() -> None:
    talk = Talk()
    talk.begin()
    assert talk.hear("moved") == []
    (noise,) = talk.hear("movee2e4")
    assert isinstance(noise, Noise)
    assert talk.said() == ["err unknown word"]


@pytest.mark.parametrize(
    "data", [b"state 8/8", b"sync", b"unsync 9", b"move e9e4", b"", b"\xff\xfe", b"12 34"]
)
def test_what_makes_no_message_is_noise(data: bytes) -> None:
    talk = Talk()
    talk.begin()
    noise = Noise(at=talk.at, data=data.hex(" "), why="no message of the protocol")
    assert talk.codec.receive(data, at=talk.at) == [noise]
    assert talk.said() == []


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=80),
            st.sampled_from(
                [
                    b"ok",
                    b"nok",
                    b"move e2e4",
                    b"state " + START.encode(),
                    b"unsync " + E4.encode(),
                    b"sync " + START.encode(),
                    b"move a7a8",
                    b"err x",
                ]
            ),
        ),
        max_size=40,
    )
)
def test_nothing_is_held_back_and_nothing_raises(messages: list[bytes]) -> None:
    codec, at = ChessPeripheral(), 0.0
    codec.greet(at=at)
    for message in messages:
        at += 1.0
        codec.receive(message, at=at)
        sent = codec.poll(at=at)
        assert codec.buffered == 0
        assert sent.wake_at > at - 1


# --- games --------------------------------------------------------------------------------------


def game(
    board: ChessPeripheralBoard, codec: type[ChessPeripheral], *, seed: int = 0
) -> tuple[list[str], Conversation[ChessPeripheralBoard]]:
    link = Conversation(codec(), ready(board))
    actions = hands(SPECIAL, seed=seed, begin=8.0)
    facts = follow(link.go_on(actions[-1].at + 5, actions), codec)
    assert not [event for event in link.events if isinstance(event, Noise)]
    return moves_of(facts), link


@pytest.mark.parametrize("generation", [2, 3])
@pytest.mark.parametrize("streams", [True, False])
def test_a_game_with_special_moves_is_followed(generation: int, streams: bool) -> None:
    moves, link = game(
        ChessPeripheralBoard(generation=generation, streams=streams), ChessPeripheral
    )
    assert moves == list(SPECIAL)
    assert link.sent.count(b"ok") == len(SPECIAL)
    assert b"nok" not in link.sent
    assert not any(data.startswith((b"get_state", b"err")) for data in link.sent)


def test_a_board_that_tells_colours() -> None:
    moves, link = game(ChessPeripheralBoard(senses="colour"), Colour)
    assert [move[:4] for move in moves] == [move[:4] for move in SPECIAL]
    assert b"promote g7h8q" in link.sent


def test_a_board_that_tells_only_where_something_stands() -> None:
    moves, link = game(ChessPeripheralBoard(senses="occupancy"), Occupancy)
    assert [move[:4] for move in moves] == [move[:4] for move in SPECIAL]
    assert UNNAMED_MEN in notices(link.events)


@pytest.mark.parametrize(
    ("board", "codec"),
    [
        (ChessPeripheralBoard(), ChessPeripheral),
        (ChessPeripheralBoard(streams=False), ChessPeripheral),
        (ChessPeripheralBoard(senses="occupancy"), Occupancy),
    ],
    ids=["identity", "moves only", "occupancy"],
)
def test_a_game_goes_on_after_the_link_was_lost(
    board: ChessPeripheralBoard, codec: type[ChessPeripheral]
) -> None:
    ready(board)
    actions = hands(SPECIAL, begin=8.0)
    lost, back = actions[40].at + 0.05, actions[40].at + 0.2
    first = Conversation(codec(), board)
    events = first.go_on(lost, [a for a in actions if a.at <= lost])
    board.link_lost()
    second = Conversation(codec(), board, at=back)
    rest = second.go_on(actions[-1].at + 5, [a for a in actions if a.at > lost])
    changes = [LinkChange(state="lost"), LinkChange(state="live")]
    moves = moves_of(follow([*events, *changes, *rest], codec))
    assert [move[:4] for move in moves] == [move[:4] for move in SPECIAL]
    named = codec is ChessPeripheral
    assert board.complains is not named, "a board that names its men has nothing to complain of"


def test_an_illegal_move_is_seen() -> None:
    board = ChessPeripheralBoard()
    link = Conversation(ChessPeripheral(), ready(board))
    link.go_on(8.0)
    board.lift(chess.E2, at=8.0)
    board.put(chess.E5, chess.Piece.from_symbol("P"), at=8.0)
    events = link.go_on(12.0)
    assert BoardMove(at=0, uci="e2e5", verdict="unjudged") in [
        replace_at(event) for event in events if isinstance(event, BoardMove)
    ]
    assert snapshots(events)[-1] == START.replace("pppppppp/8/8/8", "pppppppp/8/4P3/8").replace(
        "PPPPPPPP", "PPPP1PPP"
    )


def replace_at(move: BoardMove) -> BoardMove:
    return BoardMove(at=0, uci=move.uci, verdict=move.verdict)


def test_the_next_game_begins_a_round_of_its_own() -> None:
    board = ChessPeripheralBoard()
    link = Conversation(ChessPeripheral(), ready(board))
    actions = hands(["e2e4", "e7e5"], begin=8.0)
    link.go_on(actions[-1].at + 3, actions)
    board.set_up(chess.Board().piece_map(), at=link.at)
    link.go_on(link.at + 3)
    assert link.sent.count(BEGIN.encode()) == 2
    assert board.in_step


def test_men_that_fell_over_are_told_of() -> None:
    board = ChessPeripheralBoard()
    link = Conversation(ChessPeripheral(), ready(board))
    link.go_on(5.0)
    board.knock(at=5.0)
    assert DIFFERS in notices(link.go_on(6.0))


@pytest.mark.parametrize(("generation", "told"), [(0, []), (1, [UPDATE_NEEDED])])
def test_old_firmware(generation: int, told: list[str]) -> None:
    link = Conversation(ChessPeripheral(), ready(ChessPeripheralBoard(generation=generation)))
    assert link.go_on(30.0) == [Notice(at=link.events[0].at, text=text) for text in told]


def test_the_simulated_board_takes_a_refusal_and_odd_words() -> None:
    board = ChessPeripheralBoard()
    ready(board)
    board.receive(b"variant atomic", at=0.0)
    assert board.poll(at=0.0).data == b"nok"
    board.receive(BEGIN.encode(), at=0.0)
    board.lift(chess.E2, at=1.0)
    board.put(chess.E4, chess.Piece.from_symbol("P"), at=1.0)
    said = [board.poll(at=2.0).data for _ in range(3)]
    assert said == [f"sync {START}".encode(), b"move e2e4", b""]
    board.receive(b"nok", at=2.0)
    assert board.poll(at=2.0).data == f"unsync {E4}".encode()
    board.receive(b"hello", at=2.0)
    assert board.poll(at=2.0).data == b"err unexpected"
    board.set_up(chess.Board().piece_map(), at=3.0)
    told = [board.poll(at=3.0).data for _ in range(4)]
    assert f"sync {START}".encode() in told, "what was refused has been put right"
    for square in (chess.A2, chess.B2):
        board.lift(square, at=4.0)
    assert board.poll(at=9.0).data == b"", "that is no move"


def test_a_board_that_plays_by_itself_sends_one_message_at_a_time() -> None:
    device, codec, at = cpp(1), ChessPeripheral(), 0.0
    codec.greet(at=at)
    events: list[Event] = []
    while at < 60.0:
        data, host_at = codec.poll(at=at)
        if data:
            device.receive(data, at=at)
        said, device_at = device.poll(at=at)
        if said:
            events += codec.receive(said, at=at)
        at = max(at + 0.001, min(host_at, device_at))
    assert not [event for event in events if isinstance(event, Noise)]
    assert len([event for event in events if isinstance(event, BoardMove)]) > 3
