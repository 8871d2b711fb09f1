"""`affordance author divide`, `elements`, `classify`, `reannotate`, `group` and `ask`: the stages of a project."""

import re
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from affordance.cli.author_common import ModelStageOptions, StageOptions
from affordance.cli.command_group import EXIT_INCOMPLETE
from affordance.cli.options import with_options
from affordance.cli.places import cache_dir
from affordance.console.output import print_json, print_note
from affordance.console.progress import StageProgress

if TYPE_CHECKING:
    from affordance.author.orders import Told

TOLD = 10  # screens that failed, and notes, that are listed


@with_options
def divide(
    by: Annotated[
        Literal["auto", "model", "dom", "layout"],
        typer.Option(
            metavar="BY",
            help="model, dom, layout, or auto: the model if there is one, else the DOM, else the layout.",
        ),
    ] = "auto",
    refinements: Annotated[int, typer.Option(min=1, metavar="N", help="Proposals for a region, at most.")] = 3,
    depth: Annotated[int, typer.Option(min=0, metavar="N", help="Levels below the screen; 0 is without a limit.")] = 3,
    completeness: Annotated[
        float, typer.Option(min=0, max=3, metavar="X", help="Mean score from which on a proposal is taken.")
    ] = 2.5,
    bounded: Annotated[
        float, typer.Option(min=0, max=1, metavar="X", help="Share of bounded children from which on it is.")
    ] = 0.8,
    *,
    common: ModelStageOptions,
) -> None:
    """Divide screens into a tree of functional regions: a model proposes, a checker scores, the model refines.

    Without --checker the model checks itself.

    Without a model: what the browser knows of captured screens, and otherwise the layout (the segmenter has a
    document of its own).

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
    _carry_out("divide", common, settings, checker=common.checker or common.model)


@with_options
def elements(
    source: Annotated[
        Literal["auto", "dom", "omniparser", "vision"],
        typer.Option(
            "--from", metavar="SOURCE", help="Where elements are known from: auto, dom, omniparser or vision."
        ),
    ] = "auto",
    omniparser: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Output of OmniParser v2: DIR/NAME.json for a screen NAME.")
    ] = None,
    descriptor: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A DINO model as ONNX, to compare looks with.", show_default="built in"),
    ] = None,
    *,
    common: StageOptions,
) -> None:
    """Find interactive elements, and which of them look alike. May run before divide. Asks no model.

    \b
    Examples:
      affordance author elements shop
      affordance author elements shop --from omniparser --omniparser parsed/
    """
    from affordance.core.errors import UserError

    if source == "omniparser" and omniparser is None:
        raise UserError("--from omniparser needs its output; name the folder with --omniparser DIR")
    for option, path in (("--omniparser", omniparser), ("--descriptor", descriptor)):
        if path is not None and not path.exists():
            raise UserError(f"{option}: expected something at {path}, found nothing there")
    settings = {"source": source, **({"descriptor": str(descriptor.resolve())} if descriptor else {})}
    _carry_out("elements", common, settings, extra=omniparser)


@with_options
def classify(*, common: ModelStageOptions) -> None:
    """Give regions a type of the taxonomy. Without a model: by what the browser knows, and by the layout.

    \b
    Example:
      affordance author classify shop --model openai:gpt-5-mini
    """
    _carry_out("classify", common, {})


@with_options
def reannotate(
    everything: Annotated[
        bool, typer.Option("--all", help="All regions, not only those that people corrected.")
    ] = False,
    *,
    common: ModelStageOptions,
) -> None:
    """Tell anew what people have corrected: only regions whose box changed since they were told.

    \b
    Example:
      affordance author reannotate shop --model openai:gpt-5
    """
    _carry_out("reannotate", common, {"all": "yes" if everything else "no"})


@with_options
def group(
    embeddings: Annotated[
        str | None,
        typer.Option(metavar="M", help="A model of an embeddings endpoint.", show_default="a vectoriser of our own"),
    ] = None,
    only: Annotated[
        Literal["all", "corrected"],
        typer.Option(metavar="all|corrected", help="corrected: regions that people corrected, as in the paper."),
    ] = "all",
    *,
    common: ModelStageOptions,
) -> None:
    """Find look-alike regions and elements, and let a model verify and describe them.

    \b
    Example:
      affordance author group shop --model openai:gpt-5 --embeddings openai:text-embedding-3-large
    """
    settings = {"only": only, "vectors": "endpoint" if embeddings else "built-in"}
    _carry_out("group", common, settings, embeddings=embeddings)


@with_options
def ask(
    targets: Annotated[
        Literal["one", "all"],
        typer.Option(metavar="one|all", help="Of each group, how many outcome questions are asked about."),
    ] = "one",
    *,
    common: ModelStageOptions,
) -> None:
    """Write questions about look-alikes: where is what does this, and what does this do. Targets are drawn first.

    With --checker a second model says whether a question has one answer; without, nobody does.

    Without a model: descriptions by place, order and neighbours, where they fit one thing only.

    \b
    Examples:
      affordance author ask shop
      affordance author ask shop --model openai:gpt-5 --checker google:gemini-2.5-pro
    """
    _carry_out("ask", common, {"targets": targets}, checker=common.checker)


def _carry_out(
    stage: str,
    common: StageOptions,
    settings: Mapping[str, str],
    *,
    extra: Path | None = None,
    checker: str | None = None,
    embeddings: str | None = None,
) -> None:
    """Do what is left of a stage, with progress; say what came of it and how to go on."""
    from affordance.author.engines import carry_out
    from affordance.author.orders import Order
    from affordance.author.project import open_project
    from affordance.cli.run import execution_config, parse_parameter
    from affordance.core.errors import UserError
    from affordance.evaluation.ad_hoc import CHECKER, EMBEDDER, MODEL
    from affordance.models.parameters import check_parameters, parameter_warnings

    asking = common if isinstance(common, ModelStageOptions) else ModelStageOptions(common.project)
    if asking.checker and checker is None:
        raise UserError(f"--checker: nothing of {stage} is checked by a second model; leave it out")
    if checker and not asking.model:
        raise UserError("--checker checks what a model says; give --model too")
    parameters = dict(map(parse_parameter, asking.parameters or []))
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
        again=common.again,
        insists=settings.get("by") in ("dom", "layout"),
        means=execution_config(asking.concurrency, asking.timeout, asking.budget, asking.key_env, models.values()),
    )
    with StageProgress(stage) as watch:
        told = carry_out(order, common.engine, common.ray, watch)
    if common.as_json:
        print_json(_json(told))
    else:
        _print(common.project, stage, told)
    if told.failed or told.pending:
        why = told.progress.stop_reason or f"{len(told.failed)} failed, {len(told.pending)} pending"
        print(f"affordance: incomplete: {why}; run the same command again to go on", file=sys.stderr)
        raise typer.Exit(EXIT_INCOMPLETE)


def _json(told: "Told") -> dict[str, object]:
    models = {
        name: {"asked": one.sent, "from the ledger": one.cached, "stopped": one.stop_reason}
        for name, one in told.progress.models.items()
    }
    found = {
        "total": told.total,
        "done": told.done,
        "skipped": told.skipped,
        "failed": told.failed,
        "pending": told.pending,
        "notes": told.notes,
    }
    return {**found, "models": models, "spent": told.progress.cost, "interrupted": told.progress.stop_reason}


def _print(project: Path, stage: str, told: "Told") -> None:
    from affordance.core.formatting import count_noun

    before = f", {told.skipped} were done before" if told.skipped else ""
    asked = sum(one.sent for one in told.progress.models.values())
    cached = sum(one.cached for one in told.progress.models.values())
    spent = "cost unknown" if told.progress.cost is None else f"${told.progress.cost:.2f}"
    paid = f"; {count_noun(asked, 'ask')}, {cached} from the ledger, {spent}" if told.progress.models else ""
    print(f"{project}: {stage}: {count_noun(told.done, 'screen')} done{before}{paid}")
    for name, one in told.progress.models.items():
        if one.stop_reason:
            print(f"affordance: {name} {one.stop_reason}", file=sys.stderr)
    for what, found in (("failed", told.failed), ("pending", told.pending)):
        for screen, why in list(found.items())[:TOLD]:
            print(f"{what}: {screen}: {why}")
        if len(found) > TOLD:
            print(f"{what}: and {len(found) - TOLD} more; `affordance author status {project}`")
    for note, count in _alike(told.notes)[:TOLD]:
        print(f"note: {note}" + (f" (and the like, {count} in all)" if count > 1 else ""))


def _alike(notes: Mapping[str, int]) -> list[tuple[str, int]]:
    """Notes that differ in numbers alone are one, told by the first; the commonest come first."""
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for note, count in notes.items():
        pattern = re.sub(r"\d+", "0", note)
        first.setdefault(pattern, note)
        counts[pattern] += count
    return [(first[pattern], count) for pattern, count in counts.most_common()]
