"""What people may do at a hub beside orders at tables: with boards that are at nodes."""

import contextlib
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path

from bridge.config import ANY_PORT
from bridge.daemon.controls import archive, candidate
from bridge.outputs.controls import BoardKeys, Changed, Controls, NotPossibleError
from bridge.scale.boards import Moved, NodesBoards
from bridge.scale.changes import MOST_TEXT, edited
from bridge.scale.messages import BoardsGiven, Change, RoundSet


def over_nodes(
    own: Controls,
    boards: NodesBoards,
    *,
    epoch: Callable[[], int],
    tell: Callable[[Change], Awaitable[None]],
) -> Controls:
    """Return what people may do; *own* is done with the files of this hub alone.

    *epoch* is that of the lease; *tell* has the other hubs take a change, too, and returns when
    that is sure.
    """

    async def set_round(group: str, round_: str, pairings: str | None) -> Changed:
        text = None if pairings is None else await own.pairings(pairings)
        if text is not None and len(text) > MOST_TEXT:
            raise NotPossibleError(f"{pairings} is too large to be told to the other hubs")
        changed = await own.set_round(group, round_, pairings)
        await tell(RoundSet(epoch=epoch(), group=group, round=round_, pairings=pairings, text=text))
        return changed

    async def set_boards(given: Mapping[str, BoardKeys]) -> Changed:
        unknown = sorted(given.keys() - own.boards().keys())
        if unknown:
            raise NotPossibleError(f"there is no table {', '.join(unknown)}")
        moved = _moved(given, own.boards(), boards)
        change = BoardsGiven(epoch=epoch(), boards=given, moved=moved)
        await boards.leave(given, moved)
        if not moved:
            await boards.assign(given)
        await own.change(partial(edited, change))
        await tell(change)
        if moved:  # from now on it is taken what their new nodes say of them
            await boards.assign(given)
        return Changed(())

    @contextlib.asynccontextmanager
    async def captures(table: str) -> AsyncIterator[AsyncIterator[bytes]]:
        with tempfile.TemporaryDirectory() as folder:
            files = await boards.captures(table, Path(folder))
            async with archive(files) as pieces:
                yield pieces

    def all_captures(
        table: str,
    ) -> contextlib.AbstractAsyncContextManager[AsyncIterator[bytes]]:
        return captures(table) if boards.node_of(table) is not None else own.captures(table)

    return own._replace(set_round=set_round, set_boards=set_boards, captures=all_captures)


def _moved(
    given: Mapping[str, BoardKeys], now: Mapping[str, BoardKeys], boards: NodesBoards
) -> Moved:
    """Return the tables whose new board is at another node than they are.

    Raises:
        NotPossibleError: that board is known at several nodes.
    """
    places: defaultdict[frozenset[tuple[str, str]], set[str]] = defaultdict(set)
    for table, keys in now.items():
        node = boards.node_of(table)
        if node is not None and "serial" in keys:  # ports are called the same everywhere
            places[_name(keys)].add(node)
    for where, found in boards.found:
        board = candidate(found).board
        if board:
            places[_name(board)].add(where)
    moved: dict[str, tuple[str | None, str]] = {}
    for table, keys in given.items():
        node, known = boards.node_of(table), places.get(_name(keys), set())
        if not known or node in known:
            continue
        if len(known) > 1:
            where = ", ".join(sorted(known))
            raise NotPossibleError(f"table {table}: that board may be at {where}: look again")
        moved[table] = node, min(known)
    return moved


def _name(keys: BoardKeys) -> frozenset[tuple[str, str]]:
    """Return what tells a board from others, whether or not it is said that any port will do."""
    return frozenset(item for item in keys.items() if item != ("port", ANY_PORT))
