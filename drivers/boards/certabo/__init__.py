"""Certabo and Tabutronic boards: tag numbers, or nothing but where men stand."""

from drivers.boards.certabo.board import Certabo, Sentio

__all__ = ["Certabo", "Sentio"]
