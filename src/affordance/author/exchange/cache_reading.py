"""Reading the published cache layout: every folder with a tree in it is a screen.

Whatever is wrong is put right where that is certain, and told, or else the node or the screen is left out, and told.
Nothing outside of the given folder is read: paths in the files are of other machines, and are not followed."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from affordance import media
from affordance.author.exchange.cache_elements_reading import read_elements
from affordance.author.exchange.cache_records import (
    UNCLASSIFIED,
    is_failed,
    iso,
    read_division,
    read_node,
    read_retelling,
    read_type,
)
from affordance.author.exchange.cache_tree import NODE, parents_of
from affordance.author.exchange.files import given_folder, read_json, within
from affordance.author.exchange.fit import Fit
from affordance.author.exchange.kept import extra
from affordance.author.exchange.results import CACHED, IMPORTED, IMPORTED_PERSON, PUBLISHED, Imported, ReadScreen, Step
from affordance.author.records import Kind, Region, Validation
from affordance.author.state import Change
from affordance.core.errors import DataError, MediaError
from affordance.core.validation import StrictModel, format_validation_error
from affordance.datasets.published.screen_builder import image_stem

TREE, NODES = "tree.json", "nodes"
_ROOTS = ("root.png", "root.jpg", "root.jpeg", "root.webp", "root.bmp")
_FILES = {
    "node": re.compile(rf"({NODE})(_meta)?\.json"),
    "fix": re.compile(rf"({NODE})(_meta)?_fix(\d*)\.json"),
    "retelling": re.compile(rf"({NODE})_meta_reannotated(\d*)_?(.*)\.json"),
    "type": re.compile(rf"({NODE})_region-type\.json"),
    "validation": re.compile(rf"({NODE})_validation\.json"),
    "crop": re.compile(rf"({NODE})\.(?:png|jpe?g|webp|bmp)", re.IGNORECASE),
}


def read_cache(folder: Path) -> Imported:
    """All screens below a folder, which may be the cache, the folder that holds it, or that of one screen."""
    told = Imported()
    seen: dict[str, str] = {}
    given_folder(folder)
    for place in _places(folder):
        name = place.relative_to(folder).as_posix()
        try:
            screen = _Reader(folder, place, told).screen()
        except (ValueError, OSError, MediaError) as error:
            told.omit(name, f"screen: {error}")
            continue
        if screen.id in seen:
            first = f"{seen[screen.id]} has the image id {screen.id} too"
            told.omit(name, f"screen: {first}; import what one model made of one benchmark at a time")
            continue
        seen[screen.id] = name
        told.screens.append(screen)
    if not told.screens and not told.left_out:
        raise DataError(f"expected folders with {TREE} and {NODES}, found none; is it the right folder?", folder)
    read_elements(folder, told)
    told.screens.sort(key=lambda one: one.id)
    return told


def _places(folder: Path) -> Iterator[Path]:
    """Folders of screens. Links are not followed."""
    for at, folders, files in os.walk(folder):
        folders.sort()
        if TREE in files or (NODES in folders and any(root in files for root in _ROOTS)):
            folders[:] = [one for one in folders if one != NODES]
            yield Path(at)


@dataclass(slots=True)
class _Reader:
    folder: Path
    place: Path
    told: Imported
    id: str = ""
    size: tuple[int, int] = (0, 0)
    files: dict[str, list[tuple[str, re.Match[str]]]] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)  # files of no known form
    steps: list[Step] = field(default_factory=list)

    def screen(self) -> ReadScreen:
        image = self._image()
        clip = media.probe(image)
        self.size = (clip.width, clip.height)
        records, names = self._records()
        where = self.place.relative_to(self.folder).as_posix()
        self.id = _image_id(records, where if where != "." else self.place.resolve().name)
        regions = self._regions(records, names)
        for node in regions:
            self._corrections(node, regions, records.get(node, {}))
        for node in regions:
            self._said_later(node, regions)
        self._odd_files(regions, records)
        return ReadScreen(self.id, image, self.size, f"{CACHED}{self.id}", steps=tuple(self.steps))

    def _image(self) -> Path:
        found = next((name for name in _ROOTS if (self.place / name).is_file()), None)
        if found is None:
            raise ValueError(f"expected its picture {_ROOTS[0]}, found none")
        return within(self.folder, (self.place / found).relative_to(self.folder).as_posix())

    def _note(self, what: str) -> None:
        self.told.notes.append(f"{self.id or self.place.relative_to(self.folder).as_posix()}: {what}")

    def _json(self, path: Path) -> Any:
        try:
            return read_json(self.folder, path)
        except (ValueError, OSError) as error:
            self.told.omit(path.relative_to(self.folder).as_posix(), f"file that cannot be read: {error}")
            return None

    def _records(self) -> tuple[dict[str, Mapping[str, Any]], dict[str, str]]:
        """What is said of each node first, and the file that says it. Files of nodes come before the tree, which is
        made of them."""
        nodes = self.place / NODES
        for name in sorted(one.name for one in nodes.iterdir()) if nodes.is_dir() else ():
            for kind, pattern in _FILES.items():
                if (match := pattern.fullmatch(name)) is not None:
                    self.files.setdefault(kind, []).append((name, match))
                    break
            else:
                self.others.append(name)
        records: dict[str, Mapping[str, Any]] = {}
        names: dict[str, str] = {}
        for name, match in self.files.get("node", ()):
            found = self._json(nodes / name)
            if isinstance(found, dict):
                records[match[1]], names[match[1]] = found, name
            elif found is not None:
                self.told.omit(f"{self.place.relative_to(self.folder).as_posix()}/{NODES}/{name}", "node: no object")
        tree = self._json(self.place / TREE) if (self.place / TREE).is_file() else {}
        for node, found in tree.items() if isinstance(tree, dict) else ():
            if not re.fullmatch(NODE, node):
                self._note(f"{node[:40]!r} in {TREE} is no node id (LEVEL-NUMBER), and is left out")
            elif node not in records and isinstance(found, dict):
                records[node] = found
        if not records:
            raise ValueError("expected nodes in its tree, found none")
        return records, names

    def _regions(self, records: Mapping[str, Mapping[str, Any]], names: Mapping[str, str]) -> dict[str, Region]:
        """The first version of each node with its division; parents before children."""
        read: dict[str, Region] = {}
        for node, record in records.items():
            notes: list[str] = []
            region = read_node(record, Fit(self.size, notes, _stated(record)), _other_name(node, names.get(node)))
            if isinstance(region, str):
                self.told.omit(f"{self.id}/{node}", f"node: {region}")
                continue
            for note in notes:
                self._note(f"node {node}: {note}")
            read[node] = region
        if any(is_failed(record) for record in records.values()):
            failed = sum(is_failed(record) for record in records.values())
            self._note(f"{failed} nodes were never told, since no model answered")
        tree = parents_of(records, read, self.size)
        for node, reason in tree.left_out.items():
            self.told.omit(f"{self.id}/{node}", f"node: {reason}")
        for note in tree.notes:
            self._note(note)
        regions = {
            node: tree.regions[node].model_copy(update={"parent": above}) for node, above in tree.parents.items()
        }
        for node, region in regions.items():
            record = records.get(node, {})
            self._step(Kind.REGION, node, region, IMPORTED, iso(record.get("timestamp")))
            division = read_division(record, region)
            if division is not None:
                self._step(Kind.DIVISION, node, division, IMPORTED, iso(record.get("timestamp")))
        return regions

    def _corrections(self, node: str, regions: dict[str, Region], original: Mapping[str, Any]) -> None:
        """Each is a version of its own, by a person, the latest by the day in its name being the last."""
        found = []
        for name, match in self.files.get("fix", ()):
            if match[1] != node:
                continue
            path = self.place / NODES / name
            record = self._json(path)
            if not isinstance(record, dict):
                continue
            info = record.get("correction_info")
            at = iso(info.get("corrected_at")) if isinstance(info, dict) else None
            found.append(((match[3], at or "", path.stat().st_mtime, name), name, record, at or _midnight(match[3])))
        for _, name, record, when in sorted(found, key=lambda one: one[0]):
            notes: list[str] = []
            whole = {key: value for key, value in original.items() if not key.startswith("bbox")} | record
            region = read_node(whole, Fit(self.size, notes, _stated(record)), name)
            if isinstance(region, str):
                self.told.omit(f"{self.id}/{node}", f"correction {name}: {region}")
                continue
            for note in notes:
                self._note(f"{name}: {note}")
            corrected = region.model_copy(update={"parent": regions[node].parent})
            if corrected.scores is None and regions[node].scores is not None:
                corrected = corrected.model_copy(update={"scores": regions[node].scores})
            self._step(Kind.REGION, node, corrected, IMPORTED_PERSON, when)
            regions[node] = corrected

    def _said_later(self, node: str, regions: Mapping[str, Region]) -> None:
        nodes = self.place / NODES
        for name, match in self.files.get("retelling", ()):
            if match[1] != node or (found := self._json(nodes / name)) is None:
                continue
            notes: list[str] = []
            told = read_retelling(found, regions[node].box, match[3], Fit(self.size, notes))
            if isinstance(told, str):
                self.told.omit(f"{self.id}/{node}", f"retelling {name}: {told}")
                continue
            for note in notes:
                self._note(f"{name}: {note}")
            when = iso(found.get("timestamp")) or _midnight(match[2])
            self._step(Kind.RETELLING, node, _named(told, name), IMPORTED, when)
        for name, match in self.files.get("type", ()):
            if match[1] != node or (found := self._json(nodes / name)) is None:
                continue
            said = read_type(found)
            if not isinstance(said, str):
                when = iso(found.get("timestamp")) if isinstance(found, dict) else None
                self._step(Kind.TYPE, node, said, IMPORTED, when)
            elif said != UNCLASSIFIED:
                self.told.omit(f"{self.id}/{node}", f"type {name}: {said}")
        for name, match in self.files.get("validation", ()):
            if match[1] != node or (found := self._json(nodes / name)) is None:
                continue
            try:
                self._step(Kind.VALIDATION, node, Validation.model_validate(found), IMPORTED_PERSON, None)
            except ValidationError as error:
                self.told.omit(f"{self.id}/{node}", f"validation {name}: {format_validation_error(error)}")

    def _odd_files(self, regions: Mapping[str, Region], records: Mapping[str, object]) -> None:
        orphans = [name for name, match in self.files.get("crop", ()) if match[1] not in records]
        if orphans:
            self._note(f"{len(orphans)} pictures are of proposals that were not taken, the first {orphans[0]}")
        for kind in ("fix", "retelling", "type", "validation"):
            for name, match in self.files.get(kind, ()):
                if match[1] not in regions:
                    self.told.omit(f"{self.id}/{match[1]}", f"{kind} {name}: there is no such node")
        if self.others:
            self._note(f"{len(self.others)} files have names of no known form, the first {self.others[0][:60]!r}")
        stack = self.place / "stack.json"
        waiting = self._json(stack) if stack.is_file() else []
        if isinstance(waiting, list) and waiting:
            self._note(f"its division was not finished: {len(waiting)} nodes were still to be divided")

    def _step(self, kind: Kind, node: str, document: StrictModel, author: str, when: str | None) -> None:
        if when is not None:
            kept = {**extra(document, PUBLISHED), "time": when}
            document = document.model_copy(update={PUBLISHED: kept})
        # Published times have no zone; the project's are in UTC.
        known = when if when is None or datetime.fromisoformat(when).tzinfo is not None else f"{when}+00:00"
        self.steps.append(Step(Change(kind, f"{self.id}/{node}", document), author, known))


def _image_id(records: Mapping[str, Mapping[str, Any]], where: str) -> str:
    """What comes after `images/` in the path of the picture, if the folder is named so; otherwise the folder's path.
    The names of benchmark, model and version above it are no part of it."""
    for record in records.values():
        path = record.get("root_image_path")
        if not isinstance(path, str) or "images/" not in path:
            continue
        name = image_stem(path.rpartition("images/")[2])
        if where == name or where.endswith(f"/{name}"):
            return name
        break
    parts = where.split("/")
    return "/".join(parts[parts.index("cache") + 4 :]) or where if "cache" in parts else where


def _stated(record: Mapping[str, Any]) -> tuple[int, int] | None:
    found = record.get("root_size(wxh)", record.get("root_size"))
    if isinstance(found, list) and len(found) == 2 and all(isinstance(one, int) and one > 0 for one in found):
        return found[0], found[1]
    return None


def _other_name(node: str, name: str | None) -> str:
    """The name of a node's file where it is not the usual one."""
    return "" if name is None or name == f"{node}.json" else name


def _named(document: StrictModel, file: str) -> StrictModel:
    return document.model_copy(update={PUBLISHED: {**extra(document, PUBLISHED), "file": file}})


def _midnight(digits: str) -> str | None:
    return iso(f"{digits[:4]}-{digits[4:6]}-{digits[6:]}") if len(digits) == 8 else None
