"""Inspect in both directions: our tasks and models inside Inspect, its providers and logs in Affordance."""
