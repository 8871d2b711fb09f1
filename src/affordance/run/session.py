"""One sitting of a run: from a request to verdicts in a ledger, or to an estimate of what that would take."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from affordance.core.errors import IncompleteError, LedgerError
from affordance.core.names import ModelName
from affordance.datasets import Collection
from affordance.ledger import Ledger, Run, open_ledger
from affordance.media import Darkroom
from affordance.models.providers import without_keys
from affordance.run.estimate import Estimate, estimate
from affordance.run.execute import Cast, Means, execute
from affordance.run.gallery import RenderedGallery
from affordance.run.job import Job, by_rules_of_stored_run, choose_run, make_job
from affordance.run.people import PROVIDER, erase_withdrawn, name_of_run, people_of
from affordance.run.profiles import CALIBRATED, calibrated
from affordance.run.progress import Progress
from affordance.run.rescue import bring_in
from affordance.run.settings import Settings


@dataclass(frozen=True, slots=True)
class Request:
    settings: Settings
    data: Collection
    models: tuple[ModelName, ...]
    ledger: str
    pictures: Path  # the folder of the picture cache
    name: str | None = None
    fresh: bool = False
    means: Means = field(default_factory=Means)


def perform(request: Request, watch: Callable[[Progress], None] = lambda _: None) -> tuple[Run, Progress]:
    """Begin or resume the run, and carry out what is left of it."""
    with _cast(request) as (job, cast):
        ledger = open_ledger(request.ledger, patience=request.means.ledger_patience)
        progress = None
        try:
            bring_in(ledger)
            run = ledger.begin_run(_choose(request, job, ledger))
            progress = execute(cast, ledger, run, watch)
        finally:
            # Whoever waited for a record that could not be written was told already.
            with suppress(LedgerError) if progress is None or progress.interrupted else nullcontext():
                try:
                    ledger.close()
                finally:
                    erase_withdrawn(request.ledger, cast.models)
        return run, progress


@contextmanager
def open_after(progress: Progress, where: str) -> Iterator[Ledger]:
    """The ledger of a run that was carried out, for reading. Raises `IncompleteError`, which says why the run ended
    early and where its unsaved replies are, if the ledger cannot be read any more."""
    try:
        with open_ledger(where, read_only=True) as ledger:
            yield ledger
    except LedgerError:
        if not progress.interrupted:
            raise
        raise IncompleteError(f"{progress.interrupted}; run the same command again to go on") from None


def foresee(request: Request) -> list[Estimate]:
    """What is left to ask, and what it would cost. Needs no keys, and writes nothing."""
    means = replace(request.means, providers=without_keys(request.means.providers), asks=False, key_env={})
    with _cast(replace(request, means=means)) as (job, cast):
        if not _exists(request.ledger):
            return estimate(cast, choose_run({}, job, request.name, request.fresh), {}, lambda key: None)
        with open_ledger(request.ledger, read_only=True) as ledger:
            run = _choose(request, job, ledger)
            cached = ledger.cached(fresh_run=run.id if run.fresh else None)
            ended = ledger.ended(run.id)
            return estimate(cast, run, ended, lambda key: ledger.reply(cached[key]) if key in cached else None)


@contextmanager
def _cast(request: Request) -> Iterator[tuple[Job, Cast]]:
    job = make_job(request.settings, request.data)
    if not request.fresh:
        job = by_rules_of_stored_run(job, _known(request.ledger), request.name)
    means = request.means
    if request.settings.dialect == CALIBRATED:
        means = replace(means, calibrated=calibrated(request.ledger))
    if any(name.provider == PROVIDER for name in request.models):
        means = replace(means, people=partial(people_of, request.ledger, job))
    gallery = RenderedGallery(Darkroom(request.pictures, job.files()))
    try:
        yield job, Cast(job, request.models, gallery, means)
    finally:
        gallery.close()


def _choose(request: Request, job: Job, ledger: Ledger) -> Run:
    known = {run.name: run for run in ledger.stored_runs()}
    usual = None if request.fresh else name_of_run(request.models, job, known)
    return choose_run(known, job, request.name or usual, request.fresh)


def _known(where: str) -> dict[str, Run]:
    """The runs of a ledger by name; none where it cannot be read, which is raised when it is opened to be written."""
    if not _exists(where):
        return {}
    with suppress(LedgerError), open_ledger(where, read_only=True) as ledger:
        return {run.name: run for run in ledger.stored_runs()}
    return {}


def _exists(ledger: str) -> bool:
    return "://" in ledger or Path(ledger).exists()
