"""Aims that are made of captured screens: look-alike elements by what acting on them was seen to do, and regions by
what can be done in them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from affordance.core.box import Box
from affordance.datasets import Collection, Outcome, Region
from affordance.datasets.classes import group_bucket
from affordance.datasets.published.region_types import BUCKETS
from affordance.grounding.density import area_cuts, area_percent, cut_points, nid_count, nid_gauss
from affordance.grounding.truths import Truth
from affordance.suites.function.aims import UNKNOWN, Aim, labelled_area, labelled_density
from affordance.suites.function.captured import MOST_SENSIBLE, Place, Variant, View, names_itself, views
from affordance.suites.function.renderings import ORIGINAL
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


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the truth of an aim is made of, by name, whichever way the screen is drawn. The target is the first."""

    right: tuple[str, ...]
    alike: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    within: tuple[str, ...] = ()

    def on(self, place: Place) -> Truth:
        """With those that are there."""

        def boxes(names: Sequence[str]) -> tuple[Box, ...]:
            return tuple(place.box(name) for name in names if name in place)

        return Truth(
            place.sheet.size,
            boxes(self.right),
            alike=boxes(self.alike),
            around=boxes(self.around),
            within=boxes(self.within),
        )


def made_aims(data: Collection, level: str, task: str) -> list[Aim]:
    """Each followed by the same aim on the variants of its screen. Density and area classes have the cut points of all
    aims on originals."""
    make = _elements if level == "element" else _regions
    found = views(data, task)
    varied = any(view.variants for view in found)
    aims: list[Aim] = []
    scores: dict[str, tuple[float, float]] = {}
    for view in found:
        made = make(view)
        families = [[aim, *_again(view.variants, aim, parts)] for aim, parts in made]
        aims += [aim for family in families for aim in family]
        for place in (view, *view.variants):
            here = [aim for family in families for aim in family if aim.sheet is place.sheet]
            scores.update(zip((aim.id for aim in here), _densities(place, here), strict=True))
    originals = [aim for aim in aims if aim.original is None]
    if not originals:
        return []
    percents = [float(area_percent([aim.truth.boxes[0].xyxy], aim.sheet.size)[0]) for aim in originals]
    areas = area_cuts(percents)
    counts, sums = (cut_points([scores[aim.id][which] for aim in originals]) for which in (0, 1))
    return [
        replace(
            aim,
            tags={
                **({"rendering": ORIGINAL} if varied else {}),
                **aim.tags,
                "area": labelled_area(aim.truth, areas),
                "density": labelled_density(scores[aim.id][0], counts),
                "density, Gaussian": labelled_density(scores[aim.id][1], sums),
            },
        )
        for aim in aims
    ]


def _again(variants: Sequence[Variant], aim: Aim, parts: _Parts) -> Iterator[Aim]:
    """The same in the same words, wherever the target is there."""
    for variant in variants:
        if parts.right[0] in variant:
            yield replace(
                aim,
                id=f"{aim.id}@{variant.rendering}",
                sheet=variant.sheet,
                truth=parts.on(variant),
                tags={**aim.tags, "rendering": variant.rendering, "original": aim.id},
                original=aim,
            )


def _densities(place: Place, aims: Sequence[Aim]) -> list[tuple[float, float]]:
    """Both forms of NID, with the centres of all elements of the screen."""
    if not aims:
        return []
    targets = [aim.truth.boxes[0].xyxy for aim in aims]
    centres = [(box.centre.x, box.centre.y) for box in map(place.box, place.elements)]
    counts = nid_count(targets, centres)
    return list(zip(map(float, counts), map(float, nid_gauss(targets, centres, place.sheet.size)), strict=True))


def _elements(view: View) -> list[tuple[Aim, _Parts]]:
    return [
        _element(view, outcome)
        for name, outcomes in view.outcomes.items()
        if name in view.alike
        for outcome in outcomes
        if len(outcome.steps) <= 1 and len(view.same_outcome(outcome)) <= MOST_SENSIBLE
    ]


def _element(view: View, outcome: Outcome) -> tuple[Aim, _Parts]:
    name = outcome.element or ""
    home = view.home(name)
    around = () if home is None else (home.id, *view.ancestors(home.id))
    parts = _Parts(tuple(view.same_outcome(outcome)), view.alike[name], around)
    said = {
        "functionality": effect_question(outcome),
        "description": described(view, view.elements[name]),
        "intent": effect_intent(outcome),
    }
    aim = Aim(
        id=outcome.id,
        sheet=view.sheet,
        level="element",
        truth=parts.on(view),
        expressions={kind: text for kind, text in said.items() if text},
        tags={
            "action": outcome.action,
            "group size": group_bucket(len(view.alike[name]) + 1),
            "names itself": "yes" if names_itself(view, outcome) else "no",
            "platform": view.sheet.screen.platform or UNKNOWN,
        },
    )
    return aim, parts


def _regions(view: View) -> list[tuple[Aim, _Parts]]:
    """Of regions of one place and with the same elements, nothing tells one from the other: the first."""
    made = [found for region in view.regions.values() if (found := _region(view, region)) is not None]
    return list({aim.expressions["functionality"]: (aim, parts) for aim, parts in reversed(made)}.values())[::-1]


def _region(view: View, region: Region) -> tuple[Aim, _Parts] | None:
    """A region by what can be done in it and in no part of it alone; None where that is not enough to tell it."""
    telling = own_effects(view, region.id)
    if telling is None:
        return None
    said = {"functionality": effects_question(telling), "description": described_region(view, region)}
    alike = view.alike.get(region.id, ())
    parts = _Parts((region.id,), alike, tuple(view.ancestors(region.id)), tuple(view.descendants(region.id)))
    aim = Aim(
        id=f"{view.sheet.screen.id}/{region.id}",
        sheet=view.sheet,
        level="region",
        truth=parts.on(view),
        expressions={kind: text for kind, text in said.items() if text},
        tags={
            "region type": bucket_of(region.type),
            "group size": group_bucket(len(alike) + 1),
            "platform": view.sheet.screen.platform or UNKNOWN,
        },
    )
    return aim, parts


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
