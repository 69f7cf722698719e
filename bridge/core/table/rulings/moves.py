"""Rulings on the moves: going back, letting stand, correcting, inserting and deleting."""

from collections.abc import Sequence
from typing import NamedTuple

import chess

from bridge.core.laws.clocks.times import shown
from bridge.core.model import (
    CorrectMoves,
    GameEnded,
    GameResumed,
    GameStarted,
    LetStand,
    MovesCorrected,
    MoveSettled,
    MoveTimed,
    PositionAdopted,
    RestorePosition,
    Ruling,
)
from bridge.core.table.alerts import OF_A_MOVE
from bridge.core.table.game import Game
from bridge.core.table.rulings.bench import Bench, Decision, Deed, RefusedError
from bridge.core.table.rulings.corrected import check_ply, corrected, joined, refuse_broken
from bridge.core.table.rulings.line import Step, count_plies, index_of, named, relaid
from bridge.core.table.times import TimedPly
from drivers.cells import cells_of

ON_THE_BOARD = ("checkmate", "stalemate")
"""Ends that are those of the position."""


class Version(NamedTuple):
    """A line of moves with the times of its plies."""

    steps: tuple[Step, ...]
    plies: tuple[TimedPly, ...]


def version_of(game: Game) -> Version:
    """Return the moves of the record as they are."""
    return Version(tuple(game.line.steps), game.plies.plies)


# -- orders ----------------------------------------------------------------------------------------


def restore(bench: Bench, ruling: Ruling, order: RestorePosition) -> Decision:
    """Go back to the position after a ply.

    Raises:
        RefusedError: the record has no such ply.
    """
    game = bench.game_on(ruling)
    check_ply(order.ply, len(game.plies))
    now = version_of(game)
    back = Version(now.steps[: index_of(now.steps, order.ply)], now.plies[: order.ply])
    board = game.line.after(back.steps)
    text = f"the game goes back to the position after ply {order.ply}: {board.fen()}"
    times = _times_after(back)
    if times:
        text += f"; the clock showed {times}"
    decision = _change(bench, game, back, text)
    return _dealt_with(bench, decision, "the position is restored by a ruling")


def let_stand(bench: Bench, ruling: Ruling, order: LetStand) -> Decision:
    """Go on from what stands on the board.

    Raises:
        RefusedError: no illegal move is in dispute and no position was named, or that cannot be.
    """
    game = bench.game_on(ruling)
    attempted = game.engine.attempted
    board = None if order.stands is None else _position(order.stands, game)
    dealt_with = "it stands by a ruling"
    if attempted is not None and (board is None or _same(board, attempted)):
        return _dealt_with(bench, _let_attempt_stand(bench, game), dealt_with)
    if board is None:
        raise RefusedError("no illegal move is in dispute: say which position stands")
    now = version_of(game)
    adopted = Step(None, "", board.fen(), "gap", "the arbiter let the position stand")
    steps = joined(now.steps, (adopted,))
    text = f"play goes on from {board.fen()}"
    decision = _change(bench, game, Version(steps, now.plies), text)
    return _dealt_with(bench, decision, dealt_with)


def correct(bench: Bench, ruling: Ruling, order: CorrectMoves) -> Decision:
    """Put moves in the place of others.

    Raises:
        RefusedError: they are not legal, or a later move is not legal any more.
    """
    game = bench.game(ruling)
    now = version_of(game)
    done = corrected(game.line, order)
    refuse_broken(game.line, order, done)
    steps = done.steps
    if [step.move for step in steps] == [step.move for step in now.steps]:
        raise RefusedError("the record says so already")
    first = order.first - 1
    behind = now.plies[first + order.count :] if order.rest == "keep" else ()
    replaced = now.plies[first : first + order.count]
    plies = now.plies[:first] + _times_of(done.moves, replaced)
    changed = steps[index_of(now.steps, first) :]
    text = f"from ply {order.first} on: {' '.join(map(named, changed)) or 'no moves'}"
    return _change(bench, game, Version(steps, plies + behind), text)


# -- checking --------------------------------------------------------------------------------------


def _position(fen: str, game: Game) -> chess.Board:
    """Return the position to go on from, which must be the one on the board."""
    try:
        board = chess.Board(fen, chess960=game.line.start.chess960)
    except ValueError as error:
        raise RefusedError(f"no position: {error}") from error
    if len(chess.SquareSet(board.kings)) != 2 or board.king(True) is None:
        raise RefusedError("no position: each side has one king")
    engine = game.engine
    sees_men = engine.position.sensing == "identity" and engine.in_sight
    if sees_men and cells_of(board) != engine.cells:
        raise RefusedError("another position stands on the board")
    return board


def _same(board: chess.Board, attempted: chess.Board) -> bool:
    return (board.board_fen(), board.turn) == (attempted.board_fen(), attempted.turn)


def _times_of(moves: Sequence[Step], replaced: Sequence[TimedPly]) -> tuple[TimedPly, ...]:
    """Return the times of *moves*: those of the plies they replace, if they are as many."""
    if len(moves) == len(replaced):
        return tuple(replaced)
    return tuple(TimedPly.unseen(step.colour == "white") for step in moves)


def _times_after(version: Version) -> str:
    """Say what both players had left after the last plies, where it is known."""
    return " and ".join(
        f"{shown(ply.shown_ms / 1000)} for {chess.COLOR_NAMES[ply.colour]}"
        for ply in version.plies[-2:]
        if ply.timed and ply.shown_ms is not None
    )


# -- carrying out ----------------------------------------------------------------------------------


def _let_attempt_stand(bench: Bench, game: Game) -> Decision:
    before = version_of(game)

    def undo() -> Deed:
        return _undone(bench, game, before, (*before.steps, game.line.steps[len(before.steps)]))

    def effect() -> None:
        game.lets_stand()

    return Decision("the illegal move stands, and play goes on from it", effect, undo)


def _dealt_with(bench: Bench, decision: Decision, text: str) -> Decision:
    """Let *decision* also end the alerts about what was done wrong."""

    def effect() -> None:
        decision.effect()
        bench.alerts.clear_all(OF_A_MOVE | {"ILLEGAL_MOVE_STANDS"}, text)

    return decision._replace(effect=effect)


def _change(bench: Bench, game: Game, new: Version, text: str) -> Decision:
    before, number = version_of(game), bench.number

    def effect() -> None:
        _rewrite(bench, game, new, number)

    return Decision(text, effect, lambda: _undone(bench, game, before, new.steps))


def _undone(bench: Bench, game: Game, before: Version, after: Sequence[Step]) -> Deed:
    """Return to the moves *before*, followed by what was played since.

    Raises:
        RefusedError: other rulings changed the moves since, or what was played does not follow.
    """
    bench.is_present(game)
    now = version_of(game)
    if now.steps[: len(after)] != tuple(after):
        raise RefusedError("the moves were changed since: undo that first")
    played = now.steps[len(after) :]
    again = relaid(game.line.after(before.steps), played)
    if len(again) < len(played):
        raise RefusedError(
            f"what was played since, {named(played[0])}, does not follow on the earlier moves",
            breaks=count_plies(after) + count_plies(again) + 1,
            kept=tuple(map(named, played)),
            corrected=tuple(map(named, again)),
        )
    plies = before.plies + now.plies[count_plies(after) :]
    new, number = Version(joined(before.steps, again), plies), bench.number

    def effect() -> None:
        _rewrite(bench, game, new, number)

    return Deed("the moves are as they were before", effect)


def _rewrite(bench: Bench, game: Game, new: Version, number: int) -> None:
    """Tell the plies that are other ones now, and go on from the last position.

    The public hears that ruling *number* did it; its reason is the arbiter's.
    """
    told, old = bench.told, version_of(game)
    same = _kept(old.steps, new.steps)
    if same is None:
        _begin_anew(bench, game)
    keep = count_plies(new.steps[:same]) if same else 0
    gone = len(old.plies) - keep
    if gone and same is not None:
        told.state(MovesCorrected, ply=keep + 1, count=gone, reason=f"by ruling {number}")
    game.line.steps[:] = new.steps
    times = game.plies.rewrite(keep, new.plies[keep:])
    ply = keep
    for step in new.steps[same or 0 :]:
        ply += step.move is not None
        _tell(bench, ply, step)
    for timed in times:
        told.state(MoveTimed, ply=timed.ply, clk_ms=timed.ms, estimated=timed.estimated)
    _go_on(bench, game, back=same == len(new.steps))


def _kept(old: Sequence[Step], new: Sequence[Step]) -> int | None:
    """Return how many steps need not be told anew, ``None`` if the game must be begun anew.

    A position that was adopted is void only with the ply before it.
    """
    pairs = enumerate(zip(old, new, strict=False))
    same = next((index for index, (was, now) in pairs if was != now), min(len(old), len(new)))
    adopted = same < len(old) and old[same].move is None
    if not adopted or (same < len(new) and new[same].move is None):
        return same
    return same - 1 if same else None


def _begin_anew(bench: Bench, game: Game) -> None:
    fen = game.line.start.fen()
    bench.told.state(GameStarted, setup=game.setup, fen=fen, rotated=game.rotated)
    if game.over:
        result, by = game.ended
        bench.told.state(GameEnded, result=result, by=by)


def _tell(bench: Bench, ply: int, step: Step) -> None:
    if step.move is None:
        bench.told.state(PositionAdopted, ply=ply, fen=step.fen, reason=step.because)
        return
    bench.told.state(
        MoveSettled,
        ply=ply,
        uci=step.move.uci(),
        san=step.san,
        colour=step.colour,
        fen=step.fen,
        basis=step.basis,
        because=step.because,
    )


def _go_on(bench: Bench, game: Game, *, back: bool) -> None:
    """Go on from the last position, which may be mate now, or no more."""
    board = game.line.after(game.line.steps)
    game.goes_on_from(board, back=back)
    if not game.over:
        game.end_if_decided(board)
    elif game.ended[1] in ON_THE_BOARD and any(board.legal_moves):
        bench.told.state(GameResumed)
        bench.go_on(game)
