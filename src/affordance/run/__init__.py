"""The runner: plan, drive strategies, ask, judge, resume, keep to a budget."""
