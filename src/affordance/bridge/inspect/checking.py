"""What a log says of itself, worked out again: the key of each ask from what was asked, and verdicts from replies."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from affordance.bridge.inspect.arguments import in_order
from affordance.bridge.inspect.asked import Unfinished, remembered
from affordance.bridge.inspect.record import Header, Made, Recipient, Ruling, Said, Told, plain
from affordance.bridge.inspect.sitting import asked_with, job_of
from affordance.core.answer_text import PARSER_VERSION
from affordance.core.ask import (
    Address,
    Ask,
    Reply,
    legacy_request_key,
    lookup_id_of,
    request_key,
    transcript,
)
from affordance.core.attempt import Ended, Verdict
from affordance.core.digest import Json
from affordance.core.errors import UserError
from affordance.core.names import ModelName
from affordance.core.places import cache_folder
from affordance.ledger import Run
from affordance.media import Darkroom
from affordance.models.base import Model
from affordance.run.driving import Answer, Planned, concluded, drive, judgement, once_judged, read_answer
from affordance.run.execute import Cast, Means
from affordance.run.gallery import RenderedGallery
from affordance.run.job import Job, by_rules_of_version_1
from affordance.suites.registry import TASKS
from affordance.suites.task import Judging

_TRANSCRIPT = TypeAdapter(list[tuple[str, list[str | dict[str, str]]]])


def with_current_keys(header: Header, samples: Sequence[Made]) -> list[Made]:
    """The samples with the keys that requests have today, where an earlier version wrote the log.

    Raises `ValueError` where a response does not stand under the key of what it is the response to, or with other
    pictures than were shown, and `KeyError` where a picture cannot be made out."""
    found = []
    for made in samples:
        if made.judgements and header.judge is None:
            raise ValueError("judgements in a log without a judge")
        judgements = []
        for one in made.judgements:
            assert header.judge is not None
            if one.model != header.judge.model:
                raise ValueError(f"a judgement of {one.model} in a log whose judge is {header.judge.model}")
            judgements.append(_with_current_keys(one, header.judge))
        found.append(_with_current_keys(made, header.model).model_copy(update={"judgements": tuple(judgements)}))
    return found


def _with_current_keys(made: Made, recipient: Recipient) -> Made:
    address = recipient.address()
    for said in made.steps:
        if _digests(said) != _shown(said.transcript):
            raise ValueError(f"{_where(made, said)}: the pictures are not those that were shown")
    steps = [said.model_copy(update={"key": _current_key(made, said, address)}) for said in made.steps]
    return made.model_copy(update={"steps": tuple(steps)})


def _current_key(made: Made, said: Said, address: Address) -> str:
    for question in ("", made.attempt().question):  # models that answer by the question have it in the key
        now = request_key(address, said.transcript, made.trial, said.step, lookup_id_of(question, address))
        if said.key in (now, legacy_request_key(address, said.transcript, made.trial, said.step, question)):
            return now
    raise ValueError(f"{_where(made, said)}: the key is not that of what was asked")


def _digests(said: Said) -> list[str]:
    try:
        return [shown.visual().digest for shown in said.pictures]
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        raise ValueError(f"a picture that cannot be made out ({type(error).__name__}: {error})") from None


def _shown(text: str) -> list[str]:
    """The digests of the pictures in a transcript."""
    parts = [part for _, parts in _TRANSCRIPT.validate_json(text) for part in parts]
    return [digest for part in parts if isinstance(part, dict) for digest in part.values()]


def _where(made: Made, said: Said | None = None) -> str:
    step = f", step {'.'.join(map(str, said.step))}" if said is not None else ""
    return f"item {made.question.item!r}{step}"


def check_verdicts(header: Header, run: Run, samples: Sequence[Made], data: str | None) -> str:
    """Whether the plan is that of the dataset, and the asks and verdicts are what the replies make them, where today's
    parsers read them; raises `ValueError` where they are not. Gives why that cannot be told, which is empty where it
    was. `data` is where the dataset lies, if not where it was."""
    try:
        job = _job_of(header, data)
        if job.described["digest"] != header.dataset.get("digest"):
            return f"the dataset {data or header.arguments.get('data') or 'of the demo'} is another now"
        if different := _different(job, header):
            return f"this Affordance has another setting of {different}"
        cast, model = _cast(job, header)
        (task,) = job.settings.tasks
        if cast.address(model, task) != header.model.address():
            raise ValueError(f"{header.model.model} was asked otherwise than the settings say")
        planned = {one.attempt.id: one for one in cast.planned(run, model)}
    except UserError as error:
        return str(error)
    told = [(Told.of(one.question), one.attempt.strategy, one.attempt.trial) for one in planned.values()]
    if told != header.attempts():
        raise ValueError("the plan is not that of these settings on this dataset")
    judge = None if header.judge is None else header.judge.address()
    comparable = [made for made in samples if made.is_of_parser(PARSER_VERSION)]
    asyncio.run(_check_all([(made, planned[made.attempt().id]) for made in comparable], judge))
    return ""


def _job_of(header: Header, data: str | None) -> Job:
    if header.task not in TASKS:
        raise UserError(f"there is no task {header.task!r} here")
    arguments = in_order({**header.arguments, **({} if data is None else {"data": data})})
    parameters = header.settings.get("parameters")
    sampled = parameters.get(header.task) if isinstance(parameters, dict) else None
    judge = None if header.judge is None else header.judge.model
    job = asked_with(job_of(header.task, arguments), judge, sampled if isinstance(sampled, dict) else {})
    if not _different(job, header):
        return job
    earlier = by_rules_of_version_1(job)
    return job if _different(earlier, header) else earlier


def _different(job: Job, header: Header) -> str:
    """The first setting that is not the same."""
    ours = plain(job.record)
    return next((key for key in {**ours, **header.settings} if ours.get(key) != header.settings.get(key)), "")


@dataclass(frozen=True, slots=True)
class _Absent:
    """A model as a log tells of it, which is not asked."""

    name: str
    base_url: str
    dialect: str
    parameters: Mapping[str, Json]
    by_question: bool = False

    def sent(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return dict(self.parameters)

    async def reply(self, ask: Ask) -> Reply:
        raise AssertionError("it is not there")

    async def close(self) -> None:
        return


def _cast(job: Job, header: Header) -> tuple[Cast, Model]:
    everybody = [one for one in (header.judge, header.model) if one is not None]  # one that is both is asked as a model
    built = {one.model: _Absent(one.model, one.base_url, one.dialect, one.parameters) for one in everybody}
    means = Means(built=built, calibrated=lambda _: header.model.dialect)
    gallery = RenderedGallery(Darkroom(cache_folder() / "pictures", job.files()))
    return Cast(job, [ModelName.parse(header.model.model)], gallery, means), built[header.model.model]


async def _check_all(samples: Sequence[tuple[Made, Planned]], judge: Address | None) -> None:
    for made, planned in samples:
        if (answer := await _answered(made, planned)) is None:
            continue
        ended, first = read_answer(planned, answer)
        if planned.judging is not None and ended.ended is Ended.ANSWERED:
            if made.verdict is None:
                continue
            verdicts = await _judged(made, planned, planned.judging, answer.last, judge)
            judged = concluded(planned.question, planned.judging, answer.last, verdicts)
            ended, first = once_judged((ended, first), judged)
        _check_verdict(made, ended, first)


async def _answered(made: Made, planned: Planned) -> Answer | None:
    """The answer that the replies make; None where some are missing."""
    if made.question != Told.of(planned.question):
        raise ValueError(f"{_where(made)}: the question is another one in the dataset")
    known = {said.step: said.transcript for said in made.steps}
    recalled = remembered(made)

    async def reply(planned: Planned, ask: Ask) -> Reply:
        found = await recalled(planned, ask)
        if known.pop(ask.step) != transcript(ask):
            raise ValueError(f"{_where(made)}: what was asked is not what is asked about it")
        return found

    try:
        answer = await drive(planned, reply)
    except Unfinished:
        if made.verdict is not None:
            raise ValueError(f"{_where(made)}: a verdict before everything was asked") from None
        return None
    if known:
        raise ValueError(f"{_where(made)}: a reply to what is not asked about it")
    return answer


async def _judged(made: Made, planned: Planned, judging: Judging, reply: Reply, judge: Address | None) -> list[Verdict]:
    assert judge is not None, "the cast has one where there is judging"
    judgements = {one.attempt().id: one for one in made.judgements}
    verdicts = []
    for question in judging.questions(planned.question, reply):
        asked = judgement(planned, judging, question, judge)
        one = judgements.pop(asked.attempt.id, None)
        answer = None if one is None else await _answered(one, asked)
        if one is None or answer is None:
            raise ValueError(f"{_where(made)}: a verdict without all judgements")
        ended, first = read_answer(asked, answer)
        _check_verdict(one, ended, first)
        verdicts.append(ended)
    if judgements:
        raise ValueError(f"{_where(made)}: a judgement of what is not judged")
    return verdicts


def _check_verdict(made: Made, ended: Verdict, first: Verdict) -> None:
    if made.verdict is None:
        return
    if made.verdict != Ruling.of(ended):
        was, now = (f"{one.ended} with the score {one.score}" for one in (made.verdict, ended))
        raise ValueError(f"{_where(made)}: the verdict is {was}, and the replies make it {now}")
    if ended.ended is not Ended.FAILED and (made.first or made.verdict) != Ruling.of(first):
        raise ValueError(f"{_where(made)}: the verdict on the first try is not what the reply makes it")
