"""Engines: the same results wherever work is done, and nothing lost with a worker but its piece."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from threading import Thread
from types import ModuleType, SimpleNamespace

import engine_work as work
import pytest

from affordance.cli.main import run_command
from affordance.core.errors import AffordanceError, UserError
from affordance.datasets import Dataset, DatasetCollection
from affordance.evaluation import ray_engine as _ray
from affordance.evaluation.engines import (
    Engine,
    LocalEngine,
    ThreadEngine,
    WorkerLost,
    WorkResult,
    get_engine,
)
from affordance.evaluation.prerender import PrerenderResult, prerender_clips
from affordance.evaluation.ray_engine import RayEngine
from errors import assert_carries, raises
from patience import PATIENCE, until
from ray_cluster import AWAKE, before_others, ray_cluster

PIECES = range(12)


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """One for all tests. Its workers can import `engine_work`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(work.__file__).parent))
        with ray_cluster():
            yield


@pytest.fixture(params=["here", "local", "ray"])
def any_engine(request: pytest.FixtureRequest) -> Engine:
    return LocalEngine(0) if request.param == "here" else _engine(request)


@pytest.fixture(params=["local", "ray"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return _engine(request)


def _engine(request: pytest.FixtureRequest) -> Engine:
    if request.param == "ray":
        request.getfixturevalue("cluster")
    return get_engine(request.param, processes=2)


def test_all_results_come_each_with_its_piece(any_engine: Engine) -> None:
    found = list(any_engine.map(work.squared, PIECES))
    assert sorted((one.index, one.result()) for one in found) == [(number, number * number) for number in PIECES]
    assert list(any_engine.map(work.squared, [])) == []


def test_results_come_before_the_last_is_done(engine: Engine, tmp_path: Path) -> None:
    results = engine.map(work.held, [(tmp_path, piece) for piece in (0, work.HELD)])
    assert next(results) == WorkResult(0, 0)
    pid = _until_begun(tmp_path, work.HELD)
    results.close()
    until(lambda: _session_of(pid) is None, why=lambda: "a piece that nobody waits for goes on")


def test_errors_are_results_and_workers_use_one_thread_each(engine: Engine) -> None:
    found = {one.index: one for one in engine.map(work.strange, range(5))}
    assert [type(found[piece].error) for piece in range(3)] == [ValueError, UserError, AffordanceError]
    assert str(found[0].error) == "zero"
    assert "in strange" in "".join(getattr(found[0].error, "__notes__", []))
    assert str(found[1].error) == "items.jsonl:7: bad line"
    assert_carries(str(found[2].error), "Odd", "3 and 4")
    assert found[3].error is not None
    assert found[4].result() == (1, {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
    with raises(ValueError, "zero"):
        found[0].result()


def test_a_killed_worker_costs_only_what_it_held(engine: Engine, tmp_path: Path) -> None:
    killer = Thread(target=lambda: os.kill(_until_begun(tmp_path, work.HELD), signal.SIGKILL))
    killer.start()
    found = list(engine.map(work.held, [(tmp_path, piece) for piece in PIECES]))
    killer.join()
    assert sorted(one.result() for one in found) == list(PIECES)
    assert work.tries(tmp_path) == {piece: 2 if piece == work.HELD else 1 for piece in PIECES}


def test_a_piece_that_kills_its_workers_is_given_up(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_ray, "RETRIES", 0)  # another worker takes seconds to start there
    found = {one.index: one for one in engine.map(work.dying, [(tmp_path, piece) for piece in range(7)])}
    assert isinstance(found.pop(work.DYING).error, WorkerLost)
    assert sorted(one.result() for one in found.values()) == [0, 1, 2, 3, 4, 6]
    assert work.tries(tmp_path)[work.DYING] == (1 if isinstance(engine, RayEngine) else 4)


def test_what_cannot_be_sent_is_told_at_once(engine: Engine) -> None:
    with pytest.raises((AttributeError, TypeError)):
        next(engine.map(lambda number: number, PIECES))


@pytest.mark.parametrize("name", ["local", pytest.param("ray", marks=pytest.mark.long)])
def test_an_interrupt_leaves_no_process(name: str, tmp_path: Path) -> None:
    folder, output, errors = (tmp_path / one for one in ("begun", "output", "errors"))  # unlike pipes, never full
    folder.mkdir()
    command = [sys.executable, work.__file__, name, str(folder)]
    with output.open("w") as out, errors.open("w") as err, before_others():
        process = subprocess.Popen(command, env={**os.environ, **AWAKE}, start_new_session=True, stdout=out, stderr=err)
    try:
        worker = _until_begun(folder, 0, errors.read_text, lambda: process.poll() is None)
        assert {worker, process.pid} <= _session(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(PATIENCE) in (-signal.SIGINT, 130)
        until(lambda: not _session(process.pid), why=lambda: f"{_session(process.pid)} are left: {errors.read_text()}")
    finally:
        for pid in _session(process.pid):
            os.kill(pid, signal.SIGKILL)
        process.wait()
    printed = errors.read_text()
    assert (output.read_text(), printed.count("Traceback"), printed.splitlines()[-1]) == ("", 1, "KeyboardInterrupt")


class SlowRay(ModuleType):
    """Ray on a computer that is too slow for it: the parts of a cluster begin, and do not meet."""

    def __init__(self, reasons: list[BaseException]) -> None:
        super().__init__("ray")
        self.begun = self.ended = 0

        class Node:
            def __init__(self) -> None:
                if ray.begun < len(reasons):
                    ray.begun += 1
                    raise reasons[ray.begun - 1]

            def kill_all_processes(self, **_: bool) -> None:
                ray.ended += 1

        ray = self
        self._private = SimpleNamespace(node=SimpleNamespace(Node=Node))
        self.is_initialized = lambda: False
        self.init = lambda **_: Node()
        self.shutdown = lambda: None


def test_ray_has_several_tries_to_start_and_each_ends_what_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    ray = SlowRay([Exception("timed out")] * 2)
    monkeypatch.setitem(sys.modules, "ray", ray)
    with _ray._connect(None) as connected:
        assert connected is ray
    assert (ray.begun, ray.ended) == (2, 2)

    for reasons, begun in (([Exception("timed out")] * 9, 3), ([OSError("timed out")] * 9, 1)):
        ray = SlowRay(reasons)
        monkeypatch.setitem(sys.modules, "ray", ray)
        with raises(UserError, "timed out", "--engine local"):
            next(RayEngine().map(abs, [0]))
        assert (ray.begun, ray.ended) == (begun, begun)

    ray = SlowRay([KeyboardInterrupt()])
    monkeypatch.setitem(sys.modules, "ray", ray)
    with pytest.raises(KeyboardInterrupt):
        next(RayEngine().map(abs, [0]))
    assert (ray.begun, ray.ended) == (1, 1)


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with raises(UserError, "pip install 'affordance[ray]'"):
        next(RayEngine().map(work.squared, PIECES))


def test_a_cluster_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody listens Ray is not even asked, and a cluster of somebody else is tried once."""
    for address, begun in (("127.0.0.1:1", 0), ("nobody:here", 1)):
        ray = SlowRay([Exception("timed out")] * 9)
        monkeypatch.setitem(sys.modules, "ray", ray)
        with raises(UserError, address, "RAY_ADDRESS=local"):
            next(RayEngine(address).map(abs, [0]))
        assert (ray.begun, ray.ended) == (begun, begun)


NOBODY = """
from affordance.core.errors import UserError
from affordance.evaluation.ray_engine import RayEngine
for address in ("127.0.0.1:1", "nobody:here"):
    try:
        next(RayEngine(address).map(abs, [0]))
    except UserError as error:
        print(error)
"""


@pytest.mark.long
def test_a_cluster_that_is_not_there_is_reported_soon() -> None:
    done = subprocess.run([sys.executable, "-c", NOBODY], capture_output=True, text=True, timeout=PATIENCE, check=True)
    first, second = done.stdout.splitlines()
    assert "127.0.0.1:1" in first
    assert "nobody:here" in second


@pytest.fixture(scope="module")
def few(primitives: Dataset) -> Dataset:
    return replace(primitives, items=primitives.items[:3])


def test_clips_are_the_same_wherever_they_are_rendered(few: Dataset, cluster: None, tmp_path: Path) -> None:
    """And one that is broken is told by all."""
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(few.media_path(few.items[1].video).read_bytes()[:2000])  # type: ignore[attr-defined]
    data = replace(few, media_paths={few.items[1].video: broken})  # type: ignore[attr-defined]
    engines: dict[str, Engine | None] = {
        "default": None,
        "threads": ThreadEngine(),
        "local": LocalEngine(2),
        "ray": RayEngine(),
    }
    made = {name: _prepared(data, tmp_path / name, engine) for name, engine in engines.items()}
    first, files = made["default"]
    assert (first.clips, len(files) >= 2) == (2, True)
    for name, (found, same) in made.items():
        assert (found.clips, [type(one) for one in found.broken]) == (2, [type(first.broken[0])]), name
        assert str(found.broken[0]) == str(first.broken[0])
        assert str(found.broken[0]).startswith(str(broken))
        assert replace(found, broken=first.broken) == first
        assert same == files, name


def test_prepare_on_ray(
    few: Dataset, cluster: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AFFORDANCE_CACHE", str(tmp_path))
    monkeypatch.chdir(few.root.parent)
    printed = {}
    for name in ("local", "ray"):
        assert run_command(["data", "prepare", few.root.name, "--fps", "2", "--engine", name]) == 0
        printed[name] = capsys.readouterr().out
    assert printed["local"] == printed["ray"]
    assert_carries(printed["ray"], tmp_path / "pictures", 7)


def _prepared(data: Dataset, folder: Path, engine: Engine | None) -> tuple[PrerenderResult, dict[str, bytes]]:
    found = prerender_clips(DatasetCollection.single(data), folder, Fraction(4), engine=engine)
    return found, {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.pics")}


def _until_begun(
    folder: Path, piece: int, why: Callable[[], str] = str, going: Callable[[], bool] = lambda: True
) -> int:
    """The process that has begun it."""
    return until(lambda: work.begun(folder, piece), going=going, why=lambda: f"piece {piece} was not begun: {why()}")[0]


def _session(leader: int) -> set[int]:
    """The processes of a session: all that a program has started, however deep."""
    every = subprocess.run(["ps", "-A", "-o", "pid="], capture_output=True, text=True, check=True).stdout.split()
    return {pid for pid in map(int, every) if _session_of(pid) == leader}


def _session_of(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return None
