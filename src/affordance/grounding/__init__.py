"""Grounding: places and coordinate systems, dialects and their readers, inference of a coordinate system, density,
look-alikes."""
