"""The report in formats of others: Markdown, LaTeX and CSV."""
