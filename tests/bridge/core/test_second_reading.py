"""The whole game read a second time, beside the record, on a board that sees only occupancy."""

import json
import math

import chess
import pytest

from bridge.core.inference import reconsidering, second, whole
from bridge.core.inference.branch import AT_THE_END
from bridge.core.inference.certainty import APART
from bridge.core.inference.engine import Engine
from bridge.core.inference.hypotheses import OUT_OF_ORDER, Node, plies_back
from bridge.core.inference.placement import shown_by
from bridge.core.inference.position import Position
from bridge.core.inference.second import MOST_WAITING, MOST_WAITING_NAMED, SecondReading
from bridge.core.inference.whole import Whole
from bridge.core.model import Sensing
from bridge.core.stream import OutputWriter, infer
from drivers.cells import cells_of
from drivers.simulated.streams import PROFILES, play_session
from drivers.simulated.streams.__main__ import choose, own_games, read_games
from tests.bridge.core.watching import Watched
from tests.shared import shared

SCAN = 0.02
LIFTED = 0.4
"""How long a hand holds a man (s)."""


class Game:
    """A game on a board, and the second reading of it; the record has what it is told."""

    def __init__(self, fen: str = chess.STARTING_FEN, sensing: Sensing = "occupancy") -> None:
        self.board = chess.Board(fen)
        self.sensing = sensing
        self.head = Node(None, None, Position(self.board.copy(), sensing))
        self.second = SecondReading(SCAN, named=False)
        self.second.begin([self.head])
        self.at = 0.0
        self.show(self.cells)

    @property
    def cells(self) -> str:
        return shown_by(cells_of(self.board), self.sensing)

    def show(self, cells: str) -> None:
        self.second.shows(cells, self.at)

    def plays(self, *moves: str, victim_seen: bool = False, told: bool = True) -> "Game":
        """Play moves, each with its press; a victim is swapped within a scan unless it is seen."""
        for san in moves:
            move = self.board.parse_san(san)
            self.moves(move, victim_seen=victim_seen)
            if told:
                self.tell(move)
        return self

    def moves(self, move: chess.Move, *, victim_seen: bool = False) -> None:
        """Move a man, legally or not, and press."""
        colour = self.board.turn
        origin = shown_by(cells_of(self.board), self.sensing)
        gone = {move.from_square, *([move.to_square] if victim_seen else [])}
        self.at += 3.0
        self.show("".join("." if at in gone else cell for at, cell in enumerate(origin)))
        self.at += LIFTED
        self.board.push(move)
        self.show(self.cells)
        self.at += 0.5
        self.second.hears(colour, self.at)
        self.second.runs_for(not colour, self.at)

    def tell(self, move: chess.Move) -> None:
        """Let the record have *move*."""
        self.head = self.head.then(move)
        self.second.follows(self.head)

    def read(self) -> list[list[str]]:
        """Return the moves of the readings, the cheapest first."""
        while not self.second.catch_up(self.at + 1.0):
            self.at += SCAN
        return [moves_of(reading.node) for reading in self.second.readings()]


def moves_of(node: Node) -> list[str]:
    moves = []
    each: Node | None = node
    while each is not None and each.move is not None:
        moves.append(each.move.uci())
        each = each.parent
    return moves[::-1]


OPEN = "4k3/8/8/8/2b1n3/3P4/8/4K3 w - - 0 1"
"""White's pawn can take the bishop or the knight."""


def test_the_record_is_the_cheapest_reading_of_an_ordinary_game() -> None:
    game = Game().plays("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O", "axb5")
    assert game.read()[0] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1", "a6b5"]
    assert game.second.lead == 0.0


@pytest.mark.parametrize("sensing", ["occupancy", "colour", "identity"])
def test_a_wrong_victim_in_the_record_shows_when_the_other_man_moves(sensing: Sensing) -> None:
    game = Game(OPEN, sensing)
    game.moves(chess.Move.from_uci("d3c4"))
    game.tell(chess.Move.from_uci("d3e4"))  # the record takes the knight for the victim
    game.moves(chess.Move.from_uci("e4f6"))
    assert game.read()[0] == ["d3c4", "e4f6"]
    assert game.second.lead > whole.PLAYED_ON


def test_what_parts_with_the_record_falls_behind_when_play_goes_on_from_it() -> None:
    game = Game(OPEN)
    game.plays("dxc4").read()
    before = game.second.margin
    game.plays("Nf6").read()
    assert before < APART + 2.0 < game.second.margin


def test_a_record_that_is_corrected_is_no_longer_behind() -> None:
    game = Game(OPEN)
    root = game.head
    game.moves(chess.Move.from_uci("d3c4"))
    game.tell(chess.Move.from_uci("d3e4"))
    game.moves(chess.Move.from_uci("e4f6"))
    game.read()
    game.head = root
    game.tell(chess.Move.from_uci("d3c4"))
    game.tell(chess.Move.from_uci("e4f6"))
    assert game.second.lead == 0.0


def test_a_record_that_is_taken_back_is_a_reading_as_long_as_it_is_shown() -> None:
    game = Game().plays("e4", "e5")
    game.read()
    assert game.head.parent is not None
    game.second.follows(game.head.parent)
    assert game.second.lead == 0.0


def test_a_record_that_no_reading_has_is_let_in_again_and_is_trusted_less_each_time() -> None:
    game = Game().plays("Nf3", "Nf6", "Nc3", told=False)
    for other in ("b1c3", "g8f6", "g1h3"):
        game.tell(chess.Move.from_uci(other))
    game.read()
    assert game.second.lead == math.inf
    shown_wrong = 2  # f3 and h3
    least = whole.READMITTED + shown_wrong * AT_THE_END
    assert game.second.readmit(game.head, least)
    assert game.second.lead == pytest.approx(least)
    for _ in range(3):
        assert game.second.readmit(game.head, least + 3.5)
    assert not game.second.readmit(game.head, least + 3.5)


def tell_in_another_order(game: Game, *moves: str) -> Game:
    for other in moves or ("b1c3", "g8f6", "g1f3"):
        game.tell(chess.Move.from_uci(other))
    game.read()
    return game


def unseen(game: Game) -> Game:
    """Let three moves be made while the link is lost; the record has them in the other order."""
    game.second.lose(game.at)
    for san in ("Nf3", "Nf6", "Nc3"):
        game.board.push_san(san)
    game.at += 40.0
    game.show(game.cells)
    return tell_in_another_order(game, *game.read()[0][::-1])


def test_a_record_that_comes_to_the_same_position_in_another_order_is_nearly_as_good() -> None:
    """It was lost because one line is kept to each position."""
    game = unseen(Game())
    assert game.second.lead == math.inf
    assert game.second.readmit(game.head, reconsidering.BETTER)
    assert game.second.lead == pytest.approx(whole.LOST_AGAIN)


def test_a_record_in_another_order_is_worse_by_what_was_seen_of_the_order() -> None:
    game = tell_in_another_order(Game().plays("Nf3", "Nf6", "Nc3", told=False))
    assert game.second.readmit(game.head, reconsidering.BETTER)
    assert game.second.lead == pytest.approx(whole.LOST_AGAIN + 2 * OUT_OF_ORDER)


def test_nothing_tells_the_record_any_more_from_what_comes_to_its_position_by_long_ago() -> None:
    """So readings that go on from that are not compared with it by what was before."""
    game = unseen(Game(sensing="identity"))
    assert game.second.readmit(game.head, reconsidering.BETTER)
    game.plays("Nc6", "e4", "e5")
    game.read()
    assert game.second.lead == pytest.approx(whole.LOST_AGAIN)
    game.plays("Bb5", "Bb4", "d3", "d6")
    game.read()
    assert game.second.lead == 0.0
    assert game.second.margin_of(game.head.at_ply(1)) == math.inf


def test_an_illegal_move_that_was_played_on_is_a_reading() -> None:
    game = Game("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", "identity")
    game.moves(chess.Move.from_uci("a1b3"))
    stood_from = game.at - 0.5
    game.moves(chess.Move.from_uci("e8e7"))
    best = game.second
    assert game.read()[0] == ["a1b3", "e8e7"]
    node = best.readings()[0].node.parent
    assert node is not None
    assert (node.basis, node.since) == ("stands", stood_from)


def test_moves_made_while_the_link_was_lost_are_found() -> None:
    game = Game().plays("e4", "e5")
    game.second.lose(game.at)
    for san in ("Nf3", "Nc6", "Bb5"):
        game.board.push_san(san)
    game.at += 40.0
    game.show(game.cells)
    assert game.read()[0] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]


def test_play_that_goes_on_from_the_record_leads_what_ends_with_it() -> None:
    game = Game().plays("e4", "e5").plays("Nf3", "Nc6", "Bb5", told=False)
    assert game.read()[0] == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]
    assert game.second.lead == 0.0
    assert game.second.lead_beyond > reconsidering.GONE_ON


def test_an_illegal_move_alone_is_not_play_that_goes_on() -> None:
    game = Game().plays("e4", "e5")
    game.moves(chess.Move.from_uci("g1g3"))
    game.at += 30.0
    game.read()
    assert game.second.lead_beyond < reconsidering.GONE_ON


def test_what_waits_is_bounded_and_gone_through_in_the_end() -> None:
    game = Game()
    for _ in range(40):
        for san in ("Nf3", "Nf6", "Ng1", "Ng8"):
            game.plays(san)
            game.second.advance(game.at)
            assert len(game.second._events) <= MOST_WAITING + 4
    assert len(game.read()[0]) == 160
    assert not game.second._events
    assert game.second.lead == 0.0


def test_positions_that_no_reading_is_at_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "MOST_POSITIONS", 5)
    game = Game().plays("d4", "d5", "c4", "dxc4", "Nc3", "Nf6", "e4", "e5", "dxe5", "Qxd1+", "Kxd1")
    assert game.read()[0] == [
        "d2d4",
        "d7d5",
        "c2c4",
        "d5c4",
        "b1c3",
        "g8f6",
        "e2e4",
        "e7e5",
        "d4e5",
        "d8d1",
        "e1d1",
    ]
    assert game.second.lead == 0.0


def test_nothing_is_kept_before_it_begins_or_after_it_ends() -> None:
    game = Game().plays("e4")
    game.second.end()
    assert not game.second.reads
    game.plays("e5")
    game.second.follows(game.head)
    game.second.catch_up(game.at)
    assert (game.second.lead, game.second.readings(), len(game.second._events)) == (0.0, [], 0)


def test_squares_that_change_together_are_one_placement(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game()
    shown: list[float] = []
    monkeypatch.setattr(Whole, "shows", lambda _, __, at, **___: shown.append(at))
    for at in range(64):
        game.second.shows("." * at + game.cells[at:], 5.0 + at * 1e-4)
    game.read()
    assert shown == [0.0, pytest.approx(5.0063)]


def told_together(
    *turns: str, pressed: bool = False, looked_at: float | None = None
) -> SecondReading:
    """Let a board with names show *turns*, change by change, all told at 5 s, after one at 1 s.

    *pressed*: each of them was pressed for, and White began.
    """
    reading = SecondReading(SCAN, named=True)
    reading.begin([Node(None, None, Position(chess.Board(), "identity"))])
    cells = [*cells_of(chess.Board())]
    reading.shows("".join(cells), 1.0)
    if looked_at is not None:
        reading.catch_up(looked_at)
    for number, changes in enumerate(turns):
        for change in changes.split():
            cells[chess.parse_square(change[:2])] = change[2:] or "."
            reading.shows("".join(cells), 5.0)
        if pressed:
            reading.hears(number % 2 == 0, 5.0)
    return catch_up(reading, 6.0)


def catch_up(reading: SecondReading, at: float) -> SecondReading:
    while not reading.catch_up(at):
        at += SCAN
    return reading


def test_what_a_link_tells_late_was_done_in_the_order_in_which_it_comes() -> None:
    """Four plies at one time: either of White's may have been the first."""
    reading = told_together("b1 c3N", "a7 a6p", "g1 f3N", "e7 e6p")
    assert moves_of(reading.readings()[0].node) == ["b1c3", "a7a6", "g1f3", "e7e6"]


def test_what_waits_may_be_told_together() -> None:
    """So that one step takes all of it."""
    reading = SecondReading(SCAN, named=True)
    reading.begin([Node(None, None, Position(chess.Board(), "identity"))])
    cells = cells_of(chess.Board())
    for number in range(MOST_WAITING_NAMED + 1):
        gone = min(number, len(cells))
        reading.shows("." * gone + cells[gone:], 1.0 + number * 1e-3)
    reading.advance(2.0)
    assert not catch_up(reading, 3.0).waits


def test_what_a_link_tells_late_is_spread_over_the_time_for_which_it_told_nothing() -> None:
    """A square changes twice, so that it is no single scan."""
    reading = told_together("g1 f3N", "a7 a6p", "f3 e5N", "b7 b6p", pressed=True)
    plies = [*plies_back(reading.readings()[0].node)][::-1]
    assert [ply.move.uci() for ply in plies if ply.move] == ["g1f3", "a7a6", "f3e5", "b7b6"]
    assert [round(ply.since, 2) for ply in plies] == [2.0, 3.0, 4.0, 5.0]


LATE = "g1 f3N a7 a6p f3 e5N b7 b6p"


def test_what_was_paid_until_something_is_told_late_is_paid_once() -> None:
    looked, unlooked = told_together(LATE, looked_at=4.9), told_together(LATE)
    costs = [reading.readings()[0].cost for reading in (looked, unlooked)]
    assert costs[0] == pytest.approx(costs[1])


def test_who_leaves_with_the_next_line_a_square_that_showed_him_only_passed_there() -> None:
    """A pawn that slides over e3 may not have stopped there, to be taken in passing."""
    reading = told_together("e2 e3P e3 e4P a7 a6p")
    plies = [*plies_back(reading.readings()[0].node)]
    assert [ply.move.uci() for ply in plies if ply.move] == ["a7a6", "e2e4"]


def test_a_contact_that_bounces_is_not_told_late() -> None:
    steady, bounces = told_together("g1 f3N"), told_together("f3N f3 f3N g1")
    costs = [reading.readings()[0].cost for reading in (steady, bounces)]
    assert costs[0] == pytest.approx(costs[1])


@pytest.mark.usefixtures("unmeasured")
def test_games_are_put_right_that_were_lost_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games with every disturbance many times, which only a second reading gets."""
    seed = 443
    lines, truth = play_session(
        choose(own_games(), PROFILES["chaos"], seed),
        PROFILES["chaos"],
        board="occupancy",
        seed=seed,
    )
    played = [[move["uci"] for move in game["moves"]] for game in truth["games"]]
    assert records_of(lines) == played
    monkeypatch.setattr(reconsidering, "BETTER", math.inf)
    monkeypatch.setattr(reconsidering, "WHEN_STOPPED", math.inf)
    assert records_of(lines) != played


def records_of(lines: list[str]) -> list[list[str]]:
    """Return the moves of each game that a stream is found to hold."""
    records: list[list[str]] = [[]]
    for told in map(json.loads, infer(lines, name="table", writer=OutputWriter())):
        if "new_game" in told and records[-1]:
            records.append([])
        if "retract" in told:
            del records[-1][-told["retract"] :]
        if "move" in told:
            records[-1].append(told["move"])
    return records


@pytest.mark.usefixtures("unmeasured")
def test_lines_across_lost_links_are_named() -> None:
    """The link is lost again and again, and other lines than those entered fit as well."""
    pool = read_games(shared("data/games-sample.pgn"))
    games = choose(pool, PROFILES["chaos"], 105)
    lines, _ = play_session(games, PROFILES["chaos"], board="occupancy", seed=105)
    told = [json.loads(line) for line in infer(lines, name="table", writer=OutputWriter())]
    assert [line.get("alert") for line in told].count("SCORESHEET_GAP") >= 2


def test_what_was_shown_before_the_link_was_lost_is_no_move_of_later() -> None:
    """The pawn stood on a4 then: it did not go there after the other one, while nobody watched."""
    start = chess.Board("4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1")
    readings = whole.Whole([Node(None, None, Position(start, "identity"))])
    readings.shows(cells_of(start), 0.0)
    slid = ("8/P7/P6P", "8/P7/7P", "P7/P7/7P", "P7/8/7P")  # over a3, seen on two squares at once
    for at, ranks in zip((1.0, 1.02, 1.18, 1.2), slid, strict=True):
        readings.passes(at, chess.WHITE)
        readings.shows(cells_of(chess.BaseBoard(f"4k3/p6p/8/8/{ranks}/4K3")), at)
    readings.passes(1.5, chess.WHITE)
    last = cells_of(chess.BaseBoard("4k3/7p/8/p7/P7/7P/8/4K3"))
    readings.shows(last, 30.0, unwatched=True)
    while readings.jumps():
        pass
    best = readings.ended()[0].node
    assert [str(ply.move) for ply in plies_back(best)] == ["h2h3", "a7a5", "a2a4"]


def test_who_was_in_the_air_when_the_link_was_lost_moved_first() -> None:
    """Both black men went while nobody watched, and a white one between them."""
    start = chess.Board("4k3/p6p/8/8/8/8/P7/4K3 b - - 0 1")
    readings = whole.Whole([Node(None, None, Position(start, "occupancy"))])
    for at, ranks in enumerate(("p6p/8/8/8/8/P7", "7p/8/8/8/8/P7")):
        readings.passes(float(at), chess.BLACK)
        shown = cells_of(chess.BaseBoard(f"4k3/{ranks}/4K3"))
        readings.shows(shown_by(shown, "occupancy"), float(at))
    readings.passes(1.5, chess.BLACK)
    last = cells_of(chess.BaseBoard("4k3/8/p6p/8/8/P7/8/4K3"))
    readings.shows(shown_by(last, "occupancy"), 30.0, unwatched=True)
    while readings.jumps():
        pass
    best = readings.ended()[0].node
    assert [str(ply.move) for ply in plies_back(best)] == ["h7h6", "a2a3", "a7a6"]


def test_the_last_man_seen_after_a_lost_link_may_only_rest_there() -> None:
    """His player was thinking, and goes on to another square."""
    start = chess.Board("4k3/p5p1/8/8/8/8/2R4P/4K3 b - - 0 1")
    readings = whole.Whole([Node(None, None, Position(start, "identity"))])
    readings.shows(cells_of(start), 0.0)
    readings.passes(1.0, chess.BLACK)
    for at, rook in ((30.0, "8/2R5"), (50.0, "2R5/8")):
        shown = chess.BaseBoard(f"4k3/8/p5p1/{rook}/7P/8/4K3")
        readings.shows(cells_of(shown), at, unwatched=at == 30.0)
        while at == 30.0 and readings.jumps():
            pass
        readings.passes(at + 19.0, chess.WHITE)
    *hidden, last = moves_of(readings.ended()[0].node)
    assert {*hidden} == {"a7a6", "h2h3", "g7g6"}
    assert last == "c2c5"


@pytest.mark.parametrize(("turn", "plies"), [(chess.WHITE, {2, 3}), (None, {2})])
def test_after_a_lost_link_lines_of_both_parities_are_read_where_a_clock_runs(
    turn: chess.Color | None, plies: set[int]
) -> None:
    """From a2 the pawn may have come to a4 in one step or two: whose turn it is tells later."""
    start = chess.Board("4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1")
    shown = chess.BaseBoard("4k3/p7/7p/8/P7/8/7P/4K3")
    readings = whole.Whole([Node(None, None, Position(start, "identity"))])
    readings.shows(cells_of(start), 0.0)
    readings.passes(1.0, turn)
    readings.shows(cells_of(shown), 30.0, unwatched=True)
    while readings.jumps():
        pass
    position = cells_of(shown)
    there = [each.node for each in readings.ended() if each.node.position.shown == position]
    assert {node.ply for node in there} == plies


@pytest.fixture
def begun_with(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The plies with which second readings begin that go through something."""
    plies: list[int] = []

    class Begun(Whole):
        def __init__(self, nodes: list[Node]) -> None:
            plies.append(nodes[0].ply)
            super().__init__(nodes)

    monkeypatch.setattr(second, "Whole", Begun)
    return plies


def test_without_a_clock_it_begins_with_each_move_that_stood_for_long(
    begun_with: list[int],
) -> None:
    """Though nothing happens from when that is settled until the next one begins."""
    board, at = chess.Board(), 0.0
    engine = Engine(board.copy())
    engine.sees(cells_of(board), at=at)
    for san in ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O"):
        move = board.parse_san(san)
        lifted = [*cells_of(board)]
        lifted[move.from_square] = "."
        board.push(move)
        for cells in ("".join(lifted), cells_of(board)):
            at += LIFTED
            engine.sees(cells, at=at)
        until = at + 5.0
        while engine.wake_at <= until:
            engine.tick(at=engine.wake_at)
        at = until
    assert [node.move for node in engine.line][-9:] == board.move_stack
    assert begun_with == [*range(1, 9)]


def play_quickly(moves: str, stands: float) -> Watched:
    """Play *moves*, each lifted, put down after 0.2 s, pressed when it stood, and soon answered."""
    game, board = Watched(chess.STARTING_FEN), chess.Board()
    for san in moves.split():
        before, colour = cells_of(board), board.turn
        board.push_san(san)
        after = cells_of(board)
        changed = [at for at in chess.SQUARES if before[at] != after[at]]
        left = [chess.square_name(at) for at in changed if after[at] == "."]
        came = [chess.square_name(at) + after[at] for at in changed if after[at] != "."]
        game.shows(" ".join(left)).waits(0.2).shows(" ".join(came)).waits(stands)
        game.runs_for(board.turn).presses(colour, counted=True).waits(0.1)
    assert [node.move for node in game.engine.line][-len(board.move_stack) :] == board.move_stack
    return game


OPENING = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O"


def test_what_was_seen_whole_and_pressed_is_not_read_again(begun_with: list[int]) -> None:
    """Each position stood for longer than a scan, though for less than would make it certain."""
    play_quickly(OPENING, 0.4)
    assert begun_with == []


def test_a_long_fast_game_is_read_again_from_some_plies_before(begun_with: list[int]) -> None:
    """What came long before is not gone through, and not kept either."""
    game = play_quickly(OPENING + " Na3 Nb8 Nb1 Nc6" * 20, 0.35)
    second_reading = game.engine._course.second
    assert begun_with == []
    start = next(node for node in game.engine.line if second_reading.begins_at(node))
    assert 0 < len(game.engine.line) - game.engine.line.index(start) < 40


def test_nobody_is_woken_for_a_man_who_is_just_in_the_air() -> None:
    """Before what nothing explains is searched: no square shows what might be looked past."""
    game = Watched(chess.STARTING_FEN).shows("g1").waits(0.1)
    assert game.engine.wake_at == pytest.approx(0.6)
    assert game.shows("f3N").waits(0.1).engine.wake_at == pytest.approx(0.3)
