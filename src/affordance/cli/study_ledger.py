"""The ledger of `affordance study`: looked into before anything is made in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affordance.author.project import Project
    from affordance.author.study_records import Study
    from affordance.ledger import Ledger


@contextmanager
def read_only_documents(db: str) -> Iterator["Ledger"]:
    """Only to look, so that a wrong name or path makes nothing."""
    from affordance.ledger import open_ledger

    with _about_db(), open_ledger(db, read_only=True) as ledger:
        yield ledger


@contextmanager
def open_documents(db: str) -> Iterator["Project"]:
    from affordance.author.project import open_as_project

    with _about_db(), open_as_project(db) as project:
        yield project


@contextmanager
def _about_db() -> Iterator[None]:
    """Where other commands have --ledger, this one has --db; what it begins is a study."""
    from affordance.core.errors import LedgerError

    try:
        yield
    except LedgerError as error:
        told = str(error).replace("run `affordance run` first", "begin a study with --task T --per-item N")
        raise LedgerError(told.replace("--ledger", "--db")) from None


def find_study(ledger: "Ledger", name: str) -> "Study":
    from affordance.author.project import read_record
    from affordance.author.records import Kind
    from affordance.author.study_records import Study
    from affordance.core.errors import UnknownName, UserError

    found = {one.subject: one for one in ledger.documents.latest(kind=Kind.STUDY)}
    if not found:
        raise UserError(f"{ledger.location} has no studies yet; begin one with --task T --per-item N")
    if name not in found:
        raise UnknownName(f"study in {ledger.location}", name, found)
    return read_record(found[name], Study)
