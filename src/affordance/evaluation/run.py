"""Runs and estimates: the entry points of evaluation."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from affordance.core.errors import IncompleteError, LedgerError
from affordance.core.model_name import ModelName
from affordance.core.requests import Response
from affordance.datasets import DatasetCollection
from affordance.evaluation.dialect_calibration import CALIBRATED, calibrated_dialects
from affordance.evaluation.estimate import CostEstimate, estimate_plan
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.executor import execute_plan
from affordance.evaluation.model_set import ModelSet
from affordance.evaluation.plan import Plan, build_plan, choose_run, with_rules_of_stored_run
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run_config import RunConfig
from affordance.evaluation.study_runs import STUDY_PROVIDER, load_study_answers, redact_withdrawn, study_run_name
from affordance.evaluation.unsaved_responses import import_unsaved
from affordance.ledger import Ledger, RunRecord, open_ledger
from affordance.media import RenderCache
from affordance.media.loader import ThreadedMediaLoader
from affordance.models.providers import without_keys


@dataclass(frozen=True, slots=True)
class RunRequest:
    config: RunConfig
    data: DatasetCollection
    models: tuple[ModelName, ...]
    ledger: str
    render_cache: Path  # folder of the render cache
    name: str | None = None
    fresh: bool = False
    execution: ExecutionConfig = field(default_factory=ExecutionConfig)


def execute_run(
    request: RunRequest, on_progress: Callable[[RunProgress], None] = lambda _: None
) -> tuple[RunRecord, RunProgress]:
    """Begin or resume a run, and execute what is left of it."""
    with _build_models(request) as (plan, models):
        ledger = open_ledger(request.ledger, retry_seconds=request.execution.ledger_timeout)
        progress = None
        try:
            import_unsaved(ledger)
            run = ledger.begin_run(_choose_run(request, plan, ledger))
            progress = execute_plan(models, ledger, run, on_progress)
        finally:
            # A record that could not be written was reported where it was waited for.
            with suppress(LedgerError) if progress is None or progress.stop_reason else nullcontext():
                try:
                    ledger.close()
                finally:
                    redact_withdrawn(request.ledger, models.models)
        return run, progress


@contextmanager
def open_run_ledger(progress: RunProgress, ledger_address: str) -> Iterator[Ledger]:
    """The ledger of an executed run, for reading. Raises `IncompleteError` if it cannot be read any more: why the run
    ended early, and where its unsaved responses are."""
    try:
        with open_ledger(ledger_address, read_only=True) as ledger:
            yield ledger
    except LedgerError:
        if not progress.stop_reason:
            raise
        raise IncompleteError(f"{progress.stop_reason}; run the same command again to resume") from None


def estimate_run(request: RunRequest) -> list[CostEstimate]:
    """What is left to send, and its cost at most. Needs no keys, and writes nothing."""
    execution = request.execution.replace(providers=without_keys(request.execution.providers), key_env={})
    with _build_models(replace(request, execution=execution), offline=True) as (plan, models):
        if not _ledger_exists(request.ledger):
            return estimate_plan(models, choose_run({}, plan, request.name, request.fresh), {}, lambda key: None)
        with open_ledger(request.ledger, read_only=True) as ledger:
            run = _choose_run(request, plan, ledger)
            find = _response_finder(ledger, run.id if run.fresh else None)
            return estimate_plan(models, run, ledger.statuses(run.id), find)


def _response_finder(ledger: Ledger, fresh_run: str | None) -> Callable[[str], Response | None]:
    """The stored response by request key. A ledger of an earlier version, which cannot be migrated when it is only
    read, has no index of keys: there all keys are read."""
    known = None if ledger.finds_responses_by_key else ledger.reusable_response_ids(fresh_run=fresh_run)

    def find(key: str) -> Response | None:
        found = ledger.response_ids_by_key([key], fresh_run=fresh_run) if known is None else known
        return ledger.get_response(found[key]) if key in found else None

    return find


@contextmanager
def _build_models(request: RunRequest, *, offline: bool = False) -> Iterator[tuple[Plan, ModelSet]]:
    plan = build_plan(request.config, request.data)
    if not request.fresh:
        plan = with_rules_of_stored_run(plan, _stored_runs(request.ledger), request.name)
    is_calibrated = request.config.dialect == CALIBRATED
    has_study = any(name.provider == STUDY_PROVIDER for name in request.models)
    loader = ThreadedMediaLoader(RenderCache(request.render_cache, plan.source_files()))
    try:
        models = ModelSet(
            plan,
            request.models,
            loader,
            request.execution,
            calibrated=calibrated_dialects(request.ledger) if is_calibrated else str,
            study_answers=partial(load_study_answers, request.ledger, plan) if has_study else None,
            offline=offline,
        )
        yield plan, models
    finally:
        loader.close()


def _choose_run(request: RunRequest, plan: Plan, ledger: Ledger) -> RunRecord:
    known = {run.name: run for run in ledger.runs()}
    usual = None if request.fresh else study_run_name(request.models, plan, known)
    return choose_run(known, plan, request.name or usual, request.fresh)


def _stored_runs(ledger_address: str) -> dict[str, RunRecord]:
    """The runs of a ledger by name; none if it cannot be read, which is raised when it is opened for writing."""
    if not _ledger_exists(ledger_address):
        return {}
    with suppress(LedgerError), open_ledger(ledger_address, read_only=True) as ledger:
        return {run.name: run for run in ledger.runs()}
    return {}


def _ledger_exists(ledger: str) -> bool:
    return "://" in ledger or Path(ledger).exists()
