"""What leaves the process."""
