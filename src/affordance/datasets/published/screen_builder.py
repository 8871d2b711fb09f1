"""From rows to items: targets of one image become one screen, choice rows become choice items, ids are made unique."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from affordance.core.errors import DataError
from affordance.core.validation import format_validation_error
from affordance.datasets.dataset import FilePosition, Issue, ReadItem, ReadResult, Severity
from affordance.datasets.items import DatasetHeader, ItemKind
from affordance.datasets.published.image_locator import ImageLocator, LocatedImage
from affordance.datasets.published.published_dataset import ExpectedCount, PublishedDataset
from affordance.datasets.published.rows import RawRow, read_rows
from affordance.datasets.screens import ChoiceItem, Screen, Target

IMAGE_SUFFIXES = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp"}


@dataclass(frozen=True, slots=True)
class TargetRow:
    """A target as a row describes it. `id` is the publisher's; where there is none, `label` is a good one to begin
    with. `values` are the fields of a `Target` without the id."""

    image: LocatedImage
    image_name: str
    size: tuple[int, int]
    values: Mapping[str, Any]
    id: str | None = None
    label: str | None = None
    platform: str | None = None
    source: str | None = None
    warning: str | None = None  # a contradiction in the row, which can be used nevertheless


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A choice item as a row describes it, with its id or label."""

    values: Mapping[str, Any]
    id: str | None = None
    label: str | None = None


BuiltRow = TargetRow | ChoiceRow
ConvertRow = Callable[[RawRow, ImageLocator], BuiltRow]
CountRows = Callable[[PublishedDataset, Sequence[BuiltRow]], Sequence[ExpectedCount]]


def count_all(dataset: PublishedDataset, rows: Sequence[BuiltRow]) -> list[ExpectedCount]:
    """Compare the number of rows with the first of the expected counts."""
    return [ExpectedCount(what, expected, len(rows)) for what, expected in [*dataset.expected.items()][:1]]


@dataclass(frozen=True, slots=True)
class ScreenReader:
    """Reads rows that each name one target on a screenshot, or ask one question about it.

    Args:
        convert: the target or choice item of a row.
        files: patterns of JSON files in a folder; those that match the first pattern with a match are read.
        counts: how many items the whole set has.
        image_folders: folders next to the file in which images may be.
    """

    convert: ConvertRow
    files: tuple[str, ...]
    counts: CountRows = count_all
    image_folders: tuple[str, ...] = ("", "images", "imgs")

    def __call__(self, dataset: PublishedDataset, path: Path, cache: Path | None, /) -> ReadResult:
        images = ImageLocator(path, cache, self.image_folders)
        return build_items(
            images,
            read_rows(path, self.files),
            lambda row: self.convert(row, images),
            dataset.header,
            lambda rows: self.counts(dataset, rows),
        )


@dataclass(slots=True)
class _Screen:
    position: FilePosition
    targets: list[tuple[RawRow, TargetRow]] = field(default_factory=list)


def build_items(
    images: ImageLocator,
    rows: Iterable[RawRow],
    convert: Callable[[RawRow], BuiltRow],
    header: Callable[[ItemKind], DatasetHeader],
    counts: Callable[[Sequence[BuiltRow]], Sequence[ExpectedCount]],
) -> ReadResult:
    """Convert rows, and keep the errors of those that cannot be converted.

    Args:
        images: finds the images of the rows.
        rows: as read.
        convert: the target or choice item of a row.
        header: the header, by the kind of items found (`screen` or `choice`).
        counts: the expected counts for the rows that could be converted.
    """
    converted: list[tuple[RawRow, BuiltRow]] = []
    errors: list[ReadItem] = []
    for row in rows:
        without_values = RawRow(row.position, {})  # releases the pixels
        try:
            converted.append((without_values, convert(row)))
        except DataError as error:
            errors.append(ReadItem(row.position, error))
    targets = [(row, one) for row, one in converted if isinstance(one, TargetRow)]
    choices = [(row, one) for row, one in converted if isinstance(one, ChoiceRow)]
    if targets and choices:
        raise DataError("found targets and choice questions together; read one set of files at a time", images.root)
    items, target_positions = _build_screens(targets)
    items += _build_choice_items(choices)
    ids = [one.id for _, one in converted if one.id is not None]
    contradictions = [
        Issue(Severity.WARNING, "contradictory-row", one.warning, row.position)
        for row, one in targets
        if one.warning is not None
    ]
    count_issues = [issue for count in counts([one for _, one in converted]) for issue in count.issues()]
    return ReadResult(
        root=images.root,
        header=header("choice" if choices else "screen"),
        entries=(*errors, *items),
        media_paths=images.media_paths(),
        target_positions=target_positions,
        issues=(*_duplicate_ids(images.root, ids), *contradictions, *count_issues),
    )


def unique_ids(names: Iterable[str]) -> list[str]:
    """The same names; those that occur more than once get numbers: `a`, `a-2`, `a-3`."""
    given = list(names)
    taken, result, times = set(given), [], Counter[str]()
    for name in given:
        times[name] += 1
        if times[name] == 1:
            result.append(name)
            continue
        while (numbered := f"{name}-{times[name]}") in taken:
            times[name] += 1
        taken.add(numbered)
        result.append(numbered)
    return result


def image_stem(name: str) -> str:
    """The name of an image without the suffix of its format."""
    return name[: -len(Path(name).suffix)] if Path(name).suffix.lower() in IMAGE_SUFFIXES else name


def _build_screens(rows: Sequence[tuple[RawRow, TargetRow]]) -> tuple[list[ReadItem], dict[str, FilePosition]]:
    screens: dict[tuple[str, str | None], _Screen] = {}
    for row, one in rows:
        screens.setdefault((one.image.media, one.source), _Screen(row.position)).targets.append((row, one))
    names = unique_ids(image_stem(screen.targets[0][1].image_name) for screen in screens.values())
    numbered = [
        (one, number, name)
        for name, screen in zip(names, screens.values(), strict=True)
        for number, one in enumerate(screen.targets)
    ]
    ids = unique_ids(one.id or one.label or f"{name}-{number}" for (_, one), number, name in numbered)
    by_row = {id(row): target for ((row, _), _, _), target in zip(numbered, ids, strict=True)}
    items: list[ReadItem] = []
    for name, screen in zip(names, screens.values(), strict=True):
        items += _build_screen(name, screen, [by_row[id(row)] for row, _ in screen.targets])
    return items, {target: row.position for ((row, _), _, _), target in zip(numbered, ids, strict=True)}


def _build_screen(name: str, screen: _Screen, ids: Sequence[str]) -> list[ReadItem]:
    """The screen, after the errors of its rows."""
    items: list[ReadItem] = []
    targets: list[Target] = []
    first = screen.targets[0][1]
    for (row, one), target in zip(screen.targets, ids, strict=True):
        try:
            if one.size != first.size:
                raise row.error(
                    f"expected the size {first.size} for {first.image_name!r} as in other rows, found {one.size}"
                )
            targets.append(Target.model_validate({"id": target, **one.values}))
        except ValidationError as error:
            items.append(ReadItem(row.position, row.error(format_validation_error(error))))
        except DataError as error:
            items.append(ReadItem(row.position, error))
    values = {
        "id": name,
        "image": first.image.media,
        "width": first.size[0],
        "height": first.size[1],
        "targets": targets,
    }
    if first.platform is not None:
        values["platform"] = first.platform
    return [*items, ReadItem(screen.position, Screen.model_validate(values))]


def _build_choice_items(rows: Sequence[tuple[RawRow, ChoiceRow]]) -> list[ReadItem]:
    items: list[ReadItem] = []
    for (row, one), name in zip(rows, unique_ids(one.id or one.label or "question" for _, one in rows), strict=True):
        try:
            items.append(ReadItem(row.position, ChoiceItem.model_validate({"id": name, **one.values})))
        except ValidationError as error:
            items.append(ReadItem(row.position, row.error(format_validation_error(error))))
    return items


def _duplicate_ids(root: Path, ids: Iterable[str]) -> list[Issue]:
    return [
        Issue(
            Severity.ERROR,
            "duplicate-id",
            f"expected each id once, found {name!r} {count} times",
            FilePosition(root),
        )
        for name, count in Counter(ids).items()
        if count > 1
    ]
