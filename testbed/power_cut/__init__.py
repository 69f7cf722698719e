"""A disk that loses its power: what may be left of what a program has written.

:mod:`testbed.power_cut.trace` writes down what an unchanged program asked of the disk.
:mod:`testbed.power_cut.disk` is a disk that keeps what was synced, and of the rest what chance
leaves.
"""
