"""Truth stays home: an ask of any of the four tasks holds nothing from which the answer can be reached."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FunctionType, MethodType

import pytest

from affordance.core.geometry import Box
from affordance.core.question import LocationFormat, MultipleChoice, Question, SingleChoice
from affordance.core.requests import Request, Response
from affordance.datasets import Dataset, DatasetCollection, Item, ItemLink
from affordance.grounding.dialects import DIALECTS, get_dialect, in_dialect
from affordance.grounding.location_scoring import TargetTruth
from affordance.tasks.function.ground import GROUND_ELEMENT, GROUND_REGION
from affordance.tasks.function.outcome import OUTCOME_ELEMENT, OUTCOME_REGION
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.task import Task
from function_data import captured_screen, of_every_kind, plain_outcomes, row_of, write_captured
from reachable import reachable
from task_numbers import design_of

TASKS = (GROUND_ELEMENT, GROUND_REGION, OUTCOME_ELEMENT, OUTCOME_REGION)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DatasetCollection:
    page = captured_screen()
    more = row_of("button", "x", 4, (250, 20), (40, 40))
    page = page.model_copy(update={"elements": [*page.elements, *more]})
    links = [ItemLink(kind="variant", to="page")]
    redrawn = page.model_copy(update={"id": "again", "image": "media/again.png", "links": links})
    return write_captured(tmp_path_factory.mktemp("home"), [page, redrawn], plain_outcomes(page))


def asks(task: Task, data: DatasetCollection, dialect: str = "default") -> list[tuple[Question, Request]]:
    found = []
    for trial in task.questions(data, design_of(task, **({"expression": "all"} if task.scorer.locations else {}))):
        question = trial.question
        if task.scorer.locations:
            question = in_dialect(question, get_dialect(dialect))
        steps = task.strategies["zero-shot"](question, load_prompt_pack(task).texts)
        (ask,) = next(steps)
        with pytest.raises(StopIteration):
            steps.send([Response("A")])
        found.append((question, ask))
    return found


def hidden(question: Question, ask: Request) -> list[object]:
    """What must not be there: records, paths, truths, the item's name, what kind of option each is."""
    forbidden = (Question, Item, Dataset, Path, TargetTruth, FunctionType, MethodType)
    texts = (question.truth, question.item, *map(str, question.source_paths.values()))
    return [
        value
        for value in reachable(ask)
        if isinstance(value, forbidden) or (isinstance(value, str) and any(text in value for text in texts))
    ]


def test_the_walk_finds_what_is_hidden(data: DatasetCollection) -> None:
    """Without this the next tests could not fail."""
    question, ask = asks(GROUND_ELEMENT, data)[0]
    assert any("@" in one.item for one, _ in asks(GROUND_ELEMENT, data)), "variants are among them"
    for place in (question, partial(print, question), [{"a": (question.truth,)}], {"a": Path("x")}):
        assert hidden(question, replace(ask, parameters={"a": place}))  # type: ignore[dict-item]


@pytest.mark.parametrize("task", TASKS, ids=[task.name for task in TASKS])
def test_nothing_leads_from_an_ask_to_the_truth(task: Task, data: DatasetCollection) -> None:
    found = asks(task, data)
    assert found
    for question, ask in found:
        assert hidden(question, ask) == []
        assert ask.question == question.id
        assert ask.answer_format == question.answer_format


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("level", ["element", "region"])
def test_no_box_is_in_a_grounding_ask(name: str, level: str) -> None:
    task = GROUND_ELEMENT if level == "element" else GROUND_REGION
    found = asks(task, of_every_kind(level), name)
    assert len(found) == 28
    for question, ask in found:
        assert hidden(question, ask) == []
        assert not any(isinstance(value, Box) for value in reachable(ask))
        assert isinstance(ask.answer_format, LocationFormat)
        assert ask.answer_format.dialect == name
        assert question.prompt_fields["expression"] in "".join(
            part for message in ask.messages for part in message.parts if isinstance(part, str)
        )


def test_a_question_is_the_same_in_every_dialect() -> None:
    ids = {
        name: [question.id for question, _ in asks(GROUND_ELEMENT, of_every_kind("element"), name)] for name in DIALECTS
    }
    assert len({tuple(found) for found in ids.values()}) == 1


@pytest.mark.parametrize("task", TASKS[2:], ids=[task.name for task in TASKS[2:]])
def test_options_do_not_say_where_they_are_from(task: Task, data: DatasetCollection) -> None:
    """Letters and texts only; the one box is the marked target, which is shown."""
    for question, ask in asks(task, data):
        assert isinstance(ask.answer_format, SingleChoice | MultipleChoice)
        for option in ask.answer_format.options:
            assert (option.name, len(option.letter)) == (option.label, 1)
        said = [value for value in reachable(ask) if isinstance(value, str)]
        assert not any(text in ("hard", "easy", "target") for text in said)
        boxes = {value for value in reachable(ask) if isinstance(value, Box)}
        assert boxes == {outline.box for outline in question.media[0].outlines}
        assert len(boxes) == 1
