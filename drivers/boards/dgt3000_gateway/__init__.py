"""The open DGT3000 gateway: a chess clock by itself, over Bluetooth LE."""

from drivers.boards.dgt3000_gateway.gateway import Dgt3000Gateway

__all__ = ["Dgt3000Gateway"]
