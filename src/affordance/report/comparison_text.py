"""A comparison as sentences and tables."""

import math
import textwrap
from collections.abc import Sequence

from affordance.core.formatting import (
    Unit,
    count_noun,
    format_count,
    format_p,
    format_points_interval,
    join_names,
)
from affordance.core.table import Cell, Column, Table
from affordance.core.text import strip_control, truncate
from affordance.report.comparison import SliceComparison, TaskComparison
from affordance.report.formats.terminal import MAX_WIDTH, print_table, print_tables
from affordance.report.notes import judge_note
from affordance.report.pairwise import SIGNIFICANCE_LEVEL

DEFAULT_ITEMS = 5  # changed items listed per direction
# Fewer clusters can show nothing: the smallest p of an exact test of k clusters is 2^(1 - k).
MIN_CLUSTERS = 1 - math.floor(math.log2(SIGNIFICANCE_LEVEL))
_MAX_IN_FULL = 3  # comparisons whose items are listed without --items
_MAX_SLICES = 6  # of a breakdown per direction
_ANSWER_LENGTH = 44

_SIDES = (Column("A", unit=Unit.PERCENT), Column("B", unit=Unit.PERCENT), Column("difference", unit=Unit.POINTS))
_N = Column("n", unit=Unit.COUNT)


def print_comparison(found: Sequence[TaskComparison], items: int | None) -> None:
    """Print sentences, a table, slices and changed items; `items` per direction, by default a few of them if there is
    little else to read."""
    for paragraph in describe_comparison(found):
        print("\n".join(map(strip_control, paragraph.split("\n"))) + "\n")
    in_full = len(found) <= _MAX_IN_FULL or items is not None
    for names in dict.fromkeys(one.names for one in found):
        same = [one for one in found if one.names == names]
        print_table(comparison_table(same))
        for one in same if in_full else ():
            print()
            print_tables(_slice_tables(one))
            _print_changed_items(one, DEFAULT_ITEMS if items is None else items)
    if not in_full:
        print("\nUse --task T or --items N to list slices and changed items.")


def describe_comparison(found: Sequence[TaskComparison]) -> list[str]:
    """Paragraphs: other settings that differ, what is significant and what is not, and warnings."""
    return [*_describe_differences(found), *summary(found), *warnings(found)]


def summary(found: Sequence[TaskComparison]) -> list[str]:
    """Each task once: significant differences first, the largest in front."""
    significant = sorted((one for one in found if one.is_significant), key=lambda one: -abs(one.paired.difference))
    paragraphs = []
    for better, worse in dict.fromkeys(map(_order, significant)):
        clauses = [_describe_significant(one) for one in significant if _order(one) == (better, worse)]
        paragraphs.append(_paragraph(f"{better} is better than {worse} on", clauses))
    if undecided := [_describe_undecided(one) for one in found if not one.is_significant]:
        paragraphs.append(_paragraph("No significant difference on", undecided))
    return paragraphs


def _paragraph(opening: str, clauses: Sequence[str]) -> str:
    """A sentence, or a list of several clauses."""
    if len(clauses) == 1:
        return textwrap.fill(f"{opening} {clauses[0]}", MAX_WIDTH)
    lines = [
        textwrap.fill(clause, MAX_WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False)
        for clause in clauses
    ]
    return "\n".join([opening, *lines])


def _order(one: TaskComparison) -> tuple[str, str]:
    first, second = one.names
    return (first, second) if one.paired.difference > 0 else (second, first)


def _describe_differences(found: Sequence[TaskComparison]) -> list[str]:
    """Other differences come first, as they may explain a difference in scores."""
    words = dict.fromkeys(one.words for compared in found for one in compared.differing)
    return [textwrap.fill(f"Other settings differ as well: {'; '.join(words)}.", MAX_WIDTH)] if words else []


def warnings(found: Sequence[TaskComparison]) -> list[str]:
    """The judge, too few clusters, and incomplete rows."""
    incomplete = dict.fromkeys(
        f"{row.model} in run {row.run}" for one in found for row in (one.first, one.second) if not row.complete
    )
    said = [*dict.fromkeys(words for one in found if (words := judge_note([one.first, one.second])))]
    said += _too_few_clusters(found)
    if incomplete:
        said.append(f"Incomplete: {join_names(list(incomplete))}. Only questions scored on both sides are compared.")
    return [textwrap.fill(words, MAX_WIDTH) for words in said]


def _too_few_clusters(found: Sequence[TaskComparison]) -> list[str]:
    """Comparisons that the exact tests could not find significant, even if every cluster differed."""
    few = [
        f"{_label(one)} ({count_noun(one.paired.n, 'question')} in {count_noun(one.paired.clusters, 'cluster')})"
        for one in found
        if one.paired.clusters < MIN_CLUSTERS
    ]
    if not few:
        return []
    return [
        f"Too few questions: {join_names(few)}. With fewer than {MIN_CLUSTERS} clusters (clips, screens, groups of "
        "pairs) no difference can be significant, and intervals are unreliable."
    ]


def _describe_significant(one: TaskComparison) -> str:
    by = f"{_label(one)} by {_points(abs(one.paired.difference))}"
    if one.paired.interval is None:
        return f"{by} (no interval, as the difference is the same on every question)."
    ends = sorted(map(abs, one.paired.interval))
    return f"{by}, 95% interval {100 * ends[0]:.1f} to {100 * ends[1]:.1f}."


def _describe_undecided(one: TaskComparison) -> str:
    difference = one.paired.difference
    if one.paired.interval is None:
        why = "the variation is unknown" if difference else "all scores are equal"
        return f"{_label(one)}: {why} ({count_noun(one.paired.n, 'question')})."
    lead = f"{_order(one)[0]} is ahead by {_points(abs(difference))}" if difference else "equal scores"
    low, high = one.paired.interval
    ends = (low, high) if difference > 0 else (-high, -low)
    corrected = "" if low <= 0 <= high else f", not significant after correction (p {format_p(one.holm)}, Holm)"
    return f"{_label(one)}: {lead}, 95% interval {format_points_interval(ends)}{corrected}.{_power(one)}"


def _power(one: TaskComparison) -> str:
    """The smallest difference that these data find with 80% power, and how many questions the found one would need."""
    questions = count_noun(one.paired.n, "question")
    if one.detectable is None:
        text = f" {questions[0].upper()}{questions[1:]} are too few to find any difference with 80% power"
    else:
        text = f" With {questions}, a difference of {_points(one.detectable)} is found with 80% power"
    if one.items_needed is None or one.items_needed <= one.paired.n:
        return f"{text}."
    return f"{text}; the difference found here needs about {format_count(one.items_needed - one.paired.n)} more."


def _label(one: TaskComparison) -> str:
    return one.first.task_label


def _points(share: float) -> str:
    number = f"{100 * share:.1f}"
    return f"{number} point" if number == "1.0" else f"{number} points"


def comparison_table(found: Sequence[TaskComparison]) -> Table:
    """One row per task; all comparisons are of the same two sides."""
    columns = ("task", *_SIDES, Column("p_holm", "p, Holm", Unit.P), Column("p", unit=Unit.P), _N)
    rows = [
        (
            _label(one),
            *one.means,
            Cell(one.paired.difference, one.paired.interval),
            one.holm,
            one.paired.p,
            one.paired.n,
        )
        for one in found
    ]
    tests = join_names(list(dict.fromkeys(one.paired.test for one in found)))
    sizes = " or ".join(map(format_count, dict.fromkeys(one.family for one in found)))
    notes = [
        "A and B: mean score on the n questions scored on both sides, averaged over trials.",
        f"p: {tests}, over clusters. Holm's correction is over all comparisons of a task in these runs ({sizes}).",
        f"A difference is significant if Holm's p is below {SIGNIFICANCE_LEVEL} and the interval excludes 0.",
    ]
    first, second = found[0].names
    return Table.of("comparison", f"A is {first}, B is {second}.", columns, rows, notes)


def _slice_tables(one: TaskComparison) -> list[Table]:
    """The slices whose interval excludes 0, the largest differences first."""
    if not one.parts:
        return []
    significant = [part for part in one.parts if part.is_significant]
    wins = [part for part in significant if part.paired.difference > 0][:_MAX_SLICES]
    losses = [part for part in significant if part.paired.difference < 0][-_MAX_SLICES:]
    others = len(one.parts) - len(wins) - len(losses)
    notes = [
        f"Slices whose interval excludes 0; {format_count(others)} others are not shown. Not corrected for multiple "
        "comparisons: hints, not results."
    ]
    title = f"Differences by slice, {_label(one)}"
    return [Table.of("slices", title, ("slice", *_SIDES, _N), map(_slice_row, (*wins, *losses)), notes)]


def _slice_row(part: SliceComparison) -> tuple[Cell | str | float, ...]:
    difference = Cell(part.paired.difference, part.paired.interval)
    return f"{part.by}: {part.value or '(none)'}", part.first, part.second, difference, part.paired.n


def _print_changed_items(one: TaskComparison, items: int) -> None:
    """The questions behind the difference, the first of each item."""
    if not one.flips:
        return
    by_side = [[flip for flip in one.flips if flip.better == side] for side in (0, 1)]
    print(
        f"\nScores differ on {count_noun(len(one.flips), 'question')} of {_label(one)}: A is higher on "
        f"{format_count(len(by_side[0]))}, B on {format_count(len(by_side[1]))}."
    )
    if not items:
        return
    firsts = [list({flip.item: flip for flip in reversed(flips)}.values())[::-1] for flips in by_side]
    shown = [flip for flips in firsts for flip in flips[:items]]
    rows = [
        (flip.item, "AB"[flip.better], *(truncate(text, _ANSWER_LENGTH) for text in (flip.truth, *flip.answers)))
        for flip in shown
    ]
    left = sum(map(len, firsts)) - len(shown)
    note = f"{count_noun(left, 'more item')}: use --items N, or --json for all." if left else ""
    print()
    print_table(Table.of("items", "", ("item", "higher", "truth", "answer of A", "answer of B"), rows, [note]))
