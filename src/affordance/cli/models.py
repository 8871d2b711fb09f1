"""`affordance models`: who can be asked."""

import json
import os

from affordance.cli.options import LEDGER, Json, Ledger


def models(ledger: Ledger = LEDGER, as_json: Json = False) -> None:
    """List the providers and built-in models, and whether their keys are set.

    \b
    Example:
      affordance models
    """
    from pathlib import Path

    from affordance.core.config import find_config, read_config
    from affordance.core.names import public_url
    from affordance.models.providers import all_providers
    from affordance.report.tables import Column, print_table

    config = read_config(find_config(Path.cwd()))
    listed = [
        {
            "model": f"{name}:MODEL",
            "where": public_url(provider.base_url),
            "key": _key(provider.key_variable, provider.key_required),
        }
        for name, provider in sorted(all_providers(config.providers).items())
    ]
    listed += [{"model": name, "where": where, "key": "needs none"} for name, where in BUILT_IN]
    if as_json:
        print(json.dumps(listed, indent=2))
        return
    columns = (Column("model", left=True), Column("where it is asked", left=True), Column("key", left=True))
    body = [(one["model"], one["where"], one["key"]) for one in listed]
    print_table(columns, body, "A model is PROVIDER:MODEL[@BASE_URL]; any server that speaks chat-completions will do.")


BUILT_IN = (
    ("baseline:pixels", "here: looks at the pictures with computer vision"),
    ("baseline:random", "here: seeded chance"),
    ("baseline:overlap", "here: the offline judge, by shared words; uncertified"),
    ("oracle", "here: answers the truth, to prove the harness"),
    ("replay:FILE", "here: scores predictions in a JSONL file"),
)


def _key(variable: str, required: bool) -> str:
    if os.environ.get(variable):
        return f"{variable} is set"
    return f"{variable} is not set" if required else f"{variable} (optional)"
