"""One SFTP connection: files go there under another name first, so nobody reads half of one."""

import asyncio
import contextlib
import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TypeVar

import asyncssh

from bridge.config.uploads import UploadSettings
from bridge.outputs.sftp.folder import State

LOGIN_SECONDS = 20
"""Until a server that says nothing counts as gone."""
ALIVE_SECONDS = 15
"""How often a silent connection is asked whether it is there."""

_T = TypeVar("_T")

asyncssh.set_log_level("WARNING")  # it tells of every connection and login else


class UploadError(Exception):
    """Nothing can be copied now; the message says why and what to do, without any secret."""


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
        key, password = await asyncio.to_thread(_credentials, settings)
        if not settings.known_hosts.is_file():
            raise UploadError(self._stranger())
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
                return self._stranger()
            case asyncssh.PermissionDenied():
                file = settings.key_file or settings.password_file
                return f"lets {settings.user} not in with what is in {file}"
            case asyncssh.Error():
                return error.reason
            case TimeoutError():
                return "does not answer in time"
            case _:
                return os.strerror(error.errno) if error.errno else str(error)

    def _stranger(self) -> str:
        """Say that the server showed a key that is not known for it, and what to do."""
        settings, file = self._settings, self._settings.known_hosts
        if file.is_file():
            known, *_ = asyncssh.match_known_hosts(str(file), settings.host, "", settings.port)
            if known:
                return (
                    f"shows another host key than the one in {file}: somebody may be in between; "
                    "ask who keeps the server, and delete the old key if it was changed"
                )
        port = "" if settings.port == 22 else f"-p {settings.port} "
        return (
            f"its host key is not in {file}: call ssh-keyscan {port}{settings.host} >> {file}, and "
            "compare with who keeps the server what ssh-keygen -lf shows of it"
        )


def _credentials(settings: UploadSettings) -> tuple[asyncssh.SSHKey | None, str | None]:
    """Return the private key or the password, read anew each time."""
    if settings.key_file is not None:
        return _read(settings.key_file, lambda file: asyncssh.read_private_key(str(file))), None
    file = settings.password_file
    if file is None:
        raise UploadError("there is no key and no password")
    password = _read(file, lambda file: file.read_text(encoding="utf-8")).strip()
    if not password:
        raise UploadError(f"{file}: there is no password in it")
    return None, password


def _read(file: Path, read: Callable[[Path], _T]) -> _T:
    try:
        return read(file)
    except OSError as error:
        raise UploadError(f"{file}: {error.strerror}") from None
    except UnicodeError:
        raise UploadError(f"{file}: is no text") from None
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError):
        raise UploadError(f"{file}: holds no private key that needs no passphrase") from None
