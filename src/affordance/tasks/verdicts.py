"""From a reply to a verdict: the same rules for every task."""

from collections.abc import Callable

from affordance.core.answer_text import strip_thinking
from affordance.core.ask import FinishReason, Response
from affordance.core.attempt import AttemptStatus, Verdict
from affordance.tasks.refusals import declines_task


def conclude(reply: Response, read: Callable[[str], Verdict | str]) -> Verdict:
    """How an attempt ended whose last reply is given. `read` makes a verdict out of a text, or says why no answer can
    be read. Of a reply that the token limit cut, only whole lines are read."""
    match reply.finish:
        case FinishReason.STOP:
            found = read(reply.text)
            if isinstance(found, Verdict):
                return found
            said = strip_thinking(reply.text)
            if declines_task(said):
                return Verdict(AttemptStatus.REFUSED, reason=_first_line(said))
            return Verdict(AttemptStatus.UNPARSED, reason=found if reply.text.strip() else "the reply is empty")
        case FinishReason.ERROR:
            return Verdict(AttemptStatus.FAILED, reason=reply.error)
        case FinishReason.UNSUPPORTED:
            return Verdict(AttemptStatus.SKIPPED, reason=reply.error)
        case FinishReason.REFUSAL:
            return Verdict(AttemptStatus.REFUSED, reason=_first_line(reply.text) or "declined by the provider")
        case FinishReason.LENGTH:
            whole_lines = reply.text.rpartition("\n")[0]
            found = read(whole_lines)
            cut = Verdict(AttemptStatus.TRUNCATED, reason="the token limit cut the reply")
            return cut if isinstance(found, str) else found


NO_ANSWER = "no answer in the asked form"


def _first_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[0][:200] if lines else ""
