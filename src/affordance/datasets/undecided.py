"""Pairs of which no design is known to have won: nothing can be asked about them that could be scored."""

from collections.abc import Iterator
from dataclasses import dataclass

from affordance.datasets.reading import Dataset, Issue, Reading, Severity
from affordance.datasets.records import Pair


@dataclass(frozen=True, slots=True)
class UndecidedPairs:
    """How many pairs there are, and how many of them have no winner: `tied` in their votes, or simply `unknown`."""

    pairs: int
    tied: int
    unknown: int

    @property
    def count(self) -> int:
        return self.tied + self.unknown

    def __str__(self) -> str:
        """`3 of 20 pairs have no winner (1 tied, 2 unknown)`."""
        why = [f"{count} {name}" for name, count in (("tied", self.tied), ("unknown", self.unknown)) if count]
        of = f"{self.count} of {self.pairs} {'pair' if self.pairs == 1 else 'pairs'}"
        return f"{of} {'has' if self.count == 1 else 'have'} no winner" + (f" ({', '.join(why)})" if why else "")


def count_undecided(data: Dataset | Reading) -> UndecidedPairs:
    items = data.items if isinstance(data, Dataset) else [record for _, record in data.records()]
    pairs = [item for item in items if isinstance(item, Pair)]
    without = [pair for pair in pairs if pair.winner is None]
    tied = sum(pair.tied for pair in without)
    return UndecidedPairs(len(pairs), tied, len(without) - tied)


def check_winners(reading: Reading) -> Iterator[Issue]:
    """What `data check` has to say of them."""
    found = count_undecided(reading)
    if found.count:
        message = f"{reading.root}: {found}; nothing is asked about such pairs until they have votes or a winner"
        yield Issue(Severity.WARNING, message)
