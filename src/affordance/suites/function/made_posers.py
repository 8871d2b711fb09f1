"""Multiple-choice questions made of captured screens: all options are outcomes that were verified.

Hard distractors are those of look-alikes, easy ones are from elsewhere on the same screen."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from affordance.core.picture import RED, Outline
from affordance.datasets import Collection, Dataset, Outcome
from affordance.datasets.classes import group_bucket
from affordance.suites.function.aims import UNKNOWN, picture_source
from affordance.suites.function.captured import View, names_itself, views
from affordance.suites.function.made import bucket_of, own_effects
from affordance.suites.function.options import one_right, some_right
from affordance.suites.function.posers import After, Poser
from affordance.suites.function.wording import does, effects, then

MOST_RIGHT = 3  # of a multi-answer question
THICKNESS = 3  # of the red rectangle, in pixels


def made_posers(data: Collection, level: str, task: str, seed: int) -> Iterator[Poser]:
    outcomes = data.part("outcome")
    for view in views(data, task):
        if level == "region":
            yield from _of_regions(view, seed)
        elif outcomes is not None:
            yield from _of_elements(view, outcomes, seed)


def _of_elements(view: View, outcomes: Dataset, seed: int) -> Iterator[Poser]:
    """What happens on acting on an element, among what happens with others; and, where several actions on it do
    different things, which of the options are among them."""
    for name, found in view.outcomes.items():
        if name not in view.alike:
            continue
        for outcome in found:
            if (poser := _what_happens(view, outcome, seed)) is not None:
                yield _with_after(poser, view, outcomes, outcome)
        if (several := _what_can_happen(view, name, found, seed)) is not None:
            yield several


def _what_happens(view: View, outcome: Outcome, seed: int) -> Poser | None:
    name = outcome.element or ""
    own = {one.sentence for one in view.outcomes[name]}
    alike = [one for other in view.alike[name] for one in view.outcomes.get(other, ()) if one.action == outcome.action]
    hard = _others((one.sentence for one in alike), own)
    easy = _others(_elsewhere(view, {name, *view.alike[name]}), {*own, *hard})
    options = one_right(outcome.sentence, hard, easy, seed, outcome.id)
    if options is None:
        return None
    asked = f"What will happen to the given screen if one {does(outcome)} the element highlighted with a red rectangle"
    return Poser(
        id=outcome.id,
        screen=view.sheet.screen.id,
        source=view.sheet.source,
        files=view.sheet.files,
        outlines=_marked(view, name),
        question=f"{asked}{then(outcome)}?",
        options=options,
        right=(outcome.sentence,),
        multiple=False,
        tags=_tags(view, outcome),
    )


def _what_can_happen(view: View, name: str, found: Sequence[Outcome], seed: int) -> Poser | None:
    """Which of these happen when one acts on an element in one way or another."""
    right = list(dict.fromkeys(outcome.sentence for outcome in found))
    alike = (one.sentence for other in view.alike[name] for one in view.outcomes.get(other, ()))
    hard = _others(alike, right)
    easy = _others(_elsewhere(view, {name, *view.alike[name]}), {*right, *hard})
    identity = f"{view.sheet.screen.id}/{name}/all"
    options = some_right(right[:MOST_RIGHT], hard, easy, seed, identity)
    if options is None:
        return None
    ways = " or ".join(dict.fromkeys(map(does, found)))
    return Poser(
        id=identity,
        screen=view.sheet.screen.id,
        source=view.sheet.source,
        files=view.sheet.files,
        outlines=_marked(view, name),
        question=f"Which of these can happen if one {ways} the element highlighted with a red rectangle?",
        options=options,
        right=tuple(right[:MOST_RIGHT]),
        multiple=True,
        tags={tag: value for tag, value in _tags(view, found[0]).items() if tag in ("group size", "platform")},
    )


def _of_regions(view: View, seed: int) -> Iterator[Poser]:
    """What can be done in a region: one description among those of others, and which single outcomes belong to it."""
    told = {name: own for name in view.regions if (own := own_effects(view, name)) is not None}
    for name, own in told.items():
        related = {name, *view.ancestors(name), *view.descendants(name)}
        others = {
            other: effects(found)
            for other, found in told.items()
            if other not in related and not {one.element for one in found} <= set(view.inside[name])
        }
        alike = view.alike.get(name, ())
        hard = _others((text for other, text in others.items() if other in alike), [effects(own)])
        easy = _others((text for other, text in others.items() if other not in alike), [effects(own), *hard])
        poser = Poser(
            id=f"{view.sheet.screen.id}/{name}",
            screen=view.sheet.screen.id,
            source=view.sheet.source,
            files=view.sheet.files,
            outlines=_marked(view, name),
            question="What can one do in the region highlighted with a red rectangle?",
            options=(),
            right=(effects(own),),
            multiple=False,
            tags={
                "region type": bucket_of(view.regions[name].type),
                "group size": group_bucket(len(alike) + 1),
                "platform": view.sheet.screen.platform or UNKNOWN,
            },
        )
        if (options := one_right(effects(own), hard, easy, seed, poser.id)) is not None:
            yield replace(poser, options=options)
        if (all_of := _which_belong(view, poser, name, own, seed)) is not None:
            yield all_of


def _which_belong(view: View, poser: Poser, name: str, own: Sequence[Outcome], seed: int) -> Poser | None:
    inside = {one.sentence for element in view.inside[name] for one in view.outcomes.get(element, ())}
    right = list(dict.fromkeys(outcome.sentence for outcome in own))
    alike = {element for other in view.alike.get(name, ()) for element in view.inside[other]}
    hard = _others((one.sentence for element in sorted(alike) for one in view.outcomes.get(element, ())), inside)
    easy = _others(_elsewhere(view, {*view.inside[name], *alike}), {*inside, *hard})
    options = some_right(right, hard, easy, seed, poser.id, "all")
    if options is None:
        return None
    asked = "Which of these can be brought about in the region highlighted with a red rectangle?"
    return replace(poser, id=f"{poser.id}/all", question=asked, options=options, right=tuple(right), multiple=True)


def _elsewhere(view: View, here: set[str]) -> Iterable[str]:
    """The first outcome of every element that is not here."""
    return (found[0].sentence for name, found in view.outcomes.items() if name not in here)


def _others(sentences: Iterable[str], besides: Iterable[str]) -> list[str]:
    unwanted = set(besides)
    return [sentence for sentence in dict.fromkeys(sentences) if sentence not in unwanted]


def _with_after(poser: Poser, view: View, outcomes: Dataset, outcome: Outcome) -> Poser:
    if outcome.after is None or outcome.after_box is None:
        return poser
    source, files = picture_source(outcomes, outcome.after)
    after = After(source, view.sheet.pixels(outcome.after_box))
    return replace(poser, files={**poser.files, **files}, after=after)


def _marked(view: View, name: str) -> tuple[Outline, ...]:
    """The red rectangle, for regions somewhat thicker on large screens."""
    thickness = THICKNESS if name in view.elements else max(THICKNESS, int(0.003 * min(view.sheet.size)))
    return (Outline(view.box(name), RED, thickness),)


def _tags(view: View, outcome: Outcome) -> dict[str, str]:
    return {
        "action": outcome.action,
        "steps": str(max(1, len(outcome.steps))),
        "group size": group_bucket(len(view.alike[outcome.element or ""]) + 1),
        "names itself": "yes" if names_itself(view, outcome) else "no",
        "platform": view.sheet.screen.platform or UNKNOWN,
    }
