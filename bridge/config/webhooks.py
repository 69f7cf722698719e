"""Which other programs are told what happens, and phones what the arbiter has to know."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import yaml

from bridge.config.delays import DELAY, NO_DELAY, Delay
from bridge.config.kinds import one_of
from bridge.config.schema import Items, Reader, Scalar, Section, key
from bridge.core.audience import Audience

SECRET_VARIABLE = "WEBHOOK_SECRET"  # noqa: S105 - the name of a variable
"""The environment variable that holds the secret where no file is named."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_HERE = {"localhost", "127.0.0.1", "::1"}


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError
    return text


def _address(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme == "http" and parts.hostname not in _HERE:
        raise ValueError("anybody on the way could read it")
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.fragment:
        raise ValueError
    if parts.username or parts.password:
        raise ValueError("a password belongs into 'secret_file'")
    return text


@dataclass(frozen=True, kw_only=True)
class WebhookSettings:
    """One receiver. The secret itself is no setting, so nothing can show it."""

    name: str = field(
        metadata=key(
            Scalar("a name of up to 40 letters, digits, - and _", _name),
            "Name of the receiver in the log; a new one is told what happens from then on.",
            example="screens",
            unique="webhook",
        ),
    )
    url: str = field(
        repr=False,
        metadata=key(
            Scalar("an address with https, or with http on this machine", _address),
            "Where facts are sent to.",
            example="https://example.org/eboards",
        ),
    )
    kind: Literal["json", "ntfy"] = field(
        default="json",
        metadata=key(
            one_of("json", "ntfy"),
            "Signed JSON for programs, or alerts for phones by ntfy, the url ending with the "
            "topic.",
            example="json",
        ),
    )
    audience: Audience = field(
        default="public",
        metadata=key(
            one_of("public", "players", "operator", "arbiter"),
            "Who is told; docs/programs.md says what each may see.",
            example="public",
        ),
    )
    delay: Delay = field(
        default=NO_DELAY,
        metadata=key(
            DELAY, "How much later than the hall the receiver is told.", example="{minutes: 15}"
        ),
    )
    secret_file: Path | None = field(
        default=None,
        metadata=key(
            Scalar("a file, relative to this one", Path),
            f"File that holds the secret and nothing else; without it, {SECRET_VARIABLE} of the "
            "environment, and for ntfy no token.",
            example="webhook.secret",
        ),
    )
    click: str = field(
        default="",
        metadata=key(
            Scalar("an address with https, or with http on this machine", _address),
            "With ntfy, what a touch of the message opens.",
            example="https://example.org/arbiter",
            alone=True,
        ),
    )

    def anchored(self, folder: Path) -> "WebhookSettings":
        """Return the same with a relative file taken from *folder*."""
        if self.secret_file is None:
            return self
        return replace(self, secret_file=folder / self.secret_file.expanduser())


def _check_webhook(
    values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    if values.get("kind") == "ntfy":
        if values.get("audience", "public") not in {"operator", "arbiter"}:
            reader.report(
                nodes.get("audience", nodes["kind"]),
                "ntfy is told alerts, and players and public may see none",
                "write 'audience: arbiter' or 'audience: operator'",
            )
        if "url" in values and not urlsplit(values["url"]).path.strip("/"):
            reader.report(nodes["url"], "'url' has no topic", "write it as https://ntfy.sh/TOPIC")
    elif "click" in nodes:
        reader.report(nodes["click"], "'click' is for ntfy", "delete it, or write 'kind: ntfy'")


WEBHOOKS = Items(
    Section(WebhookSettings, "the keys of a webhook", _check_webhook),
    "a list of webhooks, each beginning with '- name: NAME'",
)
