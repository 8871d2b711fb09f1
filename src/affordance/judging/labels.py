"""Human labels of judgements: the guide for labellers, and reading labels from files and studies."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import Field

from affordance.core.errors import DataError, UnknownName, UserError
from affordance.core.json_text import read_jsonl
from affordance.core.model_name import STUDY_PREFIX
from affordance.core.question import RatingScale
from affordance.core.validation import StrictModel
from affordance.datasets.dataset import FilePosition
from affordance.datasets.published.rows import RawRow, read_csv
from affordance.judging.judgements import JUDGE_SPECS, judged_units, recoverable_questions, redacted_judgements
from affordance.judging.sampling import shuffle_ids, texts_digest
from affordance.ledger import Ledger, RunRecord, open_ledger
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import valid_answers
from affordance.stats import krippendorff_alpha
from affordance.tasks.registry import TASKS

# What a label is. The texts are called as the columns of a file are.
LABEL_GUIDES: Mapping[str, str] = {
    "behavior/rationale": "yes where the reasoning of text_b is contained in text_a, else no",
    "motion/meaning": "how far the two texts agree in meaning, from 0 (unrelated) to 5 (the same)",
}

# The question, where the answer is yes or no.
LABEL_QUESTIONS: Mapping[str, str] = {"behavior/rationale": "Is the reasoning of text_b contained in text_a?"}

# What each score means, where labels are scores.
SCORE_MEANINGS: Mapping[str, Mapping[int, str]] = {
    "motion/meaning": {
        0: "unrelated or contradictory",
        1: "the same topic only",
        2: "some overlap",
        3: "the same gist",
        4: "nearly the same",
        5: "the same meaning",
    },
}


COLUMNS = ("judgement", "task", "label", "weight")  # that a file must have; `labeller` it may have
STUDY = "study"  # kind of the document with the settings of a study
JUDGING = "judging"  # the form of those that give labels
_YES_NO_VALUES = {"yes": 1.0, "no": 0.0}


@dataclass(frozen=True, slots=True)
class LabelEntry:
    """One row: None is a label that was left empty."""

    position: FilePosition
    judgement: str
    task: str
    weight: float
    labeller: str
    value: float | None  # from 0 to 1


@dataclass(frozen=True, slots=True)
class Label:
    """The label of one judgement: the majority of yes and no, or the mean of scores. None without a label, and for a
    tie."""

    judgement: str
    position: FilePosition
    weight: float
    values: tuple[float, ...]
    value: float | None


@dataclass(frozen=True, slots=True)
class LabelSet:
    task: str
    labels: tuple[Label, ...]
    labellers: int
    synthetic: bool = False  # whether a program simulated the labels
    changed_count: int = 0  # judgements that are left out because their texts have changed since they were labelled

    @property
    def labelled(self) -> list[Label]:
        return [one for one in self.labels if one.value is not None]

    @property
    def empty(self) -> int:
        return sum(not one.values for one in self.labels)

    @property
    def ties(self) -> int:
        return sum(bool(one.values) and one.value is None for one in self.labels)

    @property
    def alpha(self) -> float | None:
        """Krippendorff's alpha between labellers; None if no judgement has two labels."""
        values = [one.values for one in self.labels]
        return krippendorff_alpha(values, "nominal" if JUDGE_SPECS[self.task].scale is None else "interval")


class _Study(StrictModel):
    """Of a study, what its labels need."""

    form: str
    task: str = ""
    run: str = ""
    seed: int = 0
    synthetic: bool = False
    drawn: dict[str, float] = Field(default_factory=dict)
    texts: dict[str, str] = Field(default_factory=dict)


def load_labels(source: str, ledger: str, task: str | None = None) -> LabelSet:
    """The labels of `study:NAME` in a ledger, or those in a file."""
    if not source.startswith(STUDY_PREFIX):
        return read_label_file(Path(source), task)
    with open_ledger(ledger, read_only=True) as opened:
        return load_study_labels(opened, source.removeprefix(STUDY_PREFIX), task)


def load_study_labels(ledger: Ledger, name: str, task: str | None = None) -> LabelSet:
    """The labels of a study, with the sampling weights of its judgements; the labellers are its participants.
    Judgements of answers that were withdrawn are left out, and those whose texts have changed."""
    studies = {one.subject: one.document for one in ledger.documents.latest(kind=STUDY)}
    if name not in studies:
        raise UnknownName(f"study in {ledger.location}", name, studies)
    study = _Study.model_validate(dict(studies[name]))
    if study.form != JUDGING or study.task not in JUDGE_SPECS:
        raise UserError(
            f"{STUDY_PREFIX}{name}: expected a study of form {JUDGING}, found {study.form}",
            hint="create one with affordance study create NAME --judgements RUN",
        )
    if task is not None and task != study.task:
        raise UserError(f"{STUDY_PREFIX}{name}: expected labels of {task}, found those of {study.task}")
    place, run = FilePosition(Path(f"{STUDY_PREFIX}{name}")), ledger.find_run(study.run)
    erased = redacted_judgements(ledger, run)
    changed = changed_texts(ledger, run, study.task, study.texts)
    given = _labels_by_judgement(valid_answers(ledger, name), JUDGE_SPECS[study.task].scale)
    entries = [
        LabelEntry(place, judgement, study.task, study.drawn[judgement], seat, value)
        for judgement in shuffle_ids(study.drawn, study.seed)
        if judgement not in erased and judgement not in changed
        for seat, value in given.get(judgement, [("", None)])
    ]
    if not entries:
        raise UserError(
            f"{STUDY_PREFIX}{name}: the texts of run {run.name!r} are all gone or others by now; make another study"
        )
    return replace(_join_entries(entries), changed_count=len(changed), synthetic=study.synthetic)


def changed_texts(ledger: Ledger, run: RunRecord, task: str, texts: Mapping[str, str]) -> set[str]:
    """Judgements whose texts are not those that were sampled, as when the judged request was repeated."""
    if not texts:
        return set()
    there = [unit for unit in judged_units(ledger, run, TASKS[task]) if unit.id in texts]
    now = {name: one.prompt_fields for name, one in recoverable_questions(ledger, run, there).items()}
    return {name for name, one in now.items() if texts_digest(one["text_a"], one["text_b"]) != texts[name]}


def read_label_file(path: Path, task: str | None = None) -> LabelSet:
    """The labels in a file, of one task; `task` selects one of several."""
    entries = [_read_entry(row) for row in _read_rows(path)]
    tasks = list(dict.fromkeys(entry.task for entry in entries))
    if task is not None:
        entries = [entry for entry in entries if entry.task == task]
        if not entries:
            raise DataError(f"expected labels of {task}, found those of {', '.join(tasks) or 'no task'}", path)
    elif len(tasks) > 1:
        raise DataError(f"expected labels of one task, found {', '.join(tasks)}; choose one with --task", path)
    elif not entries:
        raise DataError("expected labels, found no row", path)
    return _join_entries(entries)


def _labels_by_judgement(
    answers: Sequence[StudyAnswer], scale: RatingScale | None
) -> dict[str, list[tuple[str, float]]]:
    """By judgement, the labels with who gave them."""
    found: dict[str, list[tuple[str, float]]] = {}
    for one in answers:
        value = float(one.given["yes"]) if scale is None else scale.share_of(one.given["score"])
        found.setdefault(one.item, []).append((one.seat, value))
    return found


def _read_rows(path: Path) -> Iterator[RawRow]:
    if not path.is_file():
        raise DataError("expected a file with labels, found none; `affordance judge sample` writes one", path)
    rows: Iterator[RawRow]
    if path.suffix == ".jsonl":
        rows = (RawRow(FilePosition(path, line=number), values) for number, values in read_jsonl(path))
    else:
        rows = read_csv(path)
    for row in rows:
        missing = [name for name in COLUMNS if name not in row.values]
        if missing:
            raise row.error(f"expected the columns {', '.join(COLUMNS)} of the sample, found no {missing[0]!r}")
        yield row


def _read_entry(row: RawRow) -> LabelEntry:
    task = row.text("task").strip()
    if task not in JUDGE_SPECS:
        raise row.error(f"expected a judged task ({', '.join(JUDGE_SPECS)}), found {task!r}")
    labeller = str(row.values.get("labeller") or "").strip()
    return LabelEntry(
        row.position,
        row.text("judgement").strip(),
        task,
        _read_weight(row),
        labeller,
        _read_value(row, JUDGE_SPECS[task].scale),
    )


def _read_weight(row: RawRow) -> float:
    found = row.values["weight"]
    try:
        weight = math.nan if isinstance(found, bool) else float(str(found).strip().replace(",", "."))
    except ValueError:
        weight = math.nan
    if not (math.isfinite(weight) and weight > 0):
        raise row.error(f"expected the weight of the sample, a number above 0, found {found!r}")
    return weight


def _read_value(row: RawRow, scale: RatingScale | None) -> float | None:
    found = row.values["label"]
    text = "" if found is None else str(found).strip().lower()
    if not text:
        return None
    if scale is None and text in _YES_NO_VALUES:
        return _YES_NO_VALUES[text]
    if scale is not None and text in {str(score) for score in range(scale.low, scale.high + 1)}:
        return scale.share_of(int(text))
    expected = "yes or no" if scale is None else f"a whole number from {scale.low} to {scale.high}"
    raise row.error(f"expected {expected} as label, or nothing, found {str(found)[:40]!r}")


def _join_entries(entries: Sequence[LabelEntry]) -> LabelSet:
    by_judgement: dict[str, list[LabelEntry]] = {}
    for entry in entries:
        by_judgement.setdefault(entry.judgement, []).append(entry)
    labels = tuple(_join_labels(found) for found in by_judgement.values())
    people = {entry.labeller for entry in entries if entry.value is not None}
    return LabelSet(entries[0].task, labels, len(people))


def _join_labels(entries: Sequence[LabelEntry]) -> Label:
    first = entries[0]
    for labeller, count in Counter(entry.labeller for entry in entries).items():
        if count > 1:
            last = next(entry for entry in reversed(entries) if entry.labeller == labeller)
            who = (
                f"by {labeller!r}" if labeller else "without a name; give each labeller a name in the column `labeller`"
            )
            raise last.position.error(f"judgement {first.judgement} is labelled twice {who}")
    for entry in entries:
        if entry.weight != first.weight:
            raise entry.position.error(
                f"expected one weight for judgement {first.judgement}, found {first.weight:g} and {entry.weight:g}"
            )
    values = tuple(entry.value for entry in entries if entry.value is not None)
    return Label(
        first.judgement, first.position, first.weight, values, _combined_value(values, JUDGE_SPECS[first.task].scale)
    )


def _combined_value(values: Sequence[float], scale: RatingScale | None) -> float | None:
    if not values:
        return None
    mean = sum(values) / len(values)
    if scale is not None:
        return mean
    return None if mean == 0.5 else float(mean > 0.5)
