"""Questions as a person corrects them: wording, box, abandoning; with keys and mouse, in a real browser."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect
from typer.testing import CliRunner

from affordance.author.project import open_project, plain
from affordance.author.records import Kind, QuestionRecord
from affordance.cli.main import app
from affordance.ledger import Draft
from studio_world import MODEL, Server, box, comes, faults, make_project, tree

HOSTILE = "Where is <img src=x onerror=\"document.title='owned'\"> the <b>list</b>?"
ARABIC = "أين يمكن للمرء أن يبحث في الطلبات؟"
LONG = "Where can one look through everything there is? " * 41  # 1,968 characters
BOXES = {node.name: node.box for node in tree(12)}
GROUND, DROPPED, OUTCOME = "ground-1-1", "ground-1-2", "outcome-1-4"  # of each screen, by the world
SCREENS = 12
MORE = 100  # at the end of the list: more than come at once
ALL = SCREENS * 4 + 4 + MORE

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = make_project(tmp_path_factory.mktemp("questions") / "shop", screens=SCREENS, regions=12)
    with open_project(made) as opened:
        drafts = [
            asked("screen-9", f"odd-{number}", {"functionality": text})
            for number, text in enumerate((HOSTILE, ARABIC, LONG))
        ]
        drafts += [asked("screen-9", f"z-{number:03}", {"functionality": "Where is it?"}) for number in range(MORE)]
        element = opened.state("screen-9").elements
        assert element is not None
        first = element.elements[0]
        record = {"form": "ground", "level": "element", "target": first.id, "box": first.box, "action": "click"}
        words = {"alike": [element.elements[1].id], "expressions": {"intent": "Go to the orders"}, "by": MODEL}
        drafts.append(question("screen-9", "ground-element", QuestionRecord.model_validate(record | words)))
        opened.ledger.revise(drafts)
    return made


def asked(screen: str, name: str, expressions: dict[str, str]) -> Draft:
    target = {"form": "ground", "level": "region", "target": "1-3", "box": box(*BOXES["1-3"])}
    return question(screen, name, QuestionRecord.model_validate({**target, "expressions": expressions, "by": MODEL}))


def question(screen: str, name: str, record: QuestionRecord) -> Draft:
    return Draft(Kind.QUESTION, f"{screen}/{name}", plain(record), MODEL, screen)


@pytest.fixture
def opened(context: BrowserContext, server: Server) -> Iterator[Open]:
    """Opens a question; at the end no page may have thrown or broken its policy."""
    wrong = faults(context)

    def open_page(screen: str = "", name: str = "", **more: str) -> Page:
        page = context.new_page()
        asked_for = {key: value for key, value in {"screen": screen, "question": name, **more}.items() if value}
        page.goto(f"{server.url}/questions?{urlencode(asked_for)}")
        page.wait_for_selector("#editor:not([aria-busy]) textarea, #none:visible")
        return page

    yield open_page
    assert wrong == []


def saved(page: Page) -> None:
    expect(page.locator("#status .status:visible")).to_have_text("Saved")


def at(page: Page, name: str) -> None:
    expect(page.locator("#editor .facts dd").first).to_have_text(name)


def latest(server: Server, screen: str, name: str) -> dict[str, Any]:
    versions = server.get("/api/history", screen=screen, kind="question", name=name).json["versions"]
    found: dict[str, Any] = versions[-1]
    return found


def field(page: Page, label: str) -> Locator:
    return page.locator("#editor .wording").filter(has_text=label).locator("textarea")


def exported(project: Path, folder: Path) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """What is asked, by SCREEN/NAME: targets and choices."""
    result = CliRunner().invoke(app, ["author", "export", str(project), "-o", str(folder)])
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in (folder / "screens/items.jsonl").read_text().splitlines()]
    targets = {f"{row['id']}/{one['id']}": one for row in rows for one in row.get("targets", [])}
    choices = [json.loads(line) for line in (folder / "choices/items.jsonl").read_text().splitlines()]
    return targets, {one["id"]: one for one in choices}


def on_stage(page: Page, screen_xy: tuple[float, float]) -> tuple[float, float]:
    """A point of the screenshot, in the window: the whole of it is in view."""
    frame = page.locator(".stage-picture").first.bounding_box()
    assert frame is not None
    return frame["x"] + screen_xy[0] * frame["width"] / 1280, frame["y"] + screen_xy[1] * frame["height"] / 800


def test_a_wording_is_changed_by_keys_alone(opened: Open, server: Server, project: Path, tmp_path: Path) -> None:
    page = opened("screen-1", GROUND)
    page.keyboard.press("e")
    expect(field(page, "By what it is for")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("Where does one settle what was ordered, J K X?")
    page.keyboard.press("Control+Enter")
    saved(page)
    expect(page.locator(".pick-row.chosen")).to_contain_text("edited by Ana")
    expect(page.locator(".pick-row.chosen")).to_contain_text("Where does one settle")
    now = latest(server, "screen-1", GROUND)
    assert now["author"] == "person:Ana"
    assert now["document"]["expressions"]["functionality"] == "Where does one settle what was ordered, J K X?"
    assert now["document"]["expressions"]["description"] == "The light card with the orders in it"

    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator("#editor .standing")).to_contain_text("Abandoned by a person")
    page.keyboard.press("x")
    expect(page.locator("#editor .standing")).to_contain_text("Kept")
    page.keyboard.press("j")
    at(page, DROPPED)
    page.keyboard.press("x")
    expect(page.locator(".pick-row.chosen")).to_contain_text("abandoned")
    page.keyboard.press("Control+z")
    expect(page.locator("#editor .standing")).to_contain_text("Dropped by a check: fits more than one region")
    page.keyboard.press("v")
    expect(page.locator("#editor .standing")).to_contain_text("Kept")
    page.keyboard.press("k")
    at(page, GROUND)
    saved(page)

    page.goto(f"{server.url}/questions?{urlencode({'screen': 'screen-2', 'question': GROUND})}")
    at(page, GROUND)
    page.get_by_role("button", name="Abandon").click()
    saved(page)

    targets, _ = exported(project, tmp_path / "out")
    assert targets[f"screen-1/{GROUND}"]["functionality"] == "Where does one settle what was ordered, J K X?"
    assert f"screen-1/{DROPPED}" in targets
    assert f"screen-2/{DROPPED}" not in targets
    assert f"screen-2/{GROUND}" not in targets


def test_a_click_counts_while_the_page_is_still_loading(opened: Open, server: Server) -> None:
    page = opened()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/question?**", hold)
    page.goto(f"{server.url}/questions?{urlencode({'screen': 'screen-5', 'question': GROUND})}")
    at(page, GROUND)
    page.get_by_role("button", name="Abandon").hover()
    page.mouse.down()
    comes(page, lambda: held)
    held[0].continue_()
    page.wait_for_selector("#editor:not([aria-busy])")
    page.mouse.up()
    expect(page.locator("#editor .standing")).to_contain_text("Abandoned by a person")
    expect(page.get_by_role("button", name="Take back")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#editor .standing")).to_contain_text("Kept")
    expect(page.get_by_role("button", name="Abandon")).to_be_focused()
    saved(page)


def test_options_are_worded_and_tell_where_they_are_from(
    opened: Open, server: Server, project: Path, tmp_path: Path
) -> None:
    page = opened("screen-3", OUTCOME)
    right = page.locator(".wording.right")
    expect(right).to_contain_text("✓ right answer")
    expect(page.locator("#editor")).to_contain_text("wrong, of a look-alike (1-1)")
    expect(page.locator("#editor")).to_contain_text("wrong, of something else")
    second = page.get_by_label("B wrong")
    second.fill("The list of all orders opens")
    page.get_by_label("What is asked").click()
    saved(page)
    options = latest(server, "screen-3", OUTCOME)["document"]["options"]
    assert [one["text"] for one in options] == [
        "The list of messages opens",
        "The list of all orders opens",
        "The page is printed",
    ]
    assert [one["origin"] for one in options] == ["target", "hard", "easy"]

    second.fill("")
    page.get_by_label("What is asked").click()
    expect(page.locator("#editor")).to_contain_text("An option needs words.")
    second.fill("The list of messages opens")
    expect(page.locator("#editor")).to_contain_text("option B says the same as option A")
    page.keyboard.press("Escape")
    expect(second).to_have_value("The list of all orders opens")
    expect(page.locator("#editor")).not_to_contain_text("says the same")
    saved(page)
    _, choices = exported(project, tmp_path / "out")
    assert [one["text"] for one in choices[f"screen-3/{OUTCOME}"]["options"]][1] == "The list of all orders opens"


def test_the_box_is_moved_resized_drawn_and_nudged(opened: Open, server: Server, project: Path, tmp_path: Path) -> None:
    page = opened("screen-4", GROUND)
    x1, _, x2, _ = BOXES["1-1"]
    page.keyboard.press("s")  # snapping is not what this is about
    start = on_stage(page, ((x1 + x2) / 2, 300))
    per_pixel = (on_stage(page, (1000, 0))[0] - on_stage(page, (0, 0))[0]) / 1000
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 50 * per_pixel, start[1], steps=4)
    page.mouse.up()
    saved(page)
    moved = latest(server, "screen-4", GROUND)["document"]["box"]["xyxy"]
    assert moved[0] == pytest.approx(x1 + 50, abs=2)
    assert moved[2] - moved[0] == x2 - x1

    page.keyboard.press("b")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Alt+ArrowRight")
    expect(page.get_by_label("Left")).to_have_value(str(moved[0] + 11))
    expect(page.get_by_label("Right")).to_have_value(str(moved[2] + 12))
    saved(page)

    page.keyboard.press("n")
    page.mouse.move(*on_stage(page, (100, 100)))
    page.mouse.down()
    page.mouse.move(*on_stage(page, (300, 250)), steps=4)
    page.mouse.up()
    expect(page.get_by_label("Top")).to_have_value("100")
    saved(page)
    drawn = latest(server, "screen-4", GROUND)
    assert drawn["author"] == "person:Ana"
    assert drawn["document"]["box"]["xyxy"] == pytest.approx([100, 100, 300, 250], abs=2)

    page.get_by_label("Right").fill("320")
    page.keyboard.press("Enter")
    saved(page)
    wide = latest(server, "screen-4", GROUND)["document"]["box"]["xyxy"]
    assert wide[2] == 320
    page.keyboard.press("Escape")
    page.locator("#editor").focus()
    page.keyboard.press("Control+z")
    expect(page.get_by_label("Right")).to_have_value(str(drawn["document"]["box"]["xyxy"][2]))
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_label("Right")).to_have_value("320")
    saved(page)
    targets, _ = exported(project, tmp_path / "out")
    assert targets[f"screen-4/{GROUND}"]["box"]["xyxy"] == wide


def test_look_alikes_are_shown_and_cannot_be_moved(opened: Open, server: Server) -> None:
    page = opened("screen-5", DROPPED)
    expect(page.locator("#editor .facts")).to_contain_text("1-1")
    before = latest(server, "screen-5", DROPPED)
    x1, _, x2, _ = BOXES["1-1"]
    here = on_stage(page, ((x1 + x2) / 2, 300))
    page.mouse.click(*here)
    page.mouse.move(*here)
    page.mouse.down()
    page.mouse.move(here[0] + 40, here[1], steps=3)
    page.mouse.up()
    page.keyboard.press("b")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("Top")).to_have_value("3")  # the target is the one that moves
    saved(page)
    after = latest(server, "screen-5", DROPPED)["document"]
    assert after["box"]["xyxy"][0] == before["document"]["box"]["xyxy"][0]


def test_doubts_are_told_while_somebody_writes(opened: Open) -> None:
    page = opened("screen-9", "ground-element")
    expect(page.locator("#editor .facts")).to_contain_text("Open 0")
    words = field(page, "By what somebody wants")
    words.fill("Click it at (120, 40)")
    doubts = page.locator("#editor .doubts")
    expect(doubts).to_contain_text("it names the action (“Click”)")
    expect(doubts).to_contain_text("it tells where the target is (“(120, 40)”)")
    words.fill("Find “open 0”")
    expect(doubts).to_contain_text("it contains what is written on the target itself (“open 0”)")
    words.fill("Where can one look through the orders and change them?")
    expect(doubts).to_contain_text(f"the question {GROUND} about 1-1 says the same")
    words.fill("")
    page.locator("#editor").focus()
    expect(doubts).to_contain_text("A question needs a wording.")


def test_half_a_sentence_survives_a_closed_tab(opened: Open, server: Server) -> None:
    page = opened("screen-6", GROUND)
    before = field(page, "By what it is for").input_value()
    field(page, "By what it is for").focus()
    page.keyboard.press("End")
    page.keyboard.type(" Half a sen")
    page.close()

    page = opened("screen-6", GROUND)
    words = field(page, "By what it is for")
    expect(words).to_have_value(f"{before} Half a sen")
    expect(page.locator(".unsaved:visible")).to_contain_text("Written before and not saved")
    assert latest(server, "screen-6", GROUND)["document"]["expressions"]["functionality"] == before
    words.focus()
    page.keyboard.press("Escape")
    expect(words).to_have_value(before)
    page.reload()
    expect(words).to_have_value(before)


def test_a_question_goes_with_its_target_until_a_person_edits_it(opened: Open, server: Server, project: Path) -> None:
    with open_project(project) as known:
        region = known.state("screen-7").regions["1-1"].model_copy(update={"box": box(300, 100, 400, 200)})
        known.ledger.revise([Draft(Kind.REGION, "screen-7/1-1", plain(region), "person:Ben", "screen-7")])
    page = opened("screen-7", GROUND)
    expect(page.get_by_label("Left")).to_have_value("300")
    field(page, "By what it is for").fill("Where are the orders?")
    page.locator("#editor").focus()
    saved(page)
    document = latest(server, "screen-7", GROUND)["document"]
    assert document["expressions"]["functionality"] == "Where are the orders?"
    assert document["box"]["xyxy"] == [300, 100, 400, 200]


def test_the_list_is_searched_and_filtered_over_all_screens(opened: Open) -> None:
    page = opened("screen-8", GROUND)
    expect(page.locator("#found")).to_have_text(f"{ALL} questions")
    page.locator("#list").press("End")  # where nobody has looked yet
    at(page, "z-099")
    page.reload()
    at(page, "z-099")
    expect(page.locator(".pick-row.chosen")).to_be_in_viewport()
    page.keyboard.press("/")
    page.keyboard.type("screen-8 messages")
    expect(page.locator("#found")).to_have_text(f"2 of {ALL} questions")
    page.locator("#search").fill("no such words")
    expect(page.locator("#no-match")).to_contain_text("No question is like that.")
    page.locator("#search").fill("")
    page.select_option("#show", "dropped")
    expect(page.locator(".pick-row").first).to_contain_text("dropped")
    rows = page.locator(".pick-row")
    expect(rows.filter(has_not_text="dropped")).to_have_count(0)
    page.locator("#list").focus()
    page.keyboard.press("End")
    at(page, DROPPED)
    expect(page.locator("#title")).to_have_text("screen-9")
    assert page.locator("#list").get_attribute("aria-activedescendant") == page.locator(
        ".pick-row.chosen"
    ).get_attribute("id")
    page.reload()
    at(page, DROPPED)
    expect(page.locator("#show")).to_have_value("dropped")


def test_texts_of_any_kind_are_text(opened: Open) -> None:
    page = opened("screen-9", "odd-0")
    expect(field(page, "By what it is for")).to_have_value(HOSTILE)
    expect(page.locator(".pick-row.chosen .title")).to_have_text(HOSTILE)
    assert page.locator("#list img, #list b").count() == 0
    page.keyboard.press("j")
    at(page, "odd-1")
    assert field(page, "By what it is for").evaluate("one => getComputedStyle(one).direction") == "rtl"
    page.keyboard.press("j")
    at(page, "odd-2")
    expect(field(page, "By what it is for")).to_have_value(LONG)
    assert "owned" not in page.title()


def test_what_is_not_there_is_told(opened: Open) -> None:
    page = opened("screen-1", "no-such-question")
    expect(page.locator("#none")).to_contain_text("there is no question no-such-question on this screen")
    page.locator(".pick-row").nth(1).click()
    expect(page.locator("#none")).to_be_hidden()
    at(page, DROPPED)


def test_two_people_see_what_the_other_does(opened: Open) -> None:
    page, other = opened("screen-10", GROUND), opened("screen-10", GROUND)
    field(other, "By what it looks like").fill("The card on the left")
    other.keyboard.press("Control+Enter")
    saved(other)
    expect(field(page, "By what it looks like")).to_have_value("The card on the left")


def reword(project: Path, screen: str, **words: str) -> None:
    """Ben does, while somebody else looks at it."""
    with open_project(project) as known:
        record = known.state(screen).questions[GROUND]
        changed = plain(record.model_copy(update={"expressions": {**record.expressions, **words}}))
        known.ledger.revise([Draft(Kind.QUESTION, f"{screen}/{GROUND}", changed, "person:Ben", screen)])


def test_who_writes_sees_what_somebody_else_writes_and_decides(opened: Open, server: Server, project: Path) -> None:
    page = opened("screen-12", GROUND)
    mine = field(page, "By what it is for")
    mine.fill("Where are my orders?")
    reword(project, "screen-12", functionality="Where are the bills?", description="The white card")

    notice = page.locator(".overtaken:visible")
    expect(notice).to_contain_text("Ben changed this text while you were writing.")
    expect(notice).to_contain_text("Where are the bills?")
    expect(field(page, "By what it looks like")).to_have_value("The white card")
    page.locator("#editor").focus()  # a field that is left is saved, but not over what somebody else wrote
    page.reload()
    expect(notice).to_contain_text("Where are the bills?")
    expect(mine).to_have_value("Where are my orders?")
    assert latest(server, "screen-12", GROUND)["author"] == "person:Ben"
    notice.get_by_role("button", name="Keep mine").click()
    expect(notice).to_have_count(0)
    saved(page)
    now = latest(server, "screen-12", GROUND)
    assert now["author"] == "person:Ana"
    assert now["document"]["expressions"] == {
        "functionality": "Where are my orders?",
        "description": "The white card",
    }

    mine.fill("Where are all orders?")
    reword(project, "screen-12", functionality="Where is the till?")
    notice.get_by_role("button", name="Use theirs").click()
    expect(mine).to_have_value("Where is the till?")
    expect(notice).to_have_count(0)
    page.reload()
    expect(mine).to_have_value("Where is the till?")


def test_a_wording_that_was_changed_unheard_is_not_replaced(opened: Open, server: Server, project: Path) -> None:
    page = opened("screen-11", GROUND)
    page.route("**/api/news?*", lambda _: None)
    field(page, "By what it is for").fill("Mine?")
    reword(project, "screen-11", functionality="Theirs?")
    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog", name="Ben changed the question of")
    expect(dialog).to_contain_text("Theirs?")
    expect(dialog).to_contain_text("Mine?")
    assert latest(server, "screen-11", GROUND)["author"] == "person:Ben"
    dialog.get_by_role("button", name="Use mine").click()
    saved(page)
    assert latest(server, "screen-11", GROUND)["document"]["expressions"]["functionality"] == "Mine?"


@pytest.mark.parametrize(("scheme", "width", "height"), [("light", 1440, 900), ("dark", 720, 450)])
def test_axe_finds_nothing(browser: Browser, server: Server, scheme: Any, width: int, height: int) -> None:
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": height})
    page.goto(f"{server.url}/questions?screen=screen-11&question={OUTCOME}")
    page.wait_for_selector("#editor textarea")
    page.get_by_label("What is asked").fill("Click at (1, 2)?")
    page.wait_for_selector("#editor .doubts p")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()
