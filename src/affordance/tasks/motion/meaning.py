"""`motion/meaning` (AniMINT RQ3): what does an animation tell the person who sees it?

A free interpretation, judged from 0 to 5 against what people wrote: a summary of it, or each response. As published:
the frames, the box, context and input of `motion/purpose`; one pass; the sides of the judged texts in random order. The
published prompt for the interpretation is not known: ours is our own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import stdev

from affordance.core.attempts import AttemptResult, Verdict
from affordance.core.errors import UserError
from affordance.core.question import AnswerFormat, FreeText, Question
from affordance.core.requests import Response
from affordance.datasets import Clip, Dataset, DatasetCollection
from affordance.datasets.summaries import read_summaries, summaries_by_source
from affordance.stats import Interval
from affordance.tasks.metrics import accuracy, accuracy_intervals, scored_results
from affordance.tasks.motion.clips import clip_images, clip_tags, cue_axes, describe_input, is_twin
from affordance.tasks.motion.cues import CUE_PROMPTS, DEFAULT_CUES, NO_CUES, ask_with_cues, cue_fields, cue_set_name
from affordance.tasks.motion.meaning_judging import (
    JUDGE_PLAN,
    MEANING_SCALE,
    MeaningReferences,
    MeaningScores,
    Scores,
    answer_text,
    build_references,
    mean_score,
    nonblank_responses,
)
from affordance.tasks.question_design import OptionOrder, PlannedQuestion, QuestionDesign, select_subset
from affordance.tasks.scoring import free_text_verdict
from affordance.tasks.task import Preset, Task

BASELINE_LABELS = {True: "another clip's summary", False: "another clip's response"}  # by whether there are summaries

Metrics = Mapping[str, float | None]


def meaning_scores(outcome: AttemptResult) -> MeaningScores | None:
    """None where there was nothing to judge."""
    return MeaningScores.from_detail(outcome.verdict.detail) if outcome.verdict is not None else None


def meaning_metrics(outcomes: Sequence[AttemptResult]) -> Metrics:
    """`accuracy` is the mean score as a share of five, `score` the same from 0 to 5 with its deviation over clips."""
    scores = clip_scores(outcomes)
    found = [one for one in map(meaning_scores, scored_results(outcomes)) if one is not None]
    every = [scores for one in found for scores in (*one.summary, *one.individual)]
    return {
        "accuracy": accuracy(outcomes),
        "score": _mean(scores),
        "score_sd": stdev(scores) if len(scores) > 1 else None,
        "score_individual": _mean([mean for one in found if (mean := mean_score(one.individual)) is not None]),
        "unrelated": _mean([float(mean_score(one.headline_scores()) == MEANING_SCALE.low) for one in found]),
        "judge_disagreement": _disagreement(every),
        "judge_unread": _mean([float(score is None) for one in every for score in one]),
    }


def meaning_intervals(outcomes: Sequence[AttemptResult]) -> Mapping[str, Interval | None]:
    found = accuracy_intervals(outcomes)
    share = found.get("accuracy")
    return {
        **found,
        "score": None if share is None else (MEANING_SCALE.score_of(share[0]), MEANING_SCALE.score_of(share[1])),
    }


def clip_scores(outcomes: Sequence[AttemptResult]) -> list[float]:
    """On the judge's scale; what was not answered has its lower end."""
    return [
        MEANING_SCALE.score_of(one.verdict.counted_score or 0.0)
        for one in scored_results(outcomes)
        if one.verdict is not None
    ]


def meaning_score_shares(outcomes: Sequence[AttemptResult]) -> Mapping[str, float]:
    """The histogram: scores rounded to whole ones, half upwards, but for the best."""
    scores = clip_scores(outcomes)
    rounded = [int(score + 0.5) for score in scores]
    kinds = range(MEANING_SCALE.high - 1, MEANING_SCALE.low - 1, -1)
    return {f"scored {n}": rounded.count(n) / len(scores) for n in kinds} if scores else {}


def meaning_baselines(outcomes: Sequence[AttemptResult]) -> Mapping[str, float]:
    """What takes no look at the clip: what people understood of another one."""
    found = [mean_score(one.floor) for one in map(meaning_scores, outcomes) if one is not None]
    mean = _mean([score for score in found if score is not None])
    summed_up = any(one.summary for one in map(meaning_scores, outcomes) if one is not None)
    return {} if mean is None else {BASELINE_LABELS[summed_up]: MEANING_SCALE.share_of(mean)}


def meaning_breakdown_metrics(outcomes: Sequence[AttemptResult]) -> Metrics:
    """What a breakdown tells of its part."""
    found = meaning_metrics(outcomes)
    return {name: found[name] for name in ("accuracy", "score", "unrelated")}


def _disagreement(scores: Sequence[Scores]) -> float | None:
    """How often the judge's score depends on the order of the texts, where it was asked in both."""
    both = [one for one in scores if len(one) > 1 and None not in one]
    return _mean([float(len(set(one)) > 1) for one in both])


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


NAME = "motion/meaning"
MIN_RESPONSES = 2  # one to stand for people, and one to leave out
NO_INTERPRETATION = "no words beside thinking"


def questions(data: DatasetCollection, design: QuestionDesign) -> Iterator[PlannedQuestion]:
    dataset, clips = clips_with_meaning(data)
    summaries = summaries_by_source(read_summaries(dataset), design.summarizer, design.summary_prompt)
    chosen = select_subset(clips, design.limit, lambda clip: clip.id)
    for clip in chosen:
        expected = build_references(clip, chosen, summaries, design.references, design.judge_orders, design.seed)
        for cues in design.cues:
            shown = clip_images(dataset, clip, design, cues)
            question = Question(
                task=NAME,
                item=clip.id,
                axes=cue_axes(cues, design),
                media=shown.images,
                prompt_fields={"shown": describe_input(design, shown), **cue_fields(clip, cues)},
                answer_format=FreeText(),
                truth=expected.to_text(),
                source_paths=shown.files,
                tags=clip_tags(clip, shown, cues),
            )
            for trial in range(design.trials):
                yield PlannedQuestion(question, trial)


def clips_with_meaning(data: DatasetCollection) -> tuple[Dataset, list[Clip]]:
    dataset = data.of_kind("clip")
    items = dataset.items if dataset is not None else ()
    clips = [
        item
        for item in items
        if isinstance(item, Clip) and len(nonblank_responses(item)) >= MIN_RESPONSES and not is_twin(item)
    ]
    if dataset is None or not clips:
        raise UserError(f"{NAME} needs clips with at least {MIN_RESPONSES} meaning_responses; {data.name!r} has none")
    return dataset, clips


def score_response(_: Question, reply: Response) -> Verdict:
    return free_text_verdict(reply, answer_text(reply), NO_INTERPRETATION)


def correct_answer(question: Question, grammar: AnswerFormat) -> str | None:
    """What is judged as equal to itself: the summary, or the first response."""
    if not isinstance(grammar, FreeText):
        return None
    expected = MeaningReferences.from_text(question.truth)
    return expected.summary or expected.responses[0]


def external_truth(truth: str) -> str:
    """But for the summary that is only there for people: their joining makes no other run of the models'."""
    return replace(MeaningReferences.from_text(truth), without=None).to_text()


def describe_truth(truth: str) -> str:
    expected = MeaningReferences.from_text(truth)
    return expected.summary or "\n".join(expected.responses)


MEANING = Task(
    name=NAME,
    summary="What does the animation mean?",
    dataset_kinds=("clip",),
    item_noun="clip",
    options=frozenset(
        {
            "trials",
            "fps",
            "strategy",
            "cues",
            "input",
            "most-frames",
            "judge",
            "reference",
            "summarizer",
            "judge-orders",
        }
    ),
    protocols={
        "affordance": Preset(trials=1, option_order=OptionOrder.FIXED, sampling={"temperature": 0}),
        "paper": Preset(trials=1, option_order=OptionOrder.FIXED),
    },
    prompts={
        "zero-shot": frozenset({"shown", "box", "cues"}),
        **CUE_PROMPTS,
        "judge": frozenset({"text_a", "text_b"}),
        "summary": frozenset({"responses"}),
    },
    strategies={"zero-shot": ask_with_cues},
    questions=questions,
    score=score_response,
    metrics=meaning_metrics,
    correct_answer=correct_answer,
    trivial_baselines=meaning_baselines,
    error_shares=meaning_score_shares,
    score_label="share of 5",
    intervals=meaning_intervals,
    external_truth=external_truth,
    describe_truth=describe_truth,
    condition_tag="cues",
    baseline_condition=cue_set_name(NO_CUES),
    main_condition=cue_set_name(DEFAULT_CUES),
    breakdowns=("purpose", "platform", "animation shown"),
    breakdown_metrics=meaning_breakdown_metrics,
    judge=JUDGE_PLAN,
)
