"""Models `inspect:PROVIDER/MODEL[@BASE_URL]` by any provider of Inspect. Loads without Inspect."""

from importlib.util import find_spec

from affordance.core.errors import UnknownName, UserError
from affordance.core.model_name import ModelName
from affordance.models.model import Model, ModelContext
from affordance.models.providers import PROVIDERS, is_provider_host, read_named_key

NO_KEY = "none"  # providers require a key even where none is to be sent
INSPECT_EXTRA_HINT = "needs Inspect: pip install 'affordance[inspect]'"


def build(name: ModelName, context: ModelContext) -> Model:
    """The model of a name. Raises `UserError` where Inspect, a provider's package or a key is missing."""
    if find_spec("inspect_ai") is None:
        raise UserError(f"{name} {INSPECT_EXTRA_HINT}")
    provider, _, model = name.model.partition("/")
    if not (provider and model):
        raise UserError(f"expected inspect:PROVIDER/MODEL[@BASE_URL], found {str(name)!r}")
    from inspect_ai.model import get_model

    from affordance.integrations.inspect.conversion import error_text
    from affordance.integrations.inspect.inspect_model import InspectModel, known_secrets
    from affordance.models.redaction import environment_secrets, redact

    if provider == "affordance":
        raise UserError(f"{name} is a model of Affordance; use {model!r}")
    key = _key(name, provider, context)
    try:
        found = get_model(name.model, base_url=name.base_url, api_key=key, memoize=False)
    except Exception as error:  # noqa: BLE001  # providers raise errors of all kinds
        if provider not in (known := _providers()):
            raise UnknownName("provider of Inspect", provider, known) from None
        reason = redact([*known_secrets(name.base_url, None, ()), *environment_secrets()], error_text(error))
        raise UserError(f"{name} cannot be used: {reason}") from None
    return InspectModel(name, found, context, owned=True)


def _key(name: ModelName, provider: str, context: ModelContext) -> str | None:
    """The key for Inspect; None where Inspect looks for its own, but never for another host than the provider's."""
    if context.sends_requests and (key := read_named_key(name, context.key_env)) is not None:
        return key
    elsewhere = provider in PROVIDERS and not is_provider_host(name.base_url, PROVIDERS[provider])
    return NO_KEY if elsewhere or not context.sends_requests else None


def _providers() -> set[str]:
    """The providers that Inspect knows, which are registered when it looks for one."""
    from inspect_ai.util import registry_info

    from affordance.integrations.inspect._compat import registry_find

    return {registry_info(one).name.rpartition("/")[2] for one in registry_find(lambda info: info.type == "modelapi")}
