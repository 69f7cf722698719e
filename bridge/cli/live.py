"""A table for the terminal that shows every board as it is now."""

import time
from collections.abc import Callable, Sequence
from typing import Self

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from bridge.core.audience import is_silent
from bridge.core.model import ClockUpdated, Colour
from bridge.outputs.overview import Overview, TableView

_LINK_STYLES = {"live": "green", "stale": "yellow", "lost": "bold red"}
_ALERT_STYLES = {"critical": "bold white on red", "warning": "yellow", "tech": "cyan"}
_LINK_ALERTS = frozenset({"BOARD_DISCONNECTED", "SNAPSHOT_STALE"})
"""These say once what the state of the link says more exactly and up to date."""

_BOARD_COLUMNS = 12
_MOVE_COLUMNS = 18
"""Enough for most moves with the one that is not settled, so that the table stands still."""

PLAIN_SECONDS = 10.0
"""How often a line is written where there is no terminal to draw on."""


class Display:
    """Shows an overview on the terminal; elsewhere a plain line now and then.

    *others* says what else is wrong, with the whole hall or what is sent from it.
    """

    def __init__(
        self,
        overview: Overview,
        title: str,
        *,
        others: Callable[[], Sequence[str]] = tuple,
        console: Console | None = None,
    ) -> None:
        self._overview = overview
        self._title = title
        self._others = others
        self._console = console or Console()
        self._live = Live(console=self._console, auto_refresh=False)
        self._next_line = 0.0

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def show(self) -> None:
        """Draw what is known now."""
        if self._console.is_terminal:
            self._live.update(self._drawing(), refresh=True)
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + PLAIN_SECONDS
            self._console.print(_plain_line(self._overview), highlight=False, markup=False)

    def _drawing(self) -> Group:
        lines = troubles(self._overview)
        lines[:0] = [Text(trouble, style=_LINK_STYLES["lost"]) for trouble in self._others()]
        return Group(live_table(self._overview, title=self._title), *lines)


def _plain_line(overview: Overview) -> str:
    return "; ".join(
        f"{view.table}: {view.result.result if view.result else view.last_move or 'waiting'}"
        for view in overview.tables.values()
    )


def live_table(overview: Overview, *, title: str) -> Table:
    """Return what is going on at all tables, as a table for the terminal.

    The names of the players take what the rest leaves of the width; 80 columns are enough.
    """
    table = Table(
        title=title,
        title_justify="left",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
        expand=True,
    )
    table.add_column("Board", no_wrap=True, max_width=_BOARD_COLUMNS)
    for colour in ("White", "Black"):
        table.add_column(colour, no_wrap=True, ratio=1, overflow="ellipsis")
        table.add_column("Clock", no_wrap=True, justify="right")
    table.add_column("Last move", no_wrap=True, min_width=_MOVE_COLUMNS)
    table.add_column("Link", no_wrap=True)
    for view in overview.tables.values():
        table.add_row(
            Text(view.table),
            Text(view.white),
            _clock(view, "white"),
            Text(view.black),
            _clock(view, "black"),
            _last_move(view),
            _link(view),
        )
    return table


def troubles(overview: Overview) -> list[Text]:
    """Return what somebody should look at: a line or two for each trouble, board first."""
    lines = []
    for view in overview.tables.values():
        if view.link is not None and view.link.state != "live":
            style = _LINK_STYLES[view.link.state]
            lines.append(Text(f"{view.table}: {view.link.state}: {view.link.detail}", style=style))
        for alert in view.alerts.values():
            if alert.code not in _LINK_ALERTS and not is_silent(alert):
                text = f"{view.table}: {'; '.join(filter(None, (alert.text, alert.remedy)))}"
                lines.append(Text(text, style=_ALERT_STYLES.get(alert.severity, "")))
        if view.waits_for:
            lines.append(Text(f"{view.table}: {view.waits_for}", style="dim"))
    return lines


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
    return Text(f">{shown}" if running else shown, style="bold" if running else "")


def _link(view: TableView) -> Text:
    if view.link is None:
        return Text("-")
    return Text(view.link.state, style=_LINK_STYLES[view.link.state])
