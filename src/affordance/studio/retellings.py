"""Having corrected regions told anew: `author reannotate` of one screen, in the background.

What a model said is in the ledger before anything else happens to it. A studio that ends while it runs loses nothing
but what was being asked: starting it again goes on from there."""

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from affordance.author.project import Project, read_state
from affordance.author.records import Kind, Work
from affordance.author.regions.untold import due
from affordance.core.errors import AffordanceError
from affordance.core.model_name import ModelName
from affordance.ledger import DocumentRevision
from affordance.studio.commands import command
from affordance.studio.settings import Settings

if TYPE_CHECKING:  # loaded when something is asked
    from affordance.author.orders import Order

STAGE = "reannotate"
AT_ONCE = 4  # screens
MOST_WAITING = 64  # screens

_LOG = logging.getLogger(__name__)


class NotStarted(Exception):
    """One line for whoever wanted it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Of one screen. `why` it is not possible here, and what to do instead; `error` is what came of the last time."""

    possible: bool
    why: str
    model: str
    due: list[str]
    running: bool
    error: str


class Retellings:
    """Safe to share between threads."""

    def __init__(self, project: Project, settings: Settings) -> None:
        self._project = project
        self._settings = settings
        self._lock = threading.Lock()
        # A budget holds within one order: of two at once, neither knows what the other is about to spend.
        self._turns = threading.BoundedSemaphore(AT_ONCE if settings.budget is None else 1)
        self._running: set[str] = set()
        self._errors: dict[str, str] = {}

    def standing(self, screen: str) -> Standing:
        """Raises a `UserError` for a screen that cannot be read."""
        with self._lock:
            running, error = screen in self._running, self._errors.get(screen, "")
        revisions = self._project.ledger.documents.latest(scope=screen)
        waiting = self._due(screen, revisions)
        if waiting and not running and not error:
            error = _left_undone(screen, waiting, revisions)
        model = self._settings.model
        return Standing(
            possible=model is not None,
            why="" if model is not None else f"this studio has no model; run `{self._command()}`",
            model="" if model is None else str(ModelName.parse(model)),
            due=waiting,
            running=running,
            error="" if running else error,
        )

    def start(self, screen: str) -> None:
        """Once at a time for each screen: whoever starts what runs already has nothing to wait for."""
        if self._settings.model is None:
            raise NotStarted(f"this studio has no model; run `{self._command()}`")
        if not self._due(screen, self._project.ledger.documents.latest(scope=screen)):
            raise NotStarted(f"nothing of {screen} waits to be told anew")
        with self._lock:
            if screen in self._running:
                return
            if len(self._running) >= MOST_WAITING:
                raise NotStarted(f"{MOST_WAITING} screens are being told anew already; try again in a while")
            self._running.add(screen)
            self._errors.pop(screen, None)
        # A daemon: a provider may take minutes, and the end of the studio does not wait for it.
        threading.Thread(target=self._run, args=(screen,), name=f"retelling {screen}", daemon=True).start()

    def _run(self, screen: str) -> None:
        from affordance.author.engines import carry_out

        error = "it ended in an error of ours, which is in the log of the studio; try again"
        try:
            with self._turns:
                told = carry_out(self._order(screen))
            error = told.failed.get(screen) or told.pending.get(screen) or ""
        except AffordanceError as known:
            error = str(known)
        except Exception:  # noqa: BLE001  # told to whoever waits for it, and logged
            _LOG.exception("telling anew what was corrected of a screen")
        finally:
            with self._lock:
                self._running.discard(screen)
                if error:
                    self._errors[screen] = error

    def _order(self, screen: str) -> "Order":
        """As the command would give it, so that neither does again what the other did."""
        from affordance.author.orders import Order
        from affordance.author.regions.reannotating import MOST_TOKENS
        from affordance.evaluation.ad_hoc import MODEL
        from affordance.evaluation.execution_config import ExecutionConfig
        from affordance.models.token_cost import max_output_tokens

        settings, model = self._settings, self._settings.model
        assert model is not None, "nothing is started without a model"
        means = settings.means or ExecutionConfig()
        limited = settings.budget is None or max_output_tokens(means.model_options.get(model, {})) is not None
        return Order(
            folder=str(self._project.folder.resolve()),
            stage=STAGE,
            screens=(screen,),
            pictures=str((settings.cache / "pictures").resolve()),
            db=settings.db,
            settings={"all": "no"},
            models={MODEL: model},
            parameters={} if limited else {"max_tokens": MOST_TOKENS},  # a budget needs to know it
            means=means.replace(budget=settings.budget),
        )

    def _due(self, screen: str, revisions: Sequence[DocumentRevision]) -> list[str]:
        state = read_state(self._project.folder, screen, revisions)
        aside = state.selection is not None and not state.selection.on
        return [] if aside else due(state)[0]

    def _command(self) -> str:
        return command(self._project, self._settings, STAGE, "--model PROVIDER:MODEL")


def _left_undone(screen: str, waiting: Sequence[str], revisions: Sequence[DocumentRevision]) -> str:
    """What the ledger says of the last time, be it by another process or before this one."""
    subject = f"{STAGE}/{screen}"
    found = next((one for one in revisions if one.kind == Kind.WORK and one.subject == subject), None)
    if found is None:
        return ""
    work = Work.model_validate(dict(found.document))
    if work.state != "done":
        return work.reason
    starts = tuple(f"{node}: not told anew" for node in waiting)
    return next((note for note in work.notes if note.startswith(starts)), "")
