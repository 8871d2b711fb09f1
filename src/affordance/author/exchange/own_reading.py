"""Reading our own datasets into a project: the screens with what is known of them, and the questions about them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from affordance.author.exchange.files import given_folder, within
from affordance.author.exchange.own_parts import Part, in_pixels, named, parts_of, places_of
from affordance.author.exchange.results import IMPORTED, IMPORTED_PERSON, Imported, ReadScreen, Step
from affordance.author.records import (
    REGION_NAME,
    ROOT,
    Choice,
    Detected,
    Elements,
    Group,
    Groups,
    Kind,
    Member,
    QuestionRecord,
    Region,
    RegionType,
    Texts,
)
from affordance.author.state import Change
from affordance.core.errors import DataError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.validation import StrictModel, format_validation_error
from affordance.datasets import ChoiceItem, Screen, expand_spec
from affordance.datasets import Element as WrittenElement
from affordance.datasets import Region as WrittenRegion
from affordance.datasets import Target as WrittenTarget
from affordance.datasets.dataset import ReadResult
from affordance.datasets.folder import read_native


def read_datasets(folder: Path) -> Imported:
    """The screens of a dataset, or of a folder that holds it beside one of choice questions. Items that cannot be used
    are left out; questions about screens that are not among them too."""
    given_folder(folder)
    told = Imported()
    readings = [read_native(Path(one)) for one in expand_spec(str(folder))]
    by_kind = {one.header.kind: one for one in readings}
    if "screen" not in by_kind:
        raise DataError(f"expected a dataset of screens to import, found {', '.join(sorted(by_kind))}", folder)
    asked: dict[str, list[ChoiceItem]] = {}
    for item in _items(by_kind.get("choice"), told):
        if isinstance(item, ChoiceItem):
            asked.setdefault(str((item.model_extra or {}).get("screen", "")), []).append(item)
    screens = by_kind["screen"]
    for item in _items(screens, told):
        if isinstance(item, Screen):
            _read_screen(item, asked.pop(item.id, []), screens, told)
    for screen, questions in asked.items():
        for one in questions:
            told.omit(one.id, f"question about a screen that is not there: {screen or 'it names none'}")
    return told


def _items(reading: ReadResult | None, told: Imported) -> Iterator[StrictModel]:
    for entry in () if reading is None else reading.entries:
        if isinstance(entry.item, DataError):
            told.omit(f"{entry.position.path.name}:{entry.position.line}", f"item that cannot be read: {entry.item}")
        else:
            yield entry.item


def _read_screen(item: Screen, asked: list[ChoiceItem], reading: ReadResult, told: Imported) -> None:
    try:
        image = within(reading.root, item.image)
    except ValueError as error:
        told.omit(item.id, f"screen: {error}")
        return
    if not image.is_file():
        told.omit(item.id, f"screen: expected its picture {item.image}, found no such file")
        return
    size = (item.width, item.height)
    found: list[tuple[Kind, str, StrictModel]] = []
    if item.elements:
        found.append((Kind.ELEMENTS, item.id, _elements(item, size)))
    nodes = _nodes(item)
    for region in item.regions:
        found += _region(item, region, nodes, size)
    if item.regions and ROOT not in nodes.values():
        found.append(
            (Kind.REGION, f"{item.id}/{ROOT}", Region(box=Box(CoordinateSpace.PIXEL, 0, 0, *size), dividable=True))
        )
    places = {level: places_of(item, level, size) for level in ("element", "region")}
    for target in item.targets:
        found += _question(item.id, target.id, partial(_grounded, item, target, nodes, places[target.level]), told)
    for one in asked:
        name = one.id.removeprefix(f"{item.id}/").replace("/", "-")
        found += _question(item.id, name, partial(_outcome, one, nodes, size), told)
    parts = {level: parts_of(item, level, nodes) for level in ("element", "region")}
    found += _groups(item, [one for _, _, one in found if isinstance(one, QuestionRecord)], nodes, parts)
    steps = tuple(
        Step(Change(kind, subject, document), IMPORTED_PERSON if _drawn(document, parts) else IMPORTED)
        for kind, subject, document in found
    )
    source = (item.model_extra or {}).get("source")
    told.screens.append(
        ReadScreen(item.id, image, size, source if isinstance(source, str) else "", item.platform, steps)
    )


def _drawn(document: StrictModel, parts: Mapping[str, Mapping[str, Part]]) -> bool:
    """Whether a question has a box of its own. It is then a person's, or else it would be that of its target again."""
    if not isinstance(document, QuestionRecord) or not parts[document.level]:
        return False
    part = parts[document.level].get(document.target)
    return part is None or document.box not in (part.box, part.alike)


def _elements(item: Screen, size: tuple[int, int]) -> Elements:
    captured = any(one.locator is not None for one in item.elements)
    return Elements(
        source="dom" if captured else "vision",
        elements=[
            Detected(id=one.id, box=in_pixels(one.box, size), role=one.role or "", text=one.name or "")
            for one in item.elements
        ],
    )


def _nodes(item: Screen) -> dict[str, str]:
    """The ids of regions as those of nodes; a tree of nodes stays as it is, others are named `LEVEL-NUMBER`. A region
    that is the whole screen and has no parent is the root."""
    parents = {one.id: one.parent for one in item.regions}
    if all(_is_node(name, parents) for name in parents):
        return {name: name for name in parents}
    whole = [one.id for one in item.regions if one.parent is None]
    single = len(whole) == 1
    counts: dict[int, int] = {}
    nodes: dict[str, str] = {}
    for name in parents:
        level, above = 0 if single else 1, parents[name]
        while above is not None:
            level, above = level + 1, parents[above]
        nodes[name] = f"{level}-{counts.setdefault(level, 0)}"
        counts[level] += 1
    return nodes


def _is_node(name: str, parents: Mapping[str, str | None]) -> bool:
    """Nodes are named by level and number, or by the studio where people drew them; the screen itself is one."""
    return REGION_NAME.fullmatch(name) is not None and (parents[name] is None) == (name == ROOT)


def _region(
    item: Screen, region: WrittenRegion, nodes: Mapping[str, str], size: tuple[int, int]
) -> Iterator[tuple[Kind, str, StrictModel]]:
    subject = f"{item.id}/{nodes[region.id]}"
    parent = nodes[region.parent] if region.parent is not None else None
    yield (
        Kind.REGION,
        subject,
        Region(
            box=in_pixels(region.box, size),
            parent=parent if parent is not None or nodes[region.id] == ROOT else ROOT,
            dividable=any(one.parent == region.id for one in item.regions),
            description=Texts(with_context=region.description),
            functionality=Texts(with_context=region.functionality),
        ),
    )
    if region.type is not None:
        subtype = (region.model_extra or {}).get("subtype")
        yield (
            Kind.TYPE,
            subject,
            RegionType(type=region.type, subtype=subtype if isinstance(subtype, str) else "", by=IMPORTED),
        )


def _question(
    screen: str, name: str, make: Callable[[], QuestionRecord | str], told: Imported
) -> Iterator[tuple[Kind, str, StrictModel]]:
    try:
        record = make()
    except ValidationError as error:
        told.omit(f"{screen}/{name}", f"question: {format_validation_error(error)}")
        return
    if isinstance(record, str):
        told.omit(f"{screen}/{name}", f"question: {record}")
        return
    yield Kind.QUESTION, f"{screen}/{name}", record


def _grounded(
    item: Screen, target: WrittenTarget, nodes: Mapping[str, str], places: Mapping[Box, str]
) -> QuestionRecord | str:
    if target.box is None:
        return "its target is no box"
    size = (item.width, item.height)
    box = in_pixels(target.box, size)
    more = target.model_extra or {}
    said = {"functionality": target.functionality, "description": target.description, "intent": target.intent}
    alike = [places[place] for one in target.look_alikes if (place := in_pixels(one, size)) in places]
    return QuestionRecord(
        form="ground",
        level=target.level,
        target=named(more.get("of") or places.get(box) or target.id, target.level, nodes),
        box=box,
        action=target.action,
        group=target.group,
        alike=[named(one, target.level, nodes) for one in alike],
        expressions={kind: text for kind, text in said.items() if text},
        **_beside(more),
    )


def _outcome(item: ChoiceItem, nodes: Mapping[str, str], size: tuple[int, int]) -> QuestionRecord | str:
    if item.target is None or item.level is None:
        return "expected a target and its level, found none"
    more = item.model_extra or {}
    options = [
        Choice(
            text=one.text,
            origin="target" if place in item.answers else "easy" if one.origin == "easy" else "hard",
            of=str((one.model_extra or {}).get("of", "")),
        )
        for place, one in enumerate(item.options)
    ]
    return QuestionRecord(
        form="outcome",
        level=item.level,
        target=named(more.get("of") or item.id, item.level, nodes),
        box=in_pixels(item.target, size),
        action=item.action,
        group=more["group"] if isinstance(more.get("group"), str) else None,
        question=item.question,
        options=options,
        **_beside(more),
    )


def _groups(
    item: Screen,
    records: Sequence[QuestionRecord],
    nodes: Mapping[str, str],
    parts: Mapping[str, Mapping[str, Part]],
) -> Iterator[tuple[Kind, str, StrictModel]]:
    """Look-alikes as far as questions tell of them."""
    told: dict[str, Mapping[str, WrittenElement | WrittenRegion]] = {
        "element": {one.id: one for one in item.elements},
        "region": {nodes[one.id]: one for one in item.regions},
    }
    for level, kind in (("element", Kind.ELEMENT_GROUPS), ("region", Kind.REGION_GROUPS)):
        named: dict[str, dict[str, None]] = {}
        for one in records:
            if one.group is not None and one.level == level:
                named.setdefault(one.group, {}).update(dict.fromkeys([one.target, *one.alike]))
        groups = []
        for name, ids in named.items():
            known = [one for one in sorted(ids) if one in parts[level]]
            if len(known) > 1:
                members = [_member(one, parts[level][one].alike, told[level][one]) for one in known]
                groups.append(Group(id=name, members=members, verified=IMPORTED))
        if groups:
            yield kind, item.id, Groups(groups=groups, by=IMPORTED)


def _member(name: str, box: Box, said: WrittenElement | WrittenRegion) -> Member:
    return Member(id=name, box=box, description=said.description or "", functionality=said.functionality or "")


def _beside(more: Mapping[str, Any]) -> dict[str, Any]:
    return {name: more[name] for name in ("checks", "attributes", "by") if name in more}
