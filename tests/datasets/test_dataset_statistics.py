"""What is in a dataset, counted."""

from pathlib import Path
from typing import Any

import pytest
from dataset_samples import HEADER, Make

import animint_files as animint
import published_files as files
from affordance.datasets import load_dataset
from affordance.datasets.statistics import DatasetStatistics, describe_dataset
from affordance.datasets.taxonomies import (
    REGION_CATEGORIES,
    REGION_CATEGORY_OF,
    Action,
    canonical_action,
    group_size_class,
    region_category,
)


def described(path: Path, format_: str, rows: list[dict[str, Any]]) -> DatasetStatistics:
    return describe_dataset(load_dataset(f"{format_}:{files.write_json(path / 'rows.json', rows)}"))


def counts(found: DatasetStatistics, name: str) -> dict[str, int]:
    return next((dict(one.counts) for one in found.distributions if one.name == name), {})


def test_elements(tmp_path: Path) -> None:
    row = {key: value for key, value in files.ELEMENT.items() if key != "image"}
    rows = [row, row | {"id": 4, "action_type": "clicking", "question": "Two words", "num_similar_elements": 7}]
    rows.append(row | {"image_name": "b.png", "image_size": [100, 100], "density_class": "sparse"})
    found = described(tmp_path, "autogui-v2", rows)
    assert found.counts == {"items": 2, "files": 2, "missing files": 2, "targets": 3}
    assert counts(found, "resolution") == {"200x100": 2, "100x100": 1}
    assert counts(found, "action") == {"click": 1, "double click": 2}
    assert counts(found, "density, as published") == {"sparse": 1, "medium": 0, "dense": 2}
    assert counts(found, "size of group") == {"1-2": 2, "7+": 1}
    assert counts(found, "form") == {"box": 3}
    assert counts(found, "expression") == {"functionality": 3, "description": 3, "intent": 3}
    words = next(one for one in found.summaries if one.name == "words of the functionality")
    assert (words.n, words.mean, words.low, words.high) == (3, pytest.approx(8 / 3), 2, 3)
    area = next(one for one in found.summaries if one.name == "area in % of the image")
    assert area.median == pytest.approx(4.0)


def test_questions(tmp_path: Path) -> None:
    several = files.OLDER | {"correct_answers": ["B"]}
    found = described(
        tmp_path, "autogui-v2", [files.OLDER, {k: v for k, v in several.items() if k != "correct_answer"}]
    )
    assert counts(found, "answers") == {"one": 1, "several": 1}
    assert counts(found, "options") == {"2": 2}
    assert counts(found, "region type") == {"Contextual & Temporary Regions": 2}
    assert counts(found, "origin of options") == {"generated": 2, "target": 2}
    alone, both = found.summaries
    assert (alone.mean, both.mean) == (6, 8)


def test_refusals_and_polygons(tmp_path: Path) -> None:
    rows = [files.OSWORLD, files.OSWORLD | {"id": "b", "box_type": "refusal"}]
    found = described(tmp_path, "osworld-g", rows)
    assert counts(found, "form") == {"box": 1, "absent": 1}
    assert counts(found, "types of elements") == {"Button": 2, "Icon": 2}


def test_clips_of_our_own(make: Make) -> None:
    items = [{"id": name, "video": "media/a.mp4", "effect": "fade"} for name in "ab"]
    found = describe_dataset(load_dataset(str(make(items, header=HEADER))))
    assert found.counts == {"items": 2, "files": 1}
    assert counts(found, "effect") == {"fade": 2}


def test_sizes_of_groups() -> None:
    texts = (None, "-1", "1", "3", "6", "40")
    assert [group_size_class(text) for text in texts] == ["unknown", "unknown", "1-2", "3-4", "5-6", "7+"]


ACTIONS = {
    "click": "click",
    "Left-Click": "click",
    "clicking": "click",
    "double_click": "double click",
    "right clicking": "right click",
    "middle_click": "middle click",
    "long-press": "long press",
    "click and hold": "long press",
    "hovering": "hover",
    "drag and drop": "drag",
    "typing": "type",
    "press_key": "press key",
    "shake  it": "shake it",
}


def test_actions_have_one_name() -> None:
    assert {name: canonical_action(name) for name in ACTIONS} == ACTIONS
    for action in Action:
        assert canonical_action(action) == action
        assert canonical_action(action.replace(" ", "_")) == action


REGION_TYPES = {
    "Browser Window / Tab": "Primary Interface Containers",
    "Footer": "Global Navigation & Structure",
    "Map View": "Content & Data Display",
    "Input field": "Interaction & Input",
    "Context Menu": "Contextual & Temporary Regions",
    "Button": "Others",
    "footer": "Others",
    "Unclassified": "Others",
    "": "Others",
    None: "Others",
}


def test_region_types_go_by_their_exact_name() -> None:
    assert {leaf: region_category(leaf) for leaf in REGION_TYPES} == REGION_TYPES
    assert {region_category(one) for one in REGION_CATEGORY_OF} == set(REGION_CATEGORIES)


def test_clips(tmp_path: Path) -> None:
    records = [
        animint.record(0, platform="Mobile"),
        animint.record(1, platform="Web", purpose_category="Transition", animation_end_frame=23),
        animint.record(2, platform="Mobile", ROI=[{"box": [0, 0, 0.5, 0.5]}, {"box": [0.25, 0, 0.75, 0.5]}]),
        animint.record(3, ROI=[]),
    ]
    spec = animint.write_set(tmp_path, records)
    (tmp_path / "000003_000000.mp4").unlink()
    found = describe_dataset(load_dataset(spec))
    assert counts(found, "purpose") == {"Transition": 1, "Feedback": 3}
    assert counts(found, "platform") == {"mobile": 2, "web": 1}
    numbers = {one.name: one for one in found.summaries}
    assert list(numbers) == [
        "seconds of the clip",
        "  mobile",
        "  web",
        "seconds of the animation",
        "regions, % of the image",
    ]
    assert (numbers["seconds of the clip"].n, numbers["seconds of the clip"].median) == (3, pytest.approx(0.4))
    animations = numbers["seconds of the animation"]
    assert (animations.low, animations.high) == (pytest.approx(15 / 60), pytest.approx(18 / 60))
    regions = numbers["regions, % of the image"]
    assert (regions.n, regions.low, regions.high) == (3, pytest.approx(6.25), pytest.approx(37.5))
    assert regions.lower_quartile <= regions.median <= regions.upper_quartile
