"""Questions as a person corrects them: wording, box, abandoning; with keys and mouse, in a real browser."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from affordance.author.project import open_project, plain
from affordance.author.records import Kind, QuestionRecord
from affordance.cli.main import run_command
from affordance.ledger import DocumentDraft
from studio_world import (
    MODEL,
    Person,
    Server,
    action,
    box,
    comes,
    dialog,
    in_order,
    make_project,
    person,
    saved,
    status,
    tree,
    while_loading,
)

HOSTILE = "Where is <img src=x onerror=\"document.title='owned'\"> the <b>list</b>?"
ARABIC = "أين يمكن للمرء أن يبحث في الطلبات؟"
LONG = "Where can one look through everything there is? " * 41  # 1,968 characters
BOXES = {node.name: node.box for node in tree(12)}
GROUND, DROPPED, OUTCOME = "ground-1-1", "ground-1-2", "outcome-1-4"  # of each screen, by the world
SCREENS = 9
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
        opened.ledger.documents.write(drafts)
    return made


def asked(screen: str, name: str, expressions: dict[str, str]) -> DocumentDraft:
    target = {"form": "ground", "level": "region", "target": "1-3", "box": box(*BOXES["1-3"])}
    return question(screen, name, QuestionRecord.model_validate({**target, "expressions": expressions, "by": MODEL}))


def question(screen: str, name: str, record: QuestionRecord) -> DocumentDraft:
    return DocumentDraft(Kind.QUESTION, f"{screen}/{name}", plain(record), MODEL, screen)


@pytest.fixture(scope="module")
def ana(browser: Browser) -> Iterator[Person]:
    with person(browser) as found:
        yield found


@pytest.fixture
def opened(ana: Person, server: Server, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens a question; at the end no page may have thrown or broken its policy."""
    failed = request.session.testsfailed

    def open_page(screen: str, name: str, page: Page | None = None) -> Page:
        page = page or ana.page(failed)
        page.goto(address(server, screen, name))
        page.wait_for_selector("#editor:not([aria-busy]) textarea, #none:visible")
        return page

    yield open_page
    assert ana.wrong == []


def address(server: Server, screen: str, name: str) -> str:
    return f"{server.url}/questions?{urlencode({'screen': screen, 'question': name})}"


def at(page: Page, name: str) -> None:
    expect(page.locator("#editor .facts dd").first).to_have_text(name)


def state(page: Page, expected: str) -> None:
    """Whether the question is exported, as the page shows it."""
    expect(page.locator(f"#editor .standing[data-state={expected}]")).not_to_be_empty()


def latest(server: Server, screen: str, name: str) -> dict[str, Any]:
    versions = server.get("/api/history", screen=screen, kind="question", name=name).json["versions"]
    found: dict[str, Any] = versions[-1]
    return found


def field(page: Page, part: str | int) -> Locator:
    """Of a kind of wording, or of an option by its number."""
    return page.locator(f"#editor .wording[data-part='{part}'] textarea")


def edge(page: Page, name: str) -> Locator:
    return page.locator(f"#editor [data-edge={name}]")


def exported(project: Path, folder: Path) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """What is asked, by SCREEN/NAME: targets and choices."""
    assert run_command(["author", "export", str(project), "-o", str(folder)]) == 0
    rows = [json.loads(line) for line in (folder / "screens/items.jsonl").read_text().splitlines()]
    targets = {f"{row['id']}/{one['id']}": one for row in rows for one in row.get("targets", [])}
    choices = [json.loads(line) for line in (folder / "choices/items.jsonl").read_text().splitlines()]
    return targets, {one["id"]: one for one in choices}


def on_stage(page: Page, screen_xy: tuple[float, float]) -> tuple[float, float]:
    """A point of the screenshot, in the window: the whole of it is in view."""
    frame = page.locator(".stage-picture").first.bounding_box()
    assert frame is not None
    return frame["x"] + screen_xy[0] * frame["width"] / 1280, frame["y"] + screen_xy[1] * frame["height"] / 800


def test_what_is_corrected_is_exported(opened: Open, server: Server, project: Path, tmp_path: Path) -> None:
    page = opened("screen-1", GROUND)
    _word(page, server)
    _abandon(page, server)
    _on(page, "screen-2", OUTCOME, 3)
    _word_options(page, server)
    _on(page, "screen-3", GROUND, 1)
    wide = _move_the_box(page, server)
    _on(page, "screen-3", DROPPED, 1)
    _leave_look_alikes(page, server)

    targets, choices = exported(project, tmp_path / "out")
    assert targets[f"screen-1/{GROUND}"]["functionality"] == "Where does one settle what was ordered, J K X?"
    assert f"screen-1/{DROPPED}" in targets  # kept after all
    assert f"screen-2/{DROPPED}" not in targets
    assert f"screen-2/{GROUND}" not in targets  # abandoned
    texts = [one["text"] for one in choices[f"screen-2/{OUTCOME}"]["options"]]
    assert texts[1] == "The list of all orders opens"
    assert targets[f"screen-3/{GROUND}"]["box"]["xyxy"] == wide


def _on(page: Page, screen: str, name: str, questions: int) -> None:
    """So many questions further, by keys."""
    page.locator("#editor").focus()
    for _ in range(questions):
        page.keyboard.press("j")
    expect(page.locator("#title")).to_have_text(screen)
    at(page, name)
    page.wait_for_selector("#editor:not([aria-busy]) textarea")


def _word(page: Page, server: Server) -> None:
    """By keys alone."""
    page.keyboard.press("e")
    expect(field(page, "functionality")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("Where does one settle what was ordered, J K X?")
    page.keyboard.press("Control+Enter")
    saved(page)
    chosen = page.locator(".pick-row.chosen")
    expect(chosen.locator("[data-chip=edited]")).to_contain_text("Ana")
    expect(chosen).to_contain_text("Where does one settle")
    now = latest(server, "screen-1", GROUND)
    assert now["author"] == "person:Ana"
    assert now["document"]["expressions"]["functionality"] == "Where does one settle what was ordered, J K X?"
    assert now["document"]["expressions"]["description"] == "The light card with the orders in it"

    page.keyboard.press("Escape")
    page.keyboard.press("x")
    state(page, "abandoned")
    page.keyboard.press("x")
    state(page, "kept")
    page.keyboard.press("j")
    at(page, DROPPED)
    page.keyboard.press("x")
    expect(chosen.locator("[data-chip=abandoned]")).to_be_visible()
    page.keyboard.press("Control+z")
    state(page, "dropped")
    expect(page.locator("#editor .standing")).to_contain_text("fits more than one region")
    page.keyboard.press("v")
    state(page, "kept")
    page.keyboard.press("k")
    at(page, GROUND)
    saved(page)


def _abandon(page: Page, server: Server) -> None:
    """With a click that begins while the page is still loading."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/question?**", hold)
    page.goto(address(server, "screen-2", GROUND))
    at(page, GROUND)
    abandon = action(page, "abandon")
    abandon.hover()
    page.mouse.down()
    comes(page, lambda: held)
    held[0].continue_()
    page.unroute("**/api/question?**")
    page.wait_for_selector("#editor:not([aria-busy])")
    page.mouse.up()
    state(page, "abandoned")
    expect(abandon).to_be_focused()
    page.keyboard.press("Enter")
    state(page, "kept")
    expect(abandon).to_be_focused()
    abandon.click()
    state(page, "abandoned")
    saved(page)


def _word_options(page: Page, server: Server) -> None:
    options = page.locator("#editor .wording[data-origin]")
    origins = [(one.get_attribute("data-origin"), one.get_attribute("data-of")) for one in options.all()]
    assert origins == [("target", "1-4"), ("hard", "1-1"), ("easy", "")]
    expect(page.locator(".wording.right")).to_have_attribute("data-origin", "target")
    second, doubts = field(page, 1), page.locator("#editor .doubts p")
    second.fill("The list of all orders opens")
    field(page, "question").click()
    saved(page)
    saved_options = latest(server, "screen-2", OUTCOME)["document"]["options"]
    assert [(one["text"], one["origin"]) for one in saved_options] == [
        ("The list of messages opens", "target"),
        ("The list of all orders opens", "hard"),
        ("The page is printed", "easy"),
    ]
    second.fill("")
    field(page, "question").click()
    expect(page.locator("#editor [data-part='1'] [data-doubt=refused]")).not_to_be_empty()
    second.fill("The list of messages opens")
    expect(doubts).to_have_text([in_order("B", "A")])
    page.keyboard.press("Escape")
    expect(second).to_have_value("The list of all orders opens")
    expect(doubts).to_have_count(0)
    saved(page)


def _move_the_box(page: Page, server: Server) -> list[float]:
    """Moved and drawn with the mouse, nudged by keys, typed in; undone and redone."""
    x1, _, x2, _ = BOXES["1-1"]
    page.keyboard.press("s")  # without snapping
    start = on_stage(page, ((x1 + x2) / 2, 300))
    per_pixel = (on_stage(page, (1000, 0))[0] - on_stage(page, (0, 0))[0]) / 1000
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 50 * per_pixel, start[1], steps=4)
    page.mouse.up()
    saved(page)
    moved = latest(server, "screen-3", GROUND)["document"]["box"]["xyxy"]
    assert moved[0] == pytest.approx(x1 + 50, abs=2)
    assert moved[2] - moved[0] == x2 - x1

    page.keyboard.press("b")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Alt+ArrowRight")
    expect(edge(page, "left")).to_have_value(str(moved[0] + 11))
    expect(edge(page, "right")).to_have_value(str(moved[2] + 12))

    page.keyboard.press("n")
    page.mouse.move(*on_stage(page, (100, 100)))
    page.mouse.down()
    page.mouse.move(*on_stage(page, (300, 250)), steps=4)
    page.mouse.up()
    expect(edge(page, "top")).to_have_value("100")
    saved(page)
    drawn = latest(server, "screen-3", GROUND)
    assert drawn["author"] == "person:Ana"
    assert drawn["document"]["box"]["xyxy"] == pytest.approx([100, 100, 300, 250], abs=2)

    edge(page, "right").fill("320")
    page.keyboard.press("Enter")
    saved(page)
    wide: list[float] = latest(server, "screen-3", GROUND)["document"]["box"]["xyxy"]
    assert wide[2] == 320
    page.keyboard.press("Escape")
    page.locator("#editor").focus()
    page.keyboard.press("Control+z")
    expect(edge(page, "right")).to_have_value(str(drawn["document"]["box"]["xyxy"][2]))
    page.locator("#redo").click()
    expect(edge(page, "right")).to_have_value("320")
    saved(page)
    return wide


def _leave_look_alikes(page: Page, server: Server) -> None:
    """They are shown, and cannot be moved."""
    expect(page.locator("#editor .facts")).to_contain_text("1-1")
    before = latest(server, "screen-3", DROPPED)
    x1, _, x2, _ = BOXES["1-1"]
    here = on_stage(page, ((x1 + x2) / 2, 300))
    page.mouse.click(*here)
    page.mouse.move(*here)
    page.mouse.down()
    page.mouse.move(here[0] + 40, here[1], steps=3)
    page.mouse.up()
    page.keyboard.press("b")
    page.keyboard.press("ArrowDown")
    expect(edge(page, "top")).to_have_value("3")  # the target is the one that moves
    saved(page)
    after = latest(server, "screen-3", DROPPED)["document"]
    assert after["box"]["xyxy"][0] == before["document"]["box"]["xyxy"][0]


def test_doubts_come_while_a_person_writes_and_texts_of_any_kind_are_text(opened: Open) -> None:
    page = opened("screen-9", "ground-element")
    expect(page.locator("#editor .facts")).to_contain_text("Open 0")
    words = field(page, "intent")
    doubts = page.locator("#editor [data-part=intent] .doubts p")
    words.fill("Click it at (120, 40)")
    expect(doubts).to_have_count(2)
    for found in ("“Click”", "“(120, 40)”"):
        expect(doubts.filter(has_text=found)).to_have_count(1)
    words.fill("Find “open 0”")
    expect(doubts.filter(has_text="“open 0”")).to_have_count(1)
    words.fill("Where can one look through the orders and change them?")
    expect(doubts).to_have_text([in_order(GROUND, "1-1")])
    words.fill("")
    page.locator("#editor").focus()
    expect(page.locator("#editor [data-part=intent] [data-doubt=refused]")).not_to_be_empty()
    words.press("Escape")

    _on(page, "screen-9", "odd-0", 1)
    expect(field(page, "functionality")).to_have_value(HOSTILE)
    expect(page.locator(".pick-row.chosen .title")).to_have_text(HOSTILE)
    assert page.locator("#list img, #list b").count() == 0
    page.keyboard.press("j")
    at(page, "odd-1")
    assert field(page, "functionality").evaluate("one => getComputedStyle(one).direction") == "rtl"
    page.keyboard.press("j")
    at(page, "odd-2")
    expect(field(page, "functionality")).to_have_value(LONG)
    assert "owned" not in page.title()


def _there_and_back(page: Page) -> None:
    """To the next question, and to this one again, as it is kept."""
    page.locator("#editor").focus()
    page.keyboard.press("j")
    at(page, DROPPED)
    page.keyboard.press("k")
    at(page, GROUND)
    page.wait_for_selector("#editor:not([aria-busy]) textarea")


def test_half_a_sentence_survives_a_closed_tab(opened: Open, server: Server) -> None:
    page = opened("screen-6", GROUND)
    words = field(page, "functionality")
    before = words.input_value()
    words.focus()
    page.keyboard.press("End")
    page.keyboard.type(" Half a sen")
    page.close()

    page = opened("screen-6", GROUND)
    words = field(page, "functionality")
    expect(words).to_have_value(f"{before} Half a sen")
    expect(page.locator(".unsaved:visible")).not_to_be_empty()
    assert latest(server, "screen-6", GROUND)["document"]["expressions"]["functionality"] == before
    words.focus()
    page.keyboard.press("Escape")
    expect(words).to_have_value(before)
    _there_and_back(page)
    expect(words).to_have_value(before)


def test_a_question_goes_with_its_target_until_a_person_edits_it(opened: Open, server: Server, project: Path) -> None:
    with open_project(project) as known:
        region = known.state("screen-7").regions["1-1"].model_copy(update={"box": box(300, 100, 400, 200)})
        known.ledger.documents.write(
            [DocumentDraft(Kind.REGION, "screen-7/1-1", plain(region), "person:Ben", "screen-7")]
        )
    page = opened("screen-7", GROUND)
    expect(edge(page, "left")).to_have_value("300")
    field(page, "functionality").fill("Where are the orders?")
    page.locator("#editor").focus()
    saved(page)
    document = latest(server, "screen-7", GROUND)["document"]
    assert document["expressions"]["functionality"] == "Where are the orders?"
    assert document["box"]["xyxy"] == [300, 100, 400, 200]


def test_what_is_typed_while_another_question_opens_is_saved_to_its_own(opened: Open, server: Server) -> None:
    def opening(screen: str) -> AbstractContextManager[list[Route]]:
        row = page.locator(f"[data-key='{screen}/{GROUND}']")
        return while_loading(page, f"**/api/screen?screen={screen}", row.click)

    def there(screen: str) -> None:
        comes(page, lambda: f"screen={screen}" in page.url)
        page.wait_for_selector("#editor:not([aria-busy])")

    page = opened("screen-4", GROUND)
    with opening("screen-5"):
        field(page, "functionality").fill("Where is the first list?")
    there("screen-5")
    edge(page, "right").fill("0")  # no box
    with opening("screen-6"):
        edge(page, "top").fill("5")
    there("screen-6")
    edge(page, "left").fill("6")
    edge(page, "left").press("Enter")
    with opening("screen-4") as asked:
        field(page, "functionality").fill("Where is the second list?")
        asked.pop().abort()
        expect(page.locator("#none:visible")).not_to_be_empty()
    saved(page)
    status(page, "saved", stuck=0, aside=0)
    words = [latest(server, f"screen-{n}", GROUND)["document"]["expressions"]["functionality"] for n in (4, 5, 6)]
    assert (words[0], words[2]) == ("Where is the first list?", "Where is the second list?")
    assert latest(server, "screen-5", GROUND)["version"] == 1
    assert latest(server, "screen-6", GROUND)["document"]["box"]["xyxy"] == [6, *BOXES["1-1"][1:]]


def test_the_list_is_searched_and_filtered_over_all_screens(opened: Open) -> None:
    page = opened("screen-8", "no-such-question")
    expect(page.locator("#none")).to_contain_text("no-such-question")
    found, rows = page.locator("#found"), page.locator(".pick-row")
    rows.nth(1).click()
    expect(page.locator("#none")).to_be_hidden()
    at(page, DROPPED)
    expect(found).to_have_text(in_order(ALL))
    page.locator("#list").press("End")  # far from what was loaded so far
    at(page, "z-099")
    page.reload()
    at(page, "z-099")
    expect(page.locator(".pick-row.chosen")).to_be_in_viewport()
    page.keyboard.press("/")
    page.keyboard.type("screen-8 messages")
    expect(found).to_have_text(in_order(2, ALL))
    page.locator("#search").fill("no such words")
    expect(page.locator("#no-match:visible")).not_to_be_empty()
    page.locator("#search").fill("")
    page.select_option("#show", "dropped")
    dropped = page.locator(".pick-row:has([data-chip=dropped])")
    expect(dropped.first).to_be_visible()
    expect(page.locator(".pick-row:not(:has([data-chip=dropped]))")).to_have_count(0)
    page.locator("#list").focus()
    page.keyboard.press("End")
    at(page, DROPPED)
    expect(page.locator("#title")).to_have_text("screen-9")
    chosen = page.locator(".pick-row.chosen").get_attribute("id")
    assert page.locator("#list").get_attribute("aria-activedescendant") == chosen
    page.reload()
    at(page, DROPPED)
    expect(page.locator("#show")).to_have_value("dropped")


def reword(project: Path, screen: str, **words: str) -> None:
    """Ben does, while another person looks at it."""
    with open_project(project) as known:
        record = known.state(screen).questions[GROUND]
        changed = plain(record.model_copy(update={"expressions": {**record.expressions, **words}}))
        known.ledger.documents.write(
            [DocumentDraft(Kind.QUESTION, f"{screen}/{GROUND}", changed, "person:Ben", screen)]
        )


def test_who_writes_sees_what_another_person_writes_and_decides(
    opened: Open, ana: Person, server: Server, project: Path
) -> None:
    page = opened("screen-8", GROUND)
    mine = field(page, "functionality")
    mine.fill("Where are my orders?")
    reword(project, "screen-8", functionality="Where are the bills?", description="The white card")

    notice = page.locator(".overtaken:visible")
    expect(notice).to_contain_text("Where are the bills?")
    expect(notice.locator("bdi")).to_have_text("Ben")
    expect(field(page, "description")).to_have_value("The white card")
    page.locator("#editor").focus()  # a field that is left is saved, but not over what another person wrote
    page.reload()
    expect(notice).to_contain_text("Where are the bills?")
    expect(mine).to_have_value("Where are my orders?")
    assert latest(server, "screen-8", GROUND)["author"] == "person:Ben"
    action(notice, "keep-mine").click()
    expect(notice).to_have_count(0)
    saved(page)
    now = latest(server, "screen-8", GROUND)
    assert now["author"] == "person:Ana"
    assert now["document"]["expressions"] == {
        "functionality": "Where are my orders?",
        "description": "The white card",
    }

    mine.fill("Where are all orders?")
    reword(project, "screen-8", functionality="Where is the till?")
    action(notice, "use-theirs").click()
    expect(mine).to_have_value("Where is the till?")
    expect(notice).to_have_count(0)
    _there_and_back(page)
    expect(mine).to_have_value("Where is the till?")

    other = opened("screen-8", GROUND, ana.context.new_page())
    field(other, "description").fill("The card on the left")
    other.keyboard.press("Control+Enter")
    saved(other)
    expect(field(page, "description")).to_have_value("The card on the left")
    other.close()

    page.route("**/api/news?*", lambda _: None)  # from now on it hears of nothing
    mine.fill("Mine?")
    reword(project, "screen-8", functionality="Theirs?")
    page.keyboard.press("Control+Enter")
    conflict = dialog(page, "changed")
    expect(conflict.locator("h2")).to_contain_text("Ben")
    expect(conflict).to_contain_text("Theirs?")
    expect(conflict).to_contain_text("Mine?")
    assert latest(server, "screen-8", GROUND)["author"] == "person:Ben"
    action(conflict, "mine").click()
    saved(page)
    assert latest(server, "screen-8", GROUND)["document"]["expressions"]["functionality"] == "Mine?"
    page.close()
