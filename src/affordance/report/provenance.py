"""How the numbers came about: settings, dataset, what it took, and what this page was written with."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from types import MappingProxyType

from affordance.core.errors import UserError
from affordance.core.json_text import Json, canonical_json
from affordance.core.model_name import ModelName
from affordance.ledger import Ledger, ModelUsage, RunRecord
from affordance.models.family import FREE, Price
from affordance.models.profile import find_price
from affordance.report.numbers import MISSING, format_count
from affordance.report.results import RequestParameters, RunResults

_PACKAGES = ("affordance", "av", "opencv-python-headless")
_FIRST = (
    "tasks",
    "protocol",
    "seed",
    "trials",
    "order",
    "fps",
    "limit",
    "reasks",
    "strategies",
    "parameters",
    "prompts",
)

RunFact = tuple[str, str]

NO_PRICES: Mapping[str, Price] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class UsageRow:
    model: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunProvenance:
    run: str
    id: str
    begun: str  # from the ledger: the page has no clock
    dataset: tuple[RunFact, ...]
    settings: tuple[RunFact, ...]
    usage: tuple[UsageRow, ...]


USAGE_COLUMNS = (
    "replies", "requests", "tokens in", "tokens out", "of these reasoning", "seconds", "seconds each", "US$",
)  # fmt: skip


def run_provenance(results: RunResults, prices: Mapping[str, Price] = NO_PRICES) -> list[RunProvenance]:
    """`prices` are the user's own, beside those that are known."""
    return [
        RunProvenance(
            run=run.name,
            id=run.id,
            begun=run.created[:16].replace("T", " ") + " UTC",
            dataset=_facts(run.dataset, ("name",)),
            settings=(*_facts(run.settings, _FIRST), *_request_settings(results.sent[run.name])),
            usage=_usage(results.ledger, run, prices),
        )
        for run in results.runs
    ]


def _request_settings(found: Mapping[str, Sequence[RequestParameters]]) -> list[RunFact]:
    """What each model was really sent: not every model takes what the settings ask for."""
    return [
        (f"sent to {model}", "; ".join(sorted({canonical_json(one["parameters"]) for one in found[model]})))
        for model in sorted(found)
    ]


def versions() -> tuple[RunFact, ...]:
    """What the page was written with. What the models were asked with may have been older."""
    return ("python", platform.python_version()), *((package, version(package)) for package in _PACKAGES)


def _facts(values: Mapping[str, Json], first: Sequence[str]) -> tuple[RunFact, ...]:
    names = [*(name for name in first if name in values), *sorted(name for name in values if name not in first)]
    shown = {name: _with_null(values[name]) if name == "parameters" else values[name] for name in names}
    return tuple((name, text) for name, value in shown.items() for text in [_text(value)] if text)


def _with_null(parameters: Json) -> Json:
    """Parameters of each task, with a word for what a protocol has and is not sent."""
    if isinstance(parameters, Mapping):
        return {name: _with_null(value) for name, value in parameters.items()}
    return "not sent" if parameters is None else parameters


def _text(value: Json) -> str:
    """Settings in words; those that are not set are left out by the caller."""
    if isinstance(value, str) or value is None:
        return value or ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {text}" for key, entry in value.items() if (text := _text(entry)))
    if isinstance(value, Sequence):
        return ", ".join(_text(entry) for entry in value)
    return canonical_json(value)


def _usage(ledger: Ledger, run: RunRecord, prices: Mapping[str, Price]) -> tuple[UsageRow, ...]:
    found = []
    for usage in ledger.token_usage(run.id):
        tokens = (usage.input_tokens, usage.output_tokens, usage.reasoning_tokens)
        seconds = f"{usage.seconds:,.1f}" if usage.seconds else MISSING
        each = f"{usage.seconds / usage.requests:,.2f}" if usage.seconds and usage.requests else MISSING
        numbers = (usage.responses, usage.requests, *tokens)
        found.append(UsageRow(usage.model, (*map(format_count, numbers), seconds, each, _cost(usage, prices))))
    return tuple(found)


def _cost(usage: ModelUsage, prices: Mapping[str, Price]) -> str:
    """A dash where there is no price, or where tokens were not counted."""
    try:
        price = find_price(ModelName.parse(usage.model), prices)
    except UserError:  # a name from elsewhere, that is none of ours
        price = None
    if price == FREE:
        return "0"
    if price is None or usage.uncounted or usage.input_tokens is None or usage.output_tokens is None:
        return MISSING
    return f"{price.cost(usage.input_tokens, usage.output_tokens):,.2f}"
