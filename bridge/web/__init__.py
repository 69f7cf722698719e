"""The web server: games for spectators, the arbiter's console, and the same for programs."""
