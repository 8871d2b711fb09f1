"""`motion/meaning` (AniMINT RQ3): what does an animation mean?

A free interpretation, judged from 0 to 5 against what people wrote: a summary of it, or each response. As published:
the frames, the box, context and input of `motion/purpose`; one pass; the sides of the judged texts in random order. The
published prompt for the interpretation is not known: ours is our own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import stdev
from typing import Literal

from affordance.core.attempts import AttemptResult
from affordance.core.formatting import Unit
from affordance.core.options import option
from affordance.core.question import FreeText, Question
from affordance.datasets import DatasetCollection
from affordance.datasets.summaries import read_summaries, summaries_by_source
from affordance.stats import Interval
from affordance.tasks.metrics import ACCURACY, Metric, ResultSet, TrivialBaseline, mean, score_interval
from affordance.tasks.motion.clips import (
    CUE_SPLIT,
    ClipParams,
    clip_images,
    clip_tags,
    cue_axes,
    describe_input,
)
from affordance.tasks.motion.cues import ask_with_cues, cue_fields
from affordance.tasks.motion.meaning_judging import (
    JUDGE_PLAN,
    MEANING_SCALE,
    NAME,
    MeaningReferences,
    MeaningScores,
    Ratings,
    build_references,
    clips_with_meaning,
    mean_rating,
    summary_prompt_digest,
)
from affordance.tasks.motion.meaning_summaries import SUMMARIES
from affordance.tasks.motion.views import unrelated_table, visibility_table
from affordance.tasks.question_design import PlannedQuestion, QuestionDesign, repeat, select_subset
from affordance.tasks.scoring import Scorer, unscored_text
from affordance.tasks.task import Preset, Task
from affordance.tasks.views import MetricTable, TaskViews, tags


class MeaningParams(ClipParams):
    reference: Literal["summary", "individual", "both"] = option(
        "summary", "References for the judge: a summary, each response, or both (default: summary)."
    )
    summarizer: str | None = option(None, "Model that summarises references.", metavar="M")
    judge_orders: int = option(1, "Orders in which the judge sees the two texts (default: 1).", ge=1, le=2)

    @property
    def reference_kinds(self) -> tuple[str, ...]:
        return ("summary", "individual") if self.reference == "both" else (self.reference,)


def questions(data: DatasetCollection, design: QuestionDesign[MeaningParams]) -> Iterator[PlannedQuestion]:
    dataset, clips = clips_with_meaning(data)
    params = design.params
    summaries = summaries_by_source(read_summaries(dataset), params.summarizer, summary_prompt_digest(design.prompts))
    chosen = select_subset(clips, design.limit, lambda clip: clip.id)
    for clip in chosen:
        expected = build_references(clip, chosen, summaries, params.reference_kinds, params.judge_orders, design.seed)
        for cues in params.cues:
            shown = clip_images(dataset, clip, params, cues)
            question = Question(
                task=NAME,
                item=clip.id,
                axes=cue_axes(cues, params),
                media=shown.images,
                prompt_fields={"shown": describe_input(params, shown), **cue_fields(clip, cues)},
                answer_format=FreeText(),
                truth=expected.to_text(),
                source_paths=shown.files,
                tags=clip_tags(clip, shown, cues),
            )
            yield from repeat(question, design.trials)


def correct_answer(question: Question) -> str:
    """What is judged as equal to itself: the summary, or the first response."""
    references = MeaningReferences.from_text(question.truth)
    return references.summary or references.responses[0]


def external_truth(truth: str) -> str:
    """But for the summary that is only there for people: their joining makes no other run of the models'."""
    return replace(MeaningReferences.from_text(truth), without=None).to_text()


def describe_truth(truth: str) -> str:
    expected = MeaningReferences.from_text(truth)
    return expected.summary or "\n".join(expected.responses)


def _judged(results: ResultSet) -> Sequence[MeaningScores]:
    """The judgements of the scored results that have any."""
    return [one for one in map(meaning_scores, results.scored) if one is not None]


def meaning_scores(result: AttemptResult) -> MeaningScores | None:
    """None where there was nothing to judge."""
    return MeaningScores.from_detail(result.verdict.detail) if result.verdict is not None else None


def clip_scores(results: ResultSet) -> Sequence[float]:
    """Scores from 0 to 5; attempts without an interpretation have 0."""
    return [MEANING_SCALE.score_of(score) for score in results.scores]


def _score_interval(results: ResultSet) -> Interval | None:
    share = score_interval(results)
    return None if share is None else (MEANING_SCALE.score_of(share[0]), MEANING_SCALE.score_of(share[1]))


def _score_deviation(results: ResultSet) -> float | None:
    scores = results.cached(clip_scores)
    return stdev(scores) if len(scores) > 1 else None


def _unrelated_share(results: ResultSet) -> float | None:
    judged = results.cached(_judged)
    return mean(float(mean_rating(one.headline_ratings()) == MEANING_SCALE.low) for one in judged)


def _ratings(results: ResultSet) -> Sequence[Ratings]:
    return [ratings for one in results.cached(_judged) for ratings in (*one.summary, *one.individual)]


def _disagreement(results: ResultSet) -> float | None:
    """How often the rating depends on the order of the texts, where the judge was asked in both."""
    both = [one for one in results.cached(_ratings) if len(one) > 1 and None not in one]
    return mean(float(len(set(one)) > 1) for one in both)


def _score_shares(results: ResultSet) -> Mapping[str, float]:
    """The histogram: scores rounded to whole ones, half upwards, without the best."""
    rounded = [int(score + 0.5) for score in results.cached(clip_scores)]
    kinds = range(MEANING_SCALE.high - 1, MEANING_SCALE.low - 1, -1)
    return {f"scored {n}": rounded.count(n) / len(rounded) for n in kinds} if rounded else {}


def _unrelated_text_baseline(kind: str, by_summary: bool) -> TrivialBaseline:
    """The score of what people understood of another clip."""

    def compute(results: ResultSet) -> float | None:
        judged = [one for one in map(meaning_scores, results.asked) if one is not None]
        found = mean(mean_rating(one.floor) for one in judged)
        is_kind = any(one.summary for one in judged) is by_summary
        return MEANING_SCALE.share_of(found) if found is not None and is_kind else None

    return TrivialBaseline(kind, kind, compute)


MEANING = Task(
    name=NAME,
    summary="What does the animation mean?",
    dataset_kinds=("clip",),
    params=MeaningParams,
    protocols={"affordance": Preset(sampling={"temperature": 0}), "paper": Preset()},
    questions=questions,
    strategies={"zero-shot": ask_with_cues},
    preparation=SUMMARIES,
    scorer=Scorer(
        score=unscored_text, correct=correct_answer, judge=JUDGE_PLAN, external_truth=external_truth, free_text=True
    ),
    metrics=(
        replace(ACCURACY, label="share of 5"),
        Metric(
            name="score",
            label="score",
            compute=lambda results: mean(results.cached(clip_scores)),
            interval=_score_interval,
            unit=Unit.SCORE,
            in_breakdowns=True,
        ),
        Metric(
            name="score_sd",
            label="standard deviation",
            compute=_score_deviation,
            unit=Unit.SCORE,
            higher_is_better=None,
        ),
        Metric(
            name="score_individual",
            label="score against each response",
            compute=lambda results: mean(mean_rating(one.individual) for one in results.cached(_judged)),
            unit=Unit.SCORE,
            section="judge",
        ),
        Metric(
            name="unrelated",
            label="unrelated",
            compute=_unrelated_share,
            higher_is_better=False,
            in_breakdowns=True,
        ),
        Metric(
            name="judge_disagreement",
            label="depends on the order",
            compute=_disagreement,
            higher_is_better=None,
            section="judge",
        ),
        Metric(
            name="judge_unread",
            label="unparsed judgements",
            compute=lambda results: mean(float(rating is None) for one in results.cached(_ratings) for rating in one),
            higher_is_better=None,
            section="judge",
        ),
    ),
    trivial_baselines=(
        _unrelated_text_baseline("another clip's summary", by_summary=True),
        _unrelated_text_baseline("another clip's response", by_summary=False),
    ),
    views=TaskViews(
        item_noun="clip",
        cluster_noun="clip",
        split=CUE_SPLIT,
        breakdowns=tags("purpose", "platform", "animation shown"),
        errors=_score_shares,
        tables=(
            MetricTable(
                "Judge: single responses and order of the texts",
                "judge",
                "Responses are single references with --reference individual or both. The order of the two texts is "
                "tested with --judge-orders 2. Judgements that cannot be parsed are left out.",
            ),
        ),
        result_tables=(unrelated_table, visibility_table),
        describe_truth=describe_truth,
    ),
)
