"""HTTP: URLs without secrets, and how long a server asks a client to wait."""

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

MAX_RETRY_AFTER = 31 * 86_400.0  # seconds; a longer hint is a mistake, such as a time stamp
_MAX_BODY_BYTES = 2**14  # bytes of an error's body

_DURATION = r"(?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|h|hours?|m|min|minutes?|s|sec|seconds?)(?![a-z])\s*)+"
_RETRY_TEXT = re.compile(
    # "Please try again in 6ms", "Please retry after 20 seconds", "Please retry in 34.07s"
    rf"(?:try again|retry)\s+(?:in|after)\s+({_DURATION})"
    # google.rpc.RetryInfo, also as JSON within JSON
    r'|\bretryDelay\\*"\s*:\s*\\*"(\d+(?:\.\d+)?s)\\*"',
    re.IGNORECASE,
)
_DURATION_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|milli|h|m|s)", re.IGNORECASE)
_SECONDS = {"ms": 0.001, "milli": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def parse_retry_after(headers: Mapping[str, str], body: bytes = b"", now: datetime | None = None) -> float | None:
    """Seconds that a server requests before the next request; 0 for a time that has passed.

    Reads `retry-after-ms`, `Retry-After` (seconds or a date) and the body of an error: Google's `RetryInfo`, or text
    such as "try again in 6ms". The first that is not 0 counts.

    Returns:
        None without a hint, and for one that cannot be meant: not a number, infinite, or above `MAX_RETRY_AFTER`.
    """
    hints = [hint for hint in _retry_after_values(headers, body, now or datetime.now(UTC)) if hint is not None]
    return next((hint for hint in hints if hint > 0), 0.0 if hints else None)


def valid_retry_after(seconds: float | None) -> float | None:
    """The same for a number of seconds that was parsed elsewhere."""
    if seconds is None or not math.isfinite(seconds) or seconds > MAX_RETRY_AFTER:
        return None
    return max(seconds, 0.0)


def _retry_after_values(headers: Mapping[str, str], body: bytes, now: datetime) -> Iterator[float | None]:
    with suppress(ValueError):
        yield valid_retry_after(float(headers.get("retry-after-ms", "")) / 1000)
    yield _parse_retry_after_header(headers.get("Retry-After", ""), now)
    if (hint := _RETRY_TEXT.search(body[:_MAX_BODY_BYTES].decode("utf-8", "replace"))) is not None:
        parts = _DURATION_PART.findall(hint[1] or hint[2])
        yield valid_retry_after(sum(float(number) * _SECONDS[unit.lower()] for number, unit in parts))


def _parse_retry_after_header(value: str, now: datetime) -> float | None:
    try:
        return valid_retry_after(float(value))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(value)
        # A date without a zone is in UTC (RFC 9110).
        return valid_retry_after((date.replace(tzinfo=date.tzinfo or UTC) - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def public_url(text: str) -> str:
    """A URL, or a text that ends in one, without user info, query and fragment."""
    head, found, rest = text.partition("://")
    if not found:
        return text
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    if not re.fullmatch(r"(\[[^\]]*\]|[^:@]*)(:\d*)?", authority):
        # User info; where there is no @ yet, it is the beginning of a password with a slash or the like in it.
        cut = authority.rfind("@") if "@" in authority else rest.rfind("@")
        rest = rest[cut + 1 :]
    return f"{head}://{re.split('[?#]', rest, maxsplit=1)[0]}"


def url_host(url: str | None) -> str | None:
    """The host of a URL; None where it is no URL."""
    try:
        return urlsplit(url or "").hostname
    except ValueError:
        return None
