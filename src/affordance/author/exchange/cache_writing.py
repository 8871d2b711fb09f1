"""Writing a project in the published cache layout: `cache/NAMESPACE/MODEL/VERSION/IMAGE` with the tree, the nodes and
what people and models said of them later, and beside it OmniParser's output and the questions about elements."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from affordance.author.exchange.cache_elements import ElementFiles
from affordance.author.exchange.cache_nodes import (
    Place,
    corrected_record,
    day,
    node_record,
    retelling_record,
    type_record,
)
from affordance.author.exchange.files import (
    copy_picture,
    drawn,
    empty_folder,
    file_name,
    image_id,
    seen,
    write_json,
)
from affordance.author.exchange.kept import extra, going
from affordance.author.exchange.numbering import numbered
from affordance.author.exchange.results import IMPORTED, IMPORTED_PERSON, PUBLISHED, Exported, Past, States, Version
from affordance.author.project import is_person
from affordance.author.records import Division, Kind, Region, Retelling
from affordance.author.state import ScreenState
from affordance.core.errors import MediaError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.media_spec import ImageSpec
from affordance.core.model_name import without_base_url

_UNSAFE = re.compile(r"[^\w.-]+")
NEVER = "1970-01-01T00:00:00+00:00"  # when something happened of which nobody knows when


@dataclass(frozen=True, slots=True)
class Layout:
    """The three names above an image in the cache."""

    namespace: str = "affordance"
    model: str = "affordance"
    version: str = "v3"


def write_cache(states: States, folder: Path, past: Past, layout: Layout = Layout()) -> Exported:  # noqa: B008
    """Write all selected screens into a new or empty folder. Times are those of the revisions, so that the same project
    gives the same bytes."""
    told = Exported()
    screens = going(states, told)
    empty_folder(folder)
    elements = ElementFiles(folder / file_name(layout.namespace), told)
    for state in _once(screens, told):
        try:
            _Writer(*numbered(state, past), folder, layout, told).write()
        except MediaError as error:
            told.omit(state.id, f"screen without a usable picture: {error}")
            continue
        elements.add(state)
        told.counts["screens"] += 1
    elements.write()
    return told


def _once(states: Iterable[ScreenState], told: Exported) -> Iterator[ScreenState]:
    """Two screens of one path would overwrite each other: the first is kept."""
    taken: dict[str, str] = {}
    for state in states:
        if taken.setdefault(image := image_id(state), state.id) == state.id:
            yield state
        else:
            told.omit(state.id, f"screen of the same image id as {taken[image]}: {image}")


def time_of(version: Version) -> str:
    """When it was made; what was imported says so itself."""
    kept = extra(version.document, PUBLISHED).get("time")
    return kept if version.author in (IMPORTED, IMPORTED_PERSON) and isinstance(kept, str) else version.when


@dataclass(frozen=True, slots=True)
class _Writer:
    state: ScreenState
    past: Past
    folder: Path
    layout: Layout
    told: Exported

    @property
    def home(self) -> str:
        """The folder of the screen, in the cache."""
        names = (self.layout.namespace, self.layout.model, self.layout.version)
        return "/".join([*map(file_name, names), image_id(self.state)])

    def write(self) -> None:
        """Raises a `MediaError` before anything is written."""
        state, place = self.state, self.folder / "cache" / self.home
        crops = self._crops()
        where = Place(f"images/{image_id(state)}.png", self.home)
        if seen(state).format.name == "png":
            copy_picture(state, place, "root")
        else:
            (root,) = drawn(state, ImageSpec(state.shot.digest))
            place.mkdir(parents=True)
            (place / "root.png").write_bytes(root)
        tree = {node: self._node(node, where, place / "nodes") for node in state.regions}
        write_json(place / "tree.json", tree)
        write_json(place / "stack.json", [])
        for node, data in crops.items():
            (place / "nodes" / f"{node}.png").write_bytes(data)
        self.told.counts["regions"] += len(tree)

    def _versions(self, kind: Kind, node: str, current: Region | Retelling | None) -> Sequence[Version]:
        found = self.past(self.state.id, kind, node)
        return found or ([] if current is None else [Version(current, "", NEVER)])

    def _node(self, node: str, where: Place, nodes: Path) -> dict[str, object]:
        state = self.state
        original, corrections = _original(self._versions(Kind.REGION, node, state.regions[node]))
        region = original.document
        assert isinstance(region, Region)
        divisions = self.past(state.id, Kind.DIVISION, node)
        division = divisions[-1].document if divisions else None
        assert division is None or isinstance(division, Division)
        parent = None if region.parent is None else self._original_box(region.parent)
        record = node_record(state, node, where, region, parent, division, time_of(original))
        name = _name(original, f"{node}.json")
        write_json(nodes / name, record)
        fixes = [fix for fix in corrections if isinstance(fix.document, Region)]
        last = None
        for last, version in self._latest(fixes, name.removesuffix(".json") + "_fix{day}.json"):
            assert isinstance(version.document, Region)
            write_json(nodes / last, corrected_record(record, state, version.document, time_of(version)))
            self.told.counts["corrections"] += 1
        self._said_later(node, nodes, name, last)
        return record

    def _original_box(self, node: str) -> Box:
        region = _original(self._versions(Kind.REGION, node, self.state.regions[node]))[0].document
        assert isinstance(region, Region)
        return region.box

    def _said_later(self, node: str, nodes: Path, meta: str, correction: str | None) -> None:
        """The type, retellings and validation of a node."""
        state = self.state
        if (said := state.types.get(node)) is not None:
            versions = self.past(state.id, Kind.TYPE, node) or [Version(said, "", NEVER)]
            write_json(nodes / f"{node}_region-type.json", type_record(said, time_of(versions[-1])))
            self.told.counts["types"] += 1
        names = {
            "namespace": self.layout.namespace,
            "model": self.layout.model,
            "version": self.layout.version,
            "correction": correction,
            "meta": f"{self.home}/nodes/{meta}",
        }
        found = re.search(r"_fix(\d{8})\.json$", correction or "")
        date = found[1] if found is not None else "{day}"
        versions = self._versions(Kind.RETELLING, node, state.retellings.get(node))
        for name, version in self._latest(versions, f"{node}_meta_reannotated{date}_{{by}}.json"):
            assert isinstance(version.document, Retelling)
            write_json(nodes / name, retelling_record(state, node, version.document, names, time_of(version)))
            self.told.counts["retellings"] += 1
        if (checked := state.validations.get(node)) is not None:
            write_json(nodes / f"{node}_validation.json", checked.model_dump(mode="json", exclude_unset=True))

    def _latest(self, versions: Sequence[Version], pattern: str) -> Iterator[tuple[str, Version]]:
        """The versions by their file names, which tell no more than the day: the last of it is kept, as published."""
        named: dict[str, Version] = {}
        for version in versions:
            by = getattr(version.document, "by", "") or version.author or "affordance"
            name = pattern.format(day=day(time_of(version)), by=_model_name(by))
            named.pop(name := _name(version, name), None)
            named[name] = version
        if len(named) < len(versions):
            more = len(versions) - len(named)
            self.told.notes.append(f"{self.state.id}: {more} earlier versions of a day are not in the export")
        yield from named.items()

    def _crops(self) -> dict[str, bytes]:
        """Of the boxes as they were before anybody corrected them, which is what the records speak of."""
        state = self.state
        inner = [node for node, region in state.regions.items() if region.parent is not None]
        boxes = {node: self._original_box(node) for node in inner}
        whole = {
            node: inside
            for node, box in boxes.items()
            if (inside := box.to_space(CoordinateSpace.PIXEL, *state.size).clip(*state.size)) is not None
            and inside.x2 - inside.x1 >= 1
            and inside.y2 - inside.y1 >= 1
        }
        pictures = drawn(state, *(ImageSpec(state.shot.digest, crop=box) for box in whole.values()))
        return dict(zip(whole, pictures, strict=True))


def _original(versions: Sequence[Version]) -> tuple[Version, Sequence[Version]]:
    """What was there before people corrected it, and their corrections since."""
    others = [place for place, one in enumerate(versions) if not is_person(one.author)]
    first = others[-1] if others else 0
    return versions[first], versions[first + 1 :]


def _model_name(by: str) -> str:
    """Who it was, for the name of a file: a model without its provider and address."""
    return _UNSAFE.sub("-", without_base_url(by).rpartition(":")[2]).strip("-") or "affordance"


def _name(version: Version, otherwise: str) -> str:
    """The file that it was published in, if it was."""
    kept = extra(version.document, PUBLISHED).get("file")
    known = version.author in (IMPORTED, IMPORTED_PERSON) and isinstance(kept, str)
    return kept if known and file_name(str(kept)) == kept else otherwise
