"""Rationales of other pairs, drawn for many pairs: the same as if each were drawn alone, and quickly."""

import random
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.digest import digest
from affordance.datasets import DesignPair
from affordance.tasks.behavior.rationale_judging import UnrelatedRationaleSampler
from behavior_data import because, pair


def written(names: list[int], clusters: int, most: int) -> list[DesignPair]:
    """So many clusters, and up to so many rationales each."""
    return [
        pair(f"p{n}", cluster=f"c{n % clusters}", rationales=[because(f"{n}-{k}") for k in range(n % (most + 1))])
        for n in names
    ]


def drawn_alone(one: DesignPair, pairs: list[DesignPair], seed: int) -> str | None:
    """The definition: one of all that are of other clusters, in the order of ids and places."""
    others = [other for other in pairs if other.cluster != one.cluster]
    found = [(other.id, place) for other in others for place in range(len(other.rationales))]
    if not found:
        return None
    name, place = random.Random(int(digest("foreign", seed, one.id), 16)).choice(sorted(found))
    return f"{name}/{place}"


@settings(max_examples=40)
@given(st.lists(st.integers(0, 60), unique=True, max_size=20), st.integers(1, 5), st.integers(0, 4), st.integers(0, 99))
def test_each_is_one_of_the_others(names: list[int], clusters: int, most: int, seed: int) -> None:
    pairs = written(names, clusters, most)
    one, turned = UnrelatedRationaleSampler(pairs), UnrelatedRationaleSampler(pairs[::-1])
    for each in pairs:
        found = one.draw(each, seed)
        assert found == turned.draw(each, seed)
        assert (found.of if found else None) == drawn_alone(each, pairs, seed)


def test_thousands_of_pairs_take_no_time() -> None:
    pairs = written([*range(3000)], 900, 4)
    began = time.process_time()
    foreigners = UnrelatedRationaleSampler(pairs)
    assert all(foreigners.draw(one, 1) for one in pairs)
    assert time.process_time() - began < 2
