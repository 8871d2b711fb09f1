"""`affordance.toml`: the example that its reader has, and the fields of its tables."""

import inspect
import re

from affordance.core import config
from affordance.core.config import ConfigFile
from reference.fields import fields_table, parts_of
from reference.markdown import code, plain, table

_LIMITS = (
    (code("most_images"), code("int"), "the most images in one request; another number than the provider's"),
    (code("video"), code("bool"), "whether the model accepts videos"),
)


def page() -> str:
    first, _, example = inspect.cleandoc(config.__doc__ or "").partition("\n\n")
    said = dict(re.findall(r"^\[(\w+)[^\]]*\] +# (.+)$", example, re.MULTILINE))
    tables = [(code(f"[{name}...]"), plain(said[name])) for name in ConfigFile.model_fields]
    return "\n\n".join(
        [
            "# Settings: affordance.toml",
            f"{first} An option on the command line comes first, then its environment variable, then the table of its "
            "command, then the top of the file.",
            f'```toml title="affordance.toml"\n{example}\n```',
            table(
                ("key or table", "what it holds"),
                [
                    ("an option's long name", "its default, for every command that has the option"),
                    ("`[COMMAND]`", "defaults for one [command](commands/index.md), by the long names of its options"),
                    ("`[GROUP]`, `[GROUP.COMMAND]`", "defaults for the commands of a group, or for one of them"),
                    *tables,
                ],
            ),
            "Paths, specs and ledgers are relative to the file. A key that no command knows is an error that names the "
            "file.",
            '## [models."NAME"] { #models }',
            "What is sent with every ask of that model, such as `max_tokens`; but for these, which say what it takes:",
            table(("key", "type", "what it is"), _LIMITS),
            *(part for entry in parts_of(ConfigFile) for part in (f"## {_named(entry)}", fields_table(entry))),
        ]
    )


def _named(entry: type) -> str:
    """The table that holds such entries."""
    name = next(name for name, field in ConfigFile.model_fields.items() if entry.__name__ in str(field.annotation))
    return f"[{name}.NAME] {{ #{name} }}"
