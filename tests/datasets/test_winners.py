"""Who won a pair: as somebody says, or else as most voted. Pairs without a winner are counted, and told."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from affordance.datasets import DesignPair, UndecidedPairs, count_undecided, load_dataset
from affordance.datasets.check import check_folder
from affordance.datasets.dataset import Issue, Severity
from affordance.datasets.statistics import describe_dataset
from behavior_data import pair, write_pairs
from cases import numbers_in
from errors import assert_carries

VOTES = st.none() | st.lists(st.integers(0, 3), min_size=2, max_size=2)


@given(st.none() | st.integers(0, 1), VOTES)
def test_votes_decide_where_nobody_says(winner: int | None, votes: list[int] | None) -> None:
    found = pair("x", winner, votes=votes)
    given_votes = votes or [0, 0]
    if winner is not None or given_votes[0] == given_votes[1]:
        assert found.winner == winner
    else:
        assert given_votes[found.winner or 0] == max(given_votes)
        assert found.evidence == "voted"
    assert found.tied == (found.winner is None and sum(given_votes) > 0)
    lost = winner is not None and given_votes[winner] < given_votes[1 - winner]
    assert (found.vote_conflict() is not None) == lost


def test_what_is_derived_is_not_written() -> None:
    """So that whoever counts more votes need not correct the winner as well."""
    line = {"id": "x", "images": ["a.png", "b.png"], "votes": [1, 2]}
    found = DesignPair.model_validate(line)
    assert (found.winner, found.model_dump(exclude_unset=True)) == (1, line)


def test_nobody_votes_less_than_not_at_all() -> None:
    with pytest.raises(ValidationError) as caught:
        pair("x", votes=[-1, 2])
    assert [one["loc"][:2] for one in caught.value.errors()] == [("votes", 0)]


def some(folder: Path, *pairs: DesignPair) -> list[Issue]:
    write_pairs(folder, *pairs)
    return list(check_folder(folder))


def test_votes_in_our_own_format_are_the_truth(tmp_path: Path) -> None:
    assert some(tmp_path, pair("x", None, votes=[2, 5])) == []
    (found,) = load_dataset(str(tmp_path)).items
    assert isinstance(found, DesignPair)
    assert found.winner == 1


def test_a_winner_that_lost_the_vote_is_an_error(tmp_path: Path) -> None:
    (told,) = some(tmp_path, pair("x", 0, votes=[2, 5]))
    assert told.severity is Severity.ERROR
    assert_carries(str(told), f"{tmp_path / 'items.jsonl'}:1", "'x'", "[2, 5]")


def test_the_sentence_has_the_numbers() -> None:
    assert numbers_in(str(UndecidedPairs(5, 0, 0))) == [0, 5]
    assert numbers_in(str(UndecidedPairs(1, 0, 1))) == [1, 1, 1]
    assert numbers_in(str(UndecidedPairs(9, 2, 1))) == [3, 9, 2, 1]


def test_pairs_without_a_winner_are_counted(tmp_path: Path) -> None:
    pairs = [
        pair("known", 0),
        pair("voted", None, votes=[1, 0]),
        pair("tied", None, votes=[3, 3]),
        pair("no votes yet", None, votes=[0, 0]),
        pair("unknown", None),
    ]
    (told,) = some(tmp_path, *pairs)
    assert told.severity is Severity.WARNING
    assert_carries(str(told), str(UndecidedPairs(5, 1, 2)))
    dataset = load_dataset(str(tmp_path))
    found = count_undecided(dataset.items)
    assert (found.pairs, found.tied, found.unknown, found.count) == (5, 1, 2, 3)
    statistics = describe_dataset(dataset)
    assert 3 in statistics.counts.values()
    (winners,) = [one for one in statistics.distributions if one.name == "winner"]
    assert [count for _, count in winners.counts] == [2, 1, 2]
