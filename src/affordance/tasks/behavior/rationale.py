"""`behavior/rationale` (WiserUI-Bench, task 2): why is the winner better?

The winner is shown second and is named as such. As published: one run, any reply is an explanation, and a judge decides
for each expert rationale whether it is contained. Pairs whose two pictures are equal are kept apart here too: there is
nothing in them to explain."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from affordance.core.attempts import AttemptResult, Verdict
from affordance.core.errors import UserError
from affordance.core.question import AnswerFormat, FreeText, Question
from affordance.core.requests import Response
from affordance.datasets import DatasetCollection, DesignPair
from affordance.stats import Interval, clustered_interval
from affordance.tasks.answers import Contained
from affordance.tasks.behavior import choice
from affordance.tasks.behavior.rationale_judging import (
    JUDGE_PLAN,
    RationaleCheck,
    RationaleScores,
    RationaleTruth,
    UnrelatedRationaleSampler,
    answer_text,
    dimension_of,
    length_concordance,
    neutral_wording,
)
from affordance.tasks.behavior.texts import mean_scores, text_scores
from affordance.tasks.metrics import accuracy, accuracy_intervals, scored_results
from affordance.tasks.question_design import OptionOrder, PlannedQuestion, QuestionDesign
from affordance.tasks.scoring import free_text_verdict
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import Preset, Task

# The names of the controls.
UNRELATED_RATIONALE_BASELINE = "a rationale of another pair"
ALL_LAWS_BASELINE = "an answer that names every law"

Metrics = Mapping[str, float | None]


def rationale_scores(outcome: AttemptResult) -> RationaleScores | None:
    """None where there was nothing to judge."""
    return RationaleScores.from_detail(outcome.verdict.detail) if outcome.verdict is not None else None


def rationale_metrics(outcomes: Sequence[AttemptResult]) -> Metrics:
    """`accuracy` is the mean share of a pair's rationales that were found, which intervals and bounds are about;
    `rationale_accuracy` weighs all rationales alike, as published."""
    checked = _checks_by_pair(outcomes)
    return {
        "accuracy": accuracy(outcomes),
        "rationale_accuracy": _share(checked, lambda one: one.found is True),
        "instance_accuracy": _mean([float(any(one.found for one in pair)) for pair in checked]),
        "ambiguous": _share(checked, lambda one: one.found is None),
        "length_concordance": length_concordance(_lengths_and_scores(outcomes)),
    }


def rationale_intervals(outcomes: Sequence[AttemptResult]) -> Mapping[str, Interval | None]:
    """At 95%; rationales of one pair, and pairs that share an image, are not independent."""
    scored = scored_results(outcomes)
    if not scored:
        return {}
    by_rationale, clusters = scored_results(one_result_per_rationale(scored)), [outcome.cluster for outcome in scored]
    return {
        **accuracy_intervals(outcomes),
        "rationale_accuracy": clustered_interval(
            [one.verdict.counted_score or 0.0 for one in by_rationale if one.verdict is not None],
            [one.cluster for one in by_rationale],
        ),
        "instance_accuracy": clustered_interval(
            [float(any(one.found for one in pair)) for pair in _checks_by_pair(scored)], clusters
        ),
    }


def one_result_per_rationale(outcomes: Sequence[AttemptResult]) -> list[AttemptResult]:
    """One outcome for each rationale, tagged with its law and dimension: what is broken down by them."""
    return [one for outcome in outcomes for one in _split_by_rationale(outcome)]


def _split_by_rationale(outcome: AttemptResult) -> Iterator[AttemptResult]:
    for one in _rationale_checks(outcome):
        known = {"law": one.law, "dimension": one.dimension}
        tags = {**outcome.tags, **{name: value for name, value in known.items() if value}}
        verdict = outcome.verdict
        if verdict is not None and verdict.counted_score is not None:
            verdict = replace(verdict, score=float(one.found is True))
        yield replace(outcome, tags=tags, verdict=verdict)


def rationale_baselines(outcomes: Sequence[AttemptResult]) -> Mapping[str, float]:
    """What takes no look at the pictures: how often the judge finds what cannot be there, and what an answer scores
    that names every law."""
    found = [one for one in map(rationale_scores, outcomes) if one is not None]
    controls = {
        UNRELATED_RATIONALE_BASELINE: _mean([float(one is True) for pair in found for one in pair.foreign]),
        ALL_LAWS_BASELINE: _mean([_share([pair.rationales], lambda one: one.laws is True) for pair in found]),
    }
    return {name: share for name, share in controls.items() if share is not None}


def rationale_error_shares(outcomes: Sequence[AttemptResult]) -> Mapping[str, float]:
    """What is missing of an accuracy of one: not found, not decided by the judge, not explained at all."""
    scored = scored_results(outcomes)
    explained = [one.rationales for one in map(rationale_scores, scored) if one is not None]
    shares = {
        "not found": [_share([pair], lambda one: one.found is False) or 0.0 for pair in explained],
        "judged ambiguously": [_share([pair], lambda one: one.found is None) or 0.0 for pair in explained],
        "no explanation": [1.0] * (len(scored) - len(explained)),
    }
    return {name: sum(values) / len(scored) for name, values in shares.items()} if scored else {}


def rationale_compatible_metrics(outcomes: Sequence[AttemptResult]) -> Metrics:
    """`published`: rationales in their own words, and ambiguous judgements left out. `written`: the former only."""
    checked = _checks_by_pair(outcomes)
    if not checked:
        return {}
    found: dict[str, float | None] = {}
    readings: dict[str, Callable[[RationaleCheck], Contained]] = {
        "published": lambda one: one.published,
        "written": lambda one: one.written or False,
    }
    for name, read in readings.items():
        results = [[read(one) for one in pair] for pair in checked]
        found[f"rationale_accuracy_{name}"] = _mean([float(one) for pair in results for one in pair if one is not None])
        found[f"instance_accuracy_{name}"] = _mean([float(any(pair)) for pair in results])
    return found


def wording_metrics(
    outcomes: Sequence[AttemptResult],
    explanations: Mapping[str, str],
    *,
    meteor: bool = False,
    weights: Path | None = None,
) -> Metrics:
    """How near explanations (by attempt) come to the rationales word by word, as means over rationales. Slow with
    METEOR or BERTScore: computed where it is asked for, and no part of the metrics."""
    couples = [
        (explanations[outcome.attempt_id], neutral_wording(rationale))
        for outcome in outcomes
        if outcome.attempt_id in explanations
        for rationale in RationaleTruth.from_text(outcome.truth).rationales
    ]
    return mean_scores(text_scores(couples, meteor=meteor, weights=weights))


def _checks_by_pair(outcomes: Sequence[AttemptResult]) -> list[tuple[RationaleCheck, ...]]:
    return [_rationale_checks(outcome) for outcome in scored_results(outcomes)]


def _rationale_checks(outcome: AttemptResult) -> tuple[RationaleCheck, ...]:
    """The rationales of a pair; none is found where there is no explanation."""
    found = rationale_scores(outcome)
    if found is not None:
        return found.rationales
    rationales = RationaleTruth.from_text(outcome.truth).rationales
    return tuple(RationaleCheck(one.law, dimension_of(one), False, False, False, None) for one in rationales)


def _lengths_and_scores(outcomes: Sequence[AttemptResult]) -> Iterator[tuple[int, float]]:
    for outcome in outcomes:
        found = rationale_scores(outcome)
        if found is not None and outcome.verdict is not None and outcome.verdict.score is not None:
            yield found.words, outcome.verdict.score


def _share(pairs: Sequence[Sequence[RationaleCheck]], holds: Callable[[RationaleCheck], bool]) -> float | None:
    return _mean([float(holds(one)) for pair in pairs for one in pair])


def _mean(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None


NAME = "behavior/rationale"
NO_EXPLANATION = "no words beside thinking"


def questions(data: DatasetCollection, design: QuestionDesign) -> Iterator[PlannedQuestion]:
    """Those of `behavior/choice` with the winner second, about pairs that experts explained."""
    dataset = data.of_kind("pair")
    items = dataset.items if dataset is not None else ()
    pairs = [item for item in items if isinstance(item, DesignPair) and item.winner is not None and item.rationales]
    if dataset is None or not pairs:
        raise UserError(f"{NAME} needs pairs with a winner and rationales for it; {data.name!r} has none")
    explained = replace(data, datasets=(replace(dataset, items=tuple(pairs)),))
    by_id = {pair.id: pair for pair in pairs}
    foreigners = UnrelatedRationaleSampler(pairs)
    for asked in choice.questions(explained, replace(design, trials=1)):
        if asked.question.truth != "Second":
            continue
        pair = by_id[asked.question.item]
        expected = RationaleTruth(tuple(pair.rationales), foreigners.draw(pair, design.seed))
        question = _question(asked.question, expected)
        for trial in range(design.trials):
            yield PlannedQuestion(question, trial)


def _question(choice_question: Question, truth: RationaleTruth) -> Question:
    return Question(
        task=NAME,
        item=choice_question.item,
        axes=choice_question.axes,
        media=choice_question.media,
        prompt_fields=choice_question.prompt_fields,
        answer_format=FreeText(),
        truth=truth.to_text(),
        source_paths=choice_question.source_paths,
        tags={name: value for name, value in choice_question.tags.items() if name != "winner"},
        cluster=choice_question.cluster,
    )


def score_response(question: Question, reply: Response) -> Verdict:
    return free_text_verdict(reply, answer_text(reply), NO_EXPLANATION)


def correct_answer(question: Question, grammar: AnswerFormat) -> str | None:
    if not isinstance(grammar, FreeText):
        return None
    return "\n".join(neutral_wording(one) for one in RationaleTruth.from_text(question.truth).rationales)


def describe_truth(truth: str) -> str:
    rationales = RationaleTruth.from_text(truth).rationales
    return "\n".join(f"{neutral_wording(one)} ({one.law})" if one.law else neutral_wording(one) for one in rationales)


RATIONALE = Task(
    name=NAME,
    summary="Why did the winner of two designs win?",
    dataset_kinds=("pair",),
    item_noun="pair",
    options=frozenset({"trials", "strategy", "goal", "judge"}),
    protocols={
        "affordance": Preset(trials=1, option_order=OptionOrder.BOTH_ORDERS, sampling={"temperature": 0.2}),
        "paper": Preset(
            trials=1, option_order=OptionOrder.BOTH_ORDERS, sampling={"temperature": 0.2, "max_tokens": 4096}
        ),
    },
    prompts={"zero-shot": frozenset({"goal"}), "judge": frozenset({"text_a", "text_b"})},
    strategies={"zero-shot": zero_shot},
    questions=questions,
    score=score_response,
    metrics=rationale_metrics,
    trivial_baselines=rationale_baselines,
    correct_answer=correct_answer,
    error_shares=rationale_error_shares,
    compatible_metrics=rationale_compatible_metrics,
    breakdown_results=one_result_per_rationale,
    intervals=rationale_intervals,
    describe_truth=describe_truth,
    condition_tag=choice.CHOICE.condition_tag,
    control_condition=choice.CHOICE.control_condition,
    breakdowns=("law", "dimension", "page type", "industry", "device", "changed element", "changed property"),
    judge=JUDGE_PLAN,
)
