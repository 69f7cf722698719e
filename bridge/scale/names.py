"""What streams, subjects and messages are called; ``docs/scale-out.md`` lists them."""

import re
from dataclasses import dataclass

HUB = "_hub"
"""Who orders, where nodes bring readings: no node can be called that."""

_PLAIN = re.compile(r"[A-Za-z0-9-]")


@dataclass(frozen=True)
class Names:
    """The names of one event."""

    event: str

    @property
    def readings_stream(self) -> str:
        """The stream that keeps all readings, in the order in which they count."""
        return f"EBOARD_{self.event.upper()}_READINGS"

    @property
    def readings(self) -> str:
        """The subjects of all readings."""
        return f"eboard.{self.event}.readings.>"

    def reading(self, node: str, table: str) -> str:
        """Return the subject of the readings of a table."""
        return f"eboard.{self.event}.readings.{node}.{token(table)}"

    @property
    def changes(self) -> str:
        """The subject of what is changed at the hub that leads, among the readings."""
        return f"eboard.{self.event}.readings.{HUB}.{HUB}_changes"

    @property
    def facts_stream(self) -> str:
        """The stream of what the public may see."""
        return f"EBOARD_{self.event.upper()}_FACTS"

    @property
    def all_facts(self) -> str:
        """The subjects of all public facts."""
        return f"eboard.{self.event}.facts.>"

    def facts(self, table: str) -> str:
        """Return the subject of the public facts of a table."""
        return f"eboard.{self.event}.facts.{token(table)}"

    @property
    def marks(self) -> str:
        """The subjects of all marks."""
        return f"eboard.{self.event}.marks.*"

    def mark(self, node: str) -> str:
        """Return the subject on which a node says how far it is."""
        return f"eboard.{self.event}.marks.{node}"

    @property
    def lease(self) -> str:
        """The bucket that says which hub leads."""
        return f"EBOARD_{self.event.upper()}_LEASE"

    @property
    def sent(self) -> str:
        """The bucket of what waits to be sent and what was."""
        return f"EBOARD_{self.event.upper()}_SENT"

    @property
    def time(self) -> str:
        """The subject on which the hub that leads is asked for the time of the event."""
        return f"eboard.{self.event}.time"

    def orders(self, node: str) -> str:
        """Return the subject on which a node takes orders."""
        return f"eboard.{self.event}.orders.{node}"


def token(text: str) -> str:
    """Return *text* as one token of a subject: what is not plain stands as ``_`` and its code.

    >>> token("12"), token("Hall B.7")
    ('12', 'Hall_20_B_2e_7')
    """
    return "".join(char if _PLAIN.match(char) else f"_{ord(char):x}_" for char in text)


def parts_of(subject: str) -> tuple[str, str]:
    """Return node and table token of the subject of a reading."""
    node, table = subject.split(".")[-2:]
    return node, table
