"""Look-alike elements: groups that a quick look does not tell apart, of a size that can be asked about.

Two elements are neighbours where they look alike and, if something is written on both, it is much the same. Every
element is a seed; one with a few neighbours makes a group with them, and groups that share a member are one. What is
too large is divided, evenly, into those that are most alike."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affordance.author.elements.looks import TEXT, Sight
from affordance.author.elements.texts import is_numeric, words_of
from affordance.author.records import Detected, Group, Groups, Member, Rejected
from affordance.core.digest import digest
from affordance.grounding.look_alikes import IndexPairs, connected_groups, without_overlaps

MOST_NEIGHBOURS = 10  # of a seed: what has more is a list or a table
NUMERIC = 0.7  # share of neighbours that are numbers from which on a seed makes no group: days, prices, cells
SMALLEST, LARGEST = 2, 5  # members of a group

_MANY = "neighbours", f"more than {MOST_NEIGHBOURS} elements are alike to it, and not up to so many nearly the same"
_NUMBERS = "numbers", f"{NUMERIC:.0%} or more of those alike to it are numbers"
_LATER = "g0"  # the id of a group that waits for its number


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element that may be in a group. `written` is the text that is compared: empty where there is none to see."""

    element: Detected
    written: str
    member: Member


def group_elements(candidates: Sequence[Candidate], sight: Sight, name: str, seed: int) -> Groups:
    """The groups of a screen of this name, each of two to five that do not overlap, in the order of first members.
    Sight is of the candidates, in their order, and of what is written on them. Whoever had neighbours and is in no
    group is told, with the reason."""
    alike, same = sight.pairs, sight.nearly_same(sight.pairs)
    sets, refused = _stars(candidates, alike, same)
    groups: list[Group] = []
    rejected: list[Rejected] = []
    for members in sets:
        kept = [members[place] for place in without_overlaps([candidates[one].element.box for one in members])]
        history = _left_out([candidates[one].element.id for one in members if one not in kept])
        if len(kept) < SMALLEST:
            rejected.append(_rejected(candidates, members, "overlap", "fewer than two do not overlap"))
            continue
        for part, note in _bounded(kept, sight, same, digest("element group", seed, name, kept[0])):
            chosen = [candidates[one].member for one in part]
            similarity = f"{sight.words}{_text_words(candidates, part)}"
            groups.append(Group(id=_LATER, members=chosen, similarity=similarity, history=[*history, *note]))
    order = {one.element.id: place for place, one in enumerate(candidates)}
    groups.sort(key=lambda group: order[group.members[0].id])
    named = [group.model_copy(update={"id": f"g{number}"}) for number, group in enumerate(groups, start=1)]
    grouped = {member.id for group in named for member in group.members}
    for (stage, reason), seeds in refused.items():
        alone = [one for one in seeds if candidates[one].element.id not in grouped]
        rejected += [_rejected(candidates, together, stage, reason) for together in _together(alone, alike)]
    return Groups(groups=named, rejected=rejected, by=f"{sight.by}; text from {TEXT:g}")


def _stars(
    candidates: Sequence[Candidate], alike: IndexPairs, same: IndexPairs
) -> tuple[list[list[int]], dict[tuple[str, str], list[int]]]:
    """The sets that seeds with their neighbours make, and the seeds that make none, by stage and reason. Of a seed with
    too many neighbours those count that are nearly the same picture: the stars of a list, among all small icons."""
    number = len(candidates)
    numeric = np.array([is_numeric(one.element.text) for one in candidates], bool)
    crowded = _degree(alike, number) > MOST_NEIGHBOURS
    edges = [np.empty((0, 2), np.intp)]
    refused: dict[tuple[str, str], list[int]] = {}
    for pairs, which in ((alike, ~crowded), (same, crowded)):
        degree = _degree(pairs, number)
        few = which & (degree > 0) & (degree <= MOST_NEIGHBOURS)
        counted = few & (_degree(pairs, number, numeric) >= NUMERIC * degree)
        seeds = few & ~counted
        edges.append(pairs[seeds[pairs[:, 0]] | seeds[pairs[:, 1]]])
        refused.setdefault(_MANY, []).extend(np.flatnonzero(which & crowded & ~few).tolist())
        refused.setdefault(_NUMBERS, []).extend(np.flatnonzero(counted).tolist())
    sets = [one for one in connected_groups(number, np.concatenate(edges)) if len(one) > 1]
    return sets, refused


def _degree(pairs: IndexPairs, number: int, counting: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
    """How many neighbours each has, of those that count."""
    found = np.zeros(number, np.intp)
    for one, other in ((0, 1), (1, 0)):
        counted = pairs if counting is None else pairs[counting[pairs[:, other]]]
        found += np.bincount(counted[:, one], minlength=number)
    return found


def _bounded(members: list[int], sight: Sight, same: IndexPairs, key: str) -> list[tuple[list[int], list[str]]]:
    """The group itself, or parts of it, with what was done: those that are nearly the same picture by themselves, the
    others together, and what is still too large evenly, each part about a member that is drawn."""
    if len(members) <= LARGEST:
        return [(members, [])]
    sets = _together(members, same)
    pools = [one for one in sets if len(one) > 1] + [[one[0] for one in sets if len(one) == 1]]
    draw = random.Random(key)
    parts = [part for pool in pools for part in _evenly(pool, sight, draw)]
    if any(len(part) < SMALLEST for part in parts):  # one that is like no other stays with those it was found with
        parts = list(_evenly(members, sight, random.Random(key)))
    done = f"divided: one of {len(parts)} parts of {len(members)} look-alikes, drawn with {key[:8]}"
    return [(part, [done]) for part in parts]


def _evenly(pool: list[int], sight: Sight, draw: random.Random) -> Iterator[list[int]]:
    """Parts that differ in size by one at most, each of a member that is drawn and those that are most like it."""
    number = math.ceil(len(pool) / LARGEST)
    left = list(pool)
    for parts in range(number, 0, -1):
        first = draw.choice(left)
        others = [one for one in left if one != first]
        close = sight.closeness(first, others)
        nearest = sorted(range(len(others)), key=lambda index: (-round(float(close[index]), 6), others[index]))
        part = sorted([first, *(others[index] for index in nearest[: math.ceil(len(left) / parts) - 1])])
        left = [one for one in left if one not in part]
        yield part


def _together(members: list[int], pairs: IndexPairs) -> list[list[int]]:
    """Members in the sets that their being alike makes."""
    if not members:
        return []
    places = np.full(max(int(pairs.max(initial=0)), *members) + 1, -1, np.intp)
    places[members] = np.arange(len(members))
    inner = places[pairs]
    sets = connected_groups(len(members), inner[(inner >= 0).all(axis=1)])
    return [[members[place] for place in one] for one in sets]


def _rejected(candidates: Sequence[Candidate], members: Sequence[int], stage: str, reason: str) -> Rejected:
    return Rejected(members=[candidates[one].element.id for one in members], stage=stage, reason=reason)


def _left_out(ids: Sequence[str]) -> list[str]:
    return [f"left out for overlapping another: {', '.join(ids)}"] if ids else []


def _text_words(candidates: Sequence[Candidate], members: Sequence[int]) -> str:
    return ", and much the same text" if all(words_of(candidates[one].written) for one in members) else ""
