"""The documents of a project in a ledger: every version of them, and the strokes that people have saved."""

from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import DBAPIError

from affordance.core.errors import LedgerError
from affordance.ledger import _revisions as revised
from affordance.ledger import _strokes as stroked
from affordance.ledger._engine import driving
from affordance.ledger._group import Statements
from affordance.ledger._records import Draft, Make, Revision, SavedStroke, Stroke, Wanted
from affordance.ledger._redact import Redaction, clear
from affordance.ledger._schema import revisions
from affordance.ledger._trouble import trouble


class Documents:
    """What a ledger knows of documents; they are written at once, and not through its writer."""

    def __init__(self, engine: Engine, where: str, marks: tuple[str, str], *, read_only: bool, patience: float) -> None:
        self.where = where  # without secrets, for messages
        # Tells it from every other ledger, in the name of a file; and the mark that earlier versions gave it.
        self.mark, self.legacy_mark = marks
        self._engine = engine
        self._patience = patience
        self._read_only = read_only
        self._statements = Statements(engine.dialect)

    def revise(self, drafts: Sequence[Draft]) -> list[Revision]:
        """Writes new versions of documents, all or none, and waits for the commit; a document that equals the current
        one is not written again. Raises `Conflict` where somebody was first."""
        self._check_writable()
        return revised.write_drafts(self._engine, self._statements, self.where, self._patience, drafts)

    def save_stroke(self, stroke: Stroke, wanted: Wanted, make: Make) -> SavedStroke:
        """Writes what `make` makes of what is there of the wanted, which nobody changes meanwhile, and waits for the
        commit. Every document that is written must be wanted; `after` of a draft is not looked at. A stroke that was
        saved before gives what it gave then, and nothing is made."""
        self._check_writable()
        return stroked.write_stroke(self._engine, self._statements, self.where, self._patience, stroke, wanted, make)

    def redact(self, redaction: Redaction) -> bool:
        """Erases what a person said, in place: the one exception to rows that are only ever added. Whether nothing of
        it is left in the files of the database either, as far as that can be known."""
        self._check_writable()
        revised.write_redaction(self._engine, self.where, self._patience, redaction)
        try:
            return clear(self._engine, self._patience)
        except (DBAPIError, self._engine.dialect.loaded_dbapi.Error):  # it is erased, whoever is in the way
            return False

    def documents(
        self,
        *,
        screen: str | None = None,
        kind: str | None = None,
        subject: str | None = None,
        unless_by: str | None = None,
    ) -> list[Revision]:
        """The latest version of each document, in the order of kind and subject; the latest of those whose author's
        name does not begin with `unless_by`, where that is given."""
        try:
            with self._reading() as connection:
                return revised.read_current(connection, screen=screen, kind=kind, subject=subject, unless_by=unless_by)
        except DBAPIError:
            if self._read_only and not inspect(self._engine).has_table(revisions.name):
                return []  # a ledger of version 2 or before, which was never written to since
            raise

    def each_document(self, kinds: Collection[str]) -> Generator[Revision, None, None]:
        """The latest versions of all documents of these kinds, in no order. Read as they are asked for, as there may
        be more than fit into memory: close the iterator if you leave it early."""
        with self._reading() as connection:
            yield from revised.read_each(connection, kinds)

    def documents_of(self, keys: Sequence[tuple[str, str]]) -> list[Revision]:
        """The latest versions of the documents of these kinds and subjects, in no order; those that are not there are
        left out."""
        with self._glancing() as connection:
            return revised.read_some(connection, keys)

    def news(self, after: int, *, screen: str | None = None, kinds: Collection[str] | None = None) -> list[Revision]:
        """What was written after the revision of that id, in the order of writing."""
        with self._told(), driving(self._engine) as driver:
            return revised.read_news(driver, self._statements, after, screen, kinds)

    def last_revision(self) -> int:
        """The id of the newest revision, 0 where there is none."""
        with self._glancing() as connection:
            return revised.read_last(connection)

    def last_strokes(self, count: int) -> list[SavedStroke]:
        """Those that were saved last, the newest first."""
        with self._reading() as connection:
            return stroked.read_last_strokes(connection, count)

    def stroke_counts(self) -> dict[str, tuple[int, str]]:
        """By author, how many strokes they have saved, and when the last one."""
        with self._reading() as connection:
            return stroked.read_stroke_counts(connection)

    def subjects_of(self, kind: str) -> list[str]:
        """What there are documents of a kind of."""
        with self._reading() as connection:
            return revised.read_subjects(connection, kind)

    def history(self, kind: str, subject: str) -> list[Revision]:
        """All versions of a document, the oldest first."""
        with self._reading() as connection:
            return revised.read_history(connection, kind, subject)

    def histories(self, screen: str) -> dict[tuple[str, str], list[Revision]]:
        """All versions of all documents of a screen by kind and subject, the oldest first."""
        with self._reading() as connection:
            return revised.read_histories(connection, screen)

    def _check_writable(self) -> None:
        if self._read_only:
            raise self._not_writable()

    def _not_writable(self) -> LedgerError:
        return LedgerError(f"the ledger {self.where} is open for reading only")

    def _glancing(self) -> AbstractContextManager[Connection]:
        """For one query, which needs no transaction around it: two ways to a server less, where people wait."""
        return self._reading(isolation_level="AUTOCOMMIT")

    @contextmanager
    def _reading(self, **options: Any) -> Iterator[Connection]:
        with self._told(), self._engine.connect().execution_options(**options) as connection:
            yield connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What keeps the ledger from being read is told as such."""
        try:
            yield
        except DBAPIError as error:
            found = trouble(error)
            if found is None:
                raise
            raise LedgerError(f"cannot read the ledger {self.where}: {found.what}; {found.todo}") from None
