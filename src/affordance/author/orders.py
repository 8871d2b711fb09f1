"""What is to be done in a project, and what came of it: both can be sent to another process."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from affordance.core.digest import digest_file
from affordance.core.errors import UserError
from affordance.core.json_text import Json, canonical_json
from affordance.core.model_name import ModelName
from affordance.core.prompts import PromptPack
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.progress import RunProgress


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done, as it can be sent to another process."""

    folder: str
    stage: str
    screens: tuple[str, ...]
    pictures: str  # the folder of the picture cache
    db: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)  # by the part they play
    parameters: Mapping[str, Json] = field(default_factory=dict)  # sampling, for all models
    prompts: str | None = None
    extra: str | None = None
    seed: int = 0
    again: bool = False
    insists: bool = False  # on doing without a model what was done with one
    means: ExecutionConfig = field(default_factory=ExecutionConfig)


@dataclass(slots=True)
class Told:
    """What came of it. Pending are screens that were not got to, or that a provider failed."""

    total: int = 0
    done: int = 0
    skipped: int = 0  # were done before
    failed: dict[str, str] = field(default_factory=dict)
    pending: dict[str, str] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)
    progress: RunProgress = field(default_factory=RunProgress)

    @property
    def ended(self) -> int:
        return self.done + self.skipped + len(self.failed) + len(self.pending)

    def add(self, other: "Told") -> None:
        self.done += other.done
        self.skipped += other.skipped
        self.failed |= other.failed
        self.pending |= other.pending
        self.notes.update(other.notes)
        self.progress.stop_reason = self.progress.stop_reason or other.progress.stop_reason
        for name, counts in other.progress.models.items():
            mine = self.progress.models[name]
            mine.planned += counts.planned
            mine.sent += counts.sent
            mine.cached += counts.cached
            mine.statuses.update(counts.statuses)
            mine.reasons.update(counts.reasons)
            mine.stop_reason = mine.stop_reason or counts.stop_reason
        spent = (self.progress.cost, other.progress.cost)
        self.progress.cost = None if spent[0] is None or spent[1] is None else spent[0] + spent[1]


def made_with(order: Order, prompts: PromptPack) -> dict[str, str]:
    """What makes a result differ from another of the same screen."""
    made = {f"setting {name}": value for name, value in order.settings.items() if name != "descriptor"}
    made |= {role: str(ModelName.parse(name)) for role, name in order.models.items()}
    if order.models:
        made |= {"prompts": prompts.digest, "parameters": canonical_json(dict(order.parameters))}
    if (descriptor := order.settings.get("descriptor")) is not None:
        made["descriptor"] = _content(Path(descriptor))
    return {**made, "seed": str(order.seed)}


def _content(path: Path) -> str:
    """Of a file that a stage was pointed to, wherever it lies."""
    try:
        return digest_file(path)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
