"""Pairs of designs of datasets into a project, with their pictures and rationales. What is there already stays."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from affordance import media
from affordance.author.pair_files import copy_media
from affordance.author.pair_records import Designs, Reason
from affordance.author.project import Project, plain, read_record, taken_names
from affordance.author.records import Kind
from affordance.author.screens.intake import INIT, free_name, screen_name
from affordance.core.digest import digest, digest_file
from affordance.core.errors import EditConflict, MediaError
from affordance.core.validation import format_validation_error
from affordance.datasets import Dataset, DesignPair
from affordance.ledger import DocumentDraft

MEDIA = "media/pairs"


@dataclass(slots=True)
class TakenPairs:
    """What became of what was given: ids of new pairs, how many were known already, what was put right, and what is
    wrong with the others."""

    added: list[str] = field(default_factory=list)
    known: int = 0
    notes: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Found:
    """A pair as it was found, with the digests of its pictures and the id that it has here, or gets."""

    pair: DesignPair
    contents: Sequence[str]
    origin: str
    name: str
    new: bool


def take_pairs(
    project: Project, datasets: Sequence[Dataset], advance: Callable[[int, int], None] = lambda *_: None
) -> TakenPairs:
    """Add pairs to a project. A pair is known by its pictures and where it is from. Each is in the project as soon as
    it is written, so whoever is interrupted can go on."""
    taken = TakenPairs()
    names = taken_names(project)
    total, done = sum(len(data.items) for data in datasets), 0
    for data in datasets:
        there = [read_record(one, Designs) for one in project.ledger.documents.latest(kind=Kind.PAIR)]
        found = list(_found(data, {(*one.digests, one.origin): one.id for one in there}, names, taken))
        ids = {one.pair.id: one.name for one in found}
        for number, one in enumerate(found, 1):
            advance(done + number, total)
            if not one.new:
                taken.known += 1
                continue
            try:
                project.ledger.documents.write(_drafts(project.folder, data, one, ids, taken))
            except ValidationError as error:
                taken.broken.append(f"{one.origin}: {format_validation_error(error)}")
            except OSError as error:
                taken.broken.append(f"{one.origin}: its pictures cannot be taken over: {error.strerror}")
            except (EditConflict, MediaError) as error:
                taken.broken.append(f"{one.origin}: {error}")
            else:
                taken.added.append(one.name)
        done += len(data.items)
    return taken


def _found(data: Dataset, known: Mapping[tuple[str, ...], str], names: set[str], taken: TakenPairs) -> Iterator[Found]:
    """Those with both of their pictures. `names` are those that nobody else may have."""
    for item in data.items:
        if not isinstance(item, DesignPair):
            continue
        origin = f"{data.name}/{item.id}"
        if lacking := data.missing_media.intersection(item.images):
            taken.broken.append(f"{origin}: expected the picture {min(lacking)}, found no such file; put it there")
            continue
        try:
            contents = [digest_file(data.media_path(image)) for image in item.images]
        except OSError as error:
            taken.broken.append(f"{origin}: its pictures cannot be read: {error.strerror}")
            continue
        name = known.get((*contents, origin))
        new = name is None
        if name is None:
            name = free_name(screen_name(f"{item.id}."), names, digest("pair", *contents, origin))
            names.add(name.casefold())
        yield Found(item, contents, origin, name, new)


def _drafts(folder: Path, data: Dataset, one: Found, ids: Mapping[str, str], taken: TakenPairs) -> list[DocumentDraft]:
    """The pair and its rationales; `ids` are those that pairs of the dataset have here, by those that they had."""
    name = one.name
    images = [copy_media(data, image, f"{MEDIA}/{name}-{place}", folder) for place, image in enumerate(one.pair.images)]
    values: dict[str, Any] = one.pair.model_dump(mode="json", exclude_unset=True)
    rationales = values.pop("rationales", [])
    values |= _beside(folder, data, one.pair, name)
    values |= {
        "id": name,
        "images": images,
        "digests": list(one.contents),
        "sizes": [[clip.width, clip.height] for clip in (media.probe(folder / image) for image in images)],
        "origin": one.origin,
    }
    if "links" in values:
        values["links"] = [{**link, "to": ids[link["to"]]} for link in values["links"] if link["to"] in ids]
    drafts = [DocumentDraft(Kind.PAIR, name, plain(Designs.model_validate(values)), INIT, name, based_on=0)]
    for place, rationale in enumerate(rationales, 1):
        if not rationale["reason"].strip():
            taken.notes.append(f"{one.origin}: its rationale {place} gives no reason; left out")
            continue
        reason = Reason.model_validate({**rationale, "place": float(place)})
        drafts.append(DocumentDraft(Kind.RATIONALE, f"{name}/r-{place}", plain(reason), INIT, name, based_on=0))
    return drafts


def _beside(folder: Path, data: Dataset, pair: DesignPair, name: str) -> Mapping[str, object]:
    """What is kept with the pictures, as far as it is there, and where that is now."""
    places = {
        path: copy_media(data, path, f"{MEDIA}/{name}/{number}", folder)
        for number, path in enumerate(dict.fromkeys(pair.extra_files()))
        if data.media_path(path).is_file()
    }
    found: dict[str, object] = {}
    if pair.marker_removals:
        found["cleaned"] = [
            {**one.model_dump(mode="json", exclude_unset=True), **{what: places[path] for what, path in files.items()}}
            for one in pair.marker_removals
            if (files := {"original": one.original, "mask": one.mask, "before_after": one.before_after})
            and set(files.values()) <= places.keys()
        ]
    if pair.split is not None:
        cut = pair.split.model_dump(mode="json", exclude_unset=True)
        found["cut"] = {**cut, "original": places[pair.split.original]} if pair.split.original in places else None
    return found
