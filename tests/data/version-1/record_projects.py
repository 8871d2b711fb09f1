"""Records the author project, the studio with its studies, and the interrupted captures in `projects/`.

Belongs to commit cb35761c6491815e442cb3969b84278ceb86d269 and runs with the code of that commit only:

    PYTHONPATH=src:tests:tests/version_1 python tests/data/version-1/record_projects.py

It works in /tmp/version-1, which must not exist: that path is part of what is recorded. The data in the repository is
kept as it is; this file says how it came about."""

import json
import os
import re
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import cv2
import numpy as np
from author_server import MODEL, AuthorServer
from recorded_projects import (
    observe_author,
    observe_capture,
    observe_prices,
    observe_stage,
    observe_studio,
    observe_task_study,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

import cut_short
from affordance import author as prompts
from affordance.author.project import open_project
from affordance.cli.main import run_command
from affordance.core.digest import canonical
from affordance.ledger._schema import metadata
from affordance.media import encode_image
from clip_world import draw_clip
from pair_world import composite, design, marked, write_pairs
from patience import PATIENCE, until
from studio_world import Server, serving
from study_crowd import served_study
from study_world import Taker

HERE = Path(__file__).resolve().parent
WORK = Path("/tmp/version-1")  # the same on every computer
SHOP = WORK / "shop"
PROMPTS = WORK / "prompts"
FAR = "2999-12-31T00:00:00+00:00"
HOLD_HOURS = 1e6
PASSWORDS = {
    "Ana": "an-apple-and-a-plum",
    "Ben": "bread-butter-and-brie",
    "Cleo": "cider-in-cold-cellars",
    "Dora": "dates-and-dried-dill",
}
ANSWERED_BEFORE_THE_CUT = 2
PICTURE, TEA = "page-1", "tea-640x480-1x-light-en-US"
PAGE = """<!doctype html><html lang=en><title>{title}</title><style>
body {{ margin: 0; font: 16px sans-serif }} header {{ background: #234; color: #fff; padding: 12px }}
main {{ display: flex; gap: 12px; padding: 12px }} section {{ border: 1px solid #888; padding: 8px; width: 180px }}
</style><header><h1>{title}</h1><nav><a href=#one>One</a> <a href=#two>Two</a></nav></header>
<main><section aria-label=Tea><h2>Tea</h2><p id=p>Not ordered</p>
<button onclick="p.textContent = 'Ordered'">Order</button></section>
<section aria-label=Search><h2>Search</h2><label>Words <input type=text></label>
<button onclick="this.textContent = 'Found nothing'">Find</button></section></main></html>
"""
ANIMATION = """<!doctype html><title>{title}</title><style>body {{ margin: 0; background: #fff }}
div {{ width: 30px; height: 30px; margin: 20px; background: #{colour}; animation: go 0.2s linear 0.1s 1 forwards }}
@keyframes go {{ to {{ transform: translateX(60px) }} }}</style><div></div>
"""
TOML = """# Defaults of people who work on a project together.
quiet = true

[studio]
port = 8480
sign-in = true
no-browser = true

[study]
per-item = 3
seed = 7

[prices]  # US dollars per million tokens
"m" = { input = 2.0, output = 10.0 }

[providers.mine]
base_url = "https://models.example.org/v1"
key_variable = "MINE_API_KEY"
"""
CAPTURES = {
    "page": ("--size", "320x240", "--theme", "light", "--theme", "dark", "--synthetic", "--workers", "1"),
    "outcomes": ("--workers", "1"),
    "animation": ("--size", "160x100", "--seconds", "0.6", "--still", "0.1", "--twins", "reversed", "--synthetic"),
}
CUT_AFTER = {"page": 2, "outcomes": 3, "animation": 3}  # lines of the journal


def author(*arguments: object, code: int = 0) -> None:
    found = run_command(["author", *map(str, arguments)])
    assert found == code, (arguments, found)


def draw_late_page() -> bytes:
    """A dark list, which looks like no other."""
    drawn = np.full((480, 640, 3), 40, np.uint8)
    drawn[400:] = 200
    for row in range(4):
        drawn[20 + row * 90 : 90 + row * 90, 300:620] = (90, 60 + 40 * row, 120)
    return encode_image(drawn)


def draw_page(seed: int) -> bytes:
    """A bar, a side bar, and rows of cards with buttons that look alike."""
    chance = np.random.default_rng(seed)
    drawn = np.full((480, 640, 3), 248, np.uint8)
    drawn[:44] = chance.integers(20, 90, 3)
    drawn[44:, :120] = chance.integers(200, 235, 3)
    for row in range(1):
        for column in range(3):
            x, y = 140 + column * 165, 60 + row * 200
            drawn[y : y + 120, x : x + 150] = 255
            drawn[y : y + 120, x : x + 2] = drawn[y : y + 2, x : x + 150] = 180
            drawn[y + 85 : y + 108, x + 60 : x + 140] = (30, 100, 190)
            drawn[y + 94 : y + 98, x + 75 : x + 125] = 255
            drawn[y + 12 : y + 18, x + 12 : x + 60 + int(chance.integers(0, 60))] = 60
    return encode_image(drawn)


def make_sources() -> None:
    pictures = WORK / "pictures"
    pictures.mkdir()
    (pictures / "page-1.png").write_bytes(draw_page(1))
    copy = cv2.imdecode(np.frombuffer(draw_page(1), np.uint8), cv2.IMREAD_COLOR)
    copy[470:474, 600:604] = 90
    (pictures / "page-1b.png").write_bytes(encode_image(copy))
    (WORK / "late.png").write_bytes(draw_late_page())
    site = WORK / "site"
    site.mkdir()
    (site / "tea.html").write_text(PAGE.format(title="Tea shop"), "utf-8")
    assert run_command(["capture", "page", str(site), "-o", str(WORK / "captured"), "--size", "640x480",
                        "--synthetic", "--licence", "CC0-1.0", "--quiet"]) == 0  # fmt: skip
    shutil.copytree(Path(prompts.__file__).parent / "prompts" / "classify", PROMPTS / "author" / "classify")


def draw_pairs(folder: Path) -> Path:
    both = composite(3, 4)
    drawn = {
        "marked": (marked(1), design(2)),
        "single": (both, both),
        "plain": (design(5), design(6)),
        "spare": (design(7), design(8)),
    }
    reasons = [
        {"reason": "The button is larger and closer.", "law": "Fitts’s Law"},
        {"reason": "Fewer things ask for attention.", "law": "Hick’s Law", "neutral": "The number of things differs."},
    ]
    return write_pairs(
        folder,
        drawn,
        plain={"rationales": reasons, "page_type": "pricing", "changes": {"Button": ["Size", "Position"]}},
        marked={"rationales": reasons[:1], "evidence": "tested"},
    )


def make_clips(folder: Path) -> Path:
    folder.mkdir()
    for place, name in enumerate(("drop", "glide", "spin", "face")):
        draw_clip(folder / f"{name}.mp4", 30 + 40 * place)
    return folder


@dataclass
class Person:
    """Somebody with the cookies that a browser would keep."""

    server: Server
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""

    def open(self, path: str) -> str:
        status, headers, body = self.send("GET", path)
        while status == 303:
            status, headers, body = self.send("GET", headers["location"])
        assert status == 200, (path, status, body[:500])
        text = body.decode()
        for pattern in (r'name="csrf" content="(\w+)"', r'name="csrf" value="(\w+)"'):
            if found := re.search(pattern, text):
                self.csrf = found[1]
        return text

    def form(self, path: str, **values: str) -> str:
        """Fill in a form of the page that was opened last."""
        content = urlencode({"csrf": self.csrf, **values}).encode()
        status, headers, body = self.send("POST", path, content, "application/x-www-form-urlencoded")
        assert status in (200, 303), (path, status, body.decode()[:3000])
        return body.decode() if status == 200 else self.open(headers["location"])

    def post(self, path: str, content: object, status: int = 200) -> Any:
        found, _, body = self.send("POST", path, json.dumps(content).encode(), "application/json")
        assert found == status, (path, content, found, body)
        return json.loads(body)

    def get(self, path: str) -> Any:
        status, _, body = self.send("GET", path)
        assert status == 200, (path, status, body)
        return json.loads(body)

    def send(self, method: str, path: str, body: bytes | None = None, kind: str = "") -> tuple[int, Any, bytes]:
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if kind:
            headers |= {"Content-Type": kind, "X-CSRF-Token": self.csrf, "Origin": self.server.url.rstrip("/")}
        try:
            connection.request(method, path, body, headers)
            found = connection.getresponse()
            told = found.getheaders()
            content = found.read()
        finally:
            connection.close()
        for name, value in told:
            if name.lower() == "set-cookie":
                cookie, _, rest = value.partition(";")[0].partition("=")
                self.cookies[cookie] = rest.strip('"')
        return found.status, {name.lower(): value for name, value in told}, content

    def save(self, ground: str, *edits: Mapping[str, Any], status: int = 200, key: str = "") -> Any:
        sent = {"screen": ground, "key": key or secrets.token_hex(16), "edits": list(edits)}
        return self.post("/api/strokes", sent, status)


def edit(kind: str, name: str, after: int, **values: Any) -> dict[str, Any]:
    return {"kind": kind, "name": name, "after": after, "set": values}


def pixels(*xyxy: float) -> dict[str, Any]:
    return {"space": "pixel", "xyxy": list(xyxy)}


def make_people(server: Server, kept: dict[str, Any]) -> dict[str, Person]:
    """Ana comes by the first link and invites the others. Two more invitations stay open, one is taken back."""
    found = {"Ana": join(server, urlsplit(server.link).path, "Ana")}
    ana = found["Ana"]
    for name, role in (("Ben", "annotator"), ("Cleo", "reviewer"), ("Dora", "annotator")):
        found[name] = join(server, invite(ana, role, name), name)
    kept["invitation"] = {"role": "annotator", "path": invite(ana, "annotator", "for somebody new")}
    kept["revoked invitation"] = {"role": "reviewer", "path": invite(ana, "reviewer", "to be taken back")}
    page = ana.open("/people")
    link = re.search(r'name="link" value="(\w+)"', page)  # the newest is the first
    assert link is not None
    ana.form("/people/links/revoke", link=link[1])
    ana.open("/people")
    ana.form("/people/disable", person="dora")
    kept["accounts"] = {
        name: {"password": PASSWORDS[name], "role": role, "disabled": name == "Dora"}
        for name, role in (("Ana", "administrator"), ("Ben", "annotator"), ("Cleo", "reviewer"), ("Dora", "annotator"))
    }
    return found


def invite(ana: Person, role: str, note: str) -> str:
    ana.open("/people")
    page = ana.form("/people/links", role=role, days="7", note=note)
    found = re.search(r"/join/[\w-]{43}", page)
    assert found is not None
    return found[0]


def join(server: Server, path: str, name: str) -> Person:
    person = Person(server)
    person.open(path)
    person.form(path, name=name, password=PASSWORDS[name], again=PASSWORDS[name])
    person.open("/")
    return person


def region_names(screen: str) -> dict[str, str | None]:
    """The regions of a screen with their parents."""
    with open_project(SHOP, read_only=True) as project:
        return {name: one.parent for name, one in project.state(screen).regions.items()}


def correct_regions(ben: Person, cleo: Person) -> None:
    """Another box, a new region, a deletion that is undone and one that is not, a conflict, a save that is repeated."""
    parents = region_names(PICTURE)
    leaves = [name for name in parents if name not in parents.values() and parents[name] == "0-0"]
    first, second, third = [name for name in parents if parents[name] == "0-0"][:3]
    ben.save(PICTURE, edit("region", first, 1, box=pixels(10, 8, 310, 200)), edit("type", first, 1, type="Form"))
    cleo.save(PICTURE, edit("region", first, 1, box=pixels(1, 1, 9, 9)), status=409)
    key = secrets.token_hex(16)
    new = edit("region", "n-drawn", 0, box=pixels(20, 20, 120, 90), parent=first)
    ben.save(PICTURE, new, key=key)
    assert ben.save(PICTURE, new, key=key)["again"]
    ben.save(PICTURE, edit("region", second, 1, gone=True))
    ben.save(PICTURE, edit("region", second, 2, gone=False))
    cleo.save(PICTURE, edit("region", (leaves or [third])[-1], 1, gone=True))
    named = [name for name in region_names(TEA) if name != "0-0"]
    with open_project(SHOP, read_only=True) as project:
        box = project.state(TEA).regions[named[0]].box.to_json()
    texts = {"description": "A dark bar at the top", "functionality": "Leads to both parts of the shop"}
    ben.save(TEA, edit("retelling", named[0], 0, **texts, rationale="The text was of the whole page.", box=box))
    ben.save(TEA, edit("type", named[-1], 1, type="Toolbar / Action Bar", subtype="search"))


def correct_texts(ben: Person, cleo: Person) -> None:
    """What people say of re-described regions and of questions."""
    with open_project(SHOP, read_only=True) as project:
        states = {screen: project.state(screen) for screen in (PICTURE, TEA)}
    fine = {"contextual": True, "purposeful": True, "truthful": True}
    told = {screen: dict(state.retellings) for screen, state in states.items()}
    (first, one), (second, other) = list(told[PICTURE].items())[:2]
    cleo.save(PICTURE, edit("validation", first, 0, **fine, box=one.box.to_json(), told=one.functionality))
    wrong = fine | {"truthful": False, "rejected": True, "note": "There is no such list."}
    cleo.save(PICTURE, edit("validation", second, 0, **wrong, box=other.box.to_json()))
    name, own = next(iter(told[TEA].items()))
    cleo.save(TEA, edit("validation", name, 0, **fine, box=own.box.to_json()))
    cleo.save(TEA, edit("validation", name, 1, gone=True))
    for screen, state in states.items():
        grounds = [name for name, question in state.questions.items() if question.form == "ground"]
        kept = [name for name in grounds if not state.questions[name].dropped]
        dropped = [name for name, question in state.questions.items() if question.dropped]
        if kept:
            words = {**state.questions[kept[0]].expressions, "functionality": f"Find what people look for on {screen}"}
            ben.save(screen, edit("question", kept[0], 1, expressions=words))
        if len(kept) > 1:
            ben.save(screen, edit("question", kept[-1], 1, abandoned=True))
        if dropped:
            cleo.save(screen, edit("question", dropped[0], 1, dropped=""))
        print(screen, len(state.questions), "questions", len(kept), "kept", len(dropped), "dropped")
    ben.save(PICTURE, edit("reviewed", "", 0, done=True, note="all but the side bar"))
    ben.save(TEA, edit("reviewed", "", 0, done=True))
    ben.save(TEA, edit("reviewed", "", 1, done=False))


def work_on_clips_and_pairs(ben: Person, cleo: Person) -> None:
    inputs = [{"summary": "clicks the button", "modality": ["mouse"], "type": ["click"]}]
    ben.save("drop", edit("clip", "", 1, start_frame=4, end_frame=18, regions=[pixels(10, 36, 150, 68)],
                          context="A shop", inputs=inputs, platform="web", done=True))  # fmt: skip
    cleo.save("drop", edit("clip", "", 2, note="The end is right now."))
    ben.save("spin", edit("clip", "", 1, aside=True, note="It is the same as glide."))
    ben.save("face", edit("clip", "", 1, flags=["personal data"]))
    brush = {"points": [[60, 270], [64, 272]], "radius": 9}
    ben.save("marked", edit("mask", "0", 0, found=True, brushes=[brush], accepted=True),
             edit("mask", "1", 0, found=False, clean=True))  # fmt: skip
    cut = [pixels(0, 0, 480, 320), pixels(504, 0, 984, 320)]
    ben.save("single", edit("halves", "", 0, boxes=cut, winner="second", confirmed=True))
    ben.save("single", edit("pair", "", 1, page_type="product", device="desktop", industry="Food"))
    ben.save("plain", edit("rationale", "n-1", 0, reason="The heading says what it costs.", place=1.5))
    ben.save("plain", edit("rationale", "r-1", 1, gone=True))
    review = {"round": 1, "seen": ["n-1", "r-0"], "irrelevant": ["r-0"], "missing": ["the colour"], "done": True}
    cleo.save("plain", edit("review", "1-Cleo", 0, **review))
    ben.save("plain", edit("rationale", "n-2", 0, reason="The button is red.", law="Von Restorff Effect",
                           place=3.0, meets="the colour"))  # fmt: skip
    ben.save("spare", edit("pair", "", 1, aside=True, note="Both look alike."))


def fill(sheet: Mapping[str, Any], number: int) -> dict[str, Any]:
    """An answer that fits a form; other people, by number, answer otherwise."""
    form = sheet["form"]
    told = re.search("“(.+?)”", sheet["instruction"])  # in an attention check, what is to be chosen
    match form["kind"]:
        case "choice":
            names = [one["name"] for one in form["options"]]
            chosen = names[number % len(names)]
            given: dict[str, Any] = {"options": [chosen]} if form["several"] else {"option": chosen}
            return given | ({"reason": f"as seen by person {number}"} if form["reason"] else {})
        case "either":
            labels = list(form["labels"])
            at = labels.index(told[1]) if told and told[1] in labels else number % 2
            return {"side": ("first", "second")[at]}
        case "place":
            x, y = 10 + 7 * number, 12 + 5 * number
            box = pixels(x, y, x + 100, y + 60)
            return {"box": box} if form["box"] else {"point": {"space": "pixel", "xy": [x, y]}}
        case "words":
            return {one["name"]: f"person {number} says what {one['name']} is" for one in form["fields"]}
        case "scale":
            return {"score": form["low"]}
        case "yes or no":
            return {"yes": number % 2 == 0}
        case "tags":
            return {"tags": ["guessed", f"seen by {number}"], "note": "as it seems"}
    raise AssertionError(form)


@dataclass
class Study:
    server: Server
    name: str
    link: str
    people: list[dict[str, Any]] = field(default_factory=list)

    def take(self, who: str, number: int, leave: str, *, query: str = "", most: int | None = None,
             wrong: bool = False, cookies: Mapping[str, str] | None = None) -> None:  # fmt: skip
        """Somebody takes part. `leave`: finish, stop or withdraw, after `most` answers or all of them."""
        taker = Taker(self.server, self.name, dict(cookies or {}))
        path = f"/study/{self.name}" if cookies is not None else f"{self.link}{query}"
        assert taker.open(path).status == 200, who
        state = taker.state()
        if state["stage"] == "consent":
            state = taker.step("consent", {"agreed": True}).json
        if state["stage"] == "about":
            state = taker.step("about", {"age": "25-34", "gender": "woman"}).json
        if state["stage"] == "tutorial":
            state = taker.step("taught").json
        assert state["stage"] == "slots", (who, state)
        slots = [one["id"] for one in state["slots"]]
        for place, slot in enumerate(slots[:most]):
            given = fill(taker.sheet(slot), number + place)
            if wrong and slot.startswith("check-"):
                given = {"side": "first" if given["side"] == "second" else "second"}
            answer = taker.answer(slot, given, state["code"])
            assert answer.status == 200, (who, given, answer.body)
        if most == 1:  # changed once: the last one counts
            assert taker.answer(slots[0], fill(taker.sheet(slots[0]), number + 1), state["code"]).status == 200
        state = taker.state()
        if leave == "finish":
            state = taker.step("finish").json
        if leave == "withdraw":
            state = taker.step("withdraw").json
        found = {"who": who, "code": state["code"], "leave": leave, "stage": state["stage"], "back": state["back"]}
        self.people.append({**found, "cookies": {} if cookies is not None else taker.cookies, "query": query})


def new_study(ana: Person, server: Server, name: str, form: str, link: bool = True, **fields: str) -> Study:
    ana.open("/new-study")
    ana.form("/new-study", name=name, form=form, seed="0", hold_hours="24", **fields)
    path = ""
    if link:
        ana.open(f"/studies/{name}")
        page = ana.form(f"/studies/{name}/link", days="30")
        found = re.search(r"/s/[\w-]{43}", page)
        assert found is not None, page
        path = found[0]
    return Study(server, name, path)


def make_studies(server: Server, people: Mapping[str, Person]) -> list[Study]:
    ana, ben, cleo = (people[name] for name in ("Ana", "Ben", "Cleo"))
    usual = {"consent": "I agree to take part.", "tutorial": "on"}
    closed = new_study(
        ana,
        server,
        "prefer-closed",
        "preference",
        **usual,
        about="on",
        checks="1",
        wrong_checks="0",
        per_item="3",
        completion="https://example.org/done?code=7",
        title="Which is better?",
    )
    closed.take("by the link", 0, "finish")
    closed.take("from a recruiting service", 1, "finish", query="?PROLIFIC_PID=worker-1")
    closed.take("who fails the check", 0, "stop", wrong=True)
    closed.take("who withdraws", 1, "withdraw", query="?PROLIFIC_PID=worker-2")
    ana.open("/studies/prefer-closed")
    ana.form("/studies/prefer-closed/close")
    preferred = new_study(ana, server, "prefer", "preference", **usual, per_item="4")
    preferred.take("by the link", 0, "stop", most=1)
    preferred.take("from a recruiting service", 1, "stop", query="?PROLIFIC_PID=worker-3", most=2)
    preferred.take("who is done", 0, "finish")
    survey = new_study(ana, server, "survey", "survey", **usual, per_item="2", per_person="2")
    survey.take("who is done", 3, "finish")
    survey.take("by the link", 4, "stop", most=1)
    left = survey.people[0]["code"]
    slot = ana.get("/api/studies/survey")  # the answers are there
    assert slot["answered"] == 3, slot
    purpose = new_study(ana, server, "purpose", "purpose", **usual, per_item="2")
    purpose.take("who is done", 0, "finish")
    purpose.take("ben", 2, "stop", most=2, cookies=ben.cookies)
    boxes = new_study(ana, server, "boxes", "boxes", tutorial="on", per_item="2", number="3")
    boxes.take("ben", 0, "finish", cookies=ben.cookies)
    boxes.take("cleo", 9, "stop", most=2, cookies=cleo.cookies)
    labels = new_study(
        ana, server, "labels", "judging", **usual, per_item="2", number="4", run="explained", task="behavior/rationale"
    )
    labels.take("who is done", 0, "finish")
    labels.take("by the link", 1, "stop", most=2)
    errors = new_study(ana, server, "errors", "errors", link=False, per_item="2", number="2", run="picked")
    ana.open("/studies/errors")
    ana.form("/studies/errors/invite", person="cleo")
    errors.take("cleo", 0, "stop", most=1, cookies=cleo.cookies)
    for study in (purpose, boxes):
        settle(ana, study.name)
    with open_project(SHOP, read_only=True) as project:
        answers = project.ledger.documents(screen="study:survey", kind="answer")
    subject = next(one.subject for one in answers if f"/{left}/" in one.subject)
    ana.open("/studies/survey/answers")
    ana.form("/studies/survey/leave-out", seat=left, slot=subject.rpartition("/")[2], why="inappropriate")
    return [closed, preferred, survey, purpose, boxes, labels, errors]


def settle(ana: Person, study: str) -> None:
    """Of the items where people differ, one is decided."""
    items = ana.get(f"/api/studies/{study}/disputed")["items"]
    assert items, study
    given = items[0]["said"][0]["given"]
    ana.open(f"/studies/{study}")
    ana.post(f"/api/studies/{study}/settle", {"item": items[0]["item"], "given": given, "note": "after a look"})


def share_work(ana: Person) -> None:
    ana.open("/assignments")
    both = [{"person": "ben"}, {"person": "cleo"}]
    for what, overlap in (("screens", 50), ("clips", 0), ("pairs", 100)):
        ana.post("/api/assignments", {"what": what, "which": "all", "people": both, "overlap": overlap})


def run_tasks() -> None:
    data = ["--data", str(WORK / "pairs"), "--ledger", str(SHOP / "project.db"), "--trials", "1", "--quiet"]
    assert run_command(["run", "behavior/choice", *data, "--model", "baseline:random", "--name", "picked"]) == 0
    judged = ["--model", "oracle", "--model", "baseline:random", "--judge", "baseline:overlap", "--name", "explained"]
    assert run_command(["run", "behavior/rationale", *data, *judged]) == 0


def ask_people_a_task() -> Study:
    consent = WORK / "consent.txt"
    consent.write_text("I agree to be asked.", "utf-8")
    options = ("which", "--task", "behavior/choice", "--data", str(WORK / "pairs"), "--db", str(SHOP / "project.db"),
               "--per-item", "4", "--per-person", "3", "--consent", str(consent))  # fmt: skip
    with served_study(WORK, *options) as link:
        study = Study(Server(Path(), (), Path(), url=link.partition("/s/")[0]), "which", urlsplit(link).path)
        study.take("who is done", 0, "finish")
        study.take("by the link", 1, "stop", most=1)
        study.take("who withdraws", 0, "withdraw")
    return study


def cut_stage() -> None:
    """A stage that is killed once a few requests are answered."""
    author("init", SHOP, WORK / "late.png", "--quiet")
    author("select", SHOP, "--quiet")
    author("elements", SHOP, "--quiet")
    with AuthorServer():
        author("divide", SHOP, "--model", MODEL, "--depth", "1", "--refinements", "2", "--quiet")
    with AuthorServer(ANSWERED_BEFORE_THE_CUT) as server:
        before = replies()
        command = [sys.executable, "-m", "affordance", "author", "classify", str(SHOP), "--model", MODEL, "--prompts",
                   str(PROMPTS), "--concurrency", "2", "--quiet"]  # fmt: skip
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: replies() - before == ANSWERED_BEFORE_THE_CUT and len(server.bodies) > server.answered,
              going=lambda: process.poll() is None)  # fmt: skip
        process.send_signal(signal.SIGKILL)
        process.wait()


def replies() -> int:
    with closing(sqlite3.connect(f"file:{SHOP / 'project.db'}?mode=ro", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM ledger_replies").fetchone()[0])


def make_timeless(kept: dict[str, Any]) -> None:
    """Sessions and links that are open stay so, and people who have not finished are away: so it is in any year."""
    connection = sqlite3.connect(SHOP / "project.db")
    rows = connection.execute("SELECT id, kind, document FROM author_revisions").fetchall()
    for number, kind, text in rows:
        document = json.loads(text)
        if kind == "session":
            document |= {"expires": FAR, "until": FAR}
        elif kind == "link":
            document |= {"expires": FAR}
        elif kind == "study":
            document |= {"hold_hours": HOLD_HOURS}
        elif kind == "seat" and document.get("seen"):
            document |= {"seen": "2026-01-02T03:04:05+00:00"}
        else:
            continue
        connection.execute("UPDATE author_revisions SET document = ? WHERE id = ?", (canonical(document), number))
    connection.commit()
    for line in ("wal_checkpoint(TRUNCATE)", "journal_mode = DELETE", "page_size = 1024"):  # small pages: a small file
        connection.execute(f"PRAGMA {line}")
    connection.execute("VACUUM")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    kept["expires"] = FAR


def main() -> None:
    assert not WORK.exists(), f"{WORK} is there; remove it first"
    WORK.mkdir()
    os.environ["AFFORDANCE_CACHE"] = str(WORK / "cache")
    make_sources()
    os.chdir(WORK)
    kept: dict[str, Any] = {}
    author("init", SHOP, WORK / "pictures", WORK / "captured", draw_pairs(WORK / "pairs"), make_clips(WORK / "clips"),
           "--name", "Shop", "--licence", "CC0-1.0", "--synthetic", "--quiet")  # fmt: skip
    author("select", SHOP, "--quiet")
    model = ("--model", MODEL, "--quiet")
    with AuthorServer(), serving(SHOP, "--sign-in") as server:
        author("elements", SHOP, "--quiet")
        author("divide", SHOP, *model, "--depth", "1", "--refinements", "2")
        author("classify", SHOP, *model, "--prompts", PROMPTS)
        people = make_people(server, kept)
        ana, ben, cleo = (people[name] for name in ("Ana", "Ben", "Cleo"))
        correct_regions(ben, cleo)
        author("reannotate", SHOP, *model)
        author("group", SHOP, *model)
        author("ask", SHOP, *model, "--checker", MODEL)
        correct_texts(ben, cleo)
        work_on_clips_and_pairs(ben, cleo)
        run_tasks()
        share_work(ana)
        studies = make_studies(server, people)
        kept["sessions"] = {name: person.cookies for name, person in people.items()}
    studies.append(ask_people_a_task())
    kept["studies"] = {one.name: {"link": one.link, "people": one.people} for one in studies}
    cut_stage()
    make_timeless(kept)
    keep(kept)


def count_requests(place: Path) -> int:
    """How many requests the interrupted stage sends where nothing was answered before."""
    copy = WORK / "unanswered"
    shutil.copytree(place, copy)
    with closing(sqlite3.connect(copy / "shop" / "project.db")) as connection:
        last = "SELECT id FROM ledger_replies ORDER BY id DESC LIMIT ?"
        connection.execute(f"DELETE FROM ledger_replies WHERE id IN ({last})", (ANSWERED_BEFORE_THE_CUT,))
        connection.commit()
    return int(observe_stage(copy)["asked"])


def cut_captures() -> None:
    """Captures that are killed in the middle, and what they give where they are not."""
    folder = WORK / "capture"
    pages = folder / "pages"
    pages.mkdir(parents=True)
    for name in ("bread", "tea"):
        (pages / f"{name}.html").write_text(PAGE.format(title=f"{name.title()} shop"), "utf-8")
    films = folder / "films"
    films.mkdir()
    for name, colour in (("first", "a33"), ("second", "3a3")):
        (films / f"{name}.html").write_text(ANIMATION.format(title=name, colour=colour), "utf-8")
    note = 'purpose = "Feedback"\ncontext = "A shop"\nmeaning_responses = ["It is done."]\n'
    (films / "first.toml").write_text(note, "utf-8")
    screens = ["capture", "page", str(pages / "tea.html"), "-o", str(folder / "screens"), "--size", "320x240",
               "--synthetic", "--quiet"]  # fmt: skip
    assert run_command(screens) == 0
    sources = {"page": pages, "outcomes": folder / "screens", "animation": films}
    whole = {}
    for name, source in sources.items():
        for out in (f"{name}-whole", name):
            command = ["capture", name, str(source), "-o", str(folder / out), *CAPTURES[name], "--quiet"]
            if out != name:
                assert run_command(command) == 0
                whole[name] = observe_capture(folder / out)
                continue
            journal = folder / name / "capture.journal"
            watch = [str(journal), str(CUT_AFTER[name]), str(signal.SIGKILL.value)]
            done = subprocess.run([sys.executable, cut_short.__file__, *watch, *command], check=False)
            assert done.returncode == -signal.SIGKILL, "it ended before it was killed"
            written = [json.loads(line)[0] for line in journal.read_bytes().rpartition(b"\n")[0].splitlines()[1:]]
            whole[name] |= {"options": list(CAPTURES[name]), "written before the cut": written}
            print(name, written, whole[name]["ids"])
        shutil.rmtree(folder / f"{name}-whole")
    write_json(HERE / "expected" / "projects-captures.json", whole)
    shutil.rmtree(HERE / "projects" / "capture", ignore_errors=True)
    shutil.copytree(folder, HERE / "projects" / "capture")


def keep(kept: Mapping[str, Any]) -> None:
    """The data goes to its place in the repository, and what comes out of it today next to it."""
    place = HERE / "projects"
    for name in ("shop", "pairs", "prompts"):
        shutil.rmtree(place / name, ignore_errors=True)
        # What the studio and the reading of a database make again is left out.
        shutil.copytree(
            WORK / name, place / name, ignore=shutil.ignore_patterns("examples", "cleaned", "*-wal", "*-shm")
        )
    write_json(place / "accounts.json", kept)
    (place / "affordance.toml").write_text(TOML, "utf-8")
    observe(place)
    cut_captures()


def observe(place: Path) -> None:
    """What comes out of a copy."""
    copy = WORK / "copy"
    shutil.copytree(place, copy)
    shutil.rmtree(place / "exports", ignore_errors=True)
    for name, value in observe_author(copy / "shop", None, WORK / "exports").items():
        write_json(HERE / "expected" / f"projects-{name}.json", value)
    shutil.copytree(WORK / "exports" / "own", place / "exports" / "own")
    with serving(copy / "shop", "--sign-in") as server:
        for name, value in observe_studio(server, copy).items():
            write_json(HERE / "expected" / f"projects-{name}.json", value)
    write_json(HERE / "expected" / "projects-priced.json", observe_prices(copy))
    write_json(HERE / "expected" / "projects-task-study.json", observe_task_study(copy))
    found = {"answered before": ANSWERED_BEFORE_THE_CUT, "in all": count_requests(place), **observe_stage(copy)}
    write_json(HERE / "expected" / "projects-stage.json", found)
    schema = [str(CreateTable(table).compile(dialect=postgresql.dialect())) for table in metadata.sorted_tables]
    indexes = [str(CreateIndex(one).compile(dialect=postgresql.dialect())) for table in metadata.sorted_tables
               for one in sorted(table.indexes, key=lambda index: str(index.name))]  # fmt: skip
    statements = [re.sub(r"[ \t]+\n", "\n", one.strip()) for one in (*schema, *indexes)]
    (place / "postgres.sql").write_text(";\n".join(statements) + ";\n", "utf-8")


def write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
