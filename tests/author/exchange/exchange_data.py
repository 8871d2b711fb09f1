"""A small project in which there is one of everything that exports and imports have to deal with."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from affordance.author.exchange.results import States
from affordance.author.project import Project, create_project, open_project, plain
from affordance.author.records import (
    Choice,
    Detected,
    Division,
    Elements,
    Group,
    Groups,
    Kind,
    Member,
    Proposal,
    Proposed,
    QuestionRecord,
    Region,
    RegionType,
    Retelling,
    Scores,
    Selection,
    Shot,
    Texts,
    Validation,
)
from affordance.author.state import Change, ScreenState
from affordance.core.digest import digest_bytes
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.validation import StrictModel
from affordance.ledger import DocumentDraft

MODEL = "openai:some-model@http://example.org/v1"
SIZE = (640, 400)
CARDS = {"2-0": (20, 80, 200, 380), "2-1": (220, 80, 400, 380), "2-2": (420, 80, 600, 380)}
BUTTONS = {"0": (20, 10, 80, 50), "1": (100, 10, 160, 50), "2": (570, 10, 630, 50), "3": (30, 340, 120, 370)}


def box(x1: float, y1: float, x2: float, y2: float) -> Box:
    return Box(CoordinateSpace.PIXEL, x1, y1, x2, y2)


def picture(suffix: str = ".png", shade: int = 230, size: tuple[int, int] = SIZE) -> bytes:
    width, height = size
    image = np.full((height, width, 3), shade, np.uint8)
    for n, (x1, y1, x2, y2) in enumerate([*CARDS.values(), *BUTTONS.values()]):
        image[y1:y2, x1:x2] = (40 * n % 255, 90, 200 - 20 * n)
    return bytes(cv2.imencode(suffix, image)[1])


def region(corners: Sequence[float], parent: str | None, said: str = "", **more: Any) -> Region:
    texts = Texts(with_context=f"{said} in its place") if said else Texts()
    acts = Texts(with_context=f"Shows {said}", wo_context=f"Shows {said} by itself") if said else Texts()
    return Region(box=box(*corners), parent=parent, description=texts, functionality=acts, **more)


REGIONS = {
    "0-0": region((0, 0, *SIZE), None, "the shop", type="Entire GUI", dividable=True),
    "1-0": region((0, 0, 640, 60), "0-0", "buttons", type="bar"),
    "1-1": region((0, 60, 640, 400), "0-0", "cards", type="area", dividable=True),
    "2-0": region(CARDS["2-0"], "1-1", "the first card", scores=Scores(completeness=3, bounded=True)),
    "2-1": region(CARDS["2-1"], "1-1", "the second card"),
    "2-2": region(CARDS["2-2"], "1-1", "the third card"),
    "2-7": region((605, 80, 635, 380), "1-1", "nothing"),  # after a gap: proposals in between were not taken
}
FIRST_FIX, SECOND_FIX = (222, 82, 398.5, 378), (225, 85, 395, 375)


def member(id_: str, corners: Sequence[float], **more: Any) -> Member:
    return Member(id=id_, box=box(*corners), description=f"look of {id_}", functionality=f"does {id_}", **more)


ELEMENT_GROUP = Group(
    id="1",
    members=[member(name, BUTTONS[name], outcomes={"click": f"Page {name} opens."}) for name in ("0", "1", "2")],
    similarity="blue buttons in a row",
    verified=MODEL,
)
REGION_GROUP = Group(id="g1", members=[member(name, corners) for name, corners in CARDS.items()], similarity="cards")


def ground(target: str, level: Any, corners: Sequence[float], alike: Sequence[str], **more: Any) -> QuestionRecord:
    said = {"functionality": f"Which one does {target}?", "description": f"The one like {target}"}
    if level == "element":
        said["intent"] = f"Get what {target} gives"
    values: dict[str, Any] = {
        "action": "click" if level == "element" else None,
        "group": "1" if level == "element" else "g1",
        "expressions": said,
        "attributes": {"nid_count": target[-1], "nid_gauss": f"0.{target[-1]}", "area_percent": "2", "group_size": "3"},
        "checks": {"unique": "yes"},
        "by": MODEL,
        **more,
    }
    return QuestionRecord(form="ground", level=level, target=target, box=box(*corners), alike=list(alike), **values)


def outcome(target: str, level: Any, corners: Sequence[float], **more: Any) -> QuestionRecord:
    origins: list[Any] = ["hard", "target", "easy", "hard", "easy"]
    options = [Choice(text=f"Thing {n} happens.", origin=origin, of=str(n)) for n, origin in enumerate(origins)]
    values: dict[str, Any] = {
        "action": "click" if level == "element" else None,
        "group": "1" if level == "element" else "g1",
        "question": "What happens?",
        "options": options,
        "attributes": {"nid_count": "1", "nid_gauss": "0.4", "area_percent": "2", "group_size": "3"},
        **more,
    }
    return QuestionRecord(form="outcome", level=level, target=target, box=box(*corners), **values)


QUESTIONS = {
    "ground-element-1-0": ground("0", "element", BUTTONS["0"], ["1", "2"]),
    "ground-element-1-1": ground("1", "element", BUTTONS["1"], ["0", "2"]),
    "ground-element-1-2": ground("2", "element", BUTTONS["2"], ["0", "1"], dropped="leak: it names itself"),
    "ground-region-g1-2-0": ground("2-0", "region", CARDS["2-0"], ["2-1", "2-2"]),
    "ground-region-g1-2-2": ground("2-2", "region", CARDS["2-2"], ["2-0", "2-1"], abandoned=True),
    "ground-region-g1-2-7": ground("2-7", "region", (605, 80, 635, 380), ["2-0"]),
    "outcome-element-1-0": outcome("0", "element", BUTTONS["0"]),
    "outcome-region-g1-2-1": outcome("2-1", "region", SECOND_FIX),
}
MOVED = {"ground-element-1-1": (98, 8, 162, 52)}  # by a person, for the question alone
KEPT = ["ground-element-1-0", "ground-element-1-1", "ground-region-g1-2-0", "outcome-element-1-0"]
KEPT += ["outcome-region-g1-2-1"]


def documents(screen: str) -> Iterator[tuple[Kind, str, StrictModel, str, str]]:
    """All that is known of a screen: documents with their author and time, in the order of writing."""
    made, first, second = "2026-02-01T10:00:00+00:00", "2026-02-03T09:30:00+00:00", "2026-02-05T16:45:10+00:00"
    for node, one in REGIONS.items():
        yield Kind.REGION, f"{screen}/{node}", one, MODEL, made
    proposals = [
        Proposal(whole=Proposed(box=box(0, 0, *SIZE)), children=[Proposed(box=box(0, 0, 640, 100), type="bar")]),
        Proposal(
            whole=Proposed(box=box(0, 0, *SIZE), description="a shop"),
            children=[Proposed(box=REGIONS[name].box, type=REGIONS[name].type) for name in ("1-0", "1-1")],
            accepted=True,
        ),
    ]
    yield Kind.DIVISION, f"{screen}/0-0", Division(proposals=proposals, selected=1, by=MODEL), MODEL, made
    yield Kind.DIVISION, f"{screen}/1-0", Division(reason="no answer could be used", by=MODEL), MODEL, made
    for corners, when in ((FIRST_FIX, first), (SECOND_FIX, second)):
        fixed = REGIONS["2-1"].model_copy(update={"box": box(*corners)})
        yield Kind.REGION, f"{screen}/2-1", fixed, "person:ann", when
    retold = Retelling(
        box=box(*SECOND_FIX),
        description="A card, told anew",
        functionality="Sells the second thing",
        rationale="smaller",
        by=MODEL,
    )
    yield Kind.RETELLING, f"{screen}/2-1", retold, MODEL, "2026-02-06T08:00:00+00:00"
    for node in CARDS:
        said = RegionType(type="Card / Item List", confidence=0.9, by=MODEL)
        yield Kind.TYPE, f"{screen}/{node}", said, MODEL, made
    other = RegionType(type="Other", subtype="Row of buttons", confidence=0.5, inherited="0-0", by=MODEL)
    yield Kind.TYPE, f"{screen}/1-0", other, MODEL, made
    no = Validation(contextual=True, purposeful=False, truthful=True, rejected=True, note="does nothing")
    yield Kind.VALIDATION, f"{screen}/2-7", no, "person:ann", second
    found = [Detected(id=name, box=box(*corners), role="button", text=f"T{name}") for name, corners in BUTTONS.items()]
    found.append(Detected(id="4", box=box(300, 10, 420.25, 50), role="text", text="Shop", interactive=False))
    yield Kind.ELEMENTS, screen, Elements(source="vision", elements=found), "elements", made
    yield Kind.ELEMENT_GROUPS, screen, Groups(groups=[ELEMENT_GROUP], by=MODEL), MODEL, made
    yield Kind.REGION_GROUPS, screen, Groups(groups=[REGION_GROUP], by=MODEL), MODEL, made
    for name, one in QUESTIONS.items():
        yield Kind.QUESTION, f"{screen}/{name}", one, MODEL, made
    for name, place in MOVED.items():
        by_hand = QUESTIONS[name].model_copy(update={"box": box(*place)})
        yield Kind.QUESTION, f"{screen}/{name}", by_hand, "person:ann", second


def add_screen(project: Project, name: str, suffix: str = ".png", shade: int = 230, **more: Any) -> None:
    data = picture(suffix, shade)
    image = f"media/{name}{suffix}"
    (project.folder / image).parent.mkdir(parents=True, exist_ok=True)
    (project.folder / image).write_bytes(data)
    shot = Shot(
        image=image,
        digest=digest_bytes(data),
        width=SIZE[0],
        height=SIZE[1],
        platform="web",
        source=f"{name} file",
        **more,
    )
    project.ledger.documents.write([DocumentDraft(Kind.SCREEN, name, plain(shot), "init", name)])


def fill(project: Project, name: str) -> None:
    project.ledger.documents.write(
        [
            DocumentDraft(kind, subject, plain(one), by, name, created=when)
            for kind, subject, one, by, when in documents(name)
        ]
    )


def given(*states: ScreenState) -> States:
    """These states as they are, for who exports them."""
    by_id = {one.id: one for one in states}
    return lambda ids: [by_id[name] for name in (by_id if ids is None else ids) if name in by_id]


@contextmanager
def shop(folder: Path) -> Iterator[Project]:
    """Two screens with everything, one of them a JPEG with a slash in its name, and one that was put aside."""
    create_project(folder, None, name="shop", licence="CC0-1.0", synthetic=True)
    with open_project(folder) as project:
        add_screen(project, "shop")
        fill(project, "shop")
        add_screen(project, "more/mail", ".jpg", shade=120)
        fill(project, "more/mail")
        add_screen(project, "aside", shade=10)
        aside = Selection(on=False, why="no look-alikes")
        project.write("aside", [Change(Kind.SELECTION, "aside", aside)], "select")
        yield project
