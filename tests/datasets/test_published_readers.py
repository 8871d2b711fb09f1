"""What readers of published datasets make of rows, whatever form the rows come in."""

import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import published_files as files
from affordance.core.errors import UserError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import ChoiceItem, Dataset, Screen, Target, load_dataset
from affordance.datasets.published import PUBLISHED_DATASETS
from affordance.datasets.spec import download_folder
from cases import case, folder_names
from errors import raises

Written = Callable[[Path, list[dict[str, Any]]], Path]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def named(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows for JSON, which has no pictures in it."""
    return [{key: value for key, value in row.items() if "bytes" not in str(value)[:10]} for row in rows]


def _saved_splits(root: Path, rows: list[dict[str, Any]]) -> Path:
    files.write_saved(root / "test", rows)
    files.write_saved(root / "train", [row | {"question": "not this"} for row in rows])
    files.write_json(root / "dataset_dict.json", {"splits": ["train", "test"]})
    return root


def _hub(root: Path, rows: list[dict[str, Any]]) -> Path:
    files.write_parquet(root / "data" / "test-00000-of-00002.parquet", rows[:1])
    files.write_parquet(root / "data" / "test-00001-of-00002.parquet", rows[1:])
    files.write_parquet(root / "data" / "train-00000-of-00001.parquet", rows * 3)
    return root


def _lines(root: Path, rows: list[dict[str, Any]]) -> Path:
    root.mkdir()
    (root / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in named(rows)))
    return root / "rows.jsonl"


FORMS: dict[str, Written] = {
    "parquet file": lambda root, rows: files.write_parquet(root / "rows.parquet", rows),
    "folder of parquet files": _hub,
    "saved dataset": files.write_saved,
    "saved splits": _saved_splits,
    "JSON file": lambda root, rows: files.write_json(root / "rows.json", named(rows)),
    "JSON object": lambda root, rows: files.write_json(root / "rows.json", {"metadata": {}, "questions": named(rows)}),
    "folder of JSON": lambda root, rows: files.write_json(root / "rows.json", named(rows)).parent,
    "JSON lines": _lines,
}


def test_rows_are_the_same_in_every_form(tmp_path: Path, cache: Path) -> None:
    rows = [files.ELEMENT, files.ELEMENT | {"id": 5, "action_type": "hover"}]
    for folder, name, write in folder_names(FORMS):
        with case(name):
            (screen,) = load_dataset(f"autogui-v2:{write(tmp_path / folder, rows)}", cache).items
            assert isinstance(screen, Screen)
            size = (files.WIDTH, files.HEIGHT)
            assert (screen.id, screen.width, screen.height, screen.platform) == ("a", *size, "desktop")
            assert [(target.id, target.action) for target in screen.targets] == [
                ("a:1-3-double_click", "double click"),
                ("a:1-5-hover", "hover"),
            ]


def only_target(dataset: Dataset) -> Target:
    (screen,) = dataset.items
    assert isinstance(screen, Screen)
    (target,) = screen.targets
    return target


def only_question(dataset: Dataset) -> ChoiceItem:
    (question,) = dataset.items
    assert isinstance(question, ChoiceItem)
    return question


def test_elements_of_autogui(tmp_path: Path, cache: Path) -> None:
    dataset = load_dataset(f"autogui-v2:{files.write_parquet(tmp_path / 'x.parquet', [files.ELEMENT])}", cache)
    target = only_target(dataset)
    assert dataset.name == "AutoGUI-v2 FuncElemGnd"
    assert target.level == "element"
    assert target.box == Box(CoordinateSpace.MILLE, 100, 200, 300, 400)
    assert (target.functionality, target.description, target.intent) == (
        "Which one reloads?",
        "an arrow",
        "Reload the page",
    )
    assert (target.group, target.look_alikes) == ("1", [Box(CoordinateSpace.MILLE, 500, 200, 700, 400)])
    assert target.tags == {"density_shipped": "dense", "group_size": "2", "source": "osworld_g"}
    assert (target.model_extra or {})["published"]["interaction_outcomes"] == {"clicking": "It reloads."}


def test_regions_of_autogui(tmp_path: Path, cache: Path) -> None:
    dataset = load_dataset(f"autogui-v2:{files.write_parquet(tmp_path / 'x.parquet', [files.REGION])}", cache)
    target = only_target(dataset)
    assert dataset.name == "AutoGUI-v2 FuncRegionGnd-v2"
    assert target.level == "region"
    assert target.box == Box(CoordinateSpace.PIXEL, 0, 0, 100, 50)
    assert target.look_alikes == [Box(CoordinateSpace.PIXEL, 100, 0, 200, 50)]
    assert (target.functionality, target.description) == ("Where are files opened?", "blue")
    assert target.tags == {
        "density_shipped": "sparse",
        "area_shipped": "large",
        "source": "amex",
        "region type": "Global Navigation & Structure",
        "region leaf": "Toolbar / Action Bar",
        "group_size": "2",
    }


def test_outcomes_of_elements(tmp_path: Path, cache: Path) -> None:
    dataset = load_dataset(f"autogui-v2:{files.write_parquet(tmp_path / 'x.parquet', [files.ELEMENT_OUTCOME])}", cache)
    question = only_question(dataset)
    assert dataset.name == "AutoGUI-v2 FuncElemCap"
    assert (question.level, question.action, question.multiple) == ("element", "hover", False)
    assert question.target == Box(CoordinateSpace.MILLE, 100, 200, 300, 400)
    assert [option.text for option in question.options] == ["A hint appears.", "It goes.", "It rings.", "It hides."]
    assert [option.origin for option in question.options] == ["target", "hard", "easy", "generated"]
    assert question.answers == [0]


def test_outcomes_of_regions(tmp_path: Path, cache: Path) -> None:
    dataset = load_dataset(f"autogui-v2:{files.write_parquet(tmp_path / 'x.parquet', [files.REGION_OUTCOME])}", cache)
    question = only_question(dataset)
    assert dataset.name == "AutoGUI-v2 FuncRegionCap-v2"
    assert (question.id, question.level, question.target, question.multiple) == ("group1_a", "region", None, False)
    assert question.answers == [2]
    assert question.tags["region type"] == "Global Navigation & Structure"
    assert question.tags["area_shipped"] == "tiny"


def test_outcomes_with_several_answers(tmp_path: Path, cache: Path) -> None:
    path = files.write_parquet(tmp_path / "x.parquet", [files.REGION_OUTCOMES])
    question = only_question(load_dataset(f"autogui-v2:{path}", cache))
    assert (question.id, question.multiple, question.answers) == ("group1_a-multi", True, [0, 2])
    assert [option.origin for option in question.options] == ["target", None, "target"]


def test_the_older_files_need_neither_metadata_nor_pictures(tmp_path: Path) -> None:
    dataset = load_dataset(f"autogui-v2:{files.write_json(tmp_path / 'q.json', {'questions': [files.OLDER]})}")
    question = only_question(dataset)
    assert dataset.missing_media == {"marked/a.png"}
    assert (question.id, question.answers) == ("e1", [1])
    assert [option.origin for option in question.options] == ["generated", "target"]
    assert question.tags == {
        "density_shipped": "medium",
        "area_shipped": "small",
        "source": "osworld_g",
        "region type": "Contextual & Temporary Regions",
        "region leaf": "Context Menu",
    }
    files.write_picture(tmp_path / "marked" / "a.png")
    assert load_dataset(f"autogui-v2:{tmp_path}").missing_media == frozenset()


def test_osworld(tmp_path: Path) -> None:
    rows = [
        files.OSWORLD,
        files.OSWORLD | {"id": "a-1", "box_type": "polygon", "box_coordinates": [0, 0, 50, 0, 50, 50]},
        files.OSWORLD | {"id": "a-2", "box_type": "refusal", "box_coordinates": [0, 0, 0, 0]},
    ]
    files.write_picture(tmp_path / "images" / "a.png")
    files.write_json(tmp_path / "OSWorld-G.json", rows)
    for path in (tmp_path, tmp_path / "OSWorld-G.json"):
        dataset = load_dataset(f"osworld-g:{path}")
        (screen,) = dataset.items
        assert isinstance(screen, Screen)
        assert dataset.media_path(screen.image).is_file()
        box, polygon, absent = screen.targets
        assert box.box == Box(CoordinateSpace.PIXEL, 10.5, 20, 40.5, 60)
        assert polygon.polygon == [[0, 0], [50, 0], [50, 50]]
        assert absent.absent
        assert [one.intent for one in screen.targets] == ["Open the menu"] * 3
        assert box.tags == {"ui_types": "Icon, Button"}


SPOTS = {"ScreenSpot": "screenspot_web.json", "ScreenSpot-v2": "screenspot_web_v2.json"}


def test_screenspot_json_has_pixels_and_sizes(tmp_path: Path) -> None:
    for name, file in SPOTS.items():
        files.write_picture(tmp_path / name / "screenspot_imgs" / "web_a.png")
        files.write_json(tmp_path / name / file, [files.SCREENSPOT, files.SCREENSPOT])
        dataset = load_dataset(f"screenspot:{tmp_path / name}")
        (screen,) = dataset.items
        assert isinstance(screen, Screen)
        assert (dataset.name, screen.platform, screen.width) == (name, "web", files.WIDTH)
        assert [target.id for target in screen.targets] == ["web_a-0", "web_a-1"]
        assert screen.targets[0].box == Box(CoordinateSpace.PIXEL, 10, 20, 40, 60)
        assert screen.targets[0].tags == {"ui_type": "icon", "source": "shop"}


VERSIONS = {
    "dev2/screenspot_web.json": "ScreenSpot",
    "v2/screenspot_web.json": "ScreenSpot",
    "ScreenSpot_v2/screenspot_web.json": "ScreenSpot-v2",
    "any/screenspot_web_v2.json": "ScreenSpot-v2",
}


def test_the_version_of_screenspot_is_read_from_names_of_its_publishers(tmp_path: Path) -> None:
    for name, title in VERSIONS.items():
        files.write_json(tmp_path / name, [files.SCREENSPOT | {"img_size": [files.WIDTH, files.HEIGHT]}])
        with case(name):
            folder = (tmp_path / name).parent
            assert load_dataset(f"screenspot:{folder}").name == title
            assert load_dataset(f"screenspot-v2:{folder}").name == "ScreenSpot-v2"


def test_the_refined_instructions_of_osworld_have_a_name_of_their_own(tmp_path: Path) -> None:
    files.write_json(tmp_path / "OSWorld-G.json", [files.OSWORLD])
    refined = files.write_json(tmp_path / "OSWorld-G_refined.json", [files.OSWORLD | {"instruction": "Click on it"}])
    found = {spec: load_dataset(f"{spec}:{tmp_path}") for spec in ("osworld-g", "osworld-g-refined")}
    assert [one.name for one in found.values()] == ["OSWorld-G", "OSWorld-G refined"]
    assert [only_target(one).intent for one in found.values()] == ["Open the menu", "Click on it"]
    assert load_dataset(f"osworld-g:{refined}").name == "OSWorld-G refined"


def test_the_licence_of_a_set_is_that_of_its_row(tmp_path: Path) -> None:
    files.write_json(tmp_path / "annotations" / "cad.json", [files.SCREENSPOT_PRO])
    assert load_dataset(f"screenspot-pro:{tmp_path}").header.licence == PUBLISHED_DATASETS["screenspot-pro"].licence
    for row in PUBLISHED_DATASETS.builtin.values():
        assert row.licence, row.name


def test_a_downloaded_set_is_found_by_its_name(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFORDANCE_CACHE", str(tmp_path))
    with raises(UserError, "affordance data fetch osworld-g"):
        load_dataset("osworld-g")
    files.write_json(download_folder("osworld-g") / "benchmark" / "OSWorld-G.json", [files.OSWORLD])
    assert load_dataset("osworld-g").name == "OSWorld-G"
    for part in ("FuncElemGnd", "FuncRegionGnd-v2"):
        files.write_parquet(download_folder("autogui-v2") / part / "test.parquet", [files.ELEMENT])
    with raises(UserError, "FuncElemGnd", "FuncRegionGnd-v2"):
        load_dataset("autogui-v2", cache)
    with raises(UserError, "pairs:PATH"):
        load_dataset("pairs")


def test_images_out_of_tables_can_be_read_by_other_users(tmp_path: Path, cache: Path) -> None:
    (item,) = load_dataset(f"autogui-v2:{files.write_saved(tmp_path / 'set', [files.ELEMENT])}", cache).items
    assert isinstance(item, Screen)
    umask = os.umask(0)
    os.umask(umask)
    (image,) = (path for path in (cache / "published").rglob("*") if path.is_file())
    assert image.stat().st_mode & 0o777 == 0o666 & ~umask


def test_screenspot_tables_have_shares_and_corners(tmp_path: Path, cache: Path) -> None:
    path = files.write_parquet(tmp_path / "data" / "test-0.parquet", [files.SCREENSPOT_HUB]).parent.parent
    dataset = load_dataset(f"screenspot:{path}", cache)
    assert only_target(dataset).box == Box(CoordinateSpace.UNIT, 0.1, 0.2, 0.3, 0.5)
    assert dataset.items[0].id == "pc_a"


def test_screenspot_pro(tmp_path: Path) -> None:
    files.write_picture(tmp_path / "images" / "cad" / "a.png")
    files.write_json(tmp_path / "annotations" / "cad.json", [files.SCREENSPOT_PRO])
    for path in (tmp_path, tmp_path / "annotations", tmp_path / "annotations" / "cad.json"):
        dataset = load_dataset(f"screenspot-pro:{path}")
        target = only_target(dataset)
        assert dataset.missing_media == frozenset()
        assert (target.id, target.intent) == ("cad_0", "draw a line")
        assert target.box == Box(CoordinateSpace.PIXEL, 10, 20, 40, 60)
        assert target.tags == {"ui_type": "icon", "application": "autocad", "application_group": "CAD"}


def test_pictures_come_out_of_tables_as_they_are(tmp_path: Path, cache: Path) -> None:
    rows = [
        files.ELEMENT,
        files.ELEMENT | {"image_name": "b.png", "image": files.embedded(9)},
        files.ELEMENT | {"image_name": "c.png"},
    ]
    spec = f"autogui-v2:{files.write_parquet(tmp_path / 'x.parquet', rows)}"
    dataset = load_dataset(spec, cache)
    kept = [path for path in cache.rglob("*") if path.is_file()]
    assert sorted(path.read_bytes() for path in kept) == sorted([files.png(), files.png(9)])
    times = {path: path.stat().st_mtime_ns for path in kept}
    again = load_dataset(spec, cache)
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()} == times
    assert again.digest() == dataset.digest()


def test_pictures_of_one_name_are_two_screens(tmp_path: Path, cache: Path) -> None:
    rows = [files.ELEMENT, files.ELEMENT | {"image": files.embedded(9)}]
    dataset = load_dataset(f"autogui-v2:{files.write_parquet(tmp_path / 'x.parquet', rows)}", cache)
    assert [item.id for item in dataset.items] == ["a", "a-2"]


def test_the_digest_does_not_follow_the_place_and_knows_what_is_missing(tmp_path: Path) -> None:
    for name in ("one", "two"):
        files.write_json(tmp_path / name / "tasks.json", [files.OSWORLD])
    files.write_picture(tmp_path / "one" / "images" / "a.png")
    files.write_picture(tmp_path / "two" / "a.png")
    specs = [f"osworld-g:{tmp_path / name}" for name in ("one", "two")]
    first, second = (load_dataset(spec).digest() for spec in specs)
    assert first == second
    (tmp_path / "two" / "a.png").unlink()
    assert load_dataset(specs[1]).digest() != first


def test_many_processes_may_take_pictures_out_at_the_same_time(tmp_path: Path, cache: Path) -> None:
    rows = [files.ELEMENT | {"image_name": f"{n}.png", "image": files.embedded(n)} for n in range(20)]
    spec = f"autogui-v2:{files.write_parquet(tmp_path / 'x.parquet', rows)}"
    with ThreadPoolExecutor(4) as pool:
        digests = {dataset.digest() for dataset in pool.map(lambda _: load_dataset(spec, cache), range(4))}
    assert len(digests) == 1
    assert len([path for path in cache.rglob("*") if path.is_file()]) == 20
