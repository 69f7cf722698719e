"""A game as Lichess takes it."""

import chess
import pytest

from bridge.core.model import Fact, GameEnded, Result, TableSetup
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.lichess.games import Game, lichess_time_control, round_games
from bridge.outputs.lichess.rounds import round_title
from testbed.lichess_rounds import parse, time_control
from tests.bridge.scoresheets import (
    adopted,
    broken_game,
    ended,
    line,
    random_game,
    record_of,
    settled,
    stands,
    started,
    timed,
)


def game_of(record: GameRecord) -> Game:
    (game,) = round_games([record])
    return game


def tags_of(setup: TableSetup) -> dict[str, str]:
    return dict(game_of(record_of(started(setup=setup))).tags)


@pytest.mark.parametrize(
    ("text", "sent", "seconds"),
    [
        ("5400+30", "5400+30", (5400, 30)),
        ("40/5400+30:1800+30", "5400+30", (5400, 30)),
        ("40/7200:3600", "7200+0", (7200, 0)),
        ("180+2", "3+2", (180, 2)),
        ("60", "1+0", (60, 0)),
        ("181+2", "181+2", (181, 2)),
        ("W300-B240", "300+0", (300, 0)),
    ],
)
def test_lichess_reads_the_first_period_as_it_is_meant(
    text: str, sent: str, seconds: tuple[int, int]
) -> None:
    assert lichess_time_control(text) == sent
    assert time_control(sent) == seconds
    assert tags_of(TableSetup(time_control=text))["TimeControl"] == sent


@pytest.mark.parametrize("text", ["?", "-", "*180", "90+5", "an hour"])
def test_a_time_control_that_lichess_would_misread_is_not_sent(text: str) -> None:
    assert lichess_time_control(text) is None


@pytest.mark.parametrize("text", ["40/5400+30:1800+30", "40/7200:3600", "-", "?"])
def test_lichess_does_not_read_the_tag_of_the_standard(text: str) -> None:
    assert time_control(text) is None


def test_lichess_takes_180_for_minutes() -> None:
    assert time_control("180+2") == (180 * 60, 2)


@pytest.mark.parametrize("seed", range(12))
def test_any_game_comes_through_with_its_moves_and_clocks(seed: int) -> None:
    record = record_of(*random_game(seed))
    game = game_of(record)
    found = parse(game.pgn)
    assert found.moves == [
        chess.Board(fen, chess960=record.setup.chess960).parse_san(ply.san).uci()
        for fen, ply in zip(
            [record.fen, *(p.fen_after for p in record.plies)], record.plies, strict=False
        )
    ]
    last: dict[str, int | None] = {}
    for ply, clock in zip(record.plies, found.clocks, strict=True):
        if ply.clk_ms is not None:
            last[ply.colour] = ply.clk_ms // 1000
        assert clock == last.get(ply.colour), "where none was read, it is the last known one"
    assert found.tags["Result"] == record.result
    assert found.tags["White"] == "Łódzki, Żaneta"
    assert found.tags["Black"] == 'O"Neil, Back\\slash'
    assert len(found.moves) == game.plies


@pytest.mark.parametrize("seed", range(12))
def test_what_lichess_cannot_show_ends_the_game_and_is_no_error(seed: int) -> None:
    record = record_of(*broken_game(seed))
    game = game_of(record)
    assert len(parse(game.pgn).moves) == game.plies


def test_an_illegal_move_that_stands_leaves_the_legal_moves_and_the_result() -> None:
    facts = list(line("e4 e5"))
    board = chess.Board()
    board.push_san("e4")
    board.push_san("e5")
    facts += [stands(board, "e1e3", "Ke3", 3), adopted(3, board.fen())]
    facts += [
        settled(board, next(iter(board.legal_moves)), 4),
        timed(4, 1000),
        ended("0-1", "time"),
    ]
    game = game_of(record_of(*facts))
    assert game.moves == "1. e4 1... e5 0-1"
    assert dict(game.tags)["Termination"] == "time forfeit"
    assert game.plies == 2


@pytest.mark.parametrize("result", ["0-0", "1/2-0", "0-1/2"])
def test_results_that_only_lichess_knows_are_tags(result: Result) -> None:
    facts = [*line("e4"), ended(result, "arbiter")]
    assert isinstance(facts[-1], GameEnded)
    game = game_of(record_of(*facts))
    assert dict(game.tags)["Result"] == result
    assert game.moves.endswith(" *")
    assert parse(game.pgn).tags["Result"] == result


def test_a_position_of_chess960_is_told() -> None:
    board = chess.Board.from_chess960_pos(17)
    setup = TableSetup(chess960=True)
    tags = dict(game_of(record_of(started(fen=board.fen(), setup=setup))).tags)
    assert (tags["Variant"], tags["FEN"]) == ("Chess960", board.fen())


def test_a_position_of_its_own_is_told_without_a_variant() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    tags = dict(game_of(record_of(started(fen=fen))).tags)
    assert tags["FEN"] == fen
    assert "Variant" not in tags


@pytest.mark.parametrize(
    ("setup", "round_"),
    [
        (TableSetup(round="3", board=12), "3.12"),
        (TableSetup(round="3"), "3"),
        (TableSetup(round="Final", board=2), "Final"),
        (TableSetup(round="3.2", board=2), "3.2"),
    ],
)
def test_round_and_board(setup: TableSetup, round_: str) -> None:
    assert tags_of(setup)["Round"] == round_


@pytest.mark.parametrize("name", ["?", "", "X", "unknown", "bye", "Unknown "])
def test_what_lichess_takes_for_no_name(name: str) -> None:
    nobody = TableSetup(white=name, black="Okafor, Ben")
    assert "White" not in tags_of(nobody)
    assert game_of(record_of(started(setup=nobody))).trouble.startswith("White has no name")
    numbered = TableSetup(white=name, black="Okafor, Ben", tags={"WhiteFideId": "24176"})
    assert game_of(record_of(started(setup=numbered))).trouble == ""


def test_a_game_keeps_its_id_and_other_games_have_others() -> None:
    names = [TableSetup(round="1", white="Ann"), TableSetup(round="1", white="Eve", board=7)]
    first, corrected = (game_of(record_of(started(setup=setup))) for setup in names)
    assert first.game_id == corrected.game_id
    others = [
        record_of(started("1", setup=TableSetup(round="2"))),
        record_of(started("2", setup=TableSetup(round="1"))),
    ]
    ids = {first.game_id, *(game.game_id for game in round_games(others))}
    assert len(ids) == 3


def test_games_come_by_round_and_board_and_one_that_was_not_played_is_none() -> None:
    def record(table: str, game: int, board: int, sans: str, round_: str = "1") -> GameRecord:
        return record_of(*line(sans, table, game, setup=TableSetup(round=round_, board=board)))

    records = [
        record("b", 1, 10, "e4"),
        record("a", 1, 2, ""),
        record("a", 2, 2, "d4"),
        record("a", 3, 2, "c4"),
        record("a", 4, 1, "", "2"),
    ]
    games = round_games(records)
    shown = [(game.round, game.table, game.moves) for game in games]
    assert shown == [
        ("1", "a", "1. d4 *"),
        ("1", "a", "1. c4 *"),
        ("1", "b", "1. e4 *"),
        ("2", "a", "*"),
    ]
    assert len({game.game_id for game in games}) == 4
    alone = game_of(records[1])
    assert alone.game_id == games[0].game_id, "it was set up again, and is the same game"


def test_only_the_plies_that_lichess_reads_are_sent() -> None:
    board = chess.Board()
    facts: list[Fact] = [started()]
    for ply in range(1, 610):
        shuffle = ("g1f3", "g8f6", "f3g1", "f6g8")[(ply - 1) % 4]
        facts.append(settled(board, chess.Move.from_uci(shuffle), ply))
    assert game_of(record_of(*facts)).plies == 600


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("3", "Round 3"),
        ("12.1", "Round 12.1"),
        ("Final", "Final"),
        ("A", "Round A"),
        ("F" * 99, "F" * 80),
    ],
)
def test_rounds_have_names_that_lichess_takes(name: str, title: str) -> None:
    assert round_title(name) == title
    assert 3 <= len(title) <= 80
