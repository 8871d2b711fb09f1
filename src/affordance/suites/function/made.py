"""Aims that are made of captured screens: look-alike elements by what acting on them was seen to do, and regions by
what can be done in them."""

from collections.abc import Sequence
from dataclasses import replace

from affordance.datasets import Collection, Outcome, Region
from affordance.datasets.classes import group_bucket
from affordance.datasets.published.region_types import BUCKETS
from affordance.grounding.density import area_cuts, area_percent, cut_points, nid_count, nid_gauss
from affordance.grounding.truths import Truth
from affordance.suites.function.aims import UNKNOWN, Aim, labelled_area, labelled_density
from affordance.suites.function.captured import MOST_SENSIBLE, View, names_itself, views
from affordance.suites.function.wording import (
    described,
    described_region,
    effect_intent,
    effect_question,
    effects_question,
)

# The six buckets by which regions are reported, for the roles that pages give their parts.
_ROLES = (
    ("application", "dialog", "document"),
    ("banner", "contentinfo", "navigation", "complementary", "toolbar", "tablist", "menubar"),
    ("main", "article", "list", "table", "grid", "figure", "feed", "tabpanel", "tree"),
    ("search", "form", "radiogroup", "listbox", "group"),
    ("alert", "alertdialog", "menu", "status", "tooltip", "log"),
)
*_NAMED, OTHERS = BUCKETS
_BUCKET_OF = {role: bucket for bucket, roles in zip(_NAMED, _ROLES, strict=True) for role in roles}

FEWEST_EFFECTS, MOST_EFFECTS = 2, 3  # by which a region is described


def made_aims(data: Collection, level: str, task: str) -> list[Aim]:
    """With density and area classes whose cut points are those of all aims."""
    make = _elements if level == "element" else _regions
    aims: list[Aim] = []
    scores: list[tuple[float, float]] = []
    for view in views(data, task):
        found = make(view)
        aims += found
        scores += _densities(view, found)
    if not aims:
        return []
    percents = [float(area_percent([aim.truth.boxes[0].xyxy], aim.sheet.size)[0]) for aim in aims]
    areas, counts, sums = area_cuts(percents), cut_points([c for c, _ in scores]), cut_points([g for _, g in scores])
    return [
        replace(
            aim,
            tags={
                **aim.tags,
                "area": labelled_area(aim.truth, areas),
                "density": labelled_density(count, counts),
                "density, Gaussian": labelled_density(gauss, sums),
            },
        )
        for aim, (count, gauss) in zip(aims, scores, strict=True)
    ]


def _densities(view: View, aims: Sequence[Aim]) -> list[tuple[float, float]]:
    """Both forms of NID, with the centres of all elements of the screen."""
    if not aims:
        return []
    targets = [aim.truth.boxes[0].xyxy for aim in aims]
    centres = [(box.centre.x, box.centre.y) for box in map(view.box, view.elements)]
    counts = nid_count(targets, centres)
    return list(zip(map(float, counts), map(float, nid_gauss(targets, centres, view.sheet.size)), strict=True))


def _elements(view: View) -> list[Aim]:
    return [
        _element(view, outcome)
        for name, outcomes in view.outcomes.items()
        if name in view.alike
        for outcome in outcomes
        if len(outcome.steps) <= 1 and len(view.same_outcome(outcome)) <= MOST_SENSIBLE
    ]


def _element(view: View, outcome: Outcome) -> Aim:
    name = outcome.element or ""
    home = view.home(name)
    around = [] if home is None else [home.id, *view.ancestors(home.id)]
    said = {
        "functionality": effect_question(outcome),
        "description": described(view, view.elements[name]),
        "intent": effect_intent(outcome),
    }
    return Aim(
        id=outcome.id,
        sheet=view.sheet,
        level="element",
        truth=Truth(
            view.sheet.size,
            tuple(view.box(one) for one in view.same_outcome(outcome)),
            alike=tuple(view.box(one) for one in view.alike[name]),
            around=tuple(view.box(one) for one in around),
        ),
        expressions={kind: text for kind, text in said.items() if text},
        tags={
            "action": outcome.action,
            "group size": group_bucket(len(view.alike[name]) + 1),
            "names itself": "yes" if names_itself(view, outcome) else "no",
            "platform": view.sheet.screen.platform or UNKNOWN,
        },
    )


def _regions(view: View) -> list[Aim]:
    """Of regions of one place and with the same elements, nothing tells one from the other: the first."""
    aims = [aim for region in view.regions.values() if (aim := _region(view, region)) is not None]
    return list({aim.expressions["functionality"]: aim for aim in reversed(aims)}.values())[::-1]


def _region(view: View, region: Region) -> Aim | None:
    """A region by what can be done in it and in no part of it alone; None where that is not enough to tell it."""
    telling = own_effects(view, region.id)
    if telling is None:
        return None
    said = {"functionality": effects_question(telling), "description": described_region(view, region)}
    return Aim(
        id=f"{view.sheet.screen.id}/{region.id}",
        sheet=view.sheet,
        level="region",
        truth=Truth(
            view.sheet.size,
            (view.box(region.id),),
            alike=tuple(view.box(one) for one in view.alike.get(region.id, ())),
            around=tuple(view.box(one) for one in view.ancestors(region.id)),
            within=tuple(view.box(one) for one in view.descendants(region.id)),
        ),
        expressions={kind: text for kind, text in said.items() if text},
        tags={
            "region type": bucket_of(region.type),
            "group size": group_bucket(len(view.alike.get(region.id, ())) + 1),
            "platform": view.sheet.screen.platform or UNKNOWN,
        },
    )


def bucket_of(role: str | None) -> str:
    return _BUCKET_OF.get(role or "", OTHERS)


def own_effects(view: View, region: str) -> list[Outcome] | None:
    """Outcomes of two or three elements such that this is the smallest region with all of them, each of them the only
    one of its kind on the screen; None where there are not two."""
    candidates = [
        outcome
        for name in view.inside[region]
        for outcome in view.outcomes.get(name, ())[:1]
        if len(outcome.steps) <= 1 and len(view.same_outcome(outcome)) == 1
    ]
    smaller = [set(view.inside[name]) for name in view.regions if name != region and _smaller(view, name, region)]
    chosen: list[Outcome] = []
    for outcome in candidates:
        names = {one.element or "" for one in [*chosen, outcome]}
        # Two of one part would be found there; each one that is added must keep the whole region in play.
        if len(names) >= FEWEST_EFFECTS and any(names <= part for part in smaller):
            continue
        chosen.append(outcome)
        if len(chosen) == MOST_EFFECTS:
            break
    return chosen if len(chosen) >= FEWEST_EFFECTS else None


def _smaller(view: View, one: str, other: str) -> bool:
    return view.box(one).area < view.box(other).area or (
        view.box(one).area == view.box(other).area and other in view.ancestors(one)
    )
