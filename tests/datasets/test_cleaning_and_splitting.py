"""Cleaning and cutting the pictures of pairs: a new dataset each, originals kept, and people decide."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pair_files as files
import pytest
from numpy.typing import NDArray

from affordance.author.marker_removal import remove_markers
from affordance.author.pair_splitting import apply_splits, propose_splits
from affordance.core.errors import DataError, MediaError, UserError
from affordance.datasets import DesignPair, load_dataset
from affordance.datasets.check import check_folder
from cases import case
from errors import assert_carries, raises

GOODUI = {"source": "https://goodui.org/leaks/x/"}


def plain() -> NDArray[np.uint8]:
    pixels = np.full((120, 210, 3), 250, np.uint8)
    cv2.rectangle(pixels, (30, 40), (90, 70), (200, 90, 30), -1)
    return pixels


def marked() -> NDArray[np.uint8]:
    pixels = plain()
    cv2.line(pixels, (150, 10), (150, 60), (121, 84, 118), 3)
    return pixels


def composite() -> NDArray[np.uint8]:
    pixels = np.full((120, 210, 3), 250, np.uint8)
    for seed, columns in ((1, slice(0, 100)), (2, slice(110, 210))):
        pixels[:, columns] = np.random.default_rng(seed).integers(0, 255, (120, 100, 1))
    return pixels


@pytest.fixture
def spec(tmp_path: Path) -> str:
    """A pair of GoodUI with a marker on the winner, one of VWO with the same, one that is a single picture, and one
    without pictures."""
    rows = [files.row(0, **GOODUI), files.row(1), files.row(2), files.row(3)]
    spec = files.write_set(tmp_path / "set", rows, pictures=False)
    for index in (0, 1):
        files.write_pair(tmp_path / "set", index, files.encoded(marked()), files.encoded(plain()))
    both = files.encoded(composite())
    files.write_pair(tmp_path / "set", 2, both, both)
    return spec


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def unnamed_media(folder: Path) -> list[str]:
    """What a check says of files in `media` that no item names."""
    return [str(one) for one in check_folder(folder) if str(one).startswith(f"{folder / 'media'}: ")]


def pairs(spec: str) -> list[DesignPair]:
    return [item for item in load_dataset(spec).items if isinstance(item, DesignPair)]


def test_markers_go_and_originals_stay(tmp_path: Path, spec: str) -> None:
    found = remove_markers(load_dataset(spec), tmp_path / "clean")
    assert (found.pairs, found.cleaned, found.doubtful, found.left_out) == (3, ("000",), (), 1)
    pair, other, _ = pairs(str(tmp_path / "clean"))
    (cleaned,) = pair.marker_removals
    assert cleaned.image_index == pair.winner
    assert (tmp_path / "clean" / cleaned.original).read_bytes() == files.encoded(marked())
    assert 0 < cleaned.difference < cleaned.masked < 0.05
    assert all((tmp_path / "clean" / path).is_file() for path in pair.extra_files())
    image = cv2.imread(str(tmp_path / "clean" / pair.images[cleaned.image_index]))
    assert np.abs(image.astype(int) - plain()).max() <= 8
    assert other.marker_removals == []
    assert not any("win" in path or "lose" in path for path in contents(tmp_path / "clean"))
    assert unnamed_media(tmp_path / "clean") == []


def test_all_pictures_if_it_is_asked_for(tmp_path: Path, spec: str) -> None:
    assert remove_markers(load_dataset(spec), tmp_path / "clean", all_pairs=True).cleaned == ("000", "001")


def test_cleaning_again_changes_nothing(tmp_path: Path, spec: str) -> None:
    remove_markers(load_dataset(spec), tmp_path / "once")
    remove_markers(load_dataset(spec), tmp_path / "same")
    remove_markers(load_dataset(str(tmp_path / "once")), tmp_path / "twice")
    assert contents(tmp_path / "once") == contents(tmp_path / "same") == contents(tmp_path / "twice")


def test_cleaning_does_not_need_the_originals_of_earlier_cleaning(tmp_path: Path, spec: str) -> None:
    remove_markers(load_dataset(spec), tmp_path / "once")
    for folder in ("original", "mask", "before-after"):
        shutil.rmtree(tmp_path / "once" / "media" / folder)
    found = remove_markers(load_dataset(str(tmp_path / "once")), tmp_path / "twice")
    assert found.cleaned == ("000",)
    assert propose_splits(load_dataset(str(tmp_path / "once")), tmp_path / "cuts").single == 1


def test_what_is_there_is_not_written_over(tmp_path: Path, spec: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").touch()
    with raises(UserError, tmp_path / "full"):
        remove_markers(load_dataset(spec), tmp_path / "full")


def proposals(folder: Path, **changes: Any) -> Path:
    """What a person makes of the one proposal in a folder."""
    path = folder / "proposals.json"
    value = json.loads(path.read_text())
    value["pairs"][0] |= changes
    path.write_text(json.dumps(value))
    return path


def test_a_cut_is_proposed_and_not_made(tmp_path: Path, spec: str) -> None:
    found = propose_splits(load_dataset(spec), tmp_path / "cuts")
    assert (found.pairs, found.single, found.without) == (3, 1, ())
    (one,) = json.loads((tmp_path / "cuts" / "proposals.json").read_text())["pairs"]
    assert [box["xyxy"] for box in one["boxes"]] == [[0, 0, 100, 120], [110, 0, 210, 120]]
    assert (one["id"], one["winner"], one["confirmed"], one["symmetry"]) == ("002", None, False, 1.0)
    drawn = cv2.imread(str(tmp_path / "cuts" / one["picture"]))
    assert np.array_equal(drawn[60, 1], (127, 38, 220))
    assert np.array_equal(drawn[60, 50], composite()[60, 50])


def test_a_picture_without_a_gutter_is_told(tmp_path: Path, spec: str) -> None:
    alone = files.encoded(np.random.default_rng(1).integers(0, 255, (60, 90, 3)).astype(np.uint8))
    files.write_pair(tmp_path / "set", 2, alone, alone)
    assert propose_splits(load_dataset(spec), tmp_path / "cuts").without == ("002",)
    (one,) = json.loads((tmp_path / "cuts" / "proposals.json").read_text())["pairs"]
    assert [box["xyxy"] for box in one["boxes"]] == [[0, 0, 45, 60], [45, 0, 90, 60]]
    assert one["symmetry"] is None
    assert one["note"].strip()


def test_a_gutter_with_something_in_it_is_told(tmp_path: Path, spec: str) -> None:
    pixels = composite()
    pixels[50:62, 96:114] = 40
    files.write_pair(tmp_path / "set", 2, files.encoded(pixels), files.encoded(pixels))
    assert propose_splits(load_dataset(spec), tmp_path / "cuts").without == ()
    (one,) = json.loads((tmp_path / "cuts" / "proposals.json").read_text())["pairs"]
    assert one["boxes"][0]["xyxy"] == [0, 0, 100, 120]
    assert one["symmetry"] is not None
    assert one["note"].strip()


@pytest.mark.parametrize("work", [propose_splits, remove_markers])
def test_a_broken_picture_is_told_with_its_item_and_file(tmp_path: Path, spec: str, work: Callable[..., Any]) -> None:
    broken = tmp_path / "set" / "images" / "1" / "lose.png"
    broken.write_bytes(broken.read_bytes()[:60])
    with pytest.raises(MediaError) as error:
        work(load_dataset(spec), tmp_path / "new")
    assert_carries(str(error.value), "'001'", broken)
    assert not (tmp_path / "new").exists(), "so that the same can be tried again"
    (tmp_path / "mine").mkdir()
    with pytest.raises(MediaError):
        work(load_dataset(spec), tmp_path / "mine")
    assert list((tmp_path / "mine").iterdir()) == []


def test_what_is_confirmed_is_cut(tmp_path: Path, spec: str) -> None:
    propose_splits(load_dataset(spec), tmp_path / "cuts")
    path = proposals(tmp_path / "cuts", confirmed=True, winner="second")
    found = apply_splits(load_dataset(spec), tmp_path / "done", path)
    assert (found.pairs, found.single, found.done, found.without) == (3, 1, 1, ())
    whole, _, pair = pairs(str(tmp_path / "done"))
    assert (pair.winner, pair.cluster) == (1, "002")
    assert pair.split is not None
    assert (tmp_path / "done" / pair.split.original).read_bytes() == files.encoded(composite())
    assert np.array_equal(cv2.imread(str(tmp_path / "done" / pair.images[1])), composite()[:, 110:])
    assert whole.split is None
    assert unnamed_media(tmp_path / "done") == []
    assert propose_splits(load_dataset(str(tmp_path / "done")), tmp_path / "more").single == 0


def test_votes_stay_with_the_winner(tmp_path: Path) -> None:
    both = files.encoded(composite())
    files.write_pair(tmp_path / "set", 0, both, both)
    (tmp_path / "set" / "pairs.csv").write_text("first,second,votes\nimages/0/win.png,images/0/lose.png,7:2\n")
    spec = f"pairs:{tmp_path / 'set'}"
    propose_splits(load_dataset(spec), tmp_path / "cuts")
    for said, winner, votes in (("first", 0, [7, 2]), ("second", 1, [2, 7])):
        path = proposals(tmp_path / "cuts", confirmed=True, winner=said)
        apply_splits(load_dataset(spec), tmp_path / said, path)
        (pair,) = pairs(str(tmp_path / said))
        assert (pair.winner, pair.votes) == (winner, votes)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "nobody confirmed": ({}, ("confirmed",)),
    "no winner": ({"confirmed": True}, ("002", "first", "second")),
    "another pair": ({"confirmed": True, "winner": "first", "id": "9"}, ("9",)),
    "two pictures": ({"confirmed": True, "winner": "first", "id": "001"}, ("001",)),
    "outside": (
        {"confirmed": True, "winner": "first", "boxes": [{"space": "pixel", "xyxy": [0, 0, 900, 20]}] * 2},
        ("210x120", "[0, 0, 900, 20]"),
    ),
    "one box": ({"boxes": []}, ("pairs.0.boxes",)),
}


def test_what_cannot_be_confirmed(tmp_path: Path, spec: str) -> None:
    propose_splits(load_dataset(spec), tmp_path / "cuts")
    text = (tmp_path / "cuts" / "proposals.json").read_text()
    for name, (changes, expected) in WRONG.items():
        (tmp_path / "cuts" / "proposals.json").write_text(text)
        path = proposals(tmp_path / "cuts", **changes)
        with case(name), raises(DataError, *expected, path=path):
            apply_splits(load_dataset(spec), tmp_path / "done", path)
        assert not (tmp_path / "done").exists()
