"""The accounts of a hall, in a file that only its owner may read.

The daemon reads the file again when it has changed; ``eboard-bridge account`` changes it.
"""

import fcntl
import hashlib
import logging
import os
import secrets
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, get_args

import msgspec

from bridge.core.json_errors import NOT_JSON
from bridge.store.files import make_folder, replace_file, sync_folder

logger = logging.getLogger(__name__)

Role = Literal["arbiter", "operator", "viewer", "monitor"]
ROLES: tuple[Role, ...] = get_args(Role)

LONGEST_NAME = 60
_VERSION = 1


class AccountError(Exception):
    """The file cannot be used, or what is asked for cannot be done; the message says why."""


class Account(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody who may log in. ``tokens`` are SHA-256 digests of what programs show instead."""

    name: str
    role: Role
    password: str
    tokens: tuple[str, ...] = ()


class _File(msgspec.Struct, kw_only=True):
    version: int = _VERSION
    accounts: list[Account] = []


class Accounts:
    """The accounts of a file, as it is now; a missing file has none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: object = None
        self._accounts: dict[str, Account] = {}
        self._by_token: dict[str, Account] = {}

    def find(self, name: str) -> Account | None:
        """Return the account of a name."""
        self._refresh()
        return self._accounts.get(clean(name))

    def of_token(self, token: str) -> Account | None:
        """Return the account of a program that shows *token*."""
        self._refresh()
        return self._by_token.get(digest(token))

    def all(self) -> list[Account]:
        """Return all accounts in the order of their names."""
        self._refresh()
        return [self._accounts[name] for name in sorted(self._accounts)]

    def _refresh(self) -> None:
        """Read the file where it has changed; one that cannot be read changes nothing."""
        try:
            status = self._path.stat()
            stamp = status.st_mtime_ns, status.st_size, status.st_ino
        except OSError:
            stamp = None
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            accounts = [] if stamp is None else _read(self._path)
        except AccountError as error:
            logger.error("%s; the accounts stay as they were", error)  # noqa: TRY400 - a user's mistake
            return
        self._accounts = {account.name: account for account in accounts}
        self._by_token = {token: account for account in accounts for token in account.tokens}


# --- changing the file ------------------------------------------------------------------------


def add(path: Path, account: Account) -> None:
    """Add an account, or give one of the same name another role or password.

    Raises:
        AccountError: the file cannot be read or written.
    """
    with _changing(path) as accounts:
        accounts[:] = [each for each in accounts if each.name != account.name]
        accounts.append(account)


def remove(path: Path, name: str) -> None:
    """Remove an account.

    Raises:
        AccountError: there is none of this name, or as :func:`add`.
    """
    with _changing(path) as accounts:
        left = [each for each in accounts if each.name != clean(name)]
        if len(left) == len(accounts):
            raise AccountError(_nobody(path, name))
        accounts[:] = left


def add_token(path: Path, name: str) -> str:
    """Return a new token for programs of an account; only its digest is kept.

    Raises:
        AccountError: as :func:`remove`.
    """
    token = secrets.token_urlsafe(32)

    def with_token(account: Account) -> Account:
        return msgspec.structs.replace(account, tokens=(*account.tokens, digest(token)))

    _change(path, name, with_token)
    return token


def _change(path: Path, name: str, change: Callable[[Account], Account]) -> None:
    with _changing(path) as accounts:
        for place, account in enumerate(accounts):
            if account.name == clean(name):
                accounts[place] = change(account)
                return
        raise AccountError(_nobody(path, name))


def clean(name: str) -> str:
    """Return *name* as it is kept: one spelling for what looks the same."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def is_name(name: str) -> bool:
    """Whether an account may have this name."""
    return 0 < len(clean(name)) <= LONGEST_NAME and clean(name).isprintable()


def digest(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _nobody(path: Path, name: str) -> str:
    return f"{path} has no account of {name}"


@contextmanager
def _changing(path: Path) -> Iterator[list[Account]]:
    """Give the accounts to be changed, and write them; two who change wait for each other."""
    try:
        make_folder(path.parent)
        lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise AccountError(f"{path} cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        accounts = _read(path) if path.exists() else []
        yield accounts
        _write(path, accounts)
    finally:
        os.close(lock)


def _read(path: Path) -> list[Account]:
    try:
        content = msgspec.json.decode(path.read_bytes(), type=_File)
    except OSError as error:
        raise AccountError(f"{path} cannot be read: {error.strerror}") from error
    except NOT_JSON as error:
        raise AccountError(f"{path} is no file of accounts: {error}") from error
    if content.version != _VERSION:
        raise AccountError(f"{path} was written by another version of eboard-bridge")
    return content.accounts


def _write(path: Path, accounts: list[Account]) -> None:
    text = msgspec.json.format(msgspec.json.encode(_File(accounts=accounts)), indent=2)
    try:
        replace_file(path, text + b"\n", private=True)
        sync_folder(path.parent)
    except OSError as error:
        raise AccountError(f"{path} cannot be written: {error.strerror}") from error
