"""Results as Python objects: rows, samples, comparisons and design choices. They print as tables, also in notebooks."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, overload

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.config import ConfigFile
from affordance.core.errors import UnknownName, UserError
from affordance.core.files import atomic_write
from affordance.core.paths import cache_dir
from affordance.core.requests import Response
from affordance.core.table import Table
from affordance.datasets import load_collection
from affordance.evaluation.design_choice import DesignChoiceRun
from affordance.ledger import AttemptStep, Ledger, open_ledger
from affordance.models.profile import config_prices
from affordance.report.comparison import TaskComparison
from affordance.report.comparison_text import comparison_table, describe_comparison
from affordance.report.design_choice import choice_record, describe_choice, headline, vote_table
from affordance.report.formats.html import render_html
from affordance.report.formats.row_formats import ROW_FORMATS
from affordance.report.formats.terminal import render_text
from affordance.report.page.html_report import DEFAULT_IMAGE_ITEMS, write_report
from affordance.report.page.image_strips import ThumbnailRenderer
from affordance.report.report_tables import report_tables
from affordance.report.result_row import ResultRow
from affordance.report.results import read_results
from affordance.report.source_files import SourceFiles
from affordance.tasks.behavior.design_preference import DesignLetter, DesignPreference
from affordance.tasks.registry import TASKS

_FORMATS_BY_SUFFIX = {".md": "md", ".tex": "latex", ".csv": "csv", ".json": "json", ".txt": "table"}


@dataclass(frozen=True, slots=True, repr=False)
class Results(Sequence[ResultRow]):
    """The rows of a leaderboard, best first within a task, and the samples behind them.

    results = affordance.open_results("affordance.db")
    results[0].model, results[0].metrics["accuracy"], results[0].intervals["accuracy"]
    results.samples(correct=False)[0].response.text
    results.to_dataframe()
    results.save("report.html")
    """

    rows: tuple[ResultRow, ...]
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
        """Whether every attempt was made. Rows with failed attempts have `bounds` instead of a final number."""
        return all(row.complete for row in self.rows)

    def samples(
        self,
        *,
        run: str | None = None,
        task: str | None = None,
        model: str | None = None,
        item: str | None = None,
        status: str | None = None,
        correct: bool | None = None,
    ) -> "Samples":
        """The attempts behind the rows, read from the ledger when they are looked at.

        Args:
            run: only attempts of this run.
            task: only of this task.
            model: only of this model, by its name in the rows.
            item: only on this item of the dataset.
            status: only with this status: answered, refused, unparsed, truncated, failed or skipped.
            correct: only attempts with a full score, or only scored ones without it.
        """
        if status is not None and status not in set(AttemptStatus):
            raise UnknownName("status", status, AttemptStatus)
        keys = {(row.run, row.task, row.model, row.strategy) for row in self.rows}
        found: list[tuple[str, AttemptResult]] = []
        with open_ledger(self.ledger, read_only=True) as ledger:
            for name in dict.fromkeys(row.run for row in self.rows if run in (None, row.run)):
                for one in ledger.attempt_results(ledger.find_run(name).id):
                    is_chosen = (
                        (name, one.task, one.model, one.strategy) in keys
                        and task in (None, one.task)
                        and model in (None, one.model)
                        and item in (None, one.item_id)
                        and (status is None or (one.verdict is not None and one.verdict.status == status))
                        and (correct is None or _is_correct(one) is correct)
                    )
                    if is_chosen:
                        found.append((name, one))
        return Samples(self.ledger, tuple(found))

    def to_json(self) -> list[dict[str, Any]]:
        """The rows as `affordance report --json` prints them."""
        return [row.to_json() for row in self.rows]

    def to_records(self, level: Literal["row", "attempt"] = "row") -> list[dict[str, Any]]:
        """Flat dictionaries: one per row with its metrics and intervals, or one per attempt."""
        if level == "row":
            return [_row_record(row) for row in self.rows]
        if level != "attempt":
            raise UnknownName("level", level, ("row", "attempt"))
        return [_attempt_record(run, one) for run, one in self.samples().results]

    def to_dataframe(self, level: Literal["row", "attempt"] = "row") -> Any:
        """The records as a pandas data frame; needs pandas."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise UserError("to_dataframe() needs pandas: pip install pandas") from None
        return pandas.DataFrame(self.to_records(level))

    def save(
        self, path: str | Path, *, data: str | Path | None = None, samples: int | None = DEFAULT_IMAGE_ITEMS
    ) -> Path:
        """Write the results in the format of the path's suffix: .html, .md, .tex, .csv, .json or .txt.

        Args:
            path: The file. It is written completely or not at all.
            data: For .html: where the dataset is now, if it was moved.
            samples: For .html: number of items saved with images; None for all.
        """
        target = Path(path)
        if target.suffix == ".html":
            self._save_page(target, data, samples)
        elif (format_ := _FORMATS_BY_SUFFIX.get(target.suffix)) is not None:
            atomic_write(target, ROW_FORMATS[format_](self.rows).encode("utf-8", "replace"))
        else:
            raise UnknownName("suffix", target.suffix, [".html", *_FORMATS_BY_SUFFIX])
        return target

    def _save_page(self, path: Path, data: str | Path | None, samples: int | None) -> None:
        datasets = load_collection(str(data), cache_dir()).datasets if data is not None else ()
        prices = config_prices(ConfigFile.load())
        with open_ledger(self.ledger, read_only=True) as ledger:
            runs = [ledger.find_run(name) for name in dict.fromkeys(row.run for row in self.rows)]
            results = read_results(ledger, runs, sorted({row.task for row in self.rows}))
            write_report(path, results, self.rows, datasets, prices=prices, pictured=samples)

    def __str__(self) -> str:
        return ROW_FORMATS["table"](self.rows)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return render_html(report_tables(self.rows))


@dataclass(frozen=True, slots=True)
class SampleMessage:
    """One message as it was sent. `images` are digests of the images and videos in it."""

    role: str
    text: str
    images: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """The request that a response answers."""

    key: str  # in the ledger
    messages: tuple[SampleMessage, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Sample:
    """One attempt: the question, what was sent, what came back and how it was scored."""

    run: str
    result: AttemptResult
    steps: tuple[AttemptStep, ...]  # the requests and responses of its strategy, in order
    ledger: str = field(repr=False)

    @property
    def task(self) -> str:
        return self.result.task

    @property
    def model(self) -> str:
        return self.result.model

    @property
    def item(self) -> str:
        """The item's id in the dataset."""
        return self.result.item_id

    @property
    def truth(self) -> str:
        """The correct answer, as the report shows it."""
        task = TASKS.get(self.result.task)
        return self.result.truth if task is None else task.views.describe_truth(self.result.truth)

    @property
    def verdict(self) -> Verdict | None:
        """Status, answer and score; None while the attempt is pending."""
        return self.result.verdict

    @property
    def response(self) -> Response:
        """The last response of the attempt."""
        if not self.steps:
            raise UserError(f"the attempt of {self.model} on {self.item} has no response")
        return self.steps[-1].response

    @property
    def request(self) -> SampleRequest:
        """The request of that response."""
        if not self.steps:
            raise UserError(f"the attempt of {self.model} on {self.item} has no request")
        step = self.steps[-1]
        return SampleRequest(step.key, tuple(_message(role, parts) for role, parts in json.loads(step.transcript)))

    def __repr__(self) -> str:
        verdict = self.verdict
        ended = "pending" if verdict is None else f"{verdict.status}, answer {verdict.answer!r}, score {verdict.score}"
        return f"<Sample {self.task} {self.item} {self.model}: {ended}; correct answer {self.truth!r}>"

    def _repr_html_(self) -> str:
        texts = [repr(self).strip("<>")]
        if self.steps:
            texts += [message.text for message in self.request.messages]
            texts.append(self.response.text)
        paragraphs = "".join(f'<p style="white-space:pre-wrap;max-width:60em">{escape(text)}</p>' for text in texts)
        return f"<div>{self._images_html()}{paragraphs}</div>"

    def _images_html(self) -> str:
        digests = [digest for message in self.request.messages for digest in message.images] if self.steps else []
        if not digests:
            return ""
        with open_ledger(self.ledger, read_only=True) as ledger:
            strip = ThumbnailRenderer(ledger, SourceFiles()).image_strip(digests)
        frames = "".join(f'<img src="{escape(one.uri)}" style="max-height:320px">' for one in strip.frames)
        return frames or f"<p>{escape(strip.missing)}</p>"


@dataclass(frozen=True, slots=True, repr=False)
class Samples(Sequence[Sample]):
    """Attempts whose requests and responses are read when they are looked at."""

    ledger: str
    results: tuple[tuple[str, AttemptResult], ...]  # with the name of the run

    @overload
    def __getitem__(self, place: int) -> Sample: ...
    @overload
    def __getitem__(self, place: slice) -> "Samples": ...
    def __getitem__(self, place: int | slice) -> "Sample | Samples":
        if isinstance(place, slice):
            return Samples(self.ledger, self.results[place])
        with open_ledger(self.ledger, read_only=True) as ledger:
            (sample,) = _read_samples(ledger, self.ledger, [self.results[place]])
        return sample

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Sample]:
        with open_ledger(self.ledger, read_only=True) as ledger:
            for start in range(0, len(self.results), 100):
                yield from _read_samples(ledger, self.ledger, self.results[start : start + 100])

    def __repr__(self) -> str:
        return f"<{len(self.results)} samples of {self.ledger}>"


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """Two runs or models compared task by task: differences, intervals, p values, subgroups and changed items."""

    pairs: tuple[TaskComparison, ...]  # one per task and condition that both sides have

    def to_json(self) -> list[dict[str, Any]]:
        """As `affordance compare --json` prints it."""
        return [one.to_json() for one in self.pairs]

    def __str__(self) -> str:
        return "\n\n".join(describe_comparison(self.pairs))

    def __repr__(self) -> str:
        return f"{self}\n\n{render_text(self._tables())}"

    def _repr_html_(self) -> str:
        return render_html(self._tables(), describe_comparison(self.pairs))

    def _tables(self) -> Sequence[Table]:
        sides = dict.fromkeys(one.names for one in self.pairs)
        return [comparison_table([one for one in self.pairs if one.names == names]) for names in sides]


@dataclass(frozen=True, slots=True, repr=False)
class DesignChoice:
    """The design a model prefers, with position bias removed: `verdict` is "A", "B", or None if it is undecided."""

    preference: DesignPreference  # the verdict, its probability, and the counts
    choice: DesignChoiceRun  # requests and responses

    @property
    def verdict(self) -> DesignLetter | None:
        return self.preference.verdict

    @property
    def confidence(self) -> float:
        """The probability of the verdict."""
        return self.preference.confidence

    def to_json(self) -> dict[str, Any]:
        """As `affordance choose --json` prints it."""
        return choice_record(self.preference, self.choice)

    def __repr__(self) -> str:
        table = render_text([vote_table(self.preference, self.choice)])
        text = "\n".join(describe_choice(self.preference, self.choice.said, self.choice.goal))
        return f"{headline(self.preference, self.choice.model)}\n\n{table}\n{text}"

    def _repr_html_(self) -> str:
        text = "\n".join(describe_choice(self.preference, self.choice.said, self.choice.goal)).split("\n\n")
        table = vote_table(self.preference, self.choice)
        return render_html([table], [headline(self.preference, self.choice.model), *text])


def _read_samples(ledger: Ledger, location: str, results: Iterable[tuple[str, AttemptResult]]) -> Iterator[Sample]:
    chosen = list(results)
    steps = ledger.steps_of([one.attempt_id for _, one in chosen])
    for run, one in chosen:
        yield Sample(run, one, tuple(steps.get(one.attempt_id, ())), location)


def _message(role: str, parts: Sequence[str | Mapping[str, str]]) -> SampleMessage:
    texts = [part for part in parts if isinstance(part, str)]
    images = [digest for part in parts if not isinstance(part, str) for digest in part.values()]
    return SampleMessage(role, "\n".join(texts), tuple(images))


def _is_correct(result: AttemptResult) -> bool | None:
    score = None if result.verdict is None else result.verdict.counted_score
    return None if score is None else score == 1


def _row_record(row: ResultRow) -> dict[str, Any]:
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


def _attempt_record(run: str, result: AttemptResult) -> dict[str, Any]:
    verdict = result.verdict
    return {
        "run": run, "task": result.task, "model": result.model, "strategy": result.strategy, "trial": result.trial,
        "item": result.item_id, "question": result.question_id, "truth": result.truth,
        "status": None if verdict is None else str(verdict.status),
        "answer": None if verdict is None else verdict.answer,
        "score": None if verdict is None else verdict.counted_score, **result.tags,
    }  # fmt: skip
