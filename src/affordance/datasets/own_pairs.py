"""A user's own pairs of designs, `pairs:PATH`: a table (CSV, JSON or JSON lines), a folder with such a table named
`pairs`, or a folder of folders with two pictures each.

In a folder of two pictures named `win` and `lose` the names tell the winner; a `pair.json` beside them may tell the
rest. What a row may say is in `COLUMNS`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from affordance.core.digest import digest, digest_file
from affordance.core.errors import DataError, UnknownName
from affordance.datasets.clusters import shared_image_clusters
from affordance.datasets.json_text import parse_json_object
from affordance.datasets.pair_cells import read_changes, read_rationales, read_text, read_votes, read_winner
from affordance.datasets.parts import check_relative_path
from affordance.datasets.published.rows import Row, entries_of, read_rows
from affordance.datasets.reading import Entry, Place, Reading
from affordance.datasets.records import Header, Pair
from affordance.datasets.sheets import read_sheet

TABLES = ("pairs.csv", "pairs.jsonl", "pairs.json")
PAIR_FILE = "pair.json"
IMAGE_SUFFIXES = {".png", ".jpg", ".jpeg", ".webp"}
WIN, LOSE = "win", "lose"

# What may be said of a pair, by all of its names; the first is the one to use.
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


def read(path: Path, cache: Path | None) -> Reading:
    """Every picture must be there: a pair without is of no use to whoever wrote it down."""
    root = path if path.is_dir() else path.parent
    entries = entries_of(_rows(path), lambda row, number: _pair(_with_canonical_columns(row), root, number), "id")
    return Reading(root, _header(path), tuple(_with_clusters(entries, root)))


def _header(path: Path) -> Header:
    name = path.resolve().name if path.is_dir() else path.stem
    return Header(format=1, kind="pair", name=name, licence="unknown", provenance="own pairs", synthetic=False)


def _with_clusters(entries: list[Entry], root: Path) -> Iterator[Entry]:
    pairs = [entry.found for entry in entries if isinstance(entry.found, Pair)]
    named = shared_image_clusters((pair.id, [digest_file(root / image) for image in pair.images]) for pair in pairs)
    for entry in entries:
        if isinstance(entry.found, Pair):
            yield Entry(entry.place, entry.found.model_copy(update={"cluster": named[entry.found.id]}))
        else:
            yield entry


def _rows(path: Path) -> Iterator[Row | Entry]:
    if not path.exists():
        raise DataError("expected a table of pairs or a folder, found nothing there; is the path right?", path)
    table = path if path.is_file() else next((path / name for name in TABLES if (path / name).is_file()), None)
    if table is None:
        yield from _folder_rows(path)
    elif table.suffix.lower() == ".csv":
        yield from read_sheet(table)
    else:
        yield from read_rows(table)


def _folder_rows(root: Path) -> Iterator[Row | Entry]:
    """A row for each folder with pictures in it, or what is wrong with that folder."""
    folders = [one for one in sorted(root.rglob("*")) if one.is_dir() and _images_in(one)]
    if not folders:
        expected = f"{', '.join(TABLES)} or folders with two pictures each"
        raise DataError(f"expected {expected}, found neither; is it the right folder?", root)
    for folder in folders:
        try:
            yield Row(Place(folder), _folder_values(folder, root))
        except DataError as error:
            yield Entry(Place(folder), error)


def _folder_values(folder: Path, root: Path) -> dict[str, Any]:
    pictures = _images_in(folder)
    if len(pictures) != 2:
        raise DataError(f"expected two pictures in the folder, found {len(pictures)}", folder)
    name = folder.relative_to(root).as_posix().replace("/", "-")
    won = next((one for one in pictures if one.stem.lower() == WIN), None)
    if won is not None and any(one.stem.lower() == LOSE for one in pictures):
        # Not in the order of their names, which would always be that of loser and winner.
        first, second = sorted(pictures, key=lambda one: digest("pair", name, one == won))
    else:
        (first, second), won = pictures, None
    images = {"first": first.relative_to(root).as_posix(), "second": second.relative_to(root).as_posix()}
    told = {} if won is None else {"winner": won.relative_to(root).as_posix()}
    return {"id": name, **images, **told, **_read_pair_file(folder / PAIR_FILE)}


def _images_in(folder: Path) -> list[Path]:
    return sorted(one for one in folder.iterdir() if one.suffix.lower() in IMAGE_SUFFIXES and one.is_file())


def _read_pair_file(path: Path) -> dict[str, Any]:
    try:
        return parse_json_object(path.read_bytes()) if path.is_file() else {}
    except ValueError as error:
        raise DataError(str(error), path) from None


def _with_canonical_columns(row: Row) -> Row:
    """The row by the first name of each column."""
    values: dict[str, Any] = {}
    for name, value in row.values.items():
        column = _COLUMN_OF_ALIAS.get(name.strip().lower().replace(" ", "_"))
        if column is None:
            raise row.error(str(UnknownName("column", name, COLUMNS)))
        if column in values:
            raise row.error(f"expected {column!r} once, found it in two columns")
        values[column] = value
    return Row(row.place, values)


def _pair(row: Row, root: Path, number: int) -> Pair:
    images = [_image(row, column, root) for column in ("first", "second")]
    given = read_votes(row)
    found: Mapping[str, Any] = {
        "winner": read_winner(row, images),
        "votes": given,
        "evidence": "voted" if given is not None else None,
        "rationales": read_rationales(row) or None,
        "changes": read_changes(row) or None,
        **{name: read_text(row, name) for name in _TEXTS},
    }
    values = {name: value for name, value in found.items() if value is not None}
    pair = Pair.model_validate({"id": read_text(row, "id") or f"{number:03d}", "images": images, **values})
    if (wrong := pair.vote_conflict()) is not None:
        raise row.error(wrong)
    return pair


def _image(row: Row, column: str, root: Path) -> str:
    name = read_text(row, column)
    if name is None:
        names = " or ".join(map(repr, COLUMNS[column]))
        raise row.error(f"expected the {column} picture in {names}, found none")
    try:
        check_relative_path(name)
    except ValueError as error:
        raise row.error(str(error)) from None
    if not (root / name).is_file():
        raise row.error(f"expected the picture {name!r} in {root}, found no such file")
    return name
