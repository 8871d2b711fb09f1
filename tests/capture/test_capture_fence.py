"""What pages cannot do: talk to anyone who is not allowed, read beyond their folder, leave anything behind."""

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from pages import Captured
from tries import LOOK, Tried, capture, listening, try_out

from affordance.datasets import ActionOutcome
from affordance.media import decode_image

# Ways to reach a server, each with a path of its own, as soon as the page is there.
WAYS = {
    "fetch": "fetch(AT + 'fetch', {mode: 'no-cors'}).catch(() => 0)",
    "img": "new Image().src = AT + 'img'",
    "script": "put('script', {src: AT + 'script'})",
    "style": "put('link', {rel: 'stylesheet', href: AT + 'style'})",
    "iframe": "put('iframe', {src: AT + 'iframe'})",
    "websocket": "new WebSocket(AT.replace('http', 'ws') + 'websocket')",
    "form": "put('iframe', {name: 'f'}); put('form', {method: 'post', action: AT + 'form', target: 'f'}).submit()",
    "beacon": "navigator.sendBeacon(AT + 'beacon', 'x')",
    "events": "new EventSource(AT + 'events')",
    "worker": "new Worker(blob(`fetch('${AT}worker', {mode: 'no-cors'}).catch(() => 0)`))",
}
# Ways that the protocol for driving the browser may not see as requests of the page.
BACK_WAYS = {
    "window": "open(AT + 'window')",
    "worker-socket": "new Worker(blob(`new WebSocket('${AT.replace('http', 'ws')}worker-socket')`))",
    "frame-socket": "new (put('iframe', {}).contentWindow.WebSocket)(AT.replace('http', 'ws') + 'frame-socket')",
    "shared-worker": "new SharedWorker(blob(`fetch('${AT}shared-worker', {mode: 'no-cors'}).catch(() => 0)`))",
    "preconnect": "put('link', {rel: 'preconnect', href: AT})",
    "prefetch": "put('link', {rel: 'prefetch', href: AT + 'prefetch'})",
    "turn": "const urls = AT.replace('http://', 'turn:').replace('/', '') + '?transport=tcp';"
    " const c = new RTCPeerConnection({iceServers: [{urls, username: 'u', credential: 'c'}]});"
    " c.createDataChannel('x'); c.createOffer().then((offer) => c.setLocalDescription(offer))",
}  # fmt: skip
HELP = """
  const put = (tag, set) => document.body.appendChild(Object.assign(document.createElement(tag), set));
  const blob = (text) => URL.createObjectURL(new Blob([text], {type: "text/javascript"}));
  const attempt = (way) => { try { way(); } catch (error) { console.log(error); } };
"""
SECRET = "TOP-SECRET-4711"
MAGENTA, GREEN = (255, 0, 255), (0, 200, 0)


def intruding(at: str, ways: dict[str, str]) -> str:
    scripts = "".join(f"attempt(() => {{ {way} }});\n" for way in ways.values())
    return f"<p>Text</p><button>Here</button><script>const AT = '{at}/'; {HELP} {scripts}</script>"


@dataclass(frozen=True)
class Reached:
    allowed: list[str]  # the paths that were asked for where the page was let
    paths: list[str]  # of the server that was not allowed
    connections: int


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> Reached:
    """Pages that try to reach a server that is allowed and one that is not. Workers and sockets start when they like,
    which may be after the picture was taken: then once more."""
    with listening() as friend, listening() as other:
        pages = {
            "page.html": intruding(friend.origin, WAYS),
            "other.html": intruding(other.origin, {**WAYS, **BACK_WAYS}),
        }
        for _ in range(4):
            capture(tmp_path_factory.mktemp("allowed"), pages, allow=[friend.origin])
            found = [path.strip("/") for path in friend.paths]
            if set(WAYS) <= set(found):
                break
        return Reached(found, other.paths, other.connections)


def test_an_allowed_origin_is_reached(reached: Reached) -> None:
    assert set(WAYS) <= set(reached.allowed)


def test_allowing_one_origin_does_not_allow_another(reached: Reached) -> None:
    assert (reached.paths, reached.connections) == ([], 0)


@dataclass(frozen=True)
class Prying:
    captured: Captured
    folder: Path
    paths: list[str]  # of a server that no page is allowed to reach
    connections: int

    def everything(self) -> str:
        files = [*(self.folder / "screens").glob("*.json*")]
        return "".join(path.read_text(encoding="utf-8") for path in files)

    def shows(self, page: str, colour: tuple[int, int, int]) -> bool:
        screen = self.captured.screen(LOOK, page)
        shown = decode_image(self.captured.dataset.media_path(screen.image).read_bytes())
        return bool((np.abs(shown.astype(int) - colour).max(axis=2) < 8).sum() > 50)


def coloured(colour: tuple[int, int, int], name: str) -> str:
    return f"<!doctype html><html><body style='background: rgb{colour}'><button>{name}</button><main>{name}</main>"


# Addresses by which a page might get at a file beside its folder.
DETOURS = {
    "file": "file://{folder}/secret.html",
    "up": "../secret.html",
    "up-from-root": "/../../secret.html",
    "escaped-dots": "%2e%2e/secret.html",
    "escaped-slash": "..%2fsecret.html",
    "doubly-escaped": "..%252fsecret.html",
    "backslash": "..\\\\secret.html",
    "absolute": "//pages.invalid/{folder}/secret.html",
    "escaped-absolute": "%2f{escaped}%2fsecret.html",
    "link": "link.html",
    "linked-folder": "linked/secret.html",
    "scheme": "view-source:file://{folder}/secret.html",
}
IMPOSSIBLE = ("a%00b.png", "x" * 300 + ".png", "loop")  # names that no file has


@pytest.fixture(scope="module")
def prying(tmp_path_factory: pytest.TempPathFactory) -> Prying:
    """A page with all detours, that shows what it finds in frames and as texts that it has fetched."""
    folder = tmp_path_factory.mktemp("prying")
    (folder / "secret.html").write_text(coloured(MAGENTA, SECRET), encoding="utf-8")
    (folder / "site").mkdir()
    (folder / "site" / "link.html").symlink_to(folder / "secret.html")
    (folder / "site" / "linked").symlink_to(folder)
    escaped = str(folder).strip("/").replace("/", "%2f")
    detours = {name: detour.format(folder=folder, escaped=escaped) for name, detour in DETOURS.items()}
    pages = {"detours.html": _showing(detours)}
    pages |= {"inside.html": coloured(GREEN, "INSIDE"), "by-inside.html": _showing({"Nothing": "inside.html"})}
    (folder / "site" / "loop").symlink_to(folder / "site" / "loop")
    images = "".join(f'<img src="{at}">' for at in IMPOSSIBLE)
    pages["impossible.html"] = f"{images}<button>Here</button>"
    with listening() as server:
        pages |= {"page.html": intruding(server.origin, WAYS), "back.html": intruding(server.origin, BACK_WAYS)}
        captured = capture(folder, pages, workers=4)
        return Prying(captured, folder, server.paths, server.connections)


def _showing(addresses: dict[str, str]) -> str:
    """Each in a frame, as a picture, and as the text of a button of this name."""
    shown = [
        f"""<iframe src="{at}" width=120 height=60></iframe><img src="{at}"><button id="{name}">{name}</button>
        <script>fetch("{at}").then((found) => found.text()).then((text) => {{
          document.getElementById("{name}").textContent = text.replace(/<[^>]*>/g, " ");
        }}).catch(() => 0)</script>"""
        for name, at in addresses.items()
    ]
    return f"<style>iframe {{ border: 0 }}</style>{''.join(shown)}"


def test_without_allowing_it_nobody_is_reached(prying: Prying) -> None:
    """Also not behind the back of the driver."""
    for page in ("page", "back"):
        assert prying.captured.names(LOOK, page) >= {"Here"}
    assert (prying.paths, prying.connections) == ([], 0)


def test_a_file_in_the_folder_can_be_seen(prying: Prying) -> None:
    assert prying.captured.names(LOOK, "by-inside") == {"INSIDE", "INSIDE INSIDE"}
    assert prying.shows("by-inside", GREEN)


def test_a_file_beside_the_folder_cannot_be_seen(prying: Prying) -> None:
    found = prying.captured.names(LOOK, "detours")
    assert [name for name in found if SECRET in name] == []
    assert not prying.shows("detours", MAGENTA)
    assert len(found) >= len(DETOURS), "all of them are in the window"


def test_a_page_that_is_a_link_out_of_the_folder_is_lost(prying: Prying) -> None:
    assert any(re.match(r"link-\d", screen) for screen in prying.captured.counts.lost)
    assert SECRET not in prying.everything()


def test_an_impossible_file_name_does_not_hold_the_page(prying: Prying) -> None:
    assert prying.captured.names(LOOK, "impossible") == {"Here"}


REMEMBERING = """<h2 id=count></h2><button onclick="visits().then(show)">Visit</button>
<script>
  const show = (n) => { document.getElementById('count').textContent = 'Visits: ' + n; };
  const count = (get, set) => { const n = Number(get() || 0) + 1; set(n); return n; };
  const visits = () => new Promise((resolve) => {
    const counts = [
      count(() => localStorage.n, (n) => { localStorage.n = n; }),
      count(() => sessionStorage.n, (n) => { sessionStorage.n = n; }),
      count(() => /n=(\\d+)/.exec(document.cookie)?.[1], (n) => { document.cookie = `n=${n}; max-age=9999`; }),
    ];
    const opening = indexedDB.open("visits", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("n", {autoIncrement: true});
    opening.onsuccess = () => {
      const store = opening.result.transaction("n", "readwrite").objectStore("n");
      store.add(1);
      store.count().onsuccess = (event) => resolve([...counts, event.target.result].join(" "));
    };
  });
</script>"""


LEAVE = "localStorage.n = 1; sessionStorage.n = 1; document.cookie = 'n=1'; location = 'http://elsewhere.invalid/'"
TELL = "p.textContent = ['Stored', localStorage.n, sessionStorage.n, document.cookie].join()"
STORING = f"""{REMEMBERING}<p id=p></p><button onclick="p.textContent = 'Hello again'">Greet</button>
  <button onclick="{LEAVE}">Leave</button> <button onclick="{TELL}">Tell</button>
  <script>p.textContent = localStorage.seen ? "Back" : "Welcome"; localStorage.seen = 1</script>"""


SAVING = """<button onclick="a.click()">Save</button><a id=a download=kept.txt href=big.txt></a>
  <a id=b download=early.txt href="data:text/plain,DOWNLOADED"></a><script>onload = () => b.click()</script>"""


@dataclass(frozen=True)
class Acted:
    tried: Tried
    folder: Path
    origin: str  # of a server that no page is allowed to reach
    paths: list[str]
    connections: int
    left: list[Path]  # temporary files that were there afterwards


@pytest.fixture(scope="module")
def acted(tmp_path_factory: pytest.TempPathFactory) -> Acted:
    """A page that stores what it can, and one that downloads and leads elsewhere: all in one browser, one try after the
    other, by somebody whose folders were empty."""
    folder = tmp_path_factory.mktemp("acted")
    for name in ("home", "work"):
        (folder / name).mkdir()
    # The name is short: a browser's socket lies in it.
    with tempfile.TemporaryDirectory(prefix="cap") as temp, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", temp)
        patch.setenv("HOME", str(folder / "home"))
        patch.chdir(folder / "work")
        with listening() as server:
            at = server.origin
            leading = f"""<a href="{at}/link" ping="{at}/ping">Link</a> <a href="{at}/blank" target=_blank>Blank</a>
              <form method=post action="{at}/post"><button>Send</button></form>
              <button onclick="fetch('{at}/fetch').catch(() => {{ this.textContent = 'Offline' }})">Load</button>"""
            pages = {"storing.html": STORING, "big.txt": "DOWNLOADED-0815" * 1000, "leading.html": SAVING + leading}
            tried = try_out(folder, pages, workers=1)
        left = [path for path in Path(temp).rglob("*") if path.is_file()]
    return Acted(tried, folder, at, server.paths, server.connections, left)


@pytest.fixture(scope="module")
def stored(acted: Acted) -> Tried:
    return acted.tried


def test_actions_reach_nobody_but_record_where_they_would_lead(acted: Acted) -> None:
    tried, at = acted.tried, acted.origin
    assert (acted.paths, acted.connections) == ([], 0)
    assert tried.change("click", "Link").url == f"{at}/link"
    assert tried.change("click", "Send").url == f"{at}/post"
    assert tried.change("click", "Blank").windows == [f"{at}/blank"]
    assert tried.change("click", "Load").added == ["Offline"]


def test_downloads_and_profiles_leave_nothing_behind(acted: Acted) -> None:
    assert acted.left == []
    assert acted.tried.change("click", "Save").downloads == ["kept.txt"]
    home, work = acted.folder / "home", acted.folder / "work"
    assert list(work.iterdir()) == []
    assert not [path for path in home.rglob("*") if path.is_file() and b"DOWNLOADED" in path.read_bytes()]
    assert not [*acted.folder.rglob("kept*"), *acted.folder.rglob("early*")]


def test_nothing_that_a_page_stores_survives_to_the_next_try(stored: Tried) -> None:
    visits = [one for one in stored.dataset.items if isinstance(one, ActionOutcome) and one.steps[0].element == "Visit"]
    assert [one.change.added for one in visits if one.change] == [["Visits: 1 1 1 1"]], (
        "the second try saw nothing of the first"
    )


def test_the_first_click_of_a_person_who_was_never_here(stored: Tried) -> None:
    """A page that greets newcomers greets every try as one."""
    assert stored.change("click", "Greet").removed == ["Welcome"]


def test_what_is_stored_before_leaving_for_elsewhere_is_forgotten(stored: Tried) -> None:
    assert ("click", "Leave") in stored.kept
    assert stored.change("click", "Tell").added == ["Stored,,,"]
