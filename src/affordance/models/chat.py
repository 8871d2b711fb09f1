"""The client of the chat-completions protocol: one HTTP request per ask."""

import asyncio
import json
import time
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from json.encoder import encode_basestring_ascii
from urllib.parse import unquote, urlsplit, urlunsplit

import aiohttp
from aiohttp.abc import AbstractStreamWriter

from affordance.core.ask import Ask, Reply
from affordance.core.digest import Json
from affordance.core.names import ModelName, public_url
from affordance.core.picture import Footage, Format, Visual
from affordance.models.base import Surroundings
from affordance.models.completion import failure, read_completion
from affordance.models.limits import limits_of, refusal
from affordance.models.profiles import fit
from affordance.models.providers import Endpoint

LARGEST_ANSWER = 64 * 2**20
LONGEST_ERROR = 400  # characters; cut after the secrets are out, or half of one might be left
LARGE_PIECE = 2**16
_LEADS = {kind: f'{{"type": "image_url", "image_url": {{"url": "data:image/{kind};base64,'.encode() for kind in Format}
_VIDEO_LEAD = b'{"type": "video_url", "video_url": {"url": "data:video/mp4;base64,'


class ChatModel:
    """A model behind a chat-completions endpoint. Redirects are not followed: nothing is sent but to the address
    that the user named. Whatever comes back is scrubbed of the key, should an endpoint repeat it."""

    dialect = ""
    by_question = False

    def __init__(self, name: ModelName, where: Endpoint, surroundings: Surroundings) -> None:
        self.name = str(name)
        self.base_url = public_url(where.base_url)
        self._gallery = surroundings.gallery
        self._timeout = surroundings.timeout
        self._model = name
        self._limits = limits_of(name, surroundings.own.get(str(name), {}))
        self._parameters: Mapping[str, Json] | None = None  # those that the head below was made from
        self._head = b""
        self._url, self._headers, self._secrets = _address(where)
        self._session: aiohttp.ClientSession | None = None

    def sent(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return fit(self._model, parameters)

    async def reply(self, ask: Ask) -> Reply:
        if (refused := refusal(self._model, self._limits, ask)) is not None:
            return refused
        visuals = ask.visuals
        images = await self._gallery.base64(visuals) if visuals else []
        body = _Body(self._pieces(ask, images), lambda: self._gallery.give_back(images))
        started = time.perf_counter()
        try:
            return self._finished(await self._post(body), time.perf_counter() - started)
        finally:
            body.release()

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    def _pieces(self, ask: Ask, images: Sequence[bytes]) -> list[bytes]:
        """The request in pieces, with pictures and videos as they come: a JSON encoder would copy and scan them."""
        if ask.parameters is not self._parameters:
            self._parameters = ask.parameters
            self._head = json.dumps({"model": self._model.model, **ask.parameters})[:-1].encode()
        pieces = [self._head, b', "messages": [']
        remaining = iter(images)
        for number, message in enumerate(ask.messages):
            pieces.append(b", {" if number else b"{")
            pieces.append(f'"role": {json.dumps(message.role)}, "content": ['.encode())
            for place, part in enumerate(message.parts):
                if place:
                    pieces.append(b", ")
                if isinstance(part, str):
                    pieces.append(b'{"type": "text", "text": ' + encode_basestring_ascii(part).encode() + b"}")
                else:
                    pieces += (_lead(part), next(remaining), b'"}}')
            pieces.append(b"]}")
        pieces.append(b"]}")
        return pieces

    async def _post(self, body: "_Body") -> Reply:
        """The reply as it came: secrets and all, and without its time."""
        session = self._session = self._session or _session(self._timeout, self._headers)
        try:
            async with session.post(self._url, data=body, allow_redirects=False) as response:
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

    def _finished(self, reply: Reply, seconds: float) -> Reply:
        text, reasoning, error, served_by = reply.text, reply.reasoning, reply.error, reply.served_by
        for secret in self._secrets:
            text = text.replace(secret, "[key]")
            reasoning = reasoning.replace(secret, "[key]")
            error = error.replace(secret, "[key]")
            served_by = served_by.replace(secret, "[key]")
        return Reply(
            text, reasoning, reply.finish, error[:LONGEST_ERROR], reply.permanent, reply.retry_after, reply.throttled,
            reply.usage, seconds, served_by,
        )  # fmt: skip


class _Body(aiohttp.Payload):
    """A body in pieces. Large ones go to the socket as they are, small ones together: a body of megabytes is never
    put together, which costs more than sending it. Once sent it lets go of them: an answer may take minutes."""

    def __init__(self, pieces: list[bytes], on_release: Callable[[], None]) -> None:
        super().__init__(pieces, content_type="application/json")
        self._size = sum(map(len, pieces))
        self._on_release = on_release

    def release(self) -> None:
        if self._value:
            self._value = []
            self._on_release()

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        return b"".join(self._value).decode(encoding, errors)

    async def write(self, writer: AbstractStreamWriter) -> None:
        small: list[bytes] = []
        size = 0
        for piece in self._value:
            if len(piece) >= LARGE_PIECE or size >= LARGE_PIECE:
                await writer.write(b"".join(small))
                small, size = [], 0
            if len(piece) >= LARGE_PIECE:
                await writer.write(piece)
            else:
                small.append(piece)
                size += len(piece)
        await writer.write(b"".join(small))
        self.release()


def _lead(visual: Visual) -> bytes:
    return _VIDEO_LEAD if isinstance(visual, Footage) else _LEADS[visual.encode.format]


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
