"""The data of a printed scoresheet."""

import chess
import msgspec
import pytest

from bridge.core.model import Fact, Result, TableSetup
from bridge.core.scoresheet.notation.languages import LANGUAGES
from bridge.core.scoresheet.notation.writing import NotationError
from bridge.core.scoresheet.record import GameRecord
from bridge.core.scoresheet.sheet import Entry, Gap, Row, Sheet, sheet
from bridge.core.scoresheet.words import WORDS, Words
from tests.bridge.scoresheets import (
    adopted,
    broken_game,
    ended,
    line,
    random_game,
    record_of,
    settled,
    stands,
    timed,
    withdrawn,
)

PAWNS = "8/4P2k/8/8/8/8/6p1/K7 b - - 0 41"


def marked_game() -> GameRecord:
    """1.e4 (offered a draw) d5, corrected to e5, 2.Ne3 stands, moves are missing, 41...g1Q+."""
    board = chess.Board()
    facts: list[Fact] = [*line("e4 d5", clocks=(598, 597)), withdrawn(2)]
    board.push_san("e4")
    facts += [settled(board, board.parse_san("e5"), 2), timed(2, 596_999, estimated=True)]
    facts += [stands(board, "g1e3", "Ne3", 3), timed(3, 5_000_000), adopted(3, PAWNS, "cable out")]
    board = chess.Board(PAWNS)
    facts += [settled(board, board.parse_san("g1=Q+"), 4), ended("1/2-1/2", "arbiter")]
    record = record_of(*facts)
    first, *rest = record.plies
    record.plies = [msgspec.structs.replace(first, draw_offer=True), *rest]
    return record


def test_rows_with_all_their_marks() -> None:
    made = sheet(marked_game(), language="de", style="long")
    assert made.rows == (
        Row(
            number=1,
            white=Entry(text="e2-e4", time="0:09:58", marks=("draw_offer",)),
            black=Entry(text="e7-e5", time="0:09:56", marks=("estimated", "corrected")),
        ),
        Row(number=2, white=Entry(text="Sg1-e3", time="1:23:20", marks=("illegal",))),
        Gap(reason="cable out", fen=PAWNS),
        Row(number=41, black=Entry(text="g2-g1D+")),
    )
    assert made.legend == (
        ("(=)", "Remis angeboten"),
        ("~", "Zeit geschätzt"),
        ("†", "regelwidriger Zug, der bestehen bleibt"),
        ("*", "Eintrag berichtigt"),
    )
    assert made.result == ("Ergebnis", "½-½")
    assert made.signatures == ("Unterschrift (Weiß)", "Unterschrift (Schwarz)", "Schiedsrichter")


def test_a_gap_before_the_first_move_and_after_the_last() -> None:
    record = record_of(*line(""), adopted(0, PAWNS))
    assert [type(row) for row in sheet(record).rows] == [Gap]
    record = record_of(*line("e4 e5"), adopted(2, PAWNS))
    assert [type(row) for row in sheet(record).rows] == [Row, Gap]


def test_an_estimate_without_a_time_is_not_marked() -> None:
    record = record_of(*line("e4"))
    record.plies = [msgspec.structs.replace(record.plies[0], estimated=True)]
    made = sheet(record)
    assert made.rows == (Row(number=1, white=Entry(text="e4")),)
    assert made.legend == ()


def test_the_head_tells_what_is_known() -> None:
    setup = TableSetup(
        event="Town\nOpen",
        site="?",
        date="????.??.??",
        round="3.12",
        board=12,
        white="Kramer, Anna",
        time_control="5400+30",
        tags={
            "WhiteTitle": "WIM",
            "WhiteElo": "2301",
            "WhiteFideId": "77",
            "BlackTitle": "-",
            "WhiteTeam": "Delft",
            "BlackElo": "?",
        },
    )
    made = sheet(record_of(*line("e4", setup=setup)))
    assert made.header == (
        ("Event", "Town Open"),
        ("Place", ""),
        ("Date", ""),
        ("Round", "3.12"),
        ("Board", "12"),
        ("Time control", "5400+30"),
    )
    white, black = made.players
    assert (white.side, white.name) == ("White", "Kramer, Anna")
    assert white.more == "WIM, Elo 2301, FIDE 77, Delft"
    assert (black.side, black.name, black.more) == ("Black", "", "")
    assert sheet(record_of(*line("e4"))).header[4] == ("Board", "")


def test_a_start_position_of_its_own_is_told() -> None:
    record = record_of(*line("g1=Q+", fen=PAWNS))
    assert sheet(record).header[-1] == ("Start position", PAWNS)
    record = record_of(*line("e4", setup=TableSetup(chess960=True)))
    assert sheet(record).header[-1] == ("Start position", chess.STARTING_FEN)


@pytest.mark.parametrize(
    ("result", "written"), [("1-0", "1-0"), ("0-1", "0-1"), ("1/2-1/2", "½-½"), ("*", "")]
)
def test_results(result: Result, written: str) -> None:
    record = record_of(*line("e4"), ended(result, "arbiter"))
    assert sheet(record).result == ("Result", written)


def moves_on(made: Sheet) -> int:
    rows = [row for row in made.rows if isinstance(row, Row)]
    return sum((row.white is not None) + (row.black is not None) for row in rows)


@pytest.mark.parametrize("seed", range(10))
def test_every_move_and_every_gap_is_on_the_sheet(seed: int) -> None:
    for record in (record_of(*random_game(seed)), record_of(*broken_game(seed))):
        made = sheet(record, language="ru", style="older_short")
        assert moves_on(made) == len(record.plies)
        assert [row.fen for row in made.rows if isinstance(row, Gap)] == [
            adoption.fen for adoption in record.adoptions
        ]
        for row in made.rows:
            assert isinstance(row, Gap) or row.white or row.black


def test_every_language_has_all_its_words() -> None:
    assert WORDS.keys() == LANGUAGES.keys()
    for code, words in WORDS.items():
        made = sheet(record_of(*line("e4")), language=code)
        assert (made.words, made.tongue.code) == (words, code)
        assert all(words)
    assert len(set(WORDS["sw"]._asdict().values())) >= len(Words._fields) - 2


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(NotationError, match="no language 'xx'"):
        sheet(record_of(*line("e4")), language="xx")
    with pytest.raises(NotationError, match="no style 'xx'"):
        sheet(record_of(*line("e4")), style="xx")


def test_a_correction_is_kept_with_its_reason_until_the_game_begins_anew() -> None:
    record = marked_game()
    (correction,) = record.corrections
    assert (correction.ply, correction.count, correction.reason) == (2, 1, "read again")
    kept = record.copy()
    record.apply(next(line("")))
    assert (record.corrections, len(kept.corrections)) == ([], 1)
