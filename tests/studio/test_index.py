"""How far each screen is: always what reading all of its documents would say."""

import itertools
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from affordance.author.project import Project, create_project, open_project, plain
from affordance.author.records import (
    ROOT,
    Kind,
    QuestionRecord,
    Region,
    Retelling,
    Reviewed,
    Selection,
    Validation,
)
from affordance.author.regions.reannotating import reannotate
from affordance.author.state import ScreenState
from affordance.author.tools import NotThere, Tools
from affordance.ledger import DocumentDraft
from affordance.studio.index import Index
from affordance.studio.presence import SECONDS, Presence
from studio_world import box, make_project, shot_of

BOXES = [box(0, 0, 40, 40), box(10, 10, 30, 30), box(5, 5, 90, 20), box(2000, 10, 2040, 30)]
SCREENS = ("a", "b")
NODES = ("1-0", "1-1", "2-0", "n-aaaaaaaa")


def expected(project: Project, state: ScreenState) -> dict[str, Any]:
    """The row of a screen, from all that is known of it."""
    nodes = [name for name in state.regions if name != ROOT]
    told = {name for name in nodes if name in state.retellings}
    said = {name: verdict(state.validations[name]) for name in nodes if name in state.validations}
    asked = [standing(one) for one in state.questions.values()]
    corrected = [name for name in nodes if name in state.corrected]
    reviewed = project.ledger.documents.latest(kind=Kind.REVIEWED, subject=state.id)
    return {
        "id": state.id,
        "digest": state.shot.digest,
        "width": state.shot.width,
        "height": state.shot.height,
        "platform": state.shot.platform,
        "regions": len(nodes),
        "corrected": len(corrected),
        "done": any(one.document["done"] for one in reviewed),
        "untold": due(state),
        "unvalidated": len(told - said.keys()),
        "validated": list(said.values()).count("passed"),
        "failed": list(said.values()).count("failed"),
        "rejected": list(said.values()).count("rejected"),
        "questions": asked.count("kept"),
        "dropped": asked.count("dropped"),
        "abandoned": asked.count("abandoned"),
        "aside": state.selection.why if state.selection is not None and not state.selection.on else "",
        "unreadable": "",
    }


def verdict(said: Validation) -> str:
    if said.rejected:
        return "rejected"
    return "passed" if said.contextual and said.purposeful and said.truthful else "failed"


def standing(question: QuestionRecord) -> str:
    return "abandoned" if question.abandoned else "dropped" if question.dropped else "kept"


def due(state: ScreenState) -> int:
    """How many regions `author reannotate` would tell anew, as it says itself where no model is there to ask."""
    coroutine = reannotate(Tools(prompts={}, settings={}), state)
    try:
        coroutine.send(None)
    except NotThere as none:
        return int(str(none).split()[0])
    except StopIteration:
        return 0
    raise AssertionError("without a model nothing is waited for")


_box = some.sampled_from(BOXES)
_flag = some.booleans()
_region = some.builds(Region, box=_box, parent=some.sampled_from([ROOT, "1-0", "2-0", "n-aaaaaaaa", "9-9"]), gone=_flag)
_retelling = some.builds(Retelling, box=_box, description=some.just("d"), functionality=some.just("f"), gone=_flag)
_validation = some.builds(
    Validation, box=some.none() | _box, contextual=_flag, purposeful=_flag, truthful=_flag, rejected=_flag, gone=_flag
)
_question = some.builds(
    QuestionRecord,
    form=some.just("ground"),
    level=some.just("region"),
    target=some.just("1-0"),
    box=_box,
    abandoned=_flag,
)
_document = some.one_of(
    some.tuples(some.just(Kind.REGION), some.sampled_from(NODES), _region),
    some.tuples(some.just(Kind.REGION), some.just(ROOT), some.just(Region(box=box(0, 0, 1280, 800)))),
    some.tuples(some.just(Kind.RETELLING), some.sampled_from(NODES), _retelling),
    some.tuples(some.just(Kind.VALIDATION), some.sampled_from(NODES), _validation),
    some.tuples(some.just(Kind.QUESTION), some.sampled_from(["q1", "q2"]), _question),
    some.tuples(some.just(Kind.REVIEWED), some.just(""), some.builds(Reviewed, done=_flag)),
    some.tuples(some.just(Kind.SELECTION), some.just(""), some.builds(Selection, on=_flag, why=some.just("too dark"))),
)
_write = some.tuples(some.sampled_from(SCREENS), _document, some.sampled_from(["person:ana", "test:model"]))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project that gets new screens for each example: to make one takes longer than all else."""
    folder = tmp_path_factory.mktemp("index") / "project"
    create_project(folder)
    with open_project(folder) as opened:
        yield opened


_numbers = itertools.count()


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(batches=some.lists(some.lists(_write, min_size=1, max_size=20), min_size=1, max_size=3))
def test_rows_are_what_reading_each_screen_says(written: Project, batches: list[list[Any]]) -> None:
    names = {one: f"{one}-{next(_numbers)}" for one in SCREENS}
    shots = [
        DocumentDraft(Kind.SCREEN, one, plain(shot_of(one, f"digest-{one}")), "init", one) for one in names.values()
    ]
    written.ledger.documents.write(shots)
    index = Index(written)
    for batch in batches:
        drafts = [
            DocumentDraft(
                kind, f"{names[screen]}/{name}" if name else names[screen], plain(document), author, names[screen]
            )
            for screen, (kind, name, document), author in batch
        ]
        written.ledger.documents.write(drafts)
        rows = index.rows()[1]
        assert rows == Index(written).rows()[1]
        found = {row["id"]: row for row in rows}
        for screen in names.values():
            assert found[screen] == expected(written, written.state(screen))


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with open_project(make_project(tmp_path / "project", screens=2)) as opened:
        yield opened


def test_what_cannot_be_read_is_told_and_the_rest_is_counted(project: Project) -> None:
    index = Index(project)
    whole = index.rows()[1]
    project.ledger.documents.write(
        [DocumentDraft(Kind.REGION, "screen-1/1-0", {"box": "somewhere"}, "person:ana", "screen-1")]
    )
    first, second = index.rows()[1]
    for data in ("region", "screen-1/1-0", "2", "person:ana"):
        assert data in first["unreadable"]
    assert first["regions"] < whole[0]["regions"]
    assert second == whole[1]
    before = project.ledger.documents.history(Kind.REGION, "screen-1/1-0")[0]
    project.ledger.documents.write(
        [DocumentDraft(Kind.REGION, "screen-1/1-0", before.document, "person:ana", "screen-1")]
    )
    told = "1-0" in project.state("screen-1").retellings
    assert index.rows()[1][0] == whole[0] | {"corrected": 1, "untold": 0 if told else 1}


def test_a_screen_that_cannot_be_read_is_in_the_list(project: Project) -> None:
    project.ledger.documents.write([DocumentDraft(Kind.SCREEN, "screen-1", {"image": "../x"}, "init", "screen-1")])
    first = Index(project).rows()[1][0]
    assert (first["id"], first["digest"], first["width"]) == ("screen-1", "", 0)
    assert "screen-1" in first["unreadable"]


def test_new_screens_come_by_themselves(project: Project) -> None:
    index = Index(project)
    last, rows = index.rows()
    assert (last, len(rows)) == (project.ledger.documents.last_revision_id(), 2)
    project.ledger.documents.write(
        [DocumentDraft(Kind.SCREEN, "a-new-one", plain(shot_of("a-new-one", "d")), "init", "a-new-one")]
    )
    assert [row["id"] for row in index.rows()[1]] == ["a-new-one", "screen-1", "screen-2"]


def test_threads_that_write_and_read_see_their_own(project: Project) -> None:
    index = Index(project)
    wrong: list[str] = []

    def work(person: int) -> None:
        for number in range(10):
            name = f"n-{person:04}{number:04}"
            region = Region(box=box(10, 10, 20 + number, 20), parent=ROOT)
            subject = f"screen-1/{name}"
            project.ledger.documents.write(
                [DocumentDraft(Kind.REGION, subject, plain(region), f"person:{person}", "screen-1")]
            )
            if name not in index.marks("screen-1").standing():
                wrong.append(name)
            index.rows()

    threads = [threading.Thread(target=work, args=(person,)) for person in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert index.rows()[1][0]["corrected"] == 40


def test_presence_forgets_who_says_nothing() -> None:
    now = [100.0]
    presence = Presence(lambda: now[0])
    assert presence.at("ana", "a") == []
    assert presence.at("ben", "a") == ["ana"]
    assert presence.at("ana", "b") == []
    assert presence.at("ana", "a") == ["ben"]
    now[0] += SECONDS + 1
    assert presence.at("ben", "a") == []
    for number in range(1500):
        presence.at(f"person {number}", "crowded")
    assert len(presence.at("ana", "crowded")) <= 1000
