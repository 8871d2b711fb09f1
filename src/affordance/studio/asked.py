"""All questions of a project in a line each, to be searched over all screens. Only what the list shows and what is
searched is kept, and brought up to date from the ledger's news, so that what other processes write is there too."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock

from pydantic import ValidationError

from affordance.author.project import PERSON, Project, is_person
from affordance.author.records import Kind, QuestionRecord
from affordance.datasets.taxonomies import TargetExpression
from affordance.ledger import DocumentRevision
from affordance.studio.entries import name_of
from affordance.studio.feed import Feed

SHOWN_WORDS = 200  # characters of the wording that the list has

_ORDER = {str(kind): place for place, kind in enumerate(TargetExpression)}


class Standing(StrEnum):
    """Whether a question is exported, and why not."""

    KEPT = "kept"
    DROPPED = "dropped"  # by a check
    ABANDONED = "abandoned"  # by a person
    UNREADABLE = "unreadable"


class Show(StrEnum):
    """Which questions are listed."""

    ALL = "all"
    KEPT = "kept"
    DROPPED = "dropped"
    ABANDONED = "abandoned"
    EDITED = "edited"


@dataclass(frozen=True, slots=True)
class Row:
    screen: str
    name: str
    standing: Standing
    form: str = ""
    level: str = ""
    target: str = ""
    action: str = ""
    why: str = ""  # it was dropped or cannot be read
    by: str = ""  # the person who wrote it last; empty where nobody has edited it
    words: str = ""
    searched: str = ""

    def shown(self) -> dict[str, str]:
        return {
            "screen": self.screen,
            "name": self.name,
            "standing": self.standing,
            "form": self.form,
            "level": self.level,
            "target": self.target,
            "action": self.action,
            "why": self.why,
            "by": self.by,
            "words": self.words,
        }

    def listed(self, show: Show) -> bool:
        return show is Show.ALL or (bool(self.by) if show is Show.EDITED else self.standing == show.value)


class Asked:
    """Safe to be used from several threads."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._lock = Lock()
        self._rows: dict[tuple[str, str], Row] = {}
        self._feed = Feed(project.ledger, (Kind.QUESTION,))
        self._begun = False  # whether anything was read yet

    def find(self, search: str = "", show: Show = Show.ALL, screen: str = "") -> list[Row]:
        """The questions that have every word of the search in their wording, name or screen, by screen and name; of one
        screen only, where it is given."""
        words = _folded(search).split()
        rows = (row for row in self._now().values() if not screen or row.screen == screen)
        return [row for row in rows if row.listed(show) and all(word in row.searched for word in words)]

    def _now(self) -> Mapping[tuple[str, str], Row]:
        with self._lock:
            if not self._begun:
                self._feed.skip()
                self._take(self._project.ledger.documents.latest(kind=Kind.QUESTION))
                self._begun = True
            if news := self._feed.news():
                self._take(news)
            return self._rows

    def _take(self, revisions: Iterable[DocumentRevision]) -> None:
        """Into a new table: somebody may be going through the one that was."""
        rows = self._rows | {(row.screen, row.name): row for row in map(_row, revisions)}
        self._rows = {key: rows[key] for key in sorted(rows)}


def wordings(record: QuestionRecord) -> list[str]:
    """All that a question says to who is asked, what it is for before what it looks like."""
    kinds = sorted(record.expressions, key=lambda kind: (_ORDER.get(kind, len(_ORDER)), kind))
    said = [*(record.expressions[kind] for kind in kinds), record.question, *(one.text for one in record.options)]
    return [text for text in said if text]


def _row(revision: DocumentRevision) -> Row:
    screen, name = revision.scope, name_of(revision)
    try:
        record = QuestionRecord.model_validate(dict(revision.document))
    except ValidationError:
        return Row(screen, name, Standing.UNREADABLE, searched=_folded(f"{screen} {name}"))
    standing = Standing.ABANDONED if record.abandoned else Standing.DROPPED if record.dropped else Standing.KEPT
    said = wordings(record)
    return Row(
        screen=screen,
        name=name,
        standing=standing,
        form=record.form,
        level=record.level,
        target=record.target,
        action=record.action or "",
        why=record.dropped,
        by=revision.author.removeprefix(PERSON) if is_person(revision.author) else "",
        words=" ".join(said[0].split())[:SHOWN_WORDS] if said else "",
        searched=_folded(" ".join((screen, name, record.target, record.action or "", *said))),
    )


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
