"""A browser without JavaScript: it keeps cookies, reads pages, fills in their forms and sends them."""

import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlencode, urljoin, urlsplit

from playwright.sync_api import BrowserContext

from patience import PATIENCE

CHEAP_PASSWORDS = {"affordance.studio.security.passwords._N": 2**8}  # for `serving`: limits

_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})


@dataclass(slots=True, eq=False)
class Element:
    tag: str
    attributes: dict[str, str]
    parent: "Element | None" = None
    children: "list[Element | str]" = field(default_factory=list)

    @property
    def text(self) -> str:
        parts = (one if isinstance(one, str) else one.text for one in self.children)
        return " ".join(" ".join(parts).split())

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    def all(self, tag: str = "", **attributes: str) -> "list[Element]":
        """Elements below with these attributes; `data_action` is `data-action`."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [one for one in self.below() if tag in ("", one.tag) and wanted.items() <= one.attributes.items()]

    def one(self, tag: str = "", **attributes: str) -> "Element":
        found = self.all(tag, **attributes)
        assert len(found) == 1, f"expected one {tag} with {attributes}, found {len(found)} in: {self.text[:500]}"
        return found[0]

    def below(self) -> "Iterator[Element]":
        for one in self.children:
            if isinstance(one, Element):
                yield one
                yield from one.below()

    def above(self) -> "Iterator[Element]":
        if self.parent is not None:
            yield self.parent
            yield from self.parent.above()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.at = self.root = Element("", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.children.append(made)
        if tag not in _VOID:
            self.at = made

    def handle_endtag(self, tag: str) -> None:
        open_ones = [self.at, *self.at.above()]
        found = next((one for one in open_ones if one.tag == tag), None)
        if found is not None and found.parent is not None:
            self.at = found.parent

    def handle_data(self, data: str) -> None:
        self.at.children.append(data)


@dataclass(frozen=True, slots=True)
class Page:
    status: int
    path: str  # with its query
    headers: dict[str, str]
    body: bytes
    root: Element

    @property
    def html(self) -> str:
        return self.body.decode()

    def all(self, tag: str = "", **attributes: str) -> list[Element]:
        return self.root.all(tag, **attributes)

    def one(self, tag: str = "", **attributes: str) -> Element:
        return self.root.one(tag, **attributes)

    def has(self, tag: str = "", **attributes: str) -> bool:
        return bool(self.all(tag, **attributes))

    @property
    def reason(self) -> str:
        """Why a link does not work."""
        return self.one(id="error")["data-reason"]

    @property
    def error(self) -> str:
        """The one line that says what is wrong with a form."""
        return self.one(role="alert").text


@dataclass(slots=True)
class FormClient:
    url: str
    cookies: dict[str, str] = field(default_factory=dict)
    set_cookies: list[str] = field(default_factory=list)  # as they were sent

    def open(self, address: str) -> Page:
        """A page, after redirects."""
        return self._follow("GET", address, None)

    def press(self, page: Page, button: Element, **fields: str) -> Page:
        """Press a button after filling in fields of its form."""
        form = self._form(page, button)
        content = {**_filled(page, form), **fields}
        if "name" in button.attributes:
            content[button["name"]] = button.attributes.get("value", "")
        action = button.attributes.get("formaction") or form.attributes.get("action") or page.path
        if form.attributes.get("method", "get").lower() == "post":
            return self._follow("POST", urljoin(page.path, action), urlencode(content).encode())
        return self._follow("GET", f"{urljoin(page.path, action)}?{urlencode(content)}", None)

    def act(self, page: Page, action: str, within: Element | None = None, **fields: str) -> Page:
        """Press the button with this `data-action`."""
        return self.press(page, (within or page.root).one(data_action=action), **fields)

    def lend(self, context: BrowserContext) -> None:
        """Give a browser the session of this client."""
        for name, value in self.cookies.items():
            context.add_cookies([{"name": name, "value": value, "url": self.url, "sameSite": "Strict"}])

    def _form(self, page: Page, button: Element) -> Element:
        if "form" in button.attributes:
            return page.one("form", id=button["form"])
        return next(one for one in button.above() if one.tag == "form")

    def _follow(self, method: str, address: str, body: bytes | None) -> Page:
        page = self._send(method, address, body)
        for _ in range(5):
            if page.status != 303:
                return page
            page = self._send("GET", page.headers["location"], None)
        raise AssertionError(f"redirected without end to {page.path}")

    def _send(self, method: str, address: str, body: bytes | None) -> Page:
        here, there = urlsplit(self.url), urlsplit(urljoin(self.url, address))
        assert (here.scheme, here.netloc) == (there.scheme, there.netloc), f"leads elsewhere: {address}"
        path = there.path + (f"?{there.query}" if there.query else "")
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if body is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.url}
        host, port = here.hostname or "", here.port or 0
        connection = (
            HTTPSConnection(host, port, timeout=PATIENCE, context=ssl._create_unverified_context())
            if here.scheme == "https"
            else HTTPConnection(host, port, timeout=PATIENCE)
        )
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            sent = answer.getheaders()
            content = answer.read()
        finally:
            connection.close()
        for name, value in sent:
            if name.lower() == "set-cookie":
                self._keep(value)
        reader = _Reader()
        if "html" in (answer.getheader("content-type") or ""):
            reader.feed(content.decode())
        return Page(answer.status, path, {name.lower(): value for name, value in sent}, content, reader.root)

    def _keep(self, cookie: str) -> None:
        self.set_cookies.append(cookie)
        name, _, value = cookie.partition(";")[0].partition("=")
        if "max-age=0" in cookie.lower():
            self.cookies.pop(name, None)
        else:
            self.cookies[name] = value


def _filled(page: Page, form: Element) -> dict[str, str]:
    """What a form sends as it is."""
    own = form.attributes.get("id", "")
    inside = [*form.below(), *(page.all(form=own) if own else [])]
    found: dict[str, str] = {}
    for one in inside:
        name = one.attributes.get("name", "")
        if not name or "disabled" in one.attributes:
            continue
        if one.tag == "textarea":
            found[name] = "".join(part for part in one.children if isinstance(part, str)).removeprefix("\n")
        elif one.tag == "select":
            options = one.all("option")
            chosen = next((option for option in options if "selected" in option.attributes), options[0])
            found[name] = chosen.attributes.get("value", chosen.text)
        elif one.tag == "input" and (
            one.attributes.get("type") not in ("checkbox", "radio") or "checked" in one.attributes
        ):
            found[name] = one.attributes.get("value", "on" if one.attributes.get("type") == "checkbox" else "")
    return found
