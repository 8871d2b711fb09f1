"""What was found, as sentences: written from the rows alone, and right for every state a row can be in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempt import COUNTED, Ended
from affordance.core.digest import Json
from affordance.core.names import STUDIES, without_address
from affordance.models.answers import UNANSWERED
from affordance.report.certificates import Standing, State
from affordance.report.judge_words import standing_words
from affordance.report.numbers import count, counted, interval, listed, measured, percent
from affordance.report.people import called, introduced
from affordance.report.rows import Row
from affordance.suites.registry import TASKS

NO_ANSWER = (Ended.REFUSED, Ended.UNPARSED, Ended.TRUNCATED)

_SPELLED_OUT = 3  # models that get a clause of their own
_CAVEATS = 4  # rows whose gaps are spelled out


def name(row: Row) -> str:
    if row.asked is not None:
        return f"{row.model}, {called(row.asked)}"
    return row.model if row.strategy == "zero-shot" else f"{row.model} ({row.strategy})"


def metric_text(row: Row, metric: str) -> str:
    """The value of a metric as a table shows it, with its own n where that is not the row's."""
    value, n = row.metrics.get(metric), row.counts.get(metric, row.n)
    text = measured(metric, value)
    return text if value is None or n == row.n else f"{text} (n {count(n)})"


def parsers(rows: Sequence[Row]) -> str:
    """By which versions of the parsers rows were read; empty where that is today's throughout."""
    versions = {row.parser_versions for row in rows if row.parser_versions}
    if versions <= {(PARSER_VERSION,)}:
        return ""
    if len(versions) == 1 and len(found := next(iter(versions))) == 1:
        said = f"Responses were read by parser version {found[0]}"
    else:
        each = [f"{name(row)} by {listed_versions(row.parser_versions)}" for row in rows if row.parser_versions]
        said = f"Responses were not all read by the same version of the parsers ({'; '.join(each)})"
    return f"{said}; this is version {PARSER_VERSION}. `affordance rescore` reads them again, without a request."


def listed_versions(versions: Sequence[int]) -> str:
    return " and ".join(map(str, versions))


def are_people(row: Row) -> bool:
    return row.model.startswith(STUDIES)


def with_short_names(group: Sequence[Row]) -> list[Row]:
    """The rows with models named without their base URL, for sentences and small figures; as they are where that
    would make two models one."""
    short = {row.model: without_address(row.model) for row in group}
    if len(set(short.values())) < len(short):
        return list(group)
    return [replace(row, model=short[row.model]) for row in group]


def title(rows: Sequence[Row]) -> str:
    if not rows:
        return "Affordance report: nothing asked yet"
    tasks = list(dict.fromkeys(row.task for row in rows))
    datasets = list(dict.fromkeys(str(row.dataset.get("name", "an unnamed dataset")) for row in rows))
    subject = tasks[0] if len(tasks) == 1 else counted(len(tasks), "task")
    return f"Affordance report: {subject} on {listed(datasets)}"


def scope(group: Sequence[Row]) -> str:
    """What the rows of one task and run were asked about: `7 clips of primitives (synthetic)`."""
    dataset = group[0].dataset
    items = max(row.items for row in group)
    noun = TASKS[group[0].task].noun if group[0].task in TASKS else "item"
    made_up = " (synthetic)" if dataset.get("synthetic") else ""
    return f"{counted(items, noun)} of {dataset.get('name', 'an unnamed dataset')}{made_up}"


def subject(row: Row) -> str:
    """Task and form: `function/outcome-region (multi)`."""
    return f"{row.task} ({row.form})" if row.form else row.task


def floors(row: Row) -> str:
    """What takes no understanding."""
    if not row.floors:
        return ""
    first, *others = (f"{kind} is {percent(share)}%" for kind, share in row.floors.items())
    return f"{first[0].upper()}{first[1:]}{''.join(f', {other}' for other in others)}."


def floor_name(row: Row) -> str:
    """The highest of what takes no understanding: what a model must beat."""
    return max(row.floors, key=lambda kind: row.floors[kind], default="chance")


def floor_words(row: Row) -> str:
    return _FLOORS.get(floor_name(row), floor_name(row))


_FLOORS = {
    "chance": "guessing",
    "area share": "pointing at random",
    "screen centre": "always pointing at the middle",
}


def not_asked(group: Sequence[Row]) -> str:
    """How many items of the dataset a task could not be asked about, for want of what it needs; empty where none, or
    where that cannot be told: with a limit, or where items are kept apart."""
    row, task = group[0], TASKS.get(group[0].task)
    whole = row.dataset.get("items")
    if task is None or task.control or row.dataset.get("kind") != task.noun or row.settings.get("limit") is not None:
        return ""
    asked = max(one.items for one in group)
    if not isinstance(whole, int) or not 0 < asked < whole:
        return ""
    return (
        f"The dataset has {counted(whole, task.noun)}; {count(whole - asked)} lack what this task needs, or are twins."
    )


def judged(group: Sequence[Row]) -> str:
    """By whom answers were judged, what that is worth, and where it did not say; empty for tasks without a judge."""
    task = TASKS.get(group[0].task)
    judge = setting(group[0], "judge")
    if task is None or task.judging is None or not judge:
        return ""
    standing = group[0].certificate or Standing(State.UNCERTIFIED, str(judge))
    ambiguous = [f"{name(row)} {percent(share)}%" for row in group if (share := row.metrics.get("ambiguous"))]
    unsaid = f" Judged ambiguously, and so not found: {listed(ambiguous)}." if ambiguous else ""
    return f"{standing_words(standing)}{unsaid}"


def people(group: Sequence[Row]) -> list[str]:
    """Who answered, of the rows that are people."""
    return [f"{row.model}: {introduced(row.asked, TASKS[row.task].noun)}" for row in group if row.asked is not None]


def dialects(group: Sequence[Row]) -> str:
    """In which dialect models were asked and read, and who decided that. Our own speak what they are asked in."""
    found = [f"{name(row)} in {row.dialect}, {_DECIDED[row.decided]}" for row in group if row.decided in _DECIDED]
    return f"Dialects of coordinates: {'; '.join(found)}." if found else ""


_DECIDED = {
    "name": "as its name tells",
    "option": "as --dialect says",
    "calibration": "as calibration found",
    "unknown": "for want of a name that tells",
}


def sampled(row: Row) -> str:
    """What attempts are clustered by."""
    suite = row.task.partition("/")[0]
    known = {"motion": "item", "function": "screen", "behavior": "pairs that share a picture"}
    return known.get(suite, "what was sampled together")


def finding(group: Sequence[Row]) -> str:
    """How right the models were, beside chance. The rows come best first."""
    found = [row for row in group if row.metrics["accuracy"] is not None]
    if not found:
        return f"On {scope(group)}, no attempt has been scored yet."
    spelled = found if len(found) == _SPELLED_OUT + 1 else found[:_SPELLED_OUT]
    clauses = [_clause(row, first=row is found[0]) for row in spelled]
    said = [f"On {scope(group)}, {'; '.join(clauses)}."]
    if others := found[len(spelled) :]:
        low, high = percent(others[-1].metrics["accuracy"]), percent(others[0].metrics["accuracy"])
        share = f"all at {low}%" if low == high else f"between {low}% and {high}%"
        said.append(f"The other {count(len(others))} models are {share}.")
        if level := [row for row in found if against_chance(row) == "level"]:
            said.append(
                f"{count(len(level))} of the {count(len(found))} cannot be told apart from {floor_words(group[0])} "
                f"({percent(group[0].chance)}%): {listed([name(row) for row in level])}."
            )
    elif group[0].chance > 0 and all(against_chance(row) == "above" for row in found):
        by_nothing = floor_words(group[0])
        said.append(f"{by_nothing[0].upper()}{by_nothing[1:]} would be right in {percent(group[0].chance)}%.")
    return " ".join(said)


def against_chance(row: Row) -> str:
    """Where the interval lies: `above`, `below` or `level` with chance; empty where that cannot be said."""
    if "accuracy" not in row.intervals or row.chance <= 0:
        return ""
    low, high = row.intervals["accuracy"]
    return "above" if low > row.chance else "below" if high < row.chance else "level"


def caveats(group: Sequence[Row]) -> list[str]:
    """What must be known before the numbers are used: what is missing, what was not answered, what was asked again.
    Row by row while that can be read, else summed up."""
    errors = group[0].dataset.get("errors")
    of_data = [f"A check of the dataset found {errors} errors, which may be in these numbers."] if errors else []
    found = [sentences for row in group if (sentences := _caveats_of(row))]
    if len(found) <= _CAVEATS:
        return [*of_data, *(sentence for sentences in found for sentence in sentences)]
    return [
        *of_data,
        *_summed_up(
            group, missing, "are incomplete, with bands for what their accuracy may become: most is missing of"
        ),
        *_summed_up(group, unanswered, "gave no answer in some attempts, which count as wrong: most often"),
        *_summed_up(group, lambda row: row.ended[Ended.SKIPPED], "could not be asked everything: most was skipped of"),
    ]


def tag(row: Row) -> str:
    """What marks a row whose number is not the last word."""
    return "not asked" if not row.n else "" if row.complete else "incomplete"


def scored(row: Row) -> int:
    return sum(row.ended[ended] for ended in COUNTED)


def unanswered(row: Row) -> int:
    """Attempts that count as wrong because there is no answer in them."""
    return sum(row.ended[kind] for kind in NO_ANSWER)


def missing(row: Row) -> int:
    """Attempts that are not scored, but will be when the run is resumed."""
    return row.ended[Ended.FAILED] + row.pending


def reasks(row: Row) -> int:
    """How often an unreadable reply was asked again, at most."""
    most = setting(row, "reasks")
    return most if isinstance(most, int) else 0


def setting(row: Row, key: str) -> Json:
    """A setting of the row's task; settings are for all tasks or by task."""
    value = row.settings.get(key)
    return value.get(row.task) if isinstance(value, Mapping) else value


def was_asked_again(row: Row) -> bool:
    first = row.metrics.get("first_try_accuracy")
    return reasks(row) > 0 or (first is not None and first != row.metrics["accuracy"])


def any_asked_again(group: Sequence[Row]) -> bool:
    return any(was_asked_again(row) for row in group)


def endings(row: Row, kinds: Sequence[Ended]) -> str:
    """`2 refused, 1 truncated`: those that occur."""
    return ", ".join(f"{count(row.ended[kind])} {kind}" for kind in kinds if row.ended[kind])


def _clause(row: Row, *, first: bool) -> str:
    attempts = counted(scored(row), "attempt")
    of = f"of {attempts}" if row.complete else f"of the {attempts} scored so far"
    where = {
        "level": f", which cannot be told apart from {floor_words(row)} ({percent(row.chance)}%)",
        "below": f", which is worse than {floor_words(row)} ({percent(row.chance)}%)",
    }.get(against_chance(row), "")
    label = "95% interval " if first else ""
    share = percent(row.metrics["accuracy"])
    if row.metrics.get("score") is not None:
        verb = "scores" if first else ""
        score = measured("score", row.metrics["score"])
        said = f"{name(row)} {verb} {score} of 5 on average {of}, which is {share}%"
    else:
        said = f"{name(row)} {'is right in' if first else 'in'} {share}% {of}"
    return f"{' '.join(said.split())} ({label}{interval(row.intervals.get('accuracy'))}){where}"


def _caveats_of(row: Row) -> list[str]:
    said = [f"{name(row)}: {warning}" for warning in row.warnings]
    if not row.n:
        skipped = counted(row.ended["skipped"], "attempt")
        return [f"{name(row)} could not be asked any of these questions ({skipped} skipped)."]
    if not row.complete:
        said.append(_incomplete(row))
    if without := unanswered(row):
        count_as = "it counts" if without == 1 else "they count"
        said.append(
            f"{name(row)} gave no answer in {count(without)} of {counted(scored(row), 'attempt')} "
            f"({endings(row, NO_ANSWER)}); {count_as} as wrong."
        )
    if row.ended["skipped"]:
        said.append(f"{counted(row.ended['skipped'], 'attempt')} could not be put to {name(row)} and are not counted.")
    if was_asked_again(row) and row.metrics["accuracy"] is not None:
        first, last = percent(row.metrics.get("first_try_accuracy")), percent(row.metrics["accuracy"])
        change = (
            "which changed nothing" if first == last else f"which took it from {first}% at the first try to {last}%"
        )
        said.append(f"{name(row)} was to be asked again where no answer could be read, {change}.")
    return said


def _summed_up(group: Sequence[Row], number: Callable[[Row], int], what: str) -> list[str]:
    found = [row for row in group if number(row)]
    if not found:
        return []
    worst = max(found, key=number)
    of = count(worst.n + worst.ended[Ended.SKIPPED])
    return [f"{count(len(found))} of {count(len(group))} models {what} {name(worst)} ({count(number(worst))} of {of})."]


def gap(row: Row) -> str:
    """`12 of 70 attempts are missing (8 failed, 4 not finished yet)`."""
    parts = [(row.ended["failed"], _why_failed(row)), (row.pending, "not finished yet")]
    why = ", ".join(f"{count(number)} {what}" for number, what in parts if number)
    return f"{count(missing(row))} of {count(row.n)} attempts are missing ({why})"


def why_missing(group: Sequence[Row]) -> str:
    """What became of attempts that are missing: `failed or are not finished`."""
    of_models, of_people = (any(are_people(row) is wanted for row in group) for wanted in (False, True))
    whys = ["failed or are not finished"] if of_models else []
    whys += [f"are {UNANSWERED}{' by people' if of_models else ''}"] if of_people else []
    return ", or ".join(whys)


def _why_failed(row: Row) -> str:
    if not are_people(row):
        return "failed"
    task = TASKS.get(row.task)
    return UNANSWERED if task is None or task.judging is None else "not answered or not judged yet"


def _incomplete(row: Row) -> str:
    if not scored(row):
        return f"Nothing of {name(row)} is scored: {gap(row)}."
    low, high = row.bounds["accuracy"]
    return (
        f"{name(row)} is incomplete: {gap(row)}. "
        f"With all of them wrong its accuracy is {percent(low)}%, with all of them right {percent(high)}%."
    )
