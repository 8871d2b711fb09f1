"""Which of two designs does a model prefer?"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affordance.api._called import validate_arguments
from affordance.api._given import how_to_resume, means_given
from affordance.api._loops import outside_of_loops
from affordance.console.output import output_scope
from affordance.console.progress import run_progress
from affordance.console.run_summary import report_problems
from affordance.core.config import resolve_ledger
from affordance.core.errors import UserError
from affordance.core.paths import cache_dir
from affordance.evaluation.design_choice import DesignChoiceRun, choose_design
from affordance.evaluation.interrupts import INTERRUPTED
from affordance.models.providers import read_key_env
from affordance.report.design_choice import choice_record, describe_choice, headline, vote_table
from affordance.report.formats.html import render_html
from affordance.report.formats.terminal import render_text
from affordance.tasks.behavior.design_preference import DesignLetter, DesignPreference, infer_preference


@dataclass(frozen=True, slots=True, repr=False)
class Chosen:
    """What a model prefers once its preference for a place is taken out: `verdict` is "A", "B", or None where that
    cannot be told; `preference` has the counts. Printed it says so, with the reasons that the model gave."""

    preference: DesignPreference  # the verdict, how sure it is, and the counts
    asking: DesignChoiceRun  # what was asked and said

    @property
    def verdict(self) -> DesignLetter | None:
        return self.preference.verdict

    @property
    def confidence(self) -> float:
        return self.preference.confidence

    def to_json(self) -> dict[str, Any]:
        """As `affordance choose --json` prints it."""
        return choice_record(self.preference, self.asking)

    def __repr__(self) -> str:
        table = render_text([vote_table(self.preference, self.asking)])
        words = "\n".join(describe_choice(self.preference, self.asking.said, self.asking.goal))
        return f"{headline(self.preference, self.asking.model)}\n\n{table}\n{words}"

    def _repr_html_(self) -> str:
        words = "\n".join(describe_choice(self.preference, self.asking.said, self.asking.goal)).split("\n\n")
        table = vote_table(self.preference, self.asking)
        return render_html([table], [headline(self.preference, self.asking.model), *words])


@validate_arguments
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

        affordance.choose("old.png", "new.png", "baseline:first", goal="More visitors begin a trial").verdict
    """

    def work() -> DesignChoiceRun:
        with run_progress() as watch:
            return choose_design(
                (Path(a), Path(b)),
                model,
                goal,
                trials=trials,
                ledger=resolve_ledger(ledger),
                render_cache=cache_dir() / "pictures",
                execution=means_given(
                    concurrency, timeout, key_env=read_key_env([key_env] if key_env else [], [model])
                ),
                fresh=fresh,
                on_progress=watch,
            )

    with output_scope(quiet=quiet):
        asking = outside_of_loops(work)
        report_problems(asking.progress, how_to_resume(asking.request.fresh, asking.progress.over_budget, asking.run))
    if asking.progress.stop_reason.startswith(INTERRUPTED):
        raise KeyboardInterrupt
    if not asking.said:
        raise UserError(f"{asking.model} gave no reply to judge by")
    return Chosen(infer_preference(asking.said), asking)
