"""What to say where the name of a run is taken."""

from collections.abc import Mapping

from affordance.core.digest import Json, canonical
from affordance.ledger._records import Run

_LONGEST = 60


def name_is_taken(run: Run, stored: Run | None, where: str) -> str:
    """Names what differs between the two runs of one name."""
    differences = [] if stored is None else _differences("", run.settings, stored.settings)
    if stored is not None:
        differences += _differences("dataset ", run.dataset, stored.dataset)
        if run.fresh != stored.fresh:
            differences.append(f"fresh ({_short(run.fresh)}, there {_short(stored.fresh)})")
    what = ", ".join(differences) or "nothing in its settings"
    return (
        f"the ledger {where} has another run of the name {run.name!r}, which differs in: {what}; "
        "choose another name, or the same settings to resume it"
    )


def _differences(label: str, here: Mapping[str, Json], there: Mapping[str, Json]) -> list[str]:
    return [
        f"{label}{key} ({_short(here.get(key))}, there {_short(there.get(key))})"
        for key in sorted({*here, *there})
        if here.get(key) != there.get(key)
    ]


def _short(value: Json) -> str:
    text = canonical(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
