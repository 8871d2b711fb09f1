"""`init`: screens into a project, from pictures, captured screens and videos. What is there already stays."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from pydantic import ValidationError

from affordance import media
from affordance.author.project import Project, plain, taken_names
from affordance.author.records import Kind, Shot
from affordance.core.digest import digest_bytes, digest_file
from affordance.core.errors import EditConflict, MediaError, UserError
from affordance.core.media_spec import ImageSpec
from affordance.core.validation import format_validation_error
from affordance.datasets import Screen, load_collection
from affordance.datasets.folder import HEADER_FILE
from affordance.ledger import DocumentDraft

PICTURES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff"})
VIDEOS = frozenset({".mp4", ".m4v", ".mov", ".webm", ".mkv", ".gif"})
MOVING = frozenset({".gif", ".png", ".apng", ".webp"})  # pictures that may move
INIT = "init"  # who a screen is from that no person added by hand
MOST_FRAMES = 1000  # of one video
_LONGEST_NAME = 80
_MOST_BYTES = 200  # of a name in UTF-8: file systems take 255


@dataclass(frozen=True, slots=True)
class Found:
    """A screen as it was found; `still` is its picture, as a file that everybody can show."""

    name: str
    still: media.ImportedImage
    source: str
    platform: str | None = None
    captured: Screen | None = None


@dataclass(slots=True)
class Taken:
    """What became of what was given: ids of new screens, how many were known already, which are nearly equal to which,
    what was done to pictures, and what is wrong with the others."""

    added: list[str] = field(default_factory=list)
    known: int = 0
    copies: dict[str, str] = field(default_factory=dict)
    repaired: dict[str, list[str]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)


def take_in(
    project: Project,
    sources: Sequence[str],
    platform: str | None = None,
    fps: Fraction | None = Fraction(1),
    advance: Callable[[int, int], None] = lambda *_: None,
) -> Taken:
    """Add screens to a project. A picture is known by its content. Each is in the project as soon as it is written, so
    whoever is interrupted can go on. Without `fps`, videos in folders are passed over."""
    work = sources_of(sources, fps)

    def each() -> Iterator[Found | MediaError]:
        for number, read in enumerate(work):
            advance(number, len(work))
            yield from read()

    taken = add(project, each(), platform)
    advance(len(work), len(work))
    return taken


def add(
    project: Project, found: Iterable[Found | MediaError], platform: str | None = None, author: str = INIT
) -> Taken:
    """Add screens as they are found; an error among them is told as broken."""
    taken = Taken()
    shots = project.shots()
    contents = {shot.digest for shot in shots.values()}
    names = taken_names(project)
    for one in found:
        if isinstance(one, MediaError):
            taken.broken.append(str(one))
            continue
        content = digest_bytes(one.still.data)
        if content in contents:
            taken.known += 1
            continue
        contents.add(content)
        name = free_name(one.name, names, content)
        try:
            keep(project, name, one, content, platform, author)
        except EditConflict:  # somebody has added another screen of this name just now
            name = f"{name}-{content[:12]}"
            keep(project, name, one, content, platform, author)
        names.add(name.casefold())
        taken.added.append(name)
        if one.still.conversions:
            taken.repaired[name] = list(one.still.conversions)
    taken.copies = _mark_copies(project, taken.added, author)
    return taken


def sources_of(sources: Sequence[str], fps: Fraction | None = Fraction(1)) -> "list[Reader]":
    """What there is to read; a `UserError` where there is nothing."""
    found = list(_listed(sources, fps))
    if not found:
        raise UserError(f"expected screenshots, captured screens or videos, found none in {', '.join(sources)}")
    return found


Reader = Callable[[], Iterator[Found | MediaError]]


def _listed(sources: Sequence[str], fps: Fraction | None) -> Iterator[Reader]:
    """One reader for each file, and one for each dataset of screens."""
    for source in sources:
        path = Path(source)
        if path.is_dir() and not is_dataset(path):
            for file in files_in(path):
                if not (fps is None and moves(file)):
                    yield _file(file, file.relative_to(path).as_posix(), fps)
        elif path.is_file():
            yield _file(path, path.name, fps)
        elif path.is_dir() or ":" in source:
            yield _dataset(source)
        else:
            raise UserError(f"expected a picture, a video, a folder or a dataset, found nothing at {source}")


def is_dataset(folder: Path) -> bool:
    return (folder / HEADER_FILE).is_file() or any(folder.glob(f"*/{HEADER_FILE}"))


def files_in(folder: Path) -> list[Path]:
    """The pictures and videos in a folder and below it, but not in what is hidden."""
    return sorted(
        file
        for file in folder.rglob("*")
        if file.suffix.lower() in PICTURES | VIDEOS | MOVING
        and file.is_file()
        and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )


def moves(path: Path) -> bool:
    """Whether a file is a video, or a picture that moves. What cannot be read is what its name says."""
    suffix = path.suffix.lower()
    if suffix in VIDEOS - {".gif"}:
        return True
    try:
        return suffix in MOVING and not media.probe(path).is_still
    except MediaError:
        return suffix == ".gif"


def _file(path: Path, shown: str, fps: Fraction | None) -> Reader:
    def read() -> Iterator[Found | MediaError]:
        try:
            if fps is not None and path.suffix.lower() in VIDEOS and not media.probe(path).is_still:
                yield from _frames(path, shown, fps)
            else:
                yield Found(screen_name(shown), media.import_image(path), shown)
        except MediaError as error:
            yield error

    return read


def _frames(path: Path, shown: str, fps: Fraction) -> Iterator[Found | MediaError]:
    """Frames of a video by timestamp; those that nearly equal the one before are no new screen."""
    clip = media.probe(path)
    source = digest_file(path)
    times = media.sample_times(clip, fps)
    if len(times) > MOST_FRAMES:
        yield MediaError(f"{path}: {len(times)} frames at {float(fps):g} a second; the first {MOST_FRAMES} are taken")
    before: int | None = None
    for time in times[:MOST_FRAMES]:
        (data,) = media.render([ImageSpec(source, time=time)], {source: path})
        pixels = media.decode_image(data)
        print_ = media.perceptual_hash(pixels)
        if before is not None and media.near_duplicates([before, print_]):
            continue
        before = print_
        height, width = pixels.shape[:2]
        yield Found(
            f"{screen_name(shown)}-{float(time):08.2f}s",
            media.ImportedImage(data, ".png", width, height),
            f"{shown}@{time}s",
        )


def _dataset(spec: str) -> Reader:
    """Captured screens, with what the browser knows of them."""

    def read() -> Iterator[Found | MediaError]:
        data = load_collection(spec).of_kind("screen")
        if data is None:
            raise UserError(f"expected a dataset of screens, found none in {spec}")
        for item in data.items:
            if isinstance(item, Screen):
                try:
                    still = media.import_image(data.media_path(item.image))
                except MediaError as error:
                    yield error
                    continue
                captured = item if (still.width, still.height) == (item.width, item.height) else None
                yield Found(screen_name(item.id), still, f"{data.name}/{item.id}", item.platform, captured)

    return read


def keep(project: Project, name: str, one: Found, content: str, platform: str | None, author: str = INIT) -> None:
    """Write a screen into the project. The name may be somebody else's: one that leads out of the folder is refused.
    Raises `Conflict` where the name belongs to another screen by now; nothing that is there is overwritten."""
    if not name:
        raise UserError("expected a name for a screen, found none")
    image = f"media/{name}{one.still.suffix}"
    try:
        shot = Shot(
            image=image,
            digest=content,
            width=one.still.width,
            height=one.still.height,
            platform=platform or one.platform or ("mobile" if one.still.height > one.still.width else "desktop"),
            source=one.source,
            fingerprint=f"{media.perceptual_hash(media.decode_image(one.still.data)):x}",
            repairs=list(one.still.conversions),
        )
    except ValidationError as error:
        raise UserError(f"screen {name[:_LONGEST_NAME]!r}: {format_validation_error(error)}") from None
    path = project.folder / image
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.parent.resolve().is_relative_to((project.folder / "media").resolve()):
        raise UserError(f"screen {name!r}: expected a path inside the project, found one that leads out of it")
    _write_new(path, one.still.data)
    drafts = [DocumentDraft(Kind.SCREEN, name, plain(shot), author, name, based_on=0)]
    if one.captured is not None:
        drafts.append(DocumentDraft(Kind.CAPTURED, name, plain(one.captured), author, name))
    project.ledger.documents.write(drafts)


def _write_new(path: Path, data: bytes) -> None:
    """What an earlier try has left with the same content is as good."""
    try:
        with path.open("xb") as file:
            file.write(data)
    except FileExistsError:
        if path.read_bytes() != data:
            raise EditConflict(f"{path} is another picture; give the screen another name") from None


def _mark_copies(project: Project, added: Sequence[str], author: str) -> dict[str, str]:
    """Which of the new screens nearly equal another of their size; whoever was first is no copy."""
    shots = project.shots()
    new = set(added)
    by_size: dict[tuple[int, int], list[str]] = {}
    for name in (*(name for name in sorted(shots) if name not in new), *added):
        by_size.setdefault((shots[name].width, shots[name].height), []).append(name)
    found = {
        names[one]: names[other]
        for names in by_size.values()
        for one, other in media.near_duplicates([int(shots[name].fingerprint, 16) for name in names]).items()
        if names[one] in new
    }
    drafts = [
        DocumentDraft(Kind.SCREEN, name, plain(shots[name].model_copy(update={"copy_of": first})), author, name)
        for name, first in found.items()
    ]
    if drafts:
        project.ledger.documents.write(drafts)
    return found


def screen_name(shown: str) -> str:
    """A name that is good for files, databases and people."""
    stem = shown.rpartition(".")[0] if "." in shown.rpartition("/")[2] else shown
    plain_name = re.sub(r"[^\w.-]+", "-", stem).strip("-.")[:_LONGEST_NAME]
    return plain_name.encode()[:_MOST_BYTES].decode(errors="ignore") or "screen"


def free_name(name: str, taken: set[str], content: str) -> str:
    """Also where file systems do not tell capitals from small letters. `taken` are casefolded."""
    return name if name.casefold() not in taken else f"{name}-{content[:6]}"
