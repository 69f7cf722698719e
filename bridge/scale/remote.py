"""What people may do at a hub beside orders at tables: with boards that are at nodes."""

from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager

from bridge.config import ANY_PORT
from bridge.daemon.controls import candidate
from bridge.outputs.controls import BoardKeys, Changed, Controls, NotPossibleError
from bridge.scale.boards import NodesBoards

OTHER_HUBS = "other hubs go by their own files: give them this one, too"


def over_nodes(own: Controls, boards: NodesBoards) -> Controls:
    """Return what people may do; *own* is done with the files of this hub alone."""

    async def set_round(group: str, round_: str, pairings: str | None) -> Changed:
        changed = await own.set_round(group, round_, pairings)
        return Changed((*changed.waits, OTHER_HUBS))

    async def set_boards(given: Mapping[str, BoardKeys]) -> Changed:
        if given.keys() <= own.boards().keys():
            await boards.assign(_by_node(given, own.boards(), boards))
        await own.set_boards(given)
        return Changed((OTHER_HUBS,))

    def captures(table: str) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        node = boards.node_of(table)
        if node is not None:
            raise NotPossibleError(f"they are at node {node}, in its data folder")
        return own.captures(table)

    return own._replace(set_round=set_round, set_boards=set_boards, captures=captures)


def _by_node(
    given: Mapping[str, BoardKeys], now: Mapping[str, BoardKeys], boards: NodesBoards
) -> dict[str, dict[str, BoardKeys]]:
    """Return what each node is to be told.

    Raises:
        NotPossibleError: a board is known to be at another node than its new table.
    """
    places: defaultdict[frozenset[tuple[str, str]], set[str | None]] = defaultdict(set)
    for table, keys in now.items():
        places[_name(keys)].add(boards.node_of(table))
    for where, found in boards.found:
        places[_name(candidate(found).board)].add(where)
    wanted: defaultdict[str, dict[str, BoardKeys]] = defaultdict(dict)
    for table, keys in given.items():
        node = boards.node_of(table)
        known = places.get(_name(keys), {node})
        if node not in known:
            where = ", ".join(sorted(filter(None, known)))
            raise NotPossibleError(f"table {table} is at node {node}, and that board at {where}")
        if node is not None:
            wanted[node][table] = keys
    return wanted


def _name(keys: BoardKeys) -> frozenset[tuple[str, str]]:
    """Return what tells a board from others, whether or not it is said that any port will do."""
    return frozenset(item for item in keys.items() if item != ("port", ANY_PORT))
