"""The reader of pages itself: what it takes, and that it finds what is wrong."""

from pathlib import Path

import pytest

from affordance.core.errors import UserError
from cases import case, folder_names
from doc_blocks import ROOT, Page, read_page
from doc_running import Reader
from errors import raises

FENCE = "```"


def page(folder: Path, text: str) -> Page:
    path = folder / "page.md"
    path.write_text(text.replace("~~~", FENCE))
    found = read_page(path)
    return Page(ROOT / "page.md", found.blocks, found.inline)


RIGHT = {
    "what is shown is printed": "~~~console\n$ affordance --version\naffordance 0.1...\n...\n~~~",
    "any lines": "~~~console\n$ affordance tasks\ntask ...\n...\nfunction/outcome-element ...\n~~~",
    "two at once, and a folder": "~~~console\n$ mkdir a && cd a\n$ ls ..\na\n...\n~~~",
    "a mistake that is meant": "<!-- exits: 2 -->\n~~~console\n$ affordance rnu\naffordance: ...\n~~~",
    "one that is not run": "<!-- not run: needs a key -->\n~~~console\n$ affordance run motion --model openai:x\n~~~",
    "a file, and its use": '~~~json title="a/b.json"\n{"x": 1}\n~~~\n~~~console\n$ cat a/b.json\n{"x": 1}\n~~~',
    "one namespace": "~~~python\nx = 1\n~~~\n\n~~~pycon\n>>> x + 1\n2\n~~~",
    "settings": '~~~toml title="affordance.toml"\nledger = "a.db"\n[run]\nlimit = 3\n~~~',
    "commands in the text": "`affordance run` with `affordance report --format\nhtml`, and `affordance COMMAND --help`",
    "a line that goes on": "~~~console\n$ affordance \\\n    tasks --json\n~~~",
}


def test_what_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, name, text in folder_names(RIGHT):
        (tmp_path / folder).mkdir()
        with case(name):
            Reader(tmp_path / folder, "127.0.0.1:9", monkeypatch).follow(page(tmp_path, text))


WRONG = {
    "other output": "~~~console\n$ affordance --version\n7\n~~~",
    "a line too few": "~~~console\n$ affordance models\nmodel ...\n~~~",
    "another exit code": "~~~console\n$ affordance data check nowhere\n~~~",
    "no such command": "<!-- not run: needs a key -->\n~~~console\n$ affordance rnu\n~~~",
    "no such option": "<!-- not run: needs a key -->\n~~~console\n$ affordance run motion --modle M\n~~~",
    "an argument is missing": "<!-- not run: needs a key -->\n~~~console\n$ affordance run motion\n~~~",
    "no such value": "<!-- not run: takes minutes -->\n~~~console\n$ affordance demo --limit many\n~~~",
    "no such target": "<!-- not run: takes minutes -->\n~~~console\n$ make everything\n~~~",
    "no such extra": "<!-- not run: takes minutes -->\n~~~console\n$ pip install 'affordance[all]'\n~~~",
    "no such task in Inspect": "<!-- not run: needs a key -->\n~~~console\n$ inspect eval affordance/motion_efect\n~~~",
    "no such script": "<!-- not run: takes minutes -->\n~~~console\n$ python benchmarks/nothing.py\n~~~",
    "no such reason": "<!-- not run: too lazy -->\n~~~console\n$ affordance tasks\n~~~",
    "no such remark": "<!-- skip: yes -->\n~~~console\n$ affordance tasks\n~~~",
    "commands that are no commands": "~~~text\naffordance run motion\n~~~",
    "a block without a language": "~~~\nanything\n~~~",
    "no such command in the text": "as `affordance rnu` does",
    "no such option in the text": "as `affordance run --modle` does",
    "another result": "~~~pycon\n>>> 1 + 1\n3\n~~~",
}


NEEDS_A_RUN = ("other output", "a line too few", "another exit code", "another result")


def test_what_is_wrong_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in WRONG.items():
        with case(name), pytest.raises(AssertionError):
            Reader(tmp_path, "127.0.0.1:9", monkeypatch, runs=name in NEEDS_A_RUN).follow(page(tmp_path, text))


def test_what_is_only_parsed_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NEEDS_A_RUN:
        Reader(tmp_path, "127.0.0.1:9", monkeypatch, runs=False).follow(page(tmp_path, WRONG[name]))


def test_settings_that_do_not_exist_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(tmp_path, "127.0.0.1:9", monkeypatch, runs=False)
    with raises(UserError, "'colour'"):
        reader.follow(page(tmp_path, '~~~toml title="affordance.toml"\ncolour = 1\n~~~'))
