"""The outbox of a configuration, as commands change it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from bridge.cli.frame import CannotError
from bridge.cli.node import own_name, scale_of

if TYPE_CHECKING:
    from bridge.config import Config
    from bridge.store.outbox import Outbox

_T = TypeVar("_T")


def with_outbox(config: "Config", hub: str | None, do: "Callable[[Outbox], _T]") -> _T:
    """Let *do* change the outbox; where hubs share it, that of *hub*, for all of them.

    Raises:
        CannotError: it cannot be used.
    """
    from bridge.store.errors import OutboxError
    from bridge.store.outbox import Outbox

    try:
        if config.scale is None:
            with Outbox(config.data.outbox) as outbox:
                return do(outbox)
        scale = scale_of(config)
        from bridge.scale.connection import ScaleError
        from bridge.scale.visit import with_outbox

        try:
            return with_outbox(config, scale, own_name(hub), do)
        except ScaleError as error:
            raise CannotError(str(error)) from error
    except OutboxError as error:
        raise CannotError(str(error)) from error
