"""Which pictures the screens of a project have, by screen and by content."""

import threading
from pathlib import Path

from pydantic import ValidationError

from affordance.author.project import Project
from affordance.author.records import Kind, Shot
from affordance.core.digest import digest_file
from affordance.ledger import Revision
from affordance.studio.feed import Feed

TYPES = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}  # what browsers show as it is


class NoPicture(Exception):
    """There is none, or not any more; one line for whoever asked. `status` is that of HTTP."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Shots:
    """Kept up to date from what is written, also by others. Safe to share between threads."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._lock = threading.Lock()
        self._feed = Feed(project.ledger, (Kind.SCREEN,))
        self._begun = False  # whether anything was read yet
        self._by_screen: dict[str, Shot] = {}
        self._by_digest: dict[str, Shot] = {}
        self._seen: dict[str, tuple[int, int, int]] = {}  # by digest: the file as it was when its content was right

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
            raise NoPicture(404, "no screen of the project has this picture")
        return found

    def file(self, shot: Shot) -> Path:
        """Where the picture lies: inside the project, and with the content that it had when it was added."""
        path = (self._project.folder / shot.image).resolve()
        if not path.is_relative_to((self._project.folder / "media").resolve()):
            raise NoPicture(404, "the picture of this screen is not inside the project")
        try:
            stat = path.stat()
            known = stat.st_ino, stat.st_size, stat.st_mtime_ns
            if self._seen.get(shot.digest) != known:
                if digest_file(path) != shot.digest:
                    raise NoPicture(410, f"{shot.image} is not the picture any more that was added; put it back")
                self._seen[shot.digest] = known
        except OSError as error:
            raise NoPicture(410, f"{shot.image} cannot be read: {error.strerror}; put it back") from None
        return path

    def _refresh(self) -> None:
        with self._lock:
            known: list[Revision] = []
            if not self._begun:
                self._feed.skip()
                known = self._project.ledger.documents(kind=Kind.SCREEN)
                self._begun = True
            for one in (*known, *self._feed.news()):
                try:
                    shot = Shot.model_validate(dict(one.document))
                except ValidationError:  # the list of screens says so
                    continue
                self._by_screen[one.subject] = self._by_digest[shot.digest] = shot
