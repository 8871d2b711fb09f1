"""Rows of JSON, JSON lines, CSV, Parquet and Arrow files, with their positions."""

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from affordance.core.errors import DataError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import parse_json, parse_json_object, read_jsonl
from affordance.core.validation import format_validation_error, short_repr
from affordance.datasets.dataset import FilePosition, ReadItem
from affordance.datasets.items import Item
from affordance.datasets.published.arrow_tables import read_arrow

_Item = TypeVar("_Item", bound=Item)

ROW_KEYS = ("questions", "data", "rows", "annotations", "samples")  # keys under which a JSON object may have its rows
SPLITS = ("test-", "train-", "")  # the first with files is read
STATE_FILE = "state.json"
SPLITS_FILE = "dataset_dict.json"


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row with its position. Its methods return values of the type they name, or raise a `DataError` with the
    position and the column."""

    position: FilePosition
    values: Mapping[str, Any]  # by column

    def error(self, message: str) -> DataError:
        return self.position.error(message)

    def has(self, name: str) -> bool:
        return self.values.get(name) is not None

    def text(self, name: str) -> str:
        found = self.values.get(name)
        if not isinstance(found, str) or not found.strip():
            raise self.error(f"expected text in {name!r}, found {short_repr(found)}")
        return found

    def text_or_none(self, name: str) -> str | None:
        """Text or a whole number as text, since publishers write ids and classes either way; None where there is
        none."""
        found = self.values.get(name)
        if found is None or found == "":
            return None
        if isinstance(found, (str, int)) and not isinstance(found, bool):
            return str(found)
        raise self.error(f"expected text in {name!r}, found {short_repr(found)}")

    def sequence(self, name: str) -> list[Any]:
        """A list, also one written as JSON text."""
        found = self.json_value(name)
        if not isinstance(found, (list, tuple)):
            raise self.error(f"expected a list in {name!r}, found {short_repr(found)}")
        return list(found)

    def json_value(self, name: str) -> Any:
        """Any value, also one written as JSON text."""
        found = self.values.get(name)
        if isinstance(found, str) and found.lstrip()[:1] in ("[", "{"):
            try:
                return parse_json(found.encode("utf-8", "surrogatepass"))
            except ValueError as error:
                raise self.error(f"{name!r}: {error}") from None
        return found

    def whole(self, name: str) -> int:
        found = self.values.get(name)
        if isinstance(found, bool) or not isinstance(found, int):
            raise self.error(f"expected a whole number in {name!r}, found {short_repr(found)}")
        return found

    def size(self, name: str) -> tuple[int, int] | None:
        """Width and height; None where they are not stated."""
        if not self.has(name):
            return None
        found = self.sequence(name)
        if len(found) != 2 or not all(_is_number(side) and side == int(side) and side > 0 for side in found):
            raise self.error(f"expected width and height in {name!r}, found {short_repr(found)}")
        return int(found[0]), int(found[1])

    def box(self, name: str, space: CoordinateSpace, sized: bool = False) -> Box:
        return self.as_box(self.json_value(name), name, space, sized)

    def as_box(self, found: Any, name: str, space: CoordinateSpace, sized: bool = False) -> Box:
        """A box from its corners or, if `sized`, from a corner with width and height."""
        written = "[x, y, width, height]" if sized else "[x1, y1, x2, y2]"
        if not isinstance(found, (list, tuple)) or len(found) != 4 or not all(_is_number(one) for one in found):
            raise self.error(f"expected {written} in {name!r}, found {short_repr(found)}")
        x1, y1, x2, y2 = found
        try:
            return Box(space, x1, y1, x1 + x2, y1 + y2) if sized else Box(space, x1, y1, x2, y2)
        except ValueError:
            raise self.error(f"expected {written} in {name!r}, found {short_repr(list(found))}") from None


def without_none(**values: Any) -> dict[str, Any]:
    """The values that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def read_rows(path: Path, names: Sequence[str] = ()) -> Iterator[RawRow]:
    """The rows of a file, or of the files of a folder.

    Args:
        path: the file or folder.
        names: patterns of JSON files in a folder; those that match the first pattern with a match are read.
    """
    if not path.exists():
        raise DataError("expected a file or folder, found nothing there; is the path right?", path)
    for file in [path] if path.is_file() else row_files(path, names):
        if file.suffix == ".csv":
            yield from read_csv(file)
            continue
        reader = _READERS.get(file.suffix)
        if reader is None:
            suffixes = ", ".join((*_READERS, ".csv"))
            raise DataError(f"expected a file that ends with {suffixes}, found {file.suffix or 'no suffix'}", file)
        try:
            for number, values in enumerate(reader(file), 1):
                yield RawRow(FilePosition(file, row=number), values)
        except OSError as error:
            reason = error.strerror or (str(error).splitlines() or ["no reason given"])[0]
            raise DataError(f"cannot be read: {reason}", file) from None


def row_files(folder: Path, names: Sequence[str]) -> list[Path]:
    """The files of a folder with rows: of a saved dataset (`state.json`), parquet files of one split, or JSON."""
    if (folder / SPLITS_FILE).is_file():
        splits = _read_json_object(folder / SPLITS_FILE).get("splits")
        known = (
            [one for one in splits if isinstance(one, str) and one.isidentifier()] if isinstance(splits, list) else []
        )
        split = "test" if "test" in known else known[0] if known else None
        if split is None:
            raise DataError("expected the names of splits in it, found none", folder / SPLITS_FILE)
        return row_files(folder / split, names)
    if (folder / STATE_FILE).is_file():
        return _arrow_files(folder)
    for parent in (folder / "data", folder):
        for split in SPLITS:
            if found := sorted(parent.glob(f"{split}*.parquet")):
                return found
    for pattern in names:
        if found := sorted(one for one in folder.glob(pattern) if one.is_file()):
            return found
    shown = f" ({', '.join(names)})" if names else ""
    raise DataError(
        f"expected parquet, arrow or JSON files of this format{shown}, found none; is it the right folder?", folder
    )


def _arrow_files(folder: Path) -> list[Path]:
    files = _read_json_object(folder / STATE_FILE).get("_data_files")
    names = [one.get("filename") for one in files if isinstance(one, dict)] if isinstance(files, list) else []
    if not names or not all(isinstance(name, str) and Path(name).name == name for name in names):
        raise DataError("expected the names of its arrow files under '_data_files', found none", folder / STATE_FILE)
    return [folder / str(name) for name in names]


def _read_json_object(path: Path) -> dict[str, Any]:
    try:
        return parse_json_object(path.read_bytes())
    except ValueError as error:
        raise DataError(str(error), path) from None


def read_json(path: Path) -> Iterator[Mapping[str, Any]]:
    """The rows of a JSON file, whatever its suffix."""
    try:
        found = parse_json(path.read_bytes())
    except ValueError as error:
        raise DataError(str(error), path) from None
    rows = next((found[key] for key in ROW_KEYS if key in found), found) if isinstance(found, dict) else found
    if not isinstance(rows, list):
        raise DataError(f"expected a list of rows, found {short_repr(rows)}", path)
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise FilePosition(path, row=number).error(f"expected an object, found {short_repr(row)}")
        yield row


def _json_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    return (row for _, row in read_jsonl(path))


def _is_number(value: object) -> bool:
    """Whether a value is a finite number, also as a float."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


_READERS: dict[str, Callable[[Path], Iterator[Mapping[str, Any]]]] = {
    ".json": read_json,
    ".jsonl": _json_lines,
    ".parquet": read_arrow,
    ".arrow": read_arrow,
}


def read_items(
    rows: Iterable[RawRow | ReadItem],
    convert: Callable[[RawRow, int], _Item],
    what: str,
    name: Callable[[_Item], object] = lambda item: item.id,
) -> list[ReadItem]:
    """Convert rows to items, and keep the errors of those that cannot be converted.

    Args:
        rows: rows, or items that were read already.
        convert: makes an item of a row and its number.
        what: what ids are called in errors.
        name: how an id is written in errors, by default as it is.
    """
    items: list[ReadItem] = []
    seen: set[str] = set()
    for number, row in enumerate(rows):
        if isinstance(row, ReadItem):
            items.append(row)
            continue
        try:
            item = convert(row, number)
            if item.id in seen:
                raise row.error(f"expected each {what} once, found {name(item)!r} again")
            seen.add(item.id)
            items.append(ReadItem(row.position, item))
        except ValidationError as error:
            items.append(ReadItem(row.position, row.error(format_validation_error(error))))
        except DataError as error:
            items.append(ReadItem(row.position, error))
    return items


SEPARATORS = ",;\t"


def read_csv(path: Path) -> Iterator[RawRow]:
    """The rows of a CSV file as spreadsheets write it, without empty ones. Rows are numbered as a spreadsheet shows
    them: the header is row 1. The separator is comma, semicolon or tab, whichever is most frequent in the header."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"byte {error.start} is not UTF-8; save the file as UTF-8", path) from None
    separator = max(SEPARATORS, key=text.partition("\n")[0].count)
    try:
        table = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise DataError(f"expected CSV: {error}", path) from None
    if not table or not any(cell.strip() for cell in table[0]):
        raise DataError("expected column names in the first row, found nothing", path)
    names = [cell.strip() for cell in table[0]]
    if len(set(names)) < len(names):
        raise FilePosition(path, row=1).error(f"expected each column once, found {', '.join(names)}")
    for number, cells in enumerate(table[1:], 2):
        if not any(cell.strip() for cell in cells):
            continue
        position = FilePosition(path, row=number)
        if len(cells) != len(names):
            raise position.error(f"expected {len(names)} cells as in the first row, found {len(cells)}")
        yield RawRow(position, dict(zip(names, cells, strict=True)))
