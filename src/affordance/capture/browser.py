"""The browser: found on this computer, started with a throw-away profile, and started again if a page has broken it.

Needs the extra `capture`. Playwright drives an installed Chromium, or one that Playwright installed."""

import asyncio
import os
import re
import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from affordance.capture.looks import Look
from affordance.capture.sources import Site, recorded
from affordance.core.errors import InvalidOption, UserError

if TYPE_CHECKING:
    from playwright.async_api import Browser as PlaywrightBrowser
    from playwright.async_api import BrowserContext, Page, Playwright, Route, WebSocketRoute

T = TypeVar("T")

# The shell without a window comes first: it takes a third of the time.
NAMES = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
OPENING_SECONDS = 20.0
PAGE_SECONDS = 120.0  # for all that is done with one page
CLOSING_SECONDS = 5.0
WATCHING_SECONDS = 0.5
MOST_MEMORY = 2 * 2**30  # bytes of one page's process; screens of 4096x4096 pixels take a quarter of that
TRIES_WHEN_GONE = 3
NO_PRINTER = "window.print = () => window.dispatchEvent(new Event('beforeprint'))"
NO_BROWSER = (
    "no Chromium was found; install one (apt install chromium-headless-shell, or playwright install chromium) "
    "or give --browser PATH"
)

# The second line would keep allowed origins on this computer from being reached; the fence is ours. The last are pages
# of the browser's own that it keeps ready, which cost the most of all.
_DISABLED = (
    *("IsolateOrigins", "site-per-process", "DialMediaRouteProvider", "MediaRouter", "Translate", "HttpsUpgrades"),
    *("LocalNetworkAccessChecks", "LocalNetworkAccessChecksWebSockets", "LocalNetworkAccessChecksWebRTC"),
    *("PreloadTopChromeWebUI", "SpareRendererForSitePerProcess", "OptimizationHints", "PaintHolding", "LensOverlay"),
)

# No telemetry, no updates, and nothing through the network but what the fence lets through: everything else would have
# to go through a proxy at which nobody listens. Frames share a process, so that one session reaches all of them.
ARGUMENTS = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=" + ",".join(_DISABLED),
    "--disable-site-isolation-trials",
    "--disable-gpu",
    "--disable-partial-raster",  # what is painted piece by piece differs at the seams from load to load
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--js-flags=--max-old-space-size=512",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # the same, in the shell without a window
    "--hide-scrollbars",
)
DEAD_PROXY = "http://127.0.0.1:9"


class PageBroken(Exception):
    """A page that hangs, crashes or does not load; the message says which."""


class PageHangs(PageBroken):
    """A step took too long: the next one would, too."""


class StepFailed(PageBroken):
    """What was asked of a page could not be done: it has no such part any more, or is on its way to another page."""


class BrowserGone(PageBroken):
    """The browser was ended because of another page: worth another try."""


def find_browser(given: str | None) -> str | None:
    """The path of a Chromium, or None where only the one that Playwright installed is left to try."""
    wanted = given or os.environ.get("AFFORDANCE_BROWSER")
    if wanted:
        found = shutil.which(wanted)
        if found is None:
            raise InvalidOption("browser", f"expected the path of a Chromium, found no program {wanted}")
        return found
    for name in (*NAMES, *PLACES):
        if found := shutil.which(name):
            return found
    return None


class Browser:
    """Gives out pages, each in a context of its own that nothing survives. Hanging and crashing is normal: whoever
    works with a page bounds each step with `within`, and the browser is started anew when it does not come back."""

    def __init__(self, site: Site, path: str | None = None) -> None:
        self.site = site
        self._path = find_browser(path)
        self._playwright: Playwright | None = None
        self._browser: PlaywrightBrowser | None = None
        self._lock = asyncio.Lock()
        self.version = ""
        self._watch: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Browser":
        try:
            from playwright.async_api import async_playwright
        except ImportError:
            raise UserError("capturing needs Playwright: pip install 'affordance[capture]'") from None
        self._playwright = await async_playwright().start()
        try:
            await self._start()
        except BaseException:
            await self._playwright.stop()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._watch is not None:
            self._watch.cancel()
        if self._browser is not None:
            with suppress(Exception):
                await asyncio.wait_for(self._browser.close(), CLOSING_SECONDS)
        if self._playwright is not None:
            await self._playwright.stop()

    async def _start(self) -> "PlaywrightBrowser":
        from playwright.async_api import Error

        assert self._playwright is not None
        sandboxed = os.geteuid() != 0  # Chromium refuses its own sandbox for root
        bypass = ",".join(["<-loopback>", *map(_host_and_port, sorted(self.site.allowed))])  # the last that fits counts
        hosts = sorted({urlsplit(origin).hostname or "" for origin in self.site.allowed} | {"127.0.0.1"})
        resolver = "--host-resolver-rules=MAP * ~NOTFOUND" + "".join(f", EXCLUDE {host}" for host in hosts)
        try:
            self._browser = await self._playwright.chromium.launch(
                executable_path=self._path,
                args=[*ARGUMENTS, resolver],
                chromium_sandbox=sandboxed,
                proxy={"server": DEAD_PROXY, "bypass": bypass},
                handle_sigint=False,
                handle_sigterm=False,
            )
        except Error as error:
            if self._path is None:
                raise UserError(NO_BROWSER) from None
            raise UserError(f"{self._path} did not start as a browser: {_first_line(error)}") from None
        self.version = self._browser.version
        if self._watch is not None:
            self._watch.cancel()
        self._watch = asyncio.create_task(_watch_memory(self._browser))
        return self._browser

    async def _alive(self) -> "PlaywrightBrowser":
        async with self._lock:
            if self._browser is None or not self._browser.is_connected():
                return await self._start()
            return self._browser

    @asynccontextmanager
    async def page(self, look: Look, seconds: float = PAGE_SECONDS) -> AsyncIterator["Page"]:
        """A new page in a fresh context, for at most this long. A used context is not kept: to see whether a page has
        stored anything in it takes longer than to make another."""
        browser = await self._alive()
        try:
            context = await within(OPENING_SECONDS, self._context(browser, look), "opening a context")
        except PageBroken as broken:
            raise self._blamed(broken, browser) from None
        try:
            async with asyncio.timeout(seconds):
                page = await within(OPENING_SECONDS, context.new_page(), "opening a page")
                yield page
        except TimeoutError:
            raise PageHangs(f"the page took longer than {seconds:g} s") from None
        except PageBroken as broken:
            raise self._blamed(broken, browser) from None
        finally:
            await self._close(context, browser)

    def _blamed(self, broken: PageBroken, browser: "PlaywrightBrowser") -> PageBroken:
        """What is to be raised: a page is not to blame where the browser was ended because of another one."""
        return broken if browser is self._browser else BrowserGone(str(broken))

    async def _context(self, browser: "PlaywrightBrowser", look: Look) -> "BrowserContext":
        width, height = look.viewport
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            device_scale_factor=look.pixels_per_css_pixel,
            color_scheme="dark" if look.theme == "dark" else "light",
            locale=look.locale,
            timezone_id="UTC",
            reduced_motion="reduce",
            accept_downloads=False,
            service_workers="block",
            has_touch=False,
        )
        await context.route("**/*", self._route)
        await context.route_web_socket("**/*", self._route_socket)
        await context.add_init_script(NO_PRINTER)
        return context

    async def _close(self, context: "BrowserContext", browser: "PlaywrightBrowser") -> None:
        """A page in an endless loop cannot be closed politely: then the browser goes, and the next page gets another.
        Other pages of this browser break, too; what was done with them is done again."""
        try:
            await asyncio.wait_for(context.close(), CLOSING_SECONDS)
        except Exception:  # noqa: BLE001  # as above; a browser that does not close its contexts is of no use
            async with self._lock:
                if self._browser is browser:
                    self._browser = None
            with suppress(Exception):
                await asyncio.wait_for(browser.close(), CLOSING_SECONDS)

    async def _route(self, route: "Route") -> None:
        from playwright.async_api import Error

        url = route.request.url
        with suppress(Error):  # the page may be gone by now
            if self.site.lets(url):
                await route.continue_()
            elif (file := self.site.file(url)) is not None:
                await self._serve(route, file)
            else:
                await route.abort("blockedbyclient")

    async def _serve(self, route: "Route", file: Path) -> None:
        try:
            await route.fulfill(path=file)
        except OSError:
            await route.abort("failed")

    async def _route_socket(self, socket: "WebSocketRoute") -> None:
        if self.site.lets(socket.url.replace("ws", "http", 1)):
            socket.connect_to_server()
        else:
            await socket.close()


async def _watch_memory(browser: "PlaywrightBrowser") -> None:
    """End processes of pages that take too much memory: scripts may have it beside their heap, which has a limit of its
    own. To whoever works with the page, it crashes."""
    from playwright.async_api import Error

    try:
        session = await browser.new_browser_cdp_session()
        while browser.is_connected():
            await asyncio.sleep(WATCHING_SECONDS)
            found = await session.send("SystemInfo.getProcessInfo")
            for process in found["processInfo"]:
                if process["type"] == "renderer" and _resident(process["id"]) > MOST_MEMORY:
                    with suppress(ProcessLookupError):
                        os.kill(process["id"], signal.SIGKILL)
    except Error:
        return  # the browser is gone


def _resident(process: int) -> int:
    """Bytes of memory of a process; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def _host_and_port(origin: str) -> str:
    """As the list of addresses that need no proxy takes it: without a port it would mean all of them."""
    scheme, _, host = origin.partition("://")
    return host if re.search(r":\d+$", host) else f"{host}:{443 if scheme == 'https' else 80}"


async def again(work: Callable[[], Awaitable[T]]) -> T:
    """The result of work on a page, tried again where another page took the browser down with it."""
    for _ in range(TRIES_WHEN_GONE - 1):
        try:
            return await work()
        except BrowserGone:
            continue
    return await work()


async def within(seconds: float, work: Awaitable[T], what: str) -> T:
    """The result of a step, or `PageBroken` where it takes too long or the page is gone."""
    from playwright.async_api import Error
    from playwright.async_api import TimeoutError as DriverTimeout

    try:
        return await asyncio.wait_for(work, seconds)
    except (TimeoutError, DriverTimeout):  # whichever of the two notices first
        raise PageHangs(f"{what} took longer than {seconds:g} s") from None
    except Error as error:
        raise StepFailed(f"{what} failed: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return re.sub(r"[a-z]+://\S+", lambda found: recorded(found[0]), lines[0])[:200] if lines else "no reason given"
