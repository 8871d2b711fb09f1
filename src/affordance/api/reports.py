"""What a ledger says, as rows, tables, files and data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, overload

from affordance.api._called import validate_arguments
from affordance.api._given import Names, names_of
from affordance.console.output import print_note
from affordance.core.config import find_config, read_config, resolve_ledger
from affordance.core.errors import UnknownName, UserError
from affordance.core.paths import cache_dir
from affordance.datasets import load_collection
from affordance.ledger import open_ledger
from affordance.models.profile import config_prices
from affordance.report.formats.html import render_html
from affordance.report.formats.row_formats import ROW_FORMATS
from affordance.report.page.html_report import DEFAULT_IMAGE_ITEMS, write_report
from affordance.report.page.sample_files import write_atomic
from affordance.report.report_tables import report_tables
from affordance.report.result_row import ResultRow
from affordance.report.results import read_results
from affordance.report.rows import load_rows
from affordance.report.text_metrics import add_text_metrics, missing_text_metrics
from affordance.tasks.registry import resolve_tasks

_FORMATS_BY_SUFFIX = {".md": "md", ".tex": "latex", ".csv": "csv", ".json": "json", ".txt": "table"}


@dataclass(frozen=True, slots=True, repr=False)
class Report(Sequence[ResultRow]):
    """The rows of a leaderboard, best first within a task. It is a sequence of them; printed it is the table of
    `affordance report`, and in a notebook the same as HTML.

        report = affordance.results("affordance.db")
        report[0].model, report[0].metrics["accuracy"], report[0].intervals["accuracy"]
        report.to_dataframe()
        report.save("report.html")
    """

    rows: tuple[ResultRow, ...]  # best first within a task
    ledger: str  # where they come from

    @overload
    def __getitem__(self, place: int) -> ResultRow: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[ResultRow, ...]: ...
    def __getitem__(self, place: int | slice) -> ResultRow | tuple[ResultRow, ...]:
        return self.rows[place]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[ResultRow]:
        return iter(self.rows)

    @property
    def complete(self) -> bool:
        """Whether every attempt was made. Where it is not, numbers have bounds: see `Row.bounds`."""
        return all(row.complete for row in self.rows)

    def save(
        self, path: str | Path, *, data: str | Path | None = None, samples: int | None = DEFAULT_IMAGE_ITEMS
    ) -> Path:
        """Write the results in the format of the path's suffix: .html, .md, .tex, .csv, .json or .txt.

        Args:
            path: The file. It is written completely or not at all.
            data: For .html: where the dataset is now, if it was moved.
            samples: For .html: number of items saved with images; None for all.
        """
        where = Path(path)
        if where.suffix == ".html":
            self._save_page(where, data, samples)
        elif (format_ := _FORMATS_BY_SUFFIX.get(where.suffix)) is not None:
            write_atomic(where, ROW_FORMATS[format_](self.rows).encode("utf-8", "replace"))
        else:
            raise UnknownName("suffix", where.suffix, [".html", *_FORMATS_BY_SUFFIX])
        return where

    def to_json(self) -> list[dict[str, Any]]:
        """The rows as data, as `affordance report --json` prints them."""
        return [row.to_json() for row in self.rows]

    def to_records(self) -> list[dict[str, Any]]:
        """A flat dictionary per row: what it is about, and its metrics with the ends of their intervals."""
        return [_record(row) for row in self.rows]

    def to_dataframe(self) -> Any:
        """The records as a pandas data frame; needs pandas."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise UserError("to_dataframe() needs pandas: pip install pandas") from None
        return pandas.DataFrame(self.to_records())

    def _save_page(self, path: Path, data: str | Path | None, samples: int | None) -> None:
        where = load_collection(str(data), cache_dir()).datasets if data is not None else ()
        prices = config_prices(read_config(find_config(Path.cwd())))
        with open_ledger(self.ledger, read_only=True) as opened:
            runs = [opened.find_run(name) for name in dict.fromkeys(row.run for row in self.rows)]
            found = read_results(opened, runs, sorted({row.task for row in self.rows}))
            write_report(path, found, self.rows, where, prices=prices, pictured=samples)

    def __str__(self) -> str:
        return ROW_FORMATS["table"](self.rows)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return render_html(report_tables(self.rows))


@validate_arguments
def results(
    ledger: str | Path | None = None,  # None: AFFORDANCE_LEDGER, affordance.toml or affordance.db
    *,
    run: Names = (),  # only these runs
    task: Names = (),  # only these tasks or suites
    wording: bool = False,  # compare the words of explanations too: BLEU-2, BLEU-4 and ROUGE-L
    meteor: bool = False,  # and METEOR, which needs the extra of that name, and WordNet
    bertscore: str | Path | None = None,  # and BERTScore, with the weights in this folder; needs the extra of that name
) -> Report:
    """What a ledger says: all of it, or of some runs and tasks. As `affordance report`.

        affordance.results("affordance.db", task="motion")

    Nothing is asked. Scores of wording are metrics of `behavior/rationale`, and computed only here, where they are
    asked for: they need the text of every explanation."""
    where = resolve_ledger(ledger)
    only = [one.name for one in resolve_tasks(names_of(task))]
    with open_ledger(where, read_only=True) as opened:
        found, rows = load_rows(opened, names_of(run), only)
        if wording or meteor or bertscore is not None:
            rows = add_text_metrics(found, rows, meteor=meteor, weights=None if bertscore is None else Path(bertscore))
            if odd := missing_text_metrics(rows):
                print_note(odd)
        return Report(tuple(rows), where)


def _record(row: ResultRow) -> dict[str, Any]:
    found: dict[str, Any] = {
        "run": row.run, "task": row.task, "form": row.form, "model": row.model, "strategy": row.strategy,
        "dataset": row.dataset.get("name"), "n": row.n, "items": row.items, "complete": row.complete,
        "chance": row.chance,
    }  # fmt: skip
    for name, value in row.metrics.items():
        if value is not None:
            found[name] = value
            if name in row.counts:
                found[f"{name}_n"] = row.counts[name]
            if name in row.intervals:
                found[f"{name}_low"], found[f"{name}_high"] = row.intervals[name]
    return found
