"""Two players and one game, with all that happens to them between the start and the last move."""

import math
from collections import deque
from collections.abc import Sequence
from random import Random

import chess

from drivers.events import Side
from drivers.simulated.clock import other
from drivers.simulated.hands import Handling, Lift
from drivers.simulated.hands.mishaps import (
    ADJUSTING,
    SLIPPING,
    TOUCHING,
    knock_over,
    lift_and_return,
    make_and_take_back,
    rest_on,
    wobble,
)
from drivers.simulated.streams.illegal import Mistake, after, mistake, standing_mistake
from drivers.simulated.streams.profile import Profile, Tempo
from drivers.simulated.streams.world import (
    ClockPressed,
    ClockStarted,
    ClockStopped,
    Illegal,
    Played,
    PlayedGame,
    World,
)

FAST = (0.02, 0.3)
GRIP_AHEAD = (0.05, 0.6)
PRESS_AHEAD = (0.05, 0.5)
PRESS_LATE = (1.5, 7.0)
NOTICED = (0.4, 2.0)
ARBITER_COMES = (2.0, 12.0)
ARBITER_TALKS = (2.0, 8.0)
PROTEST = (0.6, 4.0)
IMPROVISED = (6, 24)
"""Plies played after an illegal move stood and the game they had in mind was no more possible."""


def how_many(mean: float, rng: Random) -> int:
    """Draw a number around *mean*: its whole part spreads, the rest is a chance."""
    whole = int(mean)
    spread = rng.randint(whole // 2, whole + (whole + 1) // 2) if whole else 0
    return spread + (rng.random() < mean - whole)


class Players:
    """Play *game* in *world*; the board stands and White's time runs from ``world.now`` on."""

    def __init__(
        self,
        world: World,
        game: PlayedGame,
        profile: Profile,
        tempo: Tempo,
        rng: Random,
        *,
        white_side: Side,
    ) -> None:
        self.board = game.start.copy()
        self.improvised = False
        self._world = world
        self._game = game
        self._mishaps = profile.mishaps
        self._dwell = profile.hands.dwell
        self._tempo = tempo
        self._rng = rng
        self._white_side = white_side
        self._ready_at = self._gone_at = self._pressed_at = world.now
        self._touched: set[chess.Square] = set()
        self._unpressed = False
        self._put_right_before = False

    def play(self, moves: Sequence[chess.Move]) -> None:
        """Play *moves*; when an illegal move stands, go on as the position allows."""
        planned = how_many(self._mishaps.illegal, self._rng)
        wrong_at = {self._rng.randrange(len(moves)) for _ in range(planned)}
        left = deque(moves)
        improvised = self._rng.randint(*IMPROVISED)
        for ply in range(len(moves) + improvised):
            if ply in wrong_at and not self._unpressed and self._err():
                continue
            move = self._next_move(left)
            if move is None or (self.improvised and improvised == 0):
                return
            improvised -= self.improvised
            self._ply(move)

    # --- what is played -------------------------------------------------------------------------

    def _next_move(self, left: deque[chess.Move]) -> chess.Move | None:
        if left and not self.improvised:
            return left.popleft()
        legal = list(self.board.legal_moves) if self.improvised else []
        return self._rng.choice(legal) if legal else None

    def _err(self) -> bool:
        """Complete an illegal move; return whether it stands."""
        if self._chance(self._mishaps.stands):
            found = standing_mistake(self.board, self._rng)
            if found is not None:
                self._complete(found, stands=True)
                self.improvised = True
                return True
        found = mistake(self.board, self._rng)
        if found is not None:
            self._complete(found, stands=False)
        return False

    def _complete(self, wrong: Mistake, *, stands: bool) -> None:
        before = dict(self._world.standing)
        since = self._ready_at
        hands = self._world.hands(at=since + self._thinking())
        begun = hands.at
        hands.move(self.board, wrong.move)
        pressed = self._press_normally(hands)
        colour = self.board.turn
        self._game.illegal.append(
            Illegal(
                ply=len(self._game.plies) + 1,
                by=colour,
                press=pressed,
                uci=wrong.move.uci(),
                reason=wrong.reason,
                stands=stands,
            )
        )
        self._finish(hands)
        if not stands:
            self._put_right(before)
            return
        hands.how.append("illegal")
        then = after(self.board, wrong.move)
        self._enter(wrong.move.uci(), then, hands, since=since, begun=begun, press=pressed)

    def _put_right(self, before: dict[chess.Square, chess.Piece]) -> None:
        """Restore the position: with the clock stopped by the arbiter, or among the players."""
        mover = self._side(self.board.turn)
        noticed = self._pressed_at
        if self._chance(self._mishaps.arbiter):
            noticed += self._rng.uniform(*ARBITER_COMES)
            self._world.acts.append(ClockStopped(at=noticed))
            hands = self._world.hands(at=noticed + self._rng.uniform(*ARBITER_TALKS))
            hands.restore(before, pace=ADJUSTING)
            restart = hands.at + self._rng.uniform(*ARBITER_TALKS)
            self._world.acts.append(ClockStarted(at=restart, side=mover))
        else:
            restart = noticed + self._rng.uniform(*PROTEST)
            self._world.acts.append(ClockPressed(at=restart, side=other(mover)))
            hands = self._world.hands(at=restart + self._rng.uniform(*NOTICED))
            hands.restore(before, pace=ADJUSTING)
        self._finish(hands)
        self._pressed_at = restart
        self._ready_at = max(restart, hands.at)
        self._put_right_before = True

    # --- one ply --------------------------------------------------------------------------------

    def _ply(self, move: chess.Move) -> None:
        since = self._ready_at
        plain = not (
            move.promotion or self.board.is_castling(move) or self.board.is_en_passant(move)
        )
        if plain and self._may_snatch(move) and self._chance(self._mishaps.overlap):
            hands = self._snatch(move)
        else:
            hands = self._reply(move, plain=plain)
        if self._put_right_before:
            hands.how.append("illegal")
            self._put_right_before = False
        uci = self.board.uci(move)
        then = self.board.copy(stack=False)
        then.push(move)
        begun = self._begun(hands, then)
        press = self._press(hands)
        self._finish(hands)
        self._enter(uci, then, hands, since=since, begun=begun, press=press)

    def _reply(self, move: chess.Move, *, plain: bool) -> Handling:
        at, manner = self._begin()
        hands = self._world.hands(at=at)
        hands.how += manner
        self._fidget(hands)
        if plain:
            self._waver(hands, move)
        else:
            hands.move(self.board, move)
        if not self.board.is_castling(move) and self._chance(self._mishaps.wobble):
            hands.how.append("wobble")
            wobble(hands, move.to_square, self._rng)
        if self._chance(self._mishaps.knock):
            hands.how.append("knock")
            knock_over(hands, move.to_square, self._rng)
        return hands

    def _fidget(self, hands: Handling) -> None:
        """Do what is done before a move is made and leaves no trace."""
        if self._chance(self._mishaps.adjust):
            hands.how.append("adjust")
            lift_and_return(hands, self._rng.choice(list(hands.standing)), ADJUSTING)
            hands.wait(NOTICED)
        if self._chance(self._mishaps.touch):
            hands.how.append("touch")
            own = chess.SquareSet(self.board.occupied_co[self.board.turn])
            lift_and_return(hands, self._rng.choice(list(own)), TOUCHING)
            hands.wait(NOTICED)
        if self._chance(self._mishaps.take_back):
            hands.how.append("take back")
            regretted = self._rng.choice(list(self.board.legal_moves))
            make_and_take_back(hands, self.board, regretted)
            hands.wait(NOTICED)

    def _waver(self, hands: Handling, move: chess.Move) -> None:
        """Make a plain move, perhaps with a rest on a legal square or a slip on another one."""
        origin, target = move.from_square, move.to_square
        legal = {other.to_square for other in self.board.legal_moves if other.from_square == origin}
        if self._chance(self._mishaps.hesitation):
            rests = sorted(legal - {target} - hands.standing.keys())
            span, name = self._mishaps.hesitating, "hesitation"
        elif self._chance(self._mishaps.slip):
            rests = sorted(set(hands.empty_beside(target)) - legal - {origin})
            span, name = SLIPPING, "slip"
        else:
            rests = []
        if not rests:
            hands.bring(origin, target)
            return
        hands.how.append(name)
        resting = self._rng.choice(rests)
        rest_on(hands, origin, resting, span)
        if self._rng.random() < 0.5:
            hands.bring(resting, origin)
            hands.wait(NOTICED)
            resting = origin
        hands.bring(resting, target)

    def _may_snatch(self, move: chess.Move) -> bool:
        afoot = bool(self._game.plies) and not self._put_right_before
        return afoot and move.from_square not in self._touched

    def _snatch(self, move: chess.Move) -> Handling:
        last = self._game.plies[-1]
        ahead = last.rest - self._rng.uniform(*GRIP_AHEAD)
        hands = self._world.hands(at=max(ahead, (last.begun + last.rest) / 2))
        hands.how.append("overlap")
        last.how.append("overlap")
        hands.snatch(move.from_square, move.to_square, free_at=self._gone_at)
        return hands

    def _begun(self, hands: Handling, then: chess.Board) -> float:
        """Return when the first piece of the move left its square for good or for a rest."""
        colour = self.board.turn
        origins = chess.SquareSet(self.board.occupied_co[colour] & ~then.occupied_co[colour])
        lifts = [a.at for a in hands.actions if isinstance(a, Lift) and a.square in origins]
        return min(lifts, default=hands.rested)

    def _enter(
        self,
        uci: str,
        then: chess.Board,
        hands: Handling,
        *,
        since: float,
        begun: float,
        press: float | None,
    ) -> None:
        self._game.plies.append(
            Played(
                uci=uci,
                before=self.board.copy(stack=False),
                after=then,
                thinking_since=min(since, begun),
                begun=begun,
                rest=hands.rested,
                press=press,
                how=list(dict.fromkeys(hands.how)),
            )
        )
        self.board = then

    # --- times and the clock --------------------------------------------------------------------

    def _begin(self) -> tuple[float, list[str]]:
        """Return when the hand goes to the board, and in which unusual manner."""
        in_play = self._game.plies and not self._put_right_before
        if in_play and self._gone_at < self._pressed_at:
            if self._chance(self._mishaps.early_reply):
                return self._rng.uniform(self._gone_at, self._pressed_at), ["early reply"]
            if self._chance(self._mishaps.fast_reply):
                return self._ready_at + self._rng.uniform(*FAST), ["fast reply"]
        return self._ready_at + self._thinking(), []

    def _thinking(self) -> float:
        drawn = self._rng.lognormvariate(math.log(self._tempo.think), self._tempo.spread)
        return 0.2 + min(drawn, self._tempo.longest)

    def _press(self, hands: Handling) -> float | None:
        if self._unpressed:
            # The time of the one who forgot runs on: the opponent's lever is down already.
            self._unpressed = False
            self._ready_at = hands.at + self._rng.uniform(*NOTICED)
            hands.how.append("forgotten press")
            return None
        if self._chance(self._mishaps.forgotten_press):
            self._unpressed = True
            self._ready_at = hands.at + self._rng.uniform(*NOTICED)
            hands.how.append("forgotten press")
            return None
        if self._chance(self._mishaps.early_press):
            hands.how.append("early press")
            ahead = hands.at - self._rng.uniform(*PRESS_AHEAD)
            return self._press_at(max(ahead, self._pressed_at + 0.05), hands)
        if self._chance(self._mishaps.late_press):
            hands.how.append("late press")
            at = max(hands.at, self._pressed_at) + self._rng.uniform(*PRESS_LATE)
            self._press_at(at, hands)
            self._ready_at = hands.at + self._rng.uniform(*NOTICED)
            return at
        return self._press_normally(hands)

    def _press_normally(self, hands: Handling) -> float:
        at = max(hands.at, self._pressed_at) + self._rng.uniform(*self._dwell)
        return self._press_at(at, hands)

    def _press_at(self, at: float, hands: Handling) -> float:
        self._world.acts.append(ClockPressed(at=at, side=self._side(self.board.turn)))
        self._pressed_at = at
        self._ready_at = max(at, hands.at)
        return at

    def _finish(self, hands: Handling) -> None:
        self._world.record(hands)
        self._gone_at = hands.at
        self._touched = {action.square for action in hands.actions}
        self._world.now = max(self._world.now, self._pressed_at)

    def _side(self, colour: chess.Color) -> Side:
        return self._white_side if colour == chess.WHITE else other(self._white_side)

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability
