"""Text that survives both databases.

Models say anything: NUL characters, which Postgres refuses in TEXT, and lone surrogates, which have no UTF-8.
Such characters are stored as a mark and four hexadecimal digits, the mark itself likewise, so that every string
comes back as it was. All other text is stored as it is and can be searched with SQL.
"""

import re

from sqlalchemy import Dialect, Text
from sqlalchemy.types import TypeDecorator, TypeEngine

ESCAPE_MARK = "\x1a"  # the control character "substitute", which hardly any text holds

_UNSTORABLE = re.compile(f"[\0{ESCAPE_MARK}\ud800-\udfff]")
_ESCAPED = re.compile(f"{ESCAPE_MARK}([0-9a-f]{{4}})")


def escape(text: str) -> str:
    # Scanning with the expression costs far more than these tests, and nearly all text passes them.
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
