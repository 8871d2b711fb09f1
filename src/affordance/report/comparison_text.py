"""A comparison as sentences and tables."""

import math
import textwrap
from collections.abc import Sequence

from affordance.report.comparison import SliceComparison, TaskComparison
from affordance.report.formats.terminal import WIDTH, print_table
from affordance.report.numbers import (
    MISSING,
    count_noun,
    format_count,
    format_p,
    format_percent,
    format_points,
    format_points_interval,
    join_names,
)
from affordance.report.pairwise import SIGNIFICANCE_LEVEL
from affordance.report.sheet import Column, ReportTable
from affordance.report.words import judge_note

ITEMS = 5  # that flipped, in either direction
FEWEST = 1 - math.floor(
    math.log2(SIGNIFICANCE_LEVEL)
)  # clusters: of fewer, the least p of exact tests, 2^(1 - k), claims nothing
MOST_IN_FULL = 3  # comparisons whose items are listed without being asked for
MOST_PARTS = 6  # of a breakdown in either direction
_SHORTENED = 44  # characters of an answer

# What a task is about, in a sentence.
_CALLED = {
    "motion/effect": "primitive effects",
    "motion/purpose": "purposes of animations",
    "motion/meaning": "meanings of animations",
    "motion/twin": "animation twins",
    "behavior/choice": "which design won",
    "behavior/rationale": "why a design won",
    "function/ground-region": "region grounding",
    "function/ground-element": "element grounding",
    "function/outcome-region": "region outcomes",
    "function/outcome-element": "element outcomes",
}


def print_comparison(found: Sequence[TaskComparison], items: int | None) -> None:
    """To standard output; of the items that flipped, `items` in either direction, a few of them where that is None and
    there is little else to read."""
    for paragraph in describe_comparison(found):
        print(f"{paragraph}\n")
    in_full = len(found) <= MOST_IN_FULL or items is not None
    shown = ITEMS if items is None else items
    for names in dict.fromkeys(one.names for one in found):
        same = [one for one in found if one.names == names]
        table = comparison_table(same)
        print(f"{table.title}\n")
        print_table(table.columns, table.lines, *table.notes)
        for one in same if in_full else ():
            _print_parts(one)
            _print_flips(one, shown)
    if not in_full:
        print("\nGive --task T, or --items N, for where the two differ and on which items.")


def describe_comparison(found: Sequence[TaskComparison]) -> list[str]:
    """In words: what else differs, what can be said, what must be known beside."""
    return [*_describe_differences(found), *summary(found), *warnings(found)]


def summary(found: Sequence[TaskComparison]) -> list[str]:
    """What can be said and what cannot, each task once, the largest differences first."""
    settled = sorted((one for one in found if one.is_significant), key=lambda one: -abs(one.paired.difference))
    said = []
    for better, worse in dict.fromkeys(map(_order, settled)):
        clauses = [_describe_significant(one) for one in settled if _order(one) == (better, worse)]
        said.append(_paragraph(f"{better} is better than {worse} on", clauses))
    if unsettled := [_describe_undecided(one) for one in found if not one.is_significant]:
        said.append(_paragraph("The data cannot tell on", unsettled))
    return said


def _paragraph(opening: str, clauses: Sequence[str]) -> str:
    """A sentence, or a list where there are several."""
    if len(clauses) == 1:
        return textwrap.fill(f"{opening} {clauses[0]}", WIDTH)
    lines = [
        textwrap.fill(clause, WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False)
        for clause in clauses
    ]
    return "\n".join([opening, *lines])


def _order(one: TaskComparison) -> tuple[str, str]:
    first, second = one.names
    return (first, second) if one.paired.difference > 0 else (second, first)


def _describe_differences(found: Sequence[TaskComparison]) -> list[str]:
    """What else differs comes first: a difference in the numbers may be its doing."""
    words = dict.fromkeys(one.words for compared in found for one in compared.differing)
    return [textwrap.fill(f"Not only who answers differs: {'; '.join(words)}.", WIDTH)] if words else []


def warnings(found: Sequence[TaskComparison]) -> list[str]:
    """What must be known beside: what is not finished, and who judged."""
    incomplete = dict.fromkeys(
        f"{row.model} in run {row.run}" for one in found for row in (one.first, one.second) if not row.complete
    )
    said = [*dict.fromkeys(words for one in found if (words := judge_note([one.first, one.second])))]
    said += _too_few(found)
    if incomplete:
        said.append(
            f"Incomplete: {join_names(list(incomplete))}. Only questions that both were scored on are compared."
        )
    return [textwrap.fill(words, WIDTH) for words in said]


def _too_few(found: Sequence[TaskComparison]) -> list[str]:
    """Where the exact tests could claim nothing, even if all that was sampled differed in the same way."""
    few = [
        f"{task_label(one)} ({count_noun(one.paired.n, 'question')} in {count_noun(one.paired.clusters, 'cluster')})"
        for one in found
        if one.paired.clusters < FEWEST
    ]
    if not few:
        return []
    return [
        f"Too few to tell anything by: {join_names(few)}. With fewer than {FEWEST} clusters (clips, screens, groups of "
        "pairs) no difference can be told from chance, and an interval means little."
    ]


def _describe_significant(one: TaskComparison) -> str:
    difference = one.paired.difference
    by = f"{task_label(one)} by {_points(abs(difference))}"
    if one.paired.interval is None:
        return f"{by}, everywhere alike, so that there is no interval."
    ends = sorted(map(abs, one.paired.interval))
    return f"{by}, 95% interval {_number(ends[0])} to {_number(ends[1])}."


def _describe_undecided(one: TaskComparison) -> str:
    difference = one.paired.difference
    if one.paired.interval is None:
        why = "there is nothing to tell chance by" if difference else "all answers score the same"
        return f"{task_label(one)}: {why} ({count_noun(one.paired.n, 'question')})."
    lead = f"{_order(one)[0]} is ahead by {_points(abs(difference))}" if difference else "they are level"
    low, high = one.paired.interval
    ends = (low, high) if difference > 0 else (-high, -low)
    stopped = "" if low <= 0 <= high else f", which correction does not let stand (p {format_p(one.holm)} after Holm)"
    return f"{task_label(one)}: {lead}, 95% interval {format_points_interval(ends)}{stopped}.{_power(one)}"


def _power(one: TaskComparison) -> str:
    """What the data could have told, and how much more of it would be needed."""
    questions = count_noun(one.paired.n, "question")
    if one.detectable is None:
        said = f" With {questions} no true difference, however large, is found four times in five"
    else:
        said = f" With {questions} a true difference of {_points(one.detectable)} is found four times in five"
    if one.items_needed is None or one.items_needed <= one.paired.n:
        return f"{said}."
    return (
        f"{said}; to settle the one that was found, about {format_count(one.items_needed - one.paired.n)} "
        "more are needed."
    )


def task_label(one: TaskComparison) -> str:
    form = f" ({one.first.form})" if one.first.form else ""
    return f"{_CALLED.get(one.first.task, one.first.task)}{form}"


def _points(share: float) -> str:
    number = _number(share)
    return f"{number} point" if number == "1.0" else f"{number} points"


def _number(share: float) -> str:
    return f"{100 * share:.1f}"


def comparison_table(found: Sequence[TaskComparison]) -> ReportTable:
    """A line for each task; of comparisons of the same two."""
    columns = (
        Column("task", left=True), Column("A"), Column("B"), Column("points"), Column("95% interval"),
        Column("p, Holm"), Column("p"), Column("sign flip"), Column("n"),
    )  # fmt: skip
    body = tuple(
        (
            task_label(one),
            *map(format_percent, one.means),
            format_points(one.paired.difference),
            MISSING if one.paired.interval is None else format_points_interval(one.paired.interval),
            *map(format_p, (one.holm, one.paired.p, one.paired.sign_flip)),
            format_count(one.paired.n),
        )
        for one in found
    )
    tests = join_names(list(dict.fromkeys(one.paired.test for one in found)))
    families = dict.fromkeys(one.family for one in found)
    size = " or ".join(map(format_count, families))
    note = (
        "A and B are means over the n questions that both were scored on, in percent, with trials averaged. "
        f"p is of {tests}, over what was sampled; Holm's is corrected for all comparisons of a task in these runs "
        f"({size}). A difference is claimed where Holm's p is below {SIGNIFICANCE_LEVEL} and the interval leaves 0 out."
    )
    first, second = found[0].names
    return ReportTable(f"A is {first}, B is {second}.", columns, body, (note,))


def _print_parts(one: TaskComparison) -> None:
    if not one.parts:
        return
    print(f"\nWhere, on {task_label(one)}?\n")
    telling = [part for part in one.parts if part.is_significant]
    if not telling:
        print(f"In none of its {count_noun(len(one.parts), 'part')} can the two be told apart.")
        return
    wins = [part for part in telling if part.paired.difference > 0][:MOST_PARTS]
    losses = [part for part in telling if part.paired.difference < 0][-MOST_PARTS:]
    columns = (
        Column("part", left=True), Column("A"), Column("B"), Column("points"), Column("95% interval"), Column("n"),
    )  # fmt: skip
    others = len(one.parts) - len(wins) - len(losses)
    print_table(
        columns,
        [_part_cells(part) for part in (*wins, *losses)],
        f"Parts whose interval leaves 0 out; {format_count(others)} others are not shown. Not corrected for "
        "how many there "
        "are: where to look, not what is proven.",
    )


def _part_cells(part: SliceComparison) -> tuple[str, ...]:
    return (
        f"{part.by}: {part.value or '(none)'}",
        format_percent(part.first),
        format_percent(part.second),
        format_points(part.paired.difference),
        MISSING if part.paired.interval is None else format_points_interval(part.paired.interval),
        format_count(part.paired.n),
    )


def _print_flips(one: TaskComparison, items: int) -> None:
    """The questions behind the difference; of an item the first."""
    if not one.flips:
        return
    by_side = [[flip for flip in one.flips if flip.better == side] for side in (0, 1)]
    print(
        f"\n{count_noun(len(one.flips), 'question')} of {task_label(one)} flipped: A scores higher on "
        f"{format_count(len(by_side[0]))}, B on {format_count(len(by_side[1]))}."
    )
    if not items:
        return
    print()
    firsts = [list({flip.item: flip for flip in reversed(flips)}.values())[::-1] for flips in by_side]
    shown = [flip for flips in firsts for flip in flips[:items]]
    columns = (
        Column("item", left=True), Column("higher", left=True), Column("truth", left=True),
        Column("A said", left=True), Column("B said", left=True),
    )  # fmt: skip
    body = [(flip.item, "AB"[flip.better], _short(flip.truth), *map(_short, flip.answers)) for flip in shown]
    left = sum(map(len, firsts)) - len(shown)
    print_table(columns, body, f"{count_noun(left, 'more item')}: --items N lists them, --json all." if left else "")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHORTENED else f"{line[: _SHORTENED - 1]}…"
