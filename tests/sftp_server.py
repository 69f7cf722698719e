"""A real SFTP server in the tests' own process, with troubles on demand."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import asyncssh

from bridge.config.uploads import UploadSettings
from tests.livechess import free_port

USER = "chess"
PASSWORD = "a word of the tests"  # noqa: S105 - made up


@dataclass
class SftpHost:
    """A server whose files are in ``root``.

    ``old``: it cannot put one file in place of another. ``full``: nothing can be written.
    ``secretive``: nobody is told what is there.
    ``renamed``: what was put in place, in order.
    """

    folder: Path
    port: int = field(default_factory=free_port)
    old: bool = False
    full: bool = False
    secretive: bool = False
    renamed: list[str] = field(default_factory=list)
    connections: list[asyncssh.SSHServerConnection] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.root = self.folder / "server"
        self.root.mkdir(exist_ok=True)
        self.key = asyncssh.generate_private_key("ssh-ed25519")
        self.host_key = asyncssh.generate_private_key("ssh-ed25519")
        self.key.write_private_key(str(self.folder / "upload.key"))
        self.trust(self.host_key)

    def trust(self, key: asyncssh.SSHKey) -> None:
        """Let the known hosts have this key."""
        public = key.export_public_key().decode()
        (self.folder / "known_hosts").write_text(f"[127.0.0.1]:{self.port} {public}")

    def settings(self, *, password: bool = False, **others: Any) -> UploadSettings:
        keys: dict[str, Any] = {
            "host": "127.0.0.1",
            "port": self.port,
            "user": USER,
            "known_hosts": self.folder / "known_hosts",
            "seconds": 1,
        }
        if password:
            keys["password_file"] = self.folder / "upload.password"
            (self.folder / "upload.password").write_text(f"{PASSWORD}\n")
        else:
            keys["key_file"] = self.folder / "upload.key"
        return UploadSettings(**{**keys, **others})

    def files(self) -> dict[str, str]:
        """What readers find."""
        return {
            str(path.relative_to(self.root)): path.read_text()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }

    def hang_up(self) -> None:
        for connection in self.connections:
            connection.abort()


class _Login(asyncssh.SSHServer):
    def __init__(self, host: SftpHost) -> None:
        self._host = host

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._host.connections.append(conn)

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return (username, password) == (USER, PASSWORD)

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        return (username, key) == (USER, self._host.key.convert_to_public())


class _Files(asyncssh.SFTPServer):
    def __init__(self, host: SftpHost, chan: "asyncssh.SSHServerChannel[bytes]") -> None:
        super().__init__(chan, chroot=os.fsencode(host.root))
        self._host = host

    async def write(self, file_obj: object, offset: int, data: bytes) -> int:
        if self._host.full:
            raise asyncssh.SFTPFailure("no space left")
        written = super().write(file_obj, offset, data)
        assert isinstance(written, int)
        return written

    def stat(self, path: bytes) -> os.stat_result:
        if self._host.secretive:
            raise asyncssh.SFTPPermissionDenied("not yours")
        result = super().stat(path)
        assert isinstance(result, os.stat_result)
        return result

    async def posix_rename(self, oldpath: bytes, newpath: bytes) -> None:
        if self._host.old:
            raise asyncssh.SFTPOpUnsupported("not known")
        self._host.renamed.append(newpath.decode())
        super().posix_rename(oldpath, newpath)


@asynccontextmanager
async def serving(host: SftpHost) -> AsyncIterator[None]:
    server = await asyncssh.listen(
        "127.0.0.1",
        host.port,
        server_factory=partial(_Login, host),
        server_host_keys=[host.host_key],
        sftp_factory=partial(_Files, host),
    )
    try:
        yield
    finally:
        host.hang_up()
        server.close()
        await server.wait_closed()
