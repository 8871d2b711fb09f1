"""`motion/effect` (AniMINT RQ1): which of seven primitive effects does a clip show?

As published: frames at 10 per second with the longest side at most 480 pixels, no box, ten trials per clip, the
options in another order each time, that order shared by all models. Ours differs in one thing: the orders are
balanced, so that the right effect stands in every slot equally often.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from affordance.core.errors import UnknownName, UserError
from affordance.core.grammar import AnswerOption, SingleChoice
from affordance.core.question import Question
from affordance.datasets import Clip, Collection
from affordance.tasks.limits import ranked_subset
from affordance.tasks.metrics import accuracy_over_parsed, choice_intervals, choice_metrics
from affordance.tasks.motion.chosen import ideal_choice, read_chosen
from affordance.tasks.motion.frames import ClipImages, clip_frames
from affordance.tasks.motion.primitives import EFFECTS
from affordance.tasks.orders import OptionPermutation, letters, permutations
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import Design, Order, Protocol, Task, Trial

EFFECT_TEXTS = {
    "move": "Move (object moves in any direction)",
    "rotate": "Rotate (object rotates along any axis)",
    "size": "Size (object changes sizes along any axis)",
    "color": "Color (object changes in hue, saturation, or brightness)",
    "fade": "Fade (object change in transparency/opacity)",
    "blur": "Blur (object change in sharpness or clarity)",
    "morph": "Morph (object transformation from one shape/form to another)",
}


def questions(data: Collection, design: Design) -> Iterator[Trial]:
    dataset = data.part("clip")
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
        shown = clip_frames(dataset, clip, design.fps, draw_regions=False)
        truth = EFFECTS.index(clip.effect or "")
        orders = permutations(design.option_order, len(EFFECTS), design.trials, design.seed, index, truth)
        for trial, order in enumerate(orders):
            yield Trial(_question(clip, order, shown, design.fps), trial)


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
        tags={"effect": clip.effect or "", "slot": letters(len(names))[names.index(clip.effect or "")]},
    )


def effect_options(names: Sequence[str]) -> tuple[AnswerOption, ...]:
    return tuple(
        AnswerOption(letter, name, EFFECT_TEXTS[name]) for letter, name in zip(letters(len(names)), names, strict=True)
    )


EFFECT = Task(
    name="motion/effect",
    summary="Which of seven primitive effects does the animation show?",
    dataset_kinds=("clip",),
    item_noun="clip",
    options=frozenset({"trials", "fps", "strategy"}),
    protocols={
        "affordance": Protocol(trials=10, option_order=Order.BALANCED, sampling={"temperature": 0}),
        "paper": Protocol(trials=10, option_order=Order.SHUFFLED),
    },
    prompts={"zero-shot": frozenset({"rate", "options", "letters"})},
    strategies={"zero-shot": zero_shot},
    questions=questions,
    score=read_chosen,
    metrics=choice_metrics,
    intervals=choice_intervals,
    correct_answer=ideal_choice,
    compatible_metrics=lambda outcomes: {"accuracy_parsed": accuracy_over_parsed(outcomes)},
    trivial_baselines=lambda _: {"chance": 1 / len(EFFECTS)},
    classes=EFFECTS,
    breakdowns=("effect", "slot"),
)
