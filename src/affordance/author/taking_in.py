"""What is given to a project, by what it is: screens, clips or pairs of designs. A project may have all of them.

Datasets say so themselves. Of files, pictures are screens and videos are clips, unless frames of them are asked for,
which are screens."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

from affordance.author.clips.intake import TakenClips, take_clips
from affordance.author.pairs.intake import TakenPairs, take_pairs
from affordance.author.project import FILE, Origin, Project, read_about
from affordance.author.screens import intake
from affordance.core.errors import UserError
from affordance.datasets import Dataset, load_collection

KINDS = ("screen", "clip", "pair")  # of datasets that can be taken in


@dataclass(slots=True)
class Given:
    """Sources by what is made of them. Of a folder that is no dataset, pictures are among the screens and videos among
    the clips."""

    screens: list[str] = field(default_factory=list)
    recordings: list[Path] = field(default_factory=list)
    clips: list[Dataset] = field(default_factory=list)
    pairs: list[Dataset] = field(default_factory=list)


@dataclass(slots=True)
class TakenIn:
    """What became of each kind; None where nothing of that kind was given."""

    screens: intake.Taken | None = None
    clips: TakenClips | None = None
    pairs: TakenPairs | None = None

    def kinds(self) -> list[tuple[str, intake.Taken | TakenClips | TakenPairs]]:
        """What there is, by what it is called."""
        found = (("screen", self.screens), ("clip", self.clips), ("pair", self.pairs))
        return [(what, one) for what, one in found if one is not None]

    @property
    def broken(self) -> list[str]:
        return [line for _, one in self.kinds() for line in one.broken]

    def told(self) -> dict[str, Any]:
        """For programs: what became of screens, and beside it what became of the others."""
        others = {f"{what}s": asdict(one) for what, one in self.kinds() if what != "screen"}
        return {**({} if self.screens is None else asdict(self.screens)), **others, "broken": self.broken}


def sort_out(sources: Sequence[str], fps: Fraction | None = None, cache: Path | None = None) -> Given:
    """Before anything is written. With `fps`, frames of videos are screens. Raises a `UserError` where there is nothing
    in it, or something else."""
    given = Given()
    for source in sources:
        path = Path(source)
        if path.is_file() and fps is None and intake.moves(path):
            given.recordings.append(path)
        elif path.is_file():
            given.screens.append(source)
        elif path.is_dir() and not intake.is_dataset(path):
            files = intake.files_in(path)
            videos = [] if fps is not None else [file for file in files if intake.moves(file)]
            given.recordings += videos
            if len(videos) < len(files) or not files:
                given.screens.append(source)
        elif path.is_dir() or ":" in source:
            _sort_dataset(source, given, cache)
        else:
            raise UserError(f"expected a picture, a video, a folder or a dataset, found nothing at {source}")
    if given.screens:
        intake.sources_of(given.screens, fps)  # which says where there are none
    return given


def take_in(
    project: Project,
    given: Given,
    platform: str | None = None,
    fps: Fraction | None = None,
    advance: Callable[[int, int], None] = lambda *_: None,
) -> TakenIn:
    """Add what was sorted out to a project, each kind in its own way."""
    taken = TakenIn()
    if given.screens:
        taken.screens = intake.take_in(project, given.screens, platform, fps, advance)
    if given.recordings or given.clips:
        taken.clips = take_clips(project, given.recordings, given.clips, platform, advance)
    if given.pairs:
        taken.pairs = take_pairs(project, given.pairs, advance)
    return taken


def project_folder(name: str, number: int = 1) -> Path:
    """Of a dataset of that name, beside where somebody is."""
    return Path(f"{intake.screen_name(f'{name}.')}{'' if number == 1 else f'-{number}'}-project")


def project_of(name: str, origin: Origin) -> tuple[Path, Origin | None]:
    """The folder of the project of a dataset, and what that was made of: `NAME-project`, or with a number where that is
    of another dataset. With None, it is yet to be made."""
    for number in count(1):
        folder = project_folder(name, number)
        if not (folder / FILE).is_file():
            return folder, None
        there = read_about(folder).origin
        if there is not None and (there.spec == origin.spec or there.digest == origin.digest):
            return folder, there
    raise AssertionError("numbers have no end")


def _sort_dataset(spec: str, given: Given, cache: Path | None) -> None:
    collection = load_collection(spec, cache)
    for part in collection.datasets:
        if part.header.kind == "clip":
            given.clips.append(part)
        if part.header.kind == "pair":
            given.pairs.append(part)
    if collection.of_kind("screen") is not None:
        given.screens.append(spec)
    if not any(collection.of_kind(kind) for kind in KINDS):
        found = ", ".join(part.header.kind for part in collection.datasets)
        raise UserError(f"expected a dataset of {' or '.join(f'{kind}s' for kind in KINDS)}, found {found} in {spec}")
