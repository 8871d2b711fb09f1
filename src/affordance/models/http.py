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

LARGEST_ANSWER = 64 * 2**20
CONNECT_SECONDS = 10.0  # a host that drops packets is known as quickly as one that refuses


ResponseParser = Callable[[int, Mapping[str, str], bytes], Response]  # of status, headers and body


class HttpEndpoint:
    """Where asks are posted to. Redirects are not followed: nothing is sent but to the address that the user named.
    Whatever comes back is scrubbed of the key, should an endpoint repeat it."""

    def __init__(self, endpoint: Endpoint, path: str, timeout: float) -> None:
        self.base_url = public_url(endpoint.base_url)
        self._timeout = timeout
        self._url, self._headers, self._secrets = _url_and_headers(endpoint, path)
        self._has_key = "Authorization" in self._headers or any(
            map(is_secret_name, dict(parse_qsl(urlsplit(self._url).query)))
        )
        self._session: aiohttp.ClientSession | None = None

    async def post(self, body: aiohttp.Payload, parse: ResponseParser) -> Response:
        """What came back, timed; a failure is a reply too."""
        started = time.perf_counter()
        return redact_response(await self._post(body, parse), self._secrets, time.perf_counter() - started)

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def _post(self, body: aiohttp.Payload, parse: ResponseParser) -> Response:
        """The reply as it came: secrets and all, and without its time."""
        session = self._session = self._session or _make_session(self._headers)
        try:
            async with asyncio.timeout(self._timeout):
                async with session.post(self._url, data=body, allow_redirects=False) as response:
                    content = await _read_content(response)
            if len(content) > LARGEST_ANSWER:
                return error_response(f"the answer is larger than {LARGEST_ANSWER} bytes", permanent=True)
            reply = parse(response.status, response.headers, content)
            if reply.finish is FinishReason.ERROR:
                reply = replace(reply, retry_after=parse_retry_after(response.headers, content))
            return reply if response.status != 401 or self._has_key else with_key_hint(reply)
        except aiohttp.ConnectionTimeoutError:
            return _unsent_error(f"cannot connect to {self.base_url}: no answer within {CONNECT_SECONDS:g} s")
        except TimeoutError:
            return error_response(f"{self.base_url} did not answer within {self._timeout:g} s", permanent=False)
        except aiohttp.ClientConnectorError as error:
            return _unsent_error(f"cannot connect to {self.base_url}: {_error_reason(error.os_error)}")
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError):
            return _unsent_error(f"{self.base_url} is not a URL that can be asked", permanent=True)
        except (aiohttp.ClientError, ConnectionError, asyncio.IncompleteReadError) as error:
            return error_response(f"{self.base_url} cut the connection ({type(error).__name__})", permanent=False)


def _error_reason(error: OSError) -> str:
    """In the system's words, as an event loop repeats the address. Names and TLS have error numbers of their own."""
    if error.errno and not isinstance(error, (socket.gaierror, ssl.SSLError)):
        return os.strerror(error.errno)
    return error.strerror or type(error).__name__


def _unsent_error(message: str, *, permanent: bool = False) -> Response:
    return replace(error_response(message, permanent=permanent), sent=False)


def with_key_hint(response: Response) -> Response:
    """A refusal where no key was sent, with what to do: at the beginning, as the end of a long line is cut."""
    hint = "no key was sent; name the environment variable that holds it: --key-env NAME (key_env= in Python)"
    return replace(response, error=f"{hint}. {response.error}")


async def _read_content(response: aiohttp.ClientResponse) -> bytes:
    """All of an answer, or more than the largest that is taken."""
    stream = response.content
    content = await stream.read(LARGEST_ANSWER + 1)
    while len(content) <= LARGEST_ANSWER and not stream.at_eof():
        content += await stream.read(LARGEST_ANSWER)
    return content


def _make_session(headers: dict[str, str]) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_SECONDS),  # `Deadline` sees to the rest
        headers=headers,
        cookie_jar=aiohttp.DummyCookieJar(),
    )


def _url_and_headers(endpoint: Endpoint, path: str) -> tuple[str, dict[str, str], list[str]]:
    """The URL to post to, the headers, and the secrets in them. User info becomes a header; a query stays."""
    parts = urlsplit(endpoint.base_url)
    userinfo, _, host = parts.netloc.rpartition("@")
    url = urlunsplit((parts.scheme, host, parts.path.rstrip("/") + path, parts.query, ""))
    headers = {}
    if userinfo:
        headers["Authorization"] = f"Basic {basic_credentials(userinfo)}"
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    return url, headers, endpoint_secrets(endpoint)
