"""The Universal Chess Interface as an engine speaks it, with a board for a mind.

Pure: lines, events and times come in, lines go out. What is said about thinking (times, depth,
moves to search) means nothing to somebody who sits at a board, and is passed over.

Source: the UCI protocol of April 2006 by Stefan Meyer-Kahlen.
"""

import chess

from bridge import __version__
from bridge.core.model import LinkChange, Orientation
from bridge.outputs.uci.seat import REST, Awaited, News, Seat, Stands
from drivers.events import Event

NO_MOVE = "bestmove (none)"
ORIENTATIONS: tuple[Orientation, ...] = ("auto", "normal", "rotated")
_LONGEST_REST_MS = 60_000
_WORDS = (
    "uci",
    "isready",
    "setoption",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
)


class Conversation:
    """What is answered to a program that takes *seat* for an engine called *name*."""

    def __init__(self, name: str, seat: Seat) -> None:
        self.ended = False
        self._name = name
        self._seat = seat
        self._chess960 = False
        self._lamps = True
        self._board: chess.Board | None = chess.Board()
        self._asked = self._held = False
        self._standing: chess.Move | None = None
        self._made: chess.Move | None = None

    @property
    def wake_at(self) -> float:
        """When to call :meth:`tick`."""
        return self._seat.wake_at

    @property
    def lit(self) -> frozenset[chess.Square]:
        """Squares that a board with lamps lights now, in its own numbering."""
        return self._seat.wrong if self._lamps else frozenset()

    # --- the program ------------------------------------------------------------------------------

    def hear(self, line: str, *, at: float) -> list[str]:
        """Return the answer to a line of the program; words that UCI has not are passed over."""
        words = line.split()
        while words and words[0] not in _WORDS:
            del words[0]
        match words:
            case ["setoption", "name", *rest]:
                return self._set(" ".join(rest))
            case ["position", *rest]:
                return self._set_up(rest)
            case ["go", *rest]:
                return self._go(rest, at)
            case [word, *_]:
                return self._hear_word(word)
        return []

    def _hear_word(self, word: str) -> list[str]:
        match word:
            case "uci":
                return self._introduce()
            case "isready":
                return ["readyok"]
            case "ucinewgame":
                return self._set_up(["startpos"])
            case "stop":
                return self._stop()
            case "ponderhit":
                self._held = False
                return self._answer()
            case "quit":
                self.ended = True
        return []

    def _introduce(self) -> list[str]:
        ways = " ".join(f"var {way}" for way in ORIENTATIONS)
        return [
            f"id name eboard-bridge {__version__} ({self._name})",
            "id author the authors of eboard-bridge",
            f"option name Rest type spin default {round(REST * 1000)} min 0 max {_LONGEST_REST_MS}",
            f"option name Orientation type combo default {self._seat.orientation} {ways}",
            "option name Lamps type check default true",
            "option name UCI_Chess960 type check default false",
            "uciok",
        ]

    def _set(self, text: str) -> list[str]:
        name, _, value = text.partition(" value ")
        match name.strip().lower(), value.strip().lower():
            case "rest", ms if ms.isdecimal() and int(ms) <= _LONGEST_REST_MS:
                self._seat.rest = int(ms) / 1000
            case "orientation", ("auto" | "normal" | "rotated") as way:
                self._seat.orientation = way
            case "lamps", ("true" | "false") as on:
                self._lamps = on == "true"
            case "uci_chess960", ("true" | "false") as on:
                self._chess960 = on == "true"
            case _:
                return [f"info string not understood: option {text}"]
        return []

    def _set_up(self, words: list[str]) -> list[str]:
        start, _, moves = " ".join(words).partition("moves")
        try:
            fen = start.removeprefix("fen ") if start.startswith("fen ") else chess.STARTING_FEN
            self._board = chess.Board(fen, chess960=self._chess960)
            for move in moves.split():
                self._board.push_uci(move)
        except ValueError as error:
            self._board = None
            return [f"info string not understood: {error}"]
        return []

    def _go(self, words: list[str], at: float) -> list[str]:
        self._made = self._standing = None
        self._asked, self._held = True, bool({"infinite", "ponder"} & {*words})
        if self._board is None or not any(self._board.generate_legal_moves()):
            self._asked = False
            return [NO_MOVE]
        return self._tell(self._seat.ask(self._board, at=at))

    def _stop(self) -> list[str]:
        """Answer with the move that stands, if one does."""
        if not self._asked:
            return []
        self._held = False
        self._made = self._made or self._standing
        self._seat.leave()
        if self._made is None:
            self._asked = False
            return [NO_MOVE]
        return self._answer()

    def _answer(self) -> list[str]:
        if self._made is None or self._held or self._board is None:
            return []
        move, self._made, self._asked = self._made, None, False
        return [f"bestmove {self._uci(self._board, move)}"]

    # --- the board --------------------------------------------------------------------------------

    def take(self, event: Event | LinkChange, *, at: float) -> list[str]:
        """Return what is to be said of what the board or its link says."""
        if not isinstance(event, LinkChange):
            return self._tell(self._seat.take(event, at=at))
        if event.state == "lost":
            self._seat.lose()
            self._standing = None
        detail = f": {event.detail}" if event.detail else ""
        return [f"info string the link to the board is {event.state}{detail}"]

    def tick(self, *, at: float) -> list[str]:
        """Return what is to be said because it is *at*."""
        return self._tell(self._seat.tick(at=at))

    def _tell(self, news: list[News]) -> list[str]:
        said: list[str] = []
        for each in news:
            match each:
                case Awaited(text=text):
                    said.append(f"info string {text}")
                case Stands(move=move):
                    self._standing = move
                    said += self._line_of(move)
                case _:
                    self._made = each.move
                    if each.move != self._standing:
                        said += self._line_of(each.move)
                    said += self._answer()
        return said

    def _line_of(self, move: chess.Move | None) -> list[str]:
        if move is None or self._board is None:
            return []
        return [f"info depth 1 pv {self._uci(self._board, move)}"]

    def _uci(self, board: chess.Board, move: chess.Move) -> str:
        return board.uci(move, chess960=self._chess960)
