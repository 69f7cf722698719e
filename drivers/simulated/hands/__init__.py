"""Hands over a chess board: what is lifted, put down and pressed, and when.

Pure and deterministic: positions, a :class:`Style` and a ``random.Random`` give timed actions in
true chess squares (a1 = 0). Sensors, clocks and what goes wrong at a whole table are not their
business; see :mod:`drivers.simulated.streams`.
"""

from drivers.simulated.hands.actions import Action, Lift, Press, Put, Stop
from drivers.simulated.hands.handling import RESULT_SQUARES, Handling
from drivers.simulated.hands.playing import play, show_result
from drivers.simulated.hands.style import BLITZ, Span, Style

__all__ = [
    "BLITZ",
    "RESULT_SQUARES",
    "Action",
    "Handling",
    "Lift",
    "Press",
    "Put",
    "Span",
    "Stop",
    "Style",
    "play",
    "show_result",
]
