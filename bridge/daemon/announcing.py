"""What the daemon itself tells the journal of its tables: who plays there, and that it was away."""

from bridge.config import Config
from bridge.core.model import LinkChange
from bridge.daemon.hall import Hall
from bridge.daemon.lines import link_name
from bridge.outputs.overview import Overview


def set_up(config: Config, hall: Hall, overview: Overview, *, today: str) -> int:
    """Journal what is new in the configuration; return at how many tables."""
    count = 0
    for settings in config.tables:
        name = settings.table
        setup = config.setup(settings, today=today)
        if setup == hall.table(name).setup:
            continue
        count += 1
        hall.deliver(name, link_name(settings), setup)
        if hall.table(name).engine is None:
            view = overview.tables[name]
            view.white, view.black = setup.white, setup.black
    return count


def was_away(config: Config, hall: Hall, overview: Overview) -> None:
    """Journal of the boards that were followed when the last daemon ended that nobody watched."""
    for settings in config.tables:
        view = overview.tables[settings.table]
        if view.link is not None and view.link.state != "lost":
            away = LinkChange(state="lost", detail="eboard-bridge was not running")
            hall.deliver(settings.table, link_name(settings), away)
