"""Finds boards: asks what may be one, driver after driver, and says where a wanted board is now."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf
from types import MappingProxyType

from bridge.links.candidates import (
    BY_MAKER,
    BY_MODEL,
    BY_NAME,
    UNLIKELY,
    Candidate,
    ble_candidates,
    candidate_at,
    serial_candidates,
    usb_candidates,
)
from bridge.links.claims import Claims
from bridge.links.probing import (
    LISTEN_SECONDS,
    NO_OPTIONS,
    PROBE_SECONDS,
    Found,
    NotABoard,
    either,
    missing_option,
    probe,
    silence,
    speaks_unasked,
)
from bridge.links.twins import once_each
from drivers.codec import Codec
from drivers.errors import DriverError, PortBusyError, PortMissingError
from drivers.transports import Clock

LISTED = 1.0
"""Seconds for which a list of ports stands: reading it takes a millisecond a port."""

RADIO_LISTED = 15.0
"""Seconds for which it stands who is on the radio: listening keeps others from connecting."""

RADIO_LISTENS = 4.0
"""Seconds of listening; boards say their name some times a second."""

REMEMBERED = 10.0
"""Seconds for which an answer stands, so that a hall of links does not ask the same port."""

UNLIKELY_SECONDS = 2.0
"""Seconds for each of many drivers whose board is not to be expected at a port."""

PAUSE = 0.25
"""Seconds between two drivers at one port, in which an answer to the first goes by."""

_SHARED_CHIP = "its USB chip is one that boards share with other devices"


class Finder:
    """Looks for boards for whoever wants to know.

    What a link holds is left alone. Answers are remembered for some seconds, and only for the
    very device that gave them: a board plugged in anew is asked anew. ``trouble`` holds what
    could not be looked at, and why; ``asking`` where is being asked now.
    """

    def __init__(
        self,
        drivers: Sequence[type[Codec]],
        *,
        now: Clock,
        claims: Claims,
        patterns: Sequence[str] = (),
        seconds: float = PROBE_SECONDS,
        options: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """Look for boards of *drivers*.

        Args:
            drivers: with whom to ask.
            now: the clock for everything here.
            claims: who has which port.
            patterns: shell patterns of more ports.
            seconds: for which a port is asked with one driver.
            options: what users have set, by the names of drivers; boards are asked with it.
        """
        self.trouble: tuple[str, ...] = ()
        self.asking: list[str] = []
        self.drivers = drivers
        self._now = now
        self._claims = claims
        self._patterns = patterns
        self._seconds = seconds
        self._options = options or {}
        self._lock = asyncio.Lock()
        self._lists: dict[str, tuple[float, list[Candidate]]] = {}
        self._answers: dict[Candidate, tuple[float, Found | NotABoard]] = {}

    async def discover(self, addresses: Sequence[str] = ()) -> list[Found | NotABoard]:
        """Ask at these addresses or else everywhere, all at once; likely boards stand first.

        A board that is seen at two ports is listed at the first of them.

        Raises:
            AddressError: an address means nothing.
        """
        if addresses:
            candidates = list(map(candidate_at, addresses))
            return await asyncio.gather(*map(self.ask, candidates))
        return await self._discover({kind for d in self.drivers for kind in d.info.transports})

    async def _discover(self, kinds: Collection[str]) -> list[Found | NotABoard]:
        async with self._lock:
            candidates = await self.candidates(kinds)
            answers = await asyncio.gather(*map(self.ask, candidates))
        return once_each(answers)

    async def locate(self, driver: type[Codec], serial: str | None = None) -> str:
        """Return the address where the board with this serial number is plugged in now.

        Without a serial number, any board of the driver that no link holds.

        Raises:
            PortBusyError: another board here says the same serial number.
            PortMissingError: it is nowhere.
        """
        answers = await self._discover(driver.info.transports)
        name = driver.info.name
        for answer in answers:
            if (
                isinstance(answer, Found)
                and answer.driver == name
                and (serial is None or serial in answer.serials)
                and not any(self._claims.board_holder(name, one) for one in answer.serials)
            ):
                if serial is not None:
                    refuse_twins(answer, serial)
                return answer.address
        what = f"no free {name} board" if serial is None else f"no {name} board {serial}"
        where = f"{what} at any of {len(answers)} ports"
        hints = (*self.trouble, "'eboard-bridge discover' says what is there")
        raise PortMissingError("; ".join((where, *hints)))

    async def candidates(self, kinds: Collection[str]) -> list[Candidate]:
        """Return what may be a board now, of these kinds of transport; the likely ones first."""
        self._forget()
        trouble: list[str] = []
        found: list[Candidate] = []
        for kind, stands, look in (
            ("serial", LISTED, self._look_at_ports),
            ("usb", LISTED, self._look_at_usb),
            ("ble", RADIO_LISTED, self._listen),
        ):
            if kind not in kinds:
                continue
            try:
                found += await self._listed(kind, stands, look)
            except DriverError as error:
                trouble.append(str(error))
        self.trouble = tuple(trouble)
        return sorted(found, key=self._order)

    def _order(self, candidate: Candidate) -> tuple[bool, int, str]:
        looks = [candidate.likeness(driver.info) or UNLIKELY for driver in self.drivers]
        return candidate.kind == "ble", -max(looks, default=UNLIKELY), candidate.address

    async def _listed(
        self, kind: str, stands: float, look: Callable[[], Awaitable[list[Candidate]]]
    ) -> list[Candidate]:
        listed_at, found = self._lists.get(kind, (-inf, []))
        if self._now() - listed_at >= stands:
            found = [one for one in await look() if self._may_be_a_board(one)]
            self._lists[kind] = self._now(), found
        return found

    async def _look_at_ports(self) -> list[Candidate]:
        return await asyncio.to_thread(serial_candidates, self._patterns)

    async def _look_at_usb(self) -> list[Candidate]:
        return await asyncio.to_thread(usb_candidates, [driver.info for driver in self.drivers])

    async def _listen(self) -> list[Candidate]:
        return await ble_candidates(RADIO_LISTENS)

    def _may_be_a_board(self, candidate: Candidate) -> bool:
        if candidate.kind == "serial":
            return True  # what it is shall be told in any case
        return any(candidate.likeness(driver.info) is not None for driver in self.drivers)

    def _forget(self) -> None:
        """Forget old answers."""
        self._answers = {
            candidate: answer
            for candidate, answer in self._answers.items()
            if self._now() - answer[0] < REMEMBERED
        }

    async def ask(self, candidate: Candidate) -> Found | NotABoard:
        """Return what stands at *candidate*, as it says now or has said a moment ago."""
        holders = map(self._claims.port_holder, candidate.addresses)
        holder = next((who for who in holders if who is not None), None)
        if holder is not None:
            return NotABoard(address=candidate.address, reason=f"is served by {holder}")
        if candidate not in self._answers:
            self.asking.append(candidate.address)
            try:
                answer = await self._try_drivers(candidate)
            finally:
                self.asking.remove(candidate.address)
            self._answers[candidate] = self._now(), answer
        return self._answers[candidate][1]

    async def _try_drivers(self, candidate: Candidate) -> Found | NotABoard:
        refusals: dict[str, NotABoard] = {}
        alone: Found | None = None  # answers a row's call: it may have the line for itself
        order = in_order(candidate, self.drivers, self._options)
        for driver in order:
            if driver is not order[0]:
                await asyncio.sleep(PAUSE)
            answer = await self._try(candidate, driver, one_of_many=len(order) > 1)
            if isinstance(answer, NotABoard):
                refusals[driver.info.name] = answer
            elif len(answer.units) != 1:
                return answer
            else:
                alone = answer
        if alone is not None:
            return alone
        reason = _reason(refusals)
        if any(answer.heard for answer in refusals.values()) and self._is_ambiguous(candidate):
            reason += f"; {_SHARED_CHIP}"
        return NotABoard(address=candidate.address, reason=reason)

    async def _try(
        self, candidate: Candidate, driver: type[Codec], *, one_of_many: bool
    ) -> Found | NotABoard:
        """Ask with one driver, for as long as its boards may take to answer."""
        info = driver.info
        options = self._options.get(info.name, NO_OPTIONS)
        option = missing_option(driver, options)
        if option is not None:
            reason = f"may be a {info.title}, which needs the option {option!r} to be asked"
            return NotABoard(address=candidate.address, reason=reason)
        seconds = self._seconds
        if speaks_unasked(driver, options):
            seconds = min(seconds, LISTEN_SECONDS)
        elif one_of_many and not info.shared and candidate.likeness(info) == UNLIKELY:
            seconds = min(seconds, UNLIKELY_SECONDS)
        answer = await probe(
            candidate.address, driver, now=self._now, seconds=seconds, options=options
        )
        if isinstance(answer, NotABoard) and answer.heard == "silence":
            answer = _by_its_name(candidate, driver) or answer
        if isinstance(answer, NotABoard):
            return answer
        return replace(answer, socket=candidate.socket, remark=answer.remark or candidate.note)

    def _is_ambiguous(self, candidate: Candidate) -> bool:
        """Whether only the chip of its USB adapter made it look like a board."""
        looks = {candidate.likeness(driver.info) for driver in self.drivers}
        return BY_NAME not in looks and bool(looks & {BY_MODEL, BY_MAKER})


def refuse_twins(board: Found, serial: str) -> None:
    """Refuse to take one board of several that say the same number: it may be another table's.

    Raises:
        PortBusyError: there are several.
    """
    if board.twins:
        places = " and ".join((board.address, *board.twins))
        raise PortBusyError(
            f"boards at {places} say that they are {serial}: write the table's 'port' instead"
        )


def _by_its_name(candidate: Candidate, driver: type[Codec]) -> Found | None:
    """Return what has nothing to say before somebody lifts a man, or presses, known by its name."""
    info = driver.info
    silent_clock = info.sensing == "nothing" and info.silence_limit == inf
    if candidate.likeness(info) != BY_NAME or not (silent_clock or info.sensing == "events"):
        return None
    waits_for = "it is pressed" if silent_clock else "a man is lifted"
    remark = f"known by its name: it says nothing before {waits_for}"
    return Found(address=candidate.address, driver=info.name, remark=remark)


def _reason(refusals: Mapping[str, NotABoard]) -> str:
    """Say why none of the drivers found its board, in few words where they agree."""
    silent = [name for name, answer in refusals.items() if answer.heard == "silence"]
    noisy = [name for name, answer in refusals.items() if answer.heard == "noise"]
    reasons = [answer.reason for answer in refusals.values() if answer.heard is None]
    if len(noisy) == 1:
        reasons.insert(0, refusals[noisy[0]].reason)
    elif noisy:
        text = f"answers, but not as a {either(noisy)} board: wrong baud or another device"
        reasons.insert(0, text)
    if silent:
        reasons.insert(0, silence(silent))
    return "; ".join(dict.fromkeys(reasons)) or "no driver to ask with"


def in_order(
    candidate: Candidate,
    drivers: Iterable[type[Codec]],
    options: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
) -> list[type[Codec]]:
    """Return the drivers to ask with, in the order that disturbs a board of another one least.

    The likely ones first. Among equals those that only listen: a board that speaks by itself is
    never sent a stranger's bytes. Then shared lines: what is meant for a single board disturbs
    every board of a row, while a single one that answers a row's call is asked on.
    """

    def rank(driver: type[Codec]) -> tuple[int, bool, bool, str]:
        info = driver.info
        given = options.get(info.name, NO_OPTIONS)
        silent = missing_option(driver, given) is None and speaks_unasked(driver, given)
        return -(candidate.likeness(info) or UNLIKELY), not silent, not info.shared, info.name

    return sorted((d for d in drivers if candidate.likeness(d.info) is not None), key=rank)
