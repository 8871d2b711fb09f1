"""The recorded author project, studio, studies and interrupted captures of version 1: they open, continue and export
as they did. `tests/data/version-1/projects/README.md` says what they are."""

import json
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from postgres_copy import load_into_postgres
from recorded_projects import (
    EXPECTED,
    PROJECTS,
    TASK_STUDY,
    Visitor,
    observe_author,
    observe_capture,
    observe_participant,
    observe_prices,
    observe_stage,
    observe_studio,
    observe_task_study,
    read_defaults,
    read_documents,
    read_export,
    run_json,
    serve_task_study,
)
from recorded_values import assert_contains

from affordance.cli.main import run_command
from studio_world import Server, serving
from study_world import Taker

ACCOUNTS = json.loads((PROJECTS / "accounts.json").read_text("utf-8"))
NEW_PASSWORD = "a-new-and-long-password"


def expected(name: str) -> Any:
    return json.loads((EXPECTED / f"projects-{name}.json").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of the recorded data; `db` is the address of the database if that is in Postgres."""

    folder: Path
    db: str | None = None

    @property
    def project(self) -> Path:
        return self.folder / "shop"

    @property
    def options(self) -> tuple[str, ...]:
        return () if self.db is None else ("--db", self.db)


def copy_projects(folder: Path) -> Copy:
    shutil.copytree(PROJECTS, folder, ignore=shutil.ignore_patterns("capture"))
    return Copy(folder)


@pytest.fixture(autouse=True, scope="module")
def _elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("recorded")
        patch.setenv("AFFORDANCE_CACHE", str(folder / "cache"))
        patch.chdir(folder)
        yield


@pytest.fixture(params=["sqlite", "postgres"])
def copy(request: pytest.FixtureRequest, tmp_path: Path) -> Copy:
    found = copy_projects(tmp_path / "copy")
    return found if request.param == "sqlite" else in_postgres(found, request.getfixturevalue("postgres_url"))


def in_postgres(copy: Copy, url: str) -> Copy:
    """The same project, as it is where its database is in Postgres."""
    database = copy.project / "project.db"
    load_into_postgres(database, url)
    database.unlink()
    about = copy.project / "project.json"
    about.write_text(json.dumps(json.loads(about.read_text("utf-8")) | {"database": "postgres"}), "utf-8")
    return Copy(copy.folder, url)


def test_project_gives_the_recorded_documents_status_costs_and_exports(copy: Copy, tmp_path: Path) -> None:
    found = observe_author(copy.project, copy.db, tmp_path / "out")
    for name in ("documents", "status", "cost", "exports"):
        assert_contains(expected(name), found[name], name)
    assert_contains(read_export(PROJECTS / "exports" / "own"), read_export(tmp_path / "out" / "own"))


def test_recorded_export_is_a_valid_dataset_and_adds_nothing_to_its_project(tmp_path: Path) -> None:
    copy = copy_projects(tmp_path / "copy")
    for part in ("screens", "choices", "clips", "pairs"):
        assert run_command(["data", "check", str(PROJECTS / "exports" / "own" / part)]) == 0
    before = read_documents(copy.project)
    told = run_json("author", "import", copy.project, PROJECTS / "exports" / "own")
    assert (told["screens"], told["revisions"]) == ([], {})
    assert read_documents(copy.project) == before


def test_interrupted_stage_asks_only_what_is_missing(copy: Copy) -> None:
    recorded = expected("stage")
    before, in_all = (recorded.pop(name) for name in ("answered before", "in all"))
    found = observe_stage(copy.folder, copy.db)
    assert before > 0
    assert found["asked"] == in_all - before
    assert_contains(recorded, found)


def test_prices_come_from_the_recorded_settings(tmp_path: Path) -> None:
    assert_contains(expected("priced"), observe_prices(copy_projects(tmp_path / "copy").folder))


def test_recorded_settings_are_defaults_of_the_commands() -> None:
    shared = {"--quiet": True}
    wanted = {
        "studio": {**shared, "--port": 8480, "--sign-in": True, "--no-browser": True},
        "study": {**shared, "--per-item": 3, "--seed": 7},
    }
    for command, options in wanted.items():
        assert_contains(options, read_defaults(PROJECTS / "affordance.toml", command), command)


@dataclass(frozen=True, slots=True)
class Studio:
    """A studio of a copy; `shown` is what it showed before any test changed something."""

    server: Server
    copy: Copy
    shown: dict[str, Any]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Tests may change it, each something of its own."""
    copy = copy_projects(tmp_path_factory.mktemp("studio") / "copy")
    with serving(copy.project, "--sign-in") as server:
        yield Studio(server, copy, observe_studio(server, copy.folder))


@pytest.mark.parametrize("name", ["studies", "participants", "lists", "people"])
def test_studio_shows_what_was_recorded(studio: Studio, name: str) -> None:
    assert_contains(expected(name), studio.shown[name], name)


@pytest.mark.parametrize("name", ACCOUNTS["accounts"])
def test_people_sign_in_with_their_passwords(studio: Studio, name: str) -> None:
    account = ACCOUNTS["accounts"][name]
    visitor = Visitor(studio.server)
    assert visitor.sign_in(name, account["password"]) == (401 if account["disabled"] else 303)
    assert visitor.send("GET", "/api/screens")[0] == (401 if account["disabled"] else 200)
    may_manage = account["role"] == "administrator"
    assert (visitor.send("GET", "/api/assignments")[0] == 200) is may_manage


def test_wrong_password_is_refused(studio: Studio) -> None:
    assert Visitor(studio.server).sign_in("Ben", ACCOUNTS["accounts"]["Cleo"]["password"]) == 401


def test_sessions_continue(studio: Studio) -> None:
    assert Visitor(studio.server, dict(ACCOUNTS["sessions"]["Ana"])).send("GET", "/api/assignments")[0] == 200
    assert Visitor(studio.server, dict(ACCOUNTS["sessions"]["Dora"])).send("GET", "/api/screens")[0] == 401, "disabled"


def test_invitations_work_once_unless_revoked(studio: Studio) -> None:
    path = ACCOUNTS["invitation"]["path"]
    assert Visitor(studio.server).join(ACCOUNTS["revoked invitation"]["path"], "Eve", NEW_PASSWORD) == 410
    newcomer = Visitor(studio.server)
    assert newcomer.join(path, "Fay", NEW_PASSWORD) == 303
    assert newcomer.send("GET", "/api/screens")[0] == 200
    assert Visitor(studio.server).join(path, "Gil", NEW_PASSWORD) == 410
    assert Visitor(studio.server).sign_in("Fay", NEW_PASSWORD) == 303


def test_edits_continue_from_the_recorded_versions(studio: Studio) -> None:
    edit_region(studio.server, studio.copy)


def test_studio_in_postgres_shows_the_same_and_continues(tmp_path: Path, postgres_url: str) -> None:
    copy = in_postgres(copy_projects(tmp_path / "copy"), postgres_url)
    with serving(copy.project, "--sign-in", *copy.options) as server:
        for name, shown in observe_studio(server, copy.folder, copy.db).items():
            assert_contains(expected(name), shown, name)
        edit_region(server, copy)
        come_back(server, "prefer", "by the link")


def edit_region(server: Server, copy: Copy) -> None:
    """Ben moves the region that he drew. An edit of the version before is a conflict."""
    ben = Visitor(server)
    assert ben.sign_in("Ben", ACCOUNTS["accounts"]["Ben"]["password"]) == 303
    ben.open("/boxes")
    before = read_documents(copy.project, copy.db)["region"]["page-1/n-drawn"]
    box = {"space": "pixel", "xyxy": [22, 22, 122, 92]}
    for version, status in ((len(before["authors"]) - 1, 409), (len(before["authors"]), 200)):
        edit = {"kind": "region", "name": "n-drawn", "after": version, "set": {"box": box}}
        sent = {"screen": "page-1", "key": secrets.token_hex(16), "edits": [edit]}
        found, told = ben.post("/api/strokes", sent)
        assert found == status, told
    after = read_documents(copy.project, copy.db)["region"]["page-1/n-drawn"]
    assert after["document"] == before["document"] | {"box": box}
    assert after["authors"] == [*before["authors"], "person:Ben"]


def come_back(server: Server, study: str, who: str) -> None:
    """A participant returns with the cookie, sees what was recorded, answers the rest and finishes."""
    (person,) = [one for one in ACCOUNTS["studies"][study]["people"] if one["who"] == who]
    recorded = expected("participants")[study][who]
    assert_contains(recorded, observe_participant(server, study, person))
    taker = Taker(server, study, dict(person["cookies"]))
    taker.open(f"/study/{study}")
    left = [one["id"] for one in taker.state()["slots"] if not one["answered"]]
    assert left
    for slot in left:
        assert taker.answer(slot, fill(taker.sheet(slot)["form"]), person["code"]).status == 200
    assert taker.step("finish").json["stage"] == "done"


def fill(form: dict[str, Any]) -> dict[str, Any]:
    match form["kind"]:
        case "either":
            return {"side": "second"}
        case "words":
            return {one["name"]: "something goes from left to right" for one in form["fields"]}
        case "yes or no":
            return {"yes": True}
    raise AssertionError(form)


@pytest.mark.parametrize(
    ("study", "who"),
    [
        ("prefer", "by the link"),
        ("prefer", "from a recruiting service"),
        ("survey", "by the link"),
        ("labels", "by the link"),
    ],
)
def test_participants_come_back_by_cookie_and_finish(studio: Studio, study: str, who: str) -> None:
    come_back(studio.server, study, who)


@pytest.mark.parametrize("study", [name for name in ACCOUNTS["studies"] if name != TASK_STUDY])
def test_participants_come_back_by_their_own_link(studio: Studio, study: str) -> None:
    people = [one for one in ACCOUNTS["studies"][study]["people"] if one["back"]]
    assert people or study in ("boxes", "errors"), "of those only people with an account take part"
    for person in people:
        taker = Taker(studio.server, study)
        assert taker.open(person["back"]).status == 200
        assert taker.state()["code"] == person["code"]


def test_newcomers_enter_by_the_recorded_link_unless_the_study_is_closed(studio: Studio) -> None:
    studies = ACCOUNTS["studies"]
    taker = Taker(studio.server, "prefer")
    assert taker.open(studies["prefer"]["link"]).status == 200
    assert taker.state()["stage"] == "consent"
    assert taker.step("consent", {"agreed": True}).json["stage"] == "tutorial"
    assert Taker(studio.server, "prefer-closed").open(studies["prefer-closed"]["link"]).status == 410


def test_study_of_a_task_continues_with_its_dataset_elsewhere(tmp_path: Path) -> None:
    copy = copy_projects(tmp_path / "copy")
    recorded = expected("task-study")
    assert_contains(recorded, observe_task_study(copy.folder))
    with serve_task_study(copy.folder) as link:
        server = Server(Path(), (), Path(), url=link.partition("/s/")[0])
        (person,) = [one for one in ACCOUNTS["studies"][TASK_STUDY]["people"] if one["who"] == "by the link"]
        taker = Taker(server, TASK_STUDY, dict(person["cookies"]))
        taker.open(f"/study/{TASK_STUDY}")
        state = taker.state()
        slot = state["slots"][state["at"]]["id"]
        assert taker.answer(slot, {"side": "first"}, state["code"]).status == 200
    ledger = copy.project / "project.db"
    rows = run_json("report", "--ledger", ledger, "--run", TASK_STUDY, "--format", "json", flag=())
    assert {row["model"] for row in rows} == {f"study:{TASK_STUDY}"}
    answered = sum(one["counted"] == "yes" for one in recorded["export"]["answers"])
    assert sum(row["ended"]["answered"] for row in rows) == answered + 1


@pytest.mark.parametrize("kind", ["page", "outcomes", "animation"])
def test_interrupted_capture_is_completed(kind: str, tmp_path: Path) -> None:
    recorded = expected("captures")[kind]
    folder = tmp_path / "capture"
    shutil.copytree(PROJECTS / "capture", folder)
    sources = {"page": "pages", "outcomes": "screens", "animation": "films"}
    moved = ("--source", str(folder / "pages" / "tea.html")) if kind == "outcomes" else ()
    out = folder / kind
    lines = [json.loads(line) for line in (out / "capture.journal").read_bytes().splitlines()[1:]]
    assert [key for key, _ in lines] == recorded["written before the cut"]
    kept = {record["id"]: record for _, record in lines if isinstance(record, dict)}
    before = {path: path.stat().st_mtime_ns for path in (out / "media").iterdir()}
    command = ["capture", kind, str(folder / sources[kind]), "-o", str(out), *recorded["options"], *moved, "--quiet"]
    assert run_command(command) == 0
    found = observe_capture(out)
    assert (found["ids"], found["files"]) == (recorded["ids"], recorded["files"])
    items = {one["id"]: one for one in map(json.loads, (out / "items.jsonl").read_text("utf-8").splitlines())}
    for name, record in kept.items():
        assert_contains(record, items[name], name)
        for path, written in before.items():
            if path.stem in (name, f"{name}-after"):
                assert path.stat().st_mtime_ns == written, f"{path.name} was captured again"
