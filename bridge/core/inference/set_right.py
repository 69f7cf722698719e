"""A wrong set-up that is put right after the first moves: they are the same from the right one."""

from bridge.core.inference.array_found import chain_from, played_again
from bridge.core.inference.course import Course

PUT_RIGHT_BY = 20
"""After so many plies a wrong set-up stays as it was played from (Laws, A.5.1: ten moves each)."""


def put_set_up_right(course: Course, at: float) -> bool:
    """Go on from the right set-up, if its men were put where they belong and that explains all.

    The moves made so far must be legal from there, and it must have stood for a while. Men must
    have names.
    """
    meant, chain, head = course.meant, course.chain, course.story.head
    if meant is None or chain.match is not None or chain.missed:
        return False
    if head.ply > PUT_RIGHT_BY or (plies := played_again(course, meant)) is None:
        course.meant = None
        return False
    other = chain_from(course, plies[-1])
    if other.match is None or not course.due(course.sight.changed_at + course.timing.gap, at):
        return False
    course.play_again(plies, meant, other)
    return True
