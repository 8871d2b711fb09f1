"""Studies for whoever is in charge: begun on a page, followed while people answer, looked through, settled and taken
along; and who works on what."""

import csv
import io
import json
import re
import secrets
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect
from test_people_pages import join

from affordance.author.clips.answered import answered
from affordance.author.clips.intake import take_clips
from affordance.author.project import Project, open_project, plain, read_record
from affordance.author.records import Kind, Region
from affordance.author.study_records import Seat, Study
from affordance.author.taking_in import sort_out, take_in
from affordance.core.errors import UserError
from affordance.core.names import ModelName
from affordance.datasets import read_collection
from affordance.ledger import Draft
from affordance.models.answers import Answer, place_of
from affordance.models.counting import counted_answers
from affordance.run.session import Request, perform
from affordance.run.settings import Settings
from affordance.studio.people import People
from affordance.studio.refused import Refused
from affordance.studio.security.links import Links
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
from affordance.studio.studies.overseeing import leave_out, live
from affordance.suites.registry import TASKS
from clip_world import draw_clip
from pair_world import write_pairs
from studio_world import Server, faults, make_project, serving

ROOT = "person:Root"
HOSTILE = "<img src=x onerror=alert(1)> \u202eevil " + "long " * 30
EXTERNAL = "SECRET-EXTERNAL-ID"
SERIOUS = frozenset({"serious", "critical"})
MANY_ITEMS, MANY_PEOPLE = 300, 200
PAGES = (
    *("/studies", "/new-study", "/studies/crowd", "/studies/crowd/answers", "/studies/crowd/differences"),
    *("/studies/experts", "/studies/experts/differences", "/assignments", "/people", "/"),
)


@dataclass(frozen=True, slots=True)
class World:
    server: Server
    folder: Path
    project: Project
    studies: Studies

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
        drafts.append(Draft(Kind.SEAT, f"{study}/{seat.code}", plain(seat), ROOT, place_of(study)))
        for slot, said in answers.items():
            answer = Answer(seat=seat.code, slot=slot, item=slots[slot].item, given=dict(said), seconds=4.0)
            drafts.append(Draft(Kind.ANSWER, f"{study}/{seat.code}/{slot}", plain(answer), "person:x", place_of(study)))
    project.ledger.revise(drafts)


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
        guessing = Request(
            Settings(tasks=(TASKS["behavior/choice"],), trials=4),
            read_collection(str(pairs)),
            (ModelName.parse("baseline:random"),),
            str(folder / "project.db"),
            here / "pictures",
            "guessed",
        )
        assert perform(guessing)[1].complete
        begin_study(project, purpose_study(project, "experts", title=HOSTILE), ROOT)
        begin_study(project, preference_study(project, "either", per_item=2), ROOT)
        begin_study(project, boxes_study(project, "second", number=3, tutorial=False), ROOT)
        with serving(folder, "--sign-in") as server:
            yield World(server, folder, project, Studies(project, here / "cache", look=0.0))


@pytest.fixture(scope="module")
def root(browser: Browser, world: World) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    wrong = faults(context)
    page = context.new_page()
    join(page, world.server.link, "Root")
    yield page
    context.close()
    assert wrong == []


def member(world: World, browser: Browser, name: str, role: Role = Role.ANNOTATOR) -> Page:
    """Somebody who has an account."""
    people = People(world.project.ledger)
    if people.find(name.casefold()) is None:
        links = Links(people)
        links.join(links.invite(role, timedelta(days=1), ROOT), name, f"a few words of {name}")
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(f"{world.server.url}/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(f"a few words of {name}")
    with page.expect_navigation():
        page.get_by_role("button", name="Sign in").click()
    return page


def barriers(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found if one["impact"] in SERIOUS
    ]


def test_a_survey_from_the_form_to_the_export(world: World, root: Page, browser: Browser) -> None:
    root.goto(f"{world.server.url}/studies")
    root.get_by_role("link", name="New study").click()
    root.get_by_label("Survey of clips").check()
    root.get_by_label("Name", exact=True).fill("words")
    root.get_by_label("Title that people see").fill("What moves?")
    root.get_by_label("People for each item").fill("2")
    root.get_by_label("Items for each person").fill("3")
    root.get_by_label("Completion link").fill("ftp://example.org")
    root.get_by_role("button", name="Begin the study").click()
    expect(root.get_by_role("alert")).to_have_text(
        "Completion: expected an address that begins with https://, found 'ftp://example.org'."
    )
    expect(root.get_by_label("Title that people see")).to_have_value("What moves?")
    root.get_by_label("Completion link").fill("")
    root.get_by_role("button", name="Begin the study").click()
    expect(root.get_by_role("heading", level=1)).to_have_text("What moves?")
    expect(root.get_by_text("Nobody has come in yet.")).to_be_visible()
    root.get_by_role("button", name="Make a link to the study").click()
    link = root.get_by_label("The link", exact=True).input_value()
    expect(root.get_by_role("button", name="Copy")).to_be_visible()
    root.reload()
    expect(root.get_by_label("The link", exact=True)).to_have_count(0)
    expect(root.get_by_role("button", name=re.compile("Take back the link"))).to_have_count(1)

    other = browser.new_context()
    person = other.new_page()
    person.goto(f"{link}?PROLIFIC_PID={EXTERNAL}")
    person.get_by_role("button", name="I agree, and take part").click()
    person.get_by_role("button", name="Begin", exact=True).click()
    for number in range(3):
        expect(person.locator(".at")).to_have_text(f"{number + 1} of 3")
        person.get_by_label("What do you see happen?").fill("asdf" if number == 1 else f"A square moves, {number}")
        person.get_by_label("What does it tell you").fill("I don't know")
        person.get_by_role("button", name="Next" if number < 2 else "To the end").click()
    person.get_by_role("button", name="I am done").click()
    expect(person.get_by_role("heading", level=1)).to_contain_text("Thank you")
    other.close()

    expect(root.locator("#progress")).to_contain_text("3 of 6", timeout=15_000)  # without loading the page again
    expect(root.locator("#seats")).to_contain_text("finished")
    told = root.locator("main").inner_text() + json.dumps(
        root.evaluate("fetch('/api/studies/words').then(r => r.json())")
    )
    assert EXTERNAL not in told
    root.get_by_role("link", name="Look through the answers").click()
    root.get_by_label("Find in answers").fill("asdf")
    root.get_by_role("button", name="Show").click()
    expect(root.locator(".answers li")).to_have_count(1)
    assert [one for one in root.get_by_role("button").all_inner_texts() if one.startswith("Leave out")] == [
        "Leave out as empty",
        "Leave out as inappropriate",
    ]
    root.get_by_role("button", name="Leave out as inappropriate").click()
    expect(root.get_by_text("Left out: inappropriate")).to_be_visible()
    root.get_by_role("button", name="Take back").click()
    expect(root.get_by_text("Left out: inappropriate")).to_have_count(0)
    root.get_by_role("button", name="Leave out as inappropriate").click()
    assert len(counted_answers(world.project.ledger, "words")) == 2

    root.goto(f"{world.server.url}/studies/words")
    with root.expect_download() as waiting:
        root.get_by_role("button", name="Export answers").click()
    archive = zipfile.ZipFile(io.BytesIO(Path(waiting.value.path()).read_bytes()))
    assert sorted(archive.namelist()) == ["words/answers.csv", "words/seats.csv", "words/study.json"]
    rows = list(csv.DictReader(io.StringIO(archive.read("words/answers.csv").decode())))
    assert Counter((row["counted"], row["why"]) for row in rows) == {("yes", ""): 2, ("no", "inappropriate"): 1}
    assert EXTERNAL not in "".join(archive.read(name).decode() for name in archive.namelist())

    root.get_by_role("button", name="Close").click()
    expect(root.get_by_text("Closed: nothing more is taken.")).to_be_visible()
    late = browser.new_page()
    late.goto(link)
    expect(late.get_by_text("This study is closed.")).to_be_visible()
    root.get_by_role("button", name="Reopen").click()
    late.goto(link)
    expect(late.get_by_role("button", name="I agree, and take part")).to_be_visible()
    late.close()
    root.get_by_role("button", name=re.compile("Take back the link")).click()
    expect(root.get_by_role("button", name=re.compile("Take back the link"))).to_have_count(0)
    assert browser_status(browser, link) == 410


def browser_status(browser: Browser, address: str) -> int:
    page = browser.new_page()
    answer = page.goto(address)
    page.close()
    assert answer is not None
    return answer.status


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
    expect(root.locator("#agreement")).to_contain_text("purpose")
    root.get_by_role("link", name="Settle differences (1)").click()
    expect(root.locator("#item > h2")).to_have_text("drop")
    assert not any(f"expert{place}" in root.content() for place in range(3)), "who said what is not told"
    expect(root.get_by_text("because of 1")).to_be_visible()
    root.get_by_role("button", name="Settle", exact=True).click()
    expect(root.locator(".deciding .error")).to_be_visible()
    root.get_by_role("button", name=re.compile("^Take .: Guidance")).click()
    root.get_by_label("Why, for whoever asks later").fill("It shows where to go")
    root.get_by_role("button", name="Settle", exact=True).click()
    expect(root.get_by_text("All of them are settled.")).to_be_visible()
    assert answered(world.project).purposes["drop"] == "Guidance"
    root.get_by_role("button", name="Take back").click()
    expect(root.get_by_text("1 item to settle, 0 settled.")).to_be_visible()
    assert answered(world.project).purposes["drop"] is None
    assert barriers(root) == []


def test_a_box_that_is_drawn_again(world: World, root: Page) -> None:
    opened = world.studies.open(world.studies.study("second"))
    item = sorted(opened.items)[0]
    there = opened.source.there(item)  # type: ignore[attr-defined]
    first, second = by_turn(world.studies, "second", item)
    sheet = opened.sheet(first, "")
    assert str(round(there.x1)) + "," not in json.dumps([str(block) for block in sheet.blocks])
    same = {"box": there.to_json()}
    world.say("second", "one", {first: same})
    assert overlap_with_there(opened, counted_answers(world.project.ledger, "second")) == (1.0, 1)
    world.say("second", "two", {second: {"box": {"space": "pixel", "xyxy": [0.0, 0.0, 40.0, 30.0]}}})
    (found,) = disputed(world.project, opened, counted_answers(world.project.ledger, "second"))
    assert (found.item, found.overlap is not None and found.overlap < 0.5) == (item, True)
    numbers = live(world.project, opened, datetime.now(UTC))
    assert numbers["agreement"][0]["iou"] == pytest.approx(found.overlap)
    root.goto(f"{world.server.url}/studies/second/differences")
    root.get_by_role("button", name="Take A: box 0, 0, 40, 30").or_(
        root.get_by_role("button", name="Take B: box 0, 0, 40, 30")
    ).click()
    root.get_by_label("Also write it as the box of the region").check()
    root.get_by_role("button", name="Settle", exact=True).click()
    expect(root.get_by_text("All of them are settled.")).to_be_visible()
    (region,) = world.project.ledger.documents_of([(Kind.REGION, item)])
    assert (read_record(region, Region).box.xyxy, region.author) == ((0.0, 0.0, 40.0, 30.0), ROOT)
    assert opened.source.changed() == [item]  # type: ignore[attr-defined]
    root.goto(f"{world.server.url}/studies/second")
    expect(root.locator("#changed-list")).to_have_text(item)


def test_what_people_prefer_is_told_when_it_is_closed(world: World, root: Page) -> None:
    slots = list(world.studies.open(world.studies.study("either")).slots)
    world.say("either", "chooser", {slots[0]: {"side": "first"}})
    root.goto(f"{world.server.url}/studies/either")
    expect(root.locator("#progress")).to_contain_text("1 of")
    expect(root.get_by_role("heading", name="How far people agree")).to_have_count(0)
    hidden = ("/studies/either/export", "/studies/either/answers", "/api/studies/either/disputed")
    assert [root.evaluate("path => fetch(path).then(r => r.status)", path) for path in hidden] == [409, 200, 200]
    root.goto(f"{world.server.url}/studies/either/answers")
    expect(root.get_by_text("What people prefer is told when the study is closed")).to_be_visible()
    assert root.evaluate("fetch('/api/studies/either').then(r => r.json())")["agreement"] == []
    with pytest.raises(Refused, match="close it first"):
        leave_out(world.project, world.studies.open(world.studies.study("either")), "chooser", slots[0], "empty", ROOT)
    root.goto(f"{world.server.url}/studies/either")
    root.get_by_role("button", name="Close").click()
    expect(root.get_by_role("heading", name="How far people agree")).to_be_visible()
    root.goto(f"{world.server.url}/studies/either/answers")
    expect(root.locator(".answers li")).to_have_count(1)
    expect(root.get_by_role("button", name=re.compile("Leave out"))).to_have_count(0)


def test_a_review_of_errors(world: World, root: Page) -> None:
    root.goto(f"{world.server.url}/new-study")
    expect(root.get_by_label("Run", exact=True)).to_be_hidden()
    root.get_by_label("Review of errors").check()
    root.get_by_label("Name", exact=True).fill("why")
    root.get_by_label("Run", exact=True).fill("guessed")
    root.get_by_label("How many are drawn").fill("2")
    root.get_by_role("button", name="Begin the study").click()
    expect(root.get_by_text("only people who have an account take part")).to_be_visible()
    expect(root.get_by_role("button", name="Make a link to the study")).to_have_count(0)
    slots = list(world.studies.open(world.studies.study("why")).slots)
    world.say("why", "reviewer", {slots[0]: {"tags": ["did not look"], "note": HOSTILE}})
    root.reload()
    expect(root.locator("#review-table")).to_contain_text("did not look")
    root.get_by_role("link", name="Look through the answers").click()
    expect(root.locator(".answers li")).to_contain_text(HOSTILE.strip())


def test_work_is_shared_out_with_an_overlap(world: World, root: Page, browser: Browser) -> None:
    ben, cem = member(world, browser, "Ben"), member(world, browser, "Cem")
    root.goto(f"{world.server.url}/assignments")
    root.get_by_label("Overlap, %").fill("50")
    root.get_by_role("button", name="Assign", exact=True).click()
    expect(root.get_by_role("alert")).to_have_text("Choose at least one person who gets some.")
    root.get_by_role("checkbox", name=re.compile("Ben")).check()
    root.get_by_role("checkbox", name=re.compile("Cem")).check()
    root.get_by_role("button", name="Assign", exact=True).click()
    expect(root.locator("#totals")).to_have_text("6 screens: 6 assigned, 3 of them to two people.")
    assert barriers(root) == []
    seen = []
    for page in (ben, cem):
        page.goto(f"{world.server.url}/boxes")
        expect(page.get_by_label("Which images")).to_have_value("assigned")
        seen.append(page.locator(".image-row").count())
        page.get_by_label("Which images").select_option("all")
        expect(page.locator(".image-row")).to_have_count(6)
        page.context.close()
    assert sorted(seen) == [4, 5]
    root.get_by_role("button", name="Take everything back").click()
    root.get_by_role("dialog").get_by_role("button", name="Take back").click()
    expect(root.locator("#totals")).to_have_text("6 screens: 0 assigned, 0 of them to two people.")


@settings(deadline=None, max_examples=60)
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


def test_who_is_not_in_charge_is_refused(world: World, root: Page, browser: Browser) -> None:
    page = member(world, browser, "Dee", Role.REVIEWER)
    paths = [
        "/studies",
        "/new-study",
        "/assignments",
        *(f"/studies/experts{part}" for part in ("", "/answers", "/export", "/differences")),
    ]
    paths += [
        "/api/assignments",
        *(f"/api/studies/experts{part}" for part in ("", "/disputed", "/more", "/sheet?slot=x")),
    ]
    assert {page.evaluate("path => fetch(path).then(r => r.status)", path) for path in paths} == {403}
    expect(page.get_by_role("link", name="Studies", exact=True)).to_have_count(0)
    page.get_by_role("link", name="Your studies").click()
    expect(page.locator("#studies li")).not_to_have_count(0)
    before = page.locator("#studies li").count()
    root.goto(f"{world.server.url}/studies/second")
    root.get_by_text("People who have an account").click()
    root.get_by_role("button", name="Invite Root").click()
    page.reload()
    expect(page.locator("#studies li")).to_have_count(before - 1)
    page.context.close()


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"name": "a b"}, "expected a name of letters, digits, dots, dashes and underscores, found 'a b'"),
        ({"name": "experts"}, "there is a study 'experts' already; choose another name"),
        ({"form": "task"}, "expected a form that this project has something for; choose one from the list"),
        ({"per_item": "0"}, "people for each item: expected a whole number from 1 to 10,000, found '0'"),
        ({"per_person": "²"}, "items for each person: expected a whole number from 1 to 10,000, found '²'"),
        (
            {"checks": "2", "wrong_checks": "2"},
            "checks that may be wrong: expected fewer than the 2 that there are, found 2",
        ),
        ({"title": "x" * 201}, "title: expected at most 200 characters, found 201"),
        ({"form": "errors"}, "run: expected the name of a run, found nothing"),
        ({"form": "judging", "run": "no-such"}, "unknown run"),
    ],
)
def test_what_cannot_be_begun_is_said_in_one_line(world: World, fields: dict[str, str], line: str) -> None:
    before = world.project.ledger.last_revision()
    filled = {"name": "next", "form": "survey", "per_item": "1"} | fields
    with pytest.raises(UserError) as caught:
        make_study(world.project, [offer for _, offer in OFFERS], filled, ROOT)
    assert line.casefold() in str(caught.value).casefold()
    assert "\n" not in str(caught.value)
    assert world.project.ledger.last_revision() == before


@pytest.fixture(scope="module")
def crowd(world: World) -> str:
    """Two hundred people at three hundred items; some excluded, withdrawn, away."""
    project = world.project
    (spin,) = project.ledger.documents_of([(Kind.CLIP, "spin")])
    names = [f"turn-{number}" for number in range(MANY_ITEMS)]
    project.ledger.revise([Draft(Kind.CLIP, name, {**spin.document, "id": name}, "init", name) for name in names])
    study = purpose_study(project, "crowd", per_item=10, per_person=15)
    items = {name: version for name, version in study.items.items() if name in names}
    begin_study(project, Study.model_validate(study.model_dump() | {"items": items}), ROOT)
    slots = list(world.studies.open(world.studies.study("crowd")).slots)
    labels = ("Feedback", "Guidance", "Visualization")
    people = []
    for number in range(MANY_PEOPLE):
        own = slots[number::MANY_PEOPLE]  # of fifteen items
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
        people.append((seat, {slot: {"option": labels[int(slot, 16) % 3]} for slot in own[: 15 if number % 3 else 6]}))
    write(project, "crowd", people, world.studies)
    return "crowd"


def test_answers_of_who_is_excluded_are_shown_and_do_not_count(world: World, root: Page) -> None:
    item = next(iter(world.studies.open(world.studies.study("experts")).items))
    slot = by_turn(world.studies, "experts", item)[-1]
    world.say("experts", "EXCLUDED", {slot: {"option": "feedback"}}, excluded="too fast")
    root.goto(f"{world.server.url}/studies/experts/answers?show=out&search=EXCLUDED")
    expect(root.locator(".answers li")).to_contain_text("Does not count: EXCLUDED is excluded, too fast")
    root.goto(f"{world.server.url}/studies/experts/answers?show=counted&search=EXCLUDED")
    expect(root.locator(".answers li")).to_have_count(0)


def test_two_hundred_people_at_three_hundred_items(world: World, root: Page, crowd: str) -> None:
    for study in ("experts", crowd):
        study_link(world.project, study, ROOT)
    links = Links(People(world.project.ledger))
    links.invite(Role.ANNOTATOR, timedelta(days=1), ROOT)
    root.set_viewport_size({"width": 360, "height": 740})
    for path in PAGES:
        root.goto(f"{world.server.url}{path}")
        root.wait_for_load_state("networkidle")
        assert root.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, path
        assert EXTERNAL not in root.content()
        assert "somebody-with-a-name" not in root.content()
    root.set_viewport_size({"width": 1280, "height": 900})
    root.goto(f"{world.server.url}/studies/{crowd}")
    expect(root.locator("#seats tbody tr")).to_have_count(MANY_PEOPLE)
    expect(root.locator(".cell")).to_have_count(MANY_ITEMS)
    expect(root.locator("#progress")).to_contain_text("of 3,000")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_serious_barrier(world: World, root: Page, scheme: str) -> None:
    root.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    for path in ("/studies", "/new-study", "/studies/words", "/studies/words/answers", "/assignments"):
        root.goto(f"{world.server.url}{path}")
        root.wait_for_load_state("networkidle")
        assert barriers(root) == [], path
    root.emulate_media(color_scheme="light")


def test_an_empty_project_says_what_to_do(tmp_path: Path, browser: Browser) -> None:
    with serving(make_project(tmp_path / "empty", screens=0)) as server:
        page = browser.new_page()
        for path, text in (
            ("/studies", "No study yet"),
            ("/new-study", "nothing to ask about"),
            ("/assignments", "nothing to assign"),
        ):
            page.goto(f"{server.url}{path}")
            expect(page.get_by_text(text)).to_be_visible()
            assert barriers(page) == []
        page.close()
