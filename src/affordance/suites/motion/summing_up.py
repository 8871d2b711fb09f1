"""Summing up what people wrote about a clip: a task of its own, whose answers become references of `motion/meaning`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from affordance.core.answer_text import strip_thinking
from affordance.core.ask import Ask, Message, Reply
from affordance.core.attempt import Ended, Prompts, Steps, Verdict
from affordance.core.digest import Json
from affordance.core.grammar import Words
from affordance.core.question import Question
from affordance.datasets import Clip, Collection
from affordance.suites.free_words import conclude_words
from affordance.suites.limits import some
from affordance.suites.motion.meaning import MEANING, clips_with_meaning
from affordance.suites.motion.references import answered, left_out
from affordance.suites.prompts import fill, load_pack
from affordance.suites.task import Design, Order, Protocol, Task, Trial

NAME = "motion/summary"
PROMPT = "summary"


def sum_up(question: Question, prompts: Prompts) -> Steps:
    text = fill(prompts[PROMPT], question.fields)
    (reply,) = yield [Ask(question.id, (Message("user", (text,)),), question.grammar, question.fields)]
    return reply


def questions(data: Collection, design: Design) -> Iterator[Trial]:
    """All responses of a clip, and all but the one that may be taken for an interpretation."""
    _, clips = clips_with_meaning(data)
    for clip in some(clips, design.limit, lambda clip: clip.id):
        for place in (None, left_out(clip, design.seed)):
            yield Trial(_question(clip, place), 0)


def _question(clip: Clip, place: int | None) -> Question:
    kept = [text for number, text in enumerate(answered(clip)) if number != place]
    axes: dict[str, Json] = {"left out": place}
    return Question(NAME, clip.id, axes, (), {"responses": _listed(kept)}, Words(), "", {}, {"left out": str(place)})


def _listed(responses: Sequence[str]) -> str:
    return "\n".join(f"- {' '.join(text.split())}" for text in responses)


def summary_of(reply_text: str) -> str:
    return " ".join(strip_thinking(reply_text).split())


def _read(_: Question, reply: Reply) -> Verdict:
    said = summary_of(reply.text)
    found = conclude_words(reply, said, "no words beside thinking")
    return replace(found, answer=said) if found.ended is Ended.ANSWERED else found


SUMMARY = Task(
    name=NAME,
    summary="Sum up what people wrote about an animation.",
    kinds=("clip",),
    noun="clip",
    options=frozenset(),
    protocols={"affordance": Protocol(trials=1, order=Order.FIXED, parameters={"temperature": 0})},
    prompts={PROMPT: MEANING.prompts[PROMPT]},
    texts={PROMPT: load_pack(MEANING).texts[PROMPT]},
    strategies={"zero-shot": sum_up},
    questions=questions,
    read=_read,
    metrics=lambda _: {},
    floors=lambda _: {},
    ideal=lambda question, grammar: None,
)
