"""Targets that are made of captured screens: look-alike elements by what acting on them was seen to do, and regions by
what can be done in them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from affordance.core.geometry import Box
from affordance.datasets import ActionOutcome, DatasetCollection, Region
from affordance.datasets.taxonomies import REGION_CATEGORIES, group_size_class
from affordance.grounding.density import area_cuts, area_percent, cut_points, nid_count, nid_gauss
from affordance.grounding.location_scoring import TargetTruth
from affordance.tasks.function.captured_screens import (
    MAX_SAME_OUTCOME,
    ORIGINAL_LABEL,
    CapturedScreen,
    ScreenParts,
    ScreenVariant,
    captured_screens,
    names_target,
)
from affordance.tasks.function.targets import UNKNOWN, GroundingTarget, area_label, density_label
from affordance.tasks.function.wording import (
    describe_element,
    describe_region,
    outcome_intent,
    outcome_question,
    region_question,
)

# The six buckets by which regions are reported, for the roles that pages give their parts.
_ROLES = (
    ("application", "dialog", "document"),
    ("banner", "contentinfo", "navigation", "complementary", "toolbar", "tablist", "menubar"),
    ("main", "article", "list", "table", "grid", "figure", "feed", "tabpanel", "tree"),
    ("search", "form", "radiogroup", "listbox", "group"),
    ("alert", "alertdialog", "menu", "status", "tooltip", "log"),
)
*_NAMED, OTHER_REGIONS = REGION_CATEGORIES
_BUCKET_OF = {role: bucket for bucket, roles in zip(_NAMED, _ROLES, strict=True) for role in roles}

MIN_OUTCOMES, MAX_OUTCOMES = 2, 3  # by which a region is described


@dataclass(frozen=True, slots=True)
class _TargetParts:
    """What the truth of an target is made of, by name, whichever way the screen is drawn. The target is the first."""

    correct: tuple[str, ...]
    look_alikes: tuple[str, ...] = ()
    ancestors: tuple[str, ...] = ()
    descendants: tuple[str, ...] = ()

    def truth_on(self, screen: ScreenParts) -> TargetTruth:
        """With those that are there."""

        def boxes(names: Sequence[str]) -> tuple[Box, ...]:
            return tuple(screen.box(name) for name in names if name in screen)

        return TargetTruth(
            screen.screenshot.size,
            boxes(self.correct),
            alike=boxes(self.look_alikes),
            around=boxes(self.ancestors),
            within=boxes(self.descendants),
        )


def captured_targets(data: DatasetCollection, level: str, task: str) -> list[GroundingTarget]:
    """Each followed by the same target on the variants of its screen. Density and area classes have the cut points of
    all targets on originals."""
    make = _element_targets if level == "element" else _region_targets
    found = captured_screens(data, task)
    varied = any(view.variants for view in found)
    targets: list[GroundingTarget] = []
    scores: dict[str, tuple[float, float]] = {}
    for view in found:
        made = make(view)
        families = [[target, *_targets_on_variants(view.variants, target, parts)] for target, parts in made]
        targets += [target for family in families for target in family]
        for place in (view, *view.variants):
            here = [target for family in families for target in family if target.screenshot is place.screenshot]
            scores.update(zip((target.id for target in here), _densities(place, here), strict=True))
    originals = [target for target in targets if target.original is None]
    if not originals:
        return []
    percents = [float(area_percent([target.truth.boxes[0].xyxy], target.screenshot.size)[0]) for target in originals]
    areas = area_cuts(percents)
    counts, sums = (cut_points([scores[target.id][which] for target in originals]) for which in (0, 1))
    return [
        replace(
            target,
            tags={
                **({"rendering": ORIGINAL_LABEL} if varied else {}),
                **target.tags,
                "area": area_label(target.truth, areas),
                "density": density_label(scores[target.id][0], counts),
                "density, Gaussian": density_label(scores[target.id][1], sums),
            },
        )
        for target in targets
    ]


def _targets_on_variants(
    variants: Sequence[ScreenVariant], target: GroundingTarget, parts: _TargetParts
) -> Iterator[GroundingTarget]:
    """The same in the same words, wherever the target is there."""
    for variant in variants:
        if parts.correct[0] in variant:
            yield replace(
                target,
                id=f"{target.id}@{variant.rendering}",
                screenshot=variant.screenshot,
                truth=parts.truth_on(variant),
                tags={**target.tags, "rendering": variant.rendering, "original": target.id},
                original=target,
            )


def _densities(screen: ScreenParts, of_screen: Sequence[GroundingTarget]) -> list[tuple[float, float]]:
    """Both forms of NID, with the centres of all elements of the screen."""
    if not of_screen:
        return []
    targets = [target.truth.boxes[0].xyxy for target in of_screen]
    centres = [(box.centre.x, box.centre.y) for box in map(screen.box, screen.elements)]
    counts = nid_count(targets, centres)
    return list(zip(map(float, counts), map(float, nid_gauss(targets, centres, screen.screenshot.size)), strict=True))


def _element_targets(screen: CapturedScreen) -> list[tuple[GroundingTarget, _TargetParts]]:
    return [
        _element_target(screen, outcome)
        for name, outcomes in screen.outcomes.items()
        if name in screen.look_alikes
        for outcome in outcomes
        if len(outcome.steps) <= 1 and len(screen.same_outcome(outcome)) <= MAX_SAME_OUTCOME
    ]


def _element_target(screen: CapturedScreen, outcome: ActionOutcome) -> tuple[GroundingTarget, _TargetParts]:
    name = outcome.element or ""
    home = screen.smallest_region(name)
    around = () if home is None else (home.id, *screen.ancestors(home.id))
    parts = _TargetParts(tuple(screen.same_outcome(outcome)), screen.look_alikes[name], around)
    texts = {
        "functionality": outcome_question(outcome),
        "description": describe_element(screen, screen.elements[name]),
        "intent": outcome_intent(outcome),
    }
    target = GroundingTarget(
        id=outcome.id,
        screenshot=screen.screenshot,
        level="element",
        truth=parts.truth_on(screen),
        expressions={kind: text for kind, text in texts.items() if text},
        tags={
            "action": outcome.action,
            "group size": group_size_class(len(screen.look_alikes[name]) + 1),
            "names itself": "yes" if names_target(screen, outcome) else "no",
            "platform": screen.screenshot.screen.platform or UNKNOWN,
        },
    )
    return target, parts


def _region_targets(screen: CapturedScreen) -> list[tuple[GroundingTarget, _TargetParts]]:
    """Of regions with the same outcomes, only the first: no description fits one of them alone."""
    made = [found for region in screen.regions.values() if (found := _region_target(screen, region)) is not None]
    return list({target.expressions["functionality"]: (target, parts) for target, parts in reversed(made)}.values())[
        ::-1
    ]


def _region_target(screen: CapturedScreen, region: Region) -> tuple[GroundingTarget, _TargetParts] | None:
    """A region by what can be done in it and in no part of it alone; None where that is not enough to identify it."""
    telling = distinguishing_outcomes(screen, region.id)
    if telling is None:
        return None
    texts = {"functionality": region_question(telling), "description": describe_region(screen, region)}
    alike = screen.look_alikes.get(region.id, ())
    parts = _TargetParts((region.id,), alike, tuple(screen.ancestors(region.id)), tuple(screen.descendants(region.id)))
    target = GroundingTarget(
        id=f"{screen.screenshot.screen.id}/{region.id}",
        screenshot=screen.screenshot,
        level="region",
        truth=parts.truth_on(screen),
        expressions={kind: text for kind, text in texts.items() if text},
        tags={
            "region type": region_type(region.type),
            "group size": group_size_class(len(alike) + 1),
            "platform": screen.screenshot.screen.platform or UNKNOWN,
        },
    )
    return target, parts


def region_type(role: str | None) -> str:
    return _BUCKET_OF.get(role or "", OTHER_REGIONS)


def distinguishing_outcomes(screen: CapturedScreen, region: str) -> list[ActionOutcome] | None:
    """Outcomes of two or three elements such that this is the smallest region with all of them, each of them the only
    one of its kind on the screen; None where there are not two."""
    candidates = [
        outcome
        for name in screen.elements_inside[region]
        for outcome in screen.outcomes.get(name, ())[:1]
        if len(outcome.steps) <= 1 and len(screen.same_outcome(outcome)) == 1
    ]
    smaller = [
        set(screen.elements_inside[name])
        for name in screen.regions
        if name != region and _is_smaller(screen, name, region)
    ]
    chosen: list[ActionOutcome] = []
    for outcome in candidates:
        names = {one.element or "" for one in [*chosen, outcome]}
        # Two of one part would be found there; each one that is added must keep the whole region in play.
        if len(names) >= MIN_OUTCOMES and any(names <= part for part in smaller):
            continue
        chosen.append(outcome)
        if len(chosen) == MAX_OUTCOMES:
            break
    return chosen if len(chosen) >= MIN_OUTCOMES else None


def _is_smaller(screen: CapturedScreen, one: str, other: str) -> bool:
    return screen.box(one).area < screen.box(other).area or (
        screen.box(one).area == screen.box(other).area and other in screen.ancestors(one)
    )
