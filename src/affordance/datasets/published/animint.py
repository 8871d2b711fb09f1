"""AniMINT: animations of interfaces with where and when they happen, what they are for and how people describe them.

A JSON list of records, whatever its name, with the videos beside it or in a folder `videos`. Boxes are shares of width
and height. Records do not say which platform they are of: a `platforms.csv` of one's own can, or the publisher's list
of sources, in a column `platform` beside one with the names of the videos."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from affordance.core.errors import DataError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.validation import short_repr
from affordance.datasets.clips import Clip
from affordance.datasets.dataset import Issue, ReadResult, Severity
from affordance.datasets.items import DatasetHeader, check_relative_path
from affordance.datasets.published.rows import RawRow, read_csv, read_items, read_rows
from affordance.datasets.published.screen_builder import ExpectedCount
from affordance.datasets.taxonomies import PURPOSES

CLIP_COUNT = 300
RESPONSES_PER_CLIP = 10
# By the README, and the only whole numbers that the percentages of the paper fit.
README_COUNTS = dict(zip(PURPOSES, (45, 20, 26, 40, 114, 39, 16), strict=True))
PAPER_COUNTS = dict(zip(PURPOSES, (45, 20, 26, 42, 115, 38, 14), strict=True))


def known_issues(clips: Sequence[Clip]) -> list[Issue]:
    """The whole before its parts."""
    told = expected_counts(clips) if len(clips) == CLIP_COUNT else [ExpectedCount("clips", CLIP_COUNT, len(clips))]
    labels = _purpose_label_issues(clips) if len(clips) == CLIP_COUNT else []
    return [*(finding for count in told for finding in count.issues()), *labels]


def expected_counts(clips: Sequence[Clip]) -> Iterator[ExpectedCount]:
    """How many there are of everything in the whole set, and should be."""
    purposes = Counter(clip.purpose for clip in clips)
    yield ExpectedCount("clips", CLIP_COUNT, len(clips))
    yield from (
        ExpectedCount(f"clips for {purpose}", expected, purposes[purpose])
        for purpose, expected in README_COUNTS.items()
    )
    for kind in ("effect", "meaning"):
        full = sum(len(getattr(clip, f"{kind}_responses")) == RESPONSES_PER_CLIP for clip in clips)
        yield ExpectedCount(f"clips with {RESPONSES_PER_CLIP} descriptions of the {kind}", CLIP_COUNT, full)


def _purpose_label_issues(clips: Sequence[Clip]) -> Iterator[Issue]:
    """The two published sets of labels differ, so which one it is decides what numbers can be compared with."""
    found = Counter(clip.purpose for clip in clips)
    fits = {"the README": README_COUNTS, "the paper": PAPER_COUNTS}
    here = next((name for name, expected in fits.items() if found == Counter(expected)), "neither")
    differing = [purpose for purpose in PURPOSES if README_COUNTS[purpose] != PAPER_COUNTS[purpose]]
    yield Issue(
        Severity.WARNING,
        f"the purposes are those of {here}: the README counts {_format_counts(README_COUNTS, differing)}, "
        f"the numbers of the paper only fit {_format_counts(PAPER_COUNTS, differing)}; "
        "do not expect to reproduce the paper exactly",
    )


def _format_counts(counts: Mapping[str, int], purposes: Sequence[str]) -> str:
    return ", ".join(f"{purpose} {counts[purpose]}" for purpose in purposes)


VIDEO = "video_path"
FOLDERS = ("", "videos", "video")
PLATFORMS, SOURCES = "platforms.csv", "datasource.csv"  # a user's own, and the publisher's
PLATFORM = "platform"
VIDEO_COLUMNS = (VIDEO, "video", "filename")  # columns that name the video, the first that is there

# Fields of ours by theirs. What else they have is kept under its own name.
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


def read(path: Path, cache: Path | None) -> ReadResult:
    """Videos that are not there are missing, and nothing more."""
    root = path if path.is_dir() else path.parent
    platforms, told = _platforms(root)
    entries = read_items(_rows(path), lambda row, _: _clip(row, platforms), "video", lambda clip: clip.video)
    clips = [entry.found for entry in entries if isinstance(entry.found, Clip)]
    places = {clip.video: _video_path(root, clip.video) for clip in clips}
    return ReadResult(
        root,
        header(),
        tuple(entries),
        elsewhere={video: place for video, place in places.items() if place != root / video},
        findings=(*told, *known_issues(clips)),
    )


def header() -> DatasetHeader:
    return DatasetHeader(
        format=1,
        kind="clip",
        name="AniMINT",
        licence="unknown",
        provenance="pubacc/AniMINT; the sources of its videos are in its datasource.csv",
        synthetic=False,
    )


def _rows(path: Path) -> Iterator[RawRow]:
    """Those of a file, or of the JSON files of a folder that have records with videos."""
    if not path.is_dir():
        yield from read_rows(path)
        return
    files = sorted(path.glob("*.json"))
    wrong: DataError | None = None
    found = 0
    for file in files:
        try:
            rows = list(read_rows(file))
        except DataError as error:
            wrong = wrong or error
            continue
        if any(row.has(VIDEO) for row in rows):
            found += 1
            yield from rows
    if not found:
        expected = f"expected a JSON list of records with {VIDEO!r}"
        raise wrong or DataError(f"{expected}, found none in {len(files)} JSON files; is it the right folder?", path)


def _clip(row: RawRow, platforms: Mapping[str, str]) -> Clip:
    video = row.text(VIDEO)
    try:
        check_relative_path(video)
    except ValueError as error:
        raise row.error(str(error)) from None
    name = PurePosixPath(video).stem
    platform = row.text_or_none(PLATFORM)
    values: dict[str, Any] = {
        "context": row.text_or_none("context_summary"),
        "purpose": row.text_or_none("purpose_category"),
        "platform": platforms.get(name) if platform is None else platform.strip().lower(),
        "start_frame": row.values.get("animation_start_frame"),
        "end_frame": row.values.get("animation_end_frame"),
        "regions": [_region(row, place, one) for place, one in enumerate(_optional_list(row, "ROI"))],
        "inputs": [_input(row, place, one) for place, one in enumerate(_optional_list(row, "Inputs"))],
        "effect_responses": _responses(row, "effects_human_responses"),
        "meaning_responses": _responses(row, "meaning_human_responses"),
    }
    kept = {key: value for key, value in row.values.items() if key not in FIELDS and key != PLATFORM}
    given = {key: value for key, value in values.items() if value is not None}
    return Clip.model_validate({**kept, "id": name, "video": video, **given})


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
    """One that is not there is an empty one, which a check tells of."""
    return ["" if one is None else one for one in _optional_list(row, name)]


def _video_path(root: Path, video: str) -> Path:
    places = [root / folder / video for folder in FOLDERS]
    return next((place for place in places if place.is_file()), places[0])


def _platforms(root: Path) -> tuple[dict[str, str], list[Issue]]:
    """Platforms by the names of videos. What is wrong with a table of the user's own is an error; the publisher's is
    read for what it has."""
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
        return {}, [Issue(Severity.WARNING, f"{error}; platforms are not taken from it")]


def _by_video(rows: list[RawRow]) -> dict[str, str] | None:
    """None where there are no such columns."""
    columns = {column.lower(): column for column in rows[0].values} if rows else {}
    name = next((columns[one] for one in VIDEO_COLUMNS if one in columns), None)
    if name is None or PLATFORM not in columns:
        return None
    pairs = [(str(row.values[name]).strip(), str(row.values[columns[PLATFORM]]).strip().lower()) for row in rows]
    return {PurePosixPath(video).stem: platform for video, platform in pairs if video and platform}
