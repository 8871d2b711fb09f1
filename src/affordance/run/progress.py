"""How a run stands: counters that the runner moves and that anybody may look at."""

import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from affordance.core.attempt import Ended
from affordance.models.answers import UNANSWERED


@dataclass(slots=True)
class ModelProgress:
    planned: int = 0
    before: int = 0  # had ended when this run was resumed
    ended: Counter[Ended] = field(default_factory=Counter)
    asked: int = 0
    cached: int = 0
    stopped: str = ""
    reasons: Counter[str] = field(default_factory=Counter)  # why attempts failed or were skipped

    @property
    def done(self) -> int:
        return self.before + self.ended.total()

    @property
    def unanswered(self) -> int:
        """Of people: attempts that failed because nobody has answered yet."""
        return sum(count for reason, count in self.reasons.items() if reason.startswith(UNANSWERED))


@dataclass(slots=True)
class Progress:
    models: defaultdict[str, ModelProgress] = field(default_factory=lambda: defaultdict(ModelProgress))
    spent: float | None = 0.0  # US dollars; None where a model has no price
    interrupted: str = ""  # why the run ended early
    over_budget: bool = False  # whether that is why
    remarks: Mapping[str, str] = field(default_factory=dict)  # what is odd about models, by name
    quiet_until: dict[str, float] = field(default_factory=dict)  # by model, on the monotonic clock
    started: float = field(default_factory=time.monotonic)

    @property
    def planned(self) -> int:
        return sum(model.planned for model in self.models.values())

    @property
    def done(self) -> int:
        return sum(model.done for model in self.models.values())

    @property
    def failed(self) -> int:
        return sum(model.ended[Ended.FAILED] for model in self.models.values())

    @property
    def unanswered(self) -> int:
        """Of those that failed, what people have not answered yet."""
        return sum(model.unanswered for model in self.models.values())

    @property
    def waits(self) -> dict[str, float]:
        """For how many seconds endpoints ask to be left alone, by model; less than one is not worth telling."""
        now = time.monotonic()
        left = {name: until - now for name, until in self.quiet_until.items() if not self.interrupted}
        return {name: seconds for name, seconds in left.items() if seconds >= 1.0}

    @property
    def complete(self) -> bool:
        return not self.interrupted and not self.failed and self.done == self.planned

    @property
    def rate(self) -> float:
        """Attempts per second, of this session."""
        seconds = time.monotonic() - self.started
        return sum(model.ended.total() for model in self.models.values()) / seconds if seconds > 0 else 0.0
