"""What a daemon says of itself, for those who watch it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, NamedTuple

Status = Literal["ok", "degraded", "failing"]


class Health(NamedTuple):
    """Whether the program does its work; ``reasons`` say in words what is wrong."""

    status: Status
    reasons: tuple[str, ...] = ()


class Watch(NamedTuple):
    """What tells how the program is.

    ``metrics`` returns Prometheus' text format and its content type, ``equipment`` how links and
    outputs do, as the description of the web server says.
    """

    metrics: Callable[[], Awaitable[tuple[bytes, str]]]
    health: Callable[[], Awaitable[Health]]
    equipment: Callable[[], Awaitable[Mapping[str, object]]]
