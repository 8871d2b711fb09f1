"""Reference summaries of human responses about a clip, with their origin: `summaries.jsonl` next to the items.

Lines are only appended. A summary is valid as long as the responses are those that it summarises.
"""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from affordance.core.digest import digest
from affordance.core.errors import DataError, UserError
from affordance.core.validation import format_validation_error
from affordance.datasets.clips import Clip
from affordance.datasets.dataset import Dataset

SUMMARIES_FILE = "summaries.jsonl"


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class ReferenceSummary:
    """A summary of the responses with the digest `responses`, without the response at `left_out`, if any."""

    item: str
    text: str
    model: str
    prompt: str  # digest of its text
    responses: str
    left_out: int | None = None


_READER = TypeAdapter(ReferenceSummary)


def responses_digest(responses: Sequence[str]) -> str:
    """The digest by which a summary names the responses it summarises."""
    return digest("responses", list(responses))


def read_summaries(dataset: Dataset) -> list[ReferenceSummary]:
    """The valid summaries of a dataset, in the order in which they were written."""
    path = dataset.root / SUMMARIES_FILE
    if not path.is_file():
        return []
    current = {item.id: responses_digest(item.meaning_responses) for item in dataset.items if isinstance(item, Clip)}
    lines = path.read_bytes().split(b"\n")  # only at newlines: texts may contain other line separators
    found = [_read_summary(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    return [one for one in found if current.get(one.item) == one.responses]


def summaries_by_source(
    summaries: Sequence[ReferenceSummary], model: str | None, prompt: str
) -> dict[tuple[str, int | None], ReferenceSummary]:
    """The summaries by one model with one prompt, by clip and omitted response: two sources must not mix. Without a
    model, the source is that of the latest summary."""
    if model is None and summaries:
        model, prompt = summaries[-1].model, summaries[-1].prompt
    return {(one.item, one.left_out): one for one in summaries if (one.model, one.prompt) == (model, prompt)}


def add_summaries(dataset: Dataset, summaries: Iterable[ReferenceSummary]) -> None:
    """Append summaries to the file of a dataset."""
    lines = "".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in summaries)
    path = dataset.root / SUMMARIES_FILE
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise UserError(f"cannot write summaries to {path}: {error.strerror}; copy the dataset elsewhere") from None


def _read_summary(path: Path, number: int, line: bytes) -> ReferenceSummary:
    try:
        return _READER.validate_json(line)
    except ValidationError as error:
        message = f"expected a summary as a JSON object: {format_validation_error(error)}; delete the line, or the file"
        raise DataError(message, path, number) from None
