"""A game as Lichess takes it: few tags, legal moves, a clock time with each, and a name that stays.

What Lichess makes of tags and times is from its source (module ``relay``, scalachess) of 2025 and
2026 and its API description.
"""

import hashlib
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

import chess
import msgspec

from bridge.core.model import TableSetup
from bridge.core.scoresheet.pgn import TERMINATIONS, clock_text, escaped, main_line_ends
from bridge.core.scoresheet.record import GameRecord
from bridge.core.timecontrol import Period, TimeControlError, parse_time_control
from bridge.outputs.cloud.places import counted
from bridge.outputs.game_files import BoardOrder, board_order

MOST_GAMES = 100
"""How many games Lichess shows in a round, and takes in a push."""
MOST_PLIES = 600
"""How many plies of a game Lichess reads."""

_TAKEN_FROM_TABLE = (
    *("WhiteElo", "WhiteTitle", "WhiteTeam", "WhiteFideId"),
    *("BlackElo", "BlackTitle", "BlackTeam", "BlackFideId"),
    "Annotator",
)
_MARKERS = {"1-0", "0-1", "1/2-1/2"}
_UNDERSTOOD_AS_MINUTES = 180
_NOBODY = {"unknown", "bye"}


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game of a round of the event, as it is pushed; ``round`` is :func:`round_name`.

    ``game_id`` never changes, whoever plays and at whatever board. ``positions`` are short digests
    of what stood on the board, from the start position on: equal positions have equal ones.
    ``trouble`` says why it cannot be pushed, if so.
    """

    round: str
    game_id: str
    table: str
    board: int | None
    tags: tuple[tuple[str, str], ...]
    moves: str
    positions: tuple[int, ...]
    trouble: str = ""

    @property
    def place(self) -> BoardOrder:
        """What sorts the games of a round."""
        return board_order(self.table, self.board)

    @property
    def plies(self) -> int:
        """How many plies are pushed."""
        return len(self.positions) - 1

    @property
    def is_live(self) -> bool:
        """Whether it has no result yet."""
        return ("Result", "*") in self.tags

    def has_players_of(self, other: "Game") -> bool:
        """Whether Lichess may say that both have the same players."""
        mine, others = dict(self.tags), dict(other.tags)
        return any(
            all(mine.get(tag) == others.get(tag) for tag in tags)
            for tags in (("White", "Black"), ("WhiteFideId", "BlackFideId"))
            if all(tag in mine for tag in tags)
        )

    @property
    def pgn(self) -> str:
        """The game as text; no line of it is empty but the one behind the tags and the last."""
        tags = "".join(f'[{name} "{escaped(value)}"]\n' for name, value in self.tags)
        return f"{tags}\n{self.moves}\n\n"


def game_of(record: GameRecord, number: int) -> Game:
    """Return the *number*-th game of its table in the round."""
    setup = record.setup
    name = f"{setup.round}\0{record.table}\0{number}"
    game_id = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    end = min(main_line_ends(record), MOST_PLIES)
    fens = [record.fen, *(ply.fen_after for ply in record.plies[:end])]
    return Game(
        round=round_name(setup),
        game_id=game_id,
        table=record.table,
        board=setup.board,
        tags=(*_tags(record), ("GameId", game_id)),
        moves=" ".join(_movetext(record, end)),
        positions=tuple(position_digest(fen) for fen in fens),
        trouble=_trouble(setup),
    )


def round_games(
    records: Iterable[GameRecord], make: Callable[[GameRecord, int], Game] | None = None
) -> list[Game]:
    """Return the games of all rounds, by round and board.

    A board that was set up and not played at is no game beside one that was played. *make* is
    :func:`game_of`, or gives what that gave before.
    """
    tables: defaultdict[tuple[str, str], list[GameRecord]] = defaultdict(list)
    for record in records:
        tables[round_name(record.setup), record.table].append(record)
    games = [
        (make or game_of)(record, number)
        for several in tables.values()
        for number, record in enumerate(counted(several), 1)
    ]
    return sorted(games, key=lambda game: (game.round, game.place))


def lichess_time_control(text: str) -> str | None:
    """Return what Lichess reads as the first period of a time control, ``None`` where nothing is.

    It takes numbers up to 180 for minutes.

    >>> lichess_time_control("40/5400+30:1800+30"), lichess_time_control("180+2")
    ('5400+30', '3+2')
    """
    try:
        control = parse_time_control(text)
    except TimeControlError:
        return None
    if control is None or not control.periods:
        return None
    return _period(control.periods[0])


def _period(period: Period) -> str | None:
    if period.sandglass:
        return None
    if period.seconds > _UNDERSTOOD_AS_MINUTES:
        return f"{period.seconds}+{period.increment}"
    minutes, rest = divmod(period.seconds, 60)
    return None if rest else f"{minutes}+{period.increment}"


def round_name(setup: TableSetup) -> str:
    """Return the round of the event; a group that is kept apart has rounds of its own."""
    return f"{setup.section} {setup.round}" if setup.section else setup.round


def position_digest(fen: str) -> int:
    """Return a number that is the same where the same men stand on the same squares."""
    return zlib.crc32(fen.partition(" ")[0].encode())


# --- tags ---------------------------------------------------------------------------------------


def _tags(record: GameRecord) -> Iterator[tuple[str, str]]:
    setup = record.setup
    yield "Event", setup.event
    yield "Site", setup.site
    yield "Date", setup.date
    yield "Round", _round(setup)
    if setup.board is not None:
        yield "Board", str(setup.board)
    for side, name in (("White", setup.white), ("Black", setup.black)):
        if _is_name(name):
            yield side, name
    yield "Result", record.result
    for tag in _TAKEN_FROM_TABLE:
        if tag in setup.tags:
            yield tag, setup.tags[tag]
    if control := lichess_time_control(setup.time_control):
        yield "TimeControl", control
    if record.ended_by is not None:
        yield "Termination", TERMINATIONS.get(record.ended_by, "normal")
    yield from _start(record)


def _start(record: GameRecord) -> Iterator[tuple[str, str]]:
    if record.setup.chess960:
        yield "Variant", "Chess960"
    if record.setup.chess960 or record.fen != chess.STARTING_FEN:
        yield "FEN", record.fen


def _round(setup: TableSetup) -> str:
    """Return round and board as ``3.12``, or a name of the round that is no number."""
    is_number = re.fullmatch(r"[0-9]+", setup.round, re.ASCII)
    return setup.round if setup.board is None or not is_number else f"{setup.round}.{setup.board}"


def _is_name(name: str) -> bool:
    """Whether Lichess takes it for a player's name."""
    clean = name.strip()
    return len(clean) > 1 and clean.lower() not in _NOBODY


def _trouble(setup: TableSetup) -> str:
    sides: tuple[tuple[Literal["White", "Black"], str], ...]
    sides = ("White", setup.white), ("Black", setup.black)
    missing = [
        side for side, name in sides if not _is_name(name) and not setup.tags.get(f"{side}FideId")
    ]
    if not missing:
        return ""
    have = "has" if len(missing) == 1 else "have"
    return f"{' and '.join(missing)} {have} no name, and Lichess shows no game without names"


# --- moves --------------------------------------------------------------------------------------


def _movetext(record: GameRecord, end: int) -> Iterator[str]:
    """Yield the legal moves, each with the last time known of its player's clock."""
    last_ms: dict[str, int] = {}
    for ply in record.plies[:end]:
        yield ply.numbered
        if ply.clk_ms is not None:
            last_ms[ply.colour] = ply.clk_ms
        if ply.colour in last_ms:
            yield f"{{[%clk {clock_text(last_ms[ply.colour] // 1000)}]}}"
    yield record.result if record.result in _MARKERS else "*"
