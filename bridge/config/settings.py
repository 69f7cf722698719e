"""The whole configuration, and what it says of each table."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from bridge.config.checks import check_config
from bridge.config.events import NO_GROUP, EventSettings, GroupSettings
from bridge.config.feedback import check_feedback
from bridge.config.kinds import one_of
from bridge.config.lichess import LICHESS, LichessSettings
from bridge.config.livechess import LIVECHESS, LiveChessSettings
from bridge.config.problems import Problem
from bridge.config.rulesets import overridden, rule_set
from bridge.config.scale import SCALE, ScaleSettings
from bridge.config.schema import Items, Reader, Scalar, Section, key
from bridge.config.storage import CloudSettings, DataSettings, PgnSettings
from bridge.config.tables import TABLE, TableSettings
from bridge.config.uploads import UPLOADS, UploadSettings
from bridge.config.web import WEB, WebSettings
from bridge.config.webhooks import WEBHOOKS, WebhookSettings
from bridge.core.laws.rulesets import RuleSet, rate_of_time_control, rule_set_name
from bridge.core.model import TableSetup
from bridge.core.timecontrol import parse_time_control


def _port_pattern(text: str) -> str:
    if not text.startswith("/"):
        raise ValueError
    return text


@dataclass(frozen=True, kw_only=True)
class LogSettings:
    """What the program says while it runs."""

    level: Literal["debug", "info", "warning", "error"] = field(
        default="info",
        metadata=key(
            one_of("debug", "info", "warning", "error"),
            "How much is said; debug shows every byte.",
            example="info",
        ),
    )
    format: Literal["text", "json"] = field(
        default="text",
        metadata=key(
            one_of("text", "json"),
            "How it is said: lines for people, or one JSON object a line for programs.",
            example="text",
        ),
    )


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
                TABLE,
                "a list of tables, each beginning with '- table: NAME'",
            ),
            "The tables.",
        ),
    )
    pgn: PgnSettings = field(
        default=PgnSettings(),
        metadata=key(Section(PgnSettings, "keys of the PGN files"), "Games as files."),
    )
    cloud: CloudSettings | None = field(
        default=None,
        metadata=key(
            Section(CloudSettings, "keys of the cloud files"),
            "Games as the JSON files of LiveChess Cloud; without it, none are written.",
        ),
    )
    livechess: LiveChessSettings | None = field(
        default=None,
        metadata=key(
            LIVECHESS,
            "Server for programs and web pages made for DGT LiveChess; without it, or with false, "
            "there is none.",
        ),
    )
    web: WebSettings | None = field(
        default=None,
        metadata=key(
            WEB,
            "Server for web pages, spectators, arbiters and programs; without it, or with false, "
            "there is none.",
        ),
    )
    lichess: LichessSettings | None = field(
        default=None,
        metadata=key(LICHESS, "Broadcast on Lichess; without it, nothing is sent there."),
    )
    webhooks: tuple[WebhookSettings, ...] = field(
        default=(),
        metadata=key(WEBHOOKS, "Other programs and phones that are told what happens."),
    )
    uploads: tuple[UploadSettings, ...] = field(
        default=(),
        metadata=key(UPLOADS, "Servers that get copies of the files of games by SFTP."),
    )
    scale: ScaleSettings | None = field(
        default=None,
        metadata=key(
            SCALE, "Brokers that join several halls, for 'eboard-bridge node' and 'hub' alone."
        ),
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
        cloud, web, lichess = self.cloud, self.web, self.lichess
        return replace(
            self,
            web=web and web.anchored(folder),
            cloud=cloud and replace(cloud, folder=folder / cloud.folder.expanduser()),
            lichess=lichess and lichess.anchored(folder),
            scale=self.scale and self.scale.anchored(folder),
            data=replace(self.data, folder=folder / self.data.folder.expanduser()),
            pgn=replace(self.pgn, folder=folder / self.pgn.folder.expanduser()),
            webhooks=tuple(each.anchored(folder) for each in self.webhooks),
            uploads=tuple(each.anchored(folder) for each in self.uploads),
        )

    @property
    def accounts(self) -> Path:
        """The file of the accounts of the web server."""
        named = self.web.accounts if self.web else None
        return named or self.data.folder / "accounts.json"

    def group(self, table: TableSettings) -> GroupSettings:
        """Return the group of *table*; one without settings where it has none."""
        return next((group for group in self.groups if group.group == table.group), NO_GROUP)

    @property
    def notes(self) -> list[Problem]:
        """What was put right in reading pairing files, or should be known of them."""
        return [*self.event.notes, *(note for group in self.groups for note in group.notes)]

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
        event, group = self.event, self.group(table)
        return TableSetup(
            event=group.name or event.name,
            section=group.group if group.is_apart else "",
            site=event.site,
            round=group.round or event.round,
            date=event.date or today,
            undated=event.date is None,
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
            has_clock=bool(table.clock),
            sensing=table.board.tells,
            two_hands=event.two_hands,
            feedback=table.feedback,
            tag_letters={**table.board.calibration},
            rules=msgspec.to_builtins(self.rules(table)),
        )


def _check(values: Mapping[str, Any], nodes: Mapping[str, yaml.Node], reader: Reader) -> None:
    check_config(values, nodes, reader)
    if not reader.problems and "tables" in values:  # from what is invalid nothing follows
        config = Config(**values)
        for table, node in zip(config.tables, nodes["tables"].value, strict=True):
            check_feedback(table, node, config.rules, reader)


ROOT = Section(Config, "the keys of a configuration, the first being 'tables:'", _check)
