"""Texts of games that are kept to be written again: small, once a game is over."""

import zlib


class KeptText:
    """A text; one that is *final* is asked for seldom, and takes little room."""

    __slots__ = ("_data", "_is_packed")

    def __init__(self, text: bytes, *, final: bool) -> None:
        self._data = zlib.compress(text) if final else text
        self._is_packed = final

    @property
    def text(self) -> bytes:
        """The text."""
        return zlib.decompress(self._data) if self._is_packed else self._data
