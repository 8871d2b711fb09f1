"""From pictures to a benchmark, with a model that answers by the spec: here and on Ray with Postgres, where a worker is
killed on the way (which is long). The same project gives the same bytes."""

import hashlib
import json
import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from affordance.author.project import open_project
from affordance.cli.main import run_command
from affordance.media import encode_image
from author_world import author_model
from loopback import Loopback
from patience import PATIENCE, until
from ray_cluster import ray_cluster

STAGES = ("elements", "divide", "classify", "reannotate", "group", "ask")
ASKING = ("divide", "classify", "reannotate", "group", "ask")


def page(seed: int) -> bytes:
    """A drawn screen: a bar, a side bar, and rows of cards with buttons that look alike."""
    generator = np.random.default_rng(seed)
    drawn = np.full((480, 640, 3), 248, np.uint8)
    drawn[:44] = generator.integers(20, 90, 3)
    drawn[44:, :120] = generator.integers(200, 235, 3)
    for row in range(3):
        for column in range(3):
            x, y = 140 + column * 165, 60 + row * 135
            drawn[y : y + 120, x : x + 150] = 255
            drawn[y : y + 120, x : x + 2] = drawn[y : y + 2, x : x + 150] = 180
            drawn[y + 85 : y + 108, x + 60 : x + 140] = (30, 100, 190)
            drawn[y + 94 : y + 98, x + 75 : x + 125] = 255
            drawn[y + 12 : y + 18, x + 12 : x + 60 + int(generator.integers(0, 60))] = 60
    return encode_image(drawn)


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where all tests work, with a cache of their own."""
    where = tmp_path_factory.mktemp("pipeline")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AFFORDANCE_CACHE", str(where / "cache"))
        patch.chdir(where)
        yield where


@pytest.fixture(scope="module")
def pictures(folder: Path) -> Path:
    where = folder / "pictures"
    where.mkdir()
    for seed in (0, 4):
        (where / f"page-{seed}.png").write_bytes(page(seed))
    return where


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with Loopback(author_model()) as serving:
        yield serving


@dataclass(frozen=True, slots=True)
class Made:
    project: Path
    asked: int


@pytest.fixture(scope="module")
def made(folder: Path, pictures: Path, server: Loopback) -> Made:
    """A project with all stages done in this process. Tests leave its documents as they are."""
    make(folder / "here", pictures, server.url)
    return Made(folder / "here", len(server.seen))


def author(*arguments: object) -> int:
    return run_command(["author", *map(str, arguments)])


def make(project: Path, pictures: Path, url: str, *more: str, db: tuple[str, ...] = ()) -> None:
    """All stages, from pictures to questions."""
    model = f"openai:m@{url}"
    assert author("init", project, pictures, "--name", "pages", *db) == 0
    assert author("select", project, *db) == 0
    for stage in STAGES:
        asking = ("--model", model, "--quiet") if stage in ASKING else ("--quiet",)
        own = {"divide": ("--depth", "2"), "reannotate": ("--all",), "ask": ("--checker", model)}.get(stage, ())
        assert author(stage, project, *db, *asking, *own, *more) == 0


def content(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_pictures_become_a_benchmark(
    made: Made, pictures: Path, server: Loopback, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = len(server.seen)
    make(made.project, pictures, server.url)
    assert len(server.seen) == asked  # the whole once more: nothing to do
    assert author("export", made.project, "-o", tmp_path / "out") == 0
    assert run_command(["data", "check", str(tmp_path / "out" / "screens")]) == 0
    assert run_command(["data", "check", str(tmp_path / "out" / "choices")]) == 0
    capsys.readouterr()
    ledger = ["--ledger", str(tmp_path / "runs.db")]
    data = ["--data", str(tmp_path / "out"), *ledger, "--quiet"]
    assert run_command(["run", "function", *data, "--model", "oracle"]) == 0
    capsys.readouterr()
    assert run_command(["report", *ledger, "--format", "json"]) == 0
    rows = {row["task"]: row["metrics"]["accuracy"] for row in json.loads(capsys.readouterr().out)}
    tasks = ("ground-element", "ground-region", "outcome-element", "outcome-region")
    assert rows == {f"function/{task}": 1.0 for task in tasks}
    assert author("status", made.project) == 0
    assert author("cost", made.project) == 0
    goes_round(made.project, tmp_path)


def goes_round(project: Path, tmp_path: Path) -> None:
    """The published layout comes back as the same bytes, and one's own export changes nothing of the project."""
    assert author("export", project, "-o", tmp_path / "cache-1", "--format", "cache") == 0
    assert author("import", tmp_path / "again", tmp_path / "cache-1") == 0
    assert author("export", tmp_path / "again", "-o", tmp_path / "cache-2", "--format", "cache") == 0
    assert content(tmp_path / "cache-2") == content(tmp_path / "cache-1")
    with open_project(project, read_only=True) as opened:
        before = opened.ledger.documents.latest()
    assert author("import", project, tmp_path / "out") == 0
    with open_project(project, read_only=True) as opened:
        assert opened.ledger.documents.latest() == before


@pytest.mark.long
def test_ray_gives_the_same_bytes_though_a_worker_is_killed(
    made: Made, pictures: Path, server: Loopback, tmp_path: Path, postgres_url: str
) -> None:
    killed: list[int] = []
    before = len(server.seen)
    server.most_answers = server.answered.total() + 12

    def kill_one() -> None:
        """Of the processes that wait for answers, as there are no more until then."""
        until(lambda: server.answered.total() >= server.most_answers)
        killed.append(until(lambda: _workers(server.url))[0])
        os.kill(killed[0], signal.SIGKILL)
        server.go_on()

    watcher = threading.Thread(target=kill_one, daemon=True)
    watcher.start()
    with ray_cluster():
        make(tmp_path / "there", pictures, server.url, "--engine", "ray", db=("--db", postgres_url))
    watcher.join(PATIENCE)
    assert killed
    # What the killed worker had out, at most, was asked once more.
    assert made.asked <= len(server.seen) - before <= made.asked + 32
    assert author("export", made.project, "-o", tmp_path / "out-here") == 0
    assert author("export", tmp_path / "there", "-o", tmp_path / "out-there", "--db", postgres_url) == 0
    assert content(tmp_path / "out-there") == content(tmp_path / "out-here")


def _workers(url: str) -> list[int]:
    """Processes other than this one with a connection to the server, as the kernel lists them."""
    port = int(url.rpartition(":")[2].partition("/")[0])
    inodes = set()
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if int(fields[2].rpartition(":")[2], 16) == port:
            inodes.add(f"socket:[{fields[9]}]")
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        if int(folder.name) == os.getpid():
            continue
        try:
            links = {str(one.readlink()) for one in (folder / "fd").iterdir()}
        except OSError:
            continue
        if links & inodes:
            found.append(int(folder.name))
    return found
