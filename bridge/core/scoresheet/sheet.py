"""What stands on a printed scoresheet, before it has a page, a font or a direction."""

from collections.abc import Iterator
from typing import Literal

import chess
import msgspec

from bridge.core.scoresheet.notation.languages import Language
from bridge.core.scoresheet.notation.writing import language_of, notation
from bridge.core.scoresheet.pgn import DRAW_OFFER, clock_text, printable
from bridge.core.scoresheet.plies import Ply
from bridge.core.scoresheet.record import GameRecord
from bridge.core.scoresheet.words import WORDS, Words

Mark = Literal["draw_offer", "estimated", "illegal", "corrected"]

MARKS: dict[Mark, str] = {
    "draw_offer": DRAW_OFFER,
    "estimated": "~",
    "illegal": "†",
    "corrected": "*",
}
"""The signs of the marks; that of an estimated time stands before the time, others behind moves."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A move as it is written, and the mover's remaining time after it, empty where unknown."""

    text: str
    time: str = ""
    marks: tuple[Mark, ...] = ()


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Both moves of a number. White's is ``None`` where the play goes on with Black."""

    number: int
    white: Entry | None = None
    black: Entry | None = None


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """Moves are missing here; play goes on from ``fen``."""

    reason: str
    fen: str


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A side's word, its player's name, and what else is known: title, rating, number, team."""

    side: str
    name: str
    more: str


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """A whole scoresheet.

    ``header`` is labels with what is known, which may be nothing: event, place, date, round, board,
    time control and, where it is not the usual one, the start position. ``legend`` is the signs
    that occur with their meaning; ``signatures`` are who has to sign.
    """

    language: str
    title: str
    header: tuple[tuple[str, str], ...]
    players: tuple[Player, Player]
    result: tuple[str, str]
    rows: tuple[Row | Gap, ...]
    legend: tuple[tuple[str, str], ...]
    signatures: tuple[str, ...]

    @property
    def words(self) -> Words:
        """The words of its language."""
        return WORDS[self.language]

    @property
    def tongue(self) -> Language:
        """Its language."""
        return language_of(self.language)


def sheet(record: GameRecord, *, language: str = "en", style: str = "fide") -> Sheet:
    """Return the scoresheet of a game as far as it has come.

    ``language`` is of the words and of the pieces' letters, ``style`` one of those of moves.

    Raises:
        NotationError: there is no such language or style.
    """
    words = WORDS[language_of(language).code]
    rows = tuple(_rows(_items(record, language, style)))
    return Sheet(
        language=language,
        title=words.title,
        header=tuple((label, _known(value)) for label, value in _header(record, words)),
        players=(
            _player(words.white, record.setup.white, "White", record.setup.tags),
            _player(words.black, record.setup.black, "Black", record.setup.tags),
        ),
        result=(words.result, record.result.replace("1/2", "½").replace("*", "")),
        rows=rows,
        legend=tuple(_legend(rows, words)),
        signatures=(
            f"{words.signature} ({words.white})",
            f"{words.signature} ({words.black})",
            words.arbiter,
        ),
    )


# --- the head -----------------------------------------------------------------------------------


def _header(record: GameRecord, words: Words) -> Iterator[tuple[str, str]]:
    setup = record.setup
    yield words.event, setup.event
    yield words.site, setup.site
    yield words.date, setup.date
    yield words.round, setup.round
    yield words.board, "?" if setup.board is None else str(setup.board)
    yield words.rate, setup.time_control
    if setup.chess960 or record.fen != chess.STARTING_FEN:
        yield words.start, record.fen


def _player(side: str, name: str, prefix: str, tags: dict[str, str]) -> Player:
    title, elo, number, team = (
        _known(tags.get(f"{prefix}{what}", "-")) for what in ("Title", "Elo", "FideId", "Team")
    )
    more = (title, elo and f"Elo {elo}", number and f"FIDE {number}", team)
    return Player(side=side, name=_known(name), more=", ".join(each for each in more if each))


def _known(value: str) -> str:
    """Return a value of a tag in one line, or nothing if the tag says that it is not known."""
    text = printable(value)
    return "" if not text.strip("?-. ") else " ".join(text.split())


# --- the moves ----------------------------------------------------------------------------------


def _rows(items: Iterator[Gap | tuple[Ply, Entry]]) -> Iterator[Row | Gap]:
    """Yield the moves of both sides beside each other; a gap ends a row."""
    begun: Row | None = None
    for item in items:
        if isinstance(item, tuple) and item[0].colour == "white":
            begun = Row(number=item[0].number, white=item[1])
            continue
        if isinstance(item, tuple):
            ply, black = item
            yield msgspec.structs.replace(begun or Row(number=ply.number), black=black)
        else:
            yield from (begun, item) if begun else (item,)
        begun = None
    if begun:
        yield begun


def _items(record: GameRecord, language: str, style: str) -> Iterator[Gap | tuple[Ply, Entry]]:
    """Yield every move as it is written, and gaps where they are."""
    adoptions = {adoption.ply: adoption for adoption in record.adoptions}
    corrected = {ply for c in record.corrections for ply in range(c.ply, c.ply + c.count)}
    fen = record.fen
    for count in range(len(record.plies) + 1):
        if count in adoptions:
            fen = adoptions[count].fen
            yield Gap(reason=adoptions[count].reason, fen=fen)
        for ply in record.plies[count : count + 1]:
            board = chess.Board(fen, chess960=record.setup.chess960)
            text = notation(board, chess.Move.from_uci(ply.uci), style, language)
            yield ply, _entry(ply, text, corrected=count + 1 in corrected)
            fen = ply.fen_after


def _entry(ply: Ply, text: str, *, corrected: bool) -> Entry:
    present: dict[Mark, bool] = {
        "draw_offer": ply.draw_offer,
        "estimated": ply.estimated and ply.clk_ms is not None,
        "illegal": ply.stands,
        "corrected": corrected,
    }
    return Entry(
        text=text,
        time="" if ply.clk_ms is None else clock_text(ply.clk_ms // 1000),
        marks=tuple(mark for mark, there in present.items() if there),
    )


def _legend(rows: tuple[Row | Gap, ...], words: Words) -> Iterator[tuple[str, str]]:
    entries = [e for row in rows if isinstance(row, Row) for e in (row.white, row.black) if e]
    meanings: dict[Mark, str] = {
        "draw_offer": words.draw_offer,
        "estimated": words.estimated,
        "illegal": words.illegal,
        "corrected": words.corrected,
    }
    for mark, meaning in meanings.items():
        if any(mark in entry.marks for entry in entries):
            yield MARKS[mark], meaning
