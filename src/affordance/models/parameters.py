"""Request parameters that users set for models.

Endpoints accept more parameters than are listed here, so any name passes. The types of known ones are checked, and a
name that is nearly a known one causes a warning.
"""

from collections.abc import Iterator, Mapping

from affordance.core.errors import UserError, closest_match
from affordance.core.json_text import Json
from affordance.models.redaction import is_secret_name

OUTPUT_LIMIT_PARAMETERS = ("max_tokens", "max_completion_tokens")  # the two names of the output limit
_NUMBER, _INTEGER, _BOOLEAN = "a number", "a whole number", "true or false"
_TEXT, _TEXT_OR_LIST = "text", "text or a list of texts"
KNOWN_PARAMETERS: Mapping[str, str] = {
    **dict.fromkeys(("temperature", "top_p", "min_p", "frequency_penalty", "presence_penalty"), _NUMBER),
    "repetition_penalty": _NUMBER,
    **dict.fromkeys(("max_tokens", "max_completion_tokens", "seed", "top_k", "n", "top_logprobs"), _INTEGER),
    **dict.fromkeys(("reasoning_effort", "service_tier", "verbosity"), _TEXT),
    "stop": _TEXT_OR_LIST,
    "logprobs": _BOOLEAN,
}


def without_null(parameters: Mapping[str, Json]) -> dict[str, Json]:
    """The parameters that are sent. Null removes one that the protocol sets."""
    return {name: value for name, value in parameters.items() if value is not None}


def check_parameters(parameters: Mapping[str, Json]) -> None:
    """Raises a `UserError` for a value of the wrong type, and for a key."""
    for name, value in parameters.items():
        if is_secret_name(name):
            raise UserError(
                f"parameter {name}: a key must be in an environment variable, since parameters are recorded; "
                "`affordance models` lists the variables"
            )
        expected = KNOWN_PARAMETERS.get(name)
        if expected is not None and value is not None and not _has_type(expected, value):
            raise UserError(f"parameter {name}: expected {expected}, found {value!r}")


def parameter_warnings(parameters: Mapping[str, Json]) -> Iterator[str]:
    """A warning for each name that may be misspelled."""
    for name in parameters:
        if name not in KNOWN_PARAMETERS and (near := closest_match(name, KNOWN_PARAMETERS)):
            yield f"parameter {name} is unknown and is sent as it is; did you mean {near!r}?"


def _has_type(expected: str, value: Json) -> bool:
    if isinstance(value, bool):
        return expected == _BOOLEAN
    match value:
        case int():
            return expected in (_NUMBER, _INTEGER)
        case float():
            return expected == _NUMBER
        case str():
            return expected in (_TEXT, _TEXT_OR_LIST)
        case list():
            return expected == _TEXT_OR_LIST and all(isinstance(one, str) for one in value)
        case _:
            return False
