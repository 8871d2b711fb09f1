"""`behavior/rationale` (WiserUI-Bench, task 2): why is the winner better?

The winner is shown second and is named as such. As published: one run, any response is an explanation, and a judge
decides for each expert rationale whether it is contained. Pairs whose two images are equal are kept apart here too:
there is nothing in them to explain."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from affordance.core.attempts import AttemptResult
from affordance.core.errors import UserError
from affordance.core.question import FreeText, Question
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
    dimension_of,
    length_concordance,
    neutral_wording,
)
from affordance.tasks.behavior.text_similarity import mean_scores, text_scores
from affordance.tasks.metrics import (
    ACCURACY,
    AS_PUBLISHED,
    Metric,
    ResultSet,
    TrivialBaseline,
    mean,
    score_interval,
)
from affordance.tasks.question_design import OptionOrder, PlannedQuestion, QuestionDesign, repeat
from affordance.tasks.scoring import Scorer, unscored_text
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import Preset, Task
from affordance.tasks.views import BreakdownTag, MetricTable, TaskViews

NAME = "behavior/rationale"


def questions(data: DatasetCollection, design: QuestionDesign[choice.ChoiceParams]) -> Iterator[PlannedQuestion]:
    """Those of `behavior/choice` with the winner second, about pairs that experts explained."""
    dataset = data.of_kind("pair")
    items = dataset.items if dataset is not None else ()
    pairs = [item for item in items if isinstance(item, DesignPair) and item.winner is not None and item.rationales]
    if dataset is None or not pairs:
        raise UserError(f"{NAME} needs pairs with a winner and rationales; dataset {data.name!r} has none")
    explained = replace(data, datasets=(replace(dataset, items=tuple(pairs)),))
    by_id = {pair.id: pair for pair in pairs}
    foreigners = UnrelatedRationaleSampler(pairs)
    for asked in choice.questions(explained, replace(design, trials=1)):
        if asked.question.truth != "Second":
            continue
        pair = by_id[asked.question.item]
        expected = RationaleTruth(tuple(pair.rationales), foreigners.draw(pair, design.seed))
        question = _question(asked.question, expected)
        yield from repeat(question, design.trials)


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


def correct_answer(question: Question) -> str:
    return "\n".join(neutral_wording(one) for one in RationaleTruth.from_text(question.truth).rationales)


def describe_truth(truth: str) -> str:
    rationales = RationaleTruth.from_text(truth).rationales
    return "\n".join(f"{neutral_wording(one)} ({one.law})" if one.law else neutral_wording(one) for one in rationales)


def rationale_scores(result: AttemptResult) -> RationaleScores | None:
    """None where there was nothing to judge."""
    return RationaleScores.from_detail(result.verdict.detail) if result.verdict is not None else None


def _rationale_checks(outcome: AttemptResult) -> tuple[RationaleCheck, ...]:
    """The rationales of a pair; none is found where there is no explanation."""
    found = rationale_scores(outcome)
    if found is not None:
        return found.rationales
    rationales = RationaleTruth.from_text(outcome.truth).rationales
    return tuple(RationaleCheck(one.law, dimension_of(one), False, False, False, None) for one in rationales)


def _checks_by_pair(results: ResultSet) -> Sequence[tuple[RationaleCheck, ...]]:
    return [_rationale_checks(one) for one in results.scored]


def one_result_per_rationale(results: ResultSet) -> Sequence[AttemptResult]:
    """One result for each rationale, tagged with its law and dimension."""
    return [one for result in results for one in _split_by_rationale(result)]


def _split_by_rationale(result: AttemptResult) -> Iterator[AttemptResult]:
    for one in _rationale_checks(result):
        known = {"law": one.law, "dimension": one.dimension}
        found = {**result.tags, **{name: value for name, value in known.items() if value}}
        verdict = result.verdict
        if verdict is not None and verdict.counted_score is not None:
            verdict = replace(verdict, score=float(one.found is True))
        yield replace(result, tags=found, verdict=verdict)


def _share(pairs: Iterable[Sequence[RationaleCheck]], holds: Callable[[RationaleCheck], bool]) -> float | None:
    return mean(float(holds(one)) for pair in pairs for one in pair)


def _rationale_accuracy_interval(results: ResultSet) -> Interval | None:
    return score_interval(ResultSet(results.cached(one_result_per_rationale)))


def _instance_scores(results: ResultSet) -> Sequence[float]:
    return [float(any(one.found for one in pair)) for pair in results.cached(_checks_by_pair)]


def _instance_accuracy_interval(results: ResultSet) -> Interval | None:
    return clustered_interval(results.cached(_instance_scores), results.clusters) if results.scored else None


def _length_concordance(results: ResultSet) -> float | None:
    found = [(rationale_scores(one), one.verdict) for one in results]
    return length_concordance(
        (one.words, verdict.score)
        for one, verdict in found
        if one is not None and verdict is not None and verdict.score is not None
    )


def _error_shares(results: ResultSet) -> Mapping[str, float]:
    """What is missing of an accuracy of one: not found, not decided by the judge, not explained at all."""
    explained = [one.rationales for one in map(rationale_scores, results.scored) if one is not None]
    shares = {
        "not found": [_share([pair], lambda one: one.found is False) or 0.0 for pair in explained],
        "judged ambiguously": [_share([pair], lambda one: one.found is None) or 0.0 for pair in explained],
        "no explanation": [1.0] * (len(results.scored) - len(explained)),
    }
    return {name: sum(values) / len(results.scored) for name, values in shares.items()} if results.scored else {}


def _unrelated_share(results: ResultSet) -> float | None:
    found = [one for one in map(rationale_scores, results.asked) if one is not None]
    return mean(float(one is True) for pair in found for one in pair.foreign)


def _all_laws_share(results: ResultSet) -> float | None:
    found = [one for one in map(rationale_scores, results.asked) if one is not None]
    return mean(_share([pair.rationales], lambda one: one.laws is True) for pair in found)


def _accuracy_read_by(read: Callable[[RationaleCheck], Contained]) -> Callable[[ResultSet], float | None]:
    def compute(results: ResultSet) -> float | None:
        found = (read(one) for pair in results.cached(_checks_by_pair) for one in pair)
        return mean(None if one is None else float(one) for one in found)

    return compute


def _instances_read_by(read: Callable[[RationaleCheck], Contained]) -> Callable[[ResultSet], float | None]:
    def compute(results: ResultSet) -> float | None:
        return mean(float(any(read(one) for one in pair)) for pair in results.cached(_checks_by_pair))

    return compute


def _published_metrics() -> Iterator[Metric]:
    """`published`: rationales as they were written, ambiguous judgements left out. `written`: the former only."""
    readings: dict[str, Callable[[RationaleCheck], Contained]] = {
        "published": lambda one: one.published,
        "written": lambda one: one.written or False,
    }
    for name, read in readings.items():
        for key, label, compute in (
            ("rationale_accuracy", "reasons found", _accuracy_read_by(read)),
            ("instance_accuracy", "pairs with a reason found", _instances_read_by(read)),
        ):
            yield Metric(
                name=f"{key}_{name}",
                label=f"{label}, as {name}",
                compute=compute,
                section=AS_PUBLISHED,
                needs_complete=False,
            )


def wording_metrics(
    results: Sequence[AttemptResult],
    explanations: Mapping[str, str],
    *,
    meteor: bool = False,
    weights: Path | None = None,
) -> Mapping[str, float | None]:
    """How near explanations (by attempt) come to the rationales word by word, as means over rationales. Slow with
    METEOR or BERTScore: computed where it is asked for, and no part of the metrics."""
    pairs = [
        (explanations[outcome.attempt_id], neutral_wording(rationale))
        for outcome in results
        if outcome.attempt_id in explanations
        for rationale in RationaleTruth.from_text(outcome.truth).rationales
    ]
    return mean_scores(text_scores(pairs, meteor=meteor, weights=weights))


RATIONALE = Task(
    name=NAME,
    summary="Why did the winner of two designs win?",
    dataset_kinds=("pair",),
    params=choice.ChoiceParams,
    protocols={
        "affordance": Preset(option_order=OptionOrder.BOTH_ORDERS, sampling={"temperature": 0.2}),
        "paper": Preset(option_order=OptionOrder.BOTH_ORDERS, sampling={"temperature": 0.2, "max_tokens": 4096}),
    },
    questions=questions,
    strategies={"zero-shot": zero_shot},
    scorer=Scorer(score=unscored_text, correct=correct_answer, judge=JUDGE_PLAN, free_text=True),
    metrics=(
        ACCURACY,  # the mean share of a pair's rationales that were found
        Metric(
            name="rationale_accuracy",
            label="reasons found",
            compute=lambda results: _share(results.cached(_checks_by_pair), lambda one: one.found is True),
            interval=_rationale_accuracy_interval,
        ),
        Metric(
            name="instance_accuracy",
            label="pairs with a reason found",
            compute=lambda results: mean(results.cached(_instance_scores)),
            interval=_instance_accuracy_interval,
        ),
        Metric(
            name="ambiguous",
            label="judged ambiguously",
            compute=lambda results: _share(results.cached(_checks_by_pair), lambda one: one.found is None),
            higher_is_better=None,
            section="judge",
        ),
        Metric(
            name="length_concordance",
            label="longer is better",
            compute=_length_concordance,
            higher_is_better=None,
            section="judge",
        ),
        *_published_metrics(),
    ),
    trivial_baselines=(
        TrivialBaseline("a rationale of another pair", "rationale of another pair", _unrelated_share),
        TrivialBaseline("an answer that names every law", "answer listing all UX laws", _all_laws_share),
    ),
    views=TaskViews(
        item_noun="pair",
        cluster_noun="pair",
        split=choice.CONTROL_SPLIT,
        breakdowns=tuple(
            BreakdownTag(name, expand=one_result_per_rationale)
            for name in ("law", "dimension", "page type", "industry", "device", "changed element", "changed property")
        ),
        errors=_error_shares,
        tables=(
            MetricTable(
                "What misleads the judge",
                "judge",
                "Of two explanations the longer one is better in 50% if length has no effect. The trivial baselines "
                "are a rationale of another pair, and an answer that names all laws.",
            ),
        ),
        describe_truth=describe_truth,
    ),
)
