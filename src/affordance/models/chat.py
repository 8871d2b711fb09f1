"""The client of the chat-completions protocol: one HTTP request per ask."""

import asyncio
import json
import time
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import unquote, urlsplit, urlunsplit

import aiohttp

from affordance.core.ask import Ask, Reply
from affordance.core.digest import Json
from affordance.core.names import ModelName, public_url
from affordance.core.picture import Format, Picture
from affordance.models.base import Surroundings
from affordance.models.completion import failure, read_completion
from affordance.models.profiles import fit
from affordance.models.providers import Endpoint

LARGEST_ANSWER = 64 * 2**20
LONGEST_ERROR = 400  # characters; cut after the secrets are out, or half of one might be left
_MIME = {Format.PNG: b"image/png", Format.JPEG: b"image/jpeg", Format.WEBP: b"image/webp"}


class ChatModel:
    """A model behind a chat-completions endpoint. Redirects are not followed: nothing is sent but to the address
    that the user named. Whatever comes back is scrubbed of the key, should an endpoint repeat it."""

    def __init__(self, name: ModelName, where: Endpoint, surroundings: Surroundings) -> None:
        self.name = str(name)
        self.base_url = public_url(where.base_url)
        self._gallery = surroundings.gallery
        self._timeout = surroundings.timeout
        self._model = name
        self._url, self._headers, self._secrets = _address(where)
        self._session: aiohttp.ClientSession | None = None

    def sent(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return fit(self._model, parameters)

    async def reply(self, ask: Ask) -> Reply:
        images = await self._gallery.base64(ask.pictures) if ask.pictures else []
        body = self._body(ask, images)
        started = time.perf_counter()
        reply = self._scrubbed(await self._post(body))
        return replace(reply, seconds=time.perf_counter() - started)

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    def _body(self, ask: Ask, images: Sequence[bytes]) -> bytes:
        """The request, with the pictures spliced in as they come: a JSON encoder would copy and scan them."""
        head = json.dumps({"model": self._model.model, **ask.parameters})
        pieces = [head[:-1].encode(), b', "messages": [']
        remaining = iter(images)
        for number, message in enumerate(ask.messages):
            pieces.append(b", {" if number else b"{")
            pieces.append(f'"role": {json.dumps(message.role)}, "content": ['.encode())
            for place, part in enumerate(message.parts):
                if place:
                    pieces.append(b", ")
                if isinstance(part, Picture):
                    kind = _MIME[part.encode.format]
                    lead = b'{"type": "image_url", "image_url": {"url": "data:' + kind + b";base64,"
                    pieces += (lead, next(remaining), b'"}}')
                else:
                    pieces.append(json.dumps({"type": "text", "text": part}).encode())
            pieces.append(b"]}")
        pieces.append(b"]}")
        return b"".join(pieces)

    async def _post(self, body: bytes) -> Reply:
        session = self._session = self._session or _session(self._timeout, self._headers)
        try:
            async with session.post(self._url, data=_Body(body), allow_redirects=False) as response:
                content = await response.content.read(LARGEST_ANSWER + 1)
                while len(content) <= LARGEST_ANSWER and (more := await response.content.read(LARGEST_ANSWER)):
                    content += more
                if len(content) > LARGEST_ANSWER:
                    return failure(f"the answer is larger than {LARGEST_ANSWER} bytes", permanent=True)
                return read_completion(response.status, response.headers, content)
        except TimeoutError:
            return failure(f"{self.base_url} did not answer within {self._timeout:g} s", permanent=False)
        except aiohttp.ClientConnectorError as error:
            reason = error.os_error.strerror or type(error.os_error).__name__
            return failure(f"cannot connect to {self.base_url}: {reason}", permanent=False)
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError):
            return failure(f"{self.base_url} is not a URL that can be asked", permanent=True)
        except (aiohttp.ClientError, ConnectionError, asyncio.IncompleteReadError) as error:
            return failure(f"{self.base_url} cut the connection ({type(error).__name__})", permanent=False)

    def _scrubbed(self, reply: Reply) -> Reply:
        for secret in self._secrets:
            if secret in reply.text or secret in reply.error or secret in reply.reasoning or secret in reply.served_by:
                reply = replace(
                    reply,
                    text=reply.text.replace(secret, "[key]"),
                    error=reply.error.replace(secret, "[key]"),
                    reasoning=reply.reasoning.replace(secret, "[key]"),
                    served_by=reply.served_by.replace(secret, "[key]"),
                )
        return replace(reply, error=reply.error[:LONGEST_ERROR])


class _Body(aiohttp.BytesPayload):
    """A body of megabytes, on purpose: aiohttp's own payload warns about those."""

    def __init__(self, body: bytes) -> None:
        super().__init__(b"", content_type="application/json")
        self._value = body
        self._size = len(body)


def _session(timeout: float, headers: dict[str, str]) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        timeout=aiohttp.ClientTimeout(total=timeout),
        headers=headers,
        cookie_jar=aiohttp.DummyCookieJar(),
    )


def _address(where: Endpoint) -> tuple[str, dict[str, str], list[str]]:
    """The URL to post to, the headers, and the secrets in them. User info becomes a header; a query stays."""
    parts = urlsplit(where.base_url)
    userinfo, _, host = parts.netloc.rpartition("@")
    url = urlunsplit((parts.scheme, host, parts.path.rstrip("/") + "/chat/completions", parts.query, ""))
    headers, secrets = {}, [value for _, _, value in (pair.partition("=") for pair in parts.query.split("&")) if value]
    if userinfo:
        token = b64encode(unquote(userinfo).encode()).decode()
        headers["Authorization"] = f"Basic {token}"
        secrets += [token, unquote(userinfo), unquote(userinfo.partition(":")[2])]
    if where.key:
        headers["Authorization"] = f"Bearer {where.key}"
        secrets.append(where.key)
    return url, headers, [secret for secret in secrets if len(secret) >= 6]
