"""Other tools: Inspect in both directions, and the hub."""
