"""What commands and the Python API print: results, notes and progress."""
