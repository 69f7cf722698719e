"""Who follows the messages knows the same game as who asks for it, whatever happens to it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.model import (
    Fact,
    GameAdjourned,
    GameEnded,
    GameResumed,
    MoveTimed,
    PositionAdopted,
    SetupCorrected,
    TableSetup,
)
from bridge.core.scoresheet.record import Scorebook
from bridge.web.games import Game, awaited, changes, game_of, present
from tests.bridge.simple_page import Page, as_told
from tests.livechess import Play

DEEDS = ("move", "back", "time", "clock", "end", "resume", "adjourn", "names", "adopt", "anew")


class Sitting:
    """A table at which deeds happen, in facts."""

    def __init__(self) -> None:
        self.book = Scorebook()
        self.play = Play()
        self.tell(*self.play.start())

    def tell(self, *facts: Fact) -> None:
        for fact in facts:
            self.book.apply(fact)

    def now(self) -> Game:
        record = present(self.book.records())
        return awaited("1", TableSetup()) if record is None else game_of(record)

    def does(self, deed: str, number: int) -> None:
        self.play.at += number / 2
        plies = len(self.play.board.move_stack)
        if self.book.records()[-1].ended_by is not None and deed in ("move", "back", "adjourn"):
            return
        match deed:
            case "move":
                self._move(number)
            case "back" if plies:
                self.tell(self.play.takes_back(1 + number % plies))
            case "time" if plies:
                timed = {"ply": 1 + number % plies, "clk_ms": 1000 * number}
                self.tell(self.play.fact(MoveTimed, **timed))
            case "clock":
                turn = ("white", "black", None)[number % 3]
                self.tell(self.play.clock(100 - number / 3, 90, turn, running=turn is not None))
            case "anew":
                self.tell(*self.play.start())
            case _:
                self._is_said(deed, number, plies)

    def _move(self, number: int) -> None:
        moves = sorted(self.play.board.legal_moves, key=str)
        if moves:
            self.tell(*self.play.plays(self.play.board.san(moves[number % len(moves)])))

    def _is_said(self, deed: str, number: int, plies: int) -> None:
        fact, board = self.play.fact, self.play.board
        match deed:
            case "end":
                result = ("1-0", "0-1", "1/2-1/2")[number % 3]
                self.tell(fact(GameEnded, result=result, by="arbiter"))
            case "resume":
                self.tell(fact(GameResumed))
            case "adjourn":
                self.tell(fact(GameAdjourned))
            case "names":
                self.tell(fact(SetupCorrected, setup=TableSetup(white=f"W {number % 3}")))
            case "adopt":
                fen = board.fen().replace(" w ", " b ") if number % 2 else board.fen()
                self.tell(fact(PositionAdopted, ply=plies, fen=fen, reason="gap"))


HAPPENINGS = st.lists(
    st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 40)), min_size=1, max_size=4),
    max_size=25,
)


@settings(max_examples=150, deadline=None)
@given(HAPPENINGS)
def test_a_page_that_follows_shows_the_game(happenings: list[list[tuple[str, int]]]) -> None:
    sitting = Sitting()
    told = sitting.now()
    page = Page(told)
    for moment in happenings:
        for deed, number in moment:
            sitting.does(deed, number)
        game = sitting.now()
        for message in changes(told, game):
            page.take(as_told(message))
            told = game
        assert page.differs_from(game) == []
