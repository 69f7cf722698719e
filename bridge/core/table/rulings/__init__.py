"""What arbiters order at a table, and what becomes of it."""
