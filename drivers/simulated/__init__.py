"""The board's side of the wire, and the hands that play on it."""
