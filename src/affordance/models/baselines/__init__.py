"""Baselines: models that run in this process and need no service."""
