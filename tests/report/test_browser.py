"""The sample browser in a real browser: it filters, links, opens items from beside the page, and runs nobody's text."""

import functools
import http.server
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page

from affordance.core.attempts import Attempt, AttemptStatus, Verdict
from affordance.core.digest import digest
from affordance.core.question import Question, YesNo
from affordance.core.requests import CallSettings, Message, Request, Response, transcript
from affordance.ledger import Ledger, RequestRecord, RunRecord, open_ledger
from affordance.report.page.html_report import write_report
from affordance.report.results import read_results
from affordance.report.rows import build_rows
from cases import numbers_in
from report_ledgers import STEP, TASK

ITEMS = 130
EVIL = "<img src=x onerror=\"document.title='owned'\"></script><script>document.title='owned'</script>"
MODELS = (f"openai:{EVIL}", "openai:b \u202egnorw\u2028", "openai:c")
EFFECTS = ("move", "fade")
NAME = "a report #1 ü"  # what a file may be called, and an address must be told otherwise


def item(number: int) -> str:
    return f"item-{number:03d}{EVIL if number == 5 else ''}"


def right(model: int, number: int) -> bool:
    return number % (model + 2) == 0


def verdict(model: int, number: int) -> Verdict | None:
    if number % 40 == 39:
        return (Verdict(AttemptStatus.REFUSED, reason=EVIL), Verdict(AttemptStatus.FAILED, reason="HTTP 503"), None)[
            model
        ]
    truth = EFFECTS[number % 2]
    return (
        Verdict(AttemptStatus.ANSWERED, truth, 1.0)
        if right(model, number)
        else Verdict(AttemptStatus.ANSWERED, "blur", 0.0, detail={"said": EVIL})
    )


def fill(ledger: Ledger) -> None:
    settings = {"protocol": "affordance", "seed": 0, "reasks": {TASK: 0}}
    run = ledger.begin_run(RunRecord("r", f"run {EVIL}", settings, {"name": EVIL, "digest": "d", "kind": "clip"}))
    for model, name in enumerate(MODELS):
        for number in range(ITEMS):
            truth = EFFECTS[number % 2]
            tags = {"effect": truth, "slot": EVIL if number % 3 else "A"}
            question = Question(TASK, item(number), {"trial": 0}, (), {}, YesNo(), truth, {}, tags)
            attempt = Attempt(run.id, question.id, name, "zero-shot", 0)
            ledger.add_attempts([(attempt, TASK, question)])
            if (found := verdict(model, number)) is None:
                continue
            text = transcript(Request(question.id, (Message("user", (f"Which? {EVIL}",)),), question.answer_format))
            asked = RequestRecord(
                digest("ask", name, number), CallSettings(name, "https://host", "", "p", {}), question.id, text
            )
            ledger.add_response(attempt.id, STEP, asked, Response(f"It is {truth}. {EVIL} \u2028"), run=run.id)
            ledger.add_verdict(attempt.id, found)


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    with open_ledger(folder / "ledger.db") as ledger:
        fill(ledger)
    with open_ledger(folder / "ledger.db", read_only=True) as ledger:
        runs = [summary.run for summary in ledger.run_summaries()]
        write_report(folder / f"{NAME}.html", read_results(ledger, runs), build_rows(ledger, runs))
    return folder / f"{NAME}.html"


@dataclass(slots=True)
class Sheet:
    """A page on which nothing goes wrong, whatever is done. To load it takes longer than most tests."""

    page: Page
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: self.wrong.append(dialog.message))

    def check(self) -> None:
        assert self.page.title() != "owned"
        assert self.wrong == []


@pytest.fixture(scope="module")
def sheet(browser: Browser, page_file: Path) -> Iterator[Sheet]:
    page = browser.new_page()
    made = Sheet(page)
    page.goto(page_file.as_uri())
    yield made
    page.close()


# Follow a link within the page; whoever listened before is done by then.
FOLLOW = """(hash) => new Promise((done) => {
  document.activeElement.blur();
  for (const menu of document.querySelectorAll(".menu[open]")) menu.open = false;
  addEventListener("hashchange", done, { once: true });
  location.hash = hash;
})"""


@pytest.fixture
def page(sheet: Sheet) -> Iterator[Page]:
    """With all items, whatever the test before has chosen."""
    sheet.page.evaluate(FOLLOW, f"samples?now={time.monotonic_ns()}")
    yield sheet.page
    sheet.check()


@pytest.fixture
def served(page_file: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(page_file.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/{page_file.name}".replace("#", "%23")
        server.shutdown()
        thread.join()


def shown(page: Page) -> Locator:
    return page.locator("#browse-list > .item")


def found(page: Page) -> list[float]:
    """How many items of how many."""
    return numbers_in(page.locator("#browse-found").inner_text())


def ids(page: Page) -> list[str]:
    return page.locator("#browse-list .id").all_inner_texts()


def numbers(texts: list[str]) -> list[int]:
    return [int(text[5:8]) for text in texts]


def test_an_item_beside_the_page_is_opened(page: Page, browser: Browser, served: str) -> None:
    over_http = Sheet(browser.new_page())
    over_http.page.goto(served)
    for one in (page, over_http.page):
        shown(one).nth(1).locator("> summary").click()
        opened = shown(one).nth(1).locator("article")
        opened.wait_for()
        text = opened.inner_text()
        assert f"It is fade. {EVIL}" in text  # as text
        assert all(model.partition(" ")[0] in text for model in MODELS)
        opened.locator(".prompt > summary").first.click()
        assert f"Which? {EVIL}" in opened.locator(".prompt pre").first.inner_text()
    over_http.check()
    over_http.page.close()


def test_nothing_that_others_wrote_becomes_markup(page: Page) -> None:
    for place in (0, 1, 5, 39):
        shown(page).nth(place).locator("> summary").click()
        shown(page).nth(place).locator("article").wait_for(state="attached")
    assert page.locator("img, #samples iframe, #samples a").count() == 0
    scripts = page.locator("script").evaluate_all("all => all.map(one => one.src || one.type)")
    assert [one for one in scripts if "-samples/items-" not in one] == ["application/json", ""]
    assert shown(page).nth(5).locator(".id").inner_text() == item(5)
    assert page.locator("#browse-better option").nth(1).inner_text() in MODELS
    assert page.evaluate("document.querySelectorAll('[onerror]').length") == 0


def right_where_wrong(better: int, worse: int) -> list[int]:
    return [n for n in range(ITEMS) if n % 40 != 39 and right(better, n) and not right(worse, n)]


def test_items_are_filtered(page: Page) -> None:
    assert found(page) == [ITEMS, ITEMS]
    assert numbers(ids(page)) == list(range(50))
    answered = [n for n in range(ITEMS) if n % 40 != 39]
    for outcome, expected in {
        "no-answer": [39, 79, 119],
        "missing": [39, 79, 119],
        "all-right": [n for n in answered if all(right(m, n) for m in range(3))],
        "all-wrong": [n for n in range(ITEMS) if n % 40 == 39 or not any(right(m, n) for m in range(3))],
        "disagree": [n for n in answered if len({right(m, n) for m in range(3)}) == 2],
        "wrong": [n for n in answered if not all(right(m, n) for m in range(3))],
    }.items():
        page.select_option("#browse-show", outcome)
        assert numbers(ids(page)) == expected[:50], outcome
        assert found(page) == [len(expected), ITEMS]
    page.click("#browse-reset")
    order = page.locator("#browse-better option").all_inner_texts()[1:]
    assert order[0] == MODELS[0]  # best first
    page.select_option("#browse-better", "0")
    page.select_option("#browse-worse", "1")
    assert numbers(ids(page)) == right_where_wrong(0, 1)[:50]
    page.select_option("#browse-tag", label=f"fade ({ITEMS // 2})")
    assert numbers(ids(page)) == [n for n in right_where_wrong(0, 1) if n % 2] == []
    assert page.inner_text("#browse-list").strip(), "says that there is none"
    page.select_option("#browse-tag", "")
    page.fill("#browse-find", "item-01 MOVE")
    assert numbers(ids(page)) == [10, 14, 16]


def test_an_outcome_can_be_of_some_models(page: Page) -> None:
    page.click(".menu > summary")
    page.locator("#browse-models input").nth(2).check()
    page.select_option("#browse-show", "all-right")
    assert numbers(ids(page)) == [n for n in range(ITEMS) if right(2, n) and n % 40 != 39]
    assert page.inner_text("#browse-chosen") == MODELS[2]


def test_a_view_can_be_linked(page: Page, browser: Browser) -> None:
    page.select_option("#browse-show", "wrong")
    page.select_option("#browse-worse", "1")
    page.fill("#browse-find", "fade")
    shown(page).nth(3).locator("> summary").click()
    before, address = ids(page), page.evaluate("location.href")
    other = browser.new_page()
    other.goto(address)
    assert ids(other) == before
    assert other.input_value("#browse-find") == "fade"
    shown(other).nth(3).locator("article").wait_for()
    other.close()


def test_a_link_that_fits_nothing_shows_all(page: Page) -> None:
    page.select_option("#browse-show", "wrong")
    page.evaluate(FOLLOW, "samples?part=x&show=toString&model=x&right=x&by=x&value=x&page=-7&item=x")
    assert numbers(ids(page)) == list(range(50))


def test_the_keyboard_is_enough(page: Page) -> None:
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    shown(page).nth(1).locator("article").wait_for()
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.querySelector('.id').textContent") == item(0)
    for _ in range(50):
        page.keyboard.press("j")
    assert page.evaluate("document.activeElement.querySelector('.id').textContent") == item(50)  # the next page
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.querySelector('.id').textContent") == item(49)
    page.keyboard.press("/")
    page.keyboard.type("jk/")
    assert page.input_value("#browse-find") == "jk/"


def test_pages_are_turned(page: Page) -> None:
    assert page.is_disabled("#browse-before")
    page.click("#browse-after")
    page.click("#browse-after")
    assert numbers_in(page.inner_text("#browse-page")) == [101, 130, 130]
    assert page.is_disabled("#browse-after")
    assert numbers(ids(page)) == list(range(100, 130))


def test_without_its_folder_the_page_says_so(browser: Browser, page_file: Path, tmp_path: Path) -> None:
    shutil.copy(page_file, tmp_path / "alone.html")
    page = browser.new_page()
    page.goto((tmp_path / "alone.html").as_uri())
    assert shown(page).nth(0).locator("article").count() == 1  # that one is in the page
    shown(page).nth(1).locator("> summary").click()
    said = shown(page).nth(1).locator(".placeholder")
    said.wait_for()
    assert f"{NAME}-samples" in said.inner_text()
    page.close()


def test_without_scripts_some_items_are_there(browser: Browser, page_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_file.as_uri())
    assert page.locator("#kept .item").count() == 36
    assert page.locator("#kept .item").first.is_visible()
    assert not page.locator("#browser").is_visible()
    context.close()


def test_those_items_are_printed_and_open(page: Page) -> None:
    assert not page.locator("#kept").is_visible()
    page.emulate_media(media="print")
    assert not page.locator("#browser").is_visible()
    assert page.locator("#kept .item article").last.is_visible()
    page.emulate_media(media="screen")


def test_it_fits_the_window_and_has_a_label_on_each_control(page: Page) -> None:
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        wide = page.evaluate("[...document.querySelectorAll('#samples *')].filter(one => one.checkVisibility() && "
                             "one.getBoundingClientRect().right > innerWidth + 1).length")  # fmt: skip
        assert wide == 0
    controls = page.locator("#browser select, #browser input[type=search], #browser button, #browser summary")
    labels = controls.evaluate_all("all => all.map((one) => (one.labels?.[0] ?? one).textContent.trim())")
    assert len(labels) > 8
    assert all(labels)
