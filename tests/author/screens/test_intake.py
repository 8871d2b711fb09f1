"""`init` takes what it can, says what it did to it, and goes on where it was."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import pytest

from affordance.author.project import Project, create_project, open_project
from affordance.author.screens.intake import Found, keep, take_in
from affordance.author.screens.selecting import Wanted, select
from affordance.core.errors import UserError
from affordance.media import import_image, write_video
from errors import assert_carries, raises
from function_data import captured_screen, plain_outcomes, write_captured


def page(seed: int, size: tuple[int, int] = (300, 400)) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    generator = np.random.default_rng(seed)
    drawn = np.full((*size, 3), 250, np.uint8)
    for _ in range(25):
        x, y = int(generator.integers(0, size[1] - 40)), int(generator.integers(0, size[0] - 20))
        drawn[y : y + 18, x : x + 36] = generator.integers(0, 200, 3)
    return drawn


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    (folder / "sub").mkdir(parents=True)
    for number in range(3):
        cv2.imwrite(str(folder / f"page {number}.png"), page(number))
    cv2.imwrite(str(folder / "sub" / "page 0.jpg"), page(7, (600, 300)))
    nearly = page(0)
    nearly[2:8, 2:8] = 0
    cv2.imwrite(str(folder / "page 9.png"), nearly)
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    (folder / "notes.txt").write_text("not a picture")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    create_project(tmp_path / "project")
    with open_project(tmp_path / "project") as opened:
        yield opened


def test_a_folder_of_pictures(project: Project, pictures: Path) -> None:
    taken = take_in(project, [str(pictures)])
    assert taken.added == ["page-0", "page-1", "page-2", "page-9", "sub-page-0"]
    assert taken.copies == {"page-9": "page-0"}
    (broken,) = taken.broken
    assert "broken.png" in broken
    shots = project.shots()
    assert {name: shot.platform for name, shot in shots.items()} == {
        "page-0": "desktop", "page-1": "desktop", "page-2": "desktop", "page-9": "desktop", "sub-page-0": "mobile",
    }  # fmt: skip
    assert shots["sub-page-0"].source == "sub/page 0.jpg"
    assert (project.folder / shots["page-0"].image).read_bytes() == (pictures / "page 0.png").read_bytes()


def test_the_same_again_adds_nothing(project: Project, pictures: Path) -> None:
    take_in(project, [str(pictures)])
    before = {name: project.ledger.documents.history("screen", name) for name in project.screens()}
    again = take_in(project, [str(pictures)])
    assert (again.added, again.known) == ([], 5)
    assert {name: project.ledger.documents.history("screen", name) for name in project.screens()} == before


def test_two_pictures_of_one_name(project: Project, tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / str(number)).mkdir()
        cv2.imwrite(str(tmp_path / str(number) / "home.png"), page(number))
    taken = take_in(project, [str(tmp_path / "0" / "home.png"), str(tmp_path / "1" / "home.png")])
    assert taken.added[0] == "home"
    assert taken.added[1].startswith("home-")


def test_frames_of_a_video(project: Project, tmp_path: Path) -> None:
    frames = [page(number // 10) for number in range(40)]  # each page for a second
    write_video(tmp_path / "tour.mp4", frames, Fraction(10))
    taken = take_in(project, [str(tmp_path / "tour.mp4")], fps=Fraction(4))
    assert taken.added == [f"tour-{number:08.2f}s" for number in range(4)]
    assert project.shots()["tour-00001.00s"].source == "tour.mp4@1s"


def test_captured_screens_keep_what_the_browser_knows(project: Project, tmp_path: Path) -> None:
    screen = captured_screen("inbox")
    write_captured(tmp_path / "captured", [screen], plain_outcomes(screen))
    assert take_in(project, [str(tmp_path / "captured")]).added == ["inbox"]
    state = project.state("inbox")
    assert state.captured is not None
    assert [element.id for element in state.captured.elements] == [element.id for element in screen.elements]


def test_whoever_was_first_is_no_copy(project: Project, pictures: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "z.png"), page(0))
    take_in(project, [str(tmp_path / "z.png")])
    assert take_in(project, [str(pictures)]).copies == {"page-9": "z"}
    assert project.shots()["z"].copy_of is None


def test_a_name_that_leads_out_of_the_project_is_refused(project: Project, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "z.png"), page(0))
    before = sorted(tmp_path.rglob("*"))
    for name in ("../../out", "/tmp/out", "a/../../../out", "", "a//b", "a\\b"):
        with raises(UserError, name.strip("/") if "\\" not in name else ""):
            keep(project, name, Found(name, import_image(tmp_path / "z.png"), ""), "digest", None)
    assert sorted(tmp_path.rglob("*")) == before


def test_nothing_to_take(project: Project, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with raises(UserError):
        take_in(project, [str(tmp_path / "empty")])


def test_select_puts_aside_and_takes_back(project: Project, pictures: Path) -> None:
    take_in(project, [str(pictures)])
    chosen = select(project, Wanted())
    assert list(chosen.aside) == ["page-9"]
    assert_carries(chosen.aside["page-9"], "page-0")
    assert project.selected() == chosen.on
    few = select(project, Wanted(sample=2, seed=3))
    assert len(few.on) == 2
    assert select(project, Wanted(sample=2, seed=3)).on == few.on
    assert select(project, Wanted(platform="mobile")).on == ["sub-page-0"]
    assert len(select(project, Wanted(with_copies=True)).on) == 5
    assert project.selected() == project.screens()


@pytest.mark.parametrize(
    ("wanted", "data"),
    [(Wanted(names=("nowhere",)), "'nowhere'"), (Wanted(platform="watch"), ""), (Wanted(with_groups=True), "")],
)
def test_a_choice_of_nothing_changes_nothing(project: Project, pictures: Path, wanted: Wanted, data: str) -> None:
    take_in(project, [str(pictures)])
    select(project, Wanted())
    before = project.selected()
    with raises(UserError, data):
        select(project, wanted)
    assert project.selected() == before
