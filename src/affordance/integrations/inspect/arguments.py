"""The arguments of a task, as `-T` has them: what Inspect makes of what people type is not always what they mean."""

from collections.abc import Mapping
from typing import Any

from affordance.core.errors import UserError
from affordance.core.names import ModelName, public_url

# What is no text, with the types that Inspect may make of it.
_ARGUMENT_TYPES: Mapping[str, tuple[str, tuple[type, ...]]] = {
    **dict.fromkeys(("limit", "trials", "reasks", "seed", "most_frames", "judge_orders"), ("a whole number", (int,))),
    "fps": ("a number", (str, int, float)),
}
_LIST_ARGUMENTS = ("strategy", "cues", "expression")


def normalize_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as a job takes them; raises where one is not what it is to be. Inspect takes words for what they look
    like, and makes a list of what has commas."""
    for name, value in arguments.items():
        several = value if name in _LIST_ARGUMENTS and isinstance(value, list | tuple) else [value]
        expected, kinds = _ARGUMENT_TYPES.get(name, ("text", (str,)))
        if not all(isinstance(one, kinds) and not isinstance(one, bool) for one in several):
            raise UserError(f"-T {name}: expected {expected}, found {value!r}")
    _check_secrets("judge", arguments, "give --model-role judge=affordance/MODEL@BASE_URL")
    _check_secrets("summarizer", arguments, "leave them out, as what it wrote is kept by its name without them")
    found = dict(arguments)
    if isinstance(strategy := arguments.get("strategy"), str):
        found["strategy"] = [strategy]
    return found | {
        name: ",".join(value)
        for name in ("cues", "expression")
        if isinstance(value := arguments.get(name), list | tuple)
    }


def _check_secrets(name: str, given: Mapping[str, Any], instead: str) -> None:
    url = ModelName.parse(given[name]).base_url if name in given else None
    if url is not None and public_url(url) != url:
        raise UserError(f"-T {name}: a log has it, so no user, password or query may be in its URL; {instead}")
