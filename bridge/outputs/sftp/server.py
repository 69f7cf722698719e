"""One SFTP connection: files go there under another name first, so nobody reads half of one."""

import asyncio
import contextlib
import os
from pathlib import PurePosixPath

import asyncssh

from bridge.config.uploads import UploadSettings
from bridge.outputs.sftp.folder import State
from bridge.outputs.sftp.trust import UploadError, credentials, imposter, known_keys, stranger

LOGIN_SECONDS = 20
"""Until a server that says nothing counts as gone."""
ALIVE_SECONDS = 15
"""How often a silent connection is asked whether it is there."""

asyncssh.set_log_level("WARNING")  # it tells of every connection and login else


class Server:
    """The server of *settings*; ``open`` it first, ``close`` it always."""

    def __init__(self, settings: UploadSettings) -> None:
        self._settings = settings
        self._root = PurePosixPath(settings.folder)
        self._made: set[PurePosixPath] = set()
        self._stack = contextlib.AsyncExitStack()

    async def open(self) -> None:
        """Connect.

        Raises:
            UploadError: the server is not there, is another one, or does not let us in.
        """
        try:
            connection = await self._stack.enter_async_context(await self._connect())
            self._sftp = await self._stack.enter_async_context(connection.start_sftp_client())
        except (OSError, asyncssh.Error) as error:
            raise UploadError(self._words(error)) from None

    async def close(self) -> None:
        """Close what is open."""
        await self._stack.aclose()

    async def _connect(self) -> asyncssh.SSHClientConnection:
        settings = self._settings
        key, password = await asyncio.to_thread(credentials, settings)
        if not await asyncio.to_thread(known_keys, settings):
            raise UploadError(stranger(settings))
        return await asyncssh.connect(
            settings.host,
            settings.port,
            username=settings.user,
            client_keys=[key] if key else None,
            password=password,
            known_hosts=str(settings.known_hosts),
            config=None,
            agent_path=None,
            login_timeout=LOGIN_SECONDS,
            connect_timeout=LOGIN_SECONDS,
            keepalive_interval=ALIVE_SECONDS,
        )

    # --- files ------------------------------------------------------------------------------------

    async def has(self, place: PurePosixPath, state: State) -> bool:
        """Say whether the server has a file as *state* says, as far as it can tell.

        Raises:
            UploadError: it cannot be asked.
        """
        try:
            status = await self._sftp.stat(self._root / place)
        except asyncssh.SFTPNoSuchFile:
            return False
        except (OSError, asyncssh.Error) as error:
            raise UploadError(self._words(error)) from None
        return (status.size, status.mtime) == (state.size, state.changed)

    async def put(self, place: PurePosixPath, content: bytes, state: State) -> None:
        """Put *content*, changed when *state* says, in place of a file, whole at every moment.

        Raises:
            UploadError: it could not be copied; the old file is still there.
        """
        target = self._root / place
        draft = target.with_name(f".{target.name}.part")
        try:
            await self._make_folder(target.parent)
            async with self._sftp.open(draft, "wb") as file:
                await file.write(content)
            await self._sftp.utime(draft, (state.changed, state.changed))
            await self._replace(draft, target)
        except (OSError, asyncssh.Error) as error:
            raise UploadError(f"{target}: {self._words(error)}") from None

    async def _make_folder(self, folder: PurePosixPath) -> None:
        if folder not in self._made:
            await self._sftp.makedirs(folder, exist_ok=True)
            self._made.add(folder)

    async def _replace(self, draft: PurePosixPath, target: PurePosixPath) -> None:
        try:
            await self._sftp.posix_rename(draft, target)
        except asyncssh.SFTPOpUnsupported:
            # An old server: for a moment there is no such file, and never half of one.
            with contextlib.suppress(asyncssh.SFTPNoSuchFile):
                await self._sftp.remove(target)
            await self._sftp.rename(draft, target)

    # --- words ------------------------------------------------------------------------------------

    def _words(self, error: OSError | asyncssh.Error) -> str:
        settings = self._settings
        match error:
            case asyncssh.HostKeyNotVerifiable():
                return imposter(settings)
            case asyncssh.PermissionDenied():
                file = settings.key_file or settings.password_file
                return f"lets {settings.user} not in with what is in {file}"
            case asyncssh.Error():
                return error.reason
            case TimeoutError():
                return "does not answer in time"
            case _:
                return os.strerror(error.errno) if error.errno else str(error)
