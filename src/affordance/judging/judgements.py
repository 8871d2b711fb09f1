"""Judgements of a run for labelling: one for each unit that the headline counts, with the two texts that the judge was
shown. Controls are left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from affordance.core.attempts import AttemptResult, AttemptStatus
from affordance.core.digest import digest
from affordance.core.errors import LedgerError, UnknownName, UserError
from affordance.core.json_text import Json
from affordance.core.question import AnswerFormat, FreeText, Question
from affordance.ledger import REDACTED, Ledger, RunRecord
from affordance.tasks.registry import TASKS
from affordance.tasks.scoring import JUDGEMENT_TAG, JudgedAnswer, JudgePlan
from affordance.tasks.task import Task

UNREAD = "unread"  # verdict of an unparsed judgement


class _JudgeSpecs(Mapping[str, JudgePlan]):
    """How judged tasks are judged, by name; a plugin's task is loaded when it is looked up."""

    def __getitem__(self, name: str) -> JudgePlan:
        if (judging := TASKS[name].judge) is None:
            raise KeyError(name)
        return judging

    def __iter__(self) -> Iterator[str]:
        return (name for name, task in TASKS.load_all()[0].items() if task.judge is not None)

    def __len__(self) -> int:
        return len(list(iter(self)))


JUDGE_SPECS: Mapping[str, JudgePlan] = _JudgeSpecs()

_SIDE_AXIS = "side"  # the axis of the two orders of the texts


@dataclass(frozen=True, slots=True)
class JudgedUnit:
    """One unit that the headline counts: whether a rationale was found, how near an interpretation is to a reference.
    If the judge was asked in both orders of the texts, both are one unit under the id of the first."""

    id: str  # of the judgement
    question: str  # its question's id
    subject: AttemptResult  # the judged attempt
    verdict: str  # yes or no, a score, or unread
    value: float | None  # from 0 to 1 as the headline counts it; None where it leaves it out


def judged_tasks(run: RunRecord) -> list[Task]:
    names = run.settings.get("tasks")
    found = [TASKS[name] for name in names if name in JUDGE_SPECS] if isinstance(names, list) else []
    if not found:
        raise UserError(f"run {run.name!r} has no judged task; those are {' and '.join(sorted(JUDGE_SPECS))}")
    return found


def judged_task(run: RunRecord, name: str | None) -> Task:
    """The judged task of a run; `name` selects one of several."""
    found = {task.name: task for task in judged_tasks(run)}
    if name is None and len(found) > 1:
        raise UserError(f"run {run.name!r} has several judged tasks; choose one with --task: {', '.join(found)}")
    if name is not None and name not in found:
        raise UnknownName(f"judged task of run {run.name!r}", name, found)
    return found[name] if name is not None else next(iter(found.values()))


def judged_units(ledger: Ledger, run: RunRecord, task: Task) -> list[JudgedUnit]:
    """Units of the judged attempts; controls, such as those of identical images, are left out."""
    subjects = {
        one.attempt_id: one
        for one in ledger.attempt_results(run.id)
        if one.task == task.name
        and _is_judged(one)
        and not (task.views.split.control and one.tags.get(task.views.split.tag) == task.views.split.control)
    }
    about, axes = ledger.judged_attempts(run.id), ledger.question_axes(run.id)
    by_subject: dict[str, list[AttemptResult]] = {}
    for judgement in ledger.attempt_results(run.id, judgements=True):
        if (subject := about[judgement.attempt_id]) in subjects:
            by_subject.setdefault(subject, []).append(judgement)
    return [
        unit
        for subject, judgements in by_subject.items()
        for unit in _units_of_attempt(subjects[subject], _scored_judgements(task, judgements), axes)
    ]


def redacted_judgements(ledger: Ledger, run: RunRecord) -> set[str]:
    """Ids of judgements of answers of participants who withdrew since."""
    judgements = ledger.attempt_results(run.id, judgements=True)
    return {one.attempt_id for one in judgements if one.verdict is not None and one.verdict.reason == REDACTED}


def judge_questions(ledger: Ledger, run: RunRecord, units: Sequence[JudgedUnit]) -> dict[str, Question]:
    """The question to the judge by unit; raises if one cannot be recovered."""
    found = recoverable_questions(ledger, run, units)
    if len(found) < len(units):
        raise LedgerError(
            f"the judged texts of run {run.name!r} cannot be rebuilt with this version. "
            "Judge it again with `affordance run --fresh`."
        )
    return found


def recoverable_questions(ledger: Ledger, run: RunRecord, units: Sequence[JudgedUnit]) -> dict[str, Question]:
    """The question to the judge by unit: rebuilt from the judged response. Units are left out that the task plans
    otherwise today."""
    axes = ledger.question_axes(run.id)
    answered = ledger.answered_steps([unit.subject.attempt_id for unit in units])
    found: dict[str, Question] = {}
    for unit in units:
        judging, subject = TASKS[unit.subject.task].judge, unit.subject
        if judging is None or subject.attempt_id not in answered:
            continue
        asked = stored_question(subject, axes[subject.question_id], FreeText())
        answer = JudgedAnswer.from_response(answered[subject.attempt_id].response, subject.model)
        planned = {one.id: one for one in judging.judgements(asked, answer)}
        if unit.question in planned:
            found[unit.id] = planned[unit.question]
    return found


def stored_question(outcome: AttemptResult, axes: Mapping[str, Json], answer_format: AnswerFormat) -> Question:
    """The question of an attempt as far as the ledger has it: without its images and the texts of its prompt."""
    return Question(
        outcome.task, outcome.item_id, axes, (), {}, answer_format, outcome.truth, {}, outcome.tags, outcome.cluster
    )


def swap_texts(question: Question) -> Question | None:
    """The question with its texts in the other order; None if the order is part of the question."""
    side = question.axes.get(_SIDE_AXIS)
    if not isinstance(side, int):
        return None
    return Question(
        question.task,
        question.item,
        {**question.axes, _SIDE_AXIS: 1 - side},
        (),
        {"text_a": question.prompt_fields["text_b"], "text_b": question.prompt_fields["text_a"]},
        question.answer_format,
        "",
        {},
    )


def judged_text_first(question: Question) -> bool:
    """Whether the judged text comes before the one it is compared with."""
    return question.axes.get(_SIDE_AXIS, 0) == 0


def _is_judged(outcome: AttemptResult) -> bool:
    return outcome.verdict is not None and outcome.verdict.status is AttemptStatus.ANSWERED


def _scored_judgements(task: Task, judgements: Sequence[AttemptResult]) -> list[AttemptResult]:
    kind = JUDGE_SPECS[task.name].scored_kind({one.tags.get(JUDGEMENT_TAG, "") for one in judgements})
    return [] if kind is None else [one for one in judgements if one.tags.get(JUDGEMENT_TAG) == kind]


def _units_of_attempt(
    subject: AttemptResult, judgements: Sequence[AttemptResult], axes: Mapping[str, Mapping[str, Json]]
) -> list[JudgedUnit]:
    by_place: dict[str, list[AttemptResult]] = {}
    for one in judgements:
        place = digest({name: value for name, value in axes[one.question_id].items() if name != _SIDE_AXIS})
        by_place.setdefault(place, []).append(one)
    return [_unit_of_orders(subject, orders) for orders in by_place.values()]


def _unit_of_orders(subject: AttemptResult, orders: Sequence[AttemptResult]) -> JudgedUnit:
    first = min(orders, key=lambda one: one.attempt_id)
    scale = JUDGE_SPECS[subject.task].scale
    read = [one.verdict for one in orders if one.verdict is not None and one.verdict.status is AttemptStatus.ANSWERED]
    scores = [verdict.score for verdict in read if verdict.score is not None]
    value = sum(scores) / len(scores) if scores else None
    if value is None:
        return JudgedUnit(first.attempt_id, first.question_id, subject, UNREAD, None if scale is not None else 0.0)
    verdict = ("yes" if value == 1 else "no") if scale is None else str(int(scale.score_of(value) + 0.5))
    return JudgedUnit(first.attempt_id, first.question_id, subject, verdict, value)
