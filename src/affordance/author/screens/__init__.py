"""Screens of a project: where they come from, and which go on."""
