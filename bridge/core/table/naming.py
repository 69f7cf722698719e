"""Colours as facts name them."""

import chess

from bridge.core.model import Colour


def name_of(colour: chess.Color) -> Colour:
    """Return the name of *colour*."""
    return "white" if colour else "black"
