"""Where what was recorded is kept, and for how long."""

from dataclasses import dataclass, field
from pathlib import Path
from uuid import NAMESPACE_URL, UUID, uuid5

from bridge.config.delays import DELAY, NO_DELAY, Delay
from bridge.config.kinds import FOLDER, whole
from bridge.config.schema import Scalar, Section, key


@dataclass(frozen=True, kw_only=True)
class CaptureLimits:
    """How much raw evidence is kept."""

    max_mb: int = field(
        default=5000,
        metadata=key(
            whole(1, 10_000_000),
            "Megabytes of captures after which the oldest are deleted.",
            example="5000",
        ),
    )
    max_days: int = field(
        default=60,
        metadata=key(whole(1, 36500), "Days after which a capture is deleted.", example="60"),
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
    def outbox(self) -> Path:
        """The database of what waits to be sent."""
        return self.folder / "outbox.sqlite3"

    @property
    def capture_folder(self) -> Path:
        """The folder of the raw bytes."""
        return self.folder / "captures"


@dataclass(frozen=True, kw_only=True)
class PgnSettings:
    """Where games go as files."""

    folder: Path = field(
        default=Path("games"),
        metadata=key(FOLDER, "Folder of the PGN files.", example="games"),
    )
    delay: Delay = field(
        default=NO_DELAY,
        metadata=key(DELAY, "How much later than the hall these files show the games."),
    )


@dataclass(frozen=True, kw_only=True)
class CloudSettings:
    """Where games go as the files of LiveChess Cloud."""

    folder: Path = field(
        metadata=key(FOLDER, "Folder of the cloud files.", example="cloud"),
    )
    id: UUID | None = field(
        default=None,
        metadata=key(
            Scalar("a UUID", UUID),
            "Number under which the web server serves them; without it, one that is worked out "
            "from the name of the event.",
            example="0d2f4c6a-8b1e-4f3a-9c5d-7e6f8a9b0c1d",
            alone=True,
        ),
    )
    delay: Delay = field(
        default=NO_DELAY,
        metadata=key(DELAY, "How much later than the hall these files show the games."),
    )

    def served_as(self, event: str, section: str) -> str:
        """Return the number of the tournament of a section, as it stands in addresses."""
        number = self.id or uuid5(NAMESPACE_URL, event)
        return str(uuid5(number, section) if section else number)
