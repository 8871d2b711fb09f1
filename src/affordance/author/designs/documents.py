"""The two HTML documents in a reply, and what makes one of them unfit to be shown. Nothing is run or fetched here."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from affordance.author.designs.placeholders import PICTURES
from affordance.core.answer_text import strip_thinking

LEAST_TEXT = 10  # letters to read on a page
LONGEST = 200_000  # characters of a document
_DOCUMENT = re.compile(
    r"(?:<!doctype\s+html[^>]*>\s*(?:<!--.*?-->\s*)*)?<html\b.*?</html\s*>", re.IGNORECASE | re.DOTALL
)
_URL = re.compile(r"url\(\s*['\"]?([^'\")]*)|@import\s+['\"]([^'\"]*)", re.IGNORECASE)
_LOADING = {"src", "srcset", "poster", "data", "background", "xlink:href"}  # attributes that load what they name
_FORBIDDEN = {"script", "iframe", "frame", "object", "embed", "base"}
_UNSEEN = {"style", "title", "template", "noscript"}


def documents(text: str) -> tuple[str, str] | str:
    """The two documents of a reply, or why there are none that could be shown: one line, in words that the writer can
    do something with."""
    found = _DOCUMENT.findall(strip_thinking(text))
    if len(found) != 2:
        cut = (
            " The last document has no </html>."
            if len(re.findall(r"<html\b", text, re.IGNORECASE)) > len(found)
            else ""
        )
        return f"expected two HTML documents, each up to its </html>, found {len(found)}.{cut}"
    for place, document in zip(("first", "second"), found, strict=True):
        for wrong in problems(document):
            return f"the {place} document {wrong}"
    one, other = found
    return "the two documents are identical" if _bare(one) == _bare(other) else (one, other)


def problems(document: str) -> Iterator[str]:
    """What is wrong with a document."""
    if len(document) > LONGEST:
        yield f"has {len(document)} characters, and may have {LONGEST}"
        return
    reading = _Reading()
    reading.feed(document)
    reading.close()
    yield from (f"has a <{tag}>, which is not allowed" for tag in reading.forbidden)
    yield from (f"loads {address[:80]!r}, which is none of the given pictures" for address in reading.loaded)
    if reading.letters < LEAST_TEXT:
        yield "has next to no text to read"


class _Reading(HTMLParser):
    """Collects what a document loads, what it must not have, and how much there is to read."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.forbidden: list[str] = []
        self.loaded: list[str] = []
        self.letters = 0
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _FORBIDDEN:
            self.forbidden.append(tag)
        if tag in _UNSEEN:
            self._open.append(tag)
        for name, value in attrs:
            if name in _LOADING or (name == "href" and tag in ("link", "image", "use")):
                sets = (value or "").split(",") if name == "srcset" and "data:" not in (value or "") else [value or ""]
                self._loads(*((one.split() or [""])[0] for one in sets))
            elif name == "style":
                self._styles(value or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                continue

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "style":
            self._styles(data)
        elif not self._open:
            self.letters += sum(letter.isalnum() for letter in data)

    def _styles(self, css: str) -> None:
        self._loads(*(match[1] or match[2] or "" for match in _URL.finditer(css)))

    def _loads(self, *addresses: str) -> None:
        for address in addresses:
            plain = address.strip().removeprefix("./")
            if plain and not plain.lower().startswith(("data:", "#")) and plain not in PICTURES:
                self.loaded.append(plain)


def _bare(document: str) -> str:
    return "".join(document.split())
