"""`affordance models`: who can be asked."""

import json
import os

from affordance.cli.options import LEDGER, Json, Ledger
from affordance.console.output import print_note


def models(ledger: Ledger = LEDGER, as_json: Json = False) -> None:
    """List the providers and built-in models, whether their keys are set, and how families of models speak
    coordinates.

    \b
    Example:
      affordance models
    """
    from pathlib import Path

    from affordance.core.config import find_config, read_config
    from affordance.core.http import public_url
    from affordance.core.plugin_registry import MODELS, distribution_of, entry_points_by_name
    from affordance.core.table import Column, Table
    from affordance.grounding.calibration import describe_coordinates
    from affordance.grounding.dialects import DIALECTS
    from affordance.models.profile import patterns_of_dialect
    from affordance.models.providers import all_providers
    from affordance.report.formats.terminal import print_table

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
    listed += [
        {"model": f"{name}:MODEL", "where": f"added by {distribution_of(one)}", "key": "see there"}
        if name not in OURS
        else {"model": f"{name}:{OURS[name][0]}", "where": OURS[name][1], "key": OURS[name][2]}
        for name, one in entry_points_by_name(MODELS).items()
    ]
    spoken, broken = DIALECTS.load_all()
    for error in broken:
        print_note(str(error))
    dialects = [
        {
            "dialect": row.name,
            "models": list(patterns_of_dialect(row)),
            "convention": str(row.coordinates),
            "in_words": describe_coordinates(row),
            "points_at_elements": row.points_only("element"),
            "longest_side": row.max_side,
            "most_pixels": row.max_pixels,
        }
        for row in spoken.values()
    ]
    if as_json:
        print(json.dumps({"models": listed, "dialects": dialects}, indent=2))
        return
    body = [(one["model"], one["where"], one["key"]) for one in listed]
    note = "A model is PROVIDER:MODEL[@BASE_URL]; any server that speaks chat-completions will do."
    columns = (Column("model"), Column("where", "where it is asked"), Column("key"))
    print_table(Table.of("models", "", columns, body, [note]))
    print("\nHow models speak coordinates, by their names:\n")
    names = Column("names", "names (whole, any case, vendor/ cut)")
    body = [
        (row.name, "  ".join(patterns_of_dialect(row)) or "any other name, with a warning", str(row.coordinates))
        for row in spoken.values()
    ]
    note = "GRID/ORDER: what the numbers count, and what four of them are. See `affordance calibrate --help`."
    print_table(Table.of("dialects", "", (Column("dialect"), names, Column("numbers", "its numbers")), body, [note]))


BUILT_IN = (
    ("baseline:first", "here: always the first option"),
    ("baseline:random", "here: answers at random, from a seed"),
    ("baseline:pixels", "here: effects and grounding by computer vision"),
    ("baseline:overlap", "here: the offline judge, by shared words; uncertified"),
    ("baseline:people", "here: what one person said, in motion/meaning"),
    ("oracle:DIALECT", "here: answers the truth in a dialect, to prove the harness"),
    ("replay:FILE", "here: scores what others predicted (JSONL, ScreenSpot-Pro results)"),
    ("study:NAME", "here: what people answered in a study (affordance study)"),
)
# Providers of ours that are found as those of other packages are: what comes behind the colon, where, and the key.
OURS = {"inspect": ("PROVIDER/MODEL", "any model that Inspect can ask (extra inspect)", "as Inspect has it")}


def _key(variable: str, required: bool) -> str:
    if os.environ.get(variable):
        return f"{variable} is set"
    return f"{variable} is not set" if required else f"{variable} (optional)"
