"""Comparing what a case expects with what came out."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_CLOSE = 0.005
"""Cases round to two places."""

_NUMBERS = {"one": 1, "two": 2, "three": 3, "five": 5, "ten": 10}

# What a sentence decides, by the words for it; the first of a line wins.
_SENSES = (
    (("no_loss", r"\b(?:no loss|stands)\b"), ("loss", r"\b(?:loss|loses|lost)\b")),
    (("draw", r"\b(?:draw|drawn)\b"),),
    (("continue", r"\b(?:continues?|goes on|play on)\b"),),
    (("restore", r"\b(?:restored?|cancel(?:s|led)?)\b"),),
    (("queen", r"\bqueen\b"),),
    (("completed", r"\bcompleted\b"),),
    (("wait", r"\bwait\b"),),
    (("no_duty", r"\bneed not\b"), ("must_record", r"\bmust record\b")),
    (("exempt", r"\b(?:may stop|exempt)\b"),),
    (("for_the_period", r"\brest of (?:the )?period\b"),),
)
_MINUTES = r"\b(\d+|[a-z]+) ?min(?:ute)?s?\b"
_RESULT = r"(?<![\d/])(?:1-0|0-1|1/2-1/2)(?![\d/])"
_CLAUSE_ENDS = r"[(;]|:(?!\d)"


class Words(str):
    """A sentence that came out: it is compared by what it decides, not letter by letter."""

    __slots__ = ()


class Difference(NamedTuple):
    """A place where something else came out."""

    what: str
    expected: Any
    got: Any


def differences(what: str, expected: Any, got: Any) -> Iterator[Difference]:
    """Yield where *got* is not as *expected*; a mapping may have more keys than are expected."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        for key, value in expected.items():
            if key in got:
                yield from differences(f"{what}.{key}", value, got[key])
            else:
                yield Difference(f"{what}.{key}", value, "no such answer")
    elif not _agree(expected, got):
        yield Difference(what, expected, got)


def _agree(expected: Any, got: Any) -> bool:
    if isinstance(got, Words) and isinstance(expected, str):
        return _same_sense(expected, got)
    if _is_number(expected) and _is_number(got):
        return bool(abs(expected - got) <= _CLOSE)
    return type(expected) is type(got) and bool(expected == got)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def decides(sentence: str) -> frozenset[str]:
    """Return what a sentence decides.

    >>> sorted(decides("+2:00 to the opponent; number 2 loses"))
    ['2 min', 'loss']
    """
    text = re.sub(r"\b(\d+):00\b", r"\1 min", sentence.lower())
    found = {next((name for name, words in line if re.search(words, text)), "") for line in _SENSES}
    found |= {f"{_NUMBERS.get(count, count)} min" for count in re.findall(_MINUTES, text)}
    found |= set(re.findall(_RESULT, text))
    return frozenset(found - {""})


def _same_sense(one: str, two: str) -> bool:
    """Whether what each sentence says first is decided by the other one too.

    Explanations after the first clause may say more than the other sentence does.
    """
    first = [decides(re.split(_CLAUSE_ENDS, sentence, maxsplit=1)[0]) for sentence in (one, two)]
    return all(first) and first[0] <= decides(two) and first[1] <= decides(one)
