"""A stage on a whole project, here or on a cluster."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from affordance.author.orders import Order, Told
from affordance.author.project import open_project
from affordance.author.working import work_on
from affordance.core.errors import IncompleteError, LedgerError, UserError
from affordance.core.sequences import chunked
from affordance.evaluation.engines import EngineName, WorkerLost, get_engine
from affordance.evaluation.interrupts import sigterm_as_interrupt
from affordance.evaluation.unsaved_responses import import_unsaved

AT_ONCE = 4  # screens in a piece of work: what a lost worker costs, at most


def carry_out(
    order: Order,
    engine: str = EngineName.LOCAL,
    address: str | None = None,
    watch: Callable[[Told], None] = lambda _: None,
) -> Told:
    """Carry out an order. Asking is done in this process, for it waits and does not compute; computing in a few
    processes. On Ray both are done by its workers, a few screens at a time."""
    if engine == EngineName.RAY and order.db is None:
        raise UserError("--engine ray needs a project in Postgres: a sqlite file cannot be shared; see docs/scale.md")
    if engine == EngineName.RAY and order.means.budget is not None:
        raise UserError("--budget cannot be kept by many workers at once; leave it out with --engine ray, or go local")
    with open_project(Path(order.folder), order.db) as project:
        import_unsaved(project.ledger)
    if engine == EngineName.LOCAL and (order.models or len(order.screens) <= AT_ONCE):
        return work_on(order, watch)
    pieces = [replace(order, screens=tuple(screens)) for screens in chunked(order.screens, AT_ONCE)]
    told = Told(total=len(order.screens))
    watch(told)
    left = set(range(len(pieces)))
    results = get_engine(engine, address=address).map(work_on, pieces)
    try:
        with sigterm_as_interrupt():
            for done in results:
                left.discard(done.index)
                if isinstance(done.error, WorkerLost | LedgerError | IncompleteError):
                    told.pending |= dict.fromkeys(pieces[done.index].screens, str(done.error))
                else:
                    told.add(done.result())
                watch(told)
    except KeyboardInterrupt:
        told.progress.stop_reason = "interrupted"
    finally:
        results.close()
    told.pending |= {name: "interrupted" for piece in sorted(left) for name in pieces[piece].screens}
    return told
