"""Imports into a project that is worked on: nothing leaves its folder, and nobody's work is overwritten."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import exchange_data as data
import pytest

from affordance.author.exchange.bringing import Brought, bring_in
from affordance.author.exchange.results import IMPORTED, IMPORTED_PERSON, Imported, ReadScreen, Step
from affordance.author.project import Project, create_project, open_project
from affordance.author.records import Kind
from affordance.author.state import Change
from affordance.core.errors import LedgerError
from author_notes import assert_notes
from errors import raises

GOOD = "good"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    create_project(tmp_path / "home" / "project", None)
    with open_project(tmp_path / "home" / "project") as opened:
        yield opened


def screen(tmp_path: Path, name: str, steps: Sequence[Step] = ()) -> ReadScreen:
    path = tmp_path / "given.png"
    path.write_bytes(data.picture())
    return ReadScreen(name, path, data.SIZE, "elsewhere", steps=tuple(steps))


def files(folder: Path) -> set[str]:
    return {one.relative_to(folder).as_posix() for one in folder.rglob("*") if not one.name.startswith("project.")}


BAD = {
    "up": "../../../pwned",
    "up within": "shop/../../../pwned",
    "only up": "..",
    "absolute": "/tmp/pwned",
    "root": "/",
    "backslash": "..\\pwned",
    "null": "a\0b",
    "long": "x" * 5000,
    "long path": "/".join(["x" * 100] * 60),
    "long in bytes": "ß" * 150,
    "empty": "",
    "empty part": "a//b",
    "half a letter": "a\ud800",
}


@pytest.mark.parametrize("name", BAD.values(), ids=BAD.keys())
def test_an_id_that_leads_elsewhere_is_left_out_and_the_rest_goes_on(
    project: Project, tmp_path: Path, name: str
) -> None:
    bad = screen(tmp_path, name, [Step(Change(Kind.REGION, f"{name}/0-0", data.REGIONS["0-0"]), IMPORTED)])
    before = files(tmp_path)
    brought = bring_in(project, Imported(screens=[bad, replace(bad, id=GOOD, steps=())]))
    assert brought.screens == [GOOD]
    (left,) = brought.left_out
    assert left.what == (f"{name[:80]}..." if len(name) > 80 else name.replace("\ud800", "\\ud800"))
    assert 0 < len(left.reason) < 300
    assert project.screens() == [GOOD]
    assert files(tmp_path) - before == {"home/project/media/good.png"}


@pytest.mark.parametrize("linked", ["media", "media/shop"])
def test_a_link_out_of_the_project_is_not_written_through(project: Project, tmp_path: Path, linked: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    if linked == "media":
        (project.folder / "media").rmdir()
    (project.folder / linked).symlink_to(tmp_path / "elsewhere")
    brought = bring_in(project, Imported(screens=[screen(tmp_path, "shop/one")]))
    assert [(one.what, bool(one.reason)) for one in brought.left_out] == [("shop/one", True)]
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert project.screens() == []


def test_an_id_below_a_file_is_left_out(project: Project, tmp_path: Path) -> None:
    found = [screen(tmp_path, "a"), screen(tmp_path, "a.png/b"), screen(tmp_path, "c")]
    brought = bring_in(project, Imported(screens=found))
    assert brought.screens == ["a", "c"]
    assert [one.what for one in brought.left_out] == ["a.png/b"]


def test_a_ledger_that_cannot_be_written_is_no_fault_of_a_screen(project: Project, tmp_path: Path) -> None:
    with open_project(project.folder, read_only=True) as reading, raises(LedgerError):
        bring_in(reading, Imported(screens=[screen(tmp_path, "shop")]))


# Versions by their letters: what is there, by whom the last of it is, what is imported, and what is added.
HISTORIES: dict[str, tuple[str, str, str, str]] = {
    "new": ("", "", "OAB", "OAB"),
    "the same": ("OAB", IMPORTED_PERSON, "OAB", ""),
    "the same within more": ("OXAYB", IMPORTED, "OAB", ""),
    "one more": ("OA", IMPORTED_PERSON, "OAB", "B"),
    "fewer": ("OAB", IMPORTED_PERSON, "OA", ""),
    "after what a model made since": ("OX", "openai:m", "OA", "A"),
    "one taken back": ("OA", IMPORTED_PERSON, "OAO", "O"),
    "one in between": ("OB", IMPORTED_PERSON, "OAB", "AB"),
    "a person was here": ("OAP", "person:ann", "OAB", ""),
    "a person was first": ("P", "person:ann", "OAB", ""),
    "a person has the same": ("OAB", "person:ann", "OAB", ""),
    "a person earlier": ("OPX", "openai:m", "OA", "A"),
}


def step(letter: str, author: str) -> Step:
    region = data.region((0, 0, 10 + ord(letter) % 64, 50), "0-0", letter)
    return Step(Change(Kind.REGION, "shop/1-0", region), author)


def imported(tmp_path: Path, letters: str) -> Imported:
    steps = [step(letter, IMPORTED if place == 0 else IMPORTED_PERSON) for place, letter in enumerate(letters)]
    return Imported(screens=[screen(tmp_path, "shop", steps)])


def letters(project: Project) -> str:
    texts = [str(one.document["description"]) for one in project.ledger.documents.history(Kind.REGION, "shop/1-0")]
    return "".join(text.partition("': '")[2][0] for text in texts)


@pytest.mark.parametrize(("there", "last", "given", "added"), HISTORIES.values(), ids=HISTORIES.keys())
def test_only_what_is_not_there_is_written_and_nothing_over_people(
    project: Project, tmp_path: Path, there: str, last: str, given: str, added: str
) -> None:
    bring_in(project, imported(tmp_path, ""))
    for place, letter in enumerate(there):
        by = last if place == len(there) - 1 else IMPORTED
        project.write("shop", [step(letter, by).change], by)
    brought = bring_in(project, imported(tmp_path, given))
    assert letters(project) == there + added
    assert brought.revisions == ({Kind.REGION: len(added)} if added else {})
    kept = there.endswith("P") and last == "person:ann"
    assert_notes(brought.notes, *([(1,)] if kept else []))
    again: Brought = bring_in(project, imported(tmp_path, given))
    assert letters(project) == there + added
    assert not again.revisions
