"""Labelled judgements as the cases of a judge calibration."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.core.question import Question
from affordance.datasets import Dataset, DatasetCollection, DatasetHeader
from affordance.judging.judgements import JudgedUnit, judge_questions, judged_units, swap_texts
from affordance.judging.labels import Label, LabelSet
from affordance.judging.sampling import Stratum, judgement_stratum
from affordance.ledger import Ledger, RunRecord
from affordance.tasks.registry import TASKS
from affordance.tasks.task import Task

OWN_ORDER, OTHER_ORDER = "own", "other"  # orders of the texts: that of the run, and the other one
ORDER_AXIS = "order"
CALIBRATION_PREFIX = "judge/"  # how the names of tasks begin in which a judge is measured


@dataclass(frozen=True, slots=True)
class CalibrationCase:
    """A labelled judgement, with the question to the judge."""

    unit: JudgedUnit
    human: float  # from 0 to 1
    weight: float
    question: Question
    swapped_question: Question | None  # in the other order of the texts; None if the order is part of the question


def calibration_question(
    task: str, case: CalibrationCase, order: str, question: Question, settings_digest: str
) -> Question:
    """What stands for its truth is in the identity of the run."""
    return replace(
        question,
        task=task,
        item=case.unit.id,
        axes={ORDER_AXIS: order},
        truth=digest("asked", settings_digest, dict(question.prompt_fields)),
        tags={ORDER_AXIS: order},
        cluster="",
    )


def empty_collection(task: Task) -> DatasetCollection:
    """A dataset without items: the questions are in the ledger."""
    described = {
        "format": 1,
        "kind": task.dataset_kinds[0],
        "name": f"labelled judgements of {task.name}",
        "licence": "unknown",
        "provenance": "labels by people",
        "synthetic": False,
    }
    return DatasetCollection.single(Dataset(Path(), DatasetHeader.model_validate(described), ()))


def calibration_cases(ledger: Ledger, labels: LabelSet) -> tuple[list[CalibrationCase], list[RunRecord]]:
    """The labelled judgements, and their runs."""
    if not labels.labelled:
        raise UserError(f"expected labels of {labels.task}, found {len(labels.labels)} rows without; fill some in")
    runs = {run.id: run for run in ledger.runs()}
    run_of = ledger.run_ids_of([label.judgement for label in labels.labels])
    sources = [run for name, run in runs.items() if name in run_of.values()]
    known = {unit.id: unit for run in sources for unit in judged_units(ledger, run, TASKS[labels.task])}
    for label in labels.labels:
        if label.judgement not in known:
            raise label.position.error(
                f"expected a judgement of {labels.task} in the ledger {ledger.location}, found "
                f"{label.judgement!r}; name "
                "the ledger that was sampled with --ledger, and leave the column `judgement` as it is"
            )
    weights = _label_weights(labels, known)
    asked: dict[str, Question] = {}
    for run in sources:
        asked |= judge_questions(ledger, run, [known[one] for one in weights if run_of[one] == run.id])
    values = {label.judgement: label.value for label in labels.labelled if label.value is not None}
    cases = [
        CalibrationCase(known[one], values[one], weight, asked[one], swap_texts(asked[one]))
        for one, weight in weights.items()
    ]
    return cases, sources


def _label_weights(labels: LabelSet, known: Mapping[str, JudgedUnit]) -> dict[str, float]:
    """Of those with a label. Others of the same model and verdict stand in for those without."""
    drawn: dict[Stratum, float] = {}
    kept: dict[Stratum, float] = {}
    for label in labels.labels:
        stratum = judgement_stratum(known[label.judgement])
        drawn[stratum] = drawn.get(stratum, 0.0) + label.weight
        kept[stratum] = kept.get(stratum, 0.0) + (label.weight if label.value is not None else 0.0)

    def weight(label: Label) -> float:
        stratum = judgement_stratum(known[label.judgement])
        return label.weight * drawn[stratum] / kept[stratum]

    return {label.judgement: weight(label) for label in labels.labelled}
