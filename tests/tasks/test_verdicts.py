"""From reply to verdict: every way a reply can end, with and without an answer in it."""

import pytest

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.question import AnswerOption, SingleChoice
from affordance.core.requests import FinishReason, Response
from affordance.tasks.answers import NOT_PARSED
from affordance.tasks.choice_answers import parse_single_choice
from affordance.tasks.scoring import verdict_of_text

OPTIONS = SingleChoice((AnswerOption("A", "move", "Move (it moves)"), AnswerOption("B", "fade", "Fade (it fades)")))


def read(text: str) -> Verdict | str:
    option = parse_single_choice(text, OPTIONS)
    return Verdict(AttemptStatus.ANSWERED, option.name, 1.0) if option else NOT_PARSED


ENDINGS = {
    "stopped, answer": (FinishReason.STOP, "B\nIt fades.", AttemptStatus.ANSWERED),
    "stopped, prose": (FinishReason.STOP, "A thing fades.", AttemptStatus.UNPARSED),
    "stopped, empty": (FinishReason.STOP, "", AttemptStatus.UNPARSED),
    "stopped, white space": (FinishReason.STOP, " \n ", AttemptStatus.UNPARSED),
    "stopped, thinking only": (FinishReason.STOP, "<think>B", AttemptStatus.UNPARSED),
    "stopped, refusal in words": (FinishReason.STOP, "I cannot help with that.", AttemptStatus.REFUSED),
    "cut, whole first line": (FinishReason.LENGTH, "B\nIt fa", AttemptStatus.ANSWERED),
    "cut, in the first line": (FinishReason.LENGTH, "B", AttemptStatus.TRUNCATED),
    "cut, in a name": (FinishReason.LENGTH, "B. Fa", AttemptStatus.TRUNCATED),
    "cut, stated before": (FinishReason.LENGTH, "It fades.\nAnswer: B\nBecause", AttemptStatus.ANSWERED),
    "cut, stated in the line that was cut": (FinishReason.LENGTH, "It fades.\nAnswer: B", AttemptStatus.TRUNCATED),
    "cut, no answer yet": (FinishReason.LENGTH, "Let me look.\nA thing", AttemptStatus.TRUNCATED),
    "cut, in thinking": (FinishReason.LENGTH, "<think>\nB\nB\nIt is", AttemptStatus.TRUNCATED),
    "cut, empty": (FinishReason.LENGTH, "", AttemptStatus.TRUNCATED),
    "cut, sorry": (FinishReason.LENGTH, "I'm sorry, but I", AttemptStatus.TRUNCATED),
    "refused": (FinishReason.REFUSAL, "I can't.", AttemptStatus.REFUSED),
    "refused, although there is an answer": (FinishReason.REFUSAL, "B\nIt fades.", AttemptStatus.REFUSED),
    "refused without a word": (FinishReason.REFUSAL, "", AttemptStatus.REFUSED),
    "failed": (FinishReason.ERROR, "", AttemptStatus.FAILED),
    "failed, although there is an answer": (FinishReason.ERROR, "B", AttemptStatus.FAILED),
    "unable": (FinishReason.UNSUPPORTED, "", AttemptStatus.SKIPPED),
    "unable, although there is an answer": (FinishReason.UNSUPPORTED, "B", AttemptStatus.SKIPPED),
}

DECLINES = [
    "I'm sorry, but I can't assist with that.",
    "I’m sorry, but I can’t assist with that.",
    "Sorry, I can't help with identifying this.",
    "I am very sorry, this is not possible.",
    "I can't view the video.",
    "I can’t view the video.",
    "I cannot determine the animation.",
    "I can not do this.",
    "I'm unable to view images.",
    "I’m not able to process the frames.",
    "I am unable to help.",
    "I'm afraid I can't do that.",
    "I apologize, but no.",
    "My apologies, but I have to stop here.",
    "I won't answer this.",
    "I will not answer this.",
    "I must decline.",
    "I don’t feel comfortable answering.",
    "Unfortunately, I do not see any frames.",
    "**I'm sorry**, but no.",
    "<think>They want a letter. Not today.</think>\n\nI'm sorry, but I can't assist with that.",
]

OTHER_LANGUAGES = [
    "抱歉，我无法协助完成这个请求。",
    "Es tut mir leid, aber dabei kann ich nicht helfen.",
    "Lo siento, pero no puedo ayudar con eso.",
    "Je suis désolé, mais je ne peux pas vous aider.",
    "Thought: They want a password.\nI can't help with this request.",
    "<answer>I am not able to grade this.</answer>",
]

NO_REFUSALS = [
    "The square cannot be seen.",
    "It is sorry to look at.",
    "Sorrento is where it was filmed.",
    "A person says: I can't.",
    "I see a square that fades.",
    "I canter through the frames.",
    "Unfortunately the two look the same.",
    "Sorry, the frames are too small to tell them apart.",
    "I'm sorry, I can't see any difference.",
    "I can't locate the element; it must be further down.",
    'The page says "I cannot help with that."',
]

STILL_ANSWERS = [
    "B\nI'm sorry, but that is all I can say.",
    "Sorry for the confusion.\nAnswer: B",
    "I apologize for my earlier reply.\n\nB",
    "Unfortunately the frames are small.\nThe answer is B.",
]


@pytest.mark.parametrize(("finish", "text", "ended"), ENDINGS.values(), ids=ENDINGS.keys())
def test_endings(finish: FinishReason, text: str, ended: AttemptStatus) -> None:
    verdict = verdict_of_text(Response(text, finish=finish, error="it broke"), read)
    assert verdict.status is ended
    assert (verdict.answer, verdict.score) == (("fade", 1.0) if ended is AttemptStatus.ANSWERED else (None, None))
    assert bool(verdict.reason) == (ended is not AttemptStatus.ANSWERED)


def test_every_finish_is_in_the_table() -> None:
    assert {finish for finish, _, _ in ENDINGS.values()} == set(FinishReason)


@pytest.mark.parametrize("text", [*DECLINES, *OTHER_LANGUAGES])
def test_words_that_decline(text: str) -> None:
    verdict = verdict_of_text(Response(text), read)
    assert verdict.status is AttemptStatus.REFUSED
    assert verdict.reason in text
    assert "\n" not in verdict.reason


@pytest.mark.parametrize("text", NO_REFUSALS)
def test_words_that_do_not_decline(text: str) -> None:
    assert verdict_of_text(Response(text), read).status is AttemptStatus.UNPARSED


@pytest.mark.parametrize("text", STILL_ANSWERS)
def test_an_answer_is_an_answer_however_polite(text: str) -> None:
    assert verdict_of_text(Response(text), read) == Verdict(AttemptStatus.ANSWERED, "fade", 1.0)


def test_an_answer_is_never_read_out_of_reasoning() -> None:
    assert verdict_of_text(Response("", reasoning="B\nIt fades."), read).status is AttemptStatus.UNPARSED


@pytest.mark.parametrize(
    ("finish", "ended"), [(FinishReason.ERROR, AttemptStatus.FAILED), (FinishReason.UNSUPPORTED, AttemptStatus.SKIPPED)]
)
def test_the_reason_of_a_failure_is_the_error(finish: FinishReason, ended: AttemptStatus) -> None:
    assert verdict_of_text(Response(finish=finish, error="status 500: boom"), read) == Verdict(
        ended, reason="status 500: boom"
    )


def test_a_long_refusal_is_repeated_in_part() -> None:
    assert len(verdict_of_text(Response("I can't help " + "ever " * 1000), read).reason) <= 200
