"""PGN that strict readers take without a word: python-chess and pgn-extract."""

import io
import re
import shutil
import subprocess
from pathlib import Path

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.model import Fact, Result, TableSetup
from bridge.core.scoresheet.pgn import LINE_LENGTH, is_tag_name, to_pgn
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

ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
TAG = re.compile(r'\[([A-Z]\w*) "((?:[^"\\]|\\["\\])*)"\]', re.ASCII)


def tags(text: str) -> dict[str, str]:
    """Read the tags by the grammar of the standard, in the order they stand."""
    found: dict[str, str] = {}
    for row in text.split("\n\n", 1)[0].split("\n"):
        match = TAG.fullmatch(row)
        assert match, row
        assert match[1] not in found
        found[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
    return found


def movetext(text: str) -> str:
    return text.split("\n\n", 1)[1].strip()


def read(text: str) -> chess.pgn.Game:
    stream = io.StringIO(text)
    game = chess.pgn.read_game(stream)
    assert game is not None
    assert game.errors == []
    assert chess.pgn.read_game(stream) is None
    return game


def test_a_whole_game_as_a_person_would_check_it() -> None:
    setup = TableSetup(
        event="Open",
        site="Kraków POL",
        round="3",
        date="2026.10.03",
        board=7,
        white="Nowak, Anna",
        black="Müller, Jörg",
        time_control="5400+30",
        tags={"WhiteElo": "2310", "Annotator": "-"},
    )
    facts = line("f3 e5 g4 Qh4#", setup=setup, clocks=(5400, 5395, 5390, 5425))
    assert to_pgn(record_of(*facts, ended("0-1", "checkmate"))) == (
        '[Event "Open"]\n'
        '[Site "Kraków POL"]\n'
        '[Date "2026.10.03"]\n'
        '[Round "3"]\n'
        '[White "Nowak, Anna"]\n'
        '[Black "Müller, Jörg"]\n'
        '[Result "0-1"]\n'
        '[Annotator "-"]\n'
        '[Board "7"]\n'
        '[PlyCount "4"]\n'
        '[Termination "normal"]\n'
        '[TimeControl "5400+30"]\n'
        '[WhiteElo "2310"]\n'
        "\n"
        "1. f3 {[%clk 1:30:00]} 1... e5 {[%clk 1:29:55]} 2. g4\n"
        "{[%clk 1:29:50] [%emt 0:00:40]} 2... Qh4# {[%clk 1:30:25] [%emt 0:00:00]} 0-1\n"
        "\n"
    )


def test_a_game_without_a_clock_has_no_comments_and_few_numbers() -> None:
    text = to_pgn(record_of(*line("e4 e5 Nf3 Nc6")))
    assert movetext(text) == "1. e4 e5 2. Nf3 Nc6 *"


def test_a_game_without_moves_is_a_game() -> None:
    text = to_pgn(record_of(*line("")))
    assert movetext(text) == "*"
    assert read(text).headers["Result"] == "*"
    assert tags(text)["Termination"] == "unterminated"
    assert "PlyCount" not in tags(text)


def test_a_start_with_black_to_move() -> None:
    fen = "4k3/8/8/8/8/8/4p3/2K5 b - - 0 31"
    text = to_pgn(record_of(*line("e1=Q+ Kc2 Qe2+", fen=fen)))
    assert movetext(text) == "31... e1=Q+ 32. Kc2 Qe2+ *"
    assert (tags(text)["SetUp"], tags(text)["FEN"]) == ("1", fen)
    assert "Variant" not in tags(text)
    assert read(text).end().board().fen().startswith("4k3/8/8/8/8/8/2K1q3/8 w")


def test_chess960_names_itself_even_from_the_usual_start() -> None:
    setup = TableSetup(chess960=True)
    text = to_pgn(record_of(*line("e4", setup=setup)))
    assert tags(text)["Variant"] == "Chess960"
    assert tags(text)["FEN"] == chess.STARTING_FEN
    assert read(text).board().chess960


def test_an_estimated_time_says_so_and_gives_no_time_used() -> None:
    setup = TableSetup(time_control="600")
    facts = [*line("e4 e5 Nf3 Nc6", setup=setup), timed(1, 590_900), timed(2, 585_000)]
    facts += [timed(3, 62_000, estimated=True), timed(4, 580_999)]
    assert movetext(to_pgn(record_of(*facts))).replace("\n", " ") == (
        "1. e4 {[%clk 0:09:50]} 1... e5 {[%clk 0:09:45]}"
        " 2. Nf3 {[%clk 0:01:02] [%clksrc estimated]}"
        " 2... Nc6 {[%clk 0:09:40] [%emt 0:00:05]} *"
    )


@pytest.mark.parametrize(
    ("control", "used"),
    [
        ("?", []),
        ("90 min", []),
        ("-", []),
        ("*600", []),
        ("600", ["0:00:10"]),
        ("600+5", ["0:00:15", "0:00:03"]),
        ("1/600:300+10", ["0:00:20", "0:00:08"]),
        ("W600+1-B600+2", ["0:00:11", "0:00:00"]),
    ],
)
def test_time_used_is_written_where_the_increment_is_known(control: str, used: list[str]) -> None:
    setup = TableSetup(time_control=control)
    text = to_pgn(record_of(*line("e4 e5 Nf3 Nc6", setup=setup, clocks=(600, 600, 590, 602))))
    assert re.findall(r"\[%emt ([\d:]+)\]", text) == used
    assert len(re.findall(r"\[%clk [\d:]+\]", text)) == 4


def test_a_gap_in_the_times_gives_no_time_used() -> None:
    setup = TableSetup(time_control="600")
    facts = [*line("e4 e5 Nf3 Nc6 Nc3", setup=setup), timed(1, 600_000), timed(5, 500_000)]
    assert "%emt" not in to_pgn(record_of(*facts))


@pytest.mark.parametrize(
    ("result", "by", "word"),
    [
        ("1-0", "checkmate", "normal"),
        ("1/2-1/2", "kings", "normal"),
        ("1-0", "arbiter", "normal"),
        ("0-1", "flag", "time forfeit"),
        ("1-0", "illegal", "rules infraction"),
        ("*", "arbiter", "unterminated"),
        ("*", "abandoned", "abandoned"),
    ],
)
def test_termination(result: Result, by: str, word: str) -> None:
    text = to_pgn(record_of(*line("e4"), ended(result, by)))
    assert tags(text)["Termination"] == word
    assert tags(text)["PlyCount"] == "1"
    assert movetext(text).endswith(f" {result}")


def test_live_text_tells_the_last_known_times() -> None:
    facts = [*line("e4 e5 Nf3 Nc6", clocks=(3725, 3600, 3700)), timed(3, 3_700_999)]
    live = tags(to_pgn(record_of(*facts), live=True))
    assert (live["WhiteClock"], live["BlackClock"]) == ("1:01:40", "1:00:00")
    assert "WhiteClock" not in tags(to_pgn(record_of(*facts)))
    assert "BlackClock" not in tags(to_pgn(record_of(*line("e4", clocks=(5,))), live=True))


def test_tags_of_the_configuration_never_contradict_the_game() -> None:
    extra = {
        "White": "Somebody Else",
        "Result": "1-0",
        "PlyCount": "99",
        "FEN": "8/8/8/8/8/8/8/8 w - - 0 1",
        "SetUp": "1",
        "Termination": "death",
        "Variant": "Atomic",
        "Board": "9",
        "lower": "x",
        "With Space": "x",
        "Ünicode": "x",
        '"]': "x",
        "EventDate": "2026.10.01",
        "ECO_2": "B33",
    }
    found = tags(to_pgn(record_of(*line("e4", setup=TableSetup(white="A", tags=extra, board=4)))))
    assert found == dict.fromkeys(ROSTER, "?") | {
        "Date": "????.??.??",
        "White": "A",
        "Result": "*",
        "Board": "4",
        "EventDate": "2026.10.01",
        "Termination": "unterminated",
        "TimeControl": "?",
    }
    assert tags(to_pgn(record_of(*line("", setup=TableSetup(tags=extra)))))["Board"] == "9"


def test_tag_names_are_letters_alone() -> None:
    names = ("Elo", "WhiteFideId", "WhiteElo2", "A_b", "elo", "", "Ä", "A b", "A\n")
    assert [name for name in names if is_tag_name(name)] == ["Elo", "WhiteFideId"]
    setup = TableSetup(tags={"Section": "A", "Opening2": "x", "My_Tag": "y"})
    assert set(tags(to_pgn(record_of(*line("e4", setup=setup))))) == {
        *("Event", "Site", "Date", "Round", "White", "Black", "Result"),
        *("Section", "Termination", "TimeControl"),
    }


def test_groups_and_unequal_times_in_tags() -> None:
    extra = {"Section": "all"}
    setup = TableSetup(section="Juniors", tags=extra, time_control="W300-B240")
    found = tags(to_pgn(record_of(*line("e4", setup=setup))))
    assert (found["Section"], found["TimeControl"]) == ("Juniors", "?")


def test_values_are_escaped_and_stay_on_one_line() -> None:
    hostile = 'a "b" \\ c\n[FEN "x"]\r\n\t\x00\x85\u2028d\ud800'
    text = to_pgn(record_of(*line("e4", setup=TableSetup(white=hostile, black=" \n", event=""))))
    found = tags(text)
    assert found["White"] == 'a "b" \\ c [FEN "x"] d'
    assert (found["Black"], found["Event"]) == ("?", "?")
    assert "FEN" not in found
    assert text.encode()


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=30)), st.text(max_size=60))
@settings(max_examples=80, deadline=None)
def test_any_text_in_any_tag_is_readable(extra: dict[str, str], name: str) -> None:
    setup = TableSetup(white=name, site=name, tags=extra)
    text = to_pgn(record_of(*line("e4 e5", setup=setup)))
    found = tags(text)
    assert list(found)[:7] == ROSTER
    assert list(found)[7:] == sorted(list(found)[7:])
    assert [move.uci() for move in read(text).mainline_moves()] == ["e2e4", "e7e5"]


@pytest.mark.parametrize("seeds", [range(start, start + 25) for start in range(0, 100, 25)])
def test_random_games_are_read_back_whole(seeds: range) -> None:
    for seed in seeds:
        record = record_of(*random_game(seed))
        text = to_pgn(record)
        game = read(text)
        nodes = list(game.mainline())
        assert [node.move.uci() for node in nodes] == [ply.uci for ply in record.plies]
        assert [node.clock() for node in nodes] == [
            None if ply.clk_ms is None else ply.clk_ms // 1000 for ply in record.plies
        ]
        assert game.headers["Result"] == record.result
        assert {k: re.sub(r"\\(.)", r"\1", v) for k, v in game.headers.items()} == tags(text)


@pytest.mark.parametrize("seed", range(10))
def test_lines_are_short_and_never_broken_inside_a_comment(seed: int) -> None:
    for row in movetext(to_pgn(record_of(*random_game(seed)))).split("\n"):
        assert len(row) <= LINE_LENGTH
        assert row.count("{") == row.count("}")
        assert row.strip() == row


def test_time_used_agrees_with_the_times_shown() -> None:
    for seed in range(20):
        record = record_of(*random_game(seed))
        nodes = list(read(to_pgn(record)).mainline())
        for index, node in enumerate(nodes):
            if (used := node.emt()) is None:
                continue
            before, after = nodes[index - 2].clock(), node.clock()
            assert before is not None
            assert after is not None
            assert used == before + 30 - after


# --- what cannot stand in PGN -------------------------------------------------------------------

PINNED = "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1"
TOLD = re.compile(
    r" (?:Moves are missing: (?P<reason>.*?)\. Play goes on from \((?P<adopted>[^()]*)\)\."
    r"|(?P<number>\d+\.(?:\.\.)?) (?P<san>\S+)(?: \((?P<clk>[\d:]+)(?P<estimated> estimated)?\))?"
    r"(?: is illegal and stands\. Play goes on from \((?P<after>[^()]*)\)\.)?)(?= |\Z)"
)


def told(comment: str) -> list[dict[str, str | None]]:
    """Read a comment that holds the rest of a game, and nothing but that."""
    text = " ".join(comment.split())
    start = "Not in the main line:"
    assert text.count(start) == 1
    text = text[text.index(start) + len(start) :]
    found = []
    while text:
        match = TOLD.match(text)
        assert match, text
        found.append(match.groupdict())
        text = text[match.end() :]
    return found


def test_the_moves_end_before_an_illegal_move_that_stands() -> None:
    board = chess.Board()
    setup = TableSetup(time_control="600")
    facts: list[Fact] = [started(setup=setup)]
    facts += [settled(board, board.parse_san("e4"), 1), timed(1, 598_000)]
    facts += [settled(board, board.parse_san("e5"), 2), timed(2, 597_000)]
    facts += [stands(board, "g1e3", "Ne3", 3), timed(3, 590_000)]
    facts += [settled(board, board.parse_san("Nc6"), 4), timed(4, 580_000, estimated=True)]
    facts += [settled(board, board.parse_san("d3"), 5), ended("1-0", "flag")]
    record = record_of(*facts)
    text = to_pgn(record)
    assert movetext(text) == (
        "1. e4 {[%clk 0:09:58]} 1... e5 {[%clk 0:09:57]} {Not in the main line: 2. Ne3\n"
        "(0:09:50) is illegal and stands. Play goes on from\n"
        "(rnbqkbnr/pppp1ppp/8/4p3/4P3/4N3/PPPP1PPP/RNBQKB1R b KQkq - 0 2). 2... Nc6\n"
        "(0:09:40 estimated) 3. d3} 1-0"
    )
    game = read(text)
    assert [node.clock() for node in game.mainline()] == [598, 597]
    assert game.headers["Result"] == "1-0"
    assert tags(text)["PlyCount"] == "2"
    live = tags(to_pgn(record, live=True))
    assert (live["WhiteClock"], live["BlackClock"]) == ("0:09:50", "0:09:40")


def test_a_game_that_begins_with_an_illegal_move() -> None:
    board = chess.Board(PINNED)
    facts: list[Fact] = [started(fen=PINNED), stands(board, "e2c3", "Nc3", 1)]
    facts += [settled(board, board.parse_san("Kf8"), 2)]
    assert movetext(to_pgn(record_of(*facts))) == (
        "{Not in the main line: 1. Nc3 is illegal and stands. Play goes on from\n"
        "(4r1k1/8/8/8/8/2N5/8/4K3 b - - 0 1). 1... Kf8+} *"
    )


def test_the_moves_end_where_moves_are_missing() -> None:
    board = chess.Board("4r3/5k2/8/8/8/2N5/8/4K3 b - - 7 9")
    facts: list[Fact] = [*line("Kd1 Kf8", fen=PINNED), adopted(2, board.fen(), "the cable was out")]
    assert movetext(to_pgn(record_of(*facts))) == (
        "1. Kd1 Kf8 {Not in the main line: Moves are missing: the cable was out. Play\n"
        "goes on from (4r3/5k2/8/8/8/2N5/8/4K3 b - - 7 9).} *"
    )
    facts += [settled(board, board.parse_san("Kg7"), 3), timed(3, 61_000)]
    assert movetext(to_pgn(record_of(*facts))).endswith("b - - 7 9). 9... Kg7+ (0:01:01)} *")


def test_words_never_end_the_comment_nor_give_commands() -> None:
    hostile = "a } 1-0 { [%clk 9:59:59]\n\n[Event x]\n%\x00 b"
    text = to_pgn(record_of(*line("e4"), adopted(1, PINNED, hostile)))
    assert read(text).end().clock() is None
    (found,) = told(read(text).end().comment)
    assert found["reason"] == "a ) 1-0 ( (clk 9:59:59) (Event x) b"
    assert [move.uci() for move in read(text).mainline_moves()] == ["e2e4"]


@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_lost_where_the_moves_end(seed: int) -> None:
    record = record_of(*broken_game(seed))
    text = to_pgn(record)
    game = read(text)
    assert game.headers["Result"] == record.result
    assert all(len(row) <= LINE_LENGTH and row[:1] != "%" for row in movetext(text).split("\n"))
    nodes = list(game.mainline())
    main = [(node.move.uci(), node.clock()) for node in nodes]
    count = len(main)
    assert main == [
        (ply.uci, None if ply.clk_ms is None else ply.clk_ms // 1000)
        for ply in record.plies[:count]
    ]
    comment = game.end().comment
    rest = told(comment) if "Not in" in comment else []
    assert bool(rest) == (count < len(record.plies) or bool(record.adoptions))
    moves = [one for one in rest if one["san"]]
    assert [f"{one['number']} {one['san']}" for one in moves] == [
        ply.numbered for ply in record.plies[count:]
    ]
    assert [one["after"] for one in moves] == [
        ply.fen_after if ply.stands else None for ply in record.plies[count:]
    ]
    assert [(one["clk"] is None, bool(one["estimated"])) for one in moves] == [
        (ply.clk_ms is None, ply.estimated) for ply in record.plies[count:]
    ]
    assert [one["adopted"] for one in rest if one["adopted"]] == [
        adoption.fen for adoption in record.adoptions
    ]


def test_pgn_extract_has_nothing_to_say(tmp_path: Path) -> None:
    program = shutil.which("pgn-extract", path="/usr/bin:/usr/games:/usr/local/bin")
    if program is None:
        pytest.skip("pgn-extract is not installed")
    archive = tmp_path / "games.pgn"
    games = [record_of(*random_game(seed)) for seed in range(60)]
    games += [record_of(*broken_game(seed)) for seed in range(40)]
    archive.write_text("".join(to_pgn(game) for game in games), encoding="utf-8")
    run = subprocess.run(
        [program, "--quiet", "-r", str(archive)], capture_output=True, text=True, check=False
    )
    assert run.stderr.strip() == ""
    assert run.stdout.strip() == ""
    counted = subprocess.run(
        [program, "-r", str(archive)], capture_output=True, text=True, check=True
    )
    assert "100 games matched out of 100" in counted.stderr


@pytest.mark.parametrize("result", ["0-0", "1/2-0", "0-1/2"])
def test_a_result_that_pgn_does_not_know_is_told_in_a_comment(result: Result) -> None:
    text = to_pgn(record_of(*line("e4 e5"), ended(result, "arbiter")))
    assert tags(text)["Result"] == "*"
    assert movetext(text) == f"1. e4 e5 {{The arbiter decided {result}.}} *"
    assert read(text).headers["Result"] == "*"
