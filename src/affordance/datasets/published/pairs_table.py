"""A user's own pairs of designs, `pairs:PATH`: a table (CSV, JSON or JSON lines), a folder with a table named `pairs`,
or a folder of folders with two images each.

In a folder with images named `win` and `lose` the names state the winner; a `pair.json` next to them may state the
rest. The columns of a table are in `COLUMNS`.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from affordance.core.digest import digest, digest_file
from affordance.core.errors import DataError, UnknownName
from affordance.core.json_text import parse_json_object
from affordance.core.validation import short_repr
from affordance.datasets.dataset import FilePosition, ReadItem, ReadResult
from affordance.datasets.items import check_relative_path
from affordance.datasets.pairs import DesignPair, shared_image_clusters
from affordance.datasets.published.published_dataset import PublishedDataset
from affordance.datasets.published.rows import RawRow, read_csv, read_items, read_rows, without_none
from affordance.datasets.taxonomies import find_ux_law

TABLES = ("pairs.csv", "pairs.jsonl", "pairs.json")
PAIR_FILE = "pair.json"
IMAGE_SUFFIXES = {".png", ".jpg", ".jpeg", ".webp"}
WIN, LOSE = "win", "lose"

# Columns with all of their names; the first is the usual one.
COLUMNS: dict[str, tuple[str, ...]] = {
    "first": ("first", "a", "image_a", "first_image"),
    "second": ("second", "b", "image_b", "second_image"),
    "id": ("id", "name"),
    "winner": ("winner",),
    "context": ("context",),
    "goal": ("goal",),
    "votes": ("votes",),
    "rationales": ("rationales", "rationale", "reasons"),
    "page_type": ("page_type",),
    "industry": ("industry",),
    "device": ("device",),
    "source": ("source",),
    "company": ("company",),
    "changes": ("changes",),
}
_COLUMN_OF_ALIAS = {alias: column for column, aliases in COLUMNS.items() for alias in aliases}
_TEXTS = ("context", "goal", "page_type", "industry", "device", "source", "company")

WINNERS = {"a": 0, "first": 0, "b": 1, "second": 1}  # no numbers: some people count from 0
NO_WINNER = {"", "none", "unknown", "?"}

_VOTES = re.compile(r"\s*(\d{1,9})\s*[:/;,\s-]\s*(\d{1,9})\s*")


def _read(dataset: PublishedDataset, path: Path, cache: Path | None, /) -> ReadResult:
    """A missing image is an error: the table is the user's own."""
    root = path if path.is_dir() else path.parent
    entries = read_items(_rows(path), lambda row, number: _pair(_with_canonical_columns(row), root, number), "id")
    name = path.resolve().name if path.is_dir() else path.stem
    return ReadResult(root, dataset.header(title=name), tuple(_with_clusters(entries, root)))


def _with_clusters(entries: list[ReadItem], root: Path) -> Iterator[ReadItem]:
    pairs = [entry.item for entry in entries if isinstance(entry.item, DesignPair)]
    clusters = shared_image_clusters((pair.id, [digest_file(root / image) for image in pair.images]) for pair in pairs)
    for entry in entries:
        pair = entry.item
        if isinstance(pair, DesignPair):
            yield ReadItem(entry.position, pair.model_copy(update={"cluster": clusters[pair.id]}))
        else:
            yield entry


def _rows(path: Path) -> Iterator[RawRow | ReadItem]:
    if not path.exists():
        raise DataError("expected a table of pairs or a folder, found nothing there; is the path right?", path)
    table = path if path.is_file() else next((path / name for name in TABLES if (path / name).is_file()), None)
    if table is None:
        yield from _folder_rows(path)
    elif table.suffix.lower() == ".csv":
        yield from read_csv(table)
    else:
        yield from read_rows(table)


def _folder_rows(root: Path) -> Iterator[RawRow | ReadItem]:
    """A row for each folder with images, or the error of that folder."""
    folders = [one for one in sorted(root.rglob("*")) if one.is_dir() and _images_in(one)]
    if not folders:
        expected = f"{', '.join(TABLES)} or folders with two images each"
        raise DataError(f"expected {expected}, found neither; is it the right folder?", root)
    for folder in folders:
        try:
            yield RawRow(FilePosition(folder), _folder_values(folder, root))
        except DataError as error:
            yield ReadItem(FilePosition(folder), error)


def _folder_values(folder: Path, root: Path) -> dict[str, Any]:
    images = _images_in(folder)
    if len(images) != 2:
        raise DataError(f"expected two images in the folder, found {len(images)}", folder)
    name = folder.relative_to(root).as_posix().replace("/", "-")
    won = next((one for one in images if one.stem.lower() == WIN), None)
    if won is not None and any(one.stem.lower() == LOSE for one in images):
        # Not sorted by name, which would always put the loser first.
        first, second = sorted(images, key=lambda one: digest("pair", name, one == won))
    else:
        (first, second), won = images, None
    names = {"first": first.relative_to(root).as_posix(), "second": second.relative_to(root).as_posix()}
    winner = {} if won is None else {"winner": won.relative_to(root).as_posix()}
    return {"id": name, **names, **winner, **_read_pair_file(folder / PAIR_FILE)}


def _images_in(folder: Path) -> list[Path]:
    return sorted(one for one in folder.iterdir() if one.suffix.lower() in IMAGE_SUFFIXES and one.is_file())


def _read_pair_file(path: Path) -> dict[str, Any]:
    try:
        return parse_json_object(path.read_bytes()) if path.is_file() else {}
    except ValueError as error:
        raise DataError(str(error), path) from None


def _with_canonical_columns(row: RawRow) -> RawRow:
    """The row with the usual name of each column."""
    values: dict[str, Any] = {}
    for name, value in row.values.items():
        column = _COLUMN_OF_ALIAS.get(name.strip().lower().replace(" ", "_"))
        if column is None:
            raise row.error(str(UnknownName("column", name, COLUMNS)))
        if column in values:
            raise row.error(f"expected {column!r} once, found it in two columns")
        values[column] = value
    return RawRow(row.position, values)


def _pair(row: RawRow, root: Path, number: int) -> DesignPair:
    images = [_image(row, column, root) for column in ("first", "second")]
    votes = _read_votes(row)
    values = without_none(
        winner=_read_winner(row, images),
        votes=votes,
        evidence="voted" if votes is not None else None,
        rationales=_read_rationales(row) or None,
        changes=_read_changes(row) or None,
        **{name: _read_text(row, name) for name in _TEXTS},
    )
    pair = DesignPair.model_validate({"id": _read_text(row, "id") or f"{number:03d}", "images": images, **values})
    if (conflict := pair.vote_conflict()) is not None:
        raise row.error(conflict)
    return pair


def _image(row: RawRow, column: str, root: Path) -> str:
    name = _read_text(row, column)
    if name is None:
        names = " or ".join(map(repr, COLUMNS[column]))
        raise row.error(f"expected the {column} image in {names}, found none")
    try:
        check_relative_path(name)
    except ValueError as error:
        raise row.error(str(error)) from None
    if not (root / name).is_file():
        raise row.error(f"expected the image {name!r} in {root}, found no such file")
    return name


def _read_text(row: RawRow, name: str) -> str | None:
    found = row.text_or_none(name)
    return found.strip() or None if found is not None else None


def _read_winner(row: RawRow, images: Sequence[str]) -> int | None:
    """0 or 1; None where it is not stated."""
    found = row.values.get("winner")
    if found is None or (isinstance(found, str) and found.strip().lower() in NO_WINNER):
        return None
    if isinstance(found, str):
        text = found.strip()
        if text in images:
            return list(images).index(text)
        if text.lower() in WINNERS:
            return WINNERS[text.lower()]
    raise row.error(f"expected A, B, first, second or one of its two images in 'winner', found {short_repr(found)}")


def _read_votes(row: RawRow) -> list[int] | None:
    """Votes for the first and the second design, such as `42:13`."""
    found = row.json_value("votes")
    if found is None or found == "":
        return None
    match = _VOTES.fullmatch(found) if isinstance(found, str) else None
    numbers = [int(match[1]), int(match[2])] if match else found
    whole = isinstance(numbers, list) and all(type(number) is int and number >= 0 for number in numbers)
    if not whole or len(numbers) != 2:
        raise row.error(f"expected the votes for first and second as in 42:13, found {short_repr(found)}")
    return list(numbers)


def _read_rationales(row: RawRow) -> list[dict[str, Any]]:
    """Reasons separated by `|` or lines, each of which may begin with its law: `Fitts’s Law: the button is larger`. In
    JSON a list of such texts, or of objects with reason and law."""
    found = row.json_value("rationales")
    if found is None:
        return []
    parts = re.split(r"[|\n]", found) if isinstance(found, str) else found
    if not isinstance(parts, list):
        raise row.error(f"expected reasons in 'rationales', found {short_repr(found)}")
    return [_rationale(row, one) for one in parts if one != "" and not (isinstance(one, str) and one.isspace())]


def _read_changes(row: RawRow) -> dict[str, list[str]]:
    """Properties by element: `Button: Color, Size; Text: Presence`. In JSON an object of lists."""
    found = row.json_value("changes")
    if found is None or found == "" or isinstance(found, dict):
        return found or {}
    error = row.error(f"expected elements with their properties as in 'Button: Color, Size', found {short_repr(found)}")
    if not isinstance(found, str):
        raise error
    result: dict[str, list[str]] = {}
    for part in filter(str.strip, found.split(";")):
        element, colon, properties = part.partition(":")
        if not colon or not element.strip():
            raise error
        result[element.strip()] = [one.strip() for one in properties.split(",") if one.strip()]
    return result


def _rationale(row: RawRow, found: Any) -> dict[str, Any]:
    if isinstance(found, dict):
        law = find_ux_law(found["law"]) if isinstance(found.get("law"), str) else None
        return found if law is None else {**found, "law": law.name, "dimension": law.dimension}
    if not isinstance(found, str):
        raise row.error(f"expected a reason in 'rationales', found {short_repr(found)}")
    head, colon, rest = found.partition(":")
    law = find_ux_law(head) if colon else None
    if law is None or not rest.strip():
        return {"reason": found.strip()}
    return {"reason": rest.strip(), "law": law.name, "dimension": law.dimension}


PAIRS_TABLE = PublishedDataset(
    name="pairs",
    title="pairs",
    description="a table or folder of the user's own pairs of designs",
    kind="pair",
    licence="unknown",
    citation="",
    provenance="own pairs",
    reader=_read,
)
