"""Which pictures the screens and pairs of a project have, by screen and by content."""

import threading
from pathlib import Path

from pydantic import ValidationError

from affordance.author.pair_records import Designs
from affordance.author.project import Project
from affordance.author.records import Kind, Shot
from affordance.ledger import DocumentRevision
from affordance.studio.feed import Feed
from affordance.studio.originals import NoPicture, Originals

TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}  # what browsers show as it is
KINDS = (Kind.SCREEN, Kind.PAIR)


class Shots:
    """Kept up to date from what is written, also by others. Safe to share between threads."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._lock = threading.Lock()
        self._feed = Feed(project.ledger, KINDS)
        self._begun = False  # whether anything was read yet
        self._by_screen: dict[str, Shot] = {}
        self._by_digest: dict[str, Shot] = {}
        self._originals = Originals(project)

    def of_screen(self, screen: str) -> Shot:
        if screen not in self._by_screen:
            self._refresh()
        if (found := self._by_screen.get(screen)) is None:
            raise NoPicture(404, f"there is no screen {screen[:80]!r} in the project")
        return found

    def of_content(self, digest: str) -> Shot:
        if digest not in self._by_digest:
            self._refresh()
        if (found := self._by_digest.get(digest)) is None:
            raise NoPicture(404, "no screen or pair of the project has this picture")
        return found

    def file(self, shot: Shot) -> Path:
        """Where the picture lies: inside the project, and with the content that it had when it was added."""
        return self._originals.file(shot.image, shot.digest, "picture")

    def _refresh(self) -> None:
        with self._lock:
            known: list[DocumentRevision] = []
            if not self._begun:
                self._feed.skip()
                known = [one for kind in KINDS for one in self._project.ledger.documents.latest(kind=kind)]
                self._begun = True
            for one in (*known, *self._feed.news()):
                try:
                    found = _pictures(one)
                except ValidationError:  # the list of screens or pairs says so
                    continue
                self._by_digest.update((shot.digest, shot) for shot in found)
                if one.kind == Kind.SCREEN:
                    self._by_screen[one.subject] = found[0]


def _pictures(revision: DocumentRevision) -> list[Shot]:
    document = dict(revision.document)
    if revision.kind == Kind.SCREEN:
        return [Shot.model_validate(document)]
    pair = Designs.model_validate(document)
    return [
        Shot(image=image, digest=digest, width=size[0], height=size[1])
        for image, digest, size in zip(pair.images, pair.digests, pair.sizes, strict=True)
    ]
