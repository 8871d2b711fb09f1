"""Judging: judgements of a run, samples for labelling, human labels, and the agreement of a judge with them."""
