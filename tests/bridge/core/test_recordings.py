"""Real boards: what was recorded comes out as it was played."""

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import chess
import pytest

from bridge.core.inference.gesture import CENTRE
from bridge.core.model import Fact, Reading
from bridge.core.stream import OutputWriter, infer
from bridge.core.table import Table
from drivers.boards.dgt import Dgt
from drivers.events import SquareChange
from tests.bridge.core.playing import Game, Play, Told, readings_of
from tests.shared import shared

BLITZ = "data/recordings/dgt-serial-blitz-1"
CAPTURE = "protocols/captures/dgt_usb_game1_normal.hex"


def test_the_recorded_blitz_game_is_its_truth() -> None:
    lines = shared(f"{BLITZ}.jsonl").read_bytes().splitlines(keepends=True)
    played = json.loads(shared(f"{BLITZ}.truth.json").read_text())["games"][0]["moves"]
    told = [json.loads(line) for line in infer(lines, name="blitz", writer=OutputWriter())]
    out = [line for line in told if "alert" not in line and "cleared" not in line]
    assert [line["move"] for line in out] == [move["uci"] for move in played]
    assert [line["san"] for line in out] == [move["san"] for move in played]
    delays = [line["t"] - move["t"] for line, move in zip(out, played, strict=True)]
    assert min(delays) >= 0.0, "settled before it was played"
    assert sorted(delays)[len(delays) // 2] < 1.5
    assert max(delays) < 4.0


def test_the_raw_capture_gives_every_move_and_the_time_of_its_press() -> None:
    messages = [
        bytes.fromhex(line)
        for line in shared(CAPTURE).read_text().splitlines()
        if line.strip() and not line.startswith("#")
    ]
    uci = shared("protocols/captures/dgt_usb_game1.uci").read_text().split()
    moves = [word for word in uci if not word.endswith(".") and word != "*"]
    assert len(moves) == 57
    told = Told(list(_fold(messages)))
    assert told.moves == moves
    pressed = _times_at_presses(messages)
    times = {ply: (seconds * 1000, False) for ply, seconds in enumerate(pressed, 1)}
    assert {ply: told.times[ply] for ply in times} == times
    assert len(pressed) >= 56


def _fold(messages: list[bytes]) -> Iterator[Fact]:
    """Give each clock message a second; field updates lie between."""
    table, codec = Table("1"), Dgt()
    second, seq = 0, 0
    for place, message in enumerate(messages):
        second += message[0] == 0x8D
        others = _until_clock(messages, place)
        at = second + (0.0 if message[0] == 0x8D else 1.0 - others / 20)
        for event in codec.receive(message, at=at):
            seq += 1
            yield from table.apply(
                Reading(table="1", link="b", seq=seq, at=at, wall=at, payload=event)
            )
    yield from table.tick(second + 20.0)


def _until_clock(messages: list[bytes], place: int) -> int:
    """Count the messages from *place* to the next clock message."""
    count = 0
    while place + count < len(messages) and messages[place + count][0] != 0x8D:
        count += 1
    return count


def _times_at_presses(messages: list[bytes]) -> list[int]:
    """Read from the bytes alone what the side that stopped had left (White is bytes 6 to 8)."""
    frames = [m for m in messages if m[0] == 0x8D]
    times = []
    for before, after in pairwise(frames):
        if before[9] & 1 and (before[9] ^ after[9]) & 2:
            start = 3 if before[9] & 2 else 6
            hours, minutes, seconds = after[start] & 0x0F, after[start + 1], after[start + 2]
            times.append(hours * 3600 + int(f"{minutes:x}") * 60 + int(f"{seconds:x}"))
    return times


def artifacts() -> list[dict[str, Any]]:
    lines = shared("data/recordings/dgt-end-artifacts.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines if line.strip()]


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("clock", [True, False])
def test_a_king_that_signals_the_result_makes_no_move(clock: bool) -> None:
    seen = 0
    for game in artifacts():
        believed = game["recorded_uci"][: game["moves_believed"]]
        tail = game["recorded_uci"][game["moves_believed"] :] + game["illegal_tail"]
        target = chess.parse_square(tail[0][-2:])
        if target not in CENTRE:
            continue  # not a king's signal
        seen += 1
        told = _play_and_signal(believed, target, game["result"], clock=clock)
        name = f"{game['white']}-{game['black']}"
        assert told.moves == believed, name
        assert told.results == [f"{game['result']} kings"], name
    assert seen == 6


def _play_and_signal(
    believed: list[str], target: chess.Square, result: str, *, clock: bool
) -> Told:
    """Play, then put the king whose turn it is to *target* and the other to match the result."""
    moves = tuple(chess.Move.from_uci(uci) for uci in believed)
    game = Game("artifact", chess.STARTING_FEN, chess960=False, moves=moves)
    readings, _ = readings_of(game, Play(clock=clock, think=5.0))
    board = chess.Board()
    for move in moves:
        board.push(move)
    table = Table("1")
    facts = [fact for reading in readings for fact in table.apply(reading)]
    at, seq = readings[-1].at + 4.0, readings[-1].seq
    for payload in _signal(board, target, result, at):
        seq += 1
        when = max(at, payload.at)
        facts += table.apply(
            Reading(table="1", link="b", seq=seq, at=when, wall=when, payload=payload)
        )
    return Told(facts + table.tick(at + 30.0))


def _signal(
    board: chess.Board, phantom: chess.Square, result: str, at: float
) -> Iterator[SquareChange]:
    squares = {
        "1-0": (chess.E4, chess.D5),
        "0-1": (chess.D4, chess.E5),
        "1/2-1/2": (chess.E4, chess.E5, chess.D4, chess.D5),
    }[result]
    own = board.turn
    kings = {own: board.king(own), (not own): board.king(not own)}
    first = phantom if phantom in squares else squares[0]
    light = first in (chess.E4, chess.D5)
    others = [
        square
        for square in squares
        if square != first and (result != "1/2-1/2" or (square in (chess.E4, chess.D5)) != light)
    ]
    steps: list[tuple[chess.Square, str, float]] = []
    for colour, target, when in ((own, first, at), (not own, others[0], at + 4.5)):
        king = kings[colour]
        assert king is not None
        steps.append((king, ".", when))
        steps.append((target, "K" if colour else "k", when + 0.4))
    cells = [board.piece_map().get(square) for square in chess.SQUARES]
    letters = [piece.symbol() if piece else "." for piece in cells]
    for square, letter, when in steps:
        letters[square] = letter
        yield SquareChange(at=when, square=square, piece=letter, cells="".join(letters))
