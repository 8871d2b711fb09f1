"""Tables about clips: majority vote, unrelated interpretations, visibility of the animation."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean

from affordance.core.attempts import SCORED_STATUSES, AttemptResult
from affordance.core.formatting import Unit, format_p, format_percent
from affordance.core.table import Column, Table
from affordance.datasets.taxonomies import PURPOSES
from affordance.stats import MajorityVote, majority_vote, mann_whitney_test
from affordance.tasks.motion.clips import COVERAGE_TAG
from affordance.tasks.motion.cues import REGION_TAG
from affordance.tasks.views import LabelledResults

MIN_VOTERS = 3
NOT_MODELS = ("oracle:", "baseline:people", "study:")  # they know the truth, or what people said
MIN_COMPARED = 3  # items on either side


def majority_vote_table(group: Sequence[LabelledResults]) -> Table | None:
    """The vote of all models on each item, in its first trial; None with fewer than three models."""
    voters = [one for one in group if one.results.is_complete and one.results.scored and _is_voter(one.model)]
    by_item = _by_item(voters)
    if len(voters) < MIN_VOTERS or not by_item:
        return None
    found = {item: majority_vote([_answers(one) for one in answers.values()]) for item, answers in by_item.items()}
    truths = {item: next(iter(answers.values())).truth for item, answers in by_item.items()}
    kinds = {item: _kind(found[item], truths[item]) for item in found}
    unanimous = [item for item, one in found.items() if one.unanimous]
    right = [item for item in unanimous if kinds[item] == "right"]
    named = {f"majority {kind}": [item for item in kinds if kinds[item] == kind] for kind in ("right", "wrong")}
    named |= {
        "no majority": [item for item in kinds if kinds[item] == "abstained"],
        "unanimous": unanimous,
        "unanimous and right": right,
    }
    columns = (
        Column("vote"), Column("n", f"of {len(found):,} items", Unit.COUNT), Column("share", unit=Unit.PERCENT),
    )  # fmt: skip
    note = (
        f"Majority: more than half of {len(voters)} models, in the first trial. An attempt without an answer votes for "
        "nothing. " + _regions(by_item, named["majority right"], named["no majority"])
    )
    rows = [(what, len(items), len(items) / len(found)) for what, items in named.items()]
    return Table.of("majority", "Majority vote", columns, rows, [note.strip()], detail=True)


def _by_item(voters: Sequence[LabelledResults]) -> dict[str, dict[str, AttemptResult]]:
    """Items that all voters were asked about, with the first trial of each."""
    found: dict[str, dict[str, AttemptResult]] = {}
    for voter in voters:
        for one in voter.results:
            if one.trial == 0 and one.verdict is not None and one.verdict.status in SCORED_STATUSES:
                found.setdefault(one.item_id, {})[voter.label] = one
    return {item: answers for item, answers in found.items() if len(answers) == len(voters)}


def _answers(outcome: AttemptResult) -> str | None:
    return outcome.verdict.answer if outcome.verdict is not None else None


def _kind(found: MajorityVote, truth: str) -> str:
    return "abstained" if found.label is None else "right" if found.label == truth else "wrong"


def _regions(by_item: Mapping[str, Mapping[str, AttemptResult]], right: Sequence[str], abstained: Sequence[str]) -> str:
    """Whether what the models do not agree on is smaller."""
    sizes = {
        item: float(region)
        for item, answers in by_item.items()
        if (region := next(iter(answers.values())).tags.get(REGION_TAG)) is not None
    }
    known = [[sizes[item] for item in items if item in sizes] for items in (right, abstained)]
    if min(map(len, known)) < MIN_COMPARED:
        return ""
    test = mann_whitney_test(*known)
    large, small = (format_percent(mean(values)) for values in known)
    return (
        f"Animations cover {large}% of the screen where the majority is right and {small}% where there is none "
        f"(Mann-Whitney, p {format_p(test.p)}, n {len(known[0])} and {len(known[1])})."
    )


def unrelated_table(group: Sequence[LabelledResults]) -> Table | None:
    """How often interpretations were judged unrelated, by purpose: by model, and by any of them as published."""
    rows = [one for one in group if one.results.is_complete and one.results.scored]
    scores: dict[str, dict[str, list[float]]] = {}  # by item and label
    purposes: dict[str, str] = {}
    for row in rows:
        for one, score in zip(row.results.scored, row.results.scores, strict=True):
            if "purpose" in one.tags:
                scores.setdefault(one.item_id, {}).setdefault(row.label, []).append(score)
                purposes[one.item_id] = one.tags["purpose"]
    if not scores:
        return None
    voters = {row.label for row in rows if _is_voter(row.model)}
    lines = []
    for purpose in _in_order(purposes.values()):
        clips = [scores[item] for item in purposes if purposes[item] == purpose]
        rates = [_unrelated_share([score for clip in clips for score in clip.get(row.label, ())]) for row in rows]
        of_models = [[score for label in clip if label in voters for score in clip[label]] for clip in clips]
        lines.append((purpose, len(clips), *rates, _unrelated_share([min(found) for found in of_models if found])))
    columns = (
        Column("purpose"), Column("n", "clips", Unit.COUNT),
        *(Column(row.label, unit=Unit.PERCENT) for row in rows), Column("any model", unit=Unit.PERCENT),
    )  # fmt: skip
    note = "Share of scores of 0. “Any model” counts as the paper does, and grows with the number of models."
    return Table.of("unrelated", "Interpretations unrelated to the animation", columns, lines, [note], detail=True)


def _is_voter(model: str) -> bool:
    return not model.startswith(NOT_MODELS)


def _in_order(purposes: Iterable[str]) -> list[str]:
    """As they are listed everywhere; those of others come after them."""
    return sorted(set(purposes), key=lambda one: (PURPOSES.index(one) if one in PURPOSES else len(PURPOSES), one))


def _unrelated_share(scores: Sequence[float]) -> float | None:
    return sum(score == 0 for score in scores) / len(scores) if scores else None


def visibility_table(group: Sequence[LabelledResults]) -> Table | None:
    """How many wrong answers are about animations that the sent frames do not show; None where that is unknown."""
    lines = []
    for row in group:
        of_row = [one for one in row.results if COVERAGE_TAG in one.tags]
        if not of_row or not row.results.asked:
            continue
        wrong = [one for one in of_row if one.verdict is not None and one.verdict.counted_score not in (None, 1.0)]
        frames = Counter(one.tags["animation shown"] for one in wrong)
        cells = (len(wrong), frames["in no frame"], frames["in one frame"], frames["in several frames"])
        share = mean(float(one.tags[COVERAGE_TAG]) for one in of_row)
        lines.append((row.label, share, *cells))
    if not lines:
        return None
    columns = (
        Column("model"), Column("coverage", "animation frames shown", Unit.PERCENT),
        *(Column(name, unit=Unit.COUNT) for name in ("not right", "in no frame", "in one frame", "in several frames")),
    )  # fmt: skip
    note = (
        "Attempts that are not fully right, by the number of sent frames that show the animation. In no frame: the "
        "model could not see it. With the motion cue, blended frames count as well."
    )
    return Table.of("shown-frames", "Visibility of the animation", columns, lines, [note], detail=True)
