"""Judgements of a run as people label them: one for each thing that the headline counts, with the two texts that the
judge was shown. Controls are not among them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from affordance.core.attempt import Ended, Outcome
from affordance.core.digest import Json, digest
from affordance.core.errors import LedgerError, UnknownName, UserError
from affordance.core.grammar import Grammar, Words
from affordance.core.question import Question
from affordance.ledger import REDACTED, Ledger, Run
from affordance.suites.registry import TASKS
from affordance.suites.task import JUDGEMENT, Judging, Task

UNREAD = "unread"  # the verdict of a judge whose reply could not be read


class _Judged(Mapping[str, Judging]):
    """How the tasks are judged that are, by name; a task of another package is loaded when it is asked for."""

    def __getitem__(self, name: str) -> Judging:
        if (judging := TASKS[name].judging) is None:
            raise KeyError(name)
        return judging

    def __iter__(self) -> Iterator[str]:
        return (name for name, task in TASKS.working()[0].items() if task.judging is not None)

    def __len__(self) -> int:
        return len(list(iter(self)))


JUDGED: Mapping[str, Judging] = _Judged()

_SIDE = "side"  # the axis of the two orders of the texts


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that the headline counts: whether a rationale was found, how near an interpretation comes to a
    reference. Where the judge was asked in both orders of the texts, they are one unit under the id of the first."""

    id: str  # of the judgement
    question: str  # its question's id
    subject: Outcome  # the judged attempt
    verdict: str  # yes or no, a score, or unread
    value: float | None  # from 0 to 1 as the headline counts it; None where it leaves it out


def judged_tasks(run: Run) -> list[Task]:
    names = run.settings.get("tasks")
    found = [TASKS[name] for name in names if name in JUDGED] if isinstance(names, list) else []
    if not found:
        raise UserError(f"run {run.name!r} has no judged task; those are {' and '.join(sorted(JUDGED))}")
    return found


def judged_task(run: Run, name: str | None) -> Task:
    """The judged task of a run; `name` says which, where there are several."""
    found = {task.name: task for task in judged_tasks(run)}
    if name is None and len(found) > 1:
        raise UserError(f"run {run.name!r} has several judged tasks; choose one with --task: {', '.join(found)}")
    if name is not None and name not in found:
        raise UnknownName(f"judged task of run {run.name!r}", name, found)
    return found[name] if name is not None else next(iter(found.values()))


def units(ledger: Ledger, run: Run, task: Task) -> list[Unit]:
    """Of attempts that were judged; those of identical pictures and the like are a control and left out."""
    subjects = {
        one.attempt: one
        for one in ledger.outcomes(run.id)
        if one.task == task.name and _is_judged(one) and not (task.control and one.tags.get(task.form) == task.control)
    }
    about, axes = ledger.subjects(run.id), ledger.axes(run.id)
    by_subject: dict[str, list[Outcome]] = {}
    for judgement in ledger.outcomes(run.id, judgements=True):
        if (subject := about[judgement.attempt]) in subjects:
            by_subject.setdefault(subject, []).append(judgement)
    return [
        unit
        for subject, judgements in by_subject.items()
        for unit in _units(subjects[subject], _headline(task, judgements), axes)
    ]


def erased_judgements(ledger: Ledger, run: Run) -> set[str]:
    """The ids of judgements of what people said who withdrew since."""
    judgements = ledger.outcomes(run.id, judgements=True)
    return {one.attempt for one in judgements if one.verdict is not None and one.verdict.reason == REDACTED}


def questions_of(ledger: Ledger, run: Run, chosen: Sequence[Unit]) -> dict[str, Question]:
    """By id of a unit, what the judge was asked; raises where that cannot be told for all of them."""
    found = known_questions(ledger, run, chosen)
    if len(found) < len(chosen):
        raise LedgerError(
            f"run {run.name!r} was judged by another version of affordance, and its texts cannot be put together "
            "again; judge it anew with `affordance run`"
        )
    return found


def known_questions(ledger: Ledger, run: Run, chosen: Sequence[Unit]) -> dict[str, Question]:
    """By id of a unit, what the judge was asked: from the reply that was judged, as the suite plans it. Those that it
    plans otherwise today are left out."""
    axes = ledger.axes(run.id)
    answered = ledger.answered_steps([unit.subject.attempt for unit in chosen])
    found: dict[str, Question] = {}
    for unit in chosen:
        judging, subject = TASKS[unit.subject.task].judging, unit.subject
        if judging is None or subject.attempt not in answered:
            continue
        asked = stored_question(subject, axes[subject.question], Words())
        planned = {one.id: one for one in judging.questions(asked, answered[subject.attempt].reply)}
        if unit.question in planned:
            found[unit.id] = planned[unit.question]
    return found


def stored_question(outcome: Outcome, axes: Mapping[str, Json], answer_format: Grammar) -> Question:
    """The question of an attempt as far as the ledger has it: without its images and the texts of its prompt."""
    return Question(
        outcome.task, outcome.item, axes, (), {}, answer_format, outcome.truth, {}, outcome.tags, outcome.cluster
    )


def swapped(question: Question) -> Question | None:
    """The same texts in the other order; None where the order is part of what is asked."""
    side = question.axes.get(_SIDE)
    if not isinstance(side, int):
        return None
    return Question(
        question.task,
        question.item,
        {**question.axes, _SIDE: 1 - side},
        (),
        {"text_a": question.fields["text_b"], "text_b": question.fields["text_a"]},
        question.grammar,
        "",
        {},
    )


def is_first(question: Question) -> bool:
    """Whether the judged text comes before the one it is compared with."""
    return question.axes.get(_SIDE, 0) == 0


def _is_judged(outcome: Outcome) -> bool:
    return outcome.verdict is not None and outcome.verdict.ended is Ended.ANSWERED


def _headline(task: Task, judgements: Sequence[Outcome]) -> list[Outcome]:
    kind = JUDGED[task.name].scored_kind({one.tags.get(JUDGEMENT, "") for one in judgements})
    return [] if kind is None else [one for one in judgements if one.tags.get(JUDGEMENT) == kind]


def _units(subject: Outcome, judgements: Sequence[Outcome], axes: Mapping[str, Mapping[str, Json]]) -> list[Unit]:
    by_place: dict[str, list[Outcome]] = {}
    for one in judgements:
        place = digest({name: value for name, value in axes[one.question].items() if name != _SIDE})
        by_place.setdefault(place, []).append(one)
    return [_unit(subject, orders) for orders in by_place.values()]


def _unit(subject: Outcome, orders: Sequence[Outcome]) -> Unit:
    first = min(orders, key=lambda one: one.attempt)
    scale = JUDGED[subject.task].scale
    read = [one.verdict for one in orders if one.verdict is not None and one.verdict.ended is Ended.ANSWERED]
    scores = [verdict.score for verdict in read if verdict.score is not None]
    value = sum(scores) / len(scores) if scores else None
    if value is None:
        return Unit(first.attempt, first.question, subject, UNREAD, None if scale is not None else 0.0)
    verdict = ("yes" if value == 1 else "no") if scale is None else str(int(scale.score_of(value) + 0.5))
    return Unit(first.attempt, first.question, subject, verdict, value)
