"""One sitting of a run: from a request to verdicts in a ledger, or to an estimate of what that would take."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from affordance.core.errors import IncompleteError, LedgerError
from affordance.core.model_name import ModelName
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
    render_cache: Path  # the folder of the picture cache
    name: str | None = None
    fresh: bool = False
    execution: ExecutionConfig = field(default_factory=ExecutionConfig)


def execute_run(
    request: RunRequest, on_progress: Callable[[RunProgress], None] = lambda _: None
) -> tuple[RunRecord, RunProgress]:
    """Begin or resume the run, and carry out what is left of it."""
    with _build_models(request) as (job, cast):
        ledger = open_ledger(request.ledger, retry_seconds=request.execution.ledger_timeout)
        progress = None
        try:
            import_unsaved(ledger)
            run = ledger.begin_run(_choose_run(request, job, ledger))
            progress = execute_plan(cast, ledger, run, on_progress)
        finally:
            # Whoever waited for a record that could not be written was told already.
            with suppress(LedgerError) if progress is None or progress.stop_reason else nullcontext():
                try:
                    ledger.close()
                finally:
                    redact_withdrawn(request.ledger, cast.models)
        return run, progress


@contextmanager
def open_run_ledger(progress: RunProgress, ledger_address: str) -> Iterator[Ledger]:
    """The ledger of a run that was carried out, for reading. Raises `IncompleteError`, which says why the run ended
    early and where its unsaved replies are, if the ledger cannot be read any more."""
    try:
        with open_ledger(ledger_address, read_only=True) as ledger:
            yield ledger
    except LedgerError:
        if not progress.stop_reason:
            raise
        raise IncompleteError(f"{progress.stop_reason}; run the same command again to go on") from None


def estimate_run(request: RunRequest) -> list[CostEstimate]:
    """What is left to ask, and what it would cost. Needs no keys, and writes nothing."""
    means = replace(
        request.execution, providers=without_keys(request.execution.providers), sends_requests=False, key_env={}
    )
    with _build_models(replace(request, execution=means)) as (job, cast):
        if not _ledger_exists(request.ledger):
            return estimate_plan(cast, choose_run({}, job, request.name, request.fresh), {}, lambda key: None)
        with open_ledger(request.ledger, read_only=True) as ledger:
            run = _choose_run(request, job, ledger)
            cached = ledger.reusable_response_ids(fresh_run=run.id if run.fresh else None)
            ended = ledger.statuses(run.id)
            return estimate_plan(
                cast, run, ended, lambda key: ledger.get_response(cached[key]) if key in cached else None
            )


@contextmanager
def _build_models(request: RunRequest) -> Iterator[tuple[Plan, ModelSet]]:
    job = build_plan(request.config, request.data)
    if not request.fresh:
        job = with_rules_of_stored_run(job, _stored_runs(request.ledger), request.name)
    means = request.execution
    if request.config.dialect == CALIBRATED:
        means = replace(means, calibrated_dialect=calibrated_dialects(request.ledger))
    if any(name.provider == STUDY_PROVIDER for name in request.models):
        means = replace(means, study_answers=partial(load_study_answers, request.ledger, job))
    gallery = ThreadedMediaLoader(RenderCache(request.render_cache, job.source_files()))
    try:
        yield job, ModelSet(job, request.models, gallery, means)
    finally:
        gallery.close()


def _choose_run(request: RunRequest, plan: Plan, ledger: Ledger) -> RunRecord:
    known = {run.name: run for run in ledger.runs()}
    usual = None if request.fresh else study_run_name(request.models, plan, known)
    return choose_run(known, plan, request.name or usual, request.fresh)


def _stored_runs(ledger_address: str) -> dict[str, RunRecord]:
    """The runs of a ledger by name; none where it cannot be read, which is raised when it is opened to be written."""
    if not _ledger_exists(ledger_address):
        return {}
    with suppress(LedgerError), open_ledger(ledger_address, read_only=True) as ledger:
        return {run.name: run for run in ledger.runs()}
    return {}


def _ledger_exists(ledger: str) -> bool:
    return "://" in ledger or Path(ledger).exists()
