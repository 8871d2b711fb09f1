"""What pages read: the list, a screen, news, history, warnings. From a server that runs, on both databases."""

import gzip
import json
import secrets
from collections.abc import Iterator
from typing import Any

import pytest

from affordance.author.project import Project, open_project, plain
from affordance.author.records import Kind, Region
from affordance.ledger import DocumentDraft
from author_notes import assert_noted
from errors import assert_carries
from studio_world import Server, box, make_project, serving

ANA = ("--as", "ana")


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def studio(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Project]]:
    """A studio, and its project as another process has it open."""
    folder = tmp_path_factory.mktemp("api") / "project"
    db = None
    if request.param == "postgres":
        import psycopg

        server_url = request.getfixturevalue("postgres_server")
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute("CREATE SCHEMA studio_api")
        db = f"{server_url}&options=-csearch_path%3Dstudio_api"
    make_project(folder, screens=3, regions=12, db=db, captured=True)
    options = ANA if db is None else (*ANA, "--db", db)
    with serving(folder, *options) as server, open_project(folder, db) as project:
        yield server, project


@pytest.fixture
def server(studio: tuple[Server, Project]) -> Server:
    return studio[0]


@pytest.fixture
def project(studio: tuple[Server, Project]) -> Project:
    return studio[1]


def stroke(server: Server, screen: str, *edits: dict[str, Any]) -> Any:
    sent = {"screen": screen, "key": secrets.token_hex(16), "edits": list(edits)}
    answer = server.post("/api/strokes", sent)
    assert answer.status == 200, answer.body
    return answer.json


def moved(name: str, version: int, *xyxy: float) -> dict[str, Any]:
    return {"kind": "region", "name": name, "after": version, "set": {"box": {"space": "pixel", "xyxy": list(xyxy)}}}


def test_the_list_says_how_far_each_screen_is(server: Server) -> None:
    found = server.get("/api/screens").json
    assert [row["id"] for row in found["screens"]] == ["screen-1", "screen-2", "screen-3"]
    row = found["screens"][2]
    assert (row["regions"], row["corrected"], row["done"], row["aside"], row["unreadable"]) == (12, 0, False, "", "")
    assert (row["questions"], row["dropped"], row["abandoned"]) == (3, 1, 0)
    assert (row["validated"], row["failed"], row["rejected"]) == (0, 0, 0)
    assert row["unvalidated"] > 0


def test_a_screen_has_all_that_a_page_needs(server: Server, project: Project) -> None:
    found = server.get("/api/screen", screen="screen-3").json
    assert (found["id"], found["shot"]["width"], found["shot"]["height"]) == ("screen-3", 1280, 800)
    assert found["last"] <= project.ledger.documents.last_revision_id()
    documents = {(one["kind"], one["name"]): one for one in found["documents"]}
    assert {kind for kind, _ in documents} == {"region", "type", "retelling", "question"}
    assert documents["region", "0-0"]["document"]["box"] == {"space": "pixel", "xyxy": [0, 0, 1280, 800]}
    assert documents["region", "1-0"]["version"] == 1
    assert documents["region", "1-0"]["author"] == "test:model"
    assert found["originals"]["1-0"] == {
        "box": documents["region", "1-0"]["document"]["box"]["xyxy"],
        "parent": "0-0",
    }
    labels = {snap["label"] for snap in found["snaps"]}
    assert {"Open 0", "Button 2-0"} <= labels
    assert all(len(snap["box"]) == 4 for snap in found["snaps"])


def test_what_is_saved_is_in_the_list_the_screen_and_the_news(server: Server, project: Project) -> None:
    before = server.get("/api/screen", screen="screen-1").json
    stroke(server, "screen-1", moved("1-0", 1, 10, 10, 900, 790))
    news = server.get("/api/news", screen="screen-1", after=before["last"]).json
    assert [(one["kind"], one["name"], one["version"], one["author"]) for one in news["entries"]] == [
        ("region", "1-0", 2, "person:ana")
    ]
    assert news["last"] > before["last"]
    assert news["problems"]["0-0"]
    assert "0-0" not in before["problems"]
    assert news["people"] == []
    assert server.get("/api/news", screen="screen-1", after=news["last"]).json["entries"] == []
    assert server.get("/api/news", screen="screen-1", after=news["last"]).json["problems"] is None
    assert server.get("/api/news", screen="screen-2", after=before["last"]).json["entries"] == []
    row = next(row for row in server.get("/api/screens").json["screens"] if row["id"] == "screen-1")
    assert (row["corrected"], row["untold"]) == (1, 1)
    after = server.get("/api/screen", screen="screen-1").json
    assert after["originals"]["1-0"] == before["originals"]["1-0"]
    assert after["problems"] == news["problems"]
    assert len(project.ledger.documents.history(Kind.REGION, "screen-1/1-0")) == 2


def test_what_other_processes_write_is_news(server: Server, project: Project) -> None:
    last = server.get("/api/screens").json["last"]
    region = Region(box=box(20, 20, 60, 60), parent="0-0")
    project.ledger.documents.write(
        [DocumentDraft(Kind.REGION, "screen-2/7-7", plain(region), "test:model", "screen-2")]
    )
    news = server.get("/api/news", screen="screen-2", after=last).json
    assert [one["name"] for one in news["entries"]] == ["7-7"]
    found = {row["id"]: row for row in server.get("/api/screens").json["screens"]}
    assert found["screen-2"]["regions"] == 13


def test_history_has_all_versions(server: Server) -> None:
    stroke(server, "screen-2", moved("1-1", 1, 100, 100, 300, 300))
    stroke(server, "screen-2", moved("1-1", 2, 120, 100, 300, 300))
    versions = server.get("/api/history", screen="screen-2", kind="region", name="1-1").json["versions"]
    assert [(one["version"], one["author"]) for one in versions] == [
        (1, "test:model"),
        (2, "person:ana"),
        (3, "person:ana"),
    ]
    stroke(server, "screen-2", {"kind": "reviewed", "name": "", "after": 0, "set": {"done": True}})
    assert len(server.get("/api/history", screen="screen-2", kind="reviewed").json["versions"]) == 1
    assert server.get("/api/history", screen="screen-2", kind="region", name="n-nothing0").json["versions"] == []


def test_warnings_while_something_is_dragged(server: Server) -> None:
    whole = server.get("/api/screen", screen="screen-3").json
    assert whole["problems"] == {}
    boxes = {name: one["box"] for name, one in whole["originals"].items()}
    found = server.post("/api/problems", {"screen": "screen-3", "boxes": {"1-0": boxes["1-1"]}}).json["problems"]
    assert_carries(found["0-0"][0], "1-0", "1-1", "1.00")
    assert_noted(found["1-0"], "%")
    new = {"screen": "screen-3", "boxes": {"n-00000000": [0, 0, 4, 4]}, "parents": {"n-00000000": "1-1"}}
    found = server.post("/api/problems", new).json["problems"]
    assert list(found) == ["1-1"]
    assert server.post("/api/problems", {"screen": "screen-3", "parents": {"1-0": "2-0"}}).status == 200
    assert server.get("/api/screen", screen="screen-3").json["last"] >= whole["last"]
    assert server.get("/api/screen", screen="screen-3").json["documents"] == whole["documents"]


def test_the_taxonomy(server: Server) -> None:
    found = server.get("/api/types").json
    assert found["types"][0]["group"] == "Primary Interface Containers"
    assert "Isolated Icon" in found["leaf"]


def test_long_answers_are_compressed_for_who_understands_it(server: Server) -> None:
    plain_one = server.get("/api/screen", screen="screen-3")
    packed = server.get("/api/screen", {"Accept-Encoding": "br, gzip"}, screen="screen-3")
    assert "content-encoding" not in plain_one.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert len(packed.body) < len(plain_one.body) / 3
    assert json.loads(gzip.decompress(packed.body))["documents"] == plain_one.json["documents"]


def test_a_document_that_cannot_be_read_is_told_where_it_is(server: Server, project: Project) -> None:
    subject = "screen-3/2-0"
    before = project.ledger.documents.history(Kind.TYPE, subject)[0]
    project.ledger.documents.write([DocumentDraft(Kind.TYPE, subject, {"type": 7}, "import", "screen-3")])
    answer = server.get("/api/screen", screen="screen-3")
    assert answer.status == 409
    assert_carries(answer.json["detail"], "type", subject, 2, "import")
    assert str(project.folder) not in answer.json["detail"]
    assert server.get("/api/screens").status == 200
    project.ledger.documents.write([DocumentDraft(Kind.TYPE, subject, before.document, "import", "screen-3")])
    assert server.get("/api/screen", screen="screen-3").status == 200


BAD_ADDRESSES: tuple[tuple[str, int], ...] = (
    ("/api/screen", 422),
    ("/api/screen?screen=", 422),
    ("/api/screen?screen=nowhere", 404),
    ("/api/screen?screen=../project.db", 404),
    ("/api/screen?screen=screen-1/1-0", 404),
    (f"/api/screen?screen={'x' * 401}", 422),
    ("/api/news?screen=screen-1", 422),
    ("/api/news?screen=screen-1&after=-1", 422),
    ("/api/news?screen=screen-1&after=1e9", 422),
    ("/api/news?screen=screen-1&after=99999999999999999999", 422),
    ("/api/news?screen=nowhere&after=0", 404),
    ("/api/history?screen=screen-1&kind=work&name=1-0", 422),
    ("/api/history?screen=screen-1&kind=nothing&name=1-0", 422),
    ("/api/history?screen=nowhere&kind=region&name=1-0", 404),
)
BAD_MOVES: tuple[tuple[object, int], ...] = (
    ({}, 422),
    ({"screen": "nowhere", "boxes": {"1-0": [0, 0, 1, 1]}}, 404),
    ({"screen": "screen-1", "boxes": {"1-0": [0, 0, 1]}}, 422),
    ({"screen": "screen-1", "boxes": {"1-0": [9, 0, 1, 1]}}, 422),
    ({"screen": "screen-1", "boxes": {"1-0": ["0", 0, 1, 1]}}, 422),
    ({"screen": "screen-1", "boxes": {"1-0": [0, 0, 1e300, 1]}}, 422),
    ({"screen": "screen-1", "boxes": {"n-new00000": [0, 0, 9, 9]}}, 422),
    ({"screen": "screen-1", "parents": {"1-0": None}}, 422),
    ({"screen": "screen-1", "boxes": {str(n): [0, 0, 9, 9] for n in range(2001)}}, 422),
    ([1], 422),
)


def test_requests_that_make_no_sense_are_refused_in_one_line(server: Server) -> None:
    answers = [(path, status, server.get(path)) for path, status in BAD_ADDRESSES]
    answers += [(str(sent)[:100], status, server.post("/api/problems", sent)) for sent, status in BAD_MOVES]
    for sent, status, answer in answers:
        assert (answer.status, list(answer.json)) == (status, ["detail"]), sent
        assert_carries(answer.json["detail"])


def test_regions_that_people_drew_are_in_the_order_of_drawing(server: Server, project: Project) -> None:
    region = plain(Region(box=box(20, 20, 60, 60), parent="0-0"))
    for name in ("n-zzzzzzzz", "n-aaaaaaaa", "n-zzzzzzzz"):
        project.ledger.documents.write(
            [DocumentDraft(Kind.REGION, f"screen-3/{name}", region, "person:ana", "screen-3")]
        )
    assert server.get("/api/screen", screen="screen-3").json["drawn"] == ["n-zzzzzzzz", "n-aaaaaaaa"]
    assert server.get("/api/screen", screen="screen-2").json["drawn"] == []
