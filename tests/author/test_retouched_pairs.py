"""Pictures of pairs in an export as people have painted over and cut them; originals stay."""

import json
from pathlib import Path

import pytest

from affordance.author.pair_files import copy_pair
from affordance.author.pair_records import Halves, Mask
from affordance.author.pair_splitting import PROPOSALS_FILE, apply_splits, propose_splits
from affordance.author.pairs.cleaned import cleaned
from affordance.author.pairs.halved import halved
from affordance.datasets import Dataset, DesignPair, load_dataset
from affordance.media import load_pixels
from pair_world import MARKED, SINGLE, alike, composite, design, marked, write_pairs

BLOT = {"points": [[60, 270]], "radius": 10}  # what is not found by itself


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return load_dataset(str(write_pairs(tmp_path / "pairs", **{SINGLE: {"votes": [2, 9], "urls": ["a", "b"]}})))


def taken(dataset: Dataset, name: str, folder: Path) -> DesignPair:
    """As an export does before anything is done to it."""
    (pair,) = (item for item in dataset.items if isinstance(item, DesignPair) and item.id == name)
    return copy_pair(dataset, pair, name, folder)


def test_what_is_accepted_is_gone_and_the_original_is_kept(dataset: Dataset, tmp_path: Path) -> None:
    mask = Mask.model_validate({"brushes": [BLOT], "accepted": True})
    pair = cleaned(taken(dataset, MARKED, tmp_path), {0: mask}, MARKED, tmp_path)
    (record,) = pair.marker_removals
    assert alike(load_pixels(tmp_path / pair.images[0]), design(1))
    assert (load_pixels(tmp_path / record.original) == marked(1)).all()
    assert record.image_index == 0
    assert 0 < record.difference < record.masked < 0.05
    assert all((tmp_path / path).is_file() for path in [*pair.images, *pair.extra_files()])
    assert (load_pixels(tmp_path / pair.images[1]) == design(2)).all()


def test_without_the_markers_that_are_found_only_what_was_painted_goes(dataset: Dataset, tmp_path: Path) -> None:
    mask = Mask.model_validate({"found": False, "brushes": [BLOT], "accepted": True})
    pair = cleaned(taken(dataset, MARKED, tmp_path), {0: mask}, MARKED, tmp_path)
    left = load_pixels(tmp_path / pair.images[0])
    assert (left[230:290, 395:405] == marked(1)[230:290, 395:405]).all()
    assert alike(left[250:290, 40:80], design(1)[250:290, 40:80])


@pytest.mark.parametrize(
    "mask",
    [
        {"brushes": [BLOT]},
        {"found": False, "accepted": True},
        {"found": False, "brushes": [BLOT, {**BLOT, "radius": 12, "erase": True}], "accepted": True},
    ],
    ids=["not accepted", "nothing masked", "all erased"],
)
def test_nothing_is_done_where_nothing_was_accepted(dataset: Dataset, tmp_path: Path, mask: dict[str, object]) -> None:
    before = taken(dataset, MARKED, tmp_path)
    assert cleaned(before, {0: Mask.model_validate(mask)}, MARKED, tmp_path) is before


def test_painting_over_again_keeps_the_first_original(dataset: Dataset, tmp_path: Path) -> None:
    found = Mask(accepted=True)
    once = cleaned(taken(dataset, MARKED, tmp_path), {0: found}, MARKED, tmp_path)
    again = Mask.model_validate({"found": False, "brushes": [BLOT], "accepted": True})
    pair = cleaned(once, {0: again}, MARKED, tmp_path)
    (record,) = pair.marker_removals
    assert (load_pixels(tmp_path / record.original) == marked(1)).all()
    assert alike(load_pixels(tmp_path / pair.images[0]), design(1))
    assert record.masked > once.marker_removals[0].masked


def test_a_confirmed_cut_is_that_of_data_split(dataset: Dataset, tmp_path: Path) -> None:
    propose_splits(dataset, tmp_path / "proposed")
    proposals = json.loads((tmp_path / "proposed" / PROPOSALS_FILE).read_text("utf-8"))
    (proposal,) = proposals["pairs"]
    proposal |= {"winner": "first", "confirmed": True}
    (tmp_path / PROPOSALS_FILE).write_text(json.dumps(proposals), encoding="utf-8")
    apply_splits(dataset, tmp_path / "cut", tmp_path / PROPOSALS_FILE)
    (expected,) = (item for item in load_dataset(str(tmp_path / "cut")).items if item.id == SINGLE)
    halves = Halves.model_validate({"boxes": proposal["boxes"], "winner": "first", "confirmed": True})
    pair = halved(taken(dataset, SINGLE, tmp_path / "here"), halves, SINGLE, tmp_path / "here")
    assert pair.model_dump() == expected.model_dump()
    assert (pair.votes, pair.urls) == ([9, 2], ["b", "a"])
    for path in [*pair.images, *pair.extra_files()]:
        assert (tmp_path / "here" / path).read_bytes() == (tmp_path / "cut" / path).read_bytes()


@pytest.mark.parametrize(
    "change", [{"confirmed": False}, {"confirmed": True, "single": False}], ids=["not confirmed", "no picture of two"]
)
def test_what_is_not_confirmed_stays_one_picture(dataset: Dataset, tmp_path: Path, change: dict[str, bool]) -> None:
    boxes = [{"space": "pixel", "xyxy": [0, 0, 100, 100]}, {"space": "pixel", "xyxy": [100, 0, 200, 100]}]
    before = taken(dataset, SINGLE, tmp_path)
    assert halved(before, Halves.model_validate({"boxes": boxes, **change}), SINGLE, tmp_path) is before
    assert halved(before, None, SINGLE, tmp_path) is before


def test_two_pictures_are_never_cut_and_votes_without_a_winner_are_nobodys(dataset: Dataset, tmp_path: Path) -> None:
    boxes = [{"space": "pixel", "xyxy": [0, 0, 464, 320]}, {"space": "pixel", "xyxy": [520, 0, 984, 320]}]
    halves = Halves.model_validate({"boxes": boxes, "confirmed": True})
    two = taken(dataset, MARKED, tmp_path)
    assert halved(two, halves, MARKED, tmp_path) is two
    pair = halved(taken(dataset, SINGLE, tmp_path), halves, SINGLE, tmp_path)
    assert (pair.winner, pair.votes) == (None, None)


def test_one_picture_is_cleaned_before_it_is_cut(dataset: Dataset, tmp_path: Path) -> None:
    button = {"points": [[60, 170], [140, 170]], "radius": 30}  # of the first design
    mask = Mask.model_validate({"found": False, "brushes": [button], "accepted": True})
    boxes = [{"space": "pixel", "xyxy": [0, 0, 480, 320]}, {"space": "pixel", "xyxy": [504, 0, 984, 320]}]
    whole = cleaned(taken(dataset, SINGLE, tmp_path), {0: mask}, SINGLE, tmp_path)
    assert (load_pixels(tmp_path / whole.images[0]) == load_pixels(tmp_path / whole.images[1])).all()
    halves = Halves.model_validate({"boxes": boxes, "winner": "second", "confirmed": True})
    pair = halved(whole, halves, SINGLE, tmp_path)
    both = composite(3, 4)
    assert (load_pixels(tmp_path / pair.images[1]) == both[:, 504:]).all()
    first = load_pixels(tmp_path / pair.images[0])
    assert (first[:130] == both[:130, :480]).all()
    assert (first[150:190, 70:130] != both[150:190, 70:130]).any()
    assert all((tmp_path / path).is_file() for path in [*pair.images, *pair.extra_files()])
