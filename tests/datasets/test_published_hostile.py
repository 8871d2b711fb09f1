"""Published files that are not what they should be: one line says where and what, and nothing leaves the folder."""

import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import published_files as files
from affordance.core.errors import DataError, UserError
from affordance.datasets import load_dataset
from affordance.datasets.dataset import FilePosition
from affordance.datasets.published import PUBLISHED_DATASETS
from affordance.datasets.published.autogui_v2 import UNRELEASED
from affordance.datasets.published.rows import RawRow
from affordance.datasets.published.screen_builder import unique_ids
from affordance.datasets.spec import read_spec
from cases import case
from errors import assert_carries

NAN, INF = float("nan"), float("inf")


def complaint(spec: str, cache: Path | None = None) -> UserError:
    with pytest.raises(UserError) as caught:
        load_dataset(spec, cache)
    assert_carries(str(caught.value))
    return caught.value


def assert_data_error(
    path: Path, spec: str, *data: object, row: int | None = None, line: int | None = None, cache: Path | None = None
) -> None:
    """Reading ends with an error about this file, and row, that carries the data."""
    error = complaint(spec, cache)
    assert isinstance(error, DataError)
    assert (error.path, error.row, error.line) == (path, row, line)
    assert_carries(str(error), *data)


def error_of(read: Callable[[], object]) -> DataError | None:
    """What is wrong, or nothing."""
    try:
        read()
    except DataError as error:
        assert_carries(str(error))
        return error
    return None


TEXTS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", ()),
    "cut short": (b'[{"id": "a", "image_pa', ()),
    "no list": (b'{"id": "a"}', ("id", "a")),
    "a number": (b"7", ("7",)),
    "list of numbers": (b"[1, 2]", ("1",)),
    "no rows": (b"[]", ()),
    "no number": (b'[{"box_coordinates": [NaN, 0, 0, 0]}]', ("NaN",)),
    "too large a number": (b'[{"x": 1e999}]', ("1e999",)),
    "too deep": (b"[" * 5000 + b"]" * 5000, (64,)),
    "no text": (b"\xff\xfe[]", ("0xff",)),
}


def test_a_file_that_is_no_json_of_this_kind(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    for name, title in product(PUBLISHED_DATASETS, TEXTS):
        text, expected = TEXTS[title]
        if name != "osworld-g" and title not in ("nothing", "no rows", "list of numbers"):
            continue  # one reader for all; what each format adds comes with rows
        path.write_bytes(text)
        with case((name, title)):
            assert_carries(str(complaint(f"{name}:{path}")), tmp_path, *expected)


ROWS: dict[str, tuple[str, dict[str, Any], dict[str, Any], str]] = {
    "no instruction": (
        "osworld-g",
        files.OSWORLD,
        {"instruction": None},
        ("instruction",),
    ),
    "instruction of numbers": (
        "osworld-g",
        files.OSWORLD,
        {"instruction": 7},
        ("instruction", "7"),
    ),
    "unknown form": ("osworld-g", files.OSWORLD, {"box_type": "blob"}, ("box_type",)),
    "three numbers": ("osworld-g", files.OSWORLD, {"box_coordinates": [1, 2, 3]}, ("width", "height")),
    "negative width": (
        "osworld-g",
        files.OSWORLD,
        {"box_coordinates": [9, 9, -3, 3]},
        ("width", "height"),
    ),
    "too large a box": ("osworld-g", files.OSWORLD, {"box_coordinates": [1e308, 0, 1e308, 1]}, ("width", "1e+308")),
    "a whole number past all": (
        "osworld-g",
        files.OSWORLD,
        {"box_coordinates": [10**299 * 10**9, 0, 1, 1]},
        (309,),
    ),
    "text for numbers": ("osworld-g", files.OSWORLD, {"box_coordinates": ["1", 0, 1, 1]}, ("width", "'1'")),
    "two corners": (
        "osworld-g",
        files.OSWORLD,
        {"box_type": "polygon", "box_coordinates": [0, 0, 5, 5]},
        ("[0, 0, 5, 5]",),
    ),
    "no size": ("osworld-g", files.OSWORLD, {"image_size": [0, 5]}, ("image_size",)),
    "size of text": (
        "osworld-g",
        files.OSWORLD,
        {"image_size": "large"},
        ("image_size", "large"),
    ),
    "another size": ("osworld-g", files.OSWORLD, {"image_size": [9, 9]}, ("(200, 100)", "a.png")),
    "corners exchanged": ("screenspot-pro", files.SCREENSPOT_PRO, {"bbox": [9, 0, 1, 5]}, ("x1", "y2")),
    "no size to be had": (
        "screenspot",
        files.SCREENSPOT,
        {"img_filename": "b.png"},
        ("b.png",),
    ),
    "no picture": ("screenspot", files.SCREENSPOT, {"img_filename": None}, ("image",)),
    "answer without option": ("autogui-v2", files.OLDER, {"correct_answer": "C"}, ("C",)),
    "answer that is not marked": (
        "autogui-v2",
        files.OLDER,
        {"correct_answer": "A"},
        ("A",),
    ),
    "options that are none": ("autogui-v2", files.OLDER, {"options": ["x"]}, ("x",)),
    "other columns": ("autogui-v2", files.OLDER, {"options": None}, ()),
}


def test_a_row_that_cannot_be_read(tmp_path: Path) -> None:
    for picture in ("a.png", "web_a.png"):
        files.write_picture(tmp_path / picture)
    for title, (name, row, change, expected) in ROWS.items():
        path = files.write_json(tmp_path / "rows.json", [row, row | {"id": "other", "entry_id": "other"} | change])
        number = None if title == "a whole number past all" else 2
        with case(title):
            assert_data_error(path, f"{name}:{path}", *expected, row=number)


TABLES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "box without number": (files.ELEMENT, {"bbox": [NAN, 0.0, 1.0, 1.0]}, ("x1", "y2", "bbox")),
    "box without end": (files.ELEMENT, {"bbox": [0.0, 0.0, INF, 1.0]}, ("x1", "y2", "bbox")),
    "box of text": (files.ELEMENT, {"bbox": "somewhere"}, ("x1", "y2", "bbox", "somewhere")),
    "action of numbers": (files.ELEMENT, {"action_type": 5}, ("action_type", "5")),
    "group of text": (files.ELEMENT, {"num_similar_elements": "two"}, ("num_similar_elements", "two")),
    "group cut short": (files.ELEMENT, {"similar_elements": '[{"id"'}, ("similar_elements",)),
    "group that is none": (files.ELEMENT, {"similar_elements": "[1]"}, ("similar_elements",)),
    "no picture": (files.ELEMENT | {"image_name": None}, {"image": None}, ()),
    "answer outside": (files.REGION, {"correct_option_idx": 2}, ("correct_option_idx", 0, 1, 2)),
    "labels too few": (
        files.REGION_OUTCOME,
        {"option_labels": ["A"]},
        ("1", "3"),
    ),
    "answers that differ": (files.REGION_OUTCOME, {"correct_option_idx": 0}, ("correct_option_idx",)),
    "letters twice": (files.REGION_OUTCOME, {"option_labels": ["C", "C", "A"]}, ()),
    "choices that are none": (files.ELEMENT_OUTCOME, {"choices": "A"}, ("choices",)),
    "target without box": (files.ELEMENT_OUTCOME, {"target_element": "{}"}, ("x1", "y2")),
}


def test_a_row_of_a_table_that_cannot_be_read(tmp_path: Path) -> None:
    for title, (row, change, expected) in TABLES.items():
        path = files.write_parquet(tmp_path / "rows.parquet", [row | change])
        with case(title):
            assert_data_error(path, f"autogui-v2:{path}", *expected, row=1, cache=tmp_path / "cache")


def test_a_picture_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "web_a.png").write_bytes(b"hello")
    path = files.write_json(tmp_path / "screenspot_web.json", [files.SCREENSPOT])
    assert_data_error(path, f"screenspot:{path}", row=1)


def test_a_table_without_rows(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"bbox": pa.array([], pa.list_(pa.float64()))}), tmp_path / "x.parquet")
    assert_data_error(tmp_path, f"autogui-v2:{tmp_path / 'x.parquet'}")


def test_a_table_that_is_none(tmp_path: Path) -> None:
    whole = files.write_parquet(tmp_path / "whole.parquet", [files.ELEMENT]).read_bytes()
    texts = [b"", b"PAR1", b"ARROW1\0\0", b"hello, this is no table at all" * 9, whole[: len(whole) // 2]]
    for suffix, content in product((".parquet", ".arrow"), texts):
        path = tmp_path / f"rows{suffix}"
        path.write_bytes(content)
        with case((suffix, content[:10])):
            assert_data_error(path, f"autogui-v2:{path}")


TRAVERSALS = ["../a.png", "x/../../a.png", "/etc/passwd", "..", "x\\..\\a.png", "a.png\0.txt", "./a.png", "x//a.png"]


def test_a_picture_outside_is_refused(tmp_path: Path) -> None:
    files.write_picture(tmp_path / "a.png")
    file = tmp_path / "inner" / "tasks.json"
    for path in TRAVERSALS:
        files.write_json(file, [files.OSWORLD | {"image_path": path}])
        with case(path):
            assert_data_error(file, f"osworld-g:{file}", row=1)


def test_a_saved_dataset_names_files_of_its_own_only(tmp_path: Path) -> None:
    for name in ("../outside.arrow", "/etc/passwd", "x/y.arrow", 7, None):
        state = files.write_json(tmp_path / "set" / "state.json", {"_data_files": [{"filename": name}]})
        with case(name):
            assert_data_error(state, f"autogui-v2:{tmp_path / 'set'}", "_data_files")


MISSING: dict[str, tuple[str, tuple[str, ...]]] = {
    "nothing there": ("osworld-g:nowhere", ("nowhere",)),
    "no path": ("osworld-g:", ("osworld-g:PATH",)),
    "not released": ("autogui-v2:HongxinLi/AutoGUIv2-FuncElemCap", ("HongxinLi/AutoGUIv2-FuncElemCap",)),
    "on the hub": ("autogui-v2:HongxinLi/AutoGUIv2-FuncRegionGnd-v2", ("HongxinLi/AutoGUIv2-FuncRegionGnd-v2",)),
    "unheard of": ("coco:x", ("'coco'",)),
}


def test_what_is_not_there() -> None:
    found = {title: str(complaint(spec)) for title, (spec, _) in MISSING.items()}
    for title, (_, expected) in MISSING.items():
        with case(title):
            assert_carries(found[title], *expected)
    assert UNRELEASED in found["not released"]
    assert UNRELEASED not in found["on the hub"]


def test_other_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "x.txt").touch()
    assert_data_error(tmp_path / "x.txt", f"osworld-g:{tmp_path / 'x.txt'}", ".json", ".txt")
    assert_data_error(tmp_path, f"osworld-g:{tmp_path}")


def test_two_kinds_of_sets_together(tmp_path: Path) -> None:
    files.write_json(tmp_path / "a.json", [files.OLDER])
    element = {key: value for key, value in files.ELEMENT.items() if key != "image"}
    files.write_json(tmp_path / "b.json", [element])
    assert_data_error(tmp_path, f"autogui-v2:{tmp_path}")
    (tmp_path / "a.json").unlink()
    assert load_dataset(f"autogui-v2:{tmp_path}").items


def test_tables_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = files.write_parquet(tmp_path / "x.parquet", [files.ELEMENT])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert_carries(str(complaint(f"autogui-v2:{path}")), "pip install 'affordance[hub]'")


def test_tables_without_a_cache(tmp_path: Path) -> None:
    path = files.write_parquet(tmp_path / "x.parquet", [files.ELEMENT])
    assert isinstance(complaint(f"autogui-v2:{path}"), UserError)
    assert load_dataset(f"autogui-v2:{path}", tmp_path / "cache").items


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=60)
@given(st.sampled_from(["text", "text_or_none", "sequence", "json_value", "whole", "size"]), JSON)
def test_anything_in_a_row_is_read_or_told(asked: str, value: object) -> None:
    row = RawRow(FilePosition(Path("rows.parquet"), row=3), {"column": value})
    said = error_of(lambda: getattr(row, asked)("column"))
    assert said is None or (said.path, said.row) == (Path("rows.parquet"), 3)


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["a", "a-2", "b", "a-3"]), max_size=12))
def test_names_made_unique_keep_the_first_of_each(names: list[str]) -> None:
    made = unique_ids(names)
    assert len(set(made)) == len(made) == len(names)
    assert all(one.startswith(name) for one, name in zip(made, names, strict=True))
    assert all(made[names.index(name)] == name for name in names)


@settings(max_examples=25)
@given(
    name=st.sampled_from(sorted(PUBLISHED_DATASETS)),
    rows=st.lists(
        st.dictionaries(st.sampled_from(sorted({*files.OSWORLD, *files.ELEMENT, *files.OLDER})), JSON), max_size=3
    ),
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
    error_of(lambda: read_spec(f"{name}:{path}"))
