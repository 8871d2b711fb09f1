"""Hostile input: every route as the wrong person, from the wrong place, with what nobody should send. Nothing gets
through, nothing crashes, nothing is written."""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from http.client import HTTPConnection
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from playwright.sync_api import Browser, Page
from starlette.routing import BaseRoute, Mount

from affordance.author.project import DATABASE, Project, open_project
from affordance.studio.app import make_app
from affordance.studio.people import People
from affordance.studio.security import passwords
from affordance.studio.security.cookies import csrf_of
from affordance.studio.security.guard import CSP, HEADERS
from affordance.studio.security.links import Links
from affordance.studio.security.rights import RIGHTS, Right, Role
from affordance.studio.security.sessions import Sessions
from affordance.studio.security.visitors import Needs
from affordance.studio.settings import Settings
from form_client import CHEAP_PASSWORDS
from patience import PATIENCE
from studio_world import Answer, Server, make_project, serving

PASSWORD = "planted-password-7b1c"
PUBLIC = {
    ("GET", "/sign-in"),
    ("POST", "/sign-in"),
    ("GET", "/join/{token}"),
    ("POST", "/join/{token}"),
    ("GET", "/s/{token}"),
    ("GET", "/back/{token}"),
}
SCREEN = "screen-1"
ELSEWHERE = "https://evil.example"
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
PASSWD = "../../../../../../etc/passwd"
NASTY = (
    PASSWD,
    "/etc/passwd",
    "..",
    "....//....//etc/passwd",
    "..\\..\\windows\\win.ini",
    "\0",
    "a\0b",
    "\r\nSet-Cookie: x=y",
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "${7*7}{{7*7}}",
    "-1",
    "1e999",
    "NaN",
    "9" * 400,
    "x" * 5000,
    "\u202e\ufeff\U0001f600",
)


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: str
    right: Right | None
    guarded: bool
    parameters: tuple[str, ...]

    def at(self, **values: str) -> str:
        """An address of it. Parameters of the query have values that could be."""
        path = re.sub(r"{(\w+)(:path)?}", lambda name: quote(values.pop(name[1], "a" * 43), safe=""), self.path)
        known = {"screen": SCREEN, "kind": "region", "name": "0-0", "after": "0", "x": "5", "y": "5", "radius": "8"}
        wanted = {name: known[name] for name in self.parameters if name in known} | values
        return f"{path}?{urlencode(wanted)}" if wanted else path


CONNECTIONS: list[HTTPConnection] = []  # of all clients, to be closed at the end


@dataclass(slots=True)
class Client:
    """Somebody with a session, or without."""

    server: Server
    cookie: str = ""
    csrf: str = ""
    _connection: HTTPConnection | None = field(default=None)

    def headers(self) -> dict[str, str]:
        return {"Cookie": self.cookie, "X-CSRF-Token": self.csrf} if self.cookie else {}

    def send(
        self, method: str, path: str, body: bytes | Iterable[bytes] | None = None, **headers: str | None
    ) -> Answer:
        """`headers` with underscores; None leaves one out."""
        sent = self.headers() | {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
        for name in [name for name, value in headers.items() if value is None]:
            sent.pop(name.replace("_", "-"), None)
        for fresh in (False, True):
            if self._connection is None or fresh:
                self._connection = HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
                CONNECTIONS.append(self._connection)
            try:
                chunked = body is not None and not isinstance(body, bytes)
                self._connection.request(method, path, body, sent, encode_chunked=chunked)
                found = self._connection.getresponse()
                answer = Answer(found.status, {key.lower(): value for key, value in found.getheaders()}, found.read())
            except (ConnectionError, OSError):
                self._connection.close()
                if fresh:
                    raise
            else:
                if answer.status == 413:  # what was not read is still on the way
                    self._connection.close()
                return answer
        raise AssertionError

    def form(self, path: str, **fields: str) -> Answer:
        return self.send("POST", path, urlencode(fields).encode(), Content_Type=FORM)

    def json(self, path: str, content: Any) -> Answer:
        return self.send("POST", path, json.dumps(content).encode(), Content_Type=JSON)


@dataclass(frozen=True, slots=True)
class World:
    server: Server
    project: Project
    routes: list[Route]
    clients: dict[Role | None, Client]
    secrets: list[str]

    @property
    def root(self) -> Client:
        return self.clients[Role.ADMINISTRATOR]

    def written(self) -> int:
        return self.project.ledger.documents.last_revision_id()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = make_project(tmp_path_factory.mktemp("hostile") / "shop", screens=2)
    with serving(folder, "--sign-in", limits=CHEAP_PASSWORDS) as server, open_project(folder) as project:
        people = People(project.ledger)
        sessions, links = Sessions(project.ledger), Links(people)
        name = f"studio-session-{sha256(project.about.id.encode()).hexdigest()[:8]}"
        clients: dict[Role | None, Client] = {None: Client(server)}
        secrets = [PASSWORD]
        with pytest.MonkeyPatch.context() as cheap:
            cheap.setattr(passwords, "_N", 2**8)
            for role in Role:
                link = links.invite(role, timedelta(days=1), "test")
                part = role is Role.PARTICIPANT
                key = links.enter(link) if part else links.join(link, role.capitalize(), PASSWORD)
                token = sessions.begin(key, role)
                clients[role] = Client(server, f"{name}={token}", csrf_of(token))
                secrets += [link, token, csrf_of(token)]
        yield World(server, project, routes_of(make_app(project, Settings())), clients, secrets)
        for connection in CONNECTIONS:
            connection.close()


def routes_of(app: FastAPI) -> list[Route]:
    found = []
    for one in walk(app.routes):
        needs = [part.call for part in one.dependant.dependencies if isinstance(part.call, Needs)]
        names = tuple(each.alias for each in (*one.dependant.path_params, *one.dependant.query_params))
        right = needs[0].right if needs else None
        found += [Route(method, one.path, right, bool(needs), names) for method in sorted(one.methods)]
    return found


def walk(routes: Iterable[BaseRoute]) -> Iterator[APIRoute]:
    for one in routes:
        if isinstance(one, APIRoute):
            yield one
        elif (inner := getattr(one, "original_router", None)) is not None:  # how FastAPI includes routers
            yield from walk(inner.routes)
        else:
            assert isinstance(one, Mount), f"a route of a kind that this test does not know: {one!r}"
            assert one.path == "/static"


def of(world: World, *methods: str) -> list[Route]:
    return [one for one in world.routes if one.method in methods]


def turned_away(answer: Answer) -> bool:
    to_sign_in = answer.status == 303 and answer.headers["location"].startswith("/sign-in")
    return answer.status in (401, 403) or to_sign_in


def test_every_route_says_what_it_needs(world: World) -> None:
    assert {(one.method, one.path) for one in world.routes if not one.guarded} == PUBLIC
    assert len(world.routes) > 25


def test_every_route_as_a_role_that_may_not(world: World) -> None:
    before = world.written()
    for role, client in world.clients.items():
        for one in world.routes:
            if not one.guarded or (role is not None and (one.right is None or one.right in RIGHTS[role])):
                continue
            assert turned_away(client.send(one.method, one.at())), one
            if one.method == "POST":
                for kind, body in ((JSON, b"{}"), (FORM, b"a=b")):
                    assert turned_away(client.send("POST", one.at(), body, Content_Type=kind)), one
    assert world.written() == before


@pytest.mark.parametrize("role", [Role.PARTICIPANT, Role.ANNOTATOR, Role.REVIEWER])
def test_a_role_that_may_not_judge_or_manage_cannot_by_another_way(world: World, role: Role) -> None:
    client = world.clients[role]
    verdict = {"contextual": True, "purposeful": True, "truthful": True, "rejected": False, "note": "", "box": None}
    edit = {"kind": "validation", "name": "1-0", "after": 0, "set": verdict}
    saved = client.json("/api/strokes", {"screen": SCREEN, "key": "ab" * 16, "edits": [edit]})
    assert saved.status == (200 if role is Role.REVIEWER else 403)
    edit = {"kind": "review", "name": "1-x", "after": 0, "set": {"round": 1, "done": True}}
    saved = client.json("/api/strokes", {"screen": SCREEN, "key": "ef" * 16, "edits": [edit]})
    assert saved.status == (422 if role is Role.REVIEWER else 403)  # there is no such pair
    before = world.written()
    for kind in ("person", "link", "session", "administrators", "project", "study", "seat", "answer", "settled"):
        for name in ("", "administrator", "root"):
            assert client.send("GET", f"/api/history?screen=&kind={kind}&name={name}").status in (403, 404, 422)
            edit = {"kind": kind, "name": name, "after": 0, "set": {"role": "administrator"}}
            answer = client.json("/api/strokes", {"screen": SCREEN, "key": "cd" * 16, "edits": [edit]})
            assert answer.status in (403, 422)
    assert client.form("/people/role", csrf=client.csrf, person=role, role="administrator").status == 403
    assert world.written() == before


def test_who_was_shut_out_a_moment_ago_saves_nothing(world: World) -> None:
    """By another process: this one remembers them."""
    people = People(world.project.ledger)
    links, sessions = Links(people), Sessions(world.project.ledger)
    key = links.join(links.invite(Role.REVIEWER, timedelta(days=1), "test"), "Fleeting", PASSWORD)
    cookie = world.root.cookie.partition("=")[0]

    def client() -> Client:
        known = people.find(key)
        assert known is not None
        token = sessions.begin(key, known.person.role, known.person.epoch)
        return Client(world.server, f"{cookie}={token}", csrf_of(token))

    def moved(left: int, key: str) -> dict[str, Any]:
        after = max(one.version for one in world.project.ledger.documents.history("region", f"{SCREEN}/1-1"))
        box = {"space": "pixel", "xyxy": [left, 10, 60, 60]}
        return stroke({"kind": "region", "name": "1-1", "after": after, "set": {"box": box}}, key=key)

    reviewer = client()
    first = moved(11, "1a" * 16)
    assert reviewer.json("/api/strokes", first).status == 200
    assert reviewer.json("/api/strokes", moved(12, "1b" * 16)).status == 200
    people.change_role(key, Role.ANNOTATOR, "test")  # which ends the session
    before = world.written()
    assert reviewer.json("/api/strokes", moved(13, "1c" * 16)).status == 401
    assert reviewer.json("/api/strokes", first).status == 401  # what was saved is not told once more either
    assert world.written() == before
    annotator = client()
    assert annotator.json("/api/strokes", moved(14, "1d" * 16)).status == 200
    people.disable(key, True, "test")
    before = world.written()
    assert annotator.json("/api/strokes", moved(15, "1e" * 16)).status == 401
    assert world.written() == before


def test_nothing_changes_without_the_token_of_the_session(world: World) -> None:
    before = world.written()
    others = world.clients[Role.REVIEWER].csrf
    for one in of(world, "POST"):
        for token in (None, others, "\u00e9"):
            sent = token.encode().decode("latin-1") if token else token
            answer = world.root.send("POST", one.at(), b"{}", X_CSRF_Token=sent, Content_Type=JSON)
            assert answer.status == 403, (one, token)
        for token in (None, csrf_of("x")):
            answer = world.root.send(
                "POST",
                one.at(),
                urlencode({"csrf": token or "", "name": "x", "password": PASSWORD}).encode(),
                X_CSRF_Token=None,
                Content_Type=FORM,
            )
            assert answer.status == 403, (one, token)
    for token in ("", "x"):
        answer = world.root.send("POST", "/people/links", b"role=annotator", X_CSRF_Token=token, Content_Type=FORM)
        assert answer.status == 403
    assert world.written() == before


FOREIGN: tuple[dict[str, str], ...] = (
    {"Origin": ELSEWHERE},
    {"Sec_Fetch_Site": "cross-site"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "file://"},
    {"Sec_Fetch_Site": "same-site"},
    {"Sec_Fetch_Site": "none"},
    {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"},
)


def test_nothing_changes_from_another_site(world: World) -> None:
    """The first two headers for every route, all of them for a few."""
    before = world.written()
    for number, one in enumerate(of(world, "POST")):
        for headers in FOREIGN if number < 3 else FOREIGN[:2]:
            answer = world.root.send("POST", one.at(), b"{}", Content_Type=JSON, **headers)
            assert answer.status == 403, (one, headers)
    assert world.written() == before


def test_another_site_may_link_and_nothing_else(world: World) -> None:
    seen = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "image"}
    framed = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"}
    linked = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    for one in of(world, "GET"):
        assert world.root.send("GET", one.at(), **seen).status == 403
        assert world.root.send("GET", one.at(), **framed).status == 403
    assert world.root.send("GET", "/account", **linked).status == 200


HOSTS = ("evil.example:{}", "evil.example", "127.0.0.1", "127.0.0.1:1", "", "127.0.0.1:{}@x")


def test_no_route_answers_to_another_name(world: World) -> None:
    """A site may let its own name point here, but not give us that name."""
    before = world.written()
    for number, one in enumerate(world.routes):
        for host in HOSTS if number < 3 else HOSTS[:1]:
            answer = world.root.send(one.method, one.at(), Host=host.format(world.server.port))
            assert answer.status in (400, 421), (one, host)
    for host in HOSTS:
        assert world.root.send("GET", "/static/look.css", Host=host.format(world.server.port)).status in (400, 421)
    assert world.root.send("GET", "/account", Host=f"localhost:{world.server.port}").status == 200
    assert world.written() == before


def test_values_that_nobody_should_send(world: World) -> None:
    """In every parameter of every address: a path to a file, and each time the next three of the others."""
    before = world.written()
    others = cycle(NASTY[1:])
    for one in world.routes:
        for name in one.parameters:
            for value in (PASSWD, *islice(others, 3)):
                answer = world.root.send(one.method, one.at(**{name: value}))
                assert answer.status < 500, (one, name, value)
                assert b"root:x:" not in answer.body
                assert "x" not in answer.headers.get("set-cookie", "").partition("=")[0].split(";")
    assert world.written() == before


NOWHERE = (
    "/static/../app.py",
    "/static/..%2f..%2fapp.py",
    "/static/%2e%2e/%2e%2e/app.py",
    "/static/..%5c..%5capp.py",
    "/static//etc/passwd",
    "/static/%00",
    "/static/look.css%00.html",
    "/pictures/..%2f..%2fproject.db",
    "/pictures/%2e%2e%2f%2e%2e%2fproject.json",
    "/thumbnails/..%2f..%2fproject.db",
    "/pictures/%2fetc%2fpasswd",
    "/media/screen-1.png",
    "/project.db",
    "//etc/passwd",
    "/%ff%fe",
    "/api/screen?screen=%ff",
    "/api/screen?screen=a&screen=b",
    "/api/screen?screen=" + "x" * 30_000,
    "/api/screen?" + "&".join(f"a{number}=1" for number in range(200)),
    "/api/snap?screen=screen-1&x=nan&y=inf&radius=8",
    "/api/news?screen=screen-1&after=99999999999999999999999",
    "/account\x7f",
    "*",
)


def test_addresses_that_lead_nowhere(world: World) -> None:
    for number, path in enumerate(NOWHERE):
        for client in world.clients.values() if number % 5 == 0 else (world.root, world.clients[None]):
            answer = client.send("GET", quote(path, safe="/%?=&*"))
            assert 400 <= answer.status < 500 or turned_away(answer), path
            assert b"Traceback" not in answer.body


def deep(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


MALFORMED = (
    b"",
    b"{",
    b"null",
    b"[]",
    b"1",
    b'"x"',
    b"\xff\xfe",
    b"\0",
    deep(100_000),
    b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    b'{"screen": NaN, "key": Infinity, "edits": -Infinity}',
    b'{"screen": ' + b"9" * 10_000 + b"}",
    b'{"screen": "screen-1", "screen": ["screen-1"]}',
    b'{"screen": "\\ud800", "key": "\\ud800", "edits": []}',
    b'{"screen": "\\u0000", "key": "\\u0000", "boxes": {"\\u0000": []}, "parents": {}, "edits": []}',
    b'{"__proto__": {"a": 1}, "constructor": {}}',
    b'{"screen": {"$ne": ""}, "edits": {"length": 1e9}}',
)


FEW = (b"", b"{", b"\xff\xfe", b'"x"')  # that are sent as every kind of content
KINDS = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain")


def test_bodies_that_nobody_should_send(world: World) -> None:
    before = world.written()
    leaving = ("/sign-out", "/account/")
    for one in sorted(of(world, "POST"), key=lambda one: one.path.startswith(leaving)):  # those end the session
        for body in MALFORMED:
            for kind in KINDS if body in FEW else KINDS[:1]:
                answer = world.root.send("POST", one.at(), body, Content_Type=kind)
                assert 400 <= answer.status < 500 or one.path.startswith(leaving), (one, body[:40])
                assert b"Traceback" not in answer.body
            if one.path.startswith(leaving):
                break  # those need no body
    assert world.written() - before <= 2  # signed out, and everywhere
    revive(world)


def revive(world: World) -> None:
    """The administrator has a session again."""
    known = People(world.project.ledger).find("administrator")
    assert known is not None
    token = Sessions(world.project.ledger).begin("administrator", Role.ADMINISTRATOR, known.person.epoch)
    world.root.cookie = f"{world.root.cookie.partition('=')[0]}={token}"
    world.root.csrf = csrf_of(token)
    world.secrets.extend((token, world.root.csrf))


def test_more_than_fits(world: World) -> None:
    before = world.written()
    big = b"x" * 1_100_000
    kinds = cycle((JSON, FORM))
    for one in of(world, "POST"):
        if one.path == "/api/uploads":
            continue
        kind = next(kinds)
        assert world.root.send("POST", one.at(), big, Content_Type=kind).status == 413, one
        if one.path.startswith(("/sign-out", "/account/sign-out")):
            continue  # the token is in the header, and the body is never read
        chunks = (big[:100_000] for _ in range(12))
        headers = {"Content_Type": kind, "Transfer_Encoding": "chunked"}
        assert world.root.send("POST", one.at(), chunks, **headers).status in (403, 413, 415), one
    assert world.written() == before


def stroke(*edits: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {"screen": SCREEN, "key": "0f" * 16, "edits": list(edits), **values}


def region(**values: Any) -> dict[str, Any]:
    box = {"space": "pixel", "xyxy": [10, 10, 60, 60]}
    fields = {"box": box, "parent": "0-0", "type": "x", "dividable": False, "gone": False}
    return {"kind": "region", "name": "n-abcdefgh", "after": 0, "set": fields, **values}


BAD_STROKES: tuple[Any, ...] = (
    stroke(),
    stroke(region(), key="short"),
    stroke(region(), key="../" * 10 + "xx"),
    stroke(region(), screen="../../etc"),
    stroke(region(), screen="screen-1/0-0"),
    stroke(region(), screen=""),
    stroke(region(), screen="\0"),
    *(stroke(region(name=name)) for name in ("../x", "a/b", "", "\0", "x" * 5000, "<script>", "\ud800")),
    *(stroke(region(kind=kind)) for kind in ("screen", "captured", "selection", "work", "person", "", "__class__")),
    *(stroke(region(after=after)) for after in (-1, 1.5, "0", None, True, 10**30)),
    *(
        stroke(region(set={"box": {"space": "pixel", "xyxy": xyxy}, "parent": "0-0"}))
        for xyxy in (
            [],
            [1],
            [1, 2, 3, "4"],
            [5, 5, 1, 1],
            [-9, 0, 5, 5],
            [0, 0, 9e9, 9e9],
            [1e308] * 4,
            [10**400, 0, 1, 1],
        )
    ),
    stroke(region(set={"box": {"space": "mille", "xyxy": [1, 1, 2, 2]}, "parent": "0-0"})),
    stroke(region(set={"by": "person:root"})),
    stroke(region(set={"description": "x"})),
    stroke(region(set={"box": None})),
    stroke(region(set={"parent": "n-abcdefgh"})),
    stroke(region(set={"parent": "nowhere"})),
    stroke(*[region(name=f"n-{number:08}") for number in range(5000)]),
    stroke(region(), author="person:root"),
)


def test_edits_that_make_no_sense(world: World) -> None:
    before = world.written()
    for sent in BAD_STROKES:
        answer = world.root.json("/api/strokes", sent)
        assert answer.status in (409, 413, 422), (str(sent)[:300], answer.body[:300])
        assert isinstance(answer.json["detail"], str)
        assert "\n" not in answer.json["detail"]
        assert world.written() == before, str(sent)[:300]


def test_every_answer_has_its_headers(world: World) -> None:
    for client in world.clients.values():
        for path in ("/people", "/api/screens", "/static/look.css", "/nothing", "/api/nothing", "/sign-in", "/join/x"):
            answer = client.send("GET", path)
            for name, value in HEADERS.items():
                assert answer.headers[name.lower()] == value
            assert answer.headers["cache-control"] == ("no-cache" if "static" in path else "no-store")
            assert "server" not in answer.headers
    refused = world.root.send("GET", "/people", Host="evil.example")
    assert refused.headers["content-security-policy"] == CSP
    for cookie in (world.clients[None].send("GET", "/sign-in").headers["set-cookie"],):
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie


def test_looking_changes_nothing(world: World) -> None:
    before = world.written()
    link = Links(People(world.project.ledger)).invite(Role.ANNOTATOR, timedelta(days=1), "test")
    world.secrets.append(link)
    for client in world.clients.values():
        for one in of(world, "GET", "HEAD"):
            client.send(one.method, one.at(token=link) if "token" in one.parameters else one.at())
    assert world.written() == before + 1  # the link itself


def test_signing_in_never_leads_elsewhere(world: World) -> None:
    for wanted in ("//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"):
        shown = world.clients[None].send("GET", "/sign-in?" + urlencode({"next": wanted}))
        assert "evil" not in shown.body.decode()
        answer = world.root.send("GET", "/sign-in?" + urlencode({"next": wanted}))
        assert answer.headers["location"] == "/"


HOSTILE = (
    "<b data-planted>x</b><img src=x onerror=\"document.title='ran'\"><script>document.title='ran'</script>{{7*7}}"
)


def test_texts_are_shown_as_texts(world: World, browser: Browser) -> None:
    root = world.root
    regions = world.project.state(SCREEN).regions
    name, box = next((name, one.box.to_json()) for name, one in regions.items() if one.parent is not None)
    there = root.send("GET", f"/api/screen?screen={SCREEN}").json["documents"]
    versions = {(one["kind"], one["name"]): one["version"] for one in there}
    question = next(one for (kind, one) in versions if kind == "question")
    edits = [
        {"kind": "region", "name": name, "set": {"type": HOSTILE}},
        {"kind": "type", "name": name, "set": {"type": "Other", "subtype": HOSTILE, "box": box}},
        {
            "kind": "retelling",
            "name": name,
            "set": {"description": HOSTILE, "functionality": HOSTILE, "rationale": HOSTILE, "box": box},
        },
        {"kind": "question", "name": question, "set": {"expressions": {"functionality": HOSTILE}}},
        {"kind": "reviewed", "name": "", "set": {"done": True, "note": HOSTILE}},
    ]
    for number, edit in enumerate(edits):
        edit["after"] = versions.get((str(edit["kind"]), str(edit["name"])), 0)
        sent = {"screen": SCREEN, "key": f"{number:032x}", "edits": [edit]}
        saved = root.json("/api/strokes", sent)
        assert saved.status == 200, saved.body
    assert root.form("/people/links", csrf=root.csrf, role="annotator", days="1", note=HOSTILE).status == 200
    context = browser.new_context()
    cookie, _, token = root.cookie.partition("=")
    context.add_cookies([{"name": cookie, "value": token, "url": world.server.url, "sameSite": "Strict"}])
    page = context.new_page()
    for path in ("/people", f"/boxes?screen={SCREEN}", "/validation", "/questions", "/"):
        nothing_runs(page, world.server.url + path)
    nothing_runs(page, world.server.url + "/sign-in?next=" + quote(HOSTILE))
    context.close()


def nothing_runs(page: Page, address: str) -> None:
    page.goto(address, wait_until="networkidle")
    assert page.locator("[data-planted], img[src=x]").count() == 0
    assert page.title() != "ran"


def test_where_nobody_signs_in_other_sites_stay_out(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "own", screens=1)
    with serving(folder) as server:
        client = Client(server)
        seen = client.send("GET", "/account")
        assert seen.status == 200
        token = re.search(rb'name="csrf" content="(\w+)"', seen.body)
        assert token is not None
        own = Client(server, seen.headers["set-cookie"].partition(";")[0], token[1].decode())
        assert own.json("/api/strokes", {}).status == 422
        assert client.json("/api/strokes", {}).status == 403
        assert Client(server, own.cookie, "").json("/api/strokes", {}).status == 403
        assert own.send("POST", "/api/strokes", b"{}", Origin=ELSEWHERE, Content_Type=JSON).status == 403
        for host in ("evil.example", f"evil.example:{server.port}", "192.0.2.1", "127.0.0.1:1"):
            assert client.send("GET", "/api/screens", Host=host).status == 421
            assert client.send("GET", "/", Host=host).status == 421
        for host in (f"localhost:{server.port}", f"127.0.0.1:{server.port}", f"[::1]:{server.port}"):
            assert client.send("GET", "/api/screens", Host=host).status == 200
        assert client.send("GET", "/api/screens", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="cors").status == 403
        assert client.send("GET", "/api/screens", X_Forwarded_For="192.0.2.1").status == 421


def test_no_secret_is_told_even_when_the_database_breaks(world: World) -> None:
    """The last one: the database does not come back."""
    with sqlite3.connect(world.server.project / DATABASE) as database:
        dump = "\n".join(database.iterdump())
        database.execute("ALTER TABLE author_revisions RENAME TO elsewhere")
    database.close()
    link, csrf = world.secrets[1], world.root.csrf
    form = guest(world)
    answers = [
        world.root.send("GET", "/api/screens"),
        world.root.send("GET", "/people"),
        world.root.form("/people/links", csrf=csrf, role="annotator", days="1", note="planted-note-55e1"),
        form.form("/sign-in", csrf=form.csrf, name="Administrator", password=PASSWORD),
        form.form(f"/join/{link}", csrf=form.csrf, name="x", password=PASSWORD, again=PASSWORD),
        world.root.send("GET", f"/join/{link}?q=planted-query-9a8b"),
    ]
    told = world.server.errors
    for answer in answers:
        assert 500 <= answer.status < 600
        for never in ("Traceback", "sqlite", "author_revisions", str(world.server.project)):
            assert never not in answer.body.decode()
        assert answer.headers["content-security-policy"] == CSP
    assert "author_revisions" in told  # whoever runs it can find out why
    for secret in (*world.secrets, form.csrf, "planted-note-55e1", "planted-query-9a8b"):
        assert secret not in told
        assert secret not in dump
        assert all(secret not in answer.body.decode() for answer in answers)


def guest(world: World) -> Client:
    """Somebody at the page to sign in."""
    shown = world.clients[None].send("GET", "/sign-in")
    token = re.search(rb'name="csrf" value="(\w+)"', shown.body)
    assert token is not None
    return Client(world.server, shown.headers["set-cookie"].partition(";")[0], token[1].decode())
