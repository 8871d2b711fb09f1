"""A project: a folder with its screens and a database with all that is known of them.

The database is `project.db` in the folder, or a Postgres database of the project's own, whose address is given with
each command and never written down. Replies of models are in the same database."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar
from uuid import uuid4

from pydantic import ValidationError

from affordance.author.records import (
    DOCUMENTS,
    Elements,
    Groups,
    Kind,
    QuestionRecord,
    Region,
    RegionType,
    Retelling,
    Selection,
    Shot,
    Validation,
    told_of,
)
from affordance.author.state import Change, ScreenState
from affordance.core.errors import DataError, EditConflict, LedgerError, UserError
from affordance.core.files import is_new_or_empty
from affordance.core.json_text import Json, parse_json_object
from affordance.core.validation import StrictModel, format_validation_error
from affordance.datasets import Screen
from affordance.datasets.items import NonEmptyStr
from affordance.ledger import DocumentDraft, DocumentRevision, Ledger, open_ledger

FILE = "project.json"
DATABASE = "project.db"
FORMAT = 1
PERSON = "person:"  # how the names of people begin among authors
_ABOUT = "project"
_EXPECTED_DB = "--db: expected postgresql://USER:PASSWORD@HOST:PORT/DATABASE; sqlite needs no --db"

D = TypeVar("D", bound=StrictModel)
B = TypeVar("B", RegionType, Retelling, Validation)


class Origin(StrictModel):
    """The dataset that a project was made of: where it lay, and its digest then."""

    spec: str
    digest: str


class About(StrictModel):
    """`project.json`."""

    format: int
    id: NonEmptyStr
    name: NonEmptyStr
    database: Literal["sqlite", "postgres"]
    licence: str = "unknown"
    synthetic: bool = False
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Project:
    folder: Path
    about: About
    ledger: Ledger

    def screens(self) -> list[str]:
        """The ids of all screens, sorted."""
        return self.ledger.documents.subjects(Kind.SCREEN)

    def shots(self) -> dict[str, Shot]:
        return {one.subject: read_record(one, Shot) for one in self.ledger.documents.latest(kind=Kind.SCREEN)}

    def selected(self) -> list[str]:
        """The screens that go on: all but those that were put aside."""
        chosen = self.ledger.documents.latest(kind=Kind.SELECTION)
        aside = {one.subject for one in chosen if not read_record(one, Selection).on}
        return [name for name in self.screens() if name not in aside]

    def state(self, screen: str) -> ScreenState:
        return read_state(self.folder, screen, self.ledger.documents.latest(scope=screen))

    def states(
        self, screens: Iterable[str] | None = None, on_error: Callable[[str, UserError], None] | None = None
    ) -> Iterator[ScreenState]:
        """Those that go on, or these. A screen that cannot be read is told to `on_error` and left out."""
        for screen in self.selected() if screens is None else screens:
            try:
                state = self.state(screen)
            except UserError as error:
                if on_error is None or isinstance(error, LedgerError):
                    raise
                on_error(screen, error)
            else:
                yield state

    def write(
        self, screen: str, changes: Sequence[Change], author: str, seen: Sequence[DocumentRevision] | None = None
    ) -> list[DocumentRevision]:
        """New revisions, all or none. With what was `seen` when they were made, a `Conflict` where somebody has changed
        one of them since."""
        versions = None if seen is None else {(one.kind, one.subject): one.version for one in seen}
        return self.ledger.documents.write(
            [
                DocumentDraft(
                    one.kind,
                    one.subject,
                    plain(one.document),
                    author,
                    screen,
                    None if versions is None else versions.get((one.kind, one.subject), 0),
                )
                for one in changes
            ]
        )


def create_project(
    folder: Path,
    db: str | None = None,
    name: str = "",
    licence: str = "unknown",
    synthetic: bool = False,
    origin: Origin | None = None,
) -> None:
    """Make a project in a new or empty folder."""
    if not is_new_or_empty(folder):
        raise UserError(f"expected a project, or a new or empty folder for one, found something else in {folder}")
    if db is not None and "://" not in db:
        raise UserError(_EXPECTED_DB)
    about = About(
        format=FORMAT,
        id=uuid4().hex,
        name=name or folder.resolve().name,
        database="sqlite" if db is None else "postgres",
        licence=licence,
        synthetic=synthetic,
        origin=origin,
    )
    try:
        (folder / "media").mkdir(parents=True)
    except OSError as error:
        raise UserError(f"cannot make the folder {folder}: {error.strerror}") from None
    with open_ledger(db or folder / DATABASE) as ledger:
        if there := ledger.documents.latest(kind=_ABOUT):
            raise UserError(
                f"the database holds the project {there[0].document.get('name')!r} already; give each its own"
            )
        ledger.documents.write([DocumentDraft(_ABOUT, "", {"id": about.id, "name": about.name}, "init")])
    # Last: a folder with this file is a project.
    (folder / FILE).write_text(json.dumps(about.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n", "utf-8")


@contextmanager
def open_project(folder: Path, db: str | None = None, *, read_only: bool = False) -> Iterator[Project]:
    """The project of a folder. Raises a `UserError` for what is none, is newer, or lacks its database."""
    about = read_about(folder)
    if about.database == "postgres" and db is None:
        raise UserError(f"the project {folder} is in Postgres: give its address with --db or AFFORDANCE_PROJECT_DB")
    if about.database == "postgres" and db is not None and "://" not in db:
        raise UserError(_EXPECTED_DB)
    if about.database == "sqlite" and db is not None:
        raise UserError(f"the project {folder} has its database in the folder; leave --db out")
    if db is None and not (folder / DATABASE).is_file():
        raise UserError(f"the project {folder} has lost its database: expected {folder / DATABASE}; put it back")
    with open_ledger(db or folder / DATABASE, read_only=read_only) as ledger:
        known = next(iter(ledger.documents.latest(kind=_ABOUT)), None)
        if known is None or known.document.get("id") != about.id:
            name = "no project" if known is None else f"the project {known.document.get('name')!r}"
            raise UserError(f"{ledger.location} holds {name}, expected {about.name!r}; give the database of {folder}")
        yield Project(folder, about, ledger)


@contextmanager
def open_as_project(where: str) -> Iterator[Project]:
    """A ledger as a project, for what people do about what is in it: the project whose database it is, or one without
    screens of its own, whose folder is that of the ledger."""
    path = Path(where).absolute()
    in_postgres = "://" in where
    if not in_postgres and path.name == DATABASE and (path.parent / FILE).is_file():
        with open_project(path.parent) as project:
            yield project
        return
    with open_ledger(where) as ledger:
        known = ledger.documents.latest(kind=_ABOUT)
        if not known:
            name = ledger.location.rpartition("/")[2] if in_postgres else path.stem
            draft = DocumentDraft(_ABOUT, "", {"id": uuid4().hex, "name": name}, "init", based_on=0)
            try:
                known = ledger.documents.write([draft])
            except EditConflict:  # somebody else was first
                known = ledger.documents.latest(kind=_ABOUT)
        told = known[0].document
        about = About(
            format=FORMAT,
            id=str(told["id"]),
            name=str(told["name"]),
            database="postgres" if in_postgres else "sqlite",
        )
        yield Project(Path.cwd() if in_postgres else path.parent, about, ledger)


def read_about(folder: Path) -> About:
    path = folder / FILE
    if not path.is_file():
        raise UserError(f"no project in {folder}; make one with `affordance author init {folder} IMAGES...`")
    try:
        found = parse_json_object(path.read_bytes())
        number = found.get("format")
        if isinstance(number, int) and number > FORMAT:
            raise UserError(
                f"the project {folder} was made by a newer version (format {number}, known up to {FORMAT}); "
                "upgrade affordance: pip install --upgrade affordance"
            )
        return About.model_validate(found)
    except ValidationError as error:
        raise DataError(format_validation_error(error), path) from None
    except ValueError as error:
        raise DataError(str(error), path) from None


def read_state(folder: Path, screen: str, revisions: Sequence[DocumentRevision]) -> ScreenState:
    """A screen, from the latest version of each of its documents."""
    by_kind: dict[str, dict[str, DocumentRevision]] = {}
    for one in revisions:
        name = one.subject if one.subject == screen else one.subject.removeprefix(f"{screen}/")
        by_kind.setdefault(one.kind, {})[name] = one

    def only(kind: Kind, record: type[D]) -> D | None:
        found = by_kind.get(kind, {}).get(screen)
        return None if found is None else read_record(found, record)

    def named(kind: Kind, record: type[D]) -> dict[str, D]:
        return {name: read_record(one, record) for name, one in by_kind.get(kind, {}).items()}

    shot = only(Kind.SCREEN, Shot)
    if shot is None:
        raise UserError(f"there is no screen {screen!r} in the project {folder}")
    regions = {name: one for name, one in named(Kind.REGION, Region).items() if not one.gone}

    def of_now(told: Mapping[str, B]) -> dict[str, B]:
        """Without what was taken back, or told of another box: ids of nodes are used again when a screen is divided
        again."""
        return {
            name: one
            for name, one in told.items()
            if name in regions and not one.gone and told_of(one.box, regions[name].box)
        }

    def by_people(kind: Kind) -> frozenset[str]:
        return frozenset(name for name, one in by_kind.get(kind, {}).items() if is_person(one.author))

    drawn, retellings = by_people(Kind.REGION), of_now(named(Kind.RETELLING, Retelling))
    return ScreenState(
        id=screen,
        shot=shot,
        path=folder / shot.image,
        captured=only(Kind.CAPTURED, Screen),
        selection=only(Kind.SELECTION, Selection),
        regions={name: regions[name] for name in parents_first({name: one.parent for name, one in regions.items()})},
        types=of_now(named(Kind.TYPE, RegionType)),
        retellings=retellings,
        validations=of_now(named(Kind.VALIDATION, Validation)),
        elements=only(Kind.ELEMENTS, Elements),
        candidates=only(Kind.CANDIDATES, Groups),
        element_groups=only(Kind.ELEMENT_GROUPS, Groups),
        region_groups=only(Kind.REGION_GROUPS, Groups),
        questions=named(Kind.QUESTION, QuestionRecord),
        corrected=frozenset(name for name in drawn if name in regions and regions[name].redrawn),
        reshaped=bool(drawn),
        edited=by_people(Kind.QUESTION),
        told=by_people(Kind.RETELLING).intersection(retellings),
    )


def taken_names(project: Project) -> set[str]:
    """The ids of all screens, clips and pairs, without capitals: none of them has that of another."""
    kinds = (Kind.SCREEN, Kind.CLIP, Kind.PAIR)
    return {name.casefold() for kind in kinds for name in project.ledger.documents.subjects(kind)}


def is_person(author: str) -> bool:
    return author.startswith(PERSON)


def parents_first(parents: Mapping[str, str | None]) -> list[str]:
    """The names of nodes, given the parent of each, by level and number in it. Where a parent is not there, neither is
    what is below it."""

    def place(name: str) -> tuple[int, int, str]:
        level, _, number = name.partition("-")
        return (int(level), int(number), name) if level.isdecimal() and number.isdecimal() else (1 << 30, 0, name)

    below: dict[str | None, list[str]] = {}
    for name, parent in parents.items():
        below.setdefault(parent, []).append(name)
    ordered: list[str] = []
    ready = sorted(below.get(None, ()), key=place)
    while ready:
        ordered += ready
        ready = sorted((name for above in ready for name in below.get(above, ())), key=place)
    return ordered


def read_record(revision: DocumentRevision, record: type[D]) -> D:
    """The document of a revision. Raises a `UserError` that names it."""
    assert DOCUMENTS[Kind(revision.kind)] is record
    try:
        return record.model_validate(dict(revision.document))
    except ValidationError as error:
        raise UserError(
            f"the {revision.kind} of {revision.subject} (version {revision.version}, by {revision.author}) cannot be "
            f"read: {format_validation_error(error)}; restore an earlier version or upgrade affordance"
        ) from None


def read_version(ledger: Ledger, kind: Kind, subject: str, version: int, record: type[D]) -> D:
    """A document as it was in a version, whatever came later. Raises a `UserError` where there is no such version."""
    current = next(iter(ledger.documents.get_many([(kind, subject)])), None)
    found = [current] if current is not None and current.version == version else ledger.documents.history(kind, subject)
    for one in found:
        if one.version == version:
            return read_record(one, record)
    raise UserError(f"there is no version {version} of the {kind} {subject!r} in the project {ledger.location}")


def plain(document: StrictModel) -> dict[str, Json]:
    """As it is kept."""
    found: dict[str, Json] = document.model_dump(mode="json", exclude_unset=True)
    return found
