"""Where people differ, and what counts there. Whoever decides sees what was said, and not by whom."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Protocol, runtime_checkable

from affordance.author.project import Project, plain, read_record
from affordance.author.records import Kind, Region
from affordance.author.study_records import Settled, Study
from affordance.core.geometry import Box
from affordance.core.json_text import Json, canonical_json
from affordance.ledger import DocumentDraft
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope
from affordance.stats import annotator_agreement, majority_vote
from affordance.studio.edits import Edit
from affordance.studio.refused import Refused
from affordance.studio.strokes import Overtaken, Sent, save
from affordance.studio.studies.agreement import values_of
from affordance.studio.studies.given import check_given, is_complete
from affordance.studio.studies.opened import Opened
from affordance.studio.studies.sources.boxes import screen_of

LEAST_OVERLAP = 0.5  # mean intersection over union of the boxes of an item that are taken as the same
LONGEST_NOTE = 2000
_BOX = "box"
_LABELS = ("purpose", "option")  # measures of which one can be given instead of what people said
MEASURES = frozenset({_BOX, *_LABELS})


@runtime_checkable
class Drawn(Protocol):
    """A source of boxes that are there already."""

    def there(self, item: str) -> Box: ...


@dataclass(frozen=True, slots=True)
class Said:
    """What several people said of an item, without who they are."""

    given: Mapping[str, Any]
    people: int
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Disputed:
    """`overlap` is that of boxes; None for labels. `slot` is one of the item, by which it is shown."""

    item: str
    slot: str
    said: tuple[Said, ...]
    overlap: float | None
    settled: Settled | None


def is_blind(study: Study) -> bool:
    """Whether nobody is told what people answer, until the study is closed."""
    return study.form == "preference" and not study.closed


def check_told(study: Study) -> None:
    """Raises `Refused` while nobody is told what people answer."""
    if is_blind(study):
        raise Refused("what people prefer is told when the study is closed; close it first")


def disputed(project: Project, opened: Opened, answers: Sequence[StudyAnswer]) -> list[Disputed]:
    """Items where no answer is that of more than half of the people who are to be asked, or whose boxes overlap too
    little; those that were settled are among them. While a study is open, an item waits for all its answers.
    `answers` are those that count."""
    if is_blind(opened.study):
        return []
    values = values_of(opened, list(answers))
    by_item: dict[str, list[StudyAnswer]] = {}
    for one in answers:
        if one.slot in opened.slots:
            by_item.setdefault(one.item, []).append(one)
    settled = settled_items(project, opened.study.name)
    slots = {slot.item: slot.id for slot in reversed(list(opened.slots.values()))}
    found = []
    for item, given in sorted(by_item.items()):
        differ, overlap = _differ(values[item], opened.study)
        if differ or item in settled:
            found.append(Disputed(item, slots[item], _said(given), overlap, settled.get(item)))
    return found


def settled_items(project: Project, study: str) -> dict[str, Settled]:
    documents = project.ledger.documents.latest(scope=study_scope(study), kind=Kind.SETTLED)
    found = {one.subject.removeprefix(f"{study}/"): read_record(one, Settled) for one in documents}
    return {item: one for item, one in found.items() if not one.gone}


def overlap_with_there(opened: Opened, answers: Sequence[StudyAnswer]) -> tuple[float, int] | None:
    """How far the boxes that people drew overlap with those that were there: the mean over items, and their number."""
    if not isinstance(source := opened.source, Drawn):
        return None
    means = []
    for item, people in values_of(opened, list(answers)).items():
        boxes = [one[_BOX] for one in people.values() if isinstance(one.get(_BOX), list)]
        there = source.there(item)
        if boxes:
            means.append(fmean(there.iou(Box(there.space, *_numbers(box))) for box in boxes))
    return (fmean(means), len(means)) if means else None


def settle(project: Project, opened: Opened, item: str, given: Mapping[str, Any], note: str, author: str) -> None:
    """What counts for an item from now on. Raises `Refused`."""
    slot = next((one.id for one in opened.slots.values() if one.item == item), None)
    if slot is None:
        raise Refused(f"the study {opened.study.name} has no item {item[:80]!r}; load the page again")
    check_told(opened.study)
    form = opened.form(slot, "")
    check_given(form, given)
    if not is_complete(form, given) or not MEASURES & set(opened.source.values(given, opened.slots[slot])):
        raise Refused("expected one of the options, or a box; found nothing that could count")
    if len(note) > LONGEST_NOTE:
        raise Refused(f"expected a note of at most {LONGEST_NOTE:,} characters, found {len(note):,}")
    _write(project, opened.study.name, item, Settled(given=dict(given), note=note.strip(), gone=False), author)


def unsettle(project: Project, study: str, item: str, author: str) -> None:
    """What people said counts again."""
    if (there := settled_items(project, study).get(item)) is None:
        raise Refused(f"nothing was settled for {item[:80]!r}; load the page again")
    _write(project, study, item, Settled(given=there.given, note=there.note, gone=True), author)


def redraw(project: Project, item: str, given: Mapping[str, Any], author: str) -> None:
    """Write a settled box as the box of its region, as a person would on the page of boxes. Raises `Refused`."""
    screen = screen_of(item)
    found = project.ledger.documents.get_many([(Kind.REGION, item)])
    if not found or read_record(found[0], Region).gone:
        raise Refused(f"the region {item[:80]} was deleted; expected one that is there")
    if found[0].document.get("box") == given[_BOX]:
        return
    name = item.removeprefix(f"{screen}/")
    edit = Edit(kind=Kind.REGION, name=name, after=found[0].version, set={"box": given[_BOX]})
    try:
        save(project, author, Sent(screen=screen, key=secrets.token_hex(16), edits=[edit]))
    except Overtaken as error:
        raise Refused(f"{error}; try again") from None


def _write(project: Project, study: str, item: str, settled: Settled, author: str) -> None:
    project.ledger.documents.write(
        [DocumentDraft(Kind.SETTLED, f"{study}/{item}", plain(settled), author, study_scope(study))]
    )


def _differ(people: Mapping[str, Mapping[str, Json]], study: Study) -> tuple[bool, float | None]:
    """Whether they do, and how far boxes overlap."""
    measure = next((name for values in people.values() for name in values if name in MEASURES), None)
    if measure is None:
        return False, None
    given = {person: values[measure] for person, values in people.items() if measure in values}
    missing = max(0, study.per_item - len(given))
    whole = not missing or study.closed
    if measure == _BOX:
        overlap = annotator_agreement({"": {person: {_BOX: box} for person, box in given.items()}})[0].iou
        return whole and overlap is not None and overlap < LEAST_OVERLAP, overlap
    voted = majority_vote([*map(str, given.values()), *[None] * missing])  # as what is exported counts them
    return whole and voted.label is None, None


def _said(answers: list[StudyAnswer]) -> tuple[Said, ...]:
    """What was said most often comes first; else in an order that says nothing of people."""
    found: dict[str, list[StudyAnswer]] = {}
    for one in answers:
        found.setdefault(canonical_json(_answer(one)), []).append(one)
    groups = sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return tuple(Said(_answer(of[0]), len(of), tuple(sorted(filter(None, map(_reason, of))))) for _, of in groups)


def _answer(one: StudyAnswer) -> dict[str, Any]:
    return {name: value for name, value in one.given.items() if name != "reason"}


def _reason(one: StudyAnswer) -> str:
    return str(one.given.get("reason", "")).strip()


def _numbers(value: Json) -> list[float]:
    assert isinstance(value, list)
    return [float(one) for one in value if isinstance(one, int | float)]
