"""Edits in a real browser against a real server: whatever breaks, each arrives, and once."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, expect

from affordance.author.project import open_project
from form_client import CHEAP_PASSWORDS, FormClient
from patience import PATIENCE
from studio_world import (
    Person,
    Server,
    action,
    comes,
    dialog,
    in_order,
    make_project,
    person,
    saved,
    serving,
    status,
)

SCREEN = "screen-1"


@pytest.fixture(scope="module")
def ana(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    project = make_project(tmp_path_factory.mktemp("saving") / "project", screens=12)
    with serving(project, "--as", "ana") as server:
        yield server


@pytest.fixture(scope="module")
def ben(ana: Server) -> Iterator[Server]:
    """Another person at the same project."""
    with serving(ana.project, "--as", "ben") as server:
        yield server


@pytest.fixture(scope="module")
def screens() -> Iterator[str]:
    """A screen for each test that asks."""
    return (f"screen-{number}" for number in range(1, 100))


@pytest.fixture
def screen(screens: Iterator[str]) -> str:
    return next(screens)


def until(page: Page, condition: str) -> None:
    """Wait in the page: its policy lets no text become code, which Playwright's own waiting needs."""
    page.evaluate(
        """async () => {
          const end = Date.now() + PATIENCE;
          while (!(CONDITION)) {
            if (Date.now() > end) throw new Error("waited in vain; " + document.getElementById("status").innerText);
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        }""".replace("CONDITION", condition).replace("PATIENCE", str(1000 * PATIENCE))
    )


@pytest.fixture(scope="module")
def hers(browser: Browser) -> Iterator[Person]:
    """Ana's browser, where the tests at one server need no new one."""
    with person(browser) as found:
        yield found


@pytest.fixture(scope="module")
def his(browser: Browser) -> Iterator[Person]:
    with person(browser) as found:
        yield found


@pytest.fixture
def at_hers(hers: Person, ana: Server, screen: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from _at(hers, ana, screen, request)


@pytest.fixture
def at_his(his: Person, ben: Server, screen: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from _at(his, ben, screen, request)


def _at(who: Person, server: Server, screen: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page that a person had open before, with another screen."""
    page = who.page(request.session.testsfailed)
    if not page.url.startswith(server.url):
        page.goto(f"{server.url}/account")
    saved(page)
    sheet(page, screen)
    yield page
    who.context.set_offline(False)
    who.context.unroute_all()


def opened(context: BrowserContext, server: Server, screen: str) -> Page:
    page = context.new_page()
    page.goto(f"{server.url}/account")
    sheet(page, screen)
    return page


def sheet(page: Page, screen: str) -> None:
    page.evaluate(
        """async (screen) => {
          const { Sheet } = await import("/static/js/work/sheet.js");
          window.sheet?.close();
          window.sheet = await Sheet.open(screen);
        }""",
        screen,
    )


def move(page: Page, name: str, *xyxy: int) -> None:
    page.evaluate(
        """([name, xyxy]) => sheet.edit(`Move ${name}`, [
          { kind: "region", name, set: { box: { space: "pixel", xyxy } } },
        ])""",
        [name, list(xyxy)],
    )


def draw(page: Page, name: str) -> None:
    page.evaluate(
        """(name) => {
          const box = { space: "pixel", xyxy: [20, 20, 60, 60] };
          return sheet.edit(`Draw ${name}`, [{ kind: "region", name, set: { box, parent: "1-0" } }]);
        }""",
        name,
    )


def box(page: Page, name: str) -> list[int]:
    found: list[int] = page.evaluate("(name) => sheet.region(name).box", name)
    return found


def offline(page: Page, waiting: int, durable: bool = True) -> None:
    status(page, "trouble", link="offline", waiting=waiting, durable=durable)


def saved_unkept(page: Page) -> None:
    """The server has everything, and this computer keeps nothing."""
    status(page, "trouble", link="online", waiting=0, durable=False)


def boxes(server: Server, screen: str, name: str) -> list[tuple[float, ...]]:
    """Of all versions of a region, by people."""
    with open_project(server.project, read_only=True) as project:
        found = project.ledger.documents.history("region", f"{screen}/{name}")
    return [tuple(one.document["box"]["xyxy"]) for one in found if one.author.startswith("person:")]  # type: ignore[call-overload, index]


def authors(server: Server, screen: str, name: str) -> list[str]:
    with open_project(server.project, read_only=True) as project:
        return [one.author for one in project.ledger.documents.history("region", f"{screen}/{name}")]


def test_saved_is_shown_when_the_server_has_it(at_hers: Page, ana: Server, screen: str) -> None:
    page = at_hers
    page.evaluate(
        """() => {
          window.heard = [];
          const place = document.querySelector("#status [role=status]");
          const now = () => `${place.dataset.look} ${place.dataset.waiting}`;
          const note = () => heard.at(-1) !== now() && heard.push(now());
          new MutationObserver(note).observe(place, { childList: true, attributes: true });
        }"""
    )
    move(page, "1-0", 4, 4, 200, 700)
    until(page, "!sheet.get('region', '1-0').pending")
    saved(page)
    assert page.evaluate("heard") == ["waiting 1", "saved 0"]
    assert boxes(ana, screen, "1-0") == [(4, 4, 200, 700)]

    page.context.set_offline(True)
    for number in range(5):
        move(page, "1-0", 4, 4, 200, 701 + number)
    move(page, "1-1", 220, 10, 400, 700)
    offline(page, 6)
    assert box(page, "1-0") == [4, 4, 200, 705]
    page.context.set_offline(False)
    saved(page)
    assert boxes(ana, screen, "1-0") == [(4, 4, 200, 700 + number) for number in range(6)]
    assert boxes(ana, screen, "1-1") == [(220, 10, 400, 700)]


def test_two_tabs_a_reload_a_closed_tab_and_storage_that_is_taken_away(
    context: BrowserContext, ana: Server, screen: str
) -> None:
    sent: list[Request] = []

    def note(request: Request) -> None:
        sent.append(request)

    context.on("request", note)
    one, other = opened(context, ana, screen), opened(context, ana, screen)
    for number in range(4):
        page = (one, other)[number % 2]
        move(page, "1-0", 4, 4, 200, 700 + number)
        for seen in (one, other):
            until(seen, f"sheet.region('1-0').box[3] === {700 + number}")
    saved(one)
    saved(other)
    both = [(4, 4, 200, 700 + number) for number in range(4)]
    assert boxes(ana, screen, "1-0") == both
    keys = [one.post_data_json["key"] for one in sent if one.url.endswith("/api/strokes")]
    assert len(keys) == len(set(keys)) == 4  # each was sent once

    # What waits is shown after a reload, and sent once its tab is closed, also by one that shows no screen.
    one.evaluate("sheet.close()")
    context.route("**/api/strokes", lambda route: route.abort())
    move(other, "1-0", 4, 4, 200, 710)
    move(other, "1-0", 4, 4, 200, 711)
    other.reload()
    sheet(other, screen)
    assert box(other, "1-0") == [4, 4, 200, 711]
    move(other, "1-1", 220, 10, 400, 700)
    other.close()
    context.unroute("**/api/strokes")
    comes(one, lambda: boxes(ana, screen, "1-1") == [(220, 10, 400, 700)])
    saved(one)
    assert boxes(ana, screen, "1-0") == [*both, (4, 4, 200, 710), (4, 4, 200, 711)]

    # The browser takes the storage away: what waits goes on, and what comes after it.
    sheet(one, screen)
    context.set_offline(True)
    move(one, "1-1", 220, 10, 400, 701)
    one.evaluate(
        """() => new Promise((resolve) => {
          const opening = indexedDB.open("affordance-studio", 2);
          opening.onsuccess = () => { opening.result.close(); resolve(); };
        })"""
    )
    move(one, "1-1", 220, 10, 400, 702)
    offline(one, 2, durable=False)
    context.set_offline(False)
    saved_unkept(one)
    assert boxes(ana, screen, "1-1") == [(220, 10, 400, 700 + number) for number in range(3)]


def test_a_lost_answer_is_no_conflict(at_hers: Page, ana: Server, screen: str) -> None:
    page = at_hers
    lost: list[str] = []

    def lose(route: Route) -> None:
        if len(lost) < 2:
            lost.append(route.fetch().text())
            route.abort()
        else:
            route.continue_()

    page.route("**/api/strokes", lose)
    move(page, "1-0", 4, 4, 200, 700)
    move(page, "1-0", 4, 4, 200, 701)
    saved(page)
    assert len(lost) == 2
    assert json.loads(lost[1])["again"]
    assert boxes(ana, screen, "1-0") == [(4, 4, 200, 700), (4, 4, 200, 701)]
    expect(page.locator("dialog")).to_have_count(0)
    page.unroute("**/api/strokes")


def test_a_server_that_is_killed_and_comes_back_also_as_another_one(browser: Browser, tmp_path: Path) -> None:
    """Every stroke that was shown as saved is there, each that waits arrives, and none twice, nor as another person,
    nor in another project."""
    project, other = (make_project(tmp_path / name, screens=1) for name in ("project", "other"))
    with serving(project, "--as", "ana") as server:
        context = browser.new_context()
        page = opened(context, server, SCREEN)
        page.evaluate(
            """() => {
              window.made = (async () => {
                for (let number = 0; number < 24; number++) {
                  const name = `1-${number % 4}`;
                  const xyxy = [10 + number, 10, 200 + number, 300];
                  await sheet.edit(`Move ${name}`, [{ kind: "region", name, set: { box: { space: "pixel", xyxy } } }]);
                }
              })();
            }"""
        )
        until(page, "sheet.get('region', '1-3').version > 2")
        server.kill9()
        page.evaluate("window.made")
        for number in range(4):
            shown_as_saved = page.evaluate("(name) => sheet.get('region', name).version", f"1-{number}")
            assert len(authors(server, SCREEN, f"1-{number}")) >= shown_as_saved
        expect(page.locator("#status [role=status]")).to_have_attribute("data-link", "offline")
        server.restart()
        saved(page)
        for number in range(4):
            expected = [(10 + one, 10, 200 + one, 300) for one in range(number, 24, 4)]
            assert boxes(server, SCREEN, f"1-{number}") == expected

        server.kill9()
        move(page, "1-5", 1080, 4, 1200, 700)
        server.project = other
        server.restart()
        status(page, "trouble", link="elsewhere", waiting=1)
        assert boxes(server, SCREEN, "1-5") == []
        server.kill9()
        server.project, server.options = project, ("--as", "ben")
        server.restart()
        status(page, "trouble", link="somebody else", waiting=1)
        expect(page.locator("#status [role=status]")).to_contain_text("ben")
        his = context.new_page()
        his.goto(f"{server.url}/account")
        expect(his.locator("#status .status.soft")).to_contain_text("ana")  # whose changes wait
        assert boxes(server, SCREEN, "1-5") == []
        his.close()
        server.kill9()
        server.options = ("--as", "ana")
        server.restart()
        page.reload()
        saved(page)
        assert authors(server, SCREEN, "1-5")[1:] == ["person:ana"]
        context.close()


@pytest.mark.parametrize("choice", ["mine", "theirs"])
def test_two_people_at_one_region(
    at_hers: Page, at_his: Page, his: Person, ana: Server, screen: str, choice: str
) -> None:
    his.context.set_offline(True)
    move(at_his, "1-0", 4, 4, 150, 600)
    move(at_his, "1-0", 4, 4, 150, 601)
    move(at_his, "1-2", 440, 4, 600, 601)
    move(at_hers, "1-0", 4, 4, 200, 700)
    saved(at_hers)
    his.context.set_offline(False)
    conflict = dialog(at_his, "changed")
    expect(conflict.locator("h2")).to_have_text(in_order("ana", "1-0"))
    expect(conflict).to_have_text(in_order(196, 696, 4, 4))
    expect(conflict).to_have_text(in_order(146, 597, 4, 4))
    until(at_his, "!sheet.get('region', '1-2').pending")  # what only he has changed is sent
    assert box(at_his, "1-0") == [4, 4, 150, 601]
    at_his.keyboard.press("Escape")
    expect(action(at_his, "decide")).to_have_text(in_order(2))
    status(at_his, "saved", stuck=2)
    action(at_his, "decide").click()
    action(conflict, "mine" if choice == "mine" else "aside").click()
    saved(at_his)
    kept = [(4, 4, 200, 700)]
    if choice == "mine":
        until(at_his, "!sheet.get('region', '1-0').pending")
        assert boxes(ana, screen, "1-0") == [*kept, (4, 4, 150, 600), (4, 4, 150, 601)]
        until(at_hers, "sheet.region('1-0').box[3] === 601")
    else:
        assert boxes(ana, screen, "1-0") == kept
        until(at_his, "sheet.region('1-0').box[3] === 700")
        expect(action(at_his, "show-aside")).to_have_text(in_order(2))
        action(at_his, "show-aside").click()
        action(dialog(at_his, "put-aside"), "put-back").nth(1).click()
        until(at_his, "sheet.region('1-0').box[3] === 601 && !sheet.get('region', '1-0').pending")
        assert boxes(ana, screen, "1-0") == [*kept, (4, 4, 150, 601)]
        action(dialog(at_his, "put-aside"), "forget").click()
        status(at_his, "saved", aside=0)


def test_what_was_deleted_meanwhile_comes_back_if_wanted(at_hers: Page, at_his: Page, his: Person) -> None:
    his.context.set_offline(True)
    draw(at_his, "n-aaaaaaaa")
    at_hers.evaluate("sheet.edit('Delete 1-0', [{ kind: 'region', name: '1-0', set: { gone: true } }])")
    saved(at_hers)
    his.context.set_offline(False)
    conflict = dialog(at_his, "deleted")
    expect(conflict.locator("h2")).to_have_text(in_order("ana", "1-0"))
    action(conflict, "mine").click()
    until(at_hers, "sheet.region('n-aaaaaaaa')?.parent === '1-0'")


def test_what_the_server_refuses_is_shown_and_kept(at_hers: Page, ana: Server, screen: str) -> None:
    page = at_hers
    move(page, "1-0", 4, 4, 200, 5000)
    refused = dialog(page, "refused")
    expect(refused).to_have_text(in_order("1-0", "1280x800"))
    with page.expect_download() as download:
        action(refused, "file").click()
    content = json.loads(download.value.path().read_text("utf-8"))
    assert content["strokes"][0]["edits"][0]["set"]["box"]["xyxy"] == [4, 4, 200, 5000]
    action(refused, "aside").click()
    until(page, "sheet.region('1-0').box[3] === 798 && !sheet.canUndo")
    assert boxes(ana, screen, "1-0") == []


def test_signed_out_and_in_again(browser: Browser, tmp_path: Path) -> None:
    """Strokes wait meanwhile, and go on their way without a reload."""
    project = make_project(tmp_path / "project", screens=1)
    with serving(project, "--sign-in", limits=CHEAP_PASSWORDS) as server:
        client, password = FormClient(server.url), "correct horse battery"
        client.act(client.open(server.link), "join", name="Ana", password=password, again=password)
        context = browser.new_context()
        client.lend(context)
        page = opened(context, server, SCREEN)
        context.clear_cookies()
        move(page, "1-0", 4, 4, 200, 700)
        status(page, "trouble", link="signed out", waiting=1)
        expect(action(page, "sign-in")).to_be_visible()
        client = FormClient(server.url)
        client.act(client.open("/sign-in"), "sign-in", name="Ana", password=password)
        client.lend(context)
        saved(page)
        assert authors(server, SCREEN, "1-0")[1:] == ["person:Ana"]
        context.close()


def test_undo_over_what_others_did_asks(at_hers: Page, at_his: Page) -> None:
    move(at_hers, "1-0", 4, 4, 200, 700)
    until(at_his, "sheet.region('1-0').box[3] === 700")
    move(at_his, "1-0", 4, 4, 200, 650)
    until(at_hers, "sheet.region('1-0').box[3] === 650")
    at_hers.evaluate("() => { window.undone = sheet.undo(); }")
    question = dialog(at_hers, "undo")
    expect(question).to_have_text(in_order("ben", "1-0"))
    action(question, "cancel").click()
    assert at_hers.evaluate("window.undone") is False
    assert box(at_hers, "1-0")[3] == 650
    at_hers.evaluate("() => { window.undone = sheet.undo(); }")
    action(question, "confirm").click()
    until(at_his, "sheet.region('1-0').box[3] === 798")


def test_an_undo_that_was_put_aside_is_not_done(at_hers: Page, at_his: Page, his: Person) -> None:
    move(at_his, "1-0", 4, 4, 200, 700)
    saved(at_his)
    at_his.evaluate("sheet.undo()")
    at_his.evaluate("sheet.redo()")
    saved(at_his)
    until(at_hers, "sheet.region('1-0').box[3] === 700 && sheet.get('region', '1-0').version === 4")
    his.context.set_offline(True)
    at_his.evaluate("sheet.undo()")
    assert at_his.evaluate("[sheet.canUndo, sheet.canRedo]") == [False, True]
    move(at_hers, "1-0", 4, 4, 200, 600)
    saved(at_hers)
    his.context.set_offline(False)
    conflict = dialog(at_his, "changed")
    expect(conflict).to_be_visible()
    action(conflict, "aside").click()
    until(at_his, "sheet.canUndo && !sheet.canRedo && sheet.region('1-0').box[3] === 600")


TELL = """([text, after]) => {
  const set = { functionality: text, description: "", box: sheet.get("region", "1-2").document.box };
  return sheet.edit("Write", [{ kind: "retelling", name: "1-2", set, after }]);
}"""


def test_what_was_written_over_another_text_is_a_conflict(at_hers: Page, at_his: Page) -> None:
    """Also where the other text has come to the page meanwhile; one's own texts are none."""
    after = at_his.evaluate("sheet.get('retelling', '1-2').version")
    for text in ("One", "Two"):
        at_his.evaluate(TELL, [text, after])
        saved(at_his)
    expect(at_his.get_by_role("dialog")).to_have_count(0)
    until(at_hers, "sheet.get('retelling', '1-2').document.functionality === 'Two'")
    at_hers.evaluate(TELL, ["Hers", after + 2])
    until(at_his, "sheet.get('retelling', '1-2').document.functionality === 'Hers'")
    at_his.evaluate(TELL, ["Three", after])
    conflict = dialog(at_his, "changed")
    expect(conflict.locator("h2")).to_have_text(in_order("ana", "1-2"))
    expect(conflict).to_contain_text("Hers")
    expect(conflict).to_contain_text("Three")
    action(conflict, "aside").click()
    saved(at_his)


def test_a_text_written_after_its_box_was_moved_offline(at_hers: Page) -> None:
    """The server takes a person's text along with the box, which makes a version of it."""
    page = at_hers
    page.evaluate(TELL, ["One", 1])
    saved(page)
    page.context.set_offline(True)
    move(page, "1-2", 430, 4, 630, 700)
    page.evaluate(TELL, ["Two", 2])
    page.context.set_offline(False)
    saved(page)
    assert page.evaluate("sheet.current('retelling', '1-2').functionality") == "Two"
    expect(page.get_by_role("dialog")).to_have_count(0)


BOUND = ["N", "Shift+N", "Ctrl+Z", "Ctrl+Shift+Z", "+", "Shift+ArrowLeft", "Alt+ArrowUp", "Delete", "F6", "Space"]
KEYS = """async (keys) => {
  const { Keymap } = await import("/static/js/lib/keys.js");
  window.pressed = [];
  const map = new Keymap();
  for (const key of keys) map.add(key, `Does ${key}`, "Test", () => void pressed.push(key));
  map.add("Escape", "Never", "Test", () => void pressed.push("never"), () => false);
  map.add("Escape", "Leave", "Test", () => void pressed.push("Escape"));
  map.attach(document);
  const field = document.createElement("input");
  field.id = "typing";
  document.getElementById("main").append(field);
}"""


def test_a_long_list_and_keys(hers: Person, ana: Server) -> None:
    page = hers.context.new_page()
    page.goto(f"{ana.url}/account")
    saved(page)
    _list(page)
    page.evaluate("document.getElementById('list').remove()")
    page.evaluate(KEYS, BOUND)
    pressed = ["n", "Shift+N", "Control+z", "Control+Shift+Z", *BOUND[4:]]
    for key in [*pressed, "Escape", "q"]:
        page.keyboard.press(key)
    assert page.evaluate("pressed") == [*BOUND, "Escape"]
    page.evaluate("() => { pressed.length = 0; document.getElementById('typing').focus(); }")
    for key in [*pressed, "Escape", "?"]:
        page.keyboard.press(key)
    assert page.evaluate("pressed") == ["F6", "Escape"]
    page.evaluate("() => document.getElementById('typing').blur()")
    page.keyboard.press("?")
    keys = dialog(page, "keys")
    expect(keys).to_contain_text("Does Ctrl+Shift+Z")
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    assert page.evaluate("pressed") == ["F6", "Escape"]
    page.close()


LIST = """async () => {
  const { VirtualList } = await import("/static/js/lib/list.js");
  const place = document.createElement("div");
  place.id = "list";
  place.style.height = "300px";
  document.getElementById("main").append(place);
  window.list = new VirtualList(place, { rowHeight: 30, render: (row, item, index) => {
    row.textContent = item;
    row.id = `row-${index}`;
    row.tabIndex = -1;
  } });
  list.setItems(Array.from({ length: 5000 }, (_, index) => `Item ${index}`));
}"""


def _list(page: Page) -> None:
    """A long list has only the rows in sight, and the one with the focus."""
    page.evaluate(LIST)
    assert page.locator("#list .row").count() < 40
    page.evaluate("list.reveal(4000)")
    expect(page.locator("#row-4000")).to_be_in_viewport()
    page.evaluate("list.row(4000).focus()")
    page.evaluate("list.reveal(0)")
    assert page.evaluate("document.activeElement.id") == "row-4000"
    page.evaluate("() => document.getElementById('list').scrollTo(0, 60000)")
    expect(page.locator("#row-2003")).to_be_in_viewport()
    page.evaluate("() => document.getElementById('list').scrollTo(0, 59000)")
    expect(page.locator("#row-1970")).to_be_in_viewport()
    shown = [one for one in page.locator("#list .row").all_inner_texts() if one != "Item 4000"]
    assert shown == sorted(shown, key=lambda text: int(text.split()[1]))
    page.evaluate("list.setItems(['One', 'Two'])")
    assert page.locator("#list .row").all_inner_texts() == ["One", "Two"]
