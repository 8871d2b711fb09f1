"""AniMINT: animations of interfaces with where and when they happen, what they are for and how people describe them.

A JSON list of records, whatever its name, with the videos next to it or in a folder `videos`. Boxes are shares of width
and height. Records do not state their platform: a `platforms.csv` of the user can, or the publisher's list of sources,
in a column `platform` next to a column with the names of the videos.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from affordance.core.errors import DataError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.validation import short_repr
from affordance.datasets.clips import Clip
from affordance.datasets.dataset import Issue, ReadResult, Severity
from affordance.datasets.items import check_relative_path
from affordance.datasets.published.published_dataset import ExpectedCount, HubRepo, PublishedDataset
from affordance.datasets.published.rows import RawRow, read_csv, read_items, read_rows, without_none
from affordance.datasets.taxonomies import PURPOSES

VIDEO = "video_path"
FOLDERS = ("", "videos", "video")
PLATFORMS, SOURCES = "platforms.csv", "datasource.csv"  # of the user, and of the publisher
PLATFORM = "platform"
VIDEO_COLUMNS = (VIDEO, "video", "filename")  # columns with the name of the video; the first that exists is used

# Our fields by those of the publisher. Other fields are kept under their own names.
FIELDS = {
    VIDEO: "video",
    "context_summary": "context",
    "purpose_category": "purpose",
    "ROI": "regions",
    "Inputs": "inputs",
    "animation_start_frame": "start_frame",
    "animation_end_frame": "end_frame",
    "effects_human_responses": "effect_responses",
    "meaning_human_responses": "meaning_responses",
}

RESPONSES_PER_CLIP = 10
# By the README, and the only whole numbers that fit the percentages of the paper.
README_COUNTS = dict(zip(PURPOSES, (45, 20, 26, 40, 114, 39, 16), strict=True))
PAPER_COUNTS = dict(zip(PURPOSES, (45, 20, 26, 42, 115, 38, 14), strict=True))


def _read(dataset: PublishedDataset, path: Path, cache: Path | None, /) -> ReadResult:
    root = path if path.is_dir() else path.parent
    platforms, platform_issues = _platforms(root)
    entries = read_items(_rows(path), lambda row, _: _clip(row, platforms), "video", lambda clip: clip.video)
    clips = [entry.item for entry in entries if isinstance(entry.item, Clip)]
    paths = {clip.video: _video_path(root, clip.video) for clip in clips}
    return ReadResult(
        root,
        dataset.header(),
        tuple(entries),
        media_paths={video: file for video, file in paths.items() if file != root / video},
        issues=(*platform_issues, *_known_issues(dataset, clips)),
    )


def _rows(path: Path) -> Iterator[RawRow]:
    """The rows of a file, or of the JSON files of a folder that have records with videos."""
    if not path.is_dir():
        yield from read_rows(path)
        return
    files = sorted(path.glob("*.json"))
    first_error: DataError | None = None
    found = 0
    for file in files:
        try:
            rows = list(read_rows(file))
        except DataError as error:
            first_error = first_error or error
            continue
        if any(row.has(VIDEO) for row in rows):
            found += 1
            yield from rows
    if not found:
        expected = f"expected a JSON list of records with {VIDEO!r}"
        raise first_error or DataError(
            f"{expected}, found none in {len(files)} JSON files; is it the right folder?", path
        )


def _clip(row: RawRow, platforms: Mapping[str, str]) -> Clip:
    video = row.text(VIDEO)
    try:
        check_relative_path(video)
    except ValueError as error:
        raise row.error(str(error)) from None
    name = PurePosixPath(video).stem
    platform = row.text_or_none(PLATFORM)
    values = without_none(
        context=row.text_or_none("context_summary"),
        purpose=row.text_or_none("purpose_category"),
        platform=platforms.get(name) if platform is None else platform.strip().lower(),
        start_frame=row.values.get("animation_start_frame"),
        end_frame=row.values.get("animation_end_frame"),
        regions=[_region(row, place, one) for place, one in enumerate(_optional_list(row, "ROI"))],
        inputs=[_input(row, place, one) for place, one in enumerate(_optional_list(row, "Inputs"))],
        effect_responses=_responses(row, "effects_human_responses"),
        meaning_responses=_responses(row, "meaning_human_responses"),
    )
    kept = {key: value for key, value in row.values.items() if key not in FIELDS and key != PLATFORM}
    return Clip.model_validate({**kept, "id": name, "video": video, **values})


def _optional_list(row: RawRow, name: str) -> list[Any]:
    return row.sequence(name) if row.has(name) else []


def _region(row: RawRow, place: int, found: Any) -> Box:
    name = f"ROI.{place}.box"
    if not isinstance(found, dict):
        raise row.error(f"expected a box in {name!r}, found {short_repr(found)}")
    return row.as_box(found.get("box"), name, CoordinateSpace.UNIT)


def _input(row: RawRow, place: int, found: Any) -> dict[str, Any]:
    if not isinstance(found, dict) or not isinstance(found.get("textual_summary"), str):
        raise row.error(f"expected an input with 'textual_summary' in 'Inputs.{place}', found {short_repr(found)}")
    return {"summary" if key == "textual_summary" else key: value for key, value in found.items()}


def _responses(row: RawRow, name: str) -> list[Any]:
    """Missing responses as empty ones, which a check reports."""
    return ["" if one is None else one for one in _optional_list(row, name)]


def _video_path(root: Path, video: str) -> Path:
    paths = [root / folder / video for folder in FOLDERS]
    return next((path for path in paths if path.is_file()), paths[0])


def _platforms(root: Path) -> tuple[dict[str, str], list[Issue]]:
    """Platforms by the names of videos. A mistake in the user's table is an error, one in the publisher's table an
    issue."""
    if (root / PLATFORMS).is_file():
        rows = list(read_csv(root / PLATFORMS))
        found = _by_video(rows)
        if rows and found is None:
            raise rows[0].error(f"expected the columns {PLATFORM!r} and {' or '.join(map(repr, VIDEO_COLUMNS))}")
        return found or {}, []
    if not (root / SOURCES).is_file():
        return {}, []
    try:
        return _by_video(list(read_csv(root / SOURCES))) or {}, []
    except DataError as error:
        return {}, [Issue(Severity.WARNING, "published-platforms", f"{error}; platforms are not read from it")]


def _by_video(rows: list[RawRow]) -> dict[str, str] | None:
    """None without such columns."""
    columns = {column.lower(): column for column in rows[0].values} if rows else {}
    name = next((columns[one] for one in VIDEO_COLUMNS if one in columns), None)
    if name is None or PLATFORM not in columns:
        return None
    pairs = [(str(row.values[name]).strip(), str(row.values[columns[PLATFORM]]).strip().lower()) for row in rows]
    return {PurePosixPath(video).stem: platform for video, platform in pairs if video and platform}


def _known_issues(dataset: PublishedDataset, clips: Sequence[Clip]) -> list[Issue]:
    """What is known to be odd about the set. Details are compared only where all clips are there."""
    total = ExpectedCount("clips", dataset.expected["clips"], len(clips))
    if total.issues():
        return total.issues()
    return [*(issue for count in _detailed_counts(clips) for issue in count.issues()), *_purpose_label_issues(clips)]


def _detailed_counts(clips: Sequence[Clip]) -> Iterator[ExpectedCount]:
    purposes = Counter(clip.purpose for clip in clips)
    yield from (
        ExpectedCount(f"clips for {purpose}", expected, purposes[purpose])
        for purpose, expected in README_COUNTS.items()
    )
    for kind in ("effect", "meaning"):
        full = sum(len(getattr(clip, f"{kind}_responses")) == RESPONSES_PER_CLIP for clip in clips)
        yield ExpectedCount(f"clips with {RESPONSES_PER_CLIP} descriptions of the {kind}", len(clips), full)


def _purpose_label_issues(clips: Sequence[Clip]) -> Iterator[Issue]:
    """The two published sets of labels differ, so the set decides which numbers can be compared."""
    found = Counter(clip.purpose for clip in clips)
    sets = {"the README": README_COUNTS, "the paper": PAPER_COUNTS}
    match = next((name for name, expected in sets.items() if found == Counter(expected)), None)
    differing = [purpose for purpose in PURPOSES if README_COUNTS[purpose] != PAPER_COUNTS[purpose]]
    yield Issue(
        Severity.WARNING,
        "published-purposes",
        f"the purpose labels match {match or 'neither the README nor the paper'}: the README counts "
        f"{_format_counts(README_COUNTS, differing)}, the numbers of the paper only fit "
        f"{_format_counts(PAPER_COUNTS, differing)}; published numbers cannot be reproduced exactly",
    )


def _format_counts(counts: Mapping[str, int], purposes: Sequence[str]) -> str:
    return ", ".join(f"{purpose} {counts[purpose]}" for purpose in purposes)


ANIMINT = PublishedDataset(
    name="animint",
    title="AniMINT",
    description="300 animations of interfaces, with purposes and how people describe them",
    kind="clip",
    licence="CC-BY-NC-ND-4.0",
    terms="Name its authors, do not use it commercially, pass on no changed version. What the videos show belongs to "
    "others.",
    citation="Liang, Jiang, Deng, Adar, Guo: Beyond Screenshots, arXiv:2604.26148",
    provenance="pubacc/AniMINT; the sources of its videos are in its datasource.csv",
    notes="No commit is known: the branch is pinned by the first download.",
    sources=(HubRepo("pubacc/AniMINT"),),
    reader=_read,
    expected={"clips": 300},
)
