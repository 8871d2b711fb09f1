"""Pairs of designs in a real browser: compared, explained, reviewed and tagged; by mouse, keys and touch."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from affordance.author.project import open_project
from affordance.author.records import Kind
from affordance.ledger import Draft
from pair_world import design, make_pairs
from studio_world import Server, comes, faults, serving

HOSTILE = '<img src=x onerror="document.title=1"> \u202eevil\u202c ' + "w" * 300
NAMES = ("keys", "hostile", "look", "offline", "review", "tags", "two", "warn")

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    said = [{"reason": "It is larger.", "law": "Fitts’s Law"}, {"reason": "It is nearer.", "law": "Hick’s Law"}]
    known = {"rationales": said, "evidence": "tested", "source": "https://example.org/test", "device": "web"}
    bad = {"goal": HOSTILE, "company": HOSTILE, "source": "javascript:document.title=1"}
    values: dict[str, dict[str, Any]] = {name: {**known, "winner": 1} for name in NAMES}
    values["hostile"] |= {**bad, "rationales": [{"reason": HOSTILE}]}
    values["warn"] |= {"rationales": [{"reason": "In the right version it is larger.", "law": "Fitts’s Law"}]}
    drawn = {name: (design(number), design(number + 20)) for number, name in enumerate(NAMES)}
    return make_pairs(tmp_path_factory.mktemp("pairs") / "project", drawn, **values)


@pytest.fixture(scope="module")
def bens(project: Path) -> Iterator[Server]:
    """Another studio of the same project, for Ben."""
    with serving(project, "--as", "Ben") as running:
        yield running


@pytest.fixture
def opened(context: BrowserContext, server: Server) -> Iterator[Open]:
    """Opens a pair; at the end no page may have thrown or broken its policy."""
    wrong = faults(context)

    def open_page(pair: str = "look", at: str = server.url, within: BrowserContext | None = None) -> Page:
        page = (within or context).new_page()
        page.goto(f"{at}/pairs?pair={pair}")
        expect(page.locator("#title")).to_contain_text(pair)
        return page

    yield open_page
    assert wrong == []


def saved(page: Page) -> None:
    expect(page.locator("#status .status:visible")).to_have_text("Saved")


def reasons(page: Page) -> Locator:
    return page.locator(".rationale textarea")


def texts(page: Page) -> list[str]:
    return [one.input_value() for one in page.get_by_label("Reason", exact=True).all()]


def written(project: Path, pair: str, kind: Kind = Kind.RATIONALE) -> dict[str, Any]:
    """Documents of a pair as they are saved, by name."""
    with open_project(project, read_only=True) as found:
        there = found.ledger.documents(screen=pair, kind=kind)
        return {one.subject.removeprefix(pair).removeprefix("/"): one.document for one in there}


def pixel(page: Page, pane: int, x: float, y: float) -> list[int]:
    """The colour at a point of the first or second canvas, by shares of its size."""
    script = """([pane, x, y]) => {
      const canvas = document.querySelectorAll("#stage canvas")[pane];
      return [...canvas.getContext("2d").getImageData(canvas.width * x, canvas.height * y, 1, 1).data];
    }"""
    found: list[int] = page.evaluate(script, [pane, x, y])
    return found


def looks(page: Page, pane: int) -> str:
    """All of a canvas."""
    script = "(pane) => document.querySelectorAll('#stage canvas')[pane].toDataURL()"
    found: str = page.evaluate(script, pane)
    return found


def sight(page: Page) -> list[float]:
    return [float(one) for one in (page.locator("#stage").get_attribute("data-sight") or "0 0 0").split()]


def test_two_designs_move_and_zoom_together_and_are_compared(opened: Open) -> None:
    page = opened()
    expect(page.locator("figure.won figcaption")).to_have_text("Second design✓ Winner")
    expect(page.locator("#facts")).to_contain_text("Won: the second, by an A/B test")
    link = page.locator("#facts a")
    expect(link).to_have_attribute("href", "https://example.org/test")
    expect(link).to_have_attribute("rel", re.compile("noreferrer"))
    comes(page, lambda: pixel(page, 0, 0.5, 0.5)[3] == 255 and pixel(page, 1, 0.5, 0.5)[3] == 255)
    before, fitted = sight(page), looks(page, 0)
    second = page.locator("#stage canvas").nth(1)
    second.hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")
    comes(page, lambda: sight(page)[2] > 1.2 * before[2])
    comes(page, lambda: looks(page, 0) != fitted)  # the first has followed
    zoomed = sight(page)
    frame = second.bounding_box()
    assert frame is not None
    page.mouse.move(frame["x"] + 100, frame["y"] + 100)
    page.mouse.down()
    page.mouse.move(frame["x"] + 60, frame["y"] + 130, steps=3)
    page.mouse.up()
    comes(page, lambda: sight(page)[:2] == pytest.approx([zoomed[0] - 40, zoomed[1] + 30], abs=1))
    page.keyboard.press("ArrowRight")  # the canvas has the focus
    comes(page, lambda: sight(page)[0] == pytest.approx(zoomed[0] - 104, abs=1))
    page.keyboard.press("0")
    comes(page, lambda: sight(page) == before)
    for mode in ("Overlay", "Difference"):
        page.keyboard.press("d")
        expect(page.get_by_role("button", name=mode, exact=True)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("figure:visible")).to_have_count(1)
    comes(page, lambda: pixel(page, 0, 0.5, 0.6)[:3] == [0, 0, 0] or sum(pixel(page, 0, 0.5, 0.5)[:3]) > 0)
    assert pixel(page, 0, 0.5, 0.72)[:3] == [0, 0, 0]  # below the photo both are empty
    assert max(sum(pixel(page, 0, 0.2 + 0.05 * at, 0.5)[:3]) for at in range(12)) > 30  # the photos differ
    page.keyboard.press("d")
    expect(page.locator("figcaption:visible")).to_contain_text("Second design")  # in its turn
    expect(page.locator("figcaption:visible")).to_contain_text("First design")
    page.keyboard.press("d")
    page.click("#swap")
    expect(page.locator("figure").first.locator("figcaption")).to_contain_text("Second design")
    page.keyboard.press("b")
    expect(page.locator("figure.won")).to_have_count(0)
    for hidden in ("Won", "A/B", "example.org"):
        expect(page.locator("#facts")).not_to_contain_text(hidden)
    expect(reasons(page).first).to_be_hidden()


def test_the_overlay_is_cut_where_the_slider_is(opened: Open) -> None:
    page = opened()
    comes(page, lambda: pixel(page, 1, 0.5, 0.5)[3] == 255)
    page.click("button[data-mode=overlay]")
    slider = page.get_by_label("How much of which design")

    def shown(key: str) -> list[int]:
        slider.press(key)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return pixel(page, 0, 0.3, 0.5)

    comes(page, lambda: shown("Home")[3] == 255 and shown("Home") != shown("End"))


def test_rationales_are_written_ordered_and_undone_by_keys_alone(opened: Open, project: Path) -> None:
    page = opened("keys")
    page.keyboard.press("n")
    page.keyboard.type("It stands out from all else.")
    page.keyboard.press("Tab")
    page.keyboard.type("Von")  # a select chooses by what is typed
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".rationale")).to_have_count(3)
    expect(page.get_by_label("New rationale", exact=True)).to_have_value("")
    assert texts(page) == ["It is larger.", "It is nearer.", "It stands out from all else."]
    reasons(page).nth(2).focus()
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+ArrowUp")
    comes(page, lambda: texts(page)[0] == "It stands out from all else.")
    assert page.evaluate("document.activeElement.value") == "It stands out from all else."
    page.keyboard.press("End")
    page.keyboard.type(" Truly.")
    page.keyboard.press("Control+Enter")
    saved(page)
    page.locator(".rationale").nth(1).get_by_text("Delete").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".rationale")).to_have_count(2)
    page.locator("#tab-rationales").focus()
    page.keyboard.press("Control+z")
    expect(page.locator(".rationale")).to_have_count(3)
    for _ in range(4):  # the words, two moves, the new one
        page.keyboard.press("Control+z")
    expect(page.locator(".rationale")).to_have_count(2)
    for _ in range(4):
        page.keyboard.press("Control+Shift+z")
    comes(page, lambda: texts(page) == ["It stands out from all else. Truly.", "It is larger.", "It is nearer."])
    saved(page)
    there = [one for one in written(project, "keys").values() if not one.get("gone")]
    ordered = sorted(there, key=lambda one: one["place"])
    assert [one["law"] for one in ordered] == ["Von Restorff Effect", "Fitts’s Law", "Hick’s Law"]
    page.reload()
    comes(page, lambda: len(texts(page)) == 3 and texts(page)[0].endswith("Truly."))


def test_what_is_doubtful_is_said_while_it_is_written(opened: Open, project: Path) -> None:
    page = opened("warn")
    first = page.locator(".rationale").first
    expect(first.locator(".doubts").first).to_contain_text("It says “right” of a version")
    first.get_by_text("Use this wording").click()
    expect(first.get_by_label("Without a side")).to_have_value("In the better version it is larger.")
    expect(first.locator(".doubts").first).to_be_empty()
    saved(page)
    assert written(project, "warn")["r-1"]["neutral"] == "In the better version it is larger."
    page.fill("#new-reason", "The left version hides it.")
    doubts = page.locator("#new-doubts")
    expect(doubts).to_contain_text("It says “left” of a version")
    expect(doubts).to_contain_text("It has no law yet")
    page.select_option("#new-law", "Fitts’s Law")
    expect(doubts).to_contain_text("Another rationale has the same law")
    page.get_by_role("button", name="Say “The weaker version hides it.”").click()
    expect(doubts).not_to_contain_text("left")
    page.fill("#new-reason", "IN the right version, it is larger")
    expect(doubts).to_contain_text("Another rationale says the same.")
    page.reload()
    expect(page.locator("#new-reason")).to_have_value(
        "IN the right version, it is larger"
    )  # a closed tab loses nothing
    reasons(page).first.fill("")
    reasons(page).first.press("Control+Enter")
    expect(first.locator(".doubts").first).to_contain_text("Delete it where it is not needed")
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    expect(page.locator("#reference")).to_contain_text("A target is reached faster if it is larger and nearer.")
    page.keyboard.press("Escape")
    expect(page.locator("#reference")).to_be_hidden()


def test_a_review_says_what_is_missing_and_the_author_does_it(
    opened: Open, bens: Server, project: Path, browser: Browser
) -> None:
    page = opened("review")
    page.get_by_role("button", name="Rationale 2 is irrelevant").click()
    page.keyboard.press("2")
    page.fill("#missing", "Nothing on trust")
    page.press("#missing", "Enter")
    page.fill("#review-note", "Short.")
    expect(page.locator("#review .lines").first).to_contain_text("Nothing on trust")
    page.click("#finish")
    expect(page.locator("#review h3").first).to_have_text("Round 1, done")
    saved(page)
    assert written(project, "review", Kind.REVIEW)["1-Ana"] == {
        "round": 1,
        "irrelevant": ["r-2"],
        "missing": ["Nothing on trust"],
        "note": "Short.",
        "done": True,
        "seen": ["r-1", "r-2"],
    }
    other = browser.new_context(viewport={"width": 1440, "height": 900})
    ben = opened("review", bens.url, other)
    expect(ben.locator(".pair-row.chosen")).to_contain_text("2 open")
    expect(ben.locator(".marks:visible")).to_have_count(0)  # not before he has said what he finds
    ben.click("#tab-review")
    expect(ben.locator("#review")).to_contain_text("shown when you are, too")
    ben.click("#show-others")
    expect(ben.locator(".their-review")).to_contain_text("Rationale 2 is irrelevant")
    ben.get_by_role("button", name="Write it").click()
    expect(ben.locator(".meets")).to_contain_text("Nothing on trust")
    ben.fill("#new-reason", "It shows who is behind the shop.")
    ben.press("#new-reason", "Control+Enter")
    expect(ben.locator(".rationale")).to_have_count(3)
    ben.get_by_role("button", name="Delete rationale 2").click()
    ben.click("#tab-review")
    ben.click("#finish")
    saved(ben)
    expect(ben.locator(".their-review")).to_contain_text("✓ written")
    expect(page.locator(".their-review")).to_contain_text("Nothing to be done")  # Ana sees Ben's
    page.click("#again")
    expect(page.locator("#review h3").first).to_have_text("Round 2")
    saved(page)
    page.locator("#tab-review").focus()
    page.keyboard.press("Control+z")  # a round that was begun by mistake says nothing
    saved(page)
    row = next(one for one in bens.get("/api/pairs").json["pairs"] if one["id"] == "review")
    assert (row["open"], row["rationales"]) == (0, 2)
    other.close()


def test_tags_and_what_changed_are_kept_and_a_pair_is_put_aside(opened: Open, project: Path) -> None:
    page = opened("tags")
    page.keyboard.press("3")
    page.fill("#tag-page_type", "pricing")
    page.press("#tag-page_type", "Tab")
    page.fill("#tag-industry", "Tea")
    page.select_option("#change-element", "Button")
    page.keyboard.press("Space")  # its first property has the focus
    page.get_by_label("Button: Size").check()
    page.select_option("#change-element", "Text")
    page.get_by_label("Text: Color").check()
    page.get_by_label("Button: Presence").uncheck()
    page.fill("#tags textarea >> nth=0", "Sell more tea.")
    page.press("#tags textarea >> nth=0", "Control+Enter")
    saved(page)
    found = written(project, "tags", Kind.PAIR)[""]
    assert (found["page_type"], found["industry"], found["goal"]) == ("pricing", "Tea", "Sell more tea.")
    assert found["changes"] == {"Button": ["Size"], "Text": ["Color"]}
    expect(page.locator("#known-page_type option[value=pricing]")).to_have_count(0)  # not before the list comes again
    page.click("#aside")
    page.get_by_role("button", name="Put aside", exact=True).click()
    assert not written(project, "tags", Kind.PAIR)[""].get("aside")  # without a reason
    page.click("#aside")
    page.fill("#why-aside", "Shows a person.")
    page.get_by_role("button", name="Put aside", exact=True).click()
    expect(page.locator("#facts")).to_contain_text("Put aside: Shows a person.")
    saved(page)
    page.select_option("#show", "aside")
    expect(page.locator("#found")).to_have_text("1 of 8 pairs")
    page.keyboard.press("Escape")
    page.locator("#tab-tags").focus()
    page.keyboard.press("Control+z")
    expect(page.locator("#facts")).not_to_contain_text("Put aside")
    page.fill("#search", "tea more")
    page.select_option("#show", "all")
    expect(page.locator("#found")).to_have_text("1 of 8 pairs")


def test_two_people_at_one_rationale_are_told_and_decide(opened: Open, bens: Server, browser: Browser) -> None:
    page = opened("two")
    other = browser.new_context(viewport={"width": 1440, "height": 900})
    ben = opened("two", bens.url, other)
    page.context.set_offline(True)
    reasons(page).first.fill("Ana’s words.")
    reasons(page).first.press("Control+Enter")
    expect(page.locator("#status")).to_contain_text("1 kept on this computer")
    reasons(ben).first.fill("Ben’s words.")
    reasons(ben).first.press("Control+Enter")
    saved(ben)
    page.context.set_offline(False)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Ben changed a rationale")
    expect(dialog).to_contain_text("Pair two")
    expect(dialog).to_contain_text("reason: “Ben’s words.”")
    dialog.get_by_role("button", name="Use mine").click()
    saved(page)
    expect(reasons(ben).first).to_have_value("Ana’s words.")
    reasons(page).nth(1).fill("Half a sent")
    ben.get_by_role("button", name="Delete rationale 2").click()
    saved(ben)
    gone = page.locator(".rationale .overtaken:visible")
    expect(gone).to_contain_text("Ben deleted this rationale while you were writing.")
    gone.get_by_text("Bring it back with my text").click()
    expect(reasons(ben)).to_have_count(2)
    expect(reasons(ben).nth(1)).to_have_value("Half a sent")
    other.close()


def test_work_goes_on_without_the_server_and_is_sent_later(opened: Open, project: Path) -> None:
    page = opened("offline")
    page.context.set_offline(True)
    page.fill("#new-reason", "Written on a train.")
    page.press("#new-reason", "Control+Enter")
    expect(page.locator(".rationale")).to_have_count(3)
    reasons(page).nth(1).fill("Nearer to the thumb.")
    page.get_by_role("button", name="Delete rationale 1").click()  # leaves the text, which is kept at that moment
    expect(page.locator("#status")).to_contain_text("Offline: 3 kept on this computer")
    assert len(written(project, "offline")) == 2
    page.context.set_offline(False)
    saved(page)
    there = written(project, "offline")
    assert there["r-1"]["gone"] is True
    assert there["r-2"]["reason"] == "Nearer to the thumb."
    assert [one["reason"] for name, one in there.items() if name.startswith("n-")] == ["Written on a train."]


def test_texts_of_any_kind_are_text(opened: Open) -> None:
    page = opened("hostile")
    expect(reasons(page).first).to_have_value(HOSTILE.strip())
    expect(page.locator("#facts")).to_contain_text("javascript:document.title=1")
    expect(page.locator("#facts a")).to_have_count(0)
    expect(page.locator("#facts img, .rationale img")).to_have_count(0)
    assert "Pairs" in page.title()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_thousands_of_pairs_and_none(tmp_path: Path, opened: Open) -> None:
    many = make_pairs(tmp_path / "many", {"one": (design(1), design(2))})
    with open_project(many) as found:
        (one,) = found.ledger.documents(kind=Kind.PAIR)
        names = [f"pair-{number}" for number in range(1, 2000)]
        drafts = [Draft(Kind.PAIR, name, {**one.document, "id": name}, "init", name) for name in names]
        found.ledger.revise(drafts)
    with serving(many, "--as", "Ana") as server:
        page = opened("pair-1500", server.url)
        expect(page.locator("#found")).to_have_text("2,000 pairs")
        expect(page.locator(".pair-row.chosen")).to_contain_text("pair-1500")
        assert page.locator(".pair-row").count() < 60
        page.keyboard.press("j")
        expect(page.locator("#title")).to_contain_text("pair-1501")
        page.fill("#search", "pair-1999")
        expect(page.locator("#found")).to_have_text("1 of 2,000 pairs")
        page.locator(".pair-row:not(.chosen)").click()
        expect(page.locator("#title")).to_contain_text("pair-1999")
        page.goto(f"{server.url}/pairs?pair=nowhere")
        expect(page.locator("#none")).to_contain_text("there is no pair 'nowhere' in the project")


def test_on_a_phone_by_touch(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{server.url}/pairs?pair=look")
    expect(page.locator("figure:visible")).to_have_count(2)
    first, second = (page.locator("figure").nth(at).bounding_box() for at in (0, 1))
    assert first is not None
    assert second is not None
    assert second["y"] >= first["y"] + first["height"] - 1  # one above the other
    page.get_by_role("button", name="Second", exact=True).tap()
    expect(page.locator("figure:visible")).to_have_count(1)
    comes(page, lambda: pixel(page, 1, 0.5, 0.5)[3] == 255)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("#tab-tags").tap()
    expect(page.locator("#tags")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


@pytest.mark.parametrize(
    ("scheme", "width", "height"), [("light", 1440, 900), ("dark", 1440, 900), ("light", 360, 740)], ids=str
)
def test_axe_finds_nothing(browser: Browser, server: Server, scheme: Any, width: int, height: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{server.url}/pairs?pair=hostile")
    expect(page.locator("#title")).to_contain_text("hostile")
    expect(page.locator(".rationale")).to_have_count(1)
    for tab in ("rationales", "review", "tags"):
        page.click(f"#tab-{tab}")
        if tab == "tags" and not page.get_by_label("Icon: Size").count():
            page.select_option("#change-element", "Icon")
        found = Axe().run(page)
        assert found.violations_count == 0, f"{tab}: {found.generate_report()}"
    page.click("#laws")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    context.close()
