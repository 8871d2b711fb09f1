"""Projects that are drawn here, and studios that serve them as processes."""

import json
import random
import re
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import cv2
import numpy as np
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from affordance.author.project import create_project, open_project, plain
from affordance.author.records import (
    ROOT,
    Choice,
    Detected,
    Elements,
    Kind,
    QuestionRecord,
    Region,
    RegionType,
    Retelling,
    Scores,
    Shot,
    Texts,
)
from affordance.core.digest import digest_bytes
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import Json
from affordance.datasets import Screen
from affordance.datasets.screens import Element
from affordance.ledger import DocumentDraft
from affordance.media import encode_image
from forked import Forked, surroundings
from patience import PATIENCE, T, until

SIZE = (1280, 800)
MODEL = "test:model"  # who has made all that no person has
FAN = 6  # children of a region
_COLOURS = ((232, 226, 214), (214, 232, 220), (222, 216, 236), (236, 222, 216), (216, 228, 238))
_TYPES = ("Header / Top Bar", "Card / Item List", "Form", "Toolbar / Action Bar", "Data Table / Grid", "Button")
_WORDS = ("orders", "filters", "messages", "settings", "totals", "search results", "payments", "shipping")


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    parent: str | None
    box: tuple[int, int, int, int]
    leaf: bool


def tree(count: int, size: tuple[int, int] = SIZE, fan: int = FAN) -> list[Node]:
    """A screen and `count` regions in it, parents before children: each is cut into strips, along its longer side."""
    boxes: dict[str, tuple[int, int, int, int]] = {ROOT: (0, 0, *size)}
    parents: dict[str, str | None] = {ROOT: None}
    numbers: dict[int, int] = {}
    waiting = [(ROOT, 0)]
    while len(boxes) <= count and waiting:
        above, level = waiting.pop(0)
        for strip in _strips(boxes[above], min(fan, count + 1 - len(boxes))):
            name = f"{level + 1}-{numbers.get(level + 1, 0)}"
            numbers[level + 1] = numbers.get(level + 1, 0) + 1
            boxes[name], parents[name] = strip, above
            waiting.append((name, level + 1))
    above_some = set(parents.values())
    return [Node(name, parents[name], box, name not in above_some) for name, box in boxes.items()]


def _strips(box: tuple[int, int, int, int], parts: int) -> list[tuple[int, int, int, int]]:
    x1, y1, x2, y2 = box
    gap = 2 if min(x2 - x1, y2 - y1) > 24 else 1
    wide = x2 - x1 >= y2 - y1
    low, high = (x1, x2) if wide else (y1, y2)
    edges = [low + (high - low) * number // parts for number in range(parts + 1)]
    return [
        (start + gap, y1 + gap, max(end - gap, start + gap + 1), max(y2 - gap, y1 + gap + 1))
        if wide
        else (x1 + gap, start + gap, max(x2 - gap, x1 + gap + 1), max(end - gap, start + gap + 1))
        for start, end in pairwise(edges)
    ]


def picture(nodes: Sequence[Node], title: str, size: tuple[int, int] = SIZE) -> bytes:
    """Cards with a border and a line of text each, where there is room for it."""
    width, height = size
    image = np.full((height, width, 3), 252, np.uint8)
    for number, node in enumerate(nodes):
        x1, y1, x2, y2 = node.box
        if node.parent is None:
            continue
        cv2.rectangle(image, (x1, y1), (x2 - 1, y2 - 1), _COLOURS[number % len(_COLOURS)], -1)
        cv2.rectangle(image, (x1, y1), (x2 - 1, y2 - 1), (150, 150, 158), 1)
        if node.leaf and x2 - x1 > 60 and y2 - y1 > 20:
            text = f"{title} {_WORDS[number % len(_WORDS)]}"
            cv2.putText(image, text, (x1 + 8, y1 + 18), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (40, 40, 48), 1, cv2.LINE_AA)
    return encode_image(image)


def box(*xyxy: float) -> Box:
    return Box(CoordinateSpace.PIXEL, *xyxy)


def make_project(
    folder: Path, screens: int = 3, regions: int = 12, db: str | None = None, captured: bool = False
) -> Path:
    """A project whose screens `screen-1`... have a tree, types, questions, and retellings of every other leaf. With
    `captured`, what a browser knows of them too."""
    create_project(folder, db, name="Shop", licence="CC0-1.0", synthetic=True)
    with open_project(folder, db) as project:
        for number in range(1, screens + 1):
            screen = f"screen-{number}"
            nodes = tree(regions)
            data = picture(nodes, f"Page {number}:")
            (folder / "media" / f"{screen}.png").write_bytes(data)
            project.ledger.documents.write(drafts_of(screen, nodes, digest_bytes(data), captured=captured))
    return folder


def big_project(
    folder: Path, screens: int = 2000, regions: int = 50, largest: int = 1000, db: str | None = None
) -> Path:
    """Thousands of screens with small pictures, each of its own; the first, `screen-0001`, has the largest tree, all
    other documents, and a picture of full size."""
    create_project(folder, db, name="Big", licence="CC0-1.0", synthetic=True)
    size = (320, 200)
    same = regions_of(tree(regions, size))
    with open_project(folder, db) as project:
        nodes = tree(largest, SIZE, 10)
        data = picture(nodes, "Page 1:")
        (folder / "media" / "screen-0001.png").write_bytes(data)
        drafts = drafts_of("screen-0001", nodes, digest_bytes(data))
        for number in range(2, screens + 1):
            screen = f"screen-{number:04}"
            card = np.full((size[1], size[0], 3), 245, np.uint8)
            cv2.putText(card, str(number), (20, 110), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (60, 60, 90), 3)
            data = encode_image(card)
            (folder / "media" / f"{screen}.png").write_bytes(data)
            drafts.append(
                DocumentDraft(Kind.SCREEN, screen, plain(shot_of(screen, digest_bytes(data), size)), MODEL, screen)
            )
            drafts += [
                DocumentDraft(Kind.REGION, f"{screen}/{name}", found, MODEL, screen) for name, found in same.items()
            ]
        project.ledger.documents.write(drafts)
    return folder


def drafts_of(screen: str, nodes: Sequence[Node], digest: str, *, captured: bool = False) -> list[DocumentDraft]:
    """All documents of a screen, by the model."""
    found: list[tuple[Kind, str, Mapping[str, Json]]] = [(Kind.SCREEN, screen, plain(shot_of(screen, digest)))]
    found += [(Kind.REGION, f"{screen}/{name}", document) for name, document in regions_of(nodes).items()]
    for number, node in enumerate(nodes[1:], 1):
        word = _WORDS[number % len(_WORDS)]
        kind = RegionType(type=_TYPES[number % len(_TYPES)], confidence=0.8, by=MODEL, box=box(*node.box))
        found.append((Kind.TYPE, f"{screen}/{node.name}", plain(kind)))
        if node.leaf and number % 2:
            told = Retelling(
                box=box(*node.box),
                description=f"A card that lists the {word}",
                functionality=f"Lets people look through the {word} and change one of them",
                rationale="The corrected box leaves out the heading above, so it is only about the list itself.",
                by=MODEL,
            )
            found.append((Kind.RETELLING, f"{screen}/{node.name}", plain(told)))
    found += [(Kind.QUESTION, f"{screen}/{name}", plain(one)) for name, one in questions_of(nodes).items()]
    found.append((Kind.ELEMENTS, screen, plain(_elements(nodes))))
    if captured:
        found.append((Kind.CAPTURED, screen, plain(_captured(screen, nodes))))
    return [DocumentDraft(kind, subject, document, MODEL, screen) for kind, subject, document in found]


def shot_of(screen: str, digest: str, size: tuple[int, int] = SIZE) -> Shot:
    image = f"media/{screen}.png"
    return Shot(image=image, digest=digest, width=size[0], height=size[1], platform="desktop", source=screen)


def regions_of(nodes: Sequence[Node]) -> dict[str, Mapping[str, Json]]:
    """The documents of a tree's regions, by name."""
    chance = random.Random(0)
    found: dict[str, Mapping[str, Json]] = {}
    for number, node in enumerate(nodes):
        word = _WORDS[number % len(_WORDS)]
        scores = Scores(completeness=chance.randrange(4), bounded=chance.random() < 0.8, reason="the border cuts text")
        region = Region(
            box=box(*node.box),
            parent=node.parent,
            type=f"{word} area" if node.parent is not None else "Entire GUI",
            dividable=not node.leaf,
            description=Texts(with_context=f"A light card with the {word} in it, number {number}"),
            functionality=Texts(with_context=f"Shows the {word} and lets people change them ({node.name})"),
            scores=scores if node.parent is not None else None,
        )
        found[node.name] = plain(region)
    return found


def questions_of(nodes: Sequence[Node]) -> dict[str, QuestionRecord]:
    """Two about regions, one about an element and an outcome; the second was dropped by a check."""
    leaves = [node for node in nodes if node.leaf and node.parent is not None][:4]
    found: dict[str, QuestionRecord] = {}
    for number, node in enumerate(leaves[:3]):
        found[f"ground-{node.name}"] = QuestionRecord(
            form="ground",
            level="element" if number == 2 else "region",
            target=node.name,
            box=box(*node.box),
            action="click" if number == 2 else None,
            alike=[leaves[0].name] if number else [],
            expressions={
                "functionality": f"Where can one look through the {_WORDS[number]} and change them?",
                "description": f"The light card with the {_WORDS[number]} in it",
            },
            checks={"unique": "yes" if number != 1 else "fits two regions"},
            dropped="fits more than one region" if number == 1 else "",
            by=MODEL,
        )
    if leaves:
        last = leaves[-1]
        found[f"outcome-{last.name}"] = QuestionRecord(
            form="outcome",
            level="region",
            target=last.name,
            box=box(*last.box),
            action="click",
            question="What happens after a click here?",
            options=[
                Choice(text="The list of messages opens", origin="target", of=last.name),
                Choice(text="The list of orders opens", origin="hard", of=leaves[0].name),
                Choice(text="The page is printed", origin="easy"),
            ],
            checks={"answerable": "yes"},
            by=MODEL,
        )
    return found


def _elements(nodes: Sequence[Node]) -> Elements:
    leaves = [node for node in nodes if node.leaf and node.parent is not None]
    return Elements(
        source="vision",
        elements=[
            Detected(id=f"e-{number}", box=box(*_within(node.box)), role="button", text=f"Open {number}")
            for number, node in enumerate(leaves)
        ],
    )


def _within(xyxy: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """The lower half of a box."""
    x1, y1, x2, y2 = xyxy
    return x1, (y1 + y2) // 2, x2, y2


def _captured(screen: str, nodes: Sequence[Node]) -> Screen:
    width, height = SIZE
    return Screen(
        id=screen,
        image=f"media/{screen}.png",
        width=width,
        height=height,
        platform="web",
        elements=[
            Element(id=f"dom-{node.name}", box=box(*node.box), role="button", name=f"Button {node.name}")
            for node in nodes
            if node.leaf and node.parent is not None
        ],
    )


@dataclass(slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(slots=True)
class Server:
    """A studio that runs as a process. `link` is the address for the first administrator, where one was told."""

    project: Path
    options: tuple[str, ...]
    folder: Path
    url: str = ""
    link: str = ""
    process: Forked = field(init=False)
    limits: Mapping[str, float] = field(default_factory=dict)
    _page: dict[str, str] = field(default_factory=dict)

    def start(self, port: int = 0) -> None:
        output, errors = self.folder / "stdout.txt", self.folder / "stderr.txt"
        output.write_text("")
        errors.touch()
        arguments = ["studio", str(self.project), "--no-browser", *self.options]
        if "--port" not in self.options:
            arguments += ["--port", str(port)]
        self.process = Forked(arguments, surroundings(self.folder / "cache"), output, errors, self.limits)
        self.url = self.process.first_line()
        if not self.url:
            self.stop()
            raise AssertionError(f"the studio did not start: {self.errors}")
        links = [word for word in self.errors.split() if "/join/" in word]
        self.link = links[-1] if links else ""

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    @property
    def errors(self) -> str:
        return (self.folder / "stderr.txt").read_text("utf-8")

    def kill9(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    def stop(self) -> int:
        """Ends it as Ctrl+C does; the exit code."""
        self.process.send_signal(signal.SIGINT)
        if self.process.wait(PATIENCE) is None:
            self.kill9()
        assert self.process.code is not None
        return self.process.code

    def restart(self) -> None:
        """Stops it, if it runs, and starts it at the same address."""
        port = self.port
        self.stop()
        self.start(port)

    def get(self, path: str, headers: Mapping[str, str] | None = None, **query: object) -> Answer:
        return self.send("GET", path + (f"?{urlencode(query)}" if query else ""), headers=headers)

    def post(self, path: str, content: object, headers: Mapping[str, str] | None = None) -> Answer:
        """As a page of whoever started the studio would, unless there are other headers."""
        sent = {"Content-Type": "application/json", **(self.page() if headers is None else headers)}
        return self.send("POST", path, json.dumps(content).encode(), sent)

    def page(self) -> dict[str, str]:
        """The headers that a page has to send: cookie and token."""
        if not self._page:
            found = self.get("/boxes")
            token = re.search(r'name="csrf" content="(\w+)"', found.body.decode())
            assert token is not None
            cookie = found.headers["set-cookie"].partition(";")[0]
            self._page = {"Cookie": cookie, "X-CSRF-Token": token[1]}
        return self._page

    def send(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        connection = HTTPConnection(urlsplit(self.url).hostname or "", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, dict(headers or {}))
            found = connection.getresponse()
            return Answer(found.status, {key.lower(): value for key, value in found.getheaders()}, found.read())
        finally:
            connection.close()


def faults(context: BrowserContext) -> list[str]:
    """What goes wrong in the pages of a browser from now on: what they throw, and where they break their policy."""
    wrong: list[str] = []
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    context.on("console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None)
    return wrong


@dataclass(slots=True)
class Person:
    """A browser of one person that several tests use, each with a page that may have been used before: to load one
    anew takes longer than most of them. After a failure it is a new one."""

    context: BrowserContext
    wrong: list[str] = field(default_factory=list)
    _page: Page | None = None
    _failed: int = 0

    def __post_init__(self) -> None:
        self.wrong = faults(self.context)

    def page(self, failed: int = 0) -> Page:
        """`failed`: how many tests have failed so far."""
        if self._page is None or self._page.is_closed() or failed != self._failed:
            if self._page is not None:
                self._page.close()
            self._page, self._failed = self.context.new_page(), failed
        return self._page


@contextmanager
def person(browser: Browser) -> Iterator[Person]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    yield Person(context)
    context.close()


def status(page: Page, look: str, **data: object) -> None:
    """Where the person's changes are, as the page shows it: `look` is "saved", "waiting" or "trouble"; `link`,
    `waiting`, `stuck`, `aside` and `durable` are what it says about them."""
    shown = page.locator("#status [role=status]")
    expected = "".join(f"[data-{name}='{str(value).lower()}']" for name, value in {"look": look, **data}.items())
    # Not with `expect`, which describes the whole page whenever an element is not there yet.
    shown.and_(page.locator(expected)).wait_for(state="attached")
    expect(shown).not_to_be_empty()


def saved(page: Page) -> None:
    """The page says that the server has everything."""
    status(page, "saved", stuck=0)


def action(place: Page | Locator, name: str) -> Locator:
    """What does this, by its `data-action`."""
    return place.locator(f"[data-action='{name}']")


def dialog(page: Page, name: str) -> Locator:
    return page.locator(f"dialog[open][data-dialog='{name}']")


def in_order(*data: object) -> re.Pattern[str]:
    """A text with these in it, in this order."""
    return re.compile(r"(?<!\d)" + r"(?!\d)[\s\S]*?(?<!\d)".join(re.escape(str(one)) for one in data) + r"(?!\d)")


def sign_in(page: Page, server: "Server", name: str, password: str) -> None:
    page.goto(f"{server.url}/sign-in")
    page.fill("#name", name)
    page.fill("#password", password)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "sign-in" not in url)


def turn_to(page: Page, address: str, key: str) -> None:
    """Open a page of work at something: by its row where the page is open already, which takes less than to load it."""
    row = page.locator(f".pick-row[data-key='{key}']")
    if page.url.partition("?")[0] == address.partition("?")[0] and row.is_visible():
        row.click()
    else:
        page.goto(address)


def fits(page: Page) -> bool:
    """Nothing is wider than the window."""
    found: bool = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return found


def comes(page: Page, found: Callable[[], T]) -> T:
    """The first answer that is true, while the page goes on."""
    return until(found, wait=lambda seconds: page.wait_for_timeout(1000 * seconds))


@contextmanager
def while_loading(page: Page, address: str, open_next: Callable[[], object]) -> Iterator[list[Route]]:
    """The block runs after `open_next` has asked for an address, and before the server answers."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route(address, hold)
    open_next()
    comes(page, lambda: waiting)
    yield waiting
    for route in waiting:
        route.continue_()
    page.unroute(address)


@contextmanager
def serving(project: Path, *options: str, limits: Mapping[str, float] | None = None) -> Iterator[Server]:
    """`affordance studio PROJECT --port 0 --no-browser OPTIONS...`, until the block ends."""
    folder = project.parent / f"{project.name}-studio-{time.monotonic_ns()}"
    folder.mkdir()
    server = Server(project, options, folder, limits=limits or {})
    server.start()
    try:
        yield server
    finally:
        server.stop()
