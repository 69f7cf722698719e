"""How often the board is looked at, as far as its changes tell."""

import math

from bridge.core.inference.course import Course

SCANS_VARY = 0.05
"""By so much a scan may take longer than another one (s)."""
LATE_SCAN = 1.25
"""So many times as long as the quickest may one take that is told late, as over Bluetooth ..."""
SLOWEST_SCAN = 0.7
"""... where that is no longer than this (s): any longer, and it was not known from one scan."""
TOLD_WITH_IT = 0.04
"""A square that is told so soon (s) after a press had changed before it."""
SELDOM = 0.15
"""A board is looked at seldom that tells such a share of moves in one, or more."""
SELDOMMEST = 1.6
"""Changes that came no sooner after each other than this (s) tell nothing of how often that is."""
CHANGES_TELLING = 6
"""So many changes of a board tell how quickly they may follow each other."""


def one_scan(course: Course) -> float:
    """Return how long a man must stand to be seen on his next square if he goes on: a scan.

    A board that has never shown anything quicker is taken for one that scans as slowly. While no
    square was seen to change twice soon, any two of several changes will do.
    """
    still, sight, most = course.timing.still, course.sight, course.timing.gap - SCANS_VARY
    if sight.quickest <= most:
        return max(still, sight.quickest + SCANS_VARY)
    known = sight.changes >= CHANGES_TELLING and still <= sight.pause <= most
    return sight.pause + SCANS_VARY if known else still


def seen_twice(course: Course) -> float:
    """Return how long a man must stand to be seen in two scans, on any board.

    One that is looked at seldom takes as long as any two of several changes were apart.
    """
    sight = course.sight
    known = sight.changes >= CHANGES_TELLING and course.timing.gap < sight.pause <= SELDOMMEST
    if known and is_seldom_seen(course):
        return sight.pause + SCANS_VARY
    return one_scan(course)


def late_scan(course: Course) -> float:
    """Return how long a man may have gone on before a slow board tells it, as far as is known."""
    sight = course.sight
    if sight.quickest <= SLOWEST_SCAN:
        return sight.quickest * LATE_SCAN + SCANS_VARY
    known = sight.changes >= CHANGES_TELLING and course.timing.still <= sight.pause <= SLOWEST_SCAN
    return sight.pause + SCANS_VARY if known else 0.0


def next_step(course: Course) -> float:
    """Return how long a man who slides may stand on a square until his next step is told."""
    scan = min(course.sight.quickest + SCANS_VARY, course.timing.in_doubt)
    return max(course.timing.gap, scan, late_scan(course))


def next_look(course: Course, after: float) -> float:
    """Return when a board that is looked at seldom has been looked at once more *after* that.

    It was when it changed last, and is every so often: no more seldom than any two changes came.
    """
    sight, timing = course.sight, course.timing
    pause = max(sight.pause, timing.gap) if sight.pause <= SELDOMMEST else timing.reading
    looks = math.ceil((after - sight.changed_at) / pause)
    return sight.changed_at + looks * pause + TOLD_WITH_IT


def is_seldom_seen(course: Course) -> bool:
    """Whether the board is looked at so seldom that many moves are told whole, as on a bus."""
    return course.sight.told_whole(course.timing.scan) >= SELDOM
