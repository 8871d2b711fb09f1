"""Summing up what people wrote about a clip: a task of its own, whose answers become references of `motion/meaning`."""

from collections.abc import Iterator, Sequence

from affordance.core.answer_text import Unparsed, strip_thinking
from affordance.core.attempts import PromptTexts, RequestGenerator
from affordance.core.json_text import Json
from affordance.core.prompts import fill
from affordance.core.question import AnswerFormat, FreeText, Question
from affordance.core.requests import Message, Request
from affordance.datasets import Clip, DatasetCollection
from affordance.tasks.answers import NO_FREE_TEXT
from affordance.tasks.motion.meaning import clips_with_meaning
from affordance.tasks.motion.meaning_judging import held_out_response, nonblank_responses
from affordance.tasks.question_design import PlannedQuestion, QuestionDesign, TaskParams, select_subset
from affordance.tasks.scoring import Score, Scorer
from affordance.tasks.task import Preset, Task
from affordance.tasks.views import TaskViews

NAME = "motion/summary"
PROMPT = "summary"


def request_summary(question: Question, prompts: PromptTexts) -> RequestGenerator:
    text = fill(prompts[PROMPT], question.prompt_fields)
    (response,) = yield [
        Request(question.id, (Message("user", (text,)),), question.answer_format, question.prompt_fields)
    ]
    return response


def questions(data: DatasetCollection, design: QuestionDesign[TaskParams]) -> Iterator[PlannedQuestion]:
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


def summary_text(response_text: str) -> str:
    return " ".join(strip_thinking(response_text).split())


def _parse_summary(text: str, _: AnswerFormat) -> str | Unparsed:
    return summary_text(text) or Unparsed(NO_FREE_TEXT)


SUMMARY = Task(
    name=NAME,
    summary="Summarise what people wrote about an animation.",
    dataset_kinds=("clip",),
    protocols={"affordance": Preset(sampling={"temperature": 0})},
    questions=questions,
    strategies={"zero-shot": request_summary},
    scorer=Scorer(score=lambda _, text: Score(text), correct=lambda _: None, parse=_parse_summary, free_text=True),
    metrics=(),
    views=TaskViews(item_noun="clip"),
)
