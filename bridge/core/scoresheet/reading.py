"""Scoresheets from PGN: our own come back whole, with what could not stand as moves."""

import io
import re
from collections.abc import Iterator

import chess
import chess.pgn

from bridge.core.model import Result, TableSetup
from bridge.core.scoresheet.pgn import (
    DECIDED,
    DRAW_OFFER,
    NOT_IN_MAIN_LINE,
    SAID_BY_THE_GAME,
    TERMINATIONS,
)
from bridge.core.scoresheet.plies import Ply
from bridge.core.scoresheet.record import Adoption, GameRecord

_TOLD = re.compile(
    r" (?:Moves are missing: (?P<reason>.*?)\. Play goes on from \((?P<adopted>[^()]*)\)\."
    r"|\d+\.(?:\.\.)? (?P<san>\S+)"
    r"(?: \((?P<clk>\d+:\d\d:\d\d)(?P<estimated> estimated)?\))?(?P<offer> \(=\))?"
    r"(?: is illegal and stands\. Play goes on from \((?P<after>[^()]*)\)\.)?)(?= |\Z)"
)
_DECIDED = re.compile(rf" ?{DECIDED} (0-0|1/2-0|0-1/2)\.\Z")
_ESTIMATED = re.compile(r"\[%clksrc\s+estimated\s*\]")
_ESCAPED = re.compile(r'\\(["\\])')
_SQUARE = re.compile(r"[a-h][1-8]")
_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_RESULTS: dict[str, Result] = {r: r for r in ("1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2")}
_ENDED_BY = {word: by for by, word in reversed(TERMINATIONS.items())}


class PgnError(Exception):
    """A text that is no game of chess; the message tells which game of the file, and why."""


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Collects errors without logging them."""

    def handle_error(self, error: Exception) -> None:
        self.game.errors.append(error)

    def end_variation(self) -> None:
        """End a variation, but not the game: after an error, the parser ends one too many."""
        if len(self.variation_stack) > 1:
            super().end_variation()


def read_games(text: str) -> Iterator[GameRecord]:
    """Yield the scoresheet of every game of a PGN text.

    What PGN does not tell is left empty: when the game started and when each move was made.

    Raises:
        PgnError: a move is illegal, the start position is none, or it is not chess.
    """
    stream, number = io.StringIO(text), 0
    while game := chess.pgn.read_game(stream, Visitor=_Builder):
        number += 1
        try:
            yield _record(game, number)
        except ValueError as error:
            raise PgnError(f"game {number}: {error}") from error


def _record(game: chess.pgn.Game, number: int) -> GameRecord:
    if game.errors:
        raise ValueError(str(game.errors[0]))
    board = game.board()
    if board.uci_variant != "chess":
        raise ValueError(f"the variant {game.headers['Variant']} is not played here")
    headers = {name: _ESCAPED.sub(r"\1", value) for name, value in game.headers.items()}
    told, result = _result_told(_comment(game.end()))
    result = _RESULTS.get(headers["Result"], result)
    record = GameRecord(
        table=headers.get("Board", str(number)),
        game=number,
        setup=_setup(headers, chess960=board.chess960),
        fen=board.fen(),
        started=0.0,
        result=result,
        ended_by=_ended_by(headers, result),
    )
    for node in game.mainline():
        record.add(_ply(node))
    if told := told.partition(NOT_IN_MAIN_LINE)[2]:
        _add_told(record, told, game.end().board())
    return record


def _result_told(comment: str) -> tuple[str, Result]:
    """Return the last comment without the result that is none of PGN, and that result."""
    decided = _DECIDED.search(comment)
    if decided is None:
        return comment, "*"
    return comment[: decided.start()], _RESULTS[decided[1]]


def _ended_by(headers: dict[str, str], result: Result) -> str | None:
    word = headers.get("Termination", "normal")
    by = _ENDED_BY.get(word, "normal")
    return None if result == "*" and by == "normal" else by


def _setup(headers: dict[str, str], *, chess960: bool) -> TableSetup:
    board = headers.get("Board", "")
    own = {*_ROSTER, *SAID_BY_THE_GAME, "TimeControl"} | ({"Board"} if board.isdecimal() else set())
    return TableSetup(
        event=headers["Event"],
        site=headers["Site"],
        round=headers["Round"],
        date=headers["Date"],
        board=int(board) if board.isdecimal() else None,
        white=headers["White"],
        black=headers["Black"],
        time_control=headers.get("TimeControl", "?"),
        tags={name: value for name, value in headers.items() if name not in own},
        chess960=chess960,
    )


def _ply(node: chess.pgn.ChildNode) -> Ply:
    clock = node.clock()
    said = _comment(node).partition(NOT_IN_MAIN_LINE)[0]
    return Ply(
        uci=node.uci(),
        san=node.san(),
        fen_after=node.board().fen(),
        at=0.0,
        wall=0.0,
        clk_ms=None if clock is None else round(clock * 1000),
        estimated=_ESTIMATED.search(said) is not None,
        draw_offer=DRAW_OFFER in said,
    )


def _comment(node: chess.pgn.GameNode) -> str:
    """Return what is said behind a move, in one line wherever lines were broken."""
    return " ".join(node.comment.split())


# --- what could not stand as moves --------------------------------------------------------------


def _add_told(record: GameRecord, told: str, board: chess.Board) -> None:
    """Enter what was played after the main line, as the comment tells it."""
    while told:
        match = _TOLD.match(told)
        if match is None:
            raise ValueError(f"{NOT_IN_MAIN_LINE}{told[:60]} is not understood")
        told = told[match.end() :]
        if match["adopted"]:
            fen = match["adopted"]
            record.adoptions.append(
                Adoption(ply=len(record.plies), fen=fen, reason=match["reason"])
            )
            board = chess.Board(fen, chess960=board.chess960)
        else:
            board = _add_told_ply(record, match, board)


def _add_told_ply(record: GameRecord, match: re.Match[str], board: chess.Board) -> chess.Board:
    if match["after"]:
        after = chess.Board(match["after"], chess960=board.chess960)
        move = _attempt(board, match["san"], after)
    else:
        move = board.parse_san(match["san"])
        after = board.copy(stack=False)
        after.push(move)
    record.add(
        Ply(
            uci=move.uci(),
            san=match["san"],
            fen_after=match["after"] or after.fen(),
            at=0.0,
            wall=0.0,
            clk_ms=_milliseconds(match["clk"]),
            estimated=match["estimated"] is not None,
            stands=match["after"] is not None,
            draw_offer=match["offer"] is not None,
        )
    )
    return after


def _milliseconds(clock: str | None) -> int | None:
    if clock is None:
        return None
    hours, minutes, seconds = map(int, clock.split(":"))
    return 1000 * (3600 * hours + 60 * minutes + seconds)


def _attempt(before: chess.Board, san: str, after: chess.Board) -> chess.Move:
    """Return the illegal move that led from one position to the other.

    It is the man that left a square and the square that got another man; where more changed, the
    square that the text names is where it went.
    """
    changed = [s for s in chess.SQUARES if before.piece_at(s) != after.piece_at(s)]
    left = [s for s in changed if before.piece_at(s) and not after.piece_at(s)]
    came = [s for s in changed if after.piece_at(s)]
    named = [chess.parse_square(name) for name in _SQUARE.findall(san)[-1:]]
    targets = [s for s in came if s in named] or came
    if not left or not targets:
        raise ValueError(f"{san} does not lead to {after.fen()}")
    man, moved = before.piece_type_at(left[0]), after.piece_type_at(targets[0])
    return chess.Move(left[0], targets[0], None if man == moved else moved)
