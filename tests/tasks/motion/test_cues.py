"""Cues: which sets there are, and that an ask holds what its cues tell and nothing else."""

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from affordance.core.errors import UserError
from affordance.core.media_spec import FrameBlend, ImageSpec, VideoSpec
from affordance.core.question import Question
from affordance.datasets import DatasetCollection
from affordance.datasets.clips import UserInput
from affordance.datasets.summaries import ReferenceSummary, add_summaries, responses_digest
from affordance.tasks.motion.cues import (
    ALL_CUE_SETS,
    DEFAULT_CUES,
    NO_INPUT,
    Cue,
    CueSet,
    cue_fields,
    cue_set_name,
    first_caption,
    parse_cue_sets,
)
from affordance.tasks.motion.meaning import MEANING
from affordance.tasks.motion.purpose import PURPOSE
from affordance.tasks.question_design import OptionOrder
from affordance.tasks.task import Task
from errors import raises
from motion_data import clip, leaks, only_ask, prompt_of, questions_of, write_clips

M, C, P = Cue.MOTION, Cue.CONTEXT, Cue.CAPTION
NAMES = {
    "none": (),
    "motion": (M,),
    "context": (C,),
    "caption": (P,),
    "motion+context": (M, C),
    "motion+caption": (M, P),
    "context+caption": (C, P),
    "motion+context+caption": (M, C, P),
}
SUMMARY = "Something was put aside to be paid for."


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DatasetCollection:
    found = write_clips(
        tmp_path_factory.mktemp("cues"), clip("tea", purpose="Feedback"), clip("salt", purpose="Guidance")
    )
    dataset = found.of_kind("clip")
    assert dataset is not None
    summaries = [
        ReferenceSummary(one.id, SUMMARY, "m", "p", responses_digest(one.meaning_responses))  # type: ignore[attr-defined]
        for one in dataset.items
    ]
    add_summaries(dataset, summaries)
    return found


READ: dict[str, tuple[str, tuple[CueSet, ...]]] = {
    "all, with spaces": (" all ", tuple(NAMES.values())),
    "all eight": ("all", tuple(NAMES.values())),
    "none": ("none", ((),)),
    "one": ("caption", ((P,),)),
    "in their own order": ("caption,motion", ((M, P),)),
    "spaces and repetition": (" context , caption,context", ((C, P),)),
    "each": ("motion,context,caption", ((M, C, P),)),
}


@pytest.mark.parametrize(("text", "cues"), READ.values(), ids=READ.keys())
def test_what_somebody_types(text: str, cues: tuple[CueSet, ...]) -> None:
    assert parse_cue_sets(text) == cues


BAD = {
    "a typing error": ("contxt", ("'contxt'", "'context'")),
    "capitals": ("Motion", ("'Motion'", "'motion'")),
    "none and one": ("none,motion", ("'none,motion'",)),
    "all and one": ("all,motion", ("'all,motion'",)),
    "another mark": ("motion+context", ("'motion+context'",)),
    "letters": ("MCP", ("'MCP'", "all, caption, context, motion, none")),
    "nothing": ("", ("''", "all, caption, context, motion, none")),
    "a comma": (" , ", ("' , '",)),
}


@pytest.mark.parametrize(("text", "data"), BAD.values(), ids=BAD.keys())
def test_what_nobody_should_type(text: str, data: tuple[str, ...]) -> None:
    with raises(UserError, *data):
        parse_cue_sets(text)


def test_the_eight_sets_and_their_names() -> None:
    assert {cue_set_name(cues): cues for cues in ALL_CUE_SETS} == NAMES
    assert [cue_set_name(cues) for cues in ALL_CUE_SETS] == list(NAMES)
    assert cue_set_name(DEFAULT_CUES) == PURPOSE.views.split.main == MEANING.views.split.main == "context"
    assert PURPOSE.views.split.baseline == MEANING.views.split.baseline == "none"


def words_of(name: str) -> dict[str, list[str]]:
    """What an ask about a clip holds for a cue, and not without it."""
    return {
        M: ["blended", "trail"],
        C: [f"Somebody buys {name}.", f"They tapped {name}.", "context:", "input:"],
        P: [f"The {name} slides.", "described what is seen"],
    }


def truths_of(task: Task, question: Question) -> list[str]:
    """What no ask may hold."""
    name = question.item.removeprefix("item-")
    responses = [f"The {name} is in the cart.", f"{name} was bought.", f"The shop has {name}.", SUMMARY]
    files = [question.item, f"file-{name}", *map(str, question.source_paths.values())]
    return [*responses, *files, f"The {name} shakes."]


@pytest.mark.parametrize("task", [PURPOSE, MEANING], ids=lambda task: task.name)
@pytest.mark.parametrize("cues", NAMES.values(), ids=NAMES.keys())
def test_an_ask_holds_what_its_cues_tell_and_nothing_else(data: DatasetCollection, task: Task, cues: CueSet) -> None:
    for question in questions_of(task, data, cues=(cues,)):
        ask = only_ask(task, question)
        assert leaks(ask, *truths_of(task, question)) == []
        assert (ask.question, ask.images) == (question.id, question.media)
        for cue, texts in words_of(question.item.removeprefix("item-")).items():
            for text in texts:
                assert (text in prompt_of(ask)) == (cue in cues), (cue, text)
                assert bool(leaks(ask, text)) == (cue in cues), "not beside the prompt either"
        assert {picture.blend for picture in question.media} == {FrameBlend() if M in cues else None}
        assert question.tags["cues"] == cue_set_name(cues)


@pytest.mark.parametrize("task", [PURPOSE, MEANING], ids=lambda task: task.name)
def test_the_walk_finds_what_is_hidden(data: DatasetCollection, task: Task) -> None:
    """Without this the test above could not fail."""
    question = questions_of(task, data)[0]
    ask, texts = only_ask(task, question), truths_of(task, question)
    for place in (question, partial(print, question), [{"a": (question.item,)}], lambda: question, Path("x")):
        assert leaks(replace(ask, parameters={"a": place}), *texts)  # type: ignore[dict-item]
    assert leaks(replace(ask, prompt_fields={"a": f"... {texts[0]} ..."}), *texts)


@pytest.mark.parametrize("task", [PURPOSE, MEANING], ids=lambda task: task.name)
def test_without_cues_the_words_are_the_same_for_all_clips(data: DatasetCollection, task: Task) -> None:
    asks = [only_ask(task, one) for one in questions_of(task, data, cues=((),), option_order=OptionOrder.FIXED)]
    assert len(asks) == 2
    assert len({prompt_of(ask) for ask in asks}) == 1
    assert len({(ask.answer_format, tuple(ask.prompt_fields.items()), ask.trial, ask.step) for ask in asks}) == 1


@pytest.mark.parametrize("task", [PURPOSE, MEANING], ids=lambda task: task.name)
def test_all_eight_in_one_run(data: DatasetCollection, task: Task) -> None:
    found = questions_of(task, data, cues=ALL_CUE_SETS)
    assert [(one.item, one.tags["cues"]) for one in found] == [
        (item, name) for item in ("item-salt", "item-tea") for name in NAMES
    ]
    assert len({one.id for one in found}) == 16
    alone = questions_of(task, data, cues=((M, C),))
    assert {one.id for one in alone} <= {one.id for one in found}, "the same question, whatever else is asked"
    by_clip = [{one.axes.get("options", [""])[0] for one in found if one.item == item} for item in ("item-tea",)]  # type: ignore[index]
    assert all(len(orders) == 1 for orders in by_clip), "cues do not change the order of the options"


def test_golden_ids(data: DatasetCollection) -> None:
    """They are in other people's ledgers, and pair models and prompt versions for ever."""
    (purpose, _), (meaning, _) = (questions_of(task, data, cues=((M, C),)) for task in (PURPOSE, MEANING))
    assert purpose.axes == {"cues": ["motion", "context"], "options": purpose.axes["options"]}
    assert (meaning.axes, meaning.id) == ({"cues": ["motion", "context"]}, "c62195bccd735d5cb1f90ae7ec0d9a5f")
    (video, _) = questions_of(MEANING, data, input="video")
    assert (video.axes, video.id) == ({"cues": ["context"], "input": "video"}, "48cfb282d799586b0ea58ccc0641c640")


@pytest.mark.parametrize("task", [PURPOSE, MEANING], ids=lambda task: task.name)
def test_the_video_in_place_of_frames(data: DatasetCollection, task: Task) -> None:
    for cues in ((C,), (M, C)):
        for question in questions_of(task, data, cues=(cues,), input="video"):
            ask = only_ask(task, question)
            (footage,) = question.media
            assert isinstance(footage, VideoSpec)
            assert footage.blend == (FrameBlend() if M in cues else None)
            assert ask.messages[0].parts[1:] == (footage,)
            assert leaks(ask, *truths_of(task, question)) == []


def test_a_cap_on_frames(data: DatasetCollection) -> None:
    capped, whole = (questions_of(PURPOSE, data, max_frames=most)[0] for most in (4, None))
    assert (len(capped.media), len(whole.media)) == (4, 10)
    assert [picture.time for picture in capped.media if isinstance(picture, ImageSpec)][-1] == whole.media[-1].time  # type: ignore[union-attr]
    assert capped.id == whole.id, "how many frames are sent is no axis, like their rate"
    assert [bool(re.search(r"\b10\b", prompt_of(only_ask(PURPOSE, one)))) for one in (capped, whole)] == [False, True]


def test_what_is_told_of_what_is_not_known() -> None:
    bare = clip("a", context=None, inputs=[UserInput(summary=" ")], effect_responses=["", " "])
    assert cue_fields(bare, (C, P)) == {"context": "not known", "input": NO_INPUT, "caption": "not known"}
    assert cue_fields(clip("a", context="  "), (C,))["context"] == "not known"


def test_several_inputs_are_joined_and_the_caption_is_the_first() -> None:
    one = clip("a", inputs=[UserInput(summary="Tapped. "), UserInput(summary=""), UserInput(summary="Waited.")])
    assert cue_fields(one, (C,))["input"] == "Tapped. Waited."
    assert first_caption(clip("a", effect_responses=[" ", " It fades. ", "It moves."])) == "It fades."


def test_braces_in_what_people_wrote_are_just_braces(tmp_path: Path) -> None:
    data = write_clips(
        tmp_path, clip("tea", purpose="Feedback", context="{options} {caption} {x}", effect_responses=["{context}"])
    )
    (question,) = questions_of(PURPOSE, data, cues=((C, P),))
    text = prompt_of(only_ask(PURPOSE, question))
    assert "{options} {caption} {x}" in text
    assert "{context}" in text
