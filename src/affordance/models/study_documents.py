"""The documents of a study in the ledger, and which answers count."""

from collections.abc import Sequence

from pydantic import Field

from affordance.core.model_name import STUDY_PREFIX
from affordance.core.validation import StrictModel
from affordance.ledger import DocumentRevision, Ledger
from affordance.models.study_answers import StudyAnswer

ANSWER_DOCUMENT = "answer"  # the kind of the documents; the subject is STUDY/SEAT/SLOT, the screen is `place_of(STUDY)`


def study_scope(study: str) -> str:
    """What the documents of a study belong to, in the column `screen`: the name of those who answer."""
    return f"{STUDY_PREFIX}{study}"


STUDY_DOCUMENT, PARTICIPANT_DOCUMENT, EXCLUDED_DOCUMENT = (
    "study",
    "seat",
    "left out",
)  # kinds of documents; those of a study belong to its place


class _Study(StrictModel):
    """Of a study, what matters here."""

    wrong_checks: int = 0


class _Participant(StrictModel):
    code: str
    wrong: int = 0
    released: list[str] = Field(default_factory=list)
    withdrawn: str = ""
    excluded: str = ""


def valid_answers(ledger: Ledger, study: str) -> list[StudyAnswer]:
    """The newest version of each, by seat and slot: without attention checks, without what was left out or redacted or
    went to somebody else, and without those of people who withdrew, were excluded, or have more attention checks wrong
    than they may, whether they are done or not."""
    return [answer for _, answer in valid_answer_versions(ledger, study)]


def valid_answer_versions(ledger: Ledger, study: str) -> list[tuple[int, StudyAnswer]]:
    """The same, each with the number of its version."""
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
    """Of all documents of a study, the answers that were left out, each with why; only of people who count."""
    seats = _valid_participants(documents)
    found = {one.subject: str(one.document.get("why", "")) for one in documents if one.kind == EXCLUDED_DOCUMENT}
    return {subject: why for subject, why in found.items() if why and subject.split("/")[-2] in seats}


def withdrawn_participants(ledger: Ledger, study: str) -> set[str]:
    """The codes of those who withdrew."""
    seats = ledger.documents.latest(scope=study_scope(study), kind=PARTICIPANT_DOCUMENT)
    return {str(one.document["code"]) for one in seats if one.document.get("withdrawn")}


def _valid_participants(documents: Sequence[DocumentRevision]) -> dict[str, list[str]]:
    """The codes of those who count, each with the slots that went to somebody else."""
    studies = [_Study.model_validate(dict(one.document)) for one in documents if one.kind == STUDY_DOCUMENT]
    allowed = studies[0].wrong_checks if studies else 0
    seats = [_Participant.model_validate(dict(one.document)) for one in documents if one.kind == PARTICIPANT_DOCUMENT]
    return {one.code: one.released for one in seats if not (one.withdrawn or one.excluded or one.wrong > allowed)}
