"""Progress of a run: counters that the executor moves and others read."""

import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.models.adaptation import Adaptation
from affordance.models.study_answers import UNANSWERED


@dataclass(slots=True)
class ModelProgress:
    planned: int = 0
    done_before: int = 0  # attempts that had ended when the run was resumed
    statuses: Counter[AttemptStatus] = field(default_factory=Counter)
    sent: int = 0
    cached: int = 0
    stop_reason: str = ""
    reasons: Counter[str] = field(default_factory=Counter)  # why attempts failed or were skipped

    @property
    def done(self) -> int:
        return self.done_before + self.statuses.total()

    @property
    def unanswered(self) -> int:
        """Attempts of a study that failed because no participant has answered yet."""
        return sum(count for reason, count in self.reasons.items() if reason.startswith(UNANSWERED))


@dataclass(frozen=True, slots=True)
class Pause:
    """A wait before the next request to a model. Times are on the monotonic clock."""

    reason: str  # the last error before it
    until: float
    gives_up_at: float  # when that request fails for good if nothing changes


@dataclass(slots=True)
class RunProgress:
    models: defaultdict[str, ModelProgress] = field(default_factory=lambda: defaultdict(ModelProgress))
    cost: float | None = 0.0  # US dollars; None where a model has no price
    stop_reason: str = ""  # why the run ended early
    over_budget: bool = False  # whether the budget is the reason
    warnings: Mapping[str, str] = field(default_factory=dict)  # by model
    adaptations: list[Adaptation] = field(default_factory=list)  # parameters that providers refused
    pauses: dict[str, Pause] = field(default_factory=dict)  # by model, also those that are over
    started_at: float = field(default_factory=time.monotonic)

    def count_verdict(self, model: str, verdict: Verdict, stop_reason: str) -> None:
        """Count an attempt of a model that has ended."""
        counts = self.models[model]
        counts.statuses[verdict.status] += 1
        if verdict.counted_score is None:
            counts.reasons[verdict.reason] += 1
        counts.stop_reason = stop_reason

    @property
    def planned(self) -> int:
        return sum(model.planned for model in self.models.values())

    @property
    def done(self) -> int:
        return sum(model.done for model in self.models.values())

    @property
    def failed(self) -> int:
        return sum(model.statuses[AttemptStatus.FAILED] for model in self.models.values())

    @property
    def unanswered(self) -> int:
        """Failed attempts that participants of a study have not answered yet."""
        return sum(model.unanswered for model in self.models.values())

    @property
    def current_pauses(self) -> dict[str, Pause]:
        """Pauses that last for another second at least, by model."""
        soon = time.monotonic() + 1.0
        return {} if self.stop_reason else {name: one for name, one in self.pauses.items() if one.until >= soon}

    @property
    def complete(self) -> bool:
        return not self.stop_reason and not self.failed and self.done == self.planned

    @property
    def rate(self) -> float:
        """Attempts per second since the command started."""
        seconds = time.monotonic() - self.started_at
        return sum(model.statuses.total() for model in self.models.values()) / seconds if seconds > 0 else 0.0
