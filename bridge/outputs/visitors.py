"""Whom a server answers: who asks for it by a name of its own, and pages of listed sites.

A page of another site may reach a server by a name that it lets point here, so the ``Host`` that
is asked for has to be known, this machine or a plain address.
"""

import ipaddress
from collections.abc import Collection

ANY_ORIGIN = "*"


def is_ours(asked: str, names: Collection[str]) -> bool:
    """Whether *asked*, a ``Host`` header, is one of *names*, this machine or a plain address."""
    name = asked.rpartition(":")[0] if not asked.endswith("]") and ":" in asked else asked
    name = name.lower()
    if name == "localhost" or name in names:
        return True
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def is_listed(origin: str, origins: Collection[str]) -> bool:
    """Whether the site *origin* is one of *origins*."""
    return origin in origins or ANY_ORIGIN in origins
