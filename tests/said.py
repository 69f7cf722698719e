"""What the program says, read from its sources."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.measuring import not_measured
from tests.sources import syntax_tree

ANYTHING = "%s"
"""Stands in a template for what is filled in."""
_FORMAT = re.compile(r"%[-+.0-9]*[a-z]")
_HEAD = 4


@not_measured()
def templates(files: Iterable[Path]) -> list[str]:
    """Return every text in *files*, once."""
    found: dict[str, None] = {}
    for file in files:
        for node in ast.walk(syntax_tree(file)):
            if isinstance(node, ast.Constant | ast.JoinedStr):
                found[_FORMAT.sub(ANYTHING, _template(node))] = None
    return list(found)


def _template(node: ast.Constant | ast.JoinedStr) -> str:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    texts = [part.value if isinstance(part, ast.Constant) else ANYTHING for part in parts]
    return "".join(text if isinstance(text, str) else ANYTHING for text in texts)


class Sayings:
    """Templates, found by how they begin: to try each on each text would take long."""

    def __init__(self, known: Iterable[str]) -> None:
        self._by_head: dict[str, list[str]] = defaultdict(list)
        for template in known:
            self._by_head[template.partition(ANYTHING)[0][:_HEAD]].append(template)

    def beginnings(self, text: str) -> Iterator[re.Match[str]]:
        """Yield how *text* begins as some template says."""
        for head in (text[:length] for length in range(min(len(text), _HEAD) + 1)):
            for template in self._by_head.get(head, ()):
                if all(part in text for part in template.split(ANYTHING)) and (
                    match := _pattern(template).match(text)
                ):
                    yield match

    def have(self, text: str) -> bool:
        """Whether one template says all of *text*."""
        return any(match.re.fullmatch(text) for match in self.beginnings(text))


def letters(template: str) -> int:
    """Return how much of a template is always the same."""
    return len(template.replace(ANYTHING, "").strip())


@cache
def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.escape(template).replace(ANYTHING, ".*"))
