"""`motion/purpose` (AniMINT RQ2): what is an animation for?

As published: frames at 10 per second with a green box while the animation runs, context and input, the seven purposes
with their definitions in one fixed order, one pass at the provider's sampling. Ours differs in two things: over clips
the right purpose stands in every place equally often, in an order that all models share; and the temperature is 0.
"""

from collections.abc import Iterator, Sequence

from affordance.core.attempt import Outcome
from affordance.core.errors import UserError
from affordance.core.grammar import Choice, Option
from affordance.core.question import Question
from affordance.datasets import Clip, Collection, Dataset
from affordance.datasets.purposes import PURPOSES
from affordance.suites.limits import ranked_subset
from affordance.suites.metrics import accuracy_over_parsed, choice_intervals, choice_metrics
from affordance.suites.motion.asking import (
    CUE_PROMPTS,
    clip_tags,
    cue_axes,
    cue_fields,
    how_shown,
    is_twin,
    shown_with,
    with_cues,
)
from affordance.suites.motion.chosen import ideal_choice, read_chosen
from affordance.suites.motion.cues import NONE, USUAL, Cues, cues_name
from affordance.suites.motion.frames import Shown
from affordance.suites.motion.purposes import DEFINITIONS
from affordance.suites.orders import Permutation, letters, permutations
from affordance.suites.task import Design, Order, Protocol, Task, Trial

NAME = "motion/purpose"


def questions(data: Collection, design: Design) -> Iterator[Trial]:
    dataset, clips = clips_with_purpose(data)
    for index, clip in ranked_subset(clips, design, lambda clip: clip.id):
        truth = PURPOSES.index(clip.purpose or "")
        orders = permutations(design.order, len(PURPOSES), design.trials, design.seed, index, truth)
        for cues in design.cues:
            shown = shown_with(dataset, clip, design, cues)
            for trial, order in enumerate(orders):
                yield Trial(_question(clip, order, shown, cues, design), trial)


def clips_with_purpose(data: Collection) -> tuple[Dataset, list[Clip]]:
    dataset = data.part("clip")
    items = dataset.items if dataset is not None else ()
    clips = [item for item in items if isinstance(item, Clip) and item.purpose in PURPOSES and not is_twin(item)]
    if dataset is None or not clips:
        raise UserError(f"{NAME} needs clips with a purpose ({', '.join(PURPOSES)}); {data.name!r} has none")
    return dataset, clips


def _question(clip: Clip, order: Permutation, shown: Shown, cues: Cues, design: Design) -> Question:
    names = [PURPOSES[place] for place in order]
    places = letters(len(names))
    options = purpose_options(names)
    return Question(
        task=NAME,
        item=clip.id,
        axes={**cue_axes(cues, design), "options": list(names)},
        pictures=shown.pictures,
        fields={
            "shown": how_shown(design, shown),
            "options": "\n".join(f"{option.letter}. {option.label}" for option in options),
            "letters": f"{places[0]} to {places[-1]}",
            **cue_fields(clip, cues),
        },
        grammar=Choice(options),
        truth=clip.purpose or "",
        files=shown.files,
        tags={**clip_tags(clip, shown, cues), "slot": places[names.index(clip.purpose or "")]},
    )


def purpose_options(names: Sequence[str]) -> tuple[Option, ...]:
    places = letters(len(names))
    return tuple(
        Option(letter, name, f"{name}: {DEFINITIONS[name]}") for letter, name in zip(places, names, strict=True)
    )


def _floors(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Guessing, and always saying the most frequent purpose."""
    truths = [outcome.truth for outcome in outcomes]
    frequent = max((truths.count(name) for name in PURPOSES), default=0) / len(truths) if truths else 0.0
    return {"chance": 1 / len(PURPOSES), "always the most frequent": frequent}


PURPOSE = Task(
    name=NAME,
    summary="What is the animation for?",
    kinds=("clip",),
    noun="clip",
    options=frozenset({"trials", "fps", "strategy", "cues", "input", "most-frames"}),
    protocols={
        "affordance": Protocol(trials=1, order=Order.BALANCED, parameters={"temperature": 0}),
        "paper": Protocol(trials=1, order=Order.FIXED),
    },
    prompts={"zero-shot": frozenset({"shown", "box", "cues", "options", "letters"}), **CUE_PROMPTS},
    strategies={"zero-shot": with_cues},
    questions=questions,
    read=read_chosen,
    metrics=choice_metrics,
    intervals=choice_intervals,
    ideal=ideal_choice,
    compat=lambda outcomes: {"accuracy_parsed": accuracy_over_parsed(outcomes)},
    floors=_floors,
    labels=PURPOSES,
    form="cues",
    base=cues_name(NONE),
    main=cues_name(USUAL),
    breakdowns=("purpose", "platform", "animation shown", "slot"),
)
