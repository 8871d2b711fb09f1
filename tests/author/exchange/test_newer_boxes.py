"""Boxes that were corrected after questions were asked about them, in every format that has questions."""

import json
from collections.abc import Iterator
from pathlib import Path

import exchange_data as data
import pytest

from affordance.author.exchange.bringing import bring_in, past_of
from affordance.author.exchange.formats import export, read
from affordance.author.exchange.kept import questions
from affordance.author.exchange.own import write_datasets
from affordance.author.exchange.results import Exported, Facts
from affordance.author.project import Project, create_project, open_project
from affordance.author.records import Elements, Groups, Kind
from affordance.author.state import Change
from affordance.datasets import Screen, load_collection
from author_notes import assert_noted, assert_notes

FACTS = Facts("shop")
NEWER = (30, 90, 190, 370)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with data.shop(tmp_path / "project") as opened:
        yield opened


def boxes(project: Project, exported: Exported | None = None) -> dict[str, tuple[float, ...]]:
    return {one.name: one.box.xyxy for one in questions(project.state("shop"), exported or Exported())}


def move_region(project: Project, node: str, corners: tuple[float, ...]) -> None:
    moved = project.state("shop").regions[node].model_copy(update={"box": data.box(*corners)})
    project.write("shop", [Change(Kind.REGION, f"shop/{node}", moved)], "person:ann")


def change_elements(project: Project, **boxes: tuple[float, ...] | None) -> None:
    found = project.state("shop").elements
    assert found is not None
    ids = {name.removeprefix("e"): place for name, place in boxes.items()}
    kept = [one for one in found.elements if ids.get(one.id, ()) is not None]
    moved = [one.model_copy(update={"box": data.box(*place)}) if (place := ids.get(one.id)) else one for one in kept]
    document = Elements(source=found.source, elements=moved)
    project.write("shop", [Change(Kind.ELEMENTS, "shop", document)], "person:ann")


def regroup(project: Project, name: str, corners: tuple[float, ...]) -> None:
    members = [
        one.model_copy(update={"box": data.box(*corners)}) if one.id == name else one
        for one in data.ELEMENT_GROUP.members
    ]
    document = Groups(groups=[data.ELEMENT_GROUP.model_copy(update={"members": members})])
    project.write("shop", [Change(Kind.ELEMENT_GROUPS, "shop", document)], "group")


def edit(project: Project, name: str, corners: tuple[float, ...], author: str) -> None:
    record = data.QUESTIONS[name].model_copy(update={"box": data.box(*corners)})
    project.write("shop", [Change(Kind.QUESTION, f"shop/{name}", record)], author)


def test_nothing_is_newer_where_nothing_was_corrected(project: Project) -> None:
    exported = Exported()
    found = {one.name: one for one in questions(project.state("shop"), exported)}
    assert list(found) == sorted(data.KEPT)
    assert not any(one.newer for one in found.values())
    assert found["ground-element-1-1"].box.xyxy == data.MOVED["ground-element-1-1"]


def test_a_corrected_region_is_the_target(project: Project) -> None:
    move_region(project, "2-0", NEWER)
    assert boxes(project)["ground-region-g1-2-0"] == NEWER


def test_what_a_person_drew_for_the_question_stays(project: Project) -> None:
    edit(project, "ground-region-g1-2-0", (25, 85, 195, 375), "person:bob")
    move_region(project, "2-0", NEWER)
    assert boxes(project)["ground-region-g1-2-0"] == (25, 85, 195, 375)


def test_a_corrected_element_is_the_target(project: Project) -> None:
    edit(project, "ground-element-1-0", (18, 8, 82, 52), data.MODEL)
    change_elements(project, e0=(22, 12, 78, 48))
    assert boxes(project)["ground-element-1-0"] == (22, 12, 78, 48)


def test_the_box_that_a_group_had_put_right_stays(project: Project) -> None:
    regroup(project, "0", (18, 8, 82, 52))
    edit(project, "ground-element-1-0", (18, 8, 82, 52), data.MODEL)
    assert boxes(project)["ground-element-1-0"] == (18, 8, 82, 52)


@pytest.mark.parametrize("gone", ["region", "element"])
def test_a_target_that_is_gone_is_left_out(project: Project, gone: str) -> None:
    exported = Exported()
    if gone == "region":
        region = project.state("shop").regions["2-0"].model_copy(update={"gone": True})
        project.write("shop", [Change(Kind.REGION, "shop/2-0", region)], "person:ann")
        name = "ground-region-g1-2-0"
    else:
        change_elements(project, e0=None)
        name = "ground-element-1-0"
    assert name not in boxes(project, exported)
    assert f"shop/{name}" in [one.what for one in exported.left_out]


def test_numbers_of_a_target_are_those_of_its_box(project: Project) -> None:
    """How large it is and how crowded it is there."""
    move_region(project, "2-0", (20, 80, 20 + 64, 80 + 40))
    (found,) = (one for one in questions(project.state("shop"), Exported()) if one.name == "ground-region-g1-2-0")
    before = data.QUESTIONS[found.name].attributes
    assert found.record.attributes == before | {"area_percent": "1", "nid_count": "0", "nid_gauss": "0.870214"}
    assert found.record.box == found.box


@pytest.mark.parametrize("name", ["own", "columns", "pictures"])
def test_how_many_are_newer_is_noted_once(project: Project, tmp_path: Path, name: str) -> None:
    before = export(project.states, tmp_path / "before", FACTS, past_of(project), name).notes
    move_region(project, "2-0", NEWER)
    move_region(project, "2-1", (230, 90, 390, 370))
    exported = export(project.states, tmp_path / "out", FACTS, past_of(project), name)
    assert_notes([one for one in exported.notes if one not in before], (2,))


def test_the_cache_layout_has_the_box_of_now(project: Project, tmp_path: Path) -> None:
    edit(project, "ground-element-1-0", (18, 8, 82, 52), data.MODEL)
    change_elements(project, e0=(32, 12, 80, 48))
    exported = export(project.states, tmp_path / "out", FACTS, past_of(project), "cache")
    (path,) = (tmp_path / "out").rglob("grounding_questions_corrections.json")
    assert json.loads(path.read_text())["shop.png__0__0"] == {"abandoned": False, "modified_bbox": [50, 30, 125, 120]}
    assert_noted(exported.notes, 1)


def test_a_box_that_a_group_put_right_survives_our_own_format(project: Project, tmp_path: Path) -> None:
    """As the target's, and as that of a look-alike of others."""
    regroup(project, "0", (18, 8, 82, 52))
    edit(project, "ground-element-1-0", (18, 8, 82, 52), data.MODEL)
    write_datasets(project.states, tmp_path / "one", FACTS)
    create_project(tmp_path / "second", None)
    with open_project(tmp_path / "second") as second:
        bring_in(second, read(tmp_path / "one"))
        assert second.state("shop").edited == {"ground-element-1-1"}
        write_datasets(second.states, tmp_path / "two", FACTS)
    for folder in ("one", "two"):
        part = load_collection(str(tmp_path / folder)).of_kind("screen")
        assert part is not None
        (shop,) = (one for one in part.items if isinstance(one, Screen) and one.id == "shop")
        assert shop.targets[0].box == data.box(18, 8, 82, 52)
        assert shop.targets[1].box == data.box(98, 8, 162, 52)
        assert shop.targets[1].look_alikes == [data.box(18, 8, 82, 52), data.box(*data.BUTTONS["2"])]
