"""Which attempts of a run are still to be made."""

from collections.abc import Mapping

from affordance.core.attempt import AttemptStatus
from affordance.evaluation.attempts import PlannedAttempt
from affordance.models.base import Model
from affordance.models.limits import LimitedModel


def is_finished(planned: PlannedAttempt, model: Model, statuses: Mapping[str, AttemptStatus]) -> bool:
    """Whether an attempt needs nothing more. One that failed is made again, and so is one that was skipped by a limit
    that no longer holds. (Version 1 also skipped what a server said it could not take.)

    Args:
        ended: by attempt id, how attempts of the run have ended.
    """
    match statuses.get(planned.attempt.id):
        case None | AttemptStatus.FAILED:
            return False
        case AttemptStatus.SKIPPED if isinstance(model, LimitedModel):
            asks = next(planned.strategy(planned.question, planned.prompts))
            return any(model.check_limits(ask) is not None for ask in asks)
        case _:
            return True
