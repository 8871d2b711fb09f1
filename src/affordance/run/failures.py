"""Drawing failed attempts for people to review: stratified by model and by how they ended, so that few reviews tell of
every model where it fails. Weights make up for strata being drawn from unequally."""

from dataclasses import dataclass

from affordance.core.attempt import COUNTED, Ended, Outcome
from affordance.core.errors import UserError
from affordance.ledger import Ledger, Run
from affordance.run.drawing import draw
from affordance.suites.registry import TASKS

WRONG, PARTLY = "wrong", "partly right"  # how attempts ended whose answer was read

Stratum = tuple[str, str]  # model, and how it ended


@dataclass(frozen=True, slots=True)
class Drawn:
    weights: dict[str, float]  # by attempt, in the order in which they are shown
    population: int  # failures that there are
    models: int


def failure_of(outcome: Outcome) -> str | None:
    """How an attempt failed: with a wrong answer, with one that is right in part, or refused, unparsed or truncated.
    None where it did not, and where that is not the model's doing: those that failed at the provider, that could not
    be asked, that are controls. Of what a judge scored, only what is worth nothing is a failure."""
    task, verdict = TASKS.get(outcome.task), outcome.verdict
    if task is None or verdict is None or verdict.ended not in COUNTED:
        return None
    if task.control and outcome.tags.get(task.form) == task.control:
        return None
    if verdict.ended is not Ended.ANSWERED:
        return str(verdict.ended)
    if verdict.score is None or verdict.score == 1 or (verdict.score and task.judging is not None):
        return None
    return PARTLY if verdict.score else WRONG


def sample_failures(ledger: Ledger, run: Run, number: int, seed: int) -> Drawn:
    strata: dict[Stratum, list[str]] = {}
    for outcome in ledger.outcomes(run.id):
        if (how := failure_of(outcome)) is not None:
            strata.setdefault((outcome.model, how), []).append(outcome.attempt)
    if not strata:
        raise UserError(f"run {run.name!r} has no failed attempts to review: every answer that was scored is right")
    weights = draw(strata, number, seed, each="model and way of failing")
    return Drawn(weights, sum(map(len, strata.values())), len({model for model, _ in strata}))
