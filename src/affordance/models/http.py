"""The HTTP session of an endpoint: one POST for each request, with time and size limits and without redirects."""

import asyncio
import os
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import aiohttp

from affordance.core.http import parse_retry_after, public_url
from affordance.core.requests import FinishReason, Response
from affordance.models.provider_errors import error_response
from affordance.models.providers import Endpoint
from affordance.models.redaction import basic_credentials, endpoint_secrets, is_secret_name, redact_response

MAX_RESPONSE_BYTES = 64 * 2**20
CONNECT_SECONDS = 10.0  # shorter than the timeout: an unreachable host is reported early

ResponseParser = Callable[[int, Mapping[str, str], bytes], Response]  # from status, headers and body


class HttpEndpoint:
    """The endpoint that requests are posted to. Redirects are not followed, so nothing is sent to another address than
    the user's. Secrets are removed from responses."""

    def __init__(self, endpoint: Endpoint, path: str, timeout: float) -> None:
        self.base_url = public_url(endpoint.base_url)
        self._timeout = timeout
        self._url, self._headers, self._secrets = _url_and_headers(endpoint, path)
        self._has_key = "Authorization" in self._headers or any(
            map(is_secret_name, dict(parse_qsl(urlsplit(self._url).query)))
        )
        self._session: aiohttp.ClientSession | None = None

    async def post(self, body: aiohttp.Payload, parse: ResponseParser) -> Response:
        """The response with its time. A failure is a response too."""
        started = time.perf_counter()
        return redact_response(await self._post(body, parse), self._secrets, time.perf_counter() - started)

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def _post(self, body: aiohttp.Payload, parse: ResponseParser) -> Response:
        """The response before secrets are removed, without its time."""
        session = self._session = self._session or _make_session(self._headers)
        try:
            async with asyncio.timeout(self._timeout):
                async with session.post(self._url, data=body, allow_redirects=False) as response:
                    content = await _read_content(response)
            if len(content) > MAX_RESPONSE_BYTES:
                return error_response(f"the response is larger than {MAX_RESPONSE_BYTES} bytes", permanent=True)
            parsed = parse(response.status, response.headers, content)
            if parsed.finish is FinishReason.ERROR:
                parsed = replace(parsed, retry_after=parse_retry_after(response.headers, content))
            return parsed if response.status != 401 or self._has_key else with_key_hint(parsed)
        except aiohttp.ConnectionTimeoutError:
            return _unsent_error(f"cannot connect to {self.base_url}: no connection within {CONNECT_SECONDS:g} s")
        except TimeoutError:
            return error_response(f"{self.base_url} did not respond within {self._timeout:g} s", permanent=False)
        except aiohttp.ClientConnectorError as error:
            return _unsent_error(f"cannot connect to {self.base_url}: {_error_reason(error.os_error)}")
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError):
            return _unsent_error(f"{self.base_url} is not a valid URL of an endpoint", permanent=True)
        except (aiohttp.ClientError, ConnectionError, asyncio.IncompleteReadError) as error:
            return error_response(f"{self.base_url} closed the connection ({type(error).__name__})", permanent=False)


def _error_reason(error: OSError) -> str:
    """The system's words for an error; those of an event loop repeat the address. Names and TLS have error numbers of
    their own."""
    if error.errno and not isinstance(error, (socket.gaierror, ssl.SSLError)):
        return os.strerror(error.errno)
    return error.strerror or type(error).__name__


def _unsent_error(message: str, *, permanent: bool = False) -> Response:
    return replace(error_response(message, permanent=permanent), sent=False)


def with_key_hint(response: Response) -> Response:
    """A refusal of a request without a key, with the remedy first: the end of a long line is cut."""
    hint = "no key was sent; name the environment variable that holds it: --key-env NAME (key_env= in Python)"
    return replace(response, error=f"{hint}. {response.error}")


async def _read_content(response: aiohttp.ClientResponse) -> bytes:
    """The body of a response, or its start if it exceeds the limit."""
    stream = response.content
    content = await stream.read(MAX_RESPONSE_BYTES + 1)
    while len(content) <= MAX_RESPONSE_BYTES and not stream.at_eof():
        content += await stream.read(MAX_RESPONSE_BYTES)
    return content


def _make_session(headers: dict[str, str]) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),  # the total is `asyncio.timeout`
        headers=headers,
        cookie_jar=aiohttp.DummyCookieJar(),
    )


def _url_and_headers(endpoint: Endpoint, path: str) -> tuple[str, dict[str, str], list[str]]:
    """The URL to post to, the headers, and the secrets in them. User info becomes a header; a query is kept."""
    parts = urlsplit(endpoint.base_url)
    userinfo, _, host = parts.netloc.rpartition("@")
    url = urlunsplit((parts.scheme, host, parts.path.rstrip("/") + path, parts.query, ""))
    headers = {}
    if userinfo:
        headers["Authorization"] = f"Basic {basic_credentials(userinfo)}"
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    return url, headers, endpoint_secrets(endpoint)
