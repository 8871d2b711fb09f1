"""Strokes in a real browser against a real server: whatever breaks, each arrives, and once."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, expect

from affordance.author.project import open_project
from studio_world import Server, make_project, serving

SCREEN = "screen-1"


@pytest.fixture(scope="module")
def ana(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    project = make_project(tmp_path_factory.mktemp("saving") / "project", screens=22)
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
          const end = Date.now() + 15000;
          while (!(CONDITION)) {
            if (Date.now() > end) throw new Error("waited in vain; " + document.getElementById("status").innerText);
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
        }""".replace("CONDITION", condition)
    )


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


def said(page: Page, text: str) -> None:
    expect(page.locator("#status [role=status]")).to_have_text(text)


def boxes(server: Server, screen: str, name: str) -> list[tuple[float, ...]]:
    """Of all versions of a region, by people."""
    with open_project(server.project, read_only=True) as project:
        found = project.ledger.history("region", f"{screen}/{name}")
    return [tuple(one.document["box"]["xyxy"]) for one in found if one.author.startswith("person:")]  # type: ignore[call-overload, index]


def authors(server: Server, screen: str, name: str) -> list[str]:
    with open_project(server.project, read_only=True) as project:
        return [one.author for one in project.ledger.history("region", f"{screen}/{name}")]


def test_saved_is_said_when_the_server_has_it(context: BrowserContext, ana: Server, screen: str) -> None:
    page = opened(context, ana, screen)
    said(page, "Saved")
    page.evaluate(
        """() => {
          window.heard = [];
          const place = document.querySelector("#status [role=status]");
          new MutationObserver(() => heard.push(place.textContent)).observe(place, { childList: true });
        }"""
    )
    move(page, "1-0", 4, 4, 200, 700)
    until(page, "!sheet.get('region', '1-0').pending")
    said(page, "Saved")
    assert page.evaluate("heard") == ["1 waiting", "Saved"]
    assert boxes(ana, screen, "1-0") == [(4, 4, 200, 700)]


def test_offline_and_back(context: BrowserContext, ana: Server, screen: str) -> None:
    page = opened(context, ana, screen)
    context.set_offline(True)
    for number in range(5):
        move(page, "1-0", 4, 4, 200, 700 + number)
    move(page, "1-1", 220, 10, 400, 700)
    said(page, "Offline: 6 kept on this computer")
    assert box(page, "1-0") == [4, 4, 200, 704]
    context.set_offline(False)
    said(page, "Saved")
    assert boxes(ana, screen, "1-0") == [(4, 4, 200, 700 + number) for number in range(5)]
    assert boxes(ana, screen, "1-1") == [(220, 10, 400, 700)]


def test_a_reload_and_a_closed_tab(context: BrowserContext, ana: Server, screen: str) -> None:
    page = opened(context, ana, screen)
    context.route("**/api/strokes", lambda route: route.abort())
    move(page, "1-0", 4, 4, 200, 700)
    move(page, "1-0", 4, 4, 200, 701)
    page.reload()
    sheet(page, screen)
    assert box(page, "1-0") == [4, 4, 200, 701]
    move(page, "1-1", 220, 10, 400, 700)
    page.close()
    context.unroute("**/api/strokes")
    other = context.new_page()
    other.goto(f"{ana.url}/account")  # a page that shows no screen sends them too
    said(other, "Saved")
    assert boxes(ana, screen, "1-0") == [(4, 4, 200, 700), (4, 4, 200, 701)]
    assert boxes(ana, screen, "1-1") == [(220, 10, 400, 700)]


def test_a_lost_answer_is_no_conflict(context: BrowserContext, ana: Server, screen: str) -> None:
    page = opened(context, ana, screen)
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
    said(page, "Saved")
    assert len(lost) == 2
    assert json.loads(lost[1])["again"]
    assert boxes(ana, screen, "1-0") == [(4, 4, 200, 700), (4, 4, 200, 701)]
    expect(page.locator("dialog")).to_have_count(0)


def test_a_killed_server(browser: Browser, tmp_path: Path) -> None:
    """Every stroke that was shown as saved is there, each that waits arrives, and none twice."""
    project = make_project(tmp_path / "project", screens=1)
    with serving(project, "--as", "ana") as server:
        context = browser.new_context()
        page = opened(context, server, SCREEN)
        page.evaluate(
            """() => {
              window.made = (async () => {
                for (let number = 0; number < 40; number++) {
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
        expect(page.locator("#status [role=status]")).to_contain_text("Offline: ")
        server.restart()
        said(page, "Saved")
        for number in range(4):
            expected = [(10 + one, 10, 200 + one, 300) for one in range(number, 40, 4)]
            assert boxes(server, SCREEN, f"1-{number}") == expected
        context.close()


def test_two_tabs_send_each_stroke_once(context: BrowserContext, ana: Server, screen: str) -> None:
    sent: list[Request] = []

    def note(request: Request) -> None:
        sent.append(request)

    context.on("request", note)
    one, other = opened(context, ana, screen), opened(context, ana, screen)
    for number in range(6):
        page = (one, other)[number % 2]
        move(page, "1-0", 4, 4, 200, 700 + number)
        for seen in (one, other):
            until(seen, f"sheet.region('1-0').box[3] === {700 + number}")
    said(one, "Saved")
    said(other, "Saved")
    assert boxes(ana, screen, "1-0") == [(4, 4, 200, 700 + number) for number in range(6)]
    keys = [one.post_data_json["key"] for one in sent if one.url.endswith("/api/strokes")]
    assert len(keys) == len(set(keys)) == 6


def test_two_tabs_that_cannot_tell_each_other(context: BrowserContext, ana: Server, screen: str) -> None:
    """One learns from the store and the news, and never shows again what was there before."""
    context.add_init_script("delete window.BroadcastChannel;")
    one, other = opened(context, ana, screen), opened(context, ana, screen)
    other.evaluate(
        """() => {
          window.seen = [];
          sheet.addEventListener("change", () => {
            const last = sheet.region("1-0").box[3];
            if (seen.at(-1) !== last) seen.push(last);
          });
        }"""
    )
    context.route("**/api/strokes", lambda route: route.abort())
    move(one, "1-0", 4, 4, 200, 700)
    until(other, "sheet.region('1-0').box[3] === 700")
    context.unroute("**/api/strokes")
    until(other, "!sheet.get('region', '1-0').pending")
    move(other, "1-0", 4, 4, 200, 701)
    until(one, "sheet.region('1-0').box[3] === 701 && !sheet.get('region', '1-0').pending")
    assert [last for last in other.evaluate("seen") if last != 798] == [700, 701]
    assert other.evaluate("seen.indexOf(798)") in (-1, 0)
    assert boxes(ana, screen, "1-0") == [(4, 4, 200, 700), (4, 4, 200, 701)]


@pytest.mark.parametrize("choice", ["Use mine", "Keep theirs"])
def test_two_people_at_one_region(browser: Browser, ana: Server, ben: Server, screen: str, choice: str) -> None:
    hers, his = browser.new_context(), browser.new_context()
    at_hers, at_his = opened(hers, ana, screen), opened(his, ben, screen)
    his.set_offline(True)
    move(at_his, "1-0", 4, 4, 150, 600)
    move(at_his, "1-0", 4, 4, 150, 601)
    move(at_his, "1-2", 440, 4, 600, 601)
    move(at_hers, "1-0", 4, 4, 200, 700)
    said(at_hers, "Saved")
    his.set_offline(False)
    dialog = at_his.get_by_role("dialog")
    expect(dialog.get_by_role("heading", level=2)).to_contain_text("ana changed 1-0 at ")
    expect(dialog).to_contain_text("196 by 696 at 4, 4")
    expect(dialog).to_contain_text("146 by 597 at 4, 4")
    until(at_his, "!sheet.get('region', '1-2').pending")  # what nobody else has changed goes on
    assert box(at_his, "1-0") == [4, 4, 150, 601]
    at_his.keyboard.press("Escape")
    at_his.get_by_role("button", name="2 need a decision").click()
    dialog.get_by_role("button", name=choice).click()
    said(at_his, "Saved")
    kept = [(4, 4, 200, 700)]
    if choice == "Use mine":
        until(at_his, "!sheet.get('region', '1-0').pending")
        assert boxes(ana, screen, "1-0") == [*kept, (4, 4, 150, 600), (4, 4, 150, 601)]
        until(at_hers, "sheet.region('1-0').box[3] === 601")
    else:
        assert boxes(ana, screen, "1-0") == kept
        until(at_his, "sheet.region('1-0').box[3] === 700")
        at_his.get_by_role("button", name="2 put aside").click()
        dialog.get_by_role("button", name="Put back").nth(1).click()
        until(at_his, "sheet.region('1-0').box[3] === 601 && !sheet.get('region', '1-0').pending")
        assert boxes(ana, screen, "1-0") == [*kept, (4, 4, 150, 601)]
    hers.close()
    his.close()


def test_what_was_deleted_meanwhile_comes_back_if_wanted(
    browser: Browser, ana: Server, ben: Server, screen: str
) -> None:
    hers, his = browser.new_context(), browser.new_context()
    at_hers, at_his = opened(hers, ana, screen), opened(his, ben, screen)
    his.set_offline(True)
    draw(at_his, "n-aaaaaaaa")
    at_hers.evaluate("sheet.edit('Delete 1-0', [{ kind: 'region', name: '1-0', set: { gone: true } }])")
    said(at_hers, "Saved")
    his.set_offline(False)
    expect(at_his.get_by_role("dialog")).to_contain_text("ana deleted 1-0")
    at_his.get_by_role("button", name="Use mine").click()
    until(at_hers, "sheet.region('n-aaaaaaaa')?.parent === '1-0'")
    hers.close()
    his.close()


def test_what_the_server_refuses_is_told_and_kept(context: BrowserContext, ana: Server, screen: str) -> None:
    page = opened(context, ana, screen)
    move(page, "1-0", 4, 4, 200, 5000)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The server says: the region 1-0: expected a box on the screen of 1280x800")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Save to a file").click()
    content = json.loads(download.value.path().read_text("utf-8"))
    assert content["strokes"][0]["edits"][0]["set"]["box"]["xyxy"] == [4, 4, 200, 5000]
    dialog.get_by_role("button", name="Put aside").click()
    until(page, "sheet.region('1-0').box[3] === 798")
    assert not page.evaluate("sheet.canUndo")
    assert boxes(ana, screen, "1-0") == []


def test_strokes_go_nowhere_as_another_person_or_to_another_project(browser: Browser, tmp_path: Path) -> None:
    project, other = (make_project(tmp_path / name, screens=1) for name in ("project", "other"))
    with serving(project, "--as", "ana") as server:
        context = browser.new_context()
        page = opened(context, server, SCREEN)
        server.kill9()
        move(page, "1-0", 4, 4, 200, 700)
        server.project = other
        server.restart()
        said(page, "Another project is served here: 1 kept on this computer until this one is back")
        assert boxes(server, SCREEN, "1-0") == []
        server.kill9()
        server.project, server.options = project, ("--as", "ben")
        server.restart()
        said(page, "ben has signed in here: 1 kept on this computer until you sign in again")
        his = context.new_page()
        his.goto(f"{server.url}/account")
        expect(his.locator("#status")).to_contain_text("Changes of ana wait on this computer until they sign in")
        assert boxes(server, SCREEN, "1-0") == []
        his.close()
        server.kill9()
        server.options = ("--as", "ana")
        server.restart()
        page.reload()
        said(page, "Saved")
        assert authors(server, SCREEN, "1-0")[1:] == ["person:ana"]
        context.close()


def test_signed_out_and_in_again(browser: Browser, tmp_path: Path) -> None:
    """Strokes wait meanwhile, and go on their way without a reload."""
    with serving(make_project(tmp_path / "project", screens=1), "--sign-in") as server:
        context = browser.new_context()
        other = context.new_page()
        other.goto(server.link)
        other.get_by_label("Name").fill("Ana")
        for field in other.locator("input[type=password]").all():
            field.fill("correct horse battery")
        other.get_by_role("button", name="Join").click()
        expect(other.locator(".person")).to_have_text("Ana")
        page = opened(context, server, SCREEN)
        other.goto(f"{server.url}/account")
        other.get_by_role("button", name="Sign out", exact=True).click()
        expect(other.get_by_role("button", name="Sign in")).to_be_visible()
        move(page, "1-0", 4, 4, 200, 700)
        said(page, "Signed out: 1 kept on this computer")
        expect(page.get_by_role("link", name="Sign in again")).to_be_visible()
        other.get_by_label("Name").fill("Ana")
        other.get_by_label("Password").fill("correct horse battery")
        other.get_by_role("button", name="Sign in").click()
        said(page, "Saved")
        assert authors(server, SCREEN, "1-0")[1:] == ["person:Ana"]
        context.close()


def test_undo_and_redo_after_a_reload(context: BrowserContext, ana: Server, screen: str) -> None:
    page = opened(context, ana, screen)
    before = box(page, "1-0")
    move(page, "1-0", 4, 4, 200, 700)
    draw(page, "n-bbbbbbbb")
    page.evaluate(
        """() => {
          const set = { box: sheet.get("region", "n-bbbbbbbb").document.box, type: "Form" };
          return sheet.edit("Call it a form", [{ kind: "type", name: "n-bbbbbbbb", set }]);
        }"""
    )
    said(page, "Saved")
    page.reload()
    sheet(page, screen)
    assert page.evaluate("[sheet.canUndo, sheet.undoLabel, sheet.canRedo]") == [True, "Call it a form", False]
    page.evaluate("sheet.undo()")
    assert page.evaluate("sheet.current('type', 'n-bbbbbbbb')") is None
    page.evaluate("sheet.undo()")
    assert page.evaluate("sheet.region('n-bbbbbbbb') ?? null") is None
    page.evaluate("sheet.undo()")
    assert box(page, "1-0") == before
    assert page.evaluate("[sheet.canUndo, sheet.redoLabel]") == [False, "Move 1-0"]
    page.reload()
    sheet(page, screen)
    page.evaluate("Promise.all([sheet.redo(), sheet.redo(), sheet.redo()])")  # however fast they come
    assert box(page, "1-0") == [4, 4, 200, 700]
    assert page.evaluate("sheet.current('type', 'n-bbbbbbbb').type") == "Form"
    page.evaluate("sheet.undo()")
    move(page, "1-1", 220, 10, 400, 700)
    assert page.evaluate("[sheet.canRedo, sheet.undoLabel]") == [False, "Move 1-1"]
    said(page, "Saved")
    assert boxes(ana, screen, "1-0") == [(4, 4, 200, 700), tuple(before), (4, 4, 200, 700)]


def test_undo_over_what_others_did_asks(browser: Browser, ana: Server, ben: Server, screen: str) -> None:
    hers, his = browser.new_context(), browser.new_context()
    at_hers, at_his = opened(hers, ana, screen), opened(his, ben, screen)
    move(at_hers, "1-0", 4, 4, 200, 700)
    until(at_his, "sheet.region('1-0').box[3] === 700")
    move(at_his, "1-0", 4, 4, 200, 650)
    until(at_hers, "sheet.region('1-0').box[3] === 650")
    at_hers.evaluate("() => { window.undone = sheet.undo(); }")
    dialog = at_hers.get_by_role("dialog")
    expect(dialog).to_contain_text("ben has changed 1-0 since “Move 1-0”.")
    dialog.get_by_role("button", name="Leave it as it is").click()
    assert at_hers.evaluate("window.undone") is False
    assert box(at_hers, "1-0")[3] == 650
    at_hers.evaluate("() => { window.undone = sheet.undo(); }")
    dialog.get_by_role("button", name="Undo anyway").click()
    until(at_his, "sheet.region('1-0').box[3] === 798")
    hers.close()
    his.close()


def test_an_undo_that_was_put_aside_is_not_done(browser: Browser, ana: Server, ben: Server, screen: str) -> None:
    hers, his = browser.new_context(), browser.new_context()
    at_hers, at_his = opened(hers, ana, screen), opened(his, ben, screen)
    move(at_his, "1-0", 4, 4, 200, 700)
    said(at_his, "Saved")
    at_his.evaluate("sheet.undo()")
    at_his.evaluate("sheet.redo()")
    said(at_his, "Saved")
    until(at_hers, "sheet.region('1-0').box[3] === 700 && sheet.get('region', '1-0').version === 4")
    his.set_offline(True)
    at_his.evaluate("sheet.undo()")
    assert at_his.evaluate("[sheet.canUndo, sheet.canRedo]") == [False, True]
    move(at_hers, "1-0", 4, 4, 200, 600)
    said(at_hers, "Saved")
    his.set_offline(False)
    at_his.get_by_role("dialog").get_by_role("button", name="Keep theirs").click(timeout=15_000)
    until(at_his, "sheet.canUndo && !sheet.canRedo && sheet.region('1-0').box[3] === 600")
    hers.close()
    his.close()


def test_what_was_just_undone_can_be_redone_after_a_reload(context: BrowserContext, ana: Server, screen: str) -> None:
    page = opened(context, ana, screen)
    move(page, "1-0", 4, 4, 200, 700)
    page.evaluate("sheet.undo()")
    page.reload()
    sheet(page, screen)
    assert page.evaluate("[sheet.canUndo, sheet.redoLabel]") == [False, "Move 1-0"]


def test_the_log_read_anew_keeps_what_is_being_made(context: BrowserContext, ana: Server, screen: str) -> None:
    page = opened(context, ana, screen)
    move(page, "1-0", 4, 4, 200, 700)
    labels = page.evaluate(
        """async (screen) => {
          const { post } = await import("/static/js/work/post.js");
          const { store } = await import("/static/js/work/store.js");
          const labels = [];
          for (let number = 0; number < 5; number++) {
            post.dispatchEvent(new CustomEvent("log", { detail: { type: "log", screen } })); // as from another tab
            await store.log(screen);
            const box = { space: "pixel", xyxy: [4, 4, 200, 600 + number] };
            await sheet.edit(`Move ${number}`, [{ kind: "region", name: "1-0", set: { box } }]);
            await store.log(screen);
            labels.push(sheet.undoLabel);
          }
          return labels;
        }""",
        screen,
    )
    assert labels == [f"Move {number}" for number in range(5)]


TELL = """([text, after]) => {
  const set = { functionality: text, description: "", box: sheet.get("region", "1-2").document.box };
  return sheet.edit("Write", [{ kind: "retelling", name: "1-2", set, after }]);
}"""


def test_what_was_written_over_another_text_is_a_conflict(
    browser: Browser, ana: Server, ben: Server, screen: str
) -> None:
    """Also where the other text has come to the page meanwhile; one's own texts are none."""
    hers, his = browser.new_context(), browser.new_context()
    at_hers, at_his = opened(hers, ana, screen), opened(his, ben, screen)
    after = at_his.evaluate("sheet.get('retelling', '1-2').version")
    for text in ("One", "Two"):
        at_his.evaluate(TELL, [text, after])
        said(at_his, "Saved")
    expect(at_his.get_by_role("dialog")).to_have_count(0)
    until(at_hers, "sheet.get('retelling', '1-2').document.functionality === 'Two'")
    at_hers.evaluate(TELL, ["Hers", after + 2])
    until(at_his, "sheet.get('retelling', '1-2').document.functionality === 'Hers'")
    at_his.evaluate(TELL, ["Three", after])
    dialog = at_his.get_by_role("dialog")
    expect(dialog).to_contain_text("ana changed the text of 1-2 at ")
    expect(dialog).to_contain_text("Hers")
    expect(dialog).to_contain_text("Three")
    hers.close()
    his.close()


def test_a_text_written_after_its_box_was_moved_offline(context: BrowserContext, ana: Server, screen: str) -> None:
    """The server takes a person's text along with the box, which makes a version of it."""
    page = opened(context, ana, screen)
    page.evaluate(TELL, ["One", 1])
    said(page, "Saved")
    context.set_offline(True)
    move(page, "1-2", 430, 4, 630, 700)
    page.evaluate(TELL, ["Two", 2])
    context.set_offline(False)
    said(page, "Saved")
    assert page.evaluate("sheet.current('retelling', '1-2').functionality") == "Two"
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_only_one_tab_sends_where_clocks_differ(context: BrowserContext, ana: Server, screen: str) -> None:
    page = opened(context, ana, screen)
    got = page.evaluate(
        """async () => {
          const { store } = await import("/static/js/work/store.js");
          const real = Date.now;
          const first = await store.lease("one");
          Date.now = () => real() - 3;
          const second = await store.lease("other");
          Date.now = real;
          await store.release("one");
          return [first, second];
        }"""
    )
    assert got == [True, False]


def test_without_storage_it_says_so(context: BrowserContext, ana: Server, screen: str) -> None:
    context.add_init_script("Object.defineProperty(window, 'indexedDB', { value: undefined });")
    page = opened(context, ana, screen)
    move(page, "1-0", 4, 4, 200, 700)
    move(page, "1-0", 4, 4, 200, 701)
    said(page, "Saved; nothing is kept on this computer")
    assert boxes(ana, screen, "1-0") == [(4, 4, 200, 700), (4, 4, 200, 701)]
    context.set_offline(True)
    move(page, "1-0", 4, 4, 200, 702)
    said(page, "Offline: 1 waiting, not kept on this computer")
    context.set_offline(False)
    said(page, "Saved; nothing is kept on this computer")


def test_storage_that_the_browser_takes_away(context: BrowserContext, ana: Server, screen: str) -> None:
    """What waits goes on, and what comes after it."""
    page = opened(context, ana, screen)
    context.set_offline(True)
    move(page, "1-0", 4, 4, 200, 700)
    page.evaluate(
        """() => new Promise((resolve) => {
          const opening = indexedDB.open("affordance-studio", 2);
          opening.onsuccess = () => { opening.result.close(); resolve(); };
        })"""
    )
    move(page, "1-0", 4, 4, 200, 701)
    said(page, "Offline: 2 waiting, not kept on this computer")
    context.set_offline(False)
    said(page, "Saved; nothing is kept on this computer")
    assert boxes(ana, screen, "1-0") == [(4, 4, 200, 700), (4, 4, 200, 701)]


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


def test_keys(context: BrowserContext, ana: Server) -> None:
    page = context.new_page()
    page.goto(f"{ana.url}/account")
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
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("Does Ctrl+Shift+Z")
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert page.evaluate("pressed") == ["F6", "Escape"]


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


def test_list(context: BrowserContext, ana: Server) -> None:
    page = context.new_page()
    page.goto(f"{ana.url}/account")
    page.evaluate(LIST)
    assert page.locator("#list .row").count() < 40
    page.evaluate("list.reveal(4000)")
    expect(page.get_by_text("Item 4000", exact=True)).to_be_in_viewport()
    page.evaluate("list.row(4000).focus()")
    page.evaluate("list.reveal(0)")
    assert page.evaluate("document.activeElement.id") == "row-4000"
    page.evaluate("() => document.getElementById('list').scrollTo(0, 60000)")
    expect(page.get_by_text("Item 2003", exact=True)).to_be_in_viewport()
    page.evaluate("() => document.getElementById('list').scrollTo(0, 59000)")
    expect(page.get_by_text("Item 1970", exact=True)).to_be_in_viewport()
    shown = [one for one in page.locator("#list .row").all_inner_texts() if one != "Item 4000"]
    assert shown == sorted(shown, key=lambda text: int(text.split()[1]))
    page.evaluate("list.setItems(['One', 'Two'])")
    assert page.locator("#list .row").all_inner_texts() == ["One", "Two"]
