"""Rulings on the game as a whole: its result, its interruption, and penalties."""

import chess

from bridge.core.laws.catalogue import CATALOGUE
from bridge.core.laws.clocks.times import Times, other, shown
from bridge.core.laws.forfeits import Forfeit, flag_fall, resignation
from bridge.core.laws.points import points
from bridge.core.model import (
    Adjourn,
    Colour,
    GameAdjourned,
    GameResumed,
    Penalise,
    Result,
    Resume,
    Ruling,
    SetResult,
)
from bridge.core.table.game import Game
from bridge.core.table.games import End
from bridge.core.table.rulings.bench import Bench, Decision, Deed, RefusedError, noted
from bridge.core.table.rulings.dues import on_the_clock

MINUTE = 60
_TO_CONFIRM = frozenset(
    code for code, kind in CATALOGUE.items() if kind.until == "confirmation"
) - {"MOVE_ASSUMED"}
"""Alerts that propose a result."""
_ADJOURNED = "the game is adjourned: nothing on the board is part of it until it is resumed"
_DRAW: Result = "1/2-1/2"
_DRAWN = {"agreement": "players agree on a draw", "dead": "a dead position is drawn"}
"""What of itself can end a game in one way only."""
_IN_TIME = ("more_time", "less_time")
_IN_POINTS = ("more_points", "fewer_points")

# -- the result ------------------------------------------------------------------------------------


def set_result(bench: Bench, ruling: Ruling, order: SetResult) -> Decision:
    """Enter a result, also of a game that is over.

    Raises:
        RefusedError: the game has it already, another ruling's result stands, or what ended the
            game gives another one.
    """
    if order.because in _DRAWN and order.result != _DRAW:
        raise RefusedError(f"{_DRAWN[order.because]}: that is {_DRAW}, not {order.result}")
    decision = _end(bench, ruling, (order.result, order.because))
    if ruling.game not in (None, bench.told.game):
        return decision
    if order.because == "agreement":
        return _with_doubt(decision, _agreed_early(bench))
    found = _forfeit(bench, order)
    if found is None or found.result == order.result:
        return decision
    doubt = f"look again, it may be {found.result or 'another result'}: {found.reason}"
    decision = _with_doubt(decision, doubt)
    if order.because != "resignation" or found.kind != "draw":
        return decision
    return _resigned_to_nobody(bench, decision, order, found)


def _with_doubt(decision: Decision, doubt: str) -> Decision:
    return decision._replace(text=f"{decision.text}; {doubt}") if doubt else decision


def _agreed_early(bench: Bench) -> str:
    """Say it if no draw may be agreed yet (5.2.3)."""
    game, least = bench.games.present, bench.rules.agreement_after_moves
    if game is None or len(game.plies) >= 2 * least:
        return ""
    return f"look again: no draw may be agreed before each player has made {least} moves"


def _forfeit(bench: Bench, order: SetResult) -> Forfeit | None:
    """Return what the rules make of a flag or a resignation (5.1.2, 6.9)."""
    game, rules = bench.games.present, bench.rules
    lost_by = {"1-0": chess.BLACK, "0-1": chess.WHITE}.get(order.result)
    if game is None or lost_by is None:
        return None
    board = game.line.after(game.line.steps)
    if order.because == "flag":
        return flag_fall(board, lost_by, "ongoing", rules.flag_draw)
    if order.because == "resignation":
        return resignation(board, lost_by, rules.resignation_draw)
    return None


def _resigned_to_nobody(
    bench: Bench, decision: Decision, order: SetResult, found: Forfeit
) -> Decision:
    """Let *decision* also tell that the opponent of who resigned cannot mate."""
    loser: Colour = "black" if order.result == "1-0" else "white"

    def effect() -> None:
        decision.effect()
        bench.alerts.raise_(
            "RESIGNATION_DRAWN",
            None,
            f"{order.result} by resignation is entered, but {found.reason}",
            remedy=f"{found.result} (5.1.2)",
            by=loser,
        )

    return decision._replace(effect=effect)


def _end(bench: Bench, ruling: Ruling, end: End) -> Decision:
    number = ruling.game or bench.told.game
    _contradicts_no_result(bench, number)
    before = bench.games.ends.get(number)
    if before is not None and before[0] == end[0]:
        raise RefusedError(f"the result is {end[0]} already")
    if number != bench.told.game:
        if before is None:
            raise RefusedError(f"there is no game {number}")
        return _replace(bench, number, before, end)
    game = bench.game(ruling)
    if before is not None:
        return _replace(bench, number, before, end)

    adjourned = game.adjourned

    def effect() -> None:
        game.end(*end)
        if game.ended != end:  # the move that stood was mate
            _tell(bench, number, end)
        bench.alerts.clear_all(_TO_CONFIRM, "the arbiter set the result")

    def undo() -> Deed:
        taken_up = _taken_up(bench, game, "the game goes on: its result is withdrawn")
        return _and_adjourned(bench, game, taken_up) if adjourned else taken_up

    return Decision(f"the game is over: {end[0]}", effect, undo)


def _contradicts_no_result(bench: Bench, game: int) -> None:
    for number, result in bench.standing(SetResult, game):
        raise RefusedError(f"ruling {number} set the result {result.result}: undo it first")
    for number, penalty in bench.standing(Penalise, game):
        if penalty.penalty == "loss":
            raise RefusedError(f"ruling {number} declared the game lost: undo it first")


def _replace(bench: Bench, number: int, before: End, end: End) -> Decision:
    def effect() -> None:
        _tell(bench, number, end)

    def undo() -> Deed:
        text = f"the result of game {number} is {before[0]} again"
        return Deed(text, lambda: _tell(bench, number, before))

    text = f"the result of game {number} is {end[0]}, no longer {before[0]}"
    return Decision(text, effect, undo)


def _tell(bench: Bench, number: int, end: End) -> None:
    """Tell the result of a game that is over."""
    if number == bench.told.game:
        bench.alerts.clear_all(_TO_CONFIRM, "the arbiter set the result")
    bench.games.tell_end(bench.told, number, end)


# -- interrupted and resumed -----------------------------------------------------------------------


def adjourn(bench: Bench, ruling: Ruling, _: Adjourn) -> Decision:
    """Interrupt the game.

    Raises:
        RefusedError: it is over or interrupted already.
    """
    game = bench.game_on(ruling)
    if game.adjourned:
        raise RefusedError("the game is adjourned already")

    def undo() -> Deed:
        return _taken_up(bench, game, "the game goes on: it is not adjourned")

    return Decision(_ADJOURNED, lambda: _interrupt(bench, game), undo)


def resume(bench: Bench, ruling: Ruling, _: Resume) -> Decision:
    """Take up the game that was interrupted, or ended by mistake.

    Raises:
        RefusedError: it is on, or it has ended by the board or by another ruling.
    """
    game = bench.game(ruling)
    if game.over:
        _contradicts_no_result(bench, bench.told.game)
        if not any(game.line.after(game.line.steps).legal_moves):
            raise RefusedError("no move is left on the board: correct the moves instead")
    taken_up = _taken_up(bench, game, "the game goes on")
    ended, end = game.over, game.ended

    def undo() -> Deed:
        bench.is_present(game)
        if game.over or game.adjourned:
            raise RefusedError("the game is not on")
        if ended:
            return Deed(f"the game is over again: {end[0]}", lambda: game.end(*end))
        return Deed(_ADJOURNED, lambda: _interrupt(bench, game))

    return Decision(taken_up.text, taken_up.effect, undo)


def _interrupt(bench: Bench, game: Game) -> None:
    game.adjourns()
    if not game.over:  # the move that stood was mate
        bench.told.state(GameAdjourned)


def _taken_up(bench: Bench, game: Game, text: str) -> Deed:
    bench.is_present(game)
    if not (game.over or game.adjourned):
        raise RefusedError("the game is on")
    number = bench.told.game

    def effect() -> None:
        bench.games.ends.pop(number, None)
        if game.over:
            bench.alerts.clear_all(_TO_CONFIRM, "the game goes on", how="withdrawn")
        bench.told.state(GameResumed)
        bench.go_on(game)

    return Deed(text, effect)


def _and_adjourned(bench: Bench, game: Game, taken_up: Deed) -> Deed:
    def effect() -> None:
        taken_up.effect()
        _interrupt(bench, game)

    return Deed(_ADJOURNED, effect)


# -- penalties -------------------------------------------------------------------------------------


def penalise(bench: Bench, ruling: Ruling, order: Penalise) -> Decision:
    """Note a penalty of 12.9; losing the game ends it.

    Raises:
        RefusedError: it lacks its minutes, points or result, or has what is another penalty's.
    """
    _check_measure(order)
    name = order.penalty.replace("_", " ")
    if order.penalty == "loss" and order.result is not None:
        return _end(bench, ruling, (order.result, "infraction"))
    text = f"penalty for {order.colour}: {name}"
    if order.penalty in _IN_TIME:
        text += _time_in_words(bench.times, order)
    elif order.points is not None:
        receiver = order.colour if order.penalty == "fewer_points" else other(order.colour)
        text += f", {order.points:g} for {receiver}"
    decision, game = noted(text, f"no longer: {text}"), bench.games.playing
    if order.minutes is None or game is None:
        return decision
    more = order.penalty == "more_time"
    receiver = other(order.colour) if more else order.colour
    return on_the_clock(
        bench, game, decision, [(receiver, (1 if more else -1) * MINUTE * order.minutes)]
    )


def _check_measure(order: Penalise) -> None:
    needs = {
        "minutes": order.penalty in _IN_TIME,
        "points": order.penalty in _IN_POINTS,
        "result": order.penalty == "loss",
    }
    for name, needed in needs.items():
        given = getattr(order, name)
        if needed and given is None:
            raise RefusedError(f"{order.penalty} needs {name}")
        if not needed and given is not None:
            raise RefusedError(f"{name} are not for {order.penalty}")
        if isinstance(given, int | float) and given <= 0:
            raise RefusedError(f"{name} must be more than nothing")
    if order.result is not None and _score(order.result, order.colour) != 0:
        raise RefusedError(f"{order.colour} does not lose with {order.result}")


def _score(result: Result, colour: Colour) -> float | None:
    if result == "*":
        return None
    return points(result)[colour == "black"]


def _time_in_words(times: Times | None, order: Penalise) -> str:
    minutes = order.minutes or 0
    receiver = other(order.colour) if order.penalty == "more_time" else order.colour
    sign = 1 if order.penalty == "more_time" else -1
    text = f", {minutes} min for {receiver}"
    if times is None:
        return text
    after = times.plus(receiver, sign * minutes * MINUTE)
    return f"{text}: set white {shown(after.white)}, black {shown(after.black)}"
