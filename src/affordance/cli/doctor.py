"""`affordance doctor`: what works on this computer, what is missing, and how to get it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli import known
from affordance.cli.command_group import EXIT_OK, EXIT_USER_ERROR
from affordance.cli.options import LEDGER, Browser, Json, KeyEnv, Ledger
from affordance.cli.places import cache_dir
from affordance.core.errors import UserError

if TYPE_CHECKING:
    from affordance.cli.checks.finding import CheckResult

Topics = dict[str, "Callable[[], Iterable[CheckResult]]"]


def doctor(
    context: typer.Context,
    model: Annotated[
        list[str],
        typer.Option(
            "--model",
            metavar="M",
            help="Ask this model for the colour of a small picture; repeatable. Others are not asked.",
            autocompletion=known.models,
        ),
    ] = [],  # noqa: B006  # typer copies it
    ledger: Ledger = LEDGER,
    data: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Also read this dataset.", autocompletion=known.specs),
    ] = None,
    browser: Browser = None,
    timeout: Annotated[float, typer.Option(min=0.1, metavar="S", help="Seconds to wait for a reply.")] = 60.0,
    key_env: KeyEnv = None,
    as_json: Json = False,
) -> None:
    """Say what works on this computer, what is missing, and how to get it. Exit code 2: something needed is wrong.

    Optional things that are missing are told, and are no mistake. Keys are looked for, and never shown. No model is
    asked but those that are named.

    \b
    Examples:
      affordance doctor
      affordance doctor --model vllm:my-model@http://localhost:8000/v1
      affordance doctor --model openai:gpt-5 --data autogui-v2:AutoGUI-v2 --json
    """
    from affordance.cli.checks.finding import CheckState, run_check

    topics = _topics(context, model, ledger, data, browser, timeout, key_env)
    found = ((topic, run_check(check, topic.lower())) for topic, check in topics.items())
    states = _as_data(found) if as_json else _as_text(found)
    raise typer.Exit(EXIT_USER_ERROR if states[CheckState.WRONG] else EXIT_OK)


def _topics(
    context: typer.Context,
    model: list[str],
    ledger: str,
    data: str | None,
    browser: str | None,
    timeout: float,
    key_env: list[str] | None,
) -> Topics:
    from affordance.cli.checks import asking, machine, media, program
    from affordance.core.config import ConfigFile, find_config, read_config

    path = find_config(Path.cwd())
    try:
        config = read_config(path)
    except UserError:  # which the check of the file tells
        config = ConfigFile()
    topics: Topics = {
        "Program": program.program,
        "Settings": partial(program.settings, path, context.find_root().command),
        "Extras": program.extras,
        "Plugins": program.plugins,
        "Computer": machine.machine,
        "Ledger": partial(machine.ledger, ledger),
        "Cache": partial(machine.cache, cache_dir()),
        "Codecs": media.codecs,
        "Browser": partial(media.browser, browser),
        "Keys": partial(asking.keys, config),
    }
    if model:
        topics["Models"] = partial(asking.models, model, config, timeout, key_env or ())
    if data is not None:
        topics["Data"] = partial(asking.dataset, data, cache_dir())
    return topics


def _as_data(found: "Iterator[tuple[str, Iterator[CheckResult]]]") -> Counter[str]:
    from affordance import __version__
    from affordance.cli.checks.finding import CheckState
    from affordance.console.output import print_json

    listed = [
        {"topic": topic, "name": one.name, "state": one.state, "text": one.text, "remedy": one.remedy}
        for topic, findings in found
        for one in findings
    ]
    states = Counter(str(one["state"]) for one in listed)
    print_json({"version": __version__, "well": not states[CheckState.WRONG], "found": listed})
    return states


def _as_text(found: "Iterator[tuple[str, Iterator[CheckResult]]]") -> Counter[str]:
    """Each topic as soon as it is known: some take a moment."""
    from affordance.cli.checked import print_findings

    states = Counter[str]()
    for topic, findings in found:
        listed = list(findings)
        print_findings(topic, listed)
        states.update(one.state for one in listed)
    print(_summary(states))
    return states


def _summary(states: Counter[str]) -> str:
    from affordance.cli.checks.finding import CheckState
    from affordance.core.formatting import count_noun

    missing = states[CheckState.MISSING]
    told = f"; {count_noun(missing, 'optional thing')} {'is' if missing == 1 else 'are'} missing." if missing else "."
    if wrong := states[CheckState.WRONG]:
        return f"{count_noun(wrong, 'thing')} {'is' if wrong == 1 else 'are'} wrong{told}"
    return f"All that is needed works{told}"
