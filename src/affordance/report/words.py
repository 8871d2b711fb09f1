"""What was found, as sentences: written from the rows alone, and right for every state a row can be in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempts import SCORED_STATUSES, AttemptStatus
from affordance.core.formatting import (
    Unit,
    count_noun,
    format_count,
    format_interval,
    format_percent,
    join_names,
)
from affordance.core.json_text import Json
from affordance.core.model_name import STUDY_PREFIX, without_base_url
from affordance.models.study_answers import UNANSWERED
from affordance.report.human_rows import describe_participants, human_label
from affordance.report.judge_status import CalibrationState, JudgeStatus
from affordance.report.judge_text import describe_judge
from affordance.report.rows import ResultRow
from affordance.tasks.registry import TASKS

NO_ANSWER = (AttemptStatus.REFUSED, AttemptStatus.UNPARSED, AttemptStatus.TRUNCATED)

_SPELLED_OUT = 3  # models that get a clause of their own
_CAVEATS = 4  # rows whose gaps are spelled out


def row_label(row: ResultRow) -> str:
    if row.asked is not None:
        return f"{row.model}, {human_label(row.asked)}"
    return row.model if row.strategy == "zero-shot" else f"{row.model} ({row.strategy})"


def parsers(rows: Sequence[ResultRow]) -> str:
    """By which versions of the parsers rows were read; empty where that is today's throughout."""
    versions = {row.parser_versions for row in rows if row.parser_versions}
    if versions <= {(PARSER_VERSION,)}:
        return ""
    if len(versions) == 1 and len(found := next(iter(versions))) == 1:
        said = f"Responses were read by parser version {found[0]}"
    else:
        each = [f"{row_label(row)} by {listed_versions(row.parser_versions)}" for row in rows if row.parser_versions]
        said = f"Responses were not all read by the same version of the parsers ({'; '.join(each)})"
    return f"{said}; this is version {PARSER_VERSION}. `affordance rescore` reads them again, without a request."


def listed_versions(versions: Sequence[int]) -> str:
    return " and ".join(map(str, versions))


def are_people(row: ResultRow) -> bool:
    return row.model.startswith(STUDY_PREFIX)


def with_short_labels(group: Sequence[ResultRow]) -> list[ResultRow]:
    """The rows with models named without their base URL, for sentences and small figures; as they are where that
    would make two models one."""
    short = {row.model: without_base_url(row.model) for row in group}
    if len(set(short.values())) < len(short):
        return list(group)
    return [replace(row, model=short[row.model]) for row in group]


def report_title(rows: Sequence[ResultRow]) -> str:
    if not rows:
        return "Affordance report: nothing asked yet"
    tasks = list(dict.fromkeys(row.task for row in rows))
    datasets = list(dict.fromkeys(str(row.dataset.get("name", "an unnamed dataset")) for row in rows))
    subject = tasks[0] if len(tasks) == 1 else count_noun(len(tasks), "task")
    return f"Affordance report: {subject} on {join_names(datasets)}"


def describe_items(group: Sequence[ResultRow]) -> str:
    """What the rows of one task and run were asked about: `7 clips of primitives (synthetic)`."""
    dataset = group[0].dataset
    items = max(row.items for row in group)
    noun = TASKS[group[0].task].views.item_noun if group[0].task in TASKS else "item"
    made_up = " (synthetic)" if dataset.get("synthetic") else ""
    return f"{count_noun(items, noun)} of {dataset.get('name', 'an unnamed dataset')}{made_up}"


def task_label(row: ResultRow) -> str:
    """Task and form: `function/outcome-region (multi)`."""
    return f"{row.task} ({row.form})" if row.form else row.task


def describe_baselines(row: ResultRow) -> str:
    """What takes no understanding."""
    if not row.floors:
        return ""
    first, *others = (f"{kind} is {format_percent(share)}%" for kind, share in row.floors.items())
    return f"{first[0].upper()}{first[1:]}{''.join(f', {other}' for other in others)}."


def strongest_baseline(row: ResultRow) -> str:
    """The highest of what takes no understanding: what a model must beat."""
    return max(row.floors, key=lambda kind: row.floors[kind], default="chance")


def floor_words(row: ResultRow) -> str:
    return _FLOORS.get(strongest_baseline(row), strongest_baseline(row))


_FLOORS = {
    "chance": "guessing",
    "area share": "pointing at random",
    "screen centre": "always pointing at the middle",
}


def not_asked(group: Sequence[ResultRow]) -> str:
    """How many items of the dataset a task could not be asked about, for want of what it needs; empty where none, or
    where that cannot be told: with a limit, or where items are kept apart."""
    row, task = group[0], TASKS.get(group[0].task)
    whole = row.dataset.get("items")
    if (
        task is None
        or task.views.split.control
        or row.dataset.get("kind") != task.views.item_noun
        or row.settings.get("limit") is not None
    ):
        return ""
    asked = max(one.items for one in group)
    if not isinstance(whole, int) or not 0 < asked < whole:
        return ""
    return (
        f"The dataset has {count_noun(whole, task.views.item_noun)}; {format_count(whole - asked)} lack what this "
        "task needs, or are twins."
    )


def judge_note(group: Sequence[ResultRow]) -> str:
    """By whom answers were judged, what that is worth, and where it did not say; empty for tasks without a judge."""
    task = TASKS.get(group[0].task)
    judge = setting(group[0], "judge")
    if task is None or task.judge is None or not judge:
        return ""
    standing = group[0].certificate or JudgeStatus(CalibrationState.UNCERTIFIED, str(judge))
    ambiguous = [
        f"{row_label(row)} {format_percent(share)}%" for row in group if (share := row.metrics.get("ambiguous"))
    ]
    unsaid = f" Judged ambiguously, and so not found: {join_names(ambiguous)}." if ambiguous else ""
    return f"{describe_judge(standing)}{unsaid}"


def participants_note(group: Sequence[ResultRow]) -> list[str]:
    """Who answered, of the rows that are people."""
    return [
        f"{row.model}: {describe_participants(row.asked, TASKS[row.task].views.item_noun)}"
        for row in group
        if row.asked is not None
    ]


def dialects(group: Sequence[ResultRow]) -> str:
    """In which dialect models were asked and read, and who decided that. Our own speak what they are asked in."""
    found = [f"{row_label(row)} in {row.dialect}, {_DECIDED[row.decided]}" for row in group if row.decided in _DECIDED]
    return f"Dialects of coordinates: {'; '.join(found)}." if found else ""


_DECIDED = {
    "name": "as its name tells",
    "option": "as --dialect says",
    "calibration": "as calibration found",
    "unknown": "for want of a name that tells",
}


def cluster_noun(row: ResultRow) -> str:
    """What attempts are clustered by."""
    suite = row.task.partition("/")[0]
    known = {"motion": "item", "function": "screen", "behavior": "pairs that share a picture"}
    return known.get(suite, "what was sampled together")


def describe_result(group: Sequence[ResultRow]) -> str:
    """How right the models were, beside chance. The rows come best first."""
    found = [row for row in group if row.metrics["accuracy"] is not None]
    if not found:
        return f"On {describe_items(group)}, no attempt has been scored yet."
    spelled = found if len(found) == _SPELLED_OUT + 1 else found[:_SPELLED_OUT]
    clauses = [_clause(row, first=row is found[0]) for row in spelled]
    said = [f"On {describe_items(group)}, {'; '.join(clauses)}."]
    if others := found[len(spelled) :]:
        low, high = format_percent(others[-1].metrics["accuracy"]), format_percent(others[0].metrics["accuracy"])
        share = f"all at {low}%" if low == high else f"between {low}% and {high}%"
        said.append(f"The other {format_count(len(others))} models are {share}.")
        if level := [row for row in found if baseline_relation(row) == "level"]:
            said.append(
                f"{format_count(len(level))} of the {format_count(len(found))} cannot be told apart from "
                f"{floor_words(group[0])} "
                f"({format_percent(group[0].chance)}%): {join_names([row_label(row) for row in level])}."
            )
    elif group[0].chance > 0 and all(baseline_relation(row) == "above" for row in found):
        by_nothing = floor_words(group[0])
        said.append(f"{by_nothing[0].upper()}{by_nothing[1:]} would be right in {format_percent(group[0].chance)}%.")
    return " ".join(said)


def baseline_relation(row: ResultRow) -> str:
    """Where the interval lies: `above`, `below` or `level` with chance; empty where that cannot be said."""
    if "accuracy" not in row.intervals or row.chance <= 0:
        return ""
    low, high = row.intervals["accuracy"]
    return "above" if low > row.chance else "below" if high < row.chance else "level"


def caveats(group: Sequence[ResultRow]) -> list[str]:
    """What must be known before the numbers are used: what is missing, what was not answered, what was asked again.
    Row by row while that can be read, else summed up."""
    errors = group[0].dataset.get("errors")
    of_data = [f"A check of the dataset found {errors} errors, which may be in these numbers."] if errors else []
    found = [sentences for row in group if (sentences := _caveats_of(row))]
    if len(found) <= _CAVEATS:
        return [*of_data, *(sentence for sentences in found for sentence in sentences)]
    return [
        *of_data,
        *_join_caveats(
            group, missing_count, "are incomplete, with bands for what their accuracy may become: most is missing of"
        ),
        *_join_caveats(group, unanswered_count, "gave no answer in some attempts, which count as wrong: most often"),
        *_join_caveats(
            group, lambda row: row.ended[AttemptStatus.SKIPPED], "could not be asked everything: most was skipped of"
        ),
    ]


def completeness_label(row: ResultRow) -> str:
    """What marks a row whose number is not the last word."""
    return "not asked" if not row.n else "" if row.complete else "incomplete"


def scored_count(row: ResultRow) -> int:
    return sum(row.ended[ended] for ended in SCORED_STATUSES)


def unanswered_count(row: ResultRow) -> int:
    """Attempts that count as wrong because there is no answer in them."""
    return sum(row.ended[kind] for kind in NO_ANSWER)


def missing_count(row: ResultRow) -> int:
    """Attempts that are not scored, but will be when the run is resumed."""
    return row.ended[AttemptStatus.FAILED] + row.pending


def reasks(row: ResultRow) -> int:
    """How often an unreadable reply was asked again, at most."""
    most = setting(row, "reasks")
    return most if isinstance(most, int) else 0


def setting(row: ResultRow, key: str) -> Json:
    """A setting of the row's task; settings are for all tasks or by task."""
    value = row.settings.get(key)
    return value.get(row.task) if isinstance(value, Mapping) else value


def was_asked_again(row: ResultRow) -> bool:
    first = row.metrics.get("first_try_accuracy")
    return reasks(row) > 0 or (first is not None and first != row.metrics["accuracy"])


def any_asked_again(group: Sequence[ResultRow]) -> bool:
    return any(was_asked_again(row) for row in group)


def endings(row: ResultRow, kinds: Sequence[AttemptStatus]) -> str:
    """`2 refused, 1 truncated`: those that occur."""
    return ", ".join(f"{format_count(row.ended[kind])} {kind}" for kind in kinds if row.ended[kind])


def _clause(row: ResultRow, *, first: bool) -> str:
    attempts = count_noun(scored_count(row), "attempt")
    of = f"of {attempts}" if row.complete else f"of the {attempts} scored so far"
    where = {
        "level": f", which cannot be told apart from {floor_words(row)} ({format_percent(row.chance)}%)",
        "below": f", which is worse than {floor_words(row)} ({format_percent(row.chance)}%)",
    }.get(baseline_relation(row), "")
    label = "95% interval " if first else ""
    share = format_percent(row.metrics["accuracy"])
    if row.metrics.get("score") is not None:
        verb = "scores" if first else ""
        score = Unit.SCORE.format_value(row.metrics["score"])
        said = f"{row_label(row)} {verb} {score} of 5 on average {of}, which is {share}%"
    else:
        said = f"{row_label(row)} {'is right in' if first else 'in'} {share}% {of}"
    return f"{' '.join(said.split())} ({label}{format_interval(row.intervals.get('accuracy'))}){where}"


def _caveats_of(row: ResultRow) -> list[str]:
    said = [f"{row_label(row)}: {warning}" for warning in row.warnings]
    if not row.n:
        skipped = count_noun(row.ended["skipped"], "attempt")
        return [f"{row_label(row)} could not be asked any of these questions ({skipped} skipped)."]
    if not row.complete:
        said.append(_incomplete(row))
    if without := unanswered_count(row):
        count_as = "it counts" if without == 1 else "they count"
        said.append(
            f"{row_label(row)} gave no answer in {format_count(without)} of {count_noun(scored_count(row), 'attempt')} "
            f"({endings(row, NO_ANSWER)}); {count_as} as wrong."
        )
    if row.ended["skipped"]:
        said.append(
            f"{count_noun(row.ended['skipped'], 'attempt')} could not be put to {row_label(row)} and are not counted."
        )
    if was_asked_again(row) and row.metrics["accuracy"] is not None:
        first, last = format_percent(row.metrics.get("first_try_accuracy")), format_percent(row.metrics["accuracy"])
        change = (
            "which changed nothing" if first == last else f"which took it from {first}% at the first try to {last}%"
        )
        said.append(f"{row_label(row)} was to be asked again where no answer could be read, {change}.")
    return said


def _join_caveats(group: Sequence[ResultRow], number: Callable[[ResultRow], int], what: str) -> list[str]:
    found = [row for row in group if number(row)]
    if not found:
        return []
    worst = max(found, key=number)
    of = format_count(worst.n + worst.ended[AttemptStatus.SKIPPED])
    return [
        f"{format_count(len(found))} of {format_count(len(group))} models {what} {row_label(worst)} "
        f"({format_count(number(worst))} of {of})."
    ]


def describe_missing(row: ResultRow) -> str:
    """`12 of 70 attempts are missing (8 failed, 4 not finished yet)`."""
    parts = [(row.ended["failed"], _why_failed(row)), (row.pending, "not finished yet")]
    why = ", ".join(f"{format_count(number)} {what}" for number, what in parts if number)
    return f"{format_count(missing_count(row))} of {format_count(row.n)} attempts are missing ({why})"


def why_missing(group: Sequence[ResultRow]) -> str:
    """What became of attempts that are missing: `failed or are not finished`."""
    of_models, of_people = (any(are_people(row) is wanted for row in group) for wanted in (False, True))
    whys = ["failed or are not finished"] if of_models else []
    whys += [f"are {UNANSWERED}{' by people' if of_models else ''}"] if of_people else []
    return ", or ".join(whys)


def _why_failed(row: ResultRow) -> str:
    if not are_people(row):
        return "failed"
    task = TASKS.get(row.task)
    return UNANSWERED if task is None or task.judge is None else "not answered or not judged yet"


def _incomplete(row: ResultRow) -> str:
    if not scored_count(row):
        return f"Nothing of {row_label(row)} is scored: {describe_missing(row)}."
    low, high = row.bounds["accuracy"]
    return (
        f"{row_label(row)} is incomplete: {describe_missing(row)}. "
        f"With all of them wrong its accuracy is {format_percent(low)}%, with all of them right "
        f"{format_percent(high)}%."
    )
