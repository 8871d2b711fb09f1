"""`author/pairs`: what a model is asked for to make a pair of designs. Not a task of the leaderboard."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from affordance.author.designs.documents import documents
from affordance.author.designs.goals import Goal
from affordance.author.designs.placeholders import PICTURES
from affordance.capture.looks import Look
from affordance.core.answer_text import Unparsed
from affordance.core.digest import digest
from affordance.core.prompts import packaged_prompts
from affordance.core.question import AnswerFormat, FreeText, Question
from affordance.datasets import Dataset, DatasetCollection, DatasetHeader, DesignPair
from affordance.tasks.question_design import OptionOrder, PlannedQuestion, QuestionDesign
from affordance.tasks.scoring import Score, Scorer
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import Preset, Task
from affordance.tasks.views import TaskViews

NAME = "author/pairs"
_PROMPT = "zero-shot"


def planned_pairs(goals: Sequence[Goal], look: Look, folder: Path) -> DatasetCollection:
    """The pairs that there are to be, without their pictures: the data of the run that asks for them."""
    header = DatasetHeader(
        format=1, kind="pair", name="goals", licence="unknown", provenance="goals to write pages for", synthetic=True
    )
    # With all that is asked for: another context is another run.
    pairs = tuple(
        DesignPair.model_validate({"images": list(images_of(goal)), "size": _size(look), **goal.model_dump()})
        for goal in sorted(goals, key=lambda goal: goal.id)
    )
    return DatasetCollection.single(
        Dataset(folder, header, pairs, frozenset(path for pair in pairs for path in pair.images))
    )


def images_of(goal: Goal) -> tuple[str, str]:
    return f"media/{goal.id}-a.png", f"media/{goal.id}-b.png"


def asking(goals: Sequence[Goal], look: Look, number: int, remarks: Mapping[str, str]) -> Task:
    """The task that asks for pages for these goals, the `number`th time. By goal, `remarks` say what was wrong with
    those of the time before."""
    return replace(PAIRS, questions=partial(_questions, goals, look, number, remarks))


def _questions(
    goals: Sequence[Goal],
    look: Look,
    number: int,
    remarks: Mapping[str, str],
    data: DatasetCollection,
    design: QuestionDesign[Any],
) -> Iterator[PlannedQuestion]:
    for goal in goals:
        remark = remarks.get(goal.id)
        fields = {
            "goal": goal.goal,
            "context": f"\nAbout the page: {goal.context}" if goal.context else "",
            "size": _size(look),
            "pictures": ", ".join(PICTURES),
            "remark": f"\n\nAn earlier answer could not be used: {remark}" if remark else "",
        }
        yield PlannedQuestion(Question(NAME, goal.id, {}, (), fields, FreeText(), "", {}), number)


def _size(look: Look) -> str:
    return f"{look.width}x{look.height}"


def _parse(text: str, _: AnswerFormat) -> tuple[str, ...] | Unparsed:
    found = documents(text)
    return Unparsed(found) if isinstance(found, str) else tuple(found)


PAIRS = Task(
    name=NAME,
    summary="Write two versions of a page for a goal.",
    dataset_kinds=("pair",),
    protocols={"affordance": Preset(option_order=OptionOrder.BOTH_ORDERS)},
    questions=partial(_questions, (), Look(), 0, {}),
    strategies={_PROMPT: zero_shot},
    scorer=Scorer(score=lambda _, pages: Score(digest("pages", *pages)), correct=lambda _: None, parse=_parse),
    metrics=(),
    views=TaskViews(item_noun="pair"),
    prompts=packaged_prompts(NAME),
)
