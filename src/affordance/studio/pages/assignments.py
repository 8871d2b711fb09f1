"""The page on which work is shared out: who has which screens, clips or pairs."""

from fastapi import APIRouter
from starlette.responses import Response

from affordance.studio.api.studies import THINGS, Organiser
from affordance.studio.pages.shell import page
from affordance.studio.pages.sign_in import InStudio

router = APIRouter()


@router.get("/assignments")
def assignments(studio: InStudio, visitor: Organiser) -> Response:
    there = [what for what, kind in THINGS.items() if studio.holdings.has(kind)]
    return page(
        "assignments",
        studio,
        visitor,
        here="/studies",
        script="studies/assignments.js" if there else "",
        things=there,
    )
