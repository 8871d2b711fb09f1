"""From a reply to a verdict: the same rules for every task."""

from collections.abc import Callable

from affordance.core.answer_text import strip_thinking
from affordance.core.ask import Finish, Reply
from affordance.core.attempt import Ended, Verdict
from affordance.suites.refusals import declines_task


def conclude(reply: Reply, read: Callable[[str], Verdict | str]) -> Verdict:
    """How an attempt ended whose last reply is given. `read` makes a verdict out of a text, or says why no answer can
    be read. Of a reply that the token limit cut, only whole lines are read."""
    match reply.finish:
        case Finish.STOP:
            found = read(reply.text)
            if isinstance(found, Verdict):
                return found
            said = strip_thinking(reply.text)
            if declines_task(said):
                return Verdict(Ended.REFUSED, reason=_first_line(said))
            return Verdict(Ended.UNPARSED, reason=found if reply.text.strip() else "the reply is empty")
        case Finish.ERROR:
            return Verdict(Ended.FAILED, reason=reply.error)
        case Finish.UNABLE:
            return Verdict(Ended.SKIPPED, reason=reply.error)
        case Finish.REFUSAL:
            return Verdict(Ended.REFUSED, reason=_first_line(reply.text) or "declined by the provider")
        case Finish.LENGTH:
            whole_lines = reply.text.rpartition("\n")[0]
            found = read(whole_lines)
            cut = Verdict(Ended.TRUNCATED, reason="the token limit cut the reply")
            return cut if isinstance(found, str) else found


NO_ANSWER = "no answer in the asked form"


def _first_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[0][:200] if lines else ""
