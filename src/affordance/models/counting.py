"""Which answers of a study count."""

from collections.abc import Sequence

from pydantic import Field

from affordance.datasets.parts import Strict
from affordance.ledger import Ledger, Revision
from affordance.models.answers import ANSWER, Answer, place_of

STUDY, SEAT, LEFT_OUT = "study", "seat", "left out"  # kinds of documents; those of a study belong to its place


class _Study(Strict):
    """Of a study, what matters here."""

    wrong_checks: int = 0


class _Seat(Strict):
    code: str
    wrong: int = 0
    released: list[str] = Field(default_factory=list)
    withdrawn: str = ""
    excluded: str = ""


def counted_answers(ledger: Ledger, study: str) -> list[Answer]:
    """The newest version of each, by seat and slot: without attention checks, without what was left out or redacted or
    went to somebody else, and without those of people who withdrew, were excluded, or have more attention checks wrong
    than they may, whether they are done or not."""
    return [answer for _, answer in counted_versions(ledger, study)]


def counted_versions(ledger: Ledger, study: str) -> list[tuple[int, Answer]]:
    """The same, each with the number of its version."""
    documents = ledger.documents(screen=place_of(study))
    seats, out = _counting_seats(documents), left_out(documents)
    released = {(code, slot) for code, slots in seats.items() for slot in slots}
    answers = {
        one.subject: (one.version, Answer.model_validate(dict(one.document))) for one in documents if one.kind == ANSWER
    }
    return [
        (version, one)
        for subject, (version, one) in sorted(answers.items())
        if subject not in out and one.seat in seats and (one.seat, one.slot) not in released
        if one.given and not (one.check or one.redacted)
    ]


def left_out(documents: Sequence[Revision]) -> dict[str, str]:
    """Of all documents of a study, the answers that were left out, each with why; only of people who count."""
    seats = _counting_seats(documents)
    found = {one.subject: str(one.document.get("why", "")) for one in documents if one.kind == LEFT_OUT}
    return {subject: why for subject, why in found.items() if why and subject.split("/")[-2] in seats}


def withdrawn_seats(ledger: Ledger, study: str) -> set[str]:
    """The codes of those who withdrew."""
    seats = ledger.documents(screen=place_of(study), kind=SEAT)
    return {str(one.document["code"]) for one in seats if one.document.get("withdrawn")}


def _counting_seats(documents: Sequence[Revision]) -> dict[str, list[str]]:
    """The codes of those who count, each with the slots that went to somebody else."""
    studies = [_Study.model_validate(dict(one.document)) for one in documents if one.kind == STUDY]
    allowed = studies[0].wrong_checks if studies else 0
    seats = [_Seat.model_validate(dict(one.document)) for one in documents if one.kind == SEAT]
    return {one.code: one.released for one in seats if not (one.withdrawn or one.excluded or one.wrong > allowed)}
