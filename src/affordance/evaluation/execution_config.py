"""Configuration of an execution: what changes no result, such as concurrency, timeouts, retries and the budget."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field, GetPydanticSchema
from pydantic_core import core_schema

from affordance.core.config import ConfigFile
from affordance.core.json_text import Json
from affordance.core.options import OptionModel, option, parse_options
from affordance.models.family import Price
from affordance.models.profile import config_prices
from affordance.models.providers import NO_KEY_VARIABLES, PROVIDERS, KeyVariables, Provider, all_providers

OUTAGE_SECONDS = 300.0
LEDGER_SECONDS = 30.0

_AS_IT_IS = GetPydanticSchema(lambda _type, _handler: core_schema.any_schema())


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long a request is tried.

    Attributes:
        max_tries: tries of a request that fails while others succeed.
        first_wait: seconds before the second try. Each wait is twice as long as the one before, with jitter.
        max_wait: longest wait, in seconds.
        rate_limit_timeout: seconds after which a rate-limited request is given up. Rate limits do not count as tries.
        max_repeated_errors: identical errors in a row, on more than one source, after which a model is stopped.
        outage_timeout: seconds for which a request is tried while no other succeeds.
        max_requested_wait: seconds of waits that a provider may ask for, for one request. They are not part of the
            other limits, and neither is time in the queue.
    """

    max_tries: int = 5
    first_wait: float = 0.5
    max_wait: float = 60.0
    rate_limit_timeout: float = 900.0
    max_repeated_errors: int = 5
    outage_timeout: float = field(default_factory=lambda: OUTAGE_SECONDS)
    max_requested_wait: float = 3600.0


class ExecutionConfig(OptionModel):
    """How a run is executed. Nothing here changes a result, except request parameters of single models, which are part
    of their requests.

    Attributes:
        ledger_timeout: seconds to wait for a ledger that is locked, full or gone.
        providers: providers by name.
        prices: prices by model, from `affordance.toml`.
        model_options: request parameters and limits by model, from `affordance.toml`.
        key_env: environment variables with keys, by model.
    """

    concurrency: int = option(
        64, "Maximum requests in flight per model (default: 64).", identity=False, metavar="N", ge=1
    )
    timeout: float = option(
        300.0, "Seconds to wait for a response (default: 300).", identity=False, metavar="SECONDS", ge=0.1
    )
    budget: float | None = option(
        None, "US dollars: stop before the worst-case cost exceeds them.", identity=False, metavar="USD", ge=0
    )
    retry: Annotated[RetryPolicy, _AS_IT_IS] = Field(default_factory=RetryPolicy)
    ledger_timeout: float = Field(default_factory=lambda: LEDGER_SECONDS)
    providers: Annotated[Mapping[str, Provider], _AS_IT_IS] = PROVIDERS
    prices: Annotated[Mapping[str, Price], _AS_IT_IS] = Field(default={})
    model_options: Annotated[Mapping[str, Mapping[str, Json]], _AS_IT_IS] = Field(default={})
    key_env: Annotated[KeyVariables, _AS_IT_IS] = NO_KEY_VARIABLES

    def replace(self, **changes: Any) -> "ExecutionConfig":
        """The configuration with other values of some fields."""
        return ExecutionConfig(**{**{name: getattr(self, name) for name in ExecutionConfig.model_fields}, **changes})


def load_execution_config(
    concurrency: int, timeout: float, budget: float | None, key_env: KeyVariables = NO_KEY_VARIABLES
) -> ExecutionConfig:
    """The configuration of the options of a command and of `affordance.toml`."""
    config = ConfigFile.load()
    options = parse_options(ExecutionConfig, {"concurrency": concurrency, "timeout": timeout, "budget": budget})
    return options.replace(
        providers=all_providers(config.providers),
        prices=config_prices(config),
        model_options=config.models,
        key_env=key_env,
    )
