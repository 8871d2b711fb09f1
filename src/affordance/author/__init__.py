"""Making a benchmark: what models and people write, checked and kept with where it came from."""
