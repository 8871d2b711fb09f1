"""The model of the recorded author project: a server on one fixed port, since base URLs are part of request keys.

What it answers depends on the body of the request only, so that a stage which was interrupted when the data was
recorded can be resumed later."""

import base64
import errno
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from author_world import answer
from patience import PATIENCE, until

PORT = 18426
MODEL = f"openai:m@http://127.0.0.1:{PORT}/v1"


class AuthorServer:
    """`with AuthorServer() as server:` serves until the block ends."""

    def __init__(self, most_answers: int | None = None) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.answered = 0
        self._most = most_answers  # requests beyond that wait until the server ends
        self._lock = threading.Lock()
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        self._server = until(self._bound)  # another process may still hold the port
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE)

    def reply_to(self, body: dict[str, Any]) -> dict[str, Any] | None:
        """None where no more requests are answered."""
        with self._lock:
            self.bodies.append(body)
            held = self._most is not None and self.answered >= self._most
            self.answered += not held
        if held:
            self._ended.wait(PATIENCE)
            return None
        parts = body["messages"][0]["content"]
        text = "".join(part["text"] for part in parts if part["type"] == "text")
        urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        said = answer(text, [base64.b64decode(url.partition(",")[2]) for url in urls])
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        return {"model": "served-model", "choices": [choice], "usage": usage}

    def _bound(self) -> ThreadingHTTPServer | None:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                found = server.reply_to(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                if found is None:
                    self.close_connection = True
                    return
                content = json.dumps(found).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                pass

        try:
            bound = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            return None
        bound.daemon_threads = True
        bound.block_on_close = False
        return bound
