"""Whole games on rows of simulated DGT boards, each followed at its table, without waiting."""

import pytest

from bridge.core.model import LinkChange
from drivers.boards.dgt.protocol import Command
from drivers.simulated import games
from tests.row_games import Tables

ROW = {1025: "special", 1026: "opera", 16000: "immortal", 77: "evergreen"}
SETTLED = 5.0
MOST_ESTIMATED = 4


def seated(boards: dict[int, str] = ROW, *, seed: int = 1) -> Tables:
    """A row whose games have just begun."""
    tables = Tables(boards, seed=seed)
    tables.goes_on(SETTLED)
    tables.talk.begins()
    return tables


def differences(tables: Tables) -> dict[int, tuple[str, ...]]:
    """What is wrong, by board; each game was really played to its end."""
    for address, game in tables.games.items():
        plies = len(list(games.load(game).mainline_moves()))
        assert len(tables.performances[address].truth().moves) == plies
    verdicts = {address: tables.verdict(address) for address in tables.games}
    return {address: v.differences for address, v in verdicts.items() if v.differences}


def moves_differ(tables: Tables) -> dict[int, list[str]]:
    """Differences other than those of clock times."""
    wrong = {
        address: [text for text in texts if " clock " not in text]
        for address, texts in differences(tables).items()
    }
    return {address: texts for address, texts in wrong.items() if texts}


def test_every_game_of_a_row_is_exact() -> None:
    tables = seated()
    tables.finish()
    assert differences(tables) == {}
    assert all(links == [LinkChange(state="live")] for links in tables.links.values())
    assert {address: tables.verdict(address).estimated for address in ROW} == dict.fromkeys(ROW, 0)


def test_a_full_row_of_twenty_boards() -> None:
    names = games.names()
    tables = seated({1025 + n: names[n % len(names)] for n in range(20)}, seed=2)
    tables.finish()
    assert moves_differ(tables) == {}


def test_moves_made_while_the_line_was_lost_are_told_by_the_boards() -> None:
    """Many moves: far more than could be guessed from the two positions."""
    tables = seated()
    tables.goes_on(15.0)
    before = {address: len(tables.performances[address].truth().moves) for address in ROW}
    tables.loses()
    tables.passes(12.0)
    unseen = [len(tables.performances[a].truth().moves) - before[a] for a in ROW]
    assert min(unseen) >= 4
    tables.returns()
    tables.finish()
    assert moves_differ(tables) == {}
    states = [[change.state for change in links] for links in tables.links.values()]
    assert states == [["live", "lost", "live"]] * len(ROW)


def test_one_board_dead_for_a_while_and_one_for_good() -> None:
    tables = seated()
    tables.goes_on(10.0)
    dead, for_good = tables.talk.row.boards[0], tables.talk.row.boards[3]
    dead.dead = for_good.dead = True
    tables.goes_on(12.0)
    dead.dead = False
    tables.finish()
    assert set(moves_differ(tables)) == {77}
    assert [change.state for change in tables.links[1025]] == ["live", "lost", "live"]
    assert tables.links[77][-1] == LinkChange(state="lost", detail="does not answer")
    assert [change.state for change in tables.links[1026]] == ["live"]


@pytest.mark.parametrize("seed", [1, 2])
def test_damage_on_the_line_costs_no_move(seed: int) -> None:
    tables = seated(seed=seed)
    for row_board in tables.talk.row.boards:
        row_board.board.faults.lose = row_board.board.faults.insert = 0.03
    tables.finish()
    assert moves_differ(tables) == {}


def test_a_short_circuit_and_a_program_that_disturbs_the_row() -> None:
    tables = seated()
    tables.goes_on(8.0)
    tables.talk.row.short = True
    tables.goes_on(8.0)
    tables.talk.row.short = False
    tables.goes_on(8.0)
    tables.talk.row.receive(bytes([Command.SEND_UPDATE_NICE]), at=tables.talk.at)
    tables.finish()
    assert moves_differ(tables) == {}
