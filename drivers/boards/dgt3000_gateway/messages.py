"""What the gateway says: one JSON object a message, each with its ``type`` first.

Facts: the gateway's own documentation. Times are whole seconds, by side of the clock.
"""

from typing import Annotated

import msgspec

from drivers.json_objects import measure_objects

LONGEST = 512
"""The longest documented message has half of that."""

measure = measure_objects(b'{"type"')
"""Only the outermost object has a type, so one that is met inside another begins a message."""


class Times(msgspec.Struct, frozen=True, rename="camel"):
    """Both times as the clock shows them."""

    left_hours: Annotated[int, msgspec.Meta(ge=0, le=9)]
    left_minutes: Annotated[int, msgspec.Meta(ge=0, le=59)]
    left_seconds: Annotated[int, msgspec.Meta(ge=0, le=59)]
    right_hours: Annotated[int, msgspec.Meta(ge=0, le=9)]
    right_minutes: Annotated[int, msgspec.Meta(ge=0, le=59)]
    right_seconds: Annotated[int, msgspec.Meta(ge=0, le=59)]

    @property
    def seconds(self) -> tuple[int, int]:
        """Left and right in seconds."""
        return (
            (self.left_hours * 60 + self.left_minutes) * 60 + self.left_seconds,
            (self.right_hours * 60 + self.right_minutes) * 60 + self.right_seconds,
        )


class Pressed(msgspec.Struct, frozen=True):
    """A button, or the lever, by name."""

    button: str


class Connection(msgspec.Struct, frozen=True):
    """Whether the gateway reaches a clock."""

    connected: bool


class Trouble(msgspec.Struct, frozen=True, rename="camel"):
    """Why something did not work."""

    error_message: str = "no reason given"


class TimeUpdate(msgspec.Struct, frozen=True, tag_field="type", tag="timeUpdate"):
    """The times have changed."""

    data: Times


class ButtonEvent(msgspec.Struct, frozen=True, tag_field="type", tag="buttonEvent"):
    """Somebody pressed something."""

    data: Pressed


class ConnectionStatus(msgspec.Struct, frozen=True, tag_field="type", tag="connectionStatus"):
    """A clock came or went."""

    data: Connection


class Error(msgspec.Struct, frozen=True, tag_field="type", tag="error"):
    """Something went wrong by itself."""

    data: Trouble


class Answer(msgspec.Struct, frozen=True, tag_field="type", tag="command_response"):
    """The answer to a command; only the question for the times is ever asked."""

    status: str
    result: Times | None = None
    data: Trouble | None = None


Message = TimeUpdate | ButtonEvent | ConnectionStatus | Error | Answer

decode = msgspec.json.Decoder[Message](Message).decode
