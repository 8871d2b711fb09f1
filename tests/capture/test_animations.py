"""Animations under a held clock, in a real browser."""

import hashlib
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from films import Filmed, film

from affordance.capture import filming
from affordance.capture import twins as twins_module
from affordance.capture.looks import Look
from affordance.capture.twins import Twin
from affordance.core.errors import UserError
from affordance.datasets import Clip
from affordance.datasets.check import check_folder
from errors import assert_carries, raises

FRAME = 1000 / 60
LEAD = 3  # frames before what is set off
BOX = "position:absolute; left:0; top:20px; width:20px; height:20px; background:#06c"
MOVE = (
    f"<style>@keyframes go {{ to {{ transform: translateX(100px) }} }} #it {{ {BOX}; animation: go 200ms %s }}</style>"
)
CLICK = 'trigger = "click"\ntarget = "#go"\n'
BUTTON = "<button id=go style='position:absolute;left:150px;top:90px'>Go</button>"

PAGES = {
    # One of each kind.
    "css": (MOVE % "linear both") + "<div id=it></div>",
    "eased": (MOVE % "cubic-bezier(0.2, 0.9, 0.3, 1) 50ms both") + "<div id=it></div>",
    "transition": f"<style>#it {{ {BOX}; transition: transform 200ms linear, background-color 200ms }} "
    f"#it.on {{ transform: translateX(100px); background: #c60 }}</style><div id=it></div>{BUTTON}"
    "<script>go.onclick = () => it.classList.add('on')</script>",
    "web": f"<div id=it style='{BOX}'></div><script>const start = () => it.animate("
    "[{ opacity: 1, width: '20px' }, { opacity: 0.2, width: '80px' }], { duration: 200, easing: 'ease-in' })</script>",
    "svg": "<svg width=100 height=100 viewBox='0 0 100 100'><rect id=it x=40 y=40 width=20 height=20 fill=teal>"
    "<animateTransform attributeName=transform type=rotate from='0 50 50' to='90 50 50' dur='0.2s' fill=freeze />"
    "</rect></svg>",
    "frames": f"<div id=it style='{BOX}'></div><script>const start = () => {{ const begun = performance.now(); "
    "const step = (now) => { const share = Math.min(1, (now - begun) / 200); it.style.left = 100 * share + 'px'; "
    "if (share < 1) requestAnimationFrame(step) }; requestAnimationFrame(step) }</script>",
    "canvas": "<canvas id=it width=100 height=60></canvas>"
    "<script>const pen = it.getContext('2d'); const step = (now) => "
    "{ pen.clearRect(0, 0, 100, 60); pen.fillRect(now / 5, 10, 20, 20); if (now < 200) requestAnimationFrame(step) };"
    "requestAnimationFrame(step)</script>",
    "pseudo": f"<style>@keyframes go {{ to {{ opacity: 0 }} }} #it {{ {BOX} }} "
    "#it::after { content: ''; position: absolute; inset: 2px; background: #fff; animation: go 200ms both }</style>"
    "<div id=it></div>",
    "hover": f"<style>#it {{ {BOX}; transition: filter 100ms }} #it:hover {{ filter: blur(4px) }}</style>"
    "<div id=it></div>",
    "chained": f"<div id=it style='{BOX}'></div><script>const move = (x) => ({{ transform: `translateX(${{x}}px)` }});"
    "it.animate([move(0), move(40)], { duration: 100, fill: 'forwards' }).finished.then(() => "
    "it.animate([move(40), move(80)], { duration: 100, fill: 'forwards' }))</script>",
    # Odd ones.
    "endless": (MOVE % "linear infinite alternate") + "<div id=it></div>",
    "instant": "<style>.on #it { background: #c60 }</style>"
    f"<div id=it style='{BOX.replace('background:#06c', '')}'>.</div>"
    f"{BUTTON}<script>go.onclick = () => document.body.classList.add('on')</script>",
    "zero": f"<style>#it {{ {BOX} }}</style><div id=it></div><script>const start = () => it.animate("
    "[{ transform: 'none' }, { transform: 'translateX(100px)' }], { duration: 0, fill: 'forwards' })</script>",
    "outside": (MOVE % "linear both").replace("left:0", "left:-500px") + "<div id=it></div>",
    "nested": "<iframe style='border:0;position:absolute;left:30px;top:10px;width:150px;height:80px' srcdoc=\""
    + (MOVE % "linear both") + "<div id=it></div>\"></iframe>",
    # Places that are easily overlooked.
    "shadow": "<div id=host></div><script>host.attachShadow({ mode: 'open' }).innerHTML = "
    f"`{MOVE % 'linear both'}<div id=it></div><svg width=50 height=50 style='position:absolute;left:140px'>"
    "<rect width=20 height=20><animate attributeName=width from=20 to=50 dur=0.2s fill=freeze></rect></svg>`</script>",
    "entrance": f"<style>@keyframes in {{ from {{ left: -90px }} }} #go {{ animation: in 70ms both }} #it {{ {BOX};"
    f"transition: background-color 100ms }} #it.on {{ background: #c60 }}</style><div id=it></div>{BUTTON}"
    "<script>go.onclick = () => it.classList.add('on')</script>",
    "late-target": f"<div id=it style='{BOX};transition:opacity 100ms'></div><script>setTimeout(() => {{ const it2 = "
    "document.createElement('button'); it2.id = 'go'; it2.textContent = 'Go'; it2.style = 'position:absolute;top:80px'; "
    "it2.onclick = () => { it.style.opacity = 0 }; document.body.append(it2) }, 100)</script>",
    "removed": f"<div id=it style='{BOX}'></div><script>setTimeout(() => it.remove(), 100)</script>",
    "many": "<style>@keyframes go { to { opacity: 0 } } i { float: left; width: 2px; height: 2px; background: red;"
    "animation: go 30ms both }</style>" + "<i></i>" * 450,
    "two-places": (MOVE % "linear both").replace("translateX(100px)", "translateX(9px)")
    + f"<div id=it></div><div style='{BOX};top:95px;left:170px;animation:go 200ms'></div>",
    # Those that nothing comes of.
    "leaving": f"{BUTTON}<script>go.onclick = () => {{ location = 'idle.html' }}</script>",
    "idle": "<p>Nothing moves here.",
    "targetless": BUTTON,
    "throwing": "<p>Throws.",
}  # fmt: skip
# Pages as there are few of, for which the long tests have the time.
RARE = {
    "promises": f"<div id=it style='{BOX}'></div>"
    "<script>const rest = (ms) => new Promise((done) => setTimeout(done, ms));"
    "(async () => { for (let i = 1; i <= 10; i++) { await rest(20); it.style.left = 10 * i + 'px' } })()</script>",
    "paused": (MOVE % "linear both")
    + "<style>#it { animation-play-state: paused } #it.on { animation-play-state: running }</style>"
    "<div id=it></div><script>setTimeout(() => it.classList.add('on'), 100)</script>",
    "day": "<p id=it></p>"
    "<script>setInterval(() => { it.textContent = new Date().getSeconds() + ' ' + Date.now() % 1e5 }, 50);"
    "setTimeout(() => { it.remove() }, 160)</script>",
    "dialog": f"<div id=it style='{BOX}'></div><script>const start = () => {{ alert('Hello'); it.animate("
    "[{ opacity: 1 }, { opacity: 0 }], 100) }</script>",
    "late-frame": "<script>setTimeout(() => { const frame = document.createElement('iframe'); frame.style = "
    f"'position:absolute;left:10px;top:10px;border:0'; frame.srcdoc = `{MOVE % 'linear both'}<div id=it></div>`; "
    "document.body.append(frame) }, 50)</script>",
    "moving-frame": "<style>@keyframes slide { to { left: 60px } } iframe { position: absolute; left: 0; top: 0; border: 0;"
    "width: 100px; height: 90px; animation: slide 200ms linear both }</style><iframe srcdoc=\""
    + (MOVE % "linear both").replace("100px", "30px") + "<div id=it></div>\"></iframe>",
    "canvas-beside": (MOVE % "linear both") + "<div id=it></div><canvas id=paper width=60 height=40 style='position:absolute;"
    "left:130px;top:75px'></canvas><script>const pen = paper.getContext('2d'); const step = (now) => { pen.clearRect("
    "0, 0, 60, 40); pen.fillRect(now / 10, 10, 9, 9); if (now < 200) requestAnimationFrame(step) };"
    "requestAnimationFrame(step)</script>",
    "svg-later": "<svg width=100 height=60><rect id=it width=20 height=20><animate attributeName=x from=0 to=30 dur=0.1s "
    "fill=freeze /><animate attributeName=width from=20 to=60 begin=0.25s dur=0.1s fill=freeze /></rect></svg>",
    "nested-timers": f"<div id=it style='{BOX}'></div><script>let left = 0; const step = () => {{ it.style.left = ++left + 'px';"
    "if (left < 50) setTimeout(step, 0) }; setTimeout(step, 0)</script>",
    "cancelled": f"<div id=it style='{BOX}'></div><script>let other; requestAnimationFrame(() => {{ it.style.left = '9px';"
    "cancelAnimationFrame(other) }); other = requestAnimationFrame(() => { it.style.opacity = 0.1 })</script>",
    "replaced": (MOVE % "linear both") + "<div id=it></div><script>CustomEvent = null; dispatchEvent = () => { throw 1 };"
    "addEventListener = null; MessageChannel = null; requestAnimationFrame = null; setTimeout = null</script>",
}  # fmt: skip
ONLY_TWINS = ("endless", "zero")  # filmed once, to have twins
NOTES = {
    **dict.fromkeys(("transition", "instant", "entrance", "late-target", "leaving"), CLICK),
    **dict.fromkeys(("web", "frames", "zero", "dialog"), 'trigger = "script"\nscript = "start()"\n'),
    "hover": 'trigger = "hover"\ntarget = "#it"\n',
    "endless": "seconds = 0.1\n",
    "css": "seconds = 0.35\nstill = 0.5\n",  # over in time, but not seen to stand still for long
    "idle": "seconds = 0.2\n",
    "targetless": 'trigger = "click"\ntarget = "#nothing"\n',
    "throwing": 'trigger = "script"\nscript = "throw new Error(1)"\n',
}


@pytest.fixture(scope="module", autouse=True)
def brisk() -> Iterator[None]:
    """What comes before and after the animations is shorter than for people's pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filming, "SETTLING", 6)
        patch.setattr(filming, "POINTING", 3)
        patch.setattr(filming, "LEAD", LEAD)
        patch.setattr(twins_module, "TAIL", 4)
        yield


@pytest.fixture(scope="module")
def filmed(brisk: None, tmp_path_factory: pytest.TempPathFactory) -> Filmed:
    pages = {name: page for name, page in PAGES.items() if name not in ONLY_TWINS}
    return film(tmp_path_factory.mktemp("films"), pages, {name: NOTES[name] for name in pages if name in NOTES})


@pytest.fixture(scope="module")
def rare(brisk: None, tmp_path_factory: pytest.TempPathFactory) -> Filmed:
    return film(tmp_path_factory.mktemp("rare"), RARE, NOTES)


KINDS = {
    "css": ("css-animation", {"move"}),
    "transition": ("css-transition", {"move", "color"}),
    "web": ("web-animation", {"size", "fade"}),
    "svg": ("svg-animation", {"rotate"}),
    "frames": ("script", {"move"}),
    "pseudo": ("css-animation", {"fade"}),
    "hover": ("css-transition", {"blur"}),
    "chained": ("web-animation", {"move"}),
    "nested": ("css-animation", {"move"}),
}


def test_every_kind_has_its_name_and_its_effects(filmed: Filmed) -> None:
    for name, (kind, effects) in KINDS.items():
        motion = filmed.motion(name)
        assert {mover.kind for mover in motion.movers if mover.effects} == {kind}, name
        assert set(motion.effects) == effects, name


def bezier(x1: float, y1: float, x2: float, y2: float) -> Callable[[float], float]:
    def curve(a: float, b: float, t: float) -> float:
        return 3 * a * (1 - t) ** 2 * t + 3 * b * (1 - t) * t**2 + t**3

    def ease(share: float) -> float:
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if curve(x1, x2, middle) < share else (low, middle)
        return curve(y1, y2, low)

    return ease


SET_OFF = LEAD * FRAME
CURVES: dict[str, tuple[float, Callable[[float], float]]] = {
    "css": (0, lambda share: share),
    "eased": (50, bezier(0.2, 0.9, 0.3, 1)),
    "transition": (SET_OFF, lambda share: share),
    "frames": (SET_OFF, lambda share: share),
}


def assert_on_curve(filmed: Filmed, name: str, start: float, ease: Callable[[float], float]) -> None:
    mover = filmed.mover(name, "#it")
    assert len(mover.boxes) + mover.first_frame == filmed.motion(name).frames
    for number, box in enumerate(mover.boxes, mover.first_frame):
        share = min(1.0, max(0.0, (number * FRAME - start) / 200))
        assert box[0] == pytest.approx(100 * ease(share), abs=0.5), f"{name}, frame {number}"


def test_every_box_is_where_the_curve_says(filmed: Filmed) -> None:
    for name, (start, ease) in CURVES.items():
        assert_on_curve(filmed, name, start, ease)


@pytest.mark.long
def test_timers_that_promises_wait_for_go_with_the_clock(rare: Filmed) -> None:
    assert_on_curve(rare, "promises", 0, lambda share: math.floor(10 * share + 1e-9) / 10)
    assert {mover.kind for mover in rare.motion("promises").movers} == {"script"}
    assert rare.motion("promises").effects == ["move"]


@pytest.mark.long
def test_a_paused_animation_begins_when_it_runs(rare: Filmed) -> None:
    assert_on_curve(rare, "paused", 100, lambda share: share)


def test_pixels_are_where_the_boxes_are(filmed: Filmed) -> None:
    mover = filmed.mover("css", "#it")
    for number, picture in enumerate(filmed.frames("css")):
        columns = np.flatnonzero((picture[30] == (0, 0x66, 0xCC)).all(axis=1))
        left = mover.boxes[number][0]
        assert abs(columns[0] - left) <= 1
        assert abs(columns[-1] + 1 - (left + 20)) <= 1


def test_the_video_keeps_every_pixel_and_the_digest_is_theirs(filmed: Filmed) -> None:
    frames = filmed.frames("eased")
    text = b"200x120:" + b"".join(frame.tobytes() for frame in frames)
    assert len(frames) == filmed.motion("eased").frames
    assert hashlib.sha256(text).hexdigest()[:32] == filmed.motion("eased").digest


def test_filmed_again_every_pixel_is_the_same(filmed: Filmed, twins: Filmed) -> None:
    """Some were filmed again to have twins."""
    for name in ("eased", "frames"):
        assert twins.motion(name).digest == filmed.motion(name).digest


def test_what_is_declared_is_recorded(filmed: Filmed) -> None:
    motion = filmed.motion("eased")
    (animation,) = motion.animations
    assert (animation.kind, animation.name, animation.delay, animation.duration) == ("css-animation", "go", 50, 200)
    assert (animation.iterations, animation.fill, animation.start) == (1, "both", 0)
    assert [(frame.offset, frame.values) for frame in animation.keyframes] == [
        (0, {"transform": "none"}), (1, {"transform": "translateX(100px)"}),
    ]  # fmt: skip
    assert (motion.easing, motion.duration, motion.finished) == ("cubic-bezier(0.2, 0.9, 0.3, 1)", 200, True)
    assert filmed.motion("web").easing == "ease-in"
    assert filmed.motion("frames").easing is None
    assert filmed.motion("frames").duration == pytest.approx(200, abs=FRAME)


def test_it_begins_and_ends_where_pictures_change(filmed: Filmed) -> None:
    for name in ("css", "eased", "transition", "frames", "canvas"):
        clip, frames = filmed[name], filmed.frames(name)
        changed = [n for n in range(1, len(frames)) if (frames[n] != frames[n - 1]).any()]
        assert (clip.start_frame, clip.end_frame) == (changed[0], changed[-1]), name


def test_what_is_set_off_begins_after_a_lead(filmed: Filmed) -> None:
    assert filmed.motion("css").trigger_frame == 0
    for name in ("transition", "web", "frames"):
        assert filmed.motion(name).trigger_frame == LEAD
        assert filmed[name].start_frame == LEAD + 1


def test_the_region_is_where_it_happens(filmed: Filmed) -> None:
    regions = {name: [box.xyxy for box in filmed[name].regions] for name in ("css", "nested", "canvas", "outside")}
    assert regions == {
        "css": [(0, 20, 120, 40)],
        "nested": [(30, 30, 150, 50)],
        "canvas": [(3, 10, 60, 30)],
        "outside": [],
    }


def test_two_places_are_two_regions(filmed: Filmed) -> None:
    assert [box.xyxy for box in filmed["two-places"].regions] == [(0, 20, 29, 40), (170, 95, 199, 115)]


def test_one_that_never_ends_is_cut_and_says_so(twins: Filmed) -> None:
    motion = twins.motion("endless")
    assert (motion.finished, motion.frames, motion.animations[0].iterations) == (False, 6, None)
    assert (twins["endless"].end_frame, motion.effects) == (5, ["move"])


def test_one_without_duration_is_recorded_as_that(filmed: Filmed, twins: Filmed) -> None:
    for films, name, effects in ((filmed, "instant", ["color"]), (twins, "zero", ["move"])):
        motion, clip = films.motion(name), films[name]
        assert (motion.duration, motion.finished, motion.effects) == (0, True, effects), name
        assert clip.start_frame == clip.end_frame == motion.trigger_frame


def test_one_outside_the_window_is_measured_but_not_seen(filmed: Filmed) -> None:
    motion = filmed.motion("outside")
    assert (motion.visible, motion.effects, motion.duration) == (False, ["move"], 200)
    assert filmed.counts.odd["outside"]


def test_one_in_a_frame_has_its_boxes_in_the_window(filmed: Filmed) -> None:
    mover = filmed.mover("nested", "#it")
    assert mover.boxes[0] == [30, 30, 50, 50]
    assert mover.boxes[-1] == [130, 30, 150, 50]


def test_shadow_trees_are_part_of_the_page(filmed: Filmed) -> None:
    assert set(filmed.motion("shadow").effects) == {"move", "size"}
    assert filmed.mover("shadow", "#it").boxes[6][0] == pytest.approx(50, abs=0.5)


@pytest.mark.long
def test_a_frame_that_comes_later_has_its_own_time(rare: Filmed) -> None:
    motion, mover = rare.motion("late-frame"), rare.mover("late-frame", "#it")
    (animation,) = motion.animations
    for number, box in enumerate(mover.boxes[:-1], mover.first_frame):
        share = min(1.0, max(0.0, (number * FRAME - animation.start) / 200))
        assert box[0] == pytest.approx(10 + 100 * share, abs=0.5)
    assert motion.finished


@pytest.mark.long
def test_a_frame_that_moves_carries_what_is_in_it(rare: Filmed) -> None:
    mover = rare.mover("moving-frame", "#it")
    for number, box in enumerate(mover.boxes, mover.first_frame):
        assert box[0] == pytest.approx(90 * min(1.0, number * FRAME / 200), abs=0.5)


def test_a_target_is_looked_for_when_it_is_needed(filmed: Filmed) -> None:
    assert filmed.motion("late-target").effects == ["fade"]
    assert filmed.motion("late-target").duration == 100


def test_what_happened_before_does_not_count(filmed: Filmed) -> None:
    assert filmed.motion("entrance").effects == ["color"]
    assert [mover.locator for mover in filmed.motion("entrance").movers] == ["0:#it"]


@pytest.mark.long
def test_a_drawing_beside_something_that_moves_is_not_overlooked(rare: Filmed) -> None:
    kinds = {mover.locator: mover.kind for mover in rare.motion("canvas-beside").movers}
    assert kinds == {"0:#it": "css-animation", "0:#paper": "drawing"}


@pytest.mark.long
def test_what_is_still_to_come_is_waited_for(rare: Filmed) -> None:
    motion = rare.motion("svg-later")
    assert (set(motion.effects), motion.finished) == ({"move", "size"}, True)
    assert rare["svg-later"].end_frame == 21


def test_what_is_removed_is_gone(filmed: Filmed) -> None:
    (mover,) = [one for one in filmed.motion("removed").movers if one.locator.endswith("#it")]
    assert filmed.motion("removed").effects == ["fade"]
    assert mover.boxes[-1] == [0, 0, 0, 0]


@pytest.mark.long
def test_timers_within_timers_take_as_long_as_in_a_browser(rare: Filmed) -> None:
    assert rare.motion("nested-timers").duration == pytest.approx(4 * 50, abs=2 * FRAME)


@pytest.mark.long
def test_a_cancelled_callback_is_not_run(rare: Filmed) -> None:
    assert rare.motion("cancelled").effects == ["move"]


@pytest.mark.long
def test_a_page_that_replaces_everything_is_filmed_all_the_same(rare: Filmed) -> None:
    assert rare.motion("replaced").duration == 200


def test_more_movers_than_can_be_followed_are_counted(filmed: Filmed) -> None:
    assert len(filmed.motion("many").movers) == 400
    assert_carries(filmed.counts.odd["many"], 50)


def test_one_that_is_over_in_time_has_ended(filmed: Filmed) -> None:
    motion = filmed.motion("css")
    assert (motion.finished, motion.duration, motion.frames) == (True, 200, 21)


def test_more_pixels_for_each_css_pixel(tmp_path: Path) -> None:
    ratio = 1.5
    filmed = film(tmp_path, {"page": PAGES["css"]}, look=Look(width=200, height=120, ratio=ratio))
    assert filmed.frames("page")[0].shape[:2] == (120 * ratio, 200 * ratio)
    assert [box.xyxy for box in filmed["page"].regions] == [tuple(ratio * value for value in (0, 20, 120, 40))]
    assert filmed.mover("page", "#it").boxes[-1] == [ratio * value for value in (100, 20, 120, 40)]
    assert list(check_folder(filmed.dataset.root)) == []


def test_a_drawing_is_no_effect_of_styles(filmed: Filmed) -> None:
    (mover,) = filmed.motion("canvas").movers
    assert (mover.kind, mover.tag, mover.effects) == ("drawing", "canvas", [])


@pytest.mark.long
def test_the_page_has_a_day_of_its_own_that_goes_with_the_clock(rare: Filmed) -> None:
    assert rare.motion("day").effects == ["morph"]


def test_what_waits_for_an_end_goes_on_after_it(filmed: Filmed) -> None:
    boxes = filmed.mover("chained", "#it").boxes
    assert boxes[-1][0] == 80
    assert filmed.motion("chained").duration == pytest.approx(200, abs=2 * FRAME)


@pytest.mark.long
def test_a_message_box_does_not_stop_it(rare: Filmed) -> None:
    assert rare.motion("dialog").effects == ["fade"]


LOST = {"idle": "0.2", "targetless": "#nothing", "throwing": "", "leaving": ""}  # each with what its reason names


def test_what_cannot_be_filmed_is_lost_with_the_reason(filmed: Filmed) -> None:
    assert set(filmed.counts.lost) == set(LOST)
    for name, data in LOST.items():
        assert_carries(filmed.counts.lost[name], data)
        assert not list(filmed.dataset.root.glob(f"media/{name}.*"))
    assert len(set(filmed.counts.lost.values())) == len(LOST)


def test_the_dataset_passes_its_check(filmed: Filmed) -> None:
    assert list(check_folder(filmed.dataset.root)) == []


BY_FRAMES = (
    f"<div id=it style='{BOX}'></div><script>let left = 0; const step = () => {{ it.style.left = (left += 10) + 'px';"
    "if (left < 50) requestAnimationFrame(step) }; requestAnimationFrame(step)</script>"
)


@pytest.fixture(scope="module")
def twins(brisk: None, tmp_path_factory: pytest.TempPathFactory) -> Filmed:
    pages = {name: PAGES[name] for name in ("eased", "frames", "endless", "zero")} | {"by-frames": BY_FRAMES}
    notes = {name: NOTES[name] for name in pages if name in NOTES}
    return film(tmp_path_factory.mktemp("twins"), pages, notes, twins=tuple(Twin), seconds=0.7)


def test_a_twin_links_to_its_original_and_has_no_meaning_of_its_own(twins: Filmed) -> None:
    for name in ("eased-reversed", "frames-slower"):
        clip = twins[name]
        assert [(link.kind, link.to) for link in clip.links] == [("twin", name.split("-")[0])]
        assert (clip.purpose, clip.meaning_responses) == (None, [])
        assert twins.motion(name).twin == name.split("-")[1]


def test_reversed_has_the_same_frames_backwards(twins: Filmed) -> None:
    for name in ("eased", "frames", "endless"):
        there, back = twins.frames(name), twins.frames(f"{name}-reversed")
        assert len(there) == len(back)
        assert all((one == other).all() for one, other in zip(there, reversed(back), strict=True)), name
        forth = twins.mover(name, "#it")
        assert twins.mover(f"{name}-reversed", "#it").boxes == forth.boxes[::-1]


@pytest.mark.parametrize(("twin", "factor"), [("slower", 2.0), ("faster", 0.5)])
def test_another_speed_takes_another_time(twins: Filmed, twin: str, factor: float) -> None:
    for name in ("eased", "frames"):
        original, other = twins.motion(name), twins.motion(f"{name}-{twin}")
        assert other.duration == pytest.approx(original.duration * factor, abs=2.5 * FRAME), name
        assert other.effects == original.effects


def test_another_easing_takes_the_same_time_and_goes_another_way(twins: Filmed) -> None:
    for name in ("eased", "frames"):
        original, other = twins.motion(name), twins.motion(f"{name}-easing")
        boxes = twins.mover(name, "#it").boxes, twins.mover(f"{name}-easing", "#it").boxes
        clip = twins[name]
        assert clip.start_frame is not None
        assert clip.end_frame is not None
        middle = (clip.start_frame + clip.end_frame) // 2
        assert boxes[0][-1] == boxes[1][-1] == boxes[1][clip.end_frame + 1]
        assert boxes[1][middle][0] < boxes[0][middle][0] - 20
        assert other.duration <= original.duration + 1.5 * FRAME


def test_what_never_ends_has_no_twin_of_another_easing(twins: Filmed) -> None:
    assert "endless-easing" not in {item.id for item in twins.dataset.items}
    assert not twins.motion("endless-slower").finished


def test_what_moves_by_frames_has_no_twin_of_another_pace(twins: Filmed) -> None:
    assert twins_of(twins, "by-frames") == {"by-frames", "by-frames-reversed"}
    assert set(twins.counts.odd) == {"by-frames"}


def test_what_has_no_duration_has_no_pace(twins: Filmed) -> None:
    assert twins_of(twins, "zero") == {"zero", "zero-reversed"}


def twins_of(twins: Filmed, name: str) -> set[str]:
    return {item.id for item in twins.dataset.items if item.id.startswith(name)}


def test_a_twin_never_takes_the_name_of_a_page(tmp_path: Path) -> None:
    with raises(UserError, "a", Twin.REVERSED):
        film(tmp_path, {"a": PAGES["css"], "a-reversed": PAGES["css"]}, twins=(Twin.REVERSED,))


def test_twins_pass_the_check(twins: Filmed) -> None:
    assert list(check_folder(twins.dataset.root)) == []
    assert all(isinstance(item, Clip) for item in twins.dataset.items)


# Notes with one mistake each, and what the error names.
BAD_NOTES: dict[str, tuple[str, tuple[str, ...]]] = {
    "an unknown field": ("purpos = 'Feedback'\n", ("page.toml", "purpos")),
    "an unknown purpose": ("purpose = 'Feedbak'\n", ("page.toml", "Feedbak", "'Feedback'")),
    "an unknown effect": ("effects = ['translate']\n", ("page.toml", "'translate'")),
    "an unknown trigger": ("trigger = 'press'\n", ("page.toml", "trigger")),
    "a size that is none": ("size = 'large'\n", ("page.toml", "'large'")),
    "no TOML": ("trigger\n", ("page.toml",)),
    "for ever": ("seconds = 1e9\n", ("page.toml", "seconds")),
    "a click on nothing": ("trigger = 'click'\n", ("page", "--target")),
    "a target without a click": ("target = '#it'\n", ("page", "'#it'", "--trigger")),
    "a script that is missing": ("trigger = 'script'\n", ("page", "--script")),
}


def test_a_wrong_note_is_a_user_error(tmp_path: Path) -> None:
    for name, (note, data) in BAD_NOTES.items():
        with raises(UserError, *data):
            film(tmp_path / name, {"page": "<p>"}, {"page": note})
        assert not (tmp_path / name / "clips").exists()
