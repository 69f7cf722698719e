"""Links to boards: keeping, recording and finding them."""
