"""What of a preference set is wanted, and what was made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from affordance.integrations.preferences.rows import PreferenceStyle


@dataclass(frozen=True, slots=True)
class PreferenceOptions:
    """`test` is the share of pairs that is held back."""

    style: PreferenceStyle = PreferenceStyle.ANSWERS
    form: str = "jsonl"
    goal: bool = True  # whether prompts tell it, where there is one
    test: float = 0.0
    seed: int = 0


@dataclass(slots=True)
class PreferenceReport:
    """`pairs` and `rows` are by split, `signals` are pairs by how the preference is known, and `left_out` pairs by
    why."""

    folder: Path
    style: PreferenceStyle
    signals: dict[str, int]
    left_out: dict[str, int]
    synthetic: bool
    pairs: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)


def format_exclusions(exclusions: Mapping[str, int]) -> str:
    """How many pairs were left out and why, in words."""
    return ", ".join(f"{count} ({why})" for why, count in exclusions.items()) or "none"
