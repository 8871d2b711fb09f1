"""Figures for print as SVG files, drawn with matplotlib.

Equal rows give equal files; text stays text."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affordance.core.errors import UserError
from affordance.core.formatting import format_count, format_percent
from affordance.core.text import make_slug, strip_control, truncate_middle
from affordance.report.divergence import GroundingOutcomeGap, grounding_outcome_gaps
from affordance.report.result_row import ConditionDifference, ResultRow, with_short_labels
from affordance.report.views import errors
from affordance.report.views.conditions import main_condition_rows
from affordance.stats import Interval
from affordance.tasks.registry import TASKS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


MOST_LINES = 60  # of one figure
LONGEST_NAME = 36
_WIDTH = 6.5  # inches: a page of text
_PANELS = 3  # side by side
_ACCENT, _SOFT, _GRID, _BAND, _INK = "#0f6b66", "#57606a", "#e6e9ed", "#cfe3e1", "#1b1f24"
_SHADE = (0.06, 0.42, 0.40)  # the accent
_SQUARE = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "affordance",
    "text.parse_math": False,  # a name may have dollars in it
    "font.family": "sans-serif",
    "font.size": 9.0,
    "text.color": _INK,
    "axes.edgecolor": _SOFT,
    "axes.labelcolor": _INK,
    "xtick.color": _SOFT,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
}

Drawing = Callable[["Figure"], None]


def write_figures(folder: Path, rows: Sequence[ResultRow]) -> list[Path]:
    """All figures that rows give, each to a file named by task, form, run and what it shows; what was written."""
    if find_spec("matplotlib") is None:
        raise UserError("figures need matplotlib: pip install 'affordance[figures]'")
    written: dict[str, Path] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for title, height, draw in _figures(rows):
            stem = make_slug(title, 120) or "figure"
            while stem in written:
                stem += "-again"
            path = written[stem] = folder / f"{stem}.svg"
            path.write_text(_svg(height, draw), encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write figures to {folder}: {error.strerror}") from None
    return list(written.values())


def _figures(rows: Sequence[ResultRow]) -> Iterator[tuple[str, float, Drawing]]:
    """Of each figure a title for its file, its height in inches, and how it is drawn."""
    full = main_condition_rows(rows)
    for key in dict.fromkeys((row.task, row.run, row.form) for row in full):
        group = with_short_labels([row for row in full if (row.task, row.run, row.form) == key])
        title = f"{group[0].task_label} {group[0].run}"
        if scored := [row for row in group if row.metrics["accuracy"] is not None]:
            yield f"{title} leaderboard", _height(scored), _leaderboard(scored)
        if placed := [row for row in scored if "right" in row.positions and "preference" in row.positions]:
            yield f"{title} position", max(4.2, 1.0 + 0.2 * len(placed[:MOST_LINES])), _positions(placed[:MOST_LINES])
        same = with_short_labels([row for row in rows if (row.task, row.run) == key[:2]])
        if cues := _cues(same):
            yield f"{title} cues", 0.9 + 1.9 * -(-len(cues) // _PANELS), _differences(group[0], cues)
        for matrix in errors.confusion_matrices(group, TASKS[group[0].task].views.classes):
            if matrix.lines:
                yield f"{title} confusion {matrix.model}", 1.6 + 0.34 * len(matrix.lines), _confusion(group[0], matrix)
    for one in (found for found in grounding_outcome_gaps(rows) if found.ranks):
        title = f"function {one.level} {' '.join(one.forms)} {one.run} finding and knowing"
        yield title, max(4.2, 1.0 + 0.2 * len(one.points[:MOST_LINES])), _divergence(one)


def _svg(height: float, draw: Drawing) -> str:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    text = StringIO()
    with rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # it is text, the reader's font has it
        figure = Figure(figsize=(_WIDTH, height), facecolor="white", layout="constrained")
        draw(figure)
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": "affordance"})
    return text.getvalue()


def _leaderboard(group: Sequence[ResultRow]) -> Drawing:
    def draw(figure: "Figure") -> None:
        shown = group[:MOST_LINES]
        axes = figure.subplots()
        _percent_axis(axes, TASKS[group[0].task].headline_label)
        _chance(axes, group[0])
        for place, row in enumerate(shown):
            share = 100 * (row.metrics["accuracy"] or 0.0)
            if (bounds := row.bounds.get("accuracy")) is not None:
                axes.barh(place, 100 * (bounds[1] - bounds[0]), left=100 * bounds[0], height=0.6, color=_BAND, zorder=1)
            _dot(axes, share, place, row.intervals.get("accuracy"), hollow=row.baseline_relation == "level")
            said = f"{format_percent(row.metrics['accuracy'])}{'' if row.complete else '*'}   n {format_count(row.n)}"
            axes.text(1.02, place, said, transform=axes.get_yaxis_transform(), va="center", fontsize=8, color=_SOFT)
        axes.set_yticks(range(len(shown)), [_short(row.label) for row in shown])
        axes.set_ylim(len(shown) - 0.4, -0.6)
        more = f"; {len(group) - len(shown)} more are not shown" if len(group) > len(shown) else ""
        star = "; * incomplete, the band is where it will end" if any(not row.complete for row in shown) else ""
        _title(
            figure,
            group[0],
            f"95% intervals; hollow: not significantly above {group[0].strongest_baseline}{star}{more}",
        )

    return draw


def _confusion(row: ResultRow, matrix: errors.ConfusionMatrix) -> Drawing:
    def draw(figure: "Figure") -> None:
        from matplotlib.collections import PolyCollection

        figure.set_layout_engine("none")  # there may be one for each model: margins that are known are quick
        width, height = figure.get_size_inches()
        axes = figure.add_axes((1.9 / width, 1.05 / height, 4.4 / width, (height - 1.6) / height))
        cells = [(x, y, cell) for y, (_, line) in enumerate(matrix.lines) for x, cell in enumerate(line)]
        squares = [[(x + dx, y + dy) for dx, dy in _SQUARE] for x, y, _ in cells]
        faces = [[1 - cell.step / errors.STEPS * (1 - part) for part in _SHADE] for _, _, cell in cells]
        right = [square for square, (_, _, cell) in zip(squares, cells, strict=True) if cell.right]
        axes.add_collection(PolyCollection(squares, facecolors=faces, edgecolors=_GRID, lw=0.6), autolim=False)
        axes.add_collection(PolyCollection(right, facecolors="none", edgecolors=_INK, lw=1.2), autolim=False)
        for x, y, cell in cells:
            if cell.number:
                ink = "white" if cell.step > errors.STEPS / 2 else _INK
                axes.text(x, y, cell.number, ha="center", va="center", fontsize=8, color=ink, zorder=4)
        axes.set_xlim(-0.5, len(matrix.columns) - 0.5)
        axes.set_ylim(len(matrix.lines) - 0.5, -0.5)
        answers = [_short(one, 16) for one in matrix.columns]
        axes.set_xticks(range(len(answers)), answers, rotation=40, ha="right", rotation_mode="anchor")
        axes.set_yticks(range(len(matrix.lines)), [_short(truth, 20) for truth, _ in matrix.lines])
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        figure.text(0.01, 0.1 / height, "truth down, answer across", fontsize=8, color=_SOFT)
        _title(figure, row, matrix.finding)

    return draw


def _cues(rows: Sequence[ResultRow]) -> list[tuple[str, list[ConditionDifference], list[str]]]:
    """By model, what each set of cues adds to none; nothing for tasks without cues."""
    base = TASKS[rows[0].task].views.split.baseline if rows else ""
    found: dict[str, list[tuple[ConditionDifference, str]]] = {}
    for row in rows:
        for one in row.differences:
            if base and one.form == base:
                found.setdefault(row.label, []).append((one, row.form))
    models = list(found.items())[: _PANELS * 8]
    return [(model, [one for one, _ in parts], [form for _, form in parts]) for model, parts in models]


def _differences(row: ResultRow, found: Sequence[tuple[str, list[ConditionDifference], list[str]]]) -> Drawing:
    def draw(figure: "Figure") -> None:
        lines = -(-len(found) // _PANELS)
        forms = sorted({form for _, _, of in found for form in of}, key=lambda form: (form.count("+"), form))
        grid = figure.subplots(lines, min(_PANELS, len(found)), sharex=True, sharey=True, squeeze=False)
        panels = [axes for line in grid for axes in line]
        for axes in panels[len(found) :]:
            axes.set_visible(False)
        for axes, (model, differences, of_model) in zip(panels, found, strict=False):
            axes.axvline(0, color=_SOFT, lw=1, ls=(0, (3, 3)), zorder=1)
            axes.grid(axis="x", color=_GRID, lw=0.8)
            for one, form in zip(differences, of_model, strict=True):
                unsure = one.interval is None or one.interval[0] <= 0 <= one.interval[1]
                _dot(axes, 100 * one.accuracy, forms.index(form), one.interval, hollow=unsure)
            axes.set_title(_short(model, 22), fontsize=7.5, loc="left")
            axes.set_yticks(range(len(forms)), [_short(form, 24) for form in forms], fontsize=8)
            axes.set_ylim(len(forms) - 0.4, -0.6)
        figure.supxlabel("points over no cues", fontsize=9)
        _title(figure, row, "Effect of cues; 95% intervals, a hollow dot is not significant")

    return draw


def _positions(group: Sequence[ResultRow]) -> Drawing:
    def draw(figure: "Figure") -> None:
        axes = figure.subplots()
        for line in (axes.axhline, axes.axvline):
            line(50, color=_SOFT, lw=1, ls=(0, (3, 3)), zorder=1)
        for number, row in enumerate(group, 1):
            first, low, high = row.positions["preference"]
            x, y = 100 * first, 100 * (row.metrics["accuracy"] or 0.0)
            if low is not None and high is not None:
                axes.plot([100 * low, 100 * high], [y, y], color=_ACCENT, lw=1, zorder=2)
            if (found := row.intervals.get("accuracy")) is not None:
                axes.plot([x, x], [100 * found[0], 100 * found[1]], color=_ACCENT, lw=1, zorder=2)
            _numbered_names(axes, x, y, number, row.label)
        axes.set_xlabel("takes the first one, % of readable answers")
        axes.set_ylabel("right on average over both orders, %")
        _legend(figure, axes)
        _title(figure, group[0], "Skill is up, a preference for a place to the sides; 95% intervals")

    return draw


def _divergence(one: GroundingOutcomeGap) -> Drawing:
    def draw(figure: "Figure") -> None:
        axes = figure.subplots()
        for number, point in enumerate(one.points[:MOST_LINES], 1):
            _numbered_names(axes, 100 * point.ground, 100 * point.outcome, number, point.model)
        axes.set_xlabel(f"where the {one.level} is, % right")
        axes.set_ylabel("what it does, % right")
        _legend(figure, axes)
        title = f"Finding and knowing {one.level}s ({', '.join(one.forms)}), run {one.run}"
        figure.suptitle(f"{_short(title, 72)}\n{one.ranks}", fontsize=9, x=0.01, ha="left")

    return draw


def _numbered_names(axes: "Axes", x: float, y: float, number: int, model: str) -> None:
    axes.plot([x], [y], "o", ms=11, color="white", mec=_ACCENT, zorder=3, label=f"{number}  {_short(model)}")
    axes.text(x, y, str(number), ha="center", va="center", fontsize=7, zorder=4)


def _legend(figure: "Figure", axes: "Axes") -> None:
    """Two axes in percent, and the names of the numbers."""
    axes.set_xlim(-2, 102)
    axes.set_ylim(-2, 102)
    figure.legend(loc="outside right upper", fontsize=7, frameon=False, handlelength=0, handletextpad=0, markerscale=0)


def _percent_axis(axes: "Axes", measure: str) -> None:
    axes.set_xlim(-1, 101)
    axes.set_xticks([0, 25, 50, 75, 100])
    axes.set_xlabel(f"{measure}, %")
    axes.grid(axis="x", color=_GRID, lw=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)


def _chance(axes: "Axes", row: ResultRow) -> None:
    if row.chance > 0:
        axes.axvline(100 * row.chance, color=_SOFT, lw=1, ls=(0, (3, 3)), zorder=1)
        said = f"{row.strongest_baseline} {format_percent(row.chance)}%"
        side = "right" if row.chance > 0.8 else "left"
        axes.text(100 * row.chance, 1.0, f" {said} ", transform=axes.get_xaxis_transform(), fontsize=8, color=_SOFT,
                  ha=side, va="bottom")  # fmt: skip


def _dot(axes: "Axes", x: float, y: float, found: Interval | None, *, hollow: bool) -> None:
    if found is not None:
        axes.plot([100 * found[0], 100 * found[1]], [y, y], "|-", color=_ACCENT, lw=1.2, ms=6, zorder=2)
    axes.plot([x], [y], "o", ms=6, color="white" if hollow else _ACCENT, mec=_ACCENT, zorder=3)


def _title(figure: "Figure", row: ResultRow, under: str) -> None:
    title = f"{row.task_label} on {row.dataset.get('name', 'an unnamed dataset')}, run {row.run}"
    figure.suptitle(f"{_short(title, 88)}\n{_short(under, 112)}", fontsize=9, x=0.01, ha="left")


def _height(group: Sequence[ResultRow]) -> float:
    return 1.3 + 0.27 * min(len(group), MOST_LINES)


def _short(text: str, length: int = LONGEST_NAME) -> str:
    return truncate_middle(strip_control(text), length)
