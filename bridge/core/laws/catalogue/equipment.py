"""Alerts about boards, links and the program itself."""

from bridge.core.laws.articles import Cited
from bridge.core.laws.catalogue.kinds import AlertKind, Until

_NONE = Cited("", "", "")


def _for_the_operator(
    code: str, title: str, detect: str, suggest: str, until: Until = "repaired"
) -> AlertKind:
    return AlertKind(code, title, "tech", "O", until, _NONE, detect, suggest)


EQUIPMENT = (
    AlertKind(
        "SENSOR_FAULT",
        "A square does not work",
        "tech",
        "O",
        "repaired",
        _NONE,
        "A square never changes though men pass, flickers, or shows what no man is.",
        "The square; swap men for a test between games.",
        otherwise=("warning", "an alert of a game in play rests on it"),
    ),
    _for_the_operator(
        "UNKNOWN_PIECE",
        "Unknown man",
        "A man is not of the set, or a colour has two kings.",
        "Change the man: a foreign spare or a worn chip.",
    ),
    _for_the_operator(
        "SNAPSHOT_STALE",
        "Board is silent",
        "The link is up and nothing has come for three scans.",
        "Ask the board; after 10 s it counts as lost.",
        "reconnected",
    ),
    AlertKind(
        "BOARD_DISCONNECTED",
        "Board is not connected",
        "warning",
        "O",
        "reconnected",
        _NONE,
        "The link is lost while a game is in play.",
        "Look at the cable; nothing is recorded or checked meanwhile.",
    ),
    AlertKind(
        "BOARD_BUMPED",
        "Board was bumped",
        "notice",
        "A",
        "quiet",
        _NONE,
        "More than six squares of both colours changed within half a second.",
        "Wait until it is quiet, then compare the board with the record.",
    ),
    _for_the_operator(
        "DUPLICATE_DEVICE",
        "The same board twice",
        "Two links report the same serial number.",
        "Look which board is at which table: the link that had it first is served.",
    ),
    _for_the_operator(
        "LOW_BATTERY",
        "Battery is low",
        "The board says that its battery is low.",
        "Charge it or have another board ready.",
    ),
    _for_the_operator(
        "CLOCK_BOARD_SKEW",
        "Clock and stopwatch drift apart",
        "Clock and our own time differ by more than 2 s in ten minutes.",
        "Times near a press are less certain.",
    ),
    _for_the_operator(
        "BROADCAST_STALLED",
        "Broadcast is late",
        "For a minute beyond the delay that is set nothing has left, and it should have.",
        "Look at the connection; the record is not touched by it.",
    ),
    AlertKind(
        "BROADCAST_HELD",
        "A move is held back",
        "notice",
        "A",
        "settled",
        _NONE,
        "A move under an open critical alert would be broadcast by now.",
        "Settle the alert; then it goes out.",
    ),
    _for_the_operator(
        "DISK_OR_LOG_FAULT",
        "Evidence cannot be stored",
        "The journal or the captures cannot be written.",
        "Make room on the disk, or change it.",
    ),
)
