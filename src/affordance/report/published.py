"""Rows that papers state, with what can be derived from them. Never in one table with ours."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from affordance.stats import Derived, derive

_ORDERS = ("first_accuracy", "second_accuracy", "consistent_accuracy")


@dataclass(frozen=True, slots=True)
class PublishedRow:
    model: str
    strategy: str
    values: dict[str, float]  # by metric, from 0 to 1

    @property
    def name(self) -> str:
        return f"{self.model}, {self.strategy}" if self.strategy else self.model

    def shares(self) -> Derived | None:
        """How pairs were answered in both orders; None where the row does not tell."""
        if not all(name in self.values for name in _ORDERS):
            return None
        return derive(*(self.values[name] for name in _ORDERS))


@dataclass(frozen=True, slots=True)
class PublishedTable:
    dataset: str
    task: str
    source: str
    protocol: str  # in which it differs from ours
    columns: tuple[str, ...]
    rows: tuple[PublishedRow, ...]


@cache
def published_tables() -> tuple[PublishedTable, ...]:
    data = tomllib.loads((files("affordance.report") / "published.toml").read_text(encoding="utf-8"))
    return tuple(
        PublishedTable(
            table["dataset"],
            table["task"],
            table["source"],
            table["protocol"],
            tuple(table["columns"]),
            tuple(_row(table["columns"], *row) for row in table["rows"]),
        )
        for table in data["table"]
    )


def published_for(dataset: str, task: str) -> PublishedTable | None:
    """What was published on a dataset of this name."""
    return next((one for one in published_tables() if (one.dataset, one.task) == (dataset, task)), None)


def _row(columns: list[str], model: str, strategy: str, *values: float) -> PublishedRow:
    return PublishedRow(model, strategy, {name: value / 100 for name, value in zip(columns, values, strict=True)})
