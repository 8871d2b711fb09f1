"""Options that the stages of a project have in common."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from affordance.cli import known
from affordance.cli.author_project import Db, ProjectFolder
from affordance.cli.options import Json, KeyEnv, Timeout


@dataclass(frozen=True, slots=True)
class StageOptions:
    """What all stages take."""

    project: ProjectFolder
    db: Db = None
    engine: Annotated[
        Literal["local", "ray"],
        typer.Option(metavar="local|ray", help="Where it is done; ray needs a project in Postgres."),
    ] = "local"
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Of a Ray cluster.", show_default="a local one")
    ] = None
    seed: Annotated[int, typer.Option(metavar="N", help="Of all that is drawn at random.")] = 0
    again: Annotated[bool, typer.Option("--again", help="Also where it is done already.")] = False
    as_json: Json = False


@dataclass(frozen=True, slots=True)
class ModelStageOptions(StageOptions):
    """What those take that ask a model."""

    model: Annotated[
        str | None,
        typer.Option(
            metavar="M",
            help="PROVIDER:MODEL[@BASE_URL].",
            show_default="none: what can be had without",
            autocompletion=known.models,
        ),
    ] = None
    checker: Annotated[
        str | None,
        typer.Option(
            metavar="M", help="A model that checks what the other says, in divide and ask.", autocompletion=known.models
        ),
    ] = None
    concurrency: Annotated[
        int, typer.Option(min=1, metavar="N", help="Asks at once, at most; on Ray of each worker.")
    ] = 32
    timeout: Timeout = 300.0
    key_env: KeyEnv = None
    budget: Annotated[float | None, typer.Option(min=0, metavar="USD", help="Stop before this is spent.")] = None
    parameters: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A parameter for the models; repeatable.")
    ] = None
    prompts: Annotated[Path | None, typer.Option(metavar="DIR", help="Other prompts: DIR/author/STAGE/NAME.txt.")] = (
        None
    )
