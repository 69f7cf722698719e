"""The limits that ``docs/security.md`` names are those that the servers keep."""

from pathlib import Path

import pytest

from bridge.config.web import MOST_CLIENTS
from bridge.outputs.admission import (
    _NETWORK,
    MOST_OF_A_CLIENT,
    REQUESTS_A_SECOND,
    REQUESTS_AT_ONCE,
    SENT_AWAY,
)
from bridge.outputs.shedding import MOST_WAITING
from bridge.web.messages import READ_PATIENCE
from bridge.web.server import LARGEST_BODY
from bridge.web.sessions import LIFETIME
from bridge.web.throttle import FIRST_WAIT, FREE, LONGEST_WAIT

SECURITY = Path(__file__).resolve().parents[1] / "docs" / "security.md"
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
    assert said in " ".join(SECURITY.read_text("utf-8").split())
