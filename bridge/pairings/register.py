"""The players of an event, by FIDE id and by name."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from bridge.pairings.model import Person

_NOT_A_NAME = {"dr", "prof", "mr", "mrs", "ms", "gm", "im", "fm", "cm", "wgm", "wim", "wfm", "wcm"}


class Register:
    """Completes what a pairing says of a player; what the pairing says is kept."""

    def __init__(self, people: Iterable[Person]) -> None:
        self._by_id: dict[int, Person] = {}
        self._by_name: defaultdict[frozenset[str], list[Person]] = defaultdict(list)
        for person in people:
            if person.fide_id is not None:
                self._by_id.setdefault(person.fide_id, person)
            self._by_name[name_key(person.name)].append(person)

    def completed(self, person: Person) -> Person:
        """Return *person* with what is known of them; of two with one name, nobody knows."""
        known = self._find(person)
        if known is None:
            return person
        return replace(
            person,
            title=person.title or known.title,
            elo=person.elo or known.elo,
            fide_id=person.fide_id or known.fide_id,
            team=person.team or known.team,
            federation=person.federation or known.federation,
        )

    def _find(self, person: Person) -> Person | None:
        if person.fide_id is not None and person.fide_id in self._by_id:
            return self._by_id[person.fide_id]
        namesakes = self._by_name.get(name_key(person.name), [])
        if len(namesakes) != 1 or None not in (person.fide_id, namesakes[0].fide_id):
            return None
        return namesakes[0]


def name_key(name: str) -> frozenset[str]:
    """Return the words of a name without accents, case, order and titles.

    >>> name_key("Dr. Müller, Jörg") == name_key("Jorg Muller")
    True
    """
    plain = re.sub(r"[\u0300-\u036f]", "", unicodedata.normalize("NFKD", name.casefold()))
    words = frozenset(re.findall(r"\w+", plain))
    return words - _NOT_A_NAME or words
