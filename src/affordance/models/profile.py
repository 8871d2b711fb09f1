"""The profile of a model: what its family, its provider and affordance.toml say about it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from affordance.core.config import ConfigFile
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.core.model_name import BUILTIN_PROVIDERS, ModelName
from affordance.core.validation import describe_setting
from affordance.grounding.dialects import DIALECTS, Dialect
from affordance.models.families import DEFAULT_FAMILY, FAMILIES
from affordance.models.family import FREE, ModelFamily, ParameterRules, Price
from affordance.models.providers import PROVIDERS, ImageLimits

_LIMIT_KEYS = ("most_images", "video")  # keys of `[models."NAME"]` that are limits and no parameters


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """What is known about one model."""

    name: ModelName
    family: ModelFamily  # with the changes of its variants
    is_known: bool  # False: no family matches the name, and the default row holds
    images: ImageLimits
    price: Price | None  # None: unknown

    @property
    def dialect(self) -> str:
        return self.family.dialect

    @property
    def parameters(self) -> ParameterRules:
        return self.family.parameters


def resolve_profile(
    name: ModelName, options: Mapping[str, Json] | None = None, prices: Mapping[str, Price] | None = None
) -> ModelProfile:
    """The profile of a model.

    Args:
        name: the model.
        options: what `[models."NAME"]` of affordance.toml says.
        prices: the user's prices by model; see `config_prices`.

    Raises:
        UserError: an option that is a limit has an invalid value.
    """
    family, is_known = find_family(name.model)
    return ModelProfile(name, family, is_known, image_limits(name, options or {}), find_price(name, prices or {}))


def find_family(model: str) -> tuple[ModelFamily, bool]:
    """The family whose patterns match a model's whole name, ignoring case and what precedes the last slash. Built-in
    families come before the dialects of plugins. The default family and False if none matches."""
    name = _without_vendor(model)
    for family in FAMILIES:
        if family.matches(name):
            return family.for_model(name), True
    for dialect in DIALECTS.plugin_names:
        if (added := DIALECTS[dialect]).matches_model(name):
            return ModelFamily(dialect, "", added.patterns, dialect), True
    return DEFAULT_FAMILY, False


def patterns_of_dialect(dialect: Dialect) -> tuple[str, ...]:
    """The patterns for names of models that use a dialect."""
    built_in = [pattern for family in FAMILIES if family.dialect == dialect.name for pattern in family.patterns]
    return (*built_in, *dialect.patterns)


def find_price(name: ModelName, prices: Mapping[str, Price]) -> Price | None:
    """The price of a model: the user's own first, nothing for what runs locally, then that of the family; None if
    unknown."""
    own = _price_in(name, name.model.rpartition("/")[2], prices)
    if own is not None:
        return own
    provider = PROVIDERS.get(name.provider)
    if name.provider in BUILTIN_PROVIDERS or (provider is not None and provider.is_local):
        return FREE
    return _price_in(name, _without_vendor(name.model), find_family(name.model)[0].prices)


def config_prices(config: ConfigFile) -> dict[str, Price]:
    """The user's prices in affordance.toml."""
    return {name: Price(entry.input, entry.output) for name, entry in config.prices.items()}


def image_limits(name: ModelName, options: Mapping[str, Json]) -> ImageLimits:
    """The image limits of a model: those of its provider, replaced by the user's own. A model that takes one image per
    request takes no video unless the user says so."""
    provider = PROVIDERS.get(name.provider)
    # At another base URL the model decides, unless it is the same server program.
    is_known = provider is not None and (name.base_url is None or provider.is_local)
    limits = provider.images if provider is not None and is_known else ImageLimits()
    if (most := options.get("most_images")) is not None:
        if not isinstance(most, int) or isinstance(most, bool) or most < 0:
            raise UserError(
                f"{config_table(name)}: most_images: expected a whole number from 0, found {describe_setting(most)}"
            )
        limits = replace(limits, max_images=most, video=False if most == 1 else limits.video)
    if (video := options.get("video")) is not None:
        if not isinstance(video, bool):
            raise UserError(f"{config_table(name)}: video: expected true or false, found {describe_setting(video)}")
        limits = replace(limits, video=video)
    return limits


def without_limits(options: Mapping[str, Json]) -> dict[str, Json]:
    """The request parameters among a model's options."""
    return {key: value for key, value in options.items() if key not in _LIMIT_KEYS}


def config_table(name: ModelName) -> str:
    """Where the user sets the options of a model."""
    return f'[models."{name}"] in affordance.toml'


def _without_vendor(model: str) -> str:
    return model.rpartition("/")[2].lower()


def _price_in(name: ModelName, model: str, table: Mapping[str, Price]) -> Price | None:
    for known in sorted(table, key=len, reverse=True):
        if known in (model, name.model) or re.fullmatch(rf"{re.escape(known)}-(\d{{3,}}[\d-]*|latest)", model):
            return table[known]
    return None
