"""What a task is. Adding a task is one module that fills this in."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from affordance.core.attempts import AttemptResult, Strategy, Verdict
from affordance.core.json_text import Json
from affordance.core.options import options_of
from affordance.core.question import Question
from affordance.core.requests import Response
from affordance.datasets import DatasetCollection
from affordance.tasks.metrics import SECTIONS_APART, Metric, TrivialBaseline
from affordance.tasks.question_design import OptionOrder, PlannedQuestion, QuestionDesign, TaskParams
from affordance.tasks.scoring import JudgePlan, Scorer, verdict_of
from affordance.tasks.views import DEFAULT_VIEWS, TaskViews

QUESTION_TEXT_TAG = "asked"  # the tag that holds what is asked of an item, where that is not the same for all


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A task's part of a protocol: `affordance` is ours, `paper` is as published.

    Attributes:
        trials: trials of each question.
        option_order: the order of options over trials.
        parse_retries: how often an unparsed response is requested again; stored as `reasks`.
        sampling: request parameters; what is left out is not sent.
    """

    trials: int = 1
    option_order: OptionOrder = OptionOrder.FIXED
    parse_retries: int = 0
    sampling: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """Answers of a model that must exist before a task has questions, such as summaries of its references.

    Attributes:
        task: asks for the answers.
        prompts: the names of the prompts of the prepared task that `task` uses.
        missing: the questions of `task` whose answers are not stored with the data. Its last arguments are the model
            that answers, the prompts of the prepared task, and the models of the run.
        save: stores answers (results of `task` by that model) with the data; gives the number of new ones.
        stand_in: the prepared task with texts of a given length in place of missing answers, for estimates.
    """

    task: "Task"
    prompts: tuple[str, ...]
    missing: Callable[
        [DatasetCollection, QuestionDesign[Any], str, Mapping[str, str], Sequence[str]], Iterator[PlannedQuestion]
    ]
    save: Callable[[DatasetCollection, Iterable[AttemptResult], str, Mapping[str, str]], int]
    stand_in: Callable[["Task", int], "Task"]


QuestionSource = Callable[[DatasetCollection, QuestionDesign[Any]], Iterator[PlannedQuestion]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A benchmark: what is asked, how responses are scored, what is measured, and how it is presented.

    Attributes:
        name: SUITE/TASK, as on the command line.
        summary: what is asked, in one sentence.
        dataset_kinds: kinds of datasets that it can be asked about.
        params: what can be set.
        protocols: presets by name; `affordance` is required.
        questions: all questions about data.
        strategies: how a question becomes requests, by name; `zero-shot` is required and the default.
        preparation: answers that must exist before there are questions.
        scorer: how a response becomes a verdict.
        metrics: the first one is the headline.
        trivial_baselines: scores without understanding, guessing first.
        views: how the report presents the task.
        prompts: the prompts of a plugin's task, by name; ours are files.
    """

    name: str
    summary: str
    dataset_kinds: tuple[str, ...]
    params: type[TaskParams] = TaskParams
    protocols: Mapping[str, Preset]
    questions: QuestionSource
    strategies: Mapping[str, Strategy]
    preparation: Preparation | None = None
    scorer: Scorer[Any]
    metrics: tuple[Metric, ...]
    trivial_baselines: tuple[TrivialBaseline, ...] = ()
    views: TaskViews = DEFAULT_VIEWS
    prompts: Mapping[str, str] = field(default_factory=dict)

    @property
    def suite(self) -> str:
        return self.name.partition("/")[0]

    @property
    def judge(self) -> JudgePlan | None:
        """How a judge model scores free text; None where none does."""
        return self.scorer.judge

    @property
    def headline(self) -> Metric | None:
        return self.metrics[0] if self.metrics else None

    @property
    def metrics_of_row(self) -> list[Metric]:
        """Metrics that are among the numbers of a row, and not in a section apart."""
        return [one for one in self.metrics if one.section not in SECTIONS_APART]

    @property
    def headline_label(self) -> str:
        """What the headline measures, in a word."""
        return self.metrics[0].label if self.metrics else "score"

    @property
    def options(self) -> frozenset[str]:
        """Names of the run options that apply to the task, as on the command line."""
        found = {"trials", "strategy"}
        for info in options_of(self.params).values():
            found |= {flag.removeprefix("--") for flag in (info.flag, *info.aliases)}
        found |= {"judge"} if self.judge is not None else set()
        return frozenset(found | {"dialect"} if self.scorer.locations else found)

    def score(self, question: Question, response: Response) -> Verdict:
        """The verdict on a response, before a judge scores it."""
        return verdict_of(self.scorer, question, response)
