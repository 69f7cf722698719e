"""Pushes what waits in the outbox: one request at a time, whole rounds first, then what changed.

Whatever Lichess answers, nothing that waits is lost: it is taken from the outbox only when Lichess
has said of it what became of it.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial

import msgspec

from bridge.config.lichess import LichessSettings
from bridge.core.json_errors import NOT_JSON
from bridge.outputs.lasting import lasting
from bridge.outputs.lichess.api import BusyError, LichessApi, LostError, RefusedError
from bridge.outputs.lichess.games import Game
from bridge.outputs.lichess.round_pusher import OUTPUT, RoundPusher
from bridge.outputs.lichess.states import BoardState, key_of
from bridge.outputs.patience import rest, seconds_to_wait
from bridge.outputs.tally import Tally
from bridge.store.errors import OutboxError
from bridge.store.outbox import Entry, Outbox

_MOST_WAITING = 1000
_SLOWEST = 30.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Pauses:
    """Seconds. The first pause after each kind of trouble, doubling up to the longest.

    After 429 it is never less than a minute, as Lichess asks. ``refused``: until a round is tried
    again that a person has to put right. ``all_again``: until the whole of a round that is played
    is pushed again, so that what somebody changed there is put right.
    """

    lost: float = 2.0
    busy: float = 80.0
    refused: float = 30.0
    longest: float = 300.0
    all_again: float = 300.0
    patience_at_end: float = 8.0


class Pusher:
    """Pushes until it is closed.

    ``games``, those of each round by their ids, may be replaced at any time. ``troubles`` say why
    nothing can be pushed: by the name of the round, or under an empty one for all. ``states`` are
    what Lichess made of each game, by its key.
    """

    def __init__(
        self, settings: LichessSettings, outbox: Outbox, api: LichessApi, pauses: Pauses
    ) -> None:
        self.games: Mapping[str, Mapping[str, Game]] = {}
        self.troubles: dict[str, str] = {}
        self.states: dict[str, BoardState] = {}
        self.tally = Tally()
        self._settings = settings
        self._taken: LichessSettings | None = None
        self._outbox = outbox
        self._api = api
        self._pauses = pauses
        self._rounds: dict[str, RoundPusher] = {}
        self._refused_until: dict[str, float] = {}
        self._notes: dict[str, str] = {}
        self._pushed: set[str] = set()
        self._spacing = settings.interval
        self._again: asyncio.TimerHandle | None = None
        self._wake = asyncio.Event()
        self._closing = asyncio.Event()

    def take(self, settings: LichessSettings) -> None:
        """Take other rounds, try again what was refused, and take nothing there for known."""
        self._taken = settings
        self._refused_until.clear()
        self.wake()

    def in_words(self) -> list[str]:
        """Return the troubles of all, of rounds and of games."""
        of_games = (
            f"round {state.round}, table {state.table}: {state.trouble}"
            for state in self.states.values()
            if state.trouble
        )
        of_rounds = (
            f"round {name}: {text}" if name else text for name, text in self.troubles.items()
        )
        return [f"lichess: {text}" for text in (*of_rounds, *of_games)]

    def wake(self) -> None:
        """Look into the outbox."""
        self._wake.set()

    def close(self) -> None:
        """End when all that waits is pushed, or at the first trouble."""
        self._closing.set()
        self._wake.set()

    async def run(self) -> None:
        """Push what waits now and later, until closed."""
        await lasting("lichess", self._push_until_closed, self.tally, ended=self._closing)

    async def _push_until_closed(self) -> None:
        try:
            while not await self._resumed() and not self._closing.is_set():
                pass
            while True:
                await self._wake.wait()
                self._wake.clear()
                while await self._try():
                    pass
                if self._closing.is_set():
                    return
        except Exception:
            for each in self._rounds.values():
                each.doubt()
            self._wake.set()
            raise

    async def _resumed(self) -> bool:
        """Take up what an earlier run has noted, its pause included; return whether that worked."""
        try:
            self._notes = await asyncio.to_thread(self._outbox.notes, OUTPUT)
            pause = await asyncio.to_thread(self._outbox.pause, OUTPUT)
        except OutboxError as error:
            await self._no_outbox(error)
            return False
        await rest(min(pause.retry_at - time.time(), self._pauses.longest), self._closing)
        return True

    async def _try(self) -> bool:
        """Push once, or wait for better times; return whether to go on."""
        try:
            return await self._push_or_pause()
        except OutboxError as error:
            await self._no_outbox(error)
            return not self._closing.is_set()

    async def _no_outbox(self, error: OutboxError) -> None:
        self.tally.fails(error)
        self._tell_trouble("", str(error))
        await rest(self._pauses.lost, self._closing)

    async def _push_or_pause(self) -> bool:
        try:
            if not await self._push_something():
                return False
            self.tally.works()
        except (BusyError, LostError) as error:
            await self._failed(error)
            return not self._closing.is_set()
        await rest(self._spacing, self._closing)
        return True

    async def _failed(self, error: BusyError | LostError) -> None:
        self._tell_trouble("", str(error))
        self.tally.fails(error)
        first = self._pauses.lost
        if isinstance(error, BusyError):
            first = self._pauses.busy
            self._spacing = min(_SLOWEST, 2 * self._spacing)
        else:
            for each in self._rounds.values():
                each.doubt()
        failures = (await asyncio.to_thread(self._outbox.pause, OUTPUT)).failures + 1
        wait = seconds_to_wait(failures, first=first, longest=max(first, self._pauses.longest))
        noted = partial(self._outbox.failed, OUTPUT, retry_at=time.time() + wait)
        await asyncio.to_thread(noted)
        await rest(wait, self._closing)

    # --- one push -------------------------------------------------------------------------------

    async def _push_something(self) -> bool:
        """Push games of one round; return whether there were any."""
        waiting = await self._waiting()
        for name, changed in waiting.items():
            if await self._push_unless_refused(name, partial(self._push_changed, name, changed)):
                return True
        for name in self.games:
            if await self._push_unless_refused(name, partial(self._push_rest, name)):
                return True
        return False

    async def _waiting(self) -> Mapping[str, dict[str, Game]]:
        """Return what waits, by round and id; what waits to go elsewhere is forgotten."""
        waiting: defaultdict[str, dict[str, Game]] = defaultdict(dict)
        strange = []
        entries = await asyncio.to_thread(self._outbox.waiting, OUTPUT, _MOST_WAITING)
        if self._taken is not None:  # nothing is being pushed at this moment
            self._begin_anew(self._taken)
        for entry in entries:
            game = _game(entry)
            if game is not None and entry.key == key_of(self._settings, game):
                waiting[game.round][game.game_id] = game
            else:
                strange.append(entry.key)
        if strange:
            logger.info("lichess: %d games are no longer to go where they were", len(strange))
            await asyncio.to_thread(self._outbox.forget, OUTPUT, strange)
        return waiting

    def _begin_anew(self, settings: LichessSettings) -> None:
        self._taken = None
        if settings != self._settings:
            self._rounds.clear()
        for each in self._rounds.values():
            each.doubt()
        self._settings = settings

    async def _push_unless_refused(self, name: str, push: Callable[[], Awaitable[bool]]) -> bool:
        """Let a round wait in which a person has to put something right; others go on."""
        if self._refused_until.get(name, 0.0) > time.monotonic():
            return False
        try:
            return await push()
        except RefusedError as error:
            self._tell_trouble(name, str(error))
            self._refused_until[name] = time.monotonic() + self._pauses.refused
            asyncio.get_running_loop().call_later(self._pauses.refused, self.wake)
            return False

    async def _push_changed(self, name: str, changed: Mapping[str, Game]) -> bool:
        await self._push(name, changed)
        return True

    async def _push_rest(self, name: str) -> bool:
        """Push a whole round that has not been for a while, or put its boards in order."""
        round_, games = self._round(name), self.games[name]
        if self._is_old(round_) and any(game.is_live for game in games.values()):
            await self._push(name, {})
            return True
        if not await round_.put_in_order(games):
            return False
        self._tell_well(name, round_.where)
        return True

    async def _push(self, name: str, changed: Mapping[str, Game]) -> None:
        round_ = self._round(name)
        if self._is_old(round_):
            round_.doubt()
        await round_.push(changed.keys(), {**changed, **self.games.get(name, {})})
        self._tell_well(name, round_.where)
        if self._again is not None:
            self._again.cancel()
        self._again = asyncio.get_running_loop().call_later(self._pauses.all_again, self.wake)

    def _round(self, name: str) -> RoundPusher:
        if name not in self._rounds:
            self._rounds[name] = RoundPusher(
                name, self._settings, self._outbox, self._api, self._notes, self.states
            )
        return self._rounds[name]

    def _is_old(self, round_: RoundPusher) -> bool:
        """Whether all of a round was pushed so long ago that it is time to do it again."""
        whole_at = round_.whole_at
        return whole_at is not None and time.monotonic() - whole_at >= self._pauses.all_again

    # --- what is told ---------------------------------------------------------------------------

    def _tell_trouble(self, name: str, text: str) -> None:
        level = logging.DEBUG if text == self.troubles.get(name) else logging.WARNING
        subject = f"round {name}: " if name else ""
        logger.log(level, "lichess: %s%s; what is to be pushed is kept", subject, text)
        self.troubles[name] = text

    def _tell_well(self, name: str, where: str) -> None:
        troubles = [self.troubles.pop(each, None) for each in ("", name)]
        if any(troubles) or name not in self._pushed:
            logger.info("lichess: round %s is pushed to %s", name, where)
        self._pushed.add(name)
        self._spacing = max(self._settings.interval, 0.9 * self._spacing)


def _game(entry: Entry) -> Game | None:
    """Return what waits; another version may have written it in a way that is not known here."""
    try:
        return msgspec.json.decode(entry.content, type=Game)
    except NOT_JSON:
        return None
