from pathlib import Path

from affordance.core.errors import DataError
from affordance.core.json_text import read_jsonl
from errors import raises


def test_lines_have_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes('\ufeff{}\r\n\n  \n{"a": "one\u2028two\x85three"}'.encode())
    assert list(read_jsonl(path)) == [(1, {}), (4, {"a": "one\u2028two\x85three"})]


def test_what_is_wrong_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    for text, line in (("{}\n[]", 2), ("{}\n\n{", 3), ('{"a": NaN}', 1)):
        path.write_text(text)
        with raises(DataError, path=path, line=line):
            list(read_jsonl(path))
