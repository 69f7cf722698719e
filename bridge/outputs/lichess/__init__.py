"""Broadcasts on Lichess, pushed through the outbox."""
