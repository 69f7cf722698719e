"""What can go wrong with journal, outbox and backups.

The errors are told apart by what a person or the caller should do about them.
"""

import sqlite3

UNREADABLE = (sqlite3.Error, UnicodeError)
"""What comes of reading a database; SQLite names what is damaged in the bytes that stand there."""


class JournalError(Exception):
    """Base class: the journal cannot be opened, read or written; the message says why."""


class JournalBusyError(JournalError):
    """Another process works with this journal; one of the two has to stop."""


class JournalTooNewError(JournalError):
    """A later version of eboard-bridge wrote this journal; it has to be installed again."""


class JournalRowError(JournalError):
    """A stored reading that cannot be understood; the message names its position."""


class JournalClosedError(JournalError):
    """Readings were handed to a journal that no longer writes."""


class OutboxError(Exception):
    """The outbox cannot be opened, read or written; the message says why."""


class BackupError(Exception):
    """A backup cannot be made, read or put back; the message says why."""
