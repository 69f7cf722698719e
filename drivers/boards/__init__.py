"""One module per family of boards."""
