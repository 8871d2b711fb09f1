"""Something that is wrong with a record."""

from dataclasses import dataclass

from affordance.datasets.reading import Severity


@dataclass(frozen=True, slots=True)
class ItemIssue:
    """`topic` names others of its kind; `target` is the id of the target that it is about."""

    message: str
    topic: str
    level: Severity = Severity.ERROR
    target: str | None = None
