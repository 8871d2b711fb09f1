"""The dataset of primitive effects, as it is written to disk."""

import shutil
from pathlib import Path

import pytest

from affordance.core.errors import UserError
from affordance.datasets import Clip, Dataset, load_folder
from affordance.datasets.check import check_folder
from affordance.datasets.generated import primitive_clips
from affordance.datasets.generated.primitive_clips import demo_clips, make_primitive_clips
from affordance.datasets.taxonomies import EFFECTS
from errors import raises


@pytest.fixture
def variants(tmp_path: Path, quick_pen: None) -> Dataset:
    return make_primitive_clips(tmp_path / "variants", count=2, seed=3)


def test_canonical_clips(primitives: Dataset) -> None:
    assert [item.id for item in primitives.items] == sorted(EFFECTS)
    assert all(isinstance(item, Clip) and item.effect == item.id for item in primitives.items)
    assert primitives.header.synthetic
    assert primitives.name == "primitives"


def test_variants(variants: Dataset) -> None:
    assert [item.id for item in variants.items] == sorted(f"{effect}-00{k}" for effect in EFFECTS for k in (0, 1))
    assert all(isinstance(item, Clip) and item.id.startswith(f"{item.effect}-") for item in variants.items)
    assert variants.name == "primitives-2x-seed3"
    assert "seed 3" in variants.header.provenance


@pytest.mark.parametrize("which", ["primitives", "variants"])
def test_nothing_is_wrong_with_what_was_made(which: str, request: pytest.FixtureRequest) -> None:
    dataset: Dataset = request.getfixturevalue(which)
    assert list(check_folder(dataset.root)) == []
    assert load_folder(dataset.root) == dataset


def test_names_of_files_are_those_of_items(variants: Dataset) -> None:
    assert {item.video for item in variants.items if isinstance(item, Clip)} == {
        f"media/{path.name}" for path in (variants.root / "media").iterdir()
    }


@pytest.mark.usefixtures("quick_pen")
def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    make_primitive_clips(tmp_path / "new", count=2, on_progress=lambda done, total: told.append((done, total)))
    assert told == [(number, 14) for number in range(15)]


@pytest.mark.parametrize("there", ["file", "folder with something in it"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    target = tmp_path / "out"
    if there == "file":
        target.write_text("mine")
    else:
        target.mkdir()
        (target / "mine").write_text("mine")
    with raises(UserError, target):
        make_primitive_clips(target)
    assert [path.read_text() for path in tmp_path.rglob("*") if path.is_file()] == ["mine"]


def test_the_demo_clips_are_made_once_and_leaves_no_draft(primitives: Dataset) -> None:
    times = {path: path.stat().st_mtime_ns for path in primitives.root.rglob("*")}
    again = demo_clips(primitives.root.parents[1])
    assert again == primitives
    assert {path: path.stat().st_mtime_ns for path in again.root.rglob("*")} == times
    assert list(primitives.root.parent.glob("*primitives*")) == [primitives.root]


def test_the_demo_clips_when_another_process_was_faster(
    tmp_path: Path, primitives: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other's folder appears while ours is drawn: theirs is used, and our draft is gone."""
    folder = tmp_path / "demo" / f"primitives-{primitive_clips.EDITION}"

    def slowly(draft: Path, **_: object) -> None:
        (draft / "half").mkdir()
        shutil.copytree(primitives.root, folder)

    monkeypatch.setattr(primitive_clips, "make_primitive_clips", slowly)
    assert demo_clips(tmp_path).items == primitives.items
    assert list((tmp_path / "demo").iterdir()) == [folder]
