"""What holds for any input: nothing raises, nothing illegal is recorded, and time is only time."""

import random
from itertools import pairwise

import chess
import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.inference.lines import A_POSITION, MOST_LINES, _ByKind, _ByPlace
from bridge.core.inference.placement import shown_by
from bridge.core.model import (
    Fact,
    GameStarted,
    LinkChange,
    MovesCorrected,
    MoveSettled,
    Payload,
    Reading,
    ResultOrder,
    TableSetup,
)
from bridge.core.table import Table
from drivers.cells import cells_of
from drivers.events import ClockFault, ClockReading, ResultPiece, Snapshot, SquareChange
from tests.bridge.core.playing import Game, Play, follow, readings_of

START = cells_of(chess.Board())
SQUARES = st.integers(0, 63)
LETTERS = st.sampled_from("PNBRQKpnbrqk.?*")
GAPS = st.sampled_from([0.0, 0.05, 0.2, 0.3, 0.6, 1.0, 1.2, 3.0, 5.0, 0.1 + 0.2, 30.0])


def random_game(seed: int, plies: int) -> Game:
    rng = random.Random(seed)
    board = chess.Board()
    while len(board.move_stack) < plies and not board.is_game_over(claim_draw=False):
        board.push(rng.choice(list(board.legal_moves)))
    return Game(f"random {seed}", chess.STARTING_FEN, False, tuple(board.move_stack))


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    plies=st.integers(1, 60),
    clock=st.booleans(),
    rotated=st.booleans(),
    quick=st.booleans(),
)
def test_any_game_in_any_order_of_hands(
    seed: int, plies: int, clock: bool, rotated: bool, quick: bool
) -> None:
    game = random_game(seed, plies)
    play = Play(
        clock=clock,
        rotated=rotated,
        white_side="right" if rotated else "left",
        think=2.0 if clock else 5.0,
        quick_replies=quick,
        seed=seed,
    )
    readings, score = readings_of(game, play)
    assert follow(readings).moves == score.moves


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 10**6),
    st.one_of(
        st.text("PNBRQKpnbrqk.", min_size=64, max_size=64),
        st.integers(0, 10**6).map(lambda seed: cells_after(random_game(seed, 34))),
    ),
    st.integers(0, 2**64 - 1),
    st.booleans(),
)
def test_the_work_for_one_reading_is_bounded(
    seed: int, cells: str, ignored: int, named: bool
) -> None:
    """Whatever stands there, a search looks at no more moves than its budget."""
    board = chess.Board()
    for move in random_game(seed, 30).moves:
        board.push(move)
    shown = cells if named else shown_by(cells, "occupancy")
    kind, plies = (_ByKind if named else _ByPlace), 4
    search = kind(board, shown, ignored)
    lines = search.lines(plies)
    assert search.budget > -plies * (A_POSITION + 1)  # each ply looks once at what is left
    assert len(lines) <= MOST_LINES or search.budget <= 0


def cells_after(game: Game) -> str:
    board = chess.Board(game.fen)
    for move in game.moves:
        board.push(move)
    return cells_of(board)


# -- garbage -----------------------------------------------------------------------------------


@st.composite
def sessions(draw: st.DrawFn) -> list[Reading]:
    """A real beginning, then anything a board, a clock or a person can say, at any time."""
    at, cells = 0.0, START
    payloads: list[tuple[float, Payload]] = [(0.0, Snapshot(at=0.0, cells=cells))]
    game = random_game(draw(st.integers(0, 9)), draw(st.integers(0, 6)))
    moves = list(game.moves)
    board = chess.Board()
    for _ in range(draw(st.integers(1, 30))):
        at += draw(GAPS)
        what = draw(st.integers(0, 9))
        if what <= 2 and moves:
            board.push(moves.pop(0))
            cells = cells_of(board)
            payloads.append((at, Snapshot(at=at, cells=cells)))
        elif what <= 5:
            square, letter = draw(SQUARES), draw(LETTERS)
            cells = cells[:square] + letter + cells[square + 1 :]
            payloads.append((at, SquareChange(at=at, square=square, piece=letter, cells=cells)))
        else:
            payloads.append((at, draw(others(at))))
    return [
        Reading(table="t", link="b", seq=seq, at=when, wall=when, payload=payload)
        for seq, (when, payload) in enumerate(payloads, 1)
    ]


def others(at: float) -> st.SearchStrategy[Payload]:
    sides = st.sampled_from(["left", "right", None])
    ms = st.sampled_from([0, 1000, 180_000, 181_000, 9_000_000])
    return st.one_of(
        st.builds(
            ClockReading, at=st.just(at), left_ms=ms, right_ms=ms, running=st.booleans(), turn=sides
        ),
        st.builds(ClockFault, at=st.just(at), fault=st.sampled_from(["absent", "null", "invalid"])),
        st.builds(LinkChange, state=st.sampled_from(["live", "stale", "lost"])),
        st.builds(Snapshot, at=st.just(at), cells=st.just(START)),
        st.builds(ResultOrder, result=st.sampled_from(["1-0", "*"])),
        st.builds(ResultPiece, at=st.just(at), square=SQUARES, result=st.just("1/2-1/2")),
        st.just(TableSetup(orientation="rotated")),
    )


def fold(readings: list[Reading], *, end: float = 60.0) -> list[Fact]:
    table = Table("t")
    facts = [fact for reading in readings for fact in table.apply(reading)]
    return facts + table.tick(readings[-1].at + end)


@settings(max_examples=60, deadline=None)
@given(sessions())
def test_whatever_comes_the_record_is_legal_and_time_goes_on(readings: list[Reading]) -> None:
    facts = fold(readings)
    boards: list[chess.Board] = []
    for fact in facts:
        if isinstance(fact, GameStarted):
            boards = [chess.Board(fact.fen)]
        elif isinstance(fact, MoveSettled):
            assert fact.ply == len(boards)
            board = boards[-1].copy()
            move = chess.Move.from_uci(fact.uci)
            assert board.is_legal(move)
            assert board.san_and_push(move) == fact.san
            assert board.fen() == fact.fen
            boards.append(board)
        elif isinstance(fact, MovesCorrected):
            assert fact.ply + fact.count == len(boards)
            del boards[-fact.count :]
    assert all(before.at <= after.at for before, after in pairwise(facts))
    assert all(fact.evidence[0] <= fact.evidence[1] for fact in facts)


@settings(max_examples=50, deadline=None)
@given(sessions(), st.lists(st.floats(0.0, 10.0), max_size=80))
def test_ticks_in_between_change_nothing(readings: list[Reading], pauses: list[float]) -> None:
    table = Table("t")
    facts: list[Fact] = []
    waits = iter(pauses)
    for reading, following in pairwise([*readings, None]):
        assert reading is not None
        facts += table.apply(reading)
        until = following.at if following else reading.at + 60.0
        at = reading.at
        while (wait := next(waits, None)) is not None and at + wait < until:
            at += wait
            facts += table.tick(at)
            if wait == 0.0:
                break
    facts += table.tick(readings[-1].at + 60.0)
    assert facts == fold(readings)


@settings(max_examples=40, deadline=None)
@given(sessions())
def test_every_deadline_lies_ahead(readings: list[Reading]) -> None:
    table = Table("t")
    for reading in readings:
        table.apply(reading)
        assert table.wake_at > reading.at
    for _ in range(100):
        if table.wake_at == float("inf"):
            break
        before = table.wake_at
        table.tick(before)
        assert table.wake_at > before
    else:
        raise AssertionError("deadlines without end")


@settings(max_examples=40, deadline=None)
@given(sessions(), st.data())
def test_a_fold_is_resumed_from_the_same_readings(
    readings: list[Reading], data: st.DataObject
) -> None:
    """A restart folds what the journal holds and goes on as if nothing had happened."""
    cut = data.draw(st.integers(0, len(readings)))
    stored = msgspec.json.encode(readings[:cut])
    table = Table("t")
    facts = [
        fact
        for reading in msgspec.json.decode(stored, type=list[Reading])
        for fact in table.apply(reading)
    ]
    facts += [fact for reading in readings[cut:] for fact in table.apply(reading)]
    assert facts + table.tick(readings[-1].at + 60.0) == fold(readings)
