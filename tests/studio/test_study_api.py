"""Taking part over HTTP: by the study's link and by one's own, to the end, and every way in which that is refused."""

import asyncio
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from affordance.author.project import Project, open_project
from affordance.author.records import Kind
from affordance.ledger import DocumentDraft
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope
from affordance.studio.app import make_app
from affordance.studio.people import People
from affordance.studio.security.cookies import csrf_of
from affordance.studio.security.guard import Guard
from affordance.studio.security.links import Links
from affordance.studio.security.records import Invitation, Kept, changed, digest_of, draft, read
from affordance.studio.security.rights import Role
from affordance.studio.settings import Settings
from affordance.studio.studies.beginning import begin_study, study_link
from affordance.studio.studies.checks import passed
from affordance.studio.studies.forms import EitherForm
from form_client import CHEAP_PASSWORDS, FormClient
from motion_data import clip, write_clips
from patience import until
from studio_world import Server, make_project, serving
from study_world import WHO, Taker, account, pairs_of, study_of

CROSS = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}


@dataclass(slots=True)
class World:
    server: Server
    project: Project
    folder: Path

    def begin(self, name: str, **how: Any) -> str:
        """The path of the link of a new study."""
        data = how.pop("data", "pairs")
        begin_study(self.project, study_of(self.folder / data, name, **how), WHO)
        return study_link(self.project, name, WHO)

    def taker(self, name: str, link: str, query: str = "") -> Taker:
        taker = Taker(self.server, name)
        answer = taker.open(f"{link}{query}")
        assert answer.status == 200, answer.body
        return taker


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("taking")
    pairs_of(folder / "pairs")
    write_clips(folder / "clips", *(clip(name, purpose="Feedback") for name in ("tea", "salt")), frames=20)
    project = make_project(folder / "shop", screens=1)
    with serving(project, "--sign-in", limits=CHEAP_PASSWORDS) as server, open_project(project) as opened:
        yield World(server, opened, folder)


def test_the_whole_way(world: World) -> None:
    link = world.begin(
        "whole",
        per_person=3,
        checks=1,
        consent="I agree.",
        about=True,
        tutorial=True,
        completion="https://x.example/done",
    )
    taker = world.taker("whole", link, "?PROLIFIC_PID=p-1&STUDY_ID=s&SESSION_ID=t")
    state = taker.state()
    assert (state["stage"], state["slots"], state["completion"]) == ("consent", [], "")
    assert state["texts"]["consent"] == "I agree."
    assert taker.step("consent", {"agreed": False}).status == 422
    assert taker.step("consent", {"agreed": True}).json["stage"] == "about"
    assert taker.step("about", {"age": "30 to 39", "gender": ""}).json["stage"] == "tutorial"
    state = taker.step("taught").json
    assert (state["stage"], len(state["slots"]), state["at"]) == ("slots", 4, 0)
    assert taker.step("finish").status == 422
    for slot in state["slots"]:
        assert taker.sheet(slot["id"])["instruction"]
        right = [
            one for one in ("first", "second") if passed(EitherForm(), {"side": one}, slot["id"], state["code"], 0)
        ]
        side = right[0] if slot["id"].startswith("check-") else "first"
        saved = taker.answer(slot["id"], {"side": side}, state["code"])
        assert (saved.status, saved.json["state"], saved.json["again"]) == (200, "saved", False)
        assert set(saved.json["entries"][0]["document"]) == {"given", "seconds"}
        again = taker.sheet(slot["id"])
        assert (again["given"], again["version"]) == ({"side": side}, 1)
    assert all(slot["answered"] for slot in taker.state()["slots"])
    done = taker.step("finish").json
    assert (done["stage"], done["completion"]) == ("done", "https://x.example/done")
    late = taker.answer(state["slots"][0]["id"], {"side": "first"}, state["code"])
    assert (late.status, late.json["state"]) == (422, "refused")
    seat = world.project.ledger.documents.get_many([(Kind.SEAT, f"whole/{state['code']}")])[0].document
    assert (seat["external"], seat["age"], seat["excluded"]) == ("p-1", "30 to 39", "")


def test_nothing_tells_the_truth_or_that_a_slot_is_a_check(world: World) -> None:
    taker = world.taker("blind", world.begin("blind", checks=2))
    state = taker.state()
    told = json.dumps(state)
    sheets = [taker.sheet(slot["id"]) for slot in state["slots"]]
    usual = next(one for one in sheets if not one["slot"].startswith("check-"))
    told += json.dumps(sheets)
    for secret in ("winner", "truth", "pair-0", "media/", str(world.folder)):
        assert secret not in told
    assert '"check"' not in told
    checks = [one for one in sheets if one["slot"].startswith("check-")]
    assert len(checks) == 2
    assert [block["kind"] for block in usual["blocks"]] == ["still", "still"]
    assert {block["kind"] for block in checks[0]["blocks"]} == {"still"}
    picture = taker.get(usual["blocks"][0]["src"])
    assert (picture.status, picture.headers["content-type"]) == (200, "image/png")
    assert taker.get(usual["blocks"][0]["src"].replace("picture", "film")).status == 404
    assert taker.get(usual["blocks"][0]["src"].replace("block=0", "block=7")).status == 404


def test_films_are_reels_at_the_rate_that_models_get(world: World) -> None:
    taker = world.taker("films", world.begin("films", data="clips", task="motion/purpose", per_item=3))
    state = taker.state()
    sheet = taker.sheet(state["slots"][0]["id"])
    film, *texts = sheet["blocks"]
    assert (film["kind"], film["rate"], film["frames"], film["attend"], film["drawn"]) == ("film", "10", 4, [], None)
    assert [(text["kind"], bool(text["label"] and text["text"])) for text in texts] == [("text", True)] * 2
    body = taker.get(film["src"]).body
    length = int.from_bytes(body[:4], "big")
    header = json.loads(body[4 : 4 + length])
    assert (header["rate"], len(header["sizes"])) == ("10", 4)
    assert len(body) == 4 + length + sum(header["sizes"])
    names = [option["name"] for option in sheet["form"]["options"]]
    assert len(names) == 7
    assert all(option["definition"] for option in sheet["form"]["options"])
    assert taker.answer(state["slots"][0]["id"], {"option": names[2]}, state["code"]).status == 200
    assert taker.answer(state["slots"][0]["id"], {"option": "Nothing"}, state["code"]).status == 422


def test_coming_back_by_cookie_by_ones_own_link_and_from_the_service(world: World) -> None:
    link = world.begin("back", per_person=2)
    taker = world.taker("back", link, "?workerId=w-7")
    state = taker.state()
    slot = state["slots"][0]["id"]
    taker.answer(slot, {"side": "first"}, state["code"])
    assert taker.open(link).status == 200
    assert taker.state()["code"] == state["code"], "in the same browser"
    assert state["back"].startswith("/back/back.")
    elsewhere = Taker(world.server, "back")
    assert elsewhere.open(state["back"]).status == 200
    found = elsewhere.state()
    assert (found["code"], found["back"]) == (state["code"], state["back"])
    assert [one["answered"] for one in found["slots"]] == [True, False]
    assert found["at"] == 1
    again = world.taker("back", link, "?workerId=w-7").state()
    assert again["code"] == state["code"], "from the same service"
    assert again["back"] == "", "whoever comes so has not shown that they know the secret"
    assert taker.open(f"{link}?workerId=w-8").status == 200
    other = taker.state()
    assert other["code"] != state["code"], "somebody else at the same computer"
    assert other["back"].rpartition(".")[2] != state["back"].rpartition(".")[2], "with a secret of their own"
    for wrong in (f"{state['back'][:-1]}x", "/back/back.0000.x", "/back/x", "/back/..%2F.x.y"):
        assert Taker(world.server, "back").open(wrong).status == 404


def test_from_another_site_the_page_loads_itself_once_more_and_nobody_sits_down_twice(world: World) -> None:
    link = world.begin("linked", per_person=1)
    taker = Taker(world.server, "linked")
    first = taker.get(link, **CROSS)
    assert first.status == 200
    assert b'http-equiv="refresh"' in first.body
    assert taker.cookies == {}
    assert world.project.ledger.documents.latest(scope=study_scope("linked"), kind=Kind.SEAT) == []
    assert taker.open(link).status == 200
    assert taker.state()["stage"] == "slots"


def test_links_that_do_not_work(world: World) -> None:
    link = world.begin("links", per_item=2, per_person=4)
    token = link.removeprefix("/s/")
    nobody = Taker(world.server, "links")
    assert nobody.open("/s/nothing").status == 404
    assert nobody.open(f"/join/{token}").status == 404, "it is no invitation"
    assert nobody.get("/api/study/links").status == 401
    links = Links(People(world.project.ledger))
    invitation = links.invite(Role.PARTICIPANT, timedelta(days=1), WHO)
    assert nobody.open(f"/s/{invitation}").status == 404, "an invitation is no link of a study"
    there = world.project.ledger.documents.get_many([(Kept.LINK, digest_of(token))])[0]
    expired = changed(read(there, Invitation), expires="2026-01-01T00:00:00+00:00")
    late = study_link(world.project, "links", WHO)
    world.project.ledger.documents.write([draft(Kept.LINK, digest_of(token), expired, WHO, there.version)])
    answer = FormClient(world.server.url).open(link)
    assert (answer.status, answer.reason) == (410, "expired")
    for _ in range(2):
        assert world.taker("links", late).state()["stage"] == "slots"
    full = FormClient(world.server.url).open(late)
    assert (full.status, full.reason) == (410, "full")


def test_a_closed_study_lets_nobody_in_and_takes_nothing_more(world: World) -> None:
    link = world.begin("closing", per_person=2)
    taker = world.taker("closing", link)
    state = taker.state()
    study = world.project.ledger.documents.get_many([(Kind.STUDY, "closing")])[0]
    closed = {**study.document, "closed": True}
    world.project.ledger.documents.write([DocumentDraft(Kind.STUDY, "closing", closed, WHO, study_scope("closing"))])
    assert taker.state()["stage"] == "closed"
    refused = taker.answer(state["slots"][0]["id"], {"side": "first"}, state["code"])
    assert (refused.status, refused.json["state"]) == (422, "refused")
    other = FormClient(world.server.url).open(link)
    assert (other.status, other.reason) == (410, "closed")
    left = taker.step("withdraw")
    assert (left.status, left.json["stage"]) == (200, "withdrawn"), "that is always possible"


def test_a_study_whose_dataset_changed_is_paused_and_nothing_is_lost(world: World) -> None:
    pairs_of(world.folder / "moving")
    link = world.begin("moving", data="moving")
    taker = world.taker("moving", link)
    state = taker.state()
    slot = state["slots"][0]["id"]
    assert taker.answer(slot, {"side": "second"}, state["code"]).status == 200
    items = world.folder / "moving" / "items.jsonl"
    before = items.read_bytes()
    items.write_bytes(before.replace(b"pair-00", b"pair-0x"))
    until(lambda: taker.state()["changed"])
    assert [one["answered"] for one in taker.state()["slots"]] == [True, False, False, False]
    key = secrets.token_hex(16)
    paused = taker.answer(slot, {"side": "first"}, state["code"], key)
    assert paused.status == 503, "pages keep it and try again"
    refused = FormClient(world.server.url).open(link)
    assert (refused.status, refused.reason) == (503, "paused")
    assert str(world.folder) not in json.dumps(taker.state())
    items.write_bytes(before)
    until(lambda: not taker.state()["changed"])
    assert taker.answer(slot, {"side": "first"}, state["code"], key).status == 200


def test_people_with_an_account_take_part_as_themselves(world: World) -> None:
    link = world.begin("staff", per_person=2)
    (cookie, token), key = next(iter(account(world.project, "", "Ben").cookies.items())), "ben"
    ben = Taker(world.server, "staff", {cookie: token}, csrf_of(token))
    state = ben.state()
    assert state["stage"] == "slots"
    assert ben.state()["code"] == state["code"]
    assert ben.open(link).status == 200
    assert ben.cookies[cookie] == token, "they are not made a participant by the link"
    listed = ben.get("/api/study").json["studies"]
    assert {"name": "staff", "stage": "slots"}.items() <= next(one for one in listed if one["name"] == "staff").items()
    assert ben.answer(state["slots"][0]["id"], {"side": "first"}, state["code"]).status == 200
    seat = world.project.ledger.documents.get_many([(Kind.SEAT, f"staff/{state['code']}")])[0].document
    assert seat["person"] == key


def test_only_those_who_were_invited_begin(world: World) -> None:
    world.taker("asked", world.begin("asked", per_person=1, invited=["cleo"]))
    roles = {"Cleo": Role.ANNOTATOR, "Dan": Role.REVIEWER, "Eve": Role.ADMINISTRATOR}
    for name, role in roles.items():
        answer = account(world.project, world.server.url, name, role).open("/api/study/asked")
        assert answer.status == (403 if name == "Dan" else 200)
    people = world.project.ledger.documents.latest(scope=study_scope("asked"), kind=Kind.SEAT)
    assert {one.document.get("person") for one in people} == {None, "cleo", "eve"}


def test_nothing_is_kept_of_an_id_before_somebody_agrees(world: World) -> None:
    link = world.begin("agreeing", per_person=1, consent="I agree.")

    def kept() -> list[str]:
        every = world.project.ledger.documents.changes_since(0)
        return sorted({one.kind for one in every if "worker-of-a-service" in json.dumps(dict(one.document))})

    query = "?workerId=worker-of-a-service"
    closes = world.taker("agreeing", link, query)
    code = closes.state()["code"]
    assert closes.open(f"{link}{query}").status == 200
    assert closes.state()["code"] == code, "the same person in the same browser"
    declines = world.taker("agreeing", link, query)
    assert declines.step("withdraw").json["stage"] == "withdrawn"
    elsewhere = world.taker("agreeing", link, query)
    assert kept() == []
    assert elsewhere.step("consent", {"agreed": True}).status == 200
    assert kept() == [Kind.SEAT]
    mine = elsewhere.state()["code"]
    assert mine != code
    assert closes.step("consent", {"agreed": True}).status == 422, "they have begun in another browser"
    assert closes.open(f"{link}{query}").status == 200
    assert closes.state()["code"] == mine, "as the service sends them"
    assert closes.open(f"{link}?workerId=somebody-else").status == 200
    assert closes.state()["code"] not in (mine, code)


def test_nobody_can_tell_from_codes_who_took_part_in_two_studies(world: World) -> None:
    first, second = world.begin("one", per_person=1), world.begin("two", per_person=1)
    taker = world.taker("one", first)
    in_one = taker.state()
    assert taker.open(second).status == 200
    taker.study = "two"
    in_two = taker.state()
    assert in_one["code"] != in_two["code"]
    assert taker.answer(in_two["slots"][0]["id"], {"side": "first"}, in_two["code"]).status == 200
    who = taker.get("/api/visitor", referer="/study/two").json
    assert who["author"] == f"person:participant-{in_two['code']}"
    seats = [
        world.project.ledger.documents.get_many([(Kind.SEAT, f"{name}/{state['code']}")])[0].document
        for name, state in (("one", in_one), ("two", in_two))
    ]
    assert seats[0]["token"] != seats[1]["token"]
    assert taker.open(first).status == 200
    taker.study = "one"
    assert taker.state()["code"] == in_one["code"], "and they come back to both"
    assert taker.answer(in_one["slots"][0]["id"], {"side": "first"}, in_one["code"]).status == 200
    elsewhere = Taker(world.server, "two")
    assert elsewhere.open(in_two["back"]).status == 200
    assert elsewhere.state()["code"] == in_two["code"]
    authors = {one.author for one in world.project.ledger.documents.changes_since(0, kinds=[Kind.ANSWER])}
    assert {f"person:participant-{state['code']}" for state in (in_one, in_two)} <= authors


def test_nobody_answers_for_somebody_else_or_sees_their_sheets(world: World) -> None:
    link = world.begin("others", per_person=2)
    one, other = world.taker("others", link), world.taker("others", link)
    theirs = other.state()
    mine = one.state()
    slot = next(slot["id"] for slot in theirs["slots"] if slot not in mine["slots"])
    assert one.answer(slot, {"side": "first"}, theirs["code"]).status == 422
    assert one.answer(slot, {"side": "first"}, mine["code"]).status == 422
    assert one.get(f"/api/study/others/sheet?slot={slot}").status == 404
    assert one.get("/api/study/whole").status == 403, "each study has its own link"
    assert one.get("/api/study/nothing").status == 404
    assert one.get("/").status == 403
    csrf, one.csrf = one.csrf, "0" * 64
    assert one.answer(mine["slots"][0]["id"], {"side": "first"}, mine["code"]).status == 403
    one.csrf = csrf
    answer = {"kind": "answer", "name": "x/y", "after": 0, "set": {"given": {}}}
    assert one.post("/api/answers", {"screen": "screen-1", "key": "0" * 32, "edits": [answer]}).status == 422
    gone = {"kind": "region", "name": "1-0", "after": 1, "set": {"gone": True}}
    region = {"screen": "study:others", "key": "1" * 32, "edits": [gone]}
    assert one.post("/api/answers", region).status == 422
    assert one.post("/api/strokes", region).status == 403


def test_withdrawing_erases_and_nothing_more_is_shown(world: World) -> None:
    link = world.begin("leaving", per_person=2)
    taker = world.taker("leaving", link)
    state = taker.state()
    slot = state["slots"][0]["id"]
    taker.answer(slot, {"side": "first"}, state["code"])
    left = taker.step("withdraw").json
    assert (left["stage"], left["slots"]) == ("withdrawn", [])
    assert taker.get(f"/api/study/leaving/sheet?slot={slot}").status == 404
    assert taker.answer(slot, {"side": "first"}, state["code"]).status == 422
    document = world.project.ledger.documents.get_many([(Kind.ANSWER, f"leaving/{state['code']}/{slot}")])[0].document
    assert StudyAnswer.model_validate(dict(document)).redacted
    assert taker.state()["stage"] == "withdrawn"


def test_what_people_say_is_in_no_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    said = " ".join(("the", "words", "of", "somebody"))  # tracebacks quote the line that raises

    async def broken(*_: object) -> None:
        raise ValueError(said)

    async def receive() -> dict[str, object]:
        return {"type": "http.request"}

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    with open_project(make_project(tmp_path / "shop", screens=1)) as project:
        guard = Guard(broken, make_app(project, Settings(port=8470)).state.studio)
        for path in ("/api/study/which", "/api/screens"):
            headers = [(b"host", b"127.0.0.1:8470")]
            scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "headers": headers}
            asyncio.run(guard({**scope, "query_string": b"", "server": ("127.0.0.1", 8470)}, receive, send))
    study, other = (record.getMessage() for record in caplog.records if record.name.startswith("affordance"))
    assert "GET /api/study/which" in study
    assert said not in study
    assert said in other
    assert [one["status"] for one in sent if one["type"] == "http.response.start"] == [500, 500]
