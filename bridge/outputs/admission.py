"""How many connections one client may have, so that none can take all.

Pure. A client is an address, of IPv6 the network of it: whoever has one of those has all. This
machine and proxies that are named speak for many, and may have as many as they like.
"""

import ipaddress
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache

MOST_OF_A_CLIENT = 500

_NETWORK = 64
"""Bits of an IPv6 address that are given to one client at least (RFC 6177)."""


class Admission:
    """Counts connections by client.

    Args:
        most: how many one client may have.
        proxies: addresses that speak for many.
    """

    def __init__(self, most: int, proxies: Collection[str] = ()) -> None:
        self._most = most
        self._free = {_client(proxy) for proxy in proxies} | {None}
        self._here = Counter[str | None]()

    def admits(self, address: str) -> bool:
        """Say whether there may be one more from *address*, and count it if there may."""
        client = _client(address)
        if client not in self._free and self._here[client] >= self._most:
            return False
        self._here[client] += 1
        return True

    def recount(self, addresses: Iterable[str]) -> None:
        """Take the connections there are, one address each: others have gone since."""
        self._here = Counter(map(_client, addresses))


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
