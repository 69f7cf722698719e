"""Pushes what waits in the outbox: one request at a time, whole rounds first, then what changed.

Whatever Lichess answers, nothing that waits is lost: it is taken from the outbox only when Lichess
has said of it what became of it.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from bridge.config.lichess import LichessSettings
from bridge.outputs.lichess.api import BusyError, LichessApi, LostError, RefusedError
from bridge.outputs.lichess.games import Game
from bridge.outputs.lichess.matching import Boards
from bridge.outputs.lichess.rounds import note_name, round_id, target
from bridge.outputs.lichess.states import (
    STATE_NOTE,
    BoardState,
    check,
    key_of,
    left_out,
    state_of,
    with_room,
)
from bridge.store.errors import OutboxError
from bridge.store.outbox import Entry, Outbox, seconds_to_wait

OUTPUT = "lichess"
"""The name of this output in the outbox."""

_MOST_WAITING = 1000
_SLOWEST = 30.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Pauses:
    """Seconds. The first pause after each kind of trouble, doubling up to the longest.

    After 429 it is never less than a minute, as Lichess asks. ``refused``: until a round is tried
    again that a person has to put right. ``all_again``: how long changed games alone are pushed,
    until a whole round is, so that what somebody changed there is put right.
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
        self._settings = self._wanted = settings
        self._outbox = outbox
        self._api = api
        self._pauses = pauses
        self._boards: dict[str, Boards] = {}
        self._whole_at: dict[str, float] = {}
        self._refused_until: dict[str, float] = {}
        self._notes: dict[str, str] = {}
        self._pushed: set[str] = set()
        self._spacing = settings.interval
        self._wake = asyncio.Event()
        self._closing = asyncio.Event()

    def take(self, settings: LichessSettings) -> None:
        """Take other rounds, and try again what was refused."""
        self._wanted = settings
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
            logger.exception("lichess: nothing is pushed any more")

    async def _resumed(self) -> bool:
        """Take up what an earlier run has noted, its pause included; return whether that worked."""
        try:
            self._notes = await asyncio.to_thread(self._outbox.notes, OUTPUT)
            pause = await asyncio.to_thread(self._outbox.pause, OUTPUT)
        except OutboxError as error:
            await self._no_outbox(error)
            return False
        await self._rest(min(pause.retry_at - time.time(), self._pauses.longest))
        return True

    async def _try(self) -> bool:
        """Push once, or wait for better times; return whether to go on."""
        try:
            return await self._push_or_pause()
        except OutboxError as error:
            await self._no_outbox(error)
            return not self._closing.is_set()

    async def _no_outbox(self, error: OutboxError) -> None:
        self._tell_trouble("", str(error))
        await self._rest(self._pauses.lost)

    async def _push_or_pause(self) -> bool:
        try:
            if not await self._push_something():
                return False
        except (BusyError, LostError) as error:
            await self._failed(error)
            return not self._closing.is_set()
        await self._rest(self._spacing)
        return True

    async def _failed(self, error: BusyError | LostError) -> None:
        self._tell_trouble("", str(error))
        first = self._pauses.lost
        if isinstance(error, BusyError):
            first = self._pauses.busy
            self._spacing = min(_SLOWEST, 2 * self._spacing)
        else:
            for boards in self._boards.values():
                boards.doubt()
        failures = (await asyncio.to_thread(self._outbox.pause, OUTPUT)).failures + 1
        wait = seconds_to_wait(failures, first=first, longest=max(first, self._pauses.longest))
        noted = partial(self._outbox.failed, OUTPUT, retry_at=time.time() + wait)
        await asyncio.to_thread(noted)
        await self._rest(wait)

    async def _rest(self, seconds: float) -> None:
        if seconds <= 0:
            return
        try:
            async with asyncio.timeout(seconds):
                await self._closing.wait()
        except TimeoutError:
            return

    # --- one push -------------------------------------------------------------------------------

    async def _push_something(self) -> bool:
        """Push the games of one round; return whether there were any."""
        waiting = await self._waiting()
        for name, games in waiting.items():
            if await self._push_unless_refused(name, partial(self._push_changed, name, games)):
                return True
        for name in self.games:
            if await self._push_unless_refused(name, partial(self._push_in_order, name)):
                return True
        return False

    async def _waiting(self) -> Mapping[str, dict[str, Game]]:
        """Return what waits, by round and id; what waits to go elsewhere is forgotten."""
        waiting: defaultdict[str, dict[str, Game]] = defaultdict(dict)
        strange = []
        entries = await asyncio.to_thread(self._outbox.waiting, OUTPUT, _MOST_WAITING)
        if self._wanted != self._settings:  # nothing is being pushed at this moment
            self._settings = self._wanted
            self._boards.clear()
        for entry in entries:
            game = msgspec.json.decode(entry.content, type=Game)
            if entry.key == key_of(self._settings, game):
                waiting[game.round][game.game_id] = game
            else:
                strange.append(entry.key)
        if strange:
            logger.info("lichess: %d games are no longer to go where they were", len(strange))
            await asyncio.to_thread(self._outbox.forget, OUTPUT, strange)
        return waiting

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
        boards = self._boards_of(name)
        now = time.monotonic()
        if now - self._whole_at.get(name, now) > self._pauses.all_again:
            boards.doubt()
        games = {**changed, **self.games.get(name, {})}
        where = await self._where(name)
        await self._look(where, boards, games)
        shown, crowded = with_room(games, boards)
        if not boards.known:
            self._whole_at[name] = now
        await self._push(name, where, boards.body(changed.keys(), shown), crowded)
        return True

    async def _push_in_order(self, name: str) -> bool:
        """Put the boards of a round in order, if they are not and it can be done now."""
        boards, games = self._boards_of(name), self.games.get(name, {})
        if boards.reordered(with_room(games, boards)[0]) is None:
            return False
        where = await self._where(name)
        await self._look(where, boards, games)
        body = boards.reordered(with_room(games, boards)[0])
        if body is not None:
            await self._push(name, where, body, [])
            boards.arranged(body)
            await self._note(self._note_of_order(name))
        return body is not None

    async def _where(self, name: str) -> str:
        """Return the id of the round on Lichess, and note it."""
        where = await round_id(name, self._settings, self._notes, self._api)
        if name not in self._settings.rounds:
            await self._note({note_name(self._settings, name): where})
        return where

    async def _look(self, where: str, boards: Boards, games: Mapping[str, Game]) -> None:
        """Look in which order Lichess has its boards, where that is in doubt.

        What was asked for last may have been done or not, or somebody has changed it there.
        """
        if boards.known or not boards.order:
            return
        try:
            game_ids = await self._api.game_ids(where)
        except RefusedError as error:  # the token may write and not read
            logger.debug("lichess: %s", error)
            return
        boards.found(game_ids, games)

    def _boards_of(self, name: str) -> Boards:
        if name not in self._boards:
            noted = self._notes.get(self._order_note(name))
            order = msgspec.json.decode(noted, type=list[str]) if noted else []
            self._boards[name] = Boards(order)
        return self._boards[name]

    def _order_note(self, name: str) -> str:
        return f"order:{target(self._settings, name)}"

    def _note_of_order(self, name: str) -> dict[str, str]:
        return {self._order_note(name): msgspec.json.encode(self._boards[name].order).decode()}

    async def _push(
        self, name: str, where: str, body: Sequence[Game], crowded: Sequence[Game]
    ) -> None:
        boards = self._boards[name]
        boards.expect(body)
        await self._note(self._note_of_order(name))
        answers = await self._api.push(where, "".join(game.pgn for game in body)) if body else []
        check(answers, body)
        boards.known |= len(body) == len(boards.order)
        states = [
            state_of(boards, game, answer) for game, answer in zip(body, answers, strict=True)
        ]
        states += [left_out(game) for game in crowded]
        await self._delivered([*body, *crowded], states, self._note_of_order(name))
        self._tell_well(name, where)

    async def _note(self, notes: Mapping[str, str]) -> None:
        new = {key: value for key, value in notes.items() if self._notes.get(key) != value}
        if new:
            await asyncio.to_thread(partial(self._outbox.put, OUTPUT, {}, notes=new))
            self._notes |= new

    async def _delivered(
        self, games: Sequence[Game], states: Sequence[BoardState], order: Mapping[str, str]
    ) -> None:
        notes, entries = {**order}, []
        for game, state in zip(games, states, strict=True):
            key = key_of(self._settings, game)
            self._tell_state(key, game, state)
            notes[f"{STATE_NOTE}{key}"] = msgspec.json.encode(state).decode()
            entries.append(Entry(key, content_of(game)))
        await asyncio.to_thread(partial(self._outbox.delivered, OUTPUT, entries, notes=notes))
        self._notes |= notes

    # --- what is told ---------------------------------------------------------------------------

    def _tell_state(self, key: str, game: Game, state: BoardState) -> None:
        before = self.states.get(key)
        self.states[key] = state
        if state.trouble and (before is None or before.trouble != state.trouble):
            logger.warning(
                "lichess: round %s, table %s, %d plies: %s",
                game.round,
                game.table,
                game.plies,
                state.trouble,
            )

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


def content_of(game: Game) -> bytes:
    """Return a game as it waits in the outbox."""
    return msgspec.json.encode(game)
