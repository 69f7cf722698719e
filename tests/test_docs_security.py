"""What ``docs/security.md`` says in numbers and names is what there is."""

import dataclasses
import json
import re
from base64 import urlsafe_b64decode
from pathlib import Path

import pytest

from bridge.config import LiveChessSettings, ScaleSettings, WebSettings
from bridge.config.lichess import LichessSettings
from bridge.config.uploads import UploadSettings
from bridge.config.web import MOST_CLIENTS
from bridge.config.webhooks import WebhookSettings
from bridge.outputs.admission import (
    _NETWORK,
    MOST_OF_A_CLIENT,
    REQUESTS_A_SECOND,
    REQUESTS_AT_ONCE,
    SENT_AWAY,
)
from bridge.outputs.shedding import MOST_WAITING
from bridge.web.accounts import Account, add, add_token
from bridge.web.messages import READ_PATIENCE
from bridge.web.server import LARGEST_BODY
from bridge.web.sessions import LIFETIME
from bridge.web.throttle import FIRST_WAIT, FREE, LONGEST_WAIT

ROOT = Path(__file__).resolve().parents[1]
SECURITY = " ".join((ROOT / "docs" / "security.md").read_text("utf-8").split())
NUMBERS = {5: "five", 8: "eight"}


@pytest.mark.parametrize(
    "said",
    [
        f"bodies up to {LARGEST_BODY >> 10} KB that have to come in {READ_PATIENCE:.0f} s",
        (
            f"{REQUESTS_A_SECOND:.0f} requests a second and {REQUESTS_AT_ONCE:.0f} at once from "
            f"each client, who else is sent away for {SENT_AWAY:.0f} s"
        ),
        f"an end to connections, of each client to {MOST_OF_A_CLIENT}",
        f"{MOST_WAITING >> 20} MB for all that do not read",
        (
            f"after {NUMBERS[FREE]} wrong ones of an address for a name, waits that double from "
            f"{FIRST_WAIT:.0f} s to {LONGEST_WAIT:.0f} s"
        ),
        f"after {LIFETIME / 3600:.0f} hours",
        f"a network of IPv6 (/{_NETWORK}). Who has {NUMBERS[2 * MOST_CLIENTS // MOST_OF_A_CLIENT]}",
    ],
)
def test_limits_are_those_of_the_servers(said: str) -> None:
    assert said in SECURITY


def test_a_token_has_as_many_bits_as_is_said(tmp_path: Path) -> None:
    path = tmp_path / "accounts.json"
    add(path, Account(name="Anna", role="arbiter", password=""))
    bits = 8 * len(urlsafe_b64decode(add_token(path, "Anna") + "="))
    assert f"{bits} random bits" in SECURITY


def test_every_secret_in_a_file_is_listed() -> None:
    settings = (LichessSettings, WebhookSettings, UploadSettings, ScaleSettings, WebSettings)
    files = {field.name for each in settings for field in dataclasses.fields(each)}
    secret = {name for name in files if re.search(r"_(file|key)$", name)}
    table = SECURITY.split("| secret | where it is |", maxsplit=1)[1].split("## ", maxsplit=1)[0]
    assert secret - set(re.findall(r"`(\w+)`", table)) == set()
    assert len(secret) > 4


def test_the_sites_that_may_ask_livechess_are_named() -> None:
    sites = [origin.removeprefix("https://") for origin in LiveChessSettings().origins]
    assert f"with {' and '.join(sites)} as the sites that may" in SECURITY


def test_what_the_pages_bring_of_others_is_named() -> None:
    package = json.loads((ROOT / "bridge/web/page/package.json").read_text("utf-8"))
    names = ", ".join(f"`{name}`" for name in sorted(package["dependencies"]))
    assert f"come to a browser ({names})" in SECURITY


def test_the_mask_of_the_service_is_the_one_that_is_told() -> None:
    unit = (ROOT / "config" / "eboard-bridge.service").read_text("utf-8")
    (mask,) = re.findall("^UMask=.*$", unit, re.MULTILINE)
    assert f"(`{mask}`)" in SECURITY
