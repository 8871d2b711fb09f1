"""What is captured: pages of a folder, one file, or an address; and what those pages may load."""

import re
from dataclasses import dataclass
from itertools import count
from pathlib import Path, PurePosixPath
from urllib.parse import SplitResult, quote, unquote, urlsplit

from affordance.core.digest import digest, digest_file, digest_folder, digest_text
from affordance.core.errors import InvalidOption, UnknownName, UserError
from affordance.core.http import public_url
from affordance.datasets import DatasetHeader

# Files are shown to the browser under an address of their own, never as file://: so a page reaches nothing beyond its
# folder, and what is recorded does not tell where the folder lies. The name can never be resolved (RFC 2606).
ORIGIN = "http://pages.invalid"
PAGES = (".html", ".htm")
LONGEST_NAME = 80  # bytes


@dataclass(frozen=True, slots=True)
class Source:
    """A page: its name in the dataset and its address in the browser."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Site:
    """Pages, the folder that they lie in (None for an address), and the origins they may talk to."""

    given: str
    pages: tuple[Source, ...]
    folder: Path | None
    allowed: frozenset[str] = frozenset()

    def file(self, url: str) -> Path | None:
        """The file behind an address of ours, or None where it is not in the folder."""
        if self.folder is None or origin_of(url) != ORIGIN:
            return None
        try:
            path = (self.folder / unquote(urlsplit(url).path).lstrip("/")).resolve()
            if path.is_dir():
                path = (path / "index.html").resolve()
            return path if path.is_file() and path.is_relative_to(self.folder.resolve()) else None
        except (OSError, ValueError, RuntimeError):  # names that no file can have, links in a circle
            return None

    def digest(self, besides: Path) -> str:
        """Of all that decides what the pages are like: their addresses, and where a folder was given all files in it,
        but those in the folder that is written to."""
        pages = [[page.name, page.url] for page in self.pages]
        return digest("site", pages, sorted(self.allowed), self._files(besides))

    def _files(self, besides: Path) -> dict[str, str]:
        """Of a single page, just that: its folder may be any."""
        if self.folder is None:
            return {}
        given = Path(self.given)
        return {given.name: digest_file(given)} if given.is_file() else digest_folder(self.folder, besides)

    def url(self, name: str) -> str:
        """The address of a page by its name in the dataset."""
        for page in self.pages:
            if page.name == name:
                return page.url
        raise UnknownName(f"page of {self.given}", name, [page.name for page in self.pages])

    def lets(self, url: str) -> bool:
        return origin_of(url) in self.allowed


def open_site(given: str, allow: list[str]) -> Site:
    """Find the pages of SRC: an http(s) address, an HTML file, or a folder with HTML files anywhere in it."""
    allowed = frozenset(_origin(text) for text in allow)
    if re.match(r"https?://", given):
        parts = _split(given)
        if parts is None or not parts.hostname:
            raise UserError(f"expected an address such as https://example.org/page, found {public_url(given)!r}")
        name = _name(f"{parts.hostname}{parts.path.rstrip('/')}")
        return Site(given, (Source(name, given),), None, allowed | {origin_of(given)})
    path = Path(given)
    if path.is_file():
        if path.suffix.lower() not in PAGES:
            raise UserError(f"{path}: expected an HTML file ({', '.join(PAGES)}), found {path.suffix or 'no suffix'}")
        return Site(given, (_source(path.parent, path),), path.parent, allowed)
    if not path.is_dir():
        raise UserError(f"{path}: expected an address, an HTML file or a folder, found nothing there")
    files = sorted(file for file in path.rglob("*") if file.suffix.lower() in PAGES and file.is_file())
    if not files:
        raise UserError(f"{path}: expected HTML files somewhere in this folder, found none")
    return Site(given, tuple(_unique([_source(path, file) for file in files])), path, allowed)


def reopen_site(header: DatasetHeader, root: Path, given: str | None, allow: list[str]) -> Site:
    """The pages that a dataset was captured from, where they were then or where they are said to be now."""
    told = (header.model_extra or {}).get("capture")
    source = given or (told.get("source") if isinstance(told, dict) else None)
    if not isinstance(source, str):
        raise UserError(
            f"{root}: expected a dataset from `affordance capture page`, found one that does not say its source"
        )
    if given is None and isinstance(told, dict) and told.get("cut"):
        raise UserError(f"{root}: its address had a query or a password, which is not written down; give --source")
    try:
        return open_site(source, [*(told.get("allowed", []) if isinstance(told, dict) else []), *allow])
    except UserError as error:
        if error.option:
            raise
        raise UserError(f"the pages of {root} are not where they were: {error}; give --source") from None


def origin_of(url: str) -> str:
    """Scheme, host and port; a port that goes without saying is left out."""
    parts = _split(url)
    if parts is None:
        return ""
    usual = {"http": ":80", "https": ":443"}.get(parts.scheme.lower(), "")
    origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()
    return origin.removesuffix(usual) if usual else origin


def _source(folder: Path, file: Path) -> Source:
    relative = PurePosixPath(file.relative_to(folder))
    name = relative.with_suffix("") if relative.name != "index.html" or len(relative.parts) == 1 else relative.parent
    return Source(_name(str(name)), f"{ORIGIN}/{quote(str(relative))}")


def _unique(sources: list[Source]) -> list[Source]:
    """Pages whose names would be the same are numbered."""
    taken: set[str] = set()
    found = []
    for source in sources:
        names = (source.name if number == 1 else f"{source.name}-{number}" for number in count(1))
        name = next(name for name in names if name not in taken)
        taken.add(name)
        found.append(Source(name, source.url))
    return found


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None


def recorded(url: str) -> str:
    """An address as it may be written down: what is not ours without user info and query, where secrets are."""
    return url if origin_of(url) == ORIGIN or "://" not in url else public_url(url)


def _name(text: str) -> str:
    name = re.sub(r"[^\w.-]+", "-", text).strip("-") or "page"
    return name if len(name.encode()) <= LONGEST_NAME else f"{name[: LONGEST_NAME // 4]}-{digest_text(name)[:10]}"


def _origin(text: str) -> str:
    parts = _split(text)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
        raise InvalidOption("allow", f"expected an origin such as https://cdn.example.org, found {text!r}")
    return origin_of(text)
