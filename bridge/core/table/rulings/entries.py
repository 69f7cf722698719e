"""What only people know of a game, entered for the record: offers, colours, scoresheets.

None of it changes a move or ends a game; what the rules make of it is said (R-72, R-82 to R-86;
FIDE Laws 7.3, 8.1.2, 9.1.2, 11.5).
"""

import chess

from bridge.core.laws.found_late import Moves, colours_reversed, share_of_period
from bridge.core.model import (
    AlertRaised,
    Colour,
    CompareScoresheet,
    DrawOffered,
    NoteDrawOffer,
    NoteReversedColours,
    Ruling,
)
from bridge.core.scoresheet.plies import numbered
from bridge.core.table.game import Game
from bridge.core.table.naming import name_of
from bridge.core.table.rulings.bench import Bench, Decision, Deed, RefusedError, noted
from bridge.core.table.rulings.corrected import parsed
from bridge.core.table.rulings.line import Step, index_of, named

COLOURS: tuple[Colour, Colour] = ("white", "black")
MANY_OFFERS = 3
"""So many offers of one player, with none of the opponent between them, are repeated ones."""
_NOT_COMPARED = "the scoresheet is not compared any more"
_MOMENTS = {
    "before_moving": "before making a move: the opponent may wait for the move",
    "opponents_time": "while the opponent was thinking",
}


class Entry:
    """An alert that rests on what a person has entered, and goes when that is undone."""

    def __init__(self, bench: Bench, code: str, text: str, **fields: object) -> None:
        self._bench, self._code = bench, code
        self._text, self._fields = text, fields
        self._raised: AlertRaised | None = None

    def raise_(self) -> None:
        """Raise it, also where another one of its code stands."""
        self._bench.alerts.raise_again(self._code, None, self._text, **self._fields)
        self._raised = self._bench.told.raised.get(self._code)

    def withdraw(self) -> None:
        """Take it back if it is still this one that stands."""
        bench, code = self._bench, self._code
        if code in bench.alerts and bench.told.raised[code] is self._raised:
            bench.alerts.clear(code, "what was entered is undone", "withdrawn")


# -- draw offers -----------------------------------------------------------------------------------


class Offer:
    """A draw offer to be noted with a ply; in the facts from :meth:`note` on."""

    def __init__(self, bench: Bench, colour: Colour, ply: int) -> None:
        self._bench, self._game = bench, bench.told.game
        self._colour, self.ply = colour, ply

    def note(self, *, void: bool = False) -> None:
        """Tell it, or that it is *void*."""
        self._bench.told.state(
            DrawOffered, self._game, ply=self.ply, colour=self._colour, void=void
        )


def draw_offer(bench: Bench, ruling: Ruling, order: NoteDrawOffer) -> Decision:
    """Note a draw offer on the scoresheets.

    Raises:
        RefusedError: the game is over, or the player has made no move with which he offered.
    """
    game = bench.game_on(ruling)
    offer = Offer(bench, order.colour, _ply_of_offer(game, order))
    entries = [*_out_of_order(bench, order), *_repeated(bench, order)]

    def effect() -> None:
        offer.note()
        for entry in entries:
            entry.raise_()

    def undo() -> Deed:
        return Deed(f"the draw offer of {order.colour} is not noted any more", take_back)

    def take_back() -> None:
        offer.note(void=True)
        for entry in entries:
            entry.withdraw()

    text = (
        f"{order.colour} offers a draw{_with(game, offer.ply)}; it stands until the opponent "
        "declines it, moves or touches a man to move it, and cannot be withdrawn"
    )
    return Decision(text, effect, undo)


def _ply_of_offer(game: Game, order: NoteDrawOffer) -> int:
    """Return the ply with which the sheets note it: his last one, or the one to come."""
    plies, to_move = game.line.plies, name_of(game.engine.position.board.turn)
    if order.moment == "before_moving":
        return ply_to_come(game, order.colour)
    if to_move == order.colour and game.engine.standing is not None:
        return len(plies) + 1
    for ply in range(len(plies), 0, -1):
        if plies[ply - 1].colour == order.colour:
            return ply
    raise RefusedError(f"{order.colour} has made no move with which a draw can be offered")


def ply_to_come(game: Game, colour: Colour) -> int:
    """Return the number of the next ply of *colour*."""
    to_move = name_of(game.engine.position.board.turn)
    return len(game.plies) + (1 if to_move == colour else 2)


def _with(game: Game, ply: int) -> str:
    plies = game.line.plies
    return f" with {named(plies[ply - 1])}" if ply <= len(plies) else " with the move to come"


def _out_of_order(bench: Bench, order: NoteDrawOffer) -> list[Entry]:
    moment = _MOMENTS.get(order.moment)
    if moment is None:
        return []
    text = f"{order.colour} offered a draw {moment}"
    remedy = "the offer is valid; warn the player if it disturbs the opponent"
    return [Entry(bench, "DRAW_OFFER_OUT_OF_ORDER", text, remedy=remedy, by=order.colour)]


def _repeated(bench: Bench, order: NoteDrawOffer) -> list[Entry]:
    """Return an alert where the same player offers again and again."""
    count = 1
    for _, earlier in reversed(bench.standing(NoteDrawOffer, bench.told.game)):
        if earlier.colour != order.colour:
            break
        count += 1
    if count < MANY_OFFERS:
        return []
    text = f"{order.colour} has offered a draw {count} times, the opponent never between"
    remedy = "the offer is valid; warn the player if it disturbs the opponent"
    return [Entry(bench, "REPEATED_OFFERS", text, remedy=remedy, by=order.colour)]


# -- colours ---------------------------------------------------------------------------------------


def reversed_colours(bench: Bench, ruling: Ruling, _: NoteReversedColours) -> Decision:
    """Say what follows from colours that are the other way round.

    Raises:
        RefusedError: no game is on, or it was entered already.
    """
    game = bench.game_on(ruling)
    if bench.standing(NoteReversedColours, bench.told.game):
        raise RefusedError("it was entered already for this game")
    made = [step.colour for step in game.line.plies]
    moves = Moves(made.count("white"), made.count("black"))
    found = colours_reversed(moves, bench.rules, share_used=_share_used(bench, game, moves))
    entry = Entry(
        bench, "COLOURS_REVERSED", "the players have each other's colours", remedy=found.text
    )

    def undo() -> Deed:
        return Deed("the colours are right", entry.withdraw)

    return Decision(f"the colours are reversed: {found.text}", entry.raise_, undo)


def _share_used(bench: Bench, game: Game, moves: Moves) -> float | None:
    """Return how much of the first period is gone, where control and clock tell."""
    times = bench.times
    if times is None or game.control is None:
        return None
    used = []
    for colour, made in zip(COLOURS, moves, strict=True):
        period = game.control.period_at(colour, made + 1)
        if period is None or period is not game.control.periods_of(colour)[0]:
            return None
        used.append(max(0.0, period.seconds + made * period.increment - times.of(colour)))
    return share_of_period(used[0], used[1], game.control.periods[0].seconds)


# -- scoresheets -----------------------------------------------------------------------------------


def scoresheet(bench: Bench, ruling: Ruling, order: CompareScoresheet) -> Decision:
    """Compare an entry of a player's scoresheet with the record.

    Raises:
        RefusedError: there is no such ply, or the entry cannot be read.
    """
    game = bench.game(ruling)
    plies = game.line.plies
    if not 1 <= order.ply <= len(plies) + 1:
        raise RefusedError(f"the record has {len(plies)} plies: there is no ply {order.ply}")
    board = game.line.after(game.line.steps[: index_of(game.line.steps, order.ply - 1)])
    says = _written(board, order)
    if order.ply > len(plies):
        text = f"the scoresheet of {order.colour} is ahead of the board: it has {says} already"
        remedy = "a move is written down only after it was made, claims of a draw apart (8.1.2)"
    else:
        step = plies[order.ply - 1]
        if _is_same(step, board, order.move):
            text = f"the scoresheet of {order.colour} agrees with the record: {named(step)}"
            return noted(text, _NOT_COMPARED)
        text = f"the scoresheet of {order.colour} has {says}, the board showed {named(step)}"
        remedy = "compare both scoresheets: the board shows what stood, the sheet what was meant"
    entry = Entry(bench, "SCORESHEET_MISMATCH", text, remedy=remedy, by=order.colour)
    return Decision(text, entry.raise_, lambda: Deed(_NOT_COMPARED, entry.withdraw))


def _written(board: chess.Board, order: CompareScoresheet) -> str:
    """Return the entry with its number; one that is not legal there is shown as it is written."""
    after = board.copy(stack=False)
    try:
        return numbered(after.san_and_push(parsed(board, order.move)), after.fen())
    except ValueError:
        return f"{order.move} as ply {order.ply}, which is not legal there"


def _is_same(step: Step, board: chess.Board, text: str) -> bool:
    try:
        return parsed(board, text) == step.move
    except ValueError:
        return text == step.san
