"""What somebody is told when a request cannot be answered: one line of JSON for modules, a page for people."""

from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from affordance.core.errors import EditConflict, LedgerError, UserError
from affordance.core.validation import format_validation_errors
from affordance.studio.context import Studio, studio_of
from affordance.studio.originals import NoPicture
from affordance.studio.pages.shell import page
from affordance.studio.refused import NotThere, Refused
from affordance.studio.security.passwords import Busy
from affordance.studio.security.visitors import Visitor, find_visitor

_MODULES = ("/api/", "/pictures/", "/thumbnails/", "/static/")
_FOR_PEOPLE = frozenset({403, 404, 405})  # where somebody who is known is shown the way back
_TITLES = {
    400: "That address cannot be read",
    403: "That is not for you",
    404: "There is no such page",
    405: "That cannot be done here",
    413: "That is too much at once",
    421: "This studio has another name",
    500: "Something went wrong",
    503: "The studio cannot answer just now",
}
# A page that loads itself again. Cookies do not come with what another site links to, and so nobody would be known.
AGAIN = '<!doctype html><html lang="en"><title>One moment</title><meta http-equiv="refresh" content="0"></html>'


def add_failures(app: FastAPI) -> None:
    @app.exception_handler(HTTPException)
    def http(request: Request, error: HTTPException) -> Response:
        known = error.status_code in _FOR_PEOPLE and not _for_modules(request)
        return answer_to(request, studio_of(request), error, find_visitor(request) if known else None)

    @app.exception_handler(NotThere)
    def not_there(request: Request, error: NotThere) -> Response:
        return http(request, HTTPException(404, str(error)))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return answer_to(request, studio_of(request), HTTPException(422, format_validation_errors(error.errors())))

    @app.exception_handler(UserError)
    async def ours(request: Request, error: UserError) -> Response:
        studio = studio_of(request)
        return answer_to(request, studio, HTTPException(_status(error), without_paths(str(error), studio)))

    @app.exception_handler(NoPicture)
    async def no_picture(request: Request, error: NoPicture) -> Response:
        return answer_to(request, studio_of(request), HTTPException(error.status, str(error)))

    @app.exception_handler(Busy)
    async def busy(request: Request, error: Busy) -> Response:
        return answer_to(request, studio_of(request), HTTPException(503, str(error), {"Retry-After": "2"}))


def answer_to(request: Request, studio: Studio, error: HTTPException, visitor: Visitor | None = None) -> Response:
    line = _printable(str(error.detail))
    headers = dict(error.headers or {})
    if _for_modules(request):
        return JSONResponse({"detail": line}, error.status_code, headers)
    if error.status_code == 401:
        return _to_sign_in(request)
    title = _TITLES.get(error.status_code, "That did not work")
    shown = line if error.status_code != 404 else f"Expected the address of a page, found {_path(request)[:80]!r}."
    answer = page("error", studio, visitor, error.status_code, title=title, line=_sentence(shown))
    answer.headers.update(headers)
    return answer


def _to_sign_in(request: Request) -> Response:
    if request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        return HTMLResponse(AGAIN)
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    back = f"?next={quote(wanted, safe='/')}" if request.method == "GET" and wanted != "/" else ""
    return RedirectResponse(f"/sign-in{back}", 303)


def _path(request: Request) -> str:
    found: str = request.scope["path"]
    return found


def _for_modules(request: Request) -> bool:
    return _path(request).startswith(_MODULES)


def _status(error: UserError) -> int:
    if isinstance(error, Refused):
        return 422
    return 503 if isinstance(error, LedgerError) and not isinstance(error, EditConflict) else 409


def without_paths(line: str, studio: Studio) -> str:
    """Where the project is on the server is nobody's business."""
    folder = studio.project.folder
    for one in sorted({str(folder), str(folder.resolve())}, key=len, reverse=True):
        if one not in ("", "."):
            line = line.replace(f"{one}/", "").replace(one, studio.project.about.name)
    return line.replace(studio.project.ledger.location, "the database")


def _printable(line: str) -> str:
    """Without halves of characters, which cannot be sent."""
    return line.encode("utf-8", "replace").decode()


def _sentence(line: str) -> str:
    return f"{line[:1].upper()}{line[1:]}" + ("" if line.endswith((".", "?")) else ".")
