"""What a daemon that runs can take from a changed configuration."""

from collections.abc import Iterator
from dataclasses import replace

from bridge.config import Config, LichessSettings


def taken(served: Config, config: Config) -> Config:
    """Return *served* with what *config* says of event, groups, players and rules.

    Tables, boards, clocks, folders and everything else that was opened at the start stay. Of
    Lichess, only rounds can be named anew.
    """
    tables = {table.table: table for table in config.tables}
    return replace(
        served,
        event=config.event,
        groups=config.groups,
        lichess=_with_rounds_of(served.lichess, config.lichess),
        tables=tuple(
            replace(tables[table.table], board=table.board, clock=table.clock, node=table.node)
            if table.table in tables
            else table
            for table in served.tables
        ),
    )


def left(served: Config, config: Config) -> Iterator[str]:
    """Return what is different and waits for the next start, in words."""
    was = {table.table: table for table in served.tables}
    now = {table.table: table for table in config.tables}
    yield from (f"table {name} is new" for name in sorted(now.keys() - was.keys()))
    yield from (f"table {name} is gone" for name in sorted(was.keys() - now.keys()))
    for name in sorted(was.keys() & now.keys()):
        if (was[name].board, was[name].clock) != (now[name].board, now[name].clock):
            yield f"table {name} has another board or clock"
        if was[name].node != now[name].node:
            yield f"table {name} is at another node"
    if served.cloud is not None and _apart(served) != _apart(config):
        yield "which groups have cloud files of their own"
    for key in (
        "data",
        "pgn",
        "cloud",
        "livechess",
        "web",
        "webhooks",
        "uploads",
        "scale",
        "ports",
        "log",
    ):
        if getattr(served, key) != getattr(config, key):
            yield f"'{key}' is changed"
    if _with_rounds_of(served.lichess, config.lichess) != config.lichess:
        yield "'lichess' is changed"


def _with_rounds_of(
    served: LichessSettings | None, settings: LichessSettings | None
) -> LichessSettings | None:
    if served is None or settings is None:
        return served
    return replace(served, rounds=settings.rounds)


def _apart(config: Config) -> set[str]:
    return {group.group for group in config.groups if group.is_apart}
