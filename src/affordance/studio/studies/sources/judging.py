"""Judging by people: the labels for `judge certify`. The two texts as the judge saw them, and nothing of what it said,
nor of who wrote them."""

from collections.abc import Mapping, Sequence

from affordance.author.project import Project
from affordance.author.study_records import Study
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.core.question import Question, RatingScale
from affordance.judging.judgements import JUDGE_SPECS, judge_questions, judged_units, redacted_judgements
from affordance.judging.labels import LABEL_GUIDES, LABEL_QUESTIONS, SCORE_MEANINGS, changed_texts
from affordance.studio.studies.drawn import slots_of
from affordance.studio.studies.forms import AnswerForm, ScaleForm, YesNoForm
from affordance.studio.studies.sheets import Sheet, Slot, Text
from affordance.tasks.registry import TASKS

_TEXTS = {"text_a": "the first text", "text_b": "the second text"}  # as guides name them, and as people are told


class Judging:
    """`questions` are what the judge was asked, by judgement; without those of people who withdrew since, and those
    whose texts are others by now."""

    def __init__(self, study: Study, questions: Mapping[str, Question]) -> None:
        self._study = study
        self._questions = questions

    def slots(self) -> Sequence[Slot]:
        return [slot for slot in slots_of(self._study) if slot.item in self._questions]

    def sheet(self, slot: Slot) -> Sheet:
        fields = self._questions[slot.item].prompt_fields
        return Sheet(
            slot=slot.id,
            heading="Two texts",
            instruction=_told(f"Your label: {LABEL_GUIDES[self._study.task]}."),
            blocks=tuple(Text(fields[name], f"{told[0].upper()}{told[1:]}") for name, told in _TEXTS.items()),
            form=_form(self._study.task, JUDGE_SPECS[self._study.task].scale),
        )

    def values(self, given: Mapping[str, Json], slot: Slot) -> Mapping[str, Json]:
        """1 for yes, 0 for no, or the score."""
        return {"label": given["score"] if "score" in given else int(bool(given["yes"]))}


def _told(words: str) -> str:
    for name, told in _TEXTS.items():
        words = words.replace(name, told)
    return words


def source(study: Study, project: Project) -> Judging:
    if study.task not in JUDGE_SPECS:
        raise UserError(
            f"study {study.name}: expected a judged task ({', '.join(JUDGE_SPECS)}), found {study.task!r}; make another"
        )
    run = project.ledger.find_run(study.run)
    known = {unit.id: unit for unit in judged_units(project.ledger, run, TASKS[study.task])}
    there = [known[one] for one in study.drawn if one in known]
    erased = redacted_judgements(project.ledger, run).intersection(study.drawn)
    if len(there) + len(erased.difference(known)) < len(study.drawn):
        raise UserError(
            f"study {study.name}: expected {len(study.drawn)} judgements of run {run.name!r}, found "
            f"{len(there)}; this is another run of that name: make a new study of it"
        )
    changed = changed_texts(project.ledger, run, study.task, study.texts)
    same = [one for one in there if one.id not in changed]
    if there and not same:
        raise UserError(
            f"study {study.name}: the texts of run {run.name!r} are all others by now; make a new study of it"
        )
    return Judging(study, judge_questions(project.ledger, run, same))


def _form(task: str, scale: RatingScale | None) -> AnswerForm:
    if scale is None:
        return YesNoForm(_told(LABEL_QUESTIONS[task]))
    return ScaleForm(scale.low, scale.high, SCORE_MEANINGS[task])
