"""Model families, clients of endpoints, baselines, the oracle, replayed predictions and answers of people."""
