"""Games that are pushed to Lichess: each board is there once, with its moves, whatever happens."""

import asyncio
import contextlib
import dataclasses
import logging
import re
import sqlite3
import time
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import web

from bridge.config.delays import Delay
from bridge.config.lichess import LichessSettings
from bridge.core.model import Fact
from bridge.outputs.feed import Feed
from bridge.outputs.lichess.api import (
    Answer,
    BusyError,
    LichessApi,
    LichessError,
    LostError,
    RefusedError,
    token_of,
)
from bridge.outputs.lichess.broadcast import Broadcast
from bridge.outputs.lichess.games import game_of
from bridge.outputs.lichess.matching import Boards
from bridge.outputs.lichess.pusher import Pauses
from bridge.outputs.lichess.round_pusher import OUTPUT, content_of
from bridge.outputs.lichess.states import check, key_of, state_of
from bridge.outputs.patience import seconds_to_wait
from bridge.store.outbox import Outbox
from testbed.fake_lichess import TOKEN, FakeLichess, Trouble
from tests.bridge.scoresheets import adopted, line, record_of, stands
from tests.lichess import (
    FAST,
    ROUND,
    Table,
    broadcast,
    eventually,
    expected,
    feed_of,
    settings,
    setup,
    shown,
)

Play = Callable[[FakeLichess, Feed, LichessSettings], Awaitable[None]]


def play(folder: Path, script: Play, *, delay: Delay | None = None) -> FakeLichess:
    """Run a script beside a fake Lichess with one round."""

    async def main() -> FakeLichess:
        lichess = FakeLichess()
        lichess.add_round(ROUND)
        async with lichess.serving() as url:
            feed = feed_of(delay=delay or Delay())
            await script(lichess, feed, settings(url, folder))
        return lichess

    return asyncio.run(main())


def test_a_round_goes_out_in_board_order_and_then_what_changes(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        tables = [Table(feed.tell, number) for number in (10, 2, 1, 3)]
        first_moves = {1: "e4", 2: "d4", 3: "c4", 10: "Nf3"}
        async with broadcast(feed, wanted, tmp_path):
            for table in tables:
                table.starts()
                table.plays(first_moves[table.number])
            await eventually(lambda: len(shown(lichess.rounds[ROUND])) == 4)
            await eventually(lambda: "c4" in lichess.bodies[-1])
            pushes = len(lichess.bodies)
            tables[0].plays("Nf6")
            await eventually(lambda: len(lichess.bodies) > pushes)
        assert shown(lichess.rounds[ROUND]) == expected(sorted(tables, key=lambda t: t.number))
        assert lichess.bodies[-1].count("[Event ") == 1
        assert lichess.most_at_once == 1

    play(tmp_path, script)


def test_every_ply_has_a_clock_and_the_tags_are_those_lichess_keeps(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        table = Table(feed.tell, 7)
        async with broadcast(feed, wanted, tmp_path):
            table.starts(tags={"WhiteElo": "2301", "Arbiter2": "x", "BlackFideId": "24176"})
            table.plays("e4", "e5")
            table.ends("1/2-1/2", "agreement")
        (chapter,) = lichess.rounds[ROUND].chapters
        assert chapter.clocks == [5390, 5380]
        assert chapter.tags.pop("GameId")
        assert chapter.tags == {
            "Event": "Harbour Open",
            "Site": "Delft",
            "Round": "1.7",
            "Board": "7",
            "White": "White, Player 7",
            "Black": "Black, Player 7",
            "Result": "1/2-1/2",
            "WhiteElo": "2301",
            "BlackFideId": "24176",
            "TimeControl": "5400+30",
            "Termination": "normal",
        }
        assert lichess.rounds[ROUND].finished

    play(tmp_path, script)


def test_names_and_boards_are_corrected_without_a_second_board(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        one, two, three = (Table(feed.tell, number) for number in (1, 2, 3))
        async with broadcast(feed, wanted, tmp_path):
            for table in (one, two, three):
                table.starts()
            await eventually(lambda: len(shown(lichess.rounds[ROUND])) == 3)
            two.is_that_of(setup(2, white="Right, Name"))
            await eventually(lambda: "Right, Name" in lichess.bodies[-1])
            assert shown(lichess.rounds[ROUND]) == expected([one, two, three])
            one.plays("e4")
            three.plays("e4")
            await eventually(lambda: shown(lichess.rounds[ROUND])[2][2] == ["e2e4"])
            assert shown(lichess.rounds[ROUND]) == expected([one, two, three])
        assert shown(lichess.rounds[ROUND]) == expected([one, two, three])

    play(tmp_path, script)


def test_swapped_boards_come_into_their_order_when_that_is_safe(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        one, two, three = (Table(feed.tell, number) for number in (1, 2, 3))
        round_ = lichess.rounds[ROUND]
        async with broadcast(feed, wanted, tmp_path):
            for table in (one, two, three):
                table.starts()
                table.plays("e4", "e5", "Nf3")
            await eventually(lambda: len(round_.chapters) == 3)
            first, second = setup(1), setup(2)
            one.is_that_of(second)
            two.is_that_of(first)
            # Three games with the same moves: Lichess could not tell them apart by anything else.
            await eventually(lambda: shown(round_) == expected([one, two, three]))
            one.plays("Nc6")
            two.plays("Nf6")
            await eventually(lambda: round_.chapters[0].tags["Board"] == "1", "the right order")
            three.plays("d6")
        assert shown(round_) == expected([two, one, three])
        assert len(round_.chapters) == 3
        assert [chapter.variations for chapter in round_.chapters] == [[], [], []]

    play(tmp_path, script)


def test_a_correction_becomes_the_main_line_when_play_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        table = Table(feed.tell, 1)
        round_ = lichess.rounds[ROUND]
        async with broadcast(feed, wanted, tmp_path) as output:
            table.starts()
            table.plays("e4", "e5", "Bc4")
            await eventually(lambda: round_.chapters[0].live == 3)
            table.withdraws(1)
            await eventually(lambda: round_.chapters[0].live == 2, "the shorter game")
            assert round_.chapters[0].moves == ["e2e4", "e7e5", "f1c4"], "nothing is taken back"
            behind = "Lichess goes on showing 1 plies behind them, now withdrawn"
            await eventually(
                lambda: [each.trouble for each in output.pusher.states.values()] == [behind], behind
            )
            table.plays("Nf3")
            await eventually(lambda: round_.chapters[0].live == 3, "the corrected game")
            assert round_.chapters[0].moves == table.moves
            assert round_.chapters[0].variations == [["e2e4", "e7e5", "f1c4"]]
            table.plays("Nc6")
        (state,) = output.pusher.states.values()
        assert (state.plies, state.trouble) == (4, "")
        assert round_.chapters[0].moves == table.moves

    play(tmp_path, script)
    assert "goes on showing" in caplog.text


def test_an_illegal_move_that_stands_ends_what_can_be_shown(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        table = Table(feed.tell, 1)
        async with broadcast(feed, wanted, tmp_path):
            table.starts()
            table.plays("e4", "e5")
            feed.tell(stands(table.board.copy(), "e1e3", "Ke3", 3))
            feed.tell(adopted(3, table.board.fen()))
            table.ends("0-1", "illegal")
        (chapter,) = lichess.rounds[ROUND].chapters
        assert chapter.moves == ["e2e4", "e7e5"]
        assert chapter.tags["Result"] == "0-1"
        assert chapter.tags["Termination"] == "rules infraction"

    play(tmp_path, script)


@pytest.mark.parametrize("trouble", ["busy", "broken", "before", "after", "echo"])
def test_trouble_delays_and_loses_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, trouble: Trouble
) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        tables = [Table(feed.tell, number) for number in (1, 2, 3)]
        lichess.trouble.extend([trouble, trouble, None, trouble])
        async with broadcast(feed, wanted, tmp_path) as output:
            for table in tables:
                table.starts()
                table.plays("e4", "c5", "Nf3")
            await eventually(lambda: len(lichess.rounds[ROUND].chapters) == 3)
            for table, san in zip(tables, ("d6", "e6", "Nc6"), strict=True):
                table.plays(san)
            await eventually(lambda: shown(lichess.rounds[ROUND]) == expected(tables))
            await eventually(lambda: output.pusher.states and not output.pusher.troubles)
        assert lichess.most_at_once == 1

    with caplog.at_level(logging.DEBUG):
        play(tmp_path, script)
    assert "what is to be pushed is kept" in caplog.text
    assert "round 1 is pushed to AbCd1234" in caplog.text
    assert TOKEN not in caplog.text


def test_a_line_that_cannot_be_reached_is_waited_for(tmp_path: Path) -> None:
    async def main() -> None:
        lichess = FakeLichess()
        round_ = lichess.add_round(ROUND)
        async with lichess.serving() as url:
            port = int(url.rpartition(":")[2])
        feed, wanted = feed_of(), settings(url, tmp_path)
        table = Table(feed.tell, 1)
        async with broadcast(feed, wanted, tmp_path) as output:
            table.starts()
            table.plays("e4")
            await eventually(lambda: output.pusher.troubles)
            assert "cannot be reached" in output.pusher.troubles[""]
            async with lichess.serving(port):
                await eventually(lambda: round_.chapters[0].moves == ["e2e4"])
                await eventually(lambda: not output.pusher.troubles)

    asyncio.run(main())


def test_the_delay_is_that_of_the_feed(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        table = Table(feed.tell, 1)
        async with broadcast(feed, wanted, tmp_path):
            table.starts()
            table.plays("e4", "e5", "Nf3", "Nc6")
            table.withdraws(1)
            table.plays("Nf6")
        assert lichess.rounds[ROUND].chapters[0].moves == ["e2e4", "e7e5"]
        assert lichess.rounds[ROUND].chapters[0].variations == []

    play(tmp_path, script, delay=Delay(moves=1))


def test_boards_are_there_before_their_games_begin(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        planned = [(str(number), setup(number)) for number in (3, 1, 2)]
        tables = [Table(feed.tell, number) for number in (1, 2, 3)]
        async with broadcast(feed, wanted, tmp_path, planned=planned):
            await eventually(lambda: len(shown(lichess.rounds[ROUND])) == 3)
            for table in reversed(tables):
                table.starts()
                table.plays("d4")
        assert shown(lichess.rounds[ROUND]) == expected(tables)

    play(tmp_path, script)


def test_a_game_without_names_is_told_and_comes_when_they_do(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        one, two = Table(feed.tell, 1), Table(feed.tell, 2)
        async with broadcast(feed, wanted, tmp_path) as output:
            one.starts()
            two.starts(white="?")
            await eventually(lambda: len(lichess.bodies) == 1)
            assert output.troubles() == [], "nobody may play there"
            two.plays("e4")
            await eventually(output.troubles)
            assert "table 2: White has no name" in caplog.text
            (told,) = output.troubles()
            assert told.startswith("lichess: round 1, table 2: White has no name")
            two.is_that_of(setup(2))
            await eventually(lambda: not output.troubles())
        assert shown(lichess.rounds[ROUND]) == expected([one, two])

    play(tmp_path, script)


def test_a_board_that_was_set_up_twice_is_one_game(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        table = Table(feed.tell, 1)
        async with broadcast(feed, wanted, tmp_path):
            table.starts()
            await eventually(lambda: lichess.bodies)
            table.starts()
            table.plays("e4")
        assert shown(lichess.rounds[ROUND]) == expected([table])

    play(tmp_path, script)


def test_after_a_restart_nothing_is_pushed_that_lichess_has(tmp_path: Path) -> None:
    async def main() -> None:
        lichess = FakeLichess()
        lichess.add_round(ROUND)
        facts: list[Fact] = []
        tables = [Table(facts.append, number) for number in (1, 2)]
        for table in tables:
            table.starts()
            table.plays("e4", "e5")
        async with lichess.serving() as url:
            wanted = settings(url, tmp_path)
            async with broadcast(feed_of(facts), wanted, tmp_path):
                await eventually(lambda: lichess.bodies)
            pushes = len(lichess.bodies)
            async with broadcast(feed_of(facts), wanted, tmp_path):
                pass
            assert len(lichess.bodies) == pushes
            tables[1].plays("Nf3")
            async with broadcast(feed_of(facts), wanted, tmp_path):
                pass
            assert lichess.bodies[-1].count("[Event ") == 2, "one could be taken for the other"
            assert shown(lichess.rounds[ROUND]) == expected(tables)
            # Another round is another place, where nothing is yet.
            lichess.add_round("Other123")
            elsewhere = settings(url, tmp_path, rounds={"1": "Other123"})
            async with broadcast(feed_of(facts), elsewhere, tmp_path):
                pass
            assert shown(lichess.rounds["Other123"]) == expected(tables)

    asyncio.run(main())


def test_after_a_restart_only_what_changed_goes_out_and_what_was_deleted(tmp_path: Path) -> None:
    async def main() -> None:
        lichess = FakeLichess()
        round_ = lichess.add_round(ROUND)
        facts: list[Fact] = []
        tables = [Table(facts.append, number) for number in (1, 2, 3)]
        for table, first in zip(tables, ("e4", "d4", "c4"), strict=True):
            table.starts()
            table.plays(first)
        async with lichess.serving() as url:
            wanted = settings(url, tmp_path)
            async with broadcast(feed_of(facts), wanted, tmp_path):
                await eventually(lambda: shown(round_) == expected(tables))
            tables[2].plays("e5")
            async with broadcast(feed_of(facts), wanted, tmp_path):
                await eventually(lambda: shown(round_) == expected(tables))
            assert lichess.bodies[-1].count("[Event ") == 1
            del round_.chapters[1:]
            tables[2].plays("Nc3")
            async with broadcast(feed_of(facts), wanted, tmp_path):
                await eventually(lambda: shown(round_) == expected(tables))

    asyncio.run(main())


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ("token", "it does not know the token"),
        ("contributor", "is no contributor of the broadcast"),
        ("round", "it has no such round"),
        ("source", "remove its source"),
    ],
)
def test_what_a_person_has_to_put_right_is_told_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, wrong: str, text: str
) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        assert wanted.token_file is not None
        table = Table(feed.tell, 1)
        round_ = lichess.rounds[ROUND]
        if wrong == "token":
            wanted.token_file.write_text("lip_anotherSecret")
        lichess.contributor = wrong != "contributor"
        round_.upstream = wrong == "source"
        if wrong == "round":
            del lichess.rounds[ROUND]
        async with broadcast(feed, wanted, tmp_path) as output:
            table.starts()
            table.plays("e4")
            await eventually(lambda: output.pusher.troubles)
            assert text in output.pusher.troubles["1"]
            wanted.token_file.write_text(TOKEN)
            lichess.contributor, round_.upstream = True, False
            lichess.rounds[ROUND] = round_
            await eventually(lambda: round_.chapters[0].moves == ["e2e4"])

    play(tmp_path, script)
    assert text in caplog.text
    assert "lip_" not in caplog.text


def test_a_round_that_is_nowhere_stops_no_other_and_can_be_named_later(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        lichess.add_round("Second12")
        table = Table(feed.tell, 1)
        async with broadcast(feed, wanted, tmp_path) as output:
            table.starts("2")
            table.plays("d4")
            await eventually(lambda: output.pusher.troubles)
            assert output.troubles() == [
                "lichess: round 2: 'lichess: rounds' has no round 2: add it, or a tournament"
            ]
            Table(feed.tell, 2).starts("1")
            await eventually(lambda: lichess.rounds[ROUND].chapters[0].tags)
            named = settings(lichess.url, tmp_path, rounds={"1": ROUND, "2": "Second12"})
            output.seat((), named)
            await eventually(lambda: lichess.rounds["Second12"].chapters[0].moves == ["d2d4"])

    play(tmp_path, script)


def test_rounds_of_a_tournament_are_found_or_created_once(tmp_path: Path) -> None:
    async def main() -> None:
        lichess = FakeLichess(tournaments={"Tour0001": ["There001"]})
        lichess.add_round("There001", "Round 2")
        feed = feed_of()
        table = Table(feed.tell, 1)
        async with lichess.serving() as url:
            wanted = settings(url, tmp_path, rounds={}, tournament="Tour0001")
            # The list, then a creation whose answer is lost, then the list again.
            lichess.trouble.extend([None, "after"])
            async with broadcast(feed, wanted, tmp_path):
                table.starts("1")
                table.plays("e4")
                await eventually(lambda: len(lichess.bodies) == 1)
                table.ends("1-0")
                table.starts("2")
                table.plays("d4")
                await eventually(lambda: lichess.rounds["There001"].chapters[0].moves)
        assert [each.name for each in lichess.rounds.values()] == ["Round 2", "Round 1"]
        assert len(lichess.tournaments["Tour0001"]) == 2
        (chapter,) = lichess.rounds["Made0002"].chapters
        assert (chapter.moves, chapter.tags["Result"]) == (["e2e4"], "1-0")

    asyncio.run(main())


def test_a_hundred_games_are_shown_and_the_others_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        planned = [(str(number), setup(number)) for number in range(1, 103)]
        async with broadcast(feed, wanted, tmp_path, planned=planned):
            pass
        round_ = lichess.rounds[ROUND]
        assert len(round_.chapters) == 100
        assert round_.chapters[-1].tags["Board"] == "100"
        assert "table 101, 0 plies: Lichess shows no more than 100 games" in caplog.text

    play(tmp_path, script)


def test_after_a_restart_a_crowded_round_is_not_pushed_again(tmp_path: Path) -> None:
    async def main() -> None:
        lichess = FakeLichess()
        lichess.add_round(ROUND)
        facts: list[Fact] = []
        planned = [(str(number), setup(number)) for number in range(1, 103)]
        played = Table(facts.append, 1)
        played.starts()
        async with lichess.serving() as url:
            wanted = settings(url, tmp_path)
            async with broadcast(feed_of(facts), wanted, tmp_path, planned=planned):
                pass
            assert lichess.bodies[-1].count("[Event ") == 100
            played.plays("e4")
            async with broadcast(feed_of(facts), wanted, tmp_path, planned=planned):
                pass
            assert lichess.bodies[-1].count("[Event ") == 1

    asyncio.run(main())


def test_a_game_that_is_refused_holds_up_no_other_and_comes_when_it_changes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        tables = [Table(feed.tell, number) for number in (1, 2, 3)]
        round_ = lichess.rounds[ROUND]
        round_.refused = {"White, Player 2"}
        async with broadcast(feed, wanted, tmp_path) as output:
            for table in tables:
                table.starts()
                table.plays("e4")
            await eventually(lambda: shown(round_) == expected([tables[0], tables[2]]))
            pushes = len(lichess.bodies)
            tables[2].plays("e5")
            await eventually(lambda: len(lichess.bodies) > pushes)
            assert "White, Player 2" not in lichess.bodies[-1]
            await eventually(lambda: len(output.pusher.states) == 3)
            troubles = {state.table: state.trouble for state in output.pusher.states.values()}
            assert troubles["2"].startswith("Lichess refuses it: Error parsing PGN")
            (told,) = output.troubles()
            assert told.startswith("lichess: round 1, table 2: Lichess refuses it")
            round_.refused.clear()
            tables[1].plays("c5")
            await eventually(lambda: len(round_.chapters) == 3)
            await eventually(lambda: shown(round_) == expected(tables), "the order of boards")
        assert not any(state.trouble for state in output.pusher.states.values())

    play(tmp_path, script)
    assert "round 1, table 2, 1 plies: Lichess refuses it: Error parsing PGN" in caplog.text


def test_a_disk_that_refuses_is_waited_for(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        table = Table(feed.tell, 1)
        round_ = lichess.rounds[ROUND]
        with contextlib.closing(sqlite3.connect(tmp_path / "outbox.sqlite3")) as other:
            async with broadcast(feed, wanted, tmp_path) as output:
                other.execute(
                    "CREATE TRIGGER full BEFORE INSERT ON notes"
                    " BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
                )
                table.starts()
                table.plays("e4")
                await eventually(lambda: output.pusher.troubles)
                assert "the disk is full" in output.pusher.troubles[""]
                assert lichess.bodies == [], "what cannot be noted is not done"
                other.execute("DROP TRIGGER full")
                await eventually(lambda: round_.chapters[0].moves == ["e2e4"])
                await eventually(lambda: not output.pusher.troubles)

    play(tmp_path, script)


def test_who_may_not_read_the_round_goes_by_what_was_noted(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        tables = [Table(feed.tell, number) for number in (1, 2)]
        lichess.readable = False
        async with broadcast(feed, wanted, tmp_path):
            for table in tables:
                table.starts()
                table.plays("e4")
            await eventually(lambda: shown(lichess.rounds[ROUND]) == expected(tables))
            lichess.trouble.append("after")
            tables[1].plays("e5")
            await eventually(lambda: not lichess.trouble)
            tables[0].plays("c5")
            await eventually(lambda: shown(lichess.rounds[ROUND]) == expected(tables))
        assert "GET /api/broadcast/round/AbCd1234.pgn" in lichess.calls

    play(tmp_path, script)


def test_what_lichess_understood_of_a_game_is_told() -> None:
    boards = Boards()
    game = game_of(record_of(*line("e4 e5")), 1)
    boards.expect([game])
    state = state_of(boards, game, Answer(moves=1))
    assert (state.plies, state.trouble) == (1, "Lichess understood 1 of them")


def test_answers_that_are_those_of_other_games_are_no_answers() -> None:
    game = game_of(record_of(*line("e4 e5")), 1)
    with pytest.raises(LostError, match="answers for 0 of 1 games"):
        check([], [game])


def test_what_somebody_deletes_there_comes_back_while_the_round_is_played(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        tables = [Table(feed.tell, number) for number in (1, 2, 3)]
        round_ = lichess.rounds[ROUND]
        often = dataclasses.replace(FAST, all_again=0.1)
        async with broadcast(feed, wanted, tmp_path, pauses=often):
            for table in tables:
                table.starts()
                table.plays("e4")
            await eventually(lambda: shown(round_) == expected(tables))
            del round_.chapters[1:]
            await eventually(lambda: shown(round_) == expected(tables), "what was deleted")
            for table in tables:
                table.ends("1/2-1/2")
            await eventually(lambda: round_.finished)
            await asyncio.sleep(0.3)
            pushes = len(lichess.bodies)
            await asyncio.sleep(0.3)
            assert len(lichess.bodies) == pushes, "a round that is over stays as it is"

    play(tmp_path, script)


def test_an_outbox_that_cannot_be_read_is_waited_for(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        table = Table(feed.tell, 1)
        path = tmp_path / "outbox.sqlite3"
        Outbox(path).close()
        with Outbox(path) as outbox, contextlib.closing(sqlite3.connect(path)) as other:
            output = Broadcast(wanted, outbox, feed.bus, feed.book.records, pauses=FAST)
            other.execute("ALTER TABLE notes RENAME TO hidden")
            async with feed, output:
                await eventually(output.troubles)
                other.execute("ALTER TABLE hidden RENAME TO notes")
                table.starts()
                table.plays("e4")
                await eventually(lambda: lichess.rounds[ROUND].chapters[0].moves)

    play(tmp_path, script)


def test_what_waits_in_an_unknown_form_or_for_another_place_is_forgotten(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        game = game_of(record_of(*line("e4 e5", setup=setup(9))), 1)
        with Outbox(tmp_path / "outbox.sqlite3") as outbox:
            outbox.put(
                OUTPUT, {"x": b"?", "z": b'{"round": "\xff"}', "Strange1:y": content_of(game)}
            )
        table = Table(feed.tell, 1)
        async with broadcast(feed, wanted, tmp_path):
            table.starts()
        assert shown(lichess.rounds[ROUND]) == expected([table])
        with Outbox(tmp_path / "outbox.sqlite3") as outbox:
            assert outbox.waiting(OUTPUT) == []

    with caplog.at_level(logging.INFO):
        play(tmp_path, script)
    assert "3 games are no longer to go where they were" in caplog.text


def test_what_waits_for_the_right_place_goes_out_though_no_journal_tells_of_it(
    tmp_path: Path,
) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        game = game_of(record_of(*line("e4 e5", setup=setup(9))), 1)
        with Outbox(tmp_path / "outbox.sqlite3") as outbox:
            outbox.put(OUTPUT, {key_of(wanted, game): content_of(game)})
        async with broadcast(feed, wanted, tmp_path):
            await eventually(lambda: lichess.rounds[ROUND].chapters[0].moves)

    play(tmp_path, script)


@pytest.mark.parametrize(
    ("status", "body", "kind", "text"),
    [
        (302, "", RefusedError, "answers 302"),
        (400, '{"error": "no PGN"}', RefusedError, "answers 400: no PGN"),
        (404, "", RefusedError, "answers 404; it has no such round"),
        (429, '{"error": "slow\\n down"}', BusyError, "answers 429: slow down"),
        (503, "<html>", LostError, "answers 503"),
        (200, "<html>", LostError, "an answer is not understood"),
        (200, '{"a":' * 2000, LostError, "an answer is not understood"),
        (200, '{"games": [{"moves": "many"}]}', LostError, "an answer is not understood"),
        (500, '["error"]', LostError, "answers 500"),
        (500, '{"error":' * 2000, LostError, "answers 500"),
    ],
)
def test_answers_by_what_to_do(status: int, body: str, kind: type[LichessError], text: str) -> None:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(status=status, text=body, headers={"Location": "https://example.org/"})

    async def main() -> None:
        app = web.Application()
        app.router.add_post("/api/broadcast/round/AbCd1234/push", answer)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        server = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            async with LichessApi(server, lambda: TOKEN) as api:
                with pytest.raises(kind, match=re.escape(text)) as raised:
                    await api.push(ROUND, "*")
        finally:
            await runner.cleanup()
        assert raised.type is kind
        assert TOKEN not in f"{raised.value!r}{''.join(traceback.format_exception(raised.value))}"

    asyncio.run(main())


def test_a_server_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.outputs.lichess.api.LONGEST_ANSWER", 0.05)

    async def main() -> None:
        writers: list[asyncio.StreamWriter] = []
        server = await asyncio.start_server(lambda _, writer: writers.append(writer), "127.0.0.1")
        async with server:
            port = server.sockets[0].getsockname()[1]
            async with LichessApi(f"http://127.0.0.1:{port}", lambda: TOKEN) as api:
                with pytest.raises(LostError, match="does not answer"):
                    await api.my_rounds()
            for writer in writers:
                writer.close()
                await writer.wait_closed()

    asyncio.run(main())


def test_whether_it_may_push_is_asked_when_all_else_is_done() -> None:
    async def main() -> None:
        lichess, may = FakeLichess(), asyncio.Event()
        lichess.add_round(ROUND)
        async with lichess.serving() as url, LichessApi(url, lambda: TOKEN, may.is_set) as api:
            pushing = asyncio.create_task(api.push(ROUND, "1. e4 *"))
            await asyncio.sleep(0.3)
            assert lichess.bodies == [], "another machine may push now"
            may.set()
            assert len(await pushing) == len(lichess.bodies) == 1

    asyncio.run(main())


def test_the_token_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    settings_ = LichessSettings(tournament="AbCd1234")
    monkeypatch.setenv("LICHESS_TOKEN", f" {TOKEN}\n")
    assert token_of(settings_) == TOKEN
    monkeypatch.setenv("LICHESS_TOKEN", "")
    with pytest.raises(RefusedError, match="no token in the environment variable LICHESS_TOKEN"):
        token_of(settings_)


def test_a_round_without_a_number_is_asked_for(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, _wanted: LichessSettings) -> None:
        wanted = settings(lichess.url, tmp_path, rounds={}, tournament="AbCd1234")
        async with broadcast(feed, wanted, tmp_path) as output:
            Table(feed.tell, 1).starts("?")
            await eventually(output.troubles)
            assert output.troubles() == [
                "lichess: round ?: which round is it? Write 'event: round'"
            ]

    play(tmp_path, script)


def test_after_too_many_requests_there_is_a_minute_of_silence() -> None:
    for failures in range(1, 20):
        assert seconds_to_wait(failures, first=Pauses().busy, longest=Pauses().longest) >= 60


def test_a_pause_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, wanted: LichessSettings) -> None:
        until = time.time() + 0.4
        with Outbox(tmp_path / "outbox.sqlite3") as outbox:
            outbox.failed(OUTPUT, retry_at=until)
        longer = dataclasses.replace(FAST, longest=10.0)
        async with broadcast(feed, wanted, tmp_path, pauses=longer):
            Table(feed.tell, 1).starts()
            await eventually(lambda: lichess.calls)
            assert time.time() >= until

    play(tmp_path, script)


def test_groups_that_are_kept_apart_have_rounds_of_their_own(tmp_path: Path) -> None:
    async def script(lichess: FakeLichess, feed: Feed, _wanted: LichessSettings) -> None:
        juniors = lichess.add_round("Junior01")
        rounds = {"1": ROUND, "Juniors 1": "Junior01"}
        wanted = settings(lichess.url, tmp_path, rounds=rounds)
        one, two = Table(feed.tell, 1), Table(feed.tell, 2)
        planned = [("3", setup(3, section="Juniors"))]
        async with broadcast(feed, wanted, tmp_path, planned=planned):
            one.starts()
            two.starts(section="Juniors", board=1)
            one.plays("e4")
            two.plays("e4")
        assert shown(lichess.rounds[ROUND]) == expected([one])
        assert [chapter.tags["Round"] for chapter in juniors.chapters] == ["1.1", "1.3"]
        assert juniors.chapters[0].moves == ["e2e4"]

    play(tmp_path, script)
