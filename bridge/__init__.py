"""eboard-bridge: from the wire of an electronic chess board to the official scoresheet."""

__version__ = "0.1.0"
