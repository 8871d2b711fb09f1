"""Checks of a whole dataset: all of its problems, each with its position."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from affordance import media
from affordance.core.errors import DataError, MediaError
from affordance.core.threads import map_threads
from affordance.datasets.check_items import check_flashes, check_item, published_boxes
from affordance.datasets.clips import Clip
from affordance.datasets.dataset import (
    FilePosition,
    Issue,
    ReadResult,
    Severity,
    missing_media,
    missing_media_error,
    read_errors,
)
from affordance.datasets.folder import read_native
from affordance.datasets.items import Item
from affordance.datasets.pairs import count_undecided
from affordance.datasets.screens import Screen
from affordance.datasets.spec import read_spec
from affordance.datasets.unit_mismatch import BoxOnImage, find_unit_mismatch

MAX_SHOWN = 20  # issues of one code
ALWAYS_SHOWN = "published-"  # codes of what is known about published sets: short, complete lists


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The issues of a dataset. `name` is None where it could not be opened."""

    name: str | None
    issues: tuple[Issue, ...]

    def count(self, severity: Severity) -> int:
        return sum(issue.severity is severity for issue in self.issues)


def check_dataset(
    spec: str, cache: Path | None = None, on_progress: Callable[[int, int], None] | None = None
) -> CheckReport:
    """Check the dataset that a SPEC names. With `on_progress`, videos are decoded to the end, which takes time; it is
    called with the number of videos done and their total."""
    try:
        result = read_spec(spec, cache)
    except DataError as error:
        return CheckReport(None, (Issue.of_error(error, "unreadable"),))
    issues = [*check_result(result), *(() if on_progress is None else _check_videos(result, on_progress))]
    return CheckReport(result.header.name, tuple(issues))


def check_folder(root: Path) -> Iterator[Issue]:
    """Check the dataset in a folder."""
    try:
        result = read_native(root)
    except DataError as error:
        yield Issue.of_error(error, "unreadable")
        return
    yield from check_result(result)


def check_result(result: ReadResult) -> Iterator[Issue]:
    """Check what was read: everything but what only decoding videos to the end shows."""
    yield from result.issues
    yield from (Issue.of_error(error, "unreadable-row") for error in read_errors(result))
    missing = list(missing_media(result)) if result.is_native else _deduplicate_by_path(missing_media(result))
    for position, item, path in missing:
        yield Issue.of_error(missing_media_error(result, position, item, path), "missing-file")
    for position, item in result.valid_items():
        yield from _check_item(result, position, item)
    yield from _check_winners(result)
    yield from _check_units(result)
    yield from _check_links(result)
    if result.is_native:
        yield from _check_unused(result)


def limit_per_code(issues: Iterable[Issue]) -> Iterator[Issue]:
    """The first issues of each code, then how many more there are. Issues about published sets are all shown."""
    counts: Counter[tuple[str, Severity]] = Counter()
    for issue in issues:
        key = (issue.code, issue.severity)
        counts[key] += not issue.code.startswith(ALWAYS_SHOWN)
        if counts[key] <= MAX_SHOWN:
            yield issue
    for (code, severity), count in counts.items():
        if count > MAX_SHOWN:
            yield Issue(severity, code, f"and {count - MAX_SHOWN} more ({code}); --json lists them all")


def _deduplicate_by_path(
    missing: Iterable[tuple[FilePosition, Item, str]],
) -> list[tuple[FilePosition, Item, str]]:
    """The first mention of each file: an image that many rows share is missing once."""
    return list({path: (position, item, path) for position, item, path in reversed(list(missing))}.values())[::-1]


def _check_item(result: ReadResult, position: FilePosition, item: Item) -> Iterator[Issue]:
    infos: dict[str, media.MediaInfo] = {}
    issues: list[Issue] = []
    for path in item.media_files():
        if not result.media_path(path).is_file():
            continue
        try:
            infos[path] = media.probe(result.media_path(path))
        except MediaError as error:
            issues.append(Issue(Severity.ERROR, "unreadable-media", str(error)))
    for issue in (*issues, *check_item(item, infos)):
        where = position if issue.target is None else result.target_positions.get(issue.target, position)
        yield replace(issue, position=where, item=item.id)


def _check_videos(result: ReadResult, on_progress: Callable[[int, int], None]) -> Iterator[Issue]:
    clips = [(position, one) for position, one in result.valid_items() if isinstance(one, Clip)]
    found = map_threads(lambda clip: list(_check_video(result.media_path(clip[1].video))), clips)
    for done, ((position, clip), issues) in enumerate(zip(clips, found, strict=True), 1):
        on_progress(done, len(clips))
        yield from (replace(issue, position=position, item=clip.id) for issue in issues)


def _check_video(path: Path) -> Iterator[Issue]:
    """Nothing for a video that is missing or cannot be opened, which is an issue already."""
    try:
        video = media.probe(path)
    except MediaError:
        return
    yield from check_flashes(video)


def _check_winners(result: ReadResult) -> Iterator[Issue]:
    found = count_undecided(item for _, item in result.valid_items())
    if found.count:
        message = f"{found} and {'is' if found.count == 1 else 'are'} skipped; add votes or a winner"
        yield Issue(Severity.WARNING, "no-winner", message, FilePosition(result.root))


def _check_units(result: ReadResult) -> Iterator[Issue]:
    """Of published boxes together; boxes in our own format state their space each."""
    if result.is_native:
        return
    spaces: dict[str, list[BoxOnImage]] = {}
    for _, item in result.valid_items():
        if isinstance(item, Screen):
            for box in published_boxes(item):
                spaces.setdefault(box.space, []).append((box, (item.width, item.height)))
    for boxes in spaces.values():
        if (message := find_unit_mismatch(boxes)) is not None:
            yield Issue(Severity.ERROR, "box-units", message, FilePosition(result.root))


def _check_links(result: ReadResult) -> Iterator[Issue]:
    ids = {item.id for _, item in result.valid_items()}
    for position, item in result.valid_items():
        for link in item.links:
            if link.to not in ids:
                message = f"its {link.kind} link goes to {link.to!r}, which is not in the dataset"
                yield Issue(Severity.ERROR, "broken-link", message, position, item.id)


def _check_unused(result: ReadResult) -> Iterator[Issue]:
    used = {
        result.media_path(path)
        for _, item in result.valid_items()
        for path in (*item.media_files(), *item.extra_files())
    }
    folder = result.root / "media"
    unused = sorted(p for p in folder.rglob("*") if p.is_file() and p not in used) if folder.is_dir() else []
    if unused:
        message = f"{len(unused)} files that no item names, the first {unused[0].name!r}"
        yield Issue(Severity.WARNING, "unused-files", message, FilePosition(folder))
