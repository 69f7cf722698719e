"""The Laws of Chess on top of python-chess: verdicts with article, reason and remedy."""
