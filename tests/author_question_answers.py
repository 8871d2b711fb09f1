"""What a model says that keeps to what `ask` asks for: a function of the request alone. Some first wordings leak or fit
several, some options are uneven or left out, as with real models; with remarks on that, it does better."""

import json
import re
from collections.abc import Callable
from typing import Any

from affordance.core.digest import digest_text
from author_prompts import fields_of

_TARGET = re.compile(r"^- \w+ \S+ - bbox: \[(\d+), (\d+), [^\]]*\](.*)$", re.MULTILINE)
_OWN = re.compile(r"alt-text: (.*?)(?:, (?:description|functionality|interaction outcomes): |$)")
_CANDIDATE = re.compile(r"^(\d+) \([^)]*\) - bbox: \[(\d+), (\d+),", re.MULTILINE)
_PLACE = re.compile(r"(\d+) thousandths across and (\d+) down")
_OPTION = re.compile(r"^([A-Z])\) (.*)$", re.MULTILINE)
_VAGUE = "one of several"


def answer(text: str, images: list[bytes]) -> str | None:
    """The reply; None where the request is not one of this stage's."""
    for name, reply in _REPLIES.items():
        if (fields := fields_of(text, "ask", name)) is not None:
            return reply(fields)
    return None


def _words(fields: dict[str, str]) -> str:
    target = _TARGET.search(fields["target"])
    assert target is not None
    own = _OWN.search(target[3])
    number = int(digest_text(target[0])[:8], 16)
    place = f"{target[1]} thousandths across and {target[2]} down"
    # A number for the goal, so that no two targets share one.
    good = f"helps with goal {number % 100_000}, as seen {place}"
    said = good
    if not fields["remarks"].strip():
        leak = f"says “{own[1]}”" if own is not None else "is in the red rectangle"
        said = (leak, f"is {_VAGUE} like it", good)[number % 3]
    return f"Here is the JSON:\n```json\n{json.dumps(_filled(json.loads(fields['form']), said), indent=1)}\n```"


def _filled(form: dict[str, Any], said: str) -> dict[str, Any]:
    opening = {"question": "Which part of the screen", "action_intent": "Go to what", "description": "The part that"}
    return {
        key: _filled(value, said) if isinstance(value, dict) else f"{opening[key]} {said}." if key in opening else value
        for key, value in form.items()
    }


def _fitting(fields: dict[str, str]) -> str:
    candidates = [(int(number), x, y) for number, x, y in _CANDIDATE.findall(fields["candidates"])]
    place = _PLACE.search(fields["text"])
    if place is None:
        return json.dumps({"matching": [number for number, _, _ in candidates]})
    return json.dumps({"matching": [number for number, x, y in candidates if (x, y) == place.groups()]})


def _options(fields: dict[str, str]) -> str:
    options = _OPTION.findall(fields["options"])
    number = int(digest_text(json.dumps(fields))[:8], 16)
    said = {letter: f"It does thing {_token(one)} for the person at the screen." for letter, one in options}
    if fields["remarks"].strip():
        return json.dumps({"options": said})
    match number % 4:
        case 0:  # a pair that says the same
            said[options[1][0]] = said[options[0][0]]
        case 1:
            del said[options[-1][0]]
        case 2:
            return f'{{"options": {json.dumps(said)[:-1]}, // all of them\n}}}}'
    return json.dumps({"options": said})


def _right(fields: dict[str, str]) -> str:
    letters = [letter for letter, one in _OPTION.findall(fields["options"]) if _token(fields["truth"]) in one]
    return ",".join(letters)


def _token(text: str) -> str:
    return digest_text(text)[:6]


_REPLIES: dict[str, Callable[[dict[str, str]], str]] = {
    "ground-element": _words,
    "ground-region": _words,
    "unique": _fitting,
    "options": _options,
    "options-right": _right,
}
