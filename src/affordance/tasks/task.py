"""What a task is. Adding a task is one module that fills this in."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from affordance.core.attempts import AttemptResult, Strategy, Verdict
from affordance.core.json_text import Json
from affordance.core.question import AnswerFormat, Question
from affordance.core.requests import Response
from affordance.datasets import DatasetCollection
from affordance.grounding.dialects import Dialect
from affordance.stats import Interval
from affordance.tasks.metrics import HEADLINE_METRIC, accuracy, accuracy_intervals, is_complete
from affordance.tasks.question_design import OptionOrder, PlannedQuestion, QuestionDesign
from affordance.tasks.scoring import JudgePlan

QUESTION_TEXT_TAG = "asked"  # the tag that holds what is asked of an item, where that is not the same for all


ValueWithInterval = tuple[float, float | None, float | None]  # a value between 0 and 1, and its interval


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings as a named whole: `affordance` is ours, `paper` is as published."""

    trials: int  # of each question
    option_order: OptionOrder  # of options, over trials
    parse_retries: int = 0  # how often an unreadable reply is asked again
    sampling: Mapping[str, Json] = field(default_factory=dict)  # sampling; what is left out is not sent


@dataclass(frozen=True, slots=True)
class Task:
    name: str  # SUITE/TASK, as in `affordance run`
    summary: str  # what is asked, in one sentence
    dataset_kinds: tuple[str, ...]  # of datasets that it can be asked about
    item_noun: str  # what an item is
    options: frozenset[str]  # the options of `affordance run` that mean something to it
    protocols: Mapping[str, Preset]  # by name; affordance and paper are known
    prompts: Mapping[str, frozenset[str]]  # prompt name -> the placeholders it must use
    strategies: Mapping[str, Strategy]  # by name; zero-shot is the usual one
    questions: Callable[
        [DatasetCollection, QuestionDesign], Iterator[PlannedQuestion]
    ]  # all that is asked of data, trial by trial
    score: Callable[[Question, Response], Verdict]  # the verdict of a reply
    metrics: Callable[[Sequence[AttemptResult]], Mapping[str, float | None]]  # of a row, by name; None: does not apply
    trivial_baselines: Callable[
        [Sequence[AttemptResult]], Mapping[str, float]
    ]  # what takes no understanding; guessing is the first
    correct_answer: Callable[
        [Question, AnswerFormat], str | None
    ]  # what a perfect model says, in the grammar it is asked in
    in_dialect: Callable[[Question, Dialect], Question] | None = None  # the question as a dialect puts it
    error_shares: Callable[[Sequence[AttemptResult]], Mapping[str, float]] = (
        lambda _: {}
    )  # of attempts: kinds of mistake
    compatible_metrics: Callable[[Sequence[AttemptResult]], Mapping[str, float | None]] = (
        lambda _: {}
    )  # as others count
    breakdown_results: Callable[[Sequence[AttemptResult]], Sequence[AttemptResult]] = lambda found: (
        found
    )  # what breakdowns count
    intervals: Callable[[Sequence[AttemptResult]], Mapping[str, Interval | None]] = accuracy_intervals  # None: has none
    metric_counts: Callable[[Sequence[AttemptResult]], Mapping[str, int]] = (
        lambda _: {}
    )  # n of metrics that leave attempts out
    breakdown_metrics: Callable[[Sequence[AttemptResult]], Mapping[str, float | None]] = lambda found: {
        "accuracy": accuracy(found)
    }
    trial_statistics: Callable[[Sequence[AttemptResult]], Mapping[str, Json]] = (
        lambda _: {}
    )  # mean and deviation over trials
    position_bias: Callable[[Sequence[AttemptResult]], Mapping[str, ValueWithInterval]] = (
        lambda _: {}
    )  # how much is position
    density_contrast: Callable[[Sequence[AttemptResult]], Mapping[str, float]] = (
        lambda _: {}
    )  # dense less sparse targets
    describe_truth: Callable[[str], str] = str  # the truth, as a person would read it
    truth_image: Callable[[str], str | None] = lambda _: None  # of the truth: the picture of what really happened
    expressions: tuple[str, ...] = ()  # the kinds of expression that it knows
    has_no_overlap: Callable[[str], bool] = lambda _: False  # whether overlap means nothing in a dialect
    score_label: str = "accuracy"  # what a score of one means, in a word
    condition_tag: str = ""  # the tag by which rows are kept apart: single and multiple answers...
    baseline_condition: str = ""  # the value that the others are compared with, where there are several
    main_condition: str = ""  # the value that is shown in full, where there are several
    control_condition: str = ""  # the value of that tag whose rows are a control and no part of the headline
    texts: Mapping[str, str] = field(default_factory=dict)  # prompts that are not files of the suite
    classes: tuple[str, ...] = ()  # the classes of a confusion matrix, in order
    breakdowns: tuple[str, ...] = ()  # tags by which the report breaks the numbers down
    judge: JudgePlan | None = None  # where replies are judged by a model
    has_both_sources: Callable[[DatasetCollection], bool] = lambda _: (
        False
    )  # whether questions are both written down and captured
    external_truth: Callable[[str], str] | None = (
        None  # of the truth: what is kept beside the records, and may change alone
    )

    @property
    def suite(self) -> str:
        return self.name.partition("/")[0]


def reportable_metrics(task: Task, outcomes: Sequence[AttemptResult], dialect: str = "") -> dict[str, float | None]:
    """The task's metrics. Where something is missing only accuracy, which has bounds: the others would hide it. Of a
    model that only points in its dialect no overlap."""
    pointing = bool(dialect) and task.has_no_overlap(dialect)
    found = {name: None if pointing and name.startswith("iou") else v for name, v in task.metrics(outcomes).items()}
    return found if is_complete(outcomes) else {**dict.fromkeys(found), HEADLINE_METRIC: found[HEADLINE_METRIC]}
