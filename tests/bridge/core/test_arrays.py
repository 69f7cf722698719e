"""Beginnings: start positions in either seat, nearly right ones, wrong ones and what is missing."""

from typing import Any

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.core.inference.placement import shown_by, turned
from bridge.core.laws.drawn import drawn_positions
from bridge.core.laws.exchanges import exchanges
from bridge.core.laws.setups import Wrong
from bridge.core.model import Sensing, TableSetup
from bridge.core.table.arrays import Stand, StartArray
from drivers.cells import cells_of
from tests.bridge.core.cases import CASES

ARRAY = cells_of(chess.Board())
STANDARD = StartArray(TableSetup())
DRAWN = StartArray(TableSetup(chess960=True))
OCCUPANCY = StartArray(TableSetup(sensing="occupancy"))
COLOUR = StartArray(TableSetup(sensing="colour"))
ONE_COLOUR = "bishops stand on squares of one colour"
OUTSIDE = "king does not stand between the rooks"
UNLIKE = "the ranks 1 and 8 do not mirror each other"
NUMBER_356 = cells_of(chess.Board.from_chess960_pos(356))


def but(cells: str = ARRAY, **squares: str) -> str:
    """*cells* with some squares changed; ``_`` is empty."""
    letters = list(cells)
    for name, letter in squares.items():
        letters[chess.parse_square(name)] = "." if letter == "_" else letter
    return "".join(letters)


def names(squares: tuple[chess.Square, ...]) -> str:
    return " ".join(chess.square_name(square) for square in squares)


def after(*sans: str) -> str:
    board = chess.Board()
    for san in sans:
        board.push_san(san)
    return cells_of(board)


# -- what stands -------------------------------------------------------------------------------


@pytest.mark.parametrize("sensing", ["identity", "colour"])
def test_the_array_stands_in_one_seat(sensing: Sensing) -> None:
    array = StartArray(TableSetup(sensing=sensing))
    for cells, rotated in ((ARRAY, False), (turned(ARRAY), True)):
        stand = array.stands(shown_by(cells, sensing))
        assert stand is not None
        assert (stand.board, stand.rotated, stand.seat_open) == (chess.Board(), rotated, False)


def test_the_board_that_stands_is_a_copy() -> None:
    stand = STANDARD.stands(ARRAY)
    assert stand is not None
    stand.board.push_san("e4")
    assert STANDARD.stands(ARRAY) == Stand(chess.Board(), rotated=False)


def test_occupancy_leaves_the_seat_open() -> None:
    shown = shown_by(ARRAY, "occupancy")
    stand = OCCUPANCY.stands(shown)
    assert stand is not None
    assert (stand.rotated, stand.seat_open) == (False, True)
    rotated = StartArray(TableSetup(sensing="occupancy", orientation="rotated")).stands(shown)
    assert rotated is not None
    assert (rotated.rotated, rotated.seat_open) == (True, False)


def test_occupancy_tells_the_seat_of_a_lopsided_position() -> None:
    fen = "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1"
    shown = shown_by(cells_of(chess.Board(fen)), "occupancy")
    stand = StartArray(TableSetup(sensing="occupancy", start_fen=fen)).stands(turned(shown))
    assert stand is not None
    assert (stand.rotated, stand.seat_open) == (True, False)


def test_any_of_the_960_stands() -> None:
    stand = DRAWN.stands(turned(NUMBER_356))
    assert stand is not None
    assert stand.rotated
    assert stand.board.chess960
    assert stand.board.chess960_pos() == 356
    assert STANDARD.stands(NUMBER_356) is None
    assert DRAWN.stands(after("e4")) is None


@pytest.mark.parametrize("sensing", ["occupancy", "colour"])
def test_which_of_the_960_stands_is_not_told_where_men_are_not_named(sensing: Sensing) -> None:
    """The men of normal chess are taken for those that stand, unless a position is given."""
    shown = shown_by(NUMBER_356, sensing)
    drawn = StartArray(TableSetup(chess960=True, sensing=sensing))
    stand, nearly = drawn.stands(shown), drawn.nearly(but(shown, e2="_"))
    assert stand is not None
    assert nearly is not None
    assert (stand.board.chess960_pos(), stand.untold, nearly.stand.untold) == (518, True, True)
    assert drawn.wrong(shown) is None
    assert drawn.was_left(shown) is None
    assert drawn.wanting(but(shown, e2="_")).startswith("e2 needs a ")
    fen = chess.Board.from_chess960_pos(356).fen()
    given_ = StartArray(TableSetup(chess960=True, start_fen=fen, sensing=sensing)).stands(shown)
    assert given_ is not None
    assert (given_.board.chess960_pos(), given_.untold) == (356, False)


# -- joined late -------------------------------------------------------------------------------


def test_a_position_a_few_plies_on_was_left() -> None:
    for rotated in (False, True):
        cells = after("e4", "d5", "exd5", "Qxd5")
        stand = STANDARD.was_left(turned(cells) if rotated else cells)
        assert stand is not None
        assert (stand.board, stand.rotated) == (chess.Board(), rotated)
    assert STANDARD.was_left(after("e4", "e5", "Nf3", "Nc6", "Bb5")) is None
    assert DRAWN.was_left(after("e4")) is None


def test_where_men_are_not_named_fewer_plies_are_told() -> None:
    stand = OCCUPANCY.was_left(shown_by(after("Nf3"), "occupancy"))
    assert stand is not None
    assert (stand.rotated, stand.seat_open) == (False, False)
    both = OCCUPANCY.was_left(shown_by(after("e4", "e5"), "occupancy"))
    assert both is not None
    assert both.seat_open  # 1.d4 d5 from the other seat
    assert OCCUPANCY.was_left(shown_by(after("e4", "e5", "Nf3"), "occupancy")) is None
    assert OCCUPANCY.was_left(shown_by(but(h2="_"), "occupancy")) is None


# -- nearly ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("squares", "faults"),
    [
        ({"h2": "_"}, "h2"),
        ({"h2": "_", "e8": "_"}, "h2 e8"),
        ({"d8": "k"}, "d8"),
        ({"d1": "P", "d8": "_"}, "d1 d8"),
        ({"e4": "*"}, "e4"),
        ({"a1": "*", "e4": "*"}, "a1 e4"),
        ({}, None),
        ({"a2": "_", "b2": "_", "c2": "_"}, None),
        ({"d1": "K", "e1": "Q"}, None),
        ({"b8": "b", "c8": "n"}, None),
        ({"h3": "Q"}, None),
        ({"e2": "_", "e4": "P"}, None),
    ],
)
def test_squares_that_may_be_read_wrong(squares: dict[str, str], faults: str | None) -> None:
    cells = but(**squares)
    for rotated in (False, True):
        nearly = STANDARD.nearly(turned(cells) if rotated else cells)
        assert (nearly and names(nearly.faults)) == faults
        if nearly:
            assert nearly.stand == Stand(chess.Board(), rotated)


def test_an_occupancy_board_misses_men_only() -> None:
    shown = shown_by(ARRAY, "occupancy")
    nearly = OCCUPANCY.nearly(but(shown, h2="_"))
    assert nearly is not None
    assert (nearly.stand.seat_open, names(nearly.faults)) == (True, "h2")
    assert OCCUPANCY.nearly(but(shown, e2="_", e4="?")) is None


def test_a_colour_may_be_read_wrong_but_not_two_exchanged() -> None:
    shown = shown_by(ARRAY, "colour")
    assert COLOUR.nearly(but(shown, a1="w")) is not None
    assert COLOUR.nearly(but(shown, a1="w", a8="W")) is None


def test_one_of_the_960_is_found_by_the_other_sides_men() -> None:
    king = chess.square_name(NUMBER_356.index("K"))
    nearly = DRAWN.nearly(but(NUMBER_356, **{king: "_", "a7": "_"}))
    assert nearly is not None
    assert nearly.stand.board.chess960_pos() == 356
    assert names(nearly.faults) == f"{king} a7"
    assert DRAWN.nearly(NUMBER_356) is None
    assert DRAWN.nearly(but(NUMBER_356, a7="_", b7="_", c7="_")) is None


def test_two_of_the_960_may_be_equally_near() -> None:
    one, other = (
        cells_of(chess.Board.from_chess960_pos(n)) for n in (518, _differing_by_an_exchange(518))
    )
    mixed = one[:8] + one[8:56] + other[56:]
    assert DRAWN.nearly(mixed) is None  # exchanged men in either case
    wrong = [s for s in range(8) if one[s] != other[s]]
    halfway = list(one)
    halfway[wrong[0]] = halfway[wrong[1] + 56] = "."
    halfway[wrong[0] + 56] = other[wrong[0] + 56]
    assert DRAWN.nearly("".join(halfway)) is None


def _differing_by_an_exchange(number: int) -> int:
    array = cells_of(chess.Board.from_chess960_pos(number))
    return next(
        n
        for cells, n in drawn_positions().items()
        if sum(a != b for a, b in zip(cells, array, strict=True)) == 4
    )


# -- wrong -------------------------------------------------------------------------------------


def setup_cases() -> list[dict[str, Any]]:
    return [case for case in CASES if case["group"] == "setup"]


def kind_of(wrong: Wrong) -> str:
    """The catalogue's words: the sub-code, and the side or the square."""
    if wrong.reason in ("KING_QUEEN_SWAPPED", "BISHOP_KNIGHT_SWAPPED"):
        ranks = {chess.square_rank(square) for square in wrong.squares}
        return (
            f"{wrong.reason} {'both' if ranks == {0, 7} else 'white' if ranks == {0} else 'black'}"
        )
    return f"{wrong.reason} {names(wrong.squares)}".strip()


def test_every_set_up_of_the_catalogue() -> None:
    for case in setup_cases():
        cells, expected = cells_of(chess.BaseBoard(case["placement"])), case["expect"]
        wrong = STANDARD.wrong(cells)
        match expected["setup"]:
            case "OK":
                assert STANDARD.stands(cells)
                assert wrong is None
            case "CHESS960_OK":
                assert DRAWN.stands(cells)
                assert DRAWN.wrong(cells) is None
                assert wrong is not None
                assert wrong.code == "WRONG_SETUP"
            case "CASTLING_LOST_BY_SETUP":
                assert wrong is not None
                assert wrong.board is not None
                assert wrong.board.fen().split()[2] == "kq"
            case code:
                assert wrong is not None
                assert wrong.code == code, case["id"]
                assert kind_of(wrong) == expected.get("kind", ""), case["id"]


@pytest.mark.parametrize(
    ("squares", "reason", "text"),
    [
        (
            {"d1": "K", "e1": "Q", "d8": "k", "e8": "q"},
            "KING_QUEEN_SWAPPED",
            "king and queen are exchanged: exchange d1 and e1, exchange d8 and e8",
        ),
        (
            {"b1": "B", "c1": "N", "f1": "N", "g1": "B"},
            "BISHOP_KNIGHT_SWAPPED",
            "bishop and knight are exchanged: exchange b1 and c1, exchange f1 and g1",
        ),
        (
            {"b8": "b", "c8": "n", "h2": "_"},
            "BISHOP_KNIGHT_SWAPPED",
            "bishop and knight are exchanged: exchange b8 and c8, h2 needs P",
        ),
        (
            {"a1": "B", "b1": "R", "c1": "N"},
            "WRONG_PIECE",
            "a wrong man stands in the array: exchange a1 and b1, exchange b1 and c1",
        ),
        (
            {"e1": "k", "e8": "K"},
            "WRONG_PIECE",
            "a wrong man stands in the array: exchange e1 and e8",
        ),
        ({"d1": "K"}, "WRONG_PIECE", "a wrong man stands in the array: d1 needs Q, not K"),
        ({"h2": "_"}, "MISSING", "a square of the array is empty: h2 needs P"),
        ({"h2": "_", "h3": "P"}, "MISSING", "a square of the array is empty: move h3 to h2"),
        ({"b1": "_", "a6": "N"}, "MISSING", "a square of the array is empty: move a6 to b1"),
        (
            {"h4": "Q", "h5": "q"},
            "EXTRA",
            "a man stands where none belongs: h4 must be empty, not Q, h5 must be empty, not q",
        ),
    ],
)
def test_the_fewest_exchanges_put_a_set_up_right(
    squares: dict[str, str], reason: str, text: str
) -> None:
    cells = but(**squares)
    for rotated in (False, True):
        wrong = STANDARD.wrong(turned(cells) if rotated else cells)
        assert wrong is not None
        assert (wrong.code, wrong.reason, wrong.text) == ("WRONG_SETUP", reason, text)
        assert names(wrong.squares) == " ".join(sorted(squares, key=chess.parse_square))
        assert wrong.rotated == rotated


def test_a_round_of_empty_squares_is_told_as_moves() -> None:
    wrong = STANDARD.wrong(but(h2="_", h1="P", h3="R"))
    assert wrong is not None
    assert wrong.text == "a wrong man stands in the array: exchange h1 and h3, move h3 to h2"


@pytest.mark.parametrize(
    "cells",
    [
        ARRAY,
        turned(ARRAY),
        but(a1="_", b1="_", c1="_"),  # still being put up
        but(a3="Q", b3="Q", c3="Q"),  # somebody else's men
        but(e2="_", e4="P"),  # a move, or on its way
        but(h2="*"),
    ],
)
def test_what_is_not_called_wrong(cells: str) -> None:
    assert STANDARD.wrong(cells) is None


def test_the_other_seat_is_no_wrong_set_up_but_is_told() -> None:
    array = StartArray(TableSetup(orientation="normal"))
    assert array.stands(turned(ARRAY)) is None
    assert array.wrong(turned(ARRAY)) is None
    told = "the start position stands the other way round than is configured"
    assert array.wanting(turned(ARRAY)) == told


def test_many_exchanges_are_counted() -> None:
    wrong = STANDARD.wrong(cells_of(chess.Board.from_chess960_pos(0)))
    assert wrong is not None
    assert wrong.text.startswith("position 0 of Chess960 stands: ")
    reversed_pawns = ARRAY[:8] + "p" * 8 + ARRAY[16:48] + "P" * 8 + ARRAY[56:]
    wrong = STANDARD.wrong(reversed_pawns)
    assert wrong is not None
    assert wrong.text.endswith("exchange f2 and f7 and 2 more")


def test_a_quarter_turn_of_any_kind_of_array() -> None:
    quarter = "".join(ARRAY[(7 - file) * 8 + rank] for rank in range(8) for file in range(8))
    occupied = "".join("?" if s % 8 in (0, 1, 6, 7) else "." for s in range(64))
    drawn = "".join(NUMBER_356[(7 - file) * 8 + rank] for rank in range(8) for file in range(8))
    for array, cells in ((STANDARD, quarter), (OCCUPANCY, occupied), (DRAWN, drawn)):
        wrong = array.wrong(cells)
        assert wrong is not None
        assert (wrong.code, wrong.squares, wrong.board) == ("BOARD_ROTATED", (), None)


def test_what_can_be_played_from_a_wrong_set_up() -> None:
    wrong = STANDARD.wrong(but(a1="N", b1="R"))
    assert wrong is not None
    assert wrong.board is not None
    assert wrong.board.fen().split()[1:3] == ["w", "Kkq"]
    two_kings = STANDARD.wrong(but(d1="K"))
    assert two_kings is not None
    assert two_kings.board is None


def test_occupancy_tells_missing_and_extra_men() -> None:
    shown = shown_by(ARRAY, "occupancy")
    wrong = OCCUPANCY.wrong(but(shown, g2="_", g3="?", h1="_"))
    assert wrong is not None
    assert (wrong.reason, wrong.board) == ("MISSING", None)
    assert wrong.text == "a square of the array is empty: move g3 to g2, h1 needs a man"
    assert OCCUPANCY.wanting(but(shown, a3="?")) == "a3 must be empty"


def test_a_colour_board_tells_the_colour() -> None:
    wrong = COLOUR.wrong(but(shown_by(ARRAY, "colour"), h1="w"))
    assert wrong is not None
    assert wrong.text == "a wrong man stands in the array: h1 needs a white man, not w"


# -- wrong of the 960 --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("squares", "reason", "text"),
    [
        ({"e2": "_"}, "MISSING", "e2 needs P"),
        ({"e3": "Q"}, "EXTRA", "e3 must be empty, not Q"),
        ({"e8": "_"}, "MISSING", "Black lacks king (e8 is empty)"),
        (
            {"e1": "q"},
            "WRONG_PIECE",
            "White lacks king (e1 shows q)",
        ),
        (
            {"d1": "K", "e1": "Q"},
            "WRONG_PIECE",
            "the ranks 1 and 8 do not mirror each other (d1, e1)",
        ),
        (
            {"a1": "N", "b1": "R", "d1": "B", "c1": "Q", "d8": "b", "c8": "q"},
            "WRONG_PIECE",
            f"White's {ONE_COLOUR}, Black's {ONE_COLOUR}, {UNLIKE} (a1, b1)",
        ),
        (
            {"a1": "K", "e1": "R", "a8": "k", "e8": "r"},
            "WRONG_PIECE",
            f"White's {OUTSIDE}, Black's {OUTSIDE}",
        ),
    ],
)
def test_why_none_of_the_960_stands(squares: dict[str, str], reason: str, text: str) -> None:
    cells = but(**squares)
    for rotated in (False, True):
        wrong = DRAWN.wrong(turned(cells) if rotated else cells)
        assert wrong is not None
        assert (wrong.code, wrong.reason) == ("CHESS960_SETUP_MISMATCH", reason)
        told = f"none of the 960 stands: {text}"
        assert (wrong.text, wrong.rotated, wrong.board) == (told, rotated, None)
        assert set(squares) >= set(names(wrong.squares).split()) or reason == "WRONG_PIECE"
    assert DRAWN.wanting(cells) == f"none of the 960 stands: {text}"


def test_a_given_position_of_chess960_is_put_right_by_exchanges() -> None:
    board = chess.Board.from_chess960_pos(356)
    array = StartArray(TableSetup(chess960=True, start_fen=board.fen()))
    a1, b1 = NUMBER_356[0], NUMBER_356[1]
    wrong = array.wrong(but(NUMBER_356, a1=b1, b1=a1))
    assert wrong is not None
    assert wrong.code == "CHESS960_SETUP_MISMATCH"
    assert wrong.text.endswith(": exchange a1 and b1")


# -- what is wanting ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (but(e2="_"), "e2 needs P"),
        (but(e2="_", e4="P"), "e2 needs P, e4 must be empty, not P"),
        (but(d1="K"), "d1 needs Q, not K"),
        (but(h8="*"), "h8 cannot be read"),
        (turned(but(e2="_")), "d7 needs P"),
        ("." * 64, "32 squares differ"),
    ],
)
def test_what_keeps_a_board_from_the_start(cells: str, told: str) -> None:
    assert STANDARD.wanting(cells) == told


def test_an_empty_board_lacks_everything_of_the_960() -> None:
    assert DRAWN.wanting("." * 64).startswith(
        "none of the 960 stands: 16 squares differ, White lacks bishop, bishop, king, "
    )


# -- properties --------------------------------------------------------------------------------


@given(order=st.permutations(range(16)))
@settings(max_examples=100, deadline=None)
def test_exchanges_put_any_order_of_men_right(order: list[int]) -> None:
    wanted = ARRAY[:16]
    cells = "".join(wanted[i] for i in order) + ARRAY[16:]
    swaps, left = exchanges(cells, ARRAY)
    letters = list(cells)
    for first, second, shown in swaps:
        assert (letters[first], letters[second]) == shown
        letters[first], letters[second] = letters[second], letters[first]
    assert ("".join(letters), left) == (ARRAY, [])
    wrong = sum(a != b for a, b in zip(cells, ARRAY, strict=True))
    assert wrong / 2 <= len(swaps) <= max(0, wrong - 1)


@given(
    cells=st.text(alphabet=".PNBRQKpnbrqk?Ww*", min_size=64, max_size=64),
    changes=st.dictionaries(st.integers(0, 63), st.sampled_from(".PNBRQKpnbrqk?Ww*"), max_size=6),
    mostly=st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_no_placement_is_too_strange(cells: str, changes: dict[int, str], mostly: bool) -> None:
    if mostly:
        cells = "".join(changes.get(square, man) for square, man in enumerate(ARRAY))
    for array in (STANDARD, DRAWN, OCCUPANCY, COLOUR):
        stand, wrong, nearly = array.stands(cells), array.wrong(cells), array.nearly(cells)
        if stand is not None:
            assert (wrong, nearly) == (None, None)
        else:
            assert array.wanting(cells)
        if wrong is not None and wrong.code != "BOARD_ROTATED":
            assert wrong.squares
            assert wrong.text
