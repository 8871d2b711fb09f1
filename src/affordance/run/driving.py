"""How an attempt is made: a strategy asks, is answered and asks on, and what cannot be read is asked again. Who replies
is the caller's to say: the runner, or a tool that runs our tasks by itself."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from affordance.core.ask import Address, Ask, Reply, Step
from affordance.core.attempt import Attempt, Ended, Prompts, Strategy, Verdict
from affordance.core.errors import UserError
from affordance.core.grammar import Grammar
from affordance.core.question import Question
from affordance.run.together import together
from affordance.suites.task import JUDGEMENT, Judging

MOST_ROUNDS = 1000  # a strategy that goes on longer is not going to end


@dataclass(frozen=True, slots=True)
class Planned:
    """An attempt to be made, with all that it needs."""

    attempt: Attempt
    question: Question
    strategy: Strategy
    prompts: Prompts
    read: Callable[[Question, Reply], Verdict]
    address: Address
    reasks: int = 0
    judging: Judging | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply and the ask that it answers: the last one, and the first where it was asked again."""

    ask: Ask
    last: Reply
    first: Reply


Replying = Callable[[Planned, Ask], Awaitable[Reply]]


async def drive(planned: Planned, reply: Replying) -> Answer:
    """Run a strategy to its end. An ask that failed ends the attempt."""
    steps = planned.strategy(planned.question, planned.prompts)
    asks = next(steps)
    heard: list[Answer] = []
    for number in range(MOST_ROUNDS):
        answers = await _round(planned, reply, asks, number)
        heard += answers
        for answer in answers:
            if answer.last.failed:
                steps.close()
                return answer
        try:
            asks = steps.send([answer.last for answer in answers])
        except StopIteration as stop:
            for answer in reversed(heard):
                if answer.last is stop.value:
                    return answer
            raise UserError(
                f"strategy {planned.attempt.strategy!r}: expected one of the replies that it was sent, found another "
                "object; return the reply that answers the question as it is"
            ) from None
    raise AssertionError(f"strategy {planned.attempt.strategy!r} did not end within {MOST_ROUNDS} rounds")


def answer_format(planned: Planned, ask: Ask) -> Grammar:
    """The form in which a reply to this ask is read: that of the ask, where it is of the question's kind."""
    own = planned.question.grammar
    return ask.grammar if type(ask.grammar) is type(own) else own


def reasks_of(planned: Planned, ask: Ask) -> int:
    """How often an ask is asked again, at most: where it only leads to the answer, never."""
    return planned.reasks if type(ask.grammar) is type(planned.question.grammar) else 0


def is_parsed(planned: Planned, ask: Ask, reply: Reply) -> bool:
    return _read(planned, ask, reply).ended is not Ended.UNPARSED


def read_answer(planned: Planned, answer: Answer) -> tuple[Verdict, Verdict]:
    """How an attempt ended, and how it would have without asking again."""
    verdict = _read(planned, answer.ask, answer.last)
    return verdict, verdict if answer.first is answer.last else _read(planned, answer.ask, answer.first)


def has_answer(planned: Planned, ask: Ask, reply: Reply) -> bool:
    """Whether there is an answer in a reply; none is read in what a strategy asks on the way to one."""
    own_kind = type(ask.grammar) is type(planned.question.grammar)
    return not own_kind or _read(planned, ask, reply).ended is Ended.ANSWERED


def _read(planned: Planned, ask: Ask, reply: Reply) -> Verdict:
    found = answer_format(planned, ask)
    question = planned.question if found == planned.question.grammar else replace(planned.question, grammar=found)
    return planned.read(question, reply)


def once_judged(read: tuple[Verdict, Verdict], judged: Verdict) -> tuple[Verdict, Verdict]:
    """The same of an answer that was judged. A first reply that could not be read had nothing to judge."""
    verdict, first = read
    return judged, judged if first is verdict else first


def judgement(subject: Planned, judging: Judging, question: Question, address: Address) -> Planned:
    """A judgement is an attempt like any other, with the judged one as its subject."""
    judge = Attempt(subject.attempt.run, question.id, address.model, "judge", subject.attempt.trial, subject.attempt.id)
    return Planned(judge, question, judging.strategy, subject.prompts, judging.read, address)


def concluded(question: Question, judging: Judging, reply: Reply, verdicts: Sequence[Verdict]) -> Verdict:
    """How a judged attempt ended. Where a judgement is missing, or one that the score is about cannot be read, the
    judge failed and not the model: the attempt is not scored."""
    for verdict in verdicts:
        if verdict.ended in (Ended.FAILED, Ended.SKIPPED):
            return Verdict(Ended.FAILED, reason=f"the judge gave no judgement: {verdict.reason}")
    for verdict in _unread_scores(question, judging, reply, verdicts):
        return Verdict(Ended.FAILED, reason=f"the judgement cannot be read: {verdict.reason}")
    return judging.conclude(question, reply, verdicts)


def _unread_scores(question: Question, judging: Judging, reply: Reply, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Of judgements that the score is about: those without an answer."""
    if all(verdict.ended is Ended.ANSWERED for verdict in verdicts):
        return []
    kinds = [one.tags.get(JUDGEMENT, "") for one in judging.questions(question, reply)]
    scored = judging.scored_kind(kinds)
    return [
        verdict
        for kind, verdict in zip(kinds, verdicts, strict=True)
        if scored in (None, kind) and verdict.ended is not Ended.ANSWERED
    ]


async def _round(planned: Planned, reply: Replying, asks: Sequence[Ask], number: int) -> list[Answer]:
    if len(asks) == 1:
        return [await _ask(planned, reply, asks[0], number, 0)]
    return await together(_ask(planned, reply, ask, number, place) for place, ask in enumerate(asks))


async def _ask(planned: Planned, reply: Replying, ask: Ask, number: int, place: int) -> Answer:
    """Ask, and ask again while the reply to an ask of the question's own kind cannot be read."""
    first: Reply | None = None
    for retry in range(planned.reasks + 1):
        asked = addressed(planned, ask, (number, place, retry))
        said = await reply(planned, asked)
        first = first or said
        if said.failed or retry == reasks_of(planned, ask) or is_parsed(planned, ask, said):
            break
    return Answer(asked, said, first or said)


def addressed(planned: Planned, ask: Ask, step: Step) -> Ask:
    """What a strategy asks, with how and when it is asked."""
    parameters, trial = planned.address.parameters, planned.attempt.trial
    return Ask(ask.question, ask.messages, ask.grammar, ask.fields, parameters, trial, step)
