"""Screens from a real browser: what is kept is where the picture shows it, and is what the browser says it is.

Pages are small and stand beside their tests; all that are only looked at are captured together, in one browser."""

import asyncio
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from pages import SMALL, Captured, element, names, painted, region, write_pages

from affordance.capture import screens
from affordance.capture.browser import StepFailed, find_browser
from affordance.capture.elements import COVERED, HIDDEN, OUTSIDE, TOO_SMALL
from affordance.capture.looks import Look, Theme, Variation
from affordance.capture.screens import Wanted, capture_screens, plan
from affordance.capture.sources import open_site
from affordance.capture.world import World
from affordance.datasets import Screen, load_folder
from affordance.datasets.check import check_folder
from errors import raises
from patience import PATIENCE

COLOURS = {
    "Red": (255, 0, 0),
    "Green": (0, 128, 0),
    "Blue": (0, 0, 255),
    "Teal": (0, 128, 128),
    "Gold": (255, 215, 0),
    "Pink": (255, 192, 203),
}
PAGES: dict[str, str] = {}


def block(name: str, x: int, y: int, width: int = 60, height: int = 30) -> str:
    """A button that is nothing but a rectangle of the colour that it is named after."""
    return (
        f"<button aria-label={name} style='position:absolute; left:{x}px; top:{y}px; width:{width}px;"
        f" height:{height}px; border:0; padding:0; background:{name.lower()}'></button>"
    )


# Pages that are captured in other looks than the small one, and those of which there are variants.
LOOKS: dict[str, list[Look]] = {}
VARIATIONS: dict[str, list[Variation]] = {}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Captured:
    folder = tmp_path_factory.mktemp("pages")
    site = open_site(str(write_pages(folder / "site", PAGES)), [])
    wanted: list[Wanted] = []
    for page in site.pages:
        if page.name.startswith("inner-"):  # only to be seen in frames
            continue
        looks, variations = LOOKS.get(page.name, [SMALL]), VARIATIONS.get(page.name, [])
        wanted += plan(replace(site, pages=(page,)), looks, variations, "fr-FR")
    counts = asyncio.run(capture_screens(site, wanted, folder / "screens"))
    return Captured(load_folder(folder / "screens"), site, counts)


def assert_where_painted(shown: Captured, screen: Screen, name: str) -> None:
    assert element(screen, name).box.xyxy == painted(shown.pixels(screen), COLOURS[name])


# Size, pixel ratio and zoom

RENDERED = {
    "ratio 1": Look(400, 300),
    "ratio 3": Look(400, 300, ratio=3),
    "zoom at ratio 2": Look(400, 300, ratio=2, zoom=1.25),
    "zoom out": Look(400, 300, zoom=0.5),
}


PAGES["rendered.html"] = block("Red", 20, 12, 100, 40) + block("Blue", 240, 200, 40, 20)
LOOKS["rendered"] = list(RENDERED.values())


@pytest.mark.parametrize("look", RENDERED.values(), ids=RENDERED.keys())
def test_the_picture_has_the_pixels_of_the_window(shown: Captured, look: Look) -> None:
    screen = shown.screen(look, "rendered")
    assert (screen.width, screen.height) == (400 * look.ratio, 300 * look.ratio)
    assert shown.pixels(screen).shape == (screen.height, screen.width, 3)


@pytest.mark.parametrize("look", RENDERED.values(), ids=RENDERED.keys())
def test_boxes_and_points_are_pixels_of_the_picture(shown: Captured, look: Look) -> None:
    screen = shown.screen(look, "rendered")
    scale = look.ratio * look.zoom
    red = element(screen, "Red")
    assert red.box.xyxy == (20 * scale, 12 * scale, 120 * scale, 52 * scale)
    assert red.point is not None
    assert red.point.xyxy[:2] == (70 * scale, 32 * scale)
    assert_where_painted(shown, screen, "Red")
    assert_where_painted(shown, screen, "Blue")


def test_ids_do_not_depend_on_the_rendering(shown: Captured) -> None:
    (ids,) = {tuple(one.id for one in shown.screen(look, "rendered").elements) for look in RENDERED.values()}
    assert len(ids) == 2


def test_a_captured_dataset_has_nothing_wrong(shown: Captured) -> None:
    assert list(check_folder(shown.dataset.root)) == []


# Theme and locale

PAGES["local.html"] = """
<style>
  body { background: rgb(250, 250, 250) } @media (prefers-color-scheme: dark) { body { background: rgb(9, 9, 9) } }
</style>
<button></button>
<script>document.querySelector("button").textContent = `${navigator.language} ${(1234.5).toLocaleString()}`</script>
"""


LOOKS["local"] = [SMALL, Look(400, 300, theme=Theme.DARK, locale="de-DE")]


def test_theme_and_locale_reach_the_page(shown: Captured) -> None:
    english, german = (shown.screen(look, "local") for look in LOOKS["local"])
    assert names(english) == ["en-US 1,234.5"]
    assert names(german) == ["de-DE 1.234,5"]
    assert tuple(shown.pixels(english)[-1, -1]) == (250, 250, 250)
    assert tuple(shown.pixels(german)[-1, -1]) == (9, 9, 9)


# Scrolling

PAGES["scrolled.html"] = f"""
<div style="height: 2000px; position: relative">
  {block("Red", 10, 20)} {block("Green", 10, 490)} {block("Blue", 10, 600)} {block("Gold", 10, 1500)}
  <div style="position: fixed; right: 0; top: 40px; width: 80px; height: 50px">{block("Teal", 0, 0)}</div>
</div>
<script>scrollTo(0, 500)</script>
"""


def test_a_scrolled_page_is_captured_where_it_stands(shown: Captured) -> None:
    screen = shown.screen(page="scrolled")
    assert {"Red", "Gold"}.isdisjoint(names(screen))
    assert element(screen, "Green").box.xyxy == (10, 0, 70, 20), "cut at the edge of the window"
    for name in ("Green", "Blue", "Teal"):
        assert_where_painted(shown, screen, name)


PAGES["container.html"] = f"""
<div id="box" aria-label="Box" style="position: absolute; left: 50px; top: 60px; width: 200px; height: 100px;
  overflow: auto; border: 3px solid">
  <div style="width: 600px; height: 600px; position: relative">
    {block("Red", 0, 0)} {block("Green", 90, 190)} {block("Blue", 200, 220)} {block("Gold", 280, 230)}
    {block("Teal", 500, 500)}
  </div>
</div>
<script>document.getElementById("box").scrollTo(100, 200)</script>
"""


def test_a_scrolled_container_cuts_and_hides_what_is_in_it(shown: Captured) -> None:
    screen = shown.screen(page="container")
    assert {"Red", "Teal"}.isdisjoint(names(screen))
    for name in ("Green", "Blue", "Gold"):
        assert_where_painted(shown, screen, name)
    assert element(screen, "Green").box.xyxy == (53, 63, 103, 83)


def test_what_scrolls_is_an_element_itself(shown: Captured) -> None:
    assert "Box" in names(shown.screen(page="container"))


PAGES["no-height.html"] = block("Red", 20, 900)


@pytest.mark.parametrize("page", ["scrolled", "no-height"])
def test_a_page_that_scrolls_is_an_element_itself(shown: Captured, page: str) -> None:
    assert (0, 0, 400, 300) in [one.box.xyxy for one in shown.screen(page=page).elements]


# Frames

INNER = f"""<div style="height: 900px">{block("Green", 20, 15)} {block("Teal", 20, 460)}</div>
  <script>scrollTo(0, Number(location.search.slice(1)))</script>"""
PAGES["inner/deep.html"] = f"""{block("Gold", 7, 9, 50, 20)}"""
PAGES["inner/frame.html"] = f"""{block("Red", 10, 10)}
  <iframe src="deep.html" style="position: absolute; left: 30px; top: 50px; width: 90px; height: 60px"></iframe>"""
PAGES["inner/long.html"] = INNER
PAGES["frames.html"] = """
<div style="height: 1500px; position: relative">
  <iframe src="inner/frame.html" style="position: absolute; left: 33px; top: 140px; width: 150px; height: 130px;
    border: 4px solid; padding: 6px"></iframe>
  <iframe src="inner/long.html?400" style="position: absolute; left: 220px; top: 150px; width: 150px; height: 100px">
  </iframe>
</div>
<script>scrollTo(0, 100)</script>
"""


@pytest.mark.parametrize("name", ["Red", "Gold", "Teal"], ids=["in a frame", "in a frame in a frame", "scrolled"])
def test_boxes_in_frames_of_a_scrolled_page(shown: Captured, name: str) -> None:
    assert_where_painted(shown, shown.screen(page="frames"), name)


def test_what_is_scrolled_out_of_a_frame_is_left_out(shown: Captured) -> None:
    assert "Green" not in names(shown.screen(page="frames"))


PAGES["framed.html"] = """
<iframe src="inner/deep.html" style="position: absolute; left: 10px; top: 10px; width: 120px; height: 80px"></iframe>
<div style="position: absolute; left: 0; top: 0; width: 140px; height: 100px; background: white"></div>
<div style="position: absolute; left: 180px; top: 20px; width: 52px; height: 45px; overflow: hidden; background: gray">
  <iframe src="inner/frame.html" style="position: absolute; left: 0; top: 0; width: 150px; height: 130px"></iframe>
</div>
"""


def test_what_is_in_a_covered_frame_is_left_out(shown: Captured) -> None:
    assert "Gold" not in names(shown.screen(page="framed"))


def test_boxes_are_cut_where_their_frame_is_cut(shown: Captured) -> None:
    assert_where_painted(shown, shown.screen(page="framed"), "Red")


def quoted(name: str) -> str:
    return f"<body style='margin:0'>{block(name, 10, 10)}".replace("'", "&quot;")


FRAMES = {
    "sandboxed": ("Red", f"""<iframe sandbox srcdoc="{quoted("Red")}"></iframe>"""),
    "data": ("Blue", f"""<iframe src="data:text/html,{quoted("Blue")}"></iframe>"""),
    "magnified": (
        "Teal",
        """<iframe src="inner/magnified.html" style="transform: scale(2); transform-origin: 0 0">
      </iframe>""",
    ),
    "besides broken ones": (
        "Gold",
        f"""{block("Gold", 10, 10)} <iframe src="inner/deep.html" style="display: none"></iframe>
      <iframe src="inner/none.html"></iframe> <iframe style="width: 0; height: 0"></iframe>""",
    ),
}
PAGES["inner/magnified.html"] = block("Teal", 10, 10)
FRAMED = "<style>div { position: absolute } iframe { width: 100px; height: 60px }</style>"
PAGES["frames-of-all-kinds.html"] = FRAMED + "".join(
    f"<div style='left: {200 * (place % 2)}px; top: {150 * (place // 2)}px'>{html}</div>"
    for place, (_, html) in enumerate(FRAMES.values())
)


@pytest.mark.parametrize("name", [name for name, _ in FRAMES.values()], ids=FRAMES)
def test_frames_of_every_kind(shown: Captured, name: str) -> None:
    assert_where_painted(shown, shown.screen(page="frames-of-all-kinds"), name)


# Shadow trees

PAGES["shadow.html"] = f"""
<div id="outer"><button slot="mine" style="display: block; width: 80px; height: 30px">Slotted</button></div>
<div id="closed" style="position: absolute; left: 200px; top: 200px; width: 80px; height: 40px"></div>
<script>
  const outer = document.getElementById("outer").attachShadow({{mode: "open"}})
  outer.innerHTML = `{block("Red", 120, 20)}<slot name="mine"></slot><div id="inner"></div>`
  const inner = outer.getElementById("inner").attachShadow({{mode: "open"}})
  inner.innerHTML = `{block("Blue", 120, 100)}<button id="twice" aria-label="First">1</button>`
  const closed = document.getElementById("closed").attachShadow({{mode: "closed"}})
  closed.innerHTML = `<button id="twice" aria-label="Closed">2</button>`
</script>
"""


def test_open_shadow_trees_are_part_of_the_page(shown: Captured) -> None:
    screen = shown.screen(page="shadow")
    assert sorted(names(screen)) == ["Blue", "First", "Red", "Slotted"]
    assert_where_painted(shown, screen, "Red")
    assert_where_painted(shown, screen, "Blue")


# Right to left

PAGES["rtl.html"] = f"""
<div dir="rtl" style="height: 300px; position: relative">
  <nav aria-label="ניווט" style="display: flex; height: 40px">
    <a href="#a" style="width: 90px">בית</a><a href="#b" style="width: 90px">הגדרות</a>
  </nav>
  <p>שלום <a href="#c">אחד שתיים</a> עולם</p>
  <div aria-label="גלילה" style="position: absolute; left: 20px; top: 120px; width: 200px; height: 80px;
    overflow: auto">
    <div style="width: 500px; height: 60px; position: relative">{block("Red", 400, 10)} {block("Blue", 320, 10)}
    {block("Gold", 250, 10)} {block("Teal", 10, 10)}</div>
  </div>
</div>
"""


def test_right_to_left_names_stay_as_written(shown: Captured) -> None:
    assert {"בית", "הגדרות", "אחד שתיים"} <= set(names(shown.screen(page="rtl")))


def test_a_mirrored_layout_has_mirrored_boxes(shown: Captured) -> None:
    screen = shown.screen(page="rtl")
    assert element(screen, "בית").box.xyxy[::2] == (310, 400)
    assert element(screen, "הגדרות").box.xyxy[::2] == (220, 310)
    assert region(screen, "ניווט").box.xyxy == (0, 0, 400, 40)


def test_a_container_scrolls_from_the_right(shown: Captured) -> None:
    screen = shown.screen(page="rtl")
    assert "Teal" not in names(screen)
    for name in ("Red", "Blue", "Gold"):
        assert_where_painted(shown, screen, name)


# Controls that something else draws

PAGES["labels.html"] = """
<style>
  label { display: block; width: 120px; height: 30px; margin: 10px; background: silver }
  .unseen { position: absolute; opacity: 0; width: 1px; height: 1px }
</style>
<label><input type="checkbox" role="switch" class="unseen" checked><span>Wireless</span></label>
<input type="radio" id="small" class="unseen"><label for="small">Small</label>
<label style="height: 40px"><input type="checkbox" style="width: 20px; height: 20px; margin: 0">Plain</label>
<label><input type="file" style="display: none">Upload</label>
"""


def test_a_control_that_its_label_draws_is_where_the_label_is(shown: Captured) -> None:
    screen = shown.screen(page="labels")
    switch, radio = element(screen, "Wireless"), element(screen, "Small")
    assert (switch.role, switch.state["checked"], switch.box.xyxy) == ("switch", "true", (10, 10, 130, 40))
    assert (radio.role, radio.state["checked"], radio.box.xyxy) == ("radio", "false", (10, 50, 130, 80))


def test_a_control_that_is_seen_is_where_it_is_itself(shown: Captured) -> None:
    assert element(shown.screen(page="labels"), "Plain").box.xyxy == (10, 90, 30, 110)


def test_a_hidden_control_with_a_label_can_be_operated_by_it(shown: Captured) -> None:
    boxes = [one.box.xyxy for one in shown.screen(page="labels").elements]
    assert (10, 140, 130, 170) in boxes


# What is left out

LEFT_OUT: dict[str, tuple[Counter[str], str]] = {
    "unseen": (
        Counter({HIDDEN: 4, OUTSIDE: 3, TOO_SMALL: 1}),
        """
        <button style='display:none'>not displayed</button>
        <button style='visibility:hidden'>invisible</button>
        <div style='opacity:0'><button>transparent</button></div>
        <details><summary>More</summary><button>closed away</button></details>
        <button style='width:5px; height:40px; padding:0; border:0; overflow:hidden'>tiny</button>
        <button style='position:absolute; top:900px'>below the window</button>
        <button style='position:absolute; left:-900px; width:80px'>left of the window</button>
        <div style='overflow:hidden; width:50px; height:50px'><button style='margin-top:60px'>clipped</button></div>
        """,
    ),
    "under a curtain": (
        Counter({COVERED: 1}),
        "<button>covered</button><div style='position:fixed; inset:0; background:white'></div>",
    ),
    "covered in part": (
        Counter({COVERED: 3}),
        """
        <button style='position:absolute; left:0; top:0; width:100px; height:100px'>mostly under something</button>
        <div style='position:absolute; left:0; top:0; width:80px; height:100px; background:white'></div>
        <button style='position:absolute; left:150px; pointer-events:none'>not to be pointed at</button>
        <div tabindex=0 aria-label="filled by other controls" style='position:absolute; top:150px; width:100px'>
          <button style='width:100px; height:40px'>Y</button></div>
        """,
    ),
}


PAGES |= {f"left-out/{case.replace(' ', '-')}.html": html for case, (_, html) in LEFT_OUT.items()}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_what_nobody_can_point_at_is_left_out_with_the_reason(shown: Captured, case: str) -> None:
    screen = shown.screen(page=f"left-out-{case.replace(' ', '-')}")
    assert set(names(screen)) <= {"More", "Y", "scrollable"}, "what can be pointed at"
    assert screen.omitted_elements == LEFT_OUT[case][0]


def test_what_is_left_out_is_counted(shown: Captured) -> None:
    expected: Counter[str] = Counter()
    for screen in shown.screens.values():
        expected.update(screen.omitted_elements)
    assert shown.counts.left_out == expected


PAGES["kept.html"] = f"""
<div style="position: absolute; left: 0; top: 0; width: 100px; height: 40px">{block("Red", 0, 0)}
  <div style="position: absolute; left: 0; top: 0; width: 33px; height: 30px; background: white"></div></div>
<div style="position: absolute; left: 0; top: 60px; pointer-events: none; width: 90px; height: 40px; z-index: 1"></div>
<button disabled style="position: absolute; left: 0; top: 60px; width: 90px; height: 40px">Off</button>
<button style="position: absolute; left: 340px; top: 60px; width: 90px; height: 40px">Edge</button>
<div onclick="1" aria-label="Card" role="button" style="position: absolute; left: 0; top: 120px; width: 200px;
  height: 100px">
  <span>Words in the card</span> {block("Blue", 80, 30)}</div>
<p style="position: absolute; left: 240px; top: 120px; width: 60px">Words <a href="#x">and a link over lines</a></p>
"""


def test_an_element_of_which_enough_is_seen_is_kept_with_a_point_that_hits_it(shown: Captured) -> None:
    red = element(shown.screen(page="kept"), "Red")
    assert red.box.xyxy == (0, 0, 60, 30)
    assert red.point is not None
    assert red.point.x1 >= 33


def test_a_disabled_element_is_kept_and_says_so(shown: Captured) -> None:
    assert element(shown.screen(page="kept"), "Off").state["disabled"] == "true"


def test_a_box_ends_where_the_window_does(shown: Captured) -> None:
    assert element(shown.screen(page="kept"), "Edge").box.xyxy == (340, 60, 400, 100)


def test_a_control_in_a_control_is_an_element_of_its_own(shown: Captured) -> None:
    screen = shown.screen(page="kept")
    card, blue = element(screen, "Card"), element(screen, "Blue")
    assert blue.box.xyxy == (80, 150, 140, 180)
    assert card.point is not None
    assert not blue.box.contains(card.point.x1, card.point.y1)


# What the accessibility tree says

PAGES["accessible.html"] = """
<h1 id="shop">Shop</h1> <p id="hint">Opens in a moment</p>
<button aria-label="Close the basket" title="Or press Escape">×</button>
<button aria-labelledby="more shop" aria-expanded="true"><span id="more">More of</span></button>
<a href="#help" aria-describedby="hint">Help</a>
<label>Search <input type="search" value="shoes"></label>
<label>Password <input type="password" value="secret"></label>
<label>Size <select><option>Small<option selected>Large</select></label>
<label><input type="checkbox" checked> Gift</label>
<div role="switch" tabindex="0" aria-checked="false">Dark</div>
<button aria-pressed="true">Bold</button>
<input type="range" aria-label="Volume" min="0" max="10" value="3">
<div role="tablist"><button role="tab" aria-selected="true">Sizes</button></div>
<img src="data:," alt="A photo" tabindex="0" onclick="1" width="40" height="40">
<label>Email <input type="email" required aria-invalid="true" value="nobody"></label>
<span onclick="1" style="cursor: pointer">Only a span</span>
"""
ACCESSIBLE: dict[str, tuple[str, str, str | None, dict[str, str]]] = {
    "label over content": ("Close the basket", "button", "Or press Escape", {}),
    "labelled by other elements": ("More of Shop", "button", None, {"expanded": "true"}),
    "described": ("Help", "link", "Opens in a moment", {}),
    "search": ("Search", "searchbox", None, {"value": "shoes"}),
    "select": ("Size", "combobox", None, {"value": "Large"}),
    "checkbox": ("Gift", "checkbox", None, {"checked": "true"}),
    "switch": ("Dark", "switch", None, {"checked": "false"}),
    "toggle": ("Bold", "button", None, {"pressed": "true"}),
    "slider": ("Volume", "slider", None, {"value": "3"}),
    "tab": ("Sizes", "tab", None, {"selected": "true"}),
    "required and invalid": ("Email", "textbox", None, {"value": "nobody", "required": "true", "invalid": "true"}),
}


@pytest.mark.parametrize(("name", "role", "description", "state"), ACCESSIBLE.values(), ids=ACCESSIBLE.keys())
def test_what_an_element_is(
    shown: Captured, name: str, role: str, description: str | None, state: dict[str, str]
) -> None:
    found = element(shown.screen(page="accessible"), name)
    assert (found.role, found.description) == (role, description)
    assert state.items() <= found.state.items()


def test_what_is_in_a_password_field_is_never_recorded(shown: Captured) -> None:
    assert "secret" not in element(shown.screen(page="accessible"), "Password").model_dump_json()


def test_what_only_looks_like_a_control_is_clickable(shown: Captured) -> None:
    assert "clickable" in {one.role for one in shown.screen(page="accessible").elements}


# Regions

PAGES["regions.html"] = """
<header style="height: 40px">
  <nav aria-label="Main menu" style="width: 200px; height: 30px"><a href="#a">A</a></nav></header>
<main style="height: 200px">
  <section style="height: 90px"><h2>Latest news</h2><p>Words</p></section>
  <div style="border: 1px solid; width: 150px; height: 40px"><button>One</button><button>Two</button></div>
  <form aria-label="Sign in" style="width: 150px; height: 40px">
    <fieldset style="margin: 0; width: 100px; height: 20px"><legend>Who</legend><input size="3"></fieldset></form>
  <div hidden role="dialog" aria-label="Hidden"></div>
  <iframe src="inner/regions.html" style="position: absolute; left: 250px; top: 170px; width: 120px; height: 70px">
  </iframe>
</main>
<footer style="height: 30px">The end</footer>
"""
PAGES["inner/regions.html"] = """<aside aria-label="Advice" style="width: 80px; height: 50px">Words</aside>"""
PARENTS = {
    "landmark in a landmark": ("Main menu", "navigation", "banner"),
    "section with a heading": ("Latest news", "region", "main"),
    "form": ("Sign in", "form", "main"),
    "group with a legend": ("Who", "group", "form"),
    "in a frame": ("Advice", "complementary", "main"),
}


@pytest.mark.parametrize(("name", "role", "parent"), PARENTS.values(), ids=PARENTS.keys())
def test_regions_have_a_kind_and_a_parent(shown: Captured, name: str, role: str, parent: str) -> None:
    screen = shown.screen(page="regions")
    found = region(screen, name)
    (above,) = [one for one in screen.regions if one.id == found.parent]
    assert (found.type, above.type) == (role, parent)


def test_regions_at_the_top_have_no_parent(shown: Captured) -> None:
    top = {one.type for one in shown.screen(page="regions").regions if one.parent is None}
    assert top == {"banner", "main", "contentinfo"}


def test_something_set_apart_that_holds_controls_is_a_region(shown: Captured) -> None:
    screen = shown.screen(page="regions")
    (box,) = [one for one in screen.regions if one.type == "container"]
    assert all(box.box.contains(*element(screen, name).box.xyxy[:2]) for name in ("One", "Two"))


def test_regions_that_are_not_shown_are_left_out(shown: Captured) -> None:
    assert "Hidden" not in {one.description for one in shown.screen(page="regions").regions}


def test_parents_come_before_children_and_hold_them(shown: Captured) -> None:
    for screen in shown.screens.values():
        before: dict[str, Any] = {}
        for one in screen.regions:
            assert one.parent is None or one.parent in before
            before[one.id] = one


# Pages that lie

PAGES["lies.html"] = f"""
<main aria-label="Main" style="height: 200px">{block("Red", 20, 20)} {block("Blue", 200, 100)}</main>
<div id="host"></div>
<script>
  document.getElementById("host").attachShadow({{mode: "open"}}).innerHTML = `{block("Gold", 100, 200)}`
  const wrong = () => {{ throw new Error("broken on purpose") }}
  const nothing = () => null
  document.elementFromPoint = Document.prototype.elementFromPoint = nothing
  ShadowRoot.prototype.elementFromPoint = nothing
  document.querySelectorAll = Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = () => []
  for (const name of ["map", "filter", "some", "find", "includes", "push", "join"]) Array.prototype[name] = wrong
  Array.prototype[Symbol.iterator] = wrong
  for (const name of ["getBoundingClientRect", "getClientRects", "checkVisibility", "matches", "closest",
    "getAttribute"]) Element.prototype[name] = wrong
  for (const type of [Map, Set, WeakMap]) for (const name of ["get", "has", "set", "add"]) type.prototype[name] = wrong
  Object.defineProperty(Element.prototype, "shadowRoot", {{get: wrong}})
  Object.defineProperty(window, "innerWidth", {{get: () => 1}})
  JSON.stringify = () => "[]"
  window.getComputedStyle = wrong
  window.MutationObserver = undefined
  window.affordance = {{elements: nothing, regions: nothing, state: nothing}}
  document.body.name = "elementFromPoint"
</script>
"""


def test_a_page_that_breaks_its_own_prototypes_is_captured_all_the_same(shown: Captured) -> None:
    screen = shown.screen(page="lies")
    assert sorted(names(screen)) == ["Blue", "Gold", "Red"]
    for name in names(screen):
        assert_where_painted(shown, screen, name)
    assert region(screen, "Main").type == "main"


PAGES["common-names.html"] = f"""
<form>{block("Red", 20, 20)}<input type="hidden" name="id" value="7"><input type="hidden" name="title"></form>
"""
PAGES["hidden-names.html"] = f"""
<form>{block("Red", 20, 20)}
  <input name="children"><input name="parentNode"><input name="matches"><input name="getAttribute">
  <input name="shadowRoot"><input name="assignedSlot"><input name="getRootNode"><input name="tagName">
  <input name="getClientRects"><input name="checkVisibility"><input name="hasAttribute"></form>
<iframe srcdoc="<button>Inside</button>"></iframe>
<img name="querySelectorAll"><img name="scrollingElement"><img name="documentElement"><img name="getAnimations">
"""


@pytest.mark.parametrize("page", ["common-names", "hidden-names"])
def test_names_in_a_page_do_not_hide_the_browser_s_own(shown: Captured, page: str) -> None:
    assert_where_painted(shown, shown.screen(page=page), "Red")


# Waiting for a page to come to rest


class Gone:
    """A page that is always on its way to another one."""

    stale, has_children = True, False

    async def refresh(self) -> None:
        raise StepFailed("gone")


def test_a_page_that_is_on_its_way_is_waited_for_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in (0.0, 0.05):
        monkeypatch.setattr(screens, "QUIET_LIMIT_SECONDS", limit)
        with raises(StepFailed, "gone"):
            asyncio.run(screens.quiet(cast(World, Gone())))


# Every point hits: asked of a browser without our script

BUSY = """
<style>
  body { font: 14px sans-serif } .row { display: flex; gap: 8px }
  .card { border: 1px solid; padding: 8px; width: 200px }
  .round { border-radius: 50% } .tilt { transform: rotate(20deg) } .cut { clip-path: polygon(0 0, 100% 0, 0 100%) }
</style>
<header class="row"><a href="#1" aria-label="a1">Home</a>
  <a href="#2" aria-label="a2">A link that is long<br>and wraps</a>
  <input aria-label="a3" placeholder="Search"><select aria-label="a4"><option>One</select></header>
<main>
  <div class="row">
    <div class="card" tabindex="0" aria-label="b1">A card <button aria-label="b2">Buy</button>
      <a href="#3" aria-label="b3">More</a></div>
    <div class="card" tabindex="0" aria-label="b4"><button aria-label="b5">Buy</button> words <b>bold words</b></div>
    <button aria-label="b6" style="width: 80px">
      <svg width="40" height="40"><circle cx="20" cy="20" r="18"/></svg></button>
  </div>
  <button class="round" aria-label="c1" style="width: 90px; height: 90px">Round</button>
  <button class="tilt" aria-label="c2" style="width: 160px; height: 40px">Tilted</button>
  <button class="cut" aria-label="c3" style="width: 120px; height: 80px">Cut</button>
  <p style="width: 150px">Text with <a href="#4" aria-label="c4">a link that goes over several lines</a> in it</p>
  <div style="overflow: auto; height: 60px; width: 180px" tabindex="0" aria-label="d1">
    <ul style="margin: 0"><li><button aria-label="d2">One</button><li><button aria-label="d3">Two</button>
    <li><button aria-label="d4">Three</button><li><button aria-label="d5">Four</button></ul></div>
  <iframe aria-label="frame" style="width: 220px; height: 90px; border: 5px solid; padding: 4px"
    srcdoc="<title>f0</title><button aria-label=f1>Inside</button><p style='height: 60px'><p>
    <button aria-label=f2>Below</button>
    <script>scrollTo(0, 70)</script>"></iframe>
  <div id="host"></div>
</main>
<div style="position: absolute; left: 440px; top: 60px; width: 350px; height: 500px">OVERLAPPING</div>
<div style="position: fixed; left: 0; right: 0; bottom: 0; height: 40px; background: silver">
  <button aria-label="g1">Accept</button> <button aria-label="g2">Refuse</button></div>
<script>document.getElementById("host").attachShadow({mode: "open"}).innerHTML =
  `<button aria-label="h1">In the shade</button><label><input type="checkbox" aria-label="h2"> Tick</label>`</script>
"""


def overlapping(count: int, seed: int) -> str:
    """Buttons of all sizes on top of each other, some clipped, round, turned or moved."""
    draw = random.Random(seed)
    looks = [
        "",
        "border-radius: 50%",
        "transform: rotate(30deg)",
        "transform: scale(.6)",
        "z-index: 3",
        "padding: 20px",
    ]
    return "".join(
        f"<button aria-label=o{n} style='position: absolute; left: {draw.randint(-20, 300)}px;"
        f" top: {draw.randint(0, 450)}px; width: {draw.randint(4, 120)}px; height: {draw.randint(4, 60)}px;"
        f" {draw.choice(looks)}'>{n}</button>"
        for n in range(count)
    )


# The label of what is hit at a point, or of the nearest thing around it that has one.
HIT = """
([x, y]) => {
  let root = document, around = null
  for (;;) {
    const hit = root.elementFromPoint(x, y)
    if (!hit) return null
    if (hit.shadowRoot && hit.shadowRoot.elementFromPoint(x, y) !== hit) { root = hit.shadowRoot; continue }
    if (hit.tagName === "IFRAME") {
      const box = hit.getBoundingClientRect(), style = getComputedStyle(hit)
      x -= box.left + hit.clientLeft + parseFloat(style.paddingLeft)
      y -= box.top + hit.clientTop + parseFloat(style.paddingTop)
      root = hit.contentDocument
      continue
    }
    const labelled = hit.closest("[aria-label]"), label = hit.closest("label")
    return (labelled || label?.control)?.getAttribute("aria-label") || hit.ownerDocument.title
  }
}
"""


async def hits(html: str, points: list[tuple[float, float]]) -> list[str | None]:
    """What a browser that Playwright alone drives says is at each point of a window of 800x600."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=find_browser(None), args=["--hide-scrollbars"], timeout=1000 * PATIENCE
        )
        page = await browser.new_page(viewport={"width": 800, "height": 600}, device_scale_factor=2)
        await page.set_content(html)
        found = [await page.evaluate(HIT, list(point)) for point in points]
        await browser.close()
        return found


PAGES["busy.html"] = BUSY.replace("OVERLAPPING", overlapping(60, seed=7))
LOOKS["busy"] = [Look(800, 600, ratio=2)]


def test_pointing_at_a_kept_element_hits_it(shown: Captured) -> None:
    screen = shown.screen(*LOOKS["busy"], "busy")
    points = [one.point for one in screen.elements if one.point is not None]
    html = (shown.dataset.root.parent / "site" / "busy.html").read_text()
    found = asyncio.run(hits(html, [(point.x1 / 2, point.y1 / 2) for point in points]))
    assert found == [one.name or "f0" for one in screen.elements], "what scrolls in the frame has no name"
    assert {"a1", "b1", "c1", "c3", "d1", "f2", "g1", "h1", "h2"} <= set(found)
    assert len(found) > 40


def test_points_lie_in_their_boxes(shown: Captured) -> None:
    for screen in shown.screens.values():
        for one in screen.elements:
            assert one.point is not None
            assert one.box.contains(one.point.x1, one.point.y1)


# Variants

PAGES["varied.html"] = """
<style>body { background: white } @media (prefers-color-scheme: dark) { body { background: black } }</style>
<nav aria-label="Top"><button>One</button><button>Two</button><button id="three">Three</button></nav>
<ul aria-label="Rows"><li><a href="#a">Apples</a><li><a href="#b">Bananas</a></ul>
<p id="language"></p> <script>document.getElementById("language").textContent = navigator.language</script>
"""
ORIGINAL = Look(500, 400)
LOOKS["varied"], VARIATIONS["varied"] = [ORIGINAL], list(Variation)


def variant(shown: Captured, variation: Variation) -> Screen:
    return shown.screen(ORIGINAL.varied(variation, "fr-FR"), "varied")


@pytest.mark.parametrize("variation", Variation)
def test_a_variant_is_linked_to_its_original(shown: Captured, variation: Variation) -> None:
    original = shown.screen(ORIGINAL, "varied")
    (link,) = variant(shown, variation).links
    assert (link.kind, link.to) == ("variant", original.id)
    assert original.links == []


@pytest.mark.parametrize("variation", Variation)
def test_a_variant_keeps_ids_of_elements_and_regions(shown: Captured, variation: Variation) -> None:
    original, other = shown.screen(ORIGINAL, "varied"), variant(shown, variation)
    assert {one.id: one.name for one in other.elements} == {one.id: one.name for one in original.elements}
    assert {one.id: one.description for one in other.regions} == {one.id: one.description for one in original.regions}


@pytest.mark.parametrize("variation", Variation)
def test_a_variant_looks_different(shown: Captured, variation: Variation) -> None:
    original, other = shown.screen(ORIGINAL, "varied"), variant(shown, variation)
    before, after = shown.pixels(original), shown.pixels(other)
    assert before.shape == after.shape
    assert (before != after).any()


def test_moved_puts_controls_in_each_other_s_place(shown: Captured) -> None:
    moved = variant(shown, Variation.MOVED)

    def row(screen: Screen, wanted: list[str]) -> list[str]:
        return sorted(wanted, key=lambda name: element(screen, name).box.xyxy[:2])

    assert row(shown.screen(ORIGINAL, "varied"), ["One", "Two", "Three"]) == ["One", "Two", "Three"]
    assert row(moved, ["One", "Two", "Three"]) == ["Three", "Two", "One"]
    assert element(moved, "Apples").box.y1 > element(moved, "Bananas").box.y1


def test_zoom_makes_everything_larger(shown: Captured) -> None:
    before, after = element(shown.screen(ORIGINAL, "varied"), "Three"), element(variant(shown, Variation.ZOOM), "Three")
    assert after.box.area > 1.4 * before.box.area


def test_a_variant_that_is_asked_for_as_a_look_of_its_own_is_captured_once(tmp_path: Path) -> None:
    dark = Look(400, 300, theme=Theme.DARK)
    site = open_site(str(write_pages(tmp_path, "<button>One</button>")), [])
    wanted = plan(site, [SMALL, dark], [Variation.THEME])
    assert [one.id for one in wanted] == [f"page-{SMALL.name}", f"page-{dark.name}"]
