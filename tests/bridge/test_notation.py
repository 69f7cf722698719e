"""Moves as people write them, in every style and language."""

import random
from pathlib import Path
from typing import Any

import chess
import pytest
import yaml

from bridge.core.scoresheet.notation.languages import FIGURINES, LANGUAGES
from bridge.core.scoresheet.notation.writing import STYLES, NotationError, notation

CASES = [
    case
    for case in yaml.safe_load(
        (Path(__file__).parent / "core" / "positions.yaml").read_text(encoding="utf-8")
    )["cases"]
    if case["group"] == "notation"
]
BEFORE_CAPTURE = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


def write(fen: str, uci: str, style: str, language: str = "en") -> str:
    return notation(chess.Board(fen), chess.Move.from_uci(uci), style, language)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_the_positions_are_written_as_their_books_do(case: dict[str, Any]) -> None:
    written = case["expect"]["notation"]
    assert written == {style: write(case["fen"], case["move"], style) for style in written}


@pytest.mark.parametrize(
    ("fen", "uci", "style", "language", "written"),
    [
        # the examples of the code, in the order in which it gives them
        ("k7/8/8/8/8/7K/3r4/8 b - - 0 23", "d2d6", "long", "en", "Rd2-d6"),
        ("8/4P2k/8/8/8/8/8/K7 w - - 0 8", "e7e8q", "long", "en", "e7-e8Q"),
        ("1k6/8/8/8/8/8/6p1/R3K2R w Q - 0 16", "e1c1", "long", "en", "O-O-O"),
        ("1k6/8/8/8/8/8/6p1/2KR3R b - - 1 16", "g2h1q", "long", "en", "g2xh1Q"),
        ("6k1/8/8/8/8/8/4K3/R6R w - - 0 12", "h1d1", "short", "en", "Rhd1"),
        ("5rk1/8/2N5/7r/2N5/8/8/K7 w - - 0 34", "c4e5", "short", "en", "N4e5"),
        ("5rk1/8/2N5/4N2r/8/8/8/K7 b - - 1 34", "f8f5", "short", "en", "Rff5"),
        ("7k/8/8/4p3/3P4/8/8/K7 w - - 0 13", "d4e5", "older_short", "en", "de"),
        ("7k/8/8/4p3/3P4/8/8/K7 w - - 0 13", "d4e5", "older_short", "ru", "de"),
        # both pawns may take a piece each, promoting or en passant
        ("3n3k/4P3/8/3n4/4P3/8/8/K7 w - - 0 1", "e7d8n", "older_short", "en", "ed8N"),
        ("3n3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q", "older_short", "en", "edQ+"),
        ("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6", "older_short", "en", "ed"),
        ("7k/8/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6", "russian_long", "en", "e5:d6"),
        # a pawn that is pinned takes nothing
        ("4r2k/8/8/3pPn2/4P3/8/8/4K3 w - - 0 1", "e4d5", "older_short", "en", "ed"),
        # the signs of check, mate and castling
        ("k7/8/1K6/8/8/8/8/7R w - - 0 40", "h1h7", "russian_short", "en", "Лh7"),
        ("k7/8/2K5/8/8/8/8/7R w - - 0 40", "h1h8", "long", "ru", "Лh1-h8+"),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 40", "h1h8", "russian_short", "en", "Лh8х"),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 40", "h1h8", "fide", "ru", "Лh8#"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "russian_long", "en", "0-0+"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "fide", "fr", "0-0+"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "pgn", "fr", "O-O+"),
        # letters of the languages
        (BEFORE_CAPTURE, "e1e2", "long", "ru", "Крe1-e2"),
        (BEFORE_CAPTURE, "b1c3", "short", "de", "Sc3"),
        (BEFORE_CAPTURE, "b1c3", "fide", "fa", "اc3"),
        (BEFORE_CAPTURE, "b1c3", "pgn", "fa", "Nc3"),
        (BEFORE_CAPTURE, "b1c3", "figurine", "fa", "♘c3"),
        (BEFORE_CAPTURE, "d1h5", "long", "hi", "वd1-h5"),
    ],
)
def test_examples(fen: str, uci: str, style: str, language: str, written: str) -> None:
    assert write(fen, uci, style, language) == written


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", STYLES)
def test_no_two_moves_of_a_position_are_written_alike(style: str, language: str) -> None:
    rng = random.Random(f"{style} {language}")
    board = chess.Board("r3k2r/1P1p1PPp/8/1pP1P3/pP1p4/2P1P3/1p3pQ1/R3K2R w KQkq - 0 1")
    for _ in range(40):
        moves = list(board.legal_moves)
        if not moves:
            break
        assert len({notation(board, move, style, language) for move in moves}) == len(moves)
        board.push(rng.choice(moves))


def test_pgn_is_what_the_rules_core_writes() -> None:
    board = chess.Board("r3k2r/1P1p1PPp/8/1pP1P3/pP1p4/2P1P3/1p3pQ1/R3K2R w KQkq - 0 1")
    for move in board.legal_moves:
        assert notation(board, move, "pgn", "ru") == board.san(move)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_piece_has_letters_of_its_own(language: str) -> None:
    letters = LANGUAGES[language].letters
    assert list(letters) == list(FIGURINES) == list("KQRBN")
    assert len(set(letters.values())) == 5


@pytest.mark.parametrize(
    ("uci", "style", "written"),
    [
        ("g1e3", "long", "Ng1-e3"),
        ("g1e3", "fide", "Ne3"),
        ("e2e5", "russian_long", "e2-e5"),
        ("a1a2", "short", "Ra2"),
        ("a7a5", "short", "a5"),
    ],
)
def test_an_illegal_move_is_written_as_what_was_tried(uci: str, style: str, written: str) -> None:
    assert write(chess.STARTING_FEN, uci, style) == written


@pytest.mark.parametrize(
    ("uci", "style", "language", "why"),
    [
        ("e2e4", "descriptive", "en", r"no style 'descriptive'; styles: fide, long"),
        ("e2e4", "long", "xx", r"no language 'xx'; languages: en, de"),
        ("e4e5", "long", "en", r"e4e5: nobody stands there in rnbqkbnr/"),
        ("0000", "long", "en", r"0000: nobody stands there"),
    ],
)
def test_what_cannot_be_written(uci: str, style: str, language: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        notation(
            chess.Board("rnbqkbnr/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"),
            chess.Move.from_uci(uci),
            style,
            language,
        )
