"""What people may ask a daemon to do from a page, done."""

import asyncio
import contextlib
import tempfile
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import IO

from bridge.config import Config
from bridge.config.boards import BoardSettings
from bridge.config.editing import with_boards, with_round
from bridge.daemon.configured import ConfiguredFile
from bridge.daemon.recent import RecentLog
from bridge.links.claims import tells_boards_apart
from bridge.links.probing import Found, NotABoard
from bridge.outputs.controls import BoardKeys, Candidate, Changed, Controls, NotPossibleError
from bridge.store.captures import captures_of

_PIECE = 65536


def controls(
    config: Callable[[], Config],
    file: ConfiguredFile,
    look: Callable[[], Awaitable[list[Found | NotABoard]]],
    log: RecentLog,
) -> Controls:
    """Return what can be done with a daemon that runs.

    *config* returns what its file says, what waits for the next start included; *look* asks at all
    ports which boards are there.
    """

    async def discover() -> list[Candidate]:
        return list(map(candidate, await look()))

    def rounds() -> Mapping[str, str]:
        now = config()
        event = now.event.round
        return {"": event} | {group.group: group.round or event for group in now.groups}

    async def set_round(group: str, round_: str, pairings: str | None) -> Changed:
        if group not in rounds():
            raise NotPossibleError(f"there is no group {group}")
        if pairings is not None and pairings not in file.pairing_files():
            raise NotPossibleError(f"there is no file {pairings} beside the configuration")
        edit = partial(with_round, group=group, round_=round_, pairings=pairings)
        return await file.change(edit)

    def boards() -> Mapping[str, BoardKeys]:
        return {table.table: _keys(table.board) for table in config().tables}

    async def set_boards(given: Mapping[str, BoardKeys]) -> Changed:
        unknown = sorted(given.keys() - boards().keys())
        if unknown:
            raise NotPossibleError(f"there is no table {', '.join(unknown)}")
        return await file.change(lambda text, path: with_boards(text, given, path))

    def captures(table: str) -> "contextlib.AbstractAsyncContextManager[AsyncIterator[bytes]]":
        return archive(captures_of(config(), table))

    return Controls(
        log.lines,
        discover,
        rounds,
        file.pairing_files,
        set_round,
        boards,
        set_boards,
        captures,
        file.change,
        file.pairings,
    )


def _keys(board: BoardSettings) -> BoardKeys:
    """Return what says which board it is."""
    known = {"driver": board.driver, "port": board.port}
    known |= {"serial": board.serial or "", "unit": board.unit or ""}
    return {name: value for name, value in known.items() if value}


def candidate(answer: Found | NotABoard) -> Candidate:
    """Return a place as it is shown, with what a table needs that shall have the board."""
    if not isinstance(answer, Found):
        return Candidate(answer.address, "", "", (), answer.reason, {})
    board = {"driver": answer.driver, "port": answer.address}
    serial = next(filter(tells_boards_apart, answer.serials), None)
    if serial is not None and not answer.twins:
        board = {"driver": answer.driver, "serial": serial}
    return Candidate(
        answer.address,
        answer.driver,
        " / ".join(answer.serials),
        answer.units,
        answer.remarks,
        {} if answer.units else board,
    )


@contextlib.asynccontextmanager
async def archive(files: Iterable[Path]) -> AsyncIterator[AsyncIterator[bytes]]:
    """Put files into a ZIP archive, and yield it piece by piece as long as this is entered.

    They may be looked for as they are taken: that is done beside the loop.
    """
    with tempfile.TemporaryFile() as archive:
        await asyncio.to_thread(_fill, archive, files)
        yield _pieces(archive)


def _fill(archive: IO[bytes], files: Iterable[Path]) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as bundle:
        for path in files:
            with contextlib.suppress(FileNotFoundError):  # the oldest are deleted for new ones
                bundle.write(path, path.name)
    archive.seek(0)


async def _pieces(archive: IO[bytes]) -> AsyncIterator[bytes]:
    while piece := await asyncio.to_thread(archive.read, _PIECE):
        yield piece
