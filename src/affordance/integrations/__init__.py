"""Integrations: Inspect in both directions, the Hugging Face hub, preference data."""
