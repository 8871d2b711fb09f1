"""From rows to records: targets of one picture become one screen; ids are made unique."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from affordance.core.complaints import format_validation_error
from affordance.core.errors import DataError
from affordance.datasets.published.pictures import ImageLocator, LocatedImage
from affordance.datasets.published.rows import Row
from affordance.datasets.reading import Entry, Issue, Place, Reading, Severity
from affordance.datasets.records import ChoiceQuestion, Header
from affordance.datasets.screens import Screen, Target

IMAGE_SUFFIXES = {".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp"}


@dataclass(frozen=True, slots=True)
class TargetRow:
    """A target as a row tells of it. `id` is the publisher's, where there is one, otherwise `label` may be a good one
    to begin with; `values` are the fields of a `Target` but for the id."""

    image: LocatedImage
    image_name: str  # of the picture
    size: tuple[int, int]
    values: Mapping[str, Any]
    id: str | None = None
    label: str | None = None
    platform: str | None = None
    source: str | None = None
    warning: str | None = None  # what is odd about the row, though it can be used


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A choice question as a row tells of it, with the id or label."""

    values: Mapping[str, Any]
    id: str | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True)
class ExpectedCount:
    """How many there are of something in the published set. What differs is told, and no more: people use parts."""

    what: str
    expected: int
    found: int

    def issues(self) -> list[Issue]:
        if self.expected == self.found:
            return []
        return [
            Issue(Severity.WARNING, f"expected {self.expected} {self.what} of the published set, found {self.found}")
        ]


@dataclass(slots=True)
class _Screen:
    position: Place
    targets: list[tuple[Row, TargetRow]] = field(default_factory=list)


def build_items(
    images: ImageLocator,
    rows: Iterable[Row],
    convert: Callable[[Row], TargetRow | ChoiceRow],
    header: Callable[[str], Header],
    counts: Callable[[Sequence[TargetRow | ChoiceRow]], Sequence[ExpectedCount]],
) -> Reading:
    """Convert rows, and keep what is wrong with those that cannot be. `header` is asked with the kind of records that
    were found, `counts` with all that could be converted."""
    done: list[tuple[Row, TargetRow | ChoiceRow]] = []
    wrong: list[Entry] = []
    for row in rows:
        place = Row(row.place, {})  # which does not hold on to the pixels
        try:
            done.append((place, convert(row)))
        except DataError as error:
            wrong.append(Entry(row.place, error))
    wanted = [(row, one) for row, one in done if isinstance(one, TargetRow)]
    asked = [(row, one) for row, one in done if isinstance(one, ChoiceRow)]
    if wanted and asked:
        raise DataError(
            "found places to be found and questions with options together; give one set of files", images.root
        )
    entries, places = _build_screens(wanted)
    entries += _build_questions(asked)
    known = [one.id for _, one in done if one.id is not None]
    odd = [
        Issue(Severity.WARNING, str(row.error(one.warning)), "rows that contradict themselves")
        for row, one in wanted
        if one.warning is not None
    ]
    findings = [finding for count in counts([one for _, one in done]) for finding in count.issues()]
    return Reading(
        root=images.root,
        header=header("choice" if asked else "screen"),
        entries=(*wrong, *entries),
        elsewhere=images.media_paths(),
        targets=places,
        findings=(*_duplicate_ids(images.root, known), *odd, *findings),
    )


def unique_ids(names: Iterable[str]) -> list[str]:
    """The same names, those that are there more than once with numbers: `a`, `a-2`, `a-3`."""
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
    """The name of a picture without the end that says how it is encoded."""
    return name[: -len(Path(name).suffix)] if Path(name).suffix.lower() in IMAGE_SUFFIXES else name


def _build_screens(done: Sequence[tuple[Row, TargetRow]]) -> tuple[list[Entry], dict[str, Place]]:
    screens: dict[tuple[str, str | None], _Screen] = {}
    for row, one in done:
        screens.setdefault((one.image.media, one.source), _Screen(row.place)).targets.append((row, one))
    names = unique_ids(image_stem(screen.targets[0][1].image_name) for screen in screens.values())
    numbered = [
        (one, number, name)
        for name, screen in zip(names, screens.values(), strict=True)
        for number, one in enumerate(screen.targets)
    ]
    ids = unique_ids(one.id or one.label or f"{name}-{number}" for (_, one), number, name in numbered)
    by_row = {id(row): target for ((row, _), _, _), target in zip(numbered, ids, strict=True)}
    entries: list[Entry] = []
    for name, screen in zip(names, screens.values(), strict=True):
        entries += _build_screen(name, screen, [by_row[id(row)] for row, _ in screen.targets])
    return entries, {target: row.place for ((row, _), _, _), target in zip(numbered, ids, strict=True)}


def _build_screen(name: str, screen: _Screen, ids: Sequence[str]) -> list[Entry]:
    """The screen, after what is wrong with rows of it."""
    entries: list[Entry] = []
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
            entries.append(Entry(row.place, row.error(format_validation_error(error))))
        except DataError as error:
            entries.append(Entry(row.place, error))
    record = {
        "id": name,
        "image": first.image.media,
        "width": first.size[0],
        "height": first.size[1],
        "targets": targets,
    }
    if first.platform is not None:
        record["platform"] = first.platform
    return [*entries, Entry(screen.position, Screen.model_validate(record))]


def _build_questions(done: Sequence[tuple[Row, ChoiceRow]]) -> list[Entry]:
    entries: list[Entry] = []
    for (row, one), name in zip(done, unique_ids(one.id or one.label or "question" for _, one in done), strict=True):
        try:
            entries.append(Entry(row.place, ChoiceQuestion.model_validate({"id": name, **one.values})))
        except ValidationError as error:
            entries.append(Entry(row.place, row.error(format_validation_error(error))))
    return entries


def _duplicate_ids(root: Path, known: Iterable[str]) -> list[Issue]:
    times = Counter(known)
    return [
        Issue(Severity.ERROR, f"{root}: expected each id once, found {name!r} {count} times", "twice")
        for name, count in times.items()
        if count > 1
    ]
