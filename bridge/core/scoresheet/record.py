"""What a game's scoresheet says, built from facts alone."""

from collections.abc import Iterable

import chess
import msgspec

from bridge.core.model import (
    ClockUpdated,
    DrawOffered,
    Fact,
    GameAdjourned,
    GameEnded,
    GameResumed,
    GameStarted,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    PositionAdopted,
    Result,
    SetupCorrected,
    StartFound,
    TableSetup,
)
from bridge.core.scoresheet.plies import PackedPlies, Ply


class ScoresheetError(Exception):
    """Facts that do not follow from each other; a mistake of who concluded or relayed them."""


class Adoption(msgspec.Struct, frozen=True, kw_only=True):
    """Moves are missing after ply ``ply``; the next one was played from ``fen``."""

    ply: int
    fen: str
    reason: str


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """``count`` plies from ``ply`` on were withdrawn once; what stands there now came after."""

    ply: int
    count: int
    reason: str


class GameRecord(msgspec.Struct, kw_only=True):
    """One game of a table, as far as it has come.

    ``result`` stays ``*`` and ``ended_by`` ``None`` until the game has ended. ``started`` is
    Unix time. ``adoptions`` are in the order of their plies, at most one after each;
    ``corrections`` in the order in which they were made. ``offers`` are the plies with which a
    draw was offered, also those that are not on the sheet yet. ``clock`` is its last reading.
    """

    table: str
    game: int
    setup: TableSetup
    fen: str
    started: float
    plies: list[Ply] | PackedPlies = []
    adoptions: list[Adoption] = []
    corrections: list[Correction] = []
    offers: list[int] = []
    result: Result = "*"
    ended_by: str | None = None
    clock: ClockUpdated | None = None
    adjourned: bool = False

    @classmethod
    def begun_by(cls, fact: GameStarted) -> "GameRecord":
        """Return the empty scoresheet of a game that starts."""
        return cls(
            table=fact.table, game=fact.game, setup=fact.setup, fen=fact.fen, started=fact.wall
        )

    def copy(self) -> "GameRecord":
        """Return a record that later facts do not change."""
        return msgspec.structs.replace(
            self,
            plies=self.plies.copy(),
            adoptions=self.adoptions.copy(),
            corrections=self.corrections.copy(),
            offers=self.offers.copy(),
        )

    def add(self, ply: Ply) -> None:
        """Enter the next ply."""
        self._open.append(ply)

    def pack(self) -> None:
        """Take less room; the first ply that is changed afterwards unpacks all."""
        if isinstance(self.plies, list):
            self.plies = PackedPlies.of(self.plies)

    def apply(self, fact: Fact) -> bool:
        """Enter a fact of this game; say whether the record holds such facts.

        A ``GameStarted`` empties the sheet: the game begins anew.

        Raises:
            ScoresheetError: the fact belongs to another game, or its ply is not on the sheet.
        """
        if (fact.table, fact.game) != (self.table, self.game):
            raise ScoresheetError(
                f"{self._name}: got a fact of table {fact.table}, game {fact.game}"
            )
        match fact:
            case GameStarted():
                self.setup, self.fen, self.started = fact.setup, fact.fen, fact.wall
                self.plies, self.adoptions, self.corrections, self.offers = [], [], [], []
                self.result, self.ended_by, self.clock = "*", None, None
                self.adjourned = False
            case MoveSettled():
                self._settle(fact)
            case MoveTimed():
                self._time(fact)
            case MovesCorrected():
                self._withdraw(fact)
            case PositionAdopted():
                self._adopt(fact)
            case DrawOffered():
                self._offer(fact)
            case StartFound():
                self._begin_otherwise(fact)
            case _:
                return self._note(fact)
        return True

    def position(self, ply: int) -> str:
        """Return the position after *ply* as FEN, from which the next one was or will be played."""
        for adoption in reversed(self.adoptions):
            if adoption.ply == ply:
                return adoption.fen
        return self.plies[ply - 1].fen_after if ply else self.fen

    @property
    def _open(self) -> list[Ply]:
        """The plies, to be changed."""
        if isinstance(self.plies, PackedPlies):
            self.plies = list(self.plies)
        return self.plies

    @property
    def _name(self) -> str:
        return f"table {self.table}, game {self.game}"

    def _begin_otherwise(self, fact: StartFound) -> None:
        board, named = chess.Board(fact.fen, chess960=self.setup.chess960), []
        for number, ply in enumerate(self.plies, 1):
            move = chess.Move.from_uci(ply.uci)
            if not board.is_legal(move):
                raise ScoresheetError(
                    f"{self._name}: play is said to have begun from {fact.fen}, but ply "
                    f"{number} ({ply.uci}) is not legal then"
                )
            san = board.san_and_push(move)
            named.append(msgspec.structs.replace(ply, san=san, fen_after=board.fen()))
        self.fen, self.plies = fact.fen, named

    def _settle(self, fact: MoveSettled) -> None:
        if fact.ply != len(self.plies) + 1:
            raise ScoresheetError(
                f"{self._name}: ply {fact.ply} ({fact.san}) settled, but the sheet has "
                f"{len(self.plies)} plies"
            )
        self.add(
            Ply(
                uci=fact.uci,
                san=fact.san,
                fen_after=fact.fen,
                at=fact.at,
                wall=fact.wall,
                stands=fact.basis == "stands",
                draw_offer=fact.ply in self.offers,
            )
        )

    def _time(self, fact: MoveTimed) -> None:
        if not 1 <= fact.ply <= len(self.plies):
            raise ScoresheetError(
                f"{self._name}: ply {fact.ply} timed, but the sheet has {len(self.plies)} plies"
            )
        ply = self.plies[fact.ply - 1]
        self._open[fact.ply - 1] = msgspec.structs.replace(
            ply, clk_ms=fact.clk_ms, estimated=fact.estimated
        )

    def _note(self, fact: Fact) -> bool:
        match fact:
            case SetupCorrected():
                self.setup = fact.setup
            case GameEnded():
                self.result, self.ended_by = fact.result, fact.by
            case GameResumed():
                self.result, self.ended_by, self.adjourned = "*", None, False
            case GameAdjourned():
                self.adjourned = True
            case ClockUpdated():
                self.clock = fact
            case _:
                return False
        return True

    def _offer(self, fact: DrawOffered) -> None:
        self.offers = [ply for ply in self.offers if ply != fact.ply]
        if not fact.void:
            self.offers.append(fact.ply)
        if fact.ply <= len(self.plies):
            ply = self.plies[fact.ply - 1]
            self._open[fact.ply - 1] = msgspec.structs.replace(ply, draw_offer=not fact.void)

    def _withdraw(self, fact: MovesCorrected) -> None:
        if fact.ply < 1 or fact.ply - 1 + fact.count != len(self.plies):
            raise ScoresheetError(
                f"{self._name}: {fact.count} plies from ply {fact.ply} withdrawn, but the sheet "
                f"has {len(self.plies)} plies"
            )
        del self._open[fact.ply - 1 :]
        self.corrections.append(Correction(ply=fact.ply, count=fact.count, reason=fact.reason))
        self._keep_adoptions(until=len(self.plies))

    def _adopt(self, fact: PositionAdopted) -> None:
        if fact.ply != len(self.plies):
            raise ScoresheetError(
                f"{self._name}: a position adopted after ply {fact.ply}, but the sheet has "
                f"{len(self.plies)} plies"
            )
        self._keep_adoptions(until=fact.ply - 1)
        self.adoptions.append(Adoption(ply=fact.ply, fen=fact.fen, reason=fact.reason))

    def _keep_adoptions(self, *, until: int) -> None:
        self.adoptions = [adoption for adoption in self.adoptions if adoption.ply <= until]


class Scorebook:
    """The scoresheets of all games of all tables; all but the last of each table are packed."""

    def __init__(self, records: Iterable[GameRecord] = ()) -> None:
        self._records = {(r.table, r.game): r.copy() for r in records}
        self._last: dict[str, GameRecord] = {}
        for record in self._records.values():
            self._is_last(record)

    def apply(self, fact: Fact) -> GameRecord | None:
        """Enter a fact; return the record it changed, ``None`` if it changed none.

        Raises:
            ScoresheetError: a move, time or result for a game that has not started, or what
                :meth:`GameRecord.apply` refuses.
        """
        key = fact.table, fact.game
        record = self._records.get(key)
        if record is None:
            return self._begin(fact)
        return record if record.apply(fact) else None

    def record(self, table: str, game: int) -> GameRecord | None:
        """Return one record, ``None`` if there is no such game; later facts go on changing it."""
        return self._records.get((table, game))

    def records(self) -> list[GameRecord]:
        """Return the records, oldest first; later facts go on changing them."""
        return list(self._records.values())

    def _begin(self, fact: Fact) -> GameRecord | None:
        match fact:
            case GameStarted():
                record = GameRecord.begun_by(fact)
                self._records[fact.table, fact.game] = record
                self._is_last(record)
                return record
            case MoveSettled() | MoveTimed() | MovesCorrected() | PositionAdopted() | GameEnded():
                raise ScoresheetError(
                    f"table {fact.table}, game {fact.game}: {type(fact).__name__} "
                    "before the game started"
                )
            case _:
                return None

    def _is_last(self, record: GameRecord) -> None:
        before = self._last.get(record.table)
        if before is not None:
            before.pack()
        self._last[record.table] = record
