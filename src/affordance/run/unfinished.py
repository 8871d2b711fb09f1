"""Which attempts of a run are still to be made."""

from collections.abc import Mapping

from affordance.core.attempt import Ended
from affordance.models.base import Model
from affordance.models.limits import Limited
from affordance.run.driving import Planned


def is_finished(planned: Planned, model: Model, ended: Mapping[str, Ended]) -> bool:
    """Whether an attempt needs nothing more. One that failed is made again, and so is one that was skipped by a limit
    that no longer holds. (Version 1 also skipped what a server said it could not take.)

    Args:
        ended: by attempt id, how attempts of the run have ended.
    """
    match ended.get(planned.attempt.id):
        case None | Ended.FAILED:
            return False
        case Ended.SKIPPED if isinstance(model, Limited):
            asks = next(planned.strategy(planned.question, planned.prompts))
            return any(model.refusal(ask) is not None for ask in asks)
        case _:
            return True
