"""Withdrawing from a study: what a person said is erased, wherever it is in the database, and nothing of them counts.

Files that were exported before are not ours to change: whoever has them has to be told."""

import logging
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from affordance.author.project import Project, read_record
from affordance.author.records import Kind
from affordance.author.study_records import Seat, Study
from affordance.judging.judgements import redacted_judgements
from affordance.ledger import DocumentDraft, Redaction
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope
from affordance.studio.refused import Refused
from affordance.studio.security.records import moment
from affordance.studio.studies.seats import answer_subject, changed_seat, find_seat, seat_draft, subject_of
from affordance.studio.studies.writing import Current, Nothing, write_seen

Document = Mapping[str, Any]
_OF_PERSON = ("age", "gender", "external")
_IN_FILES = (
    "somebody withdrew, and what they said is erased from {}; it was in use, so its files may hold parts of that until "
    "they are written anew: run VACUUM when nobody uses it"
)
_log = logging.getLogger("affordance.studio")


def withdraw(project: Project, study: Study, code: str, author: str, now: datetime) -> Seat:
    """First nothing more is taken from them, then all is erased; `finish_withdrawals` does that where it was
    interrupted."""
    subject = subject_of(study.name, code)

    def drafts(current: Current) -> list[DocumentDraft]:
        if (there := current.get((Kind.SEAT, subject))) is None:
            raise Refused("you do not take part in this study; there is nothing to erase")
        seat = read_record(there, Seat)
        if seat.withdrawn:
            raise Nothing
        return [seat_draft(study.name, changed_seat(seat, withdrawn=moment(now)), author)]

    write_seen(project.ledger, [(Kind.SEAT, subject)], author, drafts)
    _erase(project, study.name, code, author)
    seat = find_seat(project.ledger, study.name, code)
    assert seat is not None
    return seat


def finish_withdrawals(project: Project) -> None:
    """Erase what is left of people whose withdrawal was interrupted, as by a power cut."""
    for one in project.ledger.documents.latest(kind=Kind.SEAT):
        seat, study = read_record(one, Seat), one.subject.rpartition("/")[0]
        if seat.withdrawn and _is_left(project, study, seat):
            _erase(project, study, seat.code, one.author)


def _is_left(project: Project, study: str, seat: Seat) -> bool:
    keys = [(Kind.ANSWER, answer_subject(study, seat.code, slot)) for slot in (*seat.slots, *seat.released)]
    answers = [read_record(one, StudyAnswer) for one in project.ledger.documents.get_many(keys)] if keys else []
    return any(getattr(seat, name) for name in _OF_PERSON) or not all(one.redacted for one in answers)


def _erase(project: Project, study: str, code: str, author: str) -> None:
    subject = subject_of(study, code)
    answers = [one.subject for one in project.ledger.documents.latest(scope=study_scope(study), kind=Kind.ANSWER)]
    theirs = [one for one in answers if one.startswith(f"{subject}/")]
    erased: dict[tuple[str, str], Callable[[Document], Document]] = {(Kind.SEAT, subject): _seat}
    erased |= {(Kind.ANSWER, one): _answer for one in theirs}
    erased |= {(Kind.LEFT_OUT, one): _left_out for one in theirs}
    if not project.ledger.documents.redact(Redaction(erased, author, study_scope(study), f"{code}/")):
        _log.warning("%s", _IN_FILES.format(project.ledger.location))
    _erase_texts(project)


def _erase_texts(project: Project) -> None:
    """Of studies about runs, the digests of what people said who withdrew: a short text can be guessed from one."""
    found: dict[tuple[str, str], Callable[[Document], Document]] = {}
    for one in project.ledger.documents.latest(kind=Kind.STUDY):
        study = read_record(one, Study)
        gone = redacted_judgements(project.ledger, project.ledger.find_run(study.run)) if study.texts else set()
        if left := gone.intersection(study.texts):
            found[Kind.STUDY, one.subject] = partial(_without_texts, left)
    if found:
        project.ledger.documents.redact(Redaction(found, "", "", ""))


def _without_texts(gone: Collection[str], document: Document) -> Document:
    texts = document.get("texts", {})
    return {**document, "texts": {name: text for name, text in texts.items() if name not in gone}}


def _seat(document: Document) -> Document:
    return {**document, **dict.fromkeys(_OF_PERSON, "")}


def _answer(document: Document) -> Document:
    """Which slot it was stays, and that there was something; not how long it took either, as that is of the person."""
    return {**document, "given": {}, "seconds": 0.0, "redacted": True}


def _left_out(document: Document) -> Document:
    return {**document, "why": "" if not document.get("why") else "redacted"}
