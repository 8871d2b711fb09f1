"""`affordance author`: build a benchmark from your own screens, clips or pairs."""

from affordance.cli import author_project, author_stages
from affordance.cli.command_group import CommandGroup

app = CommandGroup()


@app.callback()
def author() -> None:
    """Build a benchmark from your own screens, clips or pairs.

    \b
    From screenshots, in this order:
      init, select, elements, divide, classify, reannotate, group, ask, export
    Each command resumes where it was interrupted.

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
app.command("export")(author_project.export)
app.command("import")(author_project.import_)
app.command("pairs")(author_stages.pairs)
