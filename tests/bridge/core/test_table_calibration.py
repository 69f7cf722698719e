"""The start position teaches which men carry which tags, or says why not."""

import chess
import pytest

from bridge.core.inference.placement import EMPTY
from bridge.core.table.calibration import faults, letters_of
from drivers.cells import cells_of

START = cells_of(chess.Board())
Tags = list[str | None]


def tags(**squares: str | None) -> Tags:
    found: Tags = [str(s) if man != EMPTY else None for s, man in enumerate(START)]
    for name, tag in squares.items():
        found[chess.parse_square(name)] = tag
    return found


def test_the_start_position_names_all_men() -> None:
    assert faults(tags(), {}) == []
    letters = letters_of(tags())
    assert len(letters) == 32
    assert (letters["0"], letters["4"], letters["60"], letters["52"]) == ("R", "K", "k", "p")


def test_spare_queens_are_named_where_they_stand() -> None:
    assert faults(tags(d3="a", d6="b"), {}) == []
    letters = letters_of(tags(d3="a", d6="b"))
    assert (len(letters), letters["a"], letters["b"]) == (34, "Q", "q")


@pytest.mark.parametrize(
    ("standing", "known", "said"),
    [
        pytest.param(
            tags(a1=None, h8=None), {}, ["no tag is read on a1, h8"], id="fewer than 32 tags"
        ),
        pytest.param(
            tags(a1="4"), {}, ["the same tag is read on a1, e1"], id="a tag on two squares"
        ),
        pytest.param(
            tags(e4="x"), {}, ["a tag is read on e4, where no man belongs"], id="a man too many"
        ),
        pytest.param(
            tags(),
            {"4": "K", "0": "N", "8": "p"},
            ["tags on a1, a2 are known as those of other men"],
            id="another man before",
        ),
        pytest.param(
            tags(e2=None, e4="12"),
            {"12": "P"},
            ["no tag is read on e2", "a tag is read on e4, where no man belongs"],
            id="a move was made",
        ),
    ],
)
def test_what_is_no_start_position_is_said_with_its_squares(
    standing: Tags, known: dict[str, str], said: list[str]
) -> None:
    assert faults(standing, known) == said
