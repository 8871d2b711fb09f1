"""What people answered in a study: look at it, leave answers out, decide where they differ, take everything along."""

import io
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Query
from fastapi.responses import RedirectResponse
from starlette.responses import Response

from affordance.studio.api.studies import Organiser
from affordance.studio.api.taking import StudyName
from affordance.studio.context import Studio
from affordance.studio.moments import day_and_time
from affordance.studio.pages.shell import page
from affordance.studio.pages.sign_in import InStudio
from affordance.studio.refused import Refused
from affordance.studio.security.forms import Sent, text
from affordance.studio.security.records import utc_now
from affordance.studio.security.visitors import Visitor
from affordance.studio.studies.adjudicating import is_blind
from affordance.studio.studies.exporting import export_study
from affordance.studio.studies.overseeing import WHYS, Show, leave_out, look

router = APIRouter()

SHOWS: Mapping[Show, str] = {
    "all": "All",
    "counted": "Those that count",
    "short": "Very short",
    "out": "Those that do not",
}


@router.get("/studies/{name}/answers")
def answers(
    name: StudyName,
    studio: InStudio,
    visitor: Organiser,
    show: Show = "all",
    search: Annotated[str, Query(max_length=200)] = "",
    at: Annotated[int, Query(ge=1, lt=1_000_000)] = 1,
) -> Response:
    return _answers(studio, visitor, name, show, search, at)


@router.post("/studies/{name}/leave-out")
def leave(name: StudyName, visitor: Organiser, form: Sent, studio: InStudio) -> Response:
    """Back to where the answer is in the list."""
    study, seat, slot = studio.studies.study(name), text(form, "seat"), text(form, "slot")
    asked = {"show": form.get("show", "all"), "search": form.get("search", ""), "at": form.get("at", "1")}
    try:
        leave_out(studio.project, studio.studies.open(study), seat, slot, text(form, "why"), visitor.author)
    except Refused as refused:
        return _answers(studio, visitor, name, "all", "", 1, str(refused), 422)
    return RedirectResponse(f"/studies/{name}/answers?{urlencode(asked)}#{slot}-{seat}", 303)


@router.get("/studies/{name}/differences")
def differences(name: StudyName, studio: InStudio, visitor: Organiser) -> Response:
    study = studio.studies.study(name)
    blind = is_blind(study)
    return page(
        "study_differences",
        studio,
        visitor,
        here="/studies",
        script="" if blind else "studies/differences.js",
        study=study,
        blind=blind,
    )


@router.get("/studies/{name}/export", response_model=None)
def export(name: StudyName, studio: InStudio, visitor: Organiser, external: bool = False) -> Response:
    """`answers.csv`, `seats.csv` and `study.json`."""
    study = studio.studies.study(name)
    if is_blind(study):
        raise HTTPException(409, "what people prefer is told when the study is closed; close it first")
    opened = studio.studies.open(study)
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as kept, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        folder = Path(kept) / "study"
        export_study(studio.project, opened, folder, utc_now(), external=external)
        for file in sorted(folder.iterdir()):
            archive.write(file, f"{name}/{file.name}")
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"', "Cache-Control": "no-store"}
    return Response(packed.getvalue(), media_type="application/zip", headers=headers)


def _answers(
    studio: Studio, visitor: Visitor, name: str, show: Show, search: str, at: int, line: str = "", status: int = 200
) -> Response:
    study = studio.studies.study(name)
    opened = None if is_blind(study) else studio.studies.open(study)
    found = None if opened is None else look(studio.project, opened, show=show, search=search, page=at)

    def address(number: int) -> str:
        return f"/studies/{name}/answers?{urlencode({'show': show, 'search': search, 'at': number})}"

    return page(
        "study_answers",
        studio,
        visitor,
        status,
        here="/studies",
        study=study,
        found=found,
        show=show,
        shows=SHOWS,
        search=search,
        whys=WHYS,
        line=line,
        address=address,
        day_and_time=day_and_time,
    )
