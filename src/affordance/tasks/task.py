"""What a task is: data that the runner and the report read. Adding a task is one module that fills this in."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from affordance.core.ask import Response
from affordance.core.attempt import AttemptResult, Strategy, Verdict
from affordance.core.digest import Json
from affordance.core.grammar import AnswerFormat, RatingScale
from affordance.core.question import Question
from affordance.datasets import Collection
from affordance.grounding.dialects import Dialect
from affordance.stats import Interval
from affordance.tasks.metrics import accuracy, accuracy_intervals

JUDGEMENT_TAG = "judged"  # the tag of a judgement's question that holds what kind of judgement it is
QUESTION_TEXT_TAG = "asked"  # the tag that holds what is asked of an item, where that is not the same for all

DESIGN_VERSION = 2  # by which questions are made: in runs of version 1 they are 1, see `Design.rules`

ValueWithInterval = tuple[float, float | None, float | None]  # a value between 0 and 1, and its interval


class Order(StrEnum):
    """How the options of a question are ordered over trials."""

    # Runs that were made when only the options were balanced are "balanced", and must not be gone on with.
    BALANCED = "balanced by truth"  # the right option in every slot equally often, by construction
    CAPTURED = "balanced by truth on captured screens"  # the same, and published questions as they are
    BOTH_ORDERS = "balanced"  # two things, each first once for every trial: what these runs ask never changed
    FIXED = "fixed"  # as published, the same throughout
    SHUFFLED = "shuffled"  # an independent seeded shuffle per trial, the same for all items

    @property
    def is_balanced_by_truth(self) -> bool:
        return self in (Order.BALANCED, Order.CAPTURED)


@dataclass(frozen=True, slots=True)
class Protocol:
    """Settings as a named whole: `affordance` is ours, `paper` is as published."""

    trials: int  # of each question
    option_order: Order  # of options, over trials
    parse_retries: int = 0  # how often an unreadable reply is asked again
    sampling: Mapping[str, Json] = field(default_factory=dict)  # sampling; what is left out is not sent


@dataclass(frozen=True, slots=True)
class Design:
    """What decides which questions there are."""

    trials: int  # of each question
    option_order: Order  # of options, over trials
    seed: int  # of all that is drawn
    fps: Fraction  # frames per second that are shown of a clip
    limit: int | None = None  # items, from all over the dataset
    expressions: tuple[str, ...] = ()  # how targets are described
    show_goal: bool = False  # whether the goal of a page is shown
    cues: tuple[tuple[str, ...], ...] = (("context",),)  # the sets of cues that clips are asked with
    max_frames: int | None = None  # of one clip
    video: bool = False  # whether clips are shown as videos
    references: tuple[str, ...] = ("summary",)  # what meanings are judged against: summary, individual
    summarizer: str | None = None  # whose summaries; None: whose are the latest
    summary_prompt: str = ""  # the digest of what the summarizer is told
    judge_orders: int = 1  # in how many orders of its two texts a judge is asked
    # Since 2, options are balanced over a limited subset, and targets and questions that are written down are asked
    # next to those of captured outcomes.
    design_version: int = DESIGN_VERSION


@dataclass(frozen=True, slots=True)
class Trial:
    question: Question  # what is asked
    trial: int  # from 0


@dataclass(frozen=True, slots=True)
class Judging:
    """How a task's replies are judged by a model: pure functions that plan judgements and draw the conclusion."""

    judgements: Callable[[Question, Response], Sequence[Question]]  # what the judge is asked about a reply
    strategy: Strategy  # how it is asked
    score: Callable[[Question, Response], Verdict]  # the verdict of one judgement
    combine: Callable[[Question, Response, Sequence[Verdict]], Verdict]  # of all judgements: the attempt's verdict
    headline_kinds: tuple[
        str, ...
    ]  # the kinds of judgement that the score is about; of several the first that there is
    scale: RatingScale | None = None  # on which a judge and people score; None is yes or no
    sampling: Mapping[str, Json] = field(default_factory=lambda: {"temperature": 0})  # sampling, whatever the model's

    def scored_kind(self, kinds: Container[str]) -> str | None:
        """The kind of judgement that the score is about, where there are these; None where it is about all."""
        return next((kind for kind in self.headline_kinds if kind in kinds), None)


@dataclass(frozen=True, slots=True)
class Task:
    name: str  # SUITE/TASK, as in `affordance run`
    summary: str  # what is asked, in one sentence
    dataset_kinds: tuple[str, ...]  # of datasets that it can be asked about
    item_noun: str  # what an item is
    options: frozenset[str]  # the options of `affordance run` that mean something to it
    protocols: Mapping[str, Protocol]  # by name; affordance and paper are known
    prompts: Mapping[str, frozenset[str]]  # prompt name -> the placeholders it must use
    strategies: Mapping[str, Strategy]  # by name; zero-shot is the usual one
    questions: Callable[[Collection, Design], Iterator[Trial]]  # all that is asked of data, trial by trial
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
    judge: Judging | None = None  # where replies are judged by a model
    has_both_sources: Callable[[Collection], bool] = lambda _: (
        False
    )  # whether questions are both written down and captured
    external_truth: Callable[[str], str] | None = (
        None  # of the truth: what is kept beside the records, and may change alone
    )

    @property
    def suite(self) -> str:
        return self.name.partition("/")[0]
