"""From reply to verdict: every way a reply can end, with and without an answer in it."""

import pytest

from affordance.core.ask import Finish, Reply
from affordance.core.attempt import Ended, Verdict
from affordance.core.grammar import Choice, Option
from affordance.suites.choice import read_choice
from affordance.suites.verdicts import NO_ANSWER, conclude

OPTIONS = Choice((Option("A", "move", "Move (it moves)"), Option("B", "fade", "Fade (it fades)")))


def read(text: str) -> Verdict | str:
    option = read_choice(text, OPTIONS)
    return Verdict(Ended.ANSWERED, option.name, 1.0) if option else NO_ANSWER


ENDINGS = {
    "stopped, answer": (Finish.STOP, "B\nIt fades.", Ended.ANSWERED),
    "stopped, prose": (Finish.STOP, "A thing fades.", Ended.UNPARSED),
    "stopped, empty": (Finish.STOP, "", Ended.UNPARSED),
    "stopped, white space": (Finish.STOP, " \n ", Ended.UNPARSED),
    "stopped, thinking only": (Finish.STOP, "<think>B", Ended.UNPARSED),
    "stopped, refusal in words": (Finish.STOP, "I cannot help with that.", Ended.REFUSED),
    "cut, whole first line": (Finish.LENGTH, "B\nIt fa", Ended.ANSWERED),
    "cut, in the first line": (Finish.LENGTH, "B", Ended.TRUNCATED),
    "cut, in a name": (Finish.LENGTH, "B. Fa", Ended.TRUNCATED),
    "cut, stated before": (Finish.LENGTH, "It fades.\nAnswer: B\nBecause", Ended.ANSWERED),
    "cut, stated in the line that was cut": (Finish.LENGTH, "It fades.\nAnswer: B", Ended.TRUNCATED),
    "cut, no answer yet": (Finish.LENGTH, "Let me look.\nA thing", Ended.TRUNCATED),
    "cut, in thinking": (Finish.LENGTH, "<think>\nB\nB\nIt is", Ended.TRUNCATED),
    "cut, empty": (Finish.LENGTH, "", Ended.TRUNCATED),
    "cut, sorry": (Finish.LENGTH, "I'm sorry, but I", Ended.TRUNCATED),
    "refused": (Finish.REFUSAL, "I can't.", Ended.REFUSED),
    "refused, although there is an answer": (Finish.REFUSAL, "B\nIt fades.", Ended.REFUSED),
    "refused without a word": (Finish.REFUSAL, "", Ended.REFUSED),
    "failed": (Finish.ERROR, "", Ended.FAILED),
    "failed, although there is an answer": (Finish.ERROR, "B", Ended.FAILED),
    "unable": (Finish.UNABLE, "", Ended.SKIPPED),
    "unable, although there is an answer": (Finish.UNABLE, "B", Ended.SKIPPED),
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
def test_endings(finish: Finish, text: str, ended: Ended) -> None:
    verdict = conclude(Reply(text, finish=finish, error="it broke"), read)
    assert verdict.ended is ended
    assert (verdict.answer, verdict.score) == (("fade", 1.0) if ended is Ended.ANSWERED else (None, None))
    assert bool(verdict.reason) == (ended is not Ended.ANSWERED)


def test_every_finish_is_in_the_table() -> None:
    assert {finish for finish, _, _ in ENDINGS.values()} == set(Finish)


@pytest.mark.parametrize("text", [*DECLINES, *OTHER_LANGUAGES])
def test_words_that_decline(text: str) -> None:
    verdict = conclude(Reply(text), read)
    assert verdict.ended is Ended.REFUSED
    assert verdict.reason in text
    assert "\n" not in verdict.reason


@pytest.mark.parametrize("text", NO_REFUSALS)
def test_words_that_do_not_decline(text: str) -> None:
    assert conclude(Reply(text), read).ended is Ended.UNPARSED


@pytest.mark.parametrize("text", STILL_ANSWERS)
def test_an_answer_is_an_answer_however_polite(text: str) -> None:
    assert conclude(Reply(text), read) == Verdict(Ended.ANSWERED, "fade", 1.0)


def test_an_answer_is_never_read_out_of_reasoning() -> None:
    assert conclude(Reply("", reasoning="B\nIt fades."), read).ended is Ended.UNPARSED


@pytest.mark.parametrize(("finish", "ended"), [(Finish.ERROR, Ended.FAILED), (Finish.UNABLE, Ended.SKIPPED)])
def test_the_reason_of_a_failure_is_the_error(finish: Finish, ended: Ended) -> None:
    assert conclude(Reply(finish=finish, error="status 500: boom"), read) == Verdict(ended, reason="status 500: boom")


def test_a_long_refusal_is_repeated_in_part() -> None:
    assert len(conclude(Reply("I can't help " + "ever " * 1000), read).reason) <= 200
