"""Which of two designs does a model prefer?"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affordance.api._called import called
from affordance.api._given import hushed, means_given
from affordance.api._loops import outside_of_loops
from affordance.cli.progress import shown
from affordance.cli.run import finished
from affordance.core.config import resolve_ledger
from affordance.core.errors import UserError
from affordance.core.places import cache_folder
from affordance.models.providers import read_key_env
from affordance.report.exports.fragment import fragment
from affordance.report.preferred import as_data, headline, in_words, votes
from affordance.report.tables import text_of
from affordance.run.choosing import Asking, ask_which
from affordance.run.signals import INTERRUPTED
from affordance.suites.behavior.choose import Letter, Preference, prefer


@dataclass(frozen=True, slots=True, repr=False)
class Chosen:
    """What a model prefers once its preference for a place is taken out: `verdict` is "A", "B", or None where that
    cannot be told; `preference` has the counts. Printed it says so, with the reasons that the model gave."""

    preference: Preference  # the verdict, how sure it is, and the counts
    asking: Asking  # what was asked and said

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


@called
def choose(
    a: str | Path,  # a picture
    b: str | Path,  # another
    model: str,  # PROVIDER:MODEL[@BASE_URL]
    goal: str | None = None,  # what the page is for, in words; None: it is not told
    *,
    trials: int = 3,  # times to ask in each of both orders
    ledger: str | Path | None = None,  # None: AFFORDANCE_LEDGER, affordance.toml or affordance.db
    fresh: bool = False,  # take no earlier reply
    concurrency: int = 16,  # asks at once, at most
    timeout: float = 300.0,  # seconds to wait for a reply
    key_env: str | None = None,  # environment variable with the API key; None: the provider's, at its own host
    quiet: bool = False,  # no progress and no remarks
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
                ledger=resolve_ledger(ledger),
                pictures=cache_folder() / "pictures",
                means=means_given(concurrency, timeout, key_env=read_key_env([key_env] if key_env else [], [model])),
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
