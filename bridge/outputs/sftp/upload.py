"""Keeps copies on a server: looks for changed files, copies them, and tries until it has worked.

Nothing has to be remembered: what the server has is asked, by size and time of change. So a restart
copies nothing again, and files that a lost server missed are copied when it is back.
"""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Self

from bridge.config.uploads import UploadSettings
from bridge.outputs.lasting import lasting
from bridge.outputs.patience import Patience, rest
from bridge.outputs.sftp.folder import State, files_in, in_turns
from bridge.outputs.sftp.server import Server
from bridge.outputs.sftp.trust import UploadError
from bridge.outputs.tally import Tally

AT_ONCE = 8
"""Files that are copied at the same time."""
SUFFIXES = {"pgn": (".pgn",), "cloud": (".json", ".pgn")}

logger = logging.getLogger(__name__)


class Upload:
    """Copies the files of *folder* to a server, from entering to leaving.

    Whoever writes the files has to end before it is left, as leaving copies the last changes.
    """

    def __init__(
        self, settings: UploadSettings, folder: Path, *, patience: Patience | None = None
    ) -> None:
        self._settings = settings
        self._folder = folder
        self._patience = patience or Patience()
        self._copied: dict[PurePosixPath, State] = {}
        self._server: Server | None = None
        self._failures = 0
        self._ending = asyncio.Event()
        self.tally = Tally()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._ending.set()
        await asyncio.wait([self._task], timeout=self._patience.at_end)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        name = f"upload to {self._settings.host}"
        await lasting(name, self._look_until_ended, self.tally, ended=self._ending)

    async def _look_until_ended(self) -> None:
        try:
            ended = False
            while not ended:
                ended = self._ending.is_set()
                await rest(await self._look(), self._ending)
        finally:
            await self._hang_up()

    async def _look(self) -> float:
        """Copy what has changed; return how long to rest then."""
        try:
            suffixes = SUFFIXES[self._settings.files]
            files = await asyncio.to_thread(files_in, self._folder, suffixes)
            changed = [place for place, state in files.items() if self._copied.get(place) != state]
            if changed:
                await self._copy(changed, files)
        except (UploadError, OSError) as error:
            await self._hang_up()
            return self._has_failed(error)
        if changed and self._failures:
            logger.info("upload to %s: files are copied again", self._settings.host)
            self._failures = 0
            self.tally.works(0)
        return self._settings.seconds

    async def _copy(
        self, places: Sequence[PurePosixPath], files: dict[PurePosixPath, State]
    ) -> None:
        """Copy files, some at once."""
        if self._server is None:
            self._server = Server(self._settings)
            await self._server.open()
        server = self._server
        for turn in in_turns(places):
            for some in (turn[n : n + AT_ONCE] for n in range(0, len(turn), AT_ONCE)):
                results = await asyncio.gather(
                    *(self._copy_one(server, place, files[place]) for place in some),
                    return_exceptions=True,
                )
                for result in results:
                    if isinstance(result, BaseException):
                        raise result

    async def _copy_one(self, server: Server, place: PurePosixPath, state: State) -> None:
        if place in self._copied or not await server.has(place, state):
            content = await asyncio.to_thread((self._folder / place).read_bytes)
            await server.put(place, content, state)
            self.tally.works()
        # One that has changed since it was looked at is copied again at the next look.
        self._copied[place] = state

    def _has_failed(self, error: Exception) -> float:
        level = logging.DEBUG if self._failures else logging.WARNING
        self._failures += 1
        self.tally.fails(error)
        wait = self._patience.after(self._failures)
        host = self._settings.host
        logger.log(level, "upload to %s: %s; next try in %.0f s", host, error, wait)
        return wait

    async def _hang_up(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            await server.close()
