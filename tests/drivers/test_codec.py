"""What a driver declares."""

from dataclasses import replace
from typing import get_args

import pytest

from drivers.boards.dgt import Dgt
from drivers.codec import Sensing

TOLD = {
    "identity": "identity",
    "raw tags": "identity",
    "judged moves": "identity",
    "colour": "colour",
    "occupancy": "occupancy",
    "events": "occupancy",
    "nothing": "occupancy",
}


@pytest.mark.parametrize("sensing", get_args(Sensing))
def test_every_way_of_sensing_says_what_its_cells_tell(sensing: Sensing) -> None:
    assert replace(Dgt.info, sensing=sensing).cells_tell == TOLD[sensing]
