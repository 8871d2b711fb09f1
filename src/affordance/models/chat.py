"""The client of chat-completions endpoints: one HTTP request for each request to a model."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from json.encoder import encode_basestring_ascii

import aiohttp
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http import StreamWriter

from affordance.core.json_text import Json
from affordance.core.media_spec import ImageFormat, MediaSpec, VideoSpec
from affordance.core.model_name import ModelName
from affordance.core.requests import ErrorKind, FinishReason, Request, Response
from affordance.models.adaptation import Adaptation, ModelAdaptations
from affordance.models.completion import parse_completion
from affordance.models.http import HttpEndpoint
from affordance.models.model import ModelContext, unsupported_response
from affordance.models.profile import ModelProfile, config_table, resolve_profile
from affordance.models.providers import Endpoint

LARGE_PIECE_BYTES = 2**12  # copying a smaller piece is quicker than sending one more
_IMAGE_PREFIXES = {
    kind: f'{{"type": "image_url", "image_url": {{"url": "data:image/{kind};base64,'.encode() for kind in ImageFormat
}
_VIDEO_PREFIX = b'{"type": "video_url", "video_url": {"url": "data:video/mp4;base64,'


class ChatClient:
    """A model at a chat-completions endpoint. A parameter that it refuses is left out or renamed from then on."""

    dialect = ""
    answers_by_question = False

    def __init__(self, name: ModelName, endpoint: Endpoint, context: ModelContext) -> None:
        self.name = str(name)
        self._media_loader = context.media_loader
        self._model = name
        self._profile = resolve_profile(name, context.model_options.get(str(name), {}))
        self._adaptations = ModelAdaptations(self.name)
        self._parameters: Mapping[str, Json] | None = None  # the ones that the next two were made from
        self._sent_parameters: Mapping[str, Json] = {}
        self._head = b""
        self._endpoint = HttpEndpoint(endpoint, "/chat/completions", context.timeout)
        self.base_url = self._endpoint.base_url

    def request_parameters(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return self._profile.parameters.apply(parameters)

    @property
    def adaptations(self) -> tuple[Adaptation, ...]:
        return self._adaptations.all

    def adapt(self, known: Iterable[Adaptation]) -> None:
        self._adaptations.add(known)
        self._parameters = None

    def check_limits(self, request: Request) -> Response | None:
        return check_limits(self._profile, request)

    async def send(self, request: Request) -> Response:
        if (refused := self.check_limits(request)) is not None:
            return refused
        images = await self._media_loader.load_base64(request.media) if request.media else []
        body = _RequestBody(self._pieces(request, images), lambda: self._media_loader.release(images))
        sent = self._sent_parameters
        try:
            response = with_video_advice(await self._endpoint.post(body, parse_completion), request)
        finally:
            body.release()
        if response.kind is ErrorKind.PARAMETER and self._adaptations.add_refused(sent, response):
            self._parameters = None
            return replace(response, kind=ErrorKind.ADAPTED, permanent=False)
        return response

    async def close(self) -> None:
        await self._endpoint.close()

    def _pieces(self, request: Request, images: Sequence[bytes]) -> list[bytes]:
        """The body in pieces, with images and videos as they are: a JSON encoder would copy and scan them."""
        if request.parameters is not self._parameters:
            self._parameters = request.parameters
            self._sent_parameters = self._adaptations.apply(request.parameters)
            self._head = json.dumps({"model": self._model.model, **self._sent_parameters})[:-1].encode()
        pieces = [self._head, b', "messages": [']
        remaining = iter(images)
        for number, message in enumerate(request.messages):
            pieces.append(b", {" if number else b"{")
            pieces.append(f'"role": {encode_basestring_ascii(message.role)}, "content": ['.encode())
            for position, part in enumerate(message.parts):
                if position:
                    pieces.append(b", ")
                if isinstance(part, str):
                    pieces.append(b'{"type": "text", "text": ' + encode_basestring_ascii(part).encode() + b"}")
                else:
                    pieces += (_media_prefix(part), next(remaining), b'"}}')
            pieces.append(b"]}")
        pieces.append(b"]}")
        return pieces


def check_limits(profile: ModelProfile, request: Request) -> Response | None:
    """The response to a request beyond the limits of a model, which is not sent; None for any other."""
    name, limits, count = profile.name, profile.images, len(request.images)
    if limits.video is False and count < len(request.media):
        return unsupported_response(
            f"{name} accepts no video: use --input frames (or set video = true under {config_table(name)})"
        )
    if limits.max_images is not None and count > limits.max_images:
        return unsupported_response(
            f"{name} accepts at most {limits.max_images} images in a request, found {count}: "
            f"send fewer, such as with --max-frames (or set most_images under {config_table(name)})"
        )
    return None


def with_video_advice(response: Response, request: Request) -> Response:
    """An error that may be about the video in the request, with advice; any other response as it is."""
    has_video = any(isinstance(media, VideoSpec) for media in request.media)
    if not has_video or response.finish is not FinishReason.ERROR or not response.sent or response.throttled:
        return response
    advice = "the request has a video as a data: URL; if the server does not accept it, use --input frames"
    return replace(response, error=f"{response.error} ({advice})")


class _RequestBody(aiohttp.Payload):
    """A body in pieces. Large ones go to the socket as they are, small ones together: joining megabytes costs more than
    sending them. The pieces are released once they are sent, as a response may take minutes."""

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
        """Writes the headers with what precedes the first image, then all the rest at once. Python's own loops would
        copy the rest, or not signal that it is too much: they get it part by part."""
        assert isinstance(writer, StreamWriter)
        first, *rest = _merge_small_pieces(self._value)
        await writer.write(first)
        if isinstance(writer.loop, asyncio.BaseEventLoop):
            for part in rest:
                await writer.write(part)
        elif rest:
            transport = writer.transport
            if transport is None or transport.is_closing():
                raise aiohttp.ClientConnectionResetError("the connection was lost during a request")
            transport.writelines(rest)
            await writer.drain()
        self.release()


def _merge_small_pieces(pieces: Sequence[bytes]) -> list[bytes]:
    """Joins neighbouring small pieces. The first part is a small one."""
    parts: list[bytes] = []
    small: list[bytes] = []
    for piece in pieces:
        if len(piece) < LARGE_PIECE_BYTES:
            small.append(piece)
        else:
            parts += (b"".join(small), piece)
            small = []
    parts.append(b"".join(small))
    return parts


def _media_prefix(media: MediaSpec) -> bytes:
    return _VIDEO_PREFIX if isinstance(media, VideoSpec) else _IMAGE_PREFIXES[media.encoding.format]
