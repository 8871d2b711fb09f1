"""Suites: from items to questions, from replies to verdicts and metrics. Pure: no network, no clock, no state."""
