"""Drawing judgements for people to label: stratified by model and verdict, so that few labels tell of every model where
its judge is right and where it is wrong. Weights make up for strata being drawn from unequally."""

import csv
import io
import json
import random
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.datasets.sheets import as_text
from affordance.ledger import Ledger, Run
from affordance.run.judged import Unit, questions_of, units
from affordance.suites.task import Task

S = TypeVar("S", bound=Hashable)

Stratum = tuple[str, str]  # model and verdict


@dataclass(frozen=True, slots=True)
class Sheet:
    """One row for a person to fill in. It names neither the model nor what the judge said; the columns that are not for
    the reader come last."""

    text_a: str
    text_b: str
    label: str
    labeller: str
    task: str
    weight: float
    judgement: str

    @property
    def texts(self) -> str:
        return digest_of_texts(self.text_a, self.text_b)


@dataclass(frozen=True, slots=True)
class Sample:
    rows: tuple[Sheet, ...]
    population: int  # judgements that there are
    models: int


def digest_of_texts(text_a: str, text_b: str) -> str:
    """By which it is known whether a judgement is about the texts that people were shown: its id does not say."""
    return digest("texts", text_a, text_b)


def stratum_of(unit: Unit) -> Stratum:
    return unit.subject.model, unit.verdict


def allocate(sizes: Mapping[S, int], number: int, each: str = "model and verdict") -> dict[S, int]:
    """How many to draw from each stratum: equally many, but no more than there are; what is left over goes to the
    largest. At least one from each, or its weight would be lost. `each` says what a stratum is."""
    if number < len(sizes):
        raise UserError(f"-n: expected at least {len(sizes)}, one for each {each} that there is, found {number}")
    drawn: dict[S, int] = {}
    left = min(number, sum(sizes.values()))
    # From the smallest on: what a small one cannot take is shared by the larger ones.
    for place, name in enumerate(sorted(sizes, key=lambda one: (sizes[one], str(one)))):
        drawn[name] = min(sizes[name], left // (len(sizes) - place))
        left -= drawn[name]
    return drawn


def draw(
    strata: Mapping[S, Sequence[str]], number: int, seed: int, each: str = "model and verdict"
) -> dict[str, float]:
    """The drawn ids with their weights: the size of the stratum by how many were drawn from it. The order is mixed."""
    counts = allocate({name: len(ids) for name, ids in strata.items()}, number, each)
    weights = {
        one: len(ids) / counts[name]
        for name, ids in strata.items()
        for one in sorted(ids, key=lambda one: digest("draw", seed, one))[: counts[name]]
    }
    return {one: weights[one] for one in mixed(weights, seed)}


def mixed(ids: Iterable[str], seed: int) -> list[str]:
    """In the order in which people are shown them."""
    found = sorted(ids)
    random.Random(seed).shuffle(found)
    return found


def sample(ledger: Ledger, run: Run, task: Task, number: int, seed: int) -> Sample:
    found = units(ledger, run, task)
    if not found:
        raise UserError(f"run {run.name!r} has no judgements of {task.name} yet; finish it with `affordance run`")
    strata: dict[Stratum, list[str]] = {}
    for unit in found:
        strata.setdefault(stratum_of(unit), []).append(unit.id)
    weights = draw(strata, number, seed)
    by_id = {unit.id: unit for unit in found}
    questions = questions_of(ledger, run, [by_id[one] for one in weights])
    rows = tuple(
        Sheet(fields["text_a"], fields["text_b"], "", "", task.name, weight, one)
        for one, weight in weights.items()
        for fields in [questions[one].fields]
    )
    return Sample(rows, len(found), len({model for model, _ in strata}))


def write_sample(drawn: Sample, path: Path) -> None:
    """As CSV, or as JSON lines where the name says so. A file that is there stays: somebody may have filled it in."""
    rows = [asdict(row) for row in drawn.rows]
    text = _lines(rows) if path.suffix == ".jsonl" else _table(rows)
    try:
        # Models say what has no UTF-8; the texts are there to be read, and nothing is read back from them.
        with path.open("x", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
    except FileExistsError:
        raise UserError(f"{path} is there already and may hold labels; name another file with -o") from None
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}; name another file with -o") from None


def _lines(rows: Sequence[Mapping[str, object]]) -> str:
    return "".join(json.dumps({**row, "label": None}, ensure_ascii=False) + "\n" for row in rows)


def _table(rows: Sequence[Mapping[str, object]]) -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows([{name: _cell(value) for name, value in row.items()} for row in rows])
    # With a mark at its beginning: without one, spreadsheets take UTF-8 for something else.
    return "\ufeff" + written.getvalue()


def _cell(value: object) -> object:
    return as_text(value) if isinstance(value, str) else value
