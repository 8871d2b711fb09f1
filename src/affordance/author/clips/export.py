"""Clips of a project as a dataset, with what people said of them in its studies.

Of what people answered, only what is empty or was left out is missing; `study.json` beside the clips says how much that
is. Nothing of people who withdrew is in it."""

import shutil
from collections import Counter
from pathlib import Path

from affordance.author.clip_records import Recording
from affordance.author.clips.answered import Answered, answered
from affordance.author.exchange.files import file_name, write_json
from affordance.author.exchange.results import Exported, Facts
from affordance.author.project import Project, read_record
from affordance.author.records import Kind
from affordance.core.errors import UserError
from affordance.datasets import Clip, DatasetHeader, Item, write_folder

STUDY = "study.json"
_OURS = frozenset(Recording.model_fields) - frozenset(Clip.model_fields)  # what is of the project only


def write_clips(project: Project, folder: Path, facts: Facts) -> Exported:
    """Clips with a flag and those that were put aside are left out. The same project gives the same bytes."""
    told = Exported()
    said = answered(project)
    kept: dict[str, Recording] = {}
    for one in project.ledger.documents.latest(kind=Kind.CLIP):
        clip = read_record(one, Recording)
        if why := clip.left_out:
            told.omit(clip.id, f"clip {why}" if clip.aside else f"clip with {why}")
        else:
            kept[clip.id] = clip
    if not kept:
        raise UserError("expected clips that are neither flagged nor put aside, found none; nothing is written")
    (folder / "media").mkdir(parents=True)
    items: list[Item] = [_item(clip, said, project, folder, kept) for clip in kept.values()]
    header = DatasetHeader(
        format=1,
        kind="clip",
        name=facts.name,
        licence=facts.licence,
        provenance="; ".join((facts.provenance, *(one.sentence for one in said.studies))),
        synthetic=facts.synthetic or any(one.synthetic for one in said.studies),
    )
    write_folder(folder, header, items)
    if said.studies:
        write_json(folder / STUDY, {"studies": [one.told() for one in said.studies]})
    told.counts.update(_counts(items))
    told.notes += [line for one in said.studies for line in one.notes()]
    return told


def _item(clip: Recording, said: Answered, project: Project, folder: Path, kept: dict[str, Recording]) -> Clip:
    video = f"media/{file_name(clip.id)}{Path(clip.video).suffix}"
    try:
        shutil.copyfile(project.folder / clip.video, folder / video)
    except OSError as error:
        raise UserError(f"the video of the clip {clip.id} cannot be copied: {error}; put it back") from None
    known = clip.model_dump(mode="json", exclude_unset=True)
    values = {name: value for name, value in known.items() if name not in _OURS}
    for name, more in (("effect_responses", said.effects), ("meaning_responses", said.meanings)):
        if responses := [*getattr(clip, name), *more.get(clip.id, ())]:
            values[name] = responses
    if clip.id in said.purposes:
        values.pop("purpose", None)
        if (purpose := said.purposes[clip.id]) is not None:
            values["purpose"] = purpose
    if clip.links:
        values["links"] = [link.model_dump(mode="json") for link in clip.links if link.to in kept]
    return Clip.model_validate({**values, "video": video})


def _counts(items: list[Item]) -> Counter[str]:
    clips = [item for item in items if isinstance(item, Clip)]
    return Counter(
        {
            "clips": len(clips),
            "descriptions of effects": sum(len(clip.effect_responses) for clip in clips),
            "descriptions of meanings": sum(len(clip.meaning_responses) for clip in clips),
            "purposes": sum(clip.purpose is not None for clip in clips),
        }
    )
