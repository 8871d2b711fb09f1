"""Pairs of designs that a model writes for a goal."""
