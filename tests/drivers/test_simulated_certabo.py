"""Simulated Certabo and Tabutronic boards, and the codecs that listen to them."""

import chess
import pytest

from drivers.boards.certabo import Certabo, Sentio
from drivers.events import Event, Noise, RawTags, Snapshot
from drivers.simulated.certabo import CertaboBoard, Reading, SentioBoard, men_of
from drivers.simulated.exhibition import Board
from drivers.simulated.line import Faults
from tests.conversations import Conversation

PAWN = chess.Piece(chess.PAWN, chess.WHITE)
QUIET = Reading(noise=0.0)


def said(board: Board, seconds: float = 1.0) -> list[bytes]:
    begun = board.poll(at=0.0).data
    return (begun + board.poll(at=seconds).data).splitlines(keepends=True)


def scans(events: list[Event]) -> list[dict[int, str]]:
    return [
        {square: tag for square, tag in enumerate(event.tags) if tag is not None}
        for event in events
        if isinstance(event, RawTags)
    ]


def talk_with(board: Board) -> Conversation[Board]:
    board.set_up(chess.Board().piece_map(), at=0.0)
    return Conversation(Certabo() if isinstance(board, CertaboBoard) else Sentio(), board)


def test_lines_look_as_they_were_recorded() -> None:
    board = CertaboBoard()
    board.set_up(chess.Board().piece_map(), at=0.0)
    junk, _, _, line, lamps, *_ = said(board)
    assert junk.startswith(b"0 17")
    assert line.startswith(b":3 1 84 ")
    assert line.endswith(b" \r\n")
    assert len(line.split()) == 320
    assert 800 < len(line) < 1100
    assert lamps == b"L\r\n"


def test_an_occupancy_board_tells_the_start_position_as_the_protocol_has_it() -> None:
    board = SentioBoard()
    board.set_up(chess.Board().piece_map(), at=0.0)
    board.lamp_line = b""
    assert said(board)[-1] == b":255 255 0 0 0 0 255 255\r\n"
    board.lift(chess.E2, at=1.0)
    board.put(chess.E4, PAWN, at=1.0)
    assert board.poll(at=1.3).data.endswith(b":255 255 0 0 8 0 247 255\r\n")
    board.lift(chess.H1, at=1.3)
    assert board.poll(at=1.6).data.endswith(b":255 255 0 0 8 0 247 254\r\n")


def test_a_set_has_a_tag_for_each_man_and_no_two_alike() -> None:
    tags = [tag for number in (0, 1) for kind in men_of(number).values() for tag in kind]
    assert len(tags) == len(set(tags)) == 2 * 34
    assert men_of(0) == men_of(0)


def test_a_man_keeps_its_tag() -> None:
    talk = talk_with(CertaboBoard())
    before = scans(talk.go_on(2.0))[-1]
    talk.board.lift(chess.E2, at=talk.at)
    talk.go_on(2.5)
    talk.board.lift(chess.E4, at=talk.at)  # nothing stands there yet
    talk.board.put(chess.E4, PAWN, at=talk.at)
    after = scans(talk.go_on(3.5))[-1]
    assert after[chess.E4] == before[chess.E2]
    assert chess.E2 not in after


def test_a_man_that_is_slid_is_read_on_two_squares() -> None:
    talk = talk_with(CertaboBoard())
    talk.go_on(2.0)
    talk.board.put(chess.E3, PAWN, at=talk.at)
    both = scans(talk.go_on(3.0))[-1]
    neighbours = [both[square] for square in (chess.D2, chess.E2, chess.F2)]
    assert both[chess.E3] in neighbours
    talk.board.lift(chess.E2, at=talk.at)
    talk.board.lift(chess.E3, at=talk.at)
    talk.board.put(chess.E2, PAWN, at=talk.at)
    assert len(set(scans(talk.go_on(4.0))[-1].values())) == 32


def test_a_promoted_man_comes_from_beside_the_board() -> None:
    talk = talk_with(CertaboBoard())
    before = scans(talk.go_on(2.0))[-1]
    queen = chess.Piece(chess.QUEEN, chess.WHITE)
    talk.board.put(chess.A4, queen, at=talk.at)
    talk.board.put(chess.H4, queen, at=talk.at)
    after = scans(talk.go_on(3.0))[-1]
    assert bytes.fromhex(after[chess.A4]) in men_of(0)["Q"]
    assert after[chess.H4].startswith("090909")  # a third queen is of another set
    assert not {after[chess.A4], after[chess.H4]} & set(before.values())


@pytest.mark.parametrize("rotated", [False, True])
def test_men_can_be_exchanged(*, rotated: bool) -> None:
    board = CertaboBoard(rotated=rotated)
    talk = talk_with(board)
    before = scans(talk.go_on(2.0))[-1]
    board.exchange(chess.H1, chess.H2, at=talk.at)
    after = scans(talk.go_on(3.0))[-1]
    one, other = (chess.A8, chess.A7) if rotated else (chess.H1, chess.H2)
    assert (after[one], after[other]) == (before[other], before[one])


def test_noise_and_missed_readings_and_damage() -> None:
    faults = Faults(lose=0.1, insert=0.05, split=0.3, merge=0.1)
    board = CertaboBoard(reading=Reading(noise=0.3, missed=0.01), faults=faults, seed=2)
    events = talk_with(board).go_on(60.0)
    known = {tag.hex() for tags in men_of(0).values() for tag in tags}
    seen = scans(events)
    assert any(isinstance(event, Noise) for event in events)
    assert len(seen) > 150
    assert any(len(scan) < 32 for scan in seen)
    strangers = [tag for scan in seen for tag in scan.values() if tag not in known]
    assert not strangers


@pytest.mark.parametrize("piece", [20, 64])
@pytest.mark.parametrize("kind", [CertaboBoard, SentioBoard])
def test_pieces_of_any_size_are_put_together(
    kind: type[CertaboBoard | SentioBoard], piece: int
) -> None:
    talk = talk_with(kind(piece=piece))
    events = talk.go_on(3.0)
    assert isinstance(events[0], Noise)  # the junk before the first colon
    assert [event for event in events if isinstance(event, Noise)] == events[:1]
    assert isinstance(events[-1], RawTags | Snapshot)


def test_a_turned_board_tells_the_other_corner_first() -> None:
    seen = scans(talk_with(CertaboBoard(rotated=True, reading=QUIET)).go_on(2.0))[-1]
    letters = {tag.hex(): letter for letter, tags in men_of(0).items() for tag in tags}
    board = chess.Board()
    turned = {63 - square: str(board.piece_at(square)) for square in board.piece_map()}
    assert {square: letters[tag] for square, tag in seen.items()} == turned


def test_lamps_are_taken_and_not_answered() -> None:
    board = SentioBoard()
    lines = len(said(board))
    board.receive(bytes([0, 0, 0, 0, 0x10, 0, 0, 0]), at=1.0)
    assert board.lit == {chess.E4}
    assert len(said(board, 2.0)) <= lines


def test_a_board_that_is_unplugged_says_nothing_and_goes_on() -> None:
    board = CertaboBoard()
    board.faults.disconnected = True
    assert said(board) == []
    board.faults.disconnected = False
    assert said(board, 2.0)
