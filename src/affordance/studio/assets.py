"""Styles, scripts and modules of the pages, all in memory."""

import gzip
import mimetypes
from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from affordance.studio.bundle import join_modules

_LOOK = "look.css"  # the colours and fonts that the report has too
_SCRIPTS = "scripts/"  # below it, a page's module joined with the one of the shell and all that they import
_WORTH_IT = 400  # bytes, from which on a file is sent compressed


class Assets:
    """An application for all below one address. Browsers ask whether what they have is still right."""

    def __init__(self) -> None:
        packaged = files("affordance.studio") / "static"
        found = {name: one.read_bytes() for name, one in _below(packaged)}
        found[_LOOK] = (files("affordance.report") / "templates" / _LOOK).read_bytes()
        self._files = {name: _Asset(name, data) for name, data in found.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, "expected GET: this is a file")
        name = scope["path"].removeprefix(scope.get("root_path", "")).lstrip("/")
        await self._find(name).answer(request)(scope, receive, send)

    def _find(self, name: str) -> "_Asset":
        asset = self._files.get(name)
        if asset is None and name.startswith(_SCRIPTS):
            module = f"js/{name.removeprefix(_SCRIPTS)}"
            if module in self._files:
                script = join_modules(["js/shell.js", module], lambda path: self._files[path].data.decode())
                asset = self._files[name] = _Asset(name, script.encode())
        if asset is None:
            raise HTTPException(404, "there is no such file")
        return asset


class _Asset:
    def __init__(self, name: str, data: bytes) -> None:
        self._type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        self._tag = f'"{sha256(data).hexdigest()[:16]}"'
        self.data = data

    @cached_property
    def _small(self) -> bytes | None:
        return gzip.compress(self.data, mtime=0) if len(self.data) > _WORTH_IT else None

    def answer(self, request: Request) -> Response:
        headers = {"ETag": self._tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == self._tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", "") and self._small is not None:
            return Response(self._small, 200, headers | {"Content-Encoding": "gzip"}, self._type)
        return Response(self.data, 200, headers, self._type)


def _below(folder: Traversable, above: str = "") -> Iterator[tuple[str, Traversable]]:
    for one in folder.iterdir():
        if one.is_dir():
            yield from _below(one, f"{above}{one.name}/")
        elif not one.name.startswith("."):
            yield f"{above}{one.name}", one
