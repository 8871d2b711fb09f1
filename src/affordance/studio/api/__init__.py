"""What pages ask for and save, as JSON."""
