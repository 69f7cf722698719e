"""The pure middle: readings in, facts out; no I/O and no clock."""
