"""From placements to moves: which legal line explains what the board shows, and when it is safe."""
