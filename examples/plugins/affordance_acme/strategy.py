"""`--strategy look-twice`: the usual question, then the same again with the first answer and a request to check it."""

from dataclasses import replace

from affordance.plugins import AddedStrategy, Message, Prompts, Question, Steps, Strategy, fill

AGAIN = """

You have answered this before: {first_answer}

Look again. If your answer was right, repeat it; if not, put it right. Keep to the form that was asked for."""


def look_twice(question: Question, prompts: Prompts, usual: Strategy) -> Steps:
    """A generator: it yields asks and is sent their replies. `usual` asks as the task does, whatever the task."""
    steps = usual(question, prompts)
    (ask,) = next(steps)
    (first,) = yield [ask]
    said = fill(prompts["look-again"], {"first_answer": first.text.strip()})
    last = ask.messages[-1]
    again = Message(last.role, (*last.parts, said))
    (second,) = yield [replace(ask, messages=(*ask.messages[:-1], again))]
    return second if second.text.strip() else first


LOOK_TWICE = AddedStrategy(look_twice, prompts={"look-again": AGAIN})
