"""Download of the images of WiserUI-Bench, which are not in the published file but on other hosts.

Every attempt is recorded in `fetch.json`. An image with the checksum recorded there is never downloaded again. A file
that was changed since is moved to `NAME.before` before it is replaced.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from hashlib import sha256
from itertools import chain, count
from pathlib import Path

import numpy as np

from affordance import media
from affordance.core.errors import DataError, MediaError, UserError
from affordance.core.files import atomic_write
from affordance.core.http import public_url, url_host
from affordance.core.json_text import parse_json_object
from affordance.datasets.dataset import FilePosition
from affordance.datasets.image_downloader import DownloadPolicy, DownloadResult, ImageDownloader
from affordance.datasets.published.rows import RawRow, read_json
from affordance.datasets.published.wiserui import LOSE, WIN, is_source_page, original_url

TABLE_FILE = "WiserUI_Bench.json"
REPORT_FILE = "fetch.json"
# Some hosts send images only to visitors of the pages that show them.
REFERERS = {
    "goodui.org": "https://goodui.org/",
    "static.wingify.com": "https://vwo.com/",
    "framerusercontent.com": "https://abtest.design/",
}
GONE_STATUSES = {404, 410}  # the server has no such image: it is not requested again


class DownloadStatus(StrEnum):
    """How the download of an image ended, as the report spells it."""

    FETCHED = "fetched"
    KEPT = "kept"  # the file existed already
    UNAVAILABLE = "not there"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ImageDownload:
    """An image of the table; `reason` says why it has no `url` that can be requested."""

    index: int
    side: str
    url: str | None
    reason: str | None = None

    @property
    def image(self) -> str:
        return f"images/{self.index}/{self.side}.png"


@dataclass(frozen=True, slots=True)
class DownloadRecord:
    """One line of the report. The checksum is that of `original`, the file as it was sent. `image` is the same image as
    PNG, and the same file if it was sent as PNG."""

    index: int
    side: str
    image: str
    url: str | None
    outcome: DownloadStatus
    status: int | None = None
    sha256: str | None = None
    bytes: int | None = None
    original: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class DownloadReport:
    records: tuple[DownloadRecord, ...]

    def count(self, outcome: DownloadStatus) -> int:
        return sum(one.outcome == outcome for one in self.records)

    @property
    def complete(self) -> bool:
        """Whether nothing failed. Images without a URL, or that their server does not have, do not count."""
        return not self.count(DownloadStatus.FAILED)


def fetch_wiserui_images(
    folder: Path,
    table: Path | None = None,
    *,
    policy: DownloadPolicy = DownloadPolicy(),  # noqa: B008  # a value
    referers: Mapping[str, str] = REFERERS,
    user_agent: str | None = None,
    on_progress: Callable[[int, int], None] = lambda done, planned: None,
) -> DownloadReport:
    """Download the images that are missing in a folder.

    Args:
        folder: of the dataset.
        table: the published JSON, which is copied into the folder; None where it is there already.
        policy: limits of downloads.
        referers: the page to name as referer, by host.
        user_agent: sent to all hosts; by default the name of this tool.
        on_progress: called with the number of images done and their total.
    """
    wanted = _prepare_table(folder, table)
    before = _read_report(folder / REPORT_FILE)
    existing = [_record_without_request(folder, want, before.get(want.image)) for want in wanted]
    done = {one.image: one for one in existing if one is not None}
    by_url: dict[str, list[ImageDownload]] = {}
    for want in wanted:
        if want.url is not None and want.image not in done:
            by_url.setdefault(want.url, []).append(want)

    def note(found: Sequence[DownloadRecord]) -> None:
        done.update((one.image, one) for one in found)
        _write_report(folder / REPORT_FILE, [done[want.image] for want in wanted if want.image in done])
        on_progress(len(done), len(wanted))

    async def get(downloader: ImageDownloader, url: str) -> None:
        result = await downloader.get(url, referers.get(url_host(url) or ""))
        note([_store_image(folder, want, result) for want in by_url[url]])

    async def get_all() -> None:
        try:
            async with ImageDownloader(policy, user_agent) as downloader, asyncio.TaskGroup() as group:
                for url in by_url:
                    group.create_task(get(downloader, url))
        except* UserError as errors:  # such as a full disk: one message is enough
            raise errors.exceptions[0] from None

    note([])
    if by_url:
        asyncio.run(get_all())
    return DownloadReport(tuple(done[want.image] for want in wanted))


def _prepare_table(folder: Path, table: Path | None) -> list[ImageDownload]:
    """The images that the table lists. A given table is copied into the folder, once it is known to be valid."""
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
        raise UserError(f"{own} differs from {table}; choose a new folder")
    wanted = _listed_images(table)
    _write(own, content)
    return wanted


def _listed_images(table: Path) -> list[ImageDownload]:
    rows = [RawRow(FilePosition(table, row=number), values) for number, values in enumerate(read_json(table), 1)]
    return [_image_download(row, side) for row in rows for side in (WIN, LOSE)]


def _image_download(row: RawRow, side: str) -> ImageDownload:
    index, url = row.whole("index"), row.text_or_none(f"{side}_url")
    if url is None:
        return ImageDownload(index, side, None, "the table has no URL")
    if is_source_page(url, row.text_or_none("source")):
        return ImageDownload(index, side, None, "the URL points to a web page, not an image")
    return ImageDownload(index, side, original_url(url))


def _record_without_request(
    folder: Path, download: ImageDownload, earlier: DownloadRecord | None
) -> DownloadRecord | None:
    """The record of an image that need not be requested: it exists, or it is known to be unavailable. To request such
    images again, move the report away."""
    image = folder / download.image
    if earlier is not None and earlier.original is not None and earlier.sha256 is not None:
        original = folder / earlier.original
        if image.is_file() and original.is_file() and sha256(original.read_bytes()).hexdigest() == earlier.sha256:
            return replace(earlier, outcome=DownloadStatus.KEPT)
    if download.url is None:
        return DownloadRecord(
            download.index, download.side, download.image, None, DownloadStatus.UNAVAILABLE, reason=download.reason
        )
    if image.is_file() and (earlier is None or earlier.sha256 is None):
        content = image.read_bytes()
        digest = sha256(content).hexdigest()
        reason = "existed before, and is kept as it is"
        url = public_url(download.url)
        return DownloadRecord(
            download.index,
            download.side,
            download.image,
            url,
            DownloadStatus.KEPT,
            None,
            digest,
            len(content),
            download.image,
            reason=reason,
        )
    if earlier is None or earlier.outcome != DownloadStatus.UNAVAILABLE or earlier.url != public_url(download.url):
        return None
    return earlier


def _store_image(folder: Path, download: ImageDownload, result: DownloadResult) -> DownloadRecord:
    url = public_url(download.url or "")
    status = DownloadStatus.UNAVAILABLE if result.status in GONE_STATUSES else DownloadStatus.FAILED
    tried = DownloadRecord(download.index, download.side, download.image, url, status, result.status)
    if result.content is None:
        return replace(tried, reason=result.reason)
    image_format = media.image_format(result.content)
    try:
        pixels = media.decode_image(result.content)
    except MediaError:
        image_format = None
    if image_format is None:
        return replace(tried, reason=f"expected an image, found bytes that begin with {result.content[:8]!r}")
    image = folder / download.image
    is_png = image_format.suffix == ".png"
    original = download.image if is_png else f"originals/{download.index}/{download.side}{image_format.suffix}"
    _back_up(folder / original, result.content)
    _write(folder / original, result.content)
    if not is_png and not (image.is_file() and _has_pixels(image, pixels)):
        _back_up(image)
        _write(image, media.encode_image(pixels))
    checksum = sha256(result.content).hexdigest()
    return replace(tried, outcome=DownloadStatus.FETCHED, sha256=checksum, bytes=len(result.content), original=original)


def _has_pixels(file: Path, pixels: media.Pixels) -> bool:
    """Whether a file is the image with these pixels; an edited one is not."""
    try:
        return np.array_equal(media.decode_image(file.read_bytes()), pixels)
    except MediaError:
        return False


def _back_up(file: Path, content: bytes | None = None) -> None:
    """Move a file aside that is about to be replaced by other content: it may be the user's work."""
    if not file.is_file() or file.read_bytes() == content:
        return
    names = chain([f"{file.name}.before"], (f"{file.name}.before-{number}" for number in count(2)))
    file.replace(next(path for name in names if not (path := file.with_name(name)).exists()))


def _read_report(path: Path) -> dict[str, DownloadRecord]:
    """The records of earlier downloads, by image."""
    if not path.is_file():
        return {}
    try:
        lines = [
            DownloadRecord(**{**line, "outcome": DownloadStatus(line["outcome"])})
            for line in parse_json_object(path.read_bytes())["pictures"]
        ]
    except (ValueError, TypeError, KeyError) as error:
        message = f"expected the report of an earlier download, found {type(error).__name__}: {error}; move it away"
        raise DataError(message, path) from None
    return {one.image: one for one in lines if _is_inside(one)}


def _is_inside(tried: DownloadRecord) -> bool:
    places = [tried.image, *([tried.original] if tried.original is not None else [])]
    return all(not Path(place).is_absolute() and ".." not in Path(place).parts for place in places)


def _write_report(path: Path, lines: Sequence[DownloadRecord]) -> None:
    counts = {name: sum(one.outcome == name for one in lines) for name in DownloadStatus}
    value = {"set": "wiserui", "counts": counts, "pictures": [asdict(one) for one in lines]}
    _write(path, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def _write(file: Path, content: bytes) -> None:
    try:
        atomic_write(file, content)
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None
