"""`motion/twin`: which of two recordings that differ only in motion fits a description?

A clip and its counterfactual twin hold the same images in another order or at another pace. A model that looks at
single frames cannot distinguish them. Both are shown from where the animation begins and for the same time: how long a
recording stands still would give away which one runs backwards, and the number of frames which one is slower. Every
pair is asked about in both orders.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.core.question import AnswerOption, Question, SingleChoice
from affordance.datasets import Clip, Dataset, DatasetCollection
from affordance.tasks.choice_specs import CHOICE_SCORER
from affordance.tasks.metrics import CHOICE_METRICS, chance
from affordance.tasks.motion.clips import ClipImages, FrameParams, animation_seconds, clip_frames
from affordance.tasks.motion.cues import first_caption
from affordance.tasks.pair_metrics import POSITION, POSITION_BIAS
from affordance.tasks.question_design import OptionOrder, PlannedQuestion, QuestionDesign, repeat, select_subset
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import Preset, Task
from affordance.tasks.views import MetricTable, TaskViews, tags

NAME = "motion/twin"
OPTIONS = (AnswerOption("A", "A", "A: recording A"), AnswerOption("B", "B", "B: recording B"))


@dataclass(frozen=True, slots=True)
class TwinKind:
    """How a twin differs from its original, what is asked, and whether the twin is the answer."""

    difference: str
    question: str
    answer_is_twin: bool = True


TWIN_KINDS: Mapping[str, TwinKind] = {
    "reversed": TwinKind(
        "it runs backwards", "which recording is described by these words: {caption}", answer_is_twin=False
    ),
    "slower": TwinKind("it runs at another pace", "in which recording does the animation run slower?"),
    "faster": TwinKind("it runs at another pace", "in which recording does the animation run faster?"),
    "easing": TwinKind(
        "it begins slowly and ends in a rush", "in which recording does the animation begin slowly and end in a rush?"
    ),
}


@dataclass(frozen=True, slots=True)
class TwinPair:
    original: Clip
    twin: Clip
    kind: str


def questions(data: DatasetCollection, design: QuestionDesign[FrameParams]) -> Iterator[PlannedQuestion]:
    dataset, couples = _twin_pairs(data)
    for couple in select_subset(couples, design.limit, lambda couple: couple.twin.id):
        clips = (couple.original, couple.twin)
        window = max(animation_seconds(dataset, clip) for clip in clips)
        rate = _rate(window, design.params)
        shown = [clip_frames(dataset, clip, rate, draw_regions=False, window=window) for clip in clips]
        for first in (0, 1):
            question = _question(couple, shown, first, rate)
            yield from repeat(question, design.trials)


def _rate(window: Fraction, params: FrameParams) -> Fraction:
    """Where that is too many frames, both recordings are shown at a lower rate."""
    return params.fps if params.max_frames is None else min(params.fps, params.max_frames / window)


def _twin_pairs(data: DatasetCollection) -> tuple[Dataset, list[TwinPair]]:
    dataset = data.of_kind("clip")
    clips = {item.id: item for item in dataset.items if isinstance(item, Clip)} if dataset is not None else {}
    found = [
        TwinPair(clips[link.to], clip, clip.motion.twin)
        for clip in clips.values()
        if clip.motion is not None and clip.motion.twin is not None
        for link in clip.links
        if link.kind == "twin" and link.to in clips and _can_ask_about(clips[link.to], clip.motion.twin)
    ]
    if dataset is None or not found:
        raise UserError(
            f"{NAME} needs clips with counterfactual twins (`affordance capture animation --twins`), for reversed ones "
            f"with effect_responses; {data.name!r} has none"
        )
    return dataset, found


def _can_ask_about(original: Clip, kind: str) -> bool:
    """The direction of an animation is asked with a description of it."""
    return "{caption}" not in TWIN_KINDS[kind].question or any(text.strip() for text in original.effect_responses)


def _question(pair: TwinPair, images: Sequence[ClipImages], first: int, rate: Fraction) -> Question:
    kind = TWIN_KINDS[pair.kind]
    one, other = images[first], images[1 - first]
    axes: dict[str, Json] = {"twin": pair.kind, "order": [first, 1 - first]}
    return Question(
        task=NAME,
        item=pair.twin.id,
        axes=axes,
        media=(*one.images, *other.images),
        prompt_fields={
            "rate": f"{float(rate):.3g}",
            "first": str(len(one.images)),
            "second": str(len(other.images)),
            "difference": kind.difference,
            "question": kind.question.replace("{caption}", first_caption(pair.original)),
            "options": "\n".join(option.label for option in OPTIONS),
        },
        answer_format=SingleChoice(OPTIONS),
        truth="A" if (first == 1) == kind.answer_is_twin else "B",
        source_paths={**one.files, **other.files},
        tags={
            "twin": pair.kind,
            "place": "first" if (first == 1) == kind.answer_is_twin else "second",
            **({"purpose": pair.original.purpose} if pair.original.purpose else {}),
        },
        cluster=pair.original.id,
    )


TWIN = Task(
    name=NAME,
    summary="Which of two recordings fits the description? They differ only in motion.",
    dataset_kinds=("clip",),
    params=FrameParams,
    protocols={
        "affordance": Preset(option_order=OptionOrder.BOTH_ORDERS, sampling={"temperature": 0}),
        "paper": Preset(option_order=OptionOrder.BOTH_ORDERS),
    },
    questions=questions,
    strategies={"zero-shot": zero_shot},
    scorer=CHOICE_SCORER,
    metrics=(*CHOICE_METRICS, POSITION_BIAS),
    trivial_baselines=(chance(0.5),),
    views=TaskViews(
        item_noun="pair of clips",
        cluster_noun="clip",
        breakdowns=tags("twin", "place", "purpose"),
        tables=(MetricTable("Position bias", POSITION),),
    ),
)
