"""Saving what people do: once, all or nothing, never over the work of others. Where the database decides it, on SQLite
and on Postgres."""

import itertools
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from affordance.author.project import Project, create_project, open_project, plain
from affordance.author.records import Choice, Kind, QuestionRecord, Region, RegionType, Shot, Validation
from affordance.author.state import Change
from affordance.core.geometry import Box, CoordinateSpace
from affordance.ledger import SavedBatch
from affordance.studio.refused import Refused
from affordance.studio.strokes import Overtaken, Sent, save
from errors import assert_carries, raises

ADA, BOB = "person:ada", "person:bob"
_keys = itertools.count(1)


def box(*numbers: float) -> Box:
    return Box(CoordinateSpace.PIXEL, *numbers)


def new_key() -> str:
    return f"{next(_keys):032x}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that is copied for each test: to make one takes longer."""
    made = tmp_path_factory.mktemp("strokes") / "project"
    create_project(made)
    with open_project(made) as opened:
        fill(opened)
    return made


@pytest.fixture
def project(folder: Path, tmp_path: Path) -> Iterator[Project]:
    shutil.copytree(folder, tmp_path / "project")
    with open_project(tmp_path / "project") as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgres"])
def each_project(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Project]:
    """Of each kind of database."""
    db = None if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    create_project(tmp_path / "project", db)
    with open_project(tmp_path / "project", db) as opened:
        fill(opened)
        yield opened


def fill(opened: Project) -> None:
    """A screen of 100x80 with a tree of three: 1-0 holds 2-0, next to it is 1-1."""
    shot = Shot(image="media/s.png", digest="d", width=100, height=80)
    regions = {
        "0-0": Region(box=box(0, 0, 100, 80)),
        "1-0": Region(box=box(0, 0, 50, 80), parent="0-0"),
        "1-1": Region(box=box(50, 0, 100, 80), parent="0-0"),
        "2-0": Region(box=box(5, 5, 20, 20), parent="1-0"),
    }
    question = QuestionRecord(
        form="outcome",
        level="region",
        target="1-0",
        box=box(0, 0, 50, 80),
        question="What happens?",
        options=[Choice(text="this", origin="target", of="1-0"), Choice(text="that", origin="hard", of="1-1")],
        dropped="too easy",
    )
    opened.write("s", [Change(Kind.SCREEN, "s", shot)], "init")
    opened.write("s", [Change(Kind.REGION, f"s/{name}", one) for name, one in regions.items()], "model")
    opened.write("s", [Change(Kind.QUESTION, "s/q", question)], "model")


def send(
    project: Project, *edits: dict[str, Any], author: str = ADA, key: str | None = None, screen: str = "s"
) -> SavedBatch:
    return save(project, author, Sent.model_validate({"screen": screen, "key": key or new_key(), "edits": list(edits)}))


def region(name: str, after: int, **values: Any) -> dict[str, Any]:
    if "box" in values:
        values["box"] = {"space": "pixel", "xyxy": list(values["box"])}
    return {"kind": "region", "name": name, "after": after, "set": values}


def test_a_moved_box_is_a_new_revision_and_the_rest_of_the_document_stays(each_project: Project) -> None:
    (saved,) = send(each_project, region("1-0", 1, box=(0, 0, 48, 80))).revisions
    assert (saved.version, saved.author) == (2, ADA)
    state = each_project.state("s")
    assert state.regions["1-0"] == Region(box=box(0, 0, 48, 80), parent="0-0", proposed=box(0, 0, 50, 80))
    assert state.corrected == {"1-0"}


def test_the_same_stroke_again_gives_the_same_and_writes_nothing(each_project: Project) -> None:
    key = new_key()
    first = send(each_project, region("1-0", 1, box=(0, 0, 48, 80)), key=key)
    send(each_project, region("1-0", 2, box=(0, 0, 47, 80)))
    again = send(each_project, region("1-0", 1, box=(0, 0, 48, 80)), key=key)
    assert (again.revisions, again.is_new, first.is_new) == (first.revisions, False, True)
    assert len(each_project.ledger.documents.history("region", "s/1-0")) == 3


def test_a_key_is_for_one_stroke_and_one_person(project: Project) -> None:
    key = new_key()
    send(project, region("1-0", 1, box=(0, 0, 48, 80)), key=key)
    with raises(Refused):
        send(project, region("1-0", 1, box=(0, 0, 9, 80)), key=key)
    with raises(Refused):
        send(project, region("1-0", 1, box=(0, 0, 48, 80)), key=key, author=BOB)


def test_who_is_second_gets_what_is_there_and_nothing_of_theirs_is_written(project: Project) -> None:
    send(project, region("1-0", 1, box=(0, 0, 48, 80)))
    with raises(Overtaken, "ada", "1-0") as caught:
        send(project, region("1-1", 1, box=(60, 0, 99, 80)), region("1-0", 1, box=(0, 0, 40, 80)), author=BOB)
    assert [(one.subject, one.version) for one in caught.value.there] == [("s/1-0", 2)]
    assert len(project.ledger.documents.history("region", "s/1-1")) == 1


def test_of_many_at_once_one_is_first_and_all_others_are_refused(each_project: Project) -> None:
    def one(number: int) -> bool:
        try:
            send(each_project, region("1-0", 1, box=(0, 0, 10 + number, 80)), author=f"person:{number}")
        except Overtaken:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(one, range(16))) == 1
    assert len(each_project.ledger.documents.history("region", "s/1-0")) == 2


def test_two_regions_are_never_put_into_each_other(each_project: Project) -> None:
    """Two people at once, each with an edit that makes sense by itself."""

    def put(name: str, into: str) -> str:
        try:
            send(each_project, region(name, 1, parent=into))
        except Refused as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(put, ("1-0", "1-1"), ("1-1", "1-0")))
    assert sorted(map(bool, said)) == [False, True]
    assert set(each_project.state("s").regions) == {"0-0", "1-0", "1-1", "2-0"}


def test_a_region_is_not_put_into_one_that_somebody_deletes(project: Project) -> None:
    send(project, region("1-0", 1, gone=True), author=BOB)
    with raises(Overtaken, "bob", "1-0", "n-a"):
        send(project, region("n-a", 0, box=(1, 1, 9, 9), parent="1-0"))


def test_children_go_to_the_grandparent_in_one_stroke(project: Project) -> None:
    send(project, region("1-0", 1, gone=True), region("2-0", 1, parent="0-0"))
    assert project.state("s").regions["2-0"].parent == "0-0"


def test_the_first_box_of_a_screen_that_nobody_divided(project: Project) -> None:
    project.write("t", [Change(Kind.SCREEN, "t", Shot(image="media/t.png", digest="t", width=9, height=9))], "init")
    written = send(project, region("n-a", 0, box=(1, 1, 5, 5), parent="0-0"), screen="t").revisions
    assert [one.subject for one in written] == ["t/n-a", "t/0-0"]
    state = project.state("t")
    assert list(state.regions) == ["0-0", "n-a"]
    assert state.regions["0-0"].box == box(0, 0, 9, 9)
    assert state.corrected == {"n-a"}


def test_a_text_by_a_person_is_told_of_the_box_that_they_saw(project: Project) -> None:
    told = {"box": {"space": "pixel", "xyxy": [0, 0, 50, 80]}, "description": "a list", "functionality": "finds things"}
    send(project, {"kind": "retelling", "name": "1-0", "after": 0, "set": told})
    state = project.state("s")
    assert state.functionality("1-0") == "finds things"
    assert state.retellings["1-0"].by == ADA
    send(project, {"kind": "retelling", "name": "1-0", "after": 1, "set": {"gone": True}})
    assert project.state("s").functionality("1-0") == ""


def test_a_verdict_can_be_taken_back(project: Project) -> None:
    said = {"contextual": True, "purposeful": False, "truthful": True, "rejected": True, "note": "a list of parts"}
    send(project, {"kind": "validation", "name": "1-0", "after": 0, "set": said})
    state = project.state("s")
    assert state.validations["1-0"] == Validation(**said)  # type: ignore[arg-type]
    assert "1-0" not in state.usable()
    send(project, {"kind": "validation", "name": "1-0", "after": 1, "set": {"gone": True}})
    assert "1-0" in project.state("s").usable()


def test_a_verdict_is_of_the_text_that_was_judged(project: Project) -> None:
    told = {"box": {"space": "pixel", "xyxy": [0, 0, 50, 80]}, "description": "a list", "functionality": "finds things"}
    said = {"contextual": True, "purposeful": True, "truthful": True}
    send(project, {"kind": "retelling", "name": "1-0", "after": 0, "set": told})
    send(project, {"kind": "validation", "name": "1-0", "after": 0, "set": said}, author=BOB)
    again = {"kind": "retelling", "name": "1-0", "after": 1, "set": {"functionality": "lists things"}}
    assert [one.kind for one in send(project, again).revisions] == ["retelling", "validation"]
    assert project.state("s").validations == {}


def test_a_text_that_is_another_by_now_cannot_be_judged(project: Project) -> None:
    told = {"box": {"space": "pixel", "xyxy": [0, 0, 50, 80]}, "description": "a list", "functionality": "finds things"}
    said = {"contextual": True, "purposeful": True, "truthful": True, "told": "finds things"}
    send(project, {"kind": "retelling", "name": "1-0", "after": 0, "set": told})
    send(project, {"kind": "retelling", "name": "1-0", "after": 1, "set": {"functionality": "lists things"}})
    with raises(Overtaken, "ada", "1-0") as caught:
        send(project, {"kind": "validation", "name": "1-0", "after": 0, "set": said}, author=BOB)
    assert [(one.kind, one.version) for one in caught.value.there] == [("retelling", 2)]
    send(project, {"kind": "validation", "name": "1-0", "after": 0, "set": said | {"told": "lists things"}}, author=BOB)
    assert project.state("s").validations["1-0"].told == "lists things"


def test_nothing_is_said_of_a_region_that_somebody_deletes(project: Project) -> None:
    send(project, region("1-1", 1, gone=True), author=BOB)
    kind = {"box": {"space": "pixel", "xyxy": [50, 0, 100, 80]}, "type": "Form"}
    with raises(Overtaken, "bob", "1-1"):
        send(project, {"kind": "type", "name": "1-1", "after": 0, "set": kind})


def test_a_region_is_not_put_into_one_that_the_same_stroke_deletes(project: Project) -> None:
    with raises(Overtaken, "1-1"):
        send(project, region("1-1", 1, gone=True), region("2-0", 1, parent="1-1"))


def test_a_document_of_another_screen_is_out_of_reach(project: Project) -> None:
    """Names of screens may hold slashes."""
    shot = Shot(image="media/t.png", digest="t", width=9, height=9)
    project.write("s/sub", [Change(Kind.SCREEN, "s/sub", shot)], "init")
    project.write("s/sub", [Change(Kind.REGION, "s/sub/1-0", Region(box=box(0, 0, 5, 5), parent="0-0"))], "model")
    with raises(Refused, "'s/sub'"):
        send(project, region("sub/1-0", 1, box=(0, 0, 4, 4)))


def test_a_deep_tree_is_gone_through_once(each_project: Project) -> None:
    names = [f"n-{number}" for number in range(1200)]
    chain = [
        region(name, 0, box=(0, 0, 9, 9), parent=above) for name, above in zip(names, ["0-0", *names], strict=False)
    ]
    send(each_project, *reversed(chain))
    assert len(each_project.state("s").regions) == 4 + len(names)


def test_what_people_said_of_a_region_goes_along_with_its_box(project: Project) -> None:
    was, now = [0, 0, 50, 80], [0, 0, 48, 80]
    theirs = {"box": {"space": "pixel", "xyxy": was}, "description": "a list", "functionality": "finds things"}
    model = RegionType(type="Form", by="openai:m", box=box(*was))
    project.write("s", [Change(Kind.TYPE, "s/1-0", model)], "classify")
    send(project, {"kind": "retelling", "name": "1-0", "after": 0, "set": theirs})
    written = send(project, region("1-0", 1, box=now), author=BOB).revisions
    assert [(one.kind, one.author) for one in written] == [("region", BOB), ("retelling", BOB)]
    state = project.state("s")
    assert (state.retellings["1-0"].by, state.retellings["1-0"].box) == (ADA, box(*now))
    assert "1-0" not in state.types  # a model looked at another box


def test_a_box_that_is_as_it_was_proposed_is_not_corrected(project: Project) -> None:
    send(project, region("1-0", 1, box=(0, 0, 48, 80)))
    send(project, region("1-1", 1, parent="1-0"))
    assert project.state("s").corrected == {"1-0"}
    send(project, region("1-0", 2, box=(0, 0, 50, 80)))
    assert project.state("s").corrected == frozenset()
    send(project, region("n-a", 0, box=(0, 0, 9, 9), parent="1-0"))
    assert project.state("s").corrected == {"n-a"}


def test_a_question_is_reworded_and_kept_after_all(project: Project) -> None:
    options = [{"text": "this one", "origin": "target", "of": "1-0"}, {"text": "that", "origin": "hard", "of": "1-1"}]
    send(project, {"kind": "question", "name": "q", "after": 1, "set": {"options": options, "dropped": ""}})
    record = project.state("s").questions["q"]
    assert [one.text for one in record.options] == ["this one", "that"]
    assert record.dropped == ""
    assert project.state("s").edited == {"q"}


def test_a_screen_is_finished_and_opened_again(project: Project) -> None:
    send(project, {"kind": "reviewed", "name": "", "after": 0, "set": {"done": True}})
    (found,) = project.ledger.documents.latest(kind=Kind.REVIEWED)
    assert (found.subject, found.document) == ("s", {"done": True})


def of(kind: str, name: str, after: int, **values: Any) -> dict[str, Any]:
    return {"kind": kind, "name": name, "after": after, "set": values}


UNIT = {"space": "unit", "xyxy": [0, 0, 1, 1]}
REFUSED: dict[str, tuple[dict[str, Any], tuple[object, ...]]] = {
    "unknown screen": ({"screen": "../s", **region("1-0", 1, gone=True)}, ("'../s'",)),
    "a version of nothing": (region("9-9", 4, gone=True), ("'9-9'", 4)),
    "field": (region("1-0", 1, scores=None), ("box, dividable, gone, parent, type", "'scores'")),
    "off the screen": (region("1-0", 1, box=(0, 0, 101, 80)), ("1-0", "100x80", 101)),
    "upside down": (region("1-0", 1, box=(9, 0, 5, 80)), ("1-0", "x1 <= x2")),
    "flat": (region("1-0", 1, box=(9, 0, 9, 80)), ("1-0",)),
    "not a box": (of("region", "1-0", 1, box=[1, 2, 3, 4]), ("1-0",)),
    "other space": (of("region", "1-0", 1, box=UNIT), ("1-0", "unit")),
    "the screen itself": (region("0-0", 1, gone=True), ("0-0",)),
    "no parent": (region("1-0", 1, parent=None), ("1-0",)),
    "unknown parent": (region("1-0", 1, parent="7-7"), ("1-0", "'7-7'")),
    "into itself": (region("1-0", 1, parent="1-0"), ("1-0",)),
    "into its child": (region("1-0", 1, parent="2-0"), ("1-0",)),
    "a name that is a path": (region("../a", 0, box=(1, 1, 5, 5), parent="0-0"), ("../a",)),
    "text of nothing": (of("retelling", "8-8", 0, gone=True), ("8-8",)),
    "half a region": (region("n-a", 0, parent="0-0"), ("n-a",)),
    "half a verdict": (of("validation", "1-0", 0, truthful=True), ("validation", "1-0")),
    "not a verdict": (of("validation", "1-0", 0, truthful=1), ("validation", "1-0")),
    "long": (of("reviewed", "", 0, done=True, note="x" * 20_001), ("20,000",)),
    "no text": (of("reviewed", "", 0, done=True, note="\0"), ()),
    "half a character": (of("reviewed", "", 0, note="\ud800"), ()),
    "no number": (of("reviewed", "", 0, done=float("nan")), ("nan",)),
    "nested": (of("reviewed", "", 0, note=[[[[[[[[1]]]]]]]]), (6,)),
    "no question": (of("question", "p", 0, abandoned=True), ("question", "p")),
    "other options": (of("question", "q", 1, options=[]), ("q",)),
    "other wording": (of("question", "q", 1, expressions={"x": "y"}), ("q", "'x'")),
    "other reason": (of("question", "q", 1, dropped="no"), ("q",)),
    "a screen": (of("screen", "x", 0, image="/etc/passwd"), ("screen",)),
}


def test_what_makes_no_sense_is_refused_in_a_line(project: Project) -> None:
    before = project.ledger.documents.last_revision_id()
    for case, (edit, data) in REFUSED.items():
        sent = {key: value for key, value in edit.items() if key != "screen"}
        with pytest.raises(Refused) as caught:
            send(project, sent, screen=edit.get("screen", "s"))
        assert_carries(str(caught.value), *data)
        assert project.ledger.documents.last_revision_id() == before, case


def test_two_edits_of_one_document_are_refused(project: Project) -> None:
    with raises(Refused):
        send(project, region("1-0", 1, box=(0, 0, 9, 9)), region("1-0", 1, box=(0, 0, 8, 8)))


def test_an_earlier_version_is_restored_by_its_fields(project: Project) -> None:
    send(project, region("1-0", 1, box=(0, 0, 9, 9)))
    first = project.ledger.documents.history("region", "s/1-0")[0]
    send(project, {"kind": "region", "name": "1-0", "after": 2, "set": {"box": first.document["box"]}})
    assert plain(project.state("s").regions["1-0"]) == {**first.document, "proposed": first.document["box"]}
