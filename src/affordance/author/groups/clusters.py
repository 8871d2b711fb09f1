"""Sets of things that are alike in pairs: which belong together, which sets are one, and which few to keep of many."""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Likeness = Callable[[str, str], float]


def complete_link(likeness: NDArray[Any], least: float, apart: Iterable[tuple[int, int]] = ()) -> list[list[int]]:
    """Disjoint sets of two or more rows of a symmetric matrix, in order, such that all pairs of a set are at least so
    alike and no pair is one of those to be kept apart. The most alike are joined first, the first of equals."""
    near = np.asarray(likeness, np.float64).copy()
    np.fill_diagonal(near, -np.inf)
    for one, other in apart:
        near[one, other] = near[other, one] = -np.inf
    sets: dict[int, list[int]] = {index: [index] for index in range(len(near))}
    while len(sets) > 1:
        one, other = (int(place) for place in np.unravel_index(int(near.argmax()), near.shape))
        if near[one, other] < least:
            break
        sets[one] += sets.pop(other)
        near[one] = near[:, one] = np.minimum(near[one], near[other])
        near[one, one] = -np.inf
        near[other] = near[:, other] = -np.inf
    return sorted(sorted(members) for members in sets.values() if len(members) > 1)


def sharing(sets: Sequence[Collection[str]], least: int = 2) -> list[list[int]]:
    """Which sets are one, because they share so many members or more, by index. What two have become together may
    share enough with a third."""
    joined: list[tuple[list[int], set[str]]] = []
    for index, members in enumerate(sets):
        together, has = [index], set(members)
        while near := [one for one in joined if len(one[1] & has) >= least]:
            joined = [one for one in joined if one not in near]
            together += [index for indices, _ in near for index in indices]
            has = has.union(*(members for _, members in near))
        joined.append((together, has))
    return sorted(sorted(indices) for indices, _ in joined)


def most_alike(members: Sequence[str], likeness: Likeness, most: int) -> list[str]:
    """So many of the members: the two most alike, then always the one that is most like all that are there. In the
    order of `members`; the first of equals."""
    if len(members) <= most:
        return list(members)
    chosen = list(max(combinations(members, 2), key=lambda pair: likeness(*pair)))
    while len(chosen) < most:
        left = [one for one in members if one not in chosen]
        chosen.append(max(left, key=lambda one: min(likeness(one, other) for other in chosen)))
    return [one for one in members if one in chosen]


def kept_apart(members: Iterable[str], related: Callable[[str, str], bool]) -> list[str]:
    """The members of which none is related to an earlier one that stays."""
    kept: list[str] = []
    for one in members:
        if not any(related(one, other) for other in kept):
            kept.append(one)
    return kept
