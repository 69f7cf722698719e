"""Boards of all kinds of links at once, as the benchmark of all families plays and judges them."""

import math
from collections import Counter
from pathlib import Path
from random import Random

import chess
import pytest

from benchmarks.boards.families import FAMILIES, drawn
from benchmarks.boards.hall import Evening, spend
from benchmarks.boards.seats import Losses, Radio, Seat, Wire
from benchmarks.boards.usage import usage
from benchmarks.boards.verdict import percentile, records, reports, returns
from benchmarks.wire import wandering_game
from drivers.catalogue import all_drivers
from tests.halls import game_file

PLIES = 5


def game(seed: int, plies: int = PLIES) -> list[chess.Move]:
    return list(wandering_game(plies, Random(seed)).mainline_moves())


def test_sixty_boards_are_of_every_driver_that_follows_games() -> None:
    sixty = Counter(family.driver for family in drawn(60))
    assert sixty == {family.driver: family.share for family in FAMILIES}
    assert sixty.total() == 60
    follow = {name for name, codec in all_drivers().items() if codec.info.sensing != "nothing"}
    assert sixty.keys() == follow
    assert len({family.driver for family in drawn(8)}) == 8
    assert len(list(drawn(70))) == 70
    assert {family.wiring for family in drawn(30, ["radio", "usb"])} == {"radio", "usb"}


@pytest.mark.timeout(240)
def test_two_boards_of_every_family_at_once_through_losses_of_their_links(tmp_path: Path) -> None:
    """Twins of a family stand side by side, so that they could be taken for each other."""
    families = [family for family in FAMILIES for _ in range(2)]
    evening = spend(
        tmp_path,
        families,
        [game(seed) for seed in range(len(families))],
        losses=Losses(between=(2.0, 5.0), away=(0.3, 1.5)),
        seed=1,
        radio=Radio(connect_seconds=0.1),
    )
    judged = records(tmp_path, evening)
    wrong = {record.seat.family.driver for record in judged if not record.exact}
    assert not wrong
    told = list(returns(evening))
    assert {wiring for wiring, _ in told} == {"serial", "row", "usb", "radio"}
    assert max(seconds for _, seconds in told) < math.inf
    games, links, cost = reports(evening, judged)
    boards = len(families)
    assert games.rows[-1][:6] == ("all", "", f"{boards}", f"{boards}", f"{boards * PLIES}", "0")
    assert {row[2] for row in games.rows[:-1]} == {"2"}
    assert [row[0] for row in links.rows] == ["serial", "row", "usb", "radio"]
    assert all(float(row[1].split()[0]) >= 0 for row in cost.rows[:3])


def seat(folder: Path, number: int, moves: list[chess.Move]) -> Seat:
    family = FAMILIES[0]
    return Seat(
        number=number,
        family=family,
        board=family.make(number),
        moves=moves,
        seed=number,
        ports=folder,
    )


class Nowhere:
    """A port of which nothing is asked."""

    def plug(self) -> None: ...
    def unplug(self) -> None: ...
    def wake(self) -> None: ...
    def close(self) -> None: ...


def evening(seats: list[Seat], back: list[float], lives: list[float]) -> Evening:
    wires = [
        Wire(
            port=Nowhere(),
            seats=[one],
            live_since=lambda _: math.inf,
            losses=Losses(),
            rng=Random(1),
            returns=back,
        )
        for one in seats
    ]
    now = usage()
    told = {one.table: lives for one in seats}
    return Evening(seats=seats, wires=wires, lives=told, idle=now, begun=now, ended=now)


def test_games_are_judged_by_what_was_played(tmp_path: Path) -> None:
    moves = [chess.Move.from_uci(uci) for uci in ("e2e4", "e7e5", "g1f3")]
    written = ("1. e4 e5 2. Nf3", "1. e4 c5", "1. e4 e5 2. Nf3 Nc6")
    for number, text in enumerate(written, 1):
        file = game_file(tmp_path, number)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text} *\n", "utf-8")
    seats = [seat(tmp_path, number, moves) for number in range(1, 5)]
    judged = records(tmp_path, evening(seats, [], []))
    assert [(one.wrong, one.missing) for one in judged] == [(0, 0), (1, 1), (1, 0), (0, 3)]
    assert [one.exact for one in judged] == [True, False, False, False]


def test_a_return_lasts_until_the_next_time_that_it_is_told_live(tmp_path: Path) -> None:
    told = returns(evening([seat(tmp_path, 1, [])], back=[10.0, 20.0, 30.0], lives=[1.0, 12.5, 21]))
    assert list(told) == [("serial", 2.5), ("serial", 1.0), ("serial", math.inf)]


def test_percentiles_are_values_that_were_measured() -> None:
    assert [percentile(range(1, 41), part) for part in (50, 95, 100)] == [20, 38, 40]
