"""Aims that somebody has written down: the targets of published benchmarks, and of datasets in our own format."""

from affordance.core.box import CoordinateSpace
from affordance.datasets import Collection, Screen, Target
from affordance.datasets.classes import group_size_class
from affordance.grounding.density import area_cuts
from affordance.grounding.truths import TargetTruth
from affordance.tasks.function.aims import (
    UNKNOWN,
    GroundingTarget,
    Screenshot,
    area_label,
    publisher_tags,
    screenshot_of,
)


def has_targets(data: Collection, level: str) -> bool:
    dataset = data.part("screen")
    screens = [item for item in dataset.items if isinstance(item, Screen)] if dataset is not None else []
    return any(target.level == level for screen in screens for target in screen.targets)


def dataset_targets(data: Collection, level: str) -> list[GroundingTarget]:
    """The targets of a dataset that has them, in its order."""
    dataset = data.part("screen")
    if dataset is None:
        return []
    screens = [item for item in dataset.items if isinstance(item, Screen)]
    wanted = [(screen, [t for t in screen.targets if t.level == level]) for screen in screens]
    boxes = [(screen, target.box) for screen, targets in wanted for target in targets if target.box is not None]
    shares = [100 * box.to_space(CoordinateSpace.UNIT, screen.width, screen.height).area for screen, box in boxes]
    cuts = area_cuts(shares) if shares else None
    found = []
    for screen, targets in wanted:
        if targets:
            on = screenshot_of(dataset, screen)
            found += [_dataset_target(on, target, cuts) for target in targets]
    return found


def _dataset_target(screenshot: Screenshot, target: Target, cuts: tuple[float, float, float] | None) -> GroundingTarget:
    said = {"functionality": target.functionality, "description": target.description, "intent": target.intent}
    boxes = () if target.box is None else (screenshot.to_pixels(target.box),)
    truth = TargetTruth(
        screenshot.size,
        boxes,
        tuple((x, y) for x, y in target.polygon or ()),
        alike=tuple(screenshot.to_pixels(box) for box in target.alike),
    )
    tags = {
        "platform": screenshot.screen.platform or UNKNOWN,
        "target": "absent" if target.absent else "polygon" if target.polygon else "box",
        "area": area_label(truth, cuts) if boxes and cuts else UNKNOWN,
        "group size": group_size_class(
            target.tags.get("group_size") or (len(target.alike) + 1 if target.alike else None)
        ),
        **({"action": target.action} if target.action else {}),
        **publisher_tags(target.tags),
    }
    return GroundingTarget(
        f"{screenshot.screen.id}/{target.id}",
        screenshot,
        target.level,
        truth,
        {name: text for name, text in said.items() if text},
        tags,
    )
