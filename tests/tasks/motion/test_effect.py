"""`motion/effect` on real clips: what is asked, in which order, and that the truth stays home."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import FunctionType, MethodType

import pytest

from affordance.core.attempts import AttemptStatus
from affordance.core.errors import UserError
from affordance.core.media_spec import ImageSpec
from affordance.core.question import Question, SingleChoice
from affordance.core.requests import FinishReason, Request, Response
from affordance.datasets import Clip, Dataset, DatasetCollection
from affordance.datasets.taxonomies import EFFECTS
from affordance.tasks.choice_answers import write_single_choice
from affordance.tasks.motion.effect import EFFECT, EFFECT_TEXTS, questions
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.question_design import OptionOrder, PlannedQuestion
from affordance.tasks.strategies import zero_shot
from errors import raises
from reachable import reachable
from task_numbers import baselines_of, design_of

DESIGN = design_of(EFFECT, trials=10, option_order=OptionOrder.BALANCED)


@pytest.fixture(scope="module")
def trials(primitives: Dataset) -> list[PlannedQuestion]:
    return list(questions(DatasetCollection.single(primitives), DESIGN))


@pytest.fixture(scope="module")
def asks(trials: list[PlannedQuestion]) -> list[Request]:
    return [only_ask(trial.question) for trial in trials]


def only_ask(question: Question) -> Request:
    steps = zero_shot(question, load_prompt_pack(EFFECT).texts)
    (ask,) = next(steps)
    reply = Response("A")
    with pytest.raises(StopIteration) as done:
        steps.send([reply])
    assert done.value.value is reply
    return ask


def prompt_of(ask: Request) -> str:
    (message,) = ask.messages
    text, *pictures = message.parts
    assert isinstance(text, str)
    assert all(isinstance(picture, ImageSpec) for picture in pictures)
    return text


def options_of(question: Question) -> list[str]:
    assert isinstance(question.answer_format, SingleChoice)
    return [option.name for option in question.answer_format.options]


def test_seven_clips_ten_trials(trials: list[PlannedQuestion]) -> None:
    assert Counter(trial.question.item for trial in trials) == dict.fromkeys(EFFECTS, 10)
    assert [trial.trial for trial in trials] == list(range(10)) * 7


def test_three_seconds_at_ten_frames_a_second(trials: list[PlannedQuestion]) -> None:
    for trial in trials:
        pictures = trial.question.media
        assert [picture.time for picture in pictures] == [Fraction(k, 10) for k in range(30)]
        assert {picture.max_side for picture in pictures} == {480}
        assert not any(picture.outlines or picture.blend or picture.crop for picture in pictures)


@pytest.mark.parametrize(("fps", "frames"), [(1, 3), (5, 15), (60, 180), (Fraction(1, 4), 1), (Fraction(5, 2), 8)])
def test_other_rates(primitives: Dataset, fps: int | Fraction, frames: int) -> None:
    trial = next(
        questions(
            DatasetCollection.single(primitives),
            design_of(EFFECT, trials=10, option_order=OptionOrder.BALANCED, fps=fps),
        )
    )
    assert len(trial.question.media) == frames
    assert re.search(rf"(?<![\d/]){Fraction(fps)}(?![\d/])", prompt_of(only_ask(trial.question)))


def test_golden_ids(trials: list[PlannedQuestion]) -> None:
    """They are in other people's ledgers, and pair models and prompt versions for ever."""
    first, second = [trial.question for trial in trials if trial.question.item == "move"][:2]
    assert options_of(first) == ["rotate", "morph", "fade", "color", "blur", "move", "size"]
    assert first.id == "571c0e9f3ce3004ab58758db5c560a06"
    assert options_of(second) == ["fade", "color", "blur", "move", "size", "rotate", "morph"]
    assert second.id == "643d1aff2d559249777251c979ec65d3"


def test_ids_do_not_depend_on_rate_or_on_further_trials(primitives: Dataset, trials: list[PlannedQuestion]) -> None:
    other = list(
        questions(
            DatasetCollection.single(primitives), design_of(EFFECT, fps=2, trials=3, option_order=OptionOrder.BALANCED)
        )
    )
    assert [trial.question.id for trial in other] == [one.question.id for one in trials if one.trial < 3]


def test_a_larger_limit_asks_the_same_and_more(primitives: Dataset, trials: list[PlannedQuestion]) -> None:
    """By rules of version 1, what a limited run asks is what one without a limit asks of these items."""
    data = DatasetCollection.single(primitives)
    few, more, version_1 = (
        [one.question for one in questions(data, replace(DESIGN, trials=3, limit=limit, version=rules))]
        for limit, rules in ((2, 2), (5, 2), (2, 1))
    )
    assert list(Counter(one.item for one in few).values()) == [3, 3]
    assert {one.id for one in few} < {one.id for one in more}
    items = {one.item for one in version_1}
    assert [one.id for one in version_1] == [
        one.question.id for one in trials if one.question.item in items and one.trial < 3
    ]


@pytest.mark.parametrize(("limit", "items"), [(1, 1), (3, 3), (7, 7), (100, 7), (None, 7)])
def test_limit(primitives: Dataset, limit: int | None, items: int) -> None:
    found = list(questions(DatasetCollection.single(primitives), replace(DESIGN, trials=1, limit=limit)))
    assert len(found) == items


def test_the_truth_stands_in_every_slot_ten_times(trials: list[PlannedQuestion]) -> None:
    assert Counter(trial.question.tags["slot"] for trial in trials) == dict.fromkeys("ABCDEFG", 10)


@pytest.mark.parametrize("place", range(7))
@pytest.mark.parametrize("seed", [0, 1, 12])
def test_always_the_same_place_is_exactly_chance(primitives: Dataset, seed: int, place: int) -> None:
    usual = EFFECT.protocols["affordance"]
    design = replace(DESIGN, trials=usual.trials, option_order=usual.option_order, seed=seed)
    scores = [
        EFFECT.score(
            one.question, Response(write_single_choice(one.question.answer_format.options[place], "Because."))
        ).score
        for one in questions(DatasetCollection.single(primitives), design)
        if isinstance(one.question.answer_format, SingleChoice)
    ]
    assert (scores.count(1.0), scores.count(0.0)) == (10, 60)
    assert baselines_of(EFFECT, []) == {"chance": 10 / 70}


def test_in_seven_trials_the_truth_of_every_clip_stands_in_every_slot_once(trials: list[PlannedQuestion]) -> None:
    for item in EFFECTS:
        slots = [trial.question.tags["slot"] for trial in trials if trial.question.item == item and trial.trial < 7]
        assert sorted(slots) == list("ABCDEFG")


def test_tags_and_truth(trials: list[PlannedQuestion], primitives: Dataset) -> None:
    effects = {clip.id: clip.effect for clip in primitives.items if isinstance(clip, Clip)}
    for trial in trials:
        question = trial.question
        assert question.truth == question.tags["effect"] == effects[question.item]
        assert options_of(question)["ABCDEFG".index(question.tags["slot"])] == question.truth
        assert question.cluster == question.item
        assert {picture.source for picture in question.media} == set(question.source_paths)


def test_as_published_the_orders_are_shared_by_all_clips(primitives: Dataset) -> None:
    design = replace(DESIGN, option_order=EFFECT.protocols["paper"].option_order)
    orders: dict[str, list[list[str]]] = {}
    for trial in questions(DatasetCollection.single(primitives), design):
        orders.setdefault(trial.question.item, []).append(options_of(trial.question))
    first, *others = orders.values()
    assert len({tuple(order) for order in first}) > 5
    assert all(other == first for other in others)


def test_the_prompt_shows_the_seven_labels_in_the_order_of_the_question(
    trials: list[PlannedQuestion], asks: list[Request]
) -> None:
    for trial, ask in zip(trials, asks, strict=True):
        shown = re.findall(r"^([A-Z])\. (.+)$", prompt_of(ask), re.MULTILINE)
        assert [letter for letter, _ in shown] == list("ABCDEFG")
        assert [label for _, label in shown] == [EFFECT_TEXTS[name] for name in options_of(trial.question)]
        assert re.search(r"\b10\b", prompt_of(ask)), "frames a second"
        assert not re.search(r"\{[a-z_]+\}", prompt_of(ask))


def test_the_ask_has_the_pictures_in_order_and_the_question_by_id_only(
    trials: list[PlannedQuestion], asks: list[Request]
) -> None:
    for trial, ask in zip(trials, asks, strict=True):
        assert ask.images == trial.question.media
        assert ask.question == trial.question.id
        assert ask.answer_format == trial.question.answer_format


def mentions(ask: Request, word: str) -> int:
    texts = [value for value in reachable(ask) if isinstance(value, str)]
    return sum(len(re.findall(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)) for text in texts)


def test_the_walk_finds_what_is_hidden(trials: list[PlannedQuestion], asks: list[Request]) -> None:
    """Without this the next test could not fail."""
    question, path = trials[0].question, Path("/x/fade.mp4")
    hiding_places = {
        "parameters": replace(asks[0], parameters={"a": [{"b": question}]}),
        "closure": replace(asks[0], parameters={"a": lambda: question}),
        "default": replace(asks[0], parameters={"a": lambda q=question: q}),
        "bound": replace(asks[0], parameters={"a": partial(print, question)}),
    }
    for place, ask in hiding_places.items():
        assert any(value is question for value in reachable(ask)), place
    assert any(value is path for value in reachable(replace(asks[0], prompt_fields={"a": path})))


def test_the_truth_cannot_be_reached_from_an_ask(trials: list[PlannedQuestion], asks: list[Request]) -> None:
    for trial, ask in zip(trials, asks, strict=True):
        question = trial.question
        assert question.item == question.truth  # so that the ids are looked for too: these clips bear telling names
        for value in reachable(ask):
            assert not isinstance(value, Question | Clip | Dataset | Path | FunctionType | MethodType)
            assert not (isinstance(value, str) and any(str(path) in value for path in question.source_paths.values()))
        # Each effect is there equally often: as an option's name, as its label, and in the texts that show it.
        assert len({mentions(ask, name) - baseline(name) for name in EFFECTS}) == 1


def baseline(name: str) -> int:
    """How often a word is there anyway: the descriptions that the labels give."""
    (label,) = (label for effect, label in EFFECT_TEXTS.items() if effect == name)
    extra = sum(len(re.findall(rf"\b{name}\b", other, re.IGNORECASE)) for other in EFFECT_TEXTS.values()) - 1
    assert label.lower().startswith(name)
    return 3 * extra  # in the grammar, in the fields, in the prompt


def test_asks_for_two_effects_differ_in_pictures_and_order_only(primitives: Dataset) -> None:
    """With the same order of options, nothing but question id and pictures tells two clips apart."""
    design = replace(DESIGN, option_order=OptionOrder.SHUFFLED, trials=1)
    found = [only_ask(trial.question) for trial in questions(DatasetCollection.single(primitives), design)]
    assert len({prompt_of(ask) for ask in found}) == 1
    assert len({(ask.answer_format, tuple(ask.prompt_fields.items()), ask.trial, ask.step) for ask in found}) == 1
    assert len({ask.images for ask in found}) == 7


def test_reading_scores_each_option(trials: list[PlannedQuestion]) -> None:
    question = trials[0].question
    assert isinstance(question.answer_format, SingleChoice)
    for option in question.answer_format.options:
        verdict = EFFECT.score(question, Response(write_single_choice(option, "Because.")))
        assert (verdict.status, verdict.answer) == (AttemptStatus.ANSWERED, option.name)
        assert verdict.score == float(option.name == question.truth)


READINGS = {
    "prose": (Response("A square moves"), AttemptStatus.UNPARSED),
    "refusal": (Response("I’m sorry, I can’t."), AttemptStatus.REFUSED),
    "cut": (Response("B", finish=FinishReason.LENGTH), AttemptStatus.TRUNCATED),
    "failure": (Response(finish=FinishReason.ERROR, error="x"), AttemptStatus.FAILED),
    "unable": (Response(finish=FinishReason.UNSUPPORTED, error="x"), AttemptStatus.SKIPPED),
}


@pytest.mark.parametrize(("reply", "ended"), READINGS.values(), ids=READINGS.keys())
def test_reading_what_is_no_answer(trials: list[PlannedQuestion], reply: Response, ended: AttemptStatus) -> None:
    verdict = EFFECT.score(trials[0].question, reply)
    assert (verdict.status, verdict.answer, verdict.score) == (ended, None, None)


def test_clips_without_an_effect_are_left_out(primitives: Dataset) -> None:
    first, second, *others = primitives.items
    assert isinstance(first, Clip)
    assert isinstance(second, Clip)
    mixed = replace(primitives, items=(first.model_copy(update={"effect": None}), second, *others))
    assert [t.question.item for t in questions(DatasetCollection.single(mixed), replace(DESIGN, trials=1))] == [
        item.id for item in (second, *others)
    ]


@pytest.mark.parametrize(
    ("effect", "data"),
    [
        (None, ("motion/effect",)),
        ("", ("'blur'", "''", "blur, color")),
        ("colour", ("'blur'", "'colour'", "'color'")),
        ("Move", ("'blur'", "'Move'", "'move'")),
    ],
)
def test_a_clip_without_a_known_effect_is_the_users_mistake(
    primitives: Dataset, effect: str | None, data: tuple[str, ...]
) -> None:
    clip = primitives.items[0]
    assert isinstance(clip, Clip)
    dataset = replace(primitives, items=(clip.model_copy(update={"effect": effect}),))
    with raises(UserError, *data):
        list(questions(DatasetCollection.single(dataset), DESIGN))
