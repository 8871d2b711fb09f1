"""Pages that do their worst: the capture ends in bounded time, reports what it lost, and everything else is there."""

import time
from collections.abc import Awaitable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import pytest
from pages import Captured
from tries import LOOK, Tried, capture, try_captured

from affordance.capture import actions, browser, elements, outcomes, screens
from affordance.core.errors import UserError
from errors import assert_carries, raises
from patience import PATIENCE

# Shorter than for people's pages, so that the tests are short; but long enough for a computer with much to do.
# A page that loops keeps a core busy until its limit is over, and a browser that has to go takes other pages along.
LOAD_SECONDS, ACTION_SECONDS, TRY_SECONDS = 6.25, 12.5, 60.0
HANGING_SECONDS = 1.25  # for actions that never end, on pages of their own
LOOPING_SECONDS = 1.25  # for the page that never loads
QUIET_SECONDS, CLOSING_SECONDS = 1.0, 1.0
LONGEST = 400.0  # seconds for each of the two captures, with all their hostile pages; without limits they never end
AT_ONCE = 4

GOOD = "<button onclick=\"this.textContent = 'Worked'\">Works</button>"
ON_LOAD = {
    "never-settles": "setInterval(() => { document.body.dataset.n = Math.random(); }, 10)",
    "boxes": "for (let i = 0; i < 2; i++) { alert(i); confirm(i); prompt(i); }",
    "leaves": "location.href = 'http://elsewhere.invalid/'",
    "downloads": "const a = document.createElement('a'); a.download = 'n.txt'; a.href = 'data:text/plain,x'; a.click()",
    "prints": "print()",
    "loops": "while (true) {}",
    "throws": "throw new Error('broken')",
    "reloads": "onload = () => location.reload()",
    "replaced": "onload = () => { document.open(); document.write('<button>Here</button>'); document.close(); }",
    "history": "let n = 0; setInterval(() => history.pushState(0, '', '?' + n++), 5)",
    "opens-windows": "for (let i = 0; i < 5; i++) open('about:blank')",
}
SHOWN = ("boxes", "downloads", "prints", "throws", "replaced", "opens-windows", "never-settles")
LOST = ("leaves", "loops")
ENDLESS_BOXES = "while (true) { alert('again'); confirm('again'); prompt('again'); }"

ON_CLICK = {
    "Boxes": "alert('Saved'); confirm('Sure?'); prompt('Name?')",
    "Leave": "location.href = 'http://elsewhere.invalid/there'",
    "Out": "get('a').click(); for (let i = 0; i < 3; i++) window.open('http://elsewhere.invalid/' + i); print()",
    "Throw": "throw new Error('broken')",
    "Replace": "document.open(); document.write('<h1>All new</h1>'); document.close()",
    "History": "for (let i = 0; i < 100; i++) history.pushState(0, '', '#' + i)",
    "Never rest": "setInterval(() => { get('p').textContent = Math.random(); }, 10)",
    "Close": "window.close()",
}
KEPT = ("Boxes", "Leave", "Out", "Replace", "History", "Works")
LEFT_OUT = ("Throw", "Never rest")
CLICKS = "clicks"  # the page with all these buttons
HANGS = "hangs"  # a page whose only button never returns
TURNS = "turns"  # a page that is another one when it is opened again

T = TypeVar("T")


@dataclass(frozen=True)
class Timed:
    captured: Captured
    seconds: float


@dataclass(frozen=True)
class TimedTries:
    tried: Tried
    seconds: float


async def _impatient(seconds: float, work: Awaitable[T], what: str) -> T:
    """What never ends is known, and need not be waited for as long as what may end."""
    return await browser.within(LOOPING_SECONDS if what.endswith("/loops.html") else seconds, work, what)


@pytest.fixture(scope="module", autouse=True)
def short() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screens, "within", _impatient)
        patch.setattr(screens, "LOAD_SECONDS", LOAD_SECONDS)
        patch.setattr(screens, "QUIET_LIMIT_SECONDS", QUIET_SECONDS)
        patch.setattr(browser, "CLOSING_SECONDS", CLOSING_SECONDS)
        patch.setattr(actions, "ACTION_SECONDS", ACTION_SECONDS)
        patch.setattr(outcomes, "TRY_SECONDS", TRY_SECONDS)
        yield


@pytest.fixture(scope="module")
def loaded(short: None, tmp_path_factory: pytest.TempPathFactory) -> Timed:
    """Hostile pages among good ones: one before them all, one after, and one beside the page that loops."""
    pages = {f"{name}.html": f"<button>Here</button><script>{script}</script>" for name, script in ON_LOAD.items()}
    pages |= dict.fromkeys(("a-good.html", "loops-not.html", "z-good.html"), GOOD)
    buttons = "".join(f'<button onclick="{script}">{name}</button> ' for name, script in ON_CLICK.items())
    script = "<script>const get = (id) => document.getElementById(id)</script>"
    link = "<a id=a download=notes.txt href='data:text/plain,x'></a>"
    pages |= {f"{CLICKS}.html": f"{link}<p id=p>p</p>{script}{buttons}{GOOD}", f"{TURNS}.html": "<button>Here</button>"}
    pages[f"{HANGS}.html"] = "<button onclick=\"while (true) { alert('again') }\">Endless boxes</button>"
    started = time.monotonic()
    captured = capture(tmp_path_factory.mktemp("hostile"), pages, workers=AT_ONCE)
    return Timed(captured, time.monotonic() - started)


@pytest.fixture(scope="module")
def clicked(loaded: Timed) -> TimedTries:
    dataset = loaded.captured.dataset
    screens = [loaded.captured.screen(LOOK, name) for name in (CLICKS, TURNS)]
    leaves = f"<script>{ON_LOAD['leaves']}</script>"
    (dataset.root.parent / "site" / f"{TURNS}.html").write_text(leaves, encoding="utf-8")
    started = time.monotonic()
    tried = try_captured(dataset.root.parent, replace(dataset, items=tuple(screens)), workers=AT_ONCE)
    return TimedTries(tried, time.monotonic() - started)


def test_capturing_hostile_pages_ends_in_time(loaded: Timed) -> None:
    assert loaded.seconds < LONGEST


@pytest.mark.parametrize("name", ["a-good", "loops-not", "z-good"])
def test_good_pages_among_hostile_ones_are_captured(loaded: Timed, name: str) -> None:
    assert loaded.captured.names(LOOK, name) == {"Works"}, loaded.captured.counts.lost


@pytest.mark.parametrize("name", SHOWN)
def test_a_page_that_can_be_shown_is_captured(loaded: Timed, name: str) -> None:
    assert loaded.captured.names(LOOK, name) == {"Here"}, loaded.captured.counts.lost


@pytest.mark.parametrize("name", LOST)
def test_a_page_that_cannot_be_shown_is_lost_with_a_reason(loaded: Timed, name: str) -> None:
    [reason] = [why for screen, why in loaded.captured.counts.lost.items() if screen.startswith(f"{name}-640")]
    assert_carries(reason, f"{LOOPING_SECONDS:g} s" if name == "loops" else "")


def test_every_page_is_captured_or_lost(loaded: Timed) -> None:
    there = {one.id for one in loaded.captured.dataset.items}
    assert len(there) + len(loaded.captured.counts.lost) == len(ON_LOAD) + 6
    assert there.isdisjoint(loaded.captured.counts.lost)


@pytest.mark.parametrize(("name", "settled"), [("never-settles", False), ("throws", True), ("boxes", True)])
def test_a_page_that_never_settles_is_marked(loaded: Timed, name: str, settled: bool) -> None:
    page = loaded.captured.screen(LOOK, name).page
    assert page is not None
    assert page.was_still is settled


def test_trying_hostile_elements_ends_in_time(clicked: TimedTries) -> None:
    assert clicked.seconds < LONGEST


@pytest.mark.parametrize("name", KEPT)
def test_an_element_with_a_lasting_outcome_is_kept(clicked: TimedTries, name: str) -> None:
    assert ("click", name) in clicked.tried.kept, clicked.tried.left_out


@pytest.mark.parametrize("name", LEFT_OUT)
def test_an_element_without_an_outcome_is_left_out(clicked: TimedTries, name: str) -> None:
    assert ("click", name) not in clicked.tried.kept


def test_every_element_is_kept_or_left_out_with_a_reason(clicked: TimedTries) -> None:
    assert len(clicked.tried.kept) + clicked.tried.left_out.total() == len(ON_CLICK) + 1
    assert all(clicked.tried.left_out)


def test_reasons_are_what_was_wrong(clicked: TimedTries) -> None:
    left_out = clicked.tried.left_out
    assert {outcomes.NOTHING_HAPPENS, outcomes.NEVER_AT_REST} <= set(left_out)


def test_a_click_that_never_ends_is_left_out(loaded: Timed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "ACTION_SECONDS", HANGING_SECONDS)
    dataset = loaded.captured.dataset
    only = replace(dataset, items=(loaded.captured.screen(LOOK, HANGS),))
    with raises(UserError, f"{HANGING_SECONDS:g} s"):
        try_captured(dataset.root.parent, only, HANGS)


def test_message_boxes_are_recorded(clicked: TimedTries) -> None:
    dialogs = clicked.tried.change("click", "Boxes").dialogs
    assert [(one.kind, one.message) for one in dialogs] == [
        ("alert", "Saved"),
        ("confirm", "Sure?"),
        ("prompt", "Name?"),
    ]
    assert "Saved" in clicked.tried.sentence("click", "Boxes")


def test_leaving_for_another_origin_is_recorded_and_not_followed(clicked: TimedTries) -> None:
    assert clicked.tried.change("click", "Leave").url == "http://elsewhere.invalid/there"
    assert "elsewhere.invalid/there" in clicked.tried.sentence("click", "Leave")


def test_downloads_new_windows_and_printing_are_recorded(clicked: TimedTries) -> None:
    change = clicked.tried.change("click", "Out")
    assert change.downloads == ["notes.txt"]
    assert "http://elsewhere.invalid/0" in change.windows
    assert change.printed
    assert_carries(clicked.tried.sentence("click", "Out"), "http://elsewhere.invalid/0")


def test_a_replaced_document_is_recorded(clicked: TimedTries) -> None:
    assert "All new" in clicked.tried.change("click", "Replace").added


def test_a_page_that_breaks_only_when_opened_again_gives_a_reason(clicked: TimedTries) -> None:
    """Captured once, it may be another page when it is tried."""
    [(screen, why)] = clicked.tried.broken.items()
    assert screen.startswith(f"{TURNS}-")
    assert why


@pytest.mark.long
def test_boxes_on_load_and_a_loop_on_a_click(short: None, tmp_path: Path) -> None:
    """Of the pages above one loops as it loads, and another has boxes without end when it is clicked."""
    pages = {
        "boxes.html": f"<button>Here</button><script>{ENDLESS_BOXES}</script>",
        "loop.html": f'<button onclick="while (true) {{}}">Loop</button>{GOOD}',
    }
    captured = capture(tmp_path, pages, workers=AT_ONCE)
    [(lost, why)] = captured.counts.lost.items()
    assert (lost.startswith("boxes-"), bool(why)) == (True, True)
    tried = try_captured(tmp_path, captured.dataset, workers=AT_ONCE)
    assert tried.kept.keys() == {("click", "Works")}
    [reason] = tried.left_out
    assert_carries(reason, f"{ACTION_SECONDS:g} s")


def test_pages_that_are_enormous_or_take_all_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one is captured as far as it is seen; the other is ended."""
    most = 400 * 2**20
    above: list[int] = []
    resident = browser._resident

    def noted(process: int) -> int:
        found = resident(process)
        above.extend([found] if found > most else [])
        return found

    monkeypatch.setattr(screens, "LOAD_SECONDS", PATIENCE)
    monkeypatch.setattr(elements, "MOST_ELEMENTS", 30)
    monkeypatch.setattr(browser, "MOST_MEMORY", most)
    monkeypatch.setattr(browser, "WATCHING_SECONDS", 0.1)
    monkeypatch.setattr(browser, "_resident", noted)
    buttons = "".join(f"<button>{number}</button>" for number in range(600))
    hoard = "<script>const all = []; while (all.length < 200) all.push(new Uint8Array(2 ** 25).fill(1))</script>"
    captured = capture(tmp_path, {"enormous.html": buttons, "hoards.html": hoard, "works.html": GOOD})
    assert sorted(screen.page.name for screen in captured.screens.values() if screen.page) == ["enormous", "works"]
    assert 1 <= len(above) <= 100  # it was ended when it was seen; to be gone may take it a while
    assert captured.names(LOOK, "works") == {"Works"}
    found = captured.screen(LOOK, "enormous")
    assert [one.name for one in found.elements if one.role == "button"] == [str(number) for number in range(30)]
    assert found.omitted_elements[elements.OUTSIDE] > 200
    assert sum(found.omitted_elements.values()) + len(found.elements) >= 600
