"""What to say where the name of a run is taken."""

from collections.abc import Mapping

from affordance.core.json_text import Json, canonical_json
from affordance.ledger.records import RunRecord

_MAX_LENGTH = 60


def describe_name_conflict(run: RunRecord, stored: RunRecord | None, location: str) -> str:
    """Names what differs between the two runs of one name."""
    differences = [] if stored is None else _differences("", run.settings, stored.settings)
    if stored is not None:
        differences += _differences("dataset ", run.dataset, stored.dataset)
        if run.fresh != stored.fresh:
            differences.append(f"fresh ({_shorten(run.fresh)}, there {_shorten(stored.fresh)})")
    what = ", ".join(differences) or "nothing in its settings"
    return (
        f"the ledger {location} has another run of the name {run.name!r}, which differs in: {what}; "
        "choose another name, or the same settings to resume it"
    )


def _differences(label: str, here: Mapping[str, Json], there: Mapping[str, Json]) -> list[str]:
    return [
        f"{label}{key} ({_shorten(here.get(key))}, there {_shorten(there.get(key))})"
        for key in sorted({*here, *there})
        if here.get(key) != there.get(key)
    ]


def _shorten(value: Json) -> str:
    text = canonical_json(value)
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 1] + "…"
