"""`affordance.toml`: defaults, found upwards from the current folder.

ledger = "results.db"          # options of all commands that have them, under their long names
[run]                          # options of one command
concurrency = 16
[models."openai:gpt-5"]        # parameters for one model
max_tokens = 4096
temperature = "null"           # not sent, whatever the protocol has
most_images = 1                # not sent: how many images it takes in a request,
video = false                  # and whether it takes videos
[prices]                       # US dollars per million tokens
"my-model" = { input = 0.5, output = 1.5 }
[providers.mine]               # another endpoint that speaks chat-completions
base_url = "https://models.example.org/v1"
key_variable = "MINE_API_KEY"
"""

import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationError

from affordance.core.errors import UserError
from affordance.core.paths import DEFAULT_LEDGER, find_config
from affordance.core.validation import describe_setting, format_validation_error


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PriceConfig(_Section):
    input: Annotated[float, Field(ge=0)]
    output: Annotated[float, Field(ge=0)]


class ProviderConfig(_Section):
    base_url: Annotated[str, Field(pattern="^https?://")]
    key_variable: Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]*$")]
    key_required: bool = True


def _parse_null(parameters: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Parameters with None for the text `null`, which TOML lacks, as in `--set temperature=null`."""
    return {name: None if value == "null" else value for name, value in parameters.items()}


class ConfigFile(BaseModel):
    """The content of `affordance.toml`. Commands validate their own options."""

    model_config = ConfigDict(extra="allow", frozen=True)

    models: dict[str, Annotated[dict[str, JsonValue], AfterValidator(_parse_null)]] = {}
    prices: dict[str, PriceConfig] = {}
    providers: dict[str, ProviderConfig] = {}

    @classmethod
    def load(cls) -> "ConfigFile":
        """The file of the current folder or the nearest of its parents; without one, an empty configuration."""
        return read_config(find_config(Path.cwd()))

    @property
    def command_defaults(self) -> dict[str, Any]:
        return dict(self.__pydantic_extra__ or {})


def read_config(path: Path | None) -> ConfigFile:
    """The content of a file; UserError names the file and never quotes a secret."""
    if path is None:
        return ConfigFile()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        if "sources" in content:
            raise UserError(
                f"{path}: [sources] is not supported any more; remove it and name other repositories as hub:OWNER/NAME "
                "or github:OWNER/NAME"
            )
        return ConfigFile.model_validate(content)
    except ValidationError as error:
        raise UserError(f"{path}: {format_validation_error(error, describe_setting)}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: expected UTF-8, found an invalid byte at {error.start}") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: expected TOML, found: {_hide_quoted_text(str(error))}") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None


def resolve_ledger(given: str | Path | None = None) -> str:
    """The ledger to use: the given one, that of AFFORDANCE_LEDGER, `ledger` in affordance.toml, or affordance.db in the
    current folder."""
    if given is not None:
        return str(given)
    if named := os.environ.get("AFFORDANCE_LEDGER"):
        return named
    path = find_config(Path.cwd())
    named = read_config(path).command_defaults.get("ledger")
    if path is None or named is None:
        return DEFAULT_LEDGER
    if not isinstance(named, str):
        raise UserError(f"{path}: ledger: expected text, found {describe_setting(named)}")
    return resolve_config_path(path, named)


def resolve_config_path(config_path: Path, value: str) -> str:
    """A path, URL or `FORMAT:PATH` of a settings file, whose paths are relative to its folder."""
    if "://" in value:
        return value
    head, colon, rest = value.partition(":")
    is_format = (
        colon and len(head) > 1 and head.replace("-", "").isalnum() and not (config_path.parent / value).exists()
    )
    return f"{head}:{config_path.parent / rest}" if is_format else str(config_path.parent / value)


def _hide_quoted_text(message: str) -> str:
    """An error message of TOML without quoted content, which may hold an API key."""
    reason, _, place = message.rpartition(" (at ")
    quotes = re.search(r"[\"'][^\"']{2,}[\"']", reason)
    return f"a mistake (at {place}" if quotes else message
