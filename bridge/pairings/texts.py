"""Bytes of a file to text, and text to what may stand in a tag or on a screen."""

import codecs
import unicodedata

from bridge.pairings.model import Findings

LARGEST_FILE = 5_000_000
"""Bytes; a thousand players with all rounds of an open are a tenth of that."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_SHOWN = 40


def decode(data: bytes, findings: Findings) -> str:
    """Return the text of a file; what is no text is refused, and empty.

    UTF-8, UTF-16 with its mark, else Windows-1252, which every spreadsheet still writes.
    """
    if len(data) > LARGEST_FILE:
        findings.refuse(None, None, "the file is too large", "write the games of one round")
        return ""
    if data.startswith(_WORKBOOKS):
        findings.refuse(None, None, "the file is a workbook", "save the sheet as CSV")
        return ""
    text = _decoded(data, findings)
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        findings.refuse(line, None, "the file is not text", "export PGN, TRF or CSV")
        return ""
    return text


def _decoded(data: bytes, findings: Findings) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        findings.note(
            line, None, "not UTF-8, read as Windows-1252", "look at the names, or save it as UTF-8"
        )
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def tidy(text: str) -> str:
    r"""Return *text* in one line, without characters that nobody sees.

    >>> tidy(" Kramer,\u200e  Anna\n")
    'Kramer, Anna'
    """
    seen = "".join(each if each.isprintable() else " " if each.isspace() else "" for each in text)
    return " ".join(unicodedata.normalize("NFC", seen).split())


def lines(text: str) -> list[str]:
    """Return the lines of a file as an editor counts them; the marks of Unicode end none."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def shown(text: str) -> str:
    """Return a text for a message: in one line, and not endless."""
    tidied = tidy(text)
    return tidied if len(tidied) <= _SHOWN else f"{tidied[:_SHOWN]}…"
