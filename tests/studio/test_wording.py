"""Questions without a browser: what speaks against a wording, and the list over all screens."""

from pathlib import Path
from typing import Any

import pytest

from affordance.author.project import Project, create_project, open_project, plain
from affordance.author.records import Choice, Kind, QuestionRecord
from affordance.author.state import ScreenState
from affordance.core.geometry import Box, CoordinateSpace
from affordance.ledger import DocumentDraft
from affordance.studio.asked import SHOWN_WORDS, Asked, Show, Standing
from affordance.studio.wording import doubts
from errors import assert_carries
from studio_world import MODEL, make_project

BOX = Box(CoordinateSpace.PIXEL, 0, 0, 10, 10)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> ScreenState:
    with open_project(make_project(tmp_path_factory.mktemp("wording") / "shop", screens=1), read_only=True) as project:
        return project.state("screen-1")


def ground(text: str, **more: Any) -> QuestionRecord:
    told = {"form": "ground", "level": "region", "target": "1-5", "box": BOX, "expressions": {"functionality": text}}
    return QuestionRecord.model_validate(told | more)


def test_doubts_about_an_expression(state: ScreenState) -> None:
    for text, quoted in (
        ("Where are the orders kept?", None),
        ("Where are the 12 orders of 2024?", None),
        ("The card (3) with orders", None),
        ("The card at (12, 300)", "(12, 300)"),
        ("The card at [0.1, 0.2, 0.3, 0.4]", "[0.1, 0.2, 0.3, 0.4]"),
        ("The card at x=12", "x=12"),
        ("The card 40 px from the top", "40 px"),
        ("The card in the red box", "red box"),
        ("?!", ""),
        ("where can one look through the ORDERS, and change them", "ground-1-1"),
    ):
        found = doubts(state, "new", ground(text))
        if quoted is None:
            assert found == {}, text
        else:
            (doubt,) = found.pop("functionality")
            assert (quoted in doubt, bool(doubt), found) == (True, True, {}), text


def test_a_question_may_say_what_another_about_its_own_target_says(state: ScreenState) -> None:
    said = state.questions["ground-1-1"].expressions["functionality"]
    assert doubts(state, "ground-1-1", state.questions["ground-1-1"]) == {}
    assert doubts(state, "new", ground(said, target="1-1")) == {}
    assert doubts(state, "new", ground(said, target="1-1", level="element")) != {}


def test_the_text_and_the_action_of_the_target_are_not_to_be_said(state: ScreenState) -> None:
    assert state.elements is not None
    first = state.elements.elements[0]
    found = doubts(state, "new", ground(f"Find {first.text}", level="element", target=first.id, action="click"))
    assert found["functionality"][0]
    found = doubts(state, "new", ground("Click for orders", level="element", target=first.id, action="click"))
    (doubt,) = found["functionality"]
    assert "Click" in doubt
    assert doubts(state, "new", ground("Where are orders?", level="element", target=first.id, action="click")) == {}


def test_doubts_about_options(state: ScreenState) -> None:
    origins = ("target", "hard", "easy")
    for texts, data in (
        (["The list opens", "The page closes", "Nothing is changed"], None),
        (["The list opens", "the list: opens", "Nothing is changed"], (" A", " B")),
        (["The list opens", " ", "Nothing is changed"], (" B",)),
        (["The list opens at (3, 4)", "The page closes so far", "Nothing is changed at"], ("(3, 4)",)),
    ):
        options = [Choice.model_construct(text=text, origin=one) for text, one in zip(texts, origins, strict=True)]
        record = ground("", form="outcome", expressions={}, question="What happens?").model_copy(
            update={"options": options}
        )
        found = doubts(state, "new", record).get("options", [])
        assert len(found) == (0 if data is None else 1)
        for doubt in found:
            assert_carries(doubt, *(data or ()))


@pytest.fixture
def project(tmp_path: Path) -> Any:
    create_project(tmp_path / "many", name="Many")
    with open_project(tmp_path / "many") as opened:
        yield opened


def put(project: Project, screen: str, name: str, author: str = MODEL, **more: Any) -> None:
    project.ledger.documents.write(
        [DocumentDraft(Kind.QUESTION, f"{screen}/{name}", plain(ground(**more)), author, screen)]
    )


def test_many_screens_are_searched(project: Project) -> None:
    texts = {f"screen-{number:04}": f"Straße number {number}" for number in range(0, 600, 3)}
    project.ledger.documents.write(
        [
            DocumentDraft(Kind.QUESTION, f"{screen}/one", plain(ground(text)), MODEL, screen)
            for screen, text in texts.items()
        ]
    )
    asked = Asked(project)
    assert len(asked.find()) == 200
    assert [row.screen for row in asked.find("STRASSE 597")] == ["screen-0597"]
    assert [row.screen for row in asked.find("screen-0003")] == ["screen-0003"]
    assert [row.screen for row in asked.find(screen="screen-0006")] == ["screen-0006"]
    assert asked.find("no such") == []


def test_what_is_written_later_is_in_the_list(project: Project) -> None:
    put(project, "b", "one", text="First")
    asked = Asked(project)
    assert [(row.screen, row.words, row.by) for row in asked.find()] == [("b", "First", "")]
    put(project, "a", "one", text="x" * 2000, dropped="too long")
    put(project, "b", "one", author="person:Ana", text="Second", abandoned=True)
    rows = asked.find()
    assert [(row.screen, row.standing, row.by) for row in rows] == [
        ("a", Standing.DROPPED, ""),
        ("b", Standing.ABANDONED, "Ana"),
    ]
    assert len(rows[0].words) == SHOWN_WORDS
    shows = {show: [row.screen for row in asked.find(show=show)] for show in Show}
    assert shows == {
        Show.ALL: ["a", "b"],
        Show.KEPT: [],
        Show.DROPPED: ["a"],
        Show.ABANDONED: ["b"],
        Show.EDITED: ["b"],
    }


def test_a_question_that_cannot_be_read_is_listed_as_such(project: Project) -> None:
    project.ledger.documents.write([DocumentDraft(Kind.QUESTION, "a/one", {"form": "riddle"}, MODEL, "a")])
    (row,) = Asked(project).find()
    assert (row.name, row.standing) == ("one", Standing.UNREADABLE)
