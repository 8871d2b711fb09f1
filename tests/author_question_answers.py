"""What a model says that keeps to what `ask` asks for: a function of the request alone. Some first wordings leak or fit
several, some options are uneven or left out, as with real models; told of it, it does better."""

import json
import re
from typing import Any

from affordance.core.digest import digest_text

_FORM = re.compile(r"```json\n(.*)\n```\s*\Z", re.DOTALL)
_TARGET = re.compile(r"^Target:\n- (?:Elem|Region) \S+ - bbox: \[(\d+), (\d+), [^\]]*\](.*)$", re.MULTILINE)
_OWN = re.compile(r"alt-text: (.*?)(?:, (?:description|functionality|interaction outcomes): |$)")
_CANDIDATE = re.compile(r"^(\d+) \([a-z ]+ outline\) - bbox: \[(\d+), (\d+),", re.MULTILINE)
_PLACE = re.compile(r"(\d+) thousandths across and (\d+) down")
_OPTION = re.compile(r"^([A-Z])\) (.*)$", re.MULTILINE)
_TOLD = "could not be used"
_VAGUE = "one of several"


def answer(text: str, images: list[bytes]) -> str | None:
    """The reply; None where the request is not one of this stage's."""
    if text.startswith("You write test questions about graphical user interfaces."):
        return _words(text)
    if text.startswith("You check test questions about graphical user interfaces."):
        return _fitting(text)
    if text.startswith("You edit the options of a multiple-choice question"):
        return _options(text)
    if text.startswith("You check a multiple-choice question"):
        return _right(text)
    return None


def _words(text: str) -> str:
    form, target = _FORM.search(text), _TARGET.search(text)
    assert form is not None
    assert target is not None
    own = _OWN.search(target[3])
    number = int(digest_text(target[0])[:8], 16)
    place = f"{target[1]} thousandths across and {target[2]} down"
    # A number for the goal, so that no two targets share one.
    good = f"helps with goal {number % 100_000}, as seen {place}"
    said = good
    if _TOLD not in text:
        leak = f"says “{own[1]}”" if own is not None else "is in the red rectangle"
        said = (leak, f"is {_VAGUE} like it", good)[number % 3]
    return f"Here is the JSON:\n```json\n{json.dumps(_filled(json.loads(form[1]), said), indent=1)}\n```"


def _filled(form: dict[str, Any], said: str) -> dict[str, Any]:
    opening = {"question": "Which part of the screen", "action_intent": "Go to what", "description": "The part that"}
    return {
        key: _filled(value, said) if isinstance(value, dict) else f"{opening[key]} {said}." if key in opening else value
        for key, value in form.items()
    }


def _fitting(text: str) -> str:
    candidates = [(int(number), x, y) for number, x, y in _CANDIDATE.findall(text)]
    place = _PLACE.search(text.split("\n\n")[2])
    if place is None:
        return json.dumps({"matching": [number for number, _, _ in candidates]})
    return json.dumps({"matching": [number for number, x, y in candidates if (x, y) == place.groups()]})


def _options(text: str) -> str:
    options = _OPTION.findall(text.split("Rewrite every option")[0])
    number = int(digest_text(text)[:8], 16)
    said = {letter: f"It does thing {_token(one)} for the person at the screen." for letter, one in options}
    if _TOLD in text:
        return json.dumps({"options": said})
    match number % 4:
        case 0:  # a pair that says the same
            said[options[1][0]] = said[options[0][0]]
        case 1:
            del said[options[-1][0]]
        case 2:
            return f'{{"options": {json.dumps(said)[:-1]}, // all of them\n}}}}'
    return json.dumps({"options": said})


def _right(text: str) -> str:
    truth = re.search(r"^Known to be true of it: (.*)$", text, re.MULTILINE)
    assert truth is not None
    letters = [letter for letter, one in _OPTION.findall(text) if _token(truth[1]) in one]
    return ",".join(letters)


def _token(text: str) -> str:
    return digest_text(text)[:6]
