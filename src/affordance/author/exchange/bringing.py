"""What was read from elsewhere into a project, and the versions of a project's documents for those who write them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from affordance import media
from affordance.author.exchange.results import Imported, LeftOut, Past, ReadScreen, Step, Version
from affordance.author.project import Project, plain
from affordance.author.records import DOCUMENTS, Kind, Shot
from affordance.author.screens.intake import Found, keep
from affordance.core.digest import canonical, digest_bytes
from affordance.core.errors import MediaError
from affordance.ledger import Draft


@dataclass(slots=True)
class Brought:
    screens: list[str] = field(default_factory=list)  # new ones
    known: int = 0
    revisions: Counter[str] = field(default_factory=Counter)  # by kind
    left_out: list[LeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def bring_in(project: Project, imported: Imported) -> Brought:
    """Write an import into a project. What is there already, in the same order, is not written again."""
    brought = Brought(left_out=list(imported.left_out), notes=list(imported.notes))
    shots = project.shots()
    for screen in imported.screens:
        try:
            name = _screen(project, screen, shots.get(screen.id), brought)
        except MediaError as error:
            brought.left_out.append(LeftOut(screen.id, str(error)))
            continue
        if name is not None:
            _documents(project, name, screen.steps, brought)
    return brought


def past_of(project: Project) -> Past:
    """All versions of documents of a project."""

    def past(kind: Kind, subject: str) -> Sequence[Version]:
        record = DOCUMENTS[kind]
        return [
            Version(record.model_validate(dict(one.document)), one.author, one.created)
            for one in project.ledger.history(kind, subject)
        ]

    return past


def _screen(project: Project, screen: ReadScreen, there: Shot | None, brought: Brought) -> str | None:
    """The name of the screen, which is made where there is none. None where another picture has the name, or where the
    picture was changed on the way: then the boxes would not fit."""
    still = media.read_still(screen.image)
    if (still.width, still.height) != screen.size:
        brought.left_out.append(
            LeftOut(screen.id, f"its picture has {still.width}x{still.height} pixels, its boxes {screen.size}")
        )
        return None
    content = digest_bytes(still.data)
    if there is None:
        keep(project, screen.id, Found(screen.id, still, screen.source, screen.platform), content, None)
        brought.screens.append(screen.id)
    elif there.digest != content:
        brought.left_out.append(LeftOut(screen.id, "the project has another picture of this name"))
        return None
    else:
        brought.known += 1
    return screen.id


def _documents(project: Project, screen: str, steps: Sequence[Step], brought: Brought) -> None:
    by_subject: dict[tuple[Kind, str], list[Step]] = {}
    for step in steps:
        by_subject.setdefault((step.change.kind, step.change.subject), []).append(step)
    drafts: list[Draft] = []
    for (kind, subject), versions in by_subject.items():
        history = [canonical(dict(one.document)) for one in project.ledger.history(kind, subject)]
        if _in_order([canonical(plain(step.change.document)) for step in versions], history):
            continue
        drafts += [
            Draft(kind, subject, plain(step.change.document), step.author, screen, created=step.when or "")
            for step in versions
        ]
        brought.revisions[kind] += len(versions)
    if drafts:
        project.ledger.revise(drafts)


def _in_order(wanted: Sequence[str], there: Sequence[str]) -> bool:
    """Whether all of them are there, in this order."""
    remaining = iter(there)
    return all(one in remaining for one in wanted)
