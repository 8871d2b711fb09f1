"""Requests of a stage, recognised by the prompt that they were made from, whatever it says."""

import re
from functools import cache

from affordance.author.stages import prompts_of
from affordance.core.prompts import PLACEHOLDER


def fields_of(text: str, stage: str, name: str) -> dict[str, str] | None:
    """What stands in the place of the prompt's placeholders; None where this is no request made from it."""
    found = _pattern(stage, name).search(text)
    return found.groupdict() if found is not None else None


@cache
def _pattern(stage: str, name: str) -> re.Pattern[str]:
    prompt = prompts_of(stage).texts[name]
    pattern, end, seen = "", 0, set[str]()
    for place in PLACEHOLDER.finditer(prompt):
        field = place[1]
        pattern += re.escape(prompt[end : place.start()])
        pattern += f"(?P={field})" if field in seen else f"(?P<{field}>.*?)"
        seen.add(field)
        end = place.end()
    pattern += re.escape(prompt[end:]) or r"\Z"
    return re.compile(pattern, re.DOTALL)
