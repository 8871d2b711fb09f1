"""Studies of a few drawn pairs or clips, and people who take part in them."""

import json
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from affordance.author.project import Project, open_as_project
from affordance.author.study_records import Seat, Study
from affordance.datasets import DatasetCollection, load_collection
from affordance.evaluation.run_config import RunConfig
from affordance.studio.edits import Edit
from affordance.studio.security import passwords
from affordance.studio.security.records import PARTICIPANT, Kept, Person, draft, key_of
from affordance.studio.security.rights import Role
from affordance.studio.security.sessions import Sessions
from affordance.studio.strokes import Sent
from affordance.studio.studies import taking
from affordance.studio.studies.beginning import begin_study
from affordance.studio.studies.opened import Opened, Studies
from affordance.studio.studies.sources.task import task_study
from affordance.tasks.registry import TASKS
from behavior_data import pair, write_pairs
from form_client import FormClient
from patience import PATIENCE
from studio_world import Answer, Server

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
WHO = "person:Ana"


def pairs_of(folder: Path, count: int = 4) -> DatasetCollection:
    return write_pairs(folder, *(pair(f"pair-{number:02}", number % 2) for number in range(count)))


def study_of(
    folder: Path, name: str = "which", task: str = "behavior/choice", per_item: int = 2, seed: int = 0, **how: Any
) -> Study:
    """A study about the dataset of a folder, which asks for nothing before the questions unless that is said."""
    settings = RunConfig(tasks=(TASKS[task],), seed=seed)
    data = load_collection(str(folder))
    return task_study(name, settings, per_item, data, {"spec": str(folder)}, **{"tutorial": False, **how})


@dataclass(slots=True)
class StudyWorld:
    """A study in a ledger of its own, without a server."""

    project: Project
    study: Study
    studies: Studies
    now: datetime = NOON

    @property
    def opened(self) -> Opened:
        return self.studies.open(self.studies.study(self.study.name))

    def enter(self, code: str = "", external: str = "", **how: Any) -> Seat:
        new = Seat(code=code or secrets.token_hex(5), external=external, **how)
        seat = taking.enter(self.project, self.opened, new, self.now)
        return taking.go_on(self.project, self.opened, seat.code, author_of(seat), self.now)

    def answer(self, seat: Seat, slot: str, given: Mapping[str, Any], key: str = "", seconds: float = 2.0) -> None:
        edit = Edit(kind="answer", name=f"{seat.code}/{slot}", after=0, set={"given": given, "seconds": seconds})
        sent = Sent(screen=f"study:{self.study.name}", key=key or secrets.token_hex(16), edits=[edit])
        taking.save_answers(self.project, self.opened, seat.code, author_of(seat), sent, self.now)

    def finish(self, seat: Seat) -> Seat:
        return taking.finish(self.project, self.opened, seat.code, author_of(seat), self.now)


def author_of(seat: Seat) -> str:
    return f"person:{PARTICIPANT}{seat.code}"


@contextmanager
def study_world(where: str | Path, study: Study, cache: Path) -> Iterator[StudyWorld]:
    with open_as_project(str(where)) as project:
        kept = begin_study(project, study, WHO)
        yield StudyWorld(project, kept, Studies(project, cache, look=0.0))


def account(project: Project, url: str, name: str, role: Role = Role.ANNOTATOR) -> FormClient:
    """A person with an account, who is signed in at a studio of the project."""
    person = Person(name=name, role=role, password=passwords.NOBODY)
    project.ledger.documents.write([draft(Kept.PERSON, key_of(name), person, "test", 0)])
    cookie = f"studio-session-{sha256(project.about.id.encode()).hexdigest()[:8]}"
    return FormClient(url, {cookie: Sessions(project.ledger).begin(key_of(name), role)})


# A question as the page shows it, among many, with what is kept of it at each change.
SHOW = """async ({ form, given, blocks, count }) => {
  const { SheetView } = await import("/static/js/taking/sheet.js");
  const slots = Array.from({ length: count }, (_, index) => ({ id: `s${index}` }));
  const acts = { marks: new Set(), go: () => {}, put: (...kept) => (window.kept = kept) };
  const sheet = { heading: "A question", instruction: "", blocks, form };
  const view = new SheetView({ slots }, 0, sheet, given && { given, seconds: 0 }, acts);
  window.view?.close();
  Object.assign(window, { view, kept: null });
  document.getElementById("taking").replaceChildren(view.element);
}"""


def show(page: Page, form: Any, given: Any = None, blocks: Any = (), count: int = 3) -> None:
    """Show a form on the page of a study, in place of what is there."""
    page.evaluate(SHOW, {"form": asdict(form), "given": given, "blocks": list(blocks), "count": count})


def right_side(opened: Opened, slot: str) -> str:
    """The side on which the winner of a pair is shown: pairs of even number are won by the first design."""
    question = opened.source._questions[slot]  # type: ignore[attr-defined]
    return str(question.truth).lower()


@dataclass(slots=True)
class Taker:
    """Somebody who takes part over HTTP, with the cookies that a browser would keep."""

    server: Server
    study: str
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""

    def open(self, path: str, **headers: str) -> Answer:
        """A page, with redirects."""
        answer = self.get(path, **headers)
        while answer.status == 303:
            answer = self.get(answer.headers["location"])
        if found := re.search(r'name="csrf" content="(\w*)"', answer.body.decode()):
            self.csrf = found[1]
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self._send("GET", path, None, {name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, path: str, content: object) -> Answer:
        headers = {"Content-Type": "application/json", "X-CSRF-Token": self.csrf}
        return self._send("POST", path, json.dumps(content).encode(), headers)

    def state(self) -> Any:
        answer = self.get(f"/api/study/{self.study}")
        assert answer.status == 200, answer.body
        return answer.json

    def step(self, name: str, content: object = None) -> Answer:
        return self.post(f"/api/study/{self.study}/{name}", content or {})

    def sheet(self, slot: str) -> Any:
        answer = self.get(f"/api/study/{self.study}/sheet?slot={slot}")
        assert answer.status == 200, answer.body
        return answer.json

    def answer(self, slot: str, given: Mapping[str, Any], code: str, key: str = "") -> Answer:
        edit = {"kind": "answer", "name": f"{code}/{slot}", "after": 0, "set": {"given": given, "seconds": 1.5}}
        sent = {"screen": f"study:{self.study}", "key": key or secrets.token_hex(16), "edits": [edit]}
        return self.post("/api/answers", sent)

    def _send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        own = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        try:
            connection.request(method, path, body, own | dict(headers))
            found = connection.getresponse()
            told = found.getheaders()
            answer = Answer(found.status, {name.lower(): value for name, value in told}, found.read())
        finally:
            connection.close()
        for name, value in told:
            if name.lower() == "set-cookie":
                cookie, _, content = value.partition(";")[0].partition("=")
                self.cookies[cookie] = content
        return answer
