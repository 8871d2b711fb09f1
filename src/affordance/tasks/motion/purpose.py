"""`motion/purpose` (AniMINT RQ2): what is an animation for?

As published: frames at 10 per second with a green box while the animation runs, context and input, the seven purposes
with their definitions in one fixed order, one pass at the provider's sampling. Ours differs in two things: over clips
the right purpose stands in every place equally often, in an order that all models share; and the temperature is 0.
"""

from collections.abc import Iterator, Sequence

from affordance.core.attempt import AttemptResult
from affordance.core.errors import UserError
from affordance.core.grammar import AnswerOption, SingleChoice
from affordance.core.question import Question
from affordance.datasets import Clip, Collection, Dataset
from affordance.datasets.purposes import PURPOSES
from affordance.tasks.limits import ranked_subset
from affordance.tasks.metrics import accuracy_over_parsed, choice_intervals, choice_metrics
from affordance.tasks.motion.asking import (
    CUE_PROMPTS,
    ask_with_cues,
    clip_images,
    clip_tags,
    cue_axes,
    cue_fields,
    describe_input,
    is_twin,
)
from affordance.tasks.motion.chosen import ideal_choice, read_chosen
from affordance.tasks.motion.cues import DEFAULT_CUES, NO_CUES, CueSet, cue_set_name
from affordance.tasks.motion.frames import ClipImages
from affordance.tasks.motion.purposes import PURPOSE_DEFINITIONS
from affordance.tasks.orders import OptionPermutation, letters, permutations
from affordance.tasks.task import Design, Order, Protocol, Task, Trial

NAME = "motion/purpose"


def questions(data: Collection, design: Design) -> Iterator[Trial]:
    dataset, clips = clips_with_purpose(data)
    for index, clip in ranked_subset(clips, design, lambda clip: clip.id):
        truth = PURPOSES.index(clip.purpose or "")
        orders = permutations(design.option_order, len(PURPOSES), design.trials, design.seed, index, truth)
        for cues in design.cues:
            shown = clip_images(dataset, clip, design, cues)
            for trial, order in enumerate(orders):
                yield Trial(_question(clip, order, shown, cues, design), trial)


def clips_with_purpose(data: Collection) -> tuple[Dataset, list[Clip]]:
    dataset = data.part("clip")
    items = dataset.items if dataset is not None else ()
    clips = [item for item in items if isinstance(item, Clip) and item.purpose in PURPOSES and not is_twin(item)]
    if dataset is None or not clips:
        raise UserError(f"{NAME} needs clips with a purpose ({', '.join(PURPOSES)}); {data.name!r} has none")
    return dataset, clips


def _question(clip: Clip, order: OptionPermutation, images: ClipImages, cues: CueSet, design: Design) -> Question:
    names = [PURPOSES[place] for place in order]
    places = letters(len(names))
    options = purpose_options(names)
    return Question(
        task=NAME,
        item=clip.id,
        axes={**cue_axes(cues, design), "options": list(names)},
        media=images.images,
        prompt_fields={
            "shown": describe_input(design, images),
            "options": "\n".join(f"{option.letter}. {option.label}" for option in options),
            "letters": f"{places[0]} to {places[-1]}",
            **cue_fields(clip, cues),
        },
        answer_format=SingleChoice(options),
        truth=clip.purpose or "",
        source_paths=images.files,
        tags={**clip_tags(clip, images, cues), "slot": places[names.index(clip.purpose or "")]},
    )


def purpose_options(names: Sequence[str]) -> tuple[AnswerOption, ...]:
    places = letters(len(names))
    return tuple(
        AnswerOption(letter, name, f"{name}: {PURPOSE_DEFINITIONS[name]}")
        for letter, name in zip(places, names, strict=True)
    )


def _baselines(outcomes: Sequence[AttemptResult]) -> dict[str, float]:
    """Guessing, and always saying the most frequent purpose."""
    truths = [outcome.truth for outcome in outcomes]
    frequent = max((truths.count(name) for name in PURPOSES), default=0) / len(truths) if truths else 0.0
    return {"chance": 1 / len(PURPOSES), "always the most frequent": frequent}


PURPOSE = Task(
    name=NAME,
    summary="What is the animation for?",
    dataset_kinds=("clip",),
    item_noun="clip",
    options=frozenset({"trials", "fps", "strategy", "cues", "input", "most-frames"}),
    protocols={
        "affordance": Protocol(trials=1, option_order=Order.BALANCED, sampling={"temperature": 0}),
        "paper": Protocol(trials=1, option_order=Order.FIXED),
    },
    prompts={"zero-shot": frozenset({"shown", "box", "cues", "options", "letters"}), **CUE_PROMPTS},
    strategies={"zero-shot": ask_with_cues},
    questions=questions,
    score=read_chosen,
    metrics=choice_metrics,
    intervals=choice_intervals,
    correct_answer=ideal_choice,
    compatible_metrics=lambda outcomes: {"accuracy_parsed": accuracy_over_parsed(outcomes)},
    trivial_baselines=_baselines,
    classes=PURPOSES,
    condition_tag="cues",
    baseline_condition=cue_set_name(NO_CUES),
    main_condition=cue_set_name(DEFAULT_CUES),
    breakdowns=("purpose", "platform", "animation shown", "slot"),
)
