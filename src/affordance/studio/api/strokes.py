"""Saving strokes."""

import json
from typing import Annotated

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from affordance.ledger import SavedBatch
from affordance.studio.answers import answer
from affordance.studio.context import studio_of
from affordance.studio.entries import entry
from affordance.studio.grounds import JUDGED
from affordance.studio.refused import Refused
from affordance.studio.security.current import Versions
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Asker, Visitor, needs_first
from affordance.studio.strokes import Outdated, Overtaken, Sent, save

router = APIRouter(prefix="/api")


@router.post("/strokes", response_model=None)
async def strokes(request: Request, who: Annotated[Asker, needs_first(Right.EDIT)]) -> Response:
    """Saved (also where it had been saved before), 409 where somebody was first, 422 for what makes no sense."""
    return await run_in_threadpool(_answer, request, who, await request.body())


def _answer(request: Request, who: Asker, body: bytes) -> Response:
    visitor, granted = who.recalled()
    sent = _sent(request, body)
    try:
        try:
            saved = _save(request, visitor, sent, granted)
        except Outdated:
            saved = _save(request, who.now(), sent, {})
        if not saved.is_new:
            who.now()  # nothing was written, and so nothing was looked at
    except Overtaken as error:
        entries = [entry(one) for one in error.there]
        told = {"key": sent.key, "state": "conflict", "detail": str(error), "entries": entries}
        return answer(request, told, 409)
    except Refused as error:
        return answer(request, {"key": sent.key, "state": "refused", "detail": str(error)}, 422)
    entries = [entry(one) for one in saved.revisions]
    return answer(request, {"key": sent.key, "state": "saved", "entries": entries, "again": not saved.is_new})


def _save(request: Request, visitor: Visitor, sent: Sent, granted: Versions) -> SavedBatch:
    if any(edit.kind in JUDGED for edit in sent.edits) and not visitor.may(Right.VALIDATE):
        raise HTTPException(403, f"to say whether something is right takes a reviewer; you are {visitor.role}")
    return save(studio_of(request).project, visitor.author, sent, granted)


def _sent(request: Request, body: bytes) -> Sent:
    """Read here, in the thread of the handler, and after it is known who asks."""
    declared = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if declared != "application/json":
        raise HTTPException(422, f"expected a stroke as application/json, found {declared[:40] or 'no type'}")
    try:
        return Sent.model_validate(json.loads(body))
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None
    except (ValueError, RecursionError):
        raise HTTPException(422, "expected a stroke as JSON, found something else") from None
