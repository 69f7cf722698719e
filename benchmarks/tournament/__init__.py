"""A tournament on simulated boards, with what goes wrong at one by a plan, at any speed.

Boards and hands are one process, the daemon is another; both may live faster than the clock on the
wall does. What is promised is looked at all along: :mod:`benchmarks.tournament.promises`.
"""
