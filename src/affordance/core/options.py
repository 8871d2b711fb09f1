"""Options, declared once: fields of a frozen pydantic model with help text, constraints and their part in a run's
identity.

The command line, the signature of the Python functions, `affordance.toml` and the run record derive from the same
fields.

    class RunConfig(OptionModel):
        limit: int | None = option(None, "Evaluate a fixed, spread-out subset of N items.", metavar="N", ge=1)
        concurrency: int = option(64, "Requests in flight per model.", identity=False, ge=1)

`config.model_fields_set` holds the names of the options that the user gave.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticUndefined

from affordance.core.errors import InvalidOption, UnknownName
from affordance.core.json_text import Json
from affordance.core.validation import describe_invalid_value

_KEY = "option"  # of a field's extra schema

M = TypeVar("M", bound=BaseModel)


class OptionModel(BaseModel):
    """Base of models whose fields are options: frozen, and unknown options are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """One declared option."""

    name: str  # of the field and the Python argument: `judge_orders`
    annotation: Any
    default: Any  # `inspect.Parameter.empty` for a required one
    help: str
    metavar: str = ""
    panel: str = ""  # heading under which the command line lists it
    aliases: tuple[str, ...] = ()  # other spellings on the command line: `-n`, `--reasks`
    identity: bool = True  # whether its value is part of a run's identity
    always_stored: bool = False  # in the identity even where it has its default
    stored_as: str = ""  # key in the run record; `name` unless given

    @property
    def flag(self) -> str:
        """The spelling on the command line: `--judge-orders`."""
        return option_flag(self.name)

    @property
    def key(self) -> str:
        """The key in the run record."""
        return self.stored_as or self.name

    @property
    def is_required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def choices(self) -> tuple[str, ...]:
        """The values of a `Literal` or an enum; empty for any other type."""
        return _choices(self.annotation)


def option(
    default: Any,
    help: str,  # noqa: A002  # the name that typer and argparse use
    *,
    identity: bool = True,
    always_stored: bool = False,
    stored_as: str = "",
    metavar: str = "",
    panel: str = "",
    aliases: tuple[str, ...] = (),
    **constraints: Any,
) -> Any:
    """Declares an option as the default of a field.

    Args:
        default: The default value; `...` for a required option.
        help: One sentence for the command line and the reference.
        identity: Whether the value is part of a run's identity.
        always_stored: Whether the default is in the run record too; else only values that differ from it.
        stored_as: The key in the run record, if it is not the name of the field.
        constraints: Arguments of `pydantic.Field`, such as `ge=1`, `le=10` or `pattern`.
    """
    extra: dict[str, Any] = {
        "metavar": metavar,
        "panel": panel,
        "aliases": list(aliases),
        "identity": identity,
        "always_stored": always_stored,
        "stored_as": stored_as,
    }
    mutable = isinstance(default, (dict, list, set))
    given = {"default_factory": default.copy} if mutable else {"default": default}
    return Field(**given, description=help, json_schema_extra={_KEY: extra}, **constraints)


def options_of(*models: type[BaseModel]) -> dict[str, OptionInfo]:
    """The declared options of some models by name, in the order of declaration."""
    return {
        name: _option_info(name, field)
        for model in models
        for name, field in model.model_fields.items()
        if isinstance(field.json_schema_extra, dict) and _KEY in field.json_schema_extra
    }


def option_flag(name: str) -> str:
    """The spelling of an option on the command line."""
    return f"--{name.replace('_', '-')}"


def parse_options(model: type[M], values: Mapping[str, Any], *, strict: bool = False) -> M:
    """The validated options.

    Args:
        values: The options that the user gave, by name. Leave the others out: then `model_fields_set` says which were
            given.
        strict: Whether values must have the declared types, as in Python; else text that spells one is converted.

    Raises:
        UnknownName: A name is not that of an option.
        InvalidOption: A value is not valid; `option` is its name.
    """
    for name in values:
        if name not in model.model_fields:
            raise UnknownName("option", name, model.model_fields)
    try:
        return model.model_validate(dict(values), strict=strict or None)
    except ValidationError as error:
        raise invalid_option(error) from None


def invalid_option(error: ValidationError) -> InvalidOption:
    """The first invalid option of a validation error."""
    first = error.errors(include_url=False)[0]
    name, *rest = [str(part) for part in first["loc"]] or [""]
    within = f"{'.'.join(rest)}: " if rest and first["type"] != "missing" else ""
    return InvalidOption(name, f"{within}{describe_invalid_value(first)}")


def identity_record(config: BaseModel) -> dict[str, Json]:
    """The options that identify a run, as JSON under their stored names. Values that equal the default are left out
    unless the option is always stored, so that runs keep their ids when an option is added."""
    values = config.model_dump(mode="json")
    return {
        info.key: values[info.name]
        for info in options_of(type(config)).values()
        if info.identity and (info.always_stored or getattr(config, info.name) != info.default)
    }


def signature_parameters(*models: type[BaseModel]) -> list[inspect.Parameter]:
    """The options as keyword-only parameters, for `__signature__` of a function that takes them as `**options`."""
    return [
        inspect.Parameter(info.name, inspect.Parameter.KEYWORD_ONLY, default=info.default, annotation=info.annotation)
        for info in options_of(*models).values()
    ]


def _option_info(name: str, field: Any) -> OptionInfo:
    extra = {**field.json_schema_extra[_KEY]}
    default = field.get_default(call_default_factory=True)
    return OptionInfo(
        name,
        field.annotation,
        inspect.Parameter.empty if default is PydanticUndefined else default,
        field.description or "",
        **{**extra, "aliases": tuple(extra["aliases"])},
    )


def _choices(annotation: Any) -> tuple[str, ...]:
    if get_origin(annotation) is Literal:
        return tuple(map(str, get_args(annotation)))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple(str(member.value) for member in annotation)
    return tuple(choice for part in get_args(annotation) for choice in _choices(part))
