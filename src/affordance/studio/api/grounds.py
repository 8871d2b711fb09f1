"""Screens, clips and pairs: the list of each, and one of them with all that belongs to it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response

from affordance.author.records import Kind
from affordance.studio.answers import answer
from affordance.studio.context import Studio, studio_of
from affordance.studio.entries import ScreenId
from affordance.studio.security.rights import Right
from affordance.studio.security.visitors import Visitor, needs
from affordance.studio.views import screen_view

router = APIRouter(prefix="/api")


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where grounds of a kind are: `rows` with the newest revision that is in them, `view` of one."""

    rows: Callable[[Studio], tuple[int, list[dict[str, Any]]]]
    view: Callable[[Studio, str], dict[str, Any]]


SHELVES = {
    Kind.SCREEN: Shelf(
        lambda studio: studio.index.rows(),
        lambda studio, name: screen_view(studio.project, studio.index, name),
    ),
    Kind.CLIP: Shelf(lambda studio: studio.clips.rows(), lambda studio, name: studio.clips.view(name)),
    Kind.PAIR: Shelf(lambda studio: studio.pairs.rows(), lambda studio, name: studio.pairs.view(name)),
}


def _add(kind: Kind, shelf: Shelf) -> None:
    @router.get(f"/{kind}s")
    def listed(
        request: Request, visitor: Annotated[Visitor, needs(Right.SEE)], studio: Annotated[Studio, Depends(studio_of)]
    ) -> Response:
        """`mine` are those that were assigned to who asks."""
        last, rows = shelf.rows(studio)
        return answer(request, {"last": last, f"{kind}s": rows, "mine": studio.assignments.of(visitor.key)})

    @router.get(f"/{kind}")
    def one(
        request: Request,
        screen: ScreenId,
        _: Annotated[Visitor, needs(Right.SEE)],
        studio: Annotated[Studio, Depends(studio_of)],
    ) -> Response:
        """404 where there is none; 409 where a document of it cannot be read, which the error names; 410 where its
        video is not there any more, or another one."""
        return answer(request, shelf.view(studio, screen))


for _kind, _shelf in SHELVES.items():
    _add(_kind, _shelf)
