"""What Lichess makes of games that are pushed to a round of a broadcast.

The rules are those of its source: module ``relay`` (push, update plan, sync, input sanity), module
``study`` (tags, import) and scalachess (parser), as stored between 2025 and spring 2026. Pure.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import chess

MOST_GAMES = 100
MOST_PLIES = 600
KEPT_TAGS = {
    *("White", "WhiteElo", "WhiteTitle", "WhiteTeam", "WhiteFideId"),
    *("Black", "BlackElo", "BlackTitle", "BlackTeam", "BlackFideId"),
    *("TimeControl", "Variant", "Date", "Result", "Termination", "Site", "Event", "Round"),
    *("Board", "Annotator", "FEN", "GameId"),
}
RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "*")
GESTURE = {chess.D4, chess.D5, chess.E4, chess.E5}

_TAG = re.compile(r'\[([A-Za-z]+)\s+"((?:[^"\\]|\\["\\])*)"\]\s*\Z')
_CLOCK = re.compile(r"\[%clk\s+(\d+):(\d+)(?:[:.](\d+)(?:\.\d+)?)?\s*\]")


class PushError(Exception):
    """A game that cannot be taken; ``tags`` are those that were understood."""

    def __init__(self, text: str, tags: dict[str, str] | None = None) -> None:
        super().__init__(text)
        self.tags = tags or {}


@dataclass
class Incoming:
    """A game of a push: moves in UCI, the clock after each in seconds, the positions."""

    tags: dict[str, str]
    moves: list[str]
    clocks: list[int | None]
    fens: list[str]


@dataclass
class Chapter:
    """A board of a round. ``live`` is how far the source says the game has come."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    clocks: list[int | None] = field(default_factory=list)
    fens: list[str] = field(default_factory=lambda: [chess.STARTING_FEN])
    variations: list[list[str]] = field(default_factory=list)
    live: int = 0
    initial: bool = False

    def pgn(self) -> str:
        """Return the board as Lichess exports it."""
        tags = "".join(f'[{name} "{value}"]\n' for name, value in self.tags.items())
        board, words = chess.Board(self.fens[0]), []
        for ply, uci in enumerate(self.moves):
            move = chess.Move.from_uci(uci)
            words.append(f"{board.fullmove_number}.{' ' if board.turn else '.. '}{board.san(move)}")
            if self.clocks[ply] is not None:
                words.append(f"{{ [%clk {self.clocks[ply]}] }}")
            board.push(move)
        return f"{tags}\n{' '.join(words)} {self.tags.get('Result', '*')}\n\n"


def split(text: str) -> list[str]:
    """Cut a text into games: where an empty line is followed by a tag."""
    found = re.split(r"\n\n+(?=\[)", text.replace("\r", "").strip())
    return [game for game in found if game.strip()][:MOST_GAMES]


def parse(text: str) -> Incoming:
    """Read one game.

    Raises:
        PushError: a tag, a comment or a move is not understood, or a move is illegal.
    """
    head, _, movetext = text.partition("\n\n") if text.startswith("[") else ("", "", text)
    tags = _tags(head)
    board = _board(tags)
    moves: list[str] = []
    clocks: list[int | None] = []
    fens = [board.fen()]
    result, tokens = _tokens(movetext)
    sans = [token for token in tokens if not token.startswith("{")]
    for token in tokens:
        if token.startswith("{"):
            if clocks and (clock := _CLOCK.search(token)):
                clocks[-1] = _seconds(clock)
            continue
        try:
            move = board.parse_san(token)
        except ValueError as error:
            if len(moves) == len(sans) - 1 and _is_gesture(token):
                break
            raise PushError(f"Cannot play {token} at ply {len(moves) + 1}: {error}", tags) from None
        board.push(move)
        moves.append(move.uci())
        clocks.append(None)
        fens.append(board.fen())
        if len(moves) == MOST_PLIES:
            break
    if board.is_checkmate() or board.is_stalemate():
        result = board.result() if result == "*" else result
        tags["Result"] = board.result() if tags.get("Result") == "*" else tags.get("Result", result)
    return Incoming({"Result": result, **tags}, moves, clocks, fens)


def _tags(head: str) -> dict[str, str]:
    tags = {}
    for line in head.splitlines():
        tag = _TAG.match(line)
        if tag is None:
            raise PushError(f"Error parsing PGN: {line!r} is no tag")
        value = re.sub(r"\\(.)", r"\1", tag[2])
        if tag[1] in KEPT_TAGS and value and value.lower() not in {"?", "unknown"}:
            tags[tag[1]] = value
    tags.pop("Date", None)
    for side in ("White", "Black"):
        if len(tags.get(side, "??").strip()) < 2:
            del tags[side]
    return tags


def _board(tags: dict[str, str]) -> chess.Board:
    fen = tags.get("FEN", chess.STARTING_FEN)
    return chess.Board(fen, chess960=tags.get("Variant") == "Chess960")


def _tokens(movetext: str) -> tuple[str, list[str]]:
    """Return the result marker and what stands before it: moves, and comments with braces."""
    tokens = []
    rest = movetext.strip()
    while rest:
        if rest.startswith("{"):
            comment, brace, rest = rest.partition("}")
            if not brace:
                raise PushError("Error parsing PGN: a comment is not closed")
            tokens.append(comment)
        else:
            word, rest = re.match(r"([^\s{]+)(.*)", rest, re.DOTALL).groups()  # type: ignore[union-attr]
            if word in RESULTS:
                return word, tokens
            if san := re.sub(r"^\d+\.+", "", word):
                tokens.append(san)
        rest = rest.lstrip()
    return "*", tokens


def _is_gesture(san: str) -> bool:
    return san[0] == "K" and san.rstrip("+#")[-2:] in {chess.square_name(s) for s in GESTURE}


def _seconds(clock: re.Match[str]) -> int:
    return int(clock[1]) * 3600 + int(clock[2]) * 60 + int(clock[3] or 0)


def time_control(text: str) -> tuple[int, int] | None:
    """Return seconds and increment as Lichess reads the tag, ``None`` where it does not."""
    words = re.sub(r"\s|seconds|second|secs|sec|minutes|minute|mins|min|move|/|'", "", text.lower())
    first, _, second = words.partition("+")
    if not first.isdecimal() or not (second or "0").isdecimal():
        return None
    number = int(first)
    return (number if number > 180 else number * 60), int(second or 0)


# --- which board a game is ------------------------------------------------------------------------


def _round_number(tags: dict[str, str]) -> str | None:
    found = re.match(r"\d+", tags.get("Round", ""))
    return found and found[0]


def _board_number(tags: dict[str, str]) -> str | None:
    if tags.get("Board", "").isdecimal():
        return tags["Board"]
    found = re.match(r"\d+\.(\d+)", tags.get("Round", ""))
    return found and found[1]


def _same_players(one: dict[str, str], other: dict[str, str]) -> bool:
    ids = ("WhiteFideId", "BlackFideId")
    have_ids = all(tags.get(tag, "0") != "0" for tags in (one, other) for tag in ids)
    return all(one.get(tag) == other.get(tag) for tag in (ids if have_ids else ("White", "Black")))


def _same_first_moves(game: Incoming, chapter: Chapter) -> bool:
    """Whether the positions are the same after as many plies as both have, none included."""
    last = min(len(game.fens), len(chapter.fens)) - 1
    return game.fens[last] == chapter.fens[last]


def is_same_game(game: Incoming, chapter: Chapter, *, ids_decide: bool = False) -> bool:
    """Whether Lichess takes a game for that of a board.

    ``ids_decide``: as it would be if equal ``GameId`` tags were not only one reason among others.
    """
    ids = game.tags.get("GameId"), chapter.tags.get("GameId")
    if ids[0] is not None and ids[0] == ids[1]:
        return True
    if ids_decide and None not in ids:
        return False
    same_event = all(game.tags.get(tag) == chapter.tags.get(tag) for tag in ("Event", "Site"))
    if not same_event or _round_number(game.tags) != _round_number(chapter.tags):
        return False
    by_board = _board_number(game.tags) == _board_number(chapter.tags)
    return (by_board and _same_players(game.tags, chapter.tags)) or _same_first_moves(game, chapter)


# --- a round --------------------------------------------------------------------------------------


@dataclass
class BroadcastRound:
    """A round: a new one has one empty board. ``refused`` are players whose games are not taken."""

    id: str
    name: str
    upstream: bool = False
    finished: bool = False
    ids_decide: bool = False
    refused: set[str] = field(default_factory=set)
    chapters: list[Chapter] = field(default_factory=lambda: [Chapter(initial=True)])

    def push(self, text: str) -> list[dict[str, Any]]:
        """Take a push and return what is answered for each of its games."""
        if self.upstream:
            error = "The relay has an upstream URL, and cannot be pushed to."
            return [{"tags": {}, "error": error}]
        answers: list[dict[str, Any]] = []
        games = []
        for each in split(text):
            try:
                game = self._read(each)
            except PushError as error:
                answers.append({"tags": error.tags, "error": str(error)})
            else:
                answers.append({"tags": game.tags, "moves": len(game.moves)})
                games.append(game)
        self._update([game for game in games if _has_players(game)])
        return answers

    def _read(self, text: str) -> Incoming:
        game = parse(text)
        if game.tags.get("White") in self.refused:
            raise PushError("Error parsing PGN: something is wrong with it", game.tags)
        return game

    def _update(self, games: list[Incoming]) -> None:
        if len(self.chapters) == 1 and self.chapters[0].initial:
            matched = [(games[0], self.chapters[0])] if games else []
        else:
            matched = self._matches(games)
        ours = [chapter for _, chapter in matched]
        if len(ours) == len(self.chapters):
            self.chapters = ours
        new_moves = False
        for game, chapter in matched:
            new_moves |= _write(game, chapter)
        taken = [id(game) for game, _ in matched]
        for game in games:
            if id(game) not in taken and len(self.chapters) < MOST_GAMES:
                self.chapters.append(chapter := Chapter())
                new_moves |= _write(game, chapter)
        over = games and all(game.tags["Result"] != "*" for game in games)
        if over and all(chapter.tags.get("Result", "*") != "*" for chapter in self.chapters):
            self.finished = True
        elif new_moves:
            self.finished = False

    def _matches(self, games: list[Incoming]) -> list[tuple[Incoming, Chapter]]:
        matches: list[tuple[Incoming, Chapter]] = []
        for game in games:
            for chapter in self.chapters:
                free = all(chapter is not other for _, other in matches)
                if free and is_same_game(game, chapter, ids_decide=self.ids_decide):
                    matches.append((game, chapter))
                    break
        return matches


def _has_players(game: Incoming) -> bool:
    return all(side in game.tags or f"{side}FideId" in game.tags for side in ("White", "Black"))


def _write(game: Incoming, chapter: Chapter) -> bool:
    """Write a game to its board; return whether there are new moves."""
    if len(chapter.moves) <= 1 and game.fens[0] != chapter.fens[0]:
        chapter.moves, chapter.clocks, chapter.fens = [], [], [game.fens[0]]
    chapter.initial = False
    chapter.tags |= game.tags
    common = 0
    while common < min(len(game.moves), len(chapter.moves)):
        if game.moves[common] != chapter.moves[common]:
            break
        common += 1
    for ply in range(common):
        if game.clocks[ply] is not None:
            chapter.clocks[ply] = game.clocks[ply]
    chapter.live = len(game.moves)
    if common == len(game.moves):
        return False
    if common < len(chapter.moves):
        chapter.variations.append(chapter.moves[:])
    chapter.moves[common:] = game.moves[common:]
    chapter.clocks[common:] = game.clocks[common:]
    chapter.fens[common:] = game.fens[common:]
    return True
