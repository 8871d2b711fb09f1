"""Clips of a project: where they come from, and how they leave it."""
