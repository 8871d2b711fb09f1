"""What a screen that is drawn differently differs in, in a word."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from affordance.datasets import Screen

ORIGINAL_LABEL = "original"  # what the others are variants of

# By the field of a look, in the order in which they are told.
_LABELS: Mapping[str, Callable[[Any], str]] = {
    "theme": lambda theme: f"theme-{theme}",
    "zoom": lambda zoom: f"zoom{100 * zoom:.0f}" if isinstance(zoom, float) else f"zoom{zoom}",
    "locale": str,
    "serif": lambda serif: "serif" if serif else "sans",
    "moved": lambda moved: "moved" if moved else "unmoved",
    "width": lambda width: f"width{width}",
    "height": lambda height: f"height{height}",
    "ratio": lambda ratio: f"{ratio}x",
}


def variant_labels(original: Screen, variants: Sequence[Screen]) -> list[str]:
    """For each variant what it differs in, such as `theme-dark`, `zoom125`, `de-DE`, `serif` or `moved`; its id where
    nothing is known of that, or where it does not tell it from an earlier one."""
    found: list[str] = []
    for variant in variants:
        told = _difference_label(_render_settings(original), _render_settings(variant))
        found.append(variant.id if told in ("", ORIGINAL_LABEL, *found) else told)
    return found


def _render_settings(screen: Screen) -> Mapping[str, Any]:
    return {} if screen.page is None else screen.page.look


def _difference_label(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    changed = (field for field in _LABELS if field in after and after[field] != before.get(field))
    return "-".join(_LABELS[field](after[field]) for field in changed)
