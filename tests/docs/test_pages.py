"""Every command and snippet of the documents can be run: all are parsed, those of the first pages are carried out as
they are printed, and `make test-all` carries out all."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from affordance.datasets import Dataset
from cases import case
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
            return completion(replies[chosen % len(replies)], served_as=seen.body["model"])
    return completion("Something opens when it is pressed.", served_as=seen.body["model"])


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


FIRST = ("README.md", "docs/index.md")  # where people begin


def named(paths: Iterable[Path]) -> list[Any]:
    return [pytest.param(path, id=path.relative_to(ROOT).as_posix()) for path in paths]


@pytest.mark.parametrize("path", named(ROOT / name for name in FIRST))
def test_what_the_first_pages_say_works(path: Path, reader: Reader) -> None:
    reader.follow(read_page(path))


@pytest.mark.long
@pytest.mark.parametrize("path", named(path for path in pages() if path.relative_to(ROOT).as_posix() not in FIRST))
def test_what_a_page_says_works(path: Path, reader: Reader) -> None:
    reader.follow(read_page(path))


def test_commands_options_and_settings_of_every_page_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without running them; blocks of TOML, JSON, CSV and Python are parsed, too."""
    found = [read_page(path) for path in pages()]
    assert sum(len(page.blocks) for page in found) > 100
    for number, page in enumerate(found):
        folder = tmp_path / str(number)
        folder.mkdir()
        with case(page.name):
            Reader(folder, "127.0.0.1:9", monkeypatch, runs=False).follow(page)
