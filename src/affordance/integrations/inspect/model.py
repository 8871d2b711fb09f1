"""`inspect:PROVIDER/MODEL[@BASE_URL]`: every provider of Inspect is a model of ours."""

from importlib.util import find_spec

from affordance.core.errors import UnknownName, UserError
from affordance.core.model_name import ModelName
from affordance.models.model import Model, ModelContext
from affordance.models.providers import PROVIDERS, is_provider_host, read_named_key

NO_KEY = "none"  # providers want one even where none is to be sent
INSPECT_EXTRA_HINT = "needs Inspect: pip install 'affordance[inspect]'"


def build(name: ModelName, context: ModelContext) -> Model:
    """The model of that name; raises what the user can put right: Inspect, a provider's package or key is missing."""
    if find_spec("inspect_ai") is None:
        raise UserError(f"{name} {INSPECT_EXTRA_HINT}")
    provider, _, model = name.model.partition("/")
    if not (provider and model):
        raise UserError(f"a model of Inspect is inspect:PROVIDER/MODEL[@BASE_URL], found {str(name)!r}")
    from inspect_ai.model import get_model

    from affordance.integrations.inspect.conversion import error_text
    from affordance.integrations.inspect.inspect_model import InspectModel, known_secrets
    from affordance.models.redaction import environment_secrets, redact

    if provider == "affordance":
        raise UserError(f"{name} is a model of Affordance's: name it {model!r}")
    key = _key(name, provider, context)
    try:
        found = get_model(name.model, base_url=name.base_url, api_key=key, memoize=False)
    except Exception as error:  # noqa: BLE001  # other people's code, which raises what it likes
        if provider not in (known := _providers()):
            raise UnknownName("provider of Inspect", provider, known) from None
        why = redact([*known_secrets(name.base_url, None, ()), *environment_secrets()], error_text(error))
        raise UserError(f"{name} cannot be asked: {why}") from None
    return InspectModel(name, found, context, owned=True)


def _key(name: ModelName, provider: str, context: ModelContext) -> str | None:
    """The key that Inspect is given; None where it is to look for its own. Not at another host than the provider's: the
    key would go there."""
    if context.sends_requests and (key := read_named_key(name, context.key_env)) is not None:
        return key
    elsewhere = provider in PROVIDERS and not is_provider_host(name.base_url, PROVIDERS[provider])
    return NO_KEY if elsewhere or not context.sends_requests else None


def _providers() -> set[str]:
    """The names that Inspect knows, after it has looked for one in vain."""
    from inspect_ai.util import registry_info

    from affordance.integrations.inspect._compat import registry_find

    return {registry_info(one).name.rpartition("/")[2] for one in registry_find(lambda info: info.type == "modelapi")}
