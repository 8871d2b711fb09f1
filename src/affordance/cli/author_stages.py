"""`affordance author divide`, `elements`, `classify`, `reannotate`, `group`, `ask` and `pairs`."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from affordance.cli import completion
from affordance.cli.author_project import Db, ProjectFolder
from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK
from affordance.cli.options import (
    LEDGER,
    MODEL_FORM,
    Browser,
    Budget,
    Concurrency,
    DatasetName,
    Json,
    KeyEnv,
    Ledger,
    Licence,
    Model,
    NewFolder,
    Parameters,
    Prompts,
    RayAddress,
    Seed,
    Timeout,
    Workers,
    parse_parameter,
    with_options,
)
from affordance.console.output import print_json, print_note, print_warning
from affordance.console.progress import StageProgress, run_progress
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.author.orders import Told

MAX_LISTED = 10  # failed screens and notes


@dataclass(frozen=True, slots=True)
class StageOptions:
    """Options of all stages."""

    project: ProjectFolder
    db: Db = None
    engine: Annotated[
        Literal["local", "ray"],
        typer.Option(
            "--engine", metavar="local|ray", help="Run on this machine or on Ray, which needs a project in Postgres."
        ),
    ] = "local"
    ray_address: RayAddress = None
    seed: Seed = 0
    rerun: Annotated[bool, typer.Option("--rerun", help="Redo finished items, reusing stored responses.")] = False
    as_json: Json = False


@dataclass(frozen=True, slots=True)
class ModelStageOptions(StageOptions):
    """Options of stages that use a model."""

    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="M",
            help=f"Model as {MODEL_FORM}.",
            show_default="none: rules and page structure",
            autocompletion=completion.model_names,
        ),
    ] = None
    checker: Annotated[
        str | None,
        typer.Option(
            "--checker",
            metavar="M",
            help="Second model that checks the first, in divide and ask.",
            autocompletion=completion.model_names,
        ),
    ] = None
    concurrency: Concurrency = 64
    timeout: Timeout = 300.0
    key_env: KeyEnv = None
    budget: Budget = None
    parameters: Parameters = field(default_factory=list)
    prompts: Prompts = None


@with_options
def divide(
    by: Annotated[
        Literal["auto", "model", "dom", "layout"],
        typer.Option(
            "--by",
            metavar="BY",
            help="model, dom, layout, or auto: the model if given, else the DOM, else the layout.",
        ),
    ] = "auto",
    refinements: Annotated[int, typer.Option("--refinements", min=1, metavar="N", help="Proposals per region.")] = 3,
    depth: Annotated[int, typer.Option("--depth", min=0, metavar="N", help="Levels, 0 for no limit.")] = 3,
    completeness: Annotated[
        float, typer.Option("--completeness", min=0, max=3, metavar="X", help="Minimum mean score of a proposal.")
    ] = 2.5,
    bounded: Annotated[
        float, typer.Option("--bounded", min=0, max=1, metavar="X", help="Minimum share of bounded children.")
    ] = 0.8,
    *,
    common: ModelStageOptions,
) -> int:
    """Divide screens into a tree of functional regions: a model proposes, a checker scores, the model refines.

    Without --checker the model checks itself.

    Without a model: the structure of captured pages, else the layout of the screen.

    \b
    Examples:
      affordance author divide shop
      affordance author divide shop --model openai:gpt-5 --checker openai:gpt-5-mini --budget 20 --set max_tokens=16000
    """
    settings = {
        "by": by,
        "refinements": str(refinements),
        "depth": str(depth) if depth else "none",
        "completeness": f"{completeness:g}",
        "bounded": f"{bounded:g}",
    }
    return _run_stage("divide", common, settings, checker=common.checker or common.model)


@with_options
def elements(
    source: Annotated[
        Literal["auto", "dom", "omniparser", "vision"],
        typer.Option("--from", metavar="SOURCE", help="Source of elements: auto, dom, omniparser or vision."),
    ] = "auto",
    omniparser: Annotated[
        Path | None,
        typer.Option("--omniparser", metavar="DIR", help="Output of OmniParser v2: DIR/NAME.json per screen."),
    ] = None,
    descriptor: Annotated[
        Path | None,
        typer.Option("--descriptor", metavar="FILE", help="ONNX image descriptor (DINO).", show_default="built in"),
    ] = None,
    *,
    common: StageOptions,
) -> int:
    """Find interactive elements and groups of similar ones. May run before divide. Uses no model.

    \b
    Examples:
      affordance author elements shop
      affordance author elements shop --from omniparser --omniparser parsed/
    """
    from affordance.core.errors import UserError

    if source == "omniparser" and omniparser is None:
        raise UserError("--from omniparser needs --omniparser DIR")
    for option, path in (("omniparser", omniparser), ("descriptor", descriptor)):
        if path is not None and not path.exists():
            raise UserError(f"there is nothing at {path}", option=option)
    settings = {"source": source, **({"descriptor": str(descriptor.resolve())} if descriptor else {})}
    return _run_stage("elements", common, settings, extra=omniparser)


@with_options
def classify(*, common: ModelStageOptions) -> int:
    """Classify regions by the taxonomy. Without a model: by page structure and layout.

    \b
    Example:
      affordance author classify shop --model openai:gpt-5-mini
    """
    return _run_stage("classify", common, {})


@with_options
def reannotate(
    everything: Annotated[bool, typer.Option("--all", help="Include regions that were not corrected.")] = False,
    *,
    common: ModelStageOptions,
) -> int:
    """Describe corrected regions again. Only regions whose box changed since their last description are sent.

    \b
    Example:
      affordance author reannotate shop --model openai:gpt-5
    """
    return _run_stage("reannotate", common, {"all": "yes" if everything else "no"})


@with_options
def group(
    embeddings: Annotated[
        str | None,
        typer.Option("--embeddings", metavar="M", help="Embedding model.", show_default="built in"),
    ] = None,
    only: Annotated[
        Literal["all", "corrected"],
        typer.Option(
            "--only", metavar="all|corrected", help="corrected: regions that people corrected, as in the paper."
        ),
    ] = "all",
    *,
    common: ModelStageOptions,
) -> int:
    """Group similar regions and elements; a model verifies and describes the groups.

    \b
    Example:
      affordance author group shop --model openai:gpt-5 --embeddings openai:text-embedding-3-large
    """
    settings = {"only": only, "vectors": "endpoint" if embeddings else "built-in"}
    return _run_stage("group", common, settings, embeddings=embeddings)


@with_options
def ask(
    targets: Annotated[
        Literal["one", "all"],
        typer.Option("--targets", metavar="one|all", help="Targets of outcome questions per group."),
    ] = "one",
    *,
    common: ModelStageOptions,
) -> int:
    """Write questions about similar elements: where is the control that does X, and what does this control do?

    With --checker a second model verifies that a question has one answer.

    Without a model: descriptions by position, order and neighbours, where they are unique.

    \b
    Examples:
      affordance author ask shop
      affordance author ask shop --model openai:gpt-5 --checker google:gemini-2.5-pro
    """
    return _run_stage("ask", common, {"targets": targets}, checker=common.checker)


def _run_stage(
    stage: str,
    common: StageOptions,
    settings: Mapping[str, str],
    *,
    extra: Path | None = None,
    checker: str | None = None,
    embeddings: str | None = None,
) -> int:
    """Run the rest of a stage with progress and print the result; the exit code."""
    from affordance.author.engines import carry_out
    from affordance.author.orders import Order
    from affordance.author.project import open_project
    from affordance.cli.run import execution_config
    from affordance.core.errors import UserError
    from affordance.evaluation.ad_hoc import CHECKER, EMBEDDER, MODEL
    from affordance.models.parameters import check_parameters, parameter_warnings

    asking = common if isinstance(common, ModelStageOptions) else ModelStageOptions(common.project)
    if asking.checker and checker is None:
        raise UserError(f"{stage} uses no second model; leave it out", option="checker")
    if checker and not asking.model:
        raise UserError("needs a model to check: give --model too", option="checker")
    parameters = dict(map(parse_parameter, asking.parameters))
    check_parameters(parameters)
    for doubt in parameter_warnings(parameters):
        print_note(doubt)
    models = {MODEL: asking.model, CHECKER: checker, EMBEDDER: embeddings}
    with open_project(common.project, common.db, read_only=True) as opened:
        screens = tuple(opened.selected())
    order = Order(
        folder=str(common.project.resolve()),
        stage=stage,
        screens=screens,
        pictures=str((cache_dir() / "pictures").resolve()),
        db=common.db,
        settings=dict(settings),
        models={role: name for role, name in models.items() if name},
        parameters=parameters,
        prompts=None if asking.prompts is None else str(asking.prompts.resolve()),
        extra=None if extra is None else str(extra.resolve()),
        seed=common.seed,
        again=common.rerun,
        insists=settings.get("by") in ("dom", "layout"),
        means=execution_config(asking.concurrency, asking.timeout, asking.budget, asking.key_env, models.values()),
    )
    with StageProgress(stage) as watch:
        status = carry_out(order, common.engine, common.ray_address, watch)
    if common.as_json:
        print_json(_record(status))
    else:
        _print_status(common.project, stage, status)
    if status.failed or status.pending:
        why = status.progress.stop_reason or f"{len(status.failed)} failed, {len(status.pending)} pending"
        print_warning(f"incomplete: {why}; run the same command again to resume")
        return EXIT_INCOMPLETE
    return EXIT_OK


def _record(status: "Told") -> dict[str, object]:
    models = {
        name: {"requests": one.sent, "from_ledger": one.cached, "stopped": one.stop_reason}
        for name, one in status.progress.models.items()
    }
    found = {
        "total": status.total,
        "done": status.done,
        "skipped": status.skipped,
        "failed": status.failed,
        "pending": status.pending,
        "notes": status.notes,
    }
    return {**found, "models": models, "spent": status.progress.cost, "interrupted": status.progress.stop_reason}


def _print_status(project: Path, stage: str, status: "Told") -> None:
    from affordance.core.formatting import count_noun

    before = f", {status.skipped} were done before" if status.skipped else ""
    sent = sum(one.sent for one in status.progress.models.values())
    cached = sum(one.cached for one in status.progress.models.values())
    spent = "cost unknown" if status.progress.cost is None else f"${status.progress.cost:.2f}"
    paid = f"; {count_noun(sent, 'request')}, {cached} from the ledger, {spent}" if status.progress.models else ""
    print(f"{project}: {stage}: {count_noun(status.done, 'screen')} done{before}{paid}")
    for name, one in status.progress.models.items():
        if one.stop_reason:
            print_warning(f"{name} {one.stop_reason}")
    for what, found in (("failed", status.failed), ("pending", status.pending)):
        for screen, why in list(found.items())[:MAX_LISTED]:
            print(f"{what}: {screen}: {why}")
        if len(found) > MAX_LISTED:
            print(f"{what}: and {len(found) - MAX_LISTED} more; `affordance author status {project}`")
    for note, count in _similar_notes(status.notes)[:MAX_LISTED]:
        print(f"note: {note}" + (f" ({count} similar notes)" if count > 1 else ""))


def _similar_notes(notes: Mapping[str, int]) -> list[tuple[str, int]]:
    """Notes that differ only in numbers count as one, shown by the first; the most frequent come first."""
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for note, count in notes.items():
        pattern = re.sub(r"\d+", "0", note)
        first.setdefault(pattern, note)
        counts[pattern] += count
    return [(first[pattern], count) for pattern, count in counts.most_common()]


def pairs(
    goals: Annotated[
        Path, typer.Option("--goals", metavar="FILE", help="One goal per line, or JSON lines with `goal`.")
    ],
    model: Model,
    output: NewFolder,
    ledger: Ledger = LEDGER,
    size: Annotated[str, typer.Option("--size", metavar="WxH", help="Window size.")] = "1280x800",
    name: DatasetName = "",
    licence: Licence = "unknown",
    concurrency: Concurrency = 64,
    timeout: Timeout = 300.0,
    key_env: KeyEnv = None,
    budget: Budget = None,
    browser: Browser = None,
    workers: Workers = 2,
    as_json: Json = False,
) -> int:
    """Let a model write two versions of a page per goal and render them: pairs without a winner.

    A page that is broken, blank or the same as the other is requested again, up to three times in all. Code, images and
    their origin are written to DIR. The same command resumes. Exit code 3: some goals have no pair.

    \b
    Examples:
      affordance author pairs --goals goals.txt --model openai:gpt-5 -o pairs
      affordance author pairs --goals goals.jsonl --model vllm:m@http://localhost:8000/v1 -o pairs --size 390x844
    """
    from affordance.author.designs.goals import read_goals
    from affordance.author.designs.pairs import Order as PairOrder
    from affordance.author.designs.pairs import make_pairs
    from affordance.author.designs.task import PAIRS
    from affordance.capture.looks import Look, read_size
    from affordance.cli.run import execution_config, report_run_problems
    from affordance.core.errors import UserError
    from affordance.core.formatting import count_noun
    from affordance.core.model_name import ModelName
    from affordance.datasets import DatasetCollection
    from affordance.evaluation.run import RunRequest
    from affordance.evaluation.run_config import RunConfig

    writer = ModelName.parse(model)
    if writer.looks_up_answers:
        raise UserError(f"{writer} returns stored answers and cannot write pages; choose another model", option="model")
    request = RunRequest(
        config=RunConfig(tasks=(PAIRS,)),
        data=DatasetCollection("goals", ()),
        models=(writer,),
        ledger=ledger,
        render_cache=cache_dir() / "pictures",
        execution=execution_config(concurrency, timeout, budget, key_env, [model]),
    )
    look = Look(*read_size(size))
    order = PairOrder(read_goals(goals), output, request, look, name, licence, browser, workers)
    with run_progress() as watch:
        made = make_pairs(order, watch)
    if as_json:
        record = {"pairs": made.pairs, "unusable": made.unusable, "lost": made.lost, "pending": made.pending}
        print_json({**record, "run": made.run, "folder": output})
    else:
        print(f"{output}: {count_noun(made.pairs, 'pair')} for {count_noun(len(order.goals), 'goal')}")
        for goal, reasons in made.unusable.items():
            if goal not in made.lost:
                print(f"requested again: {goal}: {'; '.join(reasons)}")
        for goal, why in made.lost.items():
            print(f"failed: {goal}: {why}")
    code = report_run_problems(request, made.progress, made.run)
    return code or (EXIT_INCOMPLETE if made.lost or made.pending else EXIT_OK)
