"""The audit list, and what holds for every ruling: it replays, and refusing changes nothing."""

import random
import threading
from collections.abc import Iterable
from pathlib import Path

import chess
import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.model import (
    AddNote,
    Adjourn,
    ClaimDraw,
    CompareScoresheet,
    ConfirmOffence,
    CorrectMoves,
    Fact,
    LetStand,
    NoteDrawOffer,
    NoteReversedColours,
    Order,
    Reading,
    RestorePosition,
    Resume,
    Ruling,
    RulingMade,
    RulingRefused,
    Sensing,
    SetClocks,
    SetResult,
    TableSetup,
    Undo,
)
from bridge.core.scoresheet.record import GameRecord
from bridge.core.table import Table
from bridge.core.table.rulings.audit import audit
from bridge.store.journal import Journal
from bridge.store.rows import read_journal
from tests.bridge.core.arbiter import Arbiter, played


def test_the_list_shows_who_did_what_when_and_what_came_of_it() -> None:
    table = played("e4", "e5")
    table.rules(CorrectMoves(first=2, count=1, moves=("c5",)))
    table.rules(CorrectMoves(first=2, count=1, moves=("c5",)))
    table.rules(AddNote(text="Black asked for water"))
    table.rules(Undo(ruling=1))
    entries = audit(table.facts)
    assert [(entry.number, entry.order, entry.state) for entry in entries] == [
        (1, "CorrectMoves", "undone"),
        (2, "CorrectMoves", "refused"),
        (3, "AddNote", "made"),
        (4, "Undo", "made"),
    ]
    first, second, third, fourth = entries
    assert (first.ruling.by, first.ruling.reason, first.undone_by) == ("A. Arbiter", "seen", 4)
    assert (second.text, third.text) == ("the record says so already", "Black asked for water")
    assert (first.table, first.game) == ("7", 1)
    assert first.at < second.at < third.at < fourth.at
    assert first.wall == 1000 + first.at


def test_what_was_undone_and_made_again_is_made() -> None:
    table = played("e4", "e5")
    table.rules(CorrectMoves(first=2, count=1, moves=("c5",)))
    for number in (1, 2, 3):
        table.rules(Undo(ruling=number))
    states = [(entry.state, entry.undone_by) for entry in audit(table.facts)]
    assert states == [("undone", 2), ("made", None), ("undone", 4), ("made", None)]
    assert table.sans == "e4 e5"


def some_order(rng: random.Random, record: GameRecord) -> Order:
    """Return an order; corrections are mostly legal where they begin."""
    undo = Undo(ruling=rng.randrange(1, 8))
    return rng.choice(
        (
            some_correction(rng, record),
            some_correction(rng, record),
            some_correction(rng, record),
            RestorePosition(ply=rng.randrange(len(record.plies) + 2)),
            LetStand(),
            LetStand(stands=chess.STARTING_FEN),
            SetResult(result=rng.choice(("1-0", "0-1", "1/2-1/2", "0-0"))),
            Adjourn(),
            Resume(),
            ClaimDraw(claimant="white", on="threefold", announced=rng.choice(("Nf3", None))),
            ClaimDraw(claimant="black", on="moves"),
            ConfirmOffence(colour="white", ply=rng.randrange(4)),
            NoteDrawOffer(colour=rng.choice(("white", "black"))),
            NoteReversedColours(),
            CompareScoresheet(colour="white", ply=rng.randrange(4), move="e4"),
            SetClocks(white_ms=rng.randrange(99), black_ms=1),
            undo,
            undo,
            undo,
        )
    )


def some_correction(rng: random.Random, record: GameRecord) -> CorrectMoves:
    first = rng.randrange(1, len(record.plies) + 2)
    fens = [record.fen, *(ply.fen_after for ply in record.plies)]
    board = chess.Board(fens[first - 1])
    moves = []
    for _ in range(rng.randrange(4)):
        legal = list(board.legal_moves)
        if legal:
            moves.append(board.san_and_push(rng.choice(legal)))
    return CorrectMoves(
        first=first,
        count=rng.randrange(3),
        moves=tuple(moves),
        rest="drop" if rng.random() < 0.4 else "keep",
    )


def some_game(seed: int) -> Arbiter:
    """A game with rulings between its moves, some of which cannot be carried out."""
    rng = random.Random(seed)
    sensing: Sensing = "occupancy" if rng.random() < 0.2 else "identity"
    table = played(setup=TableSetup(sensing=sensing))
    for _ in range(rng.randrange(2, 12)):
        if rng.random() < 0.5:
            table.rules(some_order(rng, table.record))
        elif table.table.engine is not None:
            table.puts_up()
            (play_one if rng.random() < 0.7 else blunder)(table, rng)
    return table


def blunder(table: Arbiter, rng: random.Random) -> None:
    """Put some man of the side to move anywhere, and press."""
    engine = table.table.engine
    if engine is None:
        return
    board = engine.position.board.copy(stack=False)
    men = list(chess.SquareSet(board.occupied_co[board.turn] & ~board.kings))
    if not men:
        return
    man = board.remove_piece_at(rng.choice(men))
    assert man is not None
    board.set_piece_at(rng.choice(list(chess.SquareSet(~board.kings & chess.BB_ALL))), man)
    at = table.now + 2
    table.shows(at, board.board_fen()).clock(at + 2, 290, 290, "right" if board.turn else "left")
    table.ticks(at + rng.choice((2.5, 8.0)))


def play_one(table: Arbiter, rng: random.Random) -> None:
    engine = table.table.engine
    if engine is not None:
        board = engine.position.board
        table.plays(table.now + 2, board.san(rng.choice(list(board.legal_moves))))


def facts_of(readings: Iterable[Reading], until: float) -> list[Fact]:
    table = Table("7")
    facts = [fact for reading in readings for fact in table.apply(reading)]
    return facts + table.tick(until)


SEEDS = st.integers(0, 2**32)


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_a_journal_with_rulings_gives_the_same_facts_again(seed: int) -> None:
    table = some_game(seed)
    kept = [msgspec.json.decode(msgspec.json.encode(r), type=Reading) for r in table.readings]
    assert facts_of(kept, table.now) == table.facts


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_a_ruling_that_is_refused_changes_nothing(seed: int) -> None:
    table = some_game(seed)
    refused = {fact.evidence[1] for fact in table.facts if isinstance(fact, RulingRefused)}
    idle = Ruling(by="A. Arbiter", order=AddNote(text=""))
    readings = [
        msgspec.structs.replace(each, payload=idle) if each.seq in refused else each
        for each in table.readings
    ]
    assert others(facts_of(readings, table.now)) == others(table.facts)


def others(facts: list[Fact]) -> list[Fact]:
    return [fact for fact in facts if not isinstance(fact, RulingRefused)]


@given(SEEDS)
@settings(max_examples=40, deadline=None)
def test_whatever_is_ruled_the_record_holds_legal_moves(seed: int) -> None:
    table = some_game(seed)
    table.ends()
    record = table.record
    adopted = {adoption.ply: adoption.fen for adoption in record.adoptions}
    board = chess.Board(record.fen)
    for number, ply in enumerate(record.plies):
        board = chess.Board(adopted.get(number, board.fen()))
        if not ply.stands:
            assert board.parse_san(ply.san).uci() == ply.uci
            board.push_uci(ply.uci)
            assert board.fen() == ply.fen_after
        board = chess.Board(ply.fen_after)
    engine = table.table.engine
    if engine is not None:
        assert engine.position.board.fen() == adopted.get(len(record.plies), board.fen())
    numbers = [entry.number for entry in audit(table.facts)]
    assert numbers == [*range(1, len(numbers) + 1)]


def test_rulings_are_kept_in_the_journal(tmp_path: Path) -> None:
    table = some_game(1)
    assert any(isinstance(fact, RulingMade) for fact in table.facts)
    with Journal.open(tmp_path / "journal.sqlite3", window=0.0) as journal:
        written = threading.Event()
        journal.submit(table.readings, written.set)
        assert written.wait(10)
    kept = [reading for _, reading in read_journal(tmp_path / "journal.sqlite3")]
    assert facts_of(kept, table.now) == table.facts
