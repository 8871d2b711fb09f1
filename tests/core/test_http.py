"""How long servers ask to wait: one reader for all clients."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict

from affordance.core.http import MAX_RETRY_AFTER, parse_retry_after, valid_retry_after
from cases import case

NOW = datetime(2026, 1, 1, tzinfo=UTC)

HEADERS = {
    "nothing": ({}, None),
    "seconds": ({"Retry-After": "7"}, 7.0),
    "in small letters": ({"retry-after": "7"}, 7.0),
    "part of a second": ({"Retry-After": "1.5"}, 1.5),
    "now": ({"Retry-After": "0"}, 0.0),
    "negative": ({"Retry-After": "-3"}, 0.0),
    "a day": ({"Retry-After": "86400"}, 86_400.0),
    "a time stamp": ({"Retry-After": "1767225600"}, None),
    "huge": ({"Retry-After": "1e300"}, None),
    "endless": ({"Retry-After": "inf"}, None),
    "not a number": ({"Retry-After": "nan"}, None),
    "a date": ({"Retry-After": "Thu, 01 Jan 2026 00:00:30 GMT"}, 30.0),
    "a date without a zone": ({"Retry-After": "Thu, 01 Jan 2026 00:00:30 -0000"}, 30.0),
    "a date in another zone": ({"Retry-After": "Thu, 01 Jan 2026 01:00:30 +0100"}, 30.0),
    "past date": ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    "distant date": ({"Retry-After": "Wed, 21 Oct 2122 07:28:00 GMT"}, None),
    "no such date": ({"Retry-After": "Wed, 99 Oct 99999 07:28:00 GMT"}, None),
    "words": ({"Retry-After": "soon"}, None),
    "empty": ({"Retry-After": ""}, None),
    "milliseconds": ({"retry-after-ms": "250"}, 0.25),
    "milliseconds are more precise": ({"retry-after-ms": "1250", "Retry-After": "2"}, 1.25),
    "no milliseconds": ({"retry-after-ms": "soon", "Retry-After": "2"}, 2.0),
}


def message(text: str, **more: Any) -> bytes:
    return json.dumps({"error": {"message": text, **more}}).encode()


GOOGLE = [
    {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaValue": "15"}]},
    {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.074824224s"},
]

BODIES = {
    "OpenAI, milliseconds": (message("Rate limit reached for gpt-4o. Please try again in 6ms. Visit https://"), 0.006),
    "OpenAI, seconds": (message("Limit 30000, Used 29000. Please try again in 1.344s."), 1.344),
    "OpenAI, minutes": (message("Please try again in 1m26.4s."), 86.4),
    "OpenAI, hours": (message("Please try again in 8h24m0s."), 30_240.0),
    "Azure": (message("Please retry after 20 seconds."), 20.0),
    "one second": (message("Please retry after 1 second."), 1.0),
    "in words": (message("Try again in 2 minutes"), 120.0),
    "Google": (message("Quota exceeded.", status="RESOURCE_EXHAUSTED", details=GOOGLE), 34.074824224),
    "Google, in a list": (b"[" + message("Quota exceeded.", details=GOOGLE) + b"]", 34.074824224),
    "Google, through a router": (
        message("Provider returned error", metadata={"raw": json.dumps(GOOGLE)}),
        34.074824224,
    ),
    "Google, in words": (message("Quota exceeded. Please retry in 12.5s."), 12.5),
    "a page": (b"<html><p>Too busy. Please try again in 30 seconds.</p>", 30.0),
    "no time": (message("Overloaded, please try again later"), None),
    "in some days": (message("Please try again in 3 days."), None),
    "of another time": (message("Timed out after 20 seconds"), None),
    "no text": (b"\xff\xfe\x00", None),
}


def test_headers() -> None:
    for name, (headers, expected) in HEADERS.items():
        with case(name):
            assert parse_retry_after(CIMultiDict(headers), now=NOW) == expected


def test_bodies() -> None:
    for name, (body, expected) in BODIES.items():
        with case(name):
            assert parse_retry_after({}, body, NOW) == pytest.approx(expected)


def test_a_header_goes_before_words_unless_it_says_now() -> None:
    body = message("Please try again in 20s.")
    assert parse_retry_after({"Retry-After": "3"}, body) == 3.0
    assert parse_retry_after({"Retry-After": "0"}, body) == 20.0
    assert parse_retry_after({"Retry-After": "nonsense"}, body) == 20.0


def test_a_date_counts_from_now() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=1800), usegmt=True)
    assert parse_retry_after({"Retry-After": date}) == pytest.approx(1800, abs=300)


@given(st.text() | st.floats().map(str) | st.integers().map(str), st.binary())
def test_whatever_comes_it_is_nothing_or_a_time_to_wait(value: str, body: bytes) -> None:
    hint = parse_retry_after({"Retry-After": value, "retry-after-ms": value}, body)
    assert hint is None or 0.0 <= hint <= MAX_RETRY_AFTER


@given(st.none() | st.floats())
def test_what_others_have_read_is_held_to_the_same(seconds: float | None) -> None:
    hint = valid_retry_after(seconds)
    assert hint is None or 0.0 <= hint <= MAX_RETRY_AFTER
    assert valid_retry_after(hint) == hint
