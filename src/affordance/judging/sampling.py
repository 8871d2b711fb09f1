"""Stratified samples with weights: judgements for people to label, and failures for people to review."""

import csv
import io
import json
import random
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from affordance.core.attempts import SCORED_STATUSES, AttemptResult, AttemptStatus
from affordance.core.csv_cells import escape_csv_cell
from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.judging.judgements import JudgedUnit, judge_questions, judged_units
from affordance.ledger import Ledger, RunRecord
from affordance.tasks.registry import TASKS
from affordance.tasks.task import Task

S = TypeVar("S", bound=Hashable)

Stratum = tuple[str, str]  # model and verdict


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One row of a label file. It names neither the model nor the judge's verdict; the last columns are not for the
    labeller."""

    text_a: str
    text_b: str
    label: str
    labeller: str
    task: str
    weight: float
    judgement: str

    @property
    def texts_digest(self) -> str:
        return texts_digest(self.text_a, self.text_b)


@dataclass(frozen=True, slots=True)
class LabelSample:
    rows: tuple[LabelRow, ...]
    population: int  # judgements that there are
    models: int


def texts_digest(text_a: str, text_b: str) -> str:
    """Digest of the texts of a judgement, as its id does not depend on them."""
    return digest("texts", text_a, text_b)


def judgement_stratum(unit: JudgedUnit) -> Stratum:
    return unit.subject.model, unit.verdict


def allocate(sizes: Mapping[S, int], number: int, stratum_description: str = "model and verdict") -> dict[S, int]:
    """The number to sample from each stratum: equally many, but no more than there are; what is left over goes to the
    largest. At least one from each, or its weight would be lost.

    Args:
        stratum_description: what a stratum is, for the error message.
    """
    if number < len(sizes):
        raise UserError(
            f"-n: expected at least {len(sizes)}, one for each {stratum_description} that there is, found {number}"
        )
    drawn: dict[S, int] = {}
    left = min(number, sum(sizes.values()))
    # From the smallest on: what a small one cannot take is shared by the larger ones.
    for place, name in enumerate(sorted(sizes, key=lambda one: (sizes[one], str(one)))):
        drawn[name] = min(sizes[name], left // (len(sizes) - place))
        left -= drawn[name]
    return drawn


def stratified_sample(
    strata: Mapping[S, Sequence[str]], number: int, seed: int, stratum_description: str = "model and verdict"
) -> dict[str, float]:
    """The sampled ids, shuffled, with their weights: the size of the stratum by the number sampled from it."""
    counts = allocate({name: len(ids) for name, ids in strata.items()}, number, stratum_description)
    weights = {
        one: len(ids) / counts[name]
        for name, ids in strata.items()
        for one in sorted(ids, key=lambda one: digest("draw", seed, one))[: counts[name]]
    }
    return {one: weights[one] for one in shuffle_ids(weights, seed)}


def shuffle_ids(ids: Iterable[str], seed: int) -> list[str]:
    """The ids in the order in which they are shown."""
    found = sorted(ids)
    random.Random(seed).shuffle(found)
    return found


def sample_judgements(ledger: Ledger, run: RunRecord, task: Task, number: int, seed: int) -> LabelSample:
    found = judged_units(ledger, run, task)
    if not found:
        raise UserError(f"run {run.name!r} has no judgements of {task.name} yet; finish it with `affordance run`")
    strata: dict[Stratum, list[str]] = {}
    for unit in found:
        strata.setdefault(judgement_stratum(unit), []).append(unit.id)
    weights = stratified_sample(strata, number, seed)
    by_id = {unit.id: unit for unit in found}
    questions = judge_questions(ledger, run, [by_id[one] for one in weights])
    rows = tuple(
        LabelRow(fields["text_a"], fields["text_b"], "", "", task.name, weight, one)
        for one, weight in weights.items()
        for fields in [questions[one].prompt_fields]
    )
    return LabelSample(rows, len(found), len({model for model, _ in strata}))


def write_sample(sample: LabelSample, path: Path) -> None:
    """Write a sample as CSV, or as JSON lines if the name says so. An existing file is kept, as it may hold labels."""
    rows = [asdict(row) for row in sample.rows]
    text = _jsonl_text(rows) if path.suffix == ".jsonl" else _csv_text(rows)
    try:
        # Responses may have characters without UTF-8; the texts are only read by people.
        with path.open("x", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
    except FileExistsError:
        raise UserError(f"{path} is there already and may hold labels; name another file with -o") from None
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}; name another file with -o") from None


def _jsonl_text(rows: Sequence[Mapping[str, object]]) -> str:
    return "".join(json.dumps({**row, "label": None}, ensure_ascii=False) + "\n" for row in rows)


def _csv_text(rows: Sequence[Mapping[str, object]]) -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows([{name: _csv_cell(value) for name, value in row.items()} for row in rows])
    # With a mark at its beginning: without one, spreadsheets take UTF-8 for something else.
    return "\ufeff" + written.getvalue()


def _csv_cell(value: object) -> object:
    return escape_csv_cell(value) if isinstance(value, str) else value


WRONG, PARTLY_RIGHT = "wrong", "partly right"  # how attempts ended whose answer was read


@dataclass(frozen=True, slots=True)
class FailureSample:
    weights: dict[str, float]  # by attempt, in the order in which they are shown
    population: int  # failures that there are
    models: int


def failure_kind(outcome: AttemptResult) -> str | None:
    """How an attempt failed: with a wrong or partly right answer, or refused, unparsed or truncated. None if it did
    not, or if that is not the model's doing: provider errors, skipped attempts, controls. A judged answer fails only
    with a score of 0."""
    task, verdict = TASKS.get(outcome.task), outcome.verdict
    if task is None or verdict is None or verdict.status not in SCORED_STATUSES:
        return None
    if task.views.split.control and outcome.tags.get(task.views.split.tag) == task.views.split.control:
        return None
    if verdict.status is not AttemptStatus.ANSWERED:
        return str(verdict.status)
    if verdict.score is None or verdict.score == 1 or (verdict.score and task.judge is not None):
        return None
    return PARTLY_RIGHT if verdict.score else WRONG


def sample_failures(ledger: Ledger, run: RunRecord, number: int, seed: int) -> FailureSample:
    strata: dict[Stratum, list[str]] = {}
    for outcome in ledger.attempt_results(run.id):
        if (how := failure_kind(outcome)) is not None:
            strata.setdefault((outcome.model, how), []).append(outcome.attempt_id)
    if not strata:
        raise UserError(f"run {run.name!r} has no failed attempts to review: every answer that was scored is right")
    weights = stratified_sample(strata, number, seed, stratum_description="model and way of failing")
    return FailureSample(weights, sum(map(len, strata.values())), len({model for model, _ in strata}))
