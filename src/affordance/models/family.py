"""A model family: everything that is known about its models, in one row of `models/families`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from affordance.core.json_text import Json
from affordance.models.parameters import without_null

NAME_SUFFIX = r"(?:[-_.:@][\w.:@-]*)?"  # size, variant, quantization, date or tag at the end of a name


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens * self.input + output_tokens * self.output) / 1e6


FREE = Price(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ParameterRules:
    """How request parameters reach a model."""

    max_tokens_field: str = "max_tokens"  # the name under which `max_tokens` is sent
    refused: frozenset[str] = frozenset()  # answered with an error, so not sent

    def apply(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        """The parameters as they are sent. Refused ones and null are left out, and so not recorded as sent."""
        return {
            self.max_tokens_field if name == "max_tokens" else name: value
            for name, value in without_null(parameters).items()
            if name not in self.refused
        }


@dataclass(frozen=True, slots=True)
class Variant:
    """Models of a family that differ from its row."""

    pattern: str  # regular expression for the whole name
    changes: Mapping[str, Any]  # fields of `ModelFamily` with their values


@dataclass(frozen=True, slots=True)
class ModelFamily:
    """One row: the models that it holds for, and what they are sent.

    Names are compared as `find_family` says: the whole name in lower case, without what precedes the last slash.
    """

    name: str
    vendor: str
    patterns: tuple[str, ...]  # regular expressions for whole names
    dialect: str  # the dialect in which it gives coordinates, see `grounding.dialects`
    parameters: ParameterRules = ParameterRules()
    prices: Mapping[str, Price] = field(default_factory=dict)  # by name; dated versions of a name match too
    variants: tuple[Variant, ...] = ()  # all that match apply, in order
    sources: tuple[str, ...] = ()  # where the facts of the row are from

    def matches(self, model: str) -> bool:
        return any(re.fullmatch(pattern, model) for pattern in self.patterns)

    def for_model(self, model: str) -> "ModelFamily":
        """The row with the changes of the variants that a model belongs to."""
        row = self
        for variant in self.variants:
            if re.fullmatch(variant.pattern, model):
                row = replace(row, **variant.changes)
        return row
