"""How far each stage is, counted when somebody asks: all documents of all screens are read for it."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from affordance.author.project import Project
from affordance.core.errors import UserError

GOOD_FOR = 60.0  # seconds in which nobody needs it counted again


@dataclass(frozen=True, slots=True)
class Counted:
    stages: list[dict[str, Any]]
    error: str = ""


class Standings:
    """Counted once at a time, in the background. Safe to share between threads."""

    def __init__(self, project: Project, clock: Callable[[], float] = time.monotonic) -> None:
        self._project = project
        self._clock = clock
        self._lock = threading.Lock()
        self._counting = False
        self._found: Counted | None = None
        self._last = -1
        self._at = 0.0

    def get(self) -> Counted | None:
        """As it was counted last; None where that is under way for the first time. It is counted again where something
        was written since."""
        last = self._project.ledger.documents.last_revision_id()
        with self._lock:
            due = self._found is None or (last != self._last and self._clock() - self._at > GOOD_FOR)
            if due and not self._counting:
                self._counting = True
                threading.Thread(target=self._count, args=(last,), name="standing", daemon=True).start()
            return self._found

    def _count(self, last: int) -> None:
        found = Counted([], "it could not be counted; the log of the studio says why")
        try:
            found = self._counted()
        except UserError as error:
            found = Counted([], str(error))
        finally:
            with self._lock:
                self._found, self._last, self._at, self._counting = found, last, self._clock(), False

    def _counted(self) -> Counted:
        from affordance.author.stages import STAGES  # with all that they need
        from affordance.author.standing import standing

        return Counted(
            [
                {
                    "stage": one.stage,
                    "does": STAGES[one.stage].does,
                    "done": one.done - len(one.outdated),
                    "outdated": len(one.outdated),
                    "pending": len(one.pending),
                    "failed": len(one.failed),
                }
                for one in standing(self._project).stages
            ]
        )
