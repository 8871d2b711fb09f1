"""Progress on standard error: bars on a terminal, plain lines elsewhere, nothing where somebody wants quiet."""

import math
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from affordance.cli.quiet import is_quiet

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.progress import Progress, TaskID

    from affordance.author.orders import Told
    from affordance.evaluation.progress import ModelProgress, Pause
    from affordance.evaluation.progress import RunProgress as RunProgress

SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_REASONS = 30.0  # while a model waits for the same reason
LONGEST_REASON = 80  # characters


def _can_draw() -> bool:
    """Whether what was written can be written over."""
    return sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


@contextmanager
def run_progress() -> Iterator["Callable[[RunProgress], None]"]:
    """Something to hand to the runner as its watcher."""
    if is_quiet():
        yield lambda _: None
    elif _can_draw():
        with _bars() as bars:
            yield bars
    else:
        yield _Lines()


@contextmanager
def _bars() -> Iterator["Callable[[RunProgress], None]"]:
    ids: dict[str, TaskID] = {}
    with _draw("") as bars:

        def update(progress: "RunProgress") -> None:
            for name, model in progress.models.items():
                if not model.planned:
                    continue
                if name not in ids:
                    ids[name] = bars.add_task(name, total=model.planned, note="")
                bars.update(ids[name], completed=model.done, note=_note(progress, name, model))

        yield update


def _draw(unit: str) -> "Progress":
    """Bars with a name, counts and a note."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TextColumn("{task.completed}/{task.total}" + unit),
        TextColumn("{task.fields[note]}", style="dim", markup=False),
    )
    return Progress(*columns, console=Console(stderr=True), refresh_per_second=8)


class _Lines:
    """A line now and then where something was done, one at once where a model waits for a new reason, and one at the
    end."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._done = -1
        self._told: dict[tuple[str, str], float] = {}  # when, by model and kind of reason

    def __call__(self, progress: "RunProgress") -> None:
        now = time.monotonic()
        finished = progress.done >= progress.planned or bool(progress.stop_reason)
        due = now - self._last >= SECONDS_BETWEEN_LINES or finished
        waits = {(name, pause.reason.partition(":")[0]) for name, pause in progress.current_pauses.items()}
        untold = any(now - self._told.get(wait, -math.inf) >= SECONDS_BETWEEN_REASONS for wait in waits)
        if untold or (due and progress.done != self._done):
            self._last, self._done = now, progress.done
            self._told |= dict.fromkeys(waits, now)
            left = progress.planned - progress.done
            print(
                f"{progress.done} done, {left} remaining, {progress.rate:.1f}/s, "
                f"{_money(progress)}, {_missing(progress.failed, progress.unanswered)}",
                *_waits(progress),
                sep=", ",
                file=sys.stderr,
            )


def _waits(progress: "RunProgress") -> list[str]:
    return [f"{name}: {_wait(pause)}" for name, pause in progress.current_pauses.items()]


def _wait(pause: "Pause") -> str:
    """`cannot connect to http://127.0.0.1:8000/v1: Connection refused; next try in 4 s, for up to 5 min more`."""
    now = time.monotonic()
    reason = pause.reason if len(pause.reason) <= LONGEST_REASON else f"{pause.reason[: LONGEST_REASON - 1]}…"
    left = max(pause.gives_up_at - now, 0.0)
    more = f"{left / 60:.0f} min" if left > 90 else f"{math.ceil(left)} s"
    return f"{reason}; next try in {math.ceil(max(pause.until - now, 0.0))} s, for up to {more} more"


def _money(progress: "RunProgress") -> str:
    return "cost unknown" if progress.cost is None else f"${progress.cost:.2f}"


def missing_words(progress: "RunProgress") -> str:
    """`3 attempts failed, 80 not answered yet`."""
    alone = progress.failed - progress.unanswered == 1
    return _missing(progress.failed, progress.unanswered, "attempt failed" if alone else "attempts failed")


def _missing(failed: int, unanswered: int, what: str = "failed") -> str:
    from affordance.models.study_answers import UNANSWERED

    parts = [f"{failed - unanswered} {what}"] if failed > unanswered or not unanswered else []
    return ", ".join([*parts, f"{unanswered} {UNANSWERED}"] if unanswered else parts)


def _note(progress: "RunProgress", name: str, model: "ModelProgress") -> str:
    from affordance.core.attempts import AttemptStatus

    # A judge has no bar of its own, so those of the judged tell of it.
    with_bars = {other for other, one in progress.models.items() if one.planned}
    waits = {other: _wait(pause) for other, pause in progress.current_pauses.items()}
    parts = [waits[name]] if name in waits else []
    parts.extend(f"{other}: {told}" for other, told in waits.items() if other not in with_bars)
    parts.extend((f"{progress.rate:.1f}/s", _money(progress)))
    if model.cached:
        parts.append(f"{model.cached} from the ledger")
    if failed := model.statuses[AttemptStatus.FAILED]:
        parts.append(_missing(failed, model.unanswered))
    if model.stop_reason:
        parts.append("stopped")
    return "  ".join(parts)


class StepProgress:
    """How far a piece of work is: a line that is written over on a terminal, a line now and then elsewhere."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._quiet = is_quiet()
        self._last = time.monotonic()
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print(file=sys.stderr)

    def __call__(self, done: int, planned: int) -> None:
        if self._quiet:
            return
        if _can_draw():
            print(f"\r{done}/{planned} {self._what}", end="", file=sys.stderr, flush=True)
            self._shown = True
        elif time.monotonic() - self._last >= SECONDS_BETWEEN_LINES or done == planned:
            self._last = time.monotonic()
            print(f"{done}/{planned} {self._what}", file=sys.stderr)


def demo_progress() -> StepProgress:
    """How far the demo clips are, which are drawn where they are needed for the first time."""
    return StepProgress("demo clips drawn")


class StageProgress:
    """How far a stage is on a project: screens, asks and money."""

    def __init__(self, stage: str) -> None:
        self._stage = stage
        self._quiet = is_quiet()
        self._last = time.monotonic()
        self._bars: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if not self._quiet and _can_draw():
            self._bars = _draw(" screens")
            self._bars.start()
            self._task = self._bars.add_task(self._stage, total=None, note="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def __call__(self, told: "Told") -> None:
        if self._bars is not None and self._task is not None:
            self._bars.update(self._task, completed=told.ended, total=told.total, note=_describe(told))
        elif not self._quiet and time.monotonic() - self._last >= SECONDS_BETWEEN_LINES:
            self._last = time.monotonic()
            print(f"{self._stage}: {told.ended}/{told.total} screens, {_describe(told)}".rstrip(", "), file=sys.stderr)


def _describe(told: "Told") -> str:
    models = told.progress.models.values()
    parts = [f"{sum(one.sent for one in models):,} asked", _money(told.progress)] if models else []
    parts.extend(_waits(told.progress))
    if cached := sum(one.cached for one in models):
        parts.append(f"{cached:,} from the ledger")
    if troubled := len(told.failed) + len(told.pending):
        parts.append(f"{troubled} failed")
    return "  ".join(parts)
