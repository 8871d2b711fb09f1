"""Thinking that a model left in its reply: it is not what the model says."""

import re

_TAG = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


def without_thinking(text: str) -> str:
    """What a reply says. Where thinking is never closed, nothing after its beginning was said; where it is closed
    without having been opened, as some chat templates open it in the prompt, nothing before."""
    if "<" not in text:
        return text
    said: list[str] = []
    inside, start = False, 0
    for tag in _TAG.finditer(text):
        if tag[1] and not inside:
            said.clear()
        elif not tag[1] and not inside:
            said.append(text[start : tag.start()])
        inside, start = not tag[1], tag.end()
    return "\n".join(said if inside else [*said, text[start:]])
