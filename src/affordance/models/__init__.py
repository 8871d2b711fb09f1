"""Who is asked: models behind chat-completions, baselines, the oracle, replayed predictions."""
