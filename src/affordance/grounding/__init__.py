"""Grounding: places and conventions, dialects and their readers, inference of a convention, density, look-alikes."""
