"""What is pushed together so that Lichess takes no game for another one."""

from collections.abc import Callable
from dataclasses import dataclass, field

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.outputs.lichess.games import Game, position_digest
from bridge.outputs.lichess.matching import Boards
from testbed.lichess_rounds import BroadcastRound

FEW_MOVES = (("e4", "d4"), ("e5", "d5"), ("Nf3", "Nc3"), ("Nc6", "Nf6"), ("a3", "h3"), ("a6", "h6"))
"""Few enough for many games to have the same position."""

SIZE = 6


@dataclass
class Hall:
    """Games that grow, change names and boards, and are pushed in bodies that ``Boards`` makes."""

    lichess: BroadcastRound = field(default_factory=lambda: BroadcastRound("AbCd1234", "Round 1"))
    boards: Boards = field(default_factory=Boards)
    sans: dict[str, list[str]] = field(default_factory=dict)
    seats: dict[str, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    had: dict[str, Game] = field(default_factory=dict)

    def begins(self, number: int) -> None:
        game_id = f"game{number}"
        if game_id not in self.sans:
            self.sans[game_id], self.seats[game_id] = [], number
            self.names[game_id] = f"Player {number}"
            self.changed.add(game_id)

    def moves(self, number: int, choice: bool) -> None:
        sans = self.sans.get(f"game{number}")
        if sans is not None and len(sans) < len(FEW_MOVES):
            sans.append(FEW_MOVES[len(sans)][choice])
            self.changed.add(f"game{number}")

    def withdraws(self, number: int) -> None:
        if self.sans.get(f"game{number}"):
            self.sans[f"game{number}"].pop()
            self.changed.add(f"game{number}")

    def swaps(self, one: int, other: int) -> None:
        """Two games turn out to be those of each other's boards."""
        ids = f"game{one}", f"game{other}"
        if all(game_id in self.sans for game_id in ids):
            first, second = ids
            self.seats |= {first: self.seats[second], second: self.seats[first]}
            self.names |= {first: self.names[second], second: self.names[first]}
            self.changed |= set(ids)

    def renames(self, number: int, name: str) -> None:
        if f"game{number}" in self.sans:
            self.names[f"game{number}"] = name
            self.changed.add(f"game{number}")

    def games(self) -> dict[str, Game]:
        return {game_id: self._game(game_id) for game_id in self.sans}

    def _game(self, game_id: str) -> Game:
        board = chess.Board()
        positions = [position_digest(board.fen())]
        for san in self.sans[game_id]:
            board.push_san(san)
            positions.append(position_digest(board.fen()))
        seat = self.seats[game_id]
        tags = {
            "Event": "Open",
            "Site": "Delft",
            "Round": f"1.{seat}",
            "Board": str(seat),
            "White": self.names[game_id],
            "Black": f"Against {self.names[game_id]}",
            "Result": "*",
            "GameId": game_id,
        }
        return Game(
            round="1",
            game_id=game_id,
            table=game_id,
            board=seat,
            tags=tuple(tags.items()),
            moves=f"{' '.join(self.sans[game_id])} *".strip(),
            positions=tuple(positions),
        )

    def pushes(self, answer: str) -> None:
        games = self.games()
        self._look(games)
        self._push(self.boards.body(self.changed, games), answer)
        if answer == "comes":
            self.changed.clear()

    def reorders(self, answer: str) -> None:
        games = self.games()
        self._look(games)
        if not self.changed and (body := self.boards.reordered(games)) is not None:
            self._push(body, answer)
            if answer == "comes":
                self.boards.arranged(body)
                assert self.order_shown() == [game.game_id for game in body]

    def _look(self, games: dict[str, Game]) -> None:
        if not self.boards.known:
            self.boards.found(self.order_shown(), games)

    def order_shown(self) -> list[str]:
        return [each.tags["GameId"] for each in self.lichess.chapters if not each.initial]

    def _push(self, body: list[Game], answer: str) -> None:
        self.boards.expect(body)
        if answer != "was never sent" and body:
            answers = self.lichess.push("".join(game.pgn for game in body))
            assert [each["moves"] for each in answers] == [game.plies for game in body]
        if answer == "comes":
            self.boards.known |= len(body) == len(self.boards.order)
            for game in body:
                self.boards.accepted(game)
                self.had[game.game_id] = game
        else:
            self.boards.doubt()

    def swaps_and_is_put_in_order(self, one: int, other: int) -> None:
        self.swaps(one, other)
        self.pushes("comes")
        self.reorders("comes")
        self.check()

    def restarts(self) -> None:
        self.boards = Boards(self.boards.order)

    def is_taken_over(self) -> None:
        """Another program goes on, which knows what was noted; some games may be further by now."""
        games = self.games()
        self.boards = Boards(self.boards.order)
        had = (game for game in self.had.values() if game.game_id not in self.changed)
        self.boards.recall(game for game in had if game == games[game.game_id])
        self.changed |= games.keys() - self.boards.shown.keys()

    def check(self) -> None:
        """Everything that was pushed is on a board of its own, with its moves."""
        games = self.games()
        shown = {each.tags["GameId"]: each for each in self.lichess.chapters if not each.initial}
        assert len(shown) == sum(not each.initial for each in self.lichess.chapters)
        for game_id, chapter in shown.items():
            if game_id not in self.changed:
                assert chapter.tags == dict(games[game_id].tags)
                assert chapter.live == games[game_id].plies
                shown_there = [position_digest(fen) for fen in chapter.fens[: chapter.live + 1]]
                assert tuple(shown_there) == games[game_id].positions


NUMBER = st.integers(1, SIZE)
ANSWER = st.sampled_from(["comes", "comes", "comes", "is lost", "was never sent"])
STEP = st.one_of(
    st.tuples(st.just(Hall.begins), NUMBER),
    st.tuples(st.just(Hall.moves), NUMBER, st.booleans()),
    st.tuples(st.just(Hall.moves), NUMBER, st.booleans()),
    st.tuples(st.just(Hall.withdraws), NUMBER),
    st.tuples(st.just(Hall.swaps), NUMBER, NUMBER),
    st.tuples(st.just(Hall.renames), NUMBER, st.sampled_from(["Ann", "Bob", "Player 1"])),
    st.tuples(st.just(Hall.pushes), ANSWER),
    st.tuples(st.just(Hall.pushes), ANSWER),
    st.tuples(st.just(Hall.reorders), ANSWER),
    st.tuples(st.just(Hall.swaps_and_is_put_in_order), NUMBER, NUMBER),
    st.tuples(st.just(Hall.restarts)),
    st.tuples(st.just(Hall.is_taken_over)),
)


@pytest.mark.parametrize("ids_decide", [False, True])
@settings(deadline=None)
@given(st.lists(STEP, max_size=60))
def test_each_game_finds_its_own_board(
    ids_decide: bool, steps: list[tuple[Callable[..., None], object]]
) -> None:
    hall = Hall()
    hall.lichess.ids_decide = ids_decide
    for number in (3, 1, 2):
        hall.begins(number)
    hall.pushes("comes")
    for act, *details in steps:
        act(hall, *details)
        if act in (Hall.pushes, Hall.reorders):
            hall.check()
    hall.pushes("comes")
    hall.check()
    assert len(hall.lichess.chapters) == len(hall.sans)


def hall_of(*lines: str) -> Hall:
    """Games with these moves, all pushed."""
    hall = Hall()
    for number, line in enumerate(lines, 1):
        hall.begins(number)
        hall.sans[f"game{number}"] = line.split()
    hall.pushes("comes")
    return hall


def test_a_changed_game_that_is_like_no_other_goes_out_alone() -> None:
    hall = hall_of("e4 e5", "d4 d5", "e4 d5")
    hall.moves(3, choice=False)
    body = hall.boards.body(hall.changed, hall.games())
    assert [game.game_id for game in body] == ["game3"]


def test_who_takes_over_pushes_the_games_that_have_gone_on_and_no_others() -> None:
    hall = hall_of("e4 e5", "d4 d5", "e4 d5", "d4 e5")
    hall.sans["game2"].append("Nf3")
    hall.is_taken_over()
    hall.moves(3, choice=False)
    body = hall.boards.body(hall.changed, hall.games())
    assert [game.game_id for game in body] == ["game2", "game3"]
    hall.pushes("comes")
    hall.check()


def test_a_game_alone_would_be_written_over_one_that_is_like_it() -> None:
    hall = hall_of("e4 e5", "d4 d5", "e4")
    hall.moves(3, choice=False)
    games = hall.games()
    alone = BroadcastRound("Alone123", "Round 1", chapters=hall.lichess.chapters[:])
    alone.push(games["game3"].pgn)
    assert alone.chapters[0].tags["GameId"] == "game3", "this is what Lichess does"
    body = hall.boards.body(hall.changed, games)
    assert [game.game_id for game in body] == ["game1", "game3"]


def test_a_refused_game_has_no_board() -> None:
    boards = Boards()
    hall = hall_of("e4")
    game = hall.games()["game1"]
    boards.expect([game])
    boards.refused(game)
    assert boards.order == []
    boards.expect([game])
    boards.accepted(game)
    boards.refused(game)
    assert boards.order == ["game1"], "it had one before"


def test_withdrawn_moves_are_counted_until_others_take_their_place() -> None:
    hall = hall_of("e4 e5 Nf3")
    hall.sans["game1"] = ["e4"]
    shorter = hall.games()["game1"]
    hall.boards.accepted(shorter)
    assert hall.boards.surplus(shorter) == 2
    hall.sans["game1"] = ["e4", "d5"]
    other = hall.games()["game1"]
    hall.boards.accepted(other)
    assert hall.boards.surplus(other) == 0


def test_boards_are_put_in_order_after_a_restart_too() -> None:
    hall = hall_of("e4 e5", "d4 d5", "e4 d5")
    hall.swaps(1, 3)
    hall.pushes("comes")
    hall.restarts()
    unchanged = ["game1", "game2", "game3"]
    hall.reorders("comes")
    assert hall.order_shown() == unchanged, "first it has to be known what is there"
    hall.reorders("is lost")
    assert hall.order_shown() == unchanged[::-1]
    hall.reorders("comes")
    assert hall.order_shown() == unchanged[::-1]
    hall.check()
    assert hall.boards.reordered(hall.games()) is None


def test_boards_that_others_have_added_keep_their_places() -> None:
    hall = hall_of("e4", "d4")
    hall.swaps(1, 2)
    hall.boards.order.append("strange")
    assert hall.boards.reordered(hall.games()) is None
