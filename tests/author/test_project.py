"""A project is a folder and a database that belong together, and says what is wrong where they do not."""

import json
from pathlib import Path

import pytest

from affordance.author.project import DATABASE, FILE, create_project, open_project
from affordance.author.records import Kind, Region, Shot, Validation
from affordance.author.state import Change
from affordance.core.errors import DataError, UserError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.ledger import DocumentDraft, open_ledger
from errors import raises

SHOT = Shot(image="media/a.png", digest="d", width=400, height=300)


def region(parent: str | None, gone: bool = False) -> Region:
    return Region(box=Box(CoordinateSpace.PIXEL, 0, 0, 10, 10), parent=parent, gone=gone)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    create_project(tmp_path / "shop", name="Shop")
    return tmp_path / "shop"


def test_a_project_knows_its_screens(folder: Path) -> None:
    with open_project(folder) as project:
        project.write("a", [Change(Kind.SCREEN, "a", SHOT)], "init")
        assert project.screens() == ["a"]
        assert project.state("a").shot == SHOT
        assert project.state("a").path == folder / "media/a.png"
        with raises(UserError, "'b'"):
            project.state("b")


def test_regions_come_parents_first_and_without_what_is_gone(folder: Path) -> None:
    tree = {
        "0-0": region(None), "1-0": region("0-0"), "1-10": region("0-0", gone=True), "1-2": region("0-0"),
        "2-0": region("1-10"), "2-1": region("1-2"),
    }  # fmt: skip
    with open_project(folder) as project:
        changes = [Change(Kind.REGION, f"a/{name}", one) for name, one in tree.items()]
        project.write("a", [Change(Kind.SCREEN, "a", SHOT), *changes], "divide")
        project.write("a", [Change(Kind.REGION, "a/1-2", region("0-0").model_copy(update={"type": "x"}))], "person:ada")
        rejected = Validation(contextual=True, purposeful=True, truthful=False, rejected=True)
        project.write("a", [Change(Kind.VALIDATION, "a/1-0", rejected)], "person:ada")
        state = project.state("a")
    assert list(state.regions) == ["0-0", "1-0", "1-2", "2-1"]
    assert state.ancestors("2-1") == ["1-2", "0-0"]
    assert state.corrected == {"1-2"}
    assert state.usable() == ["1-2", "2-1"]


def test_fields_of_a_newer_version_survive(folder: Path) -> None:
    with open_project(folder) as project:
        shot = Shot.model_validate({**SHOT.model_dump(), "taken_by": "a newer version"})
        project.write("a", [Change(Kind.SCREEN, "a", shot)], "init")
        again = project.state("a").shot
        project.write("a", [Change(Kind.SCREEN, "a", again.model_copy(update={"copy_of": "b"}))], "init")
        assert project.ledger.documents.latest(kind=Kind.SCREEN)[0].document["taken_by"] == "a newer version"


def test_a_newer_project_is_refused(folder: Path) -> None:
    about = json.loads((folder / FILE).read_text())
    (folder / FILE).write_text(json.dumps({**about, "format": 2, "words": "that nobody here knows"}))
    with (
        raises(UserError, folder, 2, 1),
        open_project(folder),
    ):
        pass


@pytest.mark.parametrize(
    ("content", "field"), [("{", ""), ('{"format": 1}', "id"), ('{"format": "one"}', "format"), ("[]", "")]
)
def test_a_broken_project_file_is_a_data_error(folder: Path, content: str, field: str) -> None:
    (folder / FILE).write_text(content)
    with raises(DataError, field, path=folder / FILE), open_project(folder):
        pass


def test_folder_and_database_belong_together(folder: Path, tmp_path: Path, postgres_url: str) -> None:
    with raises(UserError, folder, "--db"), open_project(folder, postgres_url):
        pass
    create_project(tmp_path / "bank", postgres_url)
    with raises(UserError, tmp_path / "bank", "--db"), open_project(tmp_path / "bank"):
        pass
    with open_project(tmp_path / "bank", postgres_url) as project:
        assert project.screens() == []
    assert "postgres" in (tmp_path / "bank" / FILE).read_text()
    assert "://" not in (tmp_path / "bank" / FILE).read_text()
    with raises(UserError, "'bank'"):
        create_project(tmp_path / "other", postgres_url)
    (folder / DATABASE).unlink()
    open_ledger(folder / DATABASE).close()
    with raises(UserError, "'Shop'"), open_project(folder):
        pass


def test_what_is_no_project(tmp_path: Path) -> None:
    with raises(UserError, tmp_path, "affordance author init"), open_project(tmp_path):
        pass
    (tmp_path / "notes.txt").write_text("mine")
    with raises(UserError, tmp_path):
        create_project(tmp_path)


def test_a_document_that_cannot_be_read_is_named(folder: Path) -> None:
    with open_project(folder) as project:
        project.write("a", [Change(Kind.SCREEN, "a", SHOT)], "init")
    with open_ledger(folder / DATABASE) as ledger:
        (shot,) = ledger.documents.latest(kind=Kind.SCREEN)
        ledger.documents.write(
            [DocumentDraft(shot.kind, shot.subject, {**shot.document, "width": "wide"}, "hand", "a")]
        )
    with (
        open_project(folder) as project,
        raises(UserError, "screen", "a", 2, "hand", "width"),
    ):
        project.state("a")


def test_a_database_that_is_gone_is_not_made_anew(folder: Path) -> None:
    (folder / DATABASE).unlink()
    with raises(UserError, folder / DATABASE), open_project(folder):
        pass
    assert not (folder / DATABASE).exists()
