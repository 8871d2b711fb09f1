"""Drawing failed attempts for people to review: stratified by model and by how they ended, so that few reviews tell of
every model where it fails. Weights make up for strata being drawn from unequally."""

from dataclasses import dataclass

from affordance.core.attempt import SCORED_STATUSES, AttemptResult, AttemptStatus
from affordance.core.errors import UserError
from affordance.judging.sampling import stratified_sample
from affordance.ledger import Ledger, RunRecord
from affordance.tasks.registry import TASKS

WRONG, PARTLY_RIGHT = "wrong", "partly right"  # how attempts ended whose answer was read

Stratum = tuple[str, str]  # model, and how it ended


@dataclass(frozen=True, slots=True)
class FailureSample:
    weights: dict[str, float]  # by attempt, in the order in which they are shown
    population: int  # failures that there are
    models: int


def failure_kind(outcome: AttemptResult) -> str | None:
    """How an attempt failed: with a wrong answer, with one that is right in part, or refused, unparsed or truncated.
    None where it did not, and where that is not the model's doing: those that failed at the provider, that could not
    be asked, that are controls. Of what a judge scored, only what is worth nothing is a failure."""
    task, verdict = TASKS.get(outcome.task), outcome.verdict
    if task is None or verdict is None or verdict.status not in SCORED_STATUSES:
        return None
    if task.control_condition and outcome.tags.get(task.condition_tag) == task.control_condition:
        return None
    if verdict.status is not AttemptStatus.ANSWERED:
        return str(verdict.status)
    if verdict.score is None or verdict.score == 1 or (verdict.score and task.judge is not None):
        return None
    return PARTLY_RIGHT if verdict.score else WRONG


def sample_failures(ledger: Ledger, run: RunRecord, number: int, seed: int) -> FailureSample:
    strata: dict[Stratum, list[str]] = {}
    for outcome in ledger.attempt_results(run.id):
        if (how := failure_kind(outcome)) is not None:
            strata.setdefault((outcome.model, how), []).append(outcome.attempt_id)
    if not strata:
        raise UserError(f"run {run.name!r} has no failed attempts to review: every answer that was scored is right")
    weights = stratified_sample(strata, number, seed, stratum_description="model and way of failing")
    return FailureSample(weights, sum(map(len, strata.values())), len({model for model, _ in strata}))
