"""One row of results: a task, condition, model and strategy of a run, with everything that its number needs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from affordance.core.attempts import SCORED_STATUSES, AttemptStatus
from affordance.core.json_text import Json
from affordance.core.model_name import STUDY_PREFIX, without_base_url
from affordance.ledger import RequestTotals
from affordance.models.adaptation import Adaptation
from affordance.report.error_review import ErrorReview
from affordance.report.human_rows import ParticipantSummary, human_label
from affordance.report.judge_status import Correction, JudgeStatus
from affordance.report.results import RowKey
from affordance.stats import AnnotatorAgreement, Interval
from affordance.tasks.metrics import FIRST_TRY_ACCURACY
from affordance.tasks.registry import TASKS

DEFAULT_STRATEGY = "zero-shot"
UNEXPORTED_FIELDS = ("section_values",)  # of a row, in its JSON
NO_ANSWER_STATUSES = (AttemptStatus.REFUSED, AttemptStatus.UNPARSED, AttemptStatus.TRUNCATED)

Metrics = Mapping[str, float | None]
ValueWithInterval = tuple[float, float | None, float | None]


@dataclass(frozen=True, slots=True)
class SliceResult:
    by: str
    value: str
    n: int
    metrics: Metrics
    ended: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ConditionDifference:
    """This row's accuracy less that of the row with another form, over the items that both have."""

    form: str
    accuracy: float
    interval: Interval | None
    n: int
    p: float  # exact McNemar test where every item is right or wrong, else Wilcoxon's with Pratt's zeros


@dataclass(frozen=True, slots=True)
class ResultRow:
    run: str
    task: str
    model: str
    strategy: str
    form: str  # single or multiple answers, the kind of expression: what keeps rows of one task apart
    dataset: Mapping[str, Json]
    n: int  # attempts planned, without those the model could not be asked
    items: int
    metrics: Metrics
    intervals: Mapping[str, Interval]  # 95%
    bounds: Mapping[str, Interval]  # of an incomplete row: what is missing counted as wrong, and as right
    compat: Metrics  # as other harnesses count; never a headline
    trials: Mapping[str, Any]
    settings: Mapping[str, Json]
    dialect: str  # in which it speaks coordinates; empty where the task has none
    decided: str  # how that was determined: name, option, calibration, or unknown
    warnings: tuple[str, ...]  # what casts doubt on the numbers
    differences: tuple[ConditionDifference, ...]  # from rows of another form, on the same items
    positions: Mapping[str, ValueWithInterval]  # how much of the answer is position
    contrast: Mapping[str, float]  # dense less sparse, as it is and at equal area
    sent: tuple[Mapping[str, Json], ...]  # where asks went and with which parameters, as this model takes them
    effort: RequestTotals | None  # of all forms of this task, model and strategy; None before the first reply
    ended: Mapping[str, int]
    pending: int  # planned, but not asked yet
    complete: bool
    chance: float
    floors: Mapping[str, float]  # what takes no understanding: chance first
    shares: Mapping[str, float]  # of scored attempts: kinds of mistake
    breakdowns: tuple[SliceResult, ...]
    confusion: tuple[tuple[str, str, int], ...]  # truth, answer, count
    certificate: JudgeStatus | None = None  # what the judge is worth; None where nothing is judged
    corrected: Correction | None = None  # the score as people would have given it; None without a certified judge
    people: tuple[AnnotatorAgreement, ...] = ()  # how far those agree who are the row, where it is a study
    asked: ParticipantSummary | None = None  # who those are, where it is a study
    reviews: tuple[ErrorReview, ...] = ()  # what people found in the failures of all rows of the run
    counts: Mapping[str, int] = field(default_factory=dict)  # n of `metrics` and `compat` that leave attempts out
    parser_versions: tuple[int, ...] = ()  # by which its verdicts were read
    adaptations: tuple[Adaptation, ...] = ()  # parameters that it and its judge were not sent as they were set
    # Metrics in sections apart, by name; in JSON they are `positions` and `contrast`.
    section_values: Mapping[str, ValueWithInterval] = field(default_factory=dict)

    @property
    def key(self) -> RowKey:
        return self.task, self.form, self.model, self.strategy

    @property
    def label(self) -> str:
        """The model with its strategy, or the study with whether its answers are simulated."""
        if self.asked is not None:
            return f"{self.model}, {human_label(self.asked)}"
        return self.model if self.strategy == DEFAULT_STRATEGY else f"{self.model} ({self.strategy})"

    @property
    def task_label(self) -> str:
        """The task with its condition: `function/outcome-region (multi)`."""
        return f"{self.task} ({self.form})" if self.form else self.task

    @property
    def is_human(self) -> bool:
        return self.model.startswith(STUDY_PREFIX)

    @property
    def scored(self) -> int:
        """Attempts that are scored."""
        return sum(self.ended[status] for status in SCORED_STATUSES)

    @property
    def unanswered(self) -> int:
        """Attempts that count as wrong because they have no answer."""
        return sum(self.ended[status] for status in NO_ANSWER_STATUSES)

    @property
    def missing(self) -> int:
        """Attempts that are not scored yet, but will be when the run is resumed."""
        return self.ended[AttemptStatus.FAILED] + self.pending

    @property
    def completeness_label(self) -> str:
        """Empty for a complete row."""
        return "not asked" if not self.n else "" if self.complete else "incomplete"

    @property
    def is_control(self) -> bool:
        """Whether its items are controls and no part of the headline."""
        task = TASKS.get(self.task)
        return bool(self.form) and task is not None and self.form == task.views.split.control

    @property
    def strongest_baseline(self) -> str:
        """The highest of the trivial baselines: what a model must beat."""
        return self.baseline_label(max(self.floors, key=lambda name: self.floors[name], default="chance"))

    @property
    def baseline_relation(self) -> Literal["above", "below", "level", ""]:
        """Where the interval lies relative to the strongest trivial baseline; empty where that is unknown."""
        if "accuracy" not in self.intervals or self.chance <= 0:
            return ""
        low, high = self.intervals["accuracy"]
        return "above" if low > self.chance else "below" if high < self.chance else "level"

    @property
    def was_retried(self) -> bool:
        """Whether unparsed responses were to be requested again."""
        retries, first = self.setting("reasks"), self.metrics.get(FIRST_TRY_ACCURACY.name)
        return (isinstance(retries, int) and retries > 0) or (first is not None and first != self.metrics["accuracy"])

    def baseline_label(self, name: str) -> str:
        """How a trivial baseline is shown."""
        task = TASKS.get(self.task)
        known = {one.name: one.label for one in task.trivial_baselines} if task is not None else {}
        return known.get(name, name)

    def setting(self, key: str) -> Json:
        """A setting of the row's task; settings are for all tasks or by task."""
        value = self.settings.get(key)
        return value.get(self.task) if isinstance(value, Mapping) else value

    def to_json(self) -> dict[str, Any]:
        """The row as the JSON report has it."""
        return {name: value for name, value in asdict(self).items() if name not in UNEXPORTED_FIELDS}


def with_short_labels(group: Sequence[ResultRow]) -> list[ResultRow]:
    """The rows with models named without their base URL, unless that would make two models one."""
    short = {row.model: without_base_url(row.model) for row in group}
    if len(set(short.values())) < len(short):
        return list(group)
    return [replace(row, model=short[row.model]) for row in group]
