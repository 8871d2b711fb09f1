"""A loopback copy of the hub's protocol, of GitHub's archives and files, and of a store of large files on another port;
it fails in every way that tests ask for."""

import asyncio
import base64
import hashlib
import io
import json
import threading
import zipfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import yaml
from aiohttp import web

from patience import PATIENCE
from threaded_server import ThreadedServer

LARGE = 1000  # bytes from which on a file is in the store of large files
PAGE = 3  # files on a page of the tree

Trouble = Callable[[web.Request, int], Awaitable[web.StreamResponse | None]]  # None: as usual


def git_name(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def commit_of(files: dict[str, bytes]) -> str:
    return hashlib.sha1(repr(sorted(files.items())).encode()).hexdigest()


def archive_of(files: dict[str, bytes], commit: str) -> bytes:
    """As GitHub packs a repository: in a folder, with the commit as comment, and links as links."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = commit.encode()
        archive.writestr("name-main/", b"")
        for path, content in files.items():
            archive.writestr(f"name-main/{path}", content)
        link = zipfile.ZipInfo("name-main/link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/hostname")
    return packed.getvalue()


def answers(status: int, times: int = 1, code: str = "", **headers: str) -> Trouble:
    """So the first few times."""
    given = {name.replace("_", "-"): text for name, text in headers.items()} | ({"X-Error-Code": code} if code else {})

    async def respond(request: web.Request, number: int) -> web.StreamResponse | None:
        return web.Response(status=status, headers=given) if number <= times else None

    return respond


def sends(content: bytes, kind: str = "application/octet-stream", times: int = 10**9) -> Trouble:
    """Something else than what is there."""

    async def respond(request: web.Request, number: int) -> web.StreamResponse | None:
        return web.Response(body=content, content_type=kind) if number <= times else None

    return respond


def cuts(content: bytes, after: int, times: int = 1) -> Trouble:
    """The connection, in the middle of the content."""

    async def respond(request: web.Request, number: int) -> web.StreamResponse | None:
        if number > times or request.method != "GET":
            return None
        start = _start(request)
        response = web.StreamResponse(status=206 if start else 200)
        if start:
            response.headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        response.content_length = len(content) - start
        await response.prepare(request)
        await response.write(content[start : start + after])
        assert request.transport is not None
        request.transport.close()
        return response

    return respond


@dataclass
class Stop:
    """Sends the beginning and then nothing more, until it is let go."""

    content: bytes
    after: int
    reached: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)

    async def __call__(self, request: web.Request, number: int) -> web.StreamResponse | None:
        if number > 1:
            return None
        response = web.StreamResponse()
        response.content_length = len(self.content)
        await response.prepare(request)
        await response.write(self.content[: self.after])
        self.reached.set()
        await asyncio.to_thread(self.go_on.wait, PATIENCE)
        assert request.transport is not None
        request.transport.close()
        return response


@dataclass
class Seen:
    path: str
    headers: dict[str, str]
    status: int | None = None


@dataclass
class HubServer(ThreadedServer):
    """`with HubServer({"owner/name": {"path": content}}) as server:` is a hub at `server.url`; what is large lies at
    `server.large_url`. `troubles` are by path, and `listed` changes what the tree says of a file."""

    repos: dict[str, dict[str, bytes]]
    cards: dict[str, dict[str, Any]] = field(default_factory=dict)
    troubles: dict[str, Trouble] = field(default_factory=dict)
    listed: dict[str, dict[str, Any]] = field(default_factory=dict)
    private: dict[str, bool] = field(default_factory=dict)  # of those that were made
    pinned: dict[str, str] = field(default_factory=dict)  # commits by repository, where they are not those of the files
    seen: list[Seen] = field(default_factory=list)
    url: str = ""
    large_url: str = ""

    def asked(self, part: str) -> list[Seen]:
        return [one for one in self.seen if part in one.path]

    async def start(self) -> None:
        app, large = web.Application(client_max_size=2**26), web.Application()
        name, rest = "{repo:[^/]+/[^/]+}", "{path:.+}"
        app.router.add_get(f"/api/datasets/{name}/revision/{{revision}}", self._handled(self._revision))
        app.router.add_get(f"/api/datasets/{name}/tree/{{revision}}", self._handled(self._tree))
        app.router.add_get(f"/datasets/{name}/resolve/{{revision}}/{rest}", self._handled(self._resolve))
        app.router.add_get(f"/{name}/archive/{{revision}}.zip", self._handled(self._archive))
        app.router.add_post("/api/validate-yaml", self._handled(self._validate))
        app.router.add_post("/api/repos/create", self._handled(self._create))
        app.router.add_post(f"/api/datasets/{name}/preupload/{{revision}}", self._handled(self._preupload))
        app.router.add_post(f"/api/datasets/{name}/commit/{{revision}}", self._handled(self._commit))
        app.router.add_get(f"/{name}/{{revision}}/{rest}", self._handled(self._raw))
        large.router.add_get("/{digest}", self._handled(self._large))
        self.url, self.large_url = await self.serve(app), await self.serve(large)

    def _handled(self, usual: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Any:
        async def handle(request: web.Request) -> web.StreamResponse:
            noted = Seen(request.path_qs, dict(request.headers))
            self.seen.append(noted)
            trouble = self.troubles.get(request.path)
            number = sum(one.path.partition("?")[0] == request.path for one in self.seen)
            found = await trouble(request, number) if trouble is not None else None
            response = found if found is not None else await usual(request)
            noted.status = response.status
            return response

        return handle

    def _files(self, request: web.Request) -> dict[str, bytes]:
        files = self.repos.get(request.match_info["repo"])
        if files is None:
            raise web.HTTPNotFound(headers={"X-Error-Code": "RepoNotFound"})
        if request.match_info["revision"] not in ("main", self._commit_of(request)):
            raise web.HTTPNotFound(headers={"X-Error-Code": "RevisionNotFound"})
        return files

    def _commit_of(self, request: web.Request) -> str:
        repo = request.match_info["repo"]
        return self.pinned.get(repo) or commit_of(self.repos[repo])

    async def _revision(self, request: web.Request) -> web.StreamResponse:
        self._files(request)
        card = self.cards.get(request.match_info["repo"], {"license": "mit"})
        return web.json_response({"id": request.match_info["repo"], "sha": self._commit_of(request), "cardData": card})

    async def _tree(self, request: web.Request) -> web.StreamResponse:
        files = self._files(request)
        entries: list[dict[str, Any]] = [{"type": "directory", "path": "data", "oid": "0" * 40, "size": 0}]
        for path, content in sorted(files.items()):
            entry: dict[str, Any] = {"type": "file", "path": path, "size": len(content), "oid": git_name(content)}
            if len(content) >= LARGE:
                entry["lfs"] = {"oid": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 130}
            entries.append(entry | self.listed.get(path, {}))
        start = int(request.query.get("cursor", "0"))
        headers = {}
        if start + PAGE < len(entries):
            after = f"{self.url}{request.path}?recursive=true&cursor={start + PAGE}"
            headers["Link"] = f'<{after}>; rel="next"'
        return web.json_response(entries[start : start + PAGE], headers=headers)

    async def _archive(self, request: web.Request) -> web.StreamResponse:
        files = self._files(request)
        return web.Response(body=archive_of(files, self._commit_of(request)), content_type="application/zip")

    async def _resolve(self, request: web.Request) -> web.StreamResponse:
        content = self._content(request)
        headers = {"ETag": f'"{git_name(content)}"', "X-Repo-Commit": request.match_info["revision"]}
        if len(content) < LARGE:
            return _ranged(request, content, headers)
        digest = hashlib.sha256(content).hexdigest()
        linked = {**headers, "X-Linked-ETag": f'"{digest}"', "X-Linked-Size": str(len(content))}
        return web.Response(status=302, headers={**linked, "Location": f"{self.large_url}/{digest}?signature=s3cret"})

    async def _raw(self, request: web.Request) -> web.StreamResponse:
        return _ranged(request, self._content(request), {})

    def _content(self, request: web.Request) -> bytes:
        content = self._files(request).get(request.match_info["path"])
        if content is None:
            raise web.HTTPNotFound(headers={"X-Error-Code": "EntryNotFound"})
        return content

    async def _large(self, request: web.Request) -> web.StreamResponse:
        digest = request.match_info["digest"]
        for files in self.repos.values():
            for content in files.values():
                if hashlib.sha256(content).hexdigest() == digest:
                    return _ranged(request, content, {})
        return web.Response(status=404)

    async def _create(self, request: web.Request) -> web.StreamResponse:
        wanted = await request.json()
        repo = f"{wanted['organization']}/{wanted['name']}" if wanted.get("organization") else wanted["name"]
        self.repos.setdefault(repo, {})
        self.private[repo] = bool(wanted.get("private")) or wanted.get("visibility") == "private"
        return web.json_response({"url": f"{self.url}/datasets/{repo}"})

    async def _validate(self, request: web.Request) -> web.StreamResponse:
        """Of the card's header, that it is one."""
        head = (await request.json())["content"].split("---\n")[1]
        wrong = [] if isinstance(yaml.safe_load(head), dict) else [{"message": "expected a header"}]
        return web.json_response({"errors": wrong, "warnings": []})

    async def _preupload(self, request: web.Request) -> web.StreamResponse:
        wanted = await request.json()
        told = [{"path": one["path"], "uploadMode": "regular", "shouldIgnore": False} for one in wanted["files"]]
        return web.json_response({"files": told})

    async def _commit(self, request: web.Request) -> web.StreamResponse:
        repo = request.match_info["repo"]
        for line in (await request.text()).splitlines():
            entry = json.loads(line)
            if entry["key"] == "file":
                self.repos[repo][entry["value"]["path"]] = base64.b64decode(entry["value"]["content"])
        commit = commit_of(self.repos[repo])
        return web.json_response({"commitUrl": f"{self.url}/datasets/{repo}/commit/{commit}", "commitOid": commit})


def _start(request: web.Request) -> int:
    return int(request.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")[0])


def _ranged(request: web.Request, content: bytes, headers: dict[str, str]) -> web.Response:
    start = _start(request)
    if start > len(content) or (start and start == len(content)):
        return web.Response(status=416)
    if not start:
        return web.Response(body=content, headers=headers)
    told = {**headers, "Content-Range": f"bytes {start}-{len(content) - 1}/{len(content)}"}
    return web.Response(status=206, body=content[start:], headers=told)
