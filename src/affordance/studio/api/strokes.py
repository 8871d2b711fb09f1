"""Saving strokes."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import JSONResponse

from affordance.author.records import Kind
from affordance.studio.context import Studio, studio_of
from affordance.studio.entries import entry
from affordance.studio.refused import Refused
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs
from affordance.studio.strokes import Overtaken, Sent, save

router = APIRouter(prefix="/api")


@router.post("/strokes", response_model=None)
def strokes(
    sent: Sent, visitor: Annotated[Visitor, needs(Right.EDIT)], studio: Annotated[Studio, Depends(studio_of)]
) -> JSONResponse:
    """Saved (also where it had been saved before), 409 where somebody was first, 422 for what makes no sense."""
    if any(edit.kind is Kind.VALIDATION for edit in sent.edits) and not visitor.may(Right.VALIDATE):
        raise HTTPException(403, f"to say whether a text is right takes a reviewer; you are {visitor.role}")
    try:
        saved = save(studio.project, visitor.author, sent)
    except Overtaken as error:
        return JSONResponse(
            {
                "key": sent.key,
                "state": "conflict",
                "detail": str(error),
                "entries": [entry(one) for one in error.there],
            },
            409,
        )
    except Refused as error:
        return JSONResponse({"key": sent.key, "state": "refused", "detail": str(error)}, 422)
    entries = [entry(one) for one in saved.revisions]
    return JSONResponse({"key": sent.key, "state": "saved", "entries": entries, "again": not saved.new})
