"""The application: all routers, and what goes for every request."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from affordance.author.project import Project
from affordance.studio.api import (
    asked,
    history,
    news,
    pictures,
    problems,
    retelling,
    screens,
    snapping,
    strokes,
    uploads,
)
from affordance.studio.asked import Asked
from affordance.studio.assets import Assets
from affordance.studio.context import Studio
from affordance.studio.index import Index
from affordance.studio.pages import account, boxes, home, people, questions, sign_in, validation
from affordance.studio.pictures import Pictures
from affordance.studio.presence import Presence
from affordance.studio.retellings import Retellings
from affordance.studio.security.access import Access
from affordance.studio.security.failures import add_failures
from affordance.studio.security.guard import Guard
from affordance.studio.settings import Settings
from affordance.studio.standings import Standings

ROUTERS = (
    *(home, boxes, validation, questions, people, account, sign_in),
    *(screens, strokes, history, problems, news, snapping, pictures, uploads, retelling, asked),
)


def make_app(project: Project, settings: Settings) -> FastAPI:
    studio = Studio(
        project,
        settings,
        Index(project),
        Presence(),
        Asked(project),
        Pictures(project, settings.cache),
        Retellings(project, settings),
        Standings(project),
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        studio.close()

    app = FastAPI(title="Affordance studio", openapi_url=None, docs_url=None, redoc_url=None, lifespan=lifespan)
    app.state.studio = studio
    app.state.access = Access.of(project)
    add_failures(app)
    for module in ROUTERS:
        app.include_router(module.router)

    app.mount("/static", Assets(), name="static")
    app.add_middleware(Guard, studio=app.state.studio)  # last: around all else
    return app
