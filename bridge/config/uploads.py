"""Where files of games are copied to, for a web server to show."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import yaml

from bridge.config.kinds import TEXT, one_of, whole
from bridge.config.schema import Items, Reader, Scalar, Section, key

_FILE = Scalar("a file, relative to this one", Path)


@dataclass(frozen=True, kw_only=True)
class UploadSettings:
    """One server that is spoken to by SFTP; passwords and keys are in files of their own."""

    host: str = field(metadata=key(TEXT, "Name of the server.", example="www.example.org"))
    port: int = field(
        default=22, metadata=key(whole(1, 65535), "Port of its SSH service.", example="22")
    )
    user: str = field(metadata=key(TEXT, "Name of the account there.", example="chess"))
    files: Literal["pgn", "cloud"] = field(
        default="pgn",
        metadata=key(
            one_of("pgn", "cloud"),
            "Which files are copied: those of 'pgn' or of 'cloud'.",
            example="pgn",
        ),
    )
    folder: str = field(
        default=".",
        metadata=key(
            Scalar("a folder on the server", str),
            "Folder there; without a leading / from where a login begins.",
            example="public/games",
        ),
    )
    key_file: Path | None = field(
        default=None,
        metadata=key(_FILE, "File of the private key, without a passphrase.", example="upload.key"),
    )
    password_file: Path | None = field(
        default=None,
        metadata=key(
            _FILE,
            "File that holds the password and nothing else, where there is no key.",
            example="upload.password",
            alone=True,
        ),
    )
    known_hosts: Path = field(
        default=Path("~/.ssh/known_hosts"),
        metadata=key(
            _FILE,
            "File with the host key that the server has to show, as ssh keeps it.",
            example="~/.ssh/known_hosts",
        ),
    )
    seconds: int = field(
        default=5,
        metadata=key(whole(1, 3600), "Seconds between two looks for changed files.", example="5"),
    )

    def anchored(self, folder: Path) -> "UploadSettings":
        """Return the same with relative files taken from *folder*."""

        def there(file: Path | None) -> Path | None:
            return None if file is None else folder / file.expanduser()

        return replace(
            self,
            key_file=there(self.key_file),
            password_file=there(self.password_file),
            known_hosts=folder / self.known_hosts.expanduser(),
        )


def _check_upload(
    values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    del values
    ways = nodes.keys() & {"key_file", "password_file"}
    if len(ways) != 1 and "host" in nodes:
        reader.report(
            nodes["host"],
            "an upload has 'key_file' and 'password_file'" if ways else "nothing opens the account",
            "write 'key_file' or 'password_file'",
        )


UPLOADS = Items(
    Section(UploadSettings, "the keys of an upload", _check_upload),
    "a list of uploads, each beginning with '- host: NAME'",
)
