"""Versions of documents: which ones drafts lead to, and the queries for the latest ones."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Select, bindparam, func, select

from affordance.core.json_text import canonical_json
from affordance.ledger.records import DocumentDraft, DocumentRevision, DocumentSelection, LatestRevisions
from affordance.ledger.row_mapping import now
from affordance.ledger.schema import revisions

_MAX_SUBJECTS_PER_QUERY = 128  # SQLite before 3.32 takes 999 values
_MAX_KEYS_PER_QUERY = 8  # documents that are looked up in one query
_KEY = ("kind", "subject")


def append_drafts(
    drafts: Sequence[DocumentDraft], latest: LatestRevisions, last_id: int
) -> tuple[list[DocumentRevision], list[DocumentRevision]]:
    """The current versions of the drafted documents, and those of them that are new and must be written.

    Args:
        latest: The latest versions before the drafts.
        last_id: The id of the latest revision of all.
    """
    current = dict(latest)
    written: list[DocumentRevision] = []
    new: list[DocumentRevision] = []
    moment = now()
    for draft in drafts:
        before = current.get((draft.kind, draft.subject))
        if before is not None and canonical_json(before.document) == canonical_json(draft.document):
            written.append(before)
            continue
        last_id += 1
        version = 1 if before is None else before.version + 1
        created = draft.created or moment
        one = DocumentRevision(
            last_id, draft.kind, draft.subject, draft.scope, version, draft.author, created, draft.document
        )
        current[draft.kind, draft.subject] = one
        new.append(one)
        written.append(one)
    return written, new


def selection_queries(selection: DocumentSelection) -> Iterator[tuple[Select[Any], dict[str, str]]]:
    """Queries for the latest versions with their values. They are the same objects each time, so that drivers keep them
    prepared."""
    keys = selection.keys
    if 0 < len(keys) <= _MAX_KEYS_PER_QUERY:
        yield (
            _latest_by_key_query(len(keys)),
            {f"{name}{n}": value for n, key in enumerate(keys) for name, value in zip(_KEY, key, strict=True)},
        )
    else:
        by_kind: dict[str, list[str]] = {}  # for pairs of values, SQLite scans the whole table
        for kind, subject in keys:
            by_kind.setdefault(kind, []).append(subject)
        for kind, subjects in by_kind.items():
            start = 0
            while start < len(subjects):
                # Powers of two, so that a few queries serve any number of subjects.
                count = min(_MAX_SUBJECTS_PER_QUERY, 1 << (len(subjects) - start).bit_length() - 1)
                part = subjects[start : start + count]
                yield (
                    _latest_by_subject_query(count),
                    {"kind": kind} | {f"subject{n}": subject for n, subject in enumerate(part)},
                )
                start += count
    if selection.scope is not None:
        of_kind = {} if selection.kind is None else {"kind": selection.kind}
        yield _latest_in_scope_query(selection.kind is not None), {"screen": selection.scope} | of_kind


@cache
def _latest_by_key_query(count: int) -> Select[Any]:
    """The latest version of some documents, each looked up in the index. The text is short: drivers do not keep long
    queries prepared."""
    newest = []
    for place in range(count):
        one = revisions.alias(f"r{place}")
        newest.append(
            select(one.c.id)
            .where(one.c.kind == bindparam(f"kind{place}"), one.c.subject == bindparam(f"subject{place}"))
            .order_by(one.c.version.desc())
            .limit(1)
            .scalar_subquery()
        )
    return select(revisions).where(revisions.c.id.in_(newest))


@cache
def _latest_by_subject_query(count: int) -> Select[Any]:
    subjects: list[BindParameter[str]] = [bindparam(f"subject{place}") for place in range(count)]
    return latest_query(revisions.c.kind == bindparam("kind"), revisions.c.subject.in_(subjects))


@cache
def _latest_in_scope_query(of_kind: bool) -> Select[Any]:
    conditions = [revisions.c.kind == bindparam("kind")] if of_kind else []
    return latest_query(revisions.c.screen == bindparam("screen"), *conditions)


@cache
def changes_query(in_scope: bool, kinds: int | None) -> Select[Any]:
    """Revisions after an id in the order of writing, for a scope and a number of kinds if given."""
    query = select(revisions).where(revisions.c.id > bindparam("after"))
    if in_scope:
        query = query.where(revisions.c.screen == bindparam("screen"))
    if kinds is not None:
        # As an expression without an index: otherwise SQLite searches all revisions of these kinds, not the few new
        # ones.
        query = query.where((revisions.c.kind + "").in_([bindparam(f"kind{place}") for place in range(kinds)]))
    return query.order_by(revisions.c.id)


def latest_query(*conditions: ColumnElement[bool]) -> Select[Any]:
    """The latest of the versions that meet the conditions, for each document."""
    newest = (
        select(revisions.c.kind, revisions.c.subject, func.max(revisions.c.version).label("version"))
        .where(*conditions)
        .group_by(revisions.c.kind, revisions.c.subject)
        .subquery()
    )
    same = (
        (revisions.c.kind == newest.c.kind)
        & (revisions.c.subject == newest.c.subject)
        & (revisions.c.version == newest.c.version)
    )
    return select(revisions).join(newest, same)
