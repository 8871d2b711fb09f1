"""Our own format: a folder with `dataset.json`, `items.jsonl` sorted by id, and media by relative path."""

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from affordance.core import files
from affordance.core.errors import DataError
from affordance.core.json_text import parse_json_object
from affordance.core.validation import format_validation_error
from affordance.datasets.clips import Clip
from affordance.datasets.dataset import Dataset, FilePosition, ReadItem, ReadResult
from affordance.datasets.items import DatasetHeader, Item
from affordance.datasets.pairs import DesignPair
from affordance.datasets.screens import ActionOutcome, ChoiceItem, Screen

HEADER_FILE = "dataset.json"
ITEMS_FILE = "items.jsonl"
ITEM_TYPES: dict[str, type[Item]] = {
    "clip": Clip,
    "pair": DesignPair,
    "screen": Screen,
    "outcome": ActionOutcome,
    "choice": ChoiceItem,
}


def load_folder(root: Path) -> Dataset:
    """Read a dataset; the first problem raises a `DataError` that names the line."""
    return read_native(root).dataset()


def read_native(root: Path) -> ReadResult:
    """Read everything in a folder, valid or not; a `DataError` only where it is no dataset."""
    header = read_header(root)
    items = [ReadItem(FilePosition(root / ITEMS_FILE, line), item) for line, item in read_items(root, header.kind)]
    return ReadResult(root, header, tuple(items), is_native=True)


def read_header(root: Path) -> DatasetHeader:
    """Read `dataset.json`."""
    path = root / HEADER_FILE
    if not root.exists():
        raise DataError("expected a dataset folder, found nothing there; is the path right?", root)
    if not root.is_dir():
        raise DataError("expected a dataset folder, found a file; a published dataset is named NAME:PATH", root)
    if not path.is_file():
        raise DataError(f"expected a dataset folder with {HEADER_FILE} in it, found no such file", root)
    try:
        return DatasetHeader.model_validate(parse_json_object(path.read_bytes()))
    except ValueError as error:
        raise DataError(_explain(error), path) from None


def read_items(root: Path, kind: str) -> Iterator[tuple[int, Item | DataError]]:
    """Every line with its number, as an item or as the error of reading it."""
    path = root / ITEMS_FILE
    if not path.is_file():
        raise DataError(f"expected {ITEMS_FILE} next to {HEADER_FILE}, found no such file", root)
    item_type = ITEM_TYPES[kind]
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                yield number, item_type.model_validate(parse_json_object(line))
            except ValueError as error:
                yield number, DataError(_explain(error), path, number)


def write_folder(root: Path, header: DatasetHeader, items: Iterable[Item], *, presorted: bool = False) -> None:
    """Write header and items; the media must exist already. Items are sorted by id; with `presorted` they are written
    as they come, without holding all in memory."""
    root.mkdir(parents=True, exist_ok=True)
    lines = ((item.id, _line(item)) for item in items)
    with (root / ITEMS_FILE).open("w", encoding="utf-8") as file:
        file.writelines(line for _, line in (lines if presorted else sorted(lines, key=lambda one: one[0])))
    text = json.dumps(header.model_dump(mode="json"), ensure_ascii=False, indent=2)
    (root / HEADER_FILE).write_text(text + "\n", encoding="utf-8")


def create_empty_folder(root: Path) -> None:
    """Create a folder for a dataset; one that exists must be empty."""
    files.create_empty_folder(root)
    files.create_empty_folder(root / "media")


@contextmanager
def new_dataset_folder(root: Path) -> Iterator[None]:
    """Create a folder for a dataset; it is removed or emptied again if filling it fails."""
    existed = root.exists()
    create_empty_folder(root)
    try:
        yield
    except BaseException:
        for path in root.iterdir() if existed else (root,):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        raise


def _line(item: Item) -> str:
    return json.dumps(item.model_dump(mode="json", exclude_unset=True), ensure_ascii=False) + "\n"


def _explain(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    return format_validation_error(error)
