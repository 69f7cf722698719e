"""A board as a player that speaks UCI, so that any chess program can take moves from it."""

from bridge.outputs.uci.conversation import Conversation
from bridge.outputs.uci.seat import Seat

__all__ = ["Conversation", "Seat"]
