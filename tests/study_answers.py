"""People who take part in a study, written straight into a ledger: as the studio keeps them."""

from collections.abc import Callable, Mapping
from typing import Any

from affordance.author.project import plain
from affordance.author.records import Kind
from affordance.author.study_records import LeftOut, Seat, Study
from affordance.core.json_text import Json
from affordance.ledger import DocumentDraft, Ledger
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope
from affordance.studio.studies.sheets import Slot, Source

Say = Callable[[Slot], Mapping[str, Any] | None]  # what somebody answers; None: nothing yet


def keep_study(ledger: Ledger, study: Study) -> None:
    ledger.documents.write(
        [DocumentDraft(Kind.STUDY, study.name, plain(study), "person:organiser", study_scope(study.name))]
    )


def take_part(ledger: Ledger, study: Study, source: Source, says: Mapping[str, Say], **seats: Any) -> None:
    """Each person, by the code of their seat, answers one slot of every item: the nth person the nth. `seats` are
    fields of the seats of those who are named."""
    place = study_scope(study.name)
    for turn, (code, say) in enumerate(says.items()):
        slots = [slot for slot in source.slots() if slot.turn == turn]
        seat = Seat(code=code, slots=[slot.id for slot in slots], **seats.get(code, {}))
        drafts = [DocumentDraft(Kind.SEAT, f"{study.name}/{code}", plain(seat), "person:studio", place)]
        for slot in slots:
            if (given := say(slot)) is not None:
                about = {"item": slot.item, "question": slot.question, "trial": slot.trial}
                answer = StudyAnswer.model_validate(
                    {**about, "seat": code, "slot": slot.id, "given": given, "seconds": 3.0}
                )
                drafts.append(_answer(study, answer))
        ledger.documents.write(drafts)


def leave_out(ledger: Ledger, study: Study, seat: str, slot: str) -> None:
    subject = f"{study.name}/{seat}/{slot}"
    document: Mapping[str, Json] = plain(LeftOut(why="empty"))
    ledger.documents.write(
        [DocumentDraft(Kind.LEFT_OUT, subject, document, "person:organiser", study_scope(study.name))]
    )


def _answer(study: Study, answer: StudyAnswer) -> DocumentDraft:
    subject = f"{study.name}/{answer.seat}/{answer.slot}"
    return DocumentDraft(Kind.ANSWER, subject, plain(answer), f"person:{answer.seat}", study_scope(study.name))
