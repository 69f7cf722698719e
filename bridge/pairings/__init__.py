"""Who plays whom: what pairing programs and spreadsheets write, read without any file or clock."""

from bridge.pairings.model import Pairing, PairingError, Pairings, Person, Trouble
from bridge.pairings.reading import read_pairings
from bridge.pairings.register import Register

__all__ = [
    "Pairing",
    "PairingError",
    "Pairings",
    "Person",
    "Register",
    "Trouble",
    "read_pairings",
]
