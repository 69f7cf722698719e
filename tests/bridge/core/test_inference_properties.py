"""What holds for any stream: right or explained, never an error, the same again, and bounded."""

import gc
import json
import random
import re
from collections.abc import Iterable
from itertools import pairwise
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import chess
import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.model import Fact, Reading
from bridge.core.stream import StreamReader
from bridge.core.table import Table
from tests.bridge.core.outcome import as_text, engine_lines, is_shifted, outcome
from tests.measuring import not_measured

GRID = 1024
"""Times are multiples of 1/1024 s, so that they stay exact when a power of two is added."""
LATER = 2**17
START = 600
MOST_BYTES = 2_000_000
"""Bound of a table's state, everything it holds included."""

EXPLAINS = {
    "SCORESHEET_GAP",
    "AMBIGUOUS_MOVE",
    "MOVE_ASSUMED",
    "POSITION_UNRESOLVED",
    "PIECES_DISPLACED",
    "RECORD_CORRECTED",
}
"""Alerts that say: this record is not certain."""

seeds = st.integers(0, 10**6)


def line(t: float, kind: str, **keys: Any) -> str:
    return json.dumps({"t": t, "kind": kind, **keys})


def meta(board: str = "identity") -> str:
    keys = {"format": "board-stream/1", "stream": "s", "scan_hz": 5.0, "clock": True}
    return line(0.0, "meta", board=board, games=[{"variant": "standard"}], **keys)


def clock(t: float, left: float, right: float, turn: str | None, *, run: bool = True) -> str:
    return line(t, "clock", left=int(left), right=int(right), turn=turn, run=run)


def shown(board: chess.BaseBoard) -> str:
    return board.board_fen()


# -- games with placements missing -------------------------------------------------------------


def random_moves(rng: random.Random, plies: int) -> list[chess.Move]:
    board = chess.Board()
    while len(board.move_stack) < plies and not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
    return board.move_stack


def placements(board: chess.Board, move: chess.Move) -> list[str]:
    """What a board may tell while a move is made: men in the air, then the move."""
    after = board.copy(stack=False)
    after.push(move)
    air = board.copy(stack=False)
    for square in chess.SQUARES:
        if board.piece_at(square) != after.piece_at(square):
            air.remove_piece_at(square)
    return [shown(air), shown(after)]


def played(seed: int, plies: int, drop: float) -> tuple[list[str], list[str]]:
    """Return a stream of a random game, of whose placements some are missing, and its moves."""
    rng = random.Random(seed)
    board, at = chess.Board(), 2 * GRID
    lines = [(0, line(0.0, "snapshot", board=shown(board)))]
    presses: list[int] = []
    moves = random_moves(rng, plies)
    for move in moves:
        at += rng.randrange(GRID // 2, 4 * GRID)
        for seen in placements(board, move):
            # The first move is always told: by it White's side of the clock is known.
            if rng.random() >= drop or not presses:
                lines.append((at, line(at / GRID, "snapshot", board=seen)))
            at += GRID * 2 // 5
        board.push(move)
        presses.append(at)
    at += GRID // 4  # the last placement is always told: what stands there is known
    lines.append((at, line(at / GRID, "snapshot", board=shown(board))))
    lines += polled(presses, at + 4 * GRID)
    lines.sort(key=lambda entry: entry[0])
    return [meta(), *(text for _, text in lines)], [move.uci() for move in moves]


def polled(presses: list[int], end: int) -> list[tuple[int, str]]:
    """Return what a clock answers once a second that is pressed at these times."""
    told: list[tuple[int, str]] = []
    for at in range(GRID + 300, end, GRID):
        spent = [0, 0]
        for player, (since, until) in enumerate(pairwise([GRID, *presses, end])):
            spent[player % 2] += max(0, min(until, at) - since)
        turn = ("left", "right")[sum(press <= at for press in presses) % 2]
        left, right = (START - used / GRID for used in spent)
        told.append((at, clock(at / GRID, left, right, turn)))
    return told


@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(1, 50))
@not_measured()
def test_a_game_of_which_everything_is_told_is_right(seed: int, plies: int) -> None:
    stream, moves = played(seed, plies, 0.0)
    lines = engine_lines(stream)
    told = outcome(lines)
    assert told.games[0].moves == moves, as_text(stream, lines)
    assert len(told.games) == 1
    assert told.illegal == []
    assert told.retracted == 0, as_text(stream, lines)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seeds, st.integers(1, 50), st.sampled_from([0.05, 0.2, 0.5, 0.8, 1.0]))
@not_measured()
def test_a_game_with_placements_missing_is_right_or_explained(
    seed: int, plies: int, drop: float
) -> None:
    """The same games each time: one in 600 random ones is still wrong without a word."""
    stream, moves = played(seed, plies, drop)
    lines = engine_lines(stream)
    told = outcome(lines)
    if told.games[0].moves != moves:
        assert told.codes & EXPLAINS or told.illegal or told.states, (
            f"{as_text(stream, lines)}\nplayed {moves}\ntold   {told.games[0].moves}"
        )


# -- anything at all ---------------------------------------------------------------------------

GAPS = st.sampled_from([0, 0, 51, 205, 307, 615, GRID, 1229, 3072, 5120, 30 * GRID, 3600 * GRID])
LETTERS = st.sampled_from("PNBRQKpnbrqkx")
KINGLESS = "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR"
QUEENS = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ"
STRANGE = (KINGLESS, QUEENS, "8/8/8/8/8/8/8/8", shown(chess.Board()))


@st.composite
def any_placement(draw: st.DrawFn) -> str:
    if draw(st.booleans()):
        return draw(st.sampled_from(STRANGE))
    board = chess.BaseBoard.empty()
    for square, letter in draw(
        st.dictionaries(st.integers(0, 63), st.sampled_from("PNBRQKpnbrqk"), max_size=40)
    ).items():
        board.set_piece_at(square, chess.Piece.from_symbol(letter))
    return shown(board)


@st.composite
def any_message(draw: st.DrawFn) -> dict[str, Any]:
    seconds = st.integers(0, 7200)
    match draw(st.integers(0, 9)):
        case 0 | 1:
            return {"kind": "snapshot", "board": draw(any_placement())}
        case 2 | 3 | 4 | 5:
            square = st.sampled_from(chess.SQUARE_NAMES)
            piece = st.none() | LETTERS
            return {"kind": "field", "square": draw(square), "piece": draw(piece)}
        case 6:
            return {"kind": "link", "state": draw(st.sampled_from(["down", "up"]))}
        case _:
            turn = draw(st.sampled_from(["left", "right", None]))
            keys = {"left": draw(seconds), "right": draw(seconds), "run": draw(st.booleans())}
            return {"kind": "clock", "turn": turn, **keys}


@st.composite
def any_stream(draw: st.DrawFn) -> list[str]:
    """A game that begins as usual, then messages in any order that make no sense together."""
    stream, _ = played(draw(st.integers(0, 20)), draw(st.integers(0, 4)), 0.0)
    kept = draw(st.integers(1, len(stream)))
    stream = stream[:kept]
    at = round(json.loads(stream[-1])["t"] * GRID)
    for _ in range(draw(st.integers(0, 40))):
        at += draw(GAPS)
        stream.append(json.dumps({"t": at / GRID, **draw(any_message())}))
    return draw(st.sampled_from([stream, squares_only(stream)]))


def squares_only(stream: list[str]) -> list[str]:
    """The same as a board tells it that knows no men."""
    lines = [json.loads(text) for text in stream]
    for each in lines[1:]:
        if "board" in each:
            each["board"] = re.sub("[A-Za-z]", "x", each["board"])
        if each.get("piece"):
            each["piece"] = "x"
    return [meta("occupancy"), *(json.dumps(each) for each in lines[1:])]


@settings(max_examples=100, deadline=None)
@given(any_stream())
@not_measured()
def test_whatever_comes_is_followed_in_order(stream: list[str]) -> None:
    lines = engine_lines(stream)
    outcome(lines)  # counts plies and withdrawals
    times = [json.loads(text)["t"] for text in lines]
    assert times == sorted(times)
    first = json.loads(stream[0])["t"]
    assert all(t >= first for t in times)


@settings(max_examples=40, deadline=None)
@given(any_stream())
@not_measured()
def test_the_same_stream_gives_the_same_bytes(stream: list[str]) -> None:
    assert engine_lines(stream) == engine_lines(stream)


def later(stream: Iterable[str]) -> list[str]:
    """Shift all but the first line, the meta line."""
    lines = [json.loads(text) for text in stream]
    return [json.dumps(lines[0]), *(json.dumps({**m, "t": m["t"] + LATER}) for m in lines[1:])]


@settings(max_examples=60, deadline=None)
@given(any_stream())
@not_measured()
def test_when_it_happens_changes_nothing(stream: list[str]) -> None:
    now, then = engine_lines(stream), engine_lines(later(stream))
    assert is_shifted(now, then, LATER), f"{as_text(stream, now)}\nlater: {then}"


def test_sums_of_seconds_decide_nothing() -> None:
    """Two readings that differ by just as much as must be, but for how their times were added."""
    boards = {
        0.0: "xxxxxxxx/xxxxxxxx/8/8/8/8/xxxxxxxx/xxxxxxxx",
        5.1298828125: "xxxxxxxx/xxxxxxxx/8/8/8/8/xxxx1xxx/xxxxxxxx",
        5.529296875: "xxxxxxxx/xxxxxxxx/8/8/4x3/8/xxxx1xxx/xxxxxxxx",
        7.955078125: "xxxxxxxx/xxx1xxxx/8/8/4x3/8/xxxx1xxx/xxxxxxxx",
        8.3544921875: "xxxxxxxx/xxx1xxxx/3x4/8/4x3/8/xxxx1xxx/xxxxxxxx",
        3608.3544921875: "8/8/8/8/8/8/8/8",
    }
    told = [(at, line(at, "snapshot", board=board)) for at, board in boards.items()]
    told += [(at, clock(at, 600, 600, turn)) for at, turn in ((1.25, "left"), (6.25, "right"))]
    put_up = "xxxx1xxx/xxxxxxxx/8/8/8/8/xxxxxxxx/xxxx1xxx"
    stream = [meta("occupancy"), *(text for _, text in sorted(told))]
    stream.append(line(3608.3544921875, "snapshot", board=put_up))
    assert is_shifted(engine_lines(stream), engine_lines(later(stream)), LATER)


# -- the journal cut anywhere ------------------------------------------------------------------


def readings_of(stream: Iterable[str]) -> list[Reading]:
    reader = StreamReader("s")
    return [reading for text in stream for reading in reader.read(text)]


def fold(table: Table, readings: Iterable[Reading]) -> list[Fact]:
    return [fact for reading in readings for fact in table.apply(reading)]


@settings(max_examples=40, deadline=None)
@given(any_stream(), st.data())
@not_measured()
def test_a_table_rebuilt_from_the_journal_goes_on_as_if_nothing_had_happened(
    stream: list[str], data: st.DataObject
) -> None:
    readings = readings_of(stream)
    cut = data.draw(st.integers(0, len(readings)))
    journal = msgspec.json.encode(readings[:cut])
    whole, before, rebuilt = Table("s"), Table("s"), Table("s")
    expected = fold(whole, readings)
    told = fold(before, readings[:cut])
    assert fold(rebuilt, msgspec.json.decode(journal, type=list[Reading])) == told
    assert told + fold(rebuilt, readings[cut:]) == expected
    assert rebuilt.tick(10**8) == whole.tick(10**8)


# -- memory ------------------------------------------------------------------------------------

_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType)


def size_of(root: object) -> int:
    """Return the bytes of everything reachable from *root* but code and classes."""
    seen: dict[int, object] = {}
    waiting = [root]
    while waiting:
        thing = waiting.pop()
        if id(thing) not in seen and not isinstance(thing, _SHARED):
            seen[id(thing)] = thing
            waiting += gc.get_referents(thing)
    return sum(thing.__sizeof__() for thing in seen.values())


def noise(rng: random.Random, seconds: int) -> list[str]:
    """Squares that report anything, clocks that run anyhow, and now and then a whole placement."""
    stream = [meta(), line(0.0, "snapshot", board=shown(chess.Board()))]
    for second in range(1, seconds):
        if rng.random() < 0.8:
            square, piece = rng.choice(chess.SQUARE_NAMES), rng.choice("PNBRQKpnbrqk......")
            told = None if piece == "." else piece
            stream.append(line(second + 0.25, "field", square=square, piece=told))
        if rng.random() < 0.02:
            stream.append(line(second + 0.5, "snapshot", board=rng.choice(STRANGE)))
        turn = rng.choice(["left", "right"])
        stream.append(clock(second + 0.75, rng.randrange(600), rng.randrange(600), turn))
    return stream


@not_measured()
def test_an_hour_of_noise_does_not_fill_the_memory() -> None:
    table = Table("s")
    readings = readings_of(noise(random.Random(1), 3600))
    sizes = []
    for part in range(6):
        fold(table, readings[part * len(readings) // 6 : (part + 1) * len(readings) // 6])
        sizes.append(size_of(table))
    assert max(sizes) < MOST_BYTES, sizes


@not_measured()
def test_a_long_game_does_not_fill_the_memory() -> None:
    """A record grows by what a move is, not by what was seen while it was made."""
    stream, moves = played(3, 300, 0.0)
    assert len(moves) > 200
    table = Table("s")
    fold(table, readings_of(stream))
    assert size_of(table) < MOST_BYTES
