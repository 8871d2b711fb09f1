"""Requests and responses of an attempt as text."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from affordance.core.formatting import count_noun
from affordance.core.requests import FinishReason, RequestStep
from affordance.ledger import AttemptStep

LONGEST_TEXT = 6000  # characters; a model that never stops must not fill the page


@dataclass(frozen=True, slots=True)
class ConversationTurn:
    title: str
    prompt: str
    pictures: tuple[str, ...]  # digests
    reply: str
    reasoning: str
    note: str  # why it ended early


def conversation(steps: Sequence[AttemptStep]) -> list[ConversationTurn]:
    return [_turn(step, number) for number, step in enumerate(steps)]


def _turn(record: AttemptStep, number: int) -> ConversationTurn:
    messages: list[Any] = json.loads(record.transcript)
    reply = record.response
    note = {
        FinishReason.LENGTH: "The token limit cut this reply.",
        FinishReason.REFUSAL: "The provider marked this reply as a refusal.",
    }.get(reply.finish, "")
    return ConversationTurn(
        title=_title(record.step, number),
        prompt=truncate(_as_text(messages)),
        pictures=tuple(
            digest for _, parts in messages for part in parts if isinstance(part, dict) for digest in part.values()
        ),
        reply=truncate(reply.text),
        reasoning=truncate(reply.reasoning),
        note=note,
    )


def _title(step: RequestStep, number: int) -> str:
    round_, place, retry = step
    if number == 0:
        return ""
    return f"asked again ({retry})" if retry else f"round {round_ + 1}, ask {place + 1}"


def _as_text(messages: Sequence[Any]) -> str:
    """The messages as they were sent, with a line in brackets where pictures stand."""
    sent = []
    for role, parts in messages:
        lines: list[str] = [] if len(messages) == 1 else [f"[{role}]"]
        pictures = 0
        for part in [*parts, ""]:
            if isinstance(part, dict):
                pictures += 1
                continue
            if pictures:
                lines.append(f"[{count_noun(pictures, 'picture')}]")
                pictures = 0
            if part:
                lines.append(part)
        sent.append("\n".join(lines))
    return "\n\n".join(sent)


def truncate(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}\n[{count_noun(len(text) - LONGEST_TEXT, 'more character')}: see the ledger]"
