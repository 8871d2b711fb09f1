"""`motion/purpose` (AniMINT RQ2): what is an animation for?

As published: frames at 10 per second with a green box while the animation runs, context and input, the seven purposes
with their definitions in one fixed order, one pass at the provider's sampling. Ours differs in two things: over clips
the right purpose stands in every place equally often, in an order that all models share; and the temperature is 0."""

from collections.abc import Iterator, Sequence

from affordance.core.attempts import AttemptResult
from affordance.core.errors import UserError
from affordance.core.question import AnswerOption, Question, SingleChoice
from affordance.datasets import Clip, Dataset, DatasetCollection
from affordance.datasets.taxonomies import PURPOSES
from affordance.tasks.choice_specs import correct_option, score_named_option
from affordance.tasks.metrics import accuracy_over_parsed, choice_intervals, choice_metrics
from affordance.tasks.motion.clips import ClipImages, clip_images, clip_tags, cue_axes, describe_input, is_twin
from affordance.tasks.motion.cues import (
    CUE_PROMPTS,
    DEFAULT_CUES,
    NO_CUES,
    CueSet,
    ask_with_cues,
    cue_fields,
    cue_set_name,
)
from affordance.tasks.question_design import (
    OptionOrder,
    OptionPermutation,
    PlannedQuestion,
    QuestionDesign,
    option_letters,
    option_orders,
    ranked_subset,
)
from affordance.tasks.task import Preset, Task

PURPOSE_DEFINITIONS = {
    "Transition": "it accompanies a change of the layout.",
    "Demonstration": "it shows or explains how the interface or a part of it behaves, works or is built.",
    "Guidance": "it leads the person to an interaction that is wanted.",
    "Feedback": "it answers visibly to what the person does.",
    "Visualization": "it stands for the state of the system, for data or for other information.",
    "Highlight": "it stresses certain content or draws attention to something that matters.",
    "Aesthetic": "it makes the interface more appealing, moves people or makes using it more pleasant.",
}


NAME = "motion/purpose"


def questions(data: DatasetCollection, design: QuestionDesign) -> Iterator[PlannedQuestion]:
    dataset, clips = clips_with_purpose(data)
    for index, clip in ranked_subset(clips, design, lambda clip: clip.id):
        truth = PURPOSES.index(clip.purpose or "")
        orders = option_orders(design.option_order, len(PURPOSES), design.trials, design.seed, index, truth)
        for cues in design.cues:
            shown = clip_images(dataset, clip, design, cues)
            for trial, order in enumerate(orders):
                yield PlannedQuestion(_question(clip, order, shown, cues, design), trial)


def clips_with_purpose(data: DatasetCollection) -> tuple[Dataset, list[Clip]]:
    dataset = data.of_kind("clip")
    items = dataset.items if dataset is not None else ()
    clips = [item for item in items if isinstance(item, Clip) and item.purpose in PURPOSES and not is_twin(item)]
    if dataset is None or not clips:
        raise UserError(f"{NAME} needs clips with a purpose ({', '.join(PURPOSES)}); {data.name!r} has none")
    return dataset, clips


def _question(
    clip: Clip, order: OptionPermutation, images: ClipImages, cues: CueSet, design: QuestionDesign
) -> Question:
    names = [PURPOSES[place] for place in order]
    places = option_letters(len(names))
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
    places = option_letters(len(names))
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
        "affordance": Preset(trials=1, option_order=OptionOrder.BALANCED, sampling={"temperature": 0}),
        "paper": Preset(trials=1, option_order=OptionOrder.FIXED),
    },
    prompts={"zero-shot": frozenset({"shown", "box", "cues", "options", "letters"}), **CUE_PROMPTS},
    strategies={"zero-shot": ask_with_cues},
    questions=questions,
    score=score_named_option,
    metrics=choice_metrics,
    intervals=choice_intervals,
    correct_answer=correct_option,
    compatible_metrics=lambda outcomes: {"accuracy_parsed": accuracy_over_parsed(outcomes)},
    trivial_baselines=_baselines,
    classes=PURPOSES,
    condition_tag="cues",
    baseline_condition=cue_set_name(NO_CUES),
    main_condition=cue_set_name(DEFAULT_CUES),
    breakdowns=("purpose", "platform", "animation shown", "slot"),
)
