"""Boards that speak the open Chess Peripheral Protocol ("ble-chess")."""

from drivers.boards.ble_chess.board import ChessPeripheral

__all__ = ["ChessPeripheral"]
