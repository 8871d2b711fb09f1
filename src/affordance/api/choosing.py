"""Which of two designs does a model prefer?"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affordance.api._given import hushed, ledger_of
from affordance.api._loops import outside_of_loops
from affordance.cli.progress import shown
from affordance.cli.run import finished
from affordance.core.errors import UserError
from affordance.core.places import cache_folder
from affordance.report.exports.fragment import fragment
from affordance.report.preferred import as_data, headline, in_words, votes
from affordance.report.tables import text_of
from affordance.run.choosing import Asking, ask_which
from affordance.run.options import means_of
from affordance.run.signals import INTERRUPTED
from affordance.suites.behavior.choose import Letter, Preference, prefer


@dataclass(frozen=True, slots=True, repr=False)
class Chosen:
    """What a model prefers once its preference for a place is taken out: `verdict` is "A", "B", or None where that
    cannot be told; `preference` has the counts. Printed it says so, with the reasons that the model gave."""

    preference: Preference
    asking: Asking

    @property
    def verdict(self) -> Letter | None:
        return self.preference.verdict

    @property
    def confidence(self) -> float:
        return self.preference.confidence

    def to_json(self) -> dict[str, Any]:
        """As `affordance choose --json` prints it."""
        return as_data(self.preference, self.asking)

    def __repr__(self) -> str:
        table = text_of([votes(self.preference, self.asking)])
        words = "\n".join(in_words(self.preference, self.asking.said, self.asking.goal))
        return f"{headline(self.preference, self.asking.model)}\n\n{table}\n{words}"

    def _repr_html_(self) -> str:
        words = "\n".join(in_words(self.preference, self.asking.said, self.asking.goal)).split("\n\n")
        table = votes(self.preference, self.asking)
        return fragment([table], [headline(self.preference, self.asking.model), *words])


def choose(
    a: str | Path,
    b: str | Path,
    model: str,
    goal: str | None = None,
    *,
    trials: int = 3,
    ledger: str | Path | None = None,
    fresh: bool = False,
    concurrency: int = 16,
    timeout: float = 300.0,
    quiet: bool = False,
) -> Chosen:
    """Ask a model which of two pictures of a design is the more effective one, in both orders, and why. As `affordance
    choose`: replies are kept in the ledger, so the same call again asks nothing.

        affordance.choose("old.png", "new.png", "baseline:pixels", goal="More visitors begin a trial").verdict
    """

    def work() -> Asking:
        with shown() as watch:
            return ask_which(
                (Path(a), Path(b)),
                model,
                goal,
                trials=trials,
                ledger=ledger_of(ledger),
                pictures=cache_folder() / "pictures",
                means=means_of(concurrency, timeout, None),
                fresh=fresh,
                watch=watch,
            )

    with hushed(quiet):
        asking = outside_of_loops(work)
        finished(asking.request, asking.progress, asking.run)
    if asking.progress.interrupted.startswith(INTERRUPTED):
        raise KeyboardInterrupt
    if not asking.said:
        raise UserError(f"{asking.model} gave no reply to judge by")
    return Chosen(prefer(asking.said), asking)
