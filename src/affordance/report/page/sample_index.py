"""The index of all samples of a report, for the page's script to filter.

Texts of samples are in the page or in files next to it (`sample_files`)."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from affordance.core.attempts import AttemptResult
from affordance.core.digest import digest
from affordance.core.text import truncate
from affordance.report.page.result_kinds import ResultKind, result_kind
from affordance.report.page.samples import has_location, model_name, score_tally, truths
from affordance.tasks.registry import TASKS
from affordance.tasks.task import QUESTION_TEXT_TAG

ITEMS_PER_FILE = 10
MOST_VALUES = 200  # of one breakdown that can be chosen
LONGEST_TEXT = 90  # characters that identify an item
_STEPS = 14  # of shares
_NONE = 15  # where nothing is scored
_SCORED = frozenset({ResultKind.RIGHT, ResultKind.WRONG, ResultKind.PARTLY, ResultKind.NO_ANSWER})
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

Items = Mapping[str, Sequence[AttemptResult]]  # in order of their ids
_Tags = Sequence[Mapping[str, str]]  # of the questions about one item

# Characters that have no place in HTML, or no UTF-8. Models say them all.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# What could end a script, or a line of one.
_UNSAFE = {one: f"\\u{ord(one):04x}" for one in "<>&\u2028\u2029"}


@dataclass(frozen=True, slots=True)
class SampleColumns:
    """What the page knows of the items of one task, form and run."""

    number: int  # among the parts of a report, from 1
    stamp: str  # of what is in the index: files for another state of the ledger have other names
    index: Mapping[str, Any]


def strip_unprintable(text: str) -> str:
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def json_for_script(value: Any, *, ascii_only: bool) -> str:
    """JSON that is safe within a script: without anything that means something to HTML."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only)
    for one, escaped in _UNSAFE.items():
        text = text.replace(one, escaped)
    return text


def group_by_item(outcomes: Iterable[AttemptResult]) -> Items:
    found: dict[str, list[AttemptResult]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.item_id, []).append(outcome)
    return dict(sorted(found.items()))


def sample_columns(number: int, name: str, models: Iterable[str], items: Items) -> SampleColumns:
    """`models` are those that come first, in the order of the report."""
    lines = {(outcome.model, outcome.strategy): outcome for group in items.values() for outcome in group}
    names = {line: model_name(outcome) for line, outcome in lines.items()}
    asked = [*dict.fromkeys([*models, *names.values()])]
    texts, text = _dictionary_encode(_text(group) for group in items.values())
    tallies, tally = _dictionary_encode(score_tally(group) for group in items.values())
    tags = _tags(items)
    values = _values(items, tags)
    index = {
        "name": strip_unprintable(name),
        "models": [strip_unprintable(model) for model in asked],
        "ids": [strip_unprintable(item) for item in items],
        "texts": texts,
        "text": text,
        "tallies": tallies,
        "tally": tally,
        "ended": [_status_column(group, names, asked) for group in items.values()],
        "tags": [[strip_unprintable(by), [strip_unprintable(value) for value in had]] for by, had in values.items()],
        "tagged": [_tag_values(tags, by, had) for by, had in values.items()],
    }
    return SampleColumns(number, digest("samples", json.dumps(index))[:12], index)


def index_json(parts: Sequence[SampleColumns], folder: str) -> Markup:
    """The index for the page; `folder` is the address of the files next to it, or empty."""
    found = {
        "folder": folder,
        "each": ITEMS_PER_FILE,
        "parts": [{**one.index, "number": one.number, "stamp": one.stamp} for one in parts],
    }
    return Markup(json_for_script(found, ascii_only=False))


def _status_column(
    outcomes: Sequence[AttemptResult], names: Mapping[tuple[str, str], str], models: Sequence[str]
) -> str:
    """Two characters for each model: eight bits of what came of its attempts, four of the share that was right."""
    of_model: dict[str, list[AttemptResult]] = {model: [] for model in models}
    for outcome in outcomes:
        of_model[names[outcome.model, outcome.strategy]].append(outcome)
    return "".join(_code(found) for found in of_model.values())


def _code(outcomes: Sequence[AttemptResult]) -> str:
    kinds, scores = 0, []
    for outcome in outcomes:
        found = result_kind(outcome.verdict)
        kinds |= _BITS[found]
        if found in _SCORED and outcome.verdict is not None:
            scores.append(outcome.verdict.counted_score or 0.0)
    number = kinds << 4 | (_share(sum(scores) / len(scores)) if scores else _NONE)
    return _DIGITS[number >> 6] + _DIGITS[number & 63]


_BITS = {one: one.value for one in ResultKind}


def _share(share: float) -> int:
    """Only what is always right or never is so in steps too."""
    return round(share) * _STEPS if share in (0.0, 1.0) else min(_STEPS - 1, max(1, round(share * _STEPS)))


def _text(outcomes: Sequence[AttemptResult]) -> str:
    """What identifies an item: the description of a location, else the truth."""
    asked = outcomes[0].tags.get(QUESTION_TEXT_TAG, "") if has_location(outcomes[0]) else ""
    return truncate(strip_unprintable(asked or ", ".join(truths(outcomes))), LONGEST_TEXT)


def _dictionary_encode(texts: Iterable[str]) -> tuple[list[str], list[int]]:
    """Every text once, and which one each was."""
    places: dict[str, int] = {}
    found = [places.setdefault(text, len(places)) for text in texts]
    return list(places), found


def _tags(items: Items) -> list[_Tags]:
    """Of each item the tags of its questions, which all models were asked."""
    return [list({outcome.question_id: outcome.tags for outcome in group}.values()) for group in items.values()]


def _values(items: Items, tags: Sequence[_Tags]) -> dict[str, list[str]]:
    """By each breakdown of the task that has more than one value, its values; of too many those of most items."""
    first = next((group[0] for group in items.values()), None)
    found: dict[str, list[str]] = {}
    task = TASKS.get(first.task) if first is not None else None
    for by in [one.tag for one in task.views.breakdowns] if task is not None else ():
        counts = Counter(value for had in tags for value in {one[by] for one in had if by in one})
        if len(counts) > 1:
            found[by] = sorted(sorted(counts, key=lambda value: (-counts[value], value))[:MOST_VALUES])
    return found


def _tag_values(tags: Sequence[_Tags], by: str, values: Sequence[str]) -> list[list[int] | int]:
    """Of each item which values it has: a number where there is one."""
    places = {value: place for place, value in enumerate(values)}
    found = [sorted({places[one[by]] for one in had if one.get(by) in places}) for had in tags]
    return [had[0] if len(had) == 1 else had for had in found]
