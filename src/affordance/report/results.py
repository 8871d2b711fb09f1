"""What runs ended with, read from the ledger once for all that is made of it."""

import gc
import weakref
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from affordance.core.ask import Address
from affordance.core.attempt import Outcome
from affordance.core.digest import Json
from affordance.ledger import Effort, Ledger, ResponseCount, Run
from affordance.models.adaptation import Adaptation, adapted, read_adaptations_of_responses
from affordance.suites.registry import TASKS

Key = tuple[str, str, str, str]  # task, form, model, strategy: what belongs into one row
Sent = Mapping[str, Json]  # where asks went and with which parameters


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Results:
    """The outcomes of runs, by the run's name and what belongs into one row."""

    ledger: Ledger
    runs: tuple[Run, ...]
    outcomes: Mapping[str, Mapping[Key, Sequence[Outcome]]]
    sent: Mapping[str, Mapping[str, Sequence[Sent]]]  # by run and model
    effort: Mapping[str, Mapping[tuple[str, str, str], Effort]]  # by run, and task, model and strategy
    responses: Mapping[str, Sequence[ResponseCount]]  # by run
    adaptations: Mapping[str, Sequence[Adaptation]]  # by run: parameters that were not sent as they were set

    def of_form(self, run: str, task: str, form: str) -> list[Outcome]:
        """Of all models and strategies, in the order of the ledger."""
        groups = self.outcomes.get(run, {})
        return [one for key, group in groups.items() if key[:2] == (task, form) for one in group]


def read_results(ledger: Ledger, runs: Sequence[Run], only: Sequence[str] = ()) -> Results:
    """`only` names tasks; tasks that are no longer known are left out."""
    # Outcomes live as long as the report, and hundreds of thousands take long to walk through.
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


def _read_results(ledger: Ledger, runs: Sequence[Run], only: Sequence[str]) -> Results:
    found: dict[str, dict[Key, list[Outcome]]] = {}
    with ThreadPoolExecutor(1) as beside:  # the database sums up while outcomes are made
        adaptations = beside.submit(lambda: {run.name: read_adaptations_of_responses(ledger, run.id) for run in runs})
        sent = beside.submit(lambda: {run.name: _sent(ledger, run, adaptations.result()[run.name]) for run in runs})
        effort = beside.submit(lambda: {run.name: ledger.effort(run.id) for run in runs})
        responses = beside.submit(lambda: {run.name: ledger.response_counts(run.id) for run in runs})
        for run in runs:
            groups: dict[Key, list[Outcome]] = {}
            forms: dict[str, str] = {}  # by question: each has many outcomes
            for outcome in ledger.outcomes(run.id):
                if outcome.task in TASKS and (not only or outcome.task in only):
                    if (form := forms.get(outcome.question)) is None:
                        form = forms[outcome.question] = form_of(outcome)
                    key = outcome.task, form, outcome.model, outcome.strategy
                    groups.setdefault(key, []).append(outcome)
            found[run.name] = groups
        return Results(
            ledger, tuple(runs), found, sent.result(), effort.result(), responses.result(), adaptations.result()
        )


def _sent(ledger: Ledger, run: Run, adaptations: Sequence[Adaptation]) -> dict[str, list[Sent]]:
    def parameters(address: Address) -> dict[str, Json]:
        return adapted(address.parameters, [one for one in adaptations if one.model == address.model])

    return {
        model: [{"base_url": one.base_url, "parameters": parameters(one), "dialect": one.dialect} for one in addresses]
        for model, addresses in ledger.addresses(run.id).items()
    }


def key_of(outcome: Outcome) -> Key:
    return outcome.task, form_of(outcome), outcome.model, outcome.strategy


def form_of(outcome: Outcome) -> str:
    task = TASKS.get(outcome.task)
    return outcome.tags.get(task.form, "") if task is not None else ""
