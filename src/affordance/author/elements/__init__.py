"""Interactive elements of a screen."""
