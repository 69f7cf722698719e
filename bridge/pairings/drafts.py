"""From what single lines say to board numbers: what only the whole round can tell."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bridge.pairings.fields import LARGEST_BOARD
from bridge.pairings.model import Findings, Pairing, Pairings, Person


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A pairing as a line tells it; without a player on one side it is a bye.

    ``match`` is that of a team, ``board`` the one in it; ``None`` where the line does not tell.
    """

    round: str
    match: int | None
    board: int | None
    white: Person
    black: Person
    line: int
    start_fen: str | None = None
    chess960: bool = False
    time_control: str = ""

    @property
    def is_bye(self) -> bool:
        """Whether nobody sits on one side."""
        return not (self.white.name and self.black.name)


def numbered(drafts: Sequence[Draft], findings: Findings) -> tuple[Pairing, ...]:
    """Return the games of all rounds with board numbers; byes leave theirs free."""
    rounds: defaultdict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        rounds[draft.round].append(draft)
    pairings = []
    for games in rounds.values():
        found = [
            _pairing(draft, board)
            for draft, board in zip(games, _boards(games), strict=True)
            if not draft.is_bye
        ]
        _check(found, findings)
        pairings += found
    return tuple(pairings)


def _boards(drafts: Sequence[Draft]) -> list[int]:
    """Return board numbers through the whole round.

    Several matches are laid out one behind the other, each as long as the longest.
    """
    boards = [
        position if draft.board is None else draft.board for position, draft in enumerate(drafts, 1)
    ]
    if len({draft.match for draft in drafts}) < 2:
        return boards
    length = max(boards)
    return [
        board if draft.match is None else (draft.match - 1) * length + board
        for draft, board in zip(drafts, boards, strict=True)
    ]


def _pairing(draft: Draft, board: int) -> Pairing:
    return Pairing(
        round=draft.round,
        board=board,
        white=draft.white,
        black=draft.black,
        line=draft.line,
        start_fen=draft.start_fen,
        chess960=draft.chess960,
        time_control=draft.time_control,
    )


def _check(games: Iterable[Pairing], findings: Findings) -> None:
    """Refuse one board for two games, and one player on two seats."""
    boards: dict[int, int] = {}
    seats: dict[int, int] = {}
    names: Counter[str] = Counter()
    for game in games:
        if game.board > LARGEST_BOARD:
            findings.refuse(
                game.line,
                None,
                f"board {game.board} is beyond {LARGEST_BOARD}",
                "number the matches from 1",
            )
        first = boards.setdefault(game.board, game.line)
        if first != game.line:
            findings.refuse(
                game.line, None, f"board {game.board} is used on line {first} too", "change one"
            )
        for person in (game.white, game.black):
            names[person.name] += 1
            if person.fide_id is None:
                if names[person.name] == 2:
                    what = f"'{person.name}' has more than one game in the round"
                    findings.note(game.line, None, what, "give FIDE ids if these are two players")
            elif person.fide_id in seats:
                what = f"FIDE id {person.fide_id} is used on line {seats[person.fide_id]} too"
                findings.refuse(game.line, None, what, "change one of them")
            else:
                seats[person.fide_id] = game.line


def content(
    drafts: Sequence[Draft], findings: Findings, players: Iterable[Person] = ()
) -> Pairings:
    """Return what a file holds; without *players* they are those of its games.

    Raises:
        PairingError: something was refused.
    """
    pairings = numbered(drafts, findings)
    everybody = tuple(players) or tuple(
        dict.fromkeys(
            person for draft in drafts for person in (draft.white, draft.black) if person.name
        )
    )
    return Pairings(pairings=pairings, players=everybody, notes=findings.end())
