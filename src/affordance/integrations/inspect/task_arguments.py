"""Arguments of a task in Inspect (`-T`): the options of a run, and `data` with the dataset."""

from collections.abc import Mapping
from inspect import Parameter, Signature
from typing import Any

from affordance.core.errors import InvalidOption
from affordance.core.http import public_url
from affordance.core.model_name import ModelName
from affordance.core.options import OptionInfo
from affordance.evaluation.run_config import run_options

# Model parameters are set with Inspect's own options.
_EXCLUDED = {"parameters"}
# Logs hold arguments, so URLs in them must be without secrets.
_MODELS = {
    "judge": "give --model-role judge=affordance/MODEL@BASE_URL",
    "summarizer": "leave them out, as its summaries are stored under its name without them",
}


def task_options() -> dict[str, OptionInfo]:
    """The options of a run by every name that `-T` accepts: current names, and those of version 1."""
    options = {name: one for name, one in run_options().items() if name not in _EXCLUDED}
    return options | {one.stored_as: one for one in options.values() if one.stored_as}


def task_signature() -> Signature:
    """The signature of a task for Inspect, which refuses other arguments. None stands for the default."""
    return Signature(
        [Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in dict.fromkeys(["data", *task_options()])]
    )


def normalize_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that are given, as the options of a run take them.

    Inspect converts text: `true` to a bool, and text with commas to a list, which is undone here.

    Raises:
        InvalidOption: An argument has a wrong type, or secrets in a URL.
    """
    options = task_options()
    given = {name: value for name, value in arguments.items() if value is not None}
    normalized: dict[str, Any] = {}
    for name, value in given.items():
        values = value if isinstance(value, list | tuple) else [value]
        if any(isinstance(one, bool) for one in values) or (name == "data" and not isinstance(value, str)):
            raise InvalidOption(name, f"expected text or a number, found {value!r}")
        is_list = name in options and options[name].annotation == tuple[str, ...]
        is_text = isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
        normalized[name] = list(values) if is_list else ",".join(value) if is_text else value
    for name, hint in _MODELS.items():
        url = ModelName.parse(given[name]).base_url if isinstance(given.get(name), str) else None
        if url is not None and public_url(url) != url:
            raise InvalidOption(name, "logs hold it, so its URL must have no user, password or query", hint=hint)
    return normalized
