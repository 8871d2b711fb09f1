"""Rows of a CSV file, as spreadsheets write it."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from affordance.core.errors import DataError
from affordance.datasets.published.rows import Row
from affordance.datasets.reading import Place

SEPARATORS = ",;\t"
# A spreadsheet would take a cell that begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def escape_csv_cell(cell: str) -> str:
    """The cell as a spreadsheet shows it, whatever it begins with."""
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) else cell


def read_sheet(path: Path) -> Iterator[Row]:
    """Rows by the names in the first one, empty ones left out. They are numbered as a spreadsheet shows them: the names
    are row 1. Cells are divided by comma, semicolon or tab, whichever the names are divided by."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"expected UTF-8, found byte {error.start} to be none; save it as UTF-8", path) from None
    separator = max(SEPARATORS, key=text.partition("\n")[0].count)
    try:
        table = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise DataError(f"expected CSV: {error}", path) from None
    if not table or not any(cell.strip() for cell in table[0]):
        raise DataError("expected the names of columns in the first row, found nothing", path)
    names = [cell.strip() for cell in table[0]]
    if len(set(names)) < len(names):
        raise Place(path, row=1).error(f"expected each column once, found {', '.join(names)}")
    for number, cells in enumerate(table[1:], 2):
        if not any(cell.strip() for cell in cells):
            continue
        place = Place(path, row=number)
        if len(cells) != len(names):
            raise place.error(f"expected {len(names)} cells as in the first row, found {len(cells)}")
        yield Row(place, dict(zip(names, cells, strict=True)))
