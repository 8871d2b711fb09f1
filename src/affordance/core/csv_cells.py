"""Cells of CSV files that spreadsheets must not read as formulas."""

# A spreadsheet would take a cell that begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def escape_csv_cell(cell: str) -> str:
    """The cell as a spreadsheet shows it, whatever it begins with."""
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) else cell
