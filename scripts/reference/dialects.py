"""The dialect table."""

from affordance.grounding.calibration import describe_coordinates
from affordance.grounding.dialects import DIALECTS, Dialect
from affordance.models.profile import patterns_of_dialect
from reference.markdown import code, codes, table


def page() -> str:
    rows = [
        (
            code(row.name),
            codes(patterns_of_dialect(row)) or "any other name, with a warning",
            f"{describe_coordinates(row)} ({code(row.coordinates)})",
            "a point" if row.points_only("element") else "a box",
            _sent(row),
        )
        for row in DIALECTS.values()
    ]
    heads = ("dialect", "names of models", "its numbers", "elements are", "pictures are sent")
    return "\n\n".join(
        [
            "---\nhide: [toc]\n---",
            "# Dialects",
            "How model families give coordinates. A row is chosen by the whole name of a model, without what "
            "comes before its last `/` and in any case; the patterns are regular expressions. `--dialect` overrides, "
            "and `affordance calibrate` finds out. What a convention `GRID/ORDER` is: [the function "
            "suite](../function.md#dialects).",
            table(heads, rows),
        ]
    )


def _sent(row: Dialect) -> str:
    limits = []
    if row.max_side is not None:
        limits.append(f"at most {row.max_side:,} pixels a side")
    if row.max_pixels is not None:
        limits.append(f"at most {row.max_pixels:,} pixels in all")
    return ", ".join(limits) or "as they are"
