"""What people said of clips in the studies of a project, and how much of it does not count."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from affordance.author.project import Project, read_record
from affordance.author.records import Kind
from affordance.author.study_records import Seat, Settled, Study, why_excluded
from affordance.author.uncounted import Uncounted, note, uncounted
from affordance.datasets.taxonomies import PURPOSES
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope, valid_answers
from affordance.stats import krippendorff_alpha, majority_vote

EFFECT, MEANING, PURPOSE = "effect", "meaning", "purpose"  # fields of what people are asked


@dataclass(slots=True)
class StudyFacts:
    """What an export says of a study. `empty` are texts that nobody wrote, by field. Purposes are `settled` by whoever
    is in charge, or `open`: most people did not choose the same one."""

    name: str
    form: str
    synthetic: bool
    people: int
    uncounted: Uncounted
    answers: int = 0
    empty: Counter[str] = field(default_factory=Counter)
    alpha: float | None = None
    settled: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        what = "effects and meanings in people's words" if self.form == "survey" else "purposes by experts"
        people = "a person" if self.people == 1 else f"{self.people} people"
        made_up = ", made up" if self.synthetic else ""
        return (
            f"{what} (study {self.name}, {people}{made_up}; empty and inappropriate answers left out, see study.json)"
        )

    def told(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "name": self.name,
            "form": self.form,
            "synthetic": self.synthetic,
            "people": self.people,
            "withdrew": self.uncounted.withdrew,
            "excluded": self.uncounted.excluded,
            "answers": self.answers,
            "filtered": {
                "empty": dict(sorted(self.empty.items())),
                "left out": dict(sorted(self.uncounted.left_out.items())),
            },
        }
        if self.form == "purpose":
            found |= {"alpha": self.alpha, "settled": self.settled, "open": self.open}
        return found

    def notes(self) -> list[str]:
        empty = [f"{number} without {name}" for name, number in sorted(self.empty.items())]
        found = note(self.name, [*self.uncounted.parts(), *empty])
        found += [f"{clip}: no purpose, as most people did not choose the same; settle it" for clip in self.open]
        return found


@dataclass(slots=True)
class Answered:
    """By clip: texts in an order that tells nobody who wrote them, and the purpose, None where it is open."""

    effects: dict[str, list[str]] = field(default_factory=dict)
    meanings: dict[str, list[str]] = field(default_factory=dict)
    purposes: dict[str, str | None] = field(default_factory=dict)
    studies: list[StudyFacts] = field(default_factory=list)


def answered(project: Project) -> Answered:
    found = Answered()
    for one in project.ledger.documents.latest(kind=Kind.STUDY):
        study = read_record(one, Study)
        if study.form not in ("survey", "purpose"):
            continue
        facts = _facts(project, study)
        # By slot, which is a digest: by seat, the same people would come first at every clip.
        answers = sorted(valid_answers(project.ledger, study.name), key=lambda answer: answer.slot)
        facts.answers = len(answers)
        if study.form == "survey":
            _take_words(found, facts, answers)
        else:
            _take_purposes(found, facts, study, answers, _settled(project, study))
        found.studies.append(facts)
    return found


def _facts(project: Project, study: Study) -> StudyFacts:
    there = project.ledger.documents.latest(scope=study_scope(study.name))
    seats = [read_record(one, Seat) for one in there if one.kind == Kind.SEAT]
    gone = {seat.code for seat in seats if seat.withdrawn or why_excluded(seat, study)}
    return StudyFacts(
        name=study.name,
        form=study.form,
        synthetic=study.synthetic,
        people=sum(seat.code not in gone and bool(seat.consented or seat.slots) for seat in seats),
        uncounted=uncounted(study, there),
    )


def _settled(project: Project, study: Study) -> dict[str, str]:
    """What was decided where people differ, by clip."""
    found: dict[str, str] = {}
    for one in project.ledger.documents.latest(scope=study_scope(study.name), kind=Kind.SETTLED):
        settled = read_record(one, Settled)
        purpose = settled.given.get("option", settled.given.get(PURPOSE))
        if not settled.gone and purpose in PURPOSES:
            found[one.subject.removeprefix(f"{study.name}/")] = purpose
    return found


def _take_words(found: Answered, facts: StudyFacts, answers: Sequence[StudyAnswer]) -> None:
    for answer in answers:
        for name, texts in ((EFFECT, found.effects), (MEANING, found.meanings)):
            if text := str(answer.given.get(name, "")).strip():
                texts.setdefault(answer.item, []).append(text)
            else:
                facts.empty[name] += 1


def _take_purposes(
    found: Answered, facts: StudyFacts, study: Study, answers: Sequence[StudyAnswer], settled: dict[str, str]
) -> None:
    """What was settled counts, else what more than half of the people who are to be asked chose."""
    labels: dict[str, list[str]] = {}
    for answer in answers:
        if (option := answer.given.get("option")) in PURPOSES:
            labels.setdefault(answer.item, []).append(str(option))
        else:
            facts.empty[PURPOSE] += 1
    facts.alpha = krippendorff_alpha(labels)
    for clip in sorted({*labels, *settled}):
        given = labels.get(clip, [])
        missing = max(0, study.per_item - len(given))
        chosen = settled.get(clip) or majority_vote([*given, *[None] * missing]).label
        if clip in settled:
            facts.settled.append(clip)
        elif chosen is None:
            facts.open.append(clip)
        if chosen is not None or found.purposes.get(clip) is None:
            found.purposes[clip] = chosen
