"""Download of published datasets, and publication of your own, on the Hugging Face hub and GitHub."""
