"""Downloads as a good guest makes them: one request at a time for each host with a pause between, patience where it is
asked for, and nothing taken that is not a picture or is too large."""

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
BLOCK = 2**16
# What the server may get over by itself.
WAITING = {408, 425, 429, 500, 502, 503, 504}
USUAL = {"http": 80, "https": 443}
MOVED = {301, 302, 303, 307, 308}
PICTURES = ("image/", "application/octet-stream", "binary/octet-stream")


@dataclass(frozen=True, slots=True)
class Manners:
    """Times are in seconds. `patience` is the longest that a server may ask to be left alone."""

    timeout: float = 20.0
    pause: float = 0.5  # between requests to one host
    tries: int = 4
    backoff: float = 1.0  # before the second try, and twice as long before each other
    patience: float = 120.0
    give_up: int = 3  # URLs in a row that got no answer at all: the host is down, or we are offline
    redirects: int = 5  # that are followed, one after the other
    largest: int = 40 * 2**20  # bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a URL: `content`, or None and the `reason`. `status` is the last one of the server's."""

    status: int | None
    content: bytes | None = None
    reason: str | None = None
    retry_after: float | None = None
    final: bool = True  # asking again would not help
    moved: str | None = None  # the URL to ask instead


@dataclass(slots=True)
class _Host:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    free: float = 0.0  # when the next request may go out
    silent: int = 0  # URLs in a row that got no answer


class Guest:
    """`async with Guest(manners) as guest:` and then `await guest.get(url, referer)`, as many at once as one likes."""

    def __init__(self, manners: Manners) -> None:
        self._manners = manners
        self._hosts: dict[str, _Host] = {}

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=self._manners.timeout)
        self._session = aiohttp.ClientSession(timeout=timeout, headers={"User-Agent": USER_AGENT})
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def get(self, url: str, referer: str | None = None) -> Answer:
        """The picture at a URL, after as many tries as it takes and manners allow. To follow a redirect is a request
        like any other, to a host that has its own pauses."""
        for _ in range(self._manners.redirects + 1):
            answer = await self._ask(url, referer)
            if answer.moved is None:
                return answer
            url = answer.moved
        return Answer(answer.status, reason=f"expected at most {self._manners.redirects} redirects, found more")

    async def _ask(self, url: str, referer: str | None) -> Answer:
        place = _place(url)
        if place is None:
            return Answer(None, reason="expected a URL that begins with http:// or https://")
        host = self._hosts.setdefault(place, _Host())
        async with host.lock:
            if host.silent >= self._manners.give_up:
                return Answer(None, reason=f"not asked: {place} did not answer {host.silent} times before")
            answer = await self._patiently(host, url, referer)
            host.silent = host.silent + 1 if answer.status is None else 0
            return answer

    async def _patiently(self, host: _Host, url: str, referer: str | None) -> Answer:
        number = 0
        while True:
            number += 1
            await asyncio.sleep(max(0.0, host.free - time.monotonic()))
            answer = await self._try(url, referer)
            host.free = time.monotonic() + self._manners.pause
            if answer.content is not None or answer.final or number >= self._manners.tries:
                return answer
            wait = max(self._manners.backoff * 2 ** (number - 1), answer.retry_after or 0.0)
            if wait > self._manners.patience:
                return replace(answer, reason=f"{answer.reason}; asked to come back in {wait:.0f} s")
            host.free = max(host.free, time.monotonic() + wait)

    async def _try(self, url: str, referer: str | None) -> Answer:
        headers = {"Accept": "image/*", **({"Referer": referer} if referer is not None else {})}
        try:
            async with self._session.get(url, headers=headers, allow_redirects=False) as response:
                return await self._read(response)
        except TimeoutError:
            return Answer(None, reason=f"no answer within {self._manners.timeout:g} s", final=False)
        except aiohttp.InvalidURL:
            return Answer(None, reason="the server cannot be asked for this URL")
        except aiohttp.ClientError as error:
            return Answer(None, reason=f"the connection failed ({type(error).__name__})", final=False)

    async def _read(self, response: aiohttp.ClientResponse) -> Answer:
        status = response.status
        if status in MOVED and (to := redirected_to(response)) is not None:
            return Answer(status, moved=to)
        if status != 200:
            wait = parse_retry_after(response.headers)
            reason = f"the server answered {status} {response.reason or ''}".rstrip()
            return Answer(status, reason=reason, retry_after=wait, final=status not in WAITING)
        kind = response.content_type
        if not kind.startswith(PICTURES):
            return Answer(status, reason=f"expected a picture, found {kind}")
        content = bytearray()
        async for block in response.content.iter_chunked(BLOCK):
            content += block
            if len(content) > self._manners.largest:
                return Answer(status, reason=f"expected at most {self._manners.largest} bytes, found more")
        return Answer(status, bytes(content)) if content else Answer(status, reason="expected a picture, found nothing")


def redirected_to(response: aiohttp.ClientResponse) -> str | None:
    """Where a redirect leads to; None where it does not say."""
    location = response.headers.get("Location")
    try:
        return urljoin(str(response.url), location) if location else None
    except ValueError:
        return None


def _place(url: str) -> str | None:
    """Host and port of a URL that can be asked. A port that goes without saying is left out: redirects say it."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in USUAL or not host:
        return None
    return host if port in (None, USUAL[parts.scheme]) else f"{host}:{port}"
