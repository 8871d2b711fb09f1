"""Preference sets for training: which of two designs won, was preferred by people, or is predicted, in the layout that
trainers read."""
