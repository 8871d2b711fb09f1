"""What a log of Inspect holds of a run of ours: enough to put it into a ledger as the runner would have, without a
picture. A log has it in two places, both under `KEY`: in the metadata of the evaluation a `Header`, and in the store of
each sample a `Made`, whether the sample ended well or not."""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, FailFast, Field, JsonValue, TypeAdapter, model_validator

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.ask import Address, Ask, Reply, Step, transcript
from affordance.core.attempt import Attempt, Ended, Verdict
from affordance.core.digest import Json, canonical
from affordance.core.grammar import Words, answer_format_to_json
from affordance.core.picture import Visual, from_recipe
from affordance.core.question import Question, question_id
from affordance.ledger import Asked, Run
from affordance.run.driving import Answer, Planned, answer_format

KEY = "affordance"
FORMAT: Literal[1] = 1
LARGEST_PLAN = 2**28  # bytes, unpacked: those of a million attempts


class _Recorded(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Recipient(_Recorded):
    """An `Address`."""

    model: str
    base_url: str = ""
    dialect: str = ""
    pack: str = ""
    parameters: dict[str, JsonValue] = {}

    @classmethod
    def of(cls, address: Address) -> "Recipient":
        names = ("model", "base_url", "dialect", "pack")
        return cls(**{name: getattr(address, name) for name in names}, parameters=plain(address.parameters))

    def address(self) -> Address:
        return Address(self.model, self.base_url, self.dialect, self.pack, self.parameters)


class Header(_Recorded):
    """Of the whole log: the run that it is, what it is asked about, and who is asked."""

    format: Literal[1]
    version: str  # of Affordance
    run: str  # its id
    name: str
    settings: dict[str, JsonValue]  # as `Job.record`
    dataset: dict[str, JsonValue]  # as `Job.described`
    task: str
    model: Recipient
    judge: Recipient | None = None
    plan: str  # all attempts, packed: a log that was interrupted or limited has fewer samples
    arguments: dict[str, JsonValue] = {}  # of the task, as `-T` has them

    def as_run(self) -> Run:
        return Run(self.run, self.name, self.settings, self.dataset)

    def attempts(self) -> list[tuple["Told", str, int]]:
        """What was planned: the question, the strategy and the trial of every attempt. Raises `ValueError`."""
        unpacking = zlib.decompressobj()
        try:
            found = unpacking.decompress(base64.b64decode(self.plan, validate=True), LARGEST_PLAN)
        except zlib.error as error:
            raise ValueError(f"the plan of the log cannot be unpacked: {error}") from None
        if not unpacking.eof:
            kind = "is cut off" if len(found) < LARGEST_PLAN else f"has more than {LARGEST_PLAN:,} bytes"
            raise ValueError(f"the plan of the log {kind}")
        return _PLAN.validate_json(found)


def packed(planned: Iterable[Planned]) -> str:
    """A plan as a header has it: out of the way of people who look at a log."""
    entries = [(Told.of(one.question), one.attempt.strategy, one.attempt.trial) for one in planned]
    return base64.b64encode(zlib.compress(_PLAN.dump_json(entries))).decode("ascii")


class Shown(_Recorded):
    """A picture or a video, by what it is made from and how."""

    source: str
    recipe: dict[str, JsonValue]

    def visual(self) -> Visual:
        return from_recipe(self.source, self.recipe)


class Said(_Recorded):
    """One ask of an attempt and the reply to it, in the order in which they came."""

    step: Step
    key: str
    transcript: str
    pictures: tuple[Shown, ...]
    reply: Reply

    @classmethod
    def of(cls, ask: Ask, key: str, reply: Reply) -> "Said":
        pictures = tuple(Shown(source=one.source, recipe=plain(one.recipe())) for one in ask.visuals)
        return cls(step=ask.step, key=key, transcript=transcript(ask), pictures=pictures, reply=reply)


class Told(_Recorded):
    """A question as the ledger keeps it: with its truth, which no model gets to see."""

    task: str
    item: str
    axes: dict[str, JsonValue]
    truth: str
    tags: dict[str, str]
    cluster: str

    @classmethod
    def of(cls, question: Question) -> "Told":
        return cls(
            task=question.task,
            item=question.item,
            axes=plain(question.axes),
            truth=question.truth,
            tags=dict(question.tags),
            cluster=question.cluster,
        )

    def question(self) -> Question:
        """Enough of it for a ledger: what was asked is in the transcripts."""
        return Question(self.task, self.item, self.axes, (), {}, Words(), self.truth, {}, self.tags, self.cluster)


_PLAN = TypeAdapter(Annotated[list[tuple[Told, str, int]], FailFast()])


class Ruling(_Recorded):
    """A `Verdict`."""

    ended: Ended
    answer: str | None = None
    score: Annotated[float, Field(ge=0, le=1)] | None = None
    reason: str = ""
    detail: dict[str, JsonValue] = {}

    @model_validator(mode="after")
    def _has_a_score_only_where_answered(self) -> Self:
        if self.score is not None and self.ended is not Ended.ANSWERED:
            raise ValueError(f"expected no score of an attempt that ended {self.ended}, found {self.score:g}")
        return self

    @classmethod
    def of(cls, verdict: Verdict) -> "Ruling":
        names = ("ended", "answer", "score", "reason")
        return cls(**{name: getattr(verdict, name) for name in names}, detail=plain(verdict.detail))

    def verdict(self) -> Verdict:
        return Verdict(self.ended, self.answer, self.score, self.reason, self.detail)


class Origin(_Recorded):
    """What a verdict was read from, and how: a `VerdictOrigin`."""

    step: Step
    answer_format: dict[str, JsonValue]
    parser_version: int = PARSER_VERSION

    @classmethod
    def of(cls, planned: Planned, answer: Answer) -> "Origin":
        found = answer_format_to_json(answer_format(planned, answer.ask))
        return cls(step=answer.ask.step, answer_format=plain(found))


class Made(_Recorded):
    """An attempt, and what came of it; a judgement is one too. Without a verdict it is not finished."""

    run: str
    model: str
    strategy: str
    trial: int
    subject: str = ""
    question: Told
    files: dict[str, str] = {}  # where the pictures' sources lie, by content digest
    steps: tuple[Said, ...] = ()
    verdict: Ruling | None = None
    first: Ruling | None = None  # on the first try, before any re-asking; None where it is the same
    origin: Origin | None = None  # of the verdict; None where parser version 1 read it
    judgements: tuple["Made", ...] = ()

    @classmethod
    def of(
        cls, planned: Planned, steps: Iterable[Said], answer: Answer | None, verdict: Verdict | None = None
    ) -> "Made":
        attempt, question = planned.attempt, planned.question
        return cls(
            run=attempt.run,
            model=attempt.model,
            strategy=attempt.strategy,
            trial=attempt.trial,
            subject=attempt.subject,
            question=Told.of(question),
            files={source: str(path) for source, path in question.files.items()},
            steps=tuple(sorted(steps, key=lambda said: said.step)),
            verdict=Ruling.of(verdict) if verdict is not None else None,
            origin=Origin.of(planned, answer) if verdict is not None and answer is not None else None,
        )

    def is_of_parser(self, version: int) -> bool:
        """Whether its verdict and those of its judgements, as far as there are any, were read by this version."""
        ended = [one for one in (self, *self.judgements) if one.verdict is not None]
        return all(version == (1 if one.origin is None else one.origin.parser_version) for one in ended)

    def attempt(self) -> Attempt:
        question = question_id(self.question.task, self.question.item, self.question.axes)
        return Attempt(self.run, question, self.model, self.strategy, self.trial, self.subject)

    def asked(self, said: Said, address: Address) -> Asked:
        """One of its steps as the ledger keeps it."""
        files = {source: Path(path) for source, path in self.files.items()}
        pictures = tuple(shown.visual() for shown in said.pictures)
        return Asked(said.key, address, self.attempt().question, said.transcript, pictures, files)

    def written(self) -> dict[str, Any]:
        """As it is in a log."""
        return self.model_dump(mode="json")


def plain(value: Mapping[str, Json]) -> Any:
    """JSON as it is read again: lists for tuples."""
    return json.loads(canonical(dict(value)))
