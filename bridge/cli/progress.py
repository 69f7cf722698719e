"""What commands that take their time share: a sign of life, and an end when somebody wants it."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Iterator

_REFRESH_SECONDS = 0.25


@contextlib.contextmanager
def spinner(text: str) -> Iterator[Callable[[str], None]]:
    """Show *text* on the terminal; yield what replaces it. Elsewhere nothing is shown."""
    from rich.console import Console
    from rich.live import Live
    from rich.spinner import Spinner

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    shape = Spinner("dots", text)
    # What goes into a pipe must stay what it is, also while the terminal shows something.
    with Live(shape, console=console, transient=True, redirect_stdout=sys.stdout.isatty()):
        yield lambda text: shape.update(text=text)


async def until_stopped(
    show: Callable[[], None],
    *,
    seconds: float | None = None,
    task: "asyncio.Task[None] | None" = None,
) -> None:
    """Call *show* now and then until an interruption, a request to end, or the end of the time.

    Also until *task* ends by itself.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    end = None if seconds is None else loop.time() + seconds
    while not stopped.is_set() and (end is None or loop.time() < end):
        if task is not None and task.done():
            return
        left = _REFRESH_SECONDS if end is None else min(_REFRESH_SECONDS, end - loop.time())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stopped.wait(), left)
        show()
