"""COCO and Label Studio: the forms that their readers want."""

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import exchange_data as data
import pytest

from affordance import media
from affordance.author.exchange.coco import write_coco
from affordance.author.exchange.label_studio import SERVED, write_label_studio
from affordance.author.exchange.results import Exported, Facts
from affordance.author.project import Project
from affordance.core.digest import digest_folder
from affordance.datasets.taxonomies import REGION_CATEGORY_OF

FACTS = Facts("shop", "CC0-1.0")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    with data.shop(tmp_path_factory.mktemp("boxes") / "project") as opened:
        yield opened


@pytest.fixture(scope="module")
def coco(project: Project, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Exported, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("out") / "coco"
    exported = write_coco(project.states, folder, FACTS)
    return folder, exported, json.loads((folder / "annotations" / "instances.json").read_text())


def test_coco_ids_join_and_pictures_are_there(coco: tuple[Path, Exported, dict[str, Any]]) -> None:
    folder, exported, found = coco
    assert set(found) == {"info", "licenses", "images", "annotations", "categories"}
    for part in ("images", "annotations", "categories"):
        ids = [one["id"] for one in found[part]]
        assert ids == list(range(1, len(ids) + 1))
    assert {one["image_id"] for one in found["annotations"]} == {one["id"] for one in found["images"]}
    assert {one["category_id"] for one in found["annotations"]} <= {one["id"] for one in found["categories"]}
    for image in found["images"]:
        clip = media.probe(folder / "images" / image["file_name"])
        assert (clip.width, clip.height) == (image["width"], image["height"])
    assert exported.counts["annotations"] == len(found["annotations"]) == 2 * (5 + 4)
    assert list(exported.reasons().values()) == [2], "regions that people rejected"


def test_coco_boxes_and_categories(coco: tuple[Path, Exported, dict[str, Any]]) -> None:
    found = coco[2]
    names = {one["id"]: (one["supercategory"], one["name"]) for one in found["categories"]}
    assert [name for _, name in names.values()][: len(REGION_CATEGORY_OF)] == list(REGION_CATEGORY_OF)
    card = next(one for one in found["annotations"] if one["attributes"]["id"] == "2-1")
    assert card["bbox"] == [225, 85, 170, 290]
    assert (card["area"], card["iscrowd"]) == (170 * 290, 0)
    assert card["segmentation"] == [[225, 85, 395, 85, 395, 375, 225, 375]]
    assert names[card["category_id"]] == ("Content & Data Display", "Card / Item List")
    assert card["attributes"]["functionality"] == "Sells the second thing"
    kinds = {names[one["category_id"]] for one in found["annotations"]}
    assert kinds == {
        ("Content & Data Display", "Card / Item List"),
        ("Other", "Other"),
        ("Other", "Unclassified"),
        ("element", "button"),
    }


def test_label_studio_tasks(project: Project, tmp_path: Path) -> None:
    exported = write_label_studio(project.states, tmp_path / "out", FACTS)
    tasks = json.loads((tmp_path / "out" / "tasks.json").read_text())
    config = ElementTree.parse(tmp_path / "out" / "config.xml").getroot()
    controls = {one.attrib["name"]: one for one in config if "name" in one.attrib}
    labels = {name: {label.attrib["value"] for label in one} for name, one in controls.items()}
    assert exported.counts["boxes"] == 18
    for task in tasks:
        path = tmp_path / "out" / unquote(task["data"]["image"].removeprefix(SERVED))
        assert path.is_file()
        (prediction,) = task["predictions"]
        for one in prediction["result"]:
            control = controls[one["from_name"]]
            assert control.attrib["toName"] == one["to_name"] == "image"
            assert control.tag.lower() == one["type"]
            value = one["value"]
            assert 0 <= value["x"] <= value["x"] + value["width"] <= 100.0001
            assert 0 <= value["y"] <= value["y"] + value["height"] <= 100.0001
            if one["type"] == "rectanglelabels":
                assert set(value["rectanglelabels"]) <= labels[one["from_name"]]
            assert (one["original_width"], one["original_height"]) == data.SIZE
    shop = next(task for task in tasks if task["data"]["screen"] == "shop")
    card = next(one for one in shop["predictions"][0]["result"] if one["id"] == "region-2-0")
    assert card["value"]["x"] == pytest.approx(100 * 20 / 640)
    assert card["value"]["height"] == pytest.approx(75)
    assert card["score"] == 0.9


def test_both_are_the_same_bytes_again(
    project: Project, coco: tuple[Path, Exported, dict[str, Any]], tmp_path: Path
) -> None:
    write_coco(project.states, tmp_path / "coco", FACTS)
    assert digest_folder(tmp_path / "coco") == digest_folder(coco[0])
    for name in ("one", "two"):
        write_label_studio(project.states, tmp_path / name, FACTS)
    assert digest_folder(tmp_path / "one") == digest_folder(tmp_path / "two")
