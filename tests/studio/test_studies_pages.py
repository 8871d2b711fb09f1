"""Studies for the people in charge of them: started on a page, followed while people answer, reviewed, settled and
exported; and who works on what. What needs no JavaScript is tested without a browser."""

import csv
import io
import json
import re
import secrets
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, BrowserContext, Page, expect

from affordance.author.clips.answered import answered
from affordance.author.clips.intake import take_clips
from affordance.author.project import Project, open_project, plain, read_record
from affordance.author.records import Kind, Region
from affordance.author.study_records import Seat, Study
from affordance.author.taking_in import sort_out, take_in
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.datasets import load_collection
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import DocumentDraft
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import study_scope, valid_answers
from affordance.studio.refused import Refused
from affordance.studio.security.records import moment
from affordance.studio.security.rights import Role
from affordance.studio.studies.adjudicating import disputed, overlap_with_there
from affordance.studio.studies.assignments import loads, share_out
from affordance.studio.studies.beginning import begin_study, study_link
from affordance.studio.studies.made_of_clips import purpose_study
from affordance.studio.studies.made_of_pairs import preference_study
from affordance.studio.studies.made_of_regions import boxes_study
from affordance.studio.studies.making import OFFERS, make_study
from affordance.studio.studies.opened import Studies
from affordance.studio.studies.overseeing import WHYS, leave_out, live
from affordance.tasks.registry import TASKS
from clip_world import draw_clip
from errors import raises
from form_client import FormClient
from loops import no_running_loop
from pair_world import write_pairs
from studio_world import Server, faults, make_project, serving
from study_world import Taker, account

ROOT = "person:Root"
HOSTILE = "<img src=x onerror=alert(1)> \u202eevil " + "long " * 30
EXTERNAL = "SECRET-EXTERNAL-ID"
MANY_ITEMS, MANY_PEOPLE = 40, 30
CROWDED = ("/studies/crowd/answers", "/studies/crowd/differences", "/studies/experts/differences", "/studies")


@dataclass(frozen=True, slots=True)
class World:
    server: Server
    folder: Path
    project: Project
    studies: Studies
    root: FormClient  # the administrator, without JavaScript

    def say(self, study: str, code: str, given: Mapping[str, Mapping[str, Any]], **seat: Any) -> None:
        """What somebody answered, by slot."""
        write(self.project, study, [(Seat(code=code, slots=list(given), seen=now(), **seat), given)], self.studies)


def now() -> str:
    return moment(datetime.now(UTC))


def write(
    project: Project, study: str, people: list[tuple[Seat, Mapping[str, Mapping[str, Any]]]], studies: Studies
) -> None:
    slots = studies.open(studies.study(study)).slots
    drafts = []
    for seat, answers in people:
        drafts.append(DocumentDraft(Kind.SEAT, f"{study}/{seat.code}", plain(seat), ROOT, study_scope(study)))
        for slot, said in answers.items():
            answer = StudyAnswer(seat=seat.code, slot=slot, item=slots[slot].item, given=dict(said), seconds=4.0)
            drafts.append(
                DocumentDraft(Kind.ANSWER, f"{study}/{seat.code}/{slot}", plain(answer), "person:x", study_scope(study))
            )
    project.ledger.documents.write(drafts)


def by_turn(studies: Studies, study: str, item: str) -> list[str]:
    slots = studies.open(studies.study(study)).slots.values()
    return [slot.id for slot in sorted(slots, key=lambda slot: slot.turn) if slot.item == item]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Two screens, three clips and three pairs; a study of each that needs no form."""
    here = tmp_path_factory.mktemp("organised")
    folder = make_project(here / "project", screens=6, regions=8)
    with open_project(folder) as project:
        (here / "videos").mkdir()
        names = ("drop", "glide", "spin")
        take_clips(
            project, [draw_clip(here / "videos" / f"{name}.mp4", 40 * place, 12, 6) for place, name in enumerate(names)]
        )
        pairs = write_pairs(here / "pairs")
        take_in(project, sort_out([str(pairs)]))
        guessing = RunRequest(
            RunConfig(tasks=(TASKS["behavior/choice"],), trials=4),
            load_collection(str(pairs)),
            (ModelName.parse("baseline:random"),),
            str(folder / "project.db"),
            here / "pictures",
            "guessed",
        )
        with no_running_loop():
            assert execute_run(guessing)[1].complete
        begin_study(project, purpose_study(project, "experts", title=HOSTILE), ROOT)
        begin_study(project, preference_study(project, "either", per_item=2), ROOT)
        begin_study(project, boxes_study(project, "second", number=3, tutorial=False), ROOT)
        with serving(folder, "--sign-in") as server:
            root = account(project, server.url, "Root", Role.ADMINISTRATOR)
            yield World(server, folder, project, Studies(project, here / "cache", look=0.0), root)


@pytest.fixture
def root(context: BrowserContext, world: World) -> Iterator[Page]:
    """A page of the administrator."""
    wrong = faults(context)
    world.root.lend(context)
    yield context.new_page()
    assert wrong == []


def test_a_survey_from_the_form_to_the_export(world: World, root: Page) -> None:
    client = world.root
    page = client.open(client.open("/studies").one("a", data_action="new")["href"])
    filled = {"name": "words", "title": "What moves?", "per_item": "2", "per_person": "3"}
    refused = client.act(page, "begin", form="survey", completion="ftp://example.org", **filled)
    assert "ftp://example.org" in refused.error
    assert {field: refused.one("input", id=field)["value"] for field in filled} == filled
    root.clock.install()
    root.goto(f"{world.server.url}/new-study")
    for form, of_run in (("errors", True), ("survey", False)):
        root.locator(f"input[name=form][value={form}]").check()
        expect(root.locator("#run")).to_be_visible(visible=of_run)
    for field, value in filled.items():
        root.locator(f"#{field}").fill(value)
    root.locator("[data-action=begin]").click()
    expect(root.get_by_role("heading", level=1)).to_have_text("What moves?")
    expect(root.locator("#no-seats")).to_be_visible()
    root.locator("[data-action=make-link]").click()
    link = root.locator("#link").input_value().removeprefix(world.server.url)
    expect(root.locator("#copy")).to_be_visible()
    root.reload()
    expect(root.locator("#link")).to_have_count(0)
    expect(root.locator("[data-action=revoke]")).to_have_count(1)

    person = Taker(world.server, "words")
    assert person.open(f"{link}?PROLIFIC_PID={EXTERNAL}").status == 200
    person.step("consent", {"agreed": True})
    state = person.step("taught").json
    for number, slot in enumerate(state["slots"]):
        effect = "asdf" if number == 1 else f"A square moves, {number}"
        given = {"effect": effect, "meaning": "I don't know"}
        assert person.answer(slot["id"], given, state["code"]).status == 200
    assert person.step("finish").json["stage"] == "done"

    root.clock.fast_forward(60_000)  # the page looks again without being loaded
    progress = root.locator("#progress progress")
    expect(progress).to_have_attribute("value", "3")
    expect(progress).to_have_attribute("max", "6")
    expect(root.locator("#progress dd").first).to_have_text(re.compile(r"^3\D+6$"))
    seat = root.locator(f"#seats [data-seat='{state['code']}']")
    expect(seat).to_have_attribute("data-state", "finished")
    expect(seat.locator(".number").first).to_have_text(re.compile(r"^3\D+3$"))
    assert EXTERNAL not in root.locator("main").inner_text()
    assert EXTERNAL not in world.root.open("/api/studies/words").html

    check_review_export_and_closing(world)


def check_review_export_and_closing(world: World) -> None:
    """Of a survey with three answers."""
    client = world.root
    page = client.open(client.open("/studies/words").one(id="to-answers")["href"])
    page = client.act(page, "show", search="asdf")
    (row,) = page.all("li", data_state="counted")
    assert [one["value"] for one in row.all("button", name="why")] == list(WHYS)
    out = row.one("button", value="inappropriate")
    page = client.press(page, out)
    (row,) = page.all("li", data_state="left-out")
    assert "inappropriate" in row.text
    page = client.act(page, "put-back")
    assert len(valid_answers(world.project.ledger, "words")) == 3
    client.press(page, page.one("button", value="inappropriate"))
    assert len(valid_answers(world.project.ledger, "words")) == 2

    archive = zipfile.ZipFile(io.BytesIO(client.act(client.open("/studies/words"), "export").body))
    assert sorted(archive.namelist()) == ["words/answers.csv", "words/seats.csv", "words/study.json"]
    rows = list(csv.DictReader(io.StringIO(archive.read("words/answers.csv").decode())))
    assert Counter((row["counted"], row["why"]) for row in rows) == {("yes", ""): 2, ("no", "inappropriate"): 1}
    assert EXTERNAL not in "".join(archive.read(name).decode() for name in archive.namelist())

    late = FormClient(world.server.url)
    page = client.act(client.open("/studies/words"), "make-link")
    link = page.one(id="link")["value"]
    assert len(page.all(data_action="revoke")) == 2
    page = client.act(page, "close")
    assert page.one(id="one")["data-state"] == "closed"
    closed = late.open(link)
    assert (closed.status, closed.reason) == (410, "closed")
    page = client.act(page, "reopen")
    assert page.one(id="one")["data-state"] == "open"
    assert late.open(link).status == 200
    for left in (1, 0):
        page = client.press(page, page.all(data_action="revoke")[0])
        assert len(page.all(data_action="revoke")) == left
    revoked = FormClient(world.server.url).open(link)
    assert (revoked.status, revoked.reason) == (410, "revoked")


def test_three_experts_who_all_differ(world: World, root: Page) -> None:
    for place, purpose in enumerate(("Feedback", "Guidance", "Visualization")):
        said = {
            slot: {"option": purpose, "reason": f"because of {place}"}
            for slot in by_turn(world.studies, "experts", "drop")[place : place + 1]
        }
        said |= {slot: {"option": "Feedback"} for slot in by_turn(world.studies, "experts", "glide")[place : place + 1]}
        world.say("experts", f"expert{place}", said)
    assert answered(world.project).purposes == {"drop": None, "glide": "Feedback"}
    root.goto(f"{world.server.url}/studies/experts")
    expect(root.get_by_role("heading", level=1)).to_have_text(" ".join(HOSTILE.split()))
    expect(root.locator("#agreement tbody tr")).to_contain_text(["purpose"])
    expect(root.locator("#to-differences")).to_have_attribute("data-open", "1")
    expect(root.locator("#to-differences")).to_have_text(re.compile(r"\b1\b"))
    root.locator("#to-differences").click()
    expect(root.locator("#item > h2")).to_have_text("drop")
    assert not any(f"expert{place}" in root.content() for place in range(3)), "answers are shown without their authors"
    expect(root.locator("#item q").filter(has_text="because of 1")).to_be_visible()
    count = root.locator("#differences > [role=status]")
    expect(count).to_have_attribute("data-open", "1")
    expect(count).to_have_text(re.compile(r"^1\D+0\b"))
    root.locator("[data-action=settle]").click()
    expect(root.locator(".deciding").get_by_role("alert")).to_be_visible()
    root.locator("li", has_text="Guidance").locator("[data-action=take]").click()
    root.locator("#note").fill("It shows where to go")
    root.locator("[data-action=settle]").click()
    expect(count).to_have_attribute("data-open", "0")
    expect(count).to_have_attribute("data-settled", "1")
    assert answered(world.project).purposes["drop"] == "Guidance"
    root.locator("[data-action=reopen]").click()
    expect(count).to_have_attribute("data-open", "1")
    assert answered(world.project).purposes["drop"] is None


def test_a_box_that_is_drawn_again(world: World, root: Page) -> None:
    opened = world.studies.open(world.studies.study("second"))
    item = sorted(opened.items)[0]
    there = opened.source.there(item)  # type: ignore[attr-defined]
    first, second = by_turn(world.studies, "second", item)
    sheet = opened.sheet(first, "")
    assert str(round(there.x1)) + "," not in json.dumps([str(block) for block in sheet.blocks])
    same = {"box": there.to_json()}
    world.say("second", "one", {first: same})
    assert overlap_with_there(opened, valid_answers(world.project.ledger, "second")) == (1.0, 1)
    world.say("second", "two", {second: {"box": {"space": "pixel", "xyxy": [0.0, 0.0, 40.0, 30.0]}}})
    (found,) = disputed(world.project, opened, valid_answers(world.project.ledger, "second"))
    assert (found.item, found.overlap is not None and found.overlap < 0.5) == (item, True)
    numbers = live(world.project, opened, datetime.now(UTC))
    assert numbers["agreement"][0]["iou"] == pytest.approx(found.overlap)
    root.goto(f"{world.server.url}/studies/second/differences")
    root.locator("li", has_text="0, 0, 40, 30").locator("[data-action=take]").click()
    root.locator("#region").check()
    root.locator("[data-action=settle]").click()
    expect(root.locator("#differences > [role=status]")).to_have_attribute("data-open", "0")
    (region,) = world.project.ledger.documents.get_many([(Kind.REGION, item)])
    assert (read_record(region, Region).box.xyxy, region.author) == ((0.0, 0.0, 40.0, 30.0), ROOT)
    assert opened.source.changed() == [item]  # type: ignore[attr-defined]
    root.goto(f"{world.server.url}/studies/second")
    expect(root.locator("#changed-list")).to_have_text(item)


def test_preferences_are_hidden_until_the_study_is_closed(world: World) -> None:
    client = world.root
    slots = list(world.studies.open(world.studies.study("either")).slots)
    world.say("either", "chooser", {slots[0]: {"side": "first"}})
    assert not client.open("/studies/either").has(id="agreement")
    hidden = ("/studies/either/export", "/studies/either/answers", "/api/studies/either/disputed")
    assert [client.open(path).status for path in hidden] == [409, 200, 200]
    page = client.open("/studies/either/answers")
    assert page.has(id="blind")
    assert not page.has("li", data_seat="chooser")
    state = json.loads(client.open("/api/studies/either").body)
    assert (state["answered"], state["agreement"]) == (1, [])
    study = world.studies.open(world.studies.study("either"))
    with pytest.raises(Refused):
        leave_out(world.project, study, "chooser", slots[0], "empty", ROOT)
    page = client.act(client.open("/studies/either"), "close")
    assert page.has(id="agreement")
    page = client.open("/studies/either/answers")
    assert len(page.all("li", data_seat="chooser")) == 1
    assert not page.has(data_action="leave-out")


def test_a_review_of_errors(world: World, root: Page) -> None:
    client = world.root
    form = {"form": "errors", "name": "why", "run": "guessed", "number": "2"}
    page = client.act(client.open("/new-study"), "begin", **form)
    assert page.path == "/studies/why"
    assert page.has(id="accounts-only")
    assert not page.has(data_action="make-link")
    slots = list(world.studies.open(world.studies.study("why")).slots)
    world.say("why", "reviewer", {slots[0]: {"tags": ["did not look"], "note": HOSTILE}})
    (answer,) = client.open("/studies/why/answers").all("li", data_seat="reviewer")
    assert " ".join(HOSTILE.split()) in answer.text
    root.goto(f"{world.server.url}/studies/why")
    expect(root.locator("#review-table")).to_contain_text("did not look")


def test_work_is_shared_out_with_an_overlap(world: World, root: Page, browser: Browser) -> None:
    ben, _ = (account(world.project, world.server.url, name) for name in ("Ben", "Cem"))
    root.goto(f"{world.server.url}/assignments")
    totals = root.locator("#totals")
    root.locator("#overlap").fill("50")
    root.locator("#assign").click()
    expect(root.locator("#wrong")).to_be_visible()
    for key in ("ben", "cem"):
        root.locator(f"input[name=person][value={key}]").check()
    root.locator("#assign").click()
    for fact, number in (("all", 6), ("assigned", 6), ("twice", 3)):
        expect(totals).to_have_attribute(f"data-{fact}", str(number))
    expect(totals).to_have_text(re.compile(r"^6\D+6\D+3\D+$"))
    expect(root.locator("#wrong")).to_be_hidden()
    found = json.loads(world.root.open("/api/assignments").body)["people"]
    has = {one["key"]: one["has"]["screens"]["assigned"] for one in found}
    assert sorted((has["ben"], has["cem"])) == [4, 5]
    context = browser.new_context()
    ben.lend(context)
    page = context.new_page()
    page.goto(f"{world.server.url}/boxes")
    expect(page.locator("#filter-image")).to_have_value("assigned")
    expect(page.locator(".image-row")).to_have_count(has["ben"])
    page.locator("#filter-image").select_option("all")
    expect(page.locator(".image-row")).to_have_count(6)
    context.close()
    root.locator("#take-back").click()
    root.get_by_role("dialog").locator(".danger").click()
    expect(totals).to_have_attribute("data-assigned", "0")


@settings(max_examples=30)
@given(
    st.integers(0, 60),
    st.dictionaries(
        st.text("abcdef", min_size=1, max_size=3), st.sampled_from([1.0, 2.0, 3.0]), min_size=1, max_size=6
    ),
    st.integers(0, 100),
)
def test_everything_is_given_out_once_and_the_overlap_twice(
    number: int, shares: dict[str, float], percent: int
) -> None:
    things = [f"thing-{place}" for place in range(number)]
    found = share_out(things, shares, percent / 100, 0)
    assert set(found) == set(things)
    twice = [people for people in found.values() if len(people) == 2]
    assert len(twice) == (round(number * percent / 100) if len(shares) > 1 else 0)
    assert all(len(set(people)) == len(people) in (1, 2) for people in found.values())
    assert found == share_out(list(reversed(things)), dict(reversed(shares.items())), percent / 100, 0)
    if len(set(shares.values())) == 1 and not twice:
        counts = [loads(found.values()).get(name, 0) for name in shares]
        assert max(counts) - min(counts) <= 1


def test_a_person_who_is_not_in_charge_is_refused(world: World) -> None:
    dee = account(world.project, world.server.url, "Dee", Role.REVIEWER)
    paths = ["/studies", "/new-study", "/assignments", "/api/assignments"]
    paths += [f"/studies/experts{part}" for part in ("", "/answers", "/export", "/differences")]
    paths += [f"/api/studies/experts{part}" for part in ("", "/disputed", "/more", "/sheet?slot=x")]
    assert {dee.open(path).status for path in paths} == {403}
    home = dee.open("/")
    assert not home.has("a", href="/studies")
    assert home.has("a", href="/study")

    def offered() -> set[str]:
        return {one["name"] for one in json.loads(dee.open("/api/study").body)["studies"]}

    before = offered()
    page = world.root.open("/studies/second")
    world.root.press(page, page.one(data_action="invite", data_person="root"))
    assert before - offered() == {"second"}


def test_a_study_that_cannot_be_begun_is_refused_in_one_line(world: World) -> None:
    before = world.project.ledger.documents.last_revision_id()
    every = [offer for _, offer in OFFERS]
    for fields, data in (
        ({"name": "a b"}, ("a b",)),
        ({"name": "experts"}, ("experts",)),
        ({"form": "task"}, ()),
        ({"per_item": "0"}, ("1", "10,000", "'0'")),
        ({"per_person": "²"}, ("1", "10,000", "'²'")),
        ({"checks": "2", "wrong_checks": "2"}, ("2",)),
        ({"title": "x" * 201}, ("200", "201")),
        ({"form": "errors"}, ()),
        ({"form": "judging", "run": "no-such"}, ("no-such",)),
    ):
        filled = {"name": "next", "form": "survey", "per_item": "1"} | fields
        with raises(UserError, *data):
            make_study(world.project, every, filled, ROOT)
    assert world.project.ledger.documents.last_revision_id() == before
    assert make_study(world.project, every, {"name": "next", "form": "survey", "per_item": "1"}, ROOT).name == "next"


@pytest.fixture(scope="module")
def crowd(world: World) -> str:
    """Many people at many items; some excluded, withdrawn, away."""
    project = world.project
    (spin,) = project.ledger.documents.get_many([(Kind.CLIP, "spin")])
    names = [f"turn-{number}" for number in range(MANY_ITEMS)]
    project.ledger.documents.write(
        [DocumentDraft(Kind.CLIP, name, {**spin.document, "id": name}, "init", name) for name in names]
    )
    study = purpose_study(project, "crowd", per_item=10, per_person=14)
    items = {name: version for name, version in study.items.items() if name in names}
    begin_study(project, Study.model_validate(study.model_dump() | {"items": items}), ROOT)
    slots = list(world.studies.open(world.studies.study("crowd")).slots)
    labels = ("Feedback", "Guidance", "Visualization")
    people = []
    for number in range(MANY_PEOPLE):
        own = slots[number::MANY_PEOPLE]
        seat = Seat(
            code=secrets.token_hex(5),
            slots=own,
            seen=now(),
            external=f"{EXTERNAL}-{number}",
            finished=now() if number % 3 else "",
            excluded="2 of 2 attention checks wrong" if number % 20 == 1 else "",
            withdrawn=now() if number % 25 == 2 else "",
            person="somebody-with-a-name" if number == 4 else "",
        )
        people.append(
            (seat, {slot: {"option": labels[int(slot, 16) % 3]} for slot in own[: len(own) if number % 3 else 6]})
        )
    write(project, "crowd", people, world.studies)
    return "crowd"


def test_answers_of_excluded_people_are_shown_and_do_not_count(world: World) -> None:
    item = next(iter(world.studies.open(world.studies.study("experts")).items))
    slot = by_turn(world.studies, "experts", item)[-1]
    world.say("experts", "EXCLUDED", {slot: {"option": "feedback"}}, excluded="too fast")
    (row,) = world.root.open("/studies/experts/answers?show=out&search=EXCLUDED").all("li", data_seat="EXCLUDED")
    assert row["data-state"] == "excluded"
    assert "too fast" in row.text
    assert not world.root.open("/studies/experts/answers?show=counted&search=EXCLUDED").has("li", data_seat="EXCLUDED")


def test_many_people_at_many_items_fit_on_a_phone(world: World, root: Page, crowd: str) -> None:
    for study in ("experts", crowd):
        study_link(world.project, study, ROOT)
    root.set_viewport_size({"width": 360, "height": 740})
    for path in (*CROWDED, "/studies/crowd"):
        root.goto(f"{world.server.url}{path}")
        root.wait_for_load_state("networkidle")
        assert root.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, path
        told = root.content() + world.root.open(path).html
        assert EXTERNAL not in told
        assert "somebody-with-a-name" not in told
    expect(root.locator("#seats tbody tr")).to_have_count(MANY_PEOPLE)
    expect(root.locator(".cell")).to_have_count(MANY_ITEMS)
    expect(root.locator("#progress progress")).to_have_attribute("max", str(10 * MANY_ITEMS))
    expect(root.locator("#coverage p")).to_contain_text(re.compile(rf"^{MANY_ITEMS}\b"))


def test_an_empty_project_has_nothing_to_ask_about(tmp_path: Path) -> None:
    with serving(make_project(tmp_path / "empty", screens=0)) as server:
        client = FormClient(server.url)
        for path, name in (
            ("/studies", "no-studies"),
            ("/new-study", "nothing-to-ask"),
            ("/assignments", "nothing-to-assign"),
        ):
            assert client.open(path).one(id=name).text
