"""Parsing a response, for every answer format: its final text, candidates for the answer, and the rule that decides
among them.

1. The final text is the response without thinking. If it has an `<answer>` block with an answer inside, only that
   block is read.
2. Finders yield candidates of different strength.
3. The strongest class decides, and in it the last candidate. Different values on one line are ambiguous.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import Any, Generic, TypeVar

from affordance.core.json_repair import json_values

T = TypeVar("T")

PARSER_VERSION = 2  # stored with verdicts; raise it when any response may be read differently

_THINKING_TAG = re.compile(
    r"<(?P<angle>/?)[\w:.-]{0,40}?(?:think|thinking|thought|reasoning)>"
    r"|◁(?P<kimi>/?)think▷"
    r"|\[(?P<mistral>/?)THINK\]",
    re.IGNORECASE,
)
_CHANNEL = re.compile(r"<\|channel\|>\s*+(\w{0,40}+)[^<]{0,200}+<\|message\|>", re.IGNORECASE)
_END_OF_MESSAGE = re.compile(r"<\|(?:end|return|call|start|channel)\|>", re.IGNORECASE)
_NOT_LINE_BREAK = re.compile(r"[^\n]")
_FINAL_ANSWER = re.compile(  # other marks of a final answer
    r"\\boxed\{((?:[^{}\n]|\{[^{}\n]*+\})*+)\}|<\|begin_of_box\|>(.{0,2000}?)<\|end_of_box\|>"
    r"|\bfinished\(\s*+(?:content\s*+=\s*+)?(?:'(.{0,2000}?)'|\"(.{0,2000}?)\")\s*+\)",
    re.DOTALL,
)
_ANSWER_BLOCK = re.compile(r"<(/?)answer>", re.IGNORECASE)


class Strength(IntEnum):
    """How plainly a candidate is meant as the answer."""

    PROSE = 1  # inside a sentence
    LINE = 2  # opens a line or is a whole one
    MARKED = 3  # has a label, tag or key, or is a tool call
    OWN = 4  # the requested form


@dataclass(frozen=True, slots=True)
class Unparsed:
    """No answer, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class AnswerCandidate(Generic[T]):
    """What may be the answer. An `Unparsed` value was meant as one, but is ill-formed or ambiguous."""

    value: T | Unparsed
    start: int  # in the text that was searched
    strength: Strength


NO_CANDIDATE = Unparsed("no answer in the requested form")
AMBIGUOUS = Unparsed("different answers, none of them marked as the final one")


def strip_thinking(text: str) -> str:
    """A response without thinking. Thinking that is never closed runs to the end. Where it is closed without having
    been opened, as some chat templates open it in the prompt, it runs from the beginning. With channel markers, only
    the last final channel counts."""
    if "<|channel|>" in text:
        text = _final_channel(text)
    parts: list[str] = []
    inside, start = False, 0
    for tag in _THINKING_TAG.finditer(text):
        closes = bool(tag["angle"] or tag["kimi"] or tag["mistral"])
        if closes and not inside:
            parts.clear()
        elif not closes and not inside:
            parts.append(text[start : tag.start()])
        inside, start = not closes, tag.end()
    if not start:
        return text
    return "\n".join(parts if inside else [*parts, text[start:]])


def parse_answer_text(text: str, parse: Callable[[str], T | Unparsed]) -> T | Unparsed:
    """What `parse` reads in the last `<answer>` block; if that is nothing, what it reads in the whole text. Thinking
    has been stripped from `text`."""
    block = _last_answer_block(text)
    if block:
        found = parse(block)
        if not isinstance(found, Unparsed):
            return found
    return parse(text)


def decide(candidates: Iterable[AnswerCandidate[T]], text: str) -> T | Unparsed:
    """The last candidate of the strongest class. Different values on its line are ambiguous, and in prose all must
    agree."""
    ordered = sorted(candidates, key=lambda candidate: (candidate.strength, candidate.start))
    if not ordered:
        return NO_CANDIDATE
    last = ordered[-1]
    line_start = text.rfind("\n", 0, last.start) + 1
    first = 0 if last.strength is Strength.PROSE else line_start
    rivals = (one for one in ordered if one.strength is last.strength and one.start >= first)
    return AMBIGUOUS if any(one.value != last.value for one in rivals) else last.value


def label_final_answers(text: str) -> str:
    """The text with a line `Answer: X` for `\\boxed{X}`, for `<|begin_of_box|>X<|end_of_box|>`, for a call
    `finished(content='X')` and for a tool call whose action is to answer X."""
    for found in reversed(json_values(text)):
        if (answer := _answer_of_call(found.value)) is not None:
            text = f"{text[: found.start]}\nAnswer: {answer}\n{text[found.end :]}"
    return _FINAL_ANSWER.sub(lambda match: f"\nAnswer: {next(filter(None, match.groups()), '')}\n", text)


def _answer_of_call(value: Any) -> str | None:
    fields = value.get("arguments", value) if isinstance(value, dict) else None
    if not isinstance(fields, dict) or fields.get("action") not in ("answer", "finished"):
        return None
    return next((fields[key] for key in ("text", "content", "answer") if isinstance(fields.get(key), str)), None)


def blank_spans(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    """The text with spaces for these parts, and every other character and line break where it was."""
    parts: list[str] = []
    at = 0
    for start, end in sorted(ranges):
        if end > at:
            parts += text[at : max(start, at)], _NOT_LINE_BREAK.sub(" ", text[max(start, at) : end])
            at = end
    return "".join((*parts, text[at:]))


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, and where each begins."""
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def drop_option_lists(candidates: Iterable[tuple[int, T]]) -> set[int]:
    """The lines whose candidate may be the answer. Different values on adjacent lines, or three and more anywhere, are
    a list of options. `candidates` are numbers of lines and values, in order."""
    ordered = list(candidates)
    if len({value for _, value in ordered}) > 2:
        return set()
    listed = {line for (a, one), (b, other) in pairwise(ordered) if b == a + 1 and one != other for line in (a, b)}
    return {line for line, _ in ordered} - listed


def _final_channel(text: str) -> str:
    """The message of the last final channel; empty where there is none."""
    final = ""
    for channel in _CHANNEL.finditer(text):
        if channel[1].lower() == "final":
            end = _END_OF_MESSAGE.search(text, channel.end())
            final = text[channel.end() : end.start() if end else len(text)]
    return final


def _last_answer_block(text: str) -> str:
    return next(reversed(list(_answer_blocks(text))), "") if "<" in text else ""


def _answer_blocks(text: str) -> Iterator[str]:
    start: int | None = None
    for tag in _ANSWER_BLOCK.finditer(text):
        if not tag[1]:
            start = tag.end()
        elif start is not None:
            yield text[start : tag.start()]
            start = None
