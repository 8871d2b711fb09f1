"""Summaries of what people wrote about a clip: a task whose answers become references of `motion/meaning`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from affordance.core.answer_text import Unparsed, strip_thinking
from affordance.core.attempts import AttemptResult, AttemptStatus, PromptTexts, RequestGenerator
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.core.prompts import fill
from affordance.core.question import AnswerFormat, FreeText, Question
from affordance.core.requests import Message, Request
from affordance.datasets import Clip, DatasetCollection
from affordance.datasets.summaries import (
    ReferenceSummary,
    add_summaries,
    read_summaries,
    responses_digest,
    summaries_by_source,
)
from affordance.tasks.answers import NO_FREE_TEXT
from affordance.tasks.motion.meaning_judging import (
    PERSON_BASELINE,
    MeaningReferences,
    clips_with_meaning,
    held_out_response,
    nonblank_responses,
    summary_prompt_digest,
)
from affordance.tasks.question_design import PlannedQuestion, QuestionDesign, TaskParams, select_subset
from affordance.tasks.scoring import Score, Scorer
from affordance.tasks.task import Preparation, Preset, Task
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


def missing_summaries(
    data: DatasetCollection,
    design: QuestionDesign[Any],
    model: str,
    prompts: Mapping[str, str],
    models: Sequence[str],
) -> Iterator[PlannedQuestion]:
    """Questions for summaries that are not stored. Those without the held-out response are for `baseline:people`."""
    known = _stored_summaries(data, model, prompts)
    for planned in SUMMARY.questions(data, design):
        key = planned.question.item, planned.question.axes["left out"]
        if key not in known and (PERSON_BASELINE in models or key[1] is None):
            yield planned


def save_summaries(
    data: DatasetCollection, results: Iterable[AttemptResult], model: str, prompts: Mapping[str, str]
) -> int:
    """Store the summaries of a model with the dataset; the number of new ones."""
    dataset, clips = clips_with_meaning(data)
    by_id = {clip.id: clip for clip in clips}
    known, prompt = _stored_summaries(data, model, prompts), summary_prompt_digest(prompts)
    found = []
    for one in results:
        left_out = None if one.tags["left out"] == "None" else int(one.tags["left out"])
        if (one.item_id, left_out) in known:
            continue
        if one.verdict is None or one.verdict.status is not AttemptStatus.ANSWERED:
            raise UserError(f"{model} gave no summary of clip {one.item_id!r}; try another --summarizer")
        source = responses_digest(by_id[one.item_id].meaning_responses)
        found.append(ReferenceSummary(one.item_id, one.verdict.answer or "", model, prompt, source, left_out))
    add_summaries(dataset, found)
    return len(found)


def with_longest_summaries(task: Task, length: int) -> Task:
    """The task with texts of this many characters in place of missing summaries."""

    def questions(data: DatasetCollection, design: QuestionDesign[Any]) -> Iterator[PlannedQuestion]:
        individual = design.params.model_copy(update={"reference": "individual"})
        for planned in task.questions(data, replace(design, params=individual)):
            references = MeaningReferences.from_text(planned.question.truth)
            summary = references.summary or " ".join(references.responses).ljust(length, "x")
            stand_in = replace(references, kinds=design.params.reference_kinds, summary=summary)
            yield replace(planned, question=replace(planned.question, truth=stand_in.to_text()))

    return replace(task, questions=questions)


def _stored_summaries(data: DatasetCollection, model: str, prompts: Mapping[str, str]) -> set[tuple[str, int | None]]:
    """Summaries by this model and prompt, by clip and by the response that is held out."""
    dataset, _ = clips_with_meaning(data)
    return set(summaries_by_source(read_summaries(dataset), model, summary_prompt_digest(prompts)))


SUMMARIES = Preparation(
    task=SUMMARY,
    prompts=(PROMPT,),
    missing=missing_summaries,
    save=save_summaries,
    stand_in=with_longest_summaries,
)
