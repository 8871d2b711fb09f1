"""The documents of a study in the ledger, and which answers count."""

from collections.abc import Sequence

from pydantic import Field

from affordance.core.model_name import STUDY_PREFIX
from affordance.core.validation import StrictModel
from affordance.ledger import DocumentRevision, Ledger
from affordance.models.study_answers import StudyAnswer

ANSWER_DOCUMENT = (
    "answer"  # the kind of the documents; the subject is STUDY/SEAT/SLOT, the scope is `study_scope(STUDY)`
)


def study_scope(study: str) -> str:
    """The scope of the documents of a study: the name of its model."""
    return f"{STUDY_PREFIX}{study}"


STUDY_DOCUMENT, PARTICIPANT_DOCUMENT, EXCLUDED_DOCUMENT = (
    "study",
    "seat",
    "left out",
)  # kinds of documents; those of a study belong to its place


class _Study(StrictModel):
    """The fields of a study that decide which answers count."""

    wrong_checks: int = 0


class _Participant(StrictModel):
    code: str
    wrong: int = 0
    released: list[str] = Field(default_factory=list)
    withdrawn: str = ""
    excluded: str = ""


def valid_answers(ledger: Ledger, study: str) -> list[StudyAnswer]:
    """The latest version of each answer that counts, by participant and assignment.

    Not counted: attention checks; answers that were left out, redacted or reassigned; and answers of participants who
    withdrew, were excluded, or failed more attention checks than the study allows.
    """
    return [answer for _, answer in valid_answer_versions(ledger, study)]


def valid_answer_versions(ledger: Ledger, study: str) -> list[tuple[int, StudyAnswer]]:
    """The same, each with its version."""
    documents = ledger.documents.latest(scope=study_scope(study))
    seats, out = _valid_participants(documents), excluded_answers(documents)
    released = {(code, slot) for code, slots in seats.items() for slot in slots}
    answers = {
        one.subject: (one.version, StudyAnswer.model_validate(dict(one.document)))
        for one in documents
        if one.kind == ANSWER_DOCUMENT
    }
    return [
        (version, one)
        for subject, (version, one) in sorted(answers.items())
        if subject not in out and one.seat in seats and (one.seat, one.slot) not in released
        if one.given and not (one.check or one.redacted)
    ]


def excluded_answers(documents: Sequence[DocumentRevision]) -> dict[str, str]:
    """The answers that were left out, each with the reason; of participants who count."""
    seats = _valid_participants(documents)
    found = {one.subject: str(one.document.get("why", "")) for one in documents if one.kind == EXCLUDED_DOCUMENT}
    return {subject: why for subject, why in found.items() if why and subject.split("/")[-2] in seats}


def withdrawn_participants(ledger: Ledger, study: str) -> set[str]:
    """The codes of participants who withdrew."""
    seats = ledger.documents.latest(scope=study_scope(study), kind=PARTICIPANT_DOCUMENT)
    return {str(one.document["code"]) for one in seats if one.document.get("withdrawn")}


def _valid_participants(documents: Sequence[DocumentRevision]) -> dict[str, list[str]]:
    """The codes of participants who count, each with the assignments that were given to others."""
    studies = [_Study.model_validate(dict(one.document)) for one in documents if one.kind == STUDY_DOCUMENT]
    allowed = studies[0].wrong_checks if studies else 0
    seats = [_Participant.model_validate(dict(one.document)) for one in documents if one.kind == PARTICIPANT_DOCUMENT]
    return {one.code: one.released for one in seats if not (one.withdrawn or one.excluded or one.wrong > allowed)}
