"""Finds boards: which ports there are, what answers at them, and where a wanted board is now.

Names and USB ids only order the ports; a board is what answers like one.
"""

import asyncio
import fnmatch
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bridge.links.claims import Claims
from bridge.links.keeper import stranger
from drivers.codec import Codec, DriverInfo
from drivers.errors import AddressError, DriverError, PortMissingError
from drivers.events import Event, Identity, Noise, RawTags, Snapshot
from drivers.transports import Clock, Line, open_line

BY_ID = Path("/dev/serial/by-id")
PROBE_SECONDS = 3.0
AFTERTHOUGHT = 1.0
"""Seconds after the first sure sign in which a board may tell the rest about itself."""

LISTED = 1.0
"""Seconds for which a list of ports stands: reading it takes a millisecond a port."""

REMEMBERED = 10.0
"""Seconds for which an answer stands, so that a hall of links does not ask the same port."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """A board that answered."""

    address: str
    driver: str
    serial: str | None = None
    long_serial: str | None = None
    version: str | None = None

    @property
    def serials(self) -> tuple[str, ...]:
        """The serial numbers it has told."""
        return tuple(serial for serial in (self.serial, self.long_serial) if serial is not None)


@dataclass(frozen=True, kw_only=True)
class NotABoard:
    """A port where no board answered, or that could not be asked; ``reason`` is for people."""

    address: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Port:
    """A serial port; ``names`` are all its paths, the one least likely to change first."""

    device: Path
    names: tuple[str, ...]
    usb: tuple[int, int] | None = None

    @property
    def address(self) -> str:
        """Its address under the most stable name."""
        return f"serial:{self.names[0]}"

    def strangeness(self, info: DriverInfo) -> int:
        """Return how little it looks like this driver's boards, from 0."""
        named = any(
            fnmatch.fnmatch(Path(name).name, pattern)
            for name in self.names
            for pattern in info.fingerprint.port_names
        )
        if named or self.usb in info.fingerprint.usb_ids:
            return 0
        return 1 if self.usb and (self.usb[0], None) in info.fingerprint.usb_ids else 2


def ports(drivers: Iterable[type[Codec]], patterns: Iterable[str] = ()) -> list[Port]:
    """Return the serial ports of this machine, likely boards first. Blocks for some ms.

    Args:
        drivers: whose fingerprints give the order.
        patterns: shell patterns of more paths, such as ``/dev/rfcomm*``.

    Raises:
        AddressError: pyserial is not installed.
    """
    try:
        from serial.tools.list_ports import comports
    except ModuleNotFoundError:
        raise AddressError(
            "looking for boards needs pyserial: pip install 'eboard-bridge[serial]'"
        ) from None
    names = [str(path) for path in BY_ID.glob("*")]
    for pattern in patterns:
        names += sorted(str(path) for path in Path("/").glob(pattern.removeprefix("/")))
    usb: dict[Path, tuple[int, int]] = {}
    for port in comports():
        names.append(port.device)
        if port.vid is not None and port.pid is not None:
            usb[Path(port.device).resolve()] = (port.vid, port.pid)
    by_device: dict[Path, list[str]] = {}
    for name in names:
        by_device.setdefault(Path(name).resolve(), []).append(name)
    infos = [driver.info for driver in drivers]
    found = [
        Port(device=device, names=tuple(dict.fromkeys(known)), usb=usb.get(device))
        for device, known in by_device.items()
    ]
    return sorted(found, key=lambda p: (min(map(p.strangeness, infos), default=2), p.names))


async def probe(
    address: str, driver: type[Codec], *, now: Clock, seconds: float = PROBE_SECONDS
) -> Found | NotABoard:
    """Ask at *address* whether a board of this driver is there, for up to *seconds*.

    A board proves itself by telling who it is or what stands on it.

    Raises:
        AddressError: the address means nothing.
    """
    line = open_line(address, driver.info, now=now)
    inquiry = _Inquiry(driver, address)
    try:
        async with asyncio.timeout(seconds):
            await line.open()
        await inquiry.conduct(line, now, seconds)
    except TimeoutError:
        return NotABoard(address=address, reason=f"does not open within {seconds:g} s")
    except DriverError as error:
        if not inquiry.sure:
            return NotABoard(address=address, reason=str(error))
    finally:
        line.close()
    return inquiry.answer()


@dataclass
class _Inquiry:
    """What one port has answered."""

    driver: type[Codec]
    address: str
    told: dict[str, str] = field(default_factory=dict)
    sure: bool = False
    noisy: bool = False

    async def conduct(self, line: Line, now: Clock, seconds: float) -> None:
        """Greet and listen until all is known, or no more is to be expected."""
        codec = self.driver()
        deadline = now() + seconds
        codec.greet(at=now())
        while not self._complete() and now() < deadline:
            data, wake_at = codec.poll(at=now())
            if data:
                line.write(data)
            chunk = await line.read(max(0.002, min(wake_at, deadline) - now()))
            if chunk is None:
                continue
            was_sure = self.sure
            for event in codec.receive(chunk[1], at=chunk[0]):
                self._hear(event)
            if self.sure and not was_sure:
                deadline = min(deadline, now() + AFTERTHOUGHT)

    def _complete(self) -> bool:
        return {"serial", "long_serial", "version"} <= self.told.keys()

    def _hear(self, event: Event) -> None:
        if isinstance(event, Identity):
            self.told[event.field] = event.value
        self.sure = self.sure or isinstance(event, Identity | Snapshot | RawTags)
        self.noisy = self.noisy or isinstance(event, Noise)

    def answer(self) -> Found | NotABoard:
        name = self.driver.info.name
        if self.sure:
            return Found(
                address=self.address,
                driver=name,
                serial=self.told.get("serial"),
                long_serial=self.told.get("long_serial"),
                version=self.told.get("version"),
            )
        if self.noisy:
            reason = stranger(self.driver.info)
        else:
            reason = f"no {name} board answers: is one there, and switched on?"
        return NotABoard(address=self.address, reason=reason)


class Finder:
    """Looks at the ports of this machine for whoever wants to know.

    Ports that a link holds are left alone. Answers are remembered for some seconds, and only
    for the very device that gave them: a board plugged in anew is asked anew.
    """

    def __init__(
        self,
        drivers: Sequence[type[Codec]],
        *,
        now: Clock,
        claims: Claims,
        patterns: Sequence[str] = (),
        seconds: float = PROBE_SECONDS,
    ) -> None:
        self._drivers = drivers
        self._now = now
        self._claims = claims
        self._patterns = patterns
        self._seconds = seconds
        self._lock = asyncio.Lock()
        self._listed_at = -math.inf
        self._ports: list[Port] = []
        self._answers: dict[tuple[Path, int, int], tuple[float, Found | NotABoard]] = {}

    async def discover(self) -> list[Found | NotABoard]:
        """Ask at every port, all at once; likely boards stand first.

        A board that is seen at two ports is listed at the first of them.

        Raises:
            AddressError: pyserial is not installed.
        """
        async with self._lock:
            await self._look()
            answers = await asyncio.gather(*map(self._ask, self._ports))
        return _once_each(answers)

    async def locate(self, driver: type[Codec], serial: str | None = None) -> str:
        """Return the address where the board with this serial number is plugged in now.

        Without a serial number, any board of the driver that no link holds.

        Raises:
            PortMissingError: it is nowhere.
            AddressError: pyserial is not installed.
        """
        answers = await self.discover()
        name = driver.info.name
        for answer in answers:
            if (
                isinstance(answer, Found)
                and answer.driver == name
                and (serial is None or serial in answer.serials)
                and not any(self._claims.board_holder(name, one) for one in answer.serials)
            ):
                return answer.address
        what = f"no free {name} board" if serial is None else f"no {name} board {serial}"
        raise PortMissingError(
            f"{what} at any of {len(answers)} ports; 'eboard-bridge discover' says what is there"
        )

    async def _look(self) -> None:
        """List the ports, and forget old answers."""
        if self._now() - self._listed_at >= LISTED:
            self._ports = await asyncio.to_thread(ports, self._drivers, self._patterns)
            self._listed_at = self._now()
        self._answers = {
            key: answer
            for key, answer in self._answers.items()
            if self._now() - answer[0] < REMEMBERED
        }

    async def _ask(self, port: Port) -> Found | NotABoard:
        holders = (self._claims.port_holder(f"serial:{name}") for name in port.names)
        holder = next((who for who in holders if who is not None), None)
        if holder is not None:
            return NotABoard(address=port.address, reason=f"is served by {holder}")
        try:
            status = port.device.stat()
        except OSError as error:
            return NotABoard(address=port.address, reason=str(error.strerror))
        key = (port.device, status.st_ino, status.st_ctime_ns)
        if key not in self._answers:
            self._answers[key] = (self._now(), await self._try_drivers(port))
        answer = self._answers[key][1]
        return replace(answer, address=port.address)

    async def _try_drivers(self, port: Port) -> Found | NotABoard:
        reasons: list[str] = []
        for driver in sorted(self._drivers, key=lambda driver: port.strangeness(driver.info)):
            answer = await probe(port.address, driver, now=self._now, seconds=self._seconds)
            if isinstance(answer, Found):
                return answer
            if answer.reason not in reasons:
                reasons.append(answer.reason)
        return NotABoard(address=port.address, reason="; ".join(reasons) or "no driver to ask with")


def _once_each(answers: Iterable[Found | NotABoard]) -> list[Found | NotABoard]:
    """Leave out boards that an earlier answer has already; a serial number makes them equal."""
    known: dict[tuple[str, str], str] = {}
    kept: list[Found | NotABoard] = []
    for answer in answers:
        if isinstance(answer, Found) and answer.serials:
            key = (answer.driver, answer.serials[-1])
            first = known.setdefault(key, answer.address)
            if first != answer.address and answer.serials[-1].strip("0"):
                continue
        kept.append(answer)
    return kept
