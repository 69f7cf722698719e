"""PGN with headers only, as pairing programs export a round; moves and results are passed over.

The board is that of the tag Board, else the second part of Round, else the third where there are
three, as ``round.match.board`` of team events; else the game's place in the file.
"""

import re
from collections.abc import Iterator

from bridge.pairings.drafts import Draft, content
from bridge.pairings.fields import Cell
from bridge.pairings.model import Findings, Pairings, Person
from bridge.pairings.texts import lines, shown

_TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_CARELESS = re.compile(r'\s*\[\s*(\w+)\s+"(.*)"\s*\]\s*')
_TAG_LIKE = re.compile(r"\s*\[\s*[A-Za-z]")
_ROUND = re.compile(r"([0-9]{1,4})(?:\.([0-9]{1,4}))?(?:\.([0-9]{1,4}))?")
_ESCAPED = re.compile(r"\\(.)")

Tags = dict[str, Cell]


def read_pgn(text: str, findings: Findings) -> Pairings:
    """Return the pairings of a PGN file.

    Raises:
        PairingError: with everything that is wrong with it.
    """
    drafts = [_draft(tags, line) for line, tags in _games(text, findings)]
    return content(drafts, findings)


def _games(text: str, findings: Findings) -> Iterator[tuple[int, Tags]]:
    """Return the tags of each game with the line on which they begin."""
    tags: Tags = {}
    begins, behind = 0, True
    for number, line in enumerate(lines(text), 1):
        if not line.strip() or line.startswith("%"):
            continue
        if not _TAG_LIKE.match(line):
            behind = True
            continue
        tag = _tag(line, number, findings)
        if tag is None:
            continue
        name, cell = tag
        if behind or name in tags:
            if tags:
                yield begins, tags
            tags, begins, behind = {}, number, False
        tags[name] = cell
    if tags:
        yield begins, tags


def _tag(line: str, number: int, findings: Findings) -> tuple[str, Cell] | None:
    column = len(line) - len(line.lstrip()) + 1
    found = _TAG.fullmatch(line)
    if found is None:
        found = _CARELESS.fullmatch(line)
        if found is None:
            findings.refuse(
                number, column, f"'{shown(line)}' is no tag", 'write [Name "text"] in one line'
            )
            return None
        findings.note(
            number, column, "a quote in a tag without a backslash before it", 'write \\" instead'
        )
    value = _ESCAPED.sub(r"\1", found[2])
    cell = Cell(
        value, line=number, column=found.start(2) + 1, label=f"tag {found[1]}", findings=findings
    )
    return found[1].lower(), cell


def _draft(tags: Tags, line: int) -> Draft:
    missing = Cell("", line=line, column=1, label="", findings=Findings())
    round_, match, board = _place(tags, missing)
    chess960 = tags.get("variant", missing).chess960()
    start_fen, chess960 = tags.get("fen", missing).start(chess960=chess960)
    return Draft(
        round=round_,
        match=match,
        board=board,
        white=_person(tags, "white", missing),
        black=_person(tags, "black", missing),
        line=line,
        start_fen=start_fen,
        chess960=chess960,
        time_control=tags.get("timecontrol", missing).time_control(),
    )


def _place(tags: Tags, missing: Cell) -> tuple[str, int | None, int | None]:
    """Return round, match and board."""
    text = tags.get("round", missing).text
    match, board = tags.get("board", missing).board()
    parts = _ROUND.fullmatch(text)
    if parts is None:
        return ("" if text in ("", "?", "-") else text), match, board
    numbers = [int(part) for part in parts.groups() if part is not None]
    if board is None and len(numbers) > 1:
        board = numbers[-1] or None
        match = (numbers[1] or None) if len(numbers) > 2 else None
    return str(numbers[0]), match, board


def _person(tags: Tags, side: str, missing: Cell) -> Person:
    return Person(
        name=tags.get(side, missing).name(),
        title=tags.get(f"{side}title", missing).title(),
        elo=tags.get(f"{side}elo", missing).rating(),
        fide_id=tags.get(f"{side}fideid", missing).fide_id(),
        team=tags.get(f"{side}team", missing).name(),
        federation=tags.get(f"{side}fed", missing).federation(),
    )
