"""Whether a daemon does its work, from what its parts say of themselves."""

from collections.abc import Sequence

from bridge.links.pulse import Link
from bridge.outputs.health import Health
from bridge.outputs.tally import Report


def health(
    journal: str | None, links: Sequence[Link], reports: Sequence[Report], others: Sequence[str]
) -> Health:
    """Return how the daemon is.

    It is failing where readings cannot be recorded, an output cannot deliver, or there are links
    and none is live. Where only some are not live, or *others* say that something is not as it
    should be, it is degraded: the rest is served.

    Args:
        journal: the journal's trouble, in words.
        links: the links that run.
        reports: how each output does.
        others: what else is not as it should be, in words.
    """
    failing = [journal] if journal else []
    failing += [f"{each.name}: {each.trouble}" for each in reports if each.trouble]
    quiet = [
        f"{link.name}: {link.state}" + (f" ({link.detail})" if link.detail else "")
        for link in links
        if link.state != "live"
    ]
    reasons = tuple(dict.fromkeys((*failing, *quiet, *others)))
    if failing or (links and len(quiet) == len(links)):
        return Health("failing", reasons)
    return Health("degraded" if reasons else "ok", reasons)
