"""Certifying a judge: it is asked about the judgements that people labelled, and what it is worth is measured and kept
in the ledger."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from affordance.core.attempt import Ended, Outcome
from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.question import Question
from affordance.ledger import Certificate, Ledger, Run, StepRecord, open_ledger
from affordance.models.prices import FREE, price_of
from affordance.run.drawing import Stratum, stratum_of
from affordance.run.estimate import Estimate
from affordance.run.judged import JUDGED, Unit, is_first, questions_of, swapped, units
from affordance.run.labels import Label, Labels
from affordance.run.measures import Labelled, agreement, measure
from affordance.run.progress import Progress
from affordance.run.rejudging import ORDER, OTHER, OWN, Case, Exam, request
from affordance.run.session import Request, foresee, perform
from affordance.run.settings import STORED_JUDGE_LIMIT
from affordance.suites.prompts import load_pack
from affordance.suites.registry import TASKS

FORMAT = 1  # of a certificate's document


@dataclass(frozen=True, slots=True)
class Certified:
    """None as certificate where replies are missing; the same again goes on."""

    certificate: Certificate | None
    progress: Progress
    request: Request  # that the judge was asked by


def certify(exam: Exam, labels: Labels, watch: Callable[[Progress], None] = lambda _: None) -> Certified:
    """Ask the judge, measure it, and keep the certificate."""
    with open_ledger(exam.ledger, read_only=True) as ledger:
        cases, sources = _cases(ledger, labels)
    asking = request(exam, cases, _max_tokens(sources))
    run, progress = perform(asking, watch)
    if not progress.complete:
        return Certified(None, progress, asking)
    with open_ledger(exam.ledger) as ledger:
        certificate = _certificate(ledger, exam, labels, run, cases, sources)
        ledger.add_certificate(certificate).result()
    return Certified(certificate, progress, asking)


def foresee_certificate(exam: Exam, labels: Labels) -> list[Estimate]:
    """What is left to ask, and what it would cost. Writes nothing."""
    with open_ledger(exam.ledger, read_only=True) as ledger:
        cases, sources = _cases(ledger, labels)
    return foresee(request(exam, cases, _max_tokens(sources)))


def _max_tokens(sources: Sequence[Run]) -> int | None:
    """How long a judgement may be in these runs, so that what they have asked is not asked again."""
    first, *others = (run.settings.get(STORED_JUDGE_LIMIT) for run in sources)
    return first if isinstance(first, int) and all(one == first for one in others) else None


def _cases(ledger: Ledger, labels: Labels) -> tuple[list[Case], list[Run]]:
    """The labelled judgements, and the runs they are from."""
    if not labels.given:
        raise UserError(f"expected labels of {labels.task}, found {len(labels.labels)} rows without; fill some in")
    runs = {summary.run.id: summary.run for summary in ledger.runs()}
    run_of = ledger.runs_of([label.judgement for label in labels.labels])
    sources = [run for name, run in runs.items() if name in run_of.values()]
    known = {unit.id: unit for run in sources for unit in units(ledger, run, TASKS[labels.task])}
    for label in labels.labels:
        if label.judgement not in known:
            raise label.place.error(
                f"expected a judgement of {labels.task} in the ledger {ledger.where}, found {label.judgement!r}; name "
                "the ledger that was sampled with --ledger, and leave the column `judgement` as it is"
            )
    weights = _weights(labels, known)
    asked: dict[str, Question] = {}
    for run in sources:
        asked |= questions_of(ledger, run, [known[one] for one in weights if run_of[one] == run.id])
    values = {label.judgement: label.value for label in labels.given if label.value is not None}
    cases = [Case(known[one], values[one], weight, asked[one], swapped(asked[one])) for one, weight in weights.items()]
    return cases, sources


def _weights(labels: Labels, known: Mapping[str, Unit]) -> dict[str, float]:
    """Of those with a label. Those without are made up for by the others of the same model and verdict."""
    drawn: dict[Stratum, float] = {}
    kept: dict[Stratum, float] = {}
    for label in labels.labels:
        stratum = stratum_of(known[label.judgement])
        drawn[stratum] = drawn.get(stratum, 0.0) + label.weight
        kept[stratum] = kept.get(stratum, 0.0) + (label.weight if label.value is not None else 0.0)

    def weight(label: Label) -> float:
        stratum = stratum_of(known[label.judgement])
        return label.weight * drawn[stratum] / kept[stratum]

    return {label.judgement: weight(label) for label in labels.given}


def _certificate(
    ledger: Ledger, exam: Exam, labels: Labels, run: Run, cases: Sequence[Case], sources: Sequence[Run]
) -> Certificate:
    task, name, scale = exam.task, str(exam.judge), JUDGED[exam.task.name].scale
    outcomes = [one for one in ledger.outcomes(run.id) if one.model == name]
    (address,) = ledger.addresses(run.id)[name]
    found = _labelled(exam, cases, outcomes)
    steps = ledger.steps_of([one.attempt for one in outcomes])
    document: dict[str, Json] = {
        "format": FORMAT,
        "task": task.name,
        "judge": name,
        "labels": len(cases),
        "empty": labels.empty,
        "tied": labels.tied,
        "labellers": labels.labellers,
        "synthetic": labels.synthetic,
        "alpha_of_labellers": labels.alpha,
        "runs": [one.name for one in sources],
        "datasets": list(dict.fromkeys(str(one.dataset["name"]) for one in sources)),
        **asdict(measure(found, scale)),
        "by_model": {
            model: asdict(agreement([one for one in found if one.model == model], scale))
            for model in dict.fromkeys(one.model for one in found)
        },
        "effort": _effort(exam, [step for one in steps.values() for step in one]),
        "labelled": [[case.unit.id, case.human, case.weight] for case in cases],
    }
    return Certificate(task.name, address, load_pack(task, exam.prompts).texts["judge"], document)


def _labelled(exam: Exam, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> list[Labelled]:
    said: dict[tuple[str, str], dict[int, float | None]] = {}
    for one in outcomes:
        assert one.verdict is not None, "a certificate is made of a complete run"
        if one.verdict.ended is Ended.SKIPPED:
            raise UserError(f"{exam.judge} cannot be a judge of {exam.task.name}: {one.verdict.reason}")
        value = one.verdict.score if one.verdict.ended is Ended.ANSWERED else None
        said.setdefault((one.item, one.tags[ORDER]), {})[one.trial] = value

    def values(case: Case, order: str) -> tuple[float | None, ...]:
        by_trial = said.get((case.unit.id, order), {})
        return tuple(by_trial[trial] for trial in sorted(by_trial))

    return [
        Labelled(
            model=case.unit.subject.model,
            cluster=case.unit.subject.cluster,
            human=case.human,
            weight=case.weight,
            repeats=values(case, OWN),
            swapped=values(case, OTHER),
            first=is_first(case.own),
        )
        for case in cases
    ]


def _effort(exam: Exam, replies: Sequence[StepRecord]) -> dict[str, Json]:
    """What the judgements took, be it asked now or before."""
    usages = [step.reply.usage for step in replies]
    tokens_in = [usage.input for usage in usages if usage.input is not None]
    tokens_out = [usage.output for usage in usages if usage.output is not None]
    price = price_of(exam.judge, exam.means.prices)
    known = price == FREE or len(tokens_in) == len(tokens_out) == len(replies)
    return {
        "replies": len(replies),
        "input_tokens": sum(tokens_in) if tokens_in else None,
        "output_tokens": sum(tokens_out) if tokens_out else None,
        "usd": price.of(sum(tokens_in), sum(tokens_out)) if price is not None and known else None,
        "seconds": sum(step.reply.seconds for step in replies),
        "served_by": sorted({step.reply.served_by for step in replies if step.reply.served_by}),
    }
