"""The chat-completions server that answered the recorded runs of version 1.

A response depends on the body of its request and on nothing else, so that a run that is resumed today gets the
responses that it would have got then. The address is part of request keys: the port is fixed.
"""

import base64
import hashlib
import json
import re
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

PORT = 18425
BASE_URL = f"http://127.0.0.1:{PORT}/v1"
SECONDS_TO_BIND = 120.0  # another test process may hold the port
SCREEN = (480, 320)  # pixels of every screen in the recorded datasets
DOWNSCALE = 1568  # the model `ruler` counts in pixels of the image shrunk to this

Response = tuple[int, dict[str, Any]]


@dataclass
class RecordedServer:
    """`with RecordedServer() as server:` answers at `BASE_URL`. `requests` holds the bodies in the order of arrival.
    After `most_answers` responses, requests wait until the server is closed."""

    most_answers: int | None = None
    requests: list[dict[str, Any]] = field(default_factory=list)
    answered: int = 0

    def __enter__(self) -> Self:
        self._lock, self._closed = threading.Lock(), threading.Event()
        self._server = _bind(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, body: dict[str, Any]) -> Response | None:
        """The response; None where it is held back until the end."""
        with self._lock:
            self.requests.append(body)
            held_back = self.most_answers is not None and self.answered >= self.most_answers
            self.answered += not held_back
        if held_back:
            self._closed.wait()
            return None
        return respond(body)


def _bind(recorded: RecordedServer) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            found = recorded.answer(body)
            if found is None:
                self.close_connection = True
                return
            status, document = found
            content = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        allow_reuse_address = True  # connections of an earlier server may be in TIME_WAIT

        def handle_error(self, *_: object) -> None:
            """A client that was killed closes its connections."""

    deadline = time.monotonic() + SECONDS_TO_BIND
    while True:
        try:
            return Server(("127.0.0.1", PORT), Handler)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def respond(body: dict[str, Any]) -> Response:
    model, text = str(body["model"]), _text(body)
    seen = model + _fingerprint(body)
    if model.startswith("moody") and (trouble := _trouble(model, seen + text)) is not None:
        return trouble
    said = _box_seen(body) if model == "ruler" and "blue" in text.lower() else _answer(seen, text)
    message: dict[str, Any] = {"role": "assistant", "content": said}
    usage: dict[str, Any] = {"prompt_tokens": 50 + len(text) // 4, "completion_tokens": 1 + len(said) // 4}
    if model == "thinker":
        message |= {"reasoning_content": "First it looks at both.", "content": f"<think>Is it A?</think>\n{said}"}
        usage["completion_tokens_details"] = {"reasoning_tokens": 7}
    return _completion(model, message, "stop", usage)


def _completion(model: str, message: dict[str, Any], finish: str, usage: dict[str, Any]) -> Response:
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return 200, {"model": f"served-{model}", "choices": [choice], "usage": usage}


def _trouble(model: str, text: str) -> Response | None:
    """Every way in which an attempt can end without an answer."""
    usage = {"prompt_tokens": 60, "completion_tokens": 5}
    match number(text) % 8:
        case 0:
            return _completion(model, {"role": "assistant", "content": ""}, "content_filter", usage)
        case 1:
            return _completion(model, {"role": "assistant", "content": "Both are lovely."}, "stop", usage)
        case 2:
            return _completion(model, {"role": "assistant", "content": "Let me look closely at"}, "length", usage)
        case 3:
            return 400, {"error": {"message": "this request is not for me", "code": "bad_request"}}
        case 4:
            return 400, {"error": {"message": "At most 1 image(s) may be provided in one prompt."}}
        case _:
            return None


def number(*texts: str) -> int:
    """The same for the same texts."""
    return int(hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12], 16)


def _text(body: dict[str, Any]) -> str:
    found = []
    for message in body["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        found += [part["text"] for part in parts if part["type"] == "text"]
    return "\n".join(found)


def _fingerprint(body: dict[str, Any]) -> str:
    """Of two images, their pixels: questions about two designs are in the same words for every pair."""
    urls = _images(body)
    return "".join(hashlib.sha256(_pixels(url).tobytes()).hexdigest()[:8] for url in urls) if len(urls) == 2 else ""


def _images(body: dict[str, Any]) -> list[str]:
    parts = [part for message in body["messages"] for part in message["content"] if isinstance(part, dict)]
    return [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]


def _pixels(url: str) -> NDArray[np.uint8]:
    content = np.frombuffer(base64.b64decode(url.partition(",")[2]), np.uint8)
    return np.asarray(cv2.imdecode(content, cv2.IMREAD_COLOR), np.uint8)


def _answer(model: str, text: str) -> str:
    if match := re.search(r"Statement 1:\n(.*)\n\nStatement 2:\n(.*)\n\nFind out", text, re.DOTALL):
        return "Yes" if contains(match[1], match[2]) != (number("errs", match[1], match[2]) % 5 == 0) else "No"
    if match := re.search(r"Text A: (.*)\nText B: (.*)", text):
        return json.dumps({"score": number(*sorted(match.groups())) % 6, "reason": "They share some words."})
    if match := re.search(r"What they wrote:\n(.*)", text, re.DOTALL):
        return f"In short: {match[1].splitlines()[0].strip('- ')}"
    if match := re.search(r"More effective: <(\w+)/(\w+)>", text):
        chosen = match[1 + number(model, text) % 2]
        return f"The button is larger and there are fewer choices.\nMore effective: {chosen}"
    if "Options:" in text:
        return _choice(model, text)
    if re.search(r"bounding box|\(x, y\)|bbox|[Cc]oordinates", text):
        return _location(model, text)
    return f"The {('button', 'heading', 'menu', 'form')[number(model, text) % 4]} is easier to see, part {_tag(text)}."


def contains(explanation: str, rationale: str) -> bool:
    """What people say of an explanation and a rationale."""
    return number("contains", explanation, rationale) % 3 > 0


def _tag(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]


def _choice(model: str, text: str) -> str:
    letters = re.findall(r"^([A-Z])[.):] ", text.rpartition("Options:")[2], re.MULTILINE)
    place = number(model, text) % len(letters)
    if "all options that apply" in text:
        return ", ".join(sorted({letters[place], letters[-1]}))
    if '{"answer"' in text:
        return json.dumps({"answer": letters[place]})
    return f"{letters[place]}\nIt looks like that."


def _location(model: str, text: str) -> str:
    """The control that the text names, or its neighbour; in the coordinates that the text asks for."""
    named = re.findall(r"\b([btl])([0-3])\b", text)
    kind, index = named[-1] if named else ("b", "0")
    place = (int(index) + (number(model, text) % 3 == 0)) % 4
    x, y, width, height = {"b": (52, 20, 40, 40), "t": (72, 120, 60, 24), "l": (92, 220, 80, 16)}[kind]
    box = (20 + place * x, y, 20 + place * x + width, y + height)
    if model == "ruler":
        return f"Box: [{', '.join(map(str, box))}]"
    scale = (1.0, 1.0) if "absolute pixels" in text else (1000 / SCREEN[0], 1000 / SCREEN[1])
    x1, y1, x2, y2 = (round(edge * scale[side % 2]) for side, edge in enumerate(box))
    if "[ymin, xmin" in text:
        return json.dumps([{"box_2d": [y1, x1, y2, x2], "label": "target"}])
    if "(x, y)" in text:
        return f"({(x1 + x2) // 2}, {(y1 + y2) // 2})"
    return f"Box: [{x1}, {y1}, {x2}, {y2}]"


def _box_seen(body: dict[str, Any]) -> str:
    """Where the blue rectangle of a calibration image is, in pixels of the shrunk image."""
    image = _pixels(_images(body)[0])
    rows, columns = np.nonzero(cv2.subtract(image[:, :, 0], image[:, :, 2]) > 100)
    scale = min(1.0, DOWNSCALE / max(image.shape[:2]))
    edges = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    return f"Box: [{', '.join(str(round(int(edge) * scale)) for edge in edges)}]"
