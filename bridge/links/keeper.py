"""Keeps one link to one board: opens it, greets, reads, notices silence, and tries again."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping

from bridge.core.model import LinkChange, LinkState
from bridge.links.claims import Claims
from bridge.links.opening import Opening
from bridge.links.recorder import Recorder
from drivers.codec import Codec
from drivers.errors import DriverError, LinkLostError, PortBusyError, PortMissingError
from drivers.events import Battery, Event, Identity, Noise, Notice, Presence
from drivers.transports import Clock, Line, open_line

SERIALS = ("serial", "long_serial")

FIRST_WAIT = 0.5
LONGEST_WAIT = 15.0
MISSING_WAIT = 1.0
"""Seconds between two looks where nothing is: that disturbs nobody, as ports that gave no board
are not asked again so soon, and whoever plugs a board in again shall not wait for it."""

SHORTEST_WAIT = 0.2
"""The same where looking takes long, as on the radio: the look itself counts for the wait."""

SHORTEST_NAP = 0.002
"""A codec that wants to be polled at once, for ever, must not take the processor."""

Deliver = Callable[[Event | LinkChange], None]

logger = logging.getLogger(__name__)


class _Hex:
    """Bytes as the log shows them, formatted only where somebody reads it."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __str__(self) -> str:
        return self._data.hex(" ")


class Keeper:
    """One link. ``run`` it in a task of its own until it is cancelled.

    Waits between tries double and go back only when something was decoded, since a port that
    opens proves nothing. Where there is no port they stay short. ``deliver`` gets events in
    order, and a :class:`LinkChange` whenever the state or what is known about it has changed;
    neither it nor ``recorder`` may wait. ``received`` and ``noise`` count bytes: those that came,
    and those that made no message; ``heard_at`` is when the last of them came.
    """

    def __init__(
        self,
        name: str,
        where: str | Callable[[], Awaitable[str]],
        driver: type[Codec],
        *,
        now: Clock,
        deliver: Deliver,
        recorder: Recorder | None = None,
        claims: Claims | None = None,
        serial: str | None = None,
        options: Mapping[str, str] | None = None,
        first_wait: float = FIRST_WAIT,
        longest_wait: float = LONGEST_WAIT,
    ) -> None:
        """Describe the link.

        Args:
            name: the link in logs and claims.
            where: an address, or what finds it before every try (``Finder.locate``).
            driver: makes a codec for every opening.
            now: the clock for times of arrival and everything else here.
            deliver: takes events and changes of state.
            recorder: keeps the bytes.
            claims: who has which board, where several links run.
            serial: the serial number the board must have, if that is known.
            options: what the user has set for this board, for its codec.
            first_wait: seconds between the first two tries.
            longest_wait: seconds to which the wait between two tries grows.
        """
        self.name = name
        self.state: LinkState = "lost"
        self.detail = ""
        self.received = self.noise = 0
        self.heard_at: float | None = None
        self.address = where if isinstance(where, str) else ""
        self._locate = None if isinstance(where, str) else where
        self._driver = driver
        self._now = now
        self._deliver = deliver
        self._recorder = recorder
        self._claims = claims or Claims()
        self._serial = serial
        self._options = options or {}
        self._first_wait = self._wait = first_wait
        self._longest_wait = longest_wait
        self._line: Line | None = None
        self._row: Codec | None = None
        self._warned = self._twice = self._refused = False
        self._remark = ""
        self._told: LinkChange | None = None
        self._opening: Opening | None = None
        self._lit: Collection[int] | None = None

    def light(self, squares: Collection[int]) -> None:
        """Let the board light *squares*, in its own numbering, now and after every opening.

        Before this is called for the first time, lamps are left alone.
        """
        self._lit = squares
        if self._line is not None and self._opening is not None and self._opening.proven:
            self._opening.codec.light(squares)
            self._line.wake()

    def ask(self, command: str) -> None:
        """Send a command of the board's family if the board is there; no game may be on.

        It is sent this once: whoever asks for a new game means that one.
        """
        if self._line is not None and self._opening is not None:
            self._opening.codec.command(command)
            self._line.wake()

    async def run(self) -> None:
        """Keep the link until cancelled."""
        try:
            while True:
                began = self._now()
                missing = await self._try()
                wait, self._wait = self._wait, min(2 * self._wait, self._longest_wait)
                looked = self._now() - began if missing else 0.0
                await asyncio.sleep(max(wait - looked, min(wait, SHORTEST_WAIT)))
        finally:
            self._claims.release(self.name)

    async def _try(self) -> bool:
        """Serve the line once, until it is lost; return whether nothing was there."""
        missing = False
        try:
            await self._serve()
        except DriverError as error:
            missing = isinstance(error, PortMissingError)
            if missing:
                self._wait = min(self._wait, MISSING_WAIT)
            self._lose(str(error))
        except Exception:  # the top of one opening: the board must come back by itself
            logger.exception("%s: a fault of ours", self.name)
            self._row = None
            self._wait = self._longest_wait
            self._lose("a fault of ours, see the log")
        self._claims.release(self.name)
        if self._locate is None:  # while we wait, nobody else shall look for a board there
            with contextlib.suppress(PortBusyError):
                self._claims.take_port(self.name, self.address)
        return missing

    async def _serve(self) -> None:
        """Open the line and serve it until it is lost."""
        self._twice = self._refused  # the same board will be refused again
        if self._locate is not None:
            self.address = await self._locate()
        if self._line is None or self._line.address != self.address:
            self._line = open_line(self.address, self._driver.info, now=self._now)
        self._claims.take_port(self.name, self.address)
        await self._line.open()
        self._note("opened")
        try:
            await self._converse(self._line)
        finally:
            self._opening = None
            self._line.close()
            self._note("lost")

    async def _converse(self, line: Line) -> None:
        now, codec = self._now(), self._make_codec()
        known = self._serial is None and not self._refused
        opening = Opening(codec, opened=now, heard=now, known=known)
        opening.codec.greet(at=opening.heard)
        self._opening = opening
        while True:
            wake_at = min(self._send(line, opening.codec), self._judge(opening))
            chunk = await line.read(max(SHORTEST_NAP, wake_at - self._now()))
            if chunk is not None:
                self._take(opening, *chunk)
            self._look_at_battery(opening, line)

    def _make_codec(self) -> Codec:
        """A new codec every time, so half a message is never inherited.

        That of a row stays: its boards keep what happens until they are asked, and it knows what
        stood on them before.
        """
        codec = self._row or self._driver(**self._options)
        self._row = codec if self._driver.info.shared else None
        return codec

    def _send(self, line: Line, codec: Codec) -> float:
        """Send what is due; return when to ask again."""
        now = self._now()
        data, wake_at = codec.poll(at=now)
        if data:
            line.write(data)
            shown = codec.shown(data)
            logger.debug("%s: > %s", self.name, _Hex(shown))
            if self._recorder is not None:
                self._recorder.wrote(now, shown)
        return wake_at

    def _take(self, opening: Opening, at: float, data: bytes) -> None:
        logger.debug("%s: < %s", self.name, _Hex(data))
        if self._recorder is not None:
            self._recorder.read(at, data)
        self.received += len(data)
        self.heard_at = at
        for event in opening.codec.receive(data, at=at):
            if isinstance(event, Noise):
                opening.noisy = True
                self.noise += event.size
            elif isinstance(event, Presence):
                pass  # also told of boards that say nothing
            elif opening.proven or not isinstance(event, Notice):
                opening.heard = at
                opening.noisy = False
            self._pass_on(opening, event)

    def _pass_on(self, opening: Opening, event: Event) -> None:
        """Deliver an event, but nothing before the board has said that it is the wanted one."""
        if isinstance(event, Identity) and event.field in SERIALS:
            self._recognise(event.value)
            opening.known = self._serial in (None, event.value) or opening.known
        opening.held.append(event)
        if not opening.known:
            return
        held, opening.held = opening.held, []
        for each in held:
            if not isinstance(each, Noise | Notice | Presence):
                self._prove(opening)
            elif opening.proven and isinstance(each, Notice):
                self._revive()
            elif isinstance(each, Notice) and self._is_said_again(opening, each.text):
                continue
            opening.by_itself |= isinstance(each, Battery)
            self._deliver(each)

    def _is_said_again(self, opening: Opening, text: str) -> bool:
        """Take what is said of a board that has proven nothing: every opening would repeat it."""
        again, self._remark = text == self._remark, text
        opening.remark = text
        return again

    def _look_at_battery(self, opening: Opening, line: Line) -> None:
        """Tell what the line knows of the battery of a board that says nothing of it."""
        level = line.battery
        if level is None or level == opening.battery or opening.by_itself or not opening.proven:
            return
        opening.battery = level
        self._deliver(Battery(at=self._now(), percent=level, charging=False))

    def _prove(self, opening: Opening) -> None:
        if not opening.proven and self._lit is not None:
            opening.codec.light(self._lit)
        opening.proven = True
        self._wait = self._first_wait
        self._revive()

    def _revive(self) -> None:
        """Something was decoded. A notice keeps a link alive, but brings none to life."""
        if self.state != "live":
            self._warned, self._remark = False, ""
            logger.info("%s: live on %s", self.name, self.address)
            self._change("live", "")

    def _recognise(self, serial: str) -> None:
        """Refuse a board that is not the one wanted, or that another link serves.

        A short serial number says nothing about a long one, so only equal lengths are compared.
        """
        wanted = self._serial
        try:
            if wanted is not None and len(serial) == len(wanted) and serial != wanted:
                raise LinkLostError(f"this is board {serial}, not {wanted}")
            also = self._claims.take_board(self.name, self._driver.info.name, serial)
            self._twice = also or (self._twice and not self._refused)
            self._refused = False
        except DriverError as error:
            self._refused = isinstance(error, PortBusyError)
            self._twice |= self._refused
            self._wait = self._longest_wait  # it will still be the same board in half a second
            raise
        if self.state == "live":  # it has said its number later than other things
            self._change("live", self.detail)

    def _judge(self, opening: Opening) -> float:
        """Tell what the silence means by now; return when it will mean something else."""
        now = self._now()
        if opening.held and now - opening.opened >= self._driver.info.silence_limit:
            self._refused = False
            raise LinkLostError(
                f"the board does not say whether it is {self._serial}"
                if self._serial is not None
                else "the board does not say its number any more"
            )
        match opening.silence(now):
            case "over":
                raise LinkLostError(opening.diagnosis)
            case "doubtful":
                self._doubt("stale" if opening.proven else "lost", opening.diagnosis)
            case "usual":
                pass
        return opening.means_more_at(now)

    def _lose(self, detail: str) -> None:
        level = logging.DEBUG if self._warned else logging.WARNING
        self._warned = True
        logger.log(level, "%s: lost (%s), next try in %.1f s", self.name, detail, self._wait)
        self._change("lost", detail)

    def _doubt(self, state: LinkState, detail: str) -> None:
        """Tell that the line is open and says nothing valid."""
        if self.detail != detail:
            level = logging.DEBUG if self._warned else logging.WARNING
            self._warned = True
            logger.log(level, "%s: %s", self.name, detail)
        self._change(state, detail)

    def _change(self, state: LinkState, detail: str) -> None:
        self.state, self.detail = state, detail
        change = LinkChange(state=state, detail=detail, twice=self._twice)
        if change != self._told:
            self._told = change
            self._deliver(change)

    def _note(self, text: str) -> None:
        if self._recorder is not None:
            self._recorder.note(self._now(), text)
