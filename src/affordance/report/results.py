"""The results of runs, read from the ledger once per report."""

import gc
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from affordance.core.attempts import AttemptResult
from affordance.core.json_text import Json
from affordance.core.requests import CallSettings
from affordance.ledger import Ledger, RequestTotals, ResponseCount, RunRecord
from affordance.models.adaptation import Adaptation, adapt_parameters, read_adaptations_of_responses
from affordance.tasks.registry import TASKS

RowKey = tuple[str, str, str, str]  # task, condition, model, strategy
RequestParameters = Mapping[str, Json]  # base URL, parameters and dialect of requests


@dataclass(frozen=True, slots=True, weakref_slot=True)
class RunResults:
    """The results of runs, by run name and row key."""

    ledger: Ledger
    runs: tuple[RunRecord, ...]
    outcomes: Mapping[str, Mapping[RowKey, Sequence[AttemptResult]]]
    sent: Mapping[str, Mapping[str, Sequence[RequestParameters]]]  # by run and model
    effort: Mapping[str, Mapping[tuple[str, str, str], RequestTotals]]  # by run, and task, model and strategy
    responses: Mapping[str, Sequence[ResponseCount]]  # by run
    adaptations: Mapping[str, Sequence[Adaptation]]  # by run: parameters that were not sent as set

    def outcomes_of(self, run: str, task: str, form: str) -> list[AttemptResult]:
        """The results of all models and strategies, in the order of the ledger."""
        groups = self.outcomes.get(run, {})
        return [one for key, group in groups.items() if key[:2] == (task, form) for one in group]


def read_results(ledger: Ledger, runs: Sequence[RunRecord], only: Sequence[str] = ()) -> RunResults:
    """Read the results of runs; `only` names tasks. Tasks that are not installed are left out."""
    # Results live as long as the report, and the collector takes long to walk through hundreds of thousands.
    collecting = gc.isenabled()
    gc.disable()
    try:
        results = _read_results(ledger, runs, only)
        gc.freeze()
        weakref.finalize(results, gc.unfreeze).atexit = False
        return results
    finally:
        if collecting:
            gc.enable()


def _read_results(ledger: Ledger, runs: Sequence[RunRecord], only: Sequence[str]) -> RunResults:
    found: dict[str, dict[RowKey, list[AttemptResult]]] = {}
    with ThreadPoolExecutor(1) as database:  # the database aggregates while results are read
        adaptations = database.submit(lambda: {run.name: read_adaptations_of_responses(ledger, run.id) for run in runs})
        sent = database.submit(
            lambda: {run.name: _request_parameters(ledger, run, adaptations.result()[run.name]) for run in runs}
        )
        effort = database.submit(lambda: {run.name: ledger.request_totals(run.id) for run in runs})
        responses = database.submit(lambda: {run.name: ledger.response_counts(run.id) for run in runs})
        for run in runs:
            groups: dict[RowKey, list[AttemptResult]] = {}
            forms: dict[str, str] = {}  # by question: each has many outcomes
            for outcome in ledger.attempt_results(run.id):
                if outcome.task in TASKS and (not only or outcome.task in only):
                    if (form := forms.get(outcome.question_id)) is None:
                        form = forms[outcome.question_id] = condition_of(outcome)
                    key = outcome.task, form, outcome.model, outcome.strategy
                    groups.setdefault(key, []).append(outcome)
            found[run.name] = groups
        return RunResults(
            ledger, tuple(runs), found, sent.result(), effort.result(), responses.result(), adaptations.result()
        )


def _request_parameters(
    ledger: Ledger, run: RunRecord, adaptations: Sequence[Adaptation]
) -> dict[str, list[RequestParameters]]:
    def parameters(address: CallSettings) -> dict[str, Json]:
        return adapt_parameters(address.parameters, [one for one in adaptations if one.model == address.model])

    return {
        model: [{"base_url": one.base_url, "parameters": parameters(one), "dialect": one.dialect} for one in addresses]
        for model, addresses in ledger.call_settings(run.id).items()
    }


def row_key(outcome: AttemptResult) -> RowKey:
    return outcome.task, condition_of(outcome), outcome.model, outcome.strategy


def condition_of(outcome: AttemptResult) -> str:
    task = TASKS.get(outcome.task)
    return outcome.tags.get(task.views.split.tag, "") if task is not None else ""
