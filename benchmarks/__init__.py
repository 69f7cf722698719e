"""Measurements: what the bridge costs and how fast it is, printed as tables."""
