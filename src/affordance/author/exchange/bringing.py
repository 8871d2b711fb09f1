"""What was read from elsewhere into a project, and the versions of a project's documents for those who write them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pydantic import ValidationError

from affordance import media
from affordance.author.exchange.files import within
from affordance.author.exchange.results import (
    IMPORTED,
    IMPORTED_PERSON,
    Imported,
    LeftOut,
    Past,
    ReadScreen,
    Step,
    Version,
)
from affordance.author.project import Project, is_person, plain
from affordance.author.records import DOCUMENTS, Kind, Shot
from affordance.author.screens.intake import Found, keep
from affordance.core.digest import digest_bytes
from affordance.core.errors import LedgerError, UserError
from affordance.core.json_text import canonical_json
from affordance.core.validation import format_validation_error
from affordance.datasets.items import check_relative_path
from affordance.ledger import DocumentDraft, DocumentRevision

_LONGEST, _LONGEST_PATH = 200, 1000  # bytes of a part of an id and of all of it; the rest of the path needs room
_SHOWN = 80  # letters of an id that is told


@dataclass(slots=True)
class Brought:
    screens: list[str] = field(default_factory=list)  # new ones
    known: int = 0
    revisions: Counter[str] = field(default_factory=Counter)  # by kind
    people: int = 0  # documents that people of this project wrote last, and that stay
    own: int = 0  # documents that this project has made itself, and that stay
    left_out: list[LeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def bring_in(project: Project, imported: Imported) -> Brought:
    """Write an import into a project. What is there already is not written again, and what people of this project wrote
    stays as they have it. A screen that cannot be taken is left out, and the rest goes on."""
    brought = Brought(left_out=list(imported.left_out), notes=list(imported.notes))
    shots = project.shots()
    for screen in imported.screens:
        try:
            _screen(project, screen, shots.get(screen.id), brought)
            _documents(project, screen.id, screen.steps, brought)
        except LedgerError:
            raise
        except (UserError, ValueError) as error:
            brought.left_out.append(LeftOut(_shown(screen.id), str(error)))
        except OSError as error:
            brought.left_out.append(LeftOut(_shown(screen.id), f"its picture cannot be copied: {error.strerror}"))
    if brought.own:
        left = "1 document was" if brought.own == 1 else f"{brought.own} documents were"
        brought.notes.append(f"{left} left as this project has made them")
    if brought.people:
        left = "1 document was" if brought.people == 1 else f"{brought.people} documents were"
        brought.notes.append(f"{left} left as people of this project have them")
    return brought


class _Past:
    """Versions of documents, of one screen at a time."""

    def __init__(self, project: Project, notes: list[str]) -> None:
        self._project = project
        self._notes = notes
        self._screen: str | None = None
        self._found: dict[tuple[str, str], list[DocumentRevision]] = {}
        self._read: dict[tuple[Kind, str], Sequence[Version]] = {}

    def __call__(self, screen: str, kind: Kind, node: str) -> Sequence[Version]:
        if screen != self._screen:
            self._screen, self._found, self._read = (
                screen,
                self._project.ledger.documents.histories_in_scope(screen),
                {},
            )
        if (kind, node) not in self._read:
            self._read[kind, node] = list(self._versions(kind, self._found.pop((kind, f"{screen}/{node}"), [])))
        return self._read[kind, node]

    def _versions(self, kind: Kind, revisions: Sequence[DocumentRevision]) -> Iterator[Version]:
        for one in revisions:
            try:
                yield Version(DOCUMENTS[kind].model_validate(dict(one.document)), one.author, one.created)
            except ValidationError as error:
                self._notes.append(
                    f"version {one.version} of the {kind} of {one.subject} cannot be read, and is left out: "
                    f"{format_validation_error(error)}"
                )


def past_of(project: Project, notes: list[str] | None = None) -> Past:
    """All versions of documents of a project. Earlier ones that cannot be read are left out; `notes` is told."""
    return _Past(project, [] if notes is None else notes)


def _screen(project: Project, screen: ReadScreen, there: Shot | None, brought: Brought) -> None:
    """Makes the screen where there is none. A ValueError where another picture has the name, and where the picture was
    changed on the way: then the boxes would not fit."""
    still = media.import_image(screen.image)
    if (still.width, still.height) != screen.size:
        raise ValueError(f"its picture has {still.width}x{still.height} pixels, its boxes {screen.size}")
    content = digest_bytes(still.data)
    if there is not None and there.digest != content:
        raise ValueError("the project has another picture of this name")
    if there is not None:
        brought.known += 1
        return
    _safe(project, screen.id, still.suffix)
    keep(project, screen.id, Found(screen.id, still, screen.source, screen.platform), content, None)
    brought.screens.append(screen.id)


def _safe(project: Project, name: str, suffix: str) -> None:
    """Raises a ValueError for an id that is no path in the project's media."""
    try:
        longest = max(len(part.encode()) for part in check_relative_path(name).split("/"))
    except UnicodeEncodeError:
        raise ValueError("expected an id that can be the name of a file, found one with half a letter in it") from None
    if longest > _LONGEST or len(name.encode()) > _LONGEST_PATH:
        raise ValueError(f"expected an id that can be the name of a file, found one of {len(name)} letters")
    within(project.folder, f"media/{name}{suffix}")


def _shown(name: str) -> str:
    """An id that may be anything, such that it can be printed."""
    return name.encode("utf-8", "backslashreplace").decode()[:_SHOWN] + ("..." if len(name) > _SHOWN else "")


def _documents(project: Project, screen: str, steps: Sequence[Step], brought: Brought) -> None:
    by_subject: dict[tuple[str, str], list[Step]] = {}
    for step in steps:
        by_subject.setdefault((step.change.kind, step.change.subject), []).append(step)
    histories = project.ledger.documents.histories_in_scope(screen)
    drafts: list[DocumentDraft] = []
    for (kind, subject), versions in by_subject.items():
        there = histories.get((kind, subject), [])
        new = _new(versions, there)
        if new and there and is_person(there[-1].author) and there[-1].author != IMPORTED_PERSON:
            brought.people += 1
            continue
        if there and there[-1].author not in (IMPORTED, IMPORTED_PERSON):
            # What this project made is newer than what others made of it; only corrections are worth more.
            brought.own += len([step for step in new if step.author != IMPORTED_PERSON]) > 0
            new = [step for step in new if step.author == IMPORTED_PERSON]
        drafts += [
            DocumentDraft(kind, subject, plain(step.change.document), step.author, screen, created=step.when or "")
            for step in new
        ]
        brought.revisions.update({kind: len(new)} if new else {})
    if drafts:
        project.ledger.documents.write(drafts)


def _new(versions: Sequence[Step], there: Sequence[DocumentRevision]) -> list[Step]:
    """The versions that a history lacks. After those that it has in the same order, only what is nowhere in it, and the
    last one, which is the one that counts."""
    history = [canonical_json(dict(one.document)) for one in there]
    texts = [canonical_json(plain(step.change.document)) for step in versions]
    remaining = iter(history)
    known = next((place for place, text in enumerate(texts) if text not in remaining), len(texts))
    last = len(texts) - 1
    return [versions[place] for place in range(known, last + 1) if place == last or texts[place] not in history]
