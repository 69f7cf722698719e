"""A machine for boards that is none: a USB, a D-Bus and a radio for tests and benchmarks.

Nothing of it is installed.
"""
