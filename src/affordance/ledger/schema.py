"""The tables, and the type of their text columns. Rows are only added, except for leases and redaction.

Responses may contain any character: NUL, which Postgres refuses in TEXT, and lone surrogates, which have no UTF-8. Such
characters are stored as a mark and four hexadecimal digits, the mark itself likewise, so that every string is restored
exactly. All other text is stored unchanged and can be searched with SQL.

Ids of responses and verdicts are assigned by the writer while it holds the write lock, so their order is that of the
commits on both databases. Columns of JSON hold canonical text. `migrations` brings an older database to this schema.
"""

import re

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Float,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.types import TypeDecorator, TypeEngine

ESCAPE_MARK = "\x1a"  # the control character "substitute", which hardly any text holds

_UNSTORABLE = re.compile(f"[\0{ESCAPE_MARK}\ud800-\udfff]")
_ESCAPED = re.compile(f"{ESCAPE_MARK}([0-9a-f]{{4}})")


def escape(text: str) -> str:
    # Scanning with the expression takes far longer than these tests, which nearly all text passes.
    if "\0" not in text and ESCAPE_MARK not in text and (text.isascii() or _is_unicode(text)):
        return text
    return _UNSTORABLE.sub(lambda found: f"{ESCAPE_MARK}{ord(found[0]):04x}", text)


def unescape(text: str) -> str:
    if ESCAPE_MARK not in text:
        return text
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class EscapedText(TypeDecorator[str]):
    """The type of every text column of the ledger. Sorts by code point on both databases."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[str]:
        return dialect.type_descriptor(Text(collation="C") if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else escape(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else unescape(value)


metadata = MetaData()

# Tables without a rowid are one tree instead of two, which suits short rows with a text key.

# SQLite makes a column the row's number only if its type is INTEGER; that of Postgres has 32 bits.
_RowId = BigInteger().with_variant(Integer(), "sqlite")


def _text_column(name: str, *, key: bool = False, null: bool = False) -> Column[str]:
    return Column(name, EscapedText, primary_key=key, nullable=null)


schema_version = Table(
    "schema_version",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
)

runs = Table(
    "ledger_runs",
    metadata,
    _text_column("id", key=True),
    Column("name", EscapedText, nullable=False, unique=True),
    _text_column("settings"),
    _text_column("dataset"),
    Column("fresh", Boolean, nullable=False),
    _text_column("created"),
)

questions = Table(
    "ledger_questions",
    metadata,
    _text_column("run", key=True),
    _text_column("id", key=True),
    _text_column("task"),
    _text_column("item"),
    _text_column("axes"),
    _text_column("truth"),
    _text_column("tags"),
    _text_column("cluster"),
    sqlite_with_rowid=False,
)

attempts = Table(
    "ledger_attempts",
    metadata,
    _text_column("id", key=True),
    _text_column("run"),
    _text_column("question"),
    _text_column("task"),
    _text_column("model"),
    _text_column("strategy"),
    Column("trial", Integer, nullable=False),
    Column("subject", EscapedText, nullable=False, server_default=""),
    Index("ledger_attempts_by_run", "run", "task", "model"),
    sqlite_with_rowid=False,
)

requests = Table(
    "ledger_asks",
    metadata,
    _text_column("key", key=True),
    _text_column("question"),
    _text_column("model"),
    _text_column("base_url"),
    _text_column("dialect"),
    _text_column("pack"),
    _text_column("parameters"),
    _text_column("transcript"),
)

# The long columns come last: SQLite reads the others without the pages of the long ones.
responses = Table(
    "ledger_replies",
    metadata,
    Column("id", _RowId, primary_key=True, autoincrement=False),
    _text_column("key"),
    _text_column("run"),
    _text_column("finish"),
    _text_column("error"),
    Column("permanent", Boolean, nullable=False),
    Column("input_tokens", BigInteger),
    Column("output_tokens", BigInteger),
    Column("reasoning_tokens", BigInteger),
    Column("seconds", Float, nullable=False),
    _text_column("served_by"),
    Column("requests", Integer, nullable=False),
    _text_column("created"),
    _text_column("text"),
    _text_column("reasoning"),
    Index("ledger_replies_by_key", "key", "finish", "id"),
    Index("ledger_replies_by_run", "run"),
)

# The key is the whole row: without a row number SQLite stores it once instead of twice.
steps = Table(
    "ledger_steps",
    metadata,
    _text_column("attempt", key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("retry", Integer, primary_key=True, autoincrement=False),
    Column("reply", _RowId, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

verdicts = Table(
    "ledger_verdicts",
    metadata,
    Column("id", _RowId, primary_key=True, autoincrement=False),
    _text_column("attempt"),
    _text_column("ended"),
    _text_column("answer", null=True),
    Column("score", Float),
    _text_column("reason"),
    _text_column("detail"),
    _text_column("first_ended"),
    Column("first_score", Float),
    _text_column("created"),
    Index("ledger_verdicts_by_attempt", "attempt", "id"),
)

media_specs = Table(
    "ledger_pictures",
    metadata,
    _text_column("digest", key=True),
    _text_column("source"),
    _text_column("recipe"),
    sqlite_with_rowid=False,
)

sources = Table(
    "ledger_sources",
    metadata,
    _text_column("digest", key=True),
    _text_column("path"),
    sqlite_with_rowid=False,
)

# Measurements of judges against human labels. The document is JSON.
judge_calibrations = Table(
    "ledger_certificates",
    metadata,
    _text_column("id", key=True),
    _text_column("task"),
    _text_column("judge"),
    _text_column("base_url"),
    _text_column("pack"),
    _text_column("prompt"),
    _text_column("parameters"),
    _text_column("created"),
    _text_column("document"),
)

# Documents of projects and studies; each change is a new version. `screen` is the scope of a subject, such as its
# screen or study, so that a scope is read at once; it may be empty.
revisions = Table(
    "author_revisions",
    metadata,
    Column("id", _RowId, primary_key=True, autoincrement=False),
    _text_column("screen"),
    _text_column("kind"),
    _text_column("subject"),
    Column("version", Integer, nullable=False),
    _text_column("author"),
    _text_column("created"),
    _text_column("document"),
    UniqueConstraint("kind", "subject", "version", name="author_revisions_once"),
    Index("author_revisions_by_screen", "screen", "kind", "subject", "version"),
)

# Saved edit batches by the key that the page chose, so that a repeated request is not saved again. `content` is a
# digest of the edits, `revisions` a JSON list of the ids of the revisions after them.
edit_batches = Table(
    "studio_strokes",
    metadata,
    _text_column("key", key=True),
    _text_column("author"),
    _text_column("created"),
    _text_column("content"),
    _text_column("revisions"),
    sqlite_with_rowid=False,
)

# Requests that were stored under their key of version 1: `legacy_key` is the one in `ledger_asks` and `ledger_replies`,
# `key` the one that the same request has today. Two legacy keys may have one key.
request_keys = Table(
    "ledger_request_keys",
    metadata,
    _text_column("legacy_key", key=True),
    _text_column("key"),
    Index("ledger_request_keys_by_key", "key"),
    sqlite_with_rowid=False,
)

# What a verdict was parsed from: the response, the answer format (JSON) and the parser version. Verdicts without a row
# are of parser version 1.
verdict_origins = Table(
    "ledger_verdict_origins",
    metadata,
    Column("verdict", _RowId, primary_key=True, autoincrement=False),
    Column("response", _RowId),
    _text_column("answer_format", null=True),
    Column("parser_version", Integer, nullable=False),
)

# Which process sends the requests of a run's model. A row is renewed while that process is at work, and deleted when it
# is done. `token` identifies its holder; `renewed` is in seconds since 1970.
leases = Table(
    "ledger_leases",
    metadata,
    _text_column("run", key=True),
    _text_column("model", key=True),
    _text_column("token"),
    _text_column("host"),
    _text_column("machine"),
    Column("pid", BigInteger, nullable=False),
    _text_column("started"),
    _text_column("since"),
    Column("renewed", Float, nullable=False),
    sqlite_with_rowid=False,
)
