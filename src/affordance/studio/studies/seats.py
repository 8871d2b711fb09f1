"""Seats: who takes part in a study, and which slots they hold."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from affordance.author.project import PERSON, plain, read_record
from affordance.author.records import Kind
from affordance.author.study_records import Seat, Study, why_excluded
from affordance.core.digest import digest
from affordance.ledger import DocumentDraft, DocumentRevision, Ledger
from affordance.models.study_documents import study_scope
from affordance.studio.security.records import STUDIO, moment
from affordance.studio.security.rights import Role
from affordance.studio.security.visitors import Visitor
from affordance.studio.studies.codes import LENGTH, code_in, name_in

Seats = Mapping[str, Seat]  # by code


def code_of(study: str, visitor: Visitor) -> str:
    """Everybody has one of their own in each study."""
    if visitor.role is Role.PARTICIPANT:
        return code_in(study, visitor.name)
    return digest("seat", study, visitor.key)[:LENGTH]


def author_of(study: str, visitor: Visitor) -> str:
    """Who writes, as revisions of a study name them: participants by code."""
    return f"{PERSON}{name_in(study, visitor.name)}" if visitor.role is Role.PARTICIPANT else visitor.author


def subject_of(study: str, code: str) -> str:
    return f"{study}/{code}"


def answer_subject(study: str, code: str, slot: str) -> str:
    return f"{study}/{code}/{slot}"


def find_seat(ledger: Ledger, study: str, code: str) -> Seat | None:
    found = ledger.documents.get_many([(Kind.SEAT, subject_of(study, code))])
    return read_record(found[0], Seat) if found else None


def all_seats(ledger: Ledger, study: str) -> Seats:
    return seats_in(ledger.documents.latest(scope=study_scope(study), kind=Kind.SEAT))


def seats_in(revisions: Iterable[DocumentRevision]) -> Seats:
    seats = (read_record(one, Seat) for one in revisions if one.kind == Kind.SEAT)
    return {seat.code: seat for seat in seats}


def same_person(seats: Seats, external: str) -> Seat | None:
    """The seat of somebody by their id at a recruiting service."""
    same = (one for one in seats.values() if external and one.external == external and not one.withdrawn)
    return next(same, None)


def counts(seat: Seat, study: Study) -> bool:
    """Whether what they answered is part of the study."""
    return not seat.withdrawn and not why_excluded(seat, study)


def held(seats: Seats, study: Study) -> dict[str, Sequence[str]]:
    """The slots of each seat that counts."""
    return {code: seat.slots for code, seat in seats.items() if counts(seat, study)}


def is_away(seat: Seat, study: Study, now: datetime) -> bool:
    """Whether there was no sign of life for so long that what they have not answered may go to somebody else."""
    since = moment(now - timedelta(hours=study.hold_hours))
    return counts(seat, study) and not seat.finished and bool(seat.slots) and seat.seen < since


def released(seat: Seat, kept: Iterable[str]) -> Seat:
    """Without the slots that are not kept. Attention checks stay."""
    stay = {*kept, *seat.checks}
    gone = [slot for slot in seat.slots if slot not in stay]
    return changed_seat(
        seat, slots=[slot for slot in seat.slots if slot in stay], released=[*dict.fromkeys([*seat.released, *gone])]
    )


def changed_seat(seat: Seat, **values: Any) -> Seat:
    return Seat.model_validate({**plain(seat), **values})


def seat_draft(study: str, seat: Seat, author: str = STUDIO) -> DocumentDraft:
    return DocumentDraft(Kind.SEAT, subject_of(study, seat.code), plain(seat), author, study_scope(study))
