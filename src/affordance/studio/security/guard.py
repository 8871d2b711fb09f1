"""What goes for every request and every answer, whatever the route: names of the host, requests of other sites, sizes,
headers. Plain ASGI, around all else."""

import logging
import re
import traceback
from collections import Counter
from urllib.parse import parse_qsl, unquote_to_bytes

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from affordance.studio.context import Studio
from affordance.studio.security.cookies import is_https, set_begun
from affordance.studio.security.failures import answer_to
from affordance.studio.security.hosts import is_our_origin, is_ours
from affordance.studio.security.visitors import SAFE

MOST_BYTES = 1_000_000
MOST_UPLOAD_BYTES = 64_000_000
UPLOADS = "/api/uploads"

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not no-referrer: forms would then be sent without an origin. Nothing goes to another site either way.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_RAW_HEADERS = tuple((name.lower().encode(), value.encode()) for name, value in HEADERS.items())

_UNSEEN = re.compile(r"[\x00-\x1f\x7f]")
_FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
_FRAMES = frozenset({"iframe", "frame", "embed", "object", "fencedframe"})
_MOST_PARAMETERS = 30
_WITH_SECRETS = ("/join", "/sign-in", "/account", "/people", "/s/", "/back")
_WITH_WORDS = ("/api/answers", "/api/study", "/api/studies", "/studies")  # of people, who may withdraw
_log = logging.getLogger("affordance.studio")


class Guard:
    def __init__(self, app: ASGIApp, studio: Studio) -> None:
        self._app = app
        self._studio = studio

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        started = False
        request = Request(scope, receive)
        scope["cookies_begun"] = {}

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self._finish(request, message)
            await send(message)

        try:
            if (refused := _refusal(request, self._studio)) is not None:
                return await answer_to(request, self._studio, refused)(scope, receive, sending)
            await self._app(scope, _limited(receive, scope), sending)
        except ClientDisconnect:
            return None  # nobody is there to be told
        except Exception as error:  # noqa: BLE001  # whatever it is: the browser must not see it
            _tell(scope, error)
            if started:
                raise ConnectionError("the answer broke off") from None
            wrong = HTTPException(500, "something went wrong here; try again, or tell whoever runs this studio")
            await answer_to(request, self._studio, wrong)(scope, receive, sending)
        return None

    def _finish(self, request: Request, message: Message) -> None:
        headers = dict(message["headers"])
        asset = request.scope["path"].startswith("/static/")
        usual = (*_RAW_HEADERS, (b"cache-control", b"no-cache" if asset else b"no-store"))
        added = [one for one in usual if one[0] not in headers]
        if headers.get(b"content-type", b"").startswith(b"text/html"):
            cookies = Response()
            set_begun(request, self._studio, cookies)
            added += [one for one in cookies.raw_headers if one[0] == b"set-cookie"]
        message["headers"] = [*message["headers"], *added]


def _refusal(request: Request, studio: Studio) -> HTTPException | None:
    """Why the request goes no further."""
    hosts = request.headers.getlist("host")
    if len(hosts) != 1 or not is_ours(hosts[0], studio.settings, request.scope.get("server")):
        found = hosts[0][:80] if len(hosts) == 1 else f"{len(hosts)} of them"
        return HTTPException(421, f"this studio does not go by the host name {found!r}; start it with --name for that")
    if studio.settings.open and any(name in request.headers for name in _FORWARDED):
        return HTTPException(421, "this came through a proxy, where people have to sign in; start it with --sign-in")
    if not _is_plain(request.scope):
        return HTTPException(400, "expected an address in UTF-8 without control characters, each parameter once")
    if _is_foreign(request, hosts[0], is_https(request, studio)):
        return HTTPException(403, "this came from another site, which must not use the studio")
    return _too_big(request)


def _is_foreign(request: Request, host: str, https: bool) -> bool:
    """Other sites may link to a page, and nothing else. Not all browsers say where a request is from; what changes
    something has to show a token besides."""
    site = request.headers.get("sec-fetch-site")
    if request.method in SAFE:
        linked = request.headers.get("sec-fetch-mode") == "navigate"
        framed = request.headers.get("sec-fetch-dest") in _FRAMES
        return site not in (None, "same-origin", "none") and (framed or not linked)
    origins = request.headers.getlist("origin")
    return site not in (None, "same-origin") or any(not is_our_origin(one, host, https) for one in origins)


def _too_big(request: Request) -> HTTPException | None:
    declared = request.headers.get("content-length")
    if declared is None:
        return None
    if not (declared.isascii() and declared.isdigit() and len(declared) < 20):
        return HTTPException(400, "expected a number as the length of the content")
    return _over(_most(request.scope)) if int(declared) > _most(request.scope) else None


def _is_plain(scope: Scope) -> bool:
    try:
        path = unquote_to_bytes(scope.get("raw_path") or scope["path"]).decode("utf-8")
        query = scope["query_string"].decode("ascii")
        pairs = parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=_MOST_PARAMETERS)
    except ValueError:  # not UTF-8, or too many
        return False
    if any(times > 1 for times in Counter(name for name, _ in pairs).values()):
        return False
    return not any(_UNSEEN.search(text) for text in (path, *(text for pair in pairs for text in pair)))


def _most(scope: Scope) -> int:
    return MOST_UPLOAD_BYTES if scope["path"] == UPLOADS else MOST_BYTES


def _over(most: int) -> HTTPException:
    return HTTPException(413, f"expected at most {most / 1e6:g} MB, found more; send less at once")


def _limited(receive: Receive, scope: Scope) -> Receive:
    """Counts what really comes, whatever was said before."""
    most = _most(scope)
    got = 0

    async def receiving() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > most:
            raise _over(most)
        return message

    return receiving


def _tell(scope: Scope, error: Exception) -> None:
    """To whoever runs the studio: never a cookie, a body, a query, or the token in the path of a link; nor what people
    say in a study."""
    path: str = scope["path"]
    secret = path.startswith(_WITH_SECRETS)
    shown = (f"/{path[1:].partition('/')[0]}" if secret else path)[:200].encode("ascii", "backslashreplace").decode()
    parts = traceback.format_exception(type(error), error, error.__traceback__)
    if secret or path.startswith(_WITH_WORDS):  # messages may quote what was sent
        parts = [*traceback.format_tb(error.__traceback__), f"{type(error).__name__}\n"]
    _log.error("%s %s failed\n%s", scope["method"], shown, "".join(parts))
