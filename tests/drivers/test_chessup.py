"""ChessUp: every frame, the recorded game, and what must be kept towards the board."""

import re
from collections.abc import Iterable

import chess
import pytest

from bridge.core.model import AlertRaised, LinkChange, TableSetup
from drivers.boards.chessup import ChessUp
from drivers.boards.chessup.protocol import (
    ASK_OCCUPANCY,
    ASK_STATE,
    LENGTHS,
    MOVE_SEEN,
    PLAY_OVER_THE_BOARD,
    PROMOTION_SEEN,
    START_SQUARES,
    letters_of,
    move_frame,
    occupancy_of,
    state_frame,
)
from drivers.cells import START_CELLS
from drivers.errors import UnknownCommandError
from drivers.events import BoardMove, Event, Identity, Noise, Snapshot, Touch
from drivers.simulated.chessup import ChessUpBoard
from drivers.simulated.hands import Action, Lift, Put
from tests.conversations import SPECIAL, Conversation, hands, ready
from tests.following import follow, moves_of
from tests.shared import shared

START = state_frame(chess.Board())
E4 = "a3 35 04 01 04 03"


def cells_after(*moves: str) -> str:
    board = chess.Board()
    for uci in moves:
        board.push_uci(uci)
    return letters_of(state_frame(board))


def told(codec: ChessUp, *frames: str | bytes) -> list[Event]:
    data = b"".join(f if isinstance(f, bytes) else bytes.fromhex(f) for f in frames)
    return codec.receive(data, at=1.0)


def board_moves(events: Iterable[Event]) -> list[str]:
    return [event.uci for event in events if isinstance(event, BoardMove)]


def cells(events: Iterable[Event]) -> list[str]:
    return [event.cells for event in events if isinstance(event, Snapshot)]


def sent(codec: ChessUp) -> list[bytes]:
    """Return what is due, one message after another."""
    said = [codec.poll(at=1.0 + n / 10).data for n in range(40)]
    return [message for message in said if message]


def test_the_start_is_told_as_the_sheet_shows_it() -> None:
    men = f"01 02 03 04 05 03 02 01 {'00 ' * 8}{'40 ' * 32}{'08 ' * 8}09 0a 0b 0c 0d 0b 0a 09"
    assert bytes.fromhex(f"67 {men} 00 01 01 01 01 00 00 01") == START
    assert cells(told(ChessUp(), START)) == [START_CELLS]


def test_squares_are_asked_for_also_where_some_came_unasked() -> None:
    """A board that was connected before may tell them once more, and then no more."""
    codec = ChessUp()
    codec.greet(at=0.0)
    told(codec, occupancy_of(START_SQUARES), START)
    assert ASK_OCCUPANCY in sent(codec)
    told(codec, occupancy_of(START_SQUARES), START)
    assert ASK_OCCUPANCY not in sent(codec)


def test_the_recorded_game_is_decoded_to_its_moves() -> None:
    text = shared("protocols/captures/chessup2_game.hex").read_text()
    lines = re.findall(r"((?:a3 35|97)(?: [0-9a-f]{2})+) +(\w+)", text)
    frames = [bytes.fromhex(frame) for frame, _ in lines]
    wanted = [uci for frame, uci in lines if frame.startswith("a3")]
    codec, events = ChessUp(), list[Event]()
    for number, frame in enumerate([START, *frames]):
        events += codec.receive(frame, at=5.0 * number)
    board = chess.Board()
    for uci in moves_of(follow(events, ChessUp)):
        board.push_uci(uci)
    assert [move.uci() for move in board.move_stack] == wanted
    assert len(wanted) == 90
    assert board.board_fen() == "7K/p4kq1/1p6/1P6/P7/8/8/8"
    assert board.is_checkmate()
    assert not any(isinstance(event, Noise) for event in events)


def test_every_frame_is_known_by_its_length() -> None:
    for first in LENGTHS:
        codec = ChessUp()
        frame = START if first == START[0] else bytes([first]) + bytes(LENGTHS[first] - 1)
        frame = b"\xfd\xfd" + bytes(8) if first == 0xFD else frame
        frame = b"\x97\x01" if first == 0x97 else frame
        events = codec.receive(frame, at=1.0)
        assert codec.buffered == 0
        assert not any(isinstance(event, Noise) for event in events), hex(first)


@pytest.mark.parametrize(
    "damaged",
    ["a3 35 08 01 04 03", "97 05", "b8 40 00", "b8 00 06", "fd 00", "33 02", "fd fd" + " ff" * 8],
)
def test_fields_that_cannot_be_make_no_frame(damaged: str) -> None:
    codec = ChessUp()
    events = told(codec, damaged, bytes(8))
    assert all(isinstance(event, Noise) for event in events)
    assert events


def test_a_state_with_impossible_men_is_none() -> None:
    assert not cells(told(ChessUp(), START[:1] + b"\x06" + START[2:], bytes(8)))


def test_a_board_tells_who_it_is() -> None:
    one = told(ChessUp(), bytes((178, 0, 1, 9, 0, 1, 0, 0, 13, 239, 54, 208, 1, 4, 0, 1)))
    assert one == [
        Identity(at=1.0, field="serial", value="0def36d0"),
        Identity(at=1.0, field="version", value="1.9.0"),
        Identity(at=1.0, field="hardware", value="1"),
    ]


def test_touched_men_are_told() -> None:
    assert told(ChessUp(), "b8 0c 00 bb") == [
        Touch(at=1.0, square=chess.E2),
        Touch(at=1.0, square=None),
    ]


def test_every_copy_of_a_move_is_acknowledged_and_one_is_told() -> None:
    codec = ChessUp()
    told(codec, START)
    sent(codec)
    assert board_moves(told(codec, E4, E4) + told(codec, E4)) == ["e2e4"]
    assert sent(codec) == [MOVE_SEEN] * 3


def test_acknowledgements_go_first() -> None:
    codec = ChessUp()
    codec.greet(at=0.0)
    told(codec, START, E4)
    assert codec.poll(at=1.0).data == MOVE_SEEN


def test_the_same_move_after_it_was_undone_is_another_one() -> None:
    codec = ChessUp()
    events = told(codec, START, E4, "bd", START, E4)
    assert board_moves(events) == ["e2e4", "", "e2e4"]
    assert board_moves(told(codec, "b1", E4)) == ["e2e4"]


def test_a_state_that_agrees_forgets_no_move() -> None:
    codec = ChessUp()
    board = chess.Board()
    board.push_uci("e2e4")
    assert board_moves(told(codec, START, E4, state_frame(board), E4)) == ["e2e4"]


def test_a_move_from_an_empty_square_asks_what_stands() -> None:
    codec = ChessUp()
    told(codec, START)
    sent(codec)
    events = told(codec, "a3 35 04 04 04 05")
    assert cells(events) == [START_CELLS]
    assert sent(codec) == [MOVE_SEEN, ASK_STATE]


def test_a_promotion_completes_the_move_before_it() -> None:
    codec = ChessUp()
    board = chess.Board("4k3/8/8/8/8/8/6p1/4K3 b - - 0 1")
    events = told(codec, state_frame(board), "a3 35 06 01 06 00", "97 02", "97 02", "97 03")
    assert board_moves(events) == ["g2g1", "g2g1n"]
    assert cells(events)[-1][chess.G1] == "n"
    white = chess.Board("4k3/6P1/8/8/8/8/8/4K3 w - - 0 1")
    events = told(ChessUp(), state_frame(white), "a3 35 06 06 06 07", "97 01")
    assert cells(events)[-1][chess.G8] == "R"
    assert sent(codec).count(PROMOTION_SEEN) == 3
    assert told(ChessUp(), "97 04") == []


def test_castling_and_en_passant_move_two_men() -> None:
    for moves in (
        ("e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1g1", "e8g8"),
        ("d2d4", "d7d5", "c1f4", "c8f5", "b1c3", "b8c6", "d1d2", "d8d7", "e1c1", "e8c8"),
        ("e2e4", "a7a6", "e4e5", "d7d5", "e5d6"),
    ):
        codec = ChessUp()
        frames = [move_frame(chess.Move.from_uci(uci)) for uci in moves]
        assert cells(told(codec, START, *frames))[-1] == cells_after(*moves)


def test_nothing_is_shown_before_the_board_has_told_its_game() -> None:
    codec = ChessUp()
    assert cells(told(codec, "fd fd ff ff 00 00 00 00 ff fe", E4)) == []
    assert cells(told(codec, START))[-1] == "." + START_CELLS[1:]


def test_a_man_put_down_has_no_name_until_the_game_goes_on() -> None:
    codec = ChessUp()
    told(codec, START, "fd fd ff ff 00 00 00 00 ff ff")
    up = cells(told(codec, "fd fd ff ff 00 00 00 00 ef ff"))
    down = cells(told(codec, "fd fd ff ff 00 00 10 00 ef ff"))
    moved = cells(told(codec, E4))
    assert (up[0][chess.E2], down[0][chess.E4], moved[0][chess.E4]) == (".", "?", "P")


# --- with the simulated board ---------------------------------------------------------------------


def test_a_game_is_followed_to_its_last_move() -> None:
    link = Conversation(ChessUp(), ready(ChessUpBoard()))
    actions = hands(SPECIAL)
    facts = follow(link.go_on(actions[-1].at + 5, actions), ChessUp)
    assert moves_of(facts) == list(SPECIAL)
    assert not [fact for fact in facts if isinstance(fact, AlertRaised)]
    assert link.sent.count(PLAY_OVER_THE_BOARD) == 1


def test_lost_acknowledgements_cost_no_move() -> None:
    board = ChessUpBoard()
    board.unheard = 5
    link = Conversation(ChessUp(), ready(board))
    actions = hands(SPECIAL)
    events = link.go_on(actions[-1].at + 5, actions)
    assert moves_of(follow(events, ChessUp)) == list(SPECIAL)
    assert [uci for uci in board_moves(events) if uci in SPECIAL] == list(SPECIAL)
    assert link.sent.count(MOVE_SEEN) == len(SPECIAL) + 5


def test_a_board_that_nobody_answers_gives_the_link_up() -> None:
    board = ChessUpBoard()
    link = Conversation(ChessUp(), ready(board))
    link.go_on(2.0)
    board.unheard = 1000
    actions = hands(SPECIAL[:1])
    link.go_on(actions[-1].at + 10, actions)
    assert board.faults.disconnected


def test_a_game_goes_on_after_the_link_was_lost_and_is_not_begun_anew() -> None:
    board = ChessUpBoard()
    actions = hands(SPECIAL)
    presses = [n for n, action in enumerate(actions) if not isinstance(action, Lift | Put)]
    cut = presses[9] + 1
    first = Conversation(ChessUp(), ready(board))
    events = first.go_on(actions[cut].at - 0.2, actions[:cut])
    board.reconnect(at=first.at)
    second = Conversation(ChessUp(), board, at=first.at)
    rest = second.go_on(actions[-1].at + 5, actions[cut:])
    changes = [LinkChange(state="lost"), LinkChange(state="live")]
    assert moves_of(follow([*events, *changes, *rest], ChessUp)) == list(SPECIAL)
    assert PLAY_OVER_THE_BOARD not in second.sent
    assert board.games_begun == 1


def test_a_second_game_is_begun_when_the_men_stand_again() -> None:
    board = ChessUpBoard()
    link = Conversation(ChessUp(), ready(board))
    actions = hands(SPECIAL[:4])
    link.go_on(actions[-1].at + 5, actions)
    board.set_up(chess.Board().piece_map(), at=link.at)
    link.go_on(link.at + 12)
    assert board.games_begun == 2
    again = hands(SPECIAL[:2], begin=link.at)
    events = link.go_on(again[-1].at + 5, again)
    assert board_moves(events) == list(SPECIAL[:2])


def test_an_illegal_move_is_seen_although_the_board_tells_none() -> None:
    link = Conversation(ChessUp(), ready(ChessUpBoard()))
    link.go_on(5.0)
    knight = chess.Piece.from_symbol("N")
    illegal: list[Action] = [Lift(6.0, chess.B1), Put(6.5, chess.B3, knight)]
    events = link.go_on(20.0, illegal)
    assert board_moves(events) == []
    assert cells(events)[-1][chess.B3] == "?"


def test_moves_taken_back_on_the_board_are_taken_back_in_the_record() -> None:
    board = ChessUpBoard()
    link = Conversation(ChessUp(), ready(board))
    actions = hands(["e2e4"])
    link.go_on(actions[-1].at + 1, actions)
    board.undo(at=link.at)
    pawn = chess.Piece.from_symbol("P")
    back: list[Action] = [Lift(link.at + 0.1, chess.E4), Put(link.at + 0.6, chess.E2, pawn)]
    link.go_on(link.at + 6, back)
    again = hands(["d2d4"], begin=link.at)
    link.go_on(again[-1].at + 5, again)
    assert board_moves(link.events) == ["e2e4", "", "d2d4"]


def test_only_a_new_game_can_be_asked_for() -> None:
    codec = ChessUp()
    with pytest.raises(UnknownCommandError, match="no command 'anything', only new game"):
        codec.command("anything")
    codec.command("new game")
    assert sent(codec) == [PLAY_OVER_THE_BOARD, ASK_STATE]


def test_a_simulated_board_passes_over_what_nobody_asked_for() -> None:
    board = ChessUpBoard()
    for data in (b"\x10\x00", MOVE_SEEN, PROMOTION_SEEN):
        board.receive(data, at=1.0)
    assert board.poll(at=2.0).data == b""


def test_a_game_that_begins_otherwise_is_followed_by_occupancy() -> None:
    position = chess.Board(
        "nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w KQkq - 0 1", chess960=True
    )
    board = ChessUpBoard()
    board.set_up(position.piece_map(), at=0.0)
    link = Conversation(ChessUp(), board)
    link.go_on(4.0)
    moves, at = ["e2e4", "e7e5", "h1g3", "h8g6"], 5.0
    for uci in moves:
        move = chess.Move.from_uci(uci)
        man = position.piece_at(move.from_square)
        assert man is not None
        position.push(move)
        link.go_on(at + 3, [Lift(at, move.from_square), Put(at + 0.5, move.to_square, man)])
        at += 3
    setup = TableSetup(
        has_clock=False, sensing="occupancy", chess960=True, start_fen=position.root().fen()
    )
    assert moves_of(follow([setup, *link.events], ChessUp)) == moves
