"""Reports: rows of results, as tables, JSON and a page."""
