"""Taking part in a study, as people do: from the link to the end, and all the ways in which it is left."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from affordance.author.project import create_project, open_project
from affordance.author.records import Kind
from affordance.author.taking_in import sort_out, take_in
from affordance.datasets import load_collection
from affordance.datasets.folder import write_folder
from affordance.evaluation.run_config import RunConfig
from affordance.media import VideoQuality, encode_image, write_video
from affordance.models.study_documents import study_scope
from affordance.studio.studies.beginning import begin_study, study_link
from affordance.studio.studies.forms import (
    AnswerForm,
    ChoiceForm,
    EitherForm,
    Option,
    PlaceForm,
    ScaleForm,
    TagsForm,
    YesNoForm,
)
from affordance.studio.studies.given import check_given
from affordance.studio.studies.made_of_clips import survey_study
from affordance.studio.studies.made_of_pairs import preference_study
from affordance.studio.studies.sources.task import task_study
from affordance.tasks.registry import TASKS
from form_client import FormClient
from function_data import header, pixel, screen, target
from motion_data import CLIPS, clip
from pair_world import write_pairs
from studio_world import Server, comes, faults, serving
from study_world import show

THINGS = ("coal", "salt", "tea")
CONSENT = "We want to know how people understand animations.\n\n<b>Nothing</b> here is right or wrong."
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
ORGANISER = "person:organiser"


@dataclass(frozen=True, slots=True)
class World:
    server: Server
    links: dict[str, str]  # by study

    @property
    def folder(self) -> Path:
        return self.server.project

    def url(self, study: str) -> str:
        return self.server.url + self.links[study]

    def documents(self, study: str, kind: Kind) -> list[dict[str, Any]]:
        with open_project(self.folder, read_only=True) as project:
            found = project.ledger.documents.latest(scope=study_scope(study), kind=kind)
        return [dict(one.document) for one in found]

    def answers(self, study: str) -> list[dict[str, Any]]:
        """All that people have said in a study, as it is now."""
        return self.documents(study, Kind.ANSWER)

    def texts(self, study: str) -> set[str]:
        return {str(text) for one in self.answers(study) for text in one["given"].values()}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A project with three clips, three pairs and a screen, and studies of them."""
    here = tmp_path_factory.mktemp("taking")
    folder = here / "project"
    create_project(folder, name="Shop", licence="CC0-1.0", synthetic=True)
    with open_project(folder) as project:
        take_in(project, sort_out([str(write_films(here / "clips")), str(write_pairs(here / "pairs"))]))
        people = {"consent": CONSENT, "per_person": None}
        told = {**people, "about": True, "completion": "https://example.org/back?code=7", "title": "Animations"}
        studies = [survey_study(project, name, per_item=9, **told) for name in ("words", "leaving", "changing")]
        studies.append(preference_study(project, "either", per_item=6, **people))
        studies.append(place_study(here / "screens"))
        for study in studies:
            begin_study(project, study, ORGANISER)
        links = {study.name: study_link(project, study.name, ORGANISER) for study in studies}
    with serving(folder, "--sign-in") as server:
        yield World(server, links)


def write_films(folder: Path) -> Path:
    """A card that opens, in a colour of its own for each thing."""
    (folder / "media").mkdir(parents=True)
    items = [clip(name, purpose="Feedback") for name in THINGS]
    for number, item in enumerate(items):
        write_video(folder / item.video, (_frame(index, number) for index in range(60)), 60, VideoQuality.EXACT)
    write_folder(folder, CLIPS, items)
    return folder


def _frame(index: int, number: int) -> NDArray[np.uint8]:
    pixels = np.full((160, 240, 3), 244, np.uint8)
    cv2.rectangle(pixels, (0, 0), (240, 24), (70, 60 + 40 * number, 40), -1)
    half = 6 + min(max(index - 12, 0), 17) * 2
    cv2.rectangle(pixels, (120 - half, 92 - half), (120 + half, 92 + half), (60 * number, 120, 220 - 50 * number), -1)
    return pixels


def place_study(folder: Path) -> Any:
    """Where two regions of a screen are."""
    pixels = np.full((400, 640, 3), 250, np.uint8)
    cv2.rectangle(pixels, (320, 160), (479, 239), (60, 130, 40), -1)
    (folder / "media").mkdir(parents=True)
    (folder / "media" / "page.png").write_bytes(encode_image(pixels))
    targets = [
        target("pay", "region", pixel(320, 160, 480, 240), functionality="Where does one pay?"),
        target("help", "region", pixel(0, 0, 80, 40), functionality="Where is help?"),
    ]
    page = screen("page", (640, 400), targets).model_copy(update={"image": "media/page.png"})
    write_folder(folder, header("screen"), [page])
    settings = RunConfig(tasks=(TASKS["function/ground-region"],))
    return task_study("place", settings, 4, load_collection(str(folder)), {"spec": str(folder)}, tutorial=False)


@dataclass(slots=True)
class Person:
    """Somebody who takes part, at a page."""

    page: Page

    def press(self, action: str) -> None:
        self.page.locator(f"[data-action={action}]").click()

    def sees(self, stage: str) -> None:
        """A stage, with a title."""
        expect(self.page.locator(f"#taking [data-stage={stage}] h1")).not_to_be_empty()

    def reloads_until(self, stage: str) -> None:
        """The server looks every other second whether a study has changed."""

        def there() -> bool:
            self.page.reload()
            self.page.locator("#taking [data-stage]").wait_for()
            return self.page.locator("#taking [data-stage]").get_attribute("data-stage") == stage

        comes(self.page, there)

    def question(self, number: int, of: int) -> None:
        question = self.page.locator("[data-stage=question]")
        expect(question).to_have_attribute("data-question", str(number))
        expect(question).to_have_attribute("data-count", str(of))
        expect(self.page.locator(".at")).to_have_text(re.compile(rf"^{number}\D+{of}$"))

    @property
    def status(self) -> Locator:
        return self.page.locator("#status").get_by_role("status")

    def saved(self) -> None:
        expect(self.status).to_have_attribute("data-look", "saved")

    def kept_here(self) -> None:
        """Answers wait on this computer, and the page says how many."""
        expect(self.status).to_have_attribute("data-look", "trouble")
        expect(self.status).to_contain_text(re.compile("[1-9]"))

    @property
    def effect(self) -> Locator:
        return self.page.locator("textarea[name=effect]")

    def say(self, effect: str, meaning: str) -> None:
        self.effect.fill(effect)
        self.page.locator("textarea[name=meaning]").fill(meaning)

    def begin(self, url: str) -> None:
        """From the link of a survey to its first question."""
        self.page.goto(url)
        for action in ("agree", "continue", "begin"):
            self.press(action)
        self.question(1, 3)


@pytest.fixture
def person(context: BrowserContext) -> Iterator[Person]:
    wrong = faults(context)
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")  # films that play keep the processor busy
    yield Person(page)
    assert wrong == []


def test_the_whole_way_by_mouse(world: World, person: Person) -> None:
    page = person.page
    page.goto(f"{world.url('words')}?PROLIFIC_PID=from-a-service")
    person.sees("consent")
    expect(page.locator("[data-stage=consent]")).to_contain_text("<b>Nothing</b> here")
    expect(page.locator("#withdraw")).to_be_hidden()
    person.press("agree")
    person.sees("about")
    expect(page.locator("#gender")).to_have_value("")
    age = page.locator("#age").select_option(index=3)
    assert age[0]
    person.press("continue")
    person.sees("tutorial")
    expect(page.locator("[data-examples=good] li").first).not_to_be_empty()
    person.press("begin")
    person.question(1, 3)
    expect(page.locator(".film-attend")).to_be_visible()
    person.press("next")  # nothing is written yet
    expect(page.locator(".lack[role=alert]")).to_be_visible()
    person.press("skip")
    for number in (2, 3):
        person.question(number, 3)
        person.say(f"mouse effect {number}", "I don't know")
        person.press("next")
    person.sees("end")
    expect(page.locator("[data-action=finish]")).to_have_count(0)
    (missing,) = page.locator("[data-stage=end] p a").all()
    expect(missing).to_have_attribute("href", "#1")
    missing.click()
    person.question(1, 3)
    person.say("mouse effect 1", "it is told here")
    person.saved()
    page.locator(".jump summary").click()
    third = page.locator(".jump a[href='#3']")
    expect(third).to_have_attribute("data-state", "answered")
    third.click()
    person.question(3, 3)
    expect(person.effect).to_have_value("mouse effect 3")
    person.effect.fill("mouse effect 3, changed")
    page.locator("#teach").click()  # can be read again, also in the middle
    expect(page.get_by_role("dialog").locator("[data-examples=bad]")).to_be_visible()
    page.keyboard.press("Escape")
    person.press("next")
    person.sees("end")
    person.press("finish")
    person.sees("done")
    expect(page.locator("[data-stage=done] a")).to_have_attribute("href", "https://example.org/back?code=7")
    mine = [one for one in world.answers("words") if "mouse" in str(one["given"])]
    assert {one["given"]["effect"] for one in mine} == {
        *("mouse effect 1", "mouse effect 2", "mouse effect 3, changed")
    }
    assert sum(one["seconds"] for one in mine) > 0  # an answer that is there at once took none
    assert age[0] in {one["age"] for one in world.documents("words", Kind.SEAT)}
    assert page.evaluate(KEPT, "mouse effect") == []  # nothing stays in the browser


# What IndexedDB and other storage of the browser have that holds a text.
KEPT = """async (text) => {
  const opening = indexedDB.open("affordance-studio");
  const database = await new Promise((done) => (opening.onsuccess = () => done(opening.result)));
  const rows = await Promise.all([...database.objectStoreNames].map((name) => new Promise((done) => {
    const asked = database.transaction(name).objectStore(name).getAll();
    asked.onsuccess = () => done(asked.result);
  })));
  const all = [...rows.flat(), { ...localStorage }, { ...sessionStorage }].map((one) => JSON.stringify(one));
  return all.filter((one) => one.includes(text));
}"""


def test_the_whole_way_by_keyboard(world: World, person: Person) -> None:
    page = person.page
    keys = page.keyboard

    def tab_to(action: str) -> None:
        page.locator(f"[data-action={action}]").wait_for()
        for _ in range(60):
            keys.press("Tab")
            if page.evaluate("document.activeElement.dataset.action") == action:
                return
        raise AssertionError(f"{action} cannot be reached")

    page.goto(world.url("either"))
    person.sees("consent")
    tab_to("agree")
    keys.press("Enter")
    person.sees("tutorial")
    tab_to("begin")
    keys.press("Enter")
    for number in (1, 2):
        person.question(number, 2)
        if number == 1:
            keys.press("z")
            expect(page.get_by_role("dialog").locator("canvas")).to_have_count(2)
            page.get_by_role("dialog").locator("canvas").first.focus()
            for key in ("+", "ArrowLeft"):
                keys.press(key)
            shown = [one.get_attribute("style") for one in page.get_by_role("dialog").locator("img").all()]
            assert len({re.sub(r"(width|height)[^;]*;", "", str(one)) for one in shown}) == 1  # the same part of both
            keys.press("Escape")
            keys.press("?")
            expect(page.get_by_role("dialog").locator("kbd", has_text=re.compile("^2$"))).to_be_visible()
            keys.press("Escape")
        keys.press("2" if number == 2 else "1")
        expect(page.get_by_role("radio", checked=True)).to_have_value("second" if number == 2 else "first")
        keys.press("Control+Enter")
    person.sees("end")
    tab_to("finish")
    keys.press("Enter")
    person.sees("done")
    assert sorted(one["given"]["side"] for one in world.answers("either")) == ["first", "second"]


def test_a_place_is_drawn_by_touch_on_a_phone_and_corrected_by_keys(world: World, browser: Browser) -> None:
    context = browser.new_context(**PHONE)
    wrong = faults(context)
    person = Person(context.new_page())
    page = person.page
    page.goto(world.url("place"))
    person.question(1, 2)
    canvas = page.get_by_role("application")
    canvas.scroll_into_view_if_needed()
    area = canvas.bounding_box()
    assert area is not None
    touch = page.context.new_cdp_session(page)

    def finger(kind: str, x: float, y: float) -> None:
        at = [] if kind == "touchEnd" else [{"x": area["x"] + x * area["width"], "y": area["y"] + y * area["height"]}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    finger("touchStart", 0.4, 0.4)
    for step in range(1, 6):
        finger("touchMove", 0.4 + 0.04 * step, 0.4 + 0.03 * step)
    finger("touchEnd", 0, 0)
    person.saved()

    def box() -> list[int]:
        (given,) = [one["given"] for one in world.answers("place")]
        return given["box"]["xyxy"] if "box" in given else []

    comes(page, lambda: len(box()) == 4)
    drawn = box()
    assert 0 <= drawn[0] < drawn[2] <= 640
    canvas.press("Alt+ArrowRight")
    comes(page, lambda: box() == [drawn[0] + 1, drawn[1], drawn[2] + 1, drawn[3]])
    canvas.press("Shift+Alt+ArrowDown")
    comes(page, lambda: box() == [drawn[0] + 1, drawn[1], drawn[2] + 1, drawn[3] + 1])
    canvas.press("Delete")
    comes(page, lambda: box() == [])
    person.press("next")
    expect(page.locator(".lack[role=alert]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert wrong == []
    context.close()


def test_a_person_leaves_in_the_middle_and_comes_back_by_their_own_link(world: World, browser: Browser) -> None:
    first = browser.new_context()
    person = Person(first.new_page())
    person.begin(world.url("leaving"))
    person.say("before the break", "half")
    person.press("next")
    person.question(2, 3)
    person.effect.fill("only half of the second")
    person.page.locator("#later").click()
    link = person.page.locator("input[name=own-link]").input_value()
    person.page.keyboard.press("Escape")
    person.saved()
    first.close()
    second = browser.new_context(**PHONE)
    again = Person(second.new_page())
    again.page.goto(link)
    again.question(2, 3)
    expect(again.effect).to_have_value("only half of the second")
    again.press("back")
    expect(again.effect).to_have_value("before the break")
    second.close()


def test_nothing_is_lost_offline_nor_when_the_server_is_killed(world: World, person: Person) -> None:
    page = person.page
    person.begin(world.url("leaving"))
    person.say("said while online", "one")
    with page.expect_response(re.compile("/sheet")):  # of the third, before it is wanted
        person.press("next")
    person.question(2, 3)
    person.saved()
    page.context.set_offline(True)
    person.say("said while offline", "two")
    person.kept_here()
    person.press("next")
    person.question(3, 3)
    expect(page.locator(".film").get_by_role("alert")).to_be_visible()
    assert "said while offline" not in world.texts("leaving")
    page.context.set_offline(False)
    expect(page.locator(".film").get_by_role("alert")).to_have_count(0)  # it was fetched again
    person.saved()
    assert "said while offline" in world.texts("leaving")
    world.server.kill9()
    person.say("said while it was dead", "three")
    person.kept_here()
    world.server.restart()
    person.saved()
    comes(page, lambda: "said while it was dead" in world.texts("leaving"))
    person.press("next")
    person.press("finish")
    person.sees("done")


def test_two_tabs_show_the_same_and_withdrawing_erases_every_word(world: World, person: Person) -> None:
    page = person.page
    person.begin(world.url("leaving"))
    other = Person(page.context.new_page())  # the same person, in a second tab
    other.page.goto(f"{world.server.url}/study/leaving#1")
    other.question(1, 3)
    for number, (one, two) in enumerate(((person, other), (other, person))):
        one.say(f"said in tab {number}, to be erased", "the newest")
        one.saved()
        two.page.evaluate("dispatchEvent(new Event('focus'))")
        expect(two.effect).to_have_value(f"said in tab {number}, to be erased")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "said in tab 1, to be erased" in world.texts("leaving")
    person.say("a word to be erased, changed", "another to be erased")
    buttons = page.get_by_role("dialog").locator(".actions button")
    page.locator("#withdraw").click()
    buttons.last.click()  # stay
    person.question(1, 3)
    page.locator("#withdraw").click()
    buttons.and_(page.locator(".danger")).click()
    person.sees("withdrawn")
    other.sees("withdrawn")
    assert not any("to be erased" in text for text in world.texts("leaving"))
    assert page.evaluate(KEPT, "to be erased") == []
    page.reload()
    person.sees("withdrawn")
    expect(page.locator("#withdraw")).to_be_hidden()


def test_a_person_who_declines_has_withdrawn(world: World, person: Person) -> None:
    page = person.page
    page.goto(world.url("words"))
    person.press("decline")
    person.sees("declined")
    page.goto(f"{world.server.url}/study")
    listed = page.locator("#studies li")
    expect(listed).to_have_count(1)
    expect(listed).to_have_attribute("data-study", "words")
    expect(listed).to_have_attribute("data-stage", "withdrawn")
    expect(listed).to_contain_text("Animations")


def test_a_study_that_is_paused_closed_or_unknown(world: World, person: Person) -> None:
    page = person.page
    person.begin(world.url("changing"))
    person.say("before it changed", "kept")
    person.saved()
    video = next((world.folder / "media" / "clips").iterdir())
    content = video.read_bytes()
    video.write_bytes(content + b"\0")
    person.reloads_until("changed")
    video.write_bytes(content)
    person.reloads_until("question")
    person.question(2, 3)
    set_closed(world, closed=True)
    person.say("too late", "too late")
    for _ in range(2):  # also when the page is loaded again
        person.sees("closed")
        expect(page.locator(".late")).to_have_attribute("data-question", "2")
        expect(person.effect).to_have_value("too late")
        expect(person.effect).to_be_disabled()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.reload()
    expect(page.locator("#withdraw")).to_be_visible()
    assert "too late" not in world.texts("changing")
    set_closed(world, closed=False)
    page.evaluate("dispatchEvent(new Event('focus'))")
    person.question(2, 3)
    comes(page, lambda: "too late" in world.texts("changing"))
    expect(page.get_by_role("alert")).to_have_count(0)
    page.goto(f"{world.server.url}/study/nothing")
    person.sees("missing")


def set_closed(world: World, *, closed: bool) -> None:
    with open_project(world.folder) as project:
        begin_study(project, survey_study(project, "changing", per_item=9, per_person=None, closed=closed), ORGANISER)


def test_a_link_that_does_not_work_shows_no_way_into_the_studio(world: World) -> None:
    client = FormClient(world.server.url)
    for path in ("/s/nothing", f"/back/words.0000.{'x' * 43}"):
        page = client.open(path)
        assert (page.status, page.reason) == (404, "unknown")
        assert "Shop" not in page.html
        assert [one.attributes.get("href") for one in page.all("a")] == ["#main"]


@pytest.fixture(scope="module")
def bench(world: World, browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(world.url("words"))
    Person(page).sees("consent")
    yield page
    page.close()


def kept(page: Page) -> tuple[Any, bool]:
    """What was given, and whether nothing is missing in it."""
    given, _, whole = page.evaluate("window.kept")
    return given, whole


LONG = Option("long", "\u0645\u0631\u062d\u0628\u0627 " * 80)  # from right to left
CHOICE = ChoiceForm((Option("a", "<i>One</i>", "What one means"), Option("b", "Two"), LONG))


def test_answers_are_chosen_by_keys_and_shown_again(bench: Page) -> None:
    still = {"kind": "still", "label": "", "src": "/static/icon.svg", "width": 32, "height": 32}
    cases: tuple[tuple[AnswerForm, str, dict[str, Any]], ...] = (
        (CHOICE, "2", {"option": "b"}),
        (replace(CHOICE, several=True), "123", {"options": ["a", "b", "long"]}),
        (replace(CHOICE, several=True), "1232", {"options": ["a", "long"]}),
        (ScaleForm(0, 5, {0: "nothing in common", 5: "the same"}), "4", {"score": 4}),
        (YesNoForm("Is it so?"), "n", {"yes": False}),
        (YesNoForm(), "1", {"yes": True}),
        (EitherForm(("Left", "Right")), "2", {"side": "second"}),
    )
    for form, keys, given in cases:
        blocks = [still, still] if form.kind == "either" else []
        show(bench, form, blocks=blocks)
        for key in keys:
            bench.keyboard.press(key)
        assert kept(bench) == (given, True)
        check_given(form, given)  # as the server does
        show(bench, form, given, blocks)
        assert bench.locator("input:checked").count() == len(given.get("options", ["one"]))


def test_an_untouched_answer_is_pointed_out_and_taking_all_ticks_away_leaves_none(bench: Page) -> None:
    show(bench, replace(CHOICE, several=True), {"options": ["a"]})
    bench.keyboard.press("1")
    assert kept(bench) == ({}, False)
    bench.keyboard.press("Control+Enter")
    expect(bench.locator(".lack[role=alert]")).to_be_visible()
    bench.keyboard.press("Enter")  # answer it
    expect(bench.get_by_role("alert")).to_have_count(0)
    expect(bench.get_by_role("checkbox").first).to_be_focused()


def test_tags_are_typed_taken_from_those_before_and_taken_away_by_keys(bench: Page) -> None:
    show(bench, TagsForm(("cut off", "misread")))
    field = bench.locator("input[name=tag]")
    field.fill("  wrong   region ")
    field.press("Enter")
    bench.locator("[data-action=add][data-tag='cut off']").click()
    assert kept(bench) == ({"tags": ["wrong region", "cut off"], "note": ""}, True)
    field.fill("cut off")
    field.press(",")  # it is there already
    field.press("Backspace")
    assert kept(bench) == ({"tags": ["wrong region"], "note": ""}, True)
    bench.locator("[data-action=remove][data-tag='wrong region']").press("Enter")
    assert kept(bench) == ({}, False)
    bench.locator("[name=note]").fill("hm")
    assert kept(bench) == ({"tags": [], "note": "hm"}, False)


def test_a_point_is_set_by_keys_and_a_number_of_many_is_typed(bench: Page) -> None:
    still = {"kind": "still", "label": "A page", "src": "/static/icon.svg", "width": 300, "height": 200}
    show(bench, PlaceForm((300, 200), box=False, absent=True), blocks=[still])
    picture = bench.get_by_role("application")
    expect(picture).to_have_attribute("aria-label", "A page")
    picture.press("Enter")
    picture.press("Alt+ArrowLeft")
    assert kept(bench) == ({"point": {"space": "pixel", "xy": [149, 100]}}, True)
    bench.locator("[name=absent]").check()
    assert kept(bench) == ({"absent": True}, True)
    show(bench, ScaleForm(0, 100))
    bench.locator("[name=score]").fill("101")
    assert kept(bench) == ({}, False)
    bench.locator("[name=score]").fill("77")
    assert kept(bench) == ({"score": 77}, True)


def test_what_has_the_focus_is_never_behind_the_foot(bench: Page) -> None:
    film = {"kind": "film", "label": "", "src": "/nothing", "rate": "10", "frames": 9, "width": 240, "height": 400}
    options = tuple(Option(f"o{number}", f"Option {number} " * 6, "What it means") for number in range(12))
    show(bench, ChoiceForm(options, several=True), blocks=[{**film, "attend": [], "drawn": None}])
    bench.evaluate("scrollTo(0, 0)")
    seen = 0
    for _ in range(60):
        bench.keyboard.press("Tab")
        inside, bottom, foot = bench.evaluate(
            """() => [document.querySelector(".sheet-body").contains(document.activeElement),
                document.activeElement.getBoundingClientRect().bottom,
                document.querySelector(".ways").getBoundingClientRect().top]"""
        )
        seen += inside
        assert not inside or bottom <= foot
    assert seen > 24  # each option, what it means, and what the film has


def test_two_hundred_questions_a_long_text_and_a_picture_that_does_not_come(bench: Page) -> None:
    blocks = [
        {"kind": "still", "label": "Gone", "src": "/static/nothing.png", "width": 64, "height": 48},
        {"kind": "text", "label": "Reply", "text": "<script>alert(1)</script>" + "w" * 3000, "folded": False},
    ]
    show(bench, YesNoForm(), blocks=blocks, count=200)
    expect(bench.locator("[data-failed=picture][role=alert]")).to_be_visible()
    bench.locator(".jump summary").click()
    expect(bench.locator(".jump a[href='#200']")).to_have_attribute("data-state", "open")
    assert bench.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
