"""Multiple-choice questions made from captured screens: all options are outcomes that were verified.

Hard distractors are those of look-alikes, easy ones are from elsewhere on the same screen. Options come in a seeded
order that does not depend on their origin."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from affordance.core.digest import seeded_random
from affordance.core.media_spec import RED, BoxOutline
from affordance.datasets import ActionOutcome, Dataset, DatasetCollection
from affordance.datasets.taxonomies import group_size_class
from affordance.tasks.choice_specs import ChoiceSpec, OptionSpec, OutcomeImage
from affordance.tasks.function.captured_screens import CapturedScreen, captured_screens, names_target
from affordance.tasks.function.captured_targets import distinguishing_outcomes, region_type
from affordance.tasks.function.targets import UNKNOWN, image_source
from affordance.tasks.function.wording import action_phrase, later_steps, numbered_outcomes

N_OPTIONS = 5  # of a single-answer question, as in the paper
N_MULTI_OPTIONS = 6
MAX_HARD = 3
TARGET, HARD, EASY = "target", "hard", "easy"


def single_answer_options(
    correct: str, hard: Sequence[str], easy: Sequence[str], *seed: str | int
) -> tuple[OptionSpec, ...] | None:
    """The correct option, up to three hard ones and easy ones, with one of each at least. None where there are not
    enough."""
    generator = _generator(seed)
    chosen = generator.sample(list(hard), min(MAX_HARD, len(hard)))
    left = N_OPTIONS - 1 - len(chosen)
    return _shuffle_options([correct], chosen, easy, left, generator) if chosen and left >= 1 else None


def multi_answer_options(
    correct: Sequence[str], hard: Sequence[str], easy: Sequence[str], *seed: str | int
) -> tuple[OptionSpec, ...] | None:
    """Two or more correct options among hard and easy ones. None where there are not enough."""
    generator = _generator(seed)
    wanted = N_MULTI_OPTIONS - len(correct)
    chosen = generator.sample(list(hard), min(MAX_HARD, len(hard), wanted))
    return _shuffle_options(correct, chosen, easy, wanted - len(chosen), generator) if len(correct) > 1 else None


def _shuffle_options(
    correct: Sequence[str], hard: Sequence[str], easy: Sequence[str], easy_count: int, generator: random.Random
) -> tuple[OptionSpec, ...] | None:
    if easy_count > len(easy):
        return None
    chosen = generator.sample(list(easy), easy_count)
    picks = [(text, origin) for origin, texts in ((TARGET, correct), (HARD, hard), (EASY, chosen)) for text in texts]
    generator.shuffle(picks)
    return tuple(picks)


def _generator(seed: Sequence[str | int]) -> random.Random:
    return seeded_random("options", *seed)


MAX_CORRECT = 3  # of a multi-answer question
OUTLINE_THICKNESS = 3  # of the red rectangle, in pixels


def captured_choice_specs(data: DatasetCollection, level: str, task: str, seed: int) -> Iterator[ChoiceSpec]:
    outcomes = data.of_kind("outcome")
    for view in captured_screens(data, task):
        if level == "region":
            yield from _region_specs(view, seed)
        elif outcomes is not None:
            yield from _element_specs(view, outcomes, seed)


def _element_specs(screen: CapturedScreen, outcomes: Dataset, seed: int) -> Iterator[ChoiceSpec]:
    """What happens on acting on an element, among what happens with others; and, where several actions on it do
    different things, which of the options are among them."""
    for name, found in screen.outcomes.items():
        if name not in screen.look_alikes:
            continue
        for outcome in found:
            if (spec := _single_answer_spec(screen, outcome, seed)) is not None:
                yield _with_outcome_image(spec, screen, outcomes, outcome)
        if (several := _multi_answer_spec(screen, name, found, seed)) is not None:
            yield several


def _single_answer_spec(screen: CapturedScreen, outcome: ActionOutcome, seed: int) -> ChoiceSpec | None:
    name = outcome.element or ""
    own = {one.sentence for one in screen.outcomes[name]}
    alike = [
        one
        for other in screen.look_alikes[name]
        for one in screen.outcomes.get(other, ())
        if one.action == outcome.action
    ]
    hard = _distinct_sentences((one.sentence for one in alike), own)
    easy = _distinct_sentences(_outcomes_elsewhere(screen, {name, *screen.look_alikes[name]}), {*own, *hard})
    options = single_answer_options(outcome.sentence, hard, easy, seed, outcome.id)
    if options is None:
        return None
    asked = (
        f"What will happen to the given screen if one {action_phrase(outcome)} the element highlighted with "
        "a red rectangle"
    )
    return ChoiceSpec(
        id=outcome.id,
        screen=screen.screenshot.screen.id,
        source=screen.screenshot.source,
        files=screen.screenshot.files,
        outlines=_target_outline(screen, name),
        question=f"{asked}{later_steps(outcome)}?",
        options=options,
        correct=(outcome.sentence,),
        multiple=False,
        tags=_tags(screen, outcome),
    )


def _multi_answer_spec(
    screen: CapturedScreen, name: str, found: Sequence[ActionOutcome], seed: int
) -> ChoiceSpec | None:
    """Which of these happen when one acts on an element in one way or another."""
    right = list(dict.fromkeys(outcome.sentence for outcome in found))
    alike = (one.sentence for other in screen.look_alikes[name] for one in screen.outcomes.get(other, ()))
    hard = _distinct_sentences(alike, right)
    easy = _distinct_sentences(_outcomes_elsewhere(screen, {name, *screen.look_alikes[name]}), {*right, *hard})
    identity = f"{screen.screenshot.screen.id}/{name}/all"
    options = multi_answer_options(right[:MAX_CORRECT], hard, easy, seed, identity)
    if options is None:
        return None
    ways = " or ".join(dict.fromkeys(map(action_phrase, found)))
    return ChoiceSpec(
        id=identity,
        screen=screen.screenshot.screen.id,
        source=screen.screenshot.source,
        files=screen.screenshot.files,
        outlines=_target_outline(screen, name),
        question=f"Which of these can happen if one {ways} the element highlighted with a red rectangle?",
        options=options,
        correct=tuple(right[:MAX_CORRECT]),
        multiple=True,
        tags={tag: value for tag, value in _tags(screen, found[0]).items() if tag in ("group size", "platform")},
    )


def _region_specs(screen: CapturedScreen, seed: int) -> Iterator[ChoiceSpec]:
    """What can be done in a region: one description among those of others, and which single outcomes belong to it."""
    distinguishing = {
        name: own for name in screen.regions if (own := distinguishing_outcomes(screen, name)) is not None
    }
    for name, own in distinguishing.items():
        related = {name, *screen.ancestors(name), *screen.descendants(name)}
        others = {
            other: numbered_outcomes(found)
            for other, found in distinguishing.items()
            if other not in related and not {one.element for one in found} <= set(screen.elements_inside[name])
        }
        alike = screen.look_alikes.get(name, ())
        hard = _distinct_sentences((text for other, text in others.items() if other in alike), [numbered_outcomes(own)])
        easy = _distinct_sentences(
            (text for other, text in others.items() if other not in alike), [numbered_outcomes(own), *hard]
        )
        spec = ChoiceSpec(
            id=f"{screen.screenshot.screen.id}/{name}",
            screen=screen.screenshot.screen.id,
            source=screen.screenshot.source,
            files=screen.screenshot.files,
            outlines=_target_outline(screen, name),
            question="What can one do in the region highlighted with a red rectangle?",
            options=(),
            correct=(numbered_outcomes(own),),
            multiple=False,
            tags={
                "region type": region_type(screen.regions[name].type),
                "group size": group_size_class(len(alike) + 1),
                "platform": screen.screenshot.screen.platform or UNKNOWN,
            },
        )
        if (options := single_answer_options(numbered_outcomes(own), hard, easy, seed, spec.id)) is not None:
            yield replace(spec, options=options)
        if (all_of := _region_multi_answer_spec(screen, spec, name, own, seed)) is not None:
            yield all_of


def _region_multi_answer_spec(
    screen: CapturedScreen, spec: ChoiceSpec, name: str, own: Sequence[ActionOutcome], seed: int
) -> ChoiceSpec | None:
    inside = {one.sentence for element in screen.elements_inside[name] for one in screen.outcomes.get(element, ())}
    right = list(dict.fromkeys(outcome.sentence for outcome in own))
    alike = {element for other in screen.look_alikes.get(name, ()) for element in screen.elements_inside[other]}
    hard = _distinct_sentences(
        (one.sentence for element in sorted(alike) for one in screen.outcomes.get(element, ())), inside
    )
    easy = _distinct_sentences(_outcomes_elsewhere(screen, {*screen.elements_inside[name], *alike}), {*inside, *hard})
    options = multi_answer_options(right, hard, easy, seed, spec.id, "all")
    if options is None:
        return None
    asked = "Which of these can be brought about in the region highlighted with a red rectangle?"
    return replace(spec, id=f"{spec.id}/all", question=asked, options=options, correct=tuple(right), multiple=True)


def _outcomes_elsewhere(screen: CapturedScreen, excluded: set[str]) -> Iterable[str]:
    """The first outcome of every element that is not here."""
    return (found[0].sentence for name, found in screen.outcomes.items() if name not in excluded)


def _distinct_sentences(sentences: Iterable[str], excluded: Iterable[str]) -> list[str]:
    unwanted = set(excluded)
    return [sentence for sentence in dict.fromkeys(sentences) if sentence not in unwanted]


def _with_outcome_image(
    spec: ChoiceSpec, screen: CapturedScreen, outcomes: Dataset, outcome: ActionOutcome
) -> ChoiceSpec:
    if outcome.after is None or outcome.after_box is None:
        return spec
    source, files = image_source(outcomes, outcome.after)
    after = OutcomeImage(source, screen.screenshot.to_pixels(outcome.after_box))
    return replace(spec, files={**spec.files, **files}, outcome_image=after)


def _target_outline(screen: CapturedScreen, name: str) -> tuple[BoxOutline, ...]:
    """The red rectangle, for regions somewhat thicker on large screens."""
    thickness = (
        OUTLINE_THICKNESS
        if name in screen.elements
        else max(OUTLINE_THICKNESS, int(0.003 * min(screen.screenshot.size)))
    )
    return (BoxOutline(screen.box(name), RED, thickness),)


def _tags(screen: CapturedScreen, outcome: ActionOutcome) -> dict[str, str]:
    return {
        "action": outcome.action,
        "steps": str(max(1, len(outcome.steps))),
        "group size": group_size_class(len(screen.look_alikes[outcome.element or ""]) + 1),
        "names itself": "yes" if names_target(screen, outcome) else "no",
        "platform": screen.screenshot.screen.platform or UNKNOWN,
    }
