"""What several voters say together."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MajorityVote:
    """How a vote ended. `label` is None for an abstention; `votes` are those of the most frequent label, whether they
    were enough or not; `unanimous` says that all voters gave the same label."""

    label: str | None
    votes: int
    voters: int
    unanimous: bool


def majority_vote(answers: Sequence[str | None]) -> MajorityVote:
    """The label with more than half of the votes of all voters, else an abstention. A voter whose answer cannot be
    read (None) votes for nothing, and still counts as a voter."""
    if isinstance(answers, str) or not len(answers):
        raise ValueError(f"expected the answers of at least one voter, found {answers!r}")
    counts = Counter(answer for answer in answers if answer is not None)
    label, votes = max(counts.items(), key=lambda pair: pair[1], default=(None, 0))
    return MajorityVote(
        label if 2 * votes > len(answers) else None, votes, len(answers), unanimous=votes == len(answers)
    )
