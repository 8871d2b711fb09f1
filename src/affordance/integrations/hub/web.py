"""Requests to the hub and to others: patient, following redirects, with the token for the hub's own address alone."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp

from affordance import __version__
from affordance.core.errors import UserError
from affordance.core.http import parse_retry_after, public_url
from affordance.core.json_text import parse_json
from affordance.datasets.image_downloader import REDIRECT_STATUSES, RETRY_STATUSES, DownloadPolicy, redirect_target

HUB_POLICY = DownloadPolicy(timeout=60.0, max_attempts=6)
MAX_JSON_BYTES = 64 * 2**20  # bytes of a list
HTML = "text/html"
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
NO_TOKEN_MESSAGE = "HF_TOKEN is not set, or not for this address, which is neither the hub nor HF_ENDPOINT over https"
HUB_URL = re.compile("(.*?)/(?:api/)?datasets/([^/]+/[^/]+)")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Token:
    """A secret, whom to tell it, and the name of the variable that it came from. It is never shown."""

    value: str
    origin: str
    variable: str

    def __repr__(self) -> str:
        return f"Token({self.variable})"


class TransientError(Exception):
    """A failure that may be over soon."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class RangeNotSatisfiable(TransientError):
    """The server has less of a file than is here already."""


class HubClient:
    """`async with Web(...) as web:` and then as many requests at once as one likes."""

    def __init__(self, token: Token | None = None, policy: DownloadPolicy = HUB_POLICY) -> None:
        self._token = token
        self._policy = policy

    async def __aenter__(self) -> Self:
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=self._policy.timeout, sock_read=self._policy.timeout)
        # No compression: what comes is what is on the server's disk, so that it can be gone on with.
        headers = {"User-Agent": f"affordance/{__version__}", "Accept-Encoding": "identity"}
        jar = aiohttp.DummyCookieJar()
        self._session = aiohttp.ClientSession(timeout=timeout, headers=headers, cookie_jar=jar, auto_decompress=False)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def retry(self, attempt: Callable[[], Awaitable[T]], progress: Callable[[], int] = lambda: 0) -> T:
        """Try until it works. Waits are as long as the server asks, or grow; while `moving` tells that there is more
        than before, nobody gives up."""
        number, before = 0, progress()
        while True:
            number += 1
            try:
                return await attempt()
            except TransientError as failure:
                now = progress()
                number, before = (1 if now > before else number), now
                if number >= self._policy.max_attempts:
                    raise UserError(
                        f"{failure}; tried {number} times: try again later, or a mirror with --from"
                    ) from None
                wait = max(self._policy.backoff * 2 ** (number - 1), failure.wait or 0.0)
                if wait > self._policy.max_wait:
                    raise UserError(f"{failure}; asked to come back in {wait:.0f} s: try again then") from None
                await asyncio.sleep(wait)

    async def get_json(self, url: str) -> tuple[Any, str | None]:
        """JSON, and the URL of the next page of it where there is one."""

        async def attempt() -> tuple[Any, str | None]:
            async with self.open(url) as response:
                content = await response.content.read(MAX_JSON_BYTES + 1)
                while len(content) <= MAX_JSON_BYTES and not response.content.at_eof():
                    content += await response.content.read(MAX_JSON_BYTES + 1 - len(content))
                if len(content) > MAX_JSON_BYTES:
                    raise UserError(f"{public_url(url)}: expected at most {MAX_JSON_BYTES} bytes of a list, found more")
                return _parse_json(content, url), _next_page(response, url)

        return await self.retry(attempt)

    @asynccontextmanager
    async def open(self, url: str, start: int = 0) -> AsyncIterator[aiohttp.ClientResponse]:
        """The answer to a request that went well. Raises `Passing` for what may be over soon, also while it is read."""
        headers = {"Range": f"bytes={start}-"} if start else {}
        asked = url
        try:
            for _ in range(self._policy.max_redirects + 1):
                async with self._session.get(
                    asked, headers=self._headers(asked, headers), allow_redirects=False, proxy=_proxy(asked)
                ) as response:
                    if response.status in REDIRECT_STATUSES and (to := redirect_target(response)) is not None:
                        asked = _check_redirect(asked, to, url)
                        continue
                    self._raise_for_status(response, url)
                    yield response
                    return
        except TimeoutError:
            raise TransientError(f"{public_url(url)}: no answer within {self._policy.timeout:g} s") from None
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError):
            raise UserError(f"{public_url(url)}: expected a URL, found something that cannot be asked for") from None
        except (aiohttp.ClientError, ConnectionError) as error:
            raise TransientError(f"{public_url(url)}: the connection failed ({type(error).__name__})") from None
        raise UserError(f"{public_url(url)}: expected at most {self._policy.max_redirects} redirects, found more")

    def _headers(self, url: str, others: dict[str, str]) -> dict[str, str]:
        """The token goes to the address it is for: not to others that a redirect leads to."""
        if self._token is None or origin(url) != self._token.origin:
            return others
        return {**others, "Authorization": f"Bearer {self._token.value}"}

    def _raise_for_status(self, response: aiohttp.ClientResponse, url: str) -> None:
        status, where = response.status, public_url(url)
        if status in (200, 206):
            if response.content_type == HTML and not where.endswith((".html", ".htm")):
                raise UserError(f"{where}: expected data, found a web page; does a proxy or a sign-in stand before it?")
            return
        if status == 416:
            raise RangeNotSatisfiable(f"{where}: the server has less than what is here already")
        limited = status == 403 and response.headers.get("X-RateLimit-Remaining") == "0"
        if status in RETRY_STATUSES or limited:
            wait = parse_retry_after(response.headers)
            raise TransientError(f"{where}: the server answered {status} {response.reason or ''}".rstrip(), wait)
        raise UserError(f"{where}: {self._refusal_message(status, response.headers.get('X-Error-Code', ''), where)}")

    def _refusal_message(self, status: int, code: str, where: str) -> str:
        if code == "RevisionNotFound":
            return "there is no such revision; give another with --revision"
        page = HUB_URL.match(where)
        if status in (401, 403) and page is not None:
            who = NO_TOKEN_MESSAGE if self._token is None else f"the token in {self._token.variable} has no access"
            told = "the owners give access on request" if code == "GatedRepo" else "it is private, gated or not there"
            address = f"{page[1]}/datasets/{page[2]}"
            return f"{told} ({status}), and {who}; ask for access at {address}, then set HF_TOKEN to a token of yours"
        if status in (404, 410):
            return f"not found ({status}); is the name right, and the revision? --from and --revision give others"
        return f"the server answered {status}"


def origin(url: str) -> str:
    """Scheme, host and port: to whom a URL leads."""
    parts = urlsplit(url)
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{parts.port or usual}"


def is_private(url: str) -> bool:
    """Whether nobody on the way can read what is asked there."""
    return url.startswith("https://") or urlsplit(url).hostname in LOOPBACK


def _check_redirect(asked: str, to: str, url: str) -> str:
    if not to.startswith(("https://", "http://")) or (asked.startswith("https://") and to.startswith("http://")):
        raise UserError(f"{public_url(url)}: expected a redirect to https, found one to {public_url(to)!r}")
    return to


def _next_page(response: aiohttp.ClientResponse, url: str) -> str | None:
    """At the same address: mirrors pass on links to the hub that they mirror."""
    link = response.links.get("next")
    if link is None or "url" not in link:
        return None
    parts = urlsplit(str(link["url"]))
    return urlsplit(url)._replace(path=parts.path, query=parts.query).geturl()


def _proxy(url: str) -> str | None:
    """As the environment names it (HTTPS_PROXY, NO_PROXY...), but never to this machine itself."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return None if host in LOOPBACK or proxy_bypass(host) else getproxies().get(parts.scheme)


def _parse_json(content: bytes, url: str) -> Any:
    try:
        return parse_json(content)
    except ValueError as error:
        raise UserError(
            f"{public_url(url)}: expected JSON, found something else ({error}); is it the right server?"
        ) from None
