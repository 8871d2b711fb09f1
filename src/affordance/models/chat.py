"""The client of the chat-completions protocol: one HTTP request per ask."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from json.encoder import encode_basestring_ascii

import aiohttp
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http import StreamWriter

from affordance.core.ask import Ask, ErrorKind, Reply
from affordance.core.digest import Json
from affordance.core.names import ModelName
from affordance.core.picture import Footage, Format, Visual
from affordance.models.adaptation import Adaptation, Adaptations
from affordance.models.base import Surroundings
from affordance.models.completion import read_completion
from affordance.models.limits import limits_of, refusal, with_video_advice
from affordance.models.posting import Posting
from affordance.models.profiles import fit
from affordance.models.providers import Endpoint

LARGE_PIECE = 2**12  # bytes; copying less is quicker than one more piece
_LEADS = {kind: f'{{"type": "image_url", "image_url": {{"url": "data:image/{kind};base64,'.encode() for kind in Format}
_VIDEO_LEAD = b'{"type": "video_url", "video_url": {"url": "data:video/mp4;base64,'


class ChatModel:
    """A model behind a chat-completions endpoint. A parameter that it refuses is left out or renamed from then on."""

    dialect = ""
    by_question = False

    def __init__(self, name: ModelName, where: Endpoint, surroundings: Surroundings) -> None:
        self.name = str(name)
        self._gallery = surroundings.gallery
        self._model = name
        self._limits = limits_of(name, surroundings.own.get(str(name), {}))
        self._adaptations = Adaptations(self.name)
        self._parameters: Mapping[str, Json] | None = None  # those that the two below were made from
        self._sent: Mapping[str, Json] = {}
        self._head = b""
        self._posting = Posting(where, "/chat/completions", surroundings.timeout)
        self.base_url = self._posting.base_url

    def sent(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return fit(self._model, parameters)

    @property
    def adaptations(self) -> tuple[Adaptation, ...]:
        return self._adaptations.all

    def adapt(self, known: Iterable[Adaptation]) -> None:
        self._adaptations.add(known)
        self._parameters = None

    def refusal(self, ask: Ask) -> Reply | None:
        return refusal(self._model, self._limits, ask)

    async def reply(self, ask: Ask) -> Reply:
        if (refused := self.refusal(ask)) is not None:
            return refused
        visuals = ask.visuals
        images = await self._gallery.base64(visuals) if visuals else []
        body = _Body(self._pieces(ask, images), lambda: self._gallery.give_back(images))
        sent = self._sent
        try:
            reply = with_video_advice(await self._posting.send(body, read_completion), ask)
        finally:
            body.release()
        if reply.kind is ErrorKind.PARAMETER and self._adaptations.learn(sent, reply):
            self._parameters = None
            return replace(reply, kind=ErrorKind.ADAPTED, permanent=False)
        return reply

    async def close(self) -> None:
        await self._posting.close()

    def _pieces(self, ask: Ask, images: Sequence[bytes]) -> list[bytes]:
        """The request in pieces, with pictures and videos as they come: a JSON encoder would copy and scan them."""
        if ask.parameters is not self._parameters:
            self._parameters = ask.parameters
            self._sent = self._adaptations.apply(ask.parameters)
            self._head = json.dumps({"model": self._model.model, **self._sent})[:-1].encode()
        pieces = [self._head, b', "messages": [']
        remaining = iter(images)
        for number, message in enumerate(ask.messages):
            pieces.append(b", {" if number else b"{")
            pieces.append(f'"role": {encode_basestring_ascii(message.role)}, "content": ['.encode())
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
        """In two goes: the headers with what comes before the first picture, and all the rest at once. Python's own
        loops would copy that, or not say when it is too much: they get it part by part."""
        assert isinstance(writer, StreamWriter)
        first, *rest = _parts(self._value)
        await writer.write(first)
        if isinstance(writer.loop, asyncio.BaseEventLoop):
            for part in rest:
                await writer.write(part)
        elif rest:
            transport = writer.transport
            if transport is None or transport.is_closing():
                raise aiohttp.ClientConnectionResetError("the connection was lost while a request was sent")
            transport.writelines(rest)
            await writer.drain()
        self.release()


def _parts(pieces: Sequence[bytes]) -> list[bytes]:
    """Small pieces together, large ones as they are. The first part is a small one."""
    parts: list[bytes] = []
    small: list[bytes] = []
    for piece in pieces:
        if len(piece) < LARGE_PIECE:
            small.append(piece)
        else:
            parts += (b"".join(small), piece)
            small = []
    parts.append(b"".join(small))
    return parts


def _lead(visual: Visual) -> bytes:
    return _VIDEO_LEAD if isinstance(visual, Footage) else _LEADS[visual.encode.format]
