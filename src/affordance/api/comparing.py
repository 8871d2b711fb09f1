"""Is one run or model better than another?"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affordance.api._called import validate_arguments
from affordance.api._given import Names, names_of
from affordance.core.config import resolve_ledger
from affordance.core.table import Table
from affordance.core.text import parse_choices
from affordance.ledger import open_ledger
from affordance.report.comparison import TaskComparison
from affordance.report.comparison import compare as compare_sides
from affordance.report.comparison_sides import DifferenceKind
from affordance.report.comparison_text import comparison_table, describe_comparison
from affordance.report.formats.html import render_html
from affordance.report.formats.terminal import render_text
from affordance.tasks.registry import resolve_tasks


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """Two sides, task by task: `pairs` holds the difference on each, its interval and p, where it comes from and which
    items flipped. Printed it says what can be claimed and what cannot."""

    pairs: tuple[TaskComparison, ...]  # one for each task, and for each way of asking that both sides have

    def to_json(self) -> list[dict[str, Any]]:
        """As `affordance compare --json` prints it."""
        return [one.to_json() for one in self.pairs]

    def table(self) -> str:
        return render_text(self._tables())

    def __str__(self) -> str:
        return "\n\n".join(describe_comparison(self.pairs))

    def __repr__(self) -> str:
        return f"{self}\n\n{self.table()}"

    def _repr_html_(self) -> str:
        return render_html(self._tables(), describe_comparison(self.pairs))

    def _tables(self) -> Sequence[Table]:
        sides = dict.fromkeys(one.names for one in self.pairs)
        return [comparison_table([one for one in self.pairs if one.names == names]) for names in sides]


@validate_arguments
def compare(
    first: str,  # a run, a model, or RUN/MODEL
    second: str,  # another
    *,
    ledger: str | Path | None = None,  # None: AFFORDANCE_LEDGER, affordance.toml or affordance.db
    task: Names = (),  # only these tasks or suites
    despite: Names = (),  # compare although these differ: data, prompts, protocol...
) -> Comparison:
    """Is the first better than the second, by how much, and how sure is that? Each is a run, a model, or RUN/MODEL. As
    `affordance compare`: `despite` allows what else may differ.

        print(affordance.compare("baseline:pixels", "baseline:random"))
    """
    allowed = parse_choices(DifferenceKind, ",".join(names_of(despite)), "--despite")
    only = [one.name for one in resolve_tasks(names_of(task))]
    with open_ledger(resolve_ledger(ledger), read_only=True) as opened:
        return Comparison(tuple(compare_sides(opened, first, second, only, allowed)))
