"""Checking published datasets: what is wrong with its row, mix-ups of units over a whole set, counts as warnings."""

from itertools import product
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import published_files as files
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import load_dataset
from affordance.datasets.check import CheckReport, check_dataset, limit_per_code
from affordance.datasets.dataset import Severity
from affordance.datasets.unit_mismatch import UNIT_NAMES, find_unit_mismatch
from cases import case, folder_names, numbers_in
from errors import assert_carries


def found(spec: str, level: Severity = Severity.ERROR, cache: Path | None = None) -> list[str]:
    return [str(one) for one in check_dataset(spec, cache).issues if one.severity is level]


def osworld(folder: Path, *changes: dict[str, Any]) -> str:
    files.write_picture(folder / "a.png")
    rows = [files.OSWORLD | {"id": f"a-{n}"} | change for n, change in enumerate(changes)]
    return f"osworld-g:{files.write_json(folder / 'tasks.json', rows)}"


def test_a_sound_part_of_a_set_has_other_counts_and_nothing_else(tmp_path: Path) -> None:
    spec = osworld(tmp_path, {}, {"box_type": "refusal"})
    assert found(spec) == []
    assert [numbers_in(one) for one in found(spec, Severity.WARNING)] == [[564, 2], [54, 1]]
    assert check_dataset(spec).name == "OSWorld-G"


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "box outside": (
        {"box_coordinates": [150, 0, 60, 10]},
        ("a", "a-1", "[150, 0, 210, 10]", "200x100"),
    ),
    "polygon outside": (
        {"box_type": "polygon", "box_coordinates": [0, 0, 50, 0, 50, 150]},
        ("a", "a-1", "[0, 0, 50, 150]"),
    ),
    "box without area": ({"box_coordinates": [5, 5, 0, 10]}, ("a-1", "[5, 5, 5, 15]")),
    "unreadable row": ({"box_type": "blob"}, ("box_type", "blob")),
}


def assert_row(message: str, path: Path, row: int, *data: object) -> None:
    """A finding begins with its file and row."""
    assert message.startswith(f"{path}: ")
    assert numbers_in(message.removeprefix(str(path)))[0] == row
    assert_carries(message, *data)


def test_one_thing_wrong(tmp_path: Path) -> None:
    for folder, name, (change, expected) in folder_names(WRONG):
        with case(name):
            (message,) = found(osworld(tmp_path / folder, {}, change))
            assert_row(message, tmp_path / folder / "tasks.json", 2, *expected)


def test_everything_wrong_is_reported_at_once(tmp_path: Path) -> None:
    messages = found(osworld(tmp_path, {}, *(change for change, _ in WRONG.values())))
    rows = sorted(numbers_in(message.removeprefix(str(tmp_path / "tasks.json")))[0] for message in messages)
    assert rows == [2, 3, 4, 5]


def test_an_id_that_is_there_twice(tmp_path: Path) -> None:
    spec = osworld(tmp_path, {}, {"id": "a-0"})
    (message,) = found(spec)
    assert_carries(message, tmp_path, "'a-0'", 2)
    (screen,) = load_dataset(spec).items
    assert [target.id for target in screen.targets] == ["a-0", "a-0-2"]  # type: ignore[attr-defined]


def test_a_size_that_is_not_the_pictures(tmp_path: Path) -> None:
    (message,) = found(osworld(tmp_path, {"image_size": [400, 200]}))
    assert_row(message, tmp_path / "tasks.json", 1, "'a'", "400x200", "200x100")


def test_missing_pictures_are_listed_up_to_twenty(tmp_path: Path) -> None:
    rows = [files.OLDER | {"entry_id": f"e{n}", "annotated_image_path": f"{n}.png"} for n in range(25)]
    spec = f"autogui-v2:{files.write_json(tmp_path / 'q.json', rows)}"
    checked: CheckReport = check_dataset(spec)
    for number, one in enumerate(checked.issues[:20]):
        assert_row(str(one), tmp_path / "q.json", number + 1, f"'e{number}'", f"'{number}.png'")
    assert checked.count(Severity.ERROR) == len(checked.issues) == 25
    *first, last = limit_per_code(checked.issues)
    assert first == list(checked.issues[:20])
    assert_carries(str(last), 5, "--json")
    assert len(load_dataset(spec).missing_media) == 25


def test_a_picture_that_many_rows_share_is_missing_once(tmp_path: Path) -> None:
    spec = osworld(tmp_path, {}, {})
    (tmp_path / "a.png").unlink()
    (message,) = found(spec)
    assert_row(message, tmp_path / "tasks.json", 1, "'a'", "'a.png'")


def test_values_that_nobody_knows_are_warnings(tmp_path: Path) -> None:
    row = files.ELEMENT | {"action_type": "Shake it", "density_class": "crowded"}
    spec = f"autogui-v2:{files.write_parquet(tmp_path / 'x.parquet', [row])}"
    assert found(spec, cache=tmp_path / "cache") == []
    action, density, count = sorted(found(spec, Severity.WARNING, tmp_path / "cache"), key=lambda one: "1076" in one)
    assert_row(action, tmp_path / "x.parquet", 1, "'a'", "'a:1-3-shake_it'", "click", "'shake it'")
    assert_row(density, tmp_path / "x.parquet", 1, "density_shipped", "sparse", "medium", "dense", "'crowded'")
    assert numbers_in(count) == [1076, 1]


def test_a_row_that_contradicts_itself_is_a_warning(tmp_path: Path) -> None:
    row = {key: value for key, value in files.REGION.items() if key != "image"} | {"correct_bbox": [0, 0, 90, 50]}
    spec = f"autogui-v2:{files.write_json(tmp_path / 'x.json', [row])}"
    odd, _ = found(spec, Severity.WARNING)
    assert_row(odd, tmp_path / "x.json", 1, "correct_bbox", "[0, 0, 100, 50]", "[0, 0, 90, 50]")


def test_a_file_that_cannot_be_opened_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[")
    checked = check_dataset(f"osworld-g:{tmp_path / 'x.json'}")
    assert checked.name is None
    assert checked.count(Severity.ERROR) == 1


def elements(boxes: list[list[float]]) -> list[dict[str, Any]]:
    row = {key: value for key, value in files.ELEMENT.items() if key not in ("image", "similar_elements")}
    return [row | {"id": n, "bbox": box, "image_size": [1920, 1080]} for n, box in enumerate(boxes)]


def test_pixels_where_thousandths_are_declared_are_found_and_left_alone(tmp_path: Path) -> None:
    rows = elements([[100, 100, 300, 150], [1500, 40, 1600, 90], [900, 900, 1100, 1050], [1800, 5, 1900, 9]])
    spec = f"autogui-v2:{files.write_json(tmp_path / 'x.json', rows)}"
    assert any(
        UNIT_NAMES[CoordinateSpace.MILLE] in one and UNIT_NAMES[CoordinateSpace.PIXEL] in one for one in found(spec)
    )
    (screen,) = load_dataset(spec).items
    assert screen.targets[1].box == Box(CoordinateSpace.MILLE, 1500, 40, 1600, 90)  # type: ignore[attr-defined]


WIDE, SMALL = (3840, 2160), (640, 400)
GRID = [(x / 10, y / 10, x / 10 + 0.05, y / 10 + 0.05) for x in range(10) for y in range(10)]


def boxes(said: CoordinateSpace, real: CoordinateSpace, size: tuple[int, int]) -> list[tuple[Box, tuple[int, int]]]:
    """A screen full of boxes whose numbers are in one unit and are said to be in another."""
    real_boxes = [Box(CoordinateSpace.UNIT, *corners).to_space(real, *size) for corners in GRID]
    return [(Box(said, *box.xyxy), size) for box in real_boxes]


def test_units_are_told_apart() -> None:
    for size, said, real in product((WIDE, SMALL), CoordinateSpace, CoordinateSpace):
        with case((size, said, real)):
            odd = find_unit_mismatch(boxes(said, real, size))
            if said is real:
                assert odd is None
            else:
                assert odd is not None
                assert 0 <= odd.find(UNIT_NAMES[said]) < odd.rfind(UNIT_NAMES[real])


def test_no_boxes_are_no_mix_up() -> None:
    assert find_unit_mismatch([]) is None


@settings(max_examples=30)
@given(st.lists(st.tuples(*[st.floats(0, 0.9) for _ in range(2)]), min_size=1, max_size=30))
def test_one_box_outside_is_no_mix_up(corners: list[tuple[float, float]]) -> None:
    fine = [
        (Box(CoordinateSpace.PIXEL, 1000 * x, 1000 * y, 1000 * x + 100, 1000 * y + 100), (1000, 1000))
        for x, y in corners
    ]
    assert find_unit_mismatch([*fine * 30, (Box(CoordinateSpace.PIXEL, 5, 5, 5000, 50), (1000, 1000))]) is None
