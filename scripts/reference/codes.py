"""Exit codes and errors."""

from affordance.cli.command_group import EXIT_BUG, EXIT_INCOMPLETE, EXIT_OK, EXIT_USER_ERROR
from affordance.core import attempts, errors
from affordance.core.errors import AffordanceError
from reference.fields import member_comments
from reference.markdown import code, plain, table

_MEANT = {
    EXIT_OK: "finished; for `data check`, nothing worse than warnings",
    EXIT_USER_ERROR: "something that you can put right, or errors found by a check: one line says what",
    EXIT_INCOMPLETE: "incomplete or interrupted: the same command resumes",
    EXIT_BUG: "a bug: please report it with the lines above",
}


def page() -> str:
    tree = "\n".join(line[4:] for line in (errors.__doc__ or "").splitlines() if line.startswith("    "))
    ended = [(code(name), plain(words)) for name, words in member_comments(attempts.AttemptStatus).items()]
    return "\n\n".join(
        [
            "# Exit codes, errors, and how attempts end",
            "## Exit codes",
            table(("code", "means"), [(code(number), words) for number, words in sorted(_MEANT.items())]),
            "## Errors in Python",
            f"All are in `{errors.__name__}`, and a `{AffordanceError.__name__}`.",
            f"```text\n{tree}\n```",
            "## How attempts end",
            "Every attempt of a run ends in one of these ways (`ended` in the [JSON report](report.md)).",
            table(("ended", "what it means"), ended),
        ]
    )
