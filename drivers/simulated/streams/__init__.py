"""Whole sessions at a simulated table, as board streams with the truth beside them.

In three steps that know nothing of those after them: people play on a physical board
(:mod:`world`, :mod:`players`, :mod:`proceedings`), sensors read it (:mod:`sensor`), a clock is
read (:mod:`clocks`). What was really played never depends on what was sensed of it.
"""

from drivers.simulated.streams.profile import CHAOS, CLEAN, CLUB, PROFILES, Profile
from drivers.simulated.streams.session import play_session

__all__ = ["CHAOS", "CLEAN", "CLUB", "PROFILES", "Profile", "play_session"]
