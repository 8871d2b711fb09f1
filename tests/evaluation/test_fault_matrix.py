"""Every kind of fault, for a task of each suite: a first run, and the same command once the server is healthy."""

from collections import Counter
from collections.abc import Mapping
from contextlib import redirect_stderr
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from aiohttp import web
from fault_table import FAULTS, PARAMETERS, Fault, healthy

from affordance.cli.run import report_run_problems
from affordance.core.attempts import AttemptStatus
from affordance.core.model_name import ModelName
from affordance.datasets import Dataset, DatasetCollection
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.tasks.registry import resolve_tasks
from behavior_data import pair, write_pairs
from cases import case
from function_data import captured_screen, pixel, plain_outcomes, target, write_captured
from loopback import Loopback, Seen
from patience import PATIENCE

# Two tries, whatever the fault: the wait before a third is longer than a request may be throttled.
WAIT = 0.01
SHORT = RetryPolicy(max_tries=2, first_wait=WAIT, max_wait=WAIT * 2, rate_limit_timeout=WAIT * 1.2, outage_timeout=0.0)
TASKS = ("motion/effect", "behavior/choice", "function/ground-element")


@pytest.fixture(params=TASKS)
def task(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def data_of(task: str, clips: Dataset, folder: Path) -> DatasetCollection:
    match task:
        case "motion/effect":
            return DatasetCollection.single(clips)
        case "behavior/choice":
            return write_pairs(folder / "data", pair("a"))
        case _:
            page = captured_screen().model_copy(update={"targets": [target("mine", box=pixel(20, 20, 60, 60))]})
            return write_captured(folder / "data", [page], plain_outcomes(page))


class Faulty(Loopback):
    """Each model name has its own fault, until the server `is_healthy`."""

    def __init__(self) -> None:
        super().__init__(self._serve)
        self.is_healthy = False

    async def _serve(self, seen: Seen, request: web.Request) -> web.StreamResponse:
        serve = healthy if self.is_healthy else FAULTS[seen.body["model"]].serve
        return await serve(seen, request)

    def asked(self) -> Counter[str]:
        """Requests by model, once all have arrived."""
        self.settle()
        return Counter(one.body["model"] for one in self.seen)


def request_of(
    task: str, data: DatasetCollection, faults: Mapping[str, Fault], url: str, folder: Path, **means: float
) -> RunRequest:
    return RunRequest(
        config=RunConfig(tasks=tuple(resolve_tasks([task])), trials=1, limit=1, parameters=PARAMETERS),
        data=data,
        models=tuple(ModelName.parse(f"openai:{name}@{url}") for name in faults),
        ledger=str(folder / "ledger.db"),
        render_cache=folder / "pictures",
        execution=ExecutionConfig(retry=SHORT, **{"concurrency": 1, **means}),  # type: ignore[arg-type]
    )


def carried_out(request: RunRequest) -> tuple[dict[str, list[AttemptStatus]], int]:
    """How the attempts at each model have ended, by the name that the server sees; and the exit code."""
    run, progress = execute_run(request)
    with redirect_stderr(StringIO()):
        code = report_run_problems(request, progress)
    found: dict[str, list[AttemptStatus]] = {}
    with open_ledger(request.ledger, read_only=True) as ledger:
        for one in ledger.attempt_results(run.id):
            assert one.verdict is not None
            found.setdefault(ModelName.parse(one.model).model, []).append(one.verdict.status)
            assert bool(one.verdict.reason) == (one.verdict.status is not AttemptStatus.ANSWERED), one
    return found, code


def check(
    task: str,
    data: DatasetCollection,
    faults: Mapping[str, Fault],
    server: Faulty,
    folder: Path,
    timeout: float = PATIENCE,
) -> None:
    request = request_of(task, data, faults, server.url, folder, timeout=timeout)
    before = server.asked()
    server.is_healthy = False
    ended, code = carried_out(request)
    asked = server.asked()
    server.is_healthy = True
    again, code_again = carried_out(replace(request, execution=request.execution.replace(timeout=PATIENCE)))
    asked_again = server.asked()
    for name, fault in faults.items():
        expected, attempts = fault.expected, len(ended[name])
        with case(name):
            assert ended[name] == [expected.ended] * attempts
            assert again[name] == [expected.again] * attempts
            number = attempts + expected.requests - 1 if fault.is_shared else attempts * expected.requests
            assert asked[name] - before[name] == number
            assert asked_again[name] - asked[name] == attempts * expected.again_requests
    assert code == max(fault.expected.exit for fault in faults.values())
    assert code_again == max(fault.expected.again_exit for fault in faults.values())


def test_there_are_enough_kinds() -> None:
    assert len(FAULTS) >= 70


def test_every_fault_in_one_run(task: str, clips: Dataset, tmp_path: Path) -> None:
    quick = {name: fault for name, fault in FAULTS.items() if not fault.is_slow}
    with Faulty() as server:
        check(task, data_of(task, clips, tmp_path), quick, server, tmp_path)


def test_every_fault_that_takes_time(task: str, clips: Dataset, tmp_path: Path) -> None:
    slow = {name: fault for name, fault in FAULTS.items() if fault.is_slow}
    with Faulty() as server:
        check(task, data_of(task, clips, tmp_path), slow, server, tmp_path, timeout=0.3)


@pytest.mark.long
def test_every_fault_in_a_run_of_its_own(task: str, clips: Dataset, tmp_path: Path) -> None:
    """With the exit code of each."""
    data = data_of(task, clips, tmp_path)
    with Faulty() as server:
        for name, fault in FAULTS.items():
            folder = tmp_path / name
            folder.mkdir()
            check(task, data, {name: fault}, server, folder, 0.3 if fault.is_slow else PATIENCE)
