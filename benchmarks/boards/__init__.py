"""Boards of every family at once: one daemon, links that are lost at random, and what is written.

Serial boards are on pseudo-terminals, USB boards on a virtual USB below the real pyusb, radio
boards behind the real bleak on a D-Bus of its own.
"""
