"""What an HTML form sends: a few short texts, each once."""

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import Depends, HTTPException, Request

Form = Mapping[str, str]

_TYPE = "application/x-www-form-urlencoded"
_MOST_FIELDS = 20


def is_form(request: Request) -> bool:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() == _TYPE


async def form_of(request: Request) -> Form:
    if not is_form(request):
        raise HTTPException(415, f"expected a form ({_TYPE})")
    try:
        pairs = parse_qsl(
            (await request.body()).decode("ascii"),
            keep_blank_values=True,
            strict_parsing=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError:  # not ASCII, not UTF-8 beneath, no pairs, or too many
        raise HTTPException(422, "expected the fields of a form, found something else") from None
    form = dict(pairs)
    if len(form) != len(pairs) or any("\0" in text for pair in pairs for text in pair):
        raise HTTPException(422, "expected each field of the form once, without null characters")
    return form


Sent = Annotated[Form, Depends(form_of)]


def text(form: Form, field: str) -> str:
    """A field that has to be there."""
    try:
        return form[field]
    except KeyError:
        raise HTTPException(422, f"expected the field {field!r} in the form, found none") from None
