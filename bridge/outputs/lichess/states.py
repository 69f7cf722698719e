"""What became of the games of a push, game by game."""

import time
from collections.abc import Mapping, Sequence

import msgspec

from bridge.config.lichess import LichessSettings
from bridge.outputs.lichess.api import Answer, LostError, RefusedError
from bridge.outputs.lichess.games import MOST_GAMES, Game
from bridge.outputs.lichess.matching import Boards
from bridge.outputs.lichess.rounds import target

STATE_NOTE = "board:"
"""What the notes begin with that tell the state of a game; its key follows."""

_HAS_A_SOURCE = "upstream"


class BoardState(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a game on Lichess: ``plies`` it has, when (Unix time), and what is wrong."""

    round: str
    table: str
    plies: int
    at: float
    trouble: str = ""


def key_of(settings: LichessSettings, game: Game) -> str:
    """Return what the outbox knows a game by; where it goes to is part of it."""
    return f"{target(settings, game.round)}:{game.game_id}"


def with_room(games: Mapping[str, Game], boards: Boards) -> tuple[dict[str, Game], list[Game]]:
    """Return the games that have room in a round, and those that have none."""
    there = [games[game_id] for game_id in boards.order if game_id in games]
    new = [game for game in games.values() if game.game_id not in boards.order]
    both = [*there, *sorted(new, key=lambda game: game.place)]
    return {game.game_id: game for game in both[:MOST_GAMES]}, both[MOST_GAMES:]


def check(answers: Sequence[Answer], body: Sequence[Game]) -> None:
    """See that there is an answer for each game.

    Raises:
        RefusedError: the round takes no pushes at all.
        LostError: the answers are not those of the games.
    """
    if len(answers) == 1 and not answers[0].tags and _HAS_A_SOURCE in (answers[0].error or ""):
        raise RefusedError(f"the round takes no pushes, remove its source: {answers[0].error}")
    if len(answers) != len(body):
        raise LostError(f"there are answers for {len(answers)} of {len(body)} games")


def state_of(boards: Boards, game: Game, answer: Answer) -> BoardState:
    """Note on *boards* what became of a game that was pushed, and return it."""
    trouble, plies = "", game.plies
    if answer.error is not None:
        boards.refused(game)
        trouble, plies = f"Lichess refuses it: {answer.error}", 0
    else:
        boards.accepted(game)
        surplus = boards.surplus(game)
        if answer.moves is not None and answer.moves != game.plies:
            trouble, plies = f"Lichess understood {answer.moves} of them", answer.moves
        elif surplus > 0:
            trouble = f"Lichess goes on showing {surplus} plies behind them, now withdrawn"
    return _board_state(game, plies, trouble)


def left_out(game: Game) -> BoardState:
    """Return the state of a game for which a round has no room."""
    return _board_state(game, 0, f"Lichess shows no more than {MOST_GAMES} games in a round")


def _board_state(game: Game, plies: int, trouble: str) -> BoardState:
    return BoardState(
        round=game.round, table=game.table, plies=plies, at=time.time(), trouble=trouble
    )
