"""Tournament report files, TRF16 and TRF26: players, teams, and who meets whom.

They have no board numbers. Boards are numbered by the score of the better player, both scores and
the better rank, as pairing programs print them; matches of teams by the first team, and in a match
by the order of the line-up. That is a proposal, and is said.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from bridge.pairings.drafts import Draft, content
from bridge.pairings.model import Findings, Pairings
from bridge.pairings.texts import lines
from bridge.pairings.trf_records import Entry, Record, Seat, entry, record, team_name

_PROPOSED = "the file has no board numbers: they are taken from scores and ranks"


@dataclass
class _Team:
    """A team in the order of its line-up."""

    number: int
    name: str
    members: list[int]


@dataclass
class _Report:
    """What the records say; ``line_ups`` are of a round and a team where they were changed."""

    entries: dict[int, Entry] = field(default_factory=dict)
    teams: list[_Team] = field(default_factory=list)
    line_ups: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    time_control: str = ""

    def team_of(self, rank: int) -> _Team | None:
        """Return the team of a player."""
        return next((team for team in self.teams if rank in team.members), None)

    def position(self, team: _Team, rank: int, round_: int) -> int:
        """Return where in the line-up of a round a player sits."""
        line_up = self.line_ups.get((round_, team.number), team.members)
        return line_up.index(rank) if rank in line_up else len(line_up)


def read_trf(text: str, findings: Findings) -> Pairings:
    """Return players and pairings of a tournament report file.

    Raises:
        PairingError: with everything that is wrong with it.
    """
    report = _Report()
    for number, line in enumerate(lines(text), 1):
        if line.strip() and not line.startswith("###"):
            _take(record(line, number, findings), line[:3], report, findings)
    for team in report.teams:
        for rank in team.members:
            if rank in report.entries:
                one = report.entries[rank]
                one.person = replace(one.person, team=team.name)
    rounds = max((max(each.seats, default=0) for each in report.entries.values()), default=0)
    drafts = [
        draft for number in range(1, rounds + 1) for draft in _round(report, number, findings)
    ]
    if drafts:
        findings.note(None, None, _PROPOSED, "compare them with the pairing list")
    return content(drafts, findings, [each.person for each in report.entries.values()])


def _take(line: Record, code: str, report: _Report, findings: Findings) -> None:
    """Enter one record; codes that say nothing of players are passed over."""
    match code:
        case "001":
            _enter(line, report, findings)
        case "013":
            name, members = team_name(line, 5, 36), line.list_of(37)
            report.teams.append(_Team(len(report.teams) + 1, name, members))
        case "310":
            number = line.number(5, 7, "team number")
            report.teams.append(_Team(number, team_name(line, 9, 40), line.list_of(74)))
        case "300":
            place = line.number(5, 7, "round"), line.number(9, 11, "team number")
            report.line_ups[place] = line.list_of(17)
        case "222":
            report.time_control = line.cell((5, line.length), "time control").time_control()
        case _:
            pass


def _enter(line: Record, report: _Report, findings: Findings) -> None:
    found = entry(line, findings)
    if found is None:
        return
    first = report.entries.setdefault(found.rank, found)
    if first is not found:
        what = f"starting rank {found.rank} is used on line {first.line} too"
        findings.refuse(line.line, 5, what, "export the file anew")


def _round(report: _Report, number: int, findings: Findings) -> list[Draft]:
    """Return the games of a round in the order of the boards."""
    pairs = list(_pairs(report, number, findings))
    pairs.sort(key=lambda pair: _order(report, number, *pair))
    return [
        Draft(
            round=str(number),
            match=None,
            board=board,
            white=white.person,
            black=black.person,
            line=white.line,
            time_control=report.time_control,
        )
        for board, (white, black) in enumerate(pairs, 1)
    ]


def _pairs(report: _Report, number: int, findings: Findings) -> Iterator[tuple[Entry, Entry]]:
    """Return who meets whom, White first; records that contradict each other are refused."""
    for rank, one in report.entries.items():
        seat = one.seats.get(number)
        if seat is None or not seat.opponent or seat.is_unplayed:
            continue
        other = report.entries.get(seat.opponent)
        if other is None:
            _refuse(seat, f"nobody has the starting rank {seat.opponent}", findings)
            continue
        back = other.seats.get(number)
        if back is None or back.opponent != rank or seat.opponent == rank:
            _refuse(seat, f"{rank} meets {seat.opponent}, who meets somebody else", findings)
        elif {seat.colour, back.colour} not in ({"w", "b"}, {"w", ""}, {"b", ""}):
            if rank < seat.opponent:
                _refuse(seat, f"{rank} and {seat.opponent} have no different colours", findings)
        elif seat.colour == "w" or (not seat.colour and back.colour == "b"):
            yield one, other


def _refuse(seat: Seat, what: str, findings: Findings) -> None:
    findings.refuse(seat.line, seat.column, what, "export the file anew")


def _order(report: _Report, number: int, white: Entry, black: Entry) -> tuple[float, ...]:
    first, second = report.team_of(white.rank), report.team_of(black.rank)
    if first is not None and second is not None:
        lead, one = (first, white) if first.number <= second.number else (second, black)
        return (lead.number, report.position(lead, one.rank, number))
    scores = white.score(number), black.score(number)
    return (-max(scores), -sum(scores), min(white.rank, black.rank))
