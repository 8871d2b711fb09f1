"""Import of recordings as a dataset of clips. Where and when something moves is detected, people annotate the rest."""

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory

from affordance import media
from affordance.core.digest import digest_file
from affordance.core.errors import MediaError, UserError
from affordance.core.threads import map_threads
from affordance.datasets.clips import Clip
from affordance.datasets.folder import HEADER_FILE, ITEMS_FILE, load_folder, write_folder
from affordance.datasets.items import DatasetHeader

SUFFIXES = frozenset({".mp4", ".m4v", ".mov", ".webm", ".mkv", ".gif", ".webp", ".png", ".apng"})
MEDIA = "media"
DRAFT = ".draft-"
PROVENANCE = "Own recordings; regions, start and end found by motion (`affordance data import`)"
# Fields that people fill in, in this order.
ANNOTATION_FIELDS = ("platform", "context", "inputs", "purpose", "effect_responses", "meaning_responses")


@dataclass(slots=True)
class RecordingImport:
    """What was done with the files."""

    added: list[str] = field(default_factory=list)  # ids of new items
    motionless: list[str] = field(default_factory=list)  # those of them in which nothing moves
    known: list[Path] = field(default_factory=list)  # files whose content is in the dataset already
    broken: list[MediaError] = field(default_factory=list)
    open: dict[str, int] = field(default_factory=dict)  # number of items by field that is not filled in


def import_clips(
    paths: Sequence[Path],
    folder: Path,
    name: str | None = None,
    licence: str | None = None,
    on_progress: Callable[[int, int], None] = lambda *_: None,
) -> RecordingImport:
    """Add recordings to a dataset, which is created where there is none.

    Existing items stay as they are, also where people have changed them; files are recognised by their content. Each
    clip is added as soon as it is analysed, so that an interrupted import can be resumed.
    """
    header, clips = _read_or_create(folder, name, licence)
    files = list(dict.fromkeys(recording_files(paths, folder)))
    if not files:
        raise UserError(f"expected clips ({', '.join(sorted(SUFFIXES))}), found none in {', '.join(map(str, paths))}")
    known = {digest_file(folder / clip.video) for clip in clips}
    imported = RecordingImport()
    new: dict[str, Path] = {}  # by content
    for file in files:
        content = _content_digest(file)
        if isinstance(content, MediaError):
            imported.broken.append(content)
        elif content in known or content in new:
            imported.known.append(file)
        else:
            new[content] = file
    for done, (file, found) in enumerate(
        zip(new.values(), map_threads(analyse_recording, new.values()), strict=True), 1
    ):
        on_progress(done, len(new))
        if isinstance(found, MediaError):
            imported.broken.append(found)
            continue
        clip = _clip(file, found, clips)
        clips.append(clip)
        _add_to_folder(folder, header, clips, file, clip)
        imported.added.append(clip.id)
        imported.motionless += [clip.id] if found is None else []
    unfilled = Counter(one for clip in clips for one in ANNOTATION_FIELDS if one not in clip.model_fields_set)
    imported.open = {one: unfilled[one] for one in ANNOTATION_FIELDS if unfilled[one]}
    return imported


def recording_files(paths: Iterable[Path], folder: Path) -> Iterator[Path]:
    """The files, and the clips in folders; without files of the dataset itself."""
    own = folder.resolve()
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for one in sorted(path.rglob("*")):
            if one.suffix.lower() in SUFFIXES and one.is_file() and own not in one.resolve().parents:
                if one.suffix.lower() in (".png", ".webp") and _is_still(one):
                    continue  # a screenshot next to the recordings
                yield one


def _is_still(path: Path) -> bool:
    try:
        return media.probe(path).is_still
    except MediaError:
        return False  # reported when it is analysed


def _read_or_create(folder: Path, name: str | None, licence: str | None) -> tuple[DatasetHeader, list[Clip]]:
    given = {key: value for key, value in (("name", name), ("licence", licence)) if value is not None}
    if not (folder / HEADER_FILE).is_file():
        # Leftovers of a killed import are no files of the user.
        if folder.exists() and (not folder.is_dir() or any(not _is_import_leftover(one) for one in folder.iterdir())):
            raise UserError(f"expected a dataset of clips or a new folder, found something else in {folder}")
        usual = {"name": folder.resolve().name, "licence": "unknown"}
        header = DatasetHeader(format=1, kind="clip", provenance=PROVENANCE, synthetic=False, **{**usual, **given})
        return header, []
    dataset = load_folder(folder)
    if dataset.header.kind != "clip":
        raise UserError(f"expected a dataset of clips in {folder}, found one of kind {dataset.header.kind!r}")
    clips = [item for item in dataset.items if isinstance(item, Clip)]
    return dataset.header.model_copy(update=given), clips


def _is_import_leftover(path: Path) -> bool:
    return path.is_dir() and (path.name == MEDIA or path.name.startswith(DRAFT))


def _content_digest(file: Path) -> str | MediaError:
    try:
        return digest_file(file)
    except OSError as error:
        return MediaError(f"{file}: cannot be read: {error.strerror}")


def analyse_recording(file: Path) -> media.MotionExtent | MediaError | None:
    """Find motion in a recording; None where nothing moves, the error where it is no clip."""
    try:
        if media.probe(file).is_still:
            raise MediaError(f"{file}: expected a clip, found a still image")
        return media.find_motion(file)
    except MediaError as error:
        return error


def _clip(file: Path, found: media.MotionExtent | None, others: Sequence[Clip]) -> Clip:
    """A clip named like its file, with a number where another has that name, also in other case: file systems may not
    distinguish case."""
    taken = {name.casefold() for clip in others for name in (clip.id, Path(clip.video).stem)}
    stem = re.sub(r"[^\w-]+", "-", file.stem).strip("-") or "clip"
    numbered = (f"{stem}-{number}" for number in count(2))
    name = next(one for one in chain([stem], numbered) if one.casefold() not in taken)
    values: dict[str, object] = {"id": name, "video": f"{MEDIA}/{name}{file.suffix.lower()}"}
    if found is not None:
        values |= {"regions": list(found.regions), "start_frame": found.start, "end_frame": found.end}
    return Clip.model_validate(values)


def _add_to_folder(folder: Path, header: DatasetHeader, clips: Sequence[Clip], file: Path, clip: Clip) -> None:
    """Copy the file, then replace the items as a whole: readers see all or none of the new clip."""
    try:
        (folder / MEDIA).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / clip.video)
        with TemporaryDirectory(dir=folder, prefix=DRAFT) as draft:
            write_folder(Path(draft), header, clips)
            for name in (ITEMS_FILE, HEADER_FILE):
                (Path(draft) / name).replace(folder / name)
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error.strerror}") from None
