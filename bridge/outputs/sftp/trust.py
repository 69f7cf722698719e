"""How a server knows us and we know the server: keys, passwords and host keys, from files."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import asyncssh

from bridge.config.uploads import UploadSettings

_T = TypeVar("_T")
_SSH_PORT = 22


class UploadError(Exception):
    """Nothing can be copied now; the message says why and what to do, without any secret."""


def credentials(settings: UploadSettings) -> tuple[asyncssh.SSHKey | None, str | None]:
    """Return the private key or the password, read anew each time.

    Raises:
        UploadError: there is none that will do.
    """
    if settings.key_file is not None:
        return _read(settings.key_file, lambda file: asyncssh.read_private_key(str(file))), None
    file = settings.password_file
    if file is None:
        raise UploadError("there is no key and no password")
    password = _read(file, lambda file: file.read_text(encoding="utf-8")).strip()
    if not password:
        raise UploadError(f"{file}: there is no password in it")
    return None, password


def known_keys(settings: UploadSettings) -> Sequence[asyncssh.SSHKey]:
    """Return the keys one of which the server has to show.

    Raises:
        UploadError: the file of known hosts cannot be understood.
    """
    file = settings.known_hosts
    if not file.is_file():
        return []
    try:
        keys, authorities, *_ = asyncssh.match_known_hosts(
            str(file), settings.host, "", settings.port
        )
    except OSError as error:
        raise UploadError(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise UploadError(f"{file}: {error}") from None
    return [*keys, *authorities]


def stranger(settings: UploadSettings) -> str:
    """Say that no key of the server is known, and what to do."""
    file, host = settings.known_hosts, settings.host
    port = "" if settings.port == _SSH_PORT else f"-p {settings.port} "
    return (
        f"its host key is not in {file}: call ssh-keyscan {port}{host} >> {file}, and compare with "
        "who keeps the server what ssh-keygen -lf shows of it"
    )


def imposter(settings: UploadSettings) -> str:
    """Say that the server showed a key that is not the known one, and what to do."""
    return (
        f"shows another host key than the one in {settings.known_hosts}: somebody may be in "
        "between; ask who keeps the server, and delete the old key if it was changed"
    )


def _read(file: Path, read: Callable[[Path], _T]) -> _T:
    try:
        return read(file)
    except OSError as error:
        raise UploadError(f"{file}: {error.strerror}") from None
    except UnicodeError:
        raise UploadError(f"{file}: is no text") from None
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError):
        raise UploadError(f"{file}: holds no private key that needs no passphrase") from None
