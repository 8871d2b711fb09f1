"""Clips as items of a study: each in the version that it had when the study was made, whatever was changed later."""

from collections.abc import Mapping
from pathlib import Path

from affordance import media
from affordance.author.clip_records import Recording
from affordance.author.project import Project, read_record, read_version
from affordance.author.records import Kind
from affordance.author.study_records import Study
from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.core.geometry import CoordinateSpace
from affordance.datasets import Clip
from affordance.studio.studies.sheets import Block, Film, Slot, Text
from affordance.studio.studies.stamps import Stamps, check_content
from affordance.tasks.motion.cues import UNKNOWN, Cue, cue_fields

SHOWN = ("digest", "start_frame", "end_frame", "regions", "context", "inputs")  # what people see of a clip
_LENGTH = 16  # of a slot's id: enough for all of a study to differ


class ClipItems:
    """Raises a `UserError` where the video of a clip is not what it was."""

    def __init__(self, study: Study, project: Project) -> None:
        if not study.items:
            raise UserError(f"study {study.name}: expected clips of the project, found none; make another study")
        self._study = study
        self._project = project
        versions = study.items.items()
        self.clips = {name: read_version(project.ledger, Kind.CLIP, name, one, Recording) for name, one in versions}
        self._stamps = Stamps(map(self.file, self.clips))
        for name, clip in self.clips.items():
            check_content(study.name, "video", clip.video, self.file(name), clip.digest)

    def slots(self) -> list[Slot]:
        study = self._study
        return [
            Slot(digest(study.form, study.name, name, turn)[:_LENGTH], name, turn)
            for name in sorted(self.clips)
            for turn in range(study.per_item)
        ]

    def file(self, name: str) -> Path:
        return self._project.folder / self.clips[name].video

    def files(self, name: str) -> Mapping[str, Path]:
        return {self.clips[name].digest: self.file(name)}

    def blocks(self, name: str) -> tuple[Block, ...]:
        """The film with its green box, and what is known of what is around it."""
        clip = self.clips[name]
        told = cue_fields(clip, (Cue.CONTEXT,))
        about = {"Where it happens": told["context"], "What the person does": told["input"]}
        texts = (Text(text, label) for label, text in about.items() if text != UNKNOWN)
        return film_of(clip, self.file(name), clip.digest), *texts

    def changed(self) -> list[str]:
        """Those of which people are shown something else than what is there now, or which are to be left out by
        now."""
        now = {
            one.subject: one
            for one in self._project.ledger.documents.get_many([(Kind.CLIP, name) for name in self.clips])
        }
        return sorted(
            name
            for name, clip in self.clips.items()
            if name in now and _is_other(clip, read_record(now[name], Recording))
        )

    def stale(self) -> bool:
        """Whether a video was touched since."""
        return self._stamps.touched()


def film_of(clip: Clip, file: Path, source: str, label: str = "The animation") -> Film:
    """A clip with a green box on its regions while the animation runs; throughout, where nobody said when it does."""
    film = media.probe(file)
    frames = media.preview_frames(film, source)
    boxes = (box.to_space(CoordinateSpace.UNIT, film.width, film.height).clip(1, 1) for box in clip.regions)
    attend = tuple(box for box in boxes if box is not None)
    last = len(film.pts) - 1
    first = min(clip.start_frame or 0, last)
    drawn = frames.between(first, last if clip.end_frame is None else min(clip.end_frame, last))
    return Film(frames.specs, frames.rate, frames.size, label, attend, drawn if attend else None)


def _is_other(then: Recording, now: Recording) -> bool:
    same = all(getattr(then, field) == getattr(now, field) for field in SHOWN)
    return not same or now.left_out != then.left_out
