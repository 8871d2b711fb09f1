"""The JSON report: fields of a row."""

from affordance.report.result_row import UNEXPORTED_FIELDS, ConditionDifference, ResultRow, SliceResult
from affordance.report.rows import METRICS
from reference.fields import fields_table
from reference.markdown import codes


def page() -> str:
    return "\n\n".join(
        [
            "# The JSON report",
            "`affordance report --format json`, and `--json` of `affordance run`, print a list of rows: one for each "
            "run, task, model, strategy and form. Every row has all of these metrics, null where they do not apply: "
            f"{codes(METRICS)}. All are between 0 and 1 but `score`, which is 0 to 5. What each counts: "
            "[statistics](../statistics.md), and the pages of the suites.",
            "## A row",
            fields_table(ResultRow, without=UNEXPORTED_FIELDS),
            "## breakdowns",
            fields_table(SliceResult),
            "## differences",
            fields_table(ConditionDifference),
        ]
    )
