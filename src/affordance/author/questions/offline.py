"""Questions without a model: descriptions by layout and by what a captured page says, and functions where they are
known."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from affordance.author.groups.views import one_line
from affordance.author.questions.leaks import complaint, plain, says_text
from affordance.author.questions.outcomes import outcome_verbatim
from affordance.author.questions.people import asks_for
from affordance.author.questions.phrases import element_phrases, region_phrases, telling
from affordance.author.questions.posers import Draw, posers
from affordance.author.questions.sight import framed_on, is_empty, seen_on, sight_of, written_on
from affordance.author.questions.subjects import Party, Subject, Target, name_of, targets
from affordance.author.questions.things import INSIDE, Scene, Thing
from affordance.author.records import ROOT, QuestionRecord
from affordance.author.regions.page import nearest, page_regions
from affordance.author.regions.truth import DOM, LAYOUT
from affordance.author.state import ScreenState
from affordance.core.geometry import Box
from affordance.datasets.taxonomies import TargetExpression
from affordance.tasks.function.wording import role_name

OF_PAGE = "among all elements of the page"
OF_DETECTED = "among what was detected"  # there may be more on the screen
NOT_TOLD = "no words for order, neighbours or place tell it from the rest of the screen"
LEAKS = "all that would tell it is its own text"
EMPTY = "the region is empty: it holds no element, and nothing is seen in it"
LARGEST = 0.015  # of the screen: what is larger nobody calls a button or a link

_QUOTED = re.compile("“([^”]*)”")


def questions_offline(
    screen: ScreenState, parties: Sequence[Party], seed: int, every: bool
) -> tuple[dict[str, QuestionRecord], list[str]]:
    """By name, and what could not be asked. Takes a moment on a screen with many elements."""
    by = LAYOUT if screen.captured is None else DOM
    every_target = targets(parties)
    image = sight_of(screen)
    told = _phrases(screen, every_target, image)
    functions = Counter(plain(one.subject.functionality) for one in every_target)
    found = {}
    for target in every_target:
        subject = target.subject
        name = name_of("ground", subject.level, subject.id)
        empty = subject.level == "region" and not _holds_any(screen, subject.box) and is_empty(image, subject.box)
        alone = functions[plain(subject.functionality)] == 1
        expressions, checks, dropped = (
            ({}, {}, EMPTY)
            if empty
            else _worded(subject, told[subject.level].get(subject.id, ()), alone, _scope(screen, subject))
        )
        found[name] = QuestionRecord(
            form="ground",
            level=subject.level,
            target=subject.id,
            box=subject.box,
            group=target.group,
            alike=[one.id for one in target.alike],
            expressions=expressions,
            checks=checks,
            dropped=dropped,
            by=by,
        )
    made, notes = posers(Draw(screen, parties, seed, mixed=False), every)
    found |= {poser.name: outcome_verbatim(poser, by) for poser in made}
    return found, notes


def _worded(
    subject: Subject, phrases: Sequence[str], alone: bool, scope: str
) -> tuple[dict[str, str], dict[str, str], str]:
    """Expressions, checks, and why there is no question. `alone`: no other target has the same function."""
    expressions, checks = {}, {"leaks": "none", "unique": scope}
    if subject.functionality and alone and not complaint(subject.functionality, subject.own):
        expressions[str(TargetExpression.FUNCTIONALITY)] = asks_for(subject.level, subject.functionality)
        checks["unique"] = f"{TargetExpression.FUNCTIONALITY} unchecked"
    if (phrase := next((one for one in phrases if not _leaks(one, subject)), None)) is not None:
        if expressions:
            checks["unique"] = f"{scope}; {TargetExpression.FUNCTIONALITY} unchecked"
        expressions[str(TargetExpression.DESCRIPTION)] = f"{phrase[0].upper()}{phrase[1:]}."
    if not expressions:
        return {}, {}, LEAKS if phrases else NOT_TOLD
    return expressions, checks, ""


def _leaks(phrase: str, subject: Subject) -> bool:
    """Whether it says the own text of what it describes. Of the name of a region, which is long, a part is enough."""
    parts = _QUOTED.findall(phrase) if subject.level == "region" else []
    return bool(complaint(phrase, subject.own)) or any(says_text(subject.own, part) for part in parts)


def _scope(screen: ScreenState, subject: Subject) -> str:
    return OF_PAGE if _complete(screen, subject.level) else OF_DETECTED


def _complete(screen: ScreenState, level: str) -> bool:
    """Whether all elements, or regions, are known."""
    if level == "region":
        return screen.captured is not None
    return screen.elements is not None and screen.elements.source == "dom"


def _holds_any(screen: ScreenState, box: Box) -> bool:
    elements = screen.elements.elements if screen.elements is not None else []
    return any(
        one.box.area < box.area and one.box.intersection_area(box) >= INSIDE * one.box.area > 0 for one in elements
    )


def _phrases(
    screen: ScreenState, every_target: Iterable[Target], image: NDArray[np.uint8] | None
) -> dict[str, dict[str, list[str]]]:
    """By level and id, those that tell one thing of the screen from all others."""
    elements, regions = _elements(screen), _regions(screen)
    alike: dict[str, dict[str, frozenset[str]]] = {"element": {}, "region": {}}
    for target in every_target:
        alike[target.subject.level][target.subject.id] = frozenset(one.id for one in target.alike)

    def scene(level: str) -> Scene:
        return Scene(
            screen.size,
            _complete(screen, level),
            seen_on(image),
            framed_on(image),
            written_on(image),
            alike[level],
            [one.box for one in regions],
        )

    return {
        "element": telling(element_phrases(elements, scene("element"))),
        "region": telling(region_phrases(regions, elements, scene("region"))),
    }


def _elements(screen: ScreenState) -> list[Thing]:
    found = screen.elements.elements if screen.elements is not None else []
    largest = LARGEST * screen.shot.width * screen.shot.height
    return [
        Thing(
            one.id,
            "element" if one.box.area > largest else role_name(one.role) or "element",
            one.box,
            one_line(one.text),
        )
        for one in found
    ]


def _regions(screen: ScreenState) -> list[Thing]:
    """All but the screen itself, with their names where they are those of a captured page."""
    page = page_regions(screen.captured) if screen.captured is not None else []
    things = []
    for node, region in screen.regions.items():
        if node != ROOT:
            kind, name = nearest(region, page) or ("", "")
            things.append(Thing(node, _region_kind(kind or region.type), region.box, one_line(name)))
    return things


def _region_kind(kind: str) -> str:
    """Of several words for it, the first."""
    return role_name(one_line(kind.lower()).split("/")[0].strip()) or "region"
