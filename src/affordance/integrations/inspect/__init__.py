"""Inspect in both directions: our tasks and models inside it, its providers and logs here."""
