"""Downloads of images from many hosts, at a limited rate for each."""

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import Self
from urllib.parse import urljoin, urlsplit

import aiohttp

from affordance import __version__
from affordance.core.http import parse_retry_after

USER_AGENT = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    f"Version/17.4 Safari/605.1.15 affordance/{__version__}"
)
BLOCK_BYTES = 2**16
# What the server may get over by itself.
RETRY_STATUSES = {408, 425, 429, 500, 502, 503, 504}
DEFAULT_PORTS = {"http": 80, "https": 443}
REDIRECT_STATUSES = {301, 302, 303, 307, 308}
IMAGE_CONTENT_TYPES = ("image/", "application/octet-stream", "binary/octet-stream")


@dataclass(frozen=True, slots=True)
class DownloadPolicy:
    """Times are in seconds. `patience` is the longest that a server may ask to be left alone."""

    timeout: float = 20.0
    pause: float = 0.5  # between requests to one host
    max_attempts: int = 4
    backoff: float = 1.0  # before the second try, and twice as long before each other
    max_wait: float = 120.0
    max_silent_urls: int = 3  # URLs in a row that got no answer at all: the host is down, or we are offline
    max_redirects: int = 5  # that are followed, one after the other
    max_bytes: int = 40 * 2**20  # bytes


@dataclass(frozen=True, slots=True)
class DownloadResult:
    """What came of a URL: `content`, or None and the `reason`. `status` is the last one of the server's."""

    status: int | None
    content: bytes | None = None
    reason: str | None = None
    retry_after: float | None = None
    permanent: bool = True  # asking again would not help
    redirect_to: str | None = None  # the URL to ask instead


@dataclass(slots=True)
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    next_request_at: float = 0.0  # when the next request may go out
    silent_urls: int = 0  # URLs in a row that got no answer


class ImageDownloader:
    """`async with Guest(manners) as guest:` and then `await guest.get(url, referer)`, as many at once as one likes."""

    def __init__(self, policy: DownloadPolicy) -> None:
        self._policy = policy
        self._hosts: dict[str, _Host] = {}

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=self._policy.timeout)
        self._session = aiohttp.ClientSession(timeout=timeout, headers={"User-Agent": USER_AGENT})
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def get(self, url: str, referer: str | None = None) -> DownloadResult:
        """The picture at a URL, after as many tries as it takes and manners allow. To follow a redirect is a request
        like any other, to a host that has its own pauses."""
        for _ in range(self._policy.max_redirects + 1):
            answer = await self._get_from_host(url, referer)
            if answer.redirect_to is None:
                return answer
            url = answer.redirect_to
        return DownloadResult(
            answer.status, reason=f"expected at most {self._policy.max_redirects} redirects, found more"
        )

    async def _get_from_host(self, url: str, referer: str | None) -> DownloadResult:
        place = _host_and_port(url)
        if place is None:
            return DownloadResult(None, reason="expected a URL that begins with http:// or https://")
        host = self._hosts.setdefault(place, _Host())
        async with host.lock:
            if host.silent_urls >= self._policy.max_silent_urls:
                return DownloadResult(None, reason=f"not asked: {place} did not answer {host.silent_urls} times before")
            answer = await self._get_with_retries(host, url, referer)
            host.silent_urls = host.silent_urls + 1 if answer.status is None else 0
            return answer

    async def _get_with_retries(self, host: _Host, url: str, referer: str | None) -> DownloadResult:
        number = 0
        while True:
            number += 1
            await asyncio.sleep(max(0.0, host.next_request_at - time.monotonic()))
            answer = await self._get_once(url, referer)
            host.next_request_at = time.monotonic() + self._policy.pause
            if answer.content is not None or answer.permanent or number >= self._policy.max_attempts:
                return answer
            wait = max(self._policy.backoff * 2 ** (number - 1), answer.retry_after or 0.0)
            if wait > self._policy.max_wait:
                return replace(answer, reason=f"{answer.reason}; asked to come back in {wait:.0f} s")
            host.next_request_at = max(host.next_request_at, time.monotonic() + wait)

    async def _get_once(self, url: str, referer: str | None) -> DownloadResult:
        headers = {"Accept": "image/*", **({"Referer": referer} if referer is not None else {})}
        try:
            async with self._session.get(url, headers=headers, allow_redirects=False) as response:
                return await self._read(response)
        except TimeoutError:
            return DownloadResult(None, reason=f"no answer within {self._policy.timeout:g} s", permanent=False)
        except aiohttp.InvalidURL:
            return DownloadResult(None, reason="the server cannot be asked for this URL")
        except aiohttp.ClientError as error:
            return DownloadResult(None, reason=f"the connection failed ({type(error).__name__})", permanent=False)

    async def _read(self, response: aiohttp.ClientResponse) -> DownloadResult:
        status = response.status
        if status in REDIRECT_STATUSES and (to := redirect_target(response)) is not None:
            return DownloadResult(status, redirect_to=to)
        if status != 200:
            wait = parse_retry_after(response.headers)
            reason = f"the server answered {status} {response.reason or ''}".rstrip()
            return DownloadResult(status, reason=reason, retry_after=wait, permanent=status not in RETRY_STATUSES)
        kind = response.content_type
        if not kind.startswith(IMAGE_CONTENT_TYPES):
            return DownloadResult(status, reason=f"expected a picture, found {kind}")
        content = bytearray()
        async for block in response.content.iter_chunked(BLOCK_BYTES):
            content += block
            if len(content) > self._policy.max_bytes:
                return DownloadResult(status, reason=f"expected at most {self._policy.max_bytes} bytes, found more")
        return (
            DownloadResult(status, bytes(content))
            if content
            else DownloadResult(status, reason="expected a picture, found nothing")
        )


def redirect_target(response: aiohttp.ClientResponse) -> str | None:
    """Where a redirect leads to; None where it does not say."""
    location = response.headers.get("Location")
    try:
        return urljoin(str(response.url), location) if location else None
    except ValueError:
        return None


def _host_and_port(url: str) -> str | None:
    """Host and port of a URL that can be asked. A port that goes without saying is left out: redirects say it."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in DEFAULT_PORTS or not host:
        return None
    return host if port in (None, DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"
