"""`baseline:overlap`: a judge that compares two texts by the words they share."""

import re
from collections.abc import Sequence

from affordance.core.question import RatingScale, YesNo
from affordance.core.requests import Request, Response
from affordance.models.model import LocalModel, ModelContext, unsupported_response
from affordance.tasks.answers import write_rating


class OverlapBaseline(LocalModel):
    """The offline judge. It is never calibrated, and reports say so. As a summarizer it quotes the response that shares
    most words with the others."""

    def __init__(self, name: str, context: ModelContext) -> None:
        super().__init__(name)

    async def send(self, request: Request) -> Response:
        if "responses" in request.prompt_fields:
            return Response(most_overlapping(request.prompt_fields["responses"].splitlines()).removeprefix("- "))
        texts = [request.prompt_fields.get(name) for name in ("text_a", "text_b")]
        if texts[0] is None or texts[1] is None:
            return unsupported_response(
                "baseline:overlap compares two texts and answers nothing else; use it as --judge"
            )
        share = word_overlap(texts[0], texts[1])
        because = f"The texts share {share:.0%} of their words."
        match request.answer_format:
            case RatingScale(low, high):
                return Response(write_rating(round(low + share * (high - low)), because))
            case YesNo():
                return Response("Yes" if word_containment(texts[0], texts[1]) >= 0.5 else "No")
            case _:
                return unsupported_response(
                    "baseline:overlap compares two texts and answers nothing else; use it as --judge"
                )


def word_overlap(first: str, second: str) -> float:
    """F1 over the sets of words, without the most common English ones; 1.0 for two texts without any."""
    a, b = content_words(first), content_words(second)
    if not a and not b:
        return 1.0
    return 2 * len(a & b) / (len(a) + len(b))


def most_overlapping(texts: Sequence[str]) -> str:
    """The text that shares most words with the others; the first among equals."""
    return max(texts, key=lambda text: sum(word_overlap(text, other) for other in texts))


def word_containment(whole: str, part: str) -> float:
    """The share of the words of `part` that are in `whole`; 1.0 if `part` has none."""
    a, b = content_words(whole), content_words(part)
    return len(a & b) / len(b) if b else 1.0


_STOP_WORDS = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "its", "of", "on", "or"}
    | {"that", "the", "this", "to", "was", "with"}
)


def content_words(text: str) -> set[str]:
    """The words of a text in lower case, without the most common English ones."""
    return set(re.findall(r"[^\W_]+", text.lower())) - _STOP_WORDS
