"""Judging: judgements of a run, samples of them for people, labels, and how well a judge agrees with them."""
