"""Where the brokers are that join the halls of an event, and who of them this machine may trust."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from bridge.config.kinds import FILE, TEXT, YES_NO, whole
from bridge.config.schema import Items, Reader, Scalar, Section, key

_TOKEN = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")
_HERE = ("localhost", "127.0.0.1", "::1")


def _token(text: str) -> str:
    if not _TOKEN.fullmatch(text):
        raise ValueError
    return text


def _server(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("nats", "tls") or not parts.hostname:
        raise ValueError
    if parts.username or parts.path or parts.query:
        raise ValueError("name, password and path have no place in it")
    return text


NODE_NAME = Scalar("a name of small letters, figures and -, up to 31", _token)


@dataclass(frozen=True, kw_only=True)
class ScaleSettings:
    """How the machines of an event find each other; passwords and keys are in files of their own.

    ``user`` is the machine's own name where none is configured.
    """

    event: str = field(
        metadata=key(
            NODE_NAME,
            "Name of the event among others on the same brokers.",
            example="olympiad",
        )
    )
    servers: tuple[str, ...] = field(
        metadata=key(
            Items(
                Scalar("an address like tls://broker-1:4222", _server),
                "a list of addresses like tls://broker-1:4222",
            ),
            "NATS servers with JetStream, all those of the cluster.",
            example="[tls://broker-1:4222, tls://broker-2:4222, tls://broker-3:4222]",
        )
    )
    user: str | None = field(
        default=None,
        metadata=key(
            TEXT, "Name of the account there, if not that of the node or hub.", example="north"
        ),
    )
    password_file: Path | None = field(
        default=None,
        metadata=key(
            FILE, "File that holds the password and nothing else.", example="broker.password"
        ),
    )
    ca: Path | None = field(
        default=None,
        metadata=key(
            FILE,
            "Certificate that signed those of the servers, if it is not a public one.",
            example="ca.pem",
        ),
    )
    certificate: Path | None = field(
        default=None,
        metadata=key(FILE, "Certificate that this machine shows.", example="machine.pem"),
    )
    key_file: Path | None = field(
        default=None,
        metadata=key(FILE, "Private key of that certificate.", example="machine.key"),
    )
    replicas: int = field(
        default=1,
        metadata=key(
            whole(1, 5), "On how many servers everything is kept: 3 in a cluster.", example="3"
        ),
    )
    max_mb: int = field(
        default=4096,
        metadata=key(
            whole(1, 10_000_000),
            "Megabytes of readings that the servers keep; from then on they wait on the nodes.",
            example="4096",
        ),
    )

    public_facts: bool = field(
        default=False,
        metadata=key(
            YES_NO,
            "Whether what the public may see is published there for other programs, as late as "
            "PGN files show it.",
            example="false",
        ),
    )

    @property
    def is_encrypted(self) -> bool:
        """Whether nothing is said in the clear."""
        return self.ca is not None or any(each.startswith("tls:") for each in self.servers)

    def anchored(self, folder: Path) -> "ScaleSettings":
        """Return the same with relative files taken from *folder*."""

        def there(file: Path | None) -> Path | None:
            return None if file is None else folder / file.expanduser()

        return replace(
            self,
            password_file=there(self.password_file),
            ca=there(self.ca),
            certificate=there(self.certificate),
            key_file=there(self.key_file),
        )


def _check_scale(values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader) -> None:
    if ("certificate" in nodes) != ("key_file" in nodes):
        known, missing = sorted(("certificate", "key_file"), key=lambda name: name not in nodes)
        reader.report(nodes[known], f"'{known}' stands without '{missing}'", f"add '{missing}'")
    if "password_file" in nodes and "ca" not in nodes and "servers" in values:
        for server, node in zip(values["servers"], nodes["servers"].value, strict=True):
            if not server.startswith("tls:") and urlsplit(server).hostname not in _HERE:
                reader.report(
                    node, "a password would be sent in the clear", "write tls:// or add 'ca'"
                )


SCALE = Section(ScaleSettings, "the keys of a scaled event, the first being 'event:'", _check_scale)
