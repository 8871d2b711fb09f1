"""Tasks: from items to questions, from responses to verdicts and metrics. Pure: no network, no clock, no state."""
