"""Judging and error review through a real server: people come by a link, answer, and a judge is certified by it."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from affordance.author.project import open_as_project
from affordance.cli.main import run_command
from affordance.core.model_name import ModelName
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.models.study_documents import study_scope
from affordance.studio.studies.beginning import study_link
from affordance.tasks.behavior.rationale import RATIONALE
from behavior_data import published
from errors import assert_carries
from patience import PATIENCE
from studio_world import Answer
from study_crowd import served_study

REASONS = [[(f"The part {index} is larger.", "Fitts’s Law", "Action")] for index in range(4)]
MODELS = tuple(map(ModelName.parse, ("oracle", "baseline:random")))
LABELS, ERRORS = "labels", "why"

_keys = count()


@dataclass(frozen=True, slots=True)
class Addresses:
    port: int
    labels: str
    errors: str


@dataclass(slots=True)
class Person:
    """Who uses a browser: it keeps cookies, and reads what proves that they come from a page."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""

    def go(self, path: str) -> Answer:
        return self._send("GET", path, None, {})

    def post(self, path: str, content: object) -> Answer:
        headers = {"X-CSRF-Token": self.csrf, "Content-Type": "application/json"}
        return self._send("POST", path, json.dumps(content).encode(), headers)

    def answer(self, study: str, seat: str, slot: str, given: dict[str, Any]) -> Answer:
        edit = {"kind": "answer", "name": f"{seat}/{slot}", "after": 0, "set": {"given": given, "seconds": 4}}
        return self.post("/api/answers", {"screen": study_scope(study), "key": f"{next(_keys):032x}", "edits": [edit]})

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        """With all cookies of an answer: there may be several."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            connection.request(method, path, body, {**headers, "Cookie": cookies})
            found = connection.getresponse()
            for name, value in found.getheaders():
                if name.lower() == "set-cookie":
                    self.cookies |= {key: one.value for key, one in SimpleCookie(value).items()}
            answer = Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read())
        finally:
            connection.close()
        if (told := re.search(rb'name="csrf" content="(\w+)"', answer.body)) is not None:
            self.csrf = told[1].decode()
        return answer


def take_part(person: Person, study: str, say: Callable[[dict[str, Any]], dict[str, Any]]) -> list[dict[str, Any]]:
    """From the page to the end; the sheets."""
    assert person.go(f"/study/{study}").status == 200
    assert person.go(f"/api/study/{study}").status == 200
    at = person.post(f"/api/study/{study}/taught", {}).json
    assert at["stage"] == "slots"
    sheets = []
    for slot in at["slots"]:
        sheets.append(person.go(f"/api/study/{study}/sheet?slot={slot['id']}").json)
        saved = person.answer(study, at["code"], slot["id"], say(sheets[-1]))
        assert (saved.status, saved.json["state"]) == (200, "saved"), saved.body
    assert person.post(f"/api/study/{study}/finish", {}).json["stage"] == "done"
    return sheets


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a ledger that holds a run with a judge."""
    folder = tmp_path_factory.mktemp("judged")
    settings = RunConfig(tasks=(RATIONALE,), judge="baseline:overlap")
    data = published(folder / "set", REASONS)
    execute_run(RunRequest(settings, data, MODELS, str(folder / "affordance.db"), folder / "pictures", "explained"))
    return folder


@pytest.fixture(scope="module")
def addresses(folder: Path) -> Iterator[Addresses]:
    """Where people go: both studies are in one ledger, so that one studio serves them."""
    said = folder / "study-stderr.txt"
    with chdir(folder):
        with served_study(folder, LABELS, "--label", "explained", "-n", "8", "--per-item", "3", "--no-consent") as link:
            labels = urlsplit(link).path
        with served_study(folder, ERRORS, "--errors", "explained", "-n", "4") as review:
            yield Addresses(urlsplit(review).port or 0, labels, urlsplit(review).path)
        assert "--run explained" in said.read_text("utf-8")


def test_a_judge_is_certified_by_labels_made_in_the_studio(
    addresses: Addresses, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for person in (Person(addresses.port), Person(addresses.port)):
        assert person.go(addresses.labels).status == 303
        sheets = take_part(person, LABELS, lambda sheet: {"yes": "part" in sheet["blocks"][0]["text"]})
        assert len(sheets) == 8
        told = json.dumps(sheets)
        for secret in ("oracle", "baseline", "overlap", "explained", "verdict"):
            assert secret not in told
    page = Person(addresses.port).go(f"/studies/{LABELS}").body.decode()
    assert f"--labels study:{LABELS}" in page  # the next command
    capsys.readouterr()
    command = ("judge", "certify", "--judge", "baseline:overlap", "--labels", f"study:{LABELS}", "--quiet", "--json")
    assert run_command((*command, "--ledger", str(folder / "affordance.db"))) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["labels"], document["empty"], document["labellers"]) == (8, 0, 2)
    assert (document["agreement"]["n"], document["agreement"]["share"]) == (8, 1.0)
    assert document["alpha_of_labellers"] == 1.0
    assert run_command(("report", "--json", "--run", "explained", "--ledger", str(folder / "affordance.db"))) == 0
    assert {row["certificate"]["state"] for row in json.loads(capsys.readouterr().out)} == {"certified"}


def test_who_comes_by_a_link_sees_no_truth(addresses: Addresses, folder: Path) -> None:
    assert addresses.errors == f"/study/{ERRORS}", "no link that anybody could use"
    with open_as_project(str(folder / "affordance.db")) as project:
        link = study_link(project, ERRORS, "person:somebody")
    person = Person(addresses.port)
    found = person.go(link)
    assert found.status == 403
    assert b'data-reason="refused"' in found.body
    assert person.go(addresses.labels).status == 303, "as a participant of another study"
    person.go(addresses.errors)
    for path in (f"/api/study/{ERRORS}", f"/api/study/{ERRORS}/sheet?slot=x"):
        assert person.go(path).status == 403


def test_errors_are_reviewed_by_who_runs_the_studio(
    addresses: Addresses, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person = Person(addresses.port)
    sheets = take_part(person, ERRORS, lambda sheet: {"tags": ["said nothing", f"tag {sheet['slot']}"], "note": ""})
    assert [sheet["form"]["known"] for sheet in sheets[:2]] == [[], ["said nothing", f"tag {sheets[0]['slot']}"]]
    for sheet in sheets:
        assert [block["kind"] for block in sheet["blocks"]] == ["still", "still", "text", "text", "text", "text"]
        assert all(block["label"] for block in sheet["blocks"])
        picture = person.go(sheet["blocks"][0]["src"])
        assert (picture.status, picture.headers["content-type"]) == (200, "image/png")
    capsys.readouterr()
    assert run_command(("report", "--json", "--run", "explained", "--ledger", str(folder / "affordance.db"))) == 0
    (review,) = json.loads(capsys.readouterr().out)[0]["reviews"]
    assert (review["study"], review["found"]["n"], review["found"]["tags"][0]["tag"]) == (ERRORS, 4, "said nothing")
    assert review["found"]["tags"][0]["share"] == 1.0


def test_mistakes_are_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    several = ("--judgements", "explained", "--failures", "explained", "-n", "4")
    for arguments, data in (
        (several, ("--judgements", "--failures")),
        (("--judgements", "explained"), ("-n", "--judgements")),
        (("-n", "4"), ("'new'", "labels", "why")),  # without a source it has to exist
        (("--failures", "explained", "-n", "4", "--data", "x"), ("--data", "--failures")),
        (("--failures", "explained", "-n", "4", "--task", "motion/effect"), ("--task", "--failures")),
        (("--failures", "explain", "-n", "4"), ("'explain'", "'explained'")),
        (("--judgements", "explained", "-n", "1"), ("-n", "2")),
        (("--judgements", "explained", "-n", "4", "--task", "motion/meaning"), ("explained", "motion/meaning")),
    ):
        assert run_command(("study", "create", "new", *arguments, "--db", str(folder / "affordance.db"))) == 2
        assert_carries(capsys.readouterr().err, *data)
