"""How crowded it is around a target (NID, normalised interaction density), and how large it is.

Boxes and centres are pixels of one screen. Mixing them with thousandths made the published classes of elements
uninformative, so nothing here takes anything else."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from affordance.core.geometry import CoordinateSpace
from affordance.datasets import Dataset, Screen
from affordance.datasets.statistics import ValueCounts
from affordance.datasets.taxonomies import Area, Density

Floats = NDArray[np.float64]

_OWN_CENTRE_RADIUS = 0.5  # pixels within which a centre is taken as the target's own
_EDGE_TOLERANCE = 1e-6  # pixels by which converted numbers may miss an edge they lie on
_BATCH_SIZE = 32  # targets

_Class = TypeVar("_Class", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class DensityContrast:
    """Accuracy on dense targets less that on sparse ones: as it is, and among targets of about the same area.
    `compared` is how many targets lie in strata that have both kinds; the others add nothing."""

    crude: float
    adjusted: float
    standard_error: float  # the standard error of `adjusted`
    compared: int
    n: int


def nid_count(targets: ArrayLike, centres: ArrayLike, alpha: float = 1.0) -> NDArray[np.int64]:
    """The paper's form: how many centres of other elements are in the box of 1 + 2 alpha times the target's size about
    its centre, edges included. One centre that coincides with the target's is its own and is not counted."""
    counts = np.zeros(len(_rows(targets, 4)), np.int64)
    for rows, sizes, apart in _offsets_in_batches(targets, centres):
        inside = _within(apart, sizes * (0.5 + alpha))
        own = np.any(_within(apart, np.full_like(sizes, _OWN_CENTRE_RADIUS)), axis=1)
        counts[rows] = inside.sum(axis=1) - own
    return counts


def nid_gauss(targets: ArrayLike, centres: ArrayLike, size: tuple[int, int], alpha: float = 1.0) -> Floats:
    """The released code's form: the target grown by 1.5 alpha of its size on every side and clipped to the screen;
    every centre in that box and outside the target adds a Gaussian of its distance, with deviations of 1.5 times the
    target's width and height (at least a pixel). Edges count as inside, of the box and of the target."""
    places = _rows(centres, 2)
    on_screen = np.all((places >= 0) & (places <= np.asarray(size)), axis=1)
    scores = np.zeros(len(_rows(targets, 4)))
    for rows, sizes, apart in _offsets_in_batches(targets, centres):
        counted = _within(apart, sizes * (0.5 + 1.5 * alpha)) & ~_within(apart, sizes / 2) & on_screen
        target, centre = np.nonzero(counted)  # few of all
        deviations = np.maximum(1.5 * sizes, 1.0)[target]
        weights = np.zeros(counted.shape)
        weights[target, centre] = np.exp(-0.5 * np.sum((apart[:, target, centre].T / deviations) ** 2, axis=1))
        scores[rows] = np.sum(weights, axis=1)
    return scores


def cut_points(scores: ArrayLike) -> tuple[float, float]:
    """The 33rd and 67th percentile, interpolated. Freeze them per dataset and keep them with it: classes of another
    split are then the same classes. Counts tie, so the classes they make are not thirds."""
    low, high = _percentiles(scores, (33, 67))
    return low, high


def density_class(score: float, cuts: tuple[float, float]) -> Density:
    return _class_of(score, cuts, Density)


def area_percent(boxes: ArrayLike, size: tuple[int, int]) -> Floats:
    """Share of the screen that each box covers, in percent."""
    sides = _rows(boxes, 4)[:, 2:] - _rows(boxes, 4)[:, :2]
    shares: Floats = 100.0 * np.prod(sides, axis=1) / (size[0] * size[1])
    return shares


def area_cuts(percents: ArrayLike) -> tuple[float, float, float]:
    """The 10th, 30th and 70th percentile of relative areas; like `cut_points`, to be frozen per dataset."""
    low, middle, high = _percentiles(percents, (10, 30, 70))
    return low, middle, high


def area_class(percent: float, cuts: tuple[float, float, float]) -> Area:
    return _class_of(percent, cuts, Area)


def density_contrast(hits: ArrayLike, dense: ArrayLike, area: ArrayLike, strata: int = 5) -> DensityContrast | None:
    """How much density itself costs. The box in which neighbours are counted grows with the target, so dense targets
    are larger ones; here dense and sparse targets are compared within quantiles of area, and the differences averaged
    with Mantel and Haenszel's weights. None where no stratum has both kinds."""
    right, crowded, areas = np.asarray(hits, bool), np.asarray(dense, bool), np.asarray(area, float)
    if not crowded.any() or crowded.all():
        return None
    edges = np.quantile(areas, np.arange(1, strata) / strata)
    stratum = np.searchsorted(edges, areas, side="left")

    def per_stratum(which: NDArray[np.bool_]) -> Floats:
        return np.bincount(stratum[which], minlength=strata).astype(float)

    n1, n0 = per_stratum(crowded), per_stratum(~crowded)
    hit1, hit0 = per_stratum(crowded & right), per_stratum(~crowded & right)
    both = (n1 > 0) & (n0 > 0)
    if not both.any():
        return None
    n1, n0, hit1, hit0 = n1[both], n0[both], hit1[both], hit0[both]
    weights = n1 * n0 / (n1 + n0)
    difference = float(np.sum(weights * (hit1 / n1 - hit0 / n0)) / weights.sum())
    # Greenland and Robins (1985): holds for few large strata and for many small ones.
    spread = hit1 * (n1 - hit1) * n0**3 + hit0 * (n0 - hit0) * n1**3
    error = float(np.sqrt(np.sum(spread / (n1 * n0 * (n1 + n0) ** 2))) / weights.sum())
    crude = float(right[crowded].mean() - right[~crowded].mean())
    return DensityContrast(crude, difference, error, int((n1 + n0).sum()), len(right))


def _offsets_in_batches(targets: ArrayLike, centres: ArrayLike) -> Iterator[tuple[slice, Floats, Floats]]:
    """For some targets at a time: which these are, their sizes (n, 2), and how far every centre is from the centre of
    each, across and down (2, n, m). A few thousand of both fit a cache in parts and not as a whole."""
    boxes, places = _rows(targets, 4), _rows(centres, 2)
    middles, sizes = (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]
    for start in range(0, len(boxes), _BATCH_SIZE):
        rows = slice(start, start + _BATCH_SIZE)
        yield rows, sizes[rows], np.abs(places.T[:, None, :] - middles[rows].T[:, :, None])


def _within(apart: Floats, reach: Floats) -> NDArray[np.bool_]:
    across, down = (apart[axis] <= reach[:, axis, None] + _EDGE_TOLERANCE for axis in (0, 1))
    inside: NDArray[np.bool_] = across & down
    return inside


def _rows(numbers: ArrayLike, columns: int) -> Floats:
    return np.asarray(numbers, dtype=float).reshape(-1, columns)


def _percentiles(scores: ArrayLike, which: Sequence[int]) -> list[float]:
    found = np.asarray(scores, dtype=float)
    if not found.size:
        raise ValueError("expected scores to take percentiles of, found none")
    return [float(cut) for cut in np.percentile(found, which)]


def _class_of(score: float, cuts: Sequence[float], classes: type[_Class]) -> _Class:
    return list(classes)[int(np.searchsorted(cuts, score, side="left"))]


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
