"""Something that is wrong with a record."""

from dataclasses import dataclass

from affordance.datasets.reading import Level


@dataclass(frozen=True, slots=True)
class Wrong:
    """`topic` names others of its kind; `target` is the id of the target that it is about."""

    message: str
    topic: str
    level: Level = Level.ERROR
    target: str | None = None
