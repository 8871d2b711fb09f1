"""The demo data of tasks: what was captured and what is generated, as one."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from affordance.datasets import Clip, Dataset, DatasetCollection, merge_datasets
from affordance.datasets.demo import demo_data
from affordance.datasets.taxonomies import EFFECTS, PURPOSES
from affordance.tasks.motion.effect import EFFECT
from affordance.tasks.motion.meaning import clips_with_meaning
from affordance.tasks.motion.purpose import clips_with_purpose
from affordance.tasks.motion.twin import TWIN
from errors import raises
from motion_data import CLIPS, clip, film, questions_of


@pytest.fixture(scope="module")
def demo(shared: Path, primitives: Dataset) -> DatasetCollection:
    """With the generated clips that other tests have drawn."""
    return demo_data(shared / "cache", {"clip"})


def dataset(root: Path, *clips: Clip) -> Dataset:
    for one in clips:
        film(root / one.video, 2)
    return Dataset(root, CLIPS, clips)


def test_two_datasets_as_one(tmp_path: Path) -> None:
    one = dataset(tmp_path / "one", clip("b"), clip("d"))
    other = dataset(tmp_path / "other", clip("a"), clip("c"))
    whole = merge_datasets(one, other)
    assert [item.id for item in whole.items] == ["item-a", "item-b", "item-c", "item-d"]
    assert whole.root == one.root, "where summaries are kept"
    for item in whole.items:
        (path,) = item.media_files()
        assert whole.media_path(path).is_file()
    assert whole.digest() != one.digest()
    assert merge_datasets(other, one).digest() == whole.digest()


def test_what_has_one_name_cannot_be_joined(tmp_path: Path) -> None:
    one = dataset(tmp_path / "one", clip("a"))
    for other in (clip("a"), clip("a", id="item-b"), clip("a", video="media/b.mp4")):
        with raises(ValueError, "'clips'"):
            merge_datasets(one, dataset(tmp_path / "other", other))
    pairs = replace(one, header=CLIPS.model_copy(update={"kind": "pair"}), items=())
    with raises(ValueError, "'clips'"):
        merge_datasets(one, pairs)


def test_effects_are_asked_about_in_the_generated_clips(demo: DatasetCollection) -> None:
    asked = questions_of(EFFECT, demo)
    assert Counter(question.item for question in asked) == dict.fromkeys(EFFECTS, 1)


def test_the_captured_clips_go_through_the_other_tasks(demo: DatasetCollection) -> None:
    _, purposes = clips_with_purpose(demo)
    _, meanings = clips_with_meaning(demo)
    assert {one.purpose for one in purposes} <= set(PURPOSES)
    assert purposes
    assert meanings
    assert not {one.id for one in purposes + meanings} & set(EFFECTS)
    assert questions_of(TWIN, demo, limit=2)


def test_only_the_kinds_that_are_wanted(demo: DatasetCollection, shared: Path) -> None:
    assert [part.header.kind for part in demo.datasets] == ["clip"]
    assert [part.header.kind for part in demo_data(shared / "cache", {"pair"}).datasets] == ["pair"]
