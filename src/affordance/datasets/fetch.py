"""Fetching the pictures of WiserUI-Bench, which are not in the published file but at its sources.

Everything that was tried is in `fetch.json`. A picture that is there with the checksum in it is never fetched again,
and what is there otherwise is never written over: it may be somebody's work.
"""

import asyncio
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from affordance import media
from affordance.core.errors import DataError, MediaError, UserError
from affordance.core.names import public_url
from affordance.datasets.json_text import parse_object
from affordance.datasets.polite import Answer, Guest, Manners
from affordance.datasets.published.rows import Row, read_json
from affordance.datasets.published.wiserui import LOSE, WIN
from affordance.datasets.published.wiserui_urls import as_fetched, host_of, is_page
from affordance.datasets.reading import Place

TABLE = "WiserUI_Bench.json"
REPORT = "fetch.json"
# Some hosts hand out pictures only to visitors of the pages that show them.
REFERERS = {
    "goodui.org": "https://goodui.org/",
    "static.wingify.com": "https://vwo.com/",
    "framerusercontent.com": "https://abtest.design/",
}
FETCHED, KEPT, NOT_THERE, FAILED = "fetched", "kept", "not there", "failed"
GONE = {404, 410}  # the server knows of no such picture: it is not asked again

_KINDS = ((b"\x89PNG", ".png"), (b"\xff\xd8\xff", ".jpg"), (b"RIFF", ".webp"), (b"GIF8", ".gif"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """`url` is None where there is none to ask, and `reason` says why."""

    index: int
    side: str
    url: str | None
    reason: str | None = None

    @property
    def image(self) -> str:
        return f"images/{self.index}/{self.side}.png"


@dataclass(frozen=True, slots=True)
class Tried:
    """One line of the report. The checksum is that of `original`, the file as it was sent; `image` is the same picture
    as PNG, and the same file if it was sent as such."""

    index: int
    side: str
    image: str
    url: str | None
    outcome: str
    status: int | None = None
    sha256: str | None = None
    bytes: int | None = None
    original: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    tried: tuple[Tried, ...]

    def count(self, outcome: str) -> int:
        return sum(one.outcome == outcome for one in self.tried)

    @property
    def complete(self) -> bool:
        """Whether all is there that can be had. What has no URL of a picture cannot, nor what its server does not know
        of."""
        return not self.count(FAILED)


def fetch_wiserui(
    folder: Path,
    table: Path | None = None,
    *,
    manners: Manners = Manners(),  # noqa: B008  # a value
    referers: Mapping[str, str] = REFERERS,
    advance: Callable[[int, int], None] = lambda done, planned: None,
) -> Fetched:
    """Fetch what is missing in a folder. `table` is the published JSON, which is put into the folder."""
    wanted = _settle(folder, table)
    before = _report(folder / REPORT)
    had = [_kept(folder, want, before.get(want.image)) for want in wanted]
    done = {one.image: one for one in had if one is not None}
    by_url: dict[str, list[Wanted]] = {}
    for want in wanted:
        if want.url is not None and want.image not in done:
            by_url.setdefault(want.url, []).append(want)

    def note(found: Sequence[Tried]) -> None:
        done.update((one.image, one) for one in found)
        _write_report(folder / REPORT, [done[want.image] for want in wanted if want.image in done])
        advance(len(done), len(wanted))

    async def get(guest: Guest, url: str) -> None:
        answer = await guest.get(url, referers.get(host_of(url) or ""))
        note([_stored(folder, want, answer) for want in by_url[url]])

    async def get_all() -> None:
        try:
            async with Guest(manners) as guest, asyncio.TaskGroup() as group:
                for url in by_url:
                    group.create_task(get(guest, url))
        except* UserError as errors:  # as when the disk is full: one of them says it
            raise errors.exceptions[0] from None

    note([])
    if by_url:
        asyncio.run(get_all())
    return Fetched(tuple(done[want.image] for want in wanted))


def _settle(folder: Path, table: Path | None) -> list[Wanted]:
    """What the table in the folder lists. One that is given is copied there, once it is known to be one."""
    own = folder / TABLE
    if table is None:
        if own.is_file():
            return _wanted(own)
        raise UserError(
            f"expected {TABLE} in {folder}, found none; download it from the page of WiserUI-Bench and give it with "
            "--json-file FILE"
        )
    if not table.is_file():
        raise UserError(f"expected the published {TABLE}, found no file {table}")
    content = table.read_bytes()
    if own.is_file() and own.read_bytes() != content:
        raise UserError(f"{own} is another table than {table}; fetch into a new folder")
    wanted = _wanted(table)
    _write(own, content)
    return wanted


def _wanted(table: Path) -> list[Wanted]:
    rows = [Row(Place(table, row=number), values) for number, values in enumerate(read_json(table), 1)]
    return [_want(row, side) for row in rows for side in (WIN, LOSE)]


def _want(row: Row, side: str) -> Wanted:
    index, url = row.whole("index"), row.text_or_none(f"{side}_url")
    if url is None:
        return Wanted(index, side, None, "the table has no URL")
    if is_page(url, row.text_or_none("source")):
        return Wanted(index, side, None, "the URL is that of a page, and no picture")
    return Wanted(index, side, as_fetched(url))


def _kept(folder: Path, want: Wanted, before: Tried | None) -> Tried | None:
    """What need not be fetched: there already, or nowhere to be had. Who wants to ask a server again for what it did
    not have moves the report away."""
    image = folder / want.image
    if before is not None and before.original is not None and before.sha256 is not None:
        original = folder / before.original
        if image.is_file() and original.is_file() and sha256(original.read_bytes()).hexdigest() == before.sha256:
            return replace(before, outcome=KEPT)
    if want.url is None:
        return Tried(want.index, want.side, want.image, None, NOT_THERE, reason=want.reason)
    if image.is_file() and (before is None or before.sha256 is None):
        content = image.read_bytes()
        digest = sha256(content).hexdigest()
        told = "was there before, and is left as it is"
        address = public_url(want.url)
        return Tried(
            want.index, want.side, want.image, address, KEPT, None, digest, len(content), want.image, reason=told
        )
    if before is not None and before.outcome == NOT_THERE and before.url == public_url(want.url):
        return before
    return None


def _stored(folder: Path, want: Wanted, answer: Answer) -> Tried:
    tried = Tried(want.index, want.side, want.image, public_url(want.url or ""), FAILED, answer.status)
    if answer.content is None:
        return replace(tried, reason=answer.reason, outcome=NOT_THERE if answer.status in GONE else FAILED)
    suffix = next((suffix for start, suffix in _KINDS if answer.content.startswith(start)), None)
    try:
        pixels = media.decode_image(answer.content)
    except MediaError:
        suffix = None
    if suffix is None:
        return replace(tried, reason=f"expected a picture, found bytes that begin with {answer.content[:8]!r}")
    original = want.image if suffix == ".png" else f"originals/{want.index}/{want.side}{suffix}"
    _put_aside(folder / original)
    _write(folder / original, answer.content)
    if original != want.image:
        _write(folder / want.image, media.encode_image(pixels))
    checksum = sha256(answer.content).hexdigest()
    return replace(tried, outcome=FETCHED, sha256=checksum, bytes=len(answer.content), original=original)


def _put_aside(file: Path) -> None:
    """A file that is no longer what was fetched may be somebody's work: it is kept under another name."""
    if file.is_file():
        file.replace(file.with_name(f"{file.name}.before"))


def _report(path: Path) -> dict[str, Tried]:
    """What earlier runs tell, by the picture it is about."""
    if not path.is_file():
        return {}
    try:
        lines = [Tried(**line) for line in parse_object(path.read_bytes())["pictures"]]
    except (ValueError, TypeError, KeyError) as error:
        message = f"expected the report of an earlier fetch, found {type(error).__name__}: {error}; move it away"
        raise DataError(message, path) from None
    return {one.image: one for one in lines if _inside(one)}


def _inside(tried: Tried) -> bool:
    places = [tried.image, *([tried.original] if tried.original is not None else [])]
    return all(not Path(place).is_absolute() and ".." not in Path(place).parts for place in places)


def _write_report(path: Path, lines: Sequence[Tried]) -> None:
    counts = {name: sum(one.outcome == name for one in lines) for name in (FETCHED, KEPT, NOT_THERE, FAILED)}
    value = {"set": "wiserui", "counts": counts, "pictures": [asdict(one) for one in lines]}
    _write(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def _write(file: Path, content: bytes) -> None:
    """Beside and moved, so that whoever sees the file sees all of it."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as part:
            part.write(content)
        written = Path(part.name)
        written.chmod(0o644)  # a temporary file is its owner's alone
        written.replace(file)
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None
