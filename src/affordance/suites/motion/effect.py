"""`motion/effect` (AniMINT RQ1): which of seven primitive effects does a clip show?

As published: frames at 10 per second with the longest side at most 480 pixels, no box, ten trials per clip, the
options in another order each time, that order shared by all models. Ours differs in one thing: the orders are
balanced, so that the right effect stands in every slot equally often.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from affordance.core.errors import UnknownName, UserError
from affordance.core.grammar import Choice, Option
from affordance.core.question import Question
from affordance.datasets import Clip, Collection
from affordance.suites.limits import ranked_subset
from affordance.suites.metrics import accuracy_over_parsed, choice_intervals, choice_metrics
from affordance.suites.motion.chosen import ideal_choice, read_chosen
from affordance.suites.motion.frames import Shown, clip_pictures
from affordance.suites.motion.primitives import EFFECTS
from affordance.suites.orders import Permutation, letters, permutations
from affordance.suites.strategies import zero_shot
from affordance.suites.task import Design, Order, Protocol, Task, Trial

LABELS = {
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
        if clip.effect not in LABELS:
            raise UnknownName(f"effect of item {clip.id!r}", str(clip.effect), LABELS)
    if not clips:
        raise UserError(
            f"motion/effect needs clips with an effect ({', '.join(LABELS)}); dataset {dataset.name!r} has none"
        )
    for index, clip in ranked_subset(clips, design, lambda clip: clip.id):
        shown = clip_pictures(dataset, clip, design.fps, boxed=False)
        truth = EFFECTS.index(clip.effect or "")
        orders = permutations(design.order, len(EFFECTS), design.trials, design.seed, index, truth)
        for trial, order in enumerate(orders):
            yield Trial(_question(clip, order, shown, design.fps), trial)


def _question(clip: Clip, order: Permutation, shown: Shown, fps: Fraction) -> Question:
    names = [EFFECTS[place] for place in order]
    options = effect_options(names)
    return Question(
        task="motion/effect",
        item=clip.id,
        axes={"options": list(names)},
        pictures=shown.pictures,
        fields={
            "rate": str(fps),
            "options": "\n".join(f"{option.letter}. {option.label}" for option in options),
            "letters": f"{options[0].letter} to {options[-1].letter}",
        },
        grammar=Choice(options),
        truth=clip.effect or "",
        files=shown.files,
        tags={"effect": clip.effect or "", "slot": letters(len(names))[names.index(clip.effect or "")]},
    )


def effect_options(names: Sequence[str]) -> tuple[Option, ...]:
    return tuple(Option(letter, name, LABELS[name]) for letter, name in zip(letters(len(names)), names, strict=True))


EFFECT = Task(
    name="motion/effect",
    summary="Which of seven primitive effects does the animation show?",
    kinds=("clip",),
    noun="clip",
    options=frozenset({"trials", "fps", "strategy"}),
    protocols={
        "affordance": Protocol(trials=10, order=Order.BALANCED, parameters={"temperature": 0}),
        "paper": Protocol(trials=10, order=Order.SHUFFLED),
    },
    prompts={"zero-shot": frozenset({"rate", "options", "letters"})},
    strategies={"zero-shot": zero_shot},
    questions=questions,
    read=read_chosen,
    metrics=choice_metrics,
    intervals=choice_intervals,
    ideal=ideal_choice,
    compat=lambda outcomes: {"accuracy_parsed": accuracy_over_parsed(outcomes)},
    floors=lambda _: {"chance": 1 / len(EFFECTS)},
    labels=EFFECTS,
    breakdowns=("effect", "slot"),
)
