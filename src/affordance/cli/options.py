"""Options that several commands share."""

from typing import Annotated

import typer

from affordance.core.names import USUAL_LEDGER

LEDGER = USUAL_LEDGER

Ledger = Annotated[
    str,
    typer.Option(
        "--ledger",
        envvar="AFFORDANCE_LEDGER",
        help="A sqlite file or a Postgres URL; holds every reply.",
        show_default=LEDGER,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
