"""Which tables a report has: the same for terminal, Markdown and LaTeX."""

from collections.abc import Iterable, Mapping, Sequence

from affordance.report import asides
from affordance.report.composition import describe_control_items
from affordance.report.formats.terminal import print_tables
from affordance.report.human_rows import describe_agreement
from affordance.report.leaderboard import leaderboard_table, leaderboards
from affordance.report.numbers import count_noun, format_interval, format_percent, format_points, format_points_interval
from affordance.report.rows import ResultRow
from affordance.report.sheet import Column, ReportTable
from affordance.report.views import breakdowns
from affordance.report.views.conditions import condition_table, main_condition_rows
from affordance.report.views.judges import corrected_scores_table
from affordance.report.words import (
    cluster_noun,
    describe_baselines,
    describe_missing,
    judge_note,
    metric_text,
    not_asked,
    parsers,
    participants_note,
    row_label,
    why_missing,
    with_short_labels,
)
from affordance.tasks.behavior.texts import signature
from affordance.tasks.registry import TASKS

# Beside accuracy, where any row of a table has them.
_MEASURES = {
    "macro_f1": "macro F1",
    "score": "score",
    "score_sd": "sd",
    "unrelated": "unrelated",
    "rationale_accuracy": "reasons",
    "instance_accuracy": "any reason",
    "iou": "IoU",
    "iou_50": "IoU over .5",
}
_WORDING = {
    "bleu_2": "BLEU-2",
    "bleu_4": "BLEU-4",
    "rouge_l": "ROUGE-L",
    "meteor": "METEOR",
    "bertscore": "BERTScore",
}
_PLACES = {"consistent_accuracy": "both orders", "position_preference": "takes 1st"}  # the page has more of it


def print_rows(rows: Sequence[ResultRow]) -> None:
    """The leaderboard: one table per task, run and form, with n, the interval and how attempts ended beside the
    value; then those over several runs and published rows."""
    if rows:
        print_tables(report_tables(rows))
    else:
        print("Nothing to report yet.")


def report_tables(rows: Sequence[ResultRow], *, detail: bool = False) -> list[ReportTable]:
    """For each task, run and form the rows with what belongs to them, in detail with small tables and breakdowns; then
    the boards over several runs and published rows."""
    full = main_condition_rows(rows)
    found: list[ReportTable] = []
    for key in dict.fromkeys((row.task, row.run, row.form) for row in full):
        group = with_short_labels([row for row in full if (row.task, row.run, row.form) == key])
        found += [_main(group, rows), *_corrected_score_table(group), *_cues(group, rows), *_wording(group)]
        if detail:
            found += [
                *map(_aside, asides.additional_tables(group)),
                *map(_breakdown, breakdowns.breakdown_tables(group)),
            ]
    return [*found, *map(leaderboard_table, leaderboards(rows))]


def visible_metrics(rows: Sequence[ResultRow], known: Mapping[str, str] = {**_MEASURES, **_WORDING}) -> dict[str, str]:
    return {name: label for name, label in known.items() if any(row.metrics.get(name) is not None for row in rows)}


def headline(rows: Sequence[ResultRow]) -> str:
    dataset, row = rows[0].dataset, rows[0]
    made_up = ", synthetic" if dataset.get("synthetic") else ""
    form = f" ({row.form})" if row.form else ""
    items = count_noun(max(one.items for one in rows), TASKS[row.task].views.item_noun)
    return f"{row.task}{form} on {dataset['name']} ({items}{made_up}), run {row.run}"


def notes(rows: Sequence[ResultRow]) -> list[str]:
    """What must be said beside the numbers."""
    said = [
        f"{describe_baselines(rows[0])} n counts attempts; intervals are clustered by {cluster_noun(rows[0])}.".strip()
    ]
    if rows[0].form and rows[0].form == TASKS[rows[0].task].views.split.control and not rows[0].floors:
        said = ["Of two equal pictures neither is the right one: what is chosen shows a preference for a place."]
    said += [one for one in (not_asked(rows), judge_note(rows), parsers(rows), *participants_note(rows)) if one]
    if errors := rows[0].dataset.get("errors"):
        said.append(
            f"The dataset has errors ({errors}), which may be in these numbers: `affordance data check` lists them."
        )
    if any(not row.complete for row in rows):
        said.append(f"Missing attempts {why_missing([row for row in rows if not row.complete])}; they are not scored.")
    for row in rows:
        if row.ended["skipped"]:
            said.append(f"{row.model} cannot be asked {row.ended['skipped']} of these questions; they are not scored.")
        if not row.complete:
            low, high = row.bounds.get("accuracy", (0.0, 1.0))
            said.append(
                f"{row.model} is incomplete: {describe_missing(row)}; accuracy is between "
                f"{format_percent(low)} and {format_percent(high)}%."
            )
        said += [f"{row.model}: {warning}" for warning in row.warnings]
        said += [f"{row.model}: among people, {describe_agreement(one)}." for one in row.people]
        said += [
            f"{row.model}: {row.form} {format_points(one.accuracy)} points against {one.form} on the same "
            f"{one.n} targets "
            f"({'no interval' if one.interval is None else f'95% interval {format_points_interval(one.interval)}'})."
            for one in row.differences
            if row.form < one.form and not TASKS[row.task].views.split.baseline
        ]
    return said


def _corrected_score_table(group: Sequence[ResultRow]) -> list[ReportTable]:
    table = corrected_scores_table(group)
    return [_aside(table)] if table is not None else []


def _main(group: Sequence[ResultRow], rows: Sequence[ResultRow]) -> ReportTable:
    shown = [row for row in group if row.n] or group
    measures = visible_metrics(group, {**_MEASURES, **_PLACES})
    columns = (
        Column("model", left=True), Column(TASKS[group[0].task].headline_label), Column("95% interval"),
        *map(Column, measures.values()), Column("n"), Column("no answer"), Column("missing"),
    )  # fmt: skip
    said = (*notes(group), *filter(None, (describe_control_items(group, rows),)))
    return ReportTable(headline(group), columns, tuple(_cells(row, measures) for row in shown), said)


def _cells(row: ResultRow, measures: Iterable[str]) -> tuple[str, ...]:
    ended = row.ended
    return (
        row_label(row) if row.complete else f"{row_label(row)} *",
        format_percent(row.metrics["accuracy"]),
        format_interval(row.intervals.get("accuracy")),
        *(metric_text(row, metric) for metric in measures),
        str(row.n),
        str(ended["refused"] + ended["unparsed"] + ended["truncated"]),
        str(ended["failed"] + row.pending),
    )


def _cues(group: Sequence[ResultRow], rows: Sequence[ResultRow]) -> list[ReportTable]:
    """One sheet for each model: they are compared within it."""
    table = condition_table(group, with_short_labels(rows))
    if table is None:
        return []
    models = list(dict.fromkeys(model for model, _ in table.lines))
    columns = (Column(table.columns[0], left=True), *map(Column, table.columns[1:]))
    return [
        ReportTable(
            title=model,
            columns=columns,
            lines=tuple(cells for one, cells in table.lines if one == model),
            notes=(table.note,) if model == models[-1] else (),
            heading=table.title if model == models[0] else "",
            part=True,
        )
        for model in models
    ]


def _wording(group: Sequence[ResultRow]) -> list[ReportTable]:
    shown = visible_metrics(group, _WORDING)
    if not shown:
        return []
    lines = tuple((row_label(row), *(format_percent(row.metrics.get(key)) for key in shown)) for row in group)
    columns = (Column("model", left=True), *map(Column, shown.values()))
    return [ReportTable("Nearness of wording, as means over rationales:", columns, lines, (signature(),), part=True)]


def _breakdown(table: breakdowns.BreakdownTable) -> ReportTable:
    hidden = f"The values with the most attempts are shown, {table.hidden} more are not." if table.hidden else ""
    return ReportTable(
        title=table.title,
        columns=(Column(table.corner, left=True), *map(Column, table.columns)),
        lines=tuple((label, *(f"{cell.share} ({cell.n})" for cell in cells)) for label, cells in table.lines),
        notes=tuple(filter(None, ("In brackets the scored attempts.", table.note, hidden))),
        part=True,
    )


def _aside(table: asides.AsideTable) -> ReportTable:
    columns = (Column(table.corner, left=True), *map(Column, table.columns))
    return ReportTable(
        table.title, columns, tuple((label, *cells) for label, cells in table.lines), (table.note,), part=True
    )
