"""Clips into a project: recordings, and clips of datasets with what is known of them. What is there already stays."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from affordance import media
from affordance.author.clip_records import Recording
from affordance.author.project import Project, plain, read_record, taken_names
from affordance.author.recordings import analyse_recording
from affordance.author.records import Kind
from affordance.author.screens.intake import INIT, free_name, screen_name
from affordance.core.digest import digest_file
from affordance.core.errors import EditConflict, MediaError
from affordance.core.files import atomic_copy
from affordance.core.threads import map_threads
from affordance.core.validation import format_validation_error
from affordance.datasets import Clip, Dataset
from affordance.ledger import DocumentDraft

MEDIA = "media/clips"


@dataclass(frozen=True, slots=True)
class Found:
    """A clip as it was found. `known` is what is known of it besides what its file tells."""

    name: str
    file: Path
    film: media.MediaInfo
    content: str
    source: str
    known: Mapping[str, object]


@dataclass(slots=True)
class TakenClips:
    """What became of what was given: ids of new clips, how many were known already, those in which nothing moves, what
    was put right, and what is wrong with the others."""

    added: list[str] = field(default_factory=list)
    known: int = 0
    motionless: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


def take_clips(
    project: Project,
    files: Sequence[Path],
    datasets: Sequence[Dataset] = (),
    platform: str | None = None,
    advance: Callable[[int, int], None] = lambda *_: None,
) -> TakenClips:
    """Add clips to a project. A recording is known by its content, a clip of a dataset by where it is from too. Each is
    in the project as soon as it is written, so whoever is interrupted can go on."""
    taken = TakenClips()
    shelf = _Shelf(project, platform, taken)
    total = len(files) + sum(len(data.items) for data in datasets)
    for place, found in enumerate(_recordings(files, shelf), 1):
        advance(place, total)
        if found is not None:
            shelf.put(found)
            taken.motionless += [] if found.known else taken.added[-1:]
    for data in datasets:
        clips = list(_clips(data, shelf))
        ids = {str(one.known["id"]): shelf.name(one) for one in clips}
        for place, one in enumerate(clips, 1):
            advance(len(files) + place, total)
            shelf.put(one, ids)
    return taken


class _Shelf:
    """The clips of a project, and what was added to them."""

    def __init__(self, project: Project, platform: str | None, taken: TakenClips) -> None:
        self._project = project
        self._platform = platform
        self._names = taken_names(project)
        self.taken = taken
        there = [read_record(one, Recording) for one in project.ledger.documents.latest(kind=Kind.CLIP)]
        self.contents = {one.digest for one in there}
        self._ids = {(one.digest, one.source): one.id for one in there}

    def name(self, one: Found) -> str:
        """The id that a clip has, or gets; nobody else gets it then."""
        key = (one.content, one.source)
        if key not in self._ids:
            name = free_name(one.name, self._names, one.content)
            while name.casefold() in self._names:  # two clips of one video
                name += "-2"
            self._names.add(name.casefold())
            self._ids[key] = name
        return self._ids[key]

    def put(self, one: Found, ids: Mapping[str, str] | None = None) -> None:
        """Write it; `ids` are those that clips which it may be linked to have here, by those that they had."""
        name = self.name(one)
        if self._project.ledger.documents.get_many([(Kind.CLIP, name)]):
            self.taken.known += 1
            return
        video = f"{MEDIA}/{name}{one.file.suffix.lower()}"
        values: dict[str, object] = {
            **one.known,
            "id": name,
            "video": video,
            "digest": one.content,
            "width": one.film.width,
            "height": one.film.height,
            "frames": len(one.film.pts),
            "rate": str(media.frame_rate(one.film)),
            "source": one.source,
        }
        if self._platform is not None:
            values["platform"] = self._platform
        if ids is not None and (links := _links(one, ids)) is not None:
            values["links"] = links
        try:
            recording = Recording.model_validate(values)
            _copy(one.file, self._project.folder / video, one.content)
            draft = DocumentDraft(Kind.CLIP, name, plain(recording), INIT, name, based_on=0)
            self._project.ledger.documents.write([draft])
        except ValidationError as error:
            self.taken.broken.append(f"{one.source}: {format_validation_error(error)}")
        except (EditConflict, MediaError) as error:
            self.taken.broken.append(str(error))
        else:
            self.taken.added.append(name)


def _recordings(files: Sequence[Path], shelf: _Shelf) -> Iterator[Found | None]:
    """With region, start and end by what moves in them; None for each that is known, or none."""
    new: dict[str, Path] = {}
    for file in files:
        try:
            content = digest_file(file)
        except OSError as error:
            shelf.taken.broken.append(f"{file}: cannot be read: {error.strerror}")
            yield None
            continue
        if content in shelf.contents or content in new:
            shelf.taken.known += 1
            yield None
        else:
            new[content] = file
    for (content, file), moving in zip(new.items(), map_threads(analyse_recording, new.values()), strict=True):
        if isinstance(moving, MediaError):
            shelf.taken.broken.append(str(moving))
            yield None
            continue
        known: dict[str, object] = {}
        if moving is not None:
            known = {"regions": list(moving.regions), "start_frame": moving.start, "end_frame": moving.end}
        yield Found(screen_name(file.name), file, media.probe(file), content, file.name, known)


def _clips(data: Dataset, shelf: _Shelf) -> Iterator[Found]:
    for item in data.items:
        if not isinstance(item, Clip):
            continue
        source = f"{data.name}/{item.id}"
        if item.video in data.missing_media:
            shelf.taken.broken.append(f"{source}: expected the video {item.video}, found no such file; put it there")
            continue
        file = data.media_path(item.video)
        try:
            film, content = media.probe(file), digest_file(file)
            if film.is_still:
                raise MediaError(f"{file}: expected a clip, found a still image")
        except MediaError as error:
            shelf.taken.broken.append(f"{source}: {error}")
            continue
        known = {**item.model_dump(mode="json", exclude_unset=True), **_inside(item, film, source, shelf.taken)}
        yield Found(screen_name(f"{item.id}."), file, film, content, source, known)


def _inside(item: Clip, film: media.MediaInfo, source: str, taken: TakenClips) -> dict[str, object]:
    """Start and end where they are not within the video: at its end, or nowhere."""
    last = len(film.pts) - 1
    if item.start_frame is not None and item.start_frame > last:
        taken.notes.append(f"{source}: it begins at frame {item.start_frame}, after its last, {last}; left open")
        return {"start_frame": None, "end_frame": None}
    if item.end_frame is not None and item.end_frame > last:
        taken.notes.append(f"{source}: it ends at frame {item.end_frame}, after its last; taken as {last}")
        return {"end_frame": last}
    return {}


def _links(one: Found, ids: Mapping[str, str]) -> list[dict[str, object]] | None:
    """To the ids that clips have in the project; those to clips that were not taken are left out."""
    links = one.known.get("links")
    if not isinstance(links, list):
        return None
    found = ((link, ids.get(link["to"])) for link in links)
    return [{**link, "to": name} for link, name in found if name is not None]


def _copy(file: Path, path: Path, content: str) -> None:
    """As a whole or not at all. What an earlier try has left with the same content is as good."""
    try:
        if path.exists():
            if digest_file(path) != content:
                raise EditConflict(f"{path} is another video; move it away, or give the clip another name")
            return
        atomic_copy(file, path)
    except OSError as error:
        raise MediaError(f"{file}: cannot be copied to {path.parent}: {error.strerror}") from None
