"""Certifying a judge: it is asked about the judgements that people labelled, and what it is worth is measured and kept
in the ledger."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from affordance.core.attempt import AttemptResult, AttemptStatus
from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.question import Question
from affordance.evaluation.calibration_task import (
    ORDER_AXIS,
    OTHER_ORDER,
    OWN_ORDER,
    CalibrationCase,
    JudgeCalibrationConfig,
    calibration_request,
)
from affordance.evaluation.estimate import CostEstimate
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run import RunRequest, estimate_run, execute_run
from affordance.evaluation.settings import JUDGE_MAX_TOKENS_KEY
from affordance.judging.agreement import LabelledJudgement, judge_agreement, measure_judge
from affordance.judging.judgements import (
    JUDGE_SPECS,
    JudgedUnit,
    judge_questions,
    judged_text_first,
    judged_units,
    swap_texts,
)
from affordance.judging.labels import Label, LabelSet
from affordance.judging.sampling import Stratum, judgement_stratum
from affordance.ledger import AttemptStep, JudgeCalibration, Ledger, RunRecord, open_ledger
from affordance.models.prices import FREE, find_price
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.registry import TASKS

FORMAT = 1  # of a certificate's document


@dataclass(frozen=True, slots=True)
class JudgeCalibrationResult:
    """None as certificate where replies are missing; the same again goes on."""

    calibration: JudgeCalibration | None
    progress: RunProgress
    request: RunRequest  # that the judge was asked by


def calibrate_judge(
    config: JudgeCalibrationConfig, labels: LabelSet, on_progress: Callable[[RunProgress], None] = lambda _: None
) -> JudgeCalibrationResult:
    """Ask the judge, measure it, and keep the certificate."""
    with open_ledger(config.ledger, read_only=True) as ledger:
        cases, sources = _calibration_cases(ledger, labels)
    asking = calibration_request(config, cases, _judge_max_tokens(sources))
    run, progress = execute_run(asking, on_progress)
    if not progress.complete:
        return JudgeCalibrationResult(None, progress, asking)
    with open_ledger(config.ledger) as ledger:
        certificate = _build_calibration(ledger, config, labels, run, cases, sources)
        ledger.add_judge_calibration(certificate).result()
    return JudgeCalibrationResult(certificate, progress, asking)


def estimate_calibration(config: JudgeCalibrationConfig, labels: LabelSet) -> list[CostEstimate]:
    """What is left to ask, and what it would cost. Writes nothing."""
    with open_ledger(config.ledger, read_only=True) as ledger:
        cases, sources = _calibration_cases(ledger, labels)
    return estimate_run(calibration_request(config, cases, _judge_max_tokens(sources)))


def _judge_max_tokens(sources: Sequence[RunRecord]) -> int | None:
    """How long a judgement may be in these runs, so that what they have asked is not asked again."""
    first, *others = (run.settings.get(JUDGE_MAX_TOKENS_KEY) for run in sources)
    return first if isinstance(first, int) and all(one == first for one in others) else None


def _calibration_cases(ledger: Ledger, labels: LabelSet) -> tuple[list[CalibrationCase], list[RunRecord]]:
    """The labelled judgements, and the runs they are from."""
    if not labels.labelled:
        raise UserError(f"expected labels of {labels.task}, found {len(labels.labels)} rows without; fill some in")
    runs = {summary.run.id: summary.run for summary in ledger.run_summaries()}
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
    """Of those with a label. Those without are made up for by the others of the same model and verdict."""
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


def _build_calibration(
    ledger: Ledger,
    config: JudgeCalibrationConfig,
    labels: LabelSet,
    run: RunRecord,
    cases: Sequence[CalibrationCase],
    sources: Sequence[RunRecord],
) -> JudgeCalibration:
    task, name, scale = config.task, str(config.judge), JUDGE_SPECS[config.task.name].scale
    outcomes = [one for one in ledger.attempt_results(run.id) if one.model == name]
    (address,) = ledger.call_settings(run.id)[name]
    found = _labelled_judgements(config, cases, outcomes)
    steps = ledger.steps_of([one.attempt_id for one in outcomes])
    document: dict[str, Json] = {
        "format": FORMAT,
        "task": task.name,
        "judge": name,
        "labels": len(cases),
        "empty": labels.empty,
        "tied": labels.ties,
        "labellers": labels.labellers,
        "synthetic": labels.synthetic,
        "alpha_of_labellers": labels.alpha,
        "runs": [one.name for one in sources],
        "datasets": list(dict.fromkeys(str(one.dataset["name"]) for one in sources)),
        **asdict(measure_judge(found, scale)),
        "by_model": {
            model: asdict(judge_agreement([one for one in found if one.model == model], scale))
            for model in dict.fromkeys(one.model for one in found)
        },
        "effort": _judge_usage(config, [step for one in steps.values() for step in one]),
        "labelled": [[case.unit.id, case.human, case.weight] for case in cases],
    }
    return JudgeCalibration(task.name, address, load_prompt_pack(task, config.prompts).texts["judge"], document)


def _labelled_judgements(
    config: JudgeCalibrationConfig, cases: Sequence[CalibrationCase], outcomes: Sequence[AttemptResult]
) -> list[LabelledJudgement]:
    said: dict[tuple[str, str], dict[int, float | None]] = {}
    for one in outcomes:
        assert one.verdict is not None, "a certificate is made of a complete run"
        if one.verdict.status is AttemptStatus.SKIPPED:
            raise UserError(f"{config.judge} cannot be a judge of {config.task.name}: {one.verdict.reason}")
        value = one.verdict.score if one.verdict.status is AttemptStatus.ANSWERED else None
        said.setdefault((one.item_id, one.tags[ORDER_AXIS]), {})[one.trial] = value

    def values(case: CalibrationCase, order: str) -> tuple[float | None, ...]:
        by_trial = said.get((case.unit.id, order), {})
        return tuple(by_trial[trial] for trial in sorted(by_trial))

    return [
        LabelledJudgement(
            model=case.unit.subject.model,
            cluster=case.unit.subject.cluster,
            human=case.human,
            weight=case.weight,
            repeats=values(case, OWN_ORDER),
            swapped_repeats=values(case, OTHER_ORDER),
            judged_text_first=judged_text_first(case.question),
        )
        for case in cases
    ]


def _judge_usage(config: JudgeCalibrationConfig, steps: Sequence[AttemptStep]) -> dict[str, Json]:
    """What the judgements took, be it asked now or before."""
    usages = [step.response.usage for step in steps]
    tokens_in = [usage.input for usage in usages if usage.input is not None]
    tokens_out = [usage.output for usage in usages if usage.output is not None]
    price = find_price(config.judge, config.execution.prices)
    known = price == FREE or len(tokens_in) == len(tokens_out) == len(steps)
    return {
        "replies": len(steps),
        "input_tokens": sum(tokens_in) if tokens_in else None,
        "output_tokens": sum(tokens_out) if tokens_out else None,
        "usd": price.cost(sum(tokens_in), sum(tokens_out)) if price is not None and known else None,
        "seconds": sum(step.response.seconds for step in steps),
        "served_by": sorted({step.response.served_by for step in steps if step.response.served_by}),
    }
