"""Which drivers' boards can be listened to without being asked."""

from bridge.links.probing import speaks_unasked
from drivers.catalogue import all_drivers
from drivers.codec import Codec, Outgoing
from drivers.events import Event


class Later(Codec):
    """Says nothing at first, and something a moment later."""

    def greet(self, *, at: float) -> None:
        pass

    def receive(self, data: bytes, *, at: float) -> list[Event]:
        return []

    def poll(self, *, at: float) -> Outgoing:
        return Outgoing(b"", at + 0.3) if at < 0.3 else Outgoing(b"?", at + 1.0)

    @property
    def buffered(self) -> int:
        return 0


def test_only_boards_that_are_never_asked_speak_by_themselves() -> None:
    assert not speaks_unasked(Later)
    assert {name for name, driver in all_drivers().items() if speaks_unasked(driver)} == {
        "certabo",
        "esp32_clock",
        "sentio",
    }
