"""`motion/meaning` (AniMINT RQ3): what does an animation tell the person who sees it?

A free interpretation, judged from 0 to 5 against what people wrote: a summary of it, or each response. As published:
the frames, the box, context and input of `motion/purpose`; one pass; the sides of the judged texts in random order. The
published prompt for the interpretation is not known: ours is our own.
"""

from collections.abc import Iterator
from dataclasses import replace

from affordance.core.ask import Response
from affordance.core.attempt import Verdict
from affordance.core.errors import UserError
from affordance.core.grammar import AnswerFormat, FreeText
from affordance.core.question import Question
from affordance.datasets import Clip, Collection, Dataset
from affordance.datasets.summaries import read_summaries, summaries_by_source
from affordance.tasks.free_words import free_text_verdict
from affordance.tasks.limits import some
from affordance.tasks.motion.asking import (
    CUE_PROMPTS,
    ask_with_cues,
    clip_images,
    clip_tags,
    cue_axes,
    cue_fields,
    describe_input,
    is_twin,
)
from affordance.tasks.motion.cues import DEFAULT_CUES, NO_CUES, cue_set_name
from affordance.tasks.motion.meaning_judging import JUDGE_PLAN, answer_text
from affordance.tasks.motion.meaning_metrics import (
    meaning_baselines,
    meaning_breakdown_metrics,
    meaning_intervals,
    meaning_metrics,
    meaning_score_shares,
)
from affordance.tasks.motion.references import MeaningReferences, build_references, nonblank_responses
from affordance.tasks.task import Design, Order, Protocol, Task, Trial

NAME = "motion/meaning"
MIN_RESPONSES = 2  # one to stand for people, and one to leave out
NO_INTERPRETATION = "no words beside thinking"


def questions(data: Collection, design: Design) -> Iterator[Trial]:
    dataset, clips = clips_with_meaning(data)
    summaries = summaries_by_source(read_summaries(dataset), design.summarizer, design.summary_prompt)
    chosen = some(clips, design.limit, lambda clip: clip.id)
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
                yield Trial(question, trial)


def clips_with_meaning(data: Collection) -> tuple[Dataset, list[Clip]]:
    dataset = data.part("clip")
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
        "affordance": Protocol(trials=1, option_order=Order.FIXED, sampling={"temperature": 0}),
        "paper": Protocol(trials=1, option_order=Order.FIXED),
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
