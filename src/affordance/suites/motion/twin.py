"""`motion/twin`: two recordings that only motion tells apart. Which of them is the one that is described?

A clip and its counterfactual twin hold the same pictures in another order or at another pace. A model that looks at
single frames cannot tell them apart. Both are shown from where the animation begins and for the same time: how long a
recording stands still would give away which one runs backwards, and the number of frames which one is slower. Every
couple is asked about in both orders.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from affordance.core.attempt import Outcome
from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.grammar import Choice, Option
from affordance.core.question import Question
from affordance.datasets import Clip, Collection, Dataset
from affordance.suites.limits import some
from affordance.suites.metrics import accuracy_over_parsed, choice_intervals, choice_metrics
from affordance.suites.motion.asking import caption_of
from affordance.suites.motion.chosen import ideal_choice, read_chosen
from affordance.suites.motion.frames import Shown, clip_pictures, running_seconds
from affordance.suites.strategies import zero_shot
from affordance.suites.task import Design, Order, Protocol, Task, Trial

NAME = "motion/twin"
OPTIONS = (Option("A", "A", "A: recording A"), Option("B", "B", "B: recording B"))


@dataclass(frozen=True, slots=True)
class Kind:
    """What tells a twin from its original, what is asked, and whether the twin is the answer."""

    difference: str
    question: str
    twin: bool = True


KINDS: Mapping[str, Kind] = {
    "reversed": Kind("it runs backwards", "which recording is described by these words: {caption}", twin=False),
    "slower": Kind("it runs at another pace", "in which recording does the animation run slower?"),
    "faster": Kind("it runs at another pace", "in which recording does the animation run faster?"),
    "easing": Kind(
        "it begins slowly and ends in a rush", "in which recording does the animation begin slowly and end in a rush?"
    ),
}


@dataclass(frozen=True, slots=True)
class Couple:
    original: Clip
    twin: Clip
    kind: str


def questions(data: Collection, design: Design) -> Iterator[Trial]:
    dataset, couples = _couples(data)
    for couple in some(couples, design.limit, lambda couple: couple.twin.id):
        clips = (couple.original, couple.twin)
        window = max(running_seconds(dataset, clip) for clip in clips)
        rate = _rate(window, design)
        shown = [clip_pictures(dataset, clip, rate, boxed=False, window=window) for clip in clips]
        for first in (0, 1):
            question = _question(couple, shown, first, rate)
            for trial in range(design.trials):
                yield Trial(question, trial)


def _rate(window: Fraction, design: Design) -> Fraction:
    """Where that is too many frames, both recordings are shown at a lower rate."""
    return design.fps if design.most_frames is None else min(design.fps, design.most_frames / window)


def _couples(data: Collection) -> tuple[Dataset, list[Couple]]:
    dataset = data.part("clip")
    clips = {item.id: item for item in dataset.items if isinstance(item, Clip)} if dataset is not None else {}
    found = [
        Couple(clips[link.to], clip, clip.motion.twin)
        for clip in clips.values()
        if clip.motion is not None and clip.motion.twin is not None
        for link in clip.links
        if link.kind == "twin" and link.to in clips and _can_be_asked(clips[link.to], clip.motion.twin)
    ]
    if dataset is None or not found:
        raise UserError(
            f"{NAME} needs clips with counterfactual twins (`affordance capture animation --twins`), for reversed ones "
            f"with effect_responses; {data.name!r} has none"
        )
    return dataset, found


def _can_be_asked(original: Clip, kind: str) -> bool:
    """Which way an animation runs is asked by what somebody saw."""
    return "{caption}" not in KINDS[kind].question or any(text.strip() for text in original.effect_responses)


def _question(couple: Couple, shown: Sequence[Shown], first: int, rate: Fraction) -> Question:
    kind = KINDS[couple.kind]
    one, other = shown[first], shown[1 - first]
    axes: dict[str, Json] = {"twin": couple.kind, "order": [first, 1 - first]}
    return Question(
        task=NAME,
        item=couple.twin.id,
        axes=axes,
        pictures=(*one.pictures, *other.pictures),
        fields={
            "rate": f"{float(rate):.3g}",
            "first": str(len(one.pictures)),
            "second": str(len(other.pictures)),
            "difference": kind.difference,
            "question": kind.question.replace("{caption}", caption_of(couple.original)),
            "options": "\n".join(option.label for option in OPTIONS),
        },
        grammar=Choice(OPTIONS),
        truth="A" if (first == 1) == kind.twin else "B",
        files={**one.files, **other.files},
        tags={
            "twin": couple.kind,
            "place": "first" if (first == 1) == kind.twin else "second",
            **({"purpose": couple.original.purpose} if couple.original.purpose else {}),
        },
        cluster=couple.original.id,
    )


def _floors(_: Sequence[Outcome]) -> dict[str, float]:
    return {"chance": 0.5}


TWIN = Task(
    name=NAME,
    summary="Which of two recordings that only motion tells apart is the one that is described?",
    kinds=("clip",),
    noun="pair of clips",
    options=frozenset({"trials", "fps", "strategy", "most-frames"}),
    protocols={
        "affordance": Protocol(trials=1, order=Order.BOTH, parameters={"temperature": 0}),
        "paper": Protocol(trials=1, order=Order.BOTH),
    },
    prompts={"zero-shot": frozenset({"rate", "first", "second", "difference", "question", "options"})},
    strategies={"zero-shot": zero_shot},
    questions=questions,
    read=read_chosen,
    metrics=choice_metrics,
    intervals=choice_intervals,
    ideal=ideal_choice,
    compat=lambda outcomes: {"accuracy_parsed": accuracy_over_parsed(outcomes)},
    floors=_floors,
    breakdowns=("twin", "place", "purpose"),
)
