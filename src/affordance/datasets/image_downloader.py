"""Downloads of images from many hosts, at a limited rate for each.

One request at a time goes to a host, with a pause between requests and as long a wait as the host asks for. Responses
that are no images or too large are refused.
"""

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import Self
from urllib.parse import urljoin, urlsplit

import aiohttp

from affordance import __version__
from affordance.core.http import parse_retry_after

USER_AGENT = f"affordance/{__version__}"
BLOCK_BYTES = 2**16
# Errors that may be gone at the next attempt.
RETRY_STATUSES = {408, 425, 429, 500, 502, 503, 504}
DEFAULT_PORTS = {"http": 80, "https": 443}
REDIRECT_STATUSES = {301, 302, 303, 307, 308}
IMAGE_CONTENT_TYPES = ("image/", "application/octet-stream", "binary/octet-stream")


@dataclass(frozen=True, slots=True)
class DownloadPolicy:
    """Limits of downloads. Times are in seconds."""

    timeout: float = 20.0
    pause: float = 0.5  # between requests to one host
    max_attempts: int = 4
    backoff: float = 1.0  # before the second attempt; doubles before each further one
    max_wait: float = 120.0  # that a server may ask for
    max_silent_urls: int = 3  # URLs in a row without any response: the host is down, or we are offline
    max_redirects: int = 5  # of one URL
    max_bytes: int = 40 * 2**20


@dataclass(frozen=True, slots=True)
class DownloadResult:
    """The `content` of a URL, or None and the `reason`; `status` is the last HTTP status."""

    status: int | None
    content: bytes | None = None
    reason: str | None = None
    retry_after: float | None = None
    permanent: bool = True  # whether another attempt would fail as well
    redirect_to: str | None = None  # the URL to request instead


@dataclass(slots=True)
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    next_request_at: float = 0.0  # when the next request may be sent
    silent_urls: int = 0  # URLs in a row without a response


class ImageDownloader:
    """Downloads images: `async with ImageDownloader(policy) as downloader`, then `await downloader.get(url)`, any
    number of times at once."""

    def __init__(self, policy: DownloadPolicy, user_agent: str | None = None) -> None:
        self._policy = policy
        self._user_agent = user_agent or USER_AGENT
        self._hosts: dict[str, _Host] = {}

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=self._policy.timeout)
        self._session = aiohttp.ClientSession(timeout=timeout, headers={"User-Agent": self._user_agent})
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def get(self, url: str, referer: str | None = None) -> DownloadResult:
        """Download the image at a URL, with retries. A redirect is followed by a request like any other, to a host with
        its own pauses."""
        for _ in range(self._policy.max_redirects + 1):
            result = await self._get_from_host(url, referer)
            if result.redirect_to is None:
                return result
            url = result.redirect_to
        return DownloadResult(
            result.status, reason=f"expected at most {self._policy.max_redirects} redirects, found more"
        )

    async def _get_from_host(self, url: str, referer: str | None) -> DownloadResult:
        name = _host_and_port(url)
        if name is None:
            return DownloadResult(None, reason="expected a URL that begins with http:// or https://")
        host = self._hosts.setdefault(name, _Host())
        async with host.lock:
            if host.silent_urls >= self._policy.max_silent_urls:
                return DownloadResult(
                    None, reason=f"not requested: {name} did not respond {host.silent_urls} times before"
                )
            result = await self._get_with_retries(host, url, referer)
            host.silent_urls = host.silent_urls + 1 if result.status is None else 0
            return result

    async def _get_with_retries(self, host: _Host, url: str, referer: str | None) -> DownloadResult:
        number = 0
        while True:
            number += 1
            await asyncio.sleep(max(0.0, host.next_request_at - time.monotonic()))
            result = await self._get_once(url, referer)
            host.next_request_at = time.monotonic() + self._policy.pause
            if result.content is not None or result.permanent or number >= self._policy.max_attempts:
                return result
            wait = max(self._policy.backoff * 2 ** (number - 1), result.retry_after or 0.0)
            if wait > self._policy.max_wait:
                return replace(result, reason=f"{result.reason}; asked to retry in {wait:.0f} s")
            host.next_request_at = max(host.next_request_at, time.monotonic() + wait)

    async def _get_once(self, url: str, referer: str | None) -> DownloadResult:
        headers = {"Accept": "image/*", **({"Referer": referer} if referer is not None else {})}
        try:
            async with self._session.get(url, headers=headers, allow_redirects=False) as response:
                return await self._read(response)
        except TimeoutError:
            return DownloadResult(None, reason=f"no response within {self._policy.timeout:g} s", permanent=False)
        except aiohttp.InvalidURL:
            return DownloadResult(None, reason="not a valid URL")
        except aiohttp.ClientError as error:
            return DownloadResult(None, reason=f"the connection failed ({type(error).__name__})", permanent=False)

    async def _read(self, response: aiohttp.ClientResponse) -> DownloadResult:
        status = response.status
        if status in REDIRECT_STATUSES and (to := redirect_target(response)) is not None:
            return DownloadResult(status, redirect_to=to)
        if status != 200:
            wait = parse_retry_after(response.headers)
            reason = f"the server answered {status} {response.reason or ''}".rstrip()
            if status == 403:
                reason += f" to {self._user_agent!r}; another --user-agent may be accepted"
            return DownloadResult(status, reason=reason, retry_after=wait, permanent=status not in RETRY_STATUSES)
        content_type = response.content_type
        if not content_type.startswith(IMAGE_CONTENT_TYPES):
            return DownloadResult(status, reason=f"expected an image, found {content_type}")
        content = bytearray()
        async for block in response.content.iter_chunked(BLOCK_BYTES):
            content += block
            if len(content) > self._policy.max_bytes:
                return DownloadResult(status, reason=f"expected at most {self._policy.max_bytes} bytes, found more")
        return (
            DownloadResult(status, bytes(content))
            if content
            else DownloadResult(status, reason="expected an image, found nothing")
        )


def redirect_target(response: aiohttp.ClientResponse) -> str | None:
    """The URL that a redirect leads to; None where it states none."""
    location = response.headers.get("Location")
    try:
        return urljoin(str(response.url), location) if location else None
    except ValueError:
        return None


def _host_and_port(url: str) -> str | None:
    """Host and port of an HTTP URL, None for other URLs. The default port is omitted, because redirects may state
    it."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in DEFAULT_PORTS or not host:
        return None
    return host if port in (None, DEFAULT_PORTS[parts.scheme]) else f"{host}:{port}"
