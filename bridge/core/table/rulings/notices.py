"""Rulings that change no move: on alerts, offences and clocks, and notes."""

from bridge.core.laws.clocks.penalties import IllegalMove, after_illegal_move, illegal_move
from bridge.core.laws.clocks.times import other, shown
from bridge.core.laws.winnability import winnability
from bridge.core.model import (
    AcceptAlert,
    AddNote,
    AlertRaised,
    Colour,
    ConfirmOffence,
    DismissAlert,
    OffencesCounted,
    Ruling,
    SetClocks,
)
from bridge.core.table.game import Game
from bridge.core.table.rulings.bench import Bench, Decision, Deed, RefusedError, noted
from bridge.core.table.rulings.dues import on_the_clock
from bridge.core.table.rulings.line import index_of

LEAST_SET = 20.0
"""By so much a clock must be set to be watched for it: play may go on meanwhile (s)."""

# -- alerts ----------------------------------------------------------------------------------------


def accept(bench: Bench, ruling: Ruling, order: AcceptAlert) -> Decision:
    """Take an alert for right and done.

    Raises:
        RefusedError: it does not stand.
    """
    alert = _standing(bench, ruling, order.code)
    return _clear(bench, alert, f"accepted by {ruling.by}: {ruling.reason}", withdrawn=False)


def dismiss(bench: Bench, ruling: Ruling, order: DismissAlert) -> Decision:
    """Take an alert back.

    Raises:
        RefusedError: it does not stand, or another ruling counts what it says.
    """
    alert = _standing(bench, ruling, order.code)
    game = bench.games.present
    if alert.illegal and alert.by is not None and game is not None:
        offence = alert.by, len(game.plies)
        _counts_not(bench, *offence)
        bench.dismissed[bench.number] = offence
    return _clear(bench, alert, f"dismissed by {ruling.by}: {ruling.reason}", withdrawn=True)


def _standing(bench: Bench, ruling: Ruling, code: str) -> AlertRaised:
    if bench.games.present is not None:
        bench.game(ruling)
    if code not in bench.alerts:
        raise RefusedError(f"no alert {code} stands")
    return bench.told.raised[code]


def _clear(bench: Bench, alert: AlertRaised, text: str, *, withdrawn: bool) -> Decision:
    code, game = alert.code, bench.told.game

    def effect() -> None:
        bench.alerts.clear(code, text, "withdrawn" if withdrawn else "over")

    def undo() -> Deed:
        if bench.told.game != game:
            raise RefusedError("another game has begun since")
        if code in bench.alerts:
            raise RefusedError(f"the alert {code} was raised again since")
        return Deed(f"the alert {code} stands again", lambda: bench.alerts.repeat(alert))

    return Decision(f"alert {code} {text}", effect, undo)


# -- offences --------------------------------------------------------------------------------------


def confirm(bench: Bench, ruling: Ruling, order: ConfirmOffence) -> Decision:
    """Count an illegal move; several irregularities of one move count once.

    Raises:
        RefusedError: it is counted already or was dismissed, or the record has no such ply.
    """
    game = bench.game(ruling)
    if not 0 <= order.ply <= len(game.plies):
        raise RefusedError(f"the record has {len(game.plies)} plies: there is no ply {order.ply}")
    number = bench.told.game
    _counts_not(bench, order.colour, order.ply)
    for known, _ in bench.standing(DismissAlert, number):
        if bench.dismissed.get(known) == (order.colour, order.ply):
            raise RefusedError(f"ruling {known} dismissed it: undo that first")
    count = offences(bench, order.colour) + 1
    verdict = _verdict(bench, game, order, count)
    means = _means(bench, game, order, verdict)
    text = f"illegal move {count} of {order.colour}: {means}"
    decision = _count(bench, number, order.colour, text)
    minutes = verdict.minutes if verdict.leads_to == "time" else 0
    dues = [(other(order.colour), 60.0 * minutes)] if minutes else []
    return on_the_clock(bench, game, decision, dues)


def _counts_not(bench: Bench, colour: Colour, ply: int) -> None:
    for known, offence in bench.standing(ConfirmOffence, bench.told.game):
        if (offence.colour, offence.ply) == (colour, ply):
            raise RefusedError(f"ruling {known} counts it: irregularities of one move count once")


def offences(bench: Bench, colour: Colour) -> int:
    """Return how many illegal moves of a side are confirmed in the present game."""
    confirmed = bench.standing(ConfirmOffence, bench.told.game)
    return sum(offence.colour == colour for _, offence in confirmed)


def _count(bench: Bench, game: int, colour: Colour, text: str) -> Decision:
    def effect() -> None:
        confirmed = bench.standing(ConfirmOffence, game)
        count = sum(offence.colour == colour for _, offence in confirmed)
        bench.told.state(OffencesCounted, game, colour=colour, count=count)

    undone = f"the illegal move of {colour} counts no longer"
    return Decision(text, effect, lambda: Deed(undone, effect))


def _verdict(bench: Bench, game: Game, order: ConfirmOffence, count: int) -> IllegalMove:
    """Return what the rules make of it."""
    rules, line = bench.rules, game.line
    board = line.after(line.steps[: index_of(line.steps, order.ply)])
    loses = rules.illegal_moves_that_lose
    opponent = winnability(board, order.colour != "white")
    return illegal_move(
        count,
        minutes=rules.illegal_move_minutes,
        loses_at=loses,
        unwinnable=rules.unwinnable_illegal_loss,
        opponent=opponent.verdict,
    )


def _means(bench: Bench, game: Game, order: ConfirmOffence, verdict: IllegalMove) -> str:
    """Say what the rules make of it, with the times to set where they are known."""
    rules, times = bench.rules, bench.times
    if verdict.leads_to != "time" or times is None:
        return verdict.text
    after = after_illegal_move(
        times,
        order.colour,
        minutes=verdict.minutes,
        increment=_increment(game, order),
        rule=rules.increment_after_illegal_move,
    )
    return f"{verdict.text}; set white {shown(after.white)}, black {shown(after.black)}"


def _increment(game: Game, order: ConfirmOffence) -> int:
    """Return the seconds that the press gained, 0 where nothing says so."""
    if game.control is None:
        return 0
    return game.control.increment_at(order.colour, order.ply // 2 + 1)


# -- clocks and notes ------------------------------------------------------------------------------


def set_clocks(bench: Bench, ruling: Ruling, order: SetClocks) -> Decision:
    """Note to what the clock is set.

    Raises:
        RefusedError: a time is negative.
    """
    if bench.games.present is not None:
        bench.game(ruling)
    if min(order.white_ms, order.black_ms) < 0:
        raise RefusedError("a clock shows no negative time")
    text = f"the clock is set: white {_ms(order.white_ms)}, black {_ms(order.black_ms)}"
    times = bench.times
    undone = "the clock is not to be set so"
    if times is not None:
        before = f"white {shown(times.white)}, black {shown(times.black)}"
        text += f"; it showed {before}"
        undone += f": it showed {before} before"
    decision, game = noted(text, undone), bench.games.playing
    if times is None or game is None:
        return decision
    changes: tuple[tuple[Colour, float], ...] = (
        ("white", order.white_ms / 1000 - times.white),
        ("black", order.black_ms / 1000 - times.black),
    )
    dues = [(colour, by) for colour, by in changes if abs(by) >= LEAST_SET]
    return on_the_clock(bench, game, decision, dues)


def _ms(time: int) -> str:
    return shown(time / 1000)


def note(_: Bench, __: Ruling, order: AddNote) -> Decision:
    """Keep a note.

    Raises:
        RefusedError: it says nothing.
    """
    if not order.text.strip():
        raise RefusedError("the note is empty")
    return noted(order.text, f"withdrawn: {order.text}")
