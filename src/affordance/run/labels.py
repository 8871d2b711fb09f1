"""Labels that people gave to judgements: read strictly, and joined where several people labelled the same."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from affordance.core.errors import DataError
from affordance.core.grammar import Scale
from affordance.datasets.json_text import parse_object
from affordance.datasets.published.rows import Row
from affordance.datasets.reading import Place
from affordance.datasets.sheets import read_sheet
from affordance.run.judged import JUDGED
from affordance.stats import krippendorff_alpha

COLUMNS = ("judgement", "task", "label", "weight")  # that a file must have; `labeller` it may have
_ANSWERS = {"yes": 1.0, "no": 0.0}


@dataclass(frozen=True, slots=True)
class Entry:
    """One row: None is a label that was left empty."""

    place: Place
    judgement: str
    task: str
    weight: float
    labeller: str
    value: float | None  # from 0 to 1


@dataclass(frozen=True, slots=True)
class Label:
    """What people say of one judgement: the majority of yes and no, the mean of scores. None where nobody said, or
    where as many said yes as no."""

    judgement: str
    place: Place
    weight: float
    values: tuple[float, ...]
    value: float | None


@dataclass(frozen=True, slots=True)
class Labels:
    task: str
    labels: tuple[Label, ...]
    labellers: int

    @property
    def given(self) -> list[Label]:
        return [one for one in self.labels if one.value is not None]

    @property
    def empty(self) -> int:
        return sum(not one.values for one in self.labels)

    @property
    def tied(self) -> int:
        return sum(bool(one.values) and one.value is None for one in self.labels)

    @property
    def alpha(self) -> float | None:
        """Krippendorff's, between the people; None where no judgement has two labels."""
        values = [one.values for one in self.labels]
        return krippendorff_alpha(values, "nominal" if JUDGED[self.task].scale is None else "interval")


def read_labels(path: Path, task: str | None = None) -> Labels:
    """The labels in a file, of one task; `task` says of which where it holds several."""
    entries = [_entry(row) for row in _rows(path)]
    tasks = list(dict.fromkeys(entry.task for entry in entries))
    if task is not None:
        entries = [entry for entry in entries if entry.task == task]
        if not entries:
            raise DataError(f"expected labels of {task}, found those of {', '.join(tasks) or 'no task'}", path)
    elif len(tasks) > 1:
        raise DataError(f"expected labels of one task, found {', '.join(tasks)}; choose one with --task", path)
    elif not entries:
        raise DataError("expected labels, found no row", path)
    return _joined(entries)


def _rows(path: Path) -> Iterator[Row]:
    if not path.is_file():
        raise DataError("expected a file with labels, found none; `affordance judge sample` writes one", path)
    rows = _json_lines(path) if path.suffix == ".jsonl" else read_sheet(path)
    for row in rows:
        missing = [name for name in COLUMNS if name not in row.values]
        if missing:
            raise row.error(f"expected the columns {', '.join(COLUMNS)}, as they were drawn, found no {missing[0]!r}")
        yield row


def _json_lines(path: Path) -> Iterator[Row]:
    for number, line in enumerate(path.read_bytes().removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        if not line.strip():
            continue
        place = Place(path, line=number)
        try:
            yield Row(place, parse_object(line))
        except ValueError as error:
            raise place.error(str(error)) from None


def _entry(row: Row) -> Entry:
    task = row.text("task").strip()
    if task not in JUDGED:
        raise row.error(f"expected a judged task ({', '.join(JUDGED)}), found {task!r}")
    labeller = str(row.values.get("labeller") or "").strip()
    return Entry(
        row.place, row.text("judgement").strip(), task, _weight(row), labeller, _label(row, JUDGED[task].scale)
    )


def _weight(row: Row) -> float:
    found = row.values["weight"]
    try:
        weight = math.nan if isinstance(found, bool) else float(str(found).strip().replace(",", "."))
    except ValueError:
        weight = math.nan
    if not (math.isfinite(weight) and weight > 0):
        raise row.error(f"expected the weight that was drawn, a number above 0, found {found!r}")
    return weight


def _label(row: Row, scale: Scale | None) -> float | None:
    found = row.values["label"]
    text = "" if found is None else str(found).strip().lower()
    if not text:
        return None
    if scale is None and text in _ANSWERS:
        return _ANSWERS[text]
    if scale is not None and text in {str(score) for score in range(scale.low, scale.high + 1)}:
        return (int(text) - scale.low) / (scale.high - scale.low)
    expected = "yes or no" if scale is None else f"a whole number from {scale.low} to {scale.high}"
    raise row.error(f"expected {expected} as label, or nothing, found {str(found)[:40]!r}")


def _joined(entries: Sequence[Entry]) -> Labels:
    by_judgement: dict[str, list[Entry]] = {}
    for entry in entries:
        by_judgement.setdefault(entry.judgement, []).append(entry)
    labels = tuple(_label_of(found) for found in by_judgement.values())
    people = {entry.labeller for entry in entries if entry.value is not None}
    return Labels(entries[0].task, labels, len(people))


def _label_of(entries: Sequence[Entry]) -> Label:
    first = entries[0]
    for labeller, count in Counter(entry.labeller for entry in entries).items():
        if count > 1:
            last = next(entry for entry in reversed(entries) if entry.labeller == labeller)
            who = f"by {labeller!r}" if labeller else "by nobody named; give each a name in the column `labeller`"
            raise last.place.error(f"judgement {first.judgement} is labelled twice {who}")
    for entry in entries:
        if entry.weight != first.weight:
            raise entry.place.error(
                f"expected one weight for judgement {first.judgement}, found {first.weight:g} and {entry.weight:g}"
            )
    values = tuple(entry.value for entry in entries if entry.value is not None)
    return Label(first.judgement, first.place, first.weight, values, _together(values, JUDGED[first.task].scale))


def _together(values: Sequence[float], scale: Scale | None) -> float | None:
    if not values:
        return None
    mean = sum(values) / len(values)
    if scale is not None:
        return mean
    return None if mean == 0.5 else float(mean > 0.5)
