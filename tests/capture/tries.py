"""Small sites made of strings, captured and tried out in a real browser."""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pages import Captured, Pages
from pages import capture as pages_captured

from affordance.capture.looks import Look
from affordance.capture.outcomes import capture_outcomes
from affordance.capture.sources import open_site
from affordance.datasets import ActionOutcome, Dataset, PageChange, load_folder
from patience import PATIENCE

LOOK = Look(width=640, height=480)


@dataclass(frozen=True)
class Tried:
    """The outcomes of a site: those that were kept, by action and name of the (first) element."""

    dataset: Dataset
    kept: dict[tuple[str, str], ActionOutcome]
    left_out: Counter[str]
    broken: dict[str, str]

    def change(self, action: str, name: str) -> PageChange:
        change = self.kept[action, name].change
        assert change is not None
        return change

    def sentence(self, action: str, name: str) -> str:
        return self.kept[action, name].sentence


def capture(folder: Path, pages: Pages, **options: Any) -> Captured:
    """Small pages in a window of their own size."""
    return pages_captured(folder, pages, [LOOK], **options)


def try_out(folder: Path, pages: Pages, *, allow: Sequence[str] = (), **options: Any) -> Tried:
    """Also try out what can be done, into `folder`/outcomes."""
    captured = capture(folder, pages, allow=allow)
    return try_captured(folder, captured.dataset, allow=allow, **options)


def try_captured(
    folder: Path, dataset: Dataset, into: str = "outcomes", *, allow: Sequence[str] = (), **options: Any
) -> Tried:
    site = open_site(str(folder / "site"), list(allow))
    counts = asyncio.run(capture_outcomes(dataset, site, folder / into, **options))
    outcomes = load_folder(folder / into)
    kept = {(one.action, one.steps[0].element): one for one in outcomes.items if isinstance(one, ActionOutcome)}
    return Tried(outcomes, kept, counts.left_out, counts.broken)


@dataclass
class Listening:
    """A server that answers anything, and remembers who came."""

    port: int = 0
    connections: int = 0
    paths: list[str] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def listening() -> Iterator[Listening]:
    seen = Listening()

    class Handler(BaseHTTPRequestHandler):
        def setup(self) -> None:
            seen.connections += 1
            super().setup()

        def answer(self) -> None:
            seen.paths.append(self.path)
            self.rfile.read(int(self.headers.get("content-length", 0)))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        do_GET = do_POST = do_HEAD = do_OPTIONS = answer  # noqa: N815

        def log_message(self, *_: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    seen.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.1,))
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        thread.join(PATIENCE)
        server.server_close()
