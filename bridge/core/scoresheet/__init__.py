"""The scoresheet: what was played, when, and how it ended; and its PGN."""
