"""The dialect table."""

from affordance.grounding.dialects import DIALECTS, Dialect
from affordance.grounding.evidence import in_words
from reference.markdown import code, codes, table


def page() -> str:
    rows = [
        (
            code(row.name),
            codes(row.patterns) or "any other name, with a warning",
            f"{in_words(row)} ({code(row.convention)})",
            "a point" if row.points("element") else "a box",
            _sent(row),
        )
        for row in DIALECTS.values()
    ]
    heads = ("dialect", "names of models", "its numbers", "elements are", "pictures are sent")
    return "\n\n".join(
        [
            "---\nhide: [toc]\n---",
            "# Dialects",
            "How families of models speak coordinates. A row is chosen by the whole name of a model, without what "
            "comes before its last `/` and in any case; the patterns are regular expressions. `--dialect` overrides, "
            "and `affordance calibrate` finds out. What a convention `GRID/ORDER` is: [the function "
            "suite](../function.md#dialects).",
            table(heads, rows),
        ]
    )


def _sent(row: Dialect) -> str:
    limits = []
    if row.longest is not None:
        limits.append(f"at most {row.longest:,} pixels a side")
    if row.most is not None:
        limits.append(f"at most {row.most:,} pixels in all")
    return ", ".join(limits) or "as they are"
