"""Progress on standard error: bars on a terminal, a line now and then elsewhere, nothing where output is quiet."""

import math
import os
import sys
import time
from typing import TYPE_CHECKING, Self

from affordance.console.output import is_quiet

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from affordance.author.orders import Told
    from affordance.evaluation.progress import ModelProgress, Pause, RunProgress

SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_REASONS = 30.0  # while a model waits for the same reason
MAX_REASON_LENGTH = 80  # characters


def _can_draw() -> bool:
    """Whether standard error is a terminal on which a line can be replaced."""
    return sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


class _Display:
    """Bars by name on a terminal; elsewhere `print_line` prints at most every few seconds."""

    unit = ""  # after the counts of a bar

    def __init__(self) -> None:
        self._bars: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._last_line = time.monotonic()

    def __enter__(self) -> Self:
        if not is_quiet() and _can_draw():
            self._bars = self._build_bars()
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def _build_bars(self) -> "Progress":
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("{task.completed}/{task.total}" + self.unit),
            TextColumn("{task.fields[note]}", style="dim", markup=False),
        )
        return Progress(*columns, console=Console(stderr=True), refresh_per_second=8)

    def _draw_bar(self, bars: "Progress", name: str, done: int, total: int, note: str = "") -> None:
        if name not in self._tasks:
            self._tasks[name] = bars.add_task(name, total=total, note=note)
        bars.update(self._tasks[name], completed=done, total=total, note=note)

    def _is_due(self) -> bool:
        return time.monotonic() - self._last_line >= SECONDS_BETWEEN_LINES

    def _print_line(self, text: str) -> None:
        self._last_line = time.monotonic()
        print(text, file=sys.stderr)


class StepProgress(_Display):
    """Progress of steps of one kind, such as clips or screens: call it with how many are done and planned."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._what = unit

    def __call__(self, done: int, planned: int) -> None:
        if is_quiet():
            return
        if self._bars is not None:
            self._draw_bar(self._bars, self._what, done, planned)
        elif self._is_due() or done == planned:
            self._print_line(f"{done}/{planned} {self._what}")


def demo_progress() -> StepProgress:
    """Progress of rendering the demo clips, which happens when they are first needed."""
    return StepProgress("demo clips rendered")


class RunDisplay(_Display):
    """Progress of a run: attempts, rate, cost, and why a model waits.

    Elsewhere than on a terminal: a line now and then where something was done, one at once where a model waits for a
    new reason, and one at the end."""

    def __init__(self) -> None:
        super().__init__()
        self._done = -1
        self._reported: dict[tuple[str, str], float] = {}  # when, by model and kind of reason

    def __call__(self, progress: "RunProgress") -> None:
        if is_quiet():
            return
        if self._bars is None:
            self._report(progress)
            return
        for name, model in progress.models.items():
            if model.planned:
                self._draw_bar(self._bars, name, model.done, model.planned, _note(progress, name, model))

    def _report(self, progress: "RunProgress") -> None:
        now = time.monotonic()
        finished = progress.done >= progress.planned or bool(progress.stop_reason)
        waits = {(name, pause.reason.partition(":")[0]) for name, pause in progress.current_pauses.items()}
        is_new = any(now - self._reported.get(wait, -math.inf) >= SECONDS_BETWEEN_REASONS for wait in waits)
        if not is_new and not ((self._is_due() or finished) and progress.done != self._done):
            return
        self._done = progress.done
        self._reported |= dict.fromkeys(waits, now)
        parts = [
            f"{progress.done} done",
            f"{progress.planned - progress.done} remaining",
            f"{progress.rate:.1f}/s",
            _format_cost(progress),
            count_missing(progress.failed, progress.unanswered),
            *_waits(progress),
        ]
        self._print_line(", ".join(parts))


def run_progress() -> RunDisplay:
    """A display to pass to the executor as its progress callback."""
    return RunDisplay()


class StageProgress(_Display):
    """Progress of a stage of a project: screens, requests and cost."""

    unit = " screens"

    def __init__(self, stage: str) -> None:
        super().__init__()
        self._stage = stage

    def __call__(self, status: "Told") -> None:
        if is_quiet():
            return
        if self._bars is not None:
            self._draw_bar(self._bars, self._stage, status.ended, status.total, _describe_stage(status))
        elif self._is_due():
            line = f"{self._stage}: {status.ended}/{status.total} screens, {_describe_stage(status)}"
            self._print_line(line.rstrip(", "))


def describe_missing(progress: "RunProgress") -> str:
    """`3 attempts failed, 80 not answered yet`."""
    alone = progress.failed - progress.unanswered == 1
    return count_missing(progress.failed, progress.unanswered, "attempt failed" if alone else "attempts failed")


def count_missing(failed: int, unanswered: int, what: str = "failed") -> str:
    from affordance.models.study_answers import UNANSWERED

    parts = [f"{failed - unanswered} {what}"] if failed > unanswered or not unanswered else []
    return ", ".join([*parts, f"{unanswered} {UNANSWERED}"] if unanswered else parts)


def _waits(progress: "RunProgress") -> list[str]:
    return [f"{name}: {_describe_wait(pause)}" for name, pause in progress.current_pauses.items()]


def _describe_wait(pause: "Pause") -> str:
    """`cannot connect to http://127.0.0.1:8000/v1: Connection refused; next try in 4 s, for up to 5 min more`."""
    now = time.monotonic()
    reason = pause.reason if len(pause.reason) <= MAX_REASON_LENGTH else f"{pause.reason[: MAX_REASON_LENGTH - 1]}…"
    left = max(pause.gives_up_at - now, 0.0)
    more = f"{left / 60:.0f} min" if left > 90 else f"{math.ceil(left)} s"
    return f"{reason}; next try in {math.ceil(max(pause.until - now, 0.0))} s, for up to {more} more"


def _format_cost(progress: "RunProgress") -> str:
    return "cost unknown" if progress.cost is None else f"${progress.cost:.2f}"


def _note(progress: "RunProgress", name: str, model: "ModelProgress") -> str:
    from affordance.core.attempts import AttemptStatus

    # A judge has no bar of its own, so the bars of the judged models show why it waits.
    with_bars = {other for other, one in progress.models.items() if one.planned}
    waits = {other: _describe_wait(pause) for other, pause in progress.current_pauses.items()}
    parts = [waits[name]] if name in waits else []
    parts.extend(f"{other}: {wait}" for other, wait in waits.items() if other not in with_bars)
    parts.extend((f"{progress.rate:.1f}/s", _format_cost(progress)))
    if model.cached:
        parts.append(f"{model.cached} from the ledger")
    if failed := model.statuses[AttemptStatus.FAILED]:
        parts.append(count_missing(failed, model.unanswered))
    if model.stop_reason:
        parts.append("stopped")
    return "  ".join(parts)


def _describe_stage(status: "Told") -> str:
    models = status.progress.models.values()
    parts = [f"{sum(one.sent for one in models):,} requests", _format_cost(status.progress)] if models else []
    parts.extend(_waits(status.progress))
    if cached := sum(one.cached for one in models):
        parts.append(f"{cached:,} from the ledger")
    if failed := len(status.failed) + len(status.pending):
        parts.append(f"{failed} failed")
    return "  ".join(parts)
