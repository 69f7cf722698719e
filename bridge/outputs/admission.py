"""How many connections one client may have, and how often it may ask, so that none can take all.

Pure; time is an argument (s). A client is an address, of IPv6 the network of it: whoever has one of
those has all. This machine and proxies that are named speak for many, and may do as they like.
"""

import ipaddress
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache

MOST_OF_A_CLIENT = 500
REQUESTS_A_SECOND = 100.0
REQUESTS_AT_ONCE = 3000.0
"""What may come at once where nothing came before: a school opens the pages."""
SENT_AWAY = 10.0
"""Seconds for which a client is not let in that has asked too often."""

_NETWORK = 64
"""Bits of an IPv6 address that are given to one client at least (RFC 6177)."""


class Admission:
    """Counts connections and requests by client.

    Args:
        most: how many one client may have.
        proxies: addresses that speak for many.
    """

    def __init__(self, most: int, proxies: Collection[str] = ()) -> None:
        self._most = most
        self._free = {_client(proxy) for proxy in proxies} | {None}
        self._here = Counter[str | None]()
        self._left: dict[str | None, tuple[float, float]] = {}
        self._away: dict[str | None, float] = {}

    def admits(self, address: str, now: float) -> bool:
        """Say whether there may be one more from *address*, and count it if there may."""
        client = _client(address)
        if client not in self._free and (
            self._here[client] >= self._most or self._away.get(client, now) > now
        ):
            return False
        self._here[client] += 1
        return True

    def may_ask(self, address: str, now: float) -> bool:
        """Say whether *address* may ask once more, and count it; who may not has to go."""
        client = _client(address)
        if client in self._free:
            return True
        left, since = self._left.get(client, (REQUESTS_AT_ONCE, now))
        left = min(REQUESTS_AT_ONCE, left + (now - since) * REQUESTS_A_SECOND) - 1.0
        if left < 0.0:
            self._away[client] = now + SENT_AWAY
            return False
        self._left[client] = left, now
        return True

    def recount(self, addresses: Iterable[str], now: float) -> None:
        """Take the connections there are, one address each, and forget who may do all again."""
        self._here = Counter(map(_client, addresses))
        whole = REQUESTS_AT_ONCE / REQUESTS_A_SECOND
        self._left = {each: (n, at) for each, (n, at) in self._left.items() if now - at < whole}
        self._away = {each: until for each, until in self._away.items() if until > now}


@lru_cache(maxsize=8192)
def _client(address: str) -> str | None:
    """Return what one client is known by, ``None`` for this machine."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # it has gone already
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is None:
            network = ipaddress.ip_network((int(found), _NETWORK), strict=False)
            return None if found.is_loopback else str(network)
        found = found.ipv4_mapped
    return None if found.is_loopback else str(found)
