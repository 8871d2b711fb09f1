"""Taking part: a seat, what comes before the first question, answers, and the end."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from affordance.author.project import Project, plain, read_record
from affordance.author.records import Kind
from affordance.author.study_records import Seat, Study, why_excluded
from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.ledger import BatchKey, DocumentDraft, DocumentRevision, SavedBatch
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope
from affordance.studio.edits import Edit, check_values
from affordance.studio.refused import Refused
from affordance.studio.security.records import STUDIO, moment
from affordance.studio.strokes import Sent
from affordance.studio.studies.assigning import CHECK, assign, with_checks
from affordance.studio.studies.checks import passed
from affordance.studio.studies.given import check_given, is_complete
from affordance.studio.studies.opened import Opened
from affordance.studio.studies.seats import (
    Seats,
    all_seats,
    answer_subject,
    changed_seat,
    find_seat,
    held,
    is_away,
    released,
    same_person,
    seat_draft,
    seats_in,
    subject_of,
)
from affordance.studio.studies.writing import Current, Nothing, write_all_seen, write_once, write_seen

MOST_SECONDS = 86_400.0
_SIGN_OF_LIFE = timedelta(minutes=1)  # how exact it is known when somebody was last here
_FIELDS = frozenset({"given", "seconds"})


class Full(UserError):
    def __init__(self) -> None:
        super().__init__("this study has all the people that it needs; thank you for your interest")


def enter(project: Project, opened: Opened, new: Seat, now: datetime) -> Seat:
    """The seat of this code; or that of the same person, by their id at a recruiting service; or else this new one.
    Where people are asked to agree, it is without that id, which `agree` keeps. Raises `Full` where there is nothing
    left for somebody new."""
    taken: list[Seat] = []

    def drafts(current: Current) -> list[DocumentDraft]:
        seats = seats_in(current.values())
        there = seats.get(new.code) or same_person(seats, new.external)
        if there is not None:
            taken.append(there)
            raise Nothing
        _check_open(current, opened.study.name)
        if not _for(opened, {**seats, **_freed(opened, seats, current, now)}, new):
            raise Full
        taken.append(changed_seat(new, seen=moment(now), external="" if opened.study.consent else new.external))
        return [seat_draft(opened.study.name, taken[-1])]

    write_all_seen(project.ledger, opened.study.name, _keys(project, opened.study, now), STUDIO, drafts)
    return taken[-1]


def agree(project: Project, opened: Opened, code: str, external: str, author: str, now: datetime) -> Seat:
    """The seat of somebody who has just agreed, with their id at a recruiting service."""

    def change(seat: Seat, seats: Seats) -> Mapping[str, Any]:
        known = seat.external or external
        if (same := same_person(seats, known)) is not None and same.code != code:
            raise Refused(
                "you have begun this study before, in another browser; open its link once more to go on there"
            )
        return {"consented": seat.consented or moment(now), "external": known}

    return go_on(project, opened, code, author, now, change)


def go_on(
    project: Project,
    opened: Opened,
    code: str,
    author: str,
    now: datetime,
    change: Callable[[Seat, Seats], Mapping[str, Any]] = lambda *_: {},
) -> Seat:
    """The seat after a change to it, which is told of the seat and all others; with slots as soon as all is said that
    comes before them. Those that went to somebody else are replaced where others are free."""
    study = opened.study
    after: list[Seat] = []

    def drafts(current: Current) -> list[DocumentDraft]:
        seats = seats_in(current.values())
        seat = _seat(seats.get(code))
        _check_open(current, study.name)
        _check_may_answer(seat, ())
        freed = {name: one for name, one in _freed(opened, seats, current, now).items() if name != code}
        changed = changed_seat(seat, seen=moment(now), **change(seat, seats))
        if not study.consent or changed.consented:
            changed = _with_slots(opened, {**seats, **freed}, changed)
        after.append(changed)
        given = set(changed.slots) - set(seat.slots)
        others = [one for one in seats.values() if not (one.code == code or one.withdrawn or one.excluded)]
        losing = [one for one in others if given.intersection(one.slots)]
        let_go = [released(one, set(one.slots) - given) for one in losing]
        return [seat_draft(study.name, changed, author), *(seat_draft(study.name, one) for one in let_go)]

    write_all_seen(project.ledger, study.name, _keys(project, study, now), author, drafts)
    return after[-1]


def may_have_more(project: Project, opened: Opened, seat: Seat, now: datetime) -> bool:
    """Whether there is something for the seat that it has not got, or it is time for a sign of life."""
    if _is_old(seat, now):
        return True
    if seat.finished or _wanted(opened, seat) == 0 or (opened.study.consent and not seat.consented):
        return False
    return bool(_for(opened, all_seats(project.ledger, opened.study.name), seat))


def save_answers(project: Project, opened: Opened, code: str, author: str, sent: Sent, now: datetime) -> SavedBatch:
    """Saved once, however often it is sent; the last one counts. Raises `Refused`."""
    study = opened.study
    slots = [_slot_of(edit, code) for edit in sent.edits]
    if len(set(slots)) < len(slots):
        raise Refused("expected one edit for each answer, found two of one")
    for slot, edit in zip(slots, sent.edits, strict=True):
        _check(opened, slot, code, edit)
    checks = _checks(study) if any(slot.startswith(CHECK) for slot in slots) else []
    done: list[Json] = [[edit.name, edit.set] for edit in sent.edits]
    stroke = BatchKey(sent.key, author, digest("answers", sent.screen, done))

    def drafts(current: Current) -> list[DocumentDraft]:
        _check_open(current, study.name)
        seat = _seat(_record(current, Kind.SEAT, subject_of(study.name, code), Seat))
        _check_may_answer(seat, slots)
        given = {slot: edit.set["given"] for slot, edit in zip(slots, sent.edits, strict=True)}
        found = [
            _answer_draft(opened, code, slot, edit, current, author)
            for slot, edit in zip(slots, sent.edits, strict=True)
        ]
        wrong = _wrong(opened, seat, {**_given(study, seat, current), **given}) if checks else seat.wrong
        if wrong == seat.wrong and not _is_old(seat, now):
            return found
        return [*found, seat_draft(study.name, changed_seat(seat, seen=moment(now), wrong=wrong))]

    keys = [(Kind.STUDY, study.name), (Kind.SEAT, subject_of(study.name, code))]
    keys += [(Kind.ANSWER, answer_subject(study.name, code, slot)) for slot in dict.fromkeys([*slots, *checks])]
    saved = write_once(project.ledger, stroke, keys, drafts)
    if saved.batch != stroke:
        raise Refused("the key of this answer was used for another one; expected a new key for each")
    return saved


def finish(project: Project, opened: Opened, code: str, author: str, now: datetime) -> Seat:
    """Raises `Refused` while something is left to answer, and once the study is closed. Who did not read is excluded,
    and their slots are free."""
    study = opened.study
    after: list[Seat] = []

    def drafts(current: Current) -> list[DocumentDraft]:
        seat = _seat(_record(current, Kind.SEAT, subject_of(study.name, code), Seat))
        if seat.finished:
            after.append(seat)
            raise Nothing
        _check_open(current, study.name)
        _check_may_answer(seat, ())
        answered = answered_slots(opened, code, current.values())
        left = [slot for slot in seat.slots if opened.has(slot) and slot not in answered]
        if left or not seat.slots:
            raise Refused(f"expected an answer to each of the {len(seat.slots)}, found {len(left)} without one")
        counted = changed_seat(seat, wrong=_wrong(opened, seat, _given(study, seat, current)))
        why = why_excluded(counted, study)
        after.append(changed_seat(counted, finished=moment(now), seen=moment(now), excluded=why))
        return [seat_draft(study.name, after[-1], author)]

    seat = _seat(find_seat(project.ledger, study.name, code))
    keys = [(Kind.STUDY, study.name), (Kind.SEAT, subject_of(study.name, code))]
    keys += [(Kind.ANSWER, answer_subject(study.name, code, slot)) for slot in seat.slots]
    write_seen(project.ledger, keys, author, drafts)
    return after[-1]


def answers_of(project: Project, study: str, seat: Seat) -> list[DocumentRevision]:
    keys = [(str(Kind.ANSWER), answer_subject(study, seat.code, slot)) for slot in seat.slots]
    return project.ledger.documents.get_many(keys) if keys else []


def answered_slots(opened: Opened, code: str, revisions: Iterable[DocumentRevision]) -> set[str]:
    """Those with an answer in which nothing is missing."""
    answers = [read_record(one, StudyAnswer) for one in revisions if one.kind == Kind.ANSWER]
    there = [one for one in answers if one.given and opened.has(one.slot)]
    return {one.slot for one in there if is_complete(opened.form(one.slot, code), one.given)}


def _check(opened: Opened, slot: str, code: str, edit: Edit) -> None:
    check_values(edit)
    given, seconds = edit.set.get("given"), edit.set.get("seconds", 0)
    if unknown := sorted(set(edit.set) - _FIELDS):
        raise Refused(f"an answer has given and seconds, found {unknown[0][:40]!r}")
    if not isinstance(given, dict):
        raise Refused("expected what was given as an object, found something else")
    if type(seconds) not in (int, float) or not 0 <= seconds <= MOST_SECONDS:
        raise Refused(f"expected seconds from 0 to {MOST_SECONDS:,.0f}, found {str(seconds)[:40]}")
    check_given(opened.form(slot, code), given)


def _slot_of(edit: Edit, code: str) -> str:
    """The name of an edit is SEAT/SLOT."""
    seat, _, slot = edit.name.partition("/")
    if edit.kind is not Kind.ANSWER or seat != code:
        raise Refused("expected an answer of your own seat, found something else; load the page again")
    return slot


def _answer_draft(opened: Opened, code: str, slot: str, edit: Edit, current: Current, author: str) -> DocumentDraft:
    of = opened.slots.get(slot)
    subject = answer_subject(opened.study.name, code, slot)
    before = _record(current, Kind.ANSWER, subject, StudyAnswer)
    answer = StudyAnswer(
        seat=code,
        slot=slot,
        item=slot if of is None else of.item,
        question="" if of is None else of.question,
        trial=0 if of is None else of.trial,
        given=edit.set["given"],
        seconds=float(edit.set.get("seconds", 0 if before is None else before.seconds)),
        check=slot.startswith(CHECK),
    )
    return DocumentDraft(Kind.ANSWER, subject, plain(answer), author, study_scope(opened.study.name))


def _checks(study: Study) -> list[str]:
    """All attention checks that a person may have."""
    return [f"{CHECK}{number}" for number in range(1, study.checks + 1)]


def _given(study: Study, seat: Seat, current: Current) -> dict[str, Mapping[str, Any]]:
    """What somebody has answered to attention checks so far."""
    subjects = {check: answer_subject(study.name, seat.code, check) for check in seat.checks}
    answers = {check: _record(current, Kind.ANSWER, subject, StudyAnswer) for check, subject in subjects.items()}
    return {check: answer.given for check, answer in answers.items() if answer is not None}


def _wrong(opened: Opened, seat: Seat, given: Mapping[str, Mapping[str, Any]]) -> int:
    """How many attention checks are wrong, of those with an answer in which nothing is missing."""
    forms = {check: opened.form(check, seat.code) for check in seat.checks if check in given}
    whole = {check: form for check, form in forms.items() if is_complete(form, given[check])}
    seed = opened.study.seed
    return sum(not passed(form, given[check], check, seat.code, seed) for check, form in whole.items())


def _check_open(current: Current, study: str) -> None:
    """Raises where nothing more is taken. A study that was asked for is there: it is never deleted."""
    if (found := current.get((Kind.STUDY, study))) is not None and found.document.get("closed"):
        raise Refused("this study is closed; nothing more can be answered")


def _check_may_answer(seat: Seat, slots: Sequence[str]) -> None:
    if seat.withdrawn:
        raise Refused("you have withdrawn from this study; nothing more is kept of you")
    if seat.finished:
        raise Refused("you have said that you are done; answers cannot be changed any more")
    for slot in slots:
        if slot in seat.released:
            raise Refused("this question went to somebody else in the meantime; go on with the next one")
        if slot not in seat.slots:
            raise Refused("this question is not one of yours; load the page again")


def _seat(seat: Seat | None) -> Seat:
    if seat is None:
        raise Refused("you do not take part in this study; open the link that you were given")
    return seat


def _record(current: Current, kind: Kind, subject: str, record: Any) -> Any:
    found = current.get((kind, subject))
    return None if found is None else read_record(found, record)


def _is_old(seat: Seat, now: datetime) -> bool:
    return not seat.finished and not seat.withdrawn and seat.seen <= moment(now - _SIGN_OF_LIFE)


def _keys(project: Project, study: Study, now: datetime) -> list[tuple[str, str]]:
    """The study, and all that those may have answered who have been away for long."""
    seats = all_seats(project.ledger, study.name).values()
    away = [one for one in seats if is_away(one, study, now)]
    answers = [(Kind.ANSWER, answer_subject(study.name, one.code, slot)) for one in away for slot in one.slots]
    return [(Kind.STUDY, study.name), *answers]


def _freed(opened: Opened, seats: Seats, current: Current, now: datetime) -> dict[str, Seat]:
    """Those who have been away for long, with only the slots that they have answered, and wholly."""
    found = {}
    for code, seat in seats.items():
        if is_away(seat, opened.study, now):
            keys = [(Kind.ANSWER, answer_subject(opened.study.name, code, slot)) for slot in seat.slots]
            answers = [current[key] for key in keys if key in current]
            found[code] = released(seat, answered_slots(opened, code, answers))
    return found


def _wanted(opened: Opened, seat: Seat) -> int:
    """How many slots a seat lacks."""
    has = len(seat.slots) - len(seat.checks)
    return max(0, min(opened.study.per_person or len(opened.items), len(opened.items)) - has)


def _for(opened: Opened, seats: Seats, seat: Seat) -> list[str]:
    """Slots that a seat could have besides its own."""
    taken = {slot for of_seat in held(seats, opened.study).values() for slot in of_seat}
    return assign(
        list(opened.slots.values()), taken, seat.code, _wanted(opened, seat), opened.study.seed, own=seat.slots
    )


def _with_slots(opened: Opened, seats: Seats, seat: Seat) -> Seat:
    more = _for(opened, seats, seat)
    if not more:
        return seat
    study = opened.study
    back = [slot for slot in seat.released if slot not in more]
    if seat.slots:
        return changed_seat(seat, slots=[*seat.slots, *more], released=back)
    slots, checks = with_checks(more, seat.code, study.checks, study.seed)
    return changed_seat(seat, slots=slots, checks=checks, released=back)
