"""A run with progress: its rows, what went wrong in it, and how to resume it."""

from collections import Counter
from typing import TYPE_CHECKING

from affordance.console.output import is_verbose, print_note, print_warning
from affordance.console.progress import describe_missing, run_progress

if TYPE_CHECKING:
    from affordance.evaluation.progress import RunProgress
    from affordance.evaluation.run import RunRequest
    from affordance.report.result_row import ResultRow


def run_and_score(request: "RunRequest") -> "tuple[str, RunProgress, list[ResultRow]]":
    """Execute a run with progress; its name, how it ended, and its rows."""
    from affordance.evaluation.run import execute_run, open_run_ledger
    from affordance.report.rows import build_rows

    with run_progress() as display:
        run, progress = execute_run(request, display)
    with open_run_ledger(progress, request.ledger) as ledger:
        return run.name, progress, build_rows(ledger, [run])


def write_summaries(request: "RunRequest") -> None:
    """Have the references summarised that a run needs, with progress."""
    from affordance.evaluation.requests import prepare_summaries

    with run_progress() as display:
        added = prepare_summaries(request, display)
    if added:
        print_note(f"{added} summaries by {request.config.task_options['summarizer']} are stored next to the dataset")


def report_problems(progress: "RunProgress", how_to_resume: str) -> bool:
    """Print what a user needs to know about a finished or interrupted run.

    Args:
        progress: the state of the run when it ended.
        how_to_resume: what to do if the run is incomplete, as one clause.

    Returns:
        Whether the run is complete.
    """
    from affordance.models.study_answers import UNANSWERED

    for name, text in progress.warnings.items():
        print_note(f"{name}: {text}")
    for one in progress.adaptations:
        print_note(f"{one.model} {one.description}: {one.error}")
    for name, model in progress.models.items():
        if is_verbose():
            print_note(f"{name}: {model.sent} requests sent, {model.cached} responses from the ledger")
        if model.stop_reason:
            print_warning(f"{name} {model.stop_reason}")
            continue
        if model.unanswered:
            print_warning(f"{name}: {model.unanswered} {UNANSWERED}")
        if others := Counter({why: count for why, count in model.reasons.items() if not why.startswith(UNANSWERED)}):
            ((reason, count),) = others.most_common(1)
            most = "" if count == others.total() else f"most often ({count}) "
            print_warning(f"{name}: {others.total()} not scored: {most}{reason}")
    if not progress.complete:
        print_warning(f"incomplete: {progress.stop_reason or describe_missing(progress)}; {how_to_resume}")
    return progress.complete
