"""Games to play on simulated boards: three famous ones, and one with every special move."""

from importlib.resources import files
from io import StringIO

import chess.pgn

_FOLDER = files("drivers.simulated") / "games"


def names() -> list[str]:
    """Return the names that :func:`load` knows, in alphabetical order."""
    entries = (entry.name for entry in _FOLDER.iterdir())
    return sorted(name.removesuffix(".pgn") for name in entries if name.endswith(".pgn"))


def load(name: str) -> chess.pgn.Game:
    """Return the game called *name*.

    Raises:
        KeyError: there is no such game; the message names those there are.
    """
    text = _FOLDER / f"{name}.pgn"
    if not text.is_file():
        raise KeyError(f"no game {name!r}; there are {', '.join(names())}")
    game = chess.pgn.read_game(StringIO(text.read_text(encoding="utf-8")))
    if game is None:
        raise KeyError(f"{name}.pgn holds no game")
    return game
