"""Taking part in a study, as people do: from the link to the end, and all the ways in which it is left."""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from numpy.typing import NDArray
from playwright.sync_api import Browser, BrowserContext, Page, expect

from affordance.author.project import create_project, open_project
from affordance.author.records import Kind
from affordance.author.taking_in import sort_out, take_in
from affordance.datasets import read_collection
from affordance.datasets.folder import write_folder
from affordance.media import Quality, encode_image, write_video
from affordance.models.answers import place_of
from affordance.run.settings import Settings
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
from affordance.suites.registry import TASKS
from function_data import header, pixel, screen, target
from motion_data import CLIPS, clip
from pair_world import write_pairs
from studio_world import Server, comes, faults, serving

THINGS = ("coal", "salt", "tea")
CONSENT = "We want to know how people understand animations.\n\n<b>Nothing</b> here is right or wrong."
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
SERIOUS = frozenset({"serious", "critical"})
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

    def answers(self, study: str) -> list[dict[str, Any]]:
        """All that people have said in a study, as it is now."""
        with open_project(self.folder, read_only=True) as project:
            found = project.ledger.documents(screen=place_of(study), kind=Kind.ANSWER)
        return [dict(one.document) for one in found]

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
        write_video(folder / item.video, (_frame(index, number) for index in range(60)), 60, Quality.EXACT)
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
    settings = Settings(tasks=(TASKS["function/ground-region"],))
    return task_study("place", settings, 4, read_collection(str(folder)), {"spec": str(folder)}, tutorial=False)


@dataclass(slots=True)
class Person:
    """Somebody who takes part, at a page."""

    page: Page

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def sees(self, title: str) -> None:
        expect(self.page.get_by_role("heading", level=1)).to_have_text(title)

    def comes_back_to(self, title: str) -> None:
        """It is looked every other second whether a study has changed."""

        def there() -> bool:
            self.page.reload()
            expect(self.page.locator("#taking h1")).to_be_visible()
            return self.page.locator("#taking h1").inner_text() == title

        comes(self.page, there)

    def question(self, number: int, of: int) -> None:
        expect(self.page.locator(".at")).to_have_text(f"{number} of {of}")

    def saved(self) -> None:
        expect(self.page.locator("#status").get_by_role("status")).to_have_text("Saved")

    def say(self, effect: str, meaning: str) -> None:
        self.page.get_by_label("What do you see happen?").fill(effect)
        self.page.get_by_label("What does it tell you, or what is it for?").fill(meaning)

    def begin(self, url: str) -> None:
        """From the link of a survey to its first question."""
        self.page.goto(url)
        self.press("I agree, and take part")
        self.press("Go on")
        self.press("Begin")
        self.question(1, 3)


@pytest.fixture
def person(context: BrowserContext) -> Iterator[Person]:
    wrong = faults(context)
    yield Person(context.new_page())
    assert wrong == []


def barriers(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found if one["impact"] in SERIOUS
    ]


def test_the_whole_way_by_mouse(world: World, person: Person) -> None:
    page = person.page
    page.goto(f"{world.url('words')}?PROLIFIC_PID=from-a-service")
    person.sees("Animations")
    expect(page.get_by_text("<b>Nothing</b> here")).to_be_visible()
    expect(page.get_by_role("button", name="Withdraw from the study")).to_be_hidden()
    person.press("I agree, and take part")
    person.sees("About you")
    expect(page.get_by_label("Gender")).to_have_value("")
    page.get_by_label("Age group").select_option("35 to 44")
    person.press("Go on")
    person.sees("How it goes")
    expect(page.get_by_role("heading", name="What helps")).to_be_visible()
    person.press("Begin")
    person.question(1, 3)
    expect(page.get_by_text("Attend to the green box")).to_be_visible()
    person.press("Next")  # nothing was said yet
    expect(page.get_by_role("alert").filter(has_text="Nothing is written yet")).to_be_visible()
    person.press("Leave it open and go on")
    person.question(2, 3)
    for number in (2, 3):
        person.question(number, 3)
        person.say(f"mouse effect {number}", "I don't know")
        person.press("Next" if number == 2 else "To the end")
    person.sees("1 question is not answered yet")
    expect(page.get_by_role("button", name="I am done")).to_have_count(0)
    page.get_by_role("link", name="question 1").click()
    person.say("mouse effect 1", "it is told here")
    person.saved()
    page.get_by_text("All questions").click()
    expect(page.get_by_role("link", name="Question 3, answered")).to_be_visible()
    page.get_by_role("link", name="Question 3, answered").click()
    expect(page.get_by_label("What do you see happen?")).to_have_value("mouse effect 3")
    page.get_by_label("What do you see happen?").fill("mouse effect 3, changed")
    person.press("How it goes")  # can be read again, also in the middle
    expect(page.get_by_role("dialog").get_by_text("What does not help")).to_be_visible()
    person.press("Close")
    person.press("To the end")
    person.sees("You have answered everything")
    person.press("I am done")
    person.sees("Thank you: you are done")
    back = page.get_by_role("link", name="Go back to where you came from")
    expect(back).to_have_attribute("href", "https://example.org/back?code=7")
    mine = [one for one in world.answers("words") if "mouse" in str(one["given"])]
    assert {one["given"]["effect"] for one in mine} == {
        *("mouse effect 1", "mouse effect 2", "mouse effect 3, changed")
    }
    assert sum(one["seconds"] for one in mine) > 0  # an answer that is there at once took none
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

    def tab_to(name: str) -> None:
        for _ in range(60):
            keys.press("Tab")
            if page.evaluate("document.activeElement.textContent.trim()") == name:
                return
        raise AssertionError(f"{name} cannot be reached")

    page.goto(world.url("either"))
    person.sees("Which of two designs do you prefer?")
    tab_to("I agree, and take part")
    keys.press("Enter")
    person.sees("How it goes")
    tab_to("Begin")
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
            expect(page.get_by_role("dialog").get_by_text("Choose Second")).to_be_visible()
            keys.press("Escape")
        keys.press("2" if number == 2 else "1")
        expect(page.get_by_role("radio", checked=True)).to_have_value("second" if number == 2 else "first")
        keys.press("Control+Enter")
    person.sees("You have answered everything")
    tab_to("I am done")
    keys.press("Enter")
    person.sees("Thank you: you are done")
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
    person.press("Next")
    expect(page.get_by_role("alert").filter(has_text="There is no box yet")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert wrong == []
    context.close()


def test_somebody_leaves_in_the_middle_and_comes_back_by_their_own_link(world: World, browser: Browser) -> None:
    first = browser.new_context()
    person = Person(first.new_page())
    person.begin(world.url("leaving"))
    person.say("before the break", "half")
    person.press("Next")
    person.question(2, 3)
    person.page.get_by_label("What do you see happen?").fill("only half of the second")
    person.press("Come back later")
    link = person.page.get_by_label("Your own link").input_value()
    person.press("Close")
    person.saved()
    first.close()
    second = browser.new_context(**PHONE)
    again = Person(second.new_page())
    again.page.goto(link)
    again.question(2, 3)
    expect(again.page.get_by_label("What do you see happen?")).to_have_value("only half of the second")
    again.press("Back")
    expect(again.page.get_by_label("What do you see happen?")).to_have_value("before the break")
    second.close()
    third = browser.new_page()
    third.goto(link[:-3] + "xyz")
    expect(third.get_by_role("heading", level=1)).to_have_text("You cannot take part by this link")
    third.close()


def test_nothing_is_lost_offline_nor_when_the_server_is_killed(world: World, person: Person) -> None:
    page = person.page
    person.begin(world.url("leaving"))
    person.say("said while online", "one")
    with page.expect_response(re.compile("/sheet")):  # of the third, before it is wanted
        person.press("Next")
    person.question(2, 3)
    person.saved()
    page.context.set_offline(True)
    person.say("said while offline", "two")
    expect(page.locator("#status")).to_contain_text("kept on this computer")
    person.press("Next")
    person.question(3, 3)
    expect(page.get_by_role("alert").filter(has_text="The film could not be loaded")).to_be_visible()
    assert "said while offline" not in world.texts("leaving")
    page.context.set_offline(False)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()  # it was asked for again
    person.saved()
    assert "said while offline" in world.texts("leaving")
    world.server.kill9()
    person.say("said while it was dead", "three")
    expect(page.locator("#status")).to_contain_text("kept on this computer")
    world.server.restart()
    person.saved()
    comes(page, lambda: "said while it was dead" in world.texts("leaving"))
    person.press("To the end")
    person.press("I am done")
    person.sees("Thank you: you are done")


def test_who_withdraws_leaves_no_word_behind(world: World, person: Person) -> None:
    page = person.page
    person.begin(world.url("leaving"))
    person.say("a word to be erased", "another to be erased")
    person.saved()
    assert "a word to be erased" in world.texts("leaving")
    other = Person(page.context.new_page())  # the same person, in a second tab
    other.page.goto(f"{world.server.url}/study/leaving")
    other.question(2, 3)
    person.say("a word to be erased, changed", "another to be erased")
    person.press("Withdraw from the study")
    expect(page.get_by_role("dialog")).to_contain_text("cannot be undone")
    person.press("Stay in the study")
    person.question(1, 3)
    person.press("Withdraw from the study")
    person.press("Withdraw and erase")
    person.sees("You have withdrawn")
    other.sees("You have withdrawn")
    assert not any("to be erased" in text for text in world.texts("leaving"))
    assert page.evaluate(KEPT, "to be erased") == []
    page.reload()
    person.sees("You have withdrawn")
    expect(page.get_by_role("button", name="Withdraw from the study")).to_be_hidden()


def test_who_does_not_agree_is_told_that_nothing_is_kept(world: World, person: Person) -> None:
    page = person.page
    page.goto(world.url("words"))
    person.press("I do not take part")
    person.sees("You do not take part")
    page.goto(f"{world.server.url}/study")
    person.sees("Studies")
    expect(page.get_by_role("listitem")).to_have_text("AnimationsYou have withdrawn")


def test_a_study_that_is_paused_closed_or_unknown_says_so(world: World, person: Person) -> None:
    page = person.page
    person.begin(world.url("changing"))
    person.say("before it changed", "kept")
    person.saved()
    video = next((world.folder / "media" / "clips").iterdir())
    content = video.read_bytes()
    video.write_bytes(content + b"\0")
    person.comes_back_to("This study is paused")
    video.write_bytes(content)
    person.comes_back_to("What do you see, and what does it mean?")
    person.question(2, 3)
    set_closed(world, closed=True)
    person.say("too late", "too late")
    for _ in range(2):  # also when the page is loaded again
        person.sees("This study is closed")
        expect(page.locator(".late")).to_contain_text("Your last answer, to question 2, came after that")
        said = page.get_by_label("What do you see happen?")
        expect(said).to_have_value("too late")
        expect(said).to_be_disabled()
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.reload()
    expect(page.get_by_role("button", name="Withdraw from the study")).to_be_visible()
    assert "too late" not in world.texts("changing")
    set_closed(world, closed=False)
    page.evaluate("dispatchEvent(new Event('focus'))")
    person.question(2, 3)
    comes(page, lambda: "too late" in world.texts("changing"))
    expect(page.get_by_role("alert")).to_have_count(0)
    page.goto(f"{world.server.url}/study/nothing")
    person.sees("There is no such study")


def set_closed(world: World, *, closed: bool) -> None:
    with open_project(world.folder) as project:
        begin_study(project, survey_study(project, "changing", per_item=9, per_person=None, closed=closed), ORGANISER)


def test_a_second_tab_shows_what_was_answered_in_the_first(world: World, person: Person) -> None:
    person.begin(world.url("leaving"))
    other = Person(person.page.context.new_page())
    other.page.goto(f"{world.server.url}/study/leaving#1")
    other.question(1, 3)
    for number, (one, two) in enumerate(((person, other), (other, person))):
        one.say(f"said in tab {number}", "the newest")
        one.saved()
        two.page.evaluate("dispatchEvent(new Event('focus'))")
        expect(two.page.get_by_label("What do you see happen?")).to_have_value(f"said in tab {number}")
    expect(person.page.get_by_role("dialog")).to_have_count(0)


def test_who_cannot_take_part_is_shown_no_way_into_the_studio(world: World, person: Person) -> None:
    page = person.page
    page.goto(f"{world.server.url}/s/nothing")
    person.sees("You cannot take part by this link")
    assert "Shop" not in page.content()
    expect(page.locator("main a, header a")).to_have_count(0)


def test_no_stage_has_a_barrier_in_light_and_dark(world: World, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 640, "height": 400}, reduced_motion="reduce")  # 200% zoom
    person = Person(context.new_page())
    page = person.page

    def clean(title: str) -> None:
        person.sees(title)
        page.wait_for_load_state("networkidle")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert barriers(page) == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0

    page.goto(world.url("words"))
    clean("Animations")
    person.press("I agree, and take part")
    clean("About you")
    person.press("Go on")
    clean("How it goes")
    person.press("Begin")
    page.get_by_text("All questions").click()
    person.press("Next")  # with what is missing pointed out
    clean("What do you see, and what does it mean?")
    page.goto(page.url.partition("#")[0] + "#end")
    clean("3 questions are not answered yet")
    person.press("Withdraw from the study")
    clean("3 questions are not answered yet")
    person.press("Withdraw and erase")
    clean("You have withdrawn")
    page.goto(world.url("place"))
    clean("Where is it?")
    page.goto(world.url("either"))
    person.press("I agree, and take part")
    person.press("Begin")
    clean("Two designs")
    context.close()


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


@pytest.fixture(scope="module")
def bench(world: World, browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(world.url("words"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Animations")
    yield page
    page.close()


def show(page: Page, form: Any, given: Any = None, blocks: Any = (), count: int = 3) -> None:
    page.evaluate(SHOW, {"form": asdict(form), "given": given, "blocks": list(blocks), "count": count})


def kept(page: Page) -> tuple[Any, bool]:
    """What was given, and whether nothing is missing in it."""
    given, _, whole = page.evaluate("window.kept")
    return given, whole


LONG = Option("long", "\u0645\u0631\u062d\u0628\u0627 " * 80)  # from right to left
CHOICE = ChoiceForm((Option("a", "<i>One</i>", "What one means"), Option("b", "Two"), LONG))


@pytest.mark.parametrize(
    ("form", "keys", "given"),
    [
        (CHOICE, "2", {"option": "b"}),
        (replace(CHOICE, several=True), "123", {"options": ["a", "b", "long"]}),
        (replace(CHOICE, several=True), "1232", {"options": ["a", "long"]}),
        (ScaleForm(0, 5, {0: "nothing in common", 5: "the same"}), "4", {"score": 4}),
        (YesNoForm("Is it so?"), "n", {"yes": False}),
        (YesNoForm(), "1", {"yes": True}),
        (EitherForm(("Left", "Right")), "2", {"side": "second"}),
    ],
)
def test_answers_are_chosen_by_keys_and_shown_again(bench: Page, form: AnswerForm, keys: str, given: Any) -> None:
    still = {"kind": "still", "label": "", "src": "/static/icon.svg", "width": 32, "height": 32}
    blocks = [still, still] if form.kind == "either" else []
    show(bench, form, blocks=blocks)
    for key in keys:
        bench.keyboard.press(key)
    assert kept(bench) == (given, True)
    check_given(form, given)  # as the server does
    show(bench, form, given, blocks)
    assert bench.locator("input:checked").count() == len(given.get("options", ["one"]))
    assert barriers(bench) == []


def test_an_untouched_answer_is_pointed_out_and_taking_all_ticks_away_leaves_none(bench: Page) -> None:
    show(bench, replace(CHOICE, several=True), {"options": ["a"]})
    bench.keyboard.press("1")
    assert kept(bench) == ({}, False)
    bench.keyboard.press("Control+Enter")
    expect(bench.get_by_role("alert")).to_contain_text("Nothing is ticked yet.")
    bench.keyboard.press("Enter")  # answer it
    expect(bench.get_by_role("alert")).to_have_count(0)
    expect(bench.get_by_role("checkbox").first).to_be_focused()


def test_tags_are_typed_taken_from_those_before_and_taken_away_by_keys(bench: Page) -> None:
    show(bench, TagsForm(("cut off", "misread")))
    field = bench.get_by_role("combobox", name="Tags")
    field.fill("  wrong   region ")
    field.press("Enter")
    bench.get_by_role("button", name="+ cut off").click()
    assert kept(bench) == ({"tags": ["wrong region", "cut off"], "note": ""}, True)
    field.fill("cut off")
    field.press(",")  # it is there already
    field.press("Backspace")
    assert kept(bench) == ({"tags": ["wrong region"], "note": ""}, True)
    bench.get_by_role("button", name="Remove wrong region").press("Enter")
    assert kept(bench) == ({}, False)
    bench.get_by_label("Note").fill("hm")
    assert kept(bench) == ({"tags": [], "note": "hm"}, False)
    assert barriers(bench) == []


def test_a_point_is_set_by_keys_and_a_number_of_many_is_typed(bench: Page) -> None:
    still = {"kind": "still", "label": "A page", "src": "/static/icon.svg", "width": 300, "height": 200}
    show(bench, PlaceForm((300, 200), box=False, absent=True), blocks=[still])
    picture = bench.get_by_role("application", name="A page")
    picture.press("Enter")
    picture.press("Alt+ArrowLeft")
    assert kept(bench) == ({"point": {"space": "pixel", "xy": [149, 100]}}, True)
    bench.get_by_label("It is not there").check()
    assert kept(bench) == ({"absent": True}, True)
    show(bench, ScaleForm(0, 100))
    bench.get_by_label("A whole number from 0 to 100").fill("101")
    assert kept(bench) == ({}, False)
    bench.get_by_label("A whole number from 0 to 100").fill("77")
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
    expect(bench.get_by_role("alert")).to_contain_text("This picture could not be loaded.")
    bench.get_by_text("All questions").click()
    expect(bench.get_by_role("link", name="Question 200, open")).to_be_attached()
    assert bench.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert barriers(bench) == []
