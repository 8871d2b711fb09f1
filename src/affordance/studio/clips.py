"""Clips for pages: the list of them, and their frames as films and filmstrips."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from affordance import media
from affordance.author.clip_records import Recording
from affordance.author.project import PERSON, Project, is_person
from affordance.author.records import Kind
from affordance.core.errors import MediaError
from affordance.core.media_spec import ImageSpec
from affordance.core.sequences import evenly_spaced
from affordance.ledger import DocumentRevision
from affordance.studio.entries import entry
from affordance.studio.feed import Feed
from affordance.studio.grounds import NoGround
from affordance.studio.index import by_number
from affordance.studio.originals import NoPicture, Originals
from affordance.studio.reels import pack_reel

THUMBNAILS = 24  # of a filmstrip
THUMBNAIL = 160  # pixels of the longer side
_MEMORY_BYTES = 64 << 20
_LONGEST_CONTEXT = 200  # characters of it that the list has
NEEDED = ("start_frame", "end_frame", "regions", "context")  # what a clip has to have said of it


class NoClip(NoGround):
    def __init__(self, clip: str) -> None:
        super().__init__(f"there is no clip {clip[:80]!r} in the project; the list of clips has those that are")


class Clips:
    """Kept up to date from what is written, also by others. Safe to share between threads."""

    def __init__(self, project: Project, originals: Originals, cache: Path) -> None:
        self._project = project
        self._originals = originals
        self._lock = threading.Lock()
        self._feed = Feed(project.ledger, (Kind.CLIP,))
        self._begun = False  # whether anything was read yet
        self._rows: dict[str, dict[str, Any]] = {}
        self._order: list[str] = []
        self._by_digest: dict[str, Recording] = {}
        self._files: dict[str, Path] = {}
        self._darkroom = media.RenderCache(cache / "pictures", self._files, memory_bytes=_MEMORY_BYTES)
        # Of their own: to render a film takes seconds, and nobody who saves waits for it.
        self.workers = ThreadPoolExecutor(2, thread_name_prefix="films")

    def rows(self) -> tuple[int, list[dict[str, Any]]]:
        """The newest revision that is in them, and a row for each clip, in the order in which people count."""
        with self._lock:
            self._refresh()
            if len(self._order) < len(self._rows):
                self._order = sorted(self._rows, key=by_number)
            return self._feed.last, [self._rows[clip] for clip in self._order]

    def view(self, clip: str) -> dict[str, Any]:
        """A clip as its page is given it. Raises `NoClip`, or `NoPicture` where its video is not what it was."""
        last = self._project.ledger.documents.last_revision_id()  # first: what is written meanwhile is news
        found = self._project.ledger.documents.get_many([(Kind.CLIP, clip)])
        if not found:
            raise NoClip(clip)
        recording = Recording.model_validate(dict(found[0].document))
        frames = self._frames(recording)
        width, height = frames.size
        film = {"rate": str(frames.rate), "frames": len(frames.specs), "width": width, "height": height}
        return {
            "id": clip,
            "last": last,
            "documents": [entry(one) for one in found],
            "film": {**film, "indexes": frames.frame_indexes},
        }

    def film(self, digest: str) -> bytes:
        """All frames, as a reel. Takes as long as decoding and encoding them, once."""
        frames = self._frames(self._of_content(digest))
        return pack_reel(self._rendered(frames.specs), frames.rate)

    def strip(self, digest: str) -> bytes:
        """Some small frames, evenly over the clip, as a reel whose rate is that of these."""
        frames = self._frames(self._of_content(digest)).specs
        some = [replace(frames[place], max_side=THUMBNAIL) for place in evenly_spaced(len(frames), THUMBNAILS)]
        return pack_reel(self._rendered(some), Fraction(1))

    def close(self) -> None:
        self.workers.shutdown(wait=False, cancel_futures=True)

    def _frames(self, recording: Recording) -> media.PreviewFrames:
        self._files[recording.digest] = path = self._originals.file(recording.video, recording.digest, "video")
        try:
            return media.preview_frames(media.probe(path), recording.digest)
        except MediaError:
            raise NoPicture(410, f"{recording.video} cannot be read as a video; put it back") from None

    def _rendered(self, pictures: Sequence[ImageSpec]) -> list[bytes]:
        try:
            return self._darkroom.get(pictures)
        except MediaError as error:
            raise NoPicture(410, f"the video cannot be read to its end: {Path(str(error)).name}") from None

    def _of_content(self, digest: str) -> Recording:
        with self._lock:
            if digest not in self._by_digest:
                self._refresh()
            found = self._by_digest.get(digest)
        if found is None:
            raise NoPicture(404, "no clip of the project has this video")
        return found

    def _refresh(self) -> None:
        known: list[DocumentRevision] = []
        if not self._begun:
            self._feed.skip()
            known = self._project.ledger.documents.latest(kind=Kind.CLIP)
            self._begun = True
        for one in (*known, *self._feed.news()):
            try:
                recording = Recording.model_validate(dict(one.document))
            except ValidationError:
                self._rows[one.subject] = {"id": one.subject, "unreadable": True}
                continue
            self._by_digest[recording.digest] = recording
            self._rows[one.subject] = _row(recording, one)


def standing_of(recording: Recording) -> str:
    if recording.aside:
        return "aside"
    if recording.flags:
        return "flagged"
    return "done" if recording.done else "open"


def _row(recording: Recording, revision: DocumentRevision) -> dict[str, Any]:
    context = " ".join((recording.context or "").split())
    return {
        "id": recording.id,
        "standing": standing_of(recording),
        "missing": [name for name in NEEDED if getattr(recording, name) in (None, [], "")],
        "seconds": round(float(recording.frames / Fraction(recording.rate)), 2),
        "platform": recording.platform or "",
        "context": context[:_LONGEST_CONTEXT],
        "purpose": recording.purpose or "",
        "by": revision.author.removeprefix(PERSON) if is_person(revision.author) else "",
    }
