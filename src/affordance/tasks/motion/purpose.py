"""`motion/purpose` (AniMINT RQ2): what is an animation for?

As published: frames at 10 per second with a green box while the animation runs, context and input, the seven purposes
with their definitions in one fixed order, one pass at the provider's sampling. Ours differs in two things: over clips
the right purpose stands in every place equally often, in an order that all models share; and the temperature is 0."""

from collections.abc import Iterator, Sequence

from affordance.core.errors import UserError
from affordance.core.question import AnswerOption, Question, SingleChoice
from affordance.datasets import Clip, Dataset, DatasetCollection
from affordance.datasets.taxonomies import PURPOSES
from affordance.tasks.choice_specs import CHOICE_SCORER
from affordance.tasks.metrics import CHOICE_METRICS, ResultSet, TrivialBaseline, chance
from affordance.tasks.motion.clips import (
    CUE_SPLIT,
    ClipImages,
    ClipParams,
    clip_images,
    clip_tags,
    cue_axes,
    describe_input,
    is_twin,
)
from affordance.tasks.motion.cues import (
    CueSet,
    ask_with_cues,
    cue_fields,
)
from affordance.tasks.motion.views import majority_vote_table, visibility_table
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
from affordance.tasks.views import TaskViews, tags

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


def questions(data: DatasetCollection, design: QuestionDesign[ClipParams]) -> Iterator[PlannedQuestion]:
    dataset, clips = clips_with_purpose(data)
    for index, clip in ranked_subset(clips, design, lambda clip: clip.id):
        truth = PURPOSES.index(clip.purpose or "")
        orders = option_orders(design.option_order, len(PURPOSES), design.trials, design.seed, index, truth)
        for cues in design.params.cues:
            shown = clip_images(dataset, clip, design.params, cues)
            for trial, order in enumerate(orders):
                yield PlannedQuestion(_question(clip, order, shown, cues, design.params), trial)


def clips_with_purpose(data: DatasetCollection) -> tuple[Dataset, list[Clip]]:
    dataset = data.of_kind("clip")
    items = dataset.items if dataset is not None else ()
    clips = [item for item in items if isinstance(item, Clip) and item.purpose in PURPOSES and not is_twin(item)]
    if dataset is None or not clips:
        raise UserError(f"{NAME} needs clips with a purpose ({', '.join(PURPOSES)}); {data.name!r} has none")
    return dataset, clips


def _question(clip: Clip, order: OptionPermutation, images: ClipImages, cues: CueSet, params: ClipParams) -> Question:
    names = [PURPOSES[place] for place in order]
    places = option_letters(len(names))
    options = purpose_options(names)
    return Question(
        task=NAME,
        item=clip.id,
        axes={**cue_axes(cues, params), "options": list(names)},
        media=images.images,
        prompt_fields={
            "shown": describe_input(params, images),
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


def _most_frequent_share(results: ResultSet) -> float:
    truths = [one.truth for one in results.asked]
    return max((truths.count(name) for name in PURPOSES), default=0) / len(truths) if truths else 0.0


PURPOSE = Task(
    name=NAME,
    summary="What is the animation for?",
    dataset_kinds=("clip",),
    params=ClipParams,
    protocols={
        "affordance": Preset(option_order=OptionOrder.BALANCED, sampling={"temperature": 0}),
        "paper": Preset(),
    },
    questions=questions,
    strategies={"zero-shot": ask_with_cues},
    scorer=CHOICE_SCORER,
    metrics=CHOICE_METRICS,
    trivial_baselines=(
        chance(1 / len(PURPOSES)),
        TrivialBaseline("always the most frequent", "most frequent purpose", _most_frequent_share),
    ),
    views=TaskViews(
        item_noun="clip",
        cluster_noun="clip",
        split=CUE_SPLIT,
        classes=PURPOSES,
        breakdowns=tags("purpose", "platform", "animation shown", "slot"),
        result_tables=(majority_vote_table, visibility_table),
    ),
)
