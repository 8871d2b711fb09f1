"""Summing up what people wrote about a clip: a task of its own, whose answers become references of `motion/meaning`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from affordance.core.answer_text import strip_thinking
from affordance.core.attempts import AttemptStatus, PromptTexts, RequestGenerator, Verdict
from affordance.core.json_text import Json
from affordance.core.prompts import fill
from affordance.core.question import FreeText, Question
from affordance.core.requests import Message, Request, Response
from affordance.datasets import Clip, DatasetCollection
from affordance.tasks.motion.meaning import MEANING, clips_with_meaning
from affordance.tasks.motion.meaning_judging import held_out_response, nonblank_responses
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.question_design import OptionOrder, PlannedQuestion, QuestionDesign, select_subset
from affordance.tasks.scoring import free_text_verdict
from affordance.tasks.task import Preset, Task

NAME = "motion/summary"
PROMPT = "summary"


def request_summary(question: Question, prompts: PromptTexts) -> RequestGenerator:
    text = fill(prompts[PROMPT], question.prompt_fields)
    (reply,) = yield [Request(question.id, (Message("user", (text,)),), question.answer_format, question.prompt_fields)]
    return reply


def questions(data: DatasetCollection, design: QuestionDesign) -> Iterator[PlannedQuestion]:
    """All responses of a clip, and all but the one that may be taken for an interpretation."""
    _, clips = clips_with_meaning(data)
    for clip in select_subset(clips, design.limit, lambda clip: clip.id):
        for place in (None, held_out_response(clip, design.seed)):
            yield PlannedQuestion(_question(clip, place), 0)


def _question(clip: Clip, place: int | None) -> Question:
    kept = [text for number, text in enumerate(nonblank_responses(clip)) if number != place]
    axes: dict[str, Json] = {"left out": place}
    return Question(
        NAME, clip.id, axes, (), {"responses": _bullet_list(kept)}, FreeText(), "", {}, {"left out": str(place)}
    )


def _bullet_list(responses: Sequence[str]) -> str:
    return "\n".join(f"- {' '.join(text.split())}" for text in responses)


def summary_text(reply_text: str) -> str:
    return " ".join(strip_thinking(reply_text).split())


def _score_response(_: Question, reply: Response) -> Verdict:
    said = summary_text(reply.text)
    found = free_text_verdict(reply, said, "no words beside thinking")
    return replace(found, answer=said) if found.status is AttemptStatus.ANSWERED else found


SUMMARY = Task(
    name=NAME,
    summary="Sum up what people wrote about an animation.",
    dataset_kinds=("clip",),
    item_noun="clip",
    options=frozenset(),
    protocols={"affordance": Preset(trials=1, option_order=OptionOrder.FIXED, sampling={"temperature": 0})},
    prompts={PROMPT: MEANING.prompts[PROMPT]},
    texts={PROMPT: load_prompt_pack(MEANING).texts[PROMPT]},
    strategies={"zero-shot": request_summary},
    questions=questions,
    score=_score_response,
    metrics=lambda _: {},
    trivial_baselines=lambda _: {},
    correct_answer=lambda question, grammar: None,
)
