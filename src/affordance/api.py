"""The Python interface: evaluate models, read and compare results, as the command line does.

Each function takes the options of its command by the same names, and returns objects that print as tables."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, Field, PlainValidator, TypeAdapter, ValidationError, validate_call

from affordance.console.output import output_scope, print_note
from affordance.console.progress import demo_progress, run_progress
from affordance.console.run_summary import report_problems, run_and_score, write_summaries
from affordance.core.config import ConfigFile, resolve_ledger
from affordance.core.errors import InvalidOption, LedgerNotFound, UserError
from affordance.core.http import public_url
from affordance.core.json_text import canonical_json
from affordance.core.options import invalid_option
from affordance.core.paths import cache_dir
from affordance.core.plugin_registry import MODELS, distribution_of, entry_points_by_name
from affordance.core.text import parse_choices
from affordance.core.validation import describe_invalid_value, describe_value
from affordance.datasets import Dataset, DatasetCollection
from affordance.evaluation.blocking_calls import run_blocking
from affordance.evaluation.design_choice import DesignChoiceRun, choose_design
from affordance.evaluation.estimate import CostEstimate
from affordance.evaluation.execution_config import load_execution_config
from affordance.evaluation.interrupts import INTERRUPTED
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.requests import build_run_request, estimate_with_prerequisites, load_data
from affordance.evaluation.rescore import RescoreResult, rescore_ledger
from affordance.evaluation.run import RunRequest
from affordance.evaluation.run_config import RunConfig, run_options
from affordance.ledger import open_ledger
from affordance.models.providers import all_providers, read_key_env
from affordance.models.registry import BASELINES
from affordance.report.comparison import SettingsDiffer
from affordance.report.comparison import compare as compare_sides
from affordance.report.comparison_sides import DifferenceKind
from affordance.report.python_results import Comparison, DesignChoice, Results
from affordance.report.rows import load_rows
from affordance.report.text_metrics import add_text_metrics, missing_text_metrics
from affordance.tasks.behavior.design_preference import infer_preference
from affordance.tasks.registry import TASKS, resolve_tasks

F = TypeVar("F", bound=Callable[..., Any])


def _validate_names(value: Any) -> Any:
    names = [value] if isinstance(value, str) else value
    if isinstance(names, Iterable) and not isinstance(names, bytes | Mapping):
        names = list(names)
        wrong = next((one for one in names if not isinstance(one, str)), None)
        if wrong is None:
            return names
        raise ValueError(f"expected strings, found {describe_value(wrong)}")
    raise ValueError(f"expected a string or a list of strings, found {describe_value(value)}")


def _validate_data(value: Any) -> Any:
    if value is None or isinstance(value, str | Path | DatasetCollection | Dataset):
        return value
    raise ValueError(f"expected a SPEC, a path, a DatasetCollection or a Dataset, found {describe_value(value)}")


Names = Annotated[str | Iterable[str], PlainValidator(_validate_names)]
Ledger = str | Path | None  # None: AFFORDANCE_LEDGER, affordance.toml or affordance.db
Data = Annotated[str | Path | DatasetCollection | Dataset | None, PlainValidator(_validate_data)]  # None: the demo data
Concurrency = Annotated[int, Field(ge=1)]
Timeout = Annotated[float, Field(ge=0.1)]
Budget = Annotated[float, Field(ge=0)]

_CREATE_LEDGER = "call affordance.run() first, or name another ledger"


def _public(function: F) -> F:
    """A function of the interface: it validates its arguments, and its signature lists the options of a run."""
    signature = inspect.signature(function)
    own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    takes_options = len(own) < len(signature.parameters)
    validated = validate_call(config=ConfigDict(arbitrary_types_allowed=True, strict=True))(function)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        # A `TypeError` for missing arguments, as of any function. Errors name arguments, so all are passed by name.
        given = signature.bind(*args, **kwargs).arguments
        options = given.pop("options", {})
        try:
            return validated(**given, **options)
        except ValidationError as error:
            raise invalid_option(error) from None
        except LedgerNotFound as error:
            raise LedgerNotFound(error.location, hint=_CREATE_LEDGER) from None

    if takes_options:
        call.__signature__ = signature.replace(parameters=[*own, *_option_parameters()])  # type: ignore[attr-defined]
    return call  # type: ignore[return-value]


def _option_parameters() -> list[inspect.Parameter]:
    return [
        inspect.Parameter(info.name, inspect.Parameter.KEYWORD_ONLY, default=info.default, annotation=info.annotation)
        for info in run_options().values()
    ]


def _check_types(options: Mapping[str, Any]) -> None:
    """Numbers are numbers here, not text that spells one as on the command line."""
    declared = run_options()
    for name, value in options.items():
        if name in declared and declared[name].annotation in (int, int | None):
            try:
                TypeAdapter(int | None).validate_python(value, strict=True)
            except ValidationError as error:
                raise InvalidOption(name, describe_invalid_value(error.errors()[0])) from None
    parameters = options.get("parameters", {})
    if not isinstance(parameters, Mapping) or not all(isinstance(name, str) for name in parameters):
        raise InvalidOption("parameters", f"expected a mapping with text as keys, found {describe_value(parameters)}")
    for name, value in parameters.items():
        try:
            canonical_json(value)
        except (TypeError, ValueError, RecursionError):
            found = describe_value(value)
            raise InvalidOption("parameters", f"{name!r}: expected a value of JSON, found {found}") from None


@_public
def run(
    tasks: Names,
    models: Names,
    *,
    data: Data = None,
    ledger: Ledger = None,
    name: str | None = None,
    fresh: bool = False,
    concurrency: Concurrency = 64,
    timeout: Timeout = 300.0,
    budget: Budget | None = None,
    key_env: Names = (),
    quiet: bool = False,
    **options: Any,
) -> Results:
    """Evaluate models on tasks, as `affordance run`. The same call resumes an interrupted run.

        results = affordance.run("motion/effect", ["baseline:pixels", "baseline:random"], limit=3)
        results = affordance.run("function", "openai:gpt-5", data="screens", parameters={"max_tokens": 500})

    Defaults of commands in `affordance.toml` do not apply; its ledger, providers, prices and models do.

    Args:
        tasks: Names of tasks; the name of a suite means all of its tasks.
        models: PROVIDER:MODEL[@BASE_URL].
        data: A SPEC, a path, or what `load_dataset` returned; None for the demo data.
        ledger: A SQLite file or Postgres URL; None for AFFORDANCE_LEDGER, that of affordance.toml, or affordance.db.
        name: Name of the run; None for one derived from its settings.
        fresh: Reuse no stored response.
        concurrency: Maximum simultaneous requests per model.
        timeout: Seconds to wait for a response.
        budget: US dollars; stop before the worst-case cost exceeds them.
        key_env: Environment variables with keys, NAME or MODEL=NAME; else the provider's, for its own host.
        quiet: Print neither progress nor notes.
        options: The options of `affordance run`: limit, trials, seed, strategy...

    Returns:
        The rows of the run. `results.complete` says whether every attempt was made.

    Raises:
        UserError: An argument is not valid; `option` names it.
        KeyboardInterrupt: The run was interrupted. Requests in flight were waited for and their responses stored.
    """

    def work() -> Results:
        request = _build_request(
            tasks, models, data, ledger, name, fresh, options, (concurrency, timeout, budget), _names(key_env)
        )
        write_summaries(request)
        run_name, progress, rows = run_and_score(request)
        _report(progress, run_name, fresh=fresh)
        return Results(tuple(rows), request.ledger)

    with output_scope(quiet=quiet):
        return run_blocking(work)


@_public
def estimate(
    tasks: Names,
    models: Names,
    *,
    data: Data = None,
    ledger: Ledger = None,
    name: str | None = None,
    fresh: bool = False,
    quiet: bool = False,
    **options: Any,
) -> list[CostEstimate]:
    """Upper bounds of the requests and cost of `run`, per model, as `affordance run --estimate`. Nothing is sent.

    affordance.estimate("motion/effect", "openai:gpt-5", parameters={"max_tokens": 300})[0].cost
    """
    with output_scope(quiet=quiet):
        request = _build_request(tasks, models, data, ledger, name, fresh, options, (64, 300.0, None), ())
        return estimate_with_prerequisites(request)


@_public
def rescore(ledger: Ledger = None, *, run: Names = (), dry_run: bool = False) -> RescoreResult:
    """Recompute verdicts from stored responses with the parsers of this version, as `affordance rescore`.

    print(affordance.rescore("study.db", dry_run=True))
    """
    return rescore_ledger(resolve_ledger(ledger), _names(run), dry_run=dry_run)


@_public
def open_results(
    ledger: Ledger = None,
    *,
    runs: Names = (),
    tasks: Names = (),
    wording: bool = False,
    meteor: bool = False,
    bertscore: str | Path | None = None,
) -> Results:
    """The results in a ledger, as `affordance report`.

        affordance.open_results("affordance.db", tasks="motion")

    Args:
        ledger: A SQLite file or Postgres URL.
        runs: Include only these runs.
        tasks: Include only these tasks or suites.
        wording: Add BLEU and ROUGE-L of explanations.
        meteor: Add METEOR (extra meteor, and WordNet).
        bertscore: Add BERTScore with the weights in this folder (extra bertscore).
    """
    location = resolve_ledger(ledger)
    only = [one.name for one in resolve_tasks(_names(tasks))]
    with open_ledger(location, read_only=True) as opened:
        results, rows = load_rows(opened, _names(runs), only)
        if wording or meteor or bertscore is not None:
            weights = None if bertscore is None else Path(bertscore)
            rows = add_text_metrics(results, rows, meteor=meteor, weights=weights)
            if missing := missing_text_metrics(rows):
                print_note(missing)
        return Results(tuple(rows), location)


@_public
def compare(
    first: str, second: str, *, ledger: Ledger = None, tasks: Names = (), allow_differences: Names = ()
) -> Comparison:
    """Compare two runs or models, as `affordance compare`. Each is a run, a model, or RUN/MODEL.

        print(affordance.compare("baseline:pixels", "baseline:random"))

    Args:
        first: A run, a model, or RUN/MODEL.
        second: Another one.
        ledger: A SQLite file or Postgres URL.
        tasks: Include only these tasks or suites.
        allow_differences: Compare although these differ: data, questions, prompts, dialect, sampling, input,
            protocol, judge or all.
    """
    allowed = parse_choices(DifferenceKind, ",".join(_names(allow_differences)), "allow_differences")
    only = [one.name for one in resolve_tasks(_names(tasks))]
    with open_ledger(resolve_ledger(ledger), read_only=True) as opened:
        try:
            return Comparison(tuple(compare_sides(opened, first, second, only, allowed)))
        except SettingsDiffer as error:
            error.hint = f"allow it with allow_differences={list(error.kinds)}"
            raise


@_public
def choose(
    a: str | Path,
    b: str | Path,
    model: str,
    goal: str | None = None,
    *,
    trials: Annotated[int, Field(ge=1)] = 3,
    ledger: Ledger = None,
    fresh: bool = False,
    concurrency: Concurrency = 64,
    timeout: Timeout = 300.0,
    budget: Budget | None = None,
    key_env: str | None = None,
    quiet: bool = False,
) -> DesignChoice:
    """Ask a model which of two designs is more effective, in both orders, as `affordance choose`.

        affordance.choose("old.png", "new.png", "baseline:pixels", goal="More visitors start a trial").verdict

    Args:
        a: Image of one design.
        b: Image of the other.
        model: PROVIDER:MODEL[@BASE_URL].
        goal: What the page should achieve.
        trials: Attempts per order.
        ledger: Where responses are stored; the same call uses them.
        fresh: Reuse no stored response.
        concurrency: Maximum simultaneous requests.
        timeout: Seconds to wait for a response.
        budget: US dollars; stop before the worst-case cost exceeds them.
        key_env: Environment variable with the API key; None for the provider's, for its own host.
        quiet: Print neither progress nor notes.
    """

    def work() -> DesignChoiceRun:
        keys = read_key_env([key_env] if key_env else [], [model])
        with run_progress() as display:
            return choose_design(
                (Path(a), Path(b)),
                model,
                goal,
                trials=trials,
                ledger=resolve_ledger(ledger),
                render_cache=cache_dir() / "pictures",
                execution=load_execution_config(concurrency, timeout, budget, keys),
                fresh=fresh,
                on_progress=display,
            )

    with output_scope(quiet=quiet):
        choice = run_blocking(work)
        _report(choice.progress, choice.run, fresh=fresh)
    if not choice.said:
        raise UserError(f"{choice.model} returned no usable response")
    return DesignChoice(infer_preference(choice.said), choice)


@_public
def load_dataset(spec: str | Path | None = None) -> DatasetCollection:
    """The dataset of a SPEC: a folder, `FORMAT:PATH` of a published one, or None for the demo data.

    data = affordance.load_dataset("autogui-v2:AutoGUI-v2")
    data.of_kind("screen").items[0].targets
    """
    name = None if spec is None else _expand_user(str(spec))
    with demo_progress() as advance:
        return load_data(name, list(TASKS.builtin.values()), cache_dir(), print_note, advance)


def list_tasks() -> dict[str, str]:
    """The tasks by name with their questions, also those of other packages."""
    found, broken = TASKS.load_all()
    for error in broken:
        print_note(str(error))
    return {name: task.summary for name, task in found.items()}


def list_models() -> dict[str, str]:
    """Providers and built-in models by name, and where they run. A model is `PROVIDER:MODEL[@BASE_URL]`."""
    services = all_providers(ConfigFile.load().providers)
    return {
        **{name: public_url(one.base_url) for name, one in sorted(services.items())},
        **{f"baseline:{name}": "built in" for name in BASELINES},
        **{name: f"added by {distribution_of(one)}" for name, one in entry_points_by_name(MODELS).items()},
    }


def _build_request(
    tasks: Names,
    models: Names,
    data: Data,
    ledger: Ledger,
    name: str | None,
    fresh: bool,
    options: Mapping[str, Any],
    execution: tuple[int, float, float | None],
    key_env: Iterable[str],
) -> RunRequest:
    if isinstance(data, Dataset):
        data = DatasetCollection.single(data)
    elif isinstance(data, (str, Path)):
        data = _expand_user(str(data))
    _check_types(options)
    task_names = _required_names(tasks, "tasks", "motion/effect")
    config = RunConfig.from_options(resolve_tasks(task_names), options)
    with demo_progress() as advance:
        return build_run_request(
            config,
            _required_names(models, "models", "baseline:random"),
            data,
            resolve_ledger(ledger),
            execution=load_execution_config(*execution),
            cache_folder=cache_dir(),
            warn=print_note,
            advance=advance,
            name=name,
            fresh=fresh,
            key_env=list(key_env),
        )


def _report(progress: RunProgress, name: str, *, fresh: bool) -> None:
    """Print what went wrong and how to resume. Raises `KeyboardInterrupt` if the run was interrupted."""
    changes = [f"name={name!r} and without fresh"] if fresh else []
    changes = ["a higher budget", *changes] if progress.over_budget else changes
    again = f" with {' and '.join(changes)}" if changes else " again"
    report_problems(progress, f"make the same call{again} to resume")
    if progress.stop_reason.startswith(INTERRUPTED):
        raise KeyboardInterrupt


def _names(given: Names) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _required_names(given: Names, argument: str, example: str) -> list[str]:
    names = _names(given)
    if not names:
        raise InvalidOption(argument, f"expected at least one name, such as {example!r}, found none")
    return names


def _expand_user(spec: str) -> str:
    """`~` is expanded, also after a format."""
    head, colon, path = spec.rpartition(":")
    return f"{head}{colon}{Path(path).expanduser()}" if path.startswith("~") else spec
