"""Which format a file has."""

import re

from bridge.pairings.model import Findings, Pairings
from bridge.pairings.pgn import read_pgn
from bridge.pairings.spreadsheet import read_csv
from bridge.pairings.texts import decode
from bridge.pairings.trf import read_trf

_TRF = re.compile(r"^(?:001 |012 |###|XX[A-Z] )", re.MULTILINE)
_PLAYER = re.compile(r"^001 ", re.MULTILINE)
_PGN = re.compile(r"\s*(?:[%;][^\n]*\n\s*)*\[\s*[A-Za-z]")


def read_pairings(data: bytes) -> Pairings:
    """Return what a file says: TRF16 or TRF26, PGN, or CSV; the content tells which it is.

    Raises:
        PairingError: with everything that is wrong with it.
    """
    findings = Findings()
    text = decode(data, findings)
    if findings.refused:
        findings.end()
    if _TRF.match(text) or _PLAYER.search(text):
        return read_trf(text, findings)
    if _PGN.match(text):
        return read_pgn(text, findings)
    return read_csv(text, findings)
