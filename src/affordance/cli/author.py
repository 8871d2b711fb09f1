"""`affordance author`: make a benchmark."""

from affordance.cli import author_exchange, author_pairs, author_project, author_stages
from affordance.cli.command_group import CommandGroup

app = CommandGroup()


@app.callback()
def author() -> None:
    """Make a benchmark: of a folder of screenshots, step by step, or pairs of designs that a model writes.

    \b
    From screenshots, in this order:
      init, select, elements, divide, classify, reannotate, group, ask, export
    Each can be interrupted, and does what is left the next time.

    \b
    Examples:
      affordance author init shop screenshots/
      affordance author elements shop
      affordance author divide shop --model openai:gpt-5
      affordance author export shop -o shop-benchmark
    """


app.command("init")(author_project.init)
app.command("select")(author_project.select)
app.command("divide")(author_stages.divide)
app.command("elements")(author_stages.elements)
app.command("classify")(author_stages.classify)
app.command("reannotate")(author_stages.reannotate)
app.command("group")(author_stages.group)
app.command("ask")(author_stages.ask)
app.command("status")(author_project.status)
app.command("cost")(author_project.cost)
app.command("export")(author_exchange.export)
app.command("import")(author_exchange.import_)
app.command("pairs")(author_pairs.pairs)
