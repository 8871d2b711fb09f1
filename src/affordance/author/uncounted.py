"""What of a study does not count, and why: for whoever reads what is made of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from affordance.author.project import read_record
from affordance.author.records import Kind
from affordance.author.study_records import Seat, Study, why_excluded
from affordance.ledger import DocumentRevision
from affordance.models.study_documents import excluded_answers


@dataclass(frozen=True, slots=True)
class Uncounted:
    """People who `withdrew` or were `excluded`, and answers of others that were left out, by why."""

    withdrew: int
    excluded: int
    left_out: Counter[str]

    def parts(self) -> list[str]:
        """`1 withdrawn`, `2 answers left out (1 empty, 1 inappropriate)`: those that occur."""
        why = ", ".join(f"{number} {why}" for why, number in sorted(self.left_out.items()))
        answers = "answer" if self.left_out.total() == 1 else "answers"
        found = [
            (self.withdrew, "withdrawn"),
            (self.excluded, "excluded"),
            (self.left_out.total(), f"{answers} left out ({why})"),
        ]
        return [f"{number} {what}" for number, what in found if number]


def uncounted(study: Study, documents: Sequence[DocumentRevision]) -> Uncounted:
    """Of all documents of the study."""
    seats = [read_record(one, Seat) for one in documents if one.kind == Kind.SEAT]
    return Uncounted(
        withdrew=sum(bool(seat.withdrawn) for seat in seats),
        excluded=sum(bool(why_excluded(seat, study)) and not seat.withdrawn for seat in seats),
        left_out=Counter(excluded_answers(documents).values()),
    )


def note(name: str, parts: Sequence[str]) -> list[str]:
    """A line for who exports, where something does not count."""
    return [f"study {name}: {', '.join(parts)}; nothing of these is in it"] if parts else []
