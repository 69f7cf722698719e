"""What several readings that may be right have in common: it is taken, and the rest stays open."""

from functools import reduce
from operator import or_

from bridge.core.inference.branch import Reading
from bridge.core.inference.course import Course
from bridge.core.inference.hypotheses import CLEARLY, Node, Stage, plies_of
from bridge.core.inference.taking import take


def take_common(course: Course, readings: list[Reading], start: Node, at: float) -> None:
    """Take the plies that were answered in all *readings* that may be right, if any is news."""
    best = readings[0]
    common = answered_in_all(readings, start, CLEARLY)
    if not common or not _is_news(course, common, start) or common[-1].target & best.unseen:
        return
    targets = reduce(or_, (ply.target for ply in common))
    last = best.node.at_ply(common[-1].ply + 1)
    beyond = _shown_beyond(course, common[-1])
    if take(course, [Reading(last, best.cost, best.unseen & targets)], start, at):
        _keep_shown(course, beyond)


def _shown_beyond(course: Course, ply: Node) -> list[Stage]:
    """Return the stages shown after that which comes to the position of *ply*.

    None, if they do not explain all that is shown.
    """
    shown = course.chain.shown if course.chain.match is not None else []
    number = ply.ply - course.story.head.ply
    if not 0 < number < len(shown):
        return []
    same = shown[number - 1].best.position.key == ply.position.key
    return shown[number:] if same else []


def _keep_shown(course: Course, beyond: list[Stage]) -> None:
    """Let *beyond* go on to be shown after the settled position, which is that before them.

    No reading of what was done after it was clearly better.
    """
    chain, head = course.chain, course.chain.head.best
    if not beyond or chain.match is not None:
        return
    before = beyond[0].best.parent
    if before is None or before.position.key != head.position.key:
        return
    kept, parents = [], [before]
    for stage in beyond:
        stage.nodes = [node for node in stage.nodes if node.parent in parents]
        if not stage.nodes:
            break
        kept.append(stage)
        parents = stage.nodes
    for node in kept[0].nodes:
        node.parent = head
    for node in [node for stage in kept for node in stage.nodes]:
        node.cost -= before.cost
    chain.shown = kept
    chain.compare()


def _is_news(course: Course, common: list[Node], start: Node) -> bool:
    """Whether *common* plies after *start* go on from the record, or correct it up to its end.

    Where men have no names, what is as likely is not better.
    """
    head = course.story.head
    if common[-1].ply > head.ply:
        return True
    told = [ply.move for ply in plies_of(head, start)]
    corrects = any(ply.move != move for ply, move in zip(common, told, strict=False))
    return course.named and corrects and common[-1].ply + 1 >= head.ply


def answered_in_all(readings: list[Reading], start: Node | None, within: float) -> list[Node]:
    """Return the plies after *start*, or all, that were answered in the best of *readings*.

    So they were in all others that cost hardly more, *within* so much; the first is the best.
    """
    near = [each for each in readings if each.cost < readings[0].cost + within]
    common: list[Node] = []
    for plies in zip(*(plies_of(each.node, start)[:-1] for each in near), strict=False):
        if any(ply.move != plies[0].move for ply in plies):
            break
        common.append(plies[0])
    return common
