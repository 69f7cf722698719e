"""Who is logged in. Time is an argument (s); sessions end with the daemon.

What is kept of a session's secret is its digest, so that nothing in memory lets anybody in.
"""

import secrets
from dataclasses import dataclass

from bridge.web.accounts import Account, digest

LIFETIME = 12 * 3600.0
"""Seconds after which one has to log in again: longer than a day of play."""
MOST_OF_AN_ACCOUNT = 20
"""With more sessions, the oldest of the account ends."""


@dataclass(frozen=True, slots=True)
class Session:
    """A login of *account*, as that was then; ``csrf`` has to come with every change."""

    key: str
    account: Account
    csrf: str
    until: float


class Sessions:
    """The sessions of all accounts."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}

    def begin(self, account: Account, now: float) -> tuple[str, Session]:
        """Return the secret of a new session, which nobody keeps here, and the session."""
        self._forget(now)
        own = [each for each in self._sessions.values() if each.account.name == account.name]
        for session in own[: max(0, len(own) + 1 - MOST_OF_AN_ACCOUNT)]:
            self.end(session)
        secret = secrets.token_urlsafe(32)
        session = Session(digest(secret), account, secrets.token_urlsafe(32), now + LIFETIME)
        self._sessions[session.key] = session
        return secret, session

    def find(self, secret: str, now: float) -> Session | None:
        """Return the session of a secret, ``None`` if there is none or it has ended."""
        session = self._sessions.get(digest(secret))
        return None if session is None or session.until <= now else session

    def end(self, session: Session) -> None:
        """End a session; one that has ended may be ended again."""
        self._sessions.pop(session.key, None)

    def _forget(self, now: float) -> None:
        for session in [each for each in self._sessions.values() if each.until <= now]:
            self.end(session)
