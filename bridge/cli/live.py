"""A table for the terminal that shows every board as it is now."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from bridge.core.model import ClockUpdated, Colour
from bridge.outputs.overview import Overview, TableView

_LINK_STYLES = {"live": "green", "stale": "yellow", "lost": "bold red"}
_ALERT_STYLES = {"critical": "bold white on red", "warning": "yellow", "tech": "cyan"}


PLAIN_SECONDS = 10.0
"""How often a line is written where there is no terminal to draw on."""


class Display:
    """Shows an overview on the terminal; elsewhere a plain line now and then."""

    def __init__(self, overview: Overview, title: str, console: Console | None = None) -> None:
        self._overview = overview
        self._title = title
        self._console = console or Console()
        self._live = Live(console=self._console, auto_refresh=False)
        self._next_line = 0.0

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def show(self) -> None:
        """Draw what is known now."""
        if self._console.is_terminal:
            self._live.update(live_table(self._overview, title=self._title), refresh=True)
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + PLAIN_SECONDS
            self._console.print(_plain_line(self._overview), highlight=False, markup=False)


def _plain_line(overview: Overview) -> str:
    return "; ".join(
        f"{view.table}: {view.result.result if view.result else view.last_move or 'waiting'}"
        for view in overview.tables.values()
    )


def live_table(overview: Overview, *, title: str) -> Table:
    """Return what is going on at all tables, as a table for the terminal."""
    table = Table(title=title, title_justify="left", expand=False)
    for column in ("Board", "White", "Black", "Last move"):
        table.add_column(column, no_wrap=True)
    table.add_column("White clock", justify="right", no_wrap=True)
    table.add_column("Black clock", justify="right", no_wrap=True)
    table.add_column("Link", no_wrap=True)
    table.add_column("Alerts")
    for view in overview.tables.values():
        table.add_row(
            Text(view.table),
            Text(view.white),
            Text(view.black),
            _last_move(view),
            _clock(view, "white"),
            _clock(view, "black"),
            _link(view),
            _alerts(view),
        )
    return table


def clock_text(ms: int) -> str:
    """Return remaining time as players read it: hours only where there are any."""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _last_move(view: TableView) -> Text:
    text = Text(view.last_move or "-")
    if view.result is not None:
        text.append(f"  {view.result.result}", style="bold")
    elif view.standing:
        text.append(f"  ({view.standing})", style="dim")
    return text


def _clock(view: TableView, colour: Colour) -> Text:
    clock: ClockUpdated | None = view.clock
    if clock is None:
        return Text("-")
    running = clock.running and clock.turn == colour
    shown = clock_text(clock.white_ms if colour == "white" else clock.black_ms)
    return Text(f"> {shown}" if running else shown, style="bold" if running else "")


def _link(view: TableView) -> Text:
    if view.link is None:
        return Text("waiting")
    return Text(view.link.state, style=_LINK_STYLES[view.link.state])


def _alerts(view: TableView) -> Text:
    text = Text()
    for alert in view.alerts.values():
        text.append(f"{alert.code} ", style=_ALERT_STYLES.get(alert.severity, ""))
    return text
