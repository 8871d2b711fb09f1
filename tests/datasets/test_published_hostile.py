"""Published files that are not what they should be: one line says where and what, and nothing leaves the folder."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import published_files as files
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.errors import DataError, UserError
from affordance.datasets import read_dataset
from affordance.datasets.published import FORMATS
from affordance.datasets.published.gather import unique
from affordance.datasets.published.rows import Row
from affordance.datasets.reading import Place
from affordance.datasets.spec import open_spec

NAN, INF = float("nan"), float("inf")


def complaint(spec: str, cache: Path | None = None) -> str:
    with pytest.raises(UserError) as caught:
        read_dataset(spec, cache)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def told(read: Callable[[], object]) -> str:
    """What is wrong, or nothing."""
    try:
        read()
    except DataError as error:
        return str(error)
    return ""


TEXTS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "expected a JSON object, found nothing"),
    "cut short": (b'[{"id": "a", "image_pa', "expected JSON: unterminated string"),
    "no list": (b'{"id": "a"}', "expected a list of rows, found {'id': 'a'}"),
    "a number": (b"7", "expected a list of rows, found 7"),
    "list of numbers": (b"[1, 2]", "row 1: expected an object, found 1"),
    "no rows": (b"[]", "expected at least one item, found none"),
    "no number": (b'[{"box_coordinates": [NaN, 0, 0, 0]}]', "expected JSON, found NaN"),
    "too large a number": (b'[{"x": 1e999}]', "expected JSON, found the number 1e999, which is too large"),
    "too deep": (b"[" * 5000 + b"]" * 5000, "levels, found more"),
    "no text": (b"\xff\xfe[]", "expected UTF-8, found byte 0xff"),
}


@pytest.mark.parametrize(("text", "expected"), TEXTS.values(), ids=TEXTS.keys())
@pytest.mark.parametrize("name", FORMATS)
def test_a_file_that_is_no_json_of_this_kind(tmp_path: Path, name: str, text: bytes, expected: str) -> None:
    path = tmp_path / "rows.json"
    path.write_bytes(text)
    found = complaint(f"{name}:{path}")
    assert str(tmp_path) in found
    assert expected in found


ROWS: dict[str, tuple[str, dict[str, Any], dict[str, Any], str]] = {
    "no instruction": (
        "osworld-g",
        files.OSWORLD,
        {"instruction": None},
        "expected text in 'instruction', found nothing",
    ),
    "instruction of numbers": (
        "osworld-g",
        files.OSWORLD,
        {"instruction": 7},
        "expected text in 'instruction', found 7",
    ),
    "unknown form": ("osworld-g", files.OSWORLD, {"box_type": "blob"}, "expected box_type bbox, polygon or refusal"),
    "three numbers": ("osworld-g", files.OSWORLD, {"box_coordinates": [1, 2, 3]}, "expected [x, y, width, height]"),
    "negative width": (
        "osworld-g",
        files.OSWORLD,
        {"box_coordinates": [9, 9, -3, 3]},
        "expected [x, y, width, height]",
    ),
    "too large a box": ("osworld-g", files.OSWORLD, {"box_coordinates": [1e308, 0, 1e308, 1]}, "expected [x, y, width"),
    "a whole number past all": (
        "osworld-g",
        files.OSWORLD,
        {"box_coordinates": [10**299 * 10**9, 0, 1, 1]},
        "found a number of",
    ),
    "text for numbers": ("osworld-g", files.OSWORLD, {"box_coordinates": ["1", 0, 1, 1]}, "expected [x, y, width"),
    "two corners": (
        "osworld-g",
        files.OSWORLD,
        {"box_type": "polygon", "box_coordinates": [0, 0, 5, 5]},
        "expected x and y of three or more points",
    ),
    "no size": ("osworld-g", files.OSWORLD, {"image_size": [0, 5]}, "expected width and height in 'image_size'"),
    "size of text": (
        "osworld-g",
        files.OSWORLD,
        {"image_size": "large"},
        "expected a list in 'image_size', found 'large'",
    ),
    "another size": ("osworld-g", files.OSWORLD, {"image_size": [9, 9]}, "expected the size (200, 100) for 'a.png'"),
    "corners exchanged": ("screenspot-pro", files.SCREENSPOT_PRO, {"bbox": [9, 0, 1, 5]}, "expected [x1, y1, x2, y2]"),
    "no size to be had": (
        "screenspot",
        files.SCREENSPOT,
        {"img_filename": "b.png"},
        "found neither the picture 'b.png'",
    ),
    "no picture": ("screenspot", files.SCREENSPOT, {"img_filename": None}, "expected a picture in 'image' or"),
    "answer without option": ("autogui-v2", files.OLDER, {"correct_answer": "C"}, "expected answers among the options"),
    "answer that is not marked": (
        "autogui-v2",
        files.OLDER,
        {"correct_answer": "A"},
        "expected options marked as correct",
    ),
    "options that are none": ("autogui-v2", files.OLDER, {"options": ["x"]}, "expected a list of options"),
    "other columns": ("autogui-v2", files.OLDER, {"options": None}, "expected the columns of an AutoGUI-v2 set"),
}


@pytest.mark.parametrize(("name", "row", "change", "expected"), ROWS.values(), ids=ROWS.keys())
def test_a_row_that_cannot_be_read(
    tmp_path: Path, name: str, row: dict[str, Any], change: dict[str, Any], expected: str
) -> None:
    for picture in ("a.png", "web_a.png"):
        files.write_picture(tmp_path / picture)
    path = files.write_json(tmp_path / "rows.json", [row, row | {"id": "other", "entry_id": "other"} | change])
    found = complaint(f"{name}:{path}")
    assert expected in found
    assert found.startswith(f"{path}: row 2: ") or "a number of" in found


TABLES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "box without number": (files.ELEMENT, {"bbox": [NAN, 0.0, 1.0, 1.0]}, "expected [x1, y1, x2, y2] in 'bbox'"),
    "box without end": (files.ELEMENT, {"bbox": [0.0, 0.0, INF, 1.0]}, "expected [x1, y1, x2, y2] in 'bbox'"),
    "box of text": (files.ELEMENT, {"bbox": "somewhere"}, "expected [x1, y1, x2, y2] in 'bbox', found 'somewhere'"),
    "action of numbers": (files.ELEMENT, {"action_type": 5}, "expected text in 'action_type', found 5"),
    "group of text": (files.ELEMENT, {"num_similar_elements": "two"}, "expected a whole number"),
    "group cut short": (files.ELEMENT, {"similar_elements": '[{"id"'}, "'similar_elements': expected JSON"),
    "group that is none": (files.ELEMENT, {"similar_elements": "[1]"}, "expected a list of elements"),
    "no picture": (files.ELEMENT | {"image_name": None}, {"image": None}, "the columns of an AutoGUI-v2 set"),
    "answer outside": (files.REGION, {"correct_option_idx": 2}, "expected correct_option_idx from 0 to 1, found 2"),
    "labels too few": (
        files.REGION_OUTCOME,
        {"option_labels": ["A"]},
        "expected as many options as labels (1), found 3",
    ),
    "answers that differ": (files.REGION_OUTCOME, {"correct_option_idx": 0}, "expected correct_option_idx to agree"),
    "letters twice": (files.REGION_OUTCOME, {"option_labels": ["C", "C", "A"]}, "expected answers among the options"),
    "choices that are none": (files.ELEMENT_OUTCOME, {"choices": "A"}, "expected options by their letters"),
    "target without box": (files.ELEMENT_OUTCOME, {"target_element": "{}"}, "expected [x1, y1, x2, y2]"),
}


@pytest.mark.parametrize(("row", "change", "expected"), TABLES.values(), ids=TABLES.keys())
def test_a_row_of_a_table_that_cannot_be_read(
    tmp_path: Path, row: dict[str, Any], change: dict[str, Any], expected: str
) -> None:
    path = files.write_parquet(tmp_path / "rows.parquet", [row | change])
    found = complaint(f"autogui-v2:{path}", tmp_path / "cache")
    assert found.startswith(f"{path}: row 1: ")
    assert expected in found


def test_a_picture_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "web_a.png").write_bytes(b"hello")
    path = files.write_json(tmp_path / "screenspot_web.json", [files.SCREENSPOT])
    assert complaint(f"screenspot:{path}").startswith(f"{path}: row 1: ")


def test_a_table_without_rows(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"bbox": pa.array([], pa.list_(pa.float64()))}), tmp_path / "x.parquet")
    assert "expected at least one item, found none" in complaint(f"autogui-v2:{tmp_path / 'x.parquet'}")


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
@pytest.mark.parametrize("content", [b"", b"PAR1", b"ARROW1\0\0", b"hello, this is no table at all" * 9])
def test_a_table_that_is_none(tmp_path: Path, suffix: str, content: bytes) -> None:
    path = tmp_path / f"rows{suffix}"
    path.write_bytes(content)
    assert complaint(f"autogui-v2:{path}").startswith(f"{path}: ")


def test_half_a_table(tmp_path: Path) -> None:
    whole = files.write_parquet(tmp_path / "whole.parquet", [files.ELEMENT]).read_bytes()
    (tmp_path / "half.parquet").write_bytes(whole[: len(whole) // 2])
    assert "expected a parquet file" in complaint(f"autogui-v2:{tmp_path / 'half.parquet'}")


TRAVERSALS = ["../a.png", "x/../../a.png", "/etc/passwd", "..", "x\\..\\a.png", "a.png\0.txt", "./a.png", "x//a.png"]


@pytest.mark.parametrize("path", TRAVERSALS)
def test_a_picture_outside_is_refused(tmp_path: Path, path: str) -> None:
    files.write_picture(tmp_path / "a.png")
    file = files.write_json(tmp_path / "inner" / "tasks.json", [files.OSWORLD | {"image_path": path}])
    assert "expected a relative path inside the dataset folder" in complaint(f"osworld-g:{file}")


@pytest.mark.parametrize("name", ["../outside.arrow", "/etc/passwd", "x/y.arrow", 7, None])
def test_a_saved_dataset_names_files_of_its_own_only(tmp_path: Path, name: object) -> None:
    files.write_json(tmp_path / "set" / "state.json", {"_data_files": [{"filename": name}]})
    assert "expected the names of its arrow files" in complaint(f"autogui-v2:{tmp_path / 'set'}")


MISSING: dict[str, tuple[str, str]] = {
    "nothing there": ("osworld-g:nowhere", "nowhere: expected a file or folder, found nothing there"),
    "no path": ("osworld-g:", "expected osworld-g:PATH with a file or folder, found no path"),
    "not released": ("autogui-v2:HongxinLi/AutoGUIv2-FuncElemCap", "has not been released"),
    "on the hub": ("autogui-v2:HongxinLi/AutoGUIv2-FuncRegionGnd-v2", "download it first"),
    "unheard of": ("coco:x", "unknown dataset format 'coco'"),
}


@pytest.mark.parametrize(("spec", "expected"), MISSING.values(), ids=MISSING.keys())
def test_what_is_not_there_is_told(spec: str, expected: str) -> None:
    assert expected in complaint(spec)


def test_other_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "x.csv").touch()
    assert "expected a file that ends with .json" in complaint(f"osworld-g:{tmp_path / 'x.csv'}")
    assert "expected parquet, arrow or JSON files of this format" in complaint(f"osworld-g:{tmp_path}")


def test_two_kinds_of_sets_together(tmp_path: Path) -> None:
    files.write_json(tmp_path / "a.json", [files.OLDER])
    element = {key: value for key, value in files.ELEMENT.items() if key != "image"}
    files.write_json(tmp_path / "b.json", [element])
    assert "give one set of files" in complaint(f"autogui-v2:{tmp_path}")


def test_tables_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = files.write_parquet(tmp_path / "x.parquet", [files.ELEMENT])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert complaint(f"autogui-v2:{path}").endswith("install it with: pip install 'affordance[hub]'")


def test_tables_without_a_cache(tmp_path: Path) -> None:
    path = files.write_parquet(tmp_path / "x.parquet", [files.ELEMENT])
    assert "expected a cache folder" in complaint(f"autogui-v2:{path}")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)


@given(st.sampled_from(["text", "text_or_none", "sequence", "nested", "whole", "size"]), JSON)
def test_anything_in_a_row_is_read_or_told(asked: str, value: object) -> None:
    row = Row(Place(Path("rows.parquet"), row=3), {"column": value})
    said = told(lambda: getattr(row, asked)("column"))
    assert said == "" or said.startswith("rows.parquet: row 3: ")
    assert "\n" not in said


@given(st.lists(st.sampled_from(["a", "a-2", "b", "a-3"]), max_size=12))
def test_names_made_unique_keep_the_first_of_each(names: list[str]) -> None:
    made = unique(names)
    assert len(set(made)) == len(made) == len(names)
    assert all(one.startswith(name) for one, name in zip(made, names, strict=True))
    assert all(made[names.index(name)] == name for name in names)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=30)
@given(
    rows=st.lists(
        st.dictionaries(st.sampled_from(sorted({*files.OSWORLD, *files.ELEMENT, *files.OLDER})), JSON), max_size=3
    )
)
def test_any_rows_are_read_or_told(
    tmp_path_factory: pytest.TempPathFactory, name: str, rows: list[dict[str, Any]]
) -> None:
    plain = [{key: value for key, value in row.items() if not isinstance(value, bytes)} for row in rows]
    path = tmp_path_factory.getbasetemp() / "any.json"
    try:
        files.write_json(path, plain)
    except TypeError:  # bytes inside: not JSON
        return
    assert "\n" not in told(lambda: open_spec(f"{name}:{path}"))
