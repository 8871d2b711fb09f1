"""How a study stands: how much is answered, by whom, and how fast."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from affordance.author.project import read_record
from affordance.author.records import Kind
from affordance.author.study_records import Seat, Study, why_excluded
from affordance.ledger import DocumentRevision, Ledger
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import excluded_answers, study_scope
from affordance.studio.security.records import moment
from affordance.studio.studies.assigning import spread
from affordance.studio.studies.opened import Opened
from affordance.studio.studies.seats import counts, held
from affordance.studio.studies.taking import answered_slots

ACTIVE = timedelta(minutes=10)  # since the last sign of life
_HOURS = 24


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who takes part, by code."""

    code: str
    person: str  # the key of who has signed in
    slots: int
    answered: int
    seconds: float | None  # the median of an answer
    state: str  # began, active, away, finished, excluded, withdrawn
    seen: str
    excluded: str


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of people and answers, for whoever reads the numbers of the study."""

    entered: int
    consented: int
    finished: int
    withdrawn: int
    excluded: int
    active: int
    reasons: dict[str, int]  # why people were excluded, and answers left out


@dataclass(frozen=True, slots=True)
class StudyStanding:
    planned: int  # slots
    answered: int
    left_out: int
    items: int
    fewest: int  # people at an item
    most: int
    people: tuple[Person, ...]
    counts: Counts
    seconds: float | None  # the median of an answer
    hours: tuple[tuple[str, int], ...]  # answers in each of the last hours, the oldest first
    complete: bool  # whether every slot is answered


def standing(ledger: Ledger, opened: Opened, now: datetime) -> StudyStanding:
    """Numbers are of what counts: without checks, what was left out, and people who withdrew or were excluded."""
    study = opened.study
    documents = ledger.documents.latest(scope=study_scope(study.name))
    seats = {seat.code: seat for one in documents if one.kind == Kind.SEAT for seat in [read_record(one, Seat)]}
    answers: dict[str, list[DocumentRevision]] = {code: [] for code in seats}
    for one in documents:
        if one.kind == Kind.ANSWER:
            answers.setdefault(str(one.document["seat"]), []).append(one)
    out = excluded_answers(documents)
    done = {code: answered_slots(opened, code, of_seat) for code, of_seat in answers.items()}
    counted = [
        one
        for code, of_seat in answers.items()
        if code in seats and counts(seats[code], study)
        for one in of_seat
        if one.subject not in out and _slot(one) in done[code] and _slot(one) in opened.slots
        if _slot(one) not in seats[code].released
    ]
    loads = spread(opened.slots.values(), held(seats, study))
    return StudyStanding(
        planned=len(opened.slots),
        answered=len(counted),
        left_out=len(out),
        items=len(loads),
        fewest=min(loads.values(), default=0),
        most=max(loads.values(), default=0),
        people=tuple(_person(study, seats[code], answers[code], done[code], now) for code in sorted(seats)),
        counts=_counts(study, list(seats.values()), list(out.values()), now),
        seconds=_median(counted),
        hours=_hours(counted, now),
        complete=len({_slot(one) for one in counted}) == len(opened.slots),
    )


def _person(study: Study, seat: Seat, answers: Sequence[DocumentRevision], done: set[str], now: datetime) -> Person:
    own = [one for one in answers if _slot(one) not in seat.checks]
    return Person(
        code=seat.code,
        person=seat.person,
        slots=len(seat.slots) - len(seat.checks),
        answered=len([slot for slot in seat.slots if slot in done and slot not in seat.checks]),
        seconds=_median(own),
        state=_state(study, seat, now),
        seen=seat.seen,
        excluded=why_excluded(seat, study),
    )


def _state(study: Study, seat: Seat, now: datetime) -> str:
    if seat.withdrawn:
        return "withdrawn"
    if why_excluded(seat, study):
        return "excluded"
    if seat.finished:
        return "finished"
    if seat.seen >= moment(now - ACTIVE):
        return "active"
    return "away" if seat.slots else "began"


def _counts(study: Study, seats: Sequence[Seat], whys: Sequence[str], now: datetime) -> Counts:
    states = Counter(_state(study, seat, now) for seat in seats)
    excluded = [why for seat in seats if not seat.withdrawn and (why := why_excluded(seat, study))]
    return Counts(
        entered=len(seats),
        consented=sum(bool(seat.consented) for seat in seats),
        finished=states["finished"],
        withdrawn=states["withdrawn"],
        excluded=states["excluded"],
        active=states["active"],
        reasons=dict(Counter([*excluded, *whys])),
    )


def _slot(one: DocumentRevision) -> str:
    return one.subject.rpartition("/")[2]


def _median(answers: Sequence[DocumentRevision]) -> float | None:
    seconds = [found for one in answers if (found := read_record(one, StudyAnswer).seconds) > 0]
    return median(seconds) if seconds else None


def _hours(answers: Sequence[DocumentRevision], now: datetime) -> tuple[tuple[str, int], ...]:
    """By when the answer was last changed."""
    begun = [moment(now - timedelta(hours=number)) for number in range(_HOURS - 1, -1, -1)]
    names = [one[:13] for one in begun]
    found = Counter(one.created[:13] for one in answers)
    return tuple((f"{name}:00", found[name]) for name in names)
