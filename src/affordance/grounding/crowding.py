"""How crowded the elements of a dataset's screens are."""

from collections import Counter

from affordance.core.box import CoordinateSpace
from affordance.datasets import Dataset, Screen
from affordance.datasets.classes import Density
from affordance.datasets.stats import ValueCounts
from affordance.grounding.density import cut_points, density_class, nid_count


def density_distribution(dataset: Dataset) -> ValueCounts | None:
    """In which class of density the elements of captured screens are, by how many others are about them; None where
    no elements are known. The cut points are those of these elements."""
    counts = [count for item in dataset.items if isinstance(item, Screen) for count in _counts(item)]
    if not counts:
        return None
    cuts = cut_points(counts)
    found = Counter(density_class(count, cuts) for count in counts)
    limits = {Density.SPARSE: f"to {cuts[0]:g}", Density.MEDIUM: f"to {cuts[1]:g}", Density.DENSE: f"over {cuts[1]:g}"}
    classes = tuple((f"{density} ({limits[density]} neighbours)", found[density]) for density in Density)
    return ValueCounts("density", "elements", classes, len(counts))


def _counts(screen: Screen) -> list[int]:
    boxes = [element.box.to_space(CoordinateSpace.PIXEL, screen.width, screen.height) for element in screen.elements]
    if not boxes:
        return []
    return [int(n) for n in nid_count([box.xyxy for box in boxes], [(b.centre.x, b.centre.y) for b in boxes])]
