"""What a feed tells of a board, fact by fact."""

from pathlib import Path
from typing import Any

import chess
import msgspec
import pytest

from benchmarks.differ import Differ
from bridge.config import parse
from bridge.core.model import BoardChanged, Fact, MoveSettled, PositionAdopted
from bridge.core.scoresheet.record import Scorebook
from bridge.core.table import Table
from bridge.outputs.livechess.protocol import ClockTimes
from bridge.outputs.livechess.seat import Seat
from bridge.outputs.livechess.view import Start, View
from drivers.cells import cells_of
from tests.livechess import PLACED, START, Play

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
E4_PLACED = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"


class Watch:
    """A view of a seat, told facts one by one; ``told`` are its events."""

    def __init__(self, play: Play, start: str | None = None, sensing: str = "identity") -> None:
        board = f"{{port: /dev/ttyACM0, serial: '45011', sensing: {sensing}}}"
        config = parse(f'tables: [{{table: "1", board: {board}}}]', Path("hall.yaml"))
        self.play = play
        self.book = Scorebook()
        self.table = Table("1")
        self.seat = Seat(config.tables[0], self.table)
        self.take(play.link("live"))
        self.view = View(self.seat, None if start is None else Start.parse(start))
        self.first = self.view.snapshot()
        self.told: list[dict[str, Any]] = []

    def take(self, *facts: Fact) -> None:
        for fact in facts:
            self.seat.apply(fact)
            record = self.book.apply(fact)
            if record is not None:
                self.seat.record = record
            if hasattr(self, "view"):
                self.told += self.view.changes()

    def new(self) -> list[dict[str, Any]]:
        told, self.told = self.told, []
        assert all(event.pop("serialnr") == "45011" for event in told)
        return told


def moves(*sans: str, match: bool = True, start: str = START) -> dict[str, Any]:
    return {"start": start, "san": sans, "match": match}


def test_the_first_event_tells_all() -> None:
    play = Play()
    watch = Watch(play)
    whole = {"serialnr": "45011", "flipped": False, "clock": None}
    assert watch.first == {**whole, "board": None}
    watch.take(*play.start(), *play.plays("e4"))
    assert View(watch.seat).snapshot() == {
        **whole,
        "board": E4_PLACED,
        **moves("e4"),
    }


def test_later_events_tell_what_changed() -> None:
    play = Play()
    watch = Watch(play)
    watch.take(*play.start())
    assert watch.new() == [moves(match=False), {"board": PLACED, "match": True}]
    watch.take(*play.plays("e4"))
    assert watch.new() == [{"board": E4_PLACED, "match": False}, moves("e4")]


def test_a_correction_shrinks_before_it_grows() -> None:
    play = Play()
    watch = Watch(play)
    watch.take(*play.start(), *play.plays("e4", "e5", "Nf3"))
    watch.new()
    withdrawn = play.takes_back(2)
    watch.take(withdrawn, *play.plays("c5"))
    assert [event["san"] for event in watch.new() if "san" in event] == [("e4",), ("e4", "c5")]


def test_a_missed_correction_is_told_in_steps() -> None:
    """Facts were lost: what was told and what is true now may differ in any way."""
    play, differ = Play(), Differ()
    watch = Watch(play)
    watch.take(*play.start(), *play.plays("e4", "e5", "Nf3"))
    for event in watch.new():
        differ.take(event)
    for fact in (play.takes_back(2), *play.plays("c5", "Nf3", "d6")):
        watch.seat.apply(fact)
        watch.book.apply(fact)
    watch.told += watch.view.changes()
    steps = watch.new()
    assert [len(event["san"]) for event in steps] == [1, 2, 3, 4]
    assert [event["match"] for event in steps] == [False, False, False, True]
    assert ["board" in event for event in steps] == [True, False, False, False]
    for event in steps:
        differ.take(event)
    assert differ.board.fen() == play.board.fen()


@pytest.mark.parametrize("what", ["missing", "illegal"])
def test_behind_a_gap_moves_begin_anew(what: str) -> None:
    """The next move would be no legal one behind those before it."""
    play, differ = Play(), Differ()
    watch = Watch(play)
    watch.take(*play.start(), *play.plays("e4", "e5"))
    if what == "missing":
        play.board.set_fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 1 2")
        watch.take(play.fact(PositionAdopted, ply=2, fen=play.board.fen(), reason="test"))
        base = play.board.fen()
        watch.take(play.shows(), *_next(play, 3, "d4"))
    else:
        play.board.push(chess.Move.from_uci("e1e3"))
        watch.take(play.shows(), play.settled("Ke3", basis="stands"))
        base = play.board.fen()
        watch.take(*play.plays("d6"))
    events = watch.new()
    assert events[-1] == moves("d4" if what == "missing" else "d6", start=base)
    for event in events:
        differ.take(event)


def _next(play: Play, ply: int, san: str) -> list[Fact]:
    """A move whose number is not that of the board's own stack."""
    shown, settled = play.plays(san)
    assert isinstance(settled, MoveSettled)
    return [shown, msgspec.structs.replace(settled, ply=ply)]


def test_another_game_begins_without_moves() -> None:
    play = Play()
    watch = Watch(play)
    watch.take(*play.start(), *play.plays("e4"))
    watch.new()
    watch.take(*play.start())
    assert watch.new()[0] == moves(match=False)


# --- setup ----------------------------------------------------------------------------------------


def test_moves_count_from_when_the_given_position_stands() -> None:
    play = Play()
    watch = Watch(play, AFTER_E4)
    assert watch.first["san"] == ()
    assert not watch.first["match"]
    watch.take(*play.start())
    assert watch.new() == [{"board": PLACED}], "no moves until it matches"
    watch.take(*play.plays("e4", "e5", "Nf3"))
    told = watch.new()
    assert told[0] == {"board": E4_PLACED, "match": True}
    assert [event["san"] for event in told if "san" in event] == [("e5",), ("e5", "Nf3")]
    assert told[-1]["start"] == AFTER_E4


def test_setup_empties_the_moves_and_has_any_castling_letters() -> None:
    play = Play()
    watch = Watch(play)
    watch.take(*play.start(), *play.plays("Nf3"))
    here = play.board.fen().replace("KQkq", "qkHA")
    watch.view, event = watch.view.set_up(Start.parse(here))
    placed = play.board.board_fen()
    assert event == {"serialnr": "45011", "board": placed, **moves(start=here)}
    watch.new()
    watch.take(*play.plays("d5"))
    assert watch.new()[-1] == moves("d5", start=here)


def test_a_position_that_is_taken_back_is_waited_for_again() -> None:
    play = Play()
    watch = Watch(play, AFTER_E4)
    watch.take(*play.start(), *play.plays("e4", "e5"))
    watch.new()
    watch.take(play.takes_back(2), play.shows(), *play.plays("d4", "d5"))
    told = watch.new()
    assert told[0] == moves(match=False, start=AFTER_E4)
    assert not any(event.get("san") for event in told)


@pytest.mark.parametrize(
    "fen", ["", "8/8", "rnbqkbnr/8/8/8/8/8/8/XXXXXXXX w", f"{PLACED} z", f"{PLACED} w {'-' * 99}"]
)
def test_what_is_no_position(fen: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Start.parse(fen)


def test_a_position_without_a_turn_is_whites() -> None:
    assert Start.parse(PLACED).turn == "w"


# --- the board ------------------------------------------------------------------------------------


def test_a_board_that_is_away_is_silent_and_then_tells_all() -> None:
    play = Play()
    watch = Watch(play)
    watch.take(*play.start(), *play.plays("e4"))
    watch.new()
    watch.take(play.link("lost"), *play.plays("e5"))
    assert watch.new() == []
    watch.seat.apply(play.link("live"))
    (event,) = watch.view.resume()
    placed = play.board.board_fen()
    assert event == {
        "serialnr": "45011",
        "flipped": False,
        "board": placed,
        "clock": None,
        **moves("e4", "e5"),
    }


def test_a_flip_turns_the_board_and_keeps_the_moves() -> None:
    play = Play()
    watch = Watch(play)
    watch.take(*play.start(), *play.plays("e4"))
    watch.view, event = watch.view.turned(flip=True)
    turned = "RNBKQBNR/PPP1PPPP/8/3P4/8/8/pppppppp/rnbkqbnr"
    assert event == {"serialnr": "45011", "flipped": True, "board": turned}
    watch.new()
    watch.take(*play.plays("e5"))
    assert watch.new()[-1] == moves("e4", "e5")
    watch.view, event = watch.view.turned(flip=False)
    assert event["board"] == play.board.board_fen()


def test_a_board_that_is_seen_to_lie_the_other_way_round() -> None:
    play = Play()
    watch = Watch(play)
    watch.take(*play.start())
    watch.new()
    watch.table._shown.rotated = True
    watch.take(play.shows())
    assert watch.new() == [{"flipped": True}], "placements are White's in any case"


@pytest.mark.parametrize("sensing", ["occupancy", "colour"])
def test_a_board_that_names_no_men_shows_the_settled_position(sensing: str) -> None:
    play = Play()
    watch = Watch(play, sensing=sensing)

    def seen() -> Fact:
        cells = cells_of(play.board)
        letters = [
            "." if c == "." else "?" if sensing == "occupancy" else "Ww"[c.islower()] for c in cells
        ]
        return play.shows("".join(letters))

    watch.take(play.fact(BoardChanged, cells="?" * 64))
    assert watch.view.snapshot()["board"] is None
    begun, _ = play.start()
    watch.take(begun, seen())
    assert watch.new()[-1] == {"match": True}
    _, settled = play.plays("e4")
    watch.take(seen())
    assert watch.new() == [{"match": False}]
    watch.take(settled)
    assert watch.new() == [{"board": E4_PLACED, **moves("e4")}]


def test_a_square_that_nobody_sees_fits_anything() -> None:
    play = Play()
    watch = Watch(play)
    watch.take(*play.start())
    watch.take(play.shows("*" + cells_of(play.board)[1:]))
    assert watch.view.snapshot()["match"]


# --- the clock ------------------------------------------------------------------------------------


def clocks(watch: Watch) -> list[ClockTimes]:
    return [event["clock"] for event in watch.new()]


def test_the_clock_is_told_as_it_was_read() -> None:
    play = Play()
    play.at = 5.25
    watch = Watch(play)
    watch.take(play.clock(5399.9, 5400, "white"))
    (event,) = watch.new()
    assert event["clock"].white == 5399
    assert (event["clock"].run, event["clock"].time) == (True, 1_790_000_005_250)
    watch.take(play.clock(5399.9, 5400, "white", running=False))
    watch.take(play.clock(5399.9, 5400, "black"))
    watch.take(play.clock(5399.9, 5400, None))
    assert [clock.run for clock in clocks(watch)] == [None, False, None]


def test_time_that_goes_by_is_told_once_a_second() -> None:
    play = Play()
    watch = Watch(play)
    for tenth in range(41):
        play.at = tenth / 10
        watch.take(play.clock(100 - play.at, 100, "white"))
    assert [clock.white for clock in clocks(watch)] == [100, 99, 98, 97, 96]
    play.at += 0.1
    watch.take(play.clock(200, 100, "white"))
    assert [clock.white for clock in clocks(watch)] == [200], "a jump is told at once"


def test_a_clock_that_stands_is_told_once() -> None:
    play = Play()
    watch = Watch(play)
    for second in range(3):
        play.at = second
        watch.take(play.clock(100, 100, "white", running=False))
    assert len(clocks(watch)) == 1
    watch.take(play.clock(100, 99.5, "white", running=False))
    assert len(clocks(watch)) == 1


def test_a_clock_that_waited_goes_with_the_next_change() -> None:
    play = Play()
    watch = Watch(play)
    watch.take(*play.start(), play.clock(100, 100, "white"))
    watch.new()
    play.at = 0.5
    watch.take(play.clock(99.5, 100, "white"))
    assert watch.new() == []
    watch.take(*play.plays("e4"))
    (first, second) = watch.new()
    assert first["clock"].white == 99
    assert "clock" not in second
