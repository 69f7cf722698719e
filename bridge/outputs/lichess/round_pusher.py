"""Pushes the games of one round of the event to one round on Lichess."""

import asyncio
import logging
import time
from collections.abc import Collection, Mapping, Sequence
from functools import partial

import msgspec

from bridge.config.lichess import LichessSettings
from bridge.outputs.lichess.api import LichessApi, RefusedError
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
from bridge.store.outbox import Entry, Outbox, digest_of

OUTPUT = "lichess"
"""The name of this output in the outbox."""

logger = logging.getLogger(__name__)


class RoundPusher:
    """Knows what a round on Lichess shows, as far as its answers tell; one call at a time.

    ``where`` is its id there, once it is known. ``whole_at`` is when all of it was pushed last, by
    the clock of :func:`time.monotonic`, ``None``: not yet. What is to be known after a restart is
    in *notes*, as the outbox has them; *states* are what Lichess made of each game, by its key.
    """

    def __init__(
        self,
        name: str,
        settings: LichessSettings,
        outbox: Outbox,
        api: LichessApi,
        notes: dict[str, str],
        states: dict[str, BoardState],
    ) -> None:
        self.where = ""
        self.whole_at: float | None = None
        self._name = name
        self._settings = settings
        self._outbox = outbox
        self._api = api
        self._notes = notes
        self._states = states
        noted = notes.get(order_note(settings, name))
        self._boards = Boards(msgspec.json.decode(noted, type=list[str]) if noted else [])

    def doubt(self) -> None:
        """Take nothing for known any more: the next push is of the whole round."""
        self._boards.doubt()

    async def push(self, changed: Collection[str], games: Mapping[str, Game]) -> None:
        """Push the *changed* ones of *games*, and all that has to go with them.

        Raises:
            LichessError: it did not work; what was to be pushed is still in the outbox.
            OutboxError: it could not be noted.
        """
        await self._look(games)
        is_first = self.whole_at is None
        if not self._boards.known:
            self.whole_at = time.monotonic()
        shown, crowded = with_room(games, self._boards)
        if is_first:
            await self._recall(changed, shown)
            changed = {*changed, *(shown.keys() - self._boards.shown.keys())}
        untold = [each for each in crowded if each.game_id in changed or not self._is_told(each)]
        await self._push(self._boards.body(changed, shown), untold)

    async def put_in_order(self, games: Mapping[str, Game]) -> bool:
        """Put the boards in order, if they are not and it can be done now; return whether.

        Raises:
            LichessError, OutboxError: as for :meth:`push`.
        """
        if self._boards.reordered(with_room(games, self._boards)[0]) is None:
            return False
        await self._look(games)
        body = self._boards.reordered(with_room(games, self._boards)[0])
        if body is None:
            return False
        await self._push(body, [])
        self._boards.arranged(body)
        await self._note(self._order())
        return True

    async def _look(self, games: Mapping[str, Game]) -> None:
        """Look where the round is, and how its boards stand where that is in doubt.

        What was asked for last may have been done or not, or somebody has changed it there.
        """
        self.where = await round_id(self._name, self._settings, self._notes, self._api)
        if self._name not in self._settings.rounds:
            await self._note({note_name(self._settings, self._name): self.where})
        if self._boards.known or not self._boards.order:
            return
        try:
            game_ids = await self._api.game_ids(self.where)
        except RefusedError as error:  # the token may write and not read
            logger.debug("lichess: %s", error)
            return
        self._boards.found(game_ids, games)

    async def _recall(self, changed: Collection[str], games: Mapping[str, Game]) -> None:
        """Take for known what it was noted that Lichess has, by whoever has pushed before.

        Other games have gone on since, though they may not be among the *changed* ones yet.
        """
        same = (game for game_id, game in games.items() if game_id not in changed)
        keys = {key_of(self._settings, game): game for game in same}
        rows = await asyncio.to_thread(self._outbox.entries, OUTPUT, keys)
        had = {key for key, _, delivered in rows if delivered == digest_of(content_of(keys[key]))}
        self._boards.recall([keys[key] for key in had if self._is_well(key)])

    def _is_told(self, game: Game) -> bool:
        return key_of(self._settings, game) in self._states

    def _is_well(self, key: str) -> bool:
        noted = self._notes.get(f"{STATE_NOTE}{key}")
        return noted is not None and not msgspec.json.decode(noted, type=BoardState).trouble

    async def _push(self, body: Sequence[Game], crowded: Sequence[Game]) -> None:
        boards = self._boards
        boards.expect(body)
        await self._note(self._order())
        pgn = "".join(game.pgn for game in body)
        answers = await self._api.push(self.where, pgn) if body else []
        check(answers, body)
        boards.known |= len(body) == len(boards.order)
        states = [
            state_of(boards, game, answer) for game, answer in zip(body, answers, strict=True)
        ]
        states += [left_out(game) for game in crowded]
        await self._delivered([*body, *crowded], states)

    async def _delivered(self, games: Sequence[Game], states: Sequence[BoardState]) -> None:
        notes, entries = self._order(), []
        for game, state in zip(games, states, strict=True):
            key = key_of(self._settings, game)
            self._tell(key, game, state)
            notes[f"{STATE_NOTE}{key}"] = msgspec.json.encode(state).decode()
            entries.append(Entry(key, content_of(game)))
        await asyncio.to_thread(partial(self._outbox.delivered, OUTPUT, entries, notes=notes))
        self._notes |= notes

    async def _note(self, notes: Mapping[str, str]) -> None:
        new = {key: value for key, value in notes.items() if self._notes.get(key) != value}
        if new:
            await asyncio.to_thread(partial(self._outbox.put, OUTPUT, {}, notes=new))
            self._notes |= new

    def _order(self) -> dict[str, str]:
        return {
            order_note(self._settings, self._name): msgspec.json.encode(self._boards.order).decode()
        }

    def _tell(self, key: str, game: Game, state: BoardState) -> None:
        before = self._states.get(key)
        self._states[key] = state
        if state.trouble and (before is None or before.trouble != state.trouble):
            logger.warning(
                "lichess: round %s, table %s, %d plies: %s",
                game.round,
                game.table,
                game.plies,
                state.trouble,
            )


def order_note(settings: LichessSettings, name: str) -> str:
    """Return under what the order of a round's boards is noted, as a list of ids."""
    return f"order:{target(settings, name)}"


def content_of(game: Game) -> bytes:
    """Return a game as it waits in the outbox."""
    return msgspec.json.encode(game)
