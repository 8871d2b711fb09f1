"""Small clips of which every pixel is known, what people said about them, and all that an object leads to."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.question import Question
from affordance.core.requests import Request, Response
from affordance.datasets import Clip, DatasetCollection, DatasetHeader, load_folder, write_folder
from affordance.datasets.clips import CapturedMotion, UserInput
from affordance.datasets.items import ItemLink
from affordance.datasets.summaries import ReferenceSummary, add_summaries, responses_digest
from affordance.media import VideoQuality, write_video
from affordance.tasks.motion.meaning import MEANING, clips_with_meaning
from affordance.tasks.motion.meaning_judging import MeaningReferences, held_out_response
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.question_design import OptionOrder
from affordance.tasks.task import Task
from reachable import reachable
from task_numbers import design_of, ideal_text

CLIPS = DatasetHeader(
    format=1, kind="clip", name="clips", licence="CC0-1.0", provenance="drawn by a test", synthetic=True
)
REGION = Box(CoordinateSpace.UNIT, 0.25, 0.25, 0.75, 0.75)

# An interpretation of the clip about tea, what people said of it, and the summaries of `write_summaries`.
WORDS = "It went into the cart."
TEA = ("The tea is in the cart.", "tea was bought.", "The shop has tea.")
WHOLE, LESS = "tea was put into the cart.", "Less: tea was put into the cart."

THINGS = ("coal", "rice", "salt", "tea")  # that clips are about

Level = Callable[[int], int]


def film(path: Path, frames: int, level: Level = lambda index: index % 120, size: tuple[int, int] = (64, 48)) -> Path:
    """A lossless clip of 60 frames a second, each of one grey level."""
    path.parent.mkdir(parents=True, exist_ok=True)
    width, height = size
    pictures = (np.full((height, width, 3), level(index), np.uint8) for index in range(frames))
    write_video(path, pictures, 60, VideoQuality.EXACT)
    return path


def clip(name: str, **changes: Any) -> Clip:
    """A clip of a second about some thing, whose animation runs over frames 12 to 29."""
    known: dict[str, Any] = {
        "id": f"item-{name}",
        "video": f"media/file-{name}.mp4",
        "regions": [REGION],
        "start_frame": 12,
        "end_frame": 29,
        "context": f"Somebody buys {name}.",
        "inputs": [UserInput(summary=f"They tapped {name}.")],
        "effect_responses": [f"The {name} slides.", f"The {name} shakes."],
        "meaning_responses": [f"The {name} is in the cart.", f"{name} was bought.", f"The shop has {name}."],
    }
    return Clip(**known | changes)


def twin_of(original: Clip, kind: str, **changes: Any) -> Clip:
    motion = CapturedMotion(
        trigger="load",
        trigger_frame=0,
        frames=60,
        fps=60,
        duration=300.0,
        ended=True,
        visible=True,
        digest="00",
        twin=kind,  # type: ignore[arg-type]
    )
    name = f"{original.id.removeprefix('item-')}-{kind}"
    return clip(name, **{"motion": motion, "links": [ItemLink(kind="twin", to=original.id)], **changes})


def write_clips(folder: Path, *clips: Clip, frames: int | Mapping[str, int] = 60) -> DatasetCollection:
    """No two videos are the same."""
    for number, one in enumerate(clips):
        count = frames if isinstance(frames, int) else frames[one.id]
        film(folder / one.video, count, lambda index, number=number: (index + 7 * number) % 120)  # type: ignore[misc]
    write_folder(folder, CLIPS, clips)
    return DatasetCollection.single(load_folder(folder))


def questions_of(task: Task, data: DatasetCollection, **changes: Any) -> list[Question]:
    return [
        trial.question
        for trial in task.questions(data, design_of(task, **{"option_order": OptionOrder.BALANCED, **changes}))
    ]


def only_ask(task: Task, question: Question) -> Request:
    steps = task.strategies["zero-shot"](question, load_prompt_pack(task).texts)
    (ask,) = next(steps)
    return ask


def prompt_of(ask: Request) -> str:
    (message,) = ask.messages
    text, *rest = message.parts
    assert isinstance(text, str)
    assert not any(isinstance(part, str) for part in rest)
    return text


def answered(task: Task, question: Question) -> Verdict:
    """What a perfect reply brings."""
    return task.score(question, Response(ideal_text(task, question, only_ask(task, question).answer_format)))


def outcome(verdict: Verdict | None, item: str = "a", truth: str = "", task: str = "motion/meaning") -> AttemptResult:
    return AttemptResult(
        attempt_id=item,
        task=task,
        model="m",
        strategy="zero-shot",
        trial=0,
        question_id=item,
        item_id=item,
        truth=truth,
        tags={},
        cluster=item,
        verdict=verdict,
        first_verdict=verdict,
    )


def said(*scores: int | None) -> list[Verdict]:
    """Judgements, None being one that could not be read."""
    return [
        Verdict(AttemptStatus.UNPARSED) if score is None else Verdict(AttemptStatus.ANSWERED, str(score), score / 5)
        for score in scores
    ]


def write_summaries(
    data: DatasetCollection, model: str = "openai:m", text: str = "{name} was put into the cart.", seed: int = 0
) -> None:
    """Of all clips, with and without the response that is left out."""
    dataset, clips = clips_with_meaning(data)
    made = []
    for one in clips:
        known = (model, "pack", responses_digest(one.meaning_responses))
        whole = text.format(name=one.id.removeprefix("item-"))
        made += [
            ReferenceSummary(one.id, whole, *known),
            ReferenceSummary(one.id, f"Less: {whole}", *known, held_out_response(one, seed)),
        ]
    add_summaries(dataset, made)


def about(data: DatasetCollection, thing: str, **changes: Any) -> Question:
    """What a thing means."""
    return next(one for one in questions_of(MEANING, data, **changes) if one.item == f"item-{thing}")


def expected_of(question: Question) -> MeaningReferences:
    return MeaningReferences.from_text(question.truth)


def summed_up(folder: Path) -> DatasetCollection:
    """A clip about each of the things, all with summaries."""
    found = write_clips(folder, *(clip(thing, purpose="Feedback") for thing in THINGS), frames=30)
    write_summaries(found)
    return found


def is_green(pixels: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where a picture is pure green."""
    return np.asarray((pixels == (0, 255, 0)).all(axis=-1))


def leaks(ask: Request, *texts: str) -> list[object]:
    """What is in an ask and must not be: records, paths, functions, and these texts."""
    forbidden = (Question, Clip, DatasetCollection, Path, FunctionType, MethodType)
    return [
        value
        for value in reachable(ask)
        if isinstance(value, forbidden)
        or (isinstance(value, str) and any(text.lower() in value.lower() for text in texts))
    ]
