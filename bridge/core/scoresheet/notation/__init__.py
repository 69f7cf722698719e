"""Moves as people write them: in PGN, on scoresheets, in older books, in many languages."""
