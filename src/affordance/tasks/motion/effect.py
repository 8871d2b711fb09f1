"""`motion/effect` (AniMINT RQ1): which of seven primitive effects does a clip show?

As published: frames at 10 per second with the longest side at most 480 pixels, no box, ten trials per clip, the
options in another order each time, that order shared by all models. Ours differs in one thing: the orders are
balanced, so that the right effect stands in every slot equally often.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from affordance.core.errors import UnknownName, UserError
from affordance.core.question import AnswerOption, Question, SingleChoice
from affordance.datasets import Clip, DatasetCollection
from affordance.datasets.taxonomies import EFFECTS
from affordance.tasks.choice_specs import CHOICE_SCORER
from affordance.tasks.metrics import CHOICE_METRICS, chance
from affordance.tasks.motion.clips import ClipImages, FrameRateParams, clip_frames
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
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import Preset, Task
from affordance.tasks.views import TaskViews, tags

EFFECT_TEXTS = {
    "move": "Move (object moves in any direction)",
    "rotate": "Rotate (object rotates along any axis)",
    "size": "Size (object changes sizes along any axis)",
    "color": "Color (object changes in hue, saturation, or brightness)",
    "fade": "Fade (object change in transparency/opacity)",
    "blur": "Blur (object change in sharpness or clarity)",
    "morph": "Morph (object transformation from one shape/form to another)",
}


def questions(data: DatasetCollection, design: QuestionDesign[FrameRateParams]) -> Iterator[PlannedQuestion]:
    dataset = data.of_kind("clip")
    assert dataset is not None
    clips = [item for item in dataset.items if isinstance(item, Clip) and item.effect is not None]
    for clip in clips:
        if clip.effect not in EFFECT_TEXTS:
            raise UnknownName(f"effect of item {clip.id!r}", str(clip.effect), EFFECT_TEXTS)
    if not clips:
        raise UserError(
            f"motion/effect needs clips with an effect ({', '.join(EFFECT_TEXTS)}); dataset {dataset.name!r} has none"
        )
    for index, clip in ranked_subset(clips, design, lambda clip: clip.id):
        shown = clip_frames(dataset, clip, design.params.fps, draw_regions=False)
        truth = EFFECTS.index(clip.effect or "")
        orders = option_orders(design.option_order, len(EFFECTS), design.trials, design.seed, index, truth)
        for trial, order in enumerate(orders):
            yield PlannedQuestion(_question(clip, order, shown, design.params.fps), trial)


def _question(clip: Clip, order: OptionPermutation, images: ClipImages, fps: Fraction) -> Question:
    names = [EFFECTS[place] for place in order]
    options = effect_options(names)
    return Question(
        task="motion/effect",
        item=clip.id,
        axes={"options": list(names)},
        media=images.images,
        prompt_fields={
            "rate": str(fps),
            "options": "\n".join(f"{option.letter}. {option.label}" for option in options),
            "letters": f"{options[0].letter} to {options[-1].letter}",
        },
        answer_format=SingleChoice(options),
        truth=clip.effect or "",
        source_paths=images.files,
        tags={"effect": clip.effect or "", "slot": option_letters(len(names))[names.index(clip.effect or "")]},
    )


def effect_options(names: Sequence[str]) -> tuple[AnswerOption, ...]:
    return tuple(
        AnswerOption(letter, name, EFFECT_TEXTS[name])
        for letter, name in zip(option_letters(len(names)), names, strict=True)
    )


EFFECT = Task(
    name="motion/effect",
    summary="Which of seven primitive effects does the animation show?",
    dataset_kinds=("clip",),
    params=FrameRateParams,
    protocols={
        "affordance": Preset(trials=10, option_order=OptionOrder.BALANCED, sampling={"temperature": 0}),
        "paper": Preset(trials=10, option_order=OptionOrder.SHUFFLED),
    },
    questions=questions,
    strategies={"zero-shot": zero_shot},
    scorer=CHOICE_SCORER,
    metrics=CHOICE_METRICS,
    trivial_baselines=(chance(1 / len(EFFECTS)),),
    views=TaskViews(
        item_noun="clip",
        cluster_noun="clip",
        classes=EFFECTS,
        breakdowns=tags("effect", "slot"),
        result_tables=(majority_vote_table, visibility_table),
    ),
)
