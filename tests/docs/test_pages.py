"""Every command and snippet of the documents and the README is carried out as it stands there, page by page."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiohttp import web

from affordance.datasets import Dataset
from doc_blocks import ROOT, pages, read_page
from doc_running import Reader
from loopback import Loopback, Seen, completion

# The first whose word is in the prompt counts; which of its replies is given depends on the prompt alone.
ANSWERS = (
    ("More effective:", ["More effective: First", "More effective: Second"]),
    ("Box:", ["Box: [100, 100, 200, 150]", "Box: [400, 300, 600, 420]"]),
    ('"score"', ['{"score": 3, "reason": "the same gist"}', '{"score": 1, "reason": "the same topic"}']),
    ("\nB. ", ["A", "B"]),
)


async def answers(seen: Seen, _: web.Request) -> web.StreamResponse:
    chosen = int(hashlib.sha256(seen.text.encode()).hexdigest(), 16)
    for word, replies in ANSWERS:
        if word in seen.text:
            return completion(replies[chosen % len(replies)])
    return completion("Something opens when it is pressed.")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with Loopback(answers) as found:
        yield found.url.removeprefix("http://").removesuffix("/v1")


@pytest.fixture
def reader(tmp_path: Path, shared: Path, primitives: Dataset, server: str, monkeypatch: pytest.MonkeyPatch) -> Reader:
    for name in list(os.environ):
        if name.endswith("_API_KEY") or (name.startswith("AFFORDANCE_") and name != "AFFORDANCE_BROWSER"):
            monkeypatch.delenv(name)
    for name, value in {"COLUMNS": "100", "NO_COLOR": "1", "AFFORDANCE_CACHE": str(shared / "cache")}.items():
        monkeypatch.setenv(name, value)
    return Reader(tmp_path, server, monkeypatch)


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_it_says_works(path: Path, reader: Reader) -> None:
    reader.follow(read_page(path))
