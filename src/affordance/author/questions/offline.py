"""Questions without a model: descriptions by layout and by what a captured page says, and functions where they are
known."""

from collections import Counter
from collections.abc import Sequence

from affordance.author.groups.views import one_line
from affordance.author.questions.leaks import complaint, plain
from affordance.author.questions.outcomes import outcome_verbatim
from affordance.author.questions.phrases import element_phrases, region_phrases, telling
from affordance.author.questions.posers import Draw, posers
from affordance.author.questions.sight import nothing_seen, seen_on
from affordance.author.questions.subjects import Party, Target, name_of, targets
from affordance.author.questions.things import Scene, Thing
from affordance.author.records import ROOT, QuestionRecord
from affordance.author.state import ScreenState
from affordance.core.expression import Expression
from affordance.suites.function.wording import kind_word

BY_CONSTRUCTION = "by construction"
SAME = 0.9  # IoU from which on a region is one of the captured page


def questions_offline(
    screen: ScreenState, parties: Sequence[Party], seed: int, every: bool
) -> tuple[dict[str, QuestionRecord], list[str]]:
    """By name, and what could not be asked. Takes a moment on a screen with many elements."""
    by = "layout" if screen.captured is None else "dom"
    told = _phrases(screen)
    every_target = targets(parties)
    functions = Counter(plain(one.subject.functionality) for one in every_target)
    found = {}
    for target in every_target:
        subject = target.subject
        alone = functions[plain(subject.functionality)] == 1
        name = name_of("ground", subject.level, target.group, subject.id)
        found[name] = _ground(target, told[subject.level].get(subject.id, ()), alone, by)
    made, notes = posers(Draw(screen, parties, seed, mixed=False), every)
    found |= {poser.name: outcome_verbatim(poser, by) for poser in made}
    return found, notes


def _ground(target: Target, phrases: Sequence[str], alone: bool, by: str) -> QuestionRecord:
    """`alone`: no other target has the same function."""
    subject = target.subject
    expressions, checks = {}, {"leaks": "none", "unique": BY_CONSTRUCTION}
    if subject.functionality and alone and not complaint(subject.functionality, subject.own):
        asked = f"Which {subject.level} has this function? {subject.functionality}"
        expressions[str(Expression.FUNCTIONALITY)] = asked
        checks["unique"] = f"{BY_CONSTRUCTION}; {Expression.FUNCTIONALITY} unchecked"
    if (phrase := next((one for one in phrases if not complaint(one, subject.own)), None)) is not None:
        expressions[str(Expression.DESCRIPTION)] = f"{phrase[0].upper()}{phrase[1:]}."
    return QuestionRecord(
        form="ground",
        level=subject.level,
        target=subject.id,
        box=subject.box,
        group=target.group,
        alike=[one.id for one in target.alike],
        expressions=expressions,
        checks=checks if expressions else {},
        dropped="" if expressions else "no words for order, neighbours or place tell it from the rest of the screen",
        by=by,
    )


def _phrases(screen: ScreenState) -> dict[str, dict[str, list[str]]]:
    """By level and id, those that tell one thing of the screen from all others."""
    elements, regions = _elements(screen), _regions(screen)
    found = screen.elements is not None and screen.elements.source == "dom"
    divided = screen.captured is not None
    one_more = nothing_seen if found and divided else seen_on(screen.path)
    return {
        "element": telling(element_phrases(elements, Scene(screen.size, found, one_more))),
        "region": telling(region_phrases(regions, elements, Scene(screen.size, divided, one_more))),
    }


def _elements(screen: ScreenState) -> list[Thing]:
    found = screen.elements.elements if screen.elements is not None else []
    return [Thing(one.id, kind_word(one.role) or "element", one.box, one_line(one.text)) for one in found]


def _regions(screen: ScreenState) -> list[Thing]:
    """All but the screen itself, with their names where they are those of a captured page."""
    page = screen.captured.regions if screen.captured is not None else []
    things = []
    for node, region in screen.regions.items():
        if node == ROOT:
            continue
        same = max(page, key=lambda one: one.box.iou(region.box), default=None)
        named = same is not None and same.box.iou(region.box) >= SAME
        kind = (same.type if named and same is not None else None) or region.type
        name = (same.description if named and same is not None else None) or ""
        things.append(Thing(node, _region_kind(kind), region.box, one_line(name)))
    return things


def _region_kind(kind: str) -> str:
    """Of several words for it, the first."""
    return kind_word(one_line(kind.lower()).split("/")[0].strip()) or "region"
