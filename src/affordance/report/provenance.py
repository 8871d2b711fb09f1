"""Provenance of results: settings, dataset, tokens, time and cost, versions."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType

from affordance import __version__
from affordance.core.errors import UserError
from affordance.core.formatting import Unit
from affordance.core.json_text import Json, canonical_json
from affordance.core.model_name import ModelName
from affordance.core.table import Column, Table
from affordance.ledger import Ledger, ModelUsage, RunRecord
from affordance.models.family import FREE, Price
from affordance.models.profile import find_price
from affordance.report.result_row import ResultRow
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

# Settings that are stored under names of version 1.
_LABELS = {"reasks": "parse retries", "most_frames": "max frames", "order": "option order"}

RunFact = tuple[str, str]

NO_PRICES: Mapping[str, Price] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RunProvenance:
    run: str
    id: str
    begun: str  # from the ledger: the page has no clock
    dataset: tuple[RunFact, ...]
    settings: tuple[RunFact, ...]
    usage: Table


_USAGE_COLUMNS = (
    Column("model"), Column("responses", unit=Unit.COUNT), Column("requests", unit=Unit.COUNT),
    Column("input_tokens", "input tokens", Unit.COUNT), Column("output_tokens", "output tokens", Unit.COUNT),
    Column("reasoning_tokens", "of these reasoning", Unit.COUNT), Column("seconds", "time", Unit.SECONDS),
    Column("seconds_each", "time per request", Unit.SECONDS, 2), Column("cost", "cost", Unit.USD),
)  # fmt: skip


def run_provenance(results: RunResults, prices: Mapping[str, Price] = NO_PRICES) -> list[RunProvenance]:
    """`prices` are those of affordance.toml, in addition to the known ones."""
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
    """The parameters that each model was sent; not every model accepts all settings."""
    return [
        (f"sent to {model}", "; ".join(sorted({canonical_json(one["parameters"]) for one in found[model]})))
        for model in sorted(found)
    ]


def versions() -> tuple[RunFact, ...]:
    """Versions that wrote the report. Those of the run may have been older."""
    return ("python", platform.python_version()), *((package, _version(package)) for package in _PACKAGES)


def _version(package: str) -> str:
    """Of this source tree, or of an installed package."""
    try:
        return __version__ if package == "affordance" else version(package)
    except PackageNotFoundError:
        return "not installed"


def _facts(values: Mapping[str, Json], first: Sequence[str]) -> tuple[RunFact, ...]:
    names = [*(name for name in first if name in values), *sorted(name for name in values if name not in first)]
    shown = {name: _with_null(values[name]) if name == "parameters" else values[name] for name in names}
    return tuple((_LABELS.get(name, name), text) for name, value in shown.items() for text in [_text(value)] if text)


def _with_null(parameters: Json) -> Json:
    """Parameters of each task; null means that a parameter is not sent."""
    if isinstance(parameters, Mapping):
        return {name: _with_null(value) for name, value in parameters.items()}
    return "not sent" if parameters is None else parameters


def _text(value: Json) -> str:
    """A setting as text; empty if it is not set."""
    if isinstance(value, str) or value is None:
        return value or ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {text}" for key, entry in value.items() if (text := _text(entry)))
    if isinstance(value, Sequence):
        return ", ".join(_nested_text(entry) for entry in value)
    return canonical_json(value)


def _nested_text(value: Json) -> str:
    """An entry of a list; a list in it is joined by `+`."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "+".join(map(_text, value)) or "none"
    return _text(value)


def _usage(ledger: Ledger, run: RunRecord, prices: Mapping[str, Price]) -> Table:
    rows = [
        (
            usage.model,
            usage.responses,
            usage.requests,
            usage.input_tokens,
            usage.output_tokens,
            usage.reasoning_tokens,
            usage.seconds or None,
            usage.seconds / usage.requests if usage.seconds and usage.requests else None,
            _cost(usage, prices),
        )
        for usage in ledger.token_usage(run.id)
    ]
    return Table.of(f"usage/{run.name}", "Tokens, time and cost, without reused responses", _USAGE_COLUMNS, rows)


def strategy_cost_table(group: Sequence[ResultRow]) -> Table | None:
    """Calls and tokens per attempt; None with a single strategy."""
    rows = [
        (
            row.label,
            one.calls / one.attempts,
            _each(one.input_tokens, one.attempts),
            _each(one.output_tokens, one.attempts),
        )
        for row in group
        if (one := row.effort) is not None
    ]
    if not rows or len({row.strategy for row in group}) < 2:
        return None
    columns = (
        Column("model"), Column("calls", unit=Unit.COUNT, decimals=1), Column("input tokens", unit=Unit.COUNT),
        Column("output tokens", unit=Unit.COUNT),
    )  # fmt: skip
    note = "Per attempt. Calls that several strategies share are counted for each of them."
    return Table.of("strategies", "Cost of strategies", columns, rows, [note], detail=True)


def _each(total: int | None, attempts: int) -> int | None:
    return None if total is None else round(total / attempts)


def _cost(usage: ModelUsage, prices: Mapping[str, Price]) -> float | str | None:
    """None without a price, or where tokens were not counted."""
    try:
        price = find_price(ModelName.parse(usage.model), prices)
    except UserError:  # a model name of another package
        price = None
    if price == FREE:
        return "0"
    if price is None or usage.uncounted or usage.input_tokens is None or usage.output_tokens is None:
        return None
    return price.cost(usage.input_tokens, usage.output_tokens)
