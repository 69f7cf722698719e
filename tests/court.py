"""The web server beside one real table at which an arbiter rules."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp

from bridge.core.model import Ruling, TableSetup
from bridge.store.journal import Journal
from bridge.web import accounts, passwords
from bridge.web.accounts import Account, Role
from tests.bridge.core.arbiter import Arbiter
from tests.web import Stage, Visitor, config_of

PATIENCE = 100.0
PASSWORD = "four words in a row"  # noqa: S105 - of nobody
TABLE = "7"
ILLEGAL = "4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1"
"""White is in check; moving the pawn leaves him there."""
PEOPLE: dict[str, Role] = {
    "Anna": "arbiter",
    "Ben": "arbiter",
    "Olga": "operator",
    "Vera": "viewer",
}


class Court(Stage):
    """Tells the server what follows from *talk*; ``written`` is what an order waits for."""

    def __init__(self, folder: Path, web: str = "", *, fen: str | None = None) -> None:
        config = config_of(folder, web, tables=(TABLE, "8"))
        for name, role in PEOPLE.items():
            kept = passwords.hashed(PASSWORD)
            accounts.add(config.accounts, Account(name=name, role=role, password=kept))
        super().__init__(config)
        self.written = True
        self.asked = asyncio.Event()
        self.talk = Arbiter(TableSetup(white="Kramer, Anna", start_fen=fen, time_control="5400+30"))
        self._told = 0
        self.talk.shows(0.0)
        self.talk.clock(0.5, 300, 300, "left")

    def catch_up(self) -> None:
        """Tell what has followed."""
        told, self._told = self._told, len(self.talk.facts)
        self.tell(*self.talk.facts[told:])

    def deliver(self, table: str, link: str, ruling: Ruling) -> None:
        assert (table, link) == (TABLE, "arbiter")
        self.asked.set()
        if self.written:
            asyncio.get_running_loop().call_soon(self._take, ruling)

    def _take(self, ruling: Ruling) -> None:
        self.talk._hear("ruling", self.talk._at + 0.5, ruling)
        self.catch_up()

    def plays_illegally(self) -> None:
        """Let White move his pawn although his king is in check, and press."""
        self.talk.sees(4.0, without="a2", white_pawn="a4").clock(4.5, 295, 300, "right").ticks(9.0)
        self.catch_up()

    async def write_journal(self) -> None:
        """Write what the table heard."""
        journal = await asyncio.to_thread(Journal.open, self.config.data.journal)
        await journal.append(self.talk.readings)
        await asyncio.to_thread(journal.close)


class Person(Visitor):
    """Somebody who is logged in."""

    csrf = ""

    async def log_in(self, name: str) -> None:
        body = {"name": name, "password": PASSWORD}
        async with self.session.post("/api/v1/session", json=body) as response:
            assert response.status == 200
            self.csrf = (await response.json())["csrf"]

    async def orders(self, body: object, status: int = 200, table: str = TABLE) -> Any:
        """Give an order; the answer has *status*."""
        path, headers = f"/api/v1/tables/{table}/orders", {"X-CSRF-Token": self.csrf}
        async with self.session.post(path, json=body, headers=headers) as response:
            assert response.status == status, await response.text()
            return await response.json()


Act = Callable[..., Any]


def heard(act: Act, court: Court, *names: str) -> None:
    """Run the server, and *act* beside it with the people of *names*, who are logged in."""

    async def run() -> None:
        court.catch_up()
        async with court.web, asyncio.timeout(PATIENCE):
            people: list[Person] = []
            sessions: list[aiohttp.ClientSession] = []
            try:
                for name in names:
                    jar = aiohttp.CookieJar(unsafe=True)
                    sessions.append(aiohttp.ClientSession(court.url, cookie_jar=jar))
                    people.append(Person(sessions[-1]))
                    await people[-1].log_in(name)
                await act(court, *people)
            finally:
                for session in sessions:
                    await session.close()

    asyncio.run(run())
