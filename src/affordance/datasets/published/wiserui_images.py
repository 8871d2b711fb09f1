"""Download of the images of WiserUI-Bench, which lie on other hosts."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from affordance import media
from affordance.core.errors import DataError, MediaError, UserError
from affordance.core.files import atomic_write
from affordance.core.http import public_url
from affordance.core.json_text import parse_json_object
from affordance.datasets.dataset import FilePosition
from affordance.datasets.image_downloader import DownloadPolicy, DownloadResult, ImageDownloader
from affordance.datasets.published.rows import RawRow, read_json
from affordance.datasets.published.wiserui import LOSE, WIN, is_source_page, original_url, url_host

TABLE_FILE = "WiserUI_Bench.json"
REPORT_FILE = "fetch.json"
# Some hosts hand out pictures only to visitors of the pages that show them.
REFERERS = {
    "goodui.org": "https://goodui.org/",
    "static.wingify.com": "https://vwo.com/",
    "framerusercontent.com": "https://abtest.design/",
}
FETCHED, KEPT, UNAVAILABLE, FAILED = "fetched", "kept", "not there", "failed"
GONE_STATUSES = {404, 410}  # the server knows of no such picture: it is not asked again

_SUFFIX_OF_SIGNATURE = ((b"\x89PNG", ".png"), (b"\xff\xd8\xff", ".jpg"), (b"RIFF", ".webp"), (b"GIF8", ".gif"))


@dataclass(frozen=True, slots=True)
class ImageDownload:
    """`url` is None where there is none to ask, and `reason` says why."""

    index: int
    side: str
    url: str | None
    reason: str | None = None

    @property
    def image(self) -> str:
        return f"images/{self.index}/{self.side}.png"


@dataclass(frozen=True, slots=True)
class DownloadRecord:
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
class DownloadReport:
    records: tuple[DownloadRecord, ...]

    def count(self, outcome: str) -> int:
        return sum(one.outcome == outcome for one in self.records)

    @property
    def complete(self) -> bool:
        """Whether all is there that can be had. What has no URL of a picture cannot, nor what its server does not know
        of."""
        return not self.count(FAILED)


def fetch_wiserui_images(
    folder: Path,
    table: Path | None = None,
    *,
    policy: DownloadPolicy = DownloadPolicy(),  # noqa: B008  # a value
    referers: Mapping[str, str] = REFERERS,
    advance: Callable[[int, int], None] = lambda done, planned: None,
) -> DownloadReport:
    """Fetch what is missing in a folder. `table` is the published JSON, which is put into the folder."""
    wanted = _prepare_table(folder, table)
    before = _read_report(folder / REPORT_FILE)
    had = [_record_without_request(folder, want, before.get(want.image)) for want in wanted]
    done = {one.image: one for one in had if one is not None}
    by_url: dict[str, list[ImageDownload]] = {}
    for want in wanted:
        if want.url is not None and want.image not in done:
            by_url.setdefault(want.url, []).append(want)

    def note(found: Sequence[DownloadRecord]) -> None:
        done.update((one.image, one) for one in found)
        _write_report(folder / REPORT_FILE, [done[want.image] for want in wanted if want.image in done])
        advance(len(done), len(wanted))

    async def get(downloader: ImageDownloader, url: str) -> None:
        answer = await downloader.get(url, referers.get(url_host(url) or ""))
        note([_store_image(folder, want, answer) for want in by_url[url]])

    async def get_all() -> None:
        try:
            async with ImageDownloader(policy) as downloader, asyncio.TaskGroup() as group:
                for url in by_url:
                    group.create_task(get(downloader, url))
        except* UserError as errors:  # as when the disk is full: one of them says it
            raise errors.exceptions[0] from None

    note([])
    if by_url:
        asyncio.run(get_all())
    return DownloadReport(tuple(done[want.image] for want in wanted))


def _prepare_table(folder: Path, table: Path | None) -> list[ImageDownload]:
    """What the table in the folder lists. One that is given is copied there, once it is known to be one."""
    own = folder / TABLE_FILE
    if table is None:
        if own.is_file():
            return _listed_images(own)
        raise UserError(
            f"expected {TABLE_FILE} in {folder}, found none; download it from the page of WiserUI-Bench and give it "
            "with --json-file FILE"
        )
    if not table.is_file():
        raise UserError(f"expected the published {TABLE_FILE}, found no file {table}")
    content = table.read_bytes()
    if own.is_file() and own.read_bytes() != content:
        raise UserError(f"{own} is another table than {table}; fetch into a new folder")
    wanted = _listed_images(table)
    _write_image(own, content)
    return wanted


def _listed_images(table: Path) -> list[ImageDownload]:
    rows = [RawRow(FilePosition(table, row=number), values) for number, values in enumerate(read_json(table), 1)]
    return [_image_download(row, side) for row in rows for side in (WIN, LOSE)]


def _image_download(row: RawRow, side: str) -> ImageDownload:
    index, url = row.whole("index"), row.text_or_none(f"{side}_url")
    if url is None:
        return ImageDownload(index, side, None, "the table has no URL")
    if is_source_page(url, row.text_or_none("source")):
        return ImageDownload(index, side, None, "the URL is that of a page, and no picture")
    return ImageDownload(index, side, original_url(url))


def _record_without_request(
    folder: Path, download: ImageDownload, earlier: DownloadRecord | None
) -> DownloadRecord | None:
    """What need not be fetched: there already, or nowhere to be had. Who wants to ask a server again for what it did
    not have moves the report away."""
    image = folder / download.image
    if earlier is not None and earlier.original is not None and earlier.sha256 is not None:
        original = folder / earlier.original
        if image.is_file() and original.is_file() and sha256(original.read_bytes()).hexdigest() == earlier.sha256:
            return replace(earlier, outcome=KEPT)
    if download.url is None:
        return DownloadRecord(download.index, download.side, download.image, None, UNAVAILABLE, reason=download.reason)
    if image.is_file() and (earlier is None or earlier.sha256 is None):
        content = image.read_bytes()
        digest = sha256(content).hexdigest()
        told = "was there before, and is left as it is"
        address = public_url(download.url)
        return DownloadRecord(
            download.index,
            download.side,
            download.image,
            address,
            KEPT,
            None,
            digest,
            len(content),
            download.image,
            reason=told,
        )
    if earlier is not None and earlier.outcome == UNAVAILABLE and earlier.url == public_url(download.url):
        return earlier
    return None


def _store_image(folder: Path, download: ImageDownload, result: DownloadResult) -> DownloadRecord:
    tried = DownloadRecord(
        download.index, download.side, download.image, public_url(download.url or ""), FAILED, result.status
    )
    if result.content is None:
        return replace(tried, reason=result.reason, outcome=UNAVAILABLE if result.status in GONE_STATUSES else FAILED)
    suffix = next((suffix for start, suffix in _SUFFIX_OF_SIGNATURE if result.content.startswith(start)), None)
    try:
        pixels = media.decode_image(result.content)
    except MediaError:
        suffix = None
    if suffix is None:
        return replace(tried, reason=f"expected a picture, found bytes that begin with {result.content[:8]!r}")
    original = download.image if suffix == ".png" else f"originals/{download.index}/{download.side}{suffix}"
    _back_up(folder / original)
    _write_image(folder / original, result.content)
    if original != download.image:
        _write_image(folder / download.image, media.encode_image(pixels))
    checksum = sha256(result.content).hexdigest()
    return replace(tried, outcome=FETCHED, sha256=checksum, bytes=len(result.content), original=original)


def _back_up(file: Path) -> None:
    """A file that is no longer what was fetched may be somebody's work: it is kept under another name."""
    if file.is_file():
        file.replace(file.with_name(f"{file.name}.before"))


def _read_report(path: Path) -> dict[str, DownloadRecord]:
    """What earlier runs tell, by the picture it is about."""
    if not path.is_file():
        return {}
    try:
        lines = [DownloadRecord(**line) for line in parse_json_object(path.read_bytes())["pictures"]]
    except (ValueError, TypeError, KeyError) as error:
        message = f"expected the report of an earlier fetch, found {type(error).__name__}: {error}; move it away"
        raise DataError(message, path) from None
    return {one.image: one for one in lines if _is_inside(one)}


def _is_inside(tried: DownloadRecord) -> bool:
    places = [tried.image, *([tried.original] if tried.original is not None else [])]
    return all(not Path(place).is_absolute() and ".." not in Path(place).parts for place in places)


def _write_report(path: Path, lines: Sequence[DownloadRecord]) -> None:
    counts = {name: sum(one.outcome == name for one in lines) for name in (FETCHED, KEPT, UNAVAILABLE, FAILED)}
    value = {"set": "wiserui", "counts": counts, "pictures": [asdict(one) for one in lines]}
    _write_image(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def _write_image(file: Path, content: bytes) -> None:
    try:
        atomic_write(file, content)
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None
