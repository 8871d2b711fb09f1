"""Small datasets for all tasks, and the two ways to run one on them: as an evaluation of Inspect, and by our runner."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai._util import package
from inspect_ai.log import EvalLog

from affordance.core.attempts import AttemptResult
from affordance.datasets.taxonomies import PURPOSES
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.evaluation.requests import build_run_request
from affordance.evaluation.run import execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.integrations.inspect.log_schema import LOG_KEY, LoggedAttempt
from affordance.ledger import AttemptStep, RunRecord, open_ledger
from affordance.report.result_row import ResultRow
from affordance.report.rows import build_rows
from affordance.tasks.registry import TASKS
from behavior_data import because, pair, write_pairs
from function_data import captured_screen, outcome, plain_outcomes, write_captured
from motion_data import THINGS, clip, twin_of, write_clips

# For each evaluation Inspect looks through the files of all installed packages for those with its task.
package.packages_distributions = cache(package.packages_distributions)

# What each task is asked with; nothing takes long.
ARGUMENTS: Mapping[str, Mapping[str, Any]] = {
    "motion/effect": {"fps": 2, "trials": 2},
    "motion/purpose": {"fps": 2, "cues": "all"},
    "motion/meaning": {"fps": 2, "judge": "baseline:overlap", "reference": "individual"},
    "motion/twin": {"fps": 2},
    "behavior/choice": {"trials": 2, "strategy": ["zero-shot", "debate-1"]},
    "behavior/rationale": {"judge": "baseline:overlap"},
    "function/ground-region": {"dialect": "uground"},  # which points: there is no overlap
}
SHORT = RetryPolicy(max_tries=2, first_wait=0.01, max_wait=0.05, outage_timeout=0.0)


@dataclass(frozen=True, slots=True)
class Performed:
    """A run of ours, with what the ledger has of it."""

    run: RunRecord
    rows: list[ResultRow]
    outcomes: list[AttemptResult]
    judgements: list[AttemptResult]
    steps: dict[str, list[AttemptStep]]


def write_world(root: Path) -> dict[str, str]:
    """By suite, where its dataset lies."""
    effects = ("move", "rotate", "fade")
    clips = [
        clip(name, effect=effect, purpose=purpose)
        for name, effect, purpose in zip(THINGS, effects, PURPOSES, strict=False)
    ]
    write_clips(root / "motion", *clips, twin_of(clips[0], "slower"))
    reasons = [because("The button is larger.", "Fitts’s Law"), because("There are fewer choices.", "Hick’s Law")]
    pairs = [pair(f"p{n}", n % 2, rationales=reasons[: 1 + n % 2]) for n in range(3)]
    write_pairs(root / "behavior", *pairs)
    page = captured_screen()
    hints = [outcome("page", one, f"A hint about {one.id} appears.", "hover") for one in page.elements[:2]]
    write_captured(root / "function", [page], [*plain_outcomes(page), *hints])
    return {suite: str(root / suite) for suite in ("motion", "behavior", "function")}


def inspect_task(task: str) -> str:
    return f"affordance/{task.replace('/', '_').replace('-', '_')}"


def evaluated(task: str, model: str, folder: Path, arguments: Mapping[str, Any], **options: Any) -> EvalLog:
    """An evaluation of Inspect."""
    given = {"display": "log", "log_dir": str(folder), "log_images": False, **options}
    (log,) = inspect_eval(inspect_task(task), model=model, task_args=dict(arguments), **given)
    return log


def performed(task: str, model: str, folder: Path, arguments: Mapping[str, Any], cache: Path) -> Performed:
    """A run of ours with the same arguments."""
    options: Any = {name: value for name, value in arguments.items() if name != "data"}
    request = build_run_request(
        RunConfig.from_options([TASKS[task]], options),
        [model],
        arguments.get("data"),
        str(folder / "ledger.db"),
        execution=ExecutionConfig(retry=SHORT),
        cache_folder=cache,
        warn=print,
    )
    run, _ = execute_run(request)
    with open_ledger(request.ledger, read_only=True) as ledger:
        outcomes, judgements = (list(ledger.attempt_results(run.id, judgements=kind)) for kind in (False, True))
        steps = ledger.steps_of([one.attempt_id for one in (*outcomes, *judgements)])
        return Performed(run, build_rows(ledger, [run]), outcomes, judgements, steps)


def made_in(log: EvalLog) -> dict[str, LoggedAttempt]:
    """What a log has of attempts and judgements, by their ids."""
    found = [LoggedAttempt.model_validate(sample.store[LOG_KEY]) for sample in log.samples or []]
    return {one.attempt().id: one for made in found for one in (made, *made.judgements)}


def metrics_of(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    (score,) = log.results.scores
    return {name: metric.value for name, metric in score.metrics.items()}


def expected_metrics(found: list[ResultRow]) -> dict[str, float]:
    """The numbers of rows, named as in a log: by strategy and form where there are several."""
    strategies, forms = {row.strategy for row in found}, {row.form for row in found}
    named = {}
    for row in found:
        before = f"{row.strategy}/" if len(strategies) > 1 else ""
        before += f"{row.form}/" if len(forms) > 1 else ""
        partial = "" if row.complete else "_partial"
        named |= {f"{before}{name}{partial}": value for name, value in row.metrics.items() if value is not None}
        for name, (least, most) in row.bounds.items():
            named |= {f"{before}{name}_at_least": least, f"{before}{name}_at_most": most}
        if not row.complete:
            named[f"{before}missing"] = row.pending + row.ended["failed"]
    return named
