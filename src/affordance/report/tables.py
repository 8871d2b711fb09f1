"""The one writer of terminal tables: thin rules, numbers to the right, readable without colour."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from affordance.report.composition import left_out
from affordance.report.cues import cue_table, in_full
from affordance.report.numbers import counted, interval, measured, percent, points, points_interval
from affordance.report.rows import Row
from affordance.report.words import floors, judged, name, not_asked, sampled, with_short_names
from affordance.suites.behavior.texts import signature
from affordance.suites.registry import TASKS

WIDTH = 100


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    left: bool = False


def print_table(columns: Sequence[Column], body: Sequence[Sequence[str]], note: str = "") -> None:
    """To standard output, at most 100 columns wide. Cells are text, never markup."""
    console = Console(width=min(WIDTH, Console().width) if Console().is_terminal else WIDTH, highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        table.add_column(
            column.name, justify="left" if column.left else "right", overflow="fold", no_wrap=not column.left
        )
    for row in body:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
    if note:
        console.print(Text(f"\n{note}", style="dim"))


def print_rows(rows: Sequence[Row]) -> None:
    """The leaderboard: one table per task, run and form, with n, the interval and how attempts ended beside the
    value."""
    if not rows:
        print("Nothing to report yet.")
        return
    full = in_full(rows)
    for number, key in enumerate(dict.fromkeys((row.task, row.run, row.form) for row in full)):
        group = with_short_names([row for row in full if (row.task, row.run, row.form) == key])
        shown = [row for row in group if row.n] or group
        print("\n" * (number > 0) + headline(group) + "\n")
        measures = shown_metrics(group, {**_MEASURES, **_PLACES})
        columns = (
            Column("model", left=True), Column(TASKS[group[0].task].measure), Column("95% interval"),
            *map(Column, measures.values()), Column("n"), Column("no answer"), Column("missing"),
        )  # fmt: skip
        said = "\n".join(note for note in (notes(group), left_out(group, rows)) if note)
        print_table(columns, [_cells(row, measures) for row in shown], said)
        if (cues := cue_table(group, with_short_names(rows))) is not None:
            print(f"\n{cues.title}")
            columns = (Column(cues.columns[0], left=True), *map(Column, cues.columns[1:]))
            models = dict.fromkeys(model for model, _ in cues.lines)
            for model in models:
                print(f"\n{model}\n")
                body = [cells for one, cells in cues.lines if one == model]
                print_table(columns, body, cues.note if model == list(models)[-1] else "")
        if wording := shown_metrics(group, _WORDING):
            print("\nNearness of wording, as means over rationales:\n")
            body = [(name(row), *(percent(row.metrics.get(key)) for key in wording)) for row in group]
            print_table((Column("model", left=True), *map(Column, wording.values())), body, signature())


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


def shown_metrics(rows: Sequence[Row], known: Mapping[str, str] = {**_MEASURES, **_WORDING}) -> dict[str, str]:
    return {name: label for name, label in known.items() if any(row.metrics.get(name) is not None for row in rows)}


def headline(rows: Sequence[Row]) -> str:
    dataset, row = rows[0].dataset, rows[0]
    made_up = ", synthetic" if dataset.get("synthetic") else ""
    form = f" ({row.form})" if row.form else ""
    items = counted(max(one.items for one in rows), TASKS[row.task].noun)
    return f"{row.task}{form} on {dataset['name']} ({items}{made_up}), run {row.run}"


def notes(rows: Sequence[Row]) -> str:
    """What must be said beside the numbers."""
    said = [f"{floors(rows[0])} n counts attempts; intervals are clustered by {sampled(rows[0])}.".strip()]
    if rows[0].form and rows[0].form == TASKS[rows[0].task].control and not rows[0].floors:
        said = ["Of two equal pictures neither is the right one: what is chosen shows a preference for a place."]
    said += [one for one in (not_asked(rows), judged(rows)) if one]
    if errors := rows[0].dataset.get("errors"):
        said.append(
            f"The dataset has errors ({errors}), which may be in these numbers: `affordance data check` lists them."
        )
    if any(not row.complete for row in rows):
        said.append("Missing attempts failed at the provider or are not finished; they are not scored.")
    for row in rows:
        if row.ended["skipped"]:
            said.append(f"{row.model} cannot be asked {row.ended['skipped']} of these questions; they are not scored.")
        if not row.complete:
            low, high = row.bounds.get("accuracy", (0.0, 1.0))
            missing = row.ended["failed"] + row.pending
            said.append(
                f"{row.model} is incomplete: {missing} of {row.n} attempts are missing; "
                f"accuracy is between {percent(low)} and {percent(high)}%."
            )
        said += [f"{row.model}: {warning}" for warning in row.warnings]
        said += [
            f"{row.model}: {row.form} {points(one.accuracy)} points against {one.form} on the same {one.n} targets "
            f"({'no interval' if one.interval is None else f'95% interval {points_interval(one.interval)}'})."
            for one in row.differences
            if row.form < one.form and not TASKS[row.task].base
        ]
    return "\n".join(said)


def _cells(row: Row, measures: Iterable[str]) -> tuple[str, ...]:
    ended = row.ended
    return (
        name(row) if row.complete else f"{name(row)} *",
        percent(row.metrics["accuracy"]),
        interval(row.intervals.get("accuracy")),
        *(measured(name, row.metrics.get(name)) for name in measures),
        str(row.n),
        str(ended["refused"] + ended["unparsed"] + ended["truncated"]),
        str(ended["failed"] + row.pending),
    )
