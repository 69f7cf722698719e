"""What is promised for a tournament, compared with what was played and told."""

import contextlib
import io
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import chess.pgn
import msgspec

from benchmarks.tournament.daemon import TOLD, Told
from benchmarks.tournament.hall import GAMES, ROUND, HallPlayed
from benchmarks.tournament.plan import HIDING
from benchmarks.tournament.seats import Played
from benchmarks.tournament.troubles import RETURN
from bridge.core.laws.catalogue.moves import MOVES
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    Fact,
    GameEnded,
    GameStarted,
    LinkChanged,
    MovesCorrected,
    MoveSettled,
    PositionAdopted,
)

ACCUSING = {kind.code for kind in MOVES if kind.severity == "critical"}
"""Alerts that say a player has done wrong; in these games nobody does."""

STUCK = ("BOARD_DISCONNECTED", "CLOCK_DISCONNECTED", "POSITION_UNRESOLVED")
"""Alerts that may not stay when all is well again."""

LONG_AWAY = 10.0
"""Seconds from which on it has to be told that a board is away or silent."""

OPEN_PLIES = 2
"""Plies at the end of a game that was broken off which may not have settled."""


@dataclass
class Broken:
    """What is not as promised, in words; figures beside it."""

    games: int = 0
    exact: int = 0
    moves: int = 0
    corrections: int = 0
    longest_wrong: float = 0.0
    accusations: Counter[str] = field(default_factory=Counter)
    words: list[str] = field(default_factory=list)


def told_in(folder: Path) -> list[Told]:
    """Return all that was written down in a folder; what was told again after a kill is there once.

    What a new daemon tells again is what was told before, and else it counts as another fact.
    """
    decode = msgspec.json.Decoder(Told).decode
    found: dict[bytes, Told] = {}
    for line in (folder / TOLD).read_bytes().splitlines(keepends=True):
        if line.endswith(b"\n"):  # a kill may leave half of one
            found.setdefault(line.partition(b",")[2], decode(line))
    return [*found.values()]


def _while_there_were_boards(folder: Path, hall: HallPlayed) -> Iterator[Told]:
    yield from (told for told in told_in(folder) if told.now < hall.ended)


def judged(folder: Path, hall: HallPlayed) -> Broken:
    """Compare what was told with what was played."""
    broken = Broken()
    tables = defaultdict[str, list[Told]](list)
    for told in _while_there_were_boards(folder, hall):
        tables[told.fact.table].append(told)
    for table, games in hall.games.items():
        for number, (played, record) in enumerate(_pairs(games, tables[table]), start=1):
            name = f"table {table}, game {number}"
            moves = _judge(name, played, record, broken)
            if hall.plan:
                broken.words += _files(folder, name, f"{table}-{record.number}", moves)
        broken.words += [
            f"table {table}: {code} is still raised" for code in _raised(tables[table])
        ]
        accused = [
            each.fact.code
            for each in tables[table]
            if isinstance(each.fact, AlertRaised) and each.fact.code in ACCUSING
        ]
        broken.accusations.update(accused)
        if accused:
            broken.words.append(f"table {table}: players were accused: {', '.join(accused)}")
    if hall.plan:
        broken.words += _messages(tables, hall)
        broken.words += _silence(tables, hall)
        broken.words += _journal(folder)
    return broken


@dataclass
class _Record:
    """One game as it was told, and its number at the table."""

    told: list[Told] = field(default_factory=list)
    ended: bool = False
    number: int = 0


def _pairs(games: Sequence[Played], told: Sequence[Told]) -> Iterator[tuple[Played, _Record]]:
    """Yield each game that was played with what was told of it.

    A start position that is set up again begins no other game until a move is made, so games that
    were told without a move are passed over.
    """
    records: list[_Record] = []
    for each in told:
        if isinstance(each.fact, GameStarted):
            records.append(_Record(number=each.fact.game))
        elif records:
            records[-1].told.append(each)
            records[-1].ended |= isinstance(each.fact, GameEnded)
    moved = [
        record for record in records if any(isinstance(t.fact, MoveSettled) for t in record.told)
    ]
    missing = [_Record() for _ in range(len(games) - len(moved))]
    yield from zip(games, [*moved, *missing], strict=False)


def _judge(name: str, played: Played, record: _Record, broken: Broken) -> list[str]:
    """Compare a game with what was told of it; return the moves that were told in the end."""
    moves: list[str] = []
    made = [*played.moves, *filter(None, [played.begun])]
    wrong_since: float | None = None
    for each in record.told:
        broken.corrections += isinstance(each.fact, MovesCorrected)
        _follow(moves, each.fact)
        wrong = moves != made[: len(moves)]
        if wrong and wrong_since is None:
            wrong_since = each.now
        elif not wrong and wrong_since is not None:
            broken.longest_wrong = max(broken.longest_wrong, each.now - wrong_since)
            wrong_since = None
    broken.games += 1
    broken.moves += len(played.moves)
    at_least = len(played.moves) - (0 if played.ended else OPEN_PLIES)
    if wrong_since is None and len(moves) >= at_least:
        broken.exact += 1
    else:
        differ = next(
            (n for n, (a, b) in enumerate(zip(moves, made, strict=False), 1) if a != b),
            min(len(moves), len(made)) + 1,
        )
        broken.words.append(
            f"{name}: {len(moves)} of {len(played.moves)} plies, not as played from ply {differ} on"
        )
    if played.ended and not record.ended:
        broken.words.append(f"{name}: its end was not told")
    return moves


def _files(folder: Path, name: str, file: str, moves: Sequence[str]) -> Iterator[str]:
    """Say where the file of a game is not what was told in the end, whatever it went through."""
    path = folder / GAMES / ROUND / f"{file}.pgn"
    game = chess.pgn.read_game(io.StringIO(path.read_text("utf-8"))) if path.exists() else None
    written = [] if game is None else [move.uci() for move in game.mainline_moves()]
    if written[: len(moves)] != moves:
        yield f"{name}: {len(moves)} plies were told, its file has {len(written)} or others"


def _follow(moves: list[str], fact: Fact) -> None:
    match fact:
        case MoveSettled(ply=ply, uci=uci):
            moves[ply - 1 :] = [uci]
        case MovesCorrected(ply=ply):
            del moves[ply - 1 :]
        case PositionAdopted(ply=ply):
            moves[ply:] = []
        case _:
            pass


def _raised(told: Sequence[Told]) -> set[str]:
    raised: set[str] = set()
    for each in told:
        match each.fact:
            case AlertRaised(code=code) if code in STUCK:
                raised.add(code)
            case AlertCleared(code=code):
                raised.discard(code)
            case GameStarted():
                raised.clear()
            case _:
                pass
    return raised


def _messages(tables: Mapping[str, Sequence[Told]], hall: HallPlayed) -> Iterator[str]:
    """Say how many moves never reached the receiver of webhooks; some may come twice."""
    told = sum(isinstance(each.fact, MoveSettled) for facts in tables.values() for each in facts)
    came = {name for name in hall.received if name.endswith(" MoveSettled")}
    if len(came) < told:
        yield f"{told} moves were told, {len(came)} came by webhook"


def _silence(tables: Mapping[str, Sequence[Told]], hall: HallPlayed) -> Iterator[str]:
    """Say of which boards nobody was told that they were away, or said nothing, for long."""
    for fault in hall.plan:
        everywhere = fault.what in ("adapter", "bluetoothd")
        begins, ends = hall.begun + fault.at, hall.begun + fault.ends + RETURN
        if fault.what not in HIDING or fault.seconds < LONG_AWAY:
            continue
        for table in hall.wireless if everywhere else fault.tables:
            told = any(
                isinstance(each.fact, LinkChanged) and each.fact.state != "live"
                for each in tables[f"{table}"]
                if begins <= each.now <= ends
            )
            if not told:
                yield f"table {table}: nobody was told of {fault.what} at {fault.at:.0f} s"


def _journal(folder: Path) -> Iterator[str]:
    """Say whether the journal is damaged, or lacks readings between others."""
    path = folder / "data" / "journal.sqlite3"
    if list(path.parent.glob("*damaged*")):
        yield "the journal was found damaged"
    with contextlib.closing(sqlite3.connect(path)) as database:
        (check,) = database.execute("PRAGMA integrity_check").fetchone()
        if check != "ok":
            yield f"the journal is damaged: {check}"
        rows = database.execute("SELECT link, count(*), max(seq) FROM readings GROUP BY link")
        missing = [link for link, count, last in rows if count != last]
    if missing:
        yield f"readings are missing on {', '.join(missing)}"
