"""`affordance doctor`: check the installation, keys, models and data."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli import completion
from affordance.cli.command_group import EXIT_OK, EXIT_USER_ERROR
from affordance.cli.options import LEDGER, Browser, Json, KeyEnv, Ledger, Timeout
from affordance.console.output import print_json
from affordance.core.errors import UserError
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.cli.check_results import CheckResult

Topics = dict[str, "Callable[[], Iterable[CheckResult]]"]


def doctor(
    context: typer.Context,
    model: Annotated[
        list[str],
        typer.Option(
            "--model",
            metavar="M",
            help="Send this model a test image (repeatable). Others receive no request.",
            autocompletion=completion.model_names,
        ),
    ] = [],  # noqa: B006  # typer copies it
    ledger: Ledger = LEDGER,
    data: Annotated[
        str | None,
        typer.Option("--data", metavar="SPEC", help="Also read this dataset.", autocompletion=completion.specs),
    ] = None,
    browser: Browser = None,
    timeout: Timeout = 60.0,
    key_env: KeyEnv = None,
    as_json: Json = False,
) -> int:
    """Check the installation, keys, models and data. Exit code 2: something required does not work.

    Optional components that are not installed are listed and are no error. Keys are never shown.

    \b
    Examples:
      affordance doctor
      affordance doctor --model vllm:my-model@http://localhost:8000/v1
      affordance doctor --model openai:gpt-5 --data autogui-v2:AutoGUI-v2 --json
    """
    from affordance.cli.check_results import CheckState, run_check

    topics = _topics(context, model, ledger, data, browser, timeout, key_env)
    found = ((topic, run_check(check, topic.lower())) for topic, check in topics.items())
    states = _print_as_json(found) if as_json else _print_as_text(found)
    return EXIT_USER_ERROR if states[CheckState.WRONG] else EXIT_OK


def _topics(
    context: typer.Context,
    model: list[str],
    ledger: str,
    data: str | None,
    browser: str | None,
    timeout: float,
    key_env: list[str] | None,
) -> Topics:
    from affordance.cli import doctor_environment as environment
    from affordance.cli import doctor_services as services
    from affordance.core.config import ConfigFile, read_config
    from affordance.core.paths import find_config

    path = find_config(Path.cwd())
    try:
        config = read_config(path)
    except UserError:  # which the check of the file reports
        config = ConfigFile()
    topics: Topics = {
        "Program": environment.check_program,
        "Settings": partial(environment.check_settings, path, context.find_root().command),
        "Extras": environment.check_extras,
        "Plugins": environment.check_plugins,
        "Computer": environment.check_machine,
        "Ledger": partial(environment.check_ledger_file, ledger),
        "Cache": partial(environment.check_cache, cache_dir()),
        "Codecs": services.check_codecs,
        "Browser": partial(services.check_browser, browser),
        "Keys": partial(services.check_keys, config),
    }
    if model:
        topics["Models"] = partial(services.check_models, model, config, timeout, key_env or ())
    if data is not None:
        topics["Data"] = partial(services.check_dataset, data, cache_dir())
    return topics


def _print_as_json(found: "Iterator[tuple[str, Iterator[CheckResult]]]") -> Counter[str]:
    from affordance import __version__
    from affordance.cli.check_results import CheckState

    listed = [
        {"topic": topic, "name": one.name, "state": one.state, "text": one.text, "remedy": one.remedy}
        for topic, findings in found
        for one in findings
    ]
    states = Counter(str(one["state"]) for one in listed)
    print_json({"version": __version__, "well": not states[CheckState.WRONG], "found": listed})
    return states


def _print_as_text(found: "Iterator[tuple[str, Iterator[CheckResult]]]") -> Counter[str]:
    """Each topic as soon as it is known: some take a moment."""
    from affordance.cli.check_results import print_results

    states = Counter[str]()
    for topic, findings in found:
        listed = list(findings)
        print_results(topic, listed)
        states.update(one.state for one in listed)
    print(_summary(states))
    return states


def _summary(states: Counter[str]) -> str:
    from affordance.cli.check_results import CheckState
    from affordance.core.formatting import count_noun

    missing = states[CheckState.MISSING]
    absent = f" {count_noun(missing, 'optional component')} not installed." if missing else ""
    if wrong := states[CheckState.WRONG]:
        return f"{count_noun(wrong, 'check')} failed.{absent}"
    return f"All required components work.{absent}"
