"""Replies in any words: when they say something, and when they decline to."""

import re
from dataclasses import replace

from affordance.core.ask import Finish, Reply
from affordance.core.attempt import Ended, Verdict
from affordance.suites.verdicts import conclude

LONGEST_REFUSAL = 60  # words; an answer may begin with an apology, but does not end so soon

_CANNOT = re.compile(
    r"\bI(?:['’]m|\s+am)?\s+(?:can['’]?t|cannot|can\s+not|unable|not\s+able|won['’]?t|will\s+not|must\s+decline"
    r"|(?:do\s+not|don['’]?t)\s+feel)\b",
    re.IGNORECASE,
)


def conclude_words(reply: Reply, said: str, nothing: str) -> Verdict:
    """The verdict on a reply that says this. Any words answer, also those of a reply that the token limit cut, as far
    as they go; `nothing` is the reason where there are none."""
    whole = replace(reply, finish=Finish.STOP) if reply.finish is Finish.LENGTH and said else reply
    if _CANNOT.search(said) and len(said.split()) <= LONGEST_REFUSAL:
        declined = conclude(whole, lambda _: nothing)
        if declined.ended is Ended.REFUSED:
            return declined
    return conclude(whole, lambda _: Verdict(Ended.ANSWERED) if said else nothing)
