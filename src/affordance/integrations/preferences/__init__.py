"""Preference sets for training: which of two designs won, is preferred by people, or is predicted by a model."""
