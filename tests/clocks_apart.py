"""A clock on a link of its own beside a board that has none."""

from bridge.core.model import MoveTimed
from drivers.boards.squareoff import SquareOffPro
from drivers.simulated.clock import Clock
from drivers.simulated.squareoff import SquareOffProBoard
from tests.conversations import Conversation, DeviceT, hands, ready
from tests.following import follow, moves_of

GAME = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6"]


def times_every_move(link: Conversation[DeviceT], clock: Clock) -> None:
    """Play a game on a board beside the *link* of the *clock*; the game has its times."""
    actions = hands(GAME)
    clock.start(at=3.0)
    until = actions[-1].at + 5
    board = Conversation(SquareOffPro(), ready(SquareOffProBoard()))
    events = [*board.go_on(until, actions), *link.go_on(until, actions)]
    events.sort(key=lambda event: event.at)
    facts = follow(events, SquareOffPro, clock=True)
    assert moves_of(facts) == GAME
    timed = {fact.ply: fact for fact in facts if isinstance(fact, MoveTimed)}
    assert list(timed) == list(range(1, len(GAME) + 1))
    assert not any(fact.estimated for fact in timed.values())
    assert timed[len(GAME)].clk_ms == clock.reading(at=until).right_s * 1000
