"""`motion/meaning` (AniMINT RQ3): what does an animation tell the person who sees it?

A free interpretation, judged from 0 to 5 against what people wrote: a summary of it, or each response. As published:
the frames, the box, context and input of `motion/purpose`; one pass; the sides of the judged texts in random order. The
published prompt for the interpretation is not known: ours is our own.
"""

from collections.abc import Iterator
from dataclasses import replace

from affordance.core.ask import Reply
from affordance.core.attempt import Verdict
from affordance.core.errors import UserError
from affordance.core.grammar import Grammar, Words
from affordance.core.question import Question
from affordance.datasets import Clip, Collection, Dataset
from affordance.datasets.summaries import of_one_source, read_summaries
from affordance.suites.free_words import conclude_words
from affordance.suites.limits import some
from affordance.suites.motion.asking import (
    CUE_PROMPTS,
    clip_tags,
    cue_axes,
    cue_fields,
    how_shown,
    is_twin,
    shown_with,
    with_cues,
)
from affordance.suites.motion.cues import NONE, USUAL, cues_name
from affordance.suites.motion.meaning_judging import JUDGING, interpretation
from affordance.suites.motion.meaning_metrics import (
    meaning_by,
    meaning_floors,
    meaning_intervals,
    meaning_metrics,
    meaning_shares,
)
from affordance.suites.motion.references import References, answered, references
from affordance.suites.task import Design, Order, Protocol, Task, Trial

NAME = "motion/meaning"
FEWEST_RESPONSES = 2  # one to stand for people, and one to leave out
NO_INTERPRETATION = "no words beside thinking"


def questions(data: Collection, design: Design) -> Iterator[Trial]:
    dataset, clips = clips_with_meaning(data)
    summaries = of_one_source(read_summaries(dataset), design.summarizer, design.summary_prompt)
    chosen = some(clips, design.limit, lambda clip: clip.id)
    for clip in chosen:
        expected = references(clip, chosen, summaries, design.references, design.judge_orders, design.seed)
        for cues in design.cues:
            shown = shown_with(dataset, clip, design, cues)
            question = Question(
                task=NAME,
                item=clip.id,
                axes=cue_axes(cues, design),
                pictures=shown.pictures,
                fields={"shown": how_shown(design, shown), **cue_fields(clip, cues)},
                grammar=Words(),
                truth=expected.to_text(),
                files=shown.files,
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
        if isinstance(item, Clip) and len(answered(item)) >= FEWEST_RESPONSES and not is_twin(item)
    ]
    if dataset is None or not clips:
        raise UserError(
            f"{NAME} needs clips with at least {FEWEST_RESPONSES} meaning_responses; {data.name!r} has none"
        )
    return dataset, clips


def read(_: Question, reply: Reply) -> Verdict:
    return conclude_words(reply, interpretation(reply), NO_INTERPRETATION)


def ideal(question: Question, grammar: Grammar) -> str | None:
    """What is judged as equal to itself: the summary, or the first response."""
    if not isinstance(grammar, Words):
        return None
    expected = References.from_text(question.truth)
    return expected.summary or expected.responses[0]


def judged_against(truth: str) -> str:
    """But for the summary that is only there for people: their joining makes no other run of the models'."""
    return replace(References.from_text(truth), without=None).to_text()


def told(truth: str) -> str:
    expected = References.from_text(truth)
    return expected.summary or "\n".join(expected.responses)


MEANING = Task(
    name=NAME,
    summary="What does the animation mean?",
    kinds=("clip",),
    noun="clip",
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
        "affordance": Protocol(trials=1, order=Order.FIXED, parameters={"temperature": 0}),
        "paper": Protocol(trials=1, order=Order.FIXED),
    },
    prompts={
        "zero-shot": frozenset({"shown", "box", "cues"}),
        **CUE_PROMPTS,
        "judge": frozenset({"text_a", "text_b"}),
        "summary": frozenset({"responses"}),
    },
    strategies={"zero-shot": with_cues},
    questions=questions,
    read=read,
    metrics=meaning_metrics,
    ideal=ideal,
    floors=meaning_floors,
    shares=meaning_shares,
    measure="share of 5",
    intervals=meaning_intervals,
    beside=judged_against,
    told=told,
    form="cues",
    base=cues_name(NONE),
    main=cues_name(USUAL),
    breakdowns=("purpose", "platform", "animation shown"),
    each=meaning_by,
    judging=JUDGING,
)
