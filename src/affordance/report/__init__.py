"""Reports: rows with everything a number needs beside it, as tables, JSON and a page."""
