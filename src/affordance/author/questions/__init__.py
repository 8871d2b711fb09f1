"""Questions about regions and elements."""
