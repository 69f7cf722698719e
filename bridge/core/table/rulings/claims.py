"""Draw claims, verified on the record move by move (9.2-9.5); the arbiter decides.

A claim is an offer too (9.1.2.3): the scoresheets note it with the claimant's next move.
"""

from collections.abc import Hashable
from typing import NamedTuple

import chess

from bridge.core.laws.clocks.penalties import wrong_claim
from bridge.core.laws.clocks.times import other
from bridge.core.laws.draws import Claim, judge_claim, limit
from bridge.core.laws.repetition import Positions, identity
from bridge.core.model import ClaimChecked, ClaimDraw, ClaimStep, Colour, Ruling
from bridge.core.table.game import Game
from bridge.core.table.rulings.bench import Bench, Decision, Deed, RefusedError
from bridge.core.table.rulings.corrected import parsed
from bridge.core.table.rulings.dues import on_the_clock
from bridge.core.table.rulings.entries import Entry, Offer, ply_to_come
from bridge.core.table.rulings.line import Step


class _Moment(NamedTuple):
    """A position of the record: the ply that led there and its move, empty for none."""

    ply: int
    san: str
    board: chess.Board


class _History(NamedTuple):
    positions: Positions
    moments: list[_Moment]


def claim(bench: Bench, ruling: Ruling, order: ClaimDraw) -> Decision:
    """Ask the record whether a claim is right.

    Raises:
        RefusedError: the game is over, or the announced move cannot be read.
    """
    game = bench.game_on(ruling)
    colour = order.claimant == "white"
    history = _history(game, colour)
    board = history.moments[-1].board
    announced = _announced(board, order.announced)
    answer = _answer(bench, order, history, announced)
    touched = game.engine.position.board.turn == colour and game.engine.is_movers_work(colour)
    steps = _steps(history, answer, order, announced)
    number = bench.number

    text = f"the claim of {order.claimant} is {answer.verdict}: {answer.reason}"
    means = _means(bench, order, answer)
    offer = Offer(bench, order.claimant, ply_to_come(game, order.claimant))
    check = Entry(bench, "DRAW_CLAIM_CHECK", text, remedy=means, by=order.claimant)

    def effect() -> None:
        offer.note()
        check.raise_()
        bench.told.state(
            ClaimChecked,
            number=number,
            verdict=answer.verdict,
            reason=answer.reason,
            halfmoves=answer.halfmoves,
            steps=steps,
            touched=touched,
        )

    def take_back() -> None:
        offer.note(void=True)
        check.withdraw()

    undone = Deed("the claim was entered by mistake", take_back)
    decision = Decision(f"{text}; {means}", effect, lambda: undone)
    return on_the_clock(bench, game, decision, _dues(bench, order, answer))


def _announced(board: chess.Board, text: str | None) -> chess.Move | None:
    """Return the announced move, the null move if it is not legal."""
    if text is None:
        return None
    try:
        return parsed(board, text)
    except chess.IllegalMoveError:
        return chess.Move.null()
    except ValueError as error:
        raise RefusedError(f"{text} is no move, or not the only one: {error}") from error


def _history(game: Game, claimant: chess.Color) -> _History:
    """Return the positions of the game.

    A move of the opponent that stands on the board was made, whether it is completed or not.
    """
    board = game.line.start.copy(stack=False)
    history = _History(Positions(board), [_Moment(0, "", board)])
    ply = 0
    for step in game.line.steps:
        ply += step.move is not None
        board = chess.Board(step.fen, chess960=board.chess960)
        history = _entered(history, _Moment(ply, step.san, board), step)
    move = game.engine.standing
    if move is not None and board.turn != claimant:
        san, board = board.san(move), board.copy(stack=False)
        board.push(move)
        history.positions.played(board)
        history.moments.append(_Moment(ply + 1, san, board))
    return history


def _entered(history: _History, moment: _Moment, step: Step) -> _History:
    if step.basis == "stands":  # every count begins anew
        return _History(Positions(moment.board), [moment])
    if step.move is None:
        history.positions.missed(moment.board)
    else:
        history.positions.played(moment.board)
    history.moments.append(moment)
    return history


def _answer(
    bench: Bench, order: ClaimDraw, history: _History, announced: chess.Move | None
) -> Claim:
    rules, board = bench.rules, history.moments[-1].board
    wrong = None
    if board.turn != (order.claimant == "white"):
        wrong = "the claimant is not to move"
    elif announced is not None and rules.draw_claims == "on_demand":
        wrong = "under these rules no move is announced"
    if wrong is not None:
        last = history.positions.last_irreversible
        return Claim("wrong", wrong, (), board.halfmove_clock, last)
    moves = limit(board, rules.claim_moves, rules.long_balance_moves)
    return judge_claim(board, history.positions, order.on, announced, moves)


def _steps(
    history: _History, answer: Claim, order: ClaimDraw, announced: chess.Move | None
) -> tuple[ClaimStep, ...]:
    """Return the moves on which the claim rests: those since the last capture or pawn move."""
    moments = list(history.moments)
    board = moments[-1].board
    if announced:
        after = board.copy(stack=False)
        san = after.san_and_push(announced)
        moments.append(_Moment(moments[-1].ply + 1, san, after))
    wanted = identity(moments[-1].board) if order.on == "threefold" else None
    first = 0
    if answer.last_irreversible is not None:
        first = len(history.moments) - _plies_since(history.positions) - 1
    return _numbered(moments[first:], wanted)


def _plies_since(positions: Positions) -> int:
    last = positions.last_irreversible
    return positions.moments[-1].ply - last.ply if last is not None else 0


def _numbered(moments: list[_Moment], wanted: Hashable | None) -> tuple[ClaimStep, ...]:
    steps, count = [], 0
    for moment in moments:
        same = wanted is not None and identity(moment.board) == wanted
        count += same
        steps.append(
            ClaimStep(
                ply=moment.ply,
                san=moment.san,
                halfmoves=moment.board.halfmove_clock,
                occurrence=count if same else 0,
                fen=moment.board.fen(),
            )
        )
    return tuple(steps)


def _dues(bench: Bench, order: ClaimDraw, answer: Claim) -> list[tuple[Colour, float]]:
    """Return what a wrong claim costs in time."""
    rules = bench.rules
    seconds = 60.0 * rules.wrong_claim_minutes
    if answer.verdict != "wrong" or not seconds:
        return []
    if rules.wrong_claim_clock == "claimant":
        return [(order.claimant, -seconds)]
    return [(other(order.claimant), seconds)]


def _means(bench: Bench, order: ClaimDraw, answer: Claim) -> str:
    if answer.verdict == "right":
        return "the game is drawn: set the result"
    if answer.verdict == "incomplete":
        return "the players' scoresheets decide"
    rules, times = bench.rules, bench.times
    if times is None:
        return f"{rules.wrong_claim_minutes} minutes are due"
    cost = wrong_claim(
        times, order.claimant, minutes=rules.wrong_claim_minutes, clock=rules.wrong_claim_clock
    )
    return cost.text
