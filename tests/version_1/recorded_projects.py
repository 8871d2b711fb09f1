"""What comes out of the recorded author project and studio, by command, over HTTP and, where there is neither, from
the code: all that the tests use of its names is here."""

import csv
import io
import json
import re
import shutil
from collections.abc import Mapping
from contextlib import AbstractContextManager, chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import cv2
from author_server import MODEL, AuthorServer
from typer.main import get_command

from affordance.author.project import open_project
from affordance.cli.defaults import load_defaults
from affordance.cli.main import app, run_command
from affordance.datasets import load_folder
from patience import PATIENCE
from studio_world import Server
from study_crowd import served_study
from study_world import Taker

PROJECTS = Path(__file__).parents[1] / "data" / "version-1" / "projects"
EXPECTED = Path(__file__).parents[1] / "data" / "version-1" / "expected"
TASK_STUDY = "which"
FORMATS = ("own", "coco", "pictures")
# Documents of people, links, sessions and studies are looked at over HTTP instead.
KINDS = (
    *("screen", "captured", "selection", "region", "division", "type", "retelling", "validation", "elements"),
    *("candidates", "element groups", "region groups", "question", "reviewed", "work"),
    *("clip", "pair", "rationale", "review", "mask", "halves"),
)
_PASSING = frozenset({"folder", "last", "hours", "created", "seen"})  # of this moment or this computer


def read_documents(project: Path, db: str | None = None) -> dict[str, dict[str, Any]]:
    """The latest version of each document, by kind and subject, with who wrote it and who wrote those before."""
    found: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    with open_project(project, db, read_only=True) as opened:
        for kind in KINDS:
            for one in opened.ledger.documents.latest(kind=kind):
                authors = [old.author for old in opened.ledger.documents.history(kind, one.subject)]
                found[kind][one.subject] = {"screen": one.scope, "authors": authors, "document": dict(one.document)}
    return found


def run_json(*arguments: object, flag: tuple[str, ...] = ("--json",)) -> Any:
    """What a command prints as JSON."""
    with redirect_stdout(io.StringIO()) as told, redirect_stderr(io.StringIO()) as complaints:
        code = run_command([*map(str, arguments), *flag])
    assert code == 0, (code, complaints.getvalue())
    return without_passing(json.loads(told.getvalue()))


def without_passing(value: Any) -> Any:
    """Without what is of this moment or this computer."""
    if isinstance(value, Mapping):
        return {key: without_passing(one) for key, one in value.items() if key not in _PASSING}
    return [without_passing(one) for one in value] if isinstance(value, list) else value


def observe_author(project: Path, db: str | None, out: Path) -> dict[str, Any]:
    """Documents, status, cost and exports of the project; the exports are written to `out`."""
    options = () if db is None else ("--db", db)
    exports = {}
    for name in FORMATS:
        told = run_json("author", "export", project, "-o", out / name, "--format", name, *options)
        found = read_export(out / name)
        exports[name] = {**told, **found} if name != "own" else {**told, "digests": found["digests"]}  # see `exports`
    return {
        "documents": read_documents(project, db),
        "status": run_json("author", "status", project, *options),
        "cost": run_json("author", "cost", project, *options),
        "exports": exports,
    }


def read_export(folder: Path) -> dict[str, Any]:
    """All of an export: texts by content, pictures by size, and the digests of datasets."""
    files: dict[str, Any] = {}
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        name = path.relative_to(folder).as_posix()
        if path.suffix == ".json":
            files[name] = json.loads(path.read_text("utf-8"))
        elif path.suffix == ".jsonl":
            files[name] = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        elif path.suffix in (".png", ".jpg"):
            files[name] = list(cv2.imread(str(path)).shape[1::-1])
        else:
            files[name] = path.stat().st_size
    digests = {one.parent.name: load_folder(one.parent).digest() for one in sorted(folder.rglob("dataset.json"))}
    return {"files": files, "digests": digests}


@dataclass
class Visitor:
    """Somebody at the studio, with the cookies that a browser keeps."""

    server: Server
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""

    def open(self, path: str) -> int:
        """Opens a page, through redirects; the status."""
        status, headers, body = self.send("GET", path)
        while status == 303:
            status, headers, body = self.send("GET", headers["location"])
        if found := re.search(r'name="csrf" (?:content|value)="(\w+)"', body.decode()):
            self.csrf = found[1]
        return status

    def sign_in(self, name: str, password: str) -> int:
        """The status of what is sent by the form; 303 leads inside."""
        assert self.open("/sign-in") == 200
        form = urlencode({"csrf": self.csrf, "name": name, "password": password, "next": "/"}).encode()
        return self.send("POST", "/sign-in", form, "application/x-www-form-urlencoded")[0]

    def join(self, path: str, name: str, password: str) -> int:
        status = self.open(path)
        if status != 200:
            return status
        form = urlencode({"csrf": self.csrf, "name": name, "password": password, "again": password}).encode()
        return self.send("POST", path, form, "application/x-www-form-urlencoded")[0]

    def get(self, path: str) -> Any:
        status, _, body = self.send("GET", path)
        assert status == 200, (path, status, body)
        return without_passing(json.loads(body))

    def post(self, path: str, content: object) -> tuple[int, Any]:
        status, _, body = self.send("POST", path, json.dumps(content).encode(), "application/json")
        return status, json.loads(body)

    def send(self, method: str, path: str, body: bytes | None = None, kind: str = "") -> tuple[int, Any, bytes]:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if kind:
            headers |= {"Content-Type": kind, "X-CSRF-Token": self.csrf}
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers)
            found = connection.getresponse()
            told, content = found.getheaders(), found.read()
        finally:
            connection.close()
        for name, value in told:
            if name.lower() == "set-cookie":
                cookie, _, rest = value.partition(";")[0].partition("=")
                self.cookies[cookie] = rest
        return found.status, {name.lower(): value for name, value in told}, content


def observe_studio(server: Server, folder: Path, db: str | None = None) -> dict[str, Any]:
    """What the studio shows to people with an account, and to participants."""
    kept = json.loads((folder / "accounts.json").read_text("utf-8"))
    ana, ben = (Visitor(server) for _ in range(2))
    for visitor, name in ((ana, "Ana"), (ben, "Ben")):
        assert visitor.sign_in(name, kept["accounts"][name]["password"]) == 303
    studies = {}
    participants: dict[str, Any] = {}
    for name, study in kept["studies"].items():
        if name == TASK_STUDY:
            continue
        state = ana.get(f"/api/studies/{name}")
        studies[name] = {"state": state}
        if not state["blind"]:
            studies[name]["disputed"] = ana.get(f"/api/studies/{name}/disputed")["items"]
            studies[name]["export"] = export_study(folder, name, db)
        participants[name] = observe_participants(server, name, study["people"])
    lists = {what: ana.get(f"/api/{what}")[what] for what in ("screens", "clips", "pairs")}
    own = {what: sorted(ben.get(f"/api/{what}")["mine"]) for what in ("screens", "clips", "pairs")}
    people = {"assignments": ana.get("/api/assignments"), "own": own}
    return {"studies": studies, "participants": participants, "lists": lists, "people": people}


def export_study(folder: Path, name: str, db: str | None = None) -> dict[str, Any]:
    """The three files of a study, rows of tables as lists of columns. Media of a project in Postgres are those in the
    current folder."""
    out, project = folder / f"study-{name}", folder / "shop"
    shutil.rmtree(out, ignore_errors=True)
    with chdir(project), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as complaints:
        code = run_command(["study", name, "--db", db or str(project / "project.db"), "--export", str(out)])
    assert code == 0, complaints.getvalue()
    return read_study(out)


def serve_task_study(folder: Path) -> AbstractContextManager[str]:
    """The study about questions of a task. Its dataset is elsewhere by now, which the command says."""
    data = ("--task", "behavior/choice", "--data", str(folder / "pairs"), "--per-item", "4", "--per-person", "3")
    return served_study(folder, TASK_STUDY, *data, "--db", str(folder / "shop" / "project.db"))


def observe_task_study(folder: Path) -> dict[str, Any]:
    kept = json.loads((folder / "accounts.json").read_text("utf-8"))["studies"][TASK_STUDY]
    with serve_task_study(folder) as link:
        server = Server(Path(), (), Path(), url=link.partition("/s/")[0])
        people = observe_participants(server, TASK_STUDY, kept["people"])
    return {"participants": people, "export": export_study(folder, TASK_STUDY)}


def observe_stage(folder: Path, db: str | None = None) -> dict[str, Any]:
    """What the interrupted stage asks when it is resumed, and what it writes."""
    project, options = folder / "shop", () if db is None else ("--db", db)
    with AuthorServer() as server:
        told = run_json("author", "classify", project, "--model", MODEL, "--prompts", folder / "prompts", *options)
        again = run_json("author", "classify", project, "--model", MODEL, "--prompts", folder / "prompts", *options)
    counts = {name: told[name] for name in ("done", "skipped", "failed", "pending")}
    return {
        "asked": len(server.bodies),
        "told": counts,
        "again": {name: again[name] for name in counts},
        "types": read_documents(project, db)["type"],
    }


def observe_prices(folder: Path) -> Any:
    """What the project cost by the prices in `affordance.toml`, which is found from the current folder."""
    with chdir(folder):
        return run_json("author", "cost", folder / "shop")


def read_defaults(path: Path, command: str) -> dict[str, Any]:
    """The options of a command for which a configuration file has defaults, by their long names."""
    whole = get_command(app)
    found, chosen = load_defaults(whole, path)[command], whole.commands[command]  # type: ignore[attr-defined]
    if default := getattr(chosen, "default", ""):  # a group that was a command
        found, chosen = found[default], chosen.commands[default]
    parameters = {one.name: max(one.opts, key=len) for one in chosen.params}
    return {parameters[name]: value for name, value in found.items()}


def read_study(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = {"study": without_passing(json.loads((out / "study.json").read_text("utf-8")))}
    for table in ("answers", "seats"):
        with (out / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            found[table] = without_passing(list(csv.DictReader(file)))
    return found


def observe_participants(server: Server, study: str, people: list[dict[str, Any]]) -> dict[str, Any]:
    """Those who came by the link of the study: others have an account."""
    return {one["who"]: observe_participant(server, study, one) for one in people if one["cookies"]}


def observe_participant(server: Server, study: str, person: Mapping[str, Any]) -> dict[str, Any]:
    """How far somebody is who comes back by cookie, and what they are asked next."""
    taker = Taker(server, study, dict(person["cookies"]))
    assert taker.open(f"/study/{study}").status == 200
    state = taker.state()
    found = {name: state[name] for name in ("stage", "slots", "at", "back", "completion", "code", "closed")}
    if state["stage"] != "slots":
        return found
    slot = state["slots"][state["at"]]["id"]
    return {**found, "next": observe_sheet(taker.sheet(slot))}


def observe_sheet(sheet: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked, without the words in which it is."""
    blocks = [{key: one[key] for key in ("kind", "width", "height", "frames") if key in one} for one in sheet["blocks"]]
    form = sheet["form"]
    names = {key: [one["name"] for one in form[key]] for key in ("options", "fields") if key in form}
    shape = {key: form[key] for key in ("kind", "several", "box", "size", "absent", "low", "high") if key in form}
    return {"slot": sheet["slot"], "blocks": blocks, "form": {**shape, **names}, "given": sheet["given"]}


def observe_capture(folder: Path) -> dict[str, Any]:
    """What a capture has found: ids, and of screens the elements, which do not depend on fonts."""
    items = load_folder(folder).items
    elements = {
        one.id: [[element.role, element.name] for element in one.elements] for one in items if hasattr(one, "elements")
    }
    media = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {"ids": [one.id for one in items], "elements": elements, "files": sorted(media)}
