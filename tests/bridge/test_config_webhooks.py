"""Webhooks in the configuration, and what is wrong with them."""

from pathlib import Path

import pytest

from bridge.config import Config, ConfigError, parse

TABLES = "tables: [{table: 1, board: {port: /dev/absent}}]\n"


def config(*keys: str) -> Config:
    hook = "".join(f"    {key}\n" for key in keys)
    return parse(f"{TABLES}webhooks:\n  -\n{hook}", Path("/hall/hall.yaml"))


def problem(*keys: str) -> str:
    with pytest.raises(ConfigError) as caught:
        config(*keys)
    return str(caught.value)


def test_a_receiver_with_everything() -> None:
    (hook,) = config(
        "name: screens",
        "url: https://example.org/eboards?x=1",
        "audience: operator",
        "delay: {minutes: 15}",
        "secret_file: hook.secret",
    ).webhooks
    assert (hook.name, hook.kind, hook.audience) == ("screens", "json", "operator")
    assert (hook.delay.minutes, hook.secret_file) == (15, Path("/hall/hook.secret"))


def test_alerts_for_a_phone() -> None:
    keys = "name: phone", "url: https://ntfy.sh/hall-7f3a", "kind: ntfy", "audience: arbiter"
    (hook,) = config(*keys, "click: http://localhost:8080/arbiter").webhooks
    assert (hook.secret_file, hook.click) == (None, "http://localhost:8080/arbiter")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://example.org/", "anybody on the way could read it"),
        ("https://me:word@example.org/", "a password belongs into 'secret_file'"),
        ("ftp://example.org/", "write an address with https"),
        ("https://example.org/#here", "write an address with https"),
    ],
)
def test_addresses_that_will_not_do(url: str, why: str) -> None:
    assert why in problem("name: screens", f"url: '{url}'")


def test_two_of_one_name() -> None:
    hook = "{name: a, url: 'https://example.org/'}"
    with pytest.raises(ConfigError, match="webhook a is used on line 3 too"):
        parse(f"{TABLES}webhooks:\n  [{hook}, {hook}]\n", Path("hall.yaml"))
    assert "a name of up to 40 letters" in problem("name: a b", "url: https://example.org/")


def test_the_public_sees_no_alerts_on_phones() -> None:
    said = problem("name: phone", "url: https://ntfy.sh/", "kind: ntfy")
    assert "players and public may see none; write 'audience: arbiter'" in said
    assert "'url' has no topic; write it as https://ntfy.sh/TOPIC" in said


def test_a_touch_is_for_phones() -> None:
    said = problem("name: a", "url: https://example.org/", "click: https://example.org/")
    assert "'click' is for ntfy; delete it, or write 'kind: ntfy'" in said
