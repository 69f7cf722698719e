"""Whether and for whom the web server answers."""

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bridge.config.delays import DELAY, NO_DELAY, Delay
from bridge.config.kinds import FILE, TEXT, YES_NO, whole
from bridge.config.schema import Either, Items, Reader, Scalar, Section, key

if TYPE_CHECKING:
    import ssl

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - what an address is compared with

MOST_CLIENTS = 2000
"""How many may follow the games at the same time."""

_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")
_ORIGIN = re.compile(r"https?://[^/\s]+")


def _host_name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError
    return text.lower()


def _address(text: str) -> str:
    return str(ipaddress.ip_address(text))


def _origin(text: str) -> str:
    if not _ORIGIN.fullmatch(text):
        raise ValueError
    return text.lower()


@dataclass(frozen=True, kw_only=True)
class WebSettings:
    """Where the server listens, under which names, and what the public sees of it."""

    host: str = field(
        default="127.0.0.1",
        metadata=key(
            TEXT,
            "Address to listen on; 0.0.0.0 for everybody in the network.",
            example="127.0.0.1",
        ),
    )
    port: int = field(default=8080, metadata=key(whole(1, 65535), "TCP port.", example="8080"))
    names: tuple[str, ...] = field(
        default=(),
        metadata=key(
            Items(
                Scalar("a host name like chess.example.org", _host_name),
                "a list of host names",
            ),
            "Names under which the server is asked for, beside localhost and plain addresses.",
            example="[hall.example.org]",
        ),
    )
    origins: tuple[str, ...] = field(
        default=(),
        metadata=key(
            Items(
                Scalar("an origin like https://club.example.org", _origin),
                "a list of origins like https://club.example.org",
            ),
            "Other web sites whose pages may read what the public may see.",
            example="[https://club.example.org]",
        ),
    )
    public: bool = field(
        default=True,
        metadata=key(
            YES_NO, "Whether games are shown to people without an account.", example="true"
        ),
    )
    public_metrics: bool = field(
        default=False,
        metadata=key(
            YES_NO,
            "Whether /metrics answers without an account; its figures do not wait for 'delay'.",
            example="false",
        ),
    )
    proxies: tuple[str, ...] = field(
        default=(),
        metadata=key(
            Items(
                Scalar("a plain address like 192.168.1.2", _address),
                "a list of plain addresses like 192.168.1.2",
            ),
            "Proxies on other machines, which may do more than one visitor.",
            example="[192.168.1.2]",
        ),
    )
    delay: Delay = field(
        default=NO_DELAY,
        metadata=key(
            DELAY,
            "How much later than the hall spectators see the games; operators and arbiters do not "
            "wait.",
        ),
    )
    accounts: Path | None = field(
        default=None,
        metadata=key(
            FILE,
            "File of the accounts, if not accounts.json in the folder of the data.",
            example="accounts.json",
        ),
    )
    certificate: Path | None = field(
        default=None,
        metadata=key(
            FILE,
            "File of the TLS certificate with its chain (PEM); with it the server speaks https.",
            example="server.pem",
            alone=True,
        ),
    )
    certificate_key: Path | None = field(
        default=None,
        metadata=key(
            FILE,
            "File of the certificate's key (PEM), if it is not in the same file.",
            example="server.key",
            alone=True,
        ),
    )

    @property
    def secure(self) -> bool:
        """Whether it speaks https."""
        return self.certificate is not None

    @property
    def address(self) -> str:
        """Where a browser on this machine finds it."""
        host = "localhost" if self.host in EVERYWHERE else self.host
        host = f"[{host}]" if ":" in host else host
        return f"{'https' if self.secure else 'http'}://{host}:{self.port}/"

    def tls(self) -> "ssl.SSLContext | None":
        """Return what https needs, ``None`` without a certificate.

        Raises:
            OSError: the files cannot be read, or are no certificate and its key.
        """
        if self.certificate is None:
            return None
        import ssl

        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.certificate, self.certificate_key)
        return context

    def anchored(self, folder: Path) -> "WebSettings":
        """Return the same settings with relative files taken from *folder*."""
        files = {
            name: folder / path.expanduser()
            for name in ("accounts", "certificate", "certificate_key")
            if (path := getattr(self, name)) is not None
        }
        return replace(self, **files)


def _check_web(values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader) -> None:
    if "certificate_key" in nodes and "certificate" not in nodes:
        reader.report(
            nodes["certificate_key"],
            "'certificate_key' stands without 'certificate'",
            "name the certificate too",
        )
    elif values.get("certificate") is not None:
        _check_certificate(values, nodes, reader)


def _check_certificate(
    values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    settings = WebSettings(
        certificate=values["certificate"], certificate_key=values.get("certificate_key")
    )
    try:
        settings.anchored(reader.file.absolute().parent).tls()
    except OSError as error:
        reader.report(
            nodes["certificate"],
            f"certificate and key cannot be used: {error.strerror or error}",
            "name files in PEM form that belong together and may be read",
        )


def _on_or_off(text: str) -> WebSettings | None:
    match text.lower():
        case "true" | "yes" | "on":
            return WebSettings()
        case "false" | "no" | "off":
            return None
    raise ValueError


WEB = Either(
    Scalar("true or false", _on_or_off),
    Section(WebSettings, "a mapping with keys as 'port'", _check_web),
)
