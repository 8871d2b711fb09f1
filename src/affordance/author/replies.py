"""JSON out of what a model says. Thinking, fences and words around it are left out; what is certain is put right and
reported (`core.json_repair` lists it). Nothing is guessed beyond that, and nothing is evaluated."""

import re
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from affordance.core.answer_text import strip_thinking
from affordance.core.json_repair import BrokenJson, JsonRepairer
from affordance.core.json_text import parse_json

T = TypeVar("T")

LONGEST = 200_000  # characters of a reply
MOST = 2_000  # places in it where a value might begin

_OPENING = re.compile(r"[\[{]")
_FENCE = re.compile(r"(?:```|~~~)[ \t]*\w*\s*\Z")


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """A value, and what had to be put right to read it, a line each. One that is `cut` lacks the items that the reply
    did not get to."""

    value: T
    repairs: tuple[str, ...] = ()
    cut: bool = False


def read_list(text: str) -> Found[list[Any]] | str:
    """The JSON list of a reply, or in one line why there is none. `[]` is one. Objects without a list around them, and
    a list that is all that an object holds, are taken as the list."""
    values = _values(text)
    if isinstance(values, str):
        return values
    best = _best(values)
    if isinstance(best.value, list):
        return best.found()
    if len(best.value) == 1 and isinstance(inner := next(iter(best.value.values())), list):
        return best.found(inner, "the list was inside an object")
    objects = [one for one in values if isinstance(one.value, dict) and one.fenced == best.fenced]
    repairs = tuple(dict.fromkeys(repair for one in objects for repair in one.repairs))
    cut = any(one.cut for one in objects)
    return Found([one.value for one in objects], (*repairs, "there was no list around the objects"), cut)


def read_object(text: str) -> Found[dict[str, Any]] | str:
    """The JSON object of a reply, or in one line why there is none. A list of one object is taken as the object."""
    values = _values(text)
    if isinstance(values, str):
        return values
    best = _best(values)
    if isinstance(best.value, dict):
        return best.found()
    if len(best.value) == 1 and isinstance(best.value[0], dict):
        return best.found(best.value[0], "the object was inside a list")
    if objects := [one for one in values if isinstance(one.value, dict)]:
        return _best(objects).found()
    return f"expected a JSON object, found a list of {len(best.value)}"


@dataclass(frozen=True, slots=True)
class _Value:
    value: Any  # a list or an object
    length: int  # of its text
    fenced: bool = False
    repairs: tuple[str, ...] = ()
    cut: bool = False

    def found(self, value: Any = None, *also: str) -> Found[Any]:
        return Found(self.value if value is None else value, (*self.repairs, *also), self.cut)


def _best(values: list[_Value]) -> _Value:
    """The last one in a fence, where a model may have written drafts before; else the longest, for words around the
    answer may have brackets too."""
    if fenced := [one for one in values if one.fenced]:
        return fenced[-1]
    return max(values, key=lambda one: one.length)


def _values(text: str) -> list[_Value] | str:
    """All lists and objects that a reply says, or why there are none."""
    said = strip_thinking(text).strip()
    if not said:
        return "expected JSON, found an empty reply" if not text.strip() else "expected JSON, found only thinking"
    if len(said) > LONGEST:
        return f"expected a reply of at most {LONGEST:,} characters, found {len(said):,}"
    try:
        whole = parse_json(said.encode("utf-8", "surrogatepass"))
    except ValueError:
        return _among(said)
    return [_Value(whole, len(said))] if isinstance(whole, list | dict) else _none(said)


def _among(said: str) -> list[_Value] | str:
    values: list[_Value] = []
    broken, at, tries = "", 0, 0
    while (opening := _OPENING.search(said, at)) is not None:
        tries += 1
        if tries > MOST:
            return f"expected JSON, found more than {MOST:,} brackets without an end"
        fenced = _FENCE.search(said, max(0, opening.start() - 40), opening.start()) is not None
        scan = JsonRepairer(said, opening.start())
        try:
            scan.run()
            value = parse_json("".join(scan.output).encode("utf-8", "surrogatepass"))
        except BrokenJson as error:
            at = max(error.position, opening.end())
            # What has names is meant as JSON: what comes later may be a part of it, and no answer.
            broken = broken or (str(error) if scan.has_keys or fenced else "")
            continue
        except ValueError as error:
            return str(error)
        at = scan.position
        if fenced or not broken:
            values.append(_Value(value, at - opening.start(), fenced, tuple(scan.repairs), scan.is_truncated))
    if values and broken and isinstance(values[-1].value, dict):
        values[-1] = replace(values[-1], cut=True)  # of objects without a list one is lost
    return values or broken or _none(said)


def _none(said: str) -> str:
    return f"expected JSON, found none in {' '.join(said[:80].split())!r}"
