"""Pairs of designs in a real browser: compared, explained, reviewed and tagged; by mouse, keys and touch."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from affordance.author.project import open_project
from affordance.author.records import Kind
from affordance.ledger import DocumentDraft
from pair_world import design, make_pairs
from studio_world import (
    Person,
    Server,
    action,
    comes,
    dialog,
    fits,
    in_order,
    person,
    saved,
    serving,
    status,
    turn_to,
    while_loading,
)

HOSTILE = '<img src=x onerror="document.title=1"> \u202eevil\u202c ' + "w" * 300
NAMES = ("keys", "hostile", "look", "offline", "review", "tags", "two", "warn")
MANY = 400  # pairs in all; the others share the pictures of one, and come last

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
    made = make_pairs(tmp_path_factory.mktemp("pairs") / "project", drawn, **values)
    with open_project(made) as found:
        (one,) = found.ledger.documents.get_many([(Kind.PAIR, "look")])
        names = [f"zoo-{number}" for number in range(len(NAMES), MANY)]
        found.ledger.documents.write(
            [DocumentDraft(Kind.PAIR, name, {**one.document, "id": name}, "init", name) for name in names]
        )
    return made


@pytest.fixture(scope="module")
def bens(project: Path) -> Iterator[Server]:
    """Another studio of the same project, for Ben."""
    with serving(project, "--as", "Ben") as running:
        yield running


@pytest.fixture(scope="module")
def ana(browser: Browser) -> Iterator[Person]:
    with person(browser) as found:
        yield found


@pytest.fixture(scope="module")
def ben(browser: Browser) -> Iterator[Person]:
    with person(browser) as found:
        yield found


@pytest.fixture
def opened(ana: Person, ben: Person, server: Server, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens a pair; at the end no page may have thrown or broken its policy."""
    failed = request.session.testsfailed

    def open_page(pair: str = "look", at: str = server.url, who: Person = ana) -> Page:
        page = who.page(failed)
        turn_to(page, f"{at}/pairs?pair={pair}", pair)
        expect(page.locator("#title")).to_contain_text(pair)
        saved(page)  # what the test before has done
        page.click("#tab-rationales")
        return page

    yield open_page
    assert ana.wrong == ben.wrong == []


def reasons(page: Page) -> Locator:
    return page.locator(".rationale [data-part=reason] textarea")


def remove(page: Page, number: int) -> None:
    """Delete a rationale."""
    action(page.locator(".rationale").nth(number - 1), "remove").click()


def doubts(place: Locator, *kinds: str) -> None:
    """What is doubtful about a text, by kind."""
    found = place.locator("[data-doubt]")
    expect(found).to_have_count(len(kinds))
    for kind in kinds:
        expect(place.locator(f"[data-doubt={kind}]")).not_to_be_empty()


def texts(page: Page) -> list[str]:
    return [one.input_value() for one in page.locator(".rationale [data-part=reason] textarea").all()]


def written(project: Path, pair: str, kind: Kind = Kind.RATIONALE) -> dict[str, Any]:
    """Documents of a pair as they are saved, by name."""
    with open_project(project, read_only=True) as found:
        there = found.ledger.documents.latest(scope=pair, kind=kind)
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


def test_one_of_many_is_found_and_one_that_is_not_there_is_told(opened: Open, server: Server) -> None:
    page = opened("zoo-250")
    expect(page.locator("#found")).to_have_text(in_order(MANY))
    expect(page.locator(".pair-row.chosen")).to_contain_text("zoo-250")
    assert page.locator(".pair-row").count() < 60
    page.keyboard.press("j")
    expect(page.locator("#title")).to_contain_text("zoo-251")
    page.fill("#search", "zoo-399")
    expect(page.locator("#found")).to_have_text(in_order(1, MANY))
    page.locator(".pair-row:not(.chosen)").click()
    expect(page.locator("#title")).to_contain_text("zoo-399")
    page.goto(f"{server.url}/pairs?pair=nowhere")
    expect(page.locator("#none")).to_contain_text("nowhere")


def test_two_designs_move_and_zoom_together_and_are_compared(opened: Open) -> None:
    page = opened()
    expect(page.locator("figure.won")).to_have_attribute("data-design", "1")
    expect(page.locator("figure.won figcaption .chip")).not_to_be_empty()
    won = page.locator("#facts [data-fact=winner][data-winner='1'][data-evidence=tested]")
    expect(won).not_to_be_empty()
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
    page.keyboard.press("d")
    expect(page.locator("button[data-mode=overlay]")).to_have_attribute("aria-pressed", "true")
    slider = page.locator("#stage input[type=range]")

    def shown(key: str) -> list[int]:
        slider.press(key)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return pixel(page, 0, 0.3, 0.5)

    comes(page, lambda: shown("Home")[3] == 255 and shown("Home") != shown("End"))  # it is cut where the slider is
    page.locator("#stage canvas").first.focus()
    page.keyboard.press("d")
    expect(page.locator("button[data-mode=difference]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("figure:visible")).to_have_count(1)
    comes(page, lambda: pixel(page, 0, 0.5, 0.72)[:3] == [0, 0, 0])  # below the photo both are empty
    comes(
        page, lambda: max(sum(pixel(page, 0, 0.2 + 0.05 * at, 0.5)[:3]) for at in range(12)) > 30
    )  # the photos differ
    page.keyboard.press("d")
    for place in ("1", "0"):  # each in its turn
        expect(page.locator("figure:visible")).to_have_attribute("data-design", place)
    page.keyboard.press("d")
    page.click("#swap")
    expect(page.locator("figure").first).to_have_attribute("data-design", "1")
    page.keyboard.press("b")
    expect(page.locator("figure.won")).to_have_count(0)
    expect(won).to_have_count(0)
    expect(page.locator("#facts")).not_to_contain_text("example.org")
    expect(reasons(page).first).to_be_hidden()
    page.keyboard.press("b")
    expect(reasons(page).first).to_be_visible()


def test_rationales_are_written_ordered_and_undone_by_keys_alone(opened: Open, project: Path) -> None:
    page = opened("keys")
    page.keyboard.press("n")
    page.keyboard.type("It stands out from all else.")
    page.keyboard.press("Tab")
    page.keyboard.type("Von")  # a select chooses by what is typed
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".rationale")).to_have_count(3)
    expect(page.locator("#new-reason")).to_have_value("")
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
    action(page.locator(".rationale").nth(1), "remove").focus()
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


def test_what_is_doubtful_is_shown_while_it_is_written(opened: Open, server: Server, project: Path) -> None:
    def without_sides(reason: str) -> str:
        found: str = server.post("/api/pair/wording", {"reason": reason}).json["neutral"]
        assert found != reason
        return found

    page = opened("warn")
    first = page.locator(".rationale").first
    own = first.locator("[data-part=reason]")
    expect(own.locator("[data-doubt=side]")).to_contain_text("“right”")
    action(first, "use-wording").click()
    neutral = without_sides("In the right version it is larger.")
    expect(first.locator("[data-part=neutral] textarea")).to_have_value(neutral)
    doubts(own)
    saved(page)
    assert written(project, "warn")["r-1"]["neutral"] == neutral
    page.fill("#new-reason", "The left version hides it.")
    new = page.locator("#new-doubts")
    doubts(new, "side", "no-law")
    expect(new.locator("[data-doubt=side]")).to_contain_text("“left”")
    page.select_option("#new-law", "Fitts’s Law")
    doubts(new, "side", "same-law")
    expect(action(new, "use-wording")).to_contain_text(without_sides("The left version hides it."))
    action(new, "use-wording").click()
    doubts(new, "same-law")
    page.fill("#new-reason", "IN the right version, it is larger")
    doubts(new, "side", "same-reason")
    page.reload()
    expect(page.locator("#new-reason")).to_have_value(
        "IN the right version, it is larger"
    )  # a closed tab loses nothing
    reasons(page).first.fill("")
    reasons(page).first.press("Control+Enter")
    doubts(own, "refused")
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    expect(page.locator("#reference [data-law='Fitts’s Law'] + dd")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#reference")).to_be_hidden()


def test_a_review_says_what_is_missing_and_the_author_does_it(
    opened: Open, bens: Server, ben: Person, project: Path
) -> None:
    page = opened("review")
    action(page.locator(".rationale").nth(1), "mark").click()
    page.keyboard.press("2")
    page.fill("#missing", "Nothing on trust")
    page.press("#missing", "Enter")
    page.fill("#review-note", "Short.")
    expect(page.locator("#review .lines").first).to_contain_text("Nothing on trust")
    page.click("#finish")
    expect(page.locator("#review[data-round='1'][data-done=true]")).to_be_visible()
    saved(page)
    assert written(project, "review", Kind.REVIEW)["1-Ana"] == {
        "round": 1,
        "irrelevant": ["r-2"],
        "missing": ["Nothing on trust"],
        "note": "Short.",
        "done": True,
        "seen": ["r-1", "r-2"],
    }
    his = opened("review", bens.url, ben)
    expect(his.locator(".pair-row.chosen [data-chip=open]")).to_have_text(in_order(2))
    expect(his.locator(".marks:visible")).to_have_count(0)  # not before he has said what he finds
    his.click("#tab-review")
    expect(his.locator(".their-review")).to_have_count(0)
    his.click("#show-others")
    hers = his.locator(".their-review[data-person=Ana]")
    expect(hers.locator("[data-irrelevant='2']")).not_to_be_empty()
    action(hers, "write").click()
    expect(his.locator(".meets")).to_contain_text("Nothing on trust")
    his.fill("#new-reason", "It shows who is behind the shop.")
    his.press("#new-reason", "Control+Enter")
    expect(his.locator(".rationale")).to_have_count(3)
    remove(his, 2)
    his.click("#tab-review")
    his.click("#finish")
    saved(his)
    expect(hers.locator("[data-written=true]")).to_contain_text("Nothing on trust")
    nothing = page.locator(".their-review[data-person=Ben] .lines li")  # Ana sees Ben's
    expect(nothing).to_have_count(1)
    expect(nothing.and_(page.locator("[data-irrelevant], [data-written]"))).to_have_count(0)
    page.click("#again")
    expect(page.locator("#review[data-round='2'][data-done=false]")).to_be_visible()
    saved(page)
    page.locator("#tab-review").focus()
    page.keyboard.press("Control+z")  # a round that was begun by mistake says nothing
    saved(page)
    row = next(one for one in bens.get("/api/pairs").json["pairs"] if one["id"] == "review")
    assert (row["open"], row["rationales"]) == (0, 2)


def test_tags_and_what_changed_are_kept_and_a_pair_is_put_aside(opened: Open, project: Path) -> None:
    page = opened("tags")
    page.keyboard.press("3")
    page.fill("#tag-page_type", "pricing")
    page.press("#tag-page_type", "Tab")
    page.fill("#tag-industry", "Tea")
    page.select_option("#change-element", "Button")
    page.keyboard.press("Space")  # its first property has the focus
    page.check("[data-element=Button][data-property=Size]")
    page.select_option("#change-element", "Text")
    page.check("[data-element=Text][data-property=Color]")
    page.uncheck("[data-element=Button][data-property=Presence]")
    page.fill("#tags [data-part=goal] textarea", "Sell more tea.")
    page.press("#tags [data-part=goal] textarea", "Control+Enter")
    saved(page)
    found = written(project, "tags", Kind.PAIR)[""]
    assert (found["page_type"], found["industry"], found["goal"]) == ("pricing", "Tea", "Sell more tea.")
    assert found["changes"] == {"Button": ["Size"], "Text": ["Color"]}
    expect(page.locator("#known-page_type option[value=pricing]")).to_have_count(0)  # not before the list comes again
    page.click("#aside")
    action(dialog(page, "put-pair-aside"), "confirm").click()
    assert not written(project, "tags", Kind.PAIR)[""].get("aside")  # without a reason
    page.click("#aside")
    page.fill("#why-aside", "Shows a person.")
    action(dialog(page, "put-pair-aside"), "confirm").click()
    aside = page.locator("#facts [data-fact=aside]")
    expect(aside).to_contain_text("Shows a person.")
    saved(page)
    page.select_option("#show", "aside")
    expect(page.locator("#found")).to_have_text(in_order(1, MANY))
    page.keyboard.press("Escape")
    page.locator("#tab-tags").focus()
    page.keyboard.press("Control+z")
    expect(aside).to_have_count(0)
    page.fill("#search", "tea more")
    page.select_option("#show", "all")
    expect(page.locator("#found")).to_have_text(in_order(1, MANY))


def test_what_is_typed_while_another_pair_opens_is_saved_to_its_own(opened: Open, project: Path) -> None:
    page = opened("two")
    page.keyboard.press("3")
    before = {pair: written(project, pair, Kind.PAIR)[""] for pair in ("two", "warn", "offline")}
    for pair, typed in (
        ("warn", lambda: page.fill("#tags [data-part=goal] textarea", "Of the first.")),
        ("offline", lambda: page.fill("#tag-industry", "of the second")),
        ("two", lambda: page.click("#aside")),
    ):
        with while_loading(page, f"**/api/pair?screen={pair}", page.locator(f".pick-row[data-key={pair}]").click):
            typed()
        expect(page.locator("#title")).to_contain_text(pair)
    page.fill("#why-aside", "It is blurred.")  # asked of the pair before
    action(dialog(page, "put-pair-aside"), "confirm").click()
    changes = ({"goal": "Of the first."}, {"industry": "of the second"}, {"aside": True, "note": "It is blurred."})
    expected = {pair: before[pair] | change for pair, change in zip(before, changes, strict=True)}
    comes(page, lambda: {pair: written(project, pair, Kind.PAIR)[""] for pair in before} == expected)


def test_two_people_at_one_rationale_decide(opened: Open, bens: Server, ben: Person) -> None:
    page = opened("two")
    his = opened("two", bens.url, ben)
    page.context.set_offline(True)
    reasons(page).first.fill("Ana’s words.")
    reasons(page).first.press("Control+Enter")
    status(page, "trouble", link="offline", waiting=1, durable=True)
    reasons(his).first.fill("Ben’s words.")
    reasons(his).first.press("Control+Enter")
    saved(his)
    page.context.set_offline(False)
    conflict = dialog(page, "changed")
    expect(conflict.locator("h2")).to_contain_text("Ben")
    expect(conflict).to_contain_text("two")
    expect(conflict).to_contain_text("“Ben’s words.”")
    action(conflict, "mine").click()
    saved(page)
    expect(reasons(his).first).to_have_value("Ana’s words.")
    reasons(page).nth(1).fill("Half a sent")
    remove(his, 2)
    saved(his)
    gone = page.locator(".rationale .overtaken:visible")
    expect(gone.locator("bdi")).to_have_text("Ben")
    action(gone, "restore").click()
    expect(reasons(his)).to_have_count(2)
    expect(reasons(his).nth(1)).to_have_value("Half a sent")


def test_work_goes_on_without_the_server_and_is_sent_later(opened: Open, project: Path) -> None:
    page = opened("offline")
    page.context.set_offline(True)
    page.fill("#new-reason", "Written on a train.")
    page.press("#new-reason", "Control+Enter")
    expect(page.locator(".rationale")).to_have_count(3)
    reasons(page).nth(1).fill("Nearer to the thumb.")
    remove(page, 1)  # leaves the text, which is kept at that moment
    status(page, "trouble", link="offline", waiting=3, durable=True)
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
    assert page.title() != "1"
    for tab in ("review", "tags", "rationales"):
        page.click(f"#tab-{tab}")
        assert fits(page)


def test_on_a_phone_by_touch(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{server.url}/pairs?pair=look")
    expect(page.locator("figure:visible")).to_have_count(2)
    first, second = (page.locator("figure").nth(at).bounding_box() for at in (0, 1))
    assert first is not None
    assert second is not None
    assert second["y"] >= first["y"] + first["height"] - 1  # one above the other
    page.locator("button[data-show='1']").tap()
    expect(page.locator("figure:visible")).to_have_count(1)
    comes(page, lambda: pixel(page, 1, 0.5, 0.5)[3] == 255)
    assert fits(page)
    page.locator("#tab-tags").tap()
    expect(page.locator("#tags")).to_be_visible()
    assert fits(page)
    context.close()
