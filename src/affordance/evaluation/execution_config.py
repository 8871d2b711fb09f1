"""Configuration of an execution: what changes no result, such as concurrency, timeouts, retries and the budget."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from affordance.core.config import find_config, read_config
from affordance.core.json_text import Json
from affordance.models.family import Price
from affordance.models.model import Model
from affordance.models.profile import config_prices
from affordance.models.providers import NO_KEY_VARIABLES, PROVIDERS, KeyVariables, Provider, all_providers
from affordance.models.study_answers import VersionedAnswers

OUTAGE_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long to try. An ask that fails while others are answered is given up after `tries`. While
    none is answered, the endpoint is taken to be away, and the ask is tried for `outage_seconds`. Being throttled is
    not counted as a try, only limited in time. Neither time in the queue nor waits that the provider asked for are
    part of either time; those waits may come to `asked_seconds` for one ask. The same error `strikes` times in a row,
    on more than one source, stops a model."""

    max_tries: int = 5
    first_wait: float = 0.5
    max_wait: float = 60.0
    rate_limit_timeout: float = 900.0
    max_repeated_errors: int = 5
    outage_timeout: float = field(default_factory=lambda: OUTAGE_SECONDS)
    max_requested_wait: float = 3600.0


LEDGER_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class ExecutionConfig:
    """With what a job is carried out. Parameters of single models go into the address of each ask; nothing else here
    changes a result."""

    concurrency: int = 64
    budget: float | None = None
    timeout: float = 300.0
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    # Seconds to wait for a ledger that is locked, full or gone.
    ledger_timeout: float = field(default_factory=lambda: LEDGER_SECONDS)
    providers: Mapping[str, Provider] = field(default_factory=lambda: PROVIDERS)
    prices: Mapping[str, Price] = field(default_factory=dict)
    model_options: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)  # and limits, by model
    calibrated_dialect: Callable[[str], str] = str  # the dialect that calibration found, by a model's name
    study_answers: Callable[[str], VersionedAnswers] | None = None  # what was answered in a study, by its name
    clients: Mapping[str, Model] = field(default_factory=dict)  # models that are there already, by name
    sends_requests: bool = True  # False where it is only foreseen what would be asked
    key_env: KeyVariables = field(default_factory=dict)  # variables that hold keys, by model


def load_execution_config(
    concurrency: int, timeout: float, budget: float | None, key_env: KeyVariables = NO_KEY_VARIABLES
) -> ExecutionConfig:
    """With what to carry a run out, from options and affordance.toml."""
    config = read_config(find_config(Path.cwd()))
    return ExecutionConfig(
        concurrency=concurrency,
        timeout=timeout,
        budget=budget,
        providers=all_providers(config.providers),
        prices=config_prices(config),
        model_options=config.models,
        key_env=key_env,
    )
