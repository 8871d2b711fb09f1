"""Aims that somebody has written down: the targets of published benchmarks, and of datasets in our own format."""

from affordance.core.box import Space
from affordance.datasets import Collection, Screen, Target
from affordance.datasets.classes import group_bucket
from affordance.grounding.density import area_cuts
from affordance.grounding.truths import Truth
from affordance.suites.function.aims import UNKNOWN, Aim, Sheet, labelled_area, sheet, shipped


def has_targets(data: Collection, level: str) -> bool:
    dataset = data.part("screen")
    screens = [item for item in dataset.items if isinstance(item, Screen)] if dataset is not None else []
    return any(target.level == level for screen in screens for target in screen.targets)


def written_aims(data: Collection, level: str) -> list[Aim]:
    """The targets of a dataset that has them, in its order."""
    dataset = data.part("screen")
    if dataset is None:
        return []
    screens = [item for item in dataset.items if isinstance(item, Screen)]
    wanted = [(screen, [t for t in screen.targets if t.level == level]) for screen in screens]
    boxes = [(screen, target.box) for screen, targets in wanted for target in targets if target.box is not None]
    shares = [100 * box.to(Space.UNIT, screen.width, screen.height).area for screen, box in boxes]
    cuts = area_cuts(shares) if shares else None
    found = []
    for screen, targets in wanted:
        if targets:
            on = sheet(dataset, screen)
            found += [_written(on, target, cuts) for target in targets]
    return found


def _written(on: Sheet, target: Target, cuts: tuple[float, float, float] | None) -> Aim:
    said = {"functionality": target.functionality, "description": target.description, "intent": target.intent}
    boxes = () if target.box is None else (on.pixels(target.box),)
    truth = Truth(
        on.size,
        boxes,
        tuple((x, y) for x, y in target.polygon or ()),
        alike=tuple(on.pixels(box) for box in target.alike),
    )
    tags = {
        "platform": on.screen.platform or UNKNOWN,
        "target": "absent" if target.absent else "polygon" if target.polygon else "box",
        "area": labelled_area(truth, cuts) if boxes and cuts else UNKNOWN,
        "group size": group_bucket(target.tags.get("group_size") or (len(target.alike) + 1 if target.alike else None)),
        **({"action": target.action} if target.action else {}),
        **shipped(target.tags),
    }
    return Aim(
        f"{on.screen.id}/{target.id}",
        on,
        target.level,
        truth,
        {name: text for name, text in said.items() if text},
        tags,
    )
