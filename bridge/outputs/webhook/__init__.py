"""Facts for other programs by HTTP: signed, in order, and again until they have arrived."""
