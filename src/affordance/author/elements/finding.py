"""The stage that finds the elements of a screen and which of them look alike."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affordance.author.elements.alike import Candidate, group_elements
from affordance.author.elements.looks import look
from affordance.author.elements.omniparser import find_file, read_elements
from affordance.author.elements.validity import invalid, rejections
from affordance.author.elements.vision import see_elements
from affordance.author.groups.dating import made_of
from affordance.author.records import Detected, Elements, Groups, Kind, Member
from affordance.author.screens.pixels import pixels_of
from affordance.author.state import Change, ScreenState
from affordance.author.tools import NotThere, Result, Tools
from affordance.core.errors import UnknownName, UserError
from affordance.core.geometry import CoordinateSpace
from affordance.datasets import Element

SOURCES = ("auto", "dom", "omniparser", "vision")
MOST = 3000  # elements of a screen that are compared with each other

Source = Literal["dom", "omniparser", "vision"]

# The names of these stand beside them, if anywhere: what is seen of two says nothing about their names.
_NAMED_BESIDE = frozenset({"checkbox", "radio", "switch", "slider", "textbox", "searchbox", "combobox", "spinbutton"})
_SQUARE = 1.6  # an element whose sides differ by less has room for a picture and not for its name


async def find_elements(tools: Tools, screen: ScreenState) -> Result:
    """The elements and the look-alike groups of a screen. Settings: `source` (auto, dom, omniparser, vision),
    `descriptor` (an ONNX file; built in without one), `likeness` (from where on two look alike)."""
    return await asyncio.to_thread(_found, tools, screen)


def _found(tools: Tools, screen: ScreenState) -> Result:
    image = pixels_of(screen)
    source, elements, notes = _elements(tools, screen, image)
    reasons = invalid(elements, image)
    usable = [one for index, one in enumerate(elements) if index not in reasons]
    if len(usable) > MOST:
        notes.append(f"only the first {MOST} of {len(usable)} elements are compared with each other")
        usable = usable[:MOST]
    if reasons:
        notes.append(f"{len(reasons)} of {len(elements)} elements can be in no group")
    groups = _groups(tools, screen, image, source, usable)
    found = Elements(source=source, elements=elements, notes=notes)
    rejected = [*rejections(elements, reasons), *groups.rejected]
    groups = groups.model_copy(update={"rejected": rejected, "of": made_of(found, groups.groups)})
    return Result(
        changes=[
            Change(Kind.ELEMENTS, screen.id, found),
            Change(Kind.CANDIDATES, screen.id, groups),
        ],
        notes=notes,
    )


def _elements(tools: Tools, screen: ScreenState, image: NDArray[np.uint8]) -> tuple[Source, list[Detected], list[str]]:
    wanted = tools.settings.get("source", "auto")
    if wanted not in SOURCES:
        raise UnknownName("source of elements", wanted, SOURCES)
    if wanted == "dom" or (wanted == "auto" and screen.captured is not None and screen.captured.elements):
        return "dom", *_known(screen)
    file = find_file(tools.extra, screen.shot) if wanted != "vision" else None
    if file is not None:
        return "omniparser", *read_elements(file, screen.size)
    if wanted == "omniparser":
        where = tools.extra if tools.extra is not None else "no folder given"
        raise NotThere(f"expected a file {Path(screen.shot.image).stem}.json of OmniParser, found none in {where}")
    return "vision", *see_elements(image)


def _known(screen: ScreenState) -> tuple[list[Detected], list[str]]:
    """What the browser knows."""
    if screen.captured is None:
        raise NotThere("expected a captured screen, found a picture only; take elements from another source")
    found: list[Detected] = []
    for element in screen.captured.elements:
        box = element.box.to_space(CoordinateSpace.PIXEL, *screen.size).clip(*screen.size)
        if box is not None:
            found.append(Detected(id=element.id, box=box, role=element.role or "", text=element.name or ""))
    missing = len(screen.captured.elements) - len(found)
    return found, [f"{missing} elements left out: nothing of them is on the screen"] if missing else []


def _groups(
    tools: Tools, screen: ScreenState, image: NDArray[np.uint8], source: Source, usable: Sequence[Detected]
) -> Groups:
    known = {one.id: one for one in screen.captured.elements} if source == "dom" and screen.captured else {}
    candidates = [Candidate(one, _written(one, source), _member(one, known)) for one in usable]
    descriptor = tools.settings.get("descriptor", "")
    sight = look(
        image,
        [one.box for one in usable],
        [one.written for one in candidates],
        roles=[one.role for one in usable] if source == "dom" else None,  # of others it is a guess from the looks
        model=Path(descriptor) if descriptor else None,
        least=_likeness(tools.settings),
    )
    return group_elements(candidates, sight, screen.id, tools.seed)


def _written(element: Detected, source: Source) -> str:
    """What is seen to be written on an element. The browser knows names, which need not be."""
    if source != "dom":
        return element.text
    wide, high = element.box.x2 - element.box.x1, element.box.y2 - element.box.y1
    beside = element.role in _NAMED_BESIDE or max(wide, high) < _SQUARE * min(wide, high)
    return "" if beside else element.text


def _member(element: Detected, known: Mapping[str, Element]) -> Member:
    told = known.get(element.id)
    if told is None:
        return Member(id=element.id, box=element.box)
    return Member(
        id=element.id, box=element.box, description=told.description or "", functionality=told.functionality or ""
    )


def _likeness(settings: Mapping[str, str]) -> float | None:
    text = settings.get("likeness", "")
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise UserError(f"likeness: expected a number from 0 to 1, found {text!r}")
    return number
