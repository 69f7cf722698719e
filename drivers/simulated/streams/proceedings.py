"""What happens around the games on one board: set-up, start, result, analysis, clearing."""

from collections.abc import Mapping, Sequence
from random import Random

import chess
import chess.pgn

from drivers.events import Side
from drivers.simulated.clock import other
from drivers.simulated.streams.clockwork import time_control
from drivers.simulated.streams.players import Players
from drivers.simulated.streams.profile import Profile
from drivers.simulated.streams.world import (
    ClockSet,
    ClockStarted,
    ClockStopped,
    PlayedGame,
    Variant,
    World,
)

LIGHT = ((chess.E4, chess.D5), (chess.D5, chess.E4))
DARK = ((chess.D4, chess.E5), (chess.E5, chess.D4))
GESTURES: Mapping[str, Sequence[tuple[chess.Square, chess.Square]]] = {
    "1-0": LIGHT,
    "0-1": DARK,
    "1/2-1/2": tuple(
        pair
        for light in (chess.E4, chess.D5)
        for dark in (chess.D4, chess.E5)
        for pair in ((light, dark), (dark, light))
    ),
}
"""All squares for the white and the black king that tell a result."""

SETTING_UP = (0.1, 0.5)
BEFORE_START = (3.0, 20.0)
WRONG_FOR = (5.0, 20.0)
AFTER_LAST = (0.8, 4.0)
HELD = (5.5, 12.0)
BETWEEN_GAMES = (8.0, 40.0)
CLEARED = (1, 10)
ANALYSED = (3, 25)
TAKEN_BACK = (1, 12)


class Proceedings:
    """People at one table, who play games on the board of *world* one after another."""

    def __init__(self, world: World, profile: Profile, rng: Random) -> None:
        self._world = world
        self._profile = profile
        self._habits = profile.proceedings
        self._rng = rng

    def hold(self, game: chess.pgn.Game) -> None:
        """Set up, play and end *game*, of which one move at least must be given."""
        rotated = self._chance(self._habits.rotated)
        played = PlayedGame(variant=variant(game), start=game.board(), rotated=rotated)
        tempos = self._profile.tempos
        tempo = self._rng.choices(list(tempos), list(tempos.values()))[0]
        white = self._white_side(rotated=rotated)
        to_move: Side = white if played.start.turn == chess.WHITE else other(white)
        set_at = self._set_up(played)
        before = len(self._world.acts)
        self._pass(BEFORE_START)
        played.started = self._world.now
        self._world.acts.append(ClockStarted(at=self._world.now, side=to_move))
        players = Players(self._world, played, self._profile, tempo, self._rng, white_side=white)
        players.play(list(game.mainline_moves()))
        self._end(played, players, game.headers.get("Result", "*"))
        acts = self._world.acts[before:]
        played.control = time_control(tempo, acts, to_move)
        self._world.acts.insert(before, ClockSet(at=set_at, control=played.control, turn=to_move))
        self._world.games.append(played)

    def close(self) -> None:
        """Go away after the last game, perhaps with the pieces in their box."""
        if self._chance(self._habits.packed):
            self._pass(BETWEEN_GAMES)
            self._put({})

    # --- before the game ------------------------------------------------------------------------

    def _set_up(self, played: PlayedGame) -> float:
        """Let the start position stand; return when the clock was set."""
        first = not self._world.games
        goal = played.start.piece_map()
        if not first:
            self._pass(BETWEEN_GAMES)
        self._world.seat_white(rotated=played.rotated)
        set_at = self._world.now
        stands_wrong = played.variant != "chess960" and self._chance(self._habits.wrong_setup)
        wanted = self._exchanged(goal) if stands_wrong else goal
        if first and not self._chance(self._habits.set_up):
            self._world.find_standing(wanted)
        else:
            self._put(wanted)
        if stands_wrong:
            self._pass(WRONG_FOR)
            self._put(goal)
        return set_at

    def _put(self, goal: Mapping[chess.Square, chess.Piece]) -> None:
        hands = self._world.hands(at=self._world.now)
        hands.restore(goal, pace=SETTING_UP)
        self._world.record(hands)

    def _exchanged(self, goal: Mapping[chess.Square, chess.Piece]) -> dict[int, chess.Piece]:
        """Return *goal* with two neighbours of a rank exchanged, as king and queen often are."""
        neighbours = [
            (square, square + 1)
            for square in goal
            if chess.square_file(square) < 7
            and square + 1 in goal
            and goal[square] != goal[square + 1]
        ]
        if not neighbours:
            return dict(goal)
        left, right = self._rng.choice(neighbours)
        return {**goal, left: goal[right], right: goal[left]}

    def _white_side(self, *, rotated: bool) -> Side:
        side: Side = "right" if rotated else "left"
        return other(side) if self._chance(self._profile.clocks.reversed) else side

    # --- after the last move --------------------------------------------------------------------

    def _end(self, played: PlayedGame, players: Players, result: str) -> None:
        board = players.board
        if board.is_checkmate() or board.is_stalemate():
            played.result = board.result()
            played.by = "checkmate" if board.is_checkmate() else "stalemate"
            played.shown_at = played.plies[-1].rest
        elif players.improvised:
            result = self._rng.choice(list(GESTURES))
        self._pass(AFTER_LAST)
        self._world.acts.append(ClockStopped(at=self._world.now))
        if played.by is None and result in GESTURES and self._chance(self._habits.gesture):
            self._show(played, result)
        played.ended = self._world.now
        if played.by is not None and self._chance(self._habits.analysis):
            self._pass(BEFORE_START)
            self._analyse(played)

    def _show(self, played: PlayedGame, result: str) -> None:
        self._pass(AFTER_LAST)
        hands = self._world.hands(at=self._world.now)
        if self._chance(self._habits.cleared):
            men = [s for s, p in hands.standing.items() if p.piece_type != chess.KING]
            for square in self._rng.sample(men, min(len(men), self._rng.randint(*CLEARED))):
                hands.lift(square)
                hands.wait(SETTING_UP)
        hands.show_result(*self._rng.choice(GESTURES[result]))
        self._world.record(hands)
        played.result, played.by, played.shown_at = result, "kings", hands.rested
        self._pass(HELD)

    def _analyse(self, played: PlayedGame) -> None:
        back = min(self._rng.randint(*TAKEN_BACK), len(played.plies))
        board = played.plies[-back].before.copy()
        self._put(board.piece_map())
        for _ in range(self._rng.randint(*ANALYSED)):
            legal = list(board.legal_moves)
            if not legal:
                break
            move = self._rng.choice(legal)
            self._pass((0.3, 4.0))
            hands = self._world.hands(at=self._world.now)
            hands.move(board, move)
            self._world.record(hands)
            board.push(move)

    # --- helpers --------------------------------------------------------------------------------

    def _pass(self, span: tuple[float, float]) -> None:
        self._world.now += self._rng.uniform(*span)

    def _chance(self, probability: float) -> bool:
        return self._rng.random() < probability


def variant(game: chess.pgn.Game) -> Variant:
    """Return what a board stream calls the start of *game*."""
    board = game.board()
    if board.chess960:
        return "chess960"
    return "standard" if board.fen() == chess.STARTING_FEN else "from_position"
