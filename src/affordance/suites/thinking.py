"""Thinking that a model left in its reply: it is not what the model says."""

import re

_TAGS = r"(think|thinking|thought|reasoning)"
_CLOSED = re.compile(rf"<{_TAGS}>.*?</\1>", re.DOTALL | re.IGNORECASE)
_UNOPENED = re.compile(rf"^.*</{_TAGS}>", re.DOTALL | re.IGNORECASE)  # some chat templates open it in the prompt
_UNCLOSED = re.compile(rf"<{_TAGS}>.*", re.DOTALL | re.IGNORECASE)


def without_thinking(text: str) -> str:
    """What a reply says. Where thinking was never closed, nothing after its beginning was said."""
    for pattern in (_CLOSED, _UNOPENED, _UNCLOSED):
        text = pattern.sub("\n", text)
    return text
