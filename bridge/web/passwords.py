"""Passwords as they are kept: hashed with scrypt (RFC 7914), each with a salt of its own."""

import base64
import hashlib
import hmac
import secrets
import unicodedata

COST = (15, 8, 3)
"""log2 of N, r and p: 32 MiB and about a quarter of a second on a small machine."""
SHORTEST = 10
LONGEST = 200

_SALT_BYTES = 16
_KEY_BYTES = 32
_OVERHEAD = 1 << 20
"""What OpenSSL needs beside the 128 * N * r bytes of the algorithm."""


def hashed(password: str) -> str:
    """Return what to keep of *password*: ``scrypt$15$8$3$SALT$KEY``."""
    salt = secrets.token_bytes(_SALT_BYTES)
    return "$".join(["scrypt", *map(str, COST), _text(salt), _text(_key(password, salt, COST))])


def matches(password: str, kept: str) -> bool:
    """Whether *password* is the one of which *kept* was made; it takes the time of :func:`hashed`.

    Raises:
        ValueError: *kept* is none of ours.
    """
    kind, log_n, r, p, salt, key = kept.split("$")
    if kind != "scrypt":
        raise ValueError(f"passwords hashed with {kind} are not known")
    cost = int(log_n), int(r), int(p)
    return hmac.compare_digest(_key(password, _bytes(salt), cost), _bytes(key))


def _key(password: str, salt: bytes, cost: tuple[int, int, int]) -> bytes:
    log_n, r, p = cost
    typed = unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
    memory = 128 * (1 << log_n) * r + 128 * r * p + _OVERHEAD
    return hashlib.scrypt(typed, salt=salt, n=1 << log_n, r=r, p=p, maxmem=memory, dklen=_KEY_BYTES)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
