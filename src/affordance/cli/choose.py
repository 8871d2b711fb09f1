"""`affordance choose`: which of two designs does a model prefer, how sure is that, and why?"""

import json
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from affordance.cli.options import LEDGER, Json, Ledger
from affordance.cli.places import cache_folder
from affordance.cli.progress import shown

if TYPE_CHECKING:
    from affordance.suites.behavior.choose import Letter, Preference, Said
    from affordance.suites.behavior.reasons import Ground

WIDTH = 100
BAR = 20
MOST_LAWS = 6
MOST_SENTENCES = 3  # where no law is in any
KNOWING = ("oracle", "replay", "study")  # they answer what is known already
CAUTION = "This is what the model prefers, not how people will act: that takes a test with people."


def choose(
    a: Annotated[Path, typer.Argument(metavar="A.png", help="A picture of one design.")],
    b: Annotated[Path, typer.Argument(metavar="B.png", help="A picture of the other.")],
    model: Annotated[str, typer.Option("--model", metavar="M", help="PROVIDER:MODEL[@BASE_URL]")],
    goal: Annotated[str | None, typer.Option(metavar="TEXT", help="What the page is to achieve.")] = None,
    trials: Annotated[int, typer.Option(min=1, metavar="N", help="Times to ask in each of both orders.")] = 3,
    ledger: Ledger = LEDGER,
    concurrency: Annotated[int, typer.Option(min=1, help="Asks at once, at most.")] = 16,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds to wait for a reply.")] = 300.0,
    fresh: Annotated[bool, typer.Option("--fresh", help="Ask again what was asked before.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress.")] = False,
    as_json: Json = False,
) -> None:
    """Ask a model which of two designs is the more effective one, in both orders, and why.

    Models tend to prefer a place: the first picture, or the second. Asking in both orders takes that out of the
    verdict. The replies are kept in the ledger, so the same command again asks nothing.

    \b
    Examples:
      affordance choose old.png new.png --model baseline:pixels
      affordance choose old.png new.png --model openai:gpt-5 --goal "More visitors begin a trial"
    """
    from affordance.cli.run import finished, means
    from affordance.core.errors import UserError
    from affordance.core.names import ModelName
    from affordance.run.session import Request, perform
    from affordance.run.settings import Settings
    from affordance.suites.behavior.choose import CHOOSE, prefer, two_designs

    name = ModelName.parse(model)
    goal = " ".join(goal.split()) if goal else None
    if name.provider in KNOWING:
        raise UserError(f"{name} answers only what is known already, and nobody knows which design wins; ask a model")
    request = Request(
        settings=Settings(tasks=(CHOOSE,), trials=trials),
        data=two_designs(a, b, goal),
        models=(name,),
        ledger=ledger,
        pictures=cache_folder() / "pictures",
        fresh=fresh,
        means=means(concurrency, timeout, budget=None),
    )
    with shown(quiet) as watch:
        run, progress = perform(request, watch)
    (asked,) = progress.models
    said = _said(ledger, run.id, asked)
    code = finished(request, progress, run.name)
    if not said:
        raise UserError(f"{name} gave no reply to judge by") if not code else typer.Exit(code)
    found = prefer(said)
    if as_json:
        told = {"model": str(name), "run": run.name, "designs": {"A": str(a), "B": str(b)}, "goal": goal}
        print(json.dumps({**told, **_as_data(found, said)}, indent=2, ensure_ascii=False))
    else:
        _print_verdict(found, said, str(name), (a, b), goal)
    raise typer.Exit(code)


def _said(ledger: str, run: str, model: str) -> "list[Said]":
    """What can be scored of a run, in the order of trials; an attempt that failed said nothing."""
    from affordance.core.attempt import COUNTED
    from affordance.ledger import open_ledger
    from affordance.suites.behavior.choose import FIRST, LETTERS, Said, chosen_design

    found = []
    with open_ledger(ledger, read_only=True) as opened:
        for outcome in opened.outcomes(run):
            if outcome.model != model or outcome.verdict is None or outcome.verdict.ended not in COUNTED:
                continue
            first = LETTERS[LETTERS.index(outcome.tags[FIRST])]
            steps = opened.steps(outcome.attempt)
            text = steps[-1].reply.text if steps else ""
            found.append(Said(first, outcome.trial, chosen_design(first, outcome.verdict.answer), text))
    return sorted(found, key=lambda one: (one.trial, one.first))


def _reasons(said: "Sequence[Said]", letter: "Letter") -> "tuple[list[Ground], list[str]]":
    from affordance.suites.behavior.reasons import grounds, sentences, with_letters

    return grounds(
        [with_letters(sentence, one.first, "B" if one.first == "A" else "A") for sentence in sentences(one.text)]
        for one in said
        if one.chosen == letter
    )


def _print_verdict(
    found: "Preference", said: "Sequence[Said]", model: str, files: tuple[Path, Path], goal: str | None
) -> None:
    from rich.console import Console
    from rich.text import Text

    from affordance.report.tables import Column, print_table

    headline = Text("\n".join(_wrapped(_headline(found, model))), style="bold")
    Console(highlight=False, soft_wrap=True).print(headline)
    print()
    columns = (
        Column("design", left=True), Column("chosen", left=True), Column("replies"), Column("shown first"),
        Column("shown second"),
    )  # fmt: skip
    print_table(columns, list(_votes(found, len(said), files)))
    print("\n" + "\n".join(_in_words(found, said, goal)))


def _votes(found: "Preference", replies: int, files: tuple[Path, Path]) -> Iterator[tuple[str, ...]]:
    """For each design how often it was chosen: in all, in first place, in second place."""
    from affordance.suites.behavior.choose import LETTERS

    for place, (letter, file) in enumerate(zip(LETTERS, files, strict=True)):
        here, there = (found.when_first, found.when_second) if letter == "A" else (found.when_second, found.when_first)
        filled = round(BAR * found.votes(letter) / replies) if replies else 0
        yield (
            f"{letter}  {file.name}",
            "█" * filled + "░" * (BAR - filled),
            f"{found.votes(letter)} of {replies}",
            f"{here[place]} of {sum(here)}",
            f"{there[place]} of {sum(there)}",
        )


def _in_words(found: "Preference", said: "Sequence[Said]", goal: str | None) -> Iterator[str]:
    from affordance.suites.behavior.choose import LETTERS

    if goal:
        yield from _wrapped(f"Goal: {goal}", "", "  ")
        yield ""
    yield from _wrapped(_about_place(found))
    for letter in [found.verdict] if found.verdict is not None else LETTERS:
        if found.votes(letter):
            yield ""
            yield from _why(said, letter, found.votes(letter))
    if found.verdict is None and found.unread:
        yield ""
        yield from _undecided(said)
    yield ""
    yield from _wrapped(CAUTION)


def _undecided(said: "Sequence[Said]") -> Iterator[str]:
    """What replies said that chose neither."""
    from affordance.suites.behavior.reasons import sentences

    yield "From the replies in which no choice could be read"
    texts = dict.fromkeys(sentence for one in said if one.chosen is None for sentence in sentences(one.text))
    for sentence in list(texts)[:MOST_SENTENCES]:
        yield from _wrapped(f"“{sentence}”", "    ", "     ")
    if not texts:
        yield "  They say nothing: see the ledger."


def _headline(found: "Preference", model: str) -> str:
    from affordance.suites.behavior.choose import SURE

    sure = f"{100 * found.confidence:.0f}%"
    if found.verdict is not None:
        return f"{model} prefers {found.verdict}: that is {sure} certain, its preference for a place taken out."
    if not found.read:
        return f"Cannot tell: no reply of {model} chose a design."
    if found.both and found.by_place == found.both:
        return f"Cannot tell: {model} chose by place, not by design."
    leaning = "A" if found.probability > 0.5 else "B"
    towards = f"it leans to {leaning}, but only {sure} certain" if found.confidence > 0.5 else "it is evenly split"
    return f"Cannot tell: {model} is not of one mind; {towards} (a verdict takes {SURE:.0%}). More --trials may tell."


def _about_place(found: "Preference") -> str:
    if not found.read:
        return "Place: nothing to say."
    share = f"{found.first_place} of {found.read} readable replies chose what was shown first"
    places = "no trial chose in both orders"
    if found.both and found.by_place:
        places = f"{found.by_place} of {found.both} trials took the same place in both orders, and so chose by place"
    elif found.both:
        places = "no trial took the same place in both orders, so the choice does not follow the place"
    unread = f" In {found.unread} replies no choice could be read." if found.unread else ""
    same = " In each order all replies are the same: more trials tell nothing new." if found.repeating else ""
    return f"Place: {places}; {share}.{unread}{same}"


def _why(said: "Sequence[Said]", letter: "Letter", votes: int) -> Iterator[str]:
    laws, silent = _reasons(said, letter)
    yield f"Reasons for {letter}, from the replies that chose it"
    used: set[str] = set()
    for ground in laws[:MOST_LAWS]:
        how = f"named in {ground.named}" if ground.named else "not named, but in its words"
        yield ""
        yield f"  {ground.law.name} ({ground.law.dimension}): {ground.replies} of {votes} replies, {how}"
        sentence = next((one for one in ground.sentences if one not in used), None)
        if sentence is not None:
            used.add(sentence)
        yield from _wrapped(f"“{sentence}”" if sentence else "in the words above", "    ", "     ")
    if not laws:
        yield "  None of the twelve UX laws is in them, neither by name nor in its words."
        for sentence in silent[:MOST_SENTENCES]:
            yield from _wrapped(f"“{sentence}”", "    ", "     ")
    elif not any(ground.named for ground in laws):
        yield ""
        yield "  No law is called by its name: they are told by words, which is a guess."


def _wrapped(text: str, first: str = "", later: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _as_data(found: "Preference", said: "Sequence[Said]") -> dict[str, Any]:
    from affordance.suites.behavior.choose import LETTERS

    reasons: dict[str, Any] = {}
    for letter in LETTERS:
        laws, silent = _reasons(said, letter)
        told = [
            {
                "law": ground.law.name,
                "dimension": ground.law.dimension,
                "replies": ground.replies,
                "named": ground.named,
                "sentences": list(ground.sentences),
            }
            for ground in laws
        ]
        reasons[letter] = {"laws": told, "without_a_law": silent}
    return {
        "verdict": found.verdict,
        "confidence": round(found.confidence, 4),
        "probability_of_a": round(found.probability, 4),
        "share_of_a": round(found.share, 4),
        "share_of_first_place": round(found.first, 4),
        "replies": len(said),
        "chosen": {letter: found.votes(letter) for letter in LETTERS},
        "a_first": dict(zip(LETTERS, found.when_first, strict=True)),
        "a_second": dict(zip(LETTERS, found.when_second, strict=True)),
        "unread": found.unread,
        "first_place": found.first_place,
        "trials_by_place": found.by_place,
        "trials_in_both_orders": found.both,
        "reasons": reasons,
    }
