"""Our own format: a folder with `dataset.json`, `items.jsonl` sorted by id, and media by relative path."""

import codecs
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from affordance.core.complaints import first_complaint
from affordance.core.digest import digest, digest_file
from affordance.core.errors import DataError
from affordance.datasets.records import KINDS, Header, Record

HEADER = "dataset.json"
ITEMS = "items.jsonl"
DEEPEST = 64  # levels of JSON; pydantic writes no more than some two hundred
TOO_DEEP = f"expected JSON of at most {DEEPEST} levels, found more"
LONGEST_NUMBER = 300  # digits; a floating point number has room for some more


@dataclass(frozen=True, slots=True)
class Dataset:
    root: Path
    header: Header
    items: tuple[Record, ...]

    @property
    def name(self) -> str:
        return self.header.name

    def file(self, media: str) -> Path:
        return self.root / media

    def digest(self) -> str:
        """Over the records and the content of all their media: equal wherever the folder lies."""
        media = sorted({path for item in self.items for path in item.media()})
        contents = [[path, digest_file(self.file(path))] for path in media]
        items = [item.model_dump(mode="json", exclude_unset=True) for item in self.items]
        return digest("dataset", self.header.kind, items, contents)


def read_folder(root: Path) -> Dataset:
    """Read a whole dataset; the first thing that is wrong raises a `DataError` that names the line."""
    header = read_header(root)
    items: list[Record] = []
    for line, found in read_items(root, header.kind):
        if isinstance(found, DataError):
            raise found
        if items and items[-1].id >= found.id:
            raise out_of_order(root, line, items[-1].id, found.id)
        items.append(found)
    if not items:
        raise DataError("expected at least one item, found none", root / ITEMS)
    for line, item in enumerate(items, 1):
        for path in item.media():
            if not (root / path).is_file():
                raise missing_media(root, line, item, path)
    return Dataset(root, header, tuple(items))


def read_header(root: Path) -> Header:
    path = root / HEADER
    if not root.exists():
        raise DataError("expected a dataset folder, found nothing there; is the path right?", root)
    if not path.is_file():
        raise DataError(f"expected a dataset folder with {HEADER} in it, found no such file", root)
    try:
        return Header.model_validate(_parse(path.read_bytes()))
    except ValueError as error:
        raise DataError(_explain(error), path) from None


def read_items(root: Path, kind: str) -> Iterator[tuple[int, Record | DataError]]:
    """Every line with its number, as a record or as what is wrong with it: checks want all, readers the first."""
    path = root / ITEMS
    if not path.is_file():
        raise DataError(f"expected {ITEMS} beside {HEADER}, found no such file", root)
    record = KINDS[kind]
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                yield number, record.model_validate(_parse(line))
            except ValueError as error:
                yield number, DataError(_explain(error), path, number)


def write_folder(root: Path, header: Header, items: Iterable[Record]) -> None:
    """Write header and items; the media must be there already. Items are sorted by id."""
    root.mkdir(parents=True, exist_ok=True)
    lines = [_line(item) for item in sorted(items, key=lambda item: item.id)]
    (root / ITEMS).write_text("".join(lines), encoding="utf-8")
    text = json.dumps(header.model_dump(mode="json"), ensure_ascii=False, indent=2)
    (root / HEADER).write_text(text + "\n", encoding="utf-8")


def out_of_order(root: Path, line: int, before: str, found: str) -> DataError:
    problem = "this id is there twice" if before == found else "items must be sorted by id"
    return DataError(f"{problem}: {found!r} comes after {before!r}", root / ITEMS, line)


def missing_media(root: Path, line: int, item: Record, path: str) -> DataError:
    return DataError(f"item {item.id!r} needs {path!r}, found no such file in the dataset folder", root / ITEMS, line)


def _line(item: Record) -> str:
    return json.dumps(item.model_dump(mode="json", exclude_unset=True), ensure_ascii=False) + "\n"


def _parse(text: bytes) -> dict[str, Any]:
    """A JSON object with nothing in it that could not be written again as it was."""
    if not text.strip():
        raise ValueError("expected a JSON object, found nothing")
    if text.startswith(codecs.BOM_UTF8):
        raise ValueError("expected UTF-8 without a byte order mark, found one")
    try:
        found = json.loads(text.decode("utf-8"), parse_constant=_refuse, parse_float=_number, parse_int=_whole)
    except UnicodeDecodeError as error:
        raise ValueError(f"expected UTF-8, found byte {text[error.start]:#04x} at column {error.start + 1}") from None
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise ValueError(f"expected JSON: {error.msg.lower()} at {line}column {error.colno}") from None
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    if not isinstance(found, dict):
        raise ValueError(f"expected a JSON object, found {str(found)[:80]!r}")
    if not _reaches_ground(found, DEEPEST):
        raise ValueError(TOO_DEEP)
    if b"\\u" in text and any("\ud800" <= letter <= "\udfff" for letter in json.dumps(found, ensure_ascii=False)):
        raise ValueError("expected Unicode text, found half of a surrogate pair")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"expected JSON, found {constant}")


def _number(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(f"the number {text[:20]}, which is too large")


def _whole(text: str) -> int:
    return int(text) if len(text) <= LONGEST_NUMBER else _refuse(f"a number of {len(text)} digits")


def _reaches_ground(value: object, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels > 0 and all(_reaches_ground(one, levels - 1) for one in inner)


def _explain(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    return first_complaint(error)
