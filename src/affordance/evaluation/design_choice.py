"""Two designs shown to a model, in both orders and several times: its votes, and how the run ended."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from affordance.core.attempts import SCORED_STATUSES
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run import RunRequest, execute_run, open_run_ledger
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import Ledger
from affordance.tasks.behavior.design_preference import (
    DESIGN_LETTERS,
    FIRST_DESIGN_TAG,
    PREFERENCE,
    DesignVote,
    chosen_design,
    design_pair,
)


@dataclass(frozen=True, slots=True)
class DesignChoiceRun:
    """The votes of a model between two designs, and how the run ended. `said` has what can be scored, by trial."""

    request: RunRequest
    designs: tuple[Path, Path]
    model: str
    goal: str | None
    run: str
    progress: RunProgress
    said: tuple[DesignVote, ...]


def choose_design(
    designs: tuple[Path, Path],
    model: str,
    goal: str | None,
    *,
    trials: int,
    ledger: str,
    render_cache: Path,
    execution: ExecutionConfig,
    fresh: bool,
    on_progress: Callable[[RunProgress], None],
) -> DesignChoiceRun:
    name = ModelName.parse(model)
    goal = " ".join(goal.split()) if goal else None
    if name.looks_up_answers:
        raise UserError(f"{name} needs a known answer and cannot choose between designs. Use a model.")
    settings, data = RunConfig(tasks=(PREFERENCE,), trials=trials), design_pair(*designs, goal)
    request = RunRequest(settings, data, (name,), ledger, render_cache, fresh=fresh, execution=execution)
    run, progress = execute_run(request, on_progress)
    (asked,) = progress.models
    with open_run_ledger(progress, ledger) as opened:
        said = _read_votes(opened, run.id, asked)
    return DesignChoiceRun(request, designs, str(name), goal, run.name, progress, tuple(said))


def _read_votes(ledger: Ledger, run: str, model: str) -> list[DesignVote]:
    """The votes of the attempts that did not fail."""
    found = []
    for outcome in ledger.attempt_results(run):
        if outcome.model != model or outcome.verdict is None or outcome.verdict.status not in SCORED_STATUSES:
            continue
        first = DESIGN_LETTERS[DESIGN_LETTERS.index(outcome.tags[FIRST_DESIGN_TAG])]
        answered = ledger.answered_steps([outcome.attempt_id]).get(outcome.attempt_id)
        text = answered.response.text if answered is not None else ""
        found.append(DesignVote(first, outcome.trial, chosen_design(first, outcome.verdict.answer), text))
    return sorted(found, key=lambda one: (one.trial, one.first_design))
