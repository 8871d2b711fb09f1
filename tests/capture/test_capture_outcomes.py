"""Actions carried out in a real browser: what each changes, its sentence, and what is left out and why."""

from dataclasses import replace

import pytest
from tries import Tried, capture, try_captured

from affordance.capture.actions import CARRIED_OUT
from affordance.capture.outcomes import NOTHING_HAPPENS, UNSTABLE
from affordance.datasets import AccessibleNode
from affordance.datasets.taxonomies import Action
from affordance.media import decode_image

ACTIONS = """
<style>
  body { margin: 8px; font: 14px sans-serif; } button, input, select, li, .card { margin: 2px; }
  #tip { visibility: hidden; } #helped:hover + #tip { visibility: visible; }
  #rows { height: 60px; width: 150px; overflow: auto; border: 1px solid; } #rows div { height: 200px; }
  ul { margin: 4px; padding: 0; } li { list-style: none; width: 90px; }
  [role=slider] { width: 120px; height: 16px; background: #ccc; }
  .card { display: inline-block; width: 70px; background: #eee; }
</style>
<button id=bold aria-pressed=false>Bold</button>
<button id=file>Report</button>
<button id=photo>Photo</button>
<menu role=menu aria-label="Photo menu" id=menu hidden><li role=menuitem>Rotate</li></menu>
<button id=helped aria-describedby=tip>Helped</button><span role=tooltip id=tip>Saves all files</span>
<div role=slider tabindex=0 aria-label=Volume aria-valuenow=40 aria-valuemin=0 aria-valuemax=100></div>
<ul aria-label=Tasks id=tasks><li tabindex=0 aria-label=Wash>Wash</li><li tabindex=0 aria-label=Cook>Cook</li></ul>
<div class=card draggable=true id=card aria-label=Ticket>Ticket</div><div class=card id=done>Done: none</div>
<p><input type=search aria-label=Find><span id=hits>Apple Banana hello</span>
<p><input type=email aria-label=Mail>
<select aria-label=Colour><option>Red<option>Green<option>Blue</select>
<div id=rows tabindex=0 role=region aria-label=Rows><div>Row 1</div></div>
<script>
  const get = (id) => document.getElementById(id);
  get("file").addEventListener("dblclick", () => { get("file").textContent = "Report (renamed)"; });
  get("photo").addEventListener("contextmenu", (event) => { event.preventDefault(); get("menu").hidden = false; });
  const slider = document.querySelector("[role=slider]");
  slider.addEventListener("pointerdown", (event) => slider.setPointerCapture(event.pointerId));
  slider.addEventListener("pointermove", (event) => {
    if (event.buttons) slider.ariaValueNow = Math.round(event.offsetX / 1.2);
  });
  let held = null;
  get("tasks").addEventListener("pointerdown", (event) => { held = event.target; });
  get("tasks").addEventListener("pointerup", (event) => {
    const row = event.target.closest("li");
    if (held && row && row !== held) row.after(held);
    held = null;
  });
  get("card").addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", "ticket"));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    get("done").textContent = "Done: " + event.dataTransfer.getData("text/plain");
  });
  document.querySelector("[type=search]").addEventListener("input", (event) => {
    get("hits").textContent = "Only " + event.target.value;
  });
</script>
"""

EFFECTS = """
<style>body { margin: 8px; font: 14px sans-serif; } .off { opacity: 0.5 }</style>
<h1>Effects</h1>
<button aria-pressed=false onclick="this.ariaPressed = 'true'; document.title = 'Retitled'">Italic</button>
<button id=message>Message</button><span id=mode></span>
<a href="#news">News</a> <a href="other.html">Other page</a>
<button onclick="get('banner').hidden = false; get('notice').remove()">Next</button>
<section id=notice aria-label=Notice>We use cookies</section>
<section id=banner aria-label=Banner hidden>Sale today</section>
<input type=checkbox aria-label=Agree>
<span id=price>15 euros</span>
<button onclick="get('street').focus()">Go to street</button><input id=street aria-label=Street readonly>
<div id=lamp style="position: absolute; left: 500px; top: 400px; width: 40px; height: 30px; background: green"></div>
<button onclick="get('lamp').style.background = 'red'">Lamp</button>
<button disabled onclick="document.title = 'no'">Disabled</button>
<button aria-disabled=true onclick="document.title = 'no'">Aria disabled</button>
<button onclick="0">Idle</button>
<button onclick="get('price').textContent = Math.random()">Dice</button>
<p><iframe width=200 height=60 style="border: 0" srcdoc="
  <button onclick='this.nextSibling.textContent = `Answered`'>In frame</button><span></span>"></iframe>
<span id=host></span>
<script>
  const get = (id) => document.getElementById(id);
  const root = get("host").attachShadow({mode: "open"});
  root.innerHTML = "<button aria-pressed=false>In shadow</button><span></span>";
  root.querySelector("button").onclick = () => { root.querySelector("span").textContent = "Shadow answered"; };
  let timer = 0;
  const select = () => { get("mode").textContent = "Selection mode"; };
  get("message").addEventListener("pointerdown", () => { timer = setTimeout(select, 500); });
  get("message").addEventListener("pointerup", () => clearTimeout(timer));
</script>
"""

OTHER = """<h1>The other side</h1><p>Nothing to do here."""


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Tried:
    """Everything on the one page; on the other all but clicks, which would have no outcome that a test looks at."""
    folder = tmp_path_factory.mktemp("outcomes")
    captured = capture(folder, {"actions.html": ACTIONS, "effects.html": EFFECTS, "other.html": OTHER})
    first, second, _ = captured.dataset.items
    unclicked = [action for action in CARRIED_OUT if action is not Action.CLICK]
    actions = try_captured(folder, replace(captured.dataset, items=(first,)), "actions", actions=unclicked)
    effects = try_captured(folder, replace(captured.dataset, items=(second,)), "effects")
    media_paths = {
        media: actions.dataset.media_path(media) for one in actions.kept.values() for media in one.media_files()
    }
    dataset = replace(effects.dataset, media_paths=media_paths)
    return Tried(dataset, actions.kept | effects.kept, actions.left_out + effects.left_out, effects.broken)


# What each action on each element changes, as the record has it, and what the sentence quotes of it.
CASES = [
    pytest.param(
        "click",
        "Italic",
        {"states": [("Italic", "pressed", "false", "true")], "title": "Retitled"},
        "Italic",
        id="state and title",
    ),
    pytest.param(
        "double click",
        "Report",
        {"added": ["Report (renamed)"], "removed": ["Report"]},
        "Report (renamed)",
        id="double click",
    ),
    pytest.param(
        "right click",
        "Photo",
        {"appeared": [AccessibleNode(role="menu", name="Photo menu")], "added": ["Rotate"]},
        "Photo menu",
        id="right click",
    ),
    pytest.param("hover", "Helped", {"added": ["Saves all files"]}, "Saves all files", id="hover"),
    pytest.param("drag", "Ticket", {"added": ["Done: ticket"], "removed": ["Done: none"]}, "Done: ticket", id="drop"),
    pytest.param(
        "type", "Find", {"added": ["Only hello"], "states": [("Find", "value", "", "hello")]}, "Only hello", id="filter"
    ),
    pytest.param(
        "type", "Mail", {"states": [("Mail", "value", "", "alex@example.org")]}, "alex@example.org", id="email"
    ),
    pytest.param("type", "Colour", {"states": [("Colour", "value", "Red", "Green")]}, "Green", id="select"),
    pytest.param("long press", "Message", {"added": ["Selection mode"]}, "Selection mode", id="long press"),
    pytest.param("scroll", "Rows", {"scrolled": [AccessibleNode(role="area", name="Rows")]}, "Rows", id="scroll"),
    pytest.param("click", "News", {"url": "http://pages.invalid/effects.html#news"}, "#news", id="hash"),
    pytest.param(
        "click",
        "Other page",
        {"url": "http://pages.invalid/other.html", "title": "other", "heading": "The other side"},
        "The other side",
        id="other page",
    ),
    pytest.param(
        "click",
        "Next",
        {
            "appeared": [AccessibleNode(role="region", name="Banner")],
            "added": ["Sale today"],
            "disappeared": [AccessibleNode(role="region", name="Notice")],
            "removed": ["We use cookies"],
            "states": [],
        },
        "Banner",
        id="regions appear and disappear",
    ),
    pytest.param("click", "Agree", {"states": [("Agree", "checked", "false", "true")]}, "Agree", id="checked"),
    pytest.param(
        "click", "Go to street", {"focus": AccessibleNode(role="textbox", name="Street")}, "Street", id="focus"
    ),
    pytest.param("click", "In frame", {"added": ["Answered"]}, "Answered", id="iframe"),
    pytest.param("click", "In shadow", {"added": ["Shadow answered"]}, "Shadow answered", id="shadow root"),
]


@pytest.mark.parametrize(("action", "name", "expected", "word"), CASES)
def test_what_an_action_changes_is_recorded_and_described(
    tried: Tried, action: str, name: str, expected: dict[str, object], word: str
) -> None:
    change = tried.change(action, name)
    found = {field: getattr(change, field) for field in expected}
    if "states" in expected:
        found["states"] = [(one.name, one.state, one.before, one.after) for one in change.states]
    assert found == expected
    assert word in tried.sentence(action, name)


def test_dragging_a_slider_moves_it(tried: Tried) -> None:
    [state] = tried.change("drag", "Volume").states
    assert (state.role, state.name, state.state, state.before) == ("slider", "Volume", "valuenow", "40")
    assert 70 <= int(state.after or 0) <= 90
    assert "Volume" in tried.sentence("drag", "Volume")


def test_dragging_an_entry_of_a_list_over_the_next_reorders_it(tried: Tried) -> None:
    [step] = tried.kept["drag", "Wash"].steps
    below = tried.kept["drag", "Wash"].after_box
    assert step.to is not None
    assert step.to.y1 > step.target.y2
    assert below is not None
    assert below.contains(step.to.x1 - 30, step.to.y1)


def test_a_drag_stays_among_its_kin(tried: Tried) -> None:
    """Buttons elsewhere on the page are not what a button is dragged to, whether or not they have ids."""
    if ("drag", "Message") in tried.kept:  # a drag that is as good as a press may have an effect of its own
        assert not [one for one in tried.change("drag", "Message").states if one.role == "slider"]


def test_a_short_press_is_not_a_long_one(tried: Tried) -> None:
    assert ("click", "Message") not in tried.kept


@pytest.mark.parametrize(("name", "typed"), [("Find", "hello"), ("Mail", "alex@example.org")])
def test_the_record_says_what_was_typed(tried: Tried, name: str, typed: str) -> None:
    assert [step.typed for step in tried.kept["type", name].steps] == [typed]


@pytest.mark.parametrize("name", ["Disabled", "Aria disabled"])
def test_disabled_elements_are_not_tried(tried: Tried, name: str) -> None:
    assert not [key for key in tried.kept if key[1] == name]


@pytest.mark.parametrize("action", ["double click", "right click", "drag", "long press", "type", "scroll", "hover"])
def test_actions_that_do_not_apply_are_not_tried(tried: Tried, action: str) -> None:
    assert (action, "Bold") not in tried.kept


def test_the_cut_out_is_where_the_change_is(tried: Tried) -> None:
    """The lamp is 40x30 at (500, 400); the button that switches it is elsewhere and may look focused."""
    outcome = tried.kept["click", "Lamp"]
    assert outcome.after_box is not None
    assert outcome.after is not None
    x1, y1, x2, y2 = outcome.after_box.xyxy
    assert x1 <= 500 < 540 <= x2
    assert y1 <= 400 < 430 <= y2
    shown = decode_image(tried.dataset.media_path(outcome.after).read_bytes())
    assert shown.shape[:2] == (y2 - y1, x2 - x1)
    assert tuple(shown[int(415 - y1), int(520 - x1)]) == (255, 0, 0)


def test_a_small_change_is_cut_out_tightly(tried: Tried) -> None:
    box = tried.kept["hover", "Helped"].after_box
    assert box is not None
    assert box.y2 < 60
    assert box.area < 200 * 40


def test_the_picture_of_an_outcome_shows_its_target(tried: Tried) -> None:
    for outcome in tried.kept.values():
        height, width = decode_image(tried.dataset.media_path(outcome.image).read_bytes()).shape[:2]
        assert (width, height) == (640, 480)
        assert outcome.target.clip(width, height) == outcome.target


def test_an_action_that_does_nothing_is_left_out_with_its_reason(tried: Tried) -> None:
    assert ("click", "Idle") not in tried.kept
    assert tried.left_out[NOTHING_HAPPENS] >= 1


def test_an_outcome_that_does_not_repeat_is_left_out_with_its_reason(tried: Tried) -> None:
    assert ("click", "Dice") not in tried.kept
    assert tried.left_out[UNSTABLE] >= 1
