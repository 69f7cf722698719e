"""What a pairing file says, whatever its format."""

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Person:
    """One player; what a file does not say is empty or ``None``."""

    name: str
    title: str = ""
    elo: int | None = None
    fide_id: int | None = None
    team: str = ""
    federation: str = ""


@dataclass(frozen=True, kw_only=True)
class Pairing:
    """One game to be played; ``round`` is empty where the file names none.

    ``line`` is where the file says so, counted from 1. ``time_control`` is as in PGN, empty where
    it is not told.
    """

    round: str
    board: int
    white: Person
    black: Person
    line: int
    start_fen: str | None = None
    chess960: bool = False
    time_control: str = ""


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """What is wrong with a file, or was put right in reading it.

    ``line`` and ``column`` count from 1; in a table ``column`` counts cells. ``None``: all of it.
    """

    line: int | None = None
    column: int | None = None
    what: str
    remedy: str


class PairingError(Exception):
    """The file cannot be used; ``troubles`` holds everything found, in file order."""

    def __init__(self, troubles: list[Trouble]) -> None:
        super().__init__("; ".join(trouble.what for trouble in troubles))
        self.troubles = troubles


@dataclass(frozen=True, kw_only=True)
class Pairings:
    """The content of a file: games of one or more rounds, all players, what was put right."""

    pairings: tuple[Pairing, ...]
    players: tuple[Person, ...]
    notes: tuple[Trouble, ...] = ()

    @property
    def rounds(self) -> tuple[str, ...]:
        """The rounds that are named, in file order."""
        return tuple(dict.fromkeys(each.round for each in self.pairings if each.round))

    def of_round(self, round_: str) -> tuple[Pairing, ...]:
        """Return the games of a round; those that name none belong to any."""
        return tuple(each for each in self.pairings if each.round in ("", round_))


@dataclass
class Findings:
    """What reading a file has found so far: what refuses it, and what was put right."""

    refused: list[Trouble] = field(default_factory=list)
    notes: list[Trouble] = field(default_factory=list)

    def refuse(self, line: int | None, column: int | None, what: str, remedy: str) -> None:
        """Add what makes the file unusable."""
        self.refused.append(Trouble(line=line, column=column, what=what, remedy=remedy))

    def note(self, line: int | None, column: int | None, what: str, remedy: str) -> None:
        """Add what somebody should know; the file can be used."""
        self.notes.append(Trouble(line=line, column=column, what=what, remedy=remedy))

    def end(self) -> tuple[Trouble, ...]:
        """Return the notes in file order.

        Raises:
            PairingError: something was refused.
        """
        if self.refused:
            raise PairingError(sorted(self.refused, key=_place))
        return tuple(sorted(self.notes, key=_place))


def _place(trouble: Trouble) -> tuple[int, int]:
    return (trouble.line or 0, trouble.column or 0)
