"""`affordance models`: list providers, built-in models and coordinate dialects."""

import os

from affordance.cli.options import LEDGER, Json, Ledger
from affordance.console.output import print_json, print_note


def models(ledger: Ledger = LEDGER, as_json: Json = False) -> None:
    """List providers and built-in models, whether their keys are set, and the coordinate dialects of model families.

    \b
    Example:
      affordance models
    """

    from affordance.core.config import ConfigFile
    from affordance.core.http import public_url
    from affordance.core.plugin_registry import MODELS, distribution_of, entry_points_by_name
    from affordance.core.table import Column, Table
    from affordance.grounding.calibration import describe_coordinates
    from affordance.grounding.dialects import DIALECTS
    from affordance.models.profile import patterns_of_dialect
    from affordance.models.providers import all_providers
    from affordance.report.formats.terminal import print_table

    config = ConfigFile.load()
    listed = [
        {
            "model": f"{name}:MODEL",
            "where": public_url(provider.base_url),
            "key": _key(provider.key_variable, provider.key_required),
        }
        for name, provider in sorted(all_providers(config.providers).items())
    ]
    listed += [{"model": name, "where": where, "key": "none needed"} for name, where in BUILT_IN]
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
        print_json({"models": listed, "dialects": dialects})
        return
    body = [(one["model"], one["where"], one["key"]) for one in listed]
    columns = (Column("model"), Column("where"), Column("key"))
    print_table(
        Table.of(
            "models",
            "",
            columns,
            body,
            ["A model is PROVIDER:MODEL[@BASE_URL]; any server with a chat-completions API works."],
        )
    )
    print("\nCoordinate dialects by model name:\n")
    names = Column("names", "model names (without vendor/)")
    body = [
        (row.name, "  ".join(patterns_of_dialect(row)) or "any other name, with a warning", str(row.coordinates))
        for row in spoken.values()
    ]
    note = "GRID/ORDER: the unit of the numbers and the order of four. See `affordance calibrate --help`."
    print_table(Table.of("dialects", "", (Column("dialect"), names, Column("coordinates")), body, [note]))


BUILT_IN = (
    ("baseline:first", "built in: always the first option"),
    ("baseline:random", "built in: seeded random answers"),
    ("baseline:pixels", "built in: effects and grounding by computer vision"),
    ("baseline:overlap", "built in: offline judge by shared words; not calibrated"),
    ("baseline:people", "built in: the response of one person, for motion/meaning"),
    ("oracle:DIALECT", "built in: the correct answer in a dialect, to test the evaluation"),
    ("replay:FILE", "built in: stored predictions (JSONL, ScreenSpot-Pro results)"),
    ("study:NAME", "built in: answers of people in a study (affordance study)"),
)
# Providers of ours that are found as those of other packages are: what comes behind the colon, where, and the key.
OURS = {"inspect": ("PROVIDER/MODEL", "any model that Inspect can ask (extra inspect)", "as Inspect has it")}


def _key(variable: str, required: bool) -> str:
    if os.environ.get(variable):
        return f"{variable} is set"
    return f"{variable} is not set" if required else f"{variable} (optional)"
