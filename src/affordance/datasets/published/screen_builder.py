"""Rows of published sets as screens and choice items, with their images in files or tables."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from affordance.core.digest import digest_bytes
from affordance.core.errors import DataError, MediaError, UserError
from affordance.core.files import atomic_write
from affordance.core.validation import format_validation_error, short_repr
from affordance.datasets.dataset import FilePosition, Issue, ReadItem, ReadResult, Severity
from affordance.datasets.items import DatasetHeader, check_relative_path
from affordance.datasets.published.rows import RawRow
from affordance.datasets.screens import ChoiceItem, Screen, Target

IMAGE_FOLDERS = ("", "images", "imgs", "screenspot_imgs", "screenspotv2_image", "screenspotv2_imgs")
TABLE_FOLDERS = {"annotations", "data", "benchmark"}  # folders of tables, which pictures lie beside
SUFFIX_OF_SIGNATURE = (
    (b"\x89PNG", ".png"),
    (b"\xff\xd8\xff", ".jpg"),
    (b"RIFF", ".webp"),
    (b"GIF8", ".gif"),
    (b"BM", ".bmp"),
)


@dataclass(frozen=True, slots=True)
class LocatedImage:
    """`media` is its name in the dataset; `file` is None where nobody has it."""

    media: str
    file: Path | None


class ImageLocator:
    """Finds pictures, and puts those out of tables into the cache, each once and as they are."""

    def __init__(self, path: Path, cache: Path | None) -> None:
        self.root = path if path.is_dir() else path.parent
        around = [self.root.parent] if self.root.name in TABLE_FOLDERS else []
        self._folders = [root / folder for root in (self.root, *around) for folder in IMAGE_FOLDERS]
        self._cache = cache
        self._known: dict[str, LocatedImage] = {}
        self._sizes: dict[str, tuple[int, int]] = {}

    def media_paths(self) -> dict[str, Path]:
        """Where those pictures lie that are not in the folder under their name."""
        found = {one.media: one.file for one in self._known.values() if one.file is not None}
        return {name: file for name, file in found.items() if file != self.root / name}

    def locate(self, row: RawRow, columns: Sequence[str]) -> LocatedImage:
        """The picture in the first of these columns that has one."""
        for column in columns:
            found = row.values.get(column)
            if isinstance(found, dict):
                found = found.get("bytes") or found.get("path")
            if isinstance(found, bytes) and found:
                return self._extract(found)
            if isinstance(found, str) and found:
                return self._find(row, found)
            if found is not None:
                raise row.error(f"expected a picture or its name in {column!r}, found {short_repr(found)}")
        raise row.error(f"expected a picture in {' or '.join(map(repr, columns))}, found none")

    def size(self, row: RawRow, image: LocatedImage, stated: tuple[int, int] | None) -> tuple[int, int]:
        """As it is stated, otherwise that of the picture itself."""
        if stated is not None:
            return stated
        if image.media not in self._sizes:
            if image.file is None:
                raise row.error(
                    f"found neither the picture {image.media!r} nor its size; put it in or beside {self.root}"
                )
            from affordance import media  # which is heavy

            try:
                self._sizes[image.media] = media.displayed_size(image.file)
            except MediaError as error:
                raise row.error(str(error)) from None
        return self._sizes[image.media]

    def _find(self, row: RawRow, name: str) -> LocatedImage:
        if name not in self._known:
            try:
                check_relative_path(name)
            except ValueError as error:
                raise row.error(str(error)) from None
            file = next((place / name for place in self._folders if (place / name).is_file()), None)
            self._known[name] = LocatedImage(name, file)
        return self._known[name]

    def _extract(self, content: bytes) -> LocatedImage:
        digest = digest_bytes(content)
        if digest not in self._known:
            if self._cache is None:
                raise UserError(
                    f"{self.root}: its pictures are inside of tables; expected a cache folder to put them into"
                )
            suffix = next((suffix for start, suffix in SUFFIX_OF_SIGNATURE if content.startswith(start)), ".png")
            file = self._cache / "published" / digest[:2] / f"{digest}{suffix}"
            _write_once(file, content)
            self._known[digest] = LocatedImage(f"{digest}{suffix}", file)
        return self._known[digest]


def _write_once(file: Path, content: bytes) -> None:
    if file.is_file() and file.stat().st_size == len(content):
        return
    try:
        atomic_write(file, content)
    except OSError as error:
        raise UserError(f"cannot write the picture {file}: {error.strerror}") from None


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
    position: FilePosition
    targets: list[tuple[RawRow, TargetRow]] = field(default_factory=list)


def build_items(
    images: ImageLocator,
    rows: Iterable[RawRow],
    convert: Callable[[RawRow], TargetRow | ChoiceRow],
    header: Callable[[str], DatasetHeader],
    counts: Callable[[Sequence[TargetRow | ChoiceRow]], Sequence[ExpectedCount]],
) -> ReadResult:
    """Convert rows, and keep what is wrong with those that cannot be. `header` is asked with the kind of records that
    were found, `counts` with all that could be converted."""
    done: list[tuple[RawRow, TargetRow | ChoiceRow]] = []
    wrong: list[ReadItem] = []
    for row in rows:
        place = RawRow(row.place, {})  # which does not hold on to the pixels
        try:
            done.append((place, convert(row)))
        except DataError as error:
            wrong.append(ReadItem(row.place, error))
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
    return ReadResult(
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


def _build_screens(done: Sequence[tuple[RawRow, TargetRow]]) -> tuple[list[ReadItem], dict[str, FilePosition]]:
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
    entries: list[ReadItem] = []
    for name, screen in zip(names, screens.values(), strict=True):
        entries += _build_screen(name, screen, [by_row[id(row)] for row, _ in screen.targets])
    return entries, {target: row.place for ((row, _), _, _), target in zip(numbered, ids, strict=True)}


def _build_screen(name: str, screen: _Screen, ids: Sequence[str]) -> list[ReadItem]:
    """The screen, after what is wrong with rows of it."""
    entries: list[ReadItem] = []
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
            entries.append(ReadItem(row.place, row.error(format_validation_error(error))))
        except DataError as error:
            entries.append(ReadItem(row.place, error))
    record = {
        "id": name,
        "image": first.image.media,
        "width": first.size[0],
        "height": first.size[1],
        "targets": targets,
    }
    if first.platform is not None:
        record["platform"] = first.platform
    return [*entries, ReadItem(screen.position, Screen.model_validate(record))]


def _build_questions(done: Sequence[tuple[RawRow, ChoiceRow]]) -> list[ReadItem]:
    entries: list[ReadItem] = []
    for (row, one), name in zip(done, unique_ids(one.id or one.label or "question" for _, one in done), strict=True):
        try:
            entries.append(ReadItem(row.place, ChoiceItem.model_validate({"id": name, **one.values})))
        except ValidationError as error:
            entries.append(ReadItem(row.place, row.error(format_validation_error(error))))
    return entries


def _duplicate_ids(root: Path, known: Iterable[str]) -> list[Issue]:
    times = Counter(known)
    return [
        Issue(Severity.ERROR, f"{root}: expected each id once, found {name!r} {count} times", "twice")
        for name, count in times.items()
        if count > 1
    ]
