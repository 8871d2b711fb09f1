"""What a log of Inspect holds of a run: enough to write it into a ledger as the executor would, without images.

A log has it in two places, both under `LOG_KEY`: a `LogHeader` in the metadata of the evaluation, and a
`LoggedAttempt` in the store of each sample, whether the sample succeeded or not."""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, FailFast, Field, JsonValue, TypeAdapter, model_validator

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempts import Attempt, AttemptStatus, Verdict
from affordance.core.json_text import Json, canonical_json
from affordance.core.media_spec import MediaSpec, media_spec_from_recipe
from affordance.core.question import FreeText, Question, answer_format_to_json, question_id
from affordance.core.requests import CallSettings, Request, RequestStep, Response, transcript
from affordance.evaluation.attempts import AttemptResponses, answer_format
from affordance.evaluation.plan import PlannedAttempt
from affordance.ledger import RequestRecord

LOG_KEY = "affordance"
LOG_FORMAT: Literal[1] = 1
MAX_PLAN_BYTES = 2**28  # unpacked; enough for a million attempts


class _LogRecord(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LoggedCallSettings(_LogRecord):
    """`CallSettings` as they are stored."""

    model: str
    base_url: str = ""
    dialect: str = ""
    pack: str = ""
    parameters: dict[str, JsonValue] = {}

    @classmethod
    def of(cls, settings: CallSettings) -> "LoggedCallSettings":
        return cls(
            model=settings.model,
            base_url=settings.base_url,
            dialect=settings.dialect,
            pack=settings.prompt_digest,
            parameters=to_plain_json(settings.parameters),
        )

    def call_settings(self) -> CallSettings:
        return CallSettings(self.model, self.base_url, self.dialect, self.pack, self.parameters)


class LogHeader(_LogRecord):
    """The run of a log: its settings, dataset, model and plan."""

    format: Literal[1]
    version: str  # of Affordance
    run: str  # id
    name: str
    settings: dict[str, JsonValue]  # `Plan.identity`
    dataset: dict[str, JsonValue]  # `Plan.dataset`
    task: str
    model: LoggedCallSettings
    judge: LoggedCallSettings | None = None
    plan: str  # all attempts, packed; a log may have fewer samples
    arguments: dict[str, JsonValue] = {}  # of the task, as given with `-T`

    def planned_attempts(self) -> list[tuple["LoggedQuestion", str, int]]:
        """Question, strategy and trial of every attempt of the plan. Raises `ValueError` where it is damaged."""
        unpacking = zlib.decompressobj()
        try:
            found = unpacking.decompress(base64.b64decode(self.plan, validate=True), MAX_PLAN_BYTES)
        except zlib.error as error:
            raise ValueError(f"the plan of the log cannot be unpacked: {error}") from None
        if not unpacking.eof:
            damage = "is truncated" if len(found) < MAX_PLAN_BYTES else f"has more than {MAX_PLAN_BYTES:,} bytes"
            raise ValueError(f"the plan of the log {damage}")
        return _PLAN.validate_json(found)


def pack_plan(planned: Iterable[PlannedAttempt]) -> str:
    """A plan as text for a log header, packed to keep logs readable."""
    entries = [(LoggedQuestion.of(one.question), one.attempt.strategy, one.attempt.trial) for one in planned]
    return base64.b64encode(zlib.compress(_PLAN.dump_json(entries))).decode("ascii")


class LoggedMedia(_LogRecord):
    """The specification of an image or video."""

    source: str
    recipe: dict[str, JsonValue]

    def to_spec(self) -> MediaSpec:
        return media_spec_from_recipe(self.source, self.recipe)


class LoggedRequest(_LogRecord):
    """One request of an attempt, and the response (`reply`) to it."""

    step: RequestStep
    key: str
    transcript: str
    pictures: tuple[LoggedMedia, ...]
    reply: Response

    @classmethod
    def of(cls, request: Request, key: str, response: Response) -> "LoggedRequest":
        pictures = tuple(LoggedMedia(source=one.source, recipe=to_plain_json(one.to_recipe())) for one in request.media)
        return cls(step=request.step, key=key, transcript=transcript(request), pictures=pictures, reply=response)


class LoggedQuestion(_LogRecord):
    """A question as the ledger stores it, with its truth, which models never receive."""

    task: str
    item: str
    axes: dict[str, JsonValue]
    truth: str
    tags: dict[str, str]
    cluster: str

    @classmethod
    def of(cls, question: Question) -> "LoggedQuestion":
        return cls(
            task=question.task,
            item=question.item,
            axes=to_plain_json(question.axes),
            truth=question.truth,
            tags=dict(question.tags),
            cluster=question.cluster,
        )

    def question(self) -> Question:
        """The question without media and prompt fields, which are in the transcripts of its requests."""
        return Question(self.task, self.item, self.axes, (), {}, FreeText(), self.truth, {}, self.tags, self.cluster)


_PLAN = TypeAdapter(Annotated[list[tuple[LoggedQuestion, str, int]], FailFast()])


class LoggedVerdict(_LogRecord):
    """A `Verdict` as it is stored."""

    ended: AttemptStatus
    answer: str | None = None
    score: Annotated[float, Field(ge=0, le=1)] | None = None
    reason: str = ""
    detail: dict[str, JsonValue] = {}

    @model_validator(mode="after")
    def _has_a_score_only_where_answered(self) -> Self:
        if self.score is not None and self.ended is not AttemptStatus.ANSWERED:
            raise ValueError(f"expected no score of an attempt that ended {self.ended}, found {self.score:g}")
        return self

    @classmethod
    def of(cls, verdict: Verdict) -> "LoggedVerdict":
        return cls(
            ended=verdict.status,
            answer=verdict.answer,
            score=verdict.score,
            reason=verdict.reason,
            detail=to_plain_json(verdict.detail),
        )

    def verdict(self) -> Verdict:
        return Verdict(self.ended, self.answer, self.score, self.reason, self.detail)


class LoggedVerdictOrigin(_LogRecord):
    """A `VerdictOrigin` as it is stored: the step that a verdict was read from, and how it was read."""

    step: RequestStep
    answer_format: dict[str, JsonValue]
    parser_version: int = PARSER_VERSION

    @classmethod
    def of(cls, planned: PlannedAttempt, answer: AttemptResponses) -> "LoggedVerdictOrigin":
        found = answer_format_to_json(answer_format(planned, answer.request))
        return cls(step=answer.request.step, answer_format=to_plain_json(found))


class LoggedAttempt(_LogRecord):
    """An attempt or judgement with its requests and verdict. Without a verdict it is not finished."""

    run: str
    model: str
    strategy: str
    trial: int
    subject: str = ""
    question: LoggedQuestion
    files: dict[str, str] = {}  # paths of source files, by content digest
    steps: tuple[LoggedRequest, ...] = ()
    verdict: LoggedVerdict | None = None
    first: LoggedVerdict | None = None  # before parse retries; None where it is the same
    origin: LoggedVerdictOrigin | None = None  # None for verdicts of parser version 1
    judgements: tuple["LoggedAttempt", ...] = ()

    @classmethod
    def of(
        cls,
        planned: PlannedAttempt,
        steps: Iterable[LoggedRequest],
        answer: AttemptResponses | None,
        verdict: Verdict | None = None,
    ) -> "LoggedAttempt":
        attempt, question = planned.attempt, planned.question
        return cls(
            run=attempt.run_id,
            model=attempt.model,
            strategy=attempt.strategy,
            trial=attempt.trial,
            subject=attempt.judged_attempt_id,
            question=LoggedQuestion.of(question),
            files={source: str(path) for source, path in question.source_paths.items()},
            steps=tuple(sorted(steps, key=lambda request: request.step)),
            verdict=LoggedVerdict.of(verdict) if verdict is not None else None,
            origin=LoggedVerdictOrigin.of(planned, answer) if verdict is not None and answer is not None else None,
        )

    def attempt(self) -> Attempt:
        question = question_id(self.question.task, self.question.item, self.question.axes)
        return Attempt(self.run, question, self.model, self.strategy, self.trial, self.subject)

    def request_record(self, request: LoggedRequest, settings: CallSettings) -> RequestRecord:
        """A request as the ledger stores it."""
        files = {source: Path(path) for source, path in self.files.items()}
        pictures = tuple(media.to_spec() for media in request.pictures)
        return RequestRecord(request.key, settings, self.attempt().question_id, request.transcript, pictures, files)

    def to_json(self) -> dict[str, Any]:
        """The attempt as a log stores it."""
        return self.model_dump(mode="json")


def to_plain_json(value: Mapping[str, Json]) -> Any:
    """JSON as it is after reading: lists in place of tuples."""
    return json.loads(canonical_json(dict(value)))
