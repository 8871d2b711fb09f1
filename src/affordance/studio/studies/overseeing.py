"""A study as whoever is in charge of it sees it: how it stands, by code and never by name, and what was answered."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from affordance.author.project import Project, plain, read_record
from affordance.author.records import Kind
from affordance.author.study_records import LeftOut, Seat, why_excluded
from affordance.core.errors import EditConflict
from affordance.ledger import DocumentDraft, DocumentRevision
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope, valid_answers
from affordance.stats import annotator_agreement
from affordance.studio.refused import Refused
from affordance.studio.studies.adjudicating import check_told, disputed, is_blind, overlap_with_there
from affordance.studio.studies.agreement import values_of
from affordance.studio.studies.forms import AnswerForm, ChoiceForm, TagsForm, WordsForm
from affordance.studio.studies.opened import Opened, Studies
from affordance.studio.studies.seats import all_seats, answer_subject
from affordance.studio.studies.standing import standing

WHYS = ("empty", "inappropriate")  # for which an answer is left out, and for nothing else
PAGE = 50  # answers on a page
Show = Literal["all", "counted", "out", "short"]
_SHORT = 12  # characters of all texts of an answer, which may be worth a look


@dataclass(frozen=True, slots=True)
class Looked:
    """One answer, by the code of who gave it. `texts` are what they wrote, by label; `why` it does not count, where
    somebody said so; `excluded` is why nothing counts of who gave it."""

    seat: str
    slot: str
    item: str
    texts: tuple[tuple[str, str], ...]
    chosen: str
    seconds: float
    created: str
    why: str
    excluded: str
    may_leave: bool


@dataclass(frozen=True, slots=True)
class Answers:
    """Those of one page; `found` is how many there are on all."""

    rows: tuple[Looked, ...]
    found: int
    page: int
    pages: int


def live(project: Project, opened: Opened, now: datetime) -> dict[str, Any]:
    """All that changes while people answer."""
    study, found = opened.study, standing(project.ledger, opened, now)
    blind = is_blind(study)
    seats = all_seats(project.ledger, study.name)
    people = [
        {
            **{
                name: getattr(one, name)
                for name in ("code", "state", "slots", "answered", "seconds", "seen", "excluded")
            },
            "released": len(seats[one.code].released) if one.code in seats else 0,
        }
        for one in found.people
    ]
    answers = valid_answers(project.ledger, study.name)
    there = None if blind else overlap_with_there(opened, answers)
    differ = disputed(project, opened, answers)
    return {
        **{name: getattr(found, name) for name in ("planned", "answered", "left_out", "fewest", "most", "complete")},
        "seconds": found.seconds,
        "hours": found.hours,
        "counts": asdict(found.counts),
        "people": people,
        "per_item": study.per_item,
        "coverage": _coverage(opened, answers),
        "blind": blind,
        "agreement": [] if blind else [asdict(one) for one in annotator_agreement(values_of(opened, answers))],
        "there": None if there is None else {"iou": there[0], "items": there[1]},
        "disputed": sum(one.settled is None for one in differ),
        "settled": sum(one.settled is not None for one in differ),
    }


def _coverage(opened: Opened, answers: Sequence[StudyAnswer]) -> list[tuple[str, int]]:
    """How many answers count for each item."""
    answered = Counter(one.item for one in answers if one.slot in opened.slots)
    return [(item, answered[item]) for item in dict.fromkeys(slot.item for slot in opened.slots.values())]


def look(project: Project, opened: Opened, *, show: Show = "all", search: str = "", page: int = 1) -> Answers:
    """Answers by item, without attention checks and what was redacted. `short` are those that say little."""
    check_told(opened.study)
    documents = project.ledger.documents.latest(scope=study_scope(opened.study.name))
    seats = {seat.code: seat for one in documents if one.kind == Kind.SEAT for seat in [read_record(one, Seat)]}
    out = {one.subject: read_record(one, LeftOut).why for one in documents if one.kind == Kind.LEFT_OUT}
    rows = [row for row in _rows(opened, documents, seats, out) if _shown(row, show) and _fits(row, search)]
    pages = max(1, -(-len(rows) // PAGE))
    at = min(max(page, 1), pages)
    return Answers(tuple(rows[(at - 1) * PAGE : at * PAGE]), len(rows), at, pages)


def leave_out(project: Project, opened: Opened, seat: str, slot: str, why: str, author: str) -> None:
    """Say that an answer in words does not count, or with an empty reason that it does again. Raises `Refused`."""
    if why and why not in WHYS:
        raise Refused(f"expected {' or '.join(WHYS)} as the reason, found {why[:40]!r}; nothing else is left out")
    check_told(opened.study)
    name = opened.study.name
    subject = answer_subject(name, seat, slot)
    found = {
        one.kind: one for one in project.ledger.documents.get_many([(Kind.ANSWER, subject), (Kind.LEFT_OUT, subject)])
    }
    answer = read_record(found[Kind.ANSWER], StudyAnswer) if Kind.ANSWER in found else None
    if answer is None or answer.redacted or answer.check or slot not in opened.slots:
        raise Refused("there is no such answer any more; load the page again")
    if why and not _in_words(opened.form(slot, seat)):
        raise Refused("only answers in words are left out; those that are chosen all count")
    version = found[Kind.LEFT_OUT].version if Kind.LEFT_OUT in found else 0
    draft = DocumentDraft(Kind.LEFT_OUT, subject, plain(LeftOut(why=why)), author, study_scope(name), version)
    try:
        project.ledger.documents.write([draft])
    except EditConflict:
        raise Refused("somebody else has just decided about this answer; load the page again") from None


def change_study(studies: Studies, name: str, author: str, **values: Any) -> None:
    """Other values of what may change with time. Raises `Refused` where somebody else was first."""
    there = studies.revision(name)
    document = {**there.document, **values}
    if document == there.document:
        return
    try:
        studies.project.ledger.documents.write(
            [DocumentDraft(Kind.STUDY, name, document, author, study_scope(name), there.version)]
        )
    except EditConflict:
        raise Refused("somebody else has just changed this study; load the page again") from None


def _rows(
    opened: Opened, documents: Iterable[DocumentRevision], seats: Mapping[str, Seat], out: Mapping[str, str]
) -> list[Looked]:
    found = []
    for one in documents:
        if one.kind != Kind.ANSWER:
            continue
        answer = read_record(one, StudyAnswer)
        seat = seats.get(answer.seat)
        if answer.check or answer.redacted or answer.slot not in opened.slots or seat is None:
            continue
        if seat.withdrawn or answer.slot in seat.released:
            continue
        excluded = why_excluded(seat, opened.study)
        form = opened.form(answer.slot, answer.seat)
        found.append(
            Looked(
                seat=answer.seat,
                slot=answer.slot,
                item=answer.item,
                texts=_texts(form, answer.given),
                chosen=_chosen(form, answer.given),
                seconds=answer.seconds,
                created=one.created,
                why=out.get(one.subject, ""),
                excluded=excluded,
                may_leave=not excluded and _in_words(form),
            )
        )
    return sorted(found, key=lambda row: (row.item, row.slot, row.seat))


def _in_words(form: AnswerForm) -> bool:
    """Whether what is answered are words alone; what was chosen is never left out."""
    return isinstance(form, WordsForm | TagsForm)


def _texts(form: AnswerForm, given: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    match form:
        case WordsForm(fields):
            return tuple((field.label, str(given.get(field.name, ""))) for field in fields)
        case TagsForm():
            return (("Tags", ", ".join(map(str, given.get("tags", [])))), ("Note", str(given.get("note", ""))))
        case ChoiceForm(reason=reason) if reason and given.get("reason"):
            return ((reason, str(given["reason"])),)
    return ()


def _chosen(form: AnswerForm, given: Mapping[str, Any]) -> str:
    """What was not written, in a few words."""
    if isinstance(form, ChoiceForm):
        labels = {option.name: option.label for option in form.options}
        names = given.get("options", [given["option"]] if "option" in given else [])
        return ", ".join(labels.get(name, str(name)) for name in names)
    if "box" in given:
        return "box " + ", ".join(f"{number:.0f}" for number in given["box"]["xyxy"])
    if "point" in given:
        return "point " + ", ".join(f"{number:.0f}" for number in given["point"]["xy"])
    if "yes" in given:
        return "yes" if given["yes"] else "no"
    if given.get("absent"):
        return "not there"
    return str(given.get("side", given.get("score", "")))


def _shown(row: Looked, show: Show) -> bool:
    length = sum(len(text.strip()) for _, text in row.texts)
    match show:
        case "counted":
            return not (row.why or row.excluded)
        case "out":
            return bool(row.why or row.excluded)
        case "short":
            return bool(row.texts) and not row.chosen and length < _SHORT
    return True


def _fits(row: Looked, search: str) -> bool:
    words = search.casefold().split()
    text = " ".join([row.item, row.seat, row.chosen, *(text for _, text in row.texts)]).casefold()
    return all(word in text for word in words)
