"""How each kind of source is asked what it has."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from affordance.core.errors import UserError
from affordance.core.http import public_url
from affordance.datasets.folder import HEADER_FILE, read_header
from affordance.integrations.hub.checksums import checksum
from affordance.integrations.hub.listing import GIT, MANIFEST, Listing, RemoteFile, check_files, whole_number
from affordance.integrations.hub.manifest import is_unfinished, read_manifest
from affordance.integrations.hub.sources import DatasetPart
from affordance.integrations.hub.web import HubClient, Token, is_private, origin

HUB = "https://huggingface.co"
GITHUB, GITHUB_FILES = "https://api.github.com", "https://raw.githubusercontent.com"
ENDPOINT, TOKEN = "HF_ENDPOINT", "HF_TOKEN"
SYMLINK = "120000"  # as git has it
MOST_PAGES = 10_000


def hub_endpoint() -> str:
    return (os.environ.get(ENDPOINT) or HUB).rstrip("/")


def base_url(part: DatasetPart, mirror: str | None) -> str:
    """Where a part is asked for: at a mirror that speaks the same protocol, or at the usual place."""
    usual = {"hub": hub_endpoint(), "github": GITHUB, "urls": ""}[part.kind]
    return (mirror or usual).rstrip("/")


def token_for(base: str) -> Token | None:
    """The hub's own: not for mirrors, nor for all to read on the way. One with a password in its URL has its own."""
    value = os.environ.get(TOKEN, "").strip()
    if not value or urlsplit(base).username is not None:
        return None
    if origin(base) not in {origin(one) for one in (HUB, hub_endpoint())} or not is_private(base):
        return None
    if not value.isascii() or not value.isprintable() or " " in value:
        raise UserError(f"expected a token in {TOKEN}, found something with spaces or other signs in it")
    return Token(value, origin(base), TOKEN)


async def list_part(web: HubClient, part: DatasetPart, base: str, mirror: bool) -> Listing:
    """All the files of a part, at the commit that its revision is now; what lies at the base is told without it."""
    if part.kind == "hub":
        return await _list_hub(web, part, base)
    if part.kind == "github":
        return await _list_github(web, part, base, "" if mirror else GITHUB_FILES)
    files = [
        RemoteFile(one.path, one.size, f"sha256:{one.sha256}", f"/{quote(one.path)}" if mirror else one.url)
        for one in part.urls
    ]
    return Listing(None, check_files(files, "affordance.toml"))


async def _list_hub(web: HubClient, part: DatasetPart, base: str) -> Listing:
    api = f"{base}/api/datasets/{part.repo}"
    where = public_url(api)
    told, _ = await web.get_json(f"{api}/revision/{quote(part.revision, safe='')}")
    commit = _commit(told, where)
    card = told.get("cardData")
    licence = card.get("license") if isinstance(card, dict) else None
    files: list[RemoteFile] = []
    page: str | None = f"{api}/tree/{commit}?recursive=true"
    for _ in range(MOST_PAGES):
        if page is None:
            break
        entries, page = await web.get_json(page)
        files += [_hub_file(one, f"/datasets/{part.repo}/resolve/{commit}", where) for one in _files(entries, where)]
    return Listing(commit, check_files(files, where), licence if isinstance(licence, str) else None)


def _hub_file(entry: dict[str, Any], place: str, where: str) -> RemoteFile:
    """Large files have the checksum of their content, small ones the name that git has for them."""
    path = _text(entry.get("path"), where)
    large = entry.get("lfs")
    if isinstance(large, dict):
        size, found = (
            whole_number(large.get("size"), f"the size of {path!r}", where),
            _digest(large.get("oid"), 64, where),
        )
        return RemoteFile(path, size, f"sha256:{found}", f"{place}/{quote(path)}")
    size, found = whole_number(entry.get("size"), f"the size of {path!r}", where), _digest(entry.get("oid"), 40, where)
    return RemoteFile(path, size, f"git:{found}", f"{place}/{quote(path)}")


async def _list_github(web: HubClient, part: DatasetPart, base: str, files: str) -> Listing:
    api = f"{base}/repos/{part.repo}"
    where = public_url(api)
    commit = part.revision
    if not part.pinned:
        told, _ = await web.get_json(f"{api}/commits/{quote(part.revision, safe='')}")
        commit = _commit(told, where)
    told, _ = await web.get_json(f"{api}/git/trees/{commit}?recursive=1")
    if not isinstance(told, dict) or told.get("truncated"):
        raise UserError(
            f"{where}: expected the list of all files, found a part of it; clone it, and give --from FOLDER"
        )
    found = []
    for one in _files(told.get("tree"), where):
        if one.get("mode") == SYMLINK:
            continue  # it has no content of its own, and may lead anywhere
        path = _text(one.get("path"), where)
        size = whole_number(one.get("size"), f"the size of {path!r}", where)
        found.append(
            RemoteFile(
                path, size, f"git:{_digest(one.get('sha'), 40, where)}", f"{files}/{part.repo}/{commit}/{quote(path)}"
            )
        )
    return Listing(commit, check_files(found, where))


def list_folder(folder: Path, part: DatasetPart) -> Listing:
    """A plain folder: one that was fetched before, with what is known of its files, or any, taken as it is; a clone
    without what git keeps in it."""
    root = folder / part.folder
    if not root.is_dir():
        raise UserError(f"--from: expected a folder {root} with {part.repo or 'the files'}, found none")
    if is_unfinished(folder):
        raise UserError(f"--from: a fetch into {folder} was cut; fetch into it again before you take it from there")
    manifest = read_manifest(folder)
    before = manifest.part(part.folder) if manifest is not None else None
    if manifest is not None and before is not None:
        files = [RemoteFile(one.path, one.size, one.checksum, str(root / one.path)) for one in before.files]
        return Listing(before.commit, check_files(files, str(root)), manifest.licence)
    found = []
    for file in sorted(root.rglob("*")):
        path = file.relative_to(root)
        if not file.is_file() or GIT in path.parts or file == folder / MANIFEST:
            continue
        if not file.resolve().is_relative_to(root.resolve()):
            raise UserError(f"--from: expected files inside {root}, found a link that leads out of it: {file}")
        found.append(RemoteFile(path.as_posix(), file.stat().st_size, checksum(file, "sha256"), str(file)))
    licence = read_header(root).licence if (root / HEADER_FILE).is_file() else None
    return Listing(None, check_files(found, str(root)), licence)


def _files(entries: Any, where: str) -> Iterator[dict[str, Any]]:
    if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
        raise UserError(f"{where}: expected a list of files, found something else; is it the right server?")
    yield from (one for one in entries if one.get("type") in ("file", "blob"))


def _commit(told: Any, where: str) -> str:
    return _digest(told.get("sha") if isinstance(told, dict) else None, 40, where)


def _digest(value: Any, digits: int, where: str) -> str:
    if not isinstance(value, str) or len(value) != digits or not set(value) <= set("0123456789abcdef"):
        raise UserError(
            f"{where}: expected a checksum of {digits} digits, found {value!r:.80}; is it the right server?"
        )
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise UserError(f"{where}: expected the name of a file, found {value!r:.80}; is it the right server?")
    return value
