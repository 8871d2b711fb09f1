"""What a judge of explanations says where there is nothing to find, and what it can be misled by.

None of it takes an ask to the judged model: a rationale of another pair is put to the judge beside the right ones; an
answer that names every law is judged in the model's place; and longer explanations are compared with shorter ones.
"""

import random
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from affordance.core.digest import digest
from affordance.datasets import Pair, Rationale
from affordance.datasets.laws import UX_LAWS

# It knows the laws and has not seen the page. What it scores, a model can score without looking.
ALL_LAWS_ANSWER = "\n".join(
    [
        "The second version is the better one for all of these reasons.",
        *(f"{law.name}: {law.meaning}" for law in UX_LAWS),
    ]
)


@dataclass(frozen=True, slots=True)
class UnrelatedRationale:
    """A rationale of another pair, in words that name no side."""

    of: str  # the pair and the place in it
    words: str


def neutral_wording(rationale: Rationale) -> str:
    return rationale.neutral or rationale.reason


class UnrelatedRationaleSampler:
    """The rationales of many pairs, brought into their order once, to draw others' from for each."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        ordered = sorted(pairs, key=lambda pair: pair.id)
        self._all = [(pair, place) for pair in ordered for place in range(len(pair.rationales))]
        self._own: dict[str, list[int]] = defaultdict(list)  # by group, where its rationales are in the list
        for number, (pair, _) in enumerate(self._all):
            self._own[_group(pair)].append(number)

    def draw(self, pair: Pair, seed: int) -> UnrelatedRationale | None:
        """One that was not written about this pair nor about any that it shares an image with; None where there is
        none. A function of the seed and of all pairs, whatever their order."""
        own = self._own.get(_group(pair), [])
        if len(own) == len(self._all):
            return None
        chosen = random.Random(int(digest("foreign", seed, pair.id), 16)).choice(range(len(self._all) - len(own)))
        for number in own:  # counted among the others, and so moved past its own
            if number > chosen:
                break
            chosen += 1
        other, place = self._all[chosen]
        return UnrelatedRationale(f"{other.id}/{place}", neutral_wording(other.rationales[place]))


def _group(pair: Pair) -> str:
    return pair.cluster or pair.id


def length_concordance(lengths_and_scores: Iterable[tuple[int, float]]) -> float | None:
    """Of two explanations (length, score) with unequal scores, how often the better one is the longer; equal lengths
    count half. 0.5 means that length makes no difference. None where all scores are equal."""
    lengths: dict[float, list[int]] = defaultdict(list)
    for length, score in sorted(lengths_and_scores):
        lengths[score].append(length)
    agreeing, compared = 0.0, 0
    for low, high in combinations(sorted(lengths), 2):
        shorter = lengths[low]
        compared += len(shorter) * len(lengths[high])
        agreeing += sum((bisect_left(shorter, n) + bisect_right(shorter, n)) / 2 for n in lengths[high])
    return agreeing / compared if compared else None
