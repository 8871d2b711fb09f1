"""The application: all routers, and what goes for every request."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.telemetry import TelemetryConfig

from affordance.author.project import Project
from affordance.studio.api import (
    asked,
    cleaning,
    clips,
    entering,
    grounds,
    history,
    news,
    pairs,
    pictures,
    problems,
    retelling,
    snapping,
    splitting,
    strokes,
    studies,
    taking,
    types,
    uploads,
)
from affordance.studio.asked import Asked
from affordance.studio.assets import Assets
from affordance.studio.clips import Clips
from affordance.studio.context import Studio
from affordance.studio.findings import Findings
from affordance.studio.holdings import Holdings
from affordance.studio.index import Index
from affordance.studio.masks import Masks
from affordance.studio.originals import Originals
from affordance.studio.pages import (
    account,
    assignments,
    boxes,
    home,
    people,
    questions,
    sign_in,
    study_answers,
    validation,
)
from affordance.studio.pages import cleaning as cleaning_page
from affordance.studio.pages import clips as clips_page
from affordance.studio.pages import pairs as pairs_page
from affordance.studio.pages import splitting as splitting_page
from affordance.studio.pages import studies as studies_page
from affordance.studio.pages import taking as taking_page
from affordance.studio.pair_work import PairWork
from affordance.studio.pairs import Pairs
from affordance.studio.pictures import Pictures
from affordance.studio.presence import Presence
from affordance.studio.retellings import Retellings
from affordance.studio.security.access import Access
from affordance.studio.security.failures import add_failures
from affordance.studio.security.guard import Guard
from affordance.studio.settings import Settings
from affordance.studio.standings import Standings
from affordance.studio.studies.assignments import Assignments
from affordance.studio.studies.opened import Studies

ROUTERS = (
    *(strokes, news),  # first: they are asked for the most, and routes are tried one after the other
    *(home, boxes, validation, questions, clips_page, people, account, sign_in),
    *(pairs_page, pairs, cleaning_page, cleaning, splitting_page, splitting, taking_page),
    *(entering, taking, studies_page, study_answers, assignments, studies),
    *(grounds, types, history, problems, snapping, pictures, uploads, retelling, asked, clips),
)

# What people do here is told to nobody, whatever the environment says.
_UNTOLD: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}


def make_app(project: Project, settings: Settings) -> FastAPI:
    originals = Originals(project)
    studio = Studio(
        project,
        settings,
        Index(project),
        Presence(),
        Asked(project),
        Pictures(project, settings.cache),
        Retellings(project, settings),
        Standings(project),
        originals,
        Masks(originals),
        PairWork(project, Findings(originals)),
        Pairs(project),
        Holdings(project),
        Clips(project, originals, settings.cache),
        Studies(project, settings.cache),
        Assignments(project),
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        studio.close()

    app = FastAPI(
        title="Affordance studio",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        telemetry=_UNTOLD,
        lifespan=lifespan,
    )
    app.state.studio = studio
    app.state.access = Access.of(project)
    add_failures(app)
    for module in ROUTERS:
        app.include_router(module.router)

    app.mount("/static", Assets(), name="static")
    app.add_middleware(Guard, studio=app.state.studio)  # last: around all else
    return app
