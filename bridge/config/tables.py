"""One table: its board, its players, and what differs from the rest of the event."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

from bridge.config.boards import BOARD, BoardSettings
from bridge.config.clocks import CLOCK, ClockSettings
from bridge.config.kinds import RULE_SET, TAGS, TEXT, TIME_CONTROL, YES_NO, one_of, whole
from bridge.config.players import PLAYER, UNKNOWN_PLAYER, Player
from bridge.config.rulesets import OVERRIDES
from bridge.config.scale import NODE_NAME
from bridge.config.schema import Reader, Scalar, Section, key
from bridge.core.model import Orientation

STANDARD_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

_LARGEST_BOARD_NUMBER = 9999
_LONGEST_TABLE_NAME = 40
TABLE_NAME = f"a name of up to {_LONGEST_TABLE_NAME} characters without / \\ or :"
"""What a table may be called, in words."""


def table_name(text: str) -> str:
    """Return *text*, if a table may be called so.

    Raises:
        ValueError: it may not.
    """
    if not text or len(text) > _LONGEST_TABLE_NAME or re.search(r"[/\\:]", text):
        raise ValueError
    return text


def _fen(text: str) -> str:
    import chess  # slow to import, seldom needed

    board = chess.Board(text, chess960=True)
    if status := board.status():
        raise ValueError(_in_words(status))
    return text


def _in_words(status: Any) -> str:
    names = [flag.name for flag in type(status) if flag and flag in status]
    return ", ".join(str(name).lower().replace("_", " ") for name in names)


@dataclass(frozen=True, kw_only=True)
class TableSettings:
    """One table: its board, its players and what differs from the rest of the event."""

    table: str = field(
        metadata=key(
            Scalar(TABLE_NAME, table_name),
            "Name of the table; keep it for the whole event.",
            example='"1"',
            unique="table",
        )
    )
    board: BoardSettings = field(
        default=BoardSettings(),
        metadata=key(BOARD, "The board on the table."),
    )
    group: str | None = field(
        default=None,
        metadata=key(TEXT, "Group the table belongs to.", example="Juniors"),
    )
    node: str | None = field(
        default=None,
        metadata=key(
            NODE_NAME,
            "Machine whose 'eboard-bridge node' brings the table's board; 'run' brings them all.",
            example="north",
        ),
    )
    number: int | None = field(
        default=None,
        metadata=key(whole(1, _LARGEST_BOARD_NUMBER), "Board number in the round.", example="1"),
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
            one_of("auto", "normal", "rotated"),
            "How the board stands: normal with its own first rank at White; auto sees it.",
            example="auto",
        ),
    )
    white_clock: Literal["auto", "left", "right"] = field(
        default="auto",
        metadata=key(
            one_of("auto", "left", "right"),
            "Side of the clock, seen from its front, that is White's; auto sees it.",
            example="auto",
        ),
    )
    clock: bool | ClockSettings = field(
        default=True,
        metadata=key(
            CLOCK,
            "Whether a clock is connected to the board; or the clock that has a link of its own, "
            "as {driver: dgt3000_gateway, port: ble:DGT3000-Gateway}.",
            example="true",
        ),
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
    feedback: bool = field(
        default=False,
        metadata=key(
            YES_NO,
            "Whether the board lights squares on which men stand wrong, which is for games at home "
            "only (rule_set: home).",
            example="false",
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

    @property
    def own_clock(self) -> ClockSettings | None:
        """The clock that has a link of its own, if there is one."""
        return self.clock if isinstance(self.clock, ClockSettings) else None

    @property
    def ports(self) -> tuple[str, ...]:
        """Where its board is connected, and its clock if that has a link of its own."""
        clock = self.own_clock
        return (self.board.port,) if clock is None else (self.board.port, clock.port)


def _check_table(values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader) -> None:
    fen = values.get("start_fen")
    if fen is None or values.get("chess960", False):
        return
    import chess

    if status := chess.Board(fen).status():
        reader.report(
            nodes["start_fen"],
            f"'start_fen' fits only Chess960: {_in_words(status)}",
            "correct it or add 'chess960: true'",
        )


TABLE = Section(TableSettings, "the keys of a table", _check_table, machine="node")
