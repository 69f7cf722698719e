"""The settings: every key with its type, default, sentence and example, and nothing twice."""

import datetime
import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from bridge.config.rulesets import OVERRIDES, names, overridden, rule_set
from bridge.config.schema import Either, Items, Named, Reader, Scalar, Section, key
from bridge.core.laws.rulesets import RuleSet, rate_of_time_control, rule_set_name
from bridge.core.model import Orientation, Sensing, TableSetup
from bridge.core.timecontrol import TimeControlError, parse_time_control
from drivers.errors import UnknownDriverError

ANY_PORT = "auto"
"""The port of a table whose board is found by asking all of them."""

STANDARD_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*")
_ADDRESS = re.compile(r"serial:/.+|tcp:[^\s/]+:[0-9]{1,5}|replay:.+")

_LARGEST_BOARD_NUMBER = 9999
_LARGEST_RATING = 4000
_LONGEST_TABLE_NAME = 40

# Tags of which the program itself is sure, and the key that sets them (empty: nobody may).
_TAG_KEYS = {
    "Event": "event: name",
    "Site": "event: site",
    "Date": "event: date",
    "Round": "event: round",
    "White": "white",
    "Black": "black",
    "WhiteTitle": "white: title",
    "BlackTitle": "black: title",
    "WhiteElo": "white: elo",
    "BlackElo": "black: elo",
    "WhiteFideId": "white: fide_id",
    "BlackFideId": "black: fide_id",
    "WhiteTeam": "white: team",
    "BlackTeam": "black: team",
    "Board": "number",
    "TimeControl": "time_control",
    "FEN": "start_fen",
    "SetUp": "start_fen",
    "Variant": "chess960",
    "Result": "",
    "Termination": "",
}

# --- kinds of values ----------------------------------------------------------------------------


def _whole(low: int, high: int) -> Scalar:
    def convert(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not low <= int(text) <= high:
            raise ValueError
        return int(text)

    return Scalar(f"a whole number from {low} to {high}", convert)


def _one_of(*allowed: str) -> Scalar:
    def convert(text: str) -> str:
        if text in allowed:
            return text
        near = difflib.get_close_matches(text.lower(), allowed, n=1)
        raise ValueError(f"did you mean '{near[0]}'?" if near else "")

    return Scalar(f"{', '.join(allowed[:-1])} or {allowed[-1]}", convert)


def _yes_or_no(text: str) -> bool:
    if text.lower() in {"true", "yes", "on"}:
        return True
    if text.lower() in {"false", "no", "off"}:
        return False
    raise ValueError


def _table_name(text: str) -> str:
    if not text or len(text) > _LONGEST_TABLE_NAME or re.search(r"[/\\:]", text):
        raise ValueError
    return text


def _date(text: str) -> str:
    parts = re.fullmatch(r"(\d{4})([-.])(\d\d|\?\?)\2(\d\d|\?\?)", text)
    if parts is None:
        raise ValueError
    year, _, month, day = parts.groups()
    numbers = [1 if part == "??" else int(part) for part in (year, month, day)]
    try:
        datetime.date(*numbers)
    except ValueError:
        raise ValueError("the calendar has no such day") from None
    return f"{year}.{month}.{day}"


def _port(text: str) -> str:
    """Return the transport's address, so that one port has one spelling."""
    address = f"serial:{text}" if text.startswith("/") else text
    if text == ANY_PORT or _ADDRESS.fullmatch(address):
        return address
    raise ValueError


def _port_pattern(text: str) -> str:
    if not text.startswith("/"):
        raise ValueError
    return text


@cache
def _driver(text: str) -> str:
    from drivers.catalogue import driver  # loads all of them

    try:
        driver(text)
    except UnknownDriverError as error:
        _, _, hint = str(error).partition("; ")
        raise ValueError(hint) from None
    return text


@cache
def _driver_tells(name: str) -> Sensing:
    from drivers.catalogue import driver  # loads all of them

    return driver(name).info.cells_tell


def _time_control(text: str) -> str:
    try:
        parse_time_control(text)
    except TimeControlError as error:
        reason, _, _ = str(error).removeprefix(f'time control "{text}": ').partition(";")
        raise ValueError(reason) from None
    return text


def _fen(text: str) -> str:
    import chess  # slow to import, seldom needed

    board = chess.Board(text, chess960=True)
    if status := board.status():
        raise ValueError(_says(status))
    return text


def _says(status: Any) -> str:
    names = [flag.name for flag in type(status) if flag and flag in status]
    return ", ".join(str(name).lower().replace("_", " ") for name in names)


def _refuse_tag(name: str) -> str:
    if not _TAG_NAME.fullmatch(name):
        return "a tag name is a capital letter, then letters, digits or underscores"
    if name not in _TAG_KEYS:
        return ""
    if instead := _TAG_KEYS[name]:
        return f"delete it here and use the key '{instead}'"
    return "delete it: the game decides it"


TEXT = Scalar("a text", str)
FOLDER = Scalar("a folder, relative to this file", Path)
YES_NO = Scalar("true or false", _yes_or_no)
DATE = Scalar("a date like 2026-11-20, unknown parts as ??", _date)
TIME_CONTROL = Scalar(
    "seconds+increment as 5400+30, stages as 40/5400+30:1800+30, or - without clocks",
    _time_control,
)
TAGS = Named(TEXT, "tag names with their texts", _refuse_tag)
RATING = _whole(1, _LARGEST_RATING)
RULE_SET = _one_of(*names())

# --- the sections -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class EventSettings:
    """What all games of the event have in common; ``date`` is ``YYYY.MM.DD`` as in PGN."""

    name: str = field(
        default="?", metadata=key(TEXT, "Name of the event.", example="Town Open 2026")
    )
    site: str = field(
        default="?", metadata=key(TEXT, "Where it is played.", example="Delft, Zuid-Holland NED")
    )
    date: str | None = field(
        default=None,
        metadata=key(
            DATE,
            "Date of the games; without it, the day on which the program is started.",
            example="2026-11-20",
        ),
    )
    round: str = field(default="?", metadata=key(TEXT, "Number of the round.", example="1"))
    time_control: str = field(
        default="?",
        metadata=key(
            TIME_CONTROL, "Time control of all tables that have none.", example="40/5400+30:1800+30"
        ),
    )
    rule_set: str | None = field(
        default=None,
        metadata=key(
            RULE_SET,
            "Rules that the games are played under; without it, those of the time control.",
            example="fide_std",
        ),
    )
    supervised: bool = field(
        default=False,
        metadata=key(
            YES_NO,
            "Whether an arbiter watches rapid and blitz as A.4 and B.2 ask for, where no rule set "
            "is named.",
            example="false",
        ),
    )
    rules: Any = field(
        default=None,
        metadata=key(
            OVERRIDES,
            "What the event's regulations change of the rule set; docs/rule-sets.md has every key.",
            example="{default_minutes: 30}",
        ),
    )
    two_hands: bool = field(
        default=False,
        metadata=key(
            YES_NO,
            "Whether it is noted, for the arbiter alone, that two men moved at once.",
            example="false",
        ),
    )
    tags: Mapping[str, str] = field(
        default_factory=dict,
        metadata=key(TAGS, "More PGN tags for all games.", example='{Section: "A"}'),
    )


@dataclass(frozen=True, kw_only=True)
class CaptureLimits:
    """How much raw evidence is kept."""

    max_mb: int = field(
        default=5000,
        metadata=key(
            _whole(1, 10_000_000),
            "Megabytes of captures after which the oldest are deleted.",
            example="5000",
        ),
    )
    max_days: int = field(
        default=60,
        metadata=key(_whole(1, 36500), "Days after which a capture is deleted.", example="60"),
    )


@dataclass(frozen=True, kw_only=True)
class DataSettings:
    """Where the program keeps what it recorded."""

    folder: Path = field(
        default=Path("data"),
        metadata=key(FOLDER, "Folder of the journal and the captures.", example="data"),
    )
    captures: CaptureLimits = field(
        default=CaptureLimits(),
        metadata=key(
            Section(CaptureLimits, "limits for captures"),
            "How long the raw bytes of the boards are kept.",
        ),
    )

    @property
    def journal(self) -> Path:
        """The database of all readings."""
        return self.folder / "journal.sqlite3"

    @property
    def capture_folder(self) -> Path:
        """The folder of the raw bytes."""
        return self.folder / "captures"


@dataclass(frozen=True, kw_only=True)
class BoardSettings:
    """Which board stands on a table and how it is reached."""

    driver: str = field(
        default="dgt",
        metadata=key(
            Scalar("the name of an installed driver", _driver),
            "Driver of the board.",
            example="dgt",
        ),
    )
    port: str = field(
        default=ANY_PORT,
        metadata=key(
            Scalar("auto, /dev/…, serial:/dev/…, tcp:HOST:PORT or replay:FILE", _port),
            "Where the board is plugged in; auto asks at all ports.",
            example="auto",
            unique="port",
        ),
    )
    serial: str | None = field(
        default=None,
        metadata=key(
            Scalar("the number that eboard-bridge discover shows", str),
            "Serial number of the board, to tell boards apart wherever they are plugged in.",
            example='"12345"',
            unique="serial number",
        ),
    )
    sensing: Sensing | Literal["auto"] = field(
        default="auto",
        metadata=key(
            _one_of("auto", "identity", "colour", "occupancy"),
            "What the board knows of a piece: its kind, its colour, or that it is there; auto is "
            "what the driver says, and a module that speaks like another board may know less.",
            example="auto",
        ),
    )

    @property
    def tells(self) -> Sensing:
        """What is known of a man on this board.

        Raises:
            UnknownDriverError: the driver is not installed.
        """
        return _driver_tells(self.driver) if self.sensing == "auto" else self.sensing


@dataclass(frozen=True, kw_only=True)
class Player:
    """One player, as PGN wants it."""

    name: str = field(
        metadata=key(TEXT, "Name: family name, comma, given name.", example='"Kramer, Anna"')
    )
    title: str = field(default="", metadata=key(TEXT, "Title.", example="WIM"))
    elo: int | None = field(default=None, metadata=key(RATING, "Rating.", example="2301"))
    fide_id: int | None = field(
        default=None,
        metadata=key(_whole(1, 999_999_999), "Number in FIDE's list.", example="1234567"),
    )
    team: str = field(default="", metadata=key(TEXT, "Team.", example="Delft I"))

    def tags(self, side: Literal["White", "Black"]) -> dict[str, str]:
        """Return what is known besides the name as PGN tags."""
        known = {"Title": self.title, "Elo": self.elo, "FideId": self.fide_id, "Team": self.team}
        return {side + tag: str(value) for tag, value in known.items() if value}


UNKNOWN_PLAYER = Player(name="?")


class _PlayerName(Scalar):
    def read(self, node: yaml.Node, name: str, reader: Reader) -> Any:
        """Return a player of whom only the name is known, or what went wrong."""
        text = super().read(node, name, reader)
        return Player(name=text) if isinstance(text, str) else text


PLAYER = Either(_PlayerName("a name", str), Section(Player, "a mapping with the key 'name'"))


@dataclass(frozen=True, kw_only=True)
class GroupSettings:
    """What some tables of an event have in common; empty where it is the event's."""

    group: str = field(
        metadata=key(TEXT, "Name of the group.", example="Juniors", unique="group"),
    )
    time_control: str | None = field(
        default=None,
        metadata=key(TIME_CONTROL, "Time control of its tables that have none.", example="900+10"),
    )
    rule_set: str | None = field(
        default=None,
        metadata=key(RULE_SET, "Rule set of its tables that name none.", example="rapid_a4"),
    )
    rules: Any = field(
        default=None,
        metadata=key(
            OVERRIDES,
            "What changes of the rule set in this group; it wins over the event's.",
            example="{default_minutes: 15}",
        ),
    )


_NO_GROUP = GroupSettings(group="")


@dataclass(frozen=True, kw_only=True)
class TableSettings:
    """One table: its board, its players and what differs from the rest of the event."""

    table: str = field(
        metadata=key(
            Scalar(
                f"a name of up to {_LONGEST_TABLE_NAME} characters without / \\ or :", _table_name
            ),
            "Name of the table; keep it for the whole event.",
            example='"1"',
            unique="table",
        )
    )
    board: BoardSettings = field(
        default=BoardSettings(),
        metadata=key(Section(BoardSettings, "keys of a board"), "The board on the table."),
    )
    group: str | None = field(
        default=None,
        metadata=key(TEXT, "Group the table belongs to.", example="Juniors"),
    )
    number: int | None = field(
        default=None,
        metadata=key(_whole(1, _LARGEST_BOARD_NUMBER), "Board number in the round.", example="1"),
    )
    white: Player = field(
        default=UNKNOWN_PLAYER, metadata=key(PLAYER, "Player of the white pieces.")
    )
    black: Player = field(
        default=UNKNOWN_PLAYER,
        metadata=key(PLAYER, "Player of the black pieces.", example='"Okafor, Ben"'),
    )
    orientation: Orientation = field(
        default="auto",
        metadata=key(
            _one_of("auto", "normal", "rotated"),
            "How the board stands: normal with its own first rank at White; auto sees it.",
            example="auto",
        ),
    )
    white_clock: Literal["auto", "left", "right"] = field(
        default="auto",
        metadata=key(
            _one_of("auto", "left", "right"),
            "Side of the clock, seen from its front, that is White's; auto sees it.",
            example="auto",
        ),
    )
    clock: bool = field(
        default=True,
        metadata=key(YES_NO, "Whether a clock is connected to the board.", example="true"),
    )
    time_control: str | None = field(
        default=None,
        metadata=key(
            TIME_CONTROL,
            "Time control of this table, if not its group's or the event's.",
            example="5400+30",
        ),
    )
    rule_set: str | None = field(
        default=None,
        metadata=key(
            RULE_SET,
            "Rule set of this table, if not its group's or the event's.",
            example="fide_std",
        ),
    )
    rules: Any = field(
        default=None,
        metadata=key(
            OVERRIDES,
            "What changes of the rule set at this table; it wins over its group's and the event's.",
            example="{}",
        ),
    )
    start_fen: str | None = field(
        default=None,
        metadata=key(
            Scalar("a legal position in FEN", _fen),
            "Position in which games start, if not the usual one.",
            example=STANDARD_START,
        ),
    )
    chess960: bool = field(
        default=False, metadata=key(YES_NO, "Whether Chess960 is played.", example="false")
    )
    tags: Mapping[str, str] = field(
        default_factory=dict,
        metadata=key(
            TAGS, "More PGN tags for this table; they win over the event's.", example="{}"
        ),
    )


@dataclass(frozen=True, kw_only=True)
class PgnSettings:
    """Where games go as files."""

    folder: Path = field(
        default=Path("games"),
        metadata=key(FOLDER, "Folder of the PGN files.", example="games"),
    )


@dataclass(frozen=True, kw_only=True)
class LogSettings:
    """What the program says while it runs."""

    level: Literal["debug", "info", "warning", "error"] = field(
        default="info",
        metadata=key(
            _one_of("debug", "info", "warning", "error"),
            "How much is said; debug shows every byte.",
            example="info",
        ),
    )


def _check_table(values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader) -> None:
    fen = values.get("start_fen")
    if fen is None or values.get("chess960", False):
        return
    import chess

    if status := chess.Board(fen).status():
        reader.report(
            nodes["start_fen"],
            f"'start_fen' fits only Chess960: {_says(status)}",
            "correct it or add 'chess960: true'",
        )


def _check_config(
    values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    _check_boards(values, nodes, reader)
    _check_groups(values, nodes, reader)


def _check_boards(
    values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    """Two tables that would both take any board could swap their games unnoticed."""
    anywhere = [
        (table, node)
        for table, node in zip(values.get("tables", ()), _items(nodes), strict=False)
        if table.board.port == ANY_PORT and table.board.serial is None
    ]
    for table, node in anywhere[1:]:
        reader.report(
            node,
            f"tables {anywhere[0][0].table} and {table.table} would both take any board",
            "give each its board's serial number or port",
        )


def _check_groups(
    values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader
) -> None:
    """A table of a group that is not there would be played under other rules than meant."""
    if "groups" in nodes and "groups" not in values:
        return
    known = [group.group for group in values.get("groups", ())]
    for table, node in zip(values.get("tables", ()), _items(nodes), strict=False):
        if table.group is not None and table.group not in known:
            near = difflib.get_close_matches(table.group, known, n=1)
            reader.report(
                next(value for name, value in node.value if name.value == "group"),
                f"there is no group '{table.group}'",
                f"did you mean '{near[0]}'?"
                if near
                else f"add '- group: {table.group}' to 'groups'",
            )


def _items(nodes: Mapping[str, yaml.Node]) -> list[yaml.Node]:
    return list(nodes["tables"].value) if "tables" in nodes else []


@dataclass(frozen=True, kw_only=True)
class Config:
    """The whole configuration; folders are resolved against the place of the file."""

    event: EventSettings = field(
        default=EventSettings(),
        metadata=key(Section(EventSettings, "keys of the event"), "What all games have in common."),
    )
    data: DataSettings = field(
        default=DataSettings(),
        metadata=key(Section(DataSettings, "keys of the data"), "What is recorded, and where."),
    )
    groups: tuple[GroupSettings, ...] = field(
        default=(),
        metadata=key(
            Items(
                Section(GroupSettings, "the keys of a group"),
                "a list of groups, each beginning with '- group: NAME'",
            ),
            "Groups of tables that are played under rules of their own.",
        ),
    )
    tables: tuple[TableSettings, ...] = field(
        metadata=key(
            Items(
                Section(TableSettings, "the keys of a table", _check_table),
                "a list of tables, each beginning with '- table: NAME'",
            ),
            "The tables.",
        ),
    )
    pgn: PgnSettings = field(
        default=PgnSettings(),
        metadata=key(Section(PgnSettings, "keys of the PGN files"), "Games as files."),
    )
    ports: tuple[str, ...] = field(
        default=(),
        metadata=key(
            Items(
                Scalar("a pattern like /dev/rfcomm*", _port_pattern),
                "a list of patterns like /dev/rfcomm*",
            ),
            "More ports at which to look for boards.",
            example="[/dev/rfcomm*]",
        ),
    )
    log: LogSettings = field(
        default=LogSettings(),
        metadata=key(Section(LogSettings, "keys of the log"), "What is said while running."),
    )

    def anchored(self, folder: Path) -> "Config":
        """Return the same configuration with relative folders taken from *folder*."""
        return replace(
            self,
            data=replace(self.data, folder=folder / self.data.folder.expanduser()),
            pgn=replace(self.pgn, folder=folder / self.pgn.folder.expanduser()),
        )

    def group(self, table: TableSettings) -> GroupSettings:
        """Return the group of *table*; one without settings where it has none."""
        return next((group for group in self.groups if group.group == table.group), _NO_GROUP)

    def time_control(self, table: TableSettings) -> str:
        """Return the time control of *table*, else of its group, else of the event."""
        return table.time_control or self.group(table).time_control or self.event.time_control

    def rules(self, table: TableSettings) -> RuleSet:
        """Return what is played under at *table*, with what event, group and table change."""
        event, group = self.event, self.group(table)
        control = parse_time_control(self.time_control(table))
        rate = None if control is None else rate_of_time_control(control)
        by_rate = rule_set_name(rate or "standard", supervised=event.supervised)
        found = rule_set(table.rule_set or group.rule_set or event.rule_set or by_rate)
        for overrides in (event.rules, group.rules, table.rules):
            if overrides is not None:
                found = overridden(found, overrides)
        return found

    def setup(self, table: TableSettings, *, today: str = "????.??.??") -> TableSetup:
        """Return what is journaled of *table*; *today* is used where no date is configured."""
        event = self.event
        return TableSetup(
            event=event.name,
            site=event.site,
            round=event.round,
            date=event.date or today,
            board=table.number,
            white=table.white.name,
            black=table.black.name,
            time_control=self.time_control(table),
            tags={
                **event.tags,
                **table.white.tags("White"),
                **table.black.tags("Black"),
                **table.tags,
            },
            start_fen=table.start_fen,
            chess960=table.chess960,
            orientation=table.orientation,
            white_clock=table.white_clock,
            has_clock=table.clock,
            sensing=table.board.tells,
            two_hands=event.two_hands,
            rules=msgspec.to_builtins(self.rules(table)),
        )


ROOT = Section(Config, "the keys of a configuration, the first being 'tables:'", _check_config)
