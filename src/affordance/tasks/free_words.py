"""Replies in any words: when they say something, and when they decline to."""

import re
from dataclasses import replace

from affordance.core.ask import FinishReason, Response
from affordance.core.attempt import AttemptStatus, Verdict
from affordance.tasks.verdicts import conclude

MAX_REFUSAL_WORDS = 60  # words; an answer may begin with an apology, but does not end so soon

_CANNOT = re.compile(
    r"\bI(?:['’]m|\s+am)?\s+(?:can['’]?t|cannot|can\s+not|unable|not\s+able|won['’]?t|will\s+not|must\s+decline"
    r"|(?:do\s+not|don['’]?t)\s+feel)\b",
    re.IGNORECASE,
)


def free_text_verdict(reply: Response, answer_text: str, empty_reason: str) -> Verdict:
    """The verdict on a reply that says this. Any words answer, also those of a reply that the token limit cut, as far
    as they go; `nothing` is the reason where there are none."""
    whole = replace(reply, finish=FinishReason.STOP) if reply.finish is FinishReason.LENGTH and answer_text else reply
    if _CANNOT.search(answer_text) and len(answer_text.split()) <= MAX_REFUSAL_WORDS:
        declined = conclude(whole, lambda _: empty_reason)
        if declined.status is AttemptStatus.REFUSED:
            return declined
    return conclude(whole, lambda _: Verdict(AttemptStatus.ANSWERED) if answer_text else empty_reason)
