"""Times that rulings give or take: the clock is watched for them until it shows them."""

from bridge.core.model import Colour
from bridge.core.table.game import Game
from bridge.core.table.rulings.bench import Bench, Decision, Deed


def on_the_clock(
    bench: Bench, game: Game, decision: Decision, dues: list[tuple[Colour, float]]
) -> Decision:
    """Return *decision* with the seconds that it gives each player, or takes from him."""
    number = bench.number

    def effect() -> None:
        decision.effect()
        for colour, seconds in dues:
            game.gives(number, colour == "white", seconds)

    def undo() -> Deed:
        deed = decision.undo()

        def take_back() -> None:
            deed.effect()
            game.takes_back(number)

        return Deed(deed.text, take_back)

    return Decision(decision.text, effect, undo) if dues else decision
