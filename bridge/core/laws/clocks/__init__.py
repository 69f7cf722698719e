"""The arbiter's calculator for clocks: small functions over readings, times in seconds.

They report and suggest; no reading of a clock is ever corrected by them (6.10.1).
"""
