"""Drivers for electronic chess boards and clocks: a device library that knows no game."""
