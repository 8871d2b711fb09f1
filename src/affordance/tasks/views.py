"""How the report presents a task."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from affordance.core.attempts import AttemptResult
from affordance.core.table import Table
from affordance.tasks.metrics import ResultSet


@dataclass(frozen=True, slots=True)
class RowSplit:
    """The tag by which rows of a task are kept apart: single and multiple answers, cue sets, kinds of description."""

    tag: str
    baseline: str = ""  # the value that the others are compared with, where there are several
    main: str = ""  # the value that is shown in full, where there are several
    control: str = ""  # the value whose rows are a control and no part of the headline


@dataclass(frozen=True, slots=True)
class BreakdownTag:
    """A tag by which the report breaks numbers down."""

    tag: str
    label: str = ""  # how it is shown, where that is not the tag
    note: str = ""  # what a reader of the slices must know
    expand: Callable[[ResultSet], Sequence[AttemptResult]] | None = None  # results that have the tag, several for one


def tags(*names: str) -> tuple[BreakdownTag, ...]:
    """Breakdowns by tags that results have as they are."""
    return tuple(map(BreakdownTag, names))


@dataclass(frozen=True, slots=True)
class LabelledResults:
    """The results of one row, with its label in tables."""

    label: str
    model: str
    strategy: str
    results: ResultSet


ResultTable = Callable[[Sequence[LabelledResults]], Table | None]


@dataclass(frozen=True, slots=True)
class MetricTable:
    """A task's own table: the metrics of a section, a line for each row."""

    title: str
    section: str
    note: str = ""


NO_SPLIT = RowSplit("")


def _no_errors(_: ResultSet) -> Mapping[str, float]:
    return {}


def _no_image(_: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskViews:
    """How the report presents a task.

    Attributes:
        item_noun: what an item is: clip, pair, target.
        cluster_noun: what was sampled: items of one cluster are not independent.
        split: by which rows are kept apart.
        breakdowns: the tags of slices.
        classes: the classes of a confusion matrix, in order.
        errors: shares of errors by kind.
        errors_note: what the kinds of error mean.
        tables: tables of the task's own metrics.
        result_tables: tables over the results of all rows, such as a majority vote.
        describe_truth: a truth as a person reads it.
        truth_image: the digest of an image of what really happened.
    """

    item_noun: str = "item"
    cluster_noun: str = "item"
    split: RowSplit = NO_SPLIT
    breakdowns: tuple[BreakdownTag, ...] = ()
    classes: tuple[str, ...] = ()
    errors: Callable[[ResultSet], Mapping[str, float]] = _no_errors
    errors_note: str = ""
    tables: tuple[MetricTable, ...] = ()
    result_tables: tuple[ResultTable, ...] = ()
    describe_truth: Callable[[str], str] = str
    truth_image: Callable[[str], str | None] = _no_image


DEFAULT_VIEWS = TaskViews()
