"""How two designs are judged: in one go, with a plan, by refining, by debate. Pure generators over responses.

Both images go with every ask. Self-refinement starts from the very ask of `cocot`, and both debates share their
rounds, so what one of them has asked already the other does not ask again.
"""

from collections.abc import Generator, Mapping

from affordance.core.answer_text import strip_thinking
from affordance.core.attempts import PromptTexts, RequestGenerator
from affordance.core.digest import seeded_random
from affordance.core.prompts import fill
from affordance.core.question import AnswerFormat, FreeText, PairChoice, Question
from affordance.core.requests import Message, Request, Response

DEBATE_ROUNDS = 3
_LABELS = ("Amber", "Birch", "Cedar", "Delta", "Ember", "Fjord")
_TextGenerator = Generator[list[Request], list[Response], str]


def _build_request(
    question: Question, prompts: PromptTexts, name: str, answer_format: AnswerFormat, **fields: str
) -> Request:
    filled: Mapping[str, str] = {**question.prompt_fields, **fields}
    text = fill(prompts[name], filled)
    return Request(question.id, (Message("user", (text, *question.media)),), answer_format, filled)


def _request_text(question: Question, prompts: PromptTexts, name: str, **fields: str) -> _TextGenerator:
    """One step on the way: any words will do. Thinking is not passed on."""
    (response,) = yield [_build_request(question, prompts, name, FreeText(), **fields)]
    return strip_thinking(response.text)


def single_prompt(prompt: str, question: Question, prompts: PromptTexts) -> RequestGenerator:
    (response,) = yield [_build_request(question, prompts, prompt, question.answer_format)]
    return response


def self_refine(question: Question, prompts: PromptTexts) -> RequestGenerator:
    draft = yield from single_prompt("cocot", question, prompts)
    previous = strip_thinking(draft.text)
    feedback = yield from _request_text(question, prompts, "review", previous_answer=previous)
    (response,) = yield [
        _build_request(
            question, prompts, "improve", question.answer_format, previous_answer=previous, feedback=feedback
        )
    ]
    return response


def debate(rounds: int, question: Question, prompts: PromptTexts) -> RequestGenerator:
    """Each side sees the other's last words only; the moderator sees those of the last round."""
    arguments = {"first": "", "second": ""}
    for _ in range(rounds):
        for side, other in (("first", "second"), ("second", "first")):
            arguments[side] = yield from _request_text(
                question, prompts, "debater", side=side, opponent=arguments[other]
            )
    (verdict,) = yield [
        _build_request(
            question,
            prompts,
            "moderator",
            question.answer_format,
            round=str(rounds),
            first_argument=arguments["first"],
            second_argument=arguments["second"],
        )
    ]
    return verdict


def ask_with_neutral_labels(question: Question, prompts: PromptTexts) -> RequestGenerator:
    """A control: the versions have names without an order, which separates position bias from a bias for the word
    First."""
    answer_format = neutral_labels(question.id)
    first, second = answer_format.first, answer_format.second
    fields = {"first_label": first, "second_label": second, "labels": f"{min(first, second)}/{max(first, second)}"}
    (response,) = yield [_build_request(question, prompts, "relabelled", answer_format, **fields)]
    return response


def neutral_labels(question: str) -> PairChoice:
    """The names of the versions in `relabelled`, by the question's id."""
    first, second = seeded_random("labels", question).sample(_LABELS, 2)
    return PairChoice(first, second)
