"""What families of models do with parameters, so that a protocol's settings reach each in the form it takes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from affordance.core.digest import Json
from affordance.core.names import ModelName
from affordance.models.parameters import without_null


@dataclass(frozen=True, slots=True)
class ParameterRules:
    pattern: re.Pattern[str]  # against the model's name without vendor prefix
    refused: frozenset[str] = frozenset()  # parameters its endpoint answers with an error
    renamed: tuple[tuple[str, str], ...] = ()


PARAMETER_RULES = (
    ParameterRules(
        re.compile(r"(o[1-9]|gpt-5)(-|$)"),
        refused=frozenset({"temperature", "top_p"}),
        renamed=(("max_tokens", "max_completion_tokens"),),
    ),
)


def apply_parameter_rules(name: ModelName, parameters: Mapping[str, Json]) -> dict[str, Json]:
    """The parameters as this model is sent them. What it refuses, and what is null, is left out and so is not recorded
    as sent."""
    sent = without_null(parameters)
    model = name.model.rpartition("/")[2]
    for profile in PARAMETER_RULES:
        if profile.pattern.match(model):
            names = dict(profile.renamed)
            return {names.get(key, key): value for key, value in sent.items() if key not in profile.refused}
    return sent
