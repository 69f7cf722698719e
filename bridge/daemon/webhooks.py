"""The webhooks of a configuration: each with its audience, its delay and its outbox."""

import contextlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Self

from bridge.config import Config
from bridge.daemon.tasks import aside
from bridge.outputs.feed import Feed
from bridge.outputs.tally import Report, report
from bridge.outputs.webhook.sender import MARK, Webhook, output_of
from bridge.store.errors import OutboxError
from bridge.store.outbox import Outbox

logger = logging.getLogger(__name__)


class Webhooks:
    """Tell ``feeds`` all facts; they are sent from entering to leaving.

    Where the outbox cannot be used nothing is sent, that is logged, and all else goes on.
    """

    def __init__(
        self,
        config: Config,
        now: Callable[[], float],
        open_outbox: Callable[[Path], Outbox] = Outbox,
    ) -> None:
        """Open the outbox, which waits for the disk."""
        self.feeds: list[Feed] = []
        self._hooks: list[Webhook] = []
        self._trouble = ""
        self._stack = contextlib.AsyncExitStack()
        try:
            outbox = open_outbox(config.data.outbox)
            self._stack.push_async_callback(aside, outbox.close)
            _forget_others(outbox, {output_of(settings) for settings in config.webhooks})
            for settings in config.webhooks:
                hook = Webhook(settings, outbox)
                self._hooks.append(hook)
                self.feeds.append(
                    Feed(settings.delay, now, audience=settings.audience, hears=[hook.take])
                )
        except OutboxError as error:
            self._trouble = str(error)
            logger.error("webhooks: nothing is sent: %s", error)  # noqa: TRY400 - it says all

    async def take_up(self) -> None:
        """Let what the outbox has since this was made not be queued again.

        Raises:
            OutboxError: it cannot be read.
        """
        for hook in self._hooks:
            await hook.take_up()

    def troubles(self) -> list[str]:
        """Return in words what receivers will not be sent."""
        return [trouble for hook in self._hooks for trouble in hook.troubles()]

    async def reports(self) -> list[Report]:
        """Return how each receiver is served.

        Raises:
            OutboxError: the outbox cannot be read.
        """
        if self._trouble:
            return [Report("webhooks", 0, 0, 0, self._trouble)]
        return [report(each.name, each.tally, waiting=await each.waiting()) for each in self._hooks]

    async def __aenter__(self) -> Self:
        for hook in self._hooks:
            await self._stack.enter_async_context(hook)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()


def _forget_others(outbox: Outbox, kept: set[str]) -> None:
    """Forget receivers that are configured no longer: nobody would ever take what waits."""
    for output in outbox.outputs():
        if output.startswith(MARK) and output not in kept:
            outbox.forget_output(output)
            logger.info("%s: is configured no longer; what waited for it is forgotten", output)
