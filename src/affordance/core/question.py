"""Questions: what is asked about an item, the same for every model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from affordance.core.digest import Json, digest
from affordance.core.grammar import AnswerFormat
from affordance.core.picture import MediaSpec


def question_id(task: str, item: str, axes: Mapping[str, Json]) -> str:
    """H(task, item, axes). The axes are what varies by design (order, option permutation, cues, expression,
    goal); wording, dialect, strategy and trial are not among them, so that models and prompt versions can be
    paired for ever."""
    return digest("question", task, item, dict(axes))


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its truth. It never leaves the runner: models get an `Ask`."""

    task: str  # its name
    item: str  # the id of what it is about
    axes: Mapping[str, Json]  # what varies by design, such as the order of options; part of the id
    media: tuple[MediaSpec, ...]  # that are shown, in this order
    prompt_fields: Mapping[str, str]  # what the prompt's placeholders stand for
    answer_format: AnswerFormat  # in what form the answer is asked for
    truth: str  # as text, in the form that the task's `read` compares with
    source_paths: Mapping[str, Path]  # where the pictures' sources are, by content digest
    tags: Mapping[str, str] = field(default_factory=dict)  # what a report breaks the numbers down by
    cluster: str = ""  # what was sampled; attempts of one cluster are not independent
    id: str = field(init=False)  # a digest of task, item and axes: the same for every model

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", question_id(self.task, self.item, self.axes))
        if not self.cluster:
            object.__setattr__(self, "cluster", self.item)
