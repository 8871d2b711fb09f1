"""Studies of clips of a project: which they are about, as those are when the study is made."""

from typing import Any

from affordance.author.clip_records import Recording
from affordance.author.project import Project, read_record
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.core.errors import UserError
from affordance.tasks.motion.clips import is_twin

PEOPLE = 10  # who describe a clip, as in AniMINT
CLIPS = 10  # that one person describes
EXPERTS = 3  # who label a clip


def survey_study(
    project: Project, name: str, *, per_item: int = PEOPLE, per_person: int | None = CLIPS, **how: Any
) -> Study:
    """What animations show and mean, in people's words; `how` are other fields of the study."""
    return Study(name=name, form="survey", per_item=per_item, per_person=per_person, items=_items(project), **how)


def purpose_study(
    project: Project, name: str, *, per_item: int = EXPERTS, per_person: int | None = None, **how: Any
) -> Study:
    """What animations are for, by experts, who label all of them unless told otherwise."""
    return Study(name=name, form="purpose", per_item=per_item, per_person=per_person, items=_items(project), **how)


def _items(project: Project) -> dict[str, int]:
    """All clips but those with a flag, those that were put aside, and those that are made of others."""
    items = {}
    for one in project.ledger.documents.latest(kind=Kind.CLIP):
        clip = read_record(one, Recording)
        if not clip.left_out and not is_twin(clip):
            items[one.subject] = one.version
    if not items:
        raise UserError("expected clips in the project that are neither flagged nor put aside, found none; add some")
    return items
