"""Two designs put to a model, in both orders and several times: what it said, and what it prefers."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from affordance.core.attempt import COUNTED
from affordance.core.errors import UserError
from affordance.core.names import ModelName
from affordance.ledger import Ledger
from affordance.run.execute import Means
from affordance.run.progress import Progress
from affordance.run.session import Request, open_after, perform
from affordance.run.settings import Settings
from affordance.suites.behavior.choose import CHOOSE, FIRST, LETTERS, Said, chosen_design, two_designs


@dataclass(frozen=True, slots=True)
class Asking:
    """Which designs, of whom, and how it went. `said` is what can be scored, in the order of trials."""

    request: Request
    designs: tuple[Path, Path]
    model: str
    goal: str | None
    run: str
    progress: Progress
    said: tuple[Said, ...]


def ask_which(
    designs: tuple[Path, Path],
    model: str,
    goal: str | None,
    *,
    trials: int,
    ledger: str,
    pictures: Path,
    means: Means,
    fresh: bool,
    watch: Callable[[Progress], None],
) -> Asking:
    name = ModelName.parse(model)
    goal = " ".join(goal.split()) if goal else None
    if name.looks_up_answers:
        raise UserError(f"{name} answers only what is known already, and nobody knows which design wins; ask a model")
    settings, data = Settings(tasks=(CHOOSE,), trials=trials), two_designs(*designs, goal)
    request = Request(settings, data, (name,), ledger, pictures, fresh=fresh, means=means)
    run, progress = perform(request, watch)
    (asked,) = progress.models
    with open_after(progress, ledger) as opened:
        said = _said(opened, run.id, asked)
    return Asking(request, designs, str(name), goal, run.name, progress, tuple(said))


def _said(ledger: Ledger, run: str, model: str) -> list[Said]:
    """An attempt that failed said nothing."""
    found = []
    for outcome in ledger.outcomes(run):
        if outcome.model != model or outcome.verdict is None or outcome.verdict.ended not in COUNTED:
            continue
        first = LETTERS[LETTERS.index(outcome.tags[FIRST])]
        answered = ledger.answered_steps([outcome.attempt]).get(outcome.attempt)
        text = answered.reply.text if answered is not None else ""
        found.append(Said(first, outcome.trial, chosen_design(first, outcome.verdict.answer), text))
    return sorted(found, key=lambda one: (one.trial, one.first))
