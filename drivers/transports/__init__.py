"""Ways bytes travel: one module per kind of address."""
