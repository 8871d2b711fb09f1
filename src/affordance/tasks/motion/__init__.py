"""Motion: what primitive effect an animation shows, what it is for, what it means."""
